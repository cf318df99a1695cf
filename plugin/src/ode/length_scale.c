/* Lengths near one; contract in gather.h. */
#include "gather.h"

#define STEP 10 /* powers of two between a unit and the next */
#define KEPT 6  /* and to where a unit is kept */

/* Squared, in the present unit.  Rows of the program tell no lengths: what couples two angles may act along a
 * line far outside the mechanism. */
static double largest_length (const rls_workspace *workspace)
{
    const rls_island *s = &workspace->island;
    double largest = 0;
    for (int b = 0; b < s->model.bodies; ++b)
    {
        const double *I = s->model.own_inertia[b];
        if (s->model.movable[b]) largest = fmax (largest, (I[0] + I[4] + I[8]) / s->model.mass[b]);
    }
    for (int j = 0; j < s->begin.rows.joints; ++j)
    {
        if (rls_program_rows_of (workspace, workspace->objects.joint[s->mechanism.ode_joint[j]])) continue;
        rls_row room[RLS_MAX_ROWS];
        const rls_row *J = rls_joint_rows (&s->begin.rows, j, room);
        for (int i = 0; i < 2 * (s->mechanism.row0[j + 1] - s->mechanism.row0[j]); ++i)
        {
            const double *h = J[i / 2] + 6 * (i % 2);
            if (rls_square3 (h) > 0) largest = fmax (largest, rls_square3 (h + 3) / rls_square3 (h));
        }
    }
    return largest;
}

double rls_length_scale_of (const rls_workspace *workspace)
{
    const rls_island *s = &workspace->island;
    const double size = largest_length (workspace);
    if (!(size > 0) || !isfinite (size)) return s->model.length_scale;
    const double exponent = log2 (size) / 2;
    if (fabs (exponent) < KEPT)
        return s->model.length_scale; /* a little more than half: what wavers does not change */
    return ldexp (s->model.length_scale, STEP * (int)lround (exponent / STEP));
}

/* Returns 1 if row r is J and, with its parts, tells an angle. */
static int is_angular (const rls_parts *parts, int r, const double J[12])
{
    int angular = rls_is_angular (J);
    for (int p = 0; p < parts->count; ++p)
        if (parts->of[p].row == r) angular &= rls_is_angular (parts->J[p]);
    return angular;
}

int rls_row_is_angular (const rls_rows *rows, int j, int r)
{
    rls_row room[RLS_MAX_ROWS];
    return is_angular (&rows->parts, r, rls_joint_rows (rows, j, room)[r - rows->row0[j]]);
}

static void scale_levers (double length_scale, double J[12])
{
    for (int k = 3; k < 6; ++k) J[k] /= length_scale, J[6 + k] /= length_scale;
}

double rls_unit_row (double length_scale, const rls_parts *parts, int r, double J[12])
{
    if (length_scale == 1 || is_angular (parts, r, J)) return 1;
    scale_levers (length_scale, J);
    for (int p = 0; p < parts->count; ++p)
        if (parts->of[p].row == r) scale_levers (length_scale, parts->J[p]);
    return length_scale;
}

void rls_length_scale_rows (double length_scale, rls_rows *rows, int r0, int count)
{
    for (int r = r0; r < r0 + count && length_scale != 1; ++r)
    {
        const double unit = rls_unit_row (length_scale, &rows->parts, r, rows->J[r]);
        if (unit == 1) rows->sigma2[r] *= length_scale * length_scale;
        rows->residual[r] /= unit, rows->target[r] /= unit;
    }
}

void rls_length_scale_bounded (double length_scale, rls_bounded *rows, int r0, int count)
{
    for (int r = r0; r < r0 + count && length_scale != 1; ++r)
    {
        rls_bounded_row *row = &rows->row[r];
        const double unit = rls_unit_row (length_scale, &rows->parts, r, rows->J[r]),
                     square = length_scale * length_scale, impulse = unit == 1 ? square : length_scale;
        const double normal = rows->follow[r] >= 0 ? length_scale : 1; /* friction's bound is a part of its */
        if (unit == 1) row->stiffness /= square, row->damping /= square, rows->softness[r] *= square;
        row->rest /= unit, row->push /= unit, rows->target[r] /= unit;
        row->open /= unit, row->gap /= unit, row->stop /= unit, row->depth /= unit, row->most /= unit;
        rows->lo[r] *= normal / impulse;
        rows->hi[r] *= normal / impulse;
    }
}
