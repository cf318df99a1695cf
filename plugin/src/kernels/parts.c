/* Products with rows over more than two bodies; contract in parts.h. */
#include "parts.h"
#include "mobility.h"

/* None of a joint all of whose rows have bounds. */
static int rows_of (const rls_rows *rows, int j) { return j < 0 ? 0 : rows->row0[j + 1] - rows->row0[j]; }

static int part_body (const rls_part *part, int side) { return side ? part->body2 : part->body1; }

/* The six entries of row k of part p on one of its bodies. */
static const double *entries (const rls_rows *rows, int p, int k, int side)
{
    return rows->part_J[p * RLS_MAX_ROWS + k] + 6 * side;
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
    for (int p = 0; p < rows->parts; ++p)
        for (int side = 0; side < 2 && rows->part[p].joint == j; ++side)
        {
            const int b = part_body (&rows->part[p], side);
            if (b >= 0) sum += rls_dot6 (entries (rows, p, k, side), v[b]);
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
    for (int p = 0; p < rows->parts; ++p)
        for (int side = 0; side < 2 && rows->part[p].joint == j; ++side)
        {
            const int b = part_body (&rows->part[p], side);
            const double *J = entries (rows, p, k, side);
            for (int i = 0; i < 6 && b >= 0; ++i) left[b][i] += factor * J[i];
        }
}

void rls_parts_velocity (const rls_rows *rows, const double (*v)[6], double *out)
{
    for (int p = 0; p < rows->parts; ++p)
    {
        const rls_part *part = &rows->part[p];
        for (int k = 0; k < rows_of (rows, part->joint); ++k)
            for (int side = 0; side < 2; ++side)
                if (part_body (part, side) >= 0)
                    out[rows->row0[part->joint] + k] +=
                        rls_dot6 (entries (rows, p, k, side), v[part_body (part, side)]);
    }
}

void rls_parts_force (const rls_rows *rows, const double *x, double (*f)[6])
{
    for (int p = 0; p < rows->parts; ++p)
    {
        const rls_part *part = &rows->part[p];
        for (int side = 0; side < 2; ++side)
            for (int k = 0; k < rows_of (rows, part->joint) && part_body (part, side) >= 0; ++k)
            {
                const double *J = entries (rows, p, k, side);
                for (int i = 0; i < 6; ++i)
                    f[part_body (part, side)][i] += x[rows->row0[part->joint] + k] * J[i];
            }
    }
}

void rls_parts_apply (const rls_rows *rows, const double *x, double (*v)[6])
{
    for (int p = 0; p < rows->parts; ++p)
    {
        const rls_part *part = &rows->part[p];
        for (int side = 0; side < 2; ++side)
            for (int k = 0; k < rows_of (rows, part->joint) && part_body (part, side) >= 0; ++k)
            {
                double Y[6];
                rls_side_columns (rows, part_body (part, side), 1, entries (rows, p, k, side), Y);
                for (int i = 0; i < 6; ++i)
                    v[part_body (part, side)][i] += x[rows->row0[part->joint] + k] * Y[i];
            }
    }
}

/* What a unit impulse along row k of joint j, with all its bodies, does along six entries on one body. */
static double response (const rls_rows *rows, int j, int k, int body, const double *J)
{
    rls_row room[RLS_MAX_ROWS];
    const double *own = rls_joint_rows (rows, j, room)[k];
    double sum = 0, Y[6];
    rls_side_columns (rows, body, 1, J, Y);
    for (int side = 0; side < 2; ++side)
        if ((side ? rows->body2[j] : rows->body1[j]) == body) sum += rls_dot6 (own + 6 * side, Y);
    for (int p = 0; p < rows->parts; ++p)
        for (int side = 0; side < 2 && rows->part[p].joint == j; ++side)
            if (part_body (&rows->part[p], side) == body) sum += rls_dot6 (entries (rows, p, k, side), Y);
    return sum;
}

double rls_wide_mobility (const rls_rows *rows, int j, int k)
{
    rls_row room[RLS_MAX_ROWS];
    const double *own = rls_joint_rows (rows, j, room)[k];
    double sum = 0;
    for (int side = 0; side < 2; ++side)
    {
        const int b = side ? rows->body2[j] : rows->body1[j];
        if (b >= 0) sum += response (rows, j, k, b, own + 6 * side);
    }
    for (int p = 0; p < rows->parts; ++p)
        for (int side = 0; side < 2 && rows->part[p].joint == j; ++side)
        {
            const int b = part_body (&rows->part[p], side);
            if (b >= 0) sum += response (rows, j, k, b, entries (rows, p, k, side));
        }
    return sum;
}
