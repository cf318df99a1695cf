/* Made-up islands: bodies, joints and structures of joints. */
#include "oracle_rows.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_ROWS (6 * ORACLE_MOST_JOINTS)

/* ---- bodies ---- */

static void random_spd (double A[9], double scale, oracle_random *random)
{
    double B[9];
    for (int i = 0; i < 9; ++i) B[i] = oracle_uniform (random, -1, 1);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
        {
            double sum = i == j ? 0.5 : 0;
            for (int k = 0; k < 3; ++k) sum += B[3 * i + k] * B[3 * j + k];
            A[3 * i + j] = scale * sum;
        }
}

oracle_system oracle_system_create (int bodies, double mass_decades, oracle_random *random)
{
    const size_t n = (size_t)bodies, joints = ORACLE_MOST_JOINTS, rows = MOST_ROWS;
    oracle_system s = {.bodies = bodies,
                       .movable = oracle_allocate (n, 1),
                       .centre = oracle_allocate (n, sizeof (double[3])),
                       .mass = oracle_allocate (n, sizeof (double)),
                       .W = oracle_allocate (n, sizeof (double[9])),
                       .v = oracle_allocate (n, sizeof (double[6])),
                       .wanted = oracle_allocate (n, sizeof (double[6])),
                       .body = oracle_allocate (joints, sizeof (int[2])),
                       .row0 = oracle_allocate (joints + 1, sizeof (int)),
                       .attach0 = oracle_allocate (n + 1, sizeof (int)),
                       .attach = oracle_allocate (2 * joints, sizeof (int)),
                       .carries = oracle_allocate (joints, sizeof (unsigned))};
    s.rows = (rls_rows){.body = s.body,
                        .row0 = s.row0,
                        .bodies = bodies,
                        .movable = s.movable,
                        .mass = s.mass,
                        .W = s.W,
                        .attach0 = s.attach0,
                        .attach = s.attach,
                        .J = oracle_allocate (rows, sizeof (double[12])),
                        .sigma2 = oracle_allocate (rows, sizeof (double)),
                        .target = oracle_allocate (rows, sizeof (double)),
                        .residual = oracle_allocate (rows, sizeof (double))};
    for (int b = 0; b < bodies; ++b)
    {
        s.movable[b] = 1;
        s.mass[b] = pow (10, oracle_uniform (random, -0.5, 0.5) * mass_decades);
        random_spd (s.W[b], 1 / s.mass[b], random);
        for (int k = 0; k < 3; ++k) s.centre[b][k] = oracle_uniform (random, -1, 1);
        for (int k = 0; k < 6; ++k)
        {
            s.v[b][k] = oracle_uniform (random, -1, 1);
            s.wanted[b][k] = oracle_uniform (random, -1, 1);
        }
    }
    for (int w = 0; w < ORACLE_POOL; ++w)
        for (int k = 0; k < 6; ++k) s.pool[w][k] = (w == k) + oracle_uniform (random, -0.4, 0.4);
    return s;
}

void oracle_system_free (oracle_system *s)
{
    void *arrays[] = {s->movable, s->centre, s->mass,        s->W,           s->v,
                      s->wanted,  s->body,   s->rows.sigma2, s->row0,        s->attach0,
                      s->attach,  s->rows.J, s->carries,     s->rows.target, s->rows.residual};
    for (size_t i = 0; i < sizeof (arrays) / sizeof (*arrays); ++i) free (arrays[i]);
    *s = (oracle_system){0};
}

void oracle_fix_body (oracle_system *s, int body)
{
    s->movable[body] = 0;
    memcpy (s->wanted[body], s->v[body], sizeof (s->v[body]));
}

/* ---- joints ---- */

static void wrench_at (const oracle_system *s, int body, const double wrench[6], double sign, double J[6])
{
    const double *f = wrench, *m = wrench + 3, origin[3] = {0}, *c = body < 0 ? origin : s->centre[body];
    for (int k = 0; k < 3; ++k) J[k] = body < 0 ? 0 : sign * f[k];
    const double moment[3] = {m[0] - c[1] * f[2] + c[2] * f[1], m[1] - c[2] * f[0] + c[0] * f[2],
                              m[2] - c[0] * f[1] + c[1] * f[0]};
    for (int k = 0; k < 3; ++k) J[3 + k] = body < 0 ? 0 : sign * moment[k];
}

void oracle_wrench_row (const oracle_system *s, int a, int b, const double wrench[6], double J[12])
{
    wrench_at (s, a, wrench, 1, J);
    wrench_at (s, b, wrench, -1, J + 6);
}

double oracle_row_speed (const oracle_system *s, int joint, const double J[12], const double (*v)[6])
{
    double speed = 0;
    const int bodies[2] = {s->body[joint][0], s->body[joint][1]};
    for (int side = 0; side < 2; ++side)
        for (int k = 0; k < 6 && bodies[side] >= 0; ++k) speed += J[6 * side + k] * v[bodies[side]][k];
    return speed;
}

void oracle_add_joint (oracle_system *s, int a, int b, int count, const double (*J)[12])
{
    const int j = s->rows.joints++;
    s->body[j][0] = a;
    s->body[j][1] = b;
    for (int i = 0; i < count; ++i)
    {
        const int r = s->rows.rows++;
        memcpy (s->rows.J[r], J[i], sizeof (J[i]));
        s->rows.sigma2[r] = 0;
        s->rows.target[r] = oracle_row_speed (s, j, J[i], (const double (*)[6])s->wanted);
    }
    s->row0[j + 1] = s->rows.rows;
    rls_rows_attach (&s->rows, s->bodies, s->attach0, s->attach);
}

void oracle_add_pool_joint (oracle_system *s, int a, int b, unsigned carries, oracle_random *random)
{
    double pure[ORACLE_POOL][12], mixed[ORACLE_POOL][12];
    int count = 0;
    for (int w = 0; w < ORACLE_POOL; ++w)
        if (carries & 1u << w) oracle_wrench_row (s, a, b, s->pool[w], pure[count++]);
    for (int i = 0; i < count; ++i)
    {
        double weight[ORACLE_POOL];
        for (int k = 0; k < count; ++k) weight[k] = (i == k) + oracle_uniform (random, -0.15, 0.15);
        for (int c = 0; c < 12; ++c)
        {
            mixed[i][c] = 0;
            for (int k = 0; k < count; ++k) mixed[i][c] += weight[k] * pure[k][c];
        }
    }
    oracle_add_joint (s, a, b, count, (const double (*)[12])mixed);
    s->carries[s->rows.joints - 1] = carries;
}

void oracle_scale_row (oracle_system *s, int row, double factor)
{
    for (int k = 0; k < 12; ++k) s->rows.J[row][k] *= factor;
    s->rows.target[row] *= factor;
    s->rows.sigma2[row] *= factor * factor;
}

void oracle_soften (oracle_system *s, int row, double sigma2) { s->rows.sigma2[row] = sigma2; }

/* ---- rank by counting ---- */

static int root_of (const int *parent, int i)
{
    while (parent[i] != i) i = parent[i];
    return i;
}

int oracle_graph_rank (const oracle_system *s)
{
    int rank = 0;
    int *parent = oracle_allocate ((size_t)s->bodies + 1, sizeof (int));
    for (unsigned w = 0; w < ORACLE_POOL; ++w)
    {
        for (int b = 0; b <= s->bodies; ++b) parent[b] = b;
        for (int j = 0; j < s->rows.joints; ++j)
        {
            if (!(s->carries[j] & 1u << w)) continue;
            int ends[2] = {s->body[j][0], s->body[j][1]};
            for (int side = 0; side < 2; ++side)
            {
                if (ends[side] < 0 || !s->movable[ends[side]]) ends[side] = s->bodies;
                ends[side] = root_of (parent, ends[side]);
            }
            rank += ends[0] != ends[1];
            parent[ends[0]] = ends[1];
        }
    }
    free (parent);
    return rank;
}

/* ---- structures ---- */

static unsigned draw_set (int everything, oracle_random *random)
{
    const unsigned set = (unsigned)oracle_index (random, 63) + 1;
    return everything ? 63 : set;
}

static void connect_by (oracle_system *s, int a, int b, unsigned set, oracle_random *random)
{
    const int turned = oracle_index (random, 2) && b >= 0;
    oracle_add_pool_joint (s, turned ? b : a, turned ? a : b, set, random);
}

static void connect (oracle_system *s, int a, int b, int everything, oracle_random *random)
{
    connect_by (s, a, b, draw_set (everything, random), random);
}

static void connect_loosely (oracle_system *s, int a, int b, int everything, oracle_random *random)
{
    const unsigned one = 1u << oracle_index (random, ORACLE_POOL),
                   other = 1u << oracle_index (random, ORACLE_POOL);
    connect_by (s, a, b, everything ? 63 : one | other, random);
}

oracle_system oracle_system_draw (const oracle_plan *plan, oracle_random *random)
{
    const int bodies = plan->bodies, everything = plan->rigid;
    const int side = (int)sqrt ((double)bodies);
    oracle_system s = oracle_system_create (bodies, plan->mass_decades, random);
    if (plan->kinematic) oracle_fix_body (&s, bodies / 2);
    connect (&s, 0, -1, everything, random);
    for (int b = 1; b < bodies; ++b) switch (plan->structure)
        {
        case ORACLE_CHAIN:
            connect (&s, b, b - 1, everything, random);
            break;
        case ORACLE_NET:
            if (b % side) connect (&s, b, b - 1, everything, random);
            if (b >= side) connect (&s, b, b - side, everything, random);
            break;
        case ORACLE_HUB:
            connect (&s, b, 0, everything, random);
            if (b % 3 == 0) connect (&s, b, 0, everything, random);
            break;
        case ORACLE_MESH:
            for (int i = b < 3 ? 0 : b - 3; i < b; ++i) connect_loosely (&s, b, i, everything, random);
            break;
        default:
            connect (&s, b, oracle_index (random, b), everything, random);
        }
    for (int extra = 0; plan->structure == ORACLE_LOOPS && extra < bodies; ++extra)
    {
        const int a = oracle_index (random, bodies), b = oracle_index (random, bodies + 1) - 1;
        if (a != b) connect (&s, a, b, everything, random);
    }
    return s;
}
