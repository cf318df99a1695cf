/* The damped step; contract in damped.h. */
#include "damped.h"
#include "island/flat.h"
#include "island/rotation.h"
#include "reactions.h"
#include "tolerances.h"
#include <math.h>
#include <string.h>

#define USUAL_CLOSINGS 3 /* each gains a factor of four where a row is a double root; more are for blows */
#define SWEEPS 2 /* with one factor: what damping leaves of rows that are far from dependence is squared */

/* Factors rows, each as soft as its part of D makes it, into end.factor.  Returns as rls_factor_rows. */
static rls_outcome factor (rls_island *s, rls_rows *rows)
{
    double *softness = s->scratch.rows + 4 * rows->rows;
    const double damping = fmax (s->elimination.rank_tolerance, RLS_DEPENDENT);
    rows->mass_scaling = NULL, rows->precedence = NULL;
    rls_rows_diagonal (rows, softness);
    for (int r = 0; r < rows->rows; ++r) softness[r] *= damping;
    rows->sigma2 = softness;
    ++s->account.factorisations;
    return rls_factor_rows (&s->end.factor, &s->elimination.order, rows, 0, NULL, NULL);
}

/* d := the motion that the damped rows make of x (rows).  Sweeps take rows that are far from dependence to
 * rounding. */
static void move (rls_island *s, const rls_rows *rows, const double *x, double (*d)[6])
{
    double *left = s->scratch.rows + 3 * rows->rows;
    memset (d, 0, sizeof (*d) * (size_t)s->model.bodies);
    for (int i = 0; i < SWEEPS; ++i)
    {
        rls_rows_velocity (rows, (const double (*)[6])d, left);
        rls_flat_blend ((size_t)rows->rows, 1, x, -1, left, left);
        rls_factor_solve (&s->end.factor, rows, left);
        rls_rows_apply (rows, left, d);
    }
}

/* next.v += scratch6, what the rows push. */
static void push (rls_island *s, const rls_rows *rows)
{
    rls_flat_add (6 * (size_t)s->model.bodies, 1, s->scratch.six[0], s->next.v[0]);
    rls_reactions_add (s, &s->end.factor, rows, (const double (*)[6])s->scratch.six);
}

/* The rows on next.v. */
static void enforce (rls_island *s, const rls_rows *rows)
{
    double *x = s->scratch.rows;
    rls_rows_velocity (rows, (const double (*)[6])s->next.v, x);
    rls_flat_blend ((size_t)rows->rows, 1, rows->target, -1, x, x);
    move (s, rows, x, s->scratch.six);
    push (s, rows);
}

/* Rows at the pose, and their factor.  Returns as rls_factor_rows. */
static rls_outcome look (rls_island *s, const rls_pose *pose, rls_rows *rows)
{
    if (!s->provider.rows (s, pose)) return RLS_FAILED;
    rls_island_inverse_inertia (s, pose, &s->end.rows);
    *rows = s->end.rows;
    return RLS_DONE;
}

rls_outcome rls_damped_step (rls_island *s, double time, double h, double tolerance)
{
    const size_t size = 6 * (size_t)s->model.bodies, count = (size_t)s->begin.rows.rows;
    rls_rows rows = s->begin.rows;
    s->provider.time = time;
    rls_reactions_begin (s);
    memcpy (s->next.pose, s->state.pose, sizeof (*s->state.pose) * (size_t)s->model.bodies);
    memcpy (s->next.v, s->state.v, size * sizeof (double));
    rls_outcome done = RLS_DONE;

    /* rows and factor of the beginning, which a damped step before has left */
    if (!s->valid.begin_damped)
    {
        done = look (s, s->state.pose, &rows);
        if (done == RLS_DONE && s->provider.forces &&
            !s->provider.forces (s, s->state.pose, (const double (*)[6])s->state.v))
            done = RLS_FAILED;
        if (done == RLS_DONE) done = factor (s, &rows);
    }
    if (done != RLS_DONE) return done;

    /* velocities, and the pose that they lead to */
    rls_island_kick (s, h, s->next.v);
    enforce (s, &rows);
    for (int b = 0; b < s->model.bodies; ++b)
        rls_pose_advance (&s->next.pose[b], s->next.v[b], h, s->model.turn[b], s->model.axis[b]);
    s->provider.time = time + h;

    /* closed as far as a few displacements do */
    for (int i = 0;; ++i)
    {
        done = look (s, s->next.pose, &rows);
        s->account.projection_residual = rls_flat_largest (count, rows.residual);
        if (done == RLS_DONE && !isfinite (s->account.projection_residual)) done = RLS_FAILED;
        if (done == RLS_DONE) done = factor (s, &rows);
        if (done != RLS_DONE) return done;
        const double enough = i < USUAL_CLOSINGS ? RLS_CLOSED : RLS_LEFT_OPEN_BY_A_STEP;
        if (i == RLS_DAMPED_CLOSINGS || s->account.projection_residual <= fmax (tolerance, enough)) break;
        move (s, &rows, rows.residual, s->scratch.six);
        for (int b = 0; b < s->model.bodies; ++b)
            if (s->model.movable[b]) rls_pose_displace (&s->next.pose[b], s->scratch.six[b]);
        rls_flat_scale (size, 1 / h, s->scratch.six[0], s->scratch.six[0]);
        push (s, &rows);
    }
    enforce (s, &rows);
    s->valid.end_damped = s->valid.end_exact = s->valid.end_natural = 1;
    return RLS_DONE;
}
