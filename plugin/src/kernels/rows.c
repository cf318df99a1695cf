/* Products with block-sparse constraint rows. */
#include "rows.h"
#include "kernels.h"
#include "six.h"
#include <string.h>

void rls_rows_carve (rls_rows *rows, rls_carver *carver)
{
    rls_rows_carve_no_columns (rows, carver);
    rows->Y = rls_carve (carver, (size_t)rows->rows, sizeof (*rows->Y));
}

void rls_rows_carve_no_columns (rls_rows *rows, rls_carver *carver)
{
    const size_t n = (size_t)rows->rows;
    rows->J = rls_carve (carver, n, sizeof (*rows->J));
    rows->sigma2 = rls_carve (carver, n, sizeof (double));
    rows->target = rls_carve (carver, n, sizeof (double));
    rows->residual = rls_carve (carver, n, sizeof (double));
}

static const double none[6] = {0}; /* the world's vector */

/* Lane by lane products of a row and the vectors of a joint's two bodies one behind the other. */
#define PRODUCTS(row)                                                                                        \
    (RLS_CONST_FOUR (row) * start + RLS_CONST_FOUR ((row) + 4) * middle + RLS_CONST_FOUR ((row) + 8) * end)

/* out := the velocities along the m rows of a joint; a constant m unrolls it. */
RLS_INLINE void look_along (const double (*J)[12], const int m, const double *one, const double *two,
                            double *out)
{
    const rls_four start = RLS_CONST_FOUR (one), middle = {one[4], one[5], two[0], two[1]},
                   end = RLS_CONST_FOUR (two + 2);
    int r = 0;
    for (; r + RLS_LANES <= m; r += RLS_LANES)
    {
        rls_four s[RLS_LANES];
        for (int k = 0; k < RLS_LANES; ++k) s[k] = PRODUCTS (J[r + k]);
        rls_lane_sums (s, out + r);
    }
    for (; r < m; ++r)
    {
        const rls_four s = PRODUCTS (J[r]);
        out[r] = RLS_LANE_SUM (s);
    }
}

/* Adds the m columns of a joint, scaled by p, to the vectors of its bodies. */
RLS_INLINE void push_along (const double (*columns)[12], const int m, const double *p, double *one,
                            double *two)
{
    rls_four sum[3] = {{0}};
    for (int r = 0; r < m; ++r)
        for (int k = 0; k < 3; ++k) sum[k] += p[r] * RLS_CONST_FOUR (columns[r] + 4 * k);
    RLS_FOUR (one) += sum[0];
    one[4] += sum[1][0], one[5] += sum[1][1];
    two[0] += sum[1][2], two[1] += sum[1][3];
    RLS_FOUR (two + 2) += sum[2];
}

/* Writes the call out for the most frequent joints, balls and hinges. */
#define FOR_ROWS(m, call)                                                                                    \
    switch (m)                                                                                               \
    {                                                                                                        \
    case 3:                                                                                                  \
        call (3);                                                                                            \
        break;                                                                                               \
    case 5:                                                                                                  \
        call (5);                                                                                            \
        break;                                                                                               \
    default:                                                                                                 \
        call (m);                                                                                            \
    }

/* ---- loops; several threads take ranges of joints or of bodies ---- */

#define JOINTS_A_PIECE 256
#define BODIES_A_PIECE 256
#define ROWS_A_PIECE 1024

typedef struct
{
    const rls_rows *from;
    rls_rows *to;
} copy_work;

static void copy_rows (void *context, int first, int past)
{
    const copy_work *w = context;
    const size_t n = (size_t)(past - first);
    if (n == 0) return;
    memcpy (w->to->J + first, w->from->J + first, n * sizeof (*w->to->J));
    memcpy (w->to->sigma2 + first, w->from->sigma2 + first, n * sizeof (double));
    memcpy (w->to->target + first, w->from->target + first, n * sizeof (double));
    memcpy (w->to->residual + first, w->from->residual + first, n * sizeof (double));
}

void rls_rows_copy (const rls_rows *from, rls_rows *to)
{
    copy_work work = {from, to};
    rls_team_ranges (from->team, from->rows, ROWS_A_PIECE, copy_rows, &work);
}

typedef struct
{
    const rls_rows *rows;
    const double (*v)[6];
    double *out;
} velocity_work;

RLS_VECTOR_CLONES static void find_velocities (void *context, int from, int to)
{
    const velocity_work *w = context;
    const rls_rows *rows = w->rows;
    const double (*v)[6] = w->v;
    double *out = w->out;
    for (int j = from; j < to; ++j)
    {
        const int a = rows->body1[j], b = rows->body2[j], r = rows->row0[j], m = rows->row0[j + 1] - r;
        const double *one = a >= 0 ? v[a] : none, *two = b >= 0 ? v[b] : none;
#define LOOK(m) look_along ((const double (*)[12])rows->J + r, m, one, two, out + r)
        FOR_ROWS (m, LOOK)
    }
}

void rls_rows_velocity (const rls_rows *rows, const double (*v)[6], double *out)
{
    velocity_work work = {rows, v, out};
    rls_team_ranges (rows->team, rows->joints, JOINTS_A_PIECE, find_velocities, &work);
}

/* Adds the columns of J or Y, scaled by p, to the bodies' vectors. */
RLS_VECTOR_CLONES static void scatter (const rls_rows *rows, const double (*columns)[12], const double *p,
                                       double (*x)[6])
{
    for (int j = 0; j < rows->joints; ++j)
    {
        double world[6] = {0};
        const int a = rows->body1[j], b = rows->body2[j], r = rows->row0[j], m = rows->row0[j + 1] - r;
        double *one = a >= 0 ? x[a] : world, *two = b >= 0 ? x[b] : world;
#define PUSH(m) push_along (columns + r, m, p + r, one, two)
        FOR_ROWS (m, PUSH)
    }
}

typedef struct
{
    const rls_rows *rows;
    const double (*columns)[12];
    const double *p;
    double (*x)[6];
} scatter_work;

/* The same body by body, with the same sums. */
RLS_VECTOR_CLONES static void collect (void *context, int from, int to)
{
    const scatter_work *w = context;
    const rls_rows *rows = w->rows;
    for (int b = from; b < to; ++b)
        for (int i = rows->attach0[b]; i < rows->attach0[b + 1]; ++i)
        {
            const int j = rows->attach[i] / 2, side = rows->attach[i] % 2;
            rls_six sum = {{0}, {0}, {0}};
            for (int r = rows->row0[j]; r < rows->row0[j + 1]; ++r)
                sum = rls_six_add (sum, rls_six_load (w->columns[r] + 6 * side), w->p[r]);
            rls_six_store (w->x[b], rls_six_add (rls_six_load (w->x[b]), sum, 1));
        }
}

static void scatter_all (const rls_rows *rows, const double (*columns)[12], const double *p, double (*x)[6])
{
    scatter_work work = {rows, columns, p, x};
    if (rows->team)
        rls_team_ranges (rows->team, rows->bodies, BODIES_A_PIECE, collect, &work);
    else
        scatter (rows, columns, p, x);
}

void rls_rows_apply (const rls_rows *rows, const double *p, double (*v)[6])
{
    scatter_all (rows, (const double (*)[12])rows->Y, p, v);
}

void rls_rows_force (const rls_rows *rows, const double *p, double (*f)[6])
{
    scatter_all (rows, (const double (*)[12])rows->J, p, f);
}

void rls_rows_attach (const rls_rows *rows, int bodies, int *attach0, int *attach)
{
    memset (attach0, 0, sizeof (int) * (size_t)(bodies + 1));
    for (int j = 0; j < rows->joints; ++j)
    {
        if (rows->body1[j] >= 0) ++attach0[rows->body1[j] + 1];
        if (rows->body2[j] >= 0) ++attach0[rows->body2[j] + 1];
    }
    for (int b = 0; b < bodies; ++b) attach0[b + 1] += attach0[b];
    for (int j = 0; j < rows->joints; ++j)
    {
        if (rows->body1[j] >= 0) attach[attach0[rows->body1[j]]++] = 2 * j;
        if (rows->body2[j] >= 0) attach[attach0[rows->body2[j]]++] = 2 * j + 1;
    }
    for (int b = bodies; b > 0; --b) attach0[b] = attach0[b - 1];
    attach0[0] = 0;
}
