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

/* Factors rows, each as soft as its part of D makes it, into factor_now.  Returns as rls_factor_rows. */
static rls_outcome factor (rls_island *s, rls_rows *rows)
{
    double *softness = s->scratch_rows + 4 * rows->rows;
    const double damping = fmax (s->rank_tolerance, RLS_DEPENDENT);
    rows->mass_scaling = NULL, rows->precedence = NULL;
    rls_rows_diagonal (rows, softness);
    for (int r = 0; r < rows->rows; ++r) softness[r] *= damping;
    rows->sigma2 = softness;
    ++s->factorisations;
    return rls_factor_rows (&s->factor_now, &s->order, rows, 0, NULL, NULL);
}

/* d := the motion that the damped rows make of x (rows).  Sweeps take rows that are far from dependence to
 * rounding. */
static void move (rls_island *s, const rls_rows *rows, const double *x, double (*d)[6])
{
    double *left = s->scratch_rows + 3 * rows->rows;
    memset (d, 0, sizeof (*d) * (size_t)s->bodies);
    for (int i = 0; i < SWEEPS; ++i)
    {
        rls_rows_velocity (rows, (const double (*)[6])d, left);
        rls_flat_blend ((size_t)rows->rows, 1, x, -1, left, left);
        rls_factor_solve (&s->factor_now, rows, left);
        rls_rows_apply (rows, left, d);
    }
}

/* new_v += scratch6, what the rows push. */
static void push (rls_island *s, const rls_rows *rows)
{
    rls_flat_add (6 * (size_t)s->bodies, 1, s->scratch6[0], s->new_v[0]);
    rls_reactions_add (s, &s->factor_now, rows, (const double (*)[6])s->scratch6);
}

/* The rows on new_v. */
static void enforce (rls_island *s, const rls_rows *rows)
{
    double *x = s->scratch_rows;
    rls_rows_velocity (rows, (const double (*)[6])s->new_v, x);
    rls_flat_blend ((size_t)rows->rows, 1, rows->target, -1, x, x);
    move (s, rows, x, s->scratch6);
    push (s, rows);
}

/* Rows at the pose, and their factor.  Returns as rls_factor_rows. */
static rls_outcome look (rls_island *s, const rls_pose *pose, rls_rows *rows)
{
    if (!s->evaluate (s, pose)) return RLS_FAILED;
    rls_island_inverse_inertia (s, pose, &s->rows_now);
    *rows = s->rows_now;
    return RLS_DONE;
}

rls_outcome rls_damped_step (rls_island *s, double time, double h, double tolerance)
{
    const size_t size = 6 * (size_t)s->bodies, count = (size_t)s->rows.rows;
    rls_rows rows = s->rows;
    s->time = time;
    rls_reactions_begin (s);
    memcpy (s->new_pose, s->pose, sizeof (*s->pose) * (size_t)s->bodies);
    memcpy (s->new_v, s->v, size * sizeof (double));
    rls_outcome done = RLS_DONE;

    /* rows and factor of the beginning, which a damped step before has left */
    if (!s->begin_damped)
    {
        done = look (s, s->pose, &rows);
        if (done == RLS_DONE && s->load && !s->load (s, s->pose, (const double (*)[6])s->v))
            done = RLS_FAILED;
        if (done == RLS_DONE) done = factor (s, &rows);
    }
    if (done != RLS_DONE) return done;

    /* velocities, and the pose that they lead to */
    rls_island_kick (s, h, s->new_v);
    enforce (s, &rows);
    for (int b = 0; b < s->bodies; ++b)
        rls_pose_advance (&s->new_pose[b], s->new_v[b], h, s->turn[b], s->axis[b]);
    s->time = time + h;

    /* closed as far as a few displacements do */
    for (int i = 0;; ++i)
    {
        done = look (s, s->new_pose, &rows);
        s->projection_residual = rls_flat_largest (count, rows.residual);
        if (done == RLS_DONE && !isfinite (s->projection_residual)) done = RLS_FAILED;
        if (done == RLS_DONE) done = factor (s, &rows);
        if (done != RLS_DONE) return done;
        const double enough = i < USUAL_CLOSINGS ? RLS_CLOSED : RLS_LEFT_OPEN_BY_A_STEP;
        if (i == RLS_DAMPED_CLOSINGS || s->projection_residual <= fmax (tolerance, enough)) break;
        move (s, &rows, rows.residual, s->scratch6);
        for (int b = 0; b < s->bodies; ++b)
            if (s->movable[b]) rls_pose_displace (&s->new_pose[b], s->scratch6[b]);
        rls_flat_scale (size, 1 / h, s->scratch6[0], s->scratch6[0]);
        push (s, &rows);
    }
    enforce (s, &rows);
    s->now_damped = s->now_exact = s->now_natural = 1;
    return RLS_DONE;
}
