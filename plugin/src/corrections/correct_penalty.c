/* Penalties and multipliers of the augmented Lagrangian methods; contract in correct_penalty.h. */
#include "correct_penalty.h"
#include "integrators/project.h"
#include "integrators/reactions.h"
#include "ode/gather.h"
#include <float.h>

#define MOST_PASSES 20 /* of a projection */

static void lay_out (rls_penalty *w, rls_arena_cursor *c)
{
    const size_t n = (size_t)w->bodies, rows = (size_t)w->rows;
    RLS_TAKE (c, rows, w->multiplier, w->x, w->wanted);
    RLS_TAKE (c, n, w->a, w->a0, w->y, w->d, w->first_state.v, w->last_pose, w->first_state.pose,
              w->last_motion);
    rls_rows_lay_out_with_masses (&w->middle.rows, c);
    rls_rows_lay_out_with_masses (&w->first, c);
    w->mixing.bodies = w->bodies, w->mixing.rows = w->rows;
    rls_mixing_lay_out (&w->mixing, c);
}

int rls_penalty_prepare (rls_penalty *w, const rls_island *s)
{
    rls_rows_share (&w->middle.rows, &s->begin.rows);
    rls_rows_share (&w->first, &s->begin.rows);
    w->middle.rows.mass_scaling = NULL,
    w->middle.rows.precedence = NULL; /* no rank decisions on imperfect rows */
    const int fits = RLS_FIT (w, s->model.bodies, s->begin.rows.rows, lay_out);
    if (fits == RLS_ANEW) w->history = 0, w->clearance = 0;
    return fits != 0;
}

void rls_penalty_begin (rls_penalty *w, const rls_island *s)
{
    w->clearance = fmax (w->clearance, s->begin.factor.mass_gap);
    if (w->history && !(s->valid.decisions && rls_poses_same (w->last_pose, s->state.pose, s->model.bodies)))
        w->history = 0;
    if (!w->history && w->rows > 0) memset (w->multiplier, 0, sizeof (double) * (size_t)w->rows);
}

void rls_penalty_end (rls_penalty *w, rls_island *s, double h, const rls_constraints *at)
{
    for (int r = 0; r < w->rows; ++r) s->reactions.p[r] = h * w->multiplier[r];
    s->reactions.at = at;
    s->reactions.change = NULL;
    s->valid.end_exact = 0; /* the next step cannot use a factor of imperfect rows */
    memcpy (w->last_pose, s->next.pose, sizeof (*s->next.pose) * (size_t)s->model.bodies);
    w->history = 1;
}

rls_outcome rls_penalty_factor (const rls_penalty *w, rls_island *s, rls_constraints *at, double scale,
                                const unsigned char *decision)
{
    const rls_rows *rows = &at->rows;
    const double imperfection = fmin (fmax (RLS_SAFE_PIVOT * w->clearance, RLS_CLOSED), RLS_SMALL_PIVOT);
    double *mobility = s->scratch.rows;
    rls_rows_diagonal (rows, mobility);
    RLS_FOR_ROWS (rows, j, r)
    {
        /* a penalty in N/m counts for angles (N m) by the unit of length; without one the row's own mobility
         * does */
        rls_row room[RLS_MAX_ROWS];
        const int angular = rls_is_angular (rls_joint_rows (rows, j, room)[r - rows->row0[j]]);
        const double lever = angular ? s->model.length_scale : 1;
        rows->sigma2[r] = w->penalty > 0 ? lever * lever / (w->penalty * scale) : imperfection * mobility[r];
        if (decision && decision[r] == RLS_REDUNDANT) rows->sigma2[r] += RLS_FARTHEST * mobility[r];
    }
    return rls_island_factor (s, &at->factor, rows, 0, NULL);
}

rls_outcome rls_penalty_project (rls_penalty *w, rls_island *s, double scale)
{
    const rls_rows *rows = &s->end.rows;
    const size_t n = (size_t)w->rows;
    double last = HUGE_VAL;
    RLS_TRY (rls_penalty_factor (w, s, &s->end, scale, NULL));

    /* each pass solves for what the last one has left */
    for (int pass = 0; pass < MOST_PASSES; ++pass)
    {
        rls_rows_missing (rows, rows->target, s->next.v, w->x);
        const double worst = rls_flat_largest (n, w->x), speed = rls_fastest (s->model.bodies, s->next.v);
        if (!isfinite (worst)) return RLS_FAILED;
        if (worst <= 4 * DBL_EPSILON * (1 + speed) || worst > RLS_EXHAUSTED * last) break;
        last = worst;
        rls_factor_push (&s->end.factor, rows, w->x, s->next.v);
        rls_reactions_add_impulses (s, &s->end.factor, rows, w->x);
    }
    return RLS_DONE;
}

void rls_penalty_iterate (rls_penalty *w)
{
    w->pass = 0;
    w->last = HUGE_VAL;
    rls_mixing_begin (&w->mixing);
}

int rls_penalty_judge (rls_penalty *w, const rls_island *s, double residual)
{
    const int pass = w->pass++;
    const double tolerance = s->position_tolerance > 0
                                 ? s->position_tolerance
                                 : rls_closing_rounding (s->state.pose, s->model.bodies, 4);

    /* closed, or near rounding and no longer better */
    if (pass > 0 && residual <= tolerance) return 1;
    if (pass > 2 && residual > RLS_STAGNATED * w->last && residual < RLS_SAME) return 1;

    /* a new factor at the beginning and where convergence is slow; mixing once that has not helped */
    w->renew = pass == 0 || residual > RLS_SLOW * w->last;
    w->mix = pass > 1 && w->renew && residual > RLS_CLOSED;
    w->last = residual;
    return 0;
}
