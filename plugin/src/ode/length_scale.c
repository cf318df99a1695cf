/* Lengths near one; contract in length_scale.h. */
#include "gather.h"

#define STEP 10 /* powers of two between a unit and the next */
#define KEPT 6  /* and to where a unit is kept */

static double square (const double x[3]) { return x[0] * x[0] + x[1] * x[1] + x[2] * x[2]; }

/* Rows without a linear part, or with one that is rounding, tell angles. */
int rls_is_angular (const double J[12])
{
    return square (J) <= RLS_DEPENDENT * RLS_DEPENDENT * square (J + 3) &&
           square (J + 6) <= RLS_DEPENDENT * RLS_DEPENDENT * square (J + 9);
}

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
            if (square (h) > 0) largest = fmax (largest, square (h + 3) / square (h));
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

/* A length, its rate and what of it a joint yields to an impulse along it. */
static void scale (double length_scale, int angular, double J[12], double *length, double *rate,
                   double *softness)
{
    if (angular)
    {
        *softness *= length_scale * length_scale;
        return;
    }
    for (int k = 3; k < 6; ++k) J[k] /= length_scale, J[6 + k] /= length_scale;
    *length /= length_scale;
    *rate /= length_scale;
}

int rls_row_is_angular (const rls_rows *rows, int j, int r)
{
    rls_row room[RLS_MAX_ROWS];
    const int k = r - rows->row0[j];
    int angular = rls_is_angular (rls_joint_rows (rows, j, room)[k]);
    for (int p = 0; p < rows->parts; ++p)
        if (rows->part[p].joint == j) angular &= rls_is_angular (rows->part_J[p * RLS_MAX_ROWS + k]);
    return angular;
}

void rls_length_scale_rows (double length_scale, rls_rows *rows, int joint, int r0, int count)
{
    if (length_scale == 1) return;
    for (int r = r0; r < r0 + count; ++r)
    {
        const int angular = rls_row_is_angular (rows, joint, r);
        for (int p = 0; p < rows->parts && !angular; ++p)
            if (rows->part[p].joint == joint)
                rls_unit_row (length_scale, rows->part_J[p * RLS_MAX_ROWS + r - r0]);
        scale (length_scale, angular, rows->J[r], &rows->residual[r], &rows->target[r], &rows->sigma2[r]);
    }
}

void rls_unit_row (double length_scale, double J[12])
{
    double length = 0, rate = 0, softness = 0;
    if (length_scale != 1) scale (length_scale, rls_is_angular (J), J, &length, &rate, &softness);
}

int rls_bounded_is_angular (const rls_bounded *rows, int j, int r)
{
    int angular = rls_is_angular (rows->J[r]);
    for (int p = 0; p < rows->parts; ++p)
        if (rows->part[p].joint == j) angular &= rls_is_angular (rows->part_J[p]);
    return angular;
}

void rls_unit_bounded (double length_scale, rls_bounded *rows, int j, int r)
{
    double none = 0;
    const int angular = rls_bounded_is_angular (rows, j, r);
    if (length_scale == 1) return;
    scale (length_scale, angular, rows->J[r], &none, &none, &none);
    for (int p = 0; p < rows->parts; ++p)
        if (rows->part[p].joint == j) scale (length_scale, angular, rows->part_J[p], &none, &none, &none);
}

void rls_length_scale_bounded (double length_scale, rls_bounded *rows, int j, int r0, int count)
{
    double none[12] = {0};
    if (length_scale == 1) return;
    for (int r = r0; r < r0 + count; ++r)
    {
        const int angular = rls_bounded_is_angular (rows, j, r);
        const double impulse = angular ? length_scale * length_scale : length_scale;
        if (!angular) rows->rest[r] /= length_scale, rows->push[r] /= length_scale;
        if (angular)
            rows->stiffness[r] /= length_scale * length_scale,
                rows->damping[r] /= length_scale * length_scale;
        else
            rows->open[r] /= length_scale, rows->gap[r] /= length_scale;
        rls_unit_bounded (length_scale, rows, j, r);
        scale (length_scale, angular, none, none, &rows->target[r], &rows->softness[r]);
        const double normal = rows->follow[r] >= 0 ? length_scale : 1; /* friction's bound is a part of its */
        rows->lo[r] *= normal / impulse;
        rows->hi[r] *= normal / impulse;
    }
}
