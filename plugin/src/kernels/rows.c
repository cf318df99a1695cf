/* Products with the rows of an island; contract in rows.h. */
#include "rows.h"
#include "compact.h"
#include "parts.h"
#include "six.h"

void rls_rows_lay_out (rls_rows *rows, rls_arena_cursor *cursor)
{
    const size_t n = (size_t)rows->rows;
    RLS_TAKE (cursor, n, rows->J, rows->sigma2, rows->target, rows->residual, rows->coordinate);
    RLS_TAKE (cursor, (size_t)rows->joints, rows->compact, rows->compact_rows);
    rls_parts_lay_out (&rows->parts, cursor);
}

void rls_rows_lay_out_with_masses (rls_rows *rows, rls_arena_cursor *cursor)
{
    rls_rows_lay_out (rows, cursor);
    RLS_TAKE (cursor, (size_t)rows->bodies, rows->W);
}

void rls_rows_share (rls_rows *rows, const rls_rows *from)
{
    const rls_rows own = *rows;
    *rows = *from;
    rows->J = own.J, rows->compact = own.compact, rows->compact_rows = own.compact_rows, rows->W = own.W;
    rows->sigma2 = own.sigma2, rows->target = own.target, rows->residual = own.residual,
    rows->coordinate = own.coordinate;
    rows->parts.J = own.parts.J, rows->parts.Y = own.parts.Y;
}

/* ---- compact joints, and rows written out ---- */

/* Writes the rows of compact joint j out. */
static void spell (const rls_rows *rows, int j, rls_row *J)
{
    const rls_compact *l = &rows->compact[j];
    const int m = rows->row0[j + 1] - rows->row0[j], sides = rows->body[j][1] < 0 ? 1 : 2;
    memset (J, 0, sizeof (*J) * (size_t)m);
    for (int side = 0; side < sides; ++side)
    {
        const double sign = side ? -1 : 1;
        const int turn = 6 * side + 3;
        for (int k = 0; k < 3; ++k) J[k][6 * side + k] = sign;
        rls_lever_rows (J, turn, l->arm[side], sign);
        for (int r = 3; r < m; ++r)
            for (int k = 0; k < 3; ++k) J[r][turn + k] = sign * l->across[r - 3][k];
    }
}

const rls_row *rls_joint_rows (const rls_rows *rows, int j, rls_row room[RLS_MAX_ROWS])
{
    if (!rls_is_compact (rows, j)) return rows->J + rows->row0[j];
    spell (rows, j, room);
    return room;
}

double rls_row_length (const rls_rows *rows, int j, int r)
{
    rls_row room[RLS_MAX_ROWS];
    const double *J = rls_joint_rows (rows, j, room)[r - rows->row0[j]];
    return sqrt (rls_dot6 (J, J) + rls_dot6 (J + 6, J + 6) + rls_parts_length2 (&rows->parts, r));
}

double rls_row_arm (const double J[12])
{
    const double linear = rls_square3 (J), angular = rls_square3 (J + 3);
    return linear > 0 ? fmax (1, sqrt (angular / linear)) : 1;
}

void rls_rows_spell_joint (rls_rows *rows, int j)
{
    if (!rls_is_compact (rows, j)) return;
    spell (rows, j, rows->J + rows->row0[j]);
    rows->compact_rows[j] = 0;
}

void rls_rows_spell (rls_rows *rows)
{
    for (int j = 0; j < rows->joints; ++j) rls_rows_spell_joint (rows, j);
}

RLS_VECTOR_CLONES int rls_same_numbers (const double *a, const double *b, int n, double tolerance)
{
    int different = 0;
    for (int i = 0; i < n; ++i) different += !(fabs (a[i] - b[i]) <= tolerance * (1 + fabs (b[i])));
    return different == 0;
}

int rls_rows_same (const rls_rows *a, const rls_rows *b, double tolerance)
{
    for (int j = 0; j < a->joints; ++j)
    {
        const int m = a->row0[j + 1] - a->row0[j];
        rls_row rooms[2][RLS_MAX_ROWS];

        /* compact joints by their numbers, others by their entries */
        const int both_compact = rls_is_compact (a, j) && rls_is_compact (b, j);
        const double *x = both_compact ? a->compact[j].arm[0] : rls_joint_rows (a, j, rooms[0])[0];
        const double *y = both_compact ? b->compact[j].arm[0] : rls_joint_rows (b, j, rooms[1])[0];
        if (!rls_same_numbers (x, y, both_compact ? 6 + 3 * (m - 3) : 12 * m, tolerance)) return 0;
    }

    /* parts without a row are not defined */
    for (int p = 0; p < a->parts.count; ++p)
        if (a->parts.of[p].row >= 0 && !rls_same_numbers (a->parts.J[p], b->parts.J[p], 12, tolerance))
            return 0;
    return 1;
}

/* ---- kernels ---- */

static const double none[6] = {0}; /* velocity of the world */

/* Products of a row with the velocities of a joint's two bodies (start, middle, end: twelve numbers), summed
 * up lane by lane. */
#define PRODUCTS(row)                                                                                        \
    (RLS_CONST_FOUR (row) * start + RLS_CONST_FOUR ((row) + 4) * middle + RLS_CONST_FOUR ((row) + 8) * end)

/* out := velocities along the m rows of a joint whose bodies have velocities one and two. */
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

/* Adds force (entries 0 to 2) and torque (entries 1 to 3) that impulses p along m rows exert on one side of a
 * joint. */
RLS_INLINE void push_along (const double *side, const int m, const double *p, rls_four *force,
                            rls_four *torque)
{
    for (int r = 0; r < m; ++r)
    {
        *force += p[r] * RLS_CONST_FOUR (side + 12 * r);
        *torque += p[r] * RLS_CONST_FOUR (side + 12 * r + 2);
    }
}

/* Calls a macro with the number of rows of a compact joint as a constant; for others does otherwise. */
#define FOR_COMPACT(rows_of_joint, call, otherwise)                                                          \
    switch (rows_of_joint)                                                                                   \
    {                                                                                                        \
        RLS_CASE (5, call)                                                                                   \
        RLS_CASE (3, call)                                                                                   \
        RLS_CASE (4, call)                                                                                   \
    default:                                                                                                 \
        otherwise;                                                                                           \
    }

/* The same as look_along for a compact joint. */
RLS_INLINE void look_along_compact (const rls_compact *compact, const int m, const double *one,
                                    const double *two, double *out)
{
    rls_four low, high;
    rls_compact_look (compact, m, one, two, &low, &high);
    if (m == 3)
        out[0] = low[0], out[1] = low[1], out[2] = low[2];
    else
        RLS_FOUR (out) = low;
    if (m == 5) out[4] = high[0];
}

/* ---- loops over joints or bodies ---- */

void rls_rows_copy (const rls_rows *from, rls_rows *to)
{
    const size_t size = sizeof (double) * (size_t)from->rows;
    for (int j = 0; j < from->joints; ++j)
    {
        const int r = from->row0[j], m = from->row0[j + 1] - r;
        to->compact_rows[j] = (unsigned char)rls_is_compact (from, j);
        if (to->compact_rows[j])
            to->compact[j] = from->compact[j];
        else
            memcpy (to->J + r, from->J + r, sizeof (*to->J) * (size_t)m);
    }
    if (from->rows > 0)
    {
        memcpy (to->sigma2, from->sigma2, size);
        memcpy (to->target, from->target, size);
        memcpy (to->residual, from->residual, size);
        if (from->coordinate) memcpy (to->coordinate, from->coordinate, size); /* batches of trees have none */
    }
    if (from->parts.count > 0)
        memcpy (to->parts.J, from->parts.J, sizeof (rls_row) * (size_t)from->parts.count);
}

RLS_VECTOR_CLONES void rls_rows_velocity (const rls_rows *rows, const double (*v)[6], double *out)
{
    for (int j = 0; j < rows->joints; ++j)
    {
        const int a = rows->body[j][0], b = rows->body[j][1], r = rows->row0[j];
        const double *one = a >= 0 ? v[a] : none, *two = b >= 0 ? v[b] : none;
#define LOOK(m) look_along_compact (rows->compact + j, m, one, two, out + r)
        FOR_COMPACT (rls_is_compact (rows, j), LOOK,
                     look_along (rows->J + r, rows->row0[j + 1] - r, one, two, out + r))
    }
    rls_parts_look (&rows->parts, v, out);
}

RLS_VECTOR_CLONES void rls_rows_missing (const rls_rows *rows, const double *wanted, const double (*v)[6],
                                         double *out)
{
    rls_rows_velocity (rows, v, out);
    for (int r = 0; r < rows->rows && wanted; ++r) out[r] = wanted[r] - out[r];
    for (int r = 0; r < rows->rows && !wanted; ++r) out[r] = -out[r];
}

/* Forces are summed up body by body, so that each body needs one product with M^-1. */
RLS_VECTOR_CLONES void rls_rows_apply (const rls_rows *from, const double *p, double (*v)[6])
{
    const rls_rows rows = *from; /* a copy, so that the compiler knows that stores into v do not change it */
    for (int b = 0; b < rows.bodies; ++b)
    {
        rls_four force = {0}, torque = {0};
        if (!rows.movable[b]) continue;
        for (int i = rows.attach0[b]; i < rows.attach0[b + 1]; ++i)
        {
            const unsigned at = (unsigned)rows.attach[i], j = at / 2, side = at % 2;
            const int r = rows.row0[j];
#define PUSH(m) rls_compact_push (rows.compact + j, (int)side, m, p + r, &force, &torque)
            FOR_COMPACT (rls_is_compact (&rows, (int)j), PUSH,
                         push_along (rows.J[r] + 6 * side, rows.row0[j + 1] - r, p + r, &force, &torque))
        }
        rls_push (&rows, b, &force, &torque, v[b]);
    }
    if (from->parts.count == 0) return;
    rls_parts_columns (from, &from->parts);
    rls_parts_add_all (&from->parts, from->parts.Y, p, v);
}

void rls_rows_delassus (const rls_rows *rows, const double *p, double (*v)[6], double *out)
{
    memset (v, 0, sizeof (*v) * (size_t)rows->bodies);
    rls_rows_apply (rows, p, v);
    rls_rows_velocity (rows, v, out);
}

void rls_rows_force (const rls_rows *rows, const double *p, double (*f)[6])
{
    for (int j = 0; j < rows->joints; ++j)
    {
        const int r0 = rows->row0[j], m = rows->row0[j + 1] - r0;
        rls_row room[RLS_MAX_ROWS];
        const rls_row *J = rls_joint_rows (rows, j, room);
        for (int side = 0; side < 2; ++side)
        {
            const int b = rows->body[j][side];
            if (b < 0) continue;
            rls_six sum = rls_six_load (f[b]);
            for (int r = 0; r < m; ++r) sum = rls_six_add (sum, rls_six_load (J[r] + 6 * side), p[r0 + r]);
            rls_six_store (f[b], sum);
        }
    }
    rls_parts_add_all (&rows->parts, rows->parts.J, p, f);
}

void rls_rows_attach (const rls_rows *rows, int bodies, int *attach0, int *attach)
{
    /* count the sides of each body, then list them (a counting sort) */
    memset (attach0, 0, sizeof (int) * (size_t)(bodies + 1));
    for (int i = 0; i < 2 * rows->joints; ++i)
        if (rows->body[i / 2][i % 2] >= 0) ++attach0[rows->body[i / 2][i % 2] + 1];
    for (int b = 0; b < bodies; ++b) attach0[b + 1] += attach0[b];
    for (int i = 0; i < 2 * rows->joints; ++i)
        if (rows->body[i / 2][i % 2] >= 0) attach[attach0[rows->body[i / 2][i % 2]]++] = i;
    for (int b = bodies; b > 0; --b) attach0[b] = attach0[b - 1];
    attach0[0] = 0;
}

RLS_VECTOR_CLONES void rls_rows_diagonal (const rls_rows *rows, double *out)
{
    rls_parts_columns (rows, &rows->parts);
    for (int j = 0; j < rows->joints; ++j)
    {
        rls_row room[RLS_MAX_ROWS], Y[RLS_MAX_ROWS];
        const rls_row *J = rls_joint_rows (rows, j, room);
        const int m = rows->row0[j + 1] - rows->row0[j];
        rls_joint_columns (rows, j, m, J, Y);
        for (int r = 0; r < m; ++r) out[rows->row0[j] + r] = rls_dot12 (J[r], Y[r]);
        for (int r = 0; r < m && rows->parts.count > 0; ++r)
            out[rows->row0[j] + r] =
                rls_parts_mobility (&rows->parts, rows->row0[j] + r, rows->body[j], J[r], Y[r]);
    }
}
