/*
 * Redundant reactions of elastic bodies (Wojtyra & Fraczek 2012): a door on two hinges and a scissor lift
 * with 31 rows too many, at rest under their weight, beside a finite-element frame.
 *
 * The frame knows nothing of the library but the rows: all bodies are beams, in many elements with
 * distributed weight, joints are equations between nodes, and one dense system gives displacements and
 * reactions.  The library has rigid bodies, and is given what its redundant rows open by under loads: beams
 * in one element a span (they bend as the cubic says) with the weight of each span lumped as its ends feel
 * it.
 */
#include <math.h>
#include <ode_rls/ode_rls.h>
#include <scene.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define GRAVITY 9.81
#define MOST_BODIES 20
#define MOST_NODES 40 /* of a body */
#define MOST_BEAMS 60
#define YOUNG 2.1e11 /* Pa: steel */
#define SHEAR 8.1e10
#define TIMBER 0.05 /* of it */

/* ---- beams ---- */

typedef struct
{
    int a, b;
    double EA, EI[2], GJ; /* EI: bending across the second and the third of the beam's own axes */
    double weight;        /* N */
} beam;

typedef struct
{
    dBodyID body;
    int nodes, beams;
    double node[MOST_NODES][3];
    beam beams_of[MOST_BEAMS];
    double extra[MOST_NODES]; /* N: weight at a node */
    double *K, *load;         /* 6 nodes squared, 6 nodes */
} frame;

static double *zeros (size_t count)
{
    double *x = calloc (count + 1, sizeof *x);
    assert_non_null (x);
    return x;
}

static int node_at (frame *f, double x, double y, double z)
{
    for (int i = 0; i < f->nodes; ++i)
        if (fabs (f->node[i][0] - x) + fabs (f->node[i][1] - y) + fabs (f->node[i][2] - z) < 1e-9) return i;
    assert_true (f->nodes < MOST_NODES);
    f->node[f->nodes][0] = x, f->node[f->nodes][1] = y, f->node[f->nodes][2] = z;
    return f->nodes++;
}

/* A beam of a rectangular section (width across, height) in so many elements; across: its second axis,
 * roughly. */
static void add_beam (frame *f, int a, int b, double width, double height, double young, double weight,
                      int elements)
{
    int last = a;
    const double shorter = fmin (width, height), longer = fmax (width, height);
    for (int e = 1; e <= elements; ++e)
    {
        const double t = (double)e / elements;
        const double *p = f->node[a], *q = f->node[b];
        const int next = e == elements ? b
                                       : node_at (f, p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1]),
                                                  p[2] + t * (q[2] - p[2]));
        assert_true (f->beams < MOST_BEAMS);
        f->beams_of[f->beams++] = (beam){
            last,
            next,
            young * YOUNG * width * height,
            {young * YOUNG * width * pow (height, 3) / 12, young * YOUNG * height * pow (width, 3) / 12},
            young * SHEAR * 0.25 * longer * pow (shorter, 3),
            weight / elements};
        last = next;
    }
}

/* The beam's axes: along it, then world y (x where it runs along y) as nearly as may be. */
static double axes_of (const frame *f, const beam *b, double R[3][3])
{
    double length = 0, along = 0, size = 0;
    for (int k = 0; k < 3; ++k) R[0][k] = f->node[b->b][k] - f->node[b->a][k], length += R[0][k] * R[0][k];
    length = sqrt (length);
    for (int k = 0; k < 3; ++k) R[0][k] /= length;
    const int second = fabs (R[0][1]) > 0.9 ? 0 : 1;
    along = R[0][second];
    for (int k = 0; k < 3; ++k) R[1][k] = (k == second) - along * R[0][k], size += R[1][k] * R[1][k];
    for (int k = 0; k < 3; ++k) R[1][k] /= sqrt (size);
    for (int k = 0; k < 3; ++k)
        R[2][k] = R[0][(k + 1) % 3] * R[1][(k + 2) % 3] - R[0][(k + 2) % 3] * R[1][(k + 1) % 3];
    return length;
}

static void put (double *K, int n, int i, int j, double value)
{
    K[i * n + j] += value;
    if (i != j) K[j * n + i] += value;
}

/* Stiffness of a straight beam in its own axes (Bernoulli), ends a and b, six numbers each. */
static void stiffness_of (const beam *b, double L, double k[144])
{
    memset (k, 0, 144 * sizeof *k);
    const double axial = b->EA / L, twist = b->GJ / L;
    put (k, 12, 0, 0, axial), put (k, 12, 6, 6, axial), put (k, 12, 0, 6, -axial);
    put (k, 12, 3, 3, twist), put (k, 12, 9, 9, twist), put (k, 12, 3, 9, -twist);
    for (int plane = 0; plane < 2; ++plane)
    {
        /* deflection along the third axis bends about the second (height), and the other way round */
        const double EI = b->EI[plane], s = plane == 0 ? -1 : 1;
        const int w = plane == 0 ? 2 : 1, t = plane == 0 ? 4 : 5;
        const double shear = 12 * EI / (L * L * L), couple = 6 * EI / (L * L), near = 4 * EI / L,
                     far = 2 * EI / L;
        put (k, 12, w, w, shear), put (k, 12, w + 6, w + 6, shear), put (k, 12, w, w + 6, -shear);
        put (k, 12, w, t, s * couple), put (k, 12, w, t + 6, s * couple);
        put (k, 12, w + 6, t, -s * couple), put (k, 12, w + 6, t + 6, -s * couple);
        put (k, 12, t, t, near), put (k, 12, t + 6, t + 6, near), put (k, 12, t, t + 6, far);
    }
}

/* Half of a beam's weight at each end, and the moments that a span fixed at both ends would feel. */
static void add_weight (frame *f, const beam *b, const double R[3][3], double L)
{
    for (int k = 0; k < 3; ++k)
    {
        const double moment = (R[1][k] * -R[2][2] + R[2][k] * R[1][2]) * -b->weight * L / 12;
        f->load[6 * b->a + 3 + k] += moment, f->load[6 * b->b + 3 + k] -= moment;
    }
    f->load[6 * b->a + 2] -= b->weight / 2, f->load[6 * b->b + 2] -= b->weight / 2;
}

static void assemble (frame *f)
{
    const int n = 6 * f->nodes;
    f->K = zeros ((size_t)n * (size_t)n), f->load = zeros ((size_t)n);
    for (int i = 0; i < f->nodes; ++i) f->load[6 * i + 2] -= f->extra[i];
    for (int e = 0; e < f->beams; ++e)
    {
        const beam *b = &f->beams_of[e];
        double k[144], R[3][3];
        const double L = axes_of (f, b, R);
        stiffness_of (b, L, k);
        add_weight (f, b, (const double (*)[3])R, L);
        for (int i = 0; i < 12; ++i)
            for (int j = 0; j < 12; ++j)
            {
                const int row = 6 * (i < 6 ? b->a : b->b) + 3 * (i % 6 / 3),
                          column = 6 * (j < 6 ? b->a : b->b) + 3 * (j % 6 / 3);
                for (int p = 0; p < 3; ++p)
                    for (int q = 0; q < 3; ++q)
                        f->K[(row + p) * n + column + q] += R[i % 3][p] * k[12 * i + j] * R[j % 3][q];
            }
    }
}

/* ---- a dense solve with complete pivoting; what is left over (motions that nothing holds) stays 0 ---- */

static void solve_dense (double *A, double *x, int n)
{
    int *column = calloc ((size_t)n + 1, sizeof *column), rank = 0;
    double first = 0, *y = zeros ((size_t)n);
    for (int i = 0; i < n; ++i) column[i] = i;
    for (; rank < n; ++rank)
    {
        int p = rank, q = rank;
        for (int i = rank; i < n; ++i)
            for (int j = rank; j < n; ++j)
                if (fabs (A[i * n + j]) > fabs (A[p * n + q])) p = i, q = j;
        const double pivot = A[p * n + q];
        if (rank == 0) first = fabs (pivot);
        if (fabs (pivot) < 1e-13 * first) break;
        for (int j = 0; j < n; ++j)
        {
            const double t = A[p * n + j];
            A[p * n + j] = A[rank * n + j], A[rank * n + j] = t;
        }
        for (int i = 0; i < n; ++i)
        {
            const double t = A[i * n + q];
            A[i * n + q] = A[i * n + rank], A[i * n + rank] = t;
        }
        const int c = column[q];
        column[q] = column[rank], column[rank] = c;
        const double t = x[p];
        x[p] = x[rank], x[rank] = t;
        for (int i = rank + 1; i < n; ++i)
        {
            const double l = A[i * n + rank] / pivot;
            if (l == 0) continue;
            for (int j = rank; j < n; ++j) A[i * n + j] -= l * A[rank * n + j];
            x[i] -= l * x[rank];
        }
    }
    for (int i = rank - 1; i >= 0; --i)
    {
        for (int j = i + 1; j < rank; ++j) x[i] -= A[i * n + j] * y[column[j]];
        y[column[i]] = x[i] / A[i * n + i];
    }
    memcpy (x, y, sizeof *y * (size_t)n);
    free (y);
    free (column);
}

/* ---- a mechanism of frames ---- */

typedef struct
{
    scene *scene;
    dRLSStepperID stepper;
    dRLSEquationsID equations;
    dRLSEquationsSize size;
    dBodyID *body;
    dRLSEquationRow *row;
    dRLSEquationEntry *entry;
    frame *frames; /* of the bodies, in the equations' order */
} mechanism;

static void look (mechanism *m)
{
    m->equations = dRLSEquationsCreate ();
    m->size.struct_size = sizeof m->size;
    assert_int_equal (dRLSStepperGetEquations (m->stepper, m->equations), 1);
    assert_int_equal (dRLSEquationsGetSize (m->equations, &m->size), 1);
    m->body = calloc ((size_t)m->size.bodies, sizeof *m->body);
    m->row = calloc ((size_t)m->size.rows, sizeof *m->row);
    m->entry = calloc ((size_t)m->size.entries, sizeof *m->entry);
    m->frames = calloc ((size_t)m->size.bodies, sizeof *m->frames);
    dRLSEquationsGetBodies (m->equations, m->body, m->size.bodies);
    dRLSEquationsGetRows (m->equations, m->row, m->size.rows);
    dRLSEquationsGetEntries (m->equations, m->entry, m->size.entries);
    for (int b = 0; b < m->size.bodies; ++b) m->frames[b].body = m->body[b];
}

static void clear_frames (mechanism *m)
{
    for (int b = 0; b < m->size.bodies; ++b)
    {
        free (m->frames[b].K), free (m->frames[b].load);
        m->frames[b] = (frame){.body = m->body[b]};
    }
}

static void close_mechanism (mechanism *m)
{
    clear_frames (m);
    free (m->body), free (m->row), free (m->entry), free (m->frames);
    dRLSEquationsDestroy (m->equations);
    dRLSStepperDestroy (m->stepper);
    scene_free (m->scene);
}

static const char *name_of (const mechanism *m, dBodyID body)
{
    for (int i = 0; i < scene_body_count (m->scene); ++i)
        if (scene_body_at (m->scene, i)->body == body) return scene_body_at (m->scene, i)->name;
    return "?";
}

/* Where a joint takes hold: its anchor, or for those without one the body that it is about. */
static void place_of (const mechanism *m, dJointID joint, double x[3])
{
    dVector3 anchor;
    if (dJointGetType (joint) == dJointTypeHinge)
        dJointGetHingeAnchor (joint, anchor);
    else
    {
        /* rails take hold at their rollers, the load at its own centre */
        dBodyID held = dJointGetBody (joint, 0);
        for (int side = 0; side < 2; ++side)
        {
            const dBodyID body = dJointGetBody (joint, side);
            if (body && (strstr (name_of (m, body), "roller") || strstr (name_of (m, body), "load")))
                held = body;
        }
        memcpy (anchor, dBodyGetPosition (held), sizeof (dReal) * 3);
    }
    for (int k = 0; k < 3; ++k) x[k] = (double)anchor[k];
}

/* What a unit reaction along an entry does to the node where its joint takes hold. */
static int wrench_of (const mechanism *m, int r, const dRLSEquationEntry *entry, double wrench[6])
{
    double x[3], arm[3];
    place_of (m, m->row[r].joint, x);
    for (int k = 0; k < 3; ++k) arm[k] = x[k] - (double)dBodyGetPosition (m->body[entry->body])[k];
    for (int k = 0; k < 6; ++k) wrench[k] = (double)entry->J[k];
    for (int k = 0; k < 3; ++k)
        wrench[3 + k] -= arm[(k + 1) % 3] * wrench[(k + 2) % 3] - arm[(k + 2) % 3] * wrench[(k + 1) % 3];
    return node_at (&m->frames[entry->body], x[0], x[1], x[2]);
}

/* All frames and rows in one system: [K -N; -N' 0] [u; p] = [load; 0] with H v = N' u. */
static void finite_elements (mechanism *m, double *p)
{
    int n = 0, first[MOST_BODIES];
    for (int b = 0; b < m->size.bodies; ++b) first[b] = n, n += 6 * m->frames[b].nodes;
    const int all = n + m->size.rows;
    const double unit = 1e-6; /* m/N, so that displacements and reactions have entries of like size */
    double *A = zeros ((size_t)all * (size_t)all), *x = zeros ((size_t)all);
    for (int b = 0; b < m->size.bodies; ++b)
    {
        const frame *f = &m->frames[b];
        const int k = 6 * f->nodes;
        for (int i = 0; i < k; ++i) x[first[b] + i] = f->load[i];
        for (int i = 0; i < k * k; ++i) A[(first[b] + i / k) * all + first[b] + i % k] = unit * f->K[i];
    }
    for (int r = 0; r < m->size.rows; ++r)
        for (int i = m->row[r].entry; i < m->row[r].entry + m->row[r].entries; ++i)
        {
            double wrench[6];
            const int at = first[m->entry[i].body] + 6 * wrench_of (m, r, &m->entry[i], wrench);
            for (int k = 0; k < 6; ++k)
                A[(at + k) * all + n + r] -= wrench[k], A[(n + r) * all + at + k] -= wrench[k];
        }
    solve_dense (A, x, all);
    memcpy (p, x + n, sizeof *p * (size_t)m->size.rows);
    free (A), free (x);
}

/* ---- what the library is given ---- */

/* Displacements of a frame whose first node is held: for loads in balance any of the possible ones. */
static void deform (const frame *f, double *u)
{
    const int n = 6 * f->nodes - 6;
    double *A = zeros ((size_t)n * (size_t)n), *x = zeros ((size_t)n);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) A[i * n + j] = f->K[(i + 6) * (n + 6) + j + 6];
    memcpy (x, u + 6, sizeof *x * (size_t)n);
    solve_dense (A, x, n);
    memset (u, 0, 6 * sizeof *u);
    memcpy (u + 6, x, sizeof *x * (size_t)n);
    free (A), free (x);
}

/* By how much rows open under reactions p (NULL: none) and, if asked, under the frames' own weight. */
static void open_rows (mechanism *m, const dReal *p, int weight, dReal *openings)
{
    memset (openings, 0, sizeof *openings * (size_t)m->size.rows);
    for (int b = 0; b < m->size.bodies; ++b)
    {
        const frame *f = &m->frames[b];
        double *u = zeros (6 * (size_t)f->nodes), wrench[6];
        for (int i = 0; i < 6 * f->nodes && weight; ++i) u[i] = f->load[i];
        for (int pass = 0; pass < 2; ++pass)
        {
            if (pass == 1) deform (f, u);
            for (int r = 0; r < m->size.rows; ++r)
                for (int i = m->row[r].entry; i < m->row[r].entry + m->row[r].entries; ++i)
                {
                    if (m->entry[i].body != b) continue;
                    double *at = u + 6 * wrench_of (m, r, &m->entry[i], wrench);
                    for (int k = 0; k < 6; ++k)
                        if (pass == 1)
                            openings[r] += (dReal)(wrench[k] * at[k]);
                        else if (p)
                            at[k] += wrench[k] * (double)p[r];
                }
        }
        free (u);
    }
}

static void yields (void *context, const dReal *p, dReal *openings) { open_rows (context, p, 0, openings); }

/* ---- the comparison ---- */

static double off_by (const mechanism *m, const dReal *p, const double *exact)
{
    double worst = 0, largest = 0;
    for (int r = 0; r < m->size.rows; ++r)
    {
        worst = fmax (worst, fabs ((double)p[r] - exact[r]));
        largest = fmax (largest, fabs (exact[r]));
    }
    return worst / largest;
}

typedef void building (mechanism *m, int elements);

static void compare (mechanism *m, const char *name, building *build)
{
    const size_t rows = (size_t)m->size.rows;
    dReal *a = calloc (6 * (size_t)m->size.bodies, sizeof *a), *p = calloc (rows, sizeof *p),
          *least = calloc (rows, sizeof *p), *open = calloc (rows, sizeof *p);
    double *exact = zeros (rows), moves = 0;
    assert_int_equal (dRLSEquationsAccelerate (m->equations, NULL, a, p), 1);
    for (int i = 0; i < 6 * m->size.bodies; ++i) moves = fmax (moves, fabs ((double)a[i]));
    if (!(moves < 1e-9)) fail_msg ("%s is not at rest: %g", name, moves);

    build (m, 4);
    for (int b = 0; b < m->size.bodies; ++b) assemble (&m->frames[b]);
    finite_elements (m, exact);

    clear_frames (m);
    build (m, 1);
    for (int b = 0; b < m->size.bodies; ++b) assemble (&m->frames[b]);
    open_rows (m, NULL, 1, open);
    const dRLSElasticity elasticity = {
        .struct_size = sizeof elasticity, .function = yields, .context = m, .openings = open};
    memcpy (least, p, sizeof *p * rows);
    assert_int_equal (dRLSEquationsShare (m->equations, NULL, least), 1);
    assert_int_equal (dRLSEquationsShare (m->equations, &elasticity, p), 1);
    print_message ("%s: %d of %d rows redundant; off the finite elements by %.1e of the largest reaction; "
                   "the least norm by %.2g\n",
                   name, m->size.rows - m->size.rank, m->size.rows, off_by (m, p, exact),
                   off_by (m, least, exact));
    if (!(off_by (m, p, exact) < 0.01)) fail_msg ("%s: off by %g", name, off_by (m, p, exact));
    assert_true (off_by (m, least, exact) > 0.01);
    free (a), free (p), free (least), free (open), free (exact);
}

static mechanism read_scene (const char *path)
{
    char error[512];
    mechanism m = {.scene = scene_read (path, NULL, NULL, error, sizeof error)};
    assert_non_null (m.scene);
    for (int i = 0; i < scene_body_count (m.scene); ++i)
    {
        const dBodyID body = scene_body_at (m.scene, i)->body;
        dBodySetLinearVel (body, 0, 0, 0);
        dBodySetAngularVel (body, 0, 0, 0);
    }
    return m;
}

/* Stiles and rails of timber, the hinges on one stile. */
static void build_door (mechanism *m, int elements)
{
    static const double z[] = {0.05, 0.3, 1.8, 2.05};
    frame *f = &m->frames[0];
    int hung[4], free_side[2];
    for (int i = 0; i < 4; ++i) hung[i] = node_at (f, 0, 0, z[i]);
    for (int i = 0; i < 2; ++i) free_side[i] = node_at (f, 1, 0, z[3 * i]);
    const double weight = 20 * GRAVITY / 6; /* per metre */
    for (int i = 0; i < 3; ++i)
        add_beam (f, hung[i], hung[i + 1], 0.05, 0.12, TIMBER, weight * (z[i + 1] - z[i]), elements);
    add_beam (f, free_side[0], free_side[1], 0.05, 0.12, TIMBER, 2 * weight, elements);
    for (int i = 0; i < 2; ++i) add_beam (f, hung[3 * i], free_side[i], 0.05, 0.15, TIMBER, weight, elements);
}

static void door (void **state)
{
    (void)state;
    mechanism m = read_scene (SCENES "/door.sdf");
    m.stepper = dRLSStepperCreate (scene_world (m.scene), NULL);
    look (&m);
    compare (&m, "door", build_door);
    close_mechanism (&m);
}

/* A straight bar through the joints of a body. */
static void build_bar (mechanism *m, int b, const double far_end[3], double width, double height,
                       double weight, int elements)
{
    frame *f = &m->frames[b];
    const dReal *c = dBodyGetPosition (m->body[b]);
    const int middle = node_at (f, (double)c[0], (double)c[1], (double)c[2]);
    for (int side = -1; side < 2; side += 2)
    {
        const int end = node_at (f, (double)c[0] + side * far_end[0], (double)c[1] + side * far_end[1],
                                 (double)c[2] + side * far_end[2]);
        add_beam (f, middle, end, width, height, 1, weight / 2, elements);
    }
}

/* Beams of the deck from joint to joint, and up to the load, whose weight and the deck's own act where they
 * are. */
static void build_platform (mechanism *m, int b, int elements)
{
    frame *f = &m->frames[b];
    const dReal *c = dBodyGetPosition (m->body[b]);
    const double x = 0.692820323027551, z = 2.4;
    const int left = node_at (f, -x, 0.4, z), right = node_at (f, -x, -0.4, z), rail = node_at (f, x, 0, z);
    const int middle = node_at (f, (double)c[0], (double)c[1], (double)c[2]), seat = node_at (f, 0, 0, 2.71);
    f->extra[middle] = 15 * GRAVITY;
    add_beam (f, left, right, 0.06, 0.06, 1, 0, elements);
    add_beam (f, left, rail, 0.06, 0.06, 1, 0, elements);
    add_beam (f, right, rail, 0.06, 0.06, 1, 0, elements);
    add_beam (f, left, middle, 0.06, 0.06, 1, 0, elements);
    add_beam (f, right, middle, 0.06, 0.06, 1, 0, elements);
    add_beam (f, rail, middle, 0.06, 0.06, 1, 0, elements);
    add_beam (f, middle, seat, 0.2, 0.2, 1, 0, elements);
}

static void build_lift (mechanism *m, int elements)
{
    static const double across[3] = {0, 0.4, 0};
    for (int b = 0; b < m->size.bodies; ++b)
    {
        const char *name = name_of (m, m->body[b]);
        const dReal *R = dBodyGetRotation (m->body[b]);
        const double along[3] = {0.8 * (double)R[0], 0.8 * (double)R[4], 0.8 * (double)R[8]};
        const dReal *c = dBodyGetPosition (m->body[b]);
        if (strstr (name, "rising") || strstr (name, "falling"))
            build_bar (m, b, along, 0.03, 0.08, 3 * GRAVITY, elements);
        else if (strstr (name, "roller"))
            build_bar (m, b, across, 0.05, 0.05, 1 * GRAVITY, elements);
        else if (strstr (name, "platform"))
            build_platform (m, b, elements);
        else
            m->frames[b].extra[node_at (&m->frames[b], (double)c[0], (double)c[1], (double)c[2])] =
                40 * GRAVITY;
    }
}

/* A chock keeps the lift up: the roller does not roll. */
static int chock (void *context, dJointID joint, dReal time, dRLSProgramRow *row)
{
    (void)time;
    row[0].first[0] = 1;
    row[0].value = dBodyGetPosition (dJointGetBody (joint, 0))[0] - *(dReal *)context;
    return 1;
}

static void lift (void **state)
{
    (void)state;
    mechanism m = read_scene (SCENES "/scissor_lift.sdf");
    const dJointID joint = dJointCreateLMotor (scene_world (m.scene), NULL);
    for (int i = 0; i < scene_body_count (m.scene); ++i)
        if (strstr (scene_body_at (m.scene, i)->name, "lower_roller"))
            dJointAttach (joint, scene_body_at (m.scene, i)->body, NULL);
    dReal stands = dBodyGetPosition (dJointGetBody (joint, 0))[0];
    m.stepper = dRLSStepperCreate (scene_world (m.scene), NULL);
    assert_int_equal (dRLSStepperSetJointRows (m.stepper, joint, 1, chock, &stands), 1);
    look (&m);
    compare (&m, "scissor lift", build_lift);
    close_mechanism (&m);
}

int main (void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test (door), cmocka_unit_test (lift)};
    dInitODE ();
    const int failures = cmocka_run_group_tests (tests, NULL, NULL);
    dCloseODE ();
    return failures;
}
