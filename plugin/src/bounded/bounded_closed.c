/*
 * Closing the joints beside few bounded rows, by half a solve with their factor for each side of the problem.
 *
 * Let H M^-1 H' = L D L' be the joints' factored matrix.  For each bounded row r the half X_r = L^-1 H M^-1
 * g_r' is stored, g_r its direction, and for what the joints ask of the velocity v without impulses the half
 * y = L^-1 (target - H v).  Then closing the joints changes the velocities along the bounded rows by X' D^-1
 * y, and the joints' own impulses beside the bounded impulses p are L^-T D^-1 (y - X p).  A problem thus
 * takes half a solve to set up, and the other half for its answer (method.md, section 9).
 */
#include "bounded_work.h"

int rls_closed_by_halves (const rls_island *island)
{
    return island->begin.rows.rows > 0 && island->begin.bounded.parts.count == 0 &&
           island->begin.rows.parts.count == 0 && island->begin.factor.tree.rows == 0;
}

double *rls_closed_half (const rls_island *island, const struct rls_bounded_work *work, int row)
{
    return (double *)work->path.halves.memory +
           rls_factor_half_length (&island->begin.factor) * (size_t)(row - RLS_HALF_WEIGHED);
}

int rls_closed_reserve (const rls_island *island, struct rls_bounded_work *work)
{
    const size_t count = (size_t)(island->begin.bounded.rows - RLS_HALF_WEIGHED);
    if (!rls_closed_by_halves (island)) return 1;
    return rls_arena_reserve (&work->path.halves,
                              sizeof (double) * count * rls_factor_half_length (&island->begin.factor));
}

/* Finds the joints' impulses that the weighed half stands for, and applies them to v. */
static void push (rls_island *island, const struct rls_bounded_work *work, double (*v)[6])
{
    rls_factor_other_half (&island->begin.factor, &island->begin.rows,
                           rls_closed_half (island, work, RLS_HALF_WEIGHED), island->reactions.p);
    rls_rows_apply (&island->begin.rows, island->reactions.p, v);
}

rls_bounded_residual rls_closed_begin (rls_island *island, double (*v)[6])
{
    const struct rls_bounded_work *work = island->bounded_work;
    const rls_bounded *b = &island->begin.bounded;
    const rls_factor *f = &island->begin.factor;
    const rls_rows *rows = &island->begin.rows;
    double *off = work->bilateral_scratch, *weighed = rls_closed_half (island, work, RLS_HALF_WEIGHED),
           *w = work->path.origin_w;

    /* y, beside the impulses with which the problem begins */
    memcpy (v, work->start, sizeof (*v) * (size_t)island->model.bodies);
    rls_bounded_push (b, 1, b->p, v);
    rls_rows_missing (rows, rows->target, v, off);
    rls_factor_half_of_rows (f, rows, off, rls_closed_half (island, work, RLS_HALF_WANTED));
    rls_factor_weigh_half (f, 0, rls_closed_half (island, work, RLS_HALF_WANTED), weighed);

    /* velocities along the rows with the joints closed: X' D^-1 y where the matrix, and so X, is formed;
     * otherwise of bodies that are closed */
    if (!work->formed) push (island, work, v);
    rls_bounded_velocities (work, b, v, w);
    for (int r = 0; r < b->rows && work->formed; ++r)
        w[r] += rls_factor_half_product (f, work->path.zeros[r], weighed, rls_closed_half (island, work, r));
    return rls_bounded_measure_rows (b, work->diagonal, b->p, w);
}

void rls_closed_complete (rls_island *island, double (*v)[6])
{
    const struct rls_bounded_work *work = island->bounded_work;
    const rls_bounded *b = &island->begin.bounded;
    const rls_factor *f = &island->begin.factor;
    const size_t length = rls_factor_half_length (f);
    double *left = rls_closed_half (island, work, RLS_HALF_WEIGHED);

    /* y - X p; a half begins with zeros, up to the first joint that its row moves */
    memcpy (left, rls_closed_half (island, work, RLS_HALF_WANTED), sizeof (*left) * length);
    for (int r = 0; r < b->rows; ++r)
    {
        const double p = b->p[r] - work->path.origin[r];
        const size_t zeros = work->path.zeros[r];
        if (p != 0)
            rls_flat_add (length - zeros, -p, rls_closed_half (island, work, r) + zeros, left + zeros);
    }
    rls_factor_weigh_half (f, 0, left, left);

    /* both kinds of impulses on the velocity without any */
    memcpy (v, work->start, sizeof (*v) * (size_t)island->model.bodies);
    rls_bounded_push (b, 1, b->p, v);
    push (island, work, v);
}
