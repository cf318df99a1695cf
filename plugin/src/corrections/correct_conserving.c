/*
 * The energy-conserving augmented Lagrangian formulation (Dopico et al., section 4), alone or with a
 * projection of the velocities; contract in correct_penalty.h.
 *
 *     v1 = v0 + h M^-1 Q + M^-1 D' p,         q1 = q0 advanced by (h/2) (v0 + v1) = q0 + d,     e (q1) = 0
 *
 * D is a discrete derivative of the constraints (Gonzalez 1996): the rows half way between both ends, changed
 * along the displacement d of each joint's bodies such that D d is exactly the change of the constraint's
 * value.  Reactions then do no work over the step, and the kinetic energy changes by exactly Q' d, whatever
 * the length of the step.  A body turns by the Cayley map of the mean of its angular velocities, and its
 * angular momentum is balanced in world axes (Simo & Wong 1991).  The multipliers come from a penalty and are
 * added up until the positions are closed; q1 does not depend on the penalty.
 *
 * Forces by a callback are evaluated half way; their work is exact only to the order of the rule.
 * Nonholonomic rows hold the displacement d along their direction half way.  The velocities satisfy the rows
 * on average over a step, not at its ends, unless they are projected; the projection takes a little energy
 * out of every step.
 */
#include "correct_penalty.h"
#include "integrators/accelerate.h"
#include "integrators/reactions.h"

#define MOST_ITERATIONS 30
#define MOST_PIECES 16 /* into which a step with stiff forces is divided */
#define SWEEPS 3       /* see correct () */

/* Computes the displacement d of the step and next.pose from the velocities at both ends.  Returns 0 if rows
 * cannot be evaluated so far away. */
static int integrate (rls_penalty *w, rls_island *s, double h)
{
    for (int b = 0; b < s->model.bodies; ++b)
    {
        double R0[9], R1[9], w0[3], w1[3], mean[3];

        /* angular velocities in body axes; that at the end by the rotation of the last iterate */
        rls_quaternion_matrix (s->state.pose[b].q, R0);
        rls_quaternion_matrix (s->next.pose[b].q, R1);
        rls_multiply_transposed (R0, s->state.v[b] + 3, w0);
        rls_multiply_transposed (R1, s->next.v[b] + 3, w1);
        for (int k = 0; k < 3; ++k)
        {
            w->d[b][k] = 0.5 * h * (s->state.v[b][k] + s->next.v[b][k]);
            s->next.pose[b].x[k] = s->state.pose[b].x[k] + w->d[b][k];
            mean[k] = 0.5 * (w0[k] + w1[k]);
        }
        rls_cayley_turn (s->state.pose[b].q, h, mean, s->next.pose[b].q);
        rls_quaternion_matrix (s->next.pose[b].q, R1);
        rls_multiply (R1, w1, s->next.v[b] + 3);
        rls_multiply (R0, mean, w->d[b] + 3);
        for (int k = 3; k < 6; ++k) w->d[b][k] *= h;
    }
    return h * rls_fastest (s->model.bodies, s->next.v) <= RLS_FARTHEST;
}

/*
 * Turns the rows half way into a discrete derivative: J + (change - J d) (M d)' / (d' M d), with the change
 * e0 - e1 of what the constraint measures.  What is added is of third order in the motion.
 */
static void differentiate (rls_penalty *w, const rls_island *s, const rls_pose *middle)
{
    for (int j = 0; j < w->middle.rows.joints; ++j)
    {
        double momentum[12] = {0}, work = 0, size = 0;
        if (rls_is_wide (&w->middle.rows, j)) continue;

        /* M d of the joint's two bodies */
        for (int side = 0; side < 2; ++side)
        {
            const int b = s->mechanism.body[j][side];
            double I[9];
            if (b < 0 || !s->model.movable[b]) continue;
            rls_rotate_tensor (middle[b].q, s->model.inertia[b], I);
            for (int k = 0; k < 3; ++k) momentum[6 * side + k] = s->model.mass[b] * w->d[b][k];
            rls_multiply (I, w->d[b] + 3, momentum + 6 * side + 3);
            work += rls_dot6 (momentum + 6 * side, w->d[b]);
            size += rls_dot6 (w->d[b], w->d[b]);
        }

        /* add a multiple of it to each row, unless the motion is so small that the third order is rounding,
         * or the row is driven and does work anyway */
        if (!(work > 0 && size > RLS_RESOLVED * RLS_RESOLVED)) continue;
        for (int r = s->mechanism.row0[j]; r < s->mechanism.row0[j + 1]; ++r)
        {
            double missing = s->begin.rows.residual[r] - s->end.rows.residual[r];
            if (w->middle.rows.target[r] != 0) continue;
            for (int side = 0; side < 2; ++side)
            {
                const int b = s->mechanism.body[j][side];
                if (b >= 0) missing -= rls_dot6 (w->middle.rows.J[r] + 6 * side, w->d[b]);
            }
            for (int k = 0; k < 12; ++k) w->middle.rows.J[r][k] += missing / work * momentum[k];
        }
    }
}

/* Evaluates rows and forces half way; the rows go into middle.  Returns 0 if a value is not finite. */
static int evaluate_half_way (rls_penalty *w, rls_island *s, double h, double start)
{
    /* the poses half way between beginning and end */
    rls_pose *middle = s->scratch.predicted;
    for (int b = 0; b < s->model.bodies; ++b)
    {
        const double *q0 = s->state.pose[b].q, *q1 = s->next.pose[b].q;
        const double along = q0[0] * q1[0] + q0[1] * q1[1] + q0[2] * q1[2] + q0[3] * q1[3];
        for (int k = 0; k < 3; ++k) middle[b].x[k] = 0.5 * (s->state.pose[b].x[k] + s->next.pose[b].x[k]);
        for (int k = 0; k < 4; ++k) middle[b].q[k] = q0[k] + (along < 0 ? -q1[k] : q1[k]);
        rls_quaternion_normalise (middle[b].q);
    }

    /* rows and forces */
    s->provider.time = start + 0.5 * h;
    if (!s->provider.rows (s, middle)) return 0;
    rls_island_align (s);
    rls_rows_copy (&s->end.rows, &w->middle.rows);
    rls_rows_spell (&w->middle.rows);
    rls_flat_blend (6 * s->model.bodies, 0.5, s->state.v[0], 0.5, s->next.v[0], w->y[0]);
    return rls_island_push (s, middle, w->y);
}

/* Evaluates the rows at the end, in end.rows, and makes the discrete derivative of the rows half way.
 * Returns 0 if a value is not finite. */
static int evaluate_end (rls_penalty *w, rls_island *s, double h, double start)
{
    s->provider.time = start + h;
    if (!s->provider.rows (s, s->next.pose)) return 0;
    rls_island_align (s);

    /* nonholonomic rows have no position; they hold the displacement along their direction half way, so that
     * their reactions do no work either */
    rls_rows_velocity (&w->middle.rows, w->d, w->x);
    for (int r = 0; r < w->rows; ++r)
        if (s->mechanism.velocity_level[r] == RLS_VELOCITY_LEVEL_ALWAYS)
            s->end.rows.residual[r] = h * w->middle.rows.target[r] - w->x[r];
    differentiate (w, s, s->scratch.predicted);
    rls_island_inverse_inertia (s, s->scratch.predicted, &w->middle.rows);
    return 1;
}

/* y := the velocities at the end that the balance of momentum gives with the present multipliers, less
 * next.v. */
static void unbalanced (rls_penalty *w, const rls_island *s, double h)
{
    memset (w->y, 0, sizeof (*w->y) * (size_t)s->model.bodies);
    rls_rows_force (&w->middle.rows, w->multiplier, w->y);
    for (int b = 0; b < s->model.bodies; ++b)
    {
        double impulse[6], L[3], momentum[3];

        /* bodies that cannot be pushed have no balance */
        if (!s->model.movable[b])
        {
            memset (w->y[b], 0, sizeof (*w->y));
            continue;
        }

        /* linear momentum */
        for (int k = 0; k < 6; ++k) impulse[k] = h * (s->applied.force[b][k] + w->y[b][k]);
        for (int k = 0; k < 3; ++k)
            w->y[b][k] = s->state.v[b][k] + impulse[k] / s->model.mass[b] - s->next.v[b][k];

        /* angular momentum is constant in world axes, while the inertia turns with the body */
        if (s->model.gyroscopic[b])
        {
            double R[9];
            rls_body_momentum (s->model.inertia[b], &s->state.pose[b], s->state.v[b], R, momentum, L);
            rls_multiply (R, L, momentum);
            for (int k = 0; k < 3; ++k) momentum[k] += impulse[3 + k];
            rls_quaternion_matrix (s->next.pose[b].q, R);
            rls_multiply_transposed (R, momentum, L);
            rls_multiply (s->model.inverse_inertia[b], L, momentum);
            rls_multiply (R, momentum, w->y[b] + 3);
        }
        else
        {
            rls_multiply (w->middle.rows.W[b], impulse + 3, w->y[b] + 3);
            for (int k = 0; k < 3; ++k) w->y[b][3 + k] += s->state.v[b][3 + k];
        }
        for (int k = 3; k < 6; ++k) w->y[b][k] -= s->next.v[b][k];
    }
}

/* The first iterate: poses and velocities as they are, and the multipliers of the last step.  Multipliers of
 * rows that are redundant now are replaced by equivalent ones of the rows that imply them, so that the result
 * does not depend on which rows were redundant in the last step. */
static void guess (rls_penalty *w, rls_island *s)
{
    const unsigned char *decision = s->begin.factor.decision;
    rls_motion_copy (s->model.bodies, &s->state, &s->next);
    for (int r = 0; r < w->rows; ++r)
    {
        w->x[r] = decision[r] == RLS_REDUNDANT ? w->multiplier[r] : 0;
        w->multiplier[r] -= w->x[r];
    }
    rls_rows_delassus (&s->begin.rows, w->x, w->y, w->x);
    rls_factor_solve (&s->begin.factor, &s->begin.rows, w->x);
    for (int r = 0; r < w->rows; ++r)
        if (decision[r] != RLS_REDUNDANT) w->multiplier[r] += w->x[r];
}

/*
 * Newton's step for multipliers and velocities from the residuals at the end.  Multipliers act along the rows
 * half way, but what has to vanish are residuals along the rows at the end; a few sweeps on the linear
 * problem remove the difference before rows are evaluated again.  Returns by how much the bodies are moved (m
 * or rad).
 */
static double correct (rls_penalty *w, rls_island *s, double h)
{
    double *change = w->wanted;
    unbalanced (w, s, h);
    for (int r = 0; r < w->rows; ++r) change[r] = 0;
    for (int sweep = 0; sweep < SWEEPS; ++sweep)
    {
        rls_rows_velocity (&s->end.rows, w->y, w->x);
        for (int r = 0; r < w->rows; ++r) w->x[r] = 2 / h * s->end.rows.residual[r] - w->x[r];
        rls_factor_push (&w->middle.factor, &w->middle.rows, w->x, w->y);
        rls_flat_add (w->rows, 1, w->x, change);
    }
    rls_mixing_step (&w->mixing, s, w->mix, w->y, change);
    for (int r = 0; r < w->rows; ++r) w->multiplier[r] += change[r] / h;
    rls_flat_add (6 * s->model.bodies, 1, w->y[0], s->next.v[0]);
    return 0.5 * h * rls_fastest (s->model.bodies, w->y);
}

/* Finds velocities and multipliers of a step of h that begins at the time start.  Returns RLS_DONE,
 * RLS_NO_MEMORY, RLS_FAILED, or RLS_ANOTHER_WAY if the iteration does not converge: near a singular
 * configuration the rows half way and those at the end may have opposite signs along the direction in which
 * they lose rank. */
static rls_outcome iterate (rls_penalty *w, rls_island *s, double h, double start)
{
    double best = HUGE_VAL, moved = 0;
    guess (w, s);
    rls_penalty_iterate (w);
    while (w->pass < MOST_ITERATIONS)
    {
        ++s->account.iterations;

        /* the end of the step with the present velocities, and the residual of the rows there */
        if (!integrate (w, s, h)) return w->pass == 0 ? RLS_FAILED : RLS_ANOTHER_WAY;
        if (!evaluate_half_way (w, s, h, start) || !evaluate_end (w, s, h, start)) return RLS_FAILED;
        s->account.projection_residual =
            rls_flat_largest_kept (w->rows, s->end.rows.residual, s->begin.factor.decision);
        const double residual = fmax (s->account.projection_residual, moved);
        if (!isfinite (residual) || residual > RLS_DIVERGED * RLS_DIVERGED * best) return RLS_ANOTHER_WAY;
        best = fmin (best, w->pass > 0 ? residual : HUGE_VAL);
        if (rls_penalty_judge (w, s, residual)) return RLS_DONE;

        /* the next iterate */
        if (w->renew) RLS_TRY (rls_penalty_factor (w, s, &w->middle, 0.5 * h * h, s->begin.factor.decision));
        moved = correct (w, s, h);
    }
    return best <= RLS_LEFT_OPEN_BY_A_STEP ? RLS_DONE : RLS_ANOTHER_WAY;
}

/* Takes one piece of the step, from the present state; returns as iterate. */
static rls_outcome take_piece (rls_penalty *w, rls_island *s, double h, double start)
{
    rls_penalty_begin (w, s);
    RLS_TRY (iterate (w, s, h, start));
    for (int r = 0; r < w->rows; ++r) w->x[r] = h * w->multiplier[r];
    rls_reactions_add_impulses (s, &w->middle.factor, &w->middle.rows, w->x);
    if (!w->project) return RLS_DONE;
    rls_island_inverse_inertia (s, s->next.pose, &s->end.rows);
    return rls_penalty_project (w, s, 0.5 * h * h);
}

/* Takes the step in equal pieces, each from the end of the last one.  Rank decisions are those of the
 * beginning.  Returns as iterate. */
static rls_outcome take_pieces (rls_penalty *w, rls_island *s, double h, double start, int pieces)
{
    rls_outcome done = RLS_DONE;
    rls_reactions_begin (s);
    for (int i = 0; i < pieces && done == RLS_DONE; ++i)
    {
        if (i > 0)
        {
            rls_motion_copy (s->model.bodies, &s->next, &s->state);
            rls_island_swap_rows (s);
            rls_island_inverse_inertia (s, s->state.pose, &s->begin.rows);
        }
        done = take_piece (w, s, h / pieces, start + i * h / pieces);
        w->history = 0;
        if (done == RLS_DONE) rls_penalty_end (w, s, h, &w->middle);
    }
    return done;
}

rls_outcome rls_conserving_step (rls_penalty *w, rls_island *s, double h)
{
    const double start = s->provider.time;
    const int follows = s->provider.forces != NULL;
    rls_outcome done = take_pieces (w, s, h, start, 1);

    /* If forces of the program are too stiff for the step it does not converge; then it is taken in 2, 4, ...
     * pieces, which conserve energy as the whole step does. */
    if (follows && done == RLS_ANOTHER_WAY)
    {
        rls_motion_copy (s->model.bodies, &s->state, &w->first_state);
        rls_rows_copy (&s->begin.rows, &w->first);
        for (int pieces = 2; pieces <= MOST_PIECES && done == RLS_ANOTHER_WAY; pieces *= 2)
        {
            ++s->account.fallbacks;
            done = take_pieces (w, s, h, start, pieces);
            rls_motion_copy (s->model.bodies, &w->first_state, &s->state);
            rls_rows_copy (&w->first, &s->begin.rows);
            rls_island_inverse_inertia (s, s->state.pose, &s->begin.rows);
        }
    }
    s->provider.time = start + h;
    return done;
}
