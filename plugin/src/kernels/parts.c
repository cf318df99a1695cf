/* Rows over more than two bodies; contract in parts.h. */
#include "parts.h"
#include "mobility.h"

void rls_parts_lay_out (rls_parts *parts, rls_arena_cursor *cursor)
{
    RLS_TAKE (cursor, (size_t)parts->count, parts->J, parts->Y);
}

int rls_have_parts (const rls_parts *parts, int first, int end)
{
    for (int p = 0; p < parts->count; ++p)
        if (parts->of[p].row >= first && parts->of[p].row < end) return 1;
    return 0;
}

int rls_is_wide (const rls_rows *rows, int j)
{
    return rls_have_parts (&rows->parts, rows->row0[j], rows->row0[j + 1]);
}

void rls_parts_columns (const rls_rows *masses, const rls_parts *parts)
{
    for (int i = 0; i < 2 * parts->count; ++i)
        rls_side_columns (masses, parts->of[i / 2].body[i % 2], 1, parts->J[i / 2] + 6 * (i % 2),
                          parts->Y[i / 2] + 6 * (i % 2));
}

/* Returns what v does along part p. */
static double velocity (const rls_parts *parts, int p, const double (*v)[6])
{
    double sum = 0;
    for (int side = 0; side < 2; ++side)
        if (parts->of[p].body[side] >= 0)
            sum += rls_dot6 (parts->J[p] + 6 * side, v[parts->of[p].body[side]]);
    return sum;
}

double rls_parts_velocity (const rls_parts *parts, int row, const double (*v)[6])
{
    double sum = 0;
    for (int p = 0; p < parts->count; ++p)
        if (parts->of[p].row == row) sum += velocity (parts, p, v);
    return sum;
}

void rls_parts_look (const rls_parts *parts, const double (*v)[6], double *out)
{
    for (int p = 0; p < parts->count; ++p)
        if (parts->of[p].row >= 0) out[parts->of[p].row] += velocity (parts, p, v);
}

double rls_parts_length2 (const rls_parts *parts, int row)
{
    double sum = 0;
    for (int p = 0; p < parts->count; ++p)
        if (parts->of[p].row == row) sum += rls_dot12 (parts->J[p], parts->J[p]);
    return sum;
}

/* to += x times twelve entries on the bodies of a part. */
static void add (const rls_part *part, const double entries[12], double x, double (*to)[6])
{
    for (int side = 0; side < 2; ++side)
        for (int k = 0; k < 6 && part->body[side] >= 0; ++k)
            to[part->body[side]][k] += x * entries[6 * side + k];
}

void rls_parts_add (const rls_parts *parts, const rls_row *entries, int row, double x, double (*to)[6])
{
    for (int p = 0; p < parts->count; ++p)
        if (parts->of[p].row == row) add (&parts->of[p], entries[p], x, to);
}

void rls_parts_add_all (const rls_parts *parts, const rls_row *entries, const double *x, double (*to)[6])
{
    for (int p = 0; p < parts->count; ++p)
        if (parts->of[p].row >= 0) add (&parts->of[p], entries[p], x[parts->of[p].row], to);
}

double rls_parts_mobility (const rls_parts *parts, int row, const int body[2], const double J[12],
                           const double Y[12])
{
    double sum = 0;

    /* sides 0 and 1 are those of the row's first two bodies, then come two of each part: the product of
     * entries and columns of any two that are of the same body */
    for (int i = 0; i < 2 + 2 * parts->count; ++i)
        for (int k = 0; k < 2 + 2 * parts->count; ++k)
        {
            const int p = i / 2 - 1, q = k / 2 - 1, a = i % 2, b = k % 2,
                      one = p < 0                     ? body[a]
                            : parts->of[p].row == row ? parts->of[p].body[a]
                                                      : -1,
                      two = q < 0                     ? body[b]
                            : parts->of[q].row == row ? parts->of[q].body[b]
                                                      : -1;
            if (one >= 0 && one == two)
                sum += rls_dot6 ((p < 0 ? J : parts->J[p]) + 6 * a, (q < 0 ? Y : parts->Y[q]) + 6 * b);
        }
    return sum;
}
