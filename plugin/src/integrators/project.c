/*
 * Newton's method on the position residual, and the projection of velocities; contract in project.h.
 *
 * With the factor of the beginning of the step it converges linearly, at a rate of about the angle turned in
 * the step (rad); with a factor of the iterate it converges much faster, but costs a factorisation.  Rows of
 * trial poses are expressed in the bases of the beginning, so that rank decisions refer to the same rows
 * throughout.
 */
#include "project.h"
#include <float.h>

#define MOST_ITERATIONS 25

double rls_closing_rounding (const rls_pose *pose, int bodies, double roundings)
{
    double size = 0.5;
    for (int b = 0; b < bodies; ++b)
        for (int k = 0; k < 3; ++k) size = rls_larger (size, fabs (pose[b].x[k]));
    return fmax (RLS_CLOSING_ROUNDING, roundings * DBL_EPSILON * size);
}

/* Returns the largest residual of the rows that a factor keeps, which is no row that the beginning leaves
 * out. */
static double kept_residual (const rls_island *s, const rls_factor *factor)
{
    return rls_flat_largest_kept (s->begin.rows.rows, s->end.rows.residual, factor->decision);
}

/* Updates W of end.rows to next.pose. */
static void update_inertia (rls_island *s) { rls_island_inverse_inertia (s, s->next.pose, &s->end.rows); }

/* Displaces next.pose by the least displacement that closes the rows to first order; by less if that would
 * turn a body by more than RLS_LARGEST_TURN, beyond which the linear equations mean nothing. */
static void correct (rls_island *s, const rls_factor *factor, const rls_rows *rows)
{
    double turn = 0, *p = s->scratch.rows, (*d)[6] = s->scratch.six;
    memcpy (p, s->end.rows.residual, sizeof (double) * (size_t)rows->rows);
    memset (d, 0, sizeof (*d) * (size_t)s->model.bodies);
    rls_factor_push (factor, rows, p, d);
    for (int b = 0; b < s->model.bodies; ++b)
        for (int k = 3; k < 6; ++k) turn = rls_larger (turn, fabs (d[b][k]));
    if (turn > RLS_LARGEST_TURN) rls_flat_scale (6 * s->model.bodies, RLS_LARGEST_TURN / turn, d[0], d[0]);
    rls_island_displace (s, (const double (*)[6])d);
}

/* Evaluates the rows at next.pose, in end.rows, in the bases of the beginning.  Returns 0 if they are not
 * finite. */
static int evaluate_rows (rls_island *s, int within_step)
{
    if (!s->provider.rows (s, s->next.pose)) return 0;
    if (within_step)
        rls_rows_align (&s->end.rows, &s->begin.rows);
    else
        rls_island_align (s);
    return isfinite (rls_flat_largest (s->begin.rows.rows, s->end.rows.residual));
}

rls_outcome rls_project_positions (rls_island *s, double tolerance, int within_step, int most)
{
    const rls_factor *factor = &s->begin.factor;
    const rls_rows *rows = &s->begin.rows;
    double best = HUGE_VAL, last = HUGE_VAL;
    int made = 0;
    s->valid.end_factored = s->valid.end_exact = 0;
    if (tolerance == 0) tolerance = rls_closing_rounding (s->next.pose, s->model.bodies, 6);

    /* Newton's method, at first with the factor of the beginning */
    for (int iteration = 0;; ++iteration)
    {
        ++s->account.iterations;
        if (!evaluate_rows (s, within_step)) return RLS_FAILED;
        const double residual = kept_residual (s, factor);
        if (residual < best)
        {
            best = residual;
            memcpy (s->scratch.best_pose, s->next.pose, sizeof (*s->next.pose) * (size_t)s->model.bodies);
        }

        /* closed, or no better near rounding, or out of iterations: then the best iterate is the end */
        if (residual <= tolerance || (residual > RLS_STAGNATED * last && residual < 100 * tolerance)) break;
        if (iteration == MOST_ITERATIONS)
        {
            memcpy (s->next.pose, s->scratch.best_pose, sizeof (*s->next.pose) * (size_t)s->model.bodies);
            if (!evaluate_rows (s, within_step)) return RLS_FAILED;
            break;
        }

        /* a new factor if it is slow */
        const int slow = iteration > 0 && residual > RLS_SLOW * last && residual > 100 * tolerance;
        if (slow)
        {
            if (made++ == most) return RLS_FAILED;
            update_inertia (s);
            RLS_TRY (rls_island_factor_end (s, s->begin.factor.decision));
            factor = &s->end.factor;
            rows = &s->end.rows;
            s->valid.end_factored = 1;
        }
        else if (s->valid.end_factored)
            update_inertia (s); /* displacements act along the rows of the iterate */

        last = residual;
        correct (s, factor, rows);
    }
    s->account.projection_residual = best;
    update_inertia (s);
    return RLS_DONE;
}

rls_outcome rls_project_velocities (rls_island *s, double (*v)[6])
{
    const rls_rows *rows = &s->end.rows;
    double *p = s->scratch.rows, last = HUGE_VAL;

    /* the factor at the final pose, for these velocities and for the beginning of the next step */
    RLS_TRY (rls_island_factor_end (s, s->begin.factor.decision));
    s->valid.end_factored = s->valid.end_exact = 1;

    /* repeated until only rounding is left */
    for (int iteration = 0; iteration < MOST_ITERATIONS; ++iteration)
    {
        const double speed = rls_fastest (s->model.bodies, v);
        rls_rows_missing (rows, rows->target, v, p);
        for (int r = 0; r < rows->rows; ++r)
            if (rows->sigma2[r] > 0) p[r] = 0;
        const double worst = rls_flat_largest_kept (rows->rows, p, s->end.factor.decision);
        if (!isfinite (worst)) return RLS_FAILED;
        if (worst <= 4 * DBL_EPSILON * (speed + 1) || worst > RLS_STAGNATED * last) break;
        last = worst;
        rls_factor_enforce (&s->end.factor, rows, p, v);
    }
    return RLS_DONE;
}
