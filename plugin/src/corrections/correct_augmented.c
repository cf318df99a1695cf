/*
 * The index-3 augmented Lagrangian formulation with mass-orthogonal projections (Dopico et al., section 3);
 * contract in correct_penalty.h.
 *
 * It is the trapezoidal rule, with the accelerations a1 at the end of the step as unknowns.  A penalty alpha
 * on the violation e1 there, added to the multipliers in every iteration, makes the violation vanish:
 *
 *     M a1 = Q (q1, v1) + H1' (lambda + alpha e1),      lambda <- lambda + alpha e1   until e1 = 0
 *     v1 = v0 + (h/2) (a0 + a1),                        q1 = q0 advanced by (h/2) (v0 + v1)
 *     then projected, to the nearest in the metric of M:   H1 v1 = y1,   H1 a1 = dy1/dt - dH1/dt v1
 *
 * The projected accelerations are those of the state's own forces and joints.  They are computed at the
 * beginning of the next step, from the velocities that the projection has left.
 *
 * Angular velocities and accelerations follow the rule in body axes, and a body turns by the Cayley map of
 * the mean angular velocity.  Without the projections velocities and accelerations oscillate about the
 * constraints, and with long steps the oscillations grow.
 *
 * Differences from the paper: each projection is iterated until the rows hold to rounding (the paper solves
 * once with the penalty); and the metric is M, without the tangents of the forces with respect to positions
 * and velocities, which a force callback does not provide.
 */
#include "correct_penalty.h"
#include "integrators/accelerate.h"

#define MOST_ITERATIONS 30

/* y := (applied forces and gyroscopic torques) / mass - a: the error of the equations of motion without
 * reactions, as an acceleration in world axes.  a has its angular parts in body axes. */
static void unbalanced (const rls_island *s, const rls_rows *rows, const rls_pose *pose, const double (*v)[6],
                        const double (*a)[6], double (*y)[6])
{
    rls_free_accelerations (s, rows, pose, v, y);
    for (int b = 0; b < s->model.bodies; ++b)
    {
        double R[9], world[3];
        rls_quaternion_matrix (pose[b].q, R);
        rls_multiply (R, a[b] + 3, world);
        for (int k = 0; k < 3; ++k)
        {
            y[b][k] -= a[b][k];
            y[b][3 + k] -= world[k];
        }
    }
}

/* to := x with its angular parts in body axes. */
static void turn_to_body (const rls_island *s, const rls_pose *pose, const double (*x)[6], double (*to)[6])
{
    for (int b = 0; b < s->model.bodies; ++b)
    {
        double R[9];
        rls_quaternion_matrix (pose[b].q, R);
        memcpy (to[b], x[b], 3 * sizeof (double));
        rls_multiply_transposed (R, x[b] + 3, to[b] + 3);
    }
}

/* Returns what the acceleration of body b depends on besides its pose. */
static rls_body_motion motion_of (const rls_island *s, int b, const double v[6])
{
    rls_body_motion motion = {.mass = s->model.mass[b], .gyroscopic = s->model.gyroscopic[b]};
    memcpy (motion.v, v, sizeof (motion.v));
    memcpy (motion.force, s->applied.force[b], sizeof (motion.force));
    memcpy (motion.inertia, s->model.inertia[b], sizeof (motion.inertia));
    return motion;
}

/* Returns 1 if velocities, forces and masses are those of the end of the last step, so that its accelerations
 * are those of this beginning.  The program may have changed any of them. */
static int continues (const rls_penalty *w, const rls_island *s)
{
    for (int b = 0; b < s->model.bodies; ++b)
    {
        const rls_body_motion now = motion_of (s, b, s->state.v[b]);
        const int numbers = (int)(sizeof (now) / sizeof (double));
        if (!rls_same_numbers (w->last_motion[b].v, now.v, numbers, RLS_DEPENDENT)) return 0;
    }
    return 1;
}

/* Finds the accelerations a0 at the beginning: with projections those of the state.  Without them the step
 * begins with the accelerations that the last one ended with, which is where the oscillations come from.
 * Returns RLS_DONE or RLS_FAILED. */
static rls_outcome begin (rls_penalty *w, rls_island *s)
{
    rls_penalty_begin (w, s);
    if (!w->project && w->history && continues (w, s))
    {
        memcpy (w->a0, w->a, sizeof (*w->a) * (size_t)s->model.bodies);
        return RLS_DONE;
    }

    /* free accelerations, then reactions such that H a = dy/dt - dH/dt v */
    memset (w->a0, 0, sizeof (*w->a0) * (size_t)s->model.bodies);
    rls_island_inverse_inertia (s, s->state.pose, &s->begin.rows);
    unbalanced (s, &s->begin.rows, s->state.pose, s->state.v, w->a0, w->y);
    if (!rls_curvature_find (s, &s->begin.rows, s->state.pose, s->state.v, w->wanted)) return RLS_FAILED;
    rls_rows_missing (&s->begin.rows, w->wanted, w->y, w->x);
    rls_factor_push (&s->begin.factor, &s->begin.rows, w->x, w->y);
    memcpy (w->multiplier, w->x, sizeof (double) * (size_t)w->rows);
    turn_to_body (s, s->state.pose, w->y, w->a0);
    return RLS_DONE;
}

/* Computes next.v and next.pose by the trapezoidal rule from the accelerations at both ends.  Returns 0 if
 * rows cannot be evaluated so far away. */
static int integrate (rls_penalty *w, rls_island *s, double h)
{
    for (int b = 0; b < s->model.bodies; ++b)
    {
        const double *v = s->state.v[b], *a0 = w->a0[b], *a1 = w->a[b];
        double R[9], w0[3], w1[3], mean[3];
        rls_quaternion_matrix (s->state.pose[b].q, R);
        rls_multiply_transposed (R, v + 3, w0);
        for (int k = 0; k < 3; ++k)
        {
            s->next.v[b][k] = v[k] + 0.5 * h * (a0[k] + a1[k]);
            s->next.pose[b].x[k] = s->state.pose[b].x[k] + 0.5 * h * (v[k] + s->next.v[b][k]);
            w1[k] = w0[k] + 0.5 * h * (a0[3 + k] + a1[3 + k]);
            mean[k] = 0.5 * (w0[k] + w1[k]);
        }
        rls_cayley_turn (s->state.pose[b].q, h, mean, s->next.pose[b].q);
        rls_quaternion_matrix (s->next.pose[b].q, R);
        rls_multiply (R, w1, s->next.v[b] + 3);
    }
    return h * rls_fastest (s->model.bodies, s->next.v) <= RLS_FARTHEST;
}

/*
 * Finds the accelerations at the end, with beta = h^2/4 the displacement by a unit of them.  The iteration
 * also ends where the bodies no longer move, as with rows that contradict each other and stay open.  Returns
 * RLS_DONE, RLS_NO_MEMORY, RLS_FAILED when a value is not finite, or RLS_ANOTHER_WAY if it does not converge.
 */
static rls_outcome solve (rls_penalty *w, rls_island *s, double h)
{
    const double beta = 0.25 * h * h;
    double moved = 0;
    rls_penalty_iterate (w);
    while (w->pass < MOST_ITERATIONS)
    {
        ++s->account.iterations;

        /* the end of the step with the present accelerations, and the residual of the rows there */
        if (!integrate (w, s, h)) return w->pass == 0 ? RLS_FAILED : RLS_ANOTHER_WAY;
        if (!rls_island_look (s, s->next.pose) || !rls_island_push (s, s->next.pose, s->next.v))
            return RLS_FAILED;
        s->account.projection_residual = rls_flat_largest (w->rows, s->end.rows.residual);
        const double residual = fmax (s->account.projection_residual, moved);
        if (!isfinite (residual)) return RLS_ANOTHER_WAY;
        if (rls_penalty_judge (w, s, residual)) return RLS_DONE;

        /* Newton's step for the accelerations, with a factor of the imperfect rows */
        if (w->renew) RLS_TRY (rls_penalty_factor (w, s, &s->end, beta, NULL));
        unbalanced (s, &s->end.rows, s->next.pose, s->next.v, w->a, w->y);
        rls_rows_apply (&s->end.rows, w->multiplier, w->y);
        rls_rows_velocity (&s->end.rows, w->y, w->x);
        for (int r = 0; r < w->rows; ++r) w->x[r] = s->end.rows.residual[r] / beta - w->x[r];
        rls_factor_push (&s->end.factor, &s->end.rows, w->x, w->y);
        turn_to_body (s, s->next.pose, w->y, w->d);
        rls_mixing_step (&w->mixing, s, w->mix, w->d, w->x);

        /* the forces of the penalty become part of the multipliers */
        rls_flat_add (w->rows, 1, w->x, w->multiplier);
        moved = beta * rls_fastest (s->model.bodies, w->d);
        rls_flat_add (6 * s->model.bodies, 1, w->d[0], w->a[0]);
    }
    return moved <= RLS_LEFT_OPEN_BY_A_STEP ? RLS_DONE : RLS_ANOTHER_WAY;
}

rls_outcome rls_augmented_step (rls_penalty *w, rls_island *s, double h)
{
    const double start = s->provider.time;
    s->reactions.counted = 0;
    RLS_TRY (begin (w, s));
    w->history = 0;

    /* the end of the step, then velocities that satisfy the rows there */
    memcpy (w->a, w->a0, sizeof (*w->a) * (size_t)s->model.bodies);
    s->provider.time = start + h;
    RLS_TRY (solve (w, s, h));
    if (w->project) RLS_TRY (rls_penalty_project (w, s, 0.25 * h * h));

    /* for the next step */
    rls_penalty_end (w, s, h, &s->end);
    for (int b = 0; b < s->model.bodies; ++b) w->last_motion[b] = motion_of (s, b, s->next.v[b]);
    return RLS_DONE;
}
