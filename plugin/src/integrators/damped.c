/* The damped step; contract in damped.h. */
#include "damped.h"
#include "bounded/bounded.h"
#include "island/flat.h"
#include "island/rotation.h"
#include "reactions.h"
#include "step_energy.h"
#include "tolerances.h"
#include <math.h>
#include <string.h>

#define USUAL_CLOSINGS 3 /* each gains a factor of four where a row is a double root; more are for blows */
#define SOLVER_ITERATIONS 50
#define FAR 5 /* a residual e moves nothing by more than a tenth, e / (2 FAR e), however small the pivot */
#define MOST_PUSH 4 /* what a displacement adds to velocities at most: so many times the largest of them */
#define SWEEPS 2    /* with one factor: what damping leaves of rows that are far from dependence is squared */

/* Factors rows, each as soft as its part of D makes it, into end.factor; for a displacement that is to close
 * what is open by so much.  Returns as rls_factor_rows. */
static rls_outcome factor (rls_island *s, rls_rows *rows, double open)
{
    double *softness = s->scratch.rows + 4 * rows->rows;
    const double far = FAR * fmin (open, 1); /* else what is open by many units would never be closed */
    const double damping = fmax (fmax (s->elimination.rank_tolerance, RLS_DEPENDENT), far * far);
    rows->mass_scaling = NULL, rows->precedence = NULL;
    rls_rows_diagonal (rows, softness);
    for (int r = 0; r < rows->rows; ++r) softness[r] *= damping;
    rows->sigma2 = softness;
    return rls_island_factor (s, &s->end.factor, rows, 0, NULL);
}

/* scratch.six := the motion that the damped rows make of x (rows), scratch.rows + rows: the multipliers that
 * make it.  Sweeps take rows that are far from dependence to rounding. */
static void move (rls_island *s, const rls_rows *rows, const double *x)
{
    double *p = s->scratch.rows + rows->rows, *left = s->scratch.rows + 3 * rows->rows;
    memset (s->scratch.six, 0, sizeof (*s->scratch.six) * (size_t)s->model.bodies);
    memset (p, 0, sizeof (double) * (size_t)rows->rows);
    for (int i = 0; i < SWEEPS; ++i)
    {
        rls_rows_velocity (rows, s->scratch.six, left);
        rls_flat_blend (rows->rows, 1, x, -1, left, left);
        rls_factor_solve (&s->end.factor, rows, left);
        rls_rows_apply (rows, left, s->scratch.six);
        rls_flat_add (rows->rows, 1, left, p);
    }
}

/* next.v += scale times the motion, as a push along the rows. */
static void push (rls_island *s, const rls_rows *rows, double scale)
{
    double *p = s->scratch.rows + rows->rows;
    rls_flat_add (6 * s->model.bodies, scale, s->scratch.six[0], s->next.v[0]);
    rls_flat_scale (rows->rows, scale, p, p);
    rls_flat_add (rows->rows, 1, p, s->reactions.p);
    rls_reactions_add_impulses (s, &s->end.factor, rows, p);
}

/* The rows on next.v. */
static void enforce (rls_island *s, const rls_rows *rows)
{
    double *x = s->scratch.rows;
    rls_rows_velocity (rows, s->next.v, x);
    rls_flat_blend (rows->rows, 1, rows->target, -1, x, x);
    move (s, rows, x);
    push (s, rows, 1);
}

/* Rows at the pose, and their factor.  Returns as rls_factor_rows. */
static rls_outcome look (rls_island *s, const rls_pose *pose, rls_rows *rows)
{
    if (!s->provider.rows (s, pose)) return RLS_FAILED;
    rls_island_inverse_inertia (s, pose, &s->end.rows);
    *rows = s->end.rows;
    return RLS_DONE;
}

/* The same of the bounded rows, at the beginning of the step. */
static rls_outcome enforce_bounded (rls_island *s, const rls_rows *rows, double h)
{
    const rls_factor factor = s->begin.factor;
    double *const sigma2 = s->begin.rows.sigma2;
    const rls_bounded_settings settings = {.iterations = SOLVER_ITERATIONS,
                                           .tolerance = RLS_ROUGHLY_SOLVED,
                                           .scale = 1,
                                           .kick = rls_bounded_kick (s, h)};
    s->begin.factor = s->end.factor, s->begin.rows.sigma2 = rows->sigma2;
    const int done = rls_bounded_solve (s, &settings, s->next.v);
    s->end.factor = s->begin.factor, s->begin.factor = factor, s->begin.rows.sigma2 = sigma2;
    if (!done) return RLS_NO_MEMORY;
    rls_reactions_add_impulses (s, &s->end.factor, rows, s->reactions.p);
    return RLS_DONE;
}

rls_outcome rls_damped_step (rls_island *s, double time, double h)
{
    const size_t size = 6 * (size_t)s->model.bodies, count = (size_t)s->begin.rows.rows;
    rls_rows rows = s->begin.rows;
    s->provider.time = time;
    rls_reactions_begin (s);
    s->reactions.bounded_in_halves = 0, s->bounded_wrench = NULL;
    s->reactions.rows = &s->end.rows, s->reactions.factor = &s->end.factor, s->reactions.change = NULL;
    memset (s->reactions.p, 0, sizeof (double) * count);
    memcpy (s->next.pose, s->state.pose, sizeof (*s->state.pose) * (size_t)s->model.bodies);
    memcpy (s->next.v, s->state.v, size * sizeof (double));
    rls_outcome done = RLS_DONE;

    /* rows and factor of the beginning, which a damped step before has left */
    const int bounded = s->begin.bounded.rows > 0;
    if (!s->valid.begin_damped || bounded)
    {
        if (!bounded) done = look (s, s->state.pose, &rows);
        if (done == RLS_DONE && !rls_island_push (s, s->state.pose, s->state.v)) done = RLS_FAILED;
        if (done == RLS_DONE) done = factor (s, &rows, 0);
    }
    if (done != RLS_DONE) return done;

    /* velocities, and the pose that they lead to */
    rls_island_kick (s, h, s->next.v);
    const double kicked = rls_energy_of_kicks (s);
    double fast = MOST_PUSH * rls_fastest (s->model.bodies, s->next.v);
    if (bounded)
        done = enforce_bounded (s, &rows, h);
    else
        enforce (s, &rows);
    if (done != RLS_DONE) return done;
    if (bounded) rls_take_gain (s, kicked);
    fast = fmax (fast, MOST_PUSH * rls_fastest (s->model.bodies, s->next.v));
    for (int b = 0; b < s->model.bodies; ++b)
        rls_pose_advance (&s->next.pose[b], s->next.v[b], h, s->model.turn[b], s->model.axis[b]);
    s->provider.time = time + h;

    /* closed as far as a few displacements do */
    for (int i = 0;; ++i)
    {
        done = look (s, s->next.pose, &rows);
        s->account.projection_residual = rls_flat_largest (count, rows.residual);
        if (done == RLS_DONE && !isfinite (s->account.projection_residual)) done = RLS_FAILED;
        const double enough = i < USUAL_CLOSINGS ? RLS_CLOSED : RLS_LEFT_OPEN_BY_A_STEP;
        const int last = i == RLS_DAMPED_CLOSINGS ||
                         s->account.projection_residual <= fmax (s->position_tolerance, enough);
        if (done == RLS_DONE) done = factor (s, &rows, last ? 0 : s->account.projection_residual);
        if (done != RLS_DONE) return done;
        if (last) break;
        move (s, &rows, rows.residual);
        for (int b = 0; b < s->model.bodies; ++b)
            if (s->model.movable[b]) rls_pose_displace (&s->next.pose[b], s->scratch.six[b]);

        /* the displacement belongs to the velocities, as far as it is of their size */
        const double asked = rls_fastest (s->model.bodies, s->scratch.six) / h;
        push (s, &rows, (asked > fast ? fast / asked : 1) / h);
    }
    enforce (s, &rows);
    s->valid.end_damped = s->valid.end_exact = s->valid.end_natural = 1;
    return RLS_DONE;
}
