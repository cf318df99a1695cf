/*
 * The bilateral rows beside given impulses of the bounded rows: velocities that satisfy them, to rounding, by
 * one solve with the factor of the island.  Redundant rows get no impulse.
 */
#include "bounded_work.h"
#include "island/flat.h"

void rls_bounded_bilateral (const rls_island *island, double *scratch, double *p, double (*v)[6])
{
    const rls_rows *rows = &island->begin.rows;
    if (rows->rows == 0) return;
    rls_rows_velocity (rows, (const double (*)[6])v, scratch);
    for (int r = 0; r < rows->rows; ++r) scratch[r] = rows->target[r] - scratch[r] - rows->sigma2[r] * p[r];
    rls_factor_solve (&island->begin.factor, rows, scratch);
    for (int r = 0; r < rows->rows; ++r) p[r] += scratch[r];
    rls_rows_apply (rows, scratch, v);
}

void rls_bounded_close (const rls_island *island, double *scratch, double (*v)[6])
{
    const rls_rows *rows = &island->begin.rows;
    if (rows->rows == 0) return;
    rls_rows_velocity (rows, (const double (*)[6])v, scratch);
    rls_flat_blend ((size_t)rows->rows, 1, rows->target, -1, scratch, scratch);
    rls_factor_enforce (&island->begin.factor, rows, scratch, v);
}
