/* Products with rows over more than two bodies; contract in parts.h. */
#include "parts.h"
#include "mobility.h"

/* Returns the six entries of row k on one of the bodies of part p. */
static const double *entries (const rls_rows *rows, int p, int k, int side)
{
    return rows->part_J[p * RLS_MAX_ROWS + k] + 6 * side;
}

/* Returns the body of the i-th side of row k of joint j, and its six entries there.  Sides 0 and 1 are the
 * joint's own, then come those of all parts.  -1 for the world and for parts of other joints. */
static int side_of (const rls_rows *rows, int j, int k, int i, const double **J)
{
    const int side = i % 2, p = i / 2 - 1;
    *J = p < 0 ? rows->J[rows->row0[j] + k] + 6 * side : entries (rows, p, k, side);
    if (p < 0) return rows->body[j][side];
    return rows->part[p].joint == j ? rows->part[p].body[side] : -1;
}

int rls_is_wide (const rls_rows *rows, int j)
{
    for (int p = 0; p < rows->parts; ++p)
        if (rows->part[p].joint == j) return 1;
    return 0;
}

double rls_parts_row_velocity (const rls_rows *rows, int j, int k, const double (*v)[6])
{
    double sum = 0;
    const double *J;
    for (int i = 2; i < 2 + 2 * rows->parts; ++i)
    {
        const int b = side_of (rows, j, k, i, &J);
        if (b >= 0) sum += rls_dot6 (J, v[b]);
    }
    return sum;
}

double rls_parts_row_length2 (const rls_rows *rows, int j, int k)
{
    double sum = 0;
    for (int p = 0; p < rows->parts; ++p)
        for (int side = 0; side < 2 && rows->part[p].joint == j; ++side)
            sum += rls_dot6 (entries (rows, p, k, side), entries (rows, p, k, side));
    return sum;
}

void rls_parts_add_row (const rls_rows *rows, int j, int k, double factor, double (*left)[6])
{
    const double *J;
    for (int i = 2; i < 2 + 2 * rows->parts; ++i)
    {
        const int b = side_of (rows, j, k, i, &J);
        for (int c = 0; c < 6 && b >= 0; ++c) left[b][c] += factor * J[c];
    }
}

/* Returns the number of rows of joint j; 0 for -1, a joint whose rows all have bounds. */
static int rows_of (const rls_rows *rows, int j) { return j < 0 ? 0 : rows->row0[j + 1] - rows->row0[j]; }

void rls_parts_velocity (const rls_rows *rows, const double (*v)[6], double *out)
{
    for (int p = 0; p < rows->parts; ++p)
    {
        const rls_part *part = &rows->part[p];
        for (int k = 0; k < rows_of (rows, part->joint); ++k)
            for (int side = 0; side < 2; ++side)
                if (part->body[side] >= 0)
                    out[rows->row0[part->joint] + k] +=
                        rls_dot6 (entries (rows, p, k, side), v[part->body[side]]);
    }
}

/* to += J' x of the parts; with masses M^-1 J' x. */
static void push (const rls_rows *rows, const double *x, int masses, double (*to)[6])
{
    for (int p = 0; p < rows->parts; ++p)
        for (int side = 0; side < 2; ++side)
        {
            const int j = rows->part[p].joint, b = rows->part[p].body[side];
            for (int k = 0; k < rows_of (rows, j) && b >= 0; ++k)
            {
                double Y[6];
                const double *J = entries (rows, p, k, side);
                if (masses) rls_side_columns (rows, b, 1, J, Y);
                for (int i = 0; i < 6; ++i) to[b][i] += x[rows->row0[j] + k] * (masses ? Y : J)[i];
            }
        }
}

void rls_parts_force (const rls_rows *rows, const double *x, double (*f)[6]) { push (rows, x, 0, f); }

void rls_parts_apply (const rls_rows *rows, const double *x, double (*v)[6]) { push (rows, x, 1, v); }

double rls_wide_mobility (const rls_rows *rows, int j, int k)
{
    const int sides = 2 + 2 * rows->parts;
    const double *J, *other;
    double sum = 0;

    /* for each side, the velocity along the whole row that a unit impulse on that side causes */
    for (int i = 0; i < sides; ++i)
    {
        const int b = side_of (rows, j, k, i, &J);
        double along = 0, Y[6];
        if (b < 0) continue;
        rls_side_columns (rows, b, 1, J, Y);
        for (int o = 0; o < sides; ++o)
            if (side_of (rows, j, k, o, &other) == b) along += rls_dot6 (other, Y);
        sum += along;
    }
    return sum;
}
