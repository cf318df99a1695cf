/*
 * Limit normals by a central difference: the rows are evaluated a short way before and after the
 * configuration along the motion; rows that are independent on both sides but not in between give
 *
 *     n = z+ / |z+|  +-  z- / |z-|,      z = what M^-1 h leaves after the kept rows are enforced.
 *
 * The two unit directions differ by O(distance), in opposite ways, or are opposite to each other: the
 * magnitude of z passes zero with a change of sign.
 */
#include "limit_normals.h"
#include "rotation.h"
#include <math.h>
#include <string.h>

#define DISTANCE 3e-4    /* m or rad of the fastest body to either side */
#define NEAR 0.1         /* part of that by which the way may miss */
#define LONGEST_TIME 0.1 /* s to get there: what hardly moves has no direction to look into */
#define LEAST 1e-12      /* squared M-length of z, relative to that of M^-1 h */
#define INDEPENDENT 1e-3 /* squared M-length of n after orthogonalisation */

static void carve_sides (rls_limits *l, rls_carver *c)
{
    const size_t n = (size_t)l->bodies, rows = (size_t)l->side[0].rows.rows;
    for (int i = 0; i < 2; ++i)
    {
        rls_rows_carve (&l->side[i].rows, c);
        l->side[i].own = rls_carve (c, rows, 1);
    }
    l->candidate = rls_carve (c, rows, sizeof (int));
    l->pose = rls_carve (c, n, sizeof (*l->pose));
    l->d = rls_carve (c, n, sizeof (*l->d));
    l->x = rls_carve (c, rows, sizeof (double));
}

static void carve_normals (rls_limits *l, rls_carver *c)
{
    const size_t n = (size_t)l->bodies * (size_t)l->candidates;
    l->normal = rls_carve (c, n, sizeof (*l->normal));
    l->momentum = rls_carve (c, n, sizeof (*l->momentum));
    l->beside = rls_carve (c, 2 * n, sizeof (*l->beside));
}

void rls_limits_free (rls_limits *l)
{
    for (int i = 0; i < 2; ++i) rls_factor_free (&l->side[i].factor);
    rls_block_free (&l->side_block);
    rls_block_free (&l->normal_block);
    *l = (rls_limits){0};
}

int rls_limits_copy (rls_limits *to, const rls_limits *from)
{
    const rls_limits own = *to;
    int done;
    *to = *from;
    to->side_block = own.side_block, to->normal_block = own.normal_block;
    for (int i = 0; i < 2; ++i) /* scratch, but for what they know of meshes */
    {
        to->side[i].factor = own.side[i].factor;
        to->side[i].factor.mesh = from->side[i].factor.mesh;
    }
    RLS_LAY_OUT_COPY (to, &to->side_block, &from->side_block, carve_sides, done);
    if (!done) return 0;
    RLS_LAY_OUT_COPY (to, &to->normal_block, &from->normal_block, carve_normals, done);
    return done;
}

/* ---- vectors over all bodies ---- */

static double dot (int bodies, const double (*a)[6], const double (*b)[6])
{
    double sum = 0;
    for (int i = 0; i < bodies; ++i) sum += rls_dot6 (a[i], b[i]);
    return sum;
}

static void subtract (int bodies, double scale, const double (*a)[6], double (*from)[6])
{
    for (int i = 0; i < bodies; ++i)
        for (int k = 0; k < 6; ++k) from[i][k] -= scale * a[i][k];
}

static void divide (int bodies, double by, double (*a)[6])
{
    for (int i = 0; i < bodies; ++i)
        for (int k = 0; k < 6; ++k) a[i][k] /= by;
}

/* out := M v at the pose. */
static void mass_times (const rls_island *s, const rls_pose *pose, const double (*v)[6], double (*out)[6])
{
    for (int b = 0; b < s->bodies; ++b)
    {
        double R[9], w[3], L[3];
        if (!s->movable[b])
        {
            memset (out[b], 0, sizeof (out[b]));
            continue;
        }
        for (int k = 0; k < 3; ++k) out[b][k] = s->mass[b] * v[b][k];
        rls_quaternion_matrix (pose[b].q, R);
        rls_multiply_transposed (R, v[b] + 3, w);
        rls_multiply (s->inertia[b], w, L);
        rls_multiply (R, L, out[b] + 3);
    }
}

void rls_limits_remove (const rls_limits *l, double (*v)[6])
{
    for (int i = 0; i < l->count; ++i)
    {
        const size_t at = (size_t)i * (size_t)l->bodies;
        const double along = dot (l->bodies, (const double (*)[6])l->momentum + at, (const double (*)[6])v);
        subtract (l->bodies, along, (const double (*)[6])l->normal + at, v);
    }
}

/* d := d without its part along the rows' normals; twice, because little of it is left. */
static void remove_rows (const rls_factor *factor, const rls_rows *rows, double *x, double (*d)[6])
{
    for (int pass = 0; pass < 2; ++pass)
    {
        rls_rows_velocity (rows, (const double (*)[6])d, x);
        for (int r = 0; r < rows->rows; ++r) x[r] = -x[r];
        rls_factor_solve (factor, rows, x);
        rls_rows_apply (rows, x, d);
    }
}

/* ---- either side ---- */

/* Rows of the side at l->pose, a time before or after, in the bases of those in between.  Returns 0 if they
 * cannot be had. */
static int evaluate (rls_limits *l, rls_limit_side *side, rls_island *s, const rls_rows *rows, double later)
{
    const rls_rows now = s->rows_now;
    const double time = s->time;
    s->rows_now = side->rows;
    s->time = time + later;
    const int usable = s->evaluate (s, l->pose);
    s->rows_now = now;
    s->time = time;
    if (!usable) return 0;
    rls_rows_align_exactly (&side->rows, rows);
    rls_island_inverse_inertia (s, l->pose);
    rls_island_form_columns (s, rows->joints, rows->body1, rows->body2, rows->row0,
                             (const double (*)[12])side->rows.J, side->rows.Y);
    return 1;
}

/*
 * Moves l->pose, a straight way off, back to where the rows hold: only there do the magnitudes of all
 * singular rows vanish at the same place.  One correction does; not a large one, which would be another branch.
 */
static int close_side (rls_limits *l, const rls_limit_side *side, const rls_island *s)
{
    double largest = 0;
    memcpy (l->x, side->rows.residual, sizeof (double) * (size_t)side->rows.rows);
    rls_factor_solve (&side->factor, &side->rows, l->x);
    memset (l->d, 0, sizeof (*l->d) * (size_t)s->bodies);
    rls_rows_apply (&side->rows, l->x, l->d);
    for (int b = 0; b < s->bodies; ++b)
        for (int k = 0; k < 6; ++k) largest = rls_larger (largest, fabs (l->d[b][k]));
    if (!(largest <= NEAR * DISTANCE)) return 0;
    for (int b = 0; b < s->bodies; ++b) rls_pose_displace (&l->pose[b], l->d[b]);
    return 1;
}

/* Rows, decisions and factor beside the pose, by a time at velocities v: first with decisions of its own, then
 * with those of the configuration. */
static int look_beside (rls_limits *l, rls_limit_side *side, rls_island *s, const rls_rows *rows,
                        const rls_factor *factor, const rls_pose *pose, const double (*v)[6], double later,
                        const unsigned char *own, double tolerance)
{
    for (int b = 0; b < s->bodies; ++b)
    {
        double d[6];
        for (int k = 0; k < 6; ++k) d[k] = later * v[b][k];
        l->pose[b] = pose[b];
        rls_pose_displace (&l->pose[b], d);
    }
    if (!evaluate (l, side, s, rows, later)) return -1;
    if (rows->rows == 0) return 1;
    s->factorisations += 2;
    const int done = rls_factor_rows (&side->factor, &s->order, &side->rows, tolerance, own, NULL);
    if (done != 1) return done;
    memcpy (side->own, own ? own : side->factor.decision, (size_t)rows->rows);
    if (close_side (l, side, s) && !evaluate (l, side, s, rows, later)) return -1;
    return rls_factor_rows (&side->factor, &s->order, &side->rows, tolerance, factor->decision, NULL);
}

/* The joint that has the row. */
static int joint_of (const rls_rows *rows, int row)
{
    int j = 0;
    while (rows->row0[j + 1] <= row) ++j;
    return j;
}

/* z / |z| of a row on one side, without the directions already found there.  Returns 0 if there is none. */
static int direction (rls_limits *l, const rls_island *s, const rls_limit_side *side, const rls_pose *pose,
                      int row, double (*found)[6], int count, double (*z)[6])
{
    const rls_rows *rows = &side->rows;
    const int j = joint_of (rows, row);
    const int body[2] = {rows->body1[j], rows->body2[j]};
    memset (z, 0, sizeof (*z) * (size_t)s->bodies);
    for (int end = 0; end < 2; ++end)
        for (int k = 0; k < 6 && body[end] >= 0; ++k) z[body[end]][k] += side->rows.Y[row][6 * end + k];
    remove_rows (&side->factor, rows, l->x, z);
    mass_times (s, pose, (const double (*)[6])z, l->d);
    double length = dot (s->bodies, (const double (*)[6])l->d, (const double (*)[6])z);
    if (!(length > LEAST * side->factor.diagonal[row])) return 0;
    divide (s->bodies, sqrt (length), z);
    for (int i = 0; i < count; ++i)
    {
        const double (*other)[6] = (const double (*)[6])found + (size_t)i * (size_t)s->bodies;
        mass_times (s, pose, other, l->d);
        subtract (s->bodies, dot (s->bodies, (const double (*)[6])l->d, (const double (*)[6])z), other, z);
    }
    mass_times (s, pose, (const double (*)[6])z, l->d);
    length = dot (s->bodies, (const double (*)[6])l->d, (const double (*)[6])z);
    if (!(length > INDEPENDENT)) return 0;
    divide (s->bodies, sqrt (length), z);
    return 1;
}

int rls_limits_find (rls_limits *l, rls_island *s, const rls_rows *rows, const rls_factor *factor,
                     const rls_pose *pose, const double (*v)[6], const unsigned char *own, double tolerance,
                     int wanted)
{
    int done;
    double speed = 1e-9;
    l->count = 0;
    for (int b = 0; b < s->bodies; ++b)
        for (int k = 0; k < 6; ++k) speed = fmax (speed, fabs (v[b][k]));
    const double time = DISTANCE / speed;
    if (time > LONGEST_TIME) return 1;
    l->bodies = s->bodies;
    for (int i = 0; i < 2; ++i)
    {
        rls_rows *to = &l->side[i].rows;
        to->joints = rows->joints, to->rows = rows->rows;
        to->body1 = rows->body1, to->body2 = rows->body2, to->row0 = rows->row0;
        to->mass = rows->mass, to->W = rows->W, to->metric = rows->metric;
    }
    RLS_LAY_OUT (l, &l->side_block, carve_sides, done);
    if (!done) return 0;
    for (int i = 0; i < 2; ++i)
    {
        done = look_beside (l, &l->side[i], s, rows, factor, pose, v, i ? -time : time, own, tolerance);
        if (done != 1) return done;
    }
    l->candidates = 0;
    for (int r = 0; r < rows->rows; ++r)
        if (factor->decision[r] == RLS_REDUNDANT && l->side[0].own[r] != RLS_REDUNDANT &&
            l->side[1].own[r] != RLS_REDUNDANT)
            l->candidate[l->candidates++] = r;
    if (l->candidates == 0) return 1;
    RLS_LAY_OUT (l, &l->normal_block, carve_normals, done);
    if (!done) return 0;

    const size_t bodies = (size_t)s->bodies, second = (size_t)l->candidates * bodies;
    for (int i = 0; i < l->candidates && l->count < wanted; ++i)
    {
        const size_t at = (size_t)l->count * bodies;
        double (*zp)[6] = l->beside + at, (*zm)[6] = l->beside + second + at, (*n)[6] = l->normal + at;
        const int row = l->candidate[i];
        if (!direction (l, s, &l->side[0], pose, row, l->beside, l->count, zp) ||
            !direction (l, s, &l->side[1], pose, row, l->beside + second, l->count, zm))
            continue;
        mass_times (s, pose, (const double (*)[6])zm, l->d);
        const double sign = dot (s->bodies, (const double (*)[6])zp, (const double (*)[6])l->d) < 0 ? -1 : 1;
        memcpy (n, zp, sizeof (*n) * bodies);
        subtract (s->bodies, -sign, (const double (*)[6])zm, n);
        remove_rows (factor, rows, l->x, n);
        rls_limits_remove (l, n);
        mass_times (s, pose, (const double (*)[6])n, l->d);
        const double length = dot (s->bodies, (const double (*)[6])n, (const double (*)[6])l->d);
        if (!(length > INDEPENDENT)) continue;
        divide (s->bodies, sqrt (length), n);
        mass_times (s, pose, (const double (*)[6])n, l->momentum + at);
        l->candidate[l->count++] = row;
    }
    return 1;
}
