/* The Runge-Kutta method on accelerations, with corrections; contract and equations in correct_rk4.h. */
#include "correct_rk4.h"
#include "integrators/nearby.h"
#include "integrators/symplectic_parts.h"

#define MOST_CLEANINGS 3 /* passes that project the velocities at the beginning */

static void lay_out (rls_rk4 *w, rls_arena_cursor *c)
{
    const size_t n = (size_t)w->bodies, rows = (size_t)w->rows;
    RLS_TAKE (c, n, w->pose, w->begin_spin, w->v, w->begin_v, w->a, w->d, w->b, w->acted, w->reaction,
              w->rate, w->sum, w->R);
    RLS_TAKE (c, rows, w->x, w->wanted, w->missing);
}

int rls_rk4_prepare (rls_rk4 *w, const rls_island *s)
{
    const int fits = RLS_FIT (w, s->model.bodies, s->begin.rows.rows, lay_out);
    if (fits == RLS_ANEW) w->regular = 0;
    return fits != 0;
}

/* Computes the embedded terms d and b from the violations at a state, by the inertia-weighted pseudo-inverse
 * M^-1 H' A^-1. */
static void embed (rls_rk4 *w, const rls_constraints *at, const double (*v)[6], double h)
{
    const rls_rows *rows = &at->rows;
    for (int r = 0; r < w->rows; ++r) w->x[r] = rows->residual[r] / h;
    memset (w->d, 0, sizeof (*w->d) * (size_t)w->bodies);
    rls_factor_enforce (&at->factor, rows, w->x, w->d);
    rls_rows_missing (rows, rows->target, v, w->x);
    for (int r = 0; r < w->rows; ++r) w->x[r] /= h;
    memset (w->b, 0, sizeof (*w->b) * (size_t)w->bodies);
    rls_factor_enforce (&at->factor, rows, w->x, w->b);
}

/* next.pose := the pose of a stage, or of the end, with normalised quaternions. */
static void set_next_pose (const rls_rk4 *w, rls_island *s)
{
    for (int b = 0; b < s->model.bodies; ++b)
    {
        s->next.pose[b] = w->pose[b];
        rls_quaternion_normalise (s->next.pose[b].q);
    }
}

/* Evaluates and factors the rows of a stage after the first, in end, in the bases of the beginning.  Returns
 * as rls_factor_rows. */
static rls_outcome factor_stage (rls_rk4 *w, rls_island *s)
{
    for (int b = 0; b < s->model.bodies; ++b)
        for (int k = 0; k < 6; ++k)
            if (!(fabs (w->v[b][k]) <= RLS_FARTHEST) || !(fabs (w->pose[b].x[k % 3]) <= HUGE_VAL))
                return RLS_FAILED;
    set_next_pose (w, s);
    return rls_island_look (s, s->next.pose) ? rls_island_factor_end (s, s->begin.factor.decision)
                                             : RLS_FAILED;
}

/* Computes the accelerations of a stage at pose and w->v.  Adds the reactions, and h times the power of the
 * forces and drives, with the weight of the stage.  Returns 0 if a value is not finite. */
static int accelerate (rls_rk4 *w, rls_island *s, const rls_constraints *at, const rls_pose *pose, double h,
                       double weight)
{
    const rls_rows *rows = &at->rows;
    const double (*v)[6] = w->v;

    /* accelerations of the free bodies, and by how much they miss those that the rows require, with
     * Baumgarte's terms */
    if (!rls_island_push (s, pose, v)) return 0;
    rls_free_accelerations (s, rows, pose, v, w->a);
    if (!rls_curvature_find (s, rows, pose, v, w->wanted)) return 0;
    rls_rows_missing (rows, rows->target, v, w->missing);
    rls_rows_missing (rows, w->wanted, w->a, w->x);
    for (int r = 0; r < w->rows; ++r)
        w->x[r] = w->x[r] + 2 * w->alpha * w->missing[r] + w->beta * w->beta * rows->residual[r];

    /* the reactions that this takes */
    memset (w->acted, 0, sizeof (*w->acted) * (size_t)s->model.bodies);
    rls_factor_push (&at->factor, rows, w->x, w->acted);
    rls_flat_add (6 * s->model.bodies, 1, w->acted[0], w->a[0]);
    rls_flat_add (6 * s->model.bodies, weight, w->acted[0], w->reaction[0]);

    /* impulses for the feedback, and the work of forces and drives */
    rls_reactions_add_times (s, at, h * weight, w->acted);
    w->work += h * weight * rls_power (s, v);
    for (int r = 0; r < w->rows; ++r) w->work += h * weight * w->x[r] * rows->target[r];
    return 1;
}

/* Computes the rates of a stage and adds them to the sums with its weight. */
static void add_rates (rls_rk4 *w, const rls_island *s, double weight)
{
    for (int b = 0; b < s->model.bodies; ++b)
    {
        double speed[6], a[6], *rate = w->rate[b];
        for (int k = 0; k < 6; ++k)
        {
            speed[k] = w->v[b][k] + (w->embedded ? w->d[b][k] : 0);
            a[k] = w->a[b][k] + (w->embedded ? w->b[b][k] : 0);
        }
        const double turn[4] = {0, 0.5 * speed[3], 0.5 * speed[4], 0.5 * speed[5]};
        memcpy (rate, speed, 3 * sizeof (double));
        rls_quaternion_product (turn, w->pose[b].q, rate + 3);
        memcpy (rate + 7, a, 3 * sizeof (double));
        rls_multiply_transposed (w->R[b], a + 3, rate + 10);
        for (int k = 0; k < 13; ++k) w->sum[b][k] += weight * rate[k];
    }
}

/* w->R := body axes to world at w->pose. */
static void find_axes (rls_rk4 *w, rls_island *s)
{
    rls_island_turn (s, w->pose);
    memcpy (w->R, s->scratch.R, sizeof (*w->R) * (size_t)w->bodies);
}

/* pose and v := those of the beginning, advanced by h with these rates.  Bodies that cannot be pushed keep
 * their velocity. */
static void advance (rls_rk4 *w, rls_island *s, double h, const double (*rate)[13])
{
    for (int b = 0; b < s->model.bodies; ++b)
    {
        for (int k = 0; k < 3; ++k) w->pose[b].x[k] = s->state.pose[b].x[k] + h * rate[b][k];
        for (int k = 0; k < 4; ++k) w->pose[b].q[k] = s->state.pose[b].q[k] + h * rate[b][3 + k];
    }
    find_axes (w, s);
    for (int b = 0; b < s->model.bodies; ++b)
    {
        double spin[3];
        if (!s->model.movable[b]) continue;
        for (int k = 0; k < 3; ++k)
        {
            w->v[b][k] = w->begin_v[b][k] + h * rate[b][7 + k];
            spin[k] = w->begin_spin[b][k] + h * rate[b][10 + k];
        }
        rls_multiply (w->R[b], spin, w->v[b] + 3);
    }
}

/* Sets begin_v to the velocities of the beginning; if the program has set some that violate the rows, and
 * consistent is set, to their projection.  Accelerations found with velocities that violate rows would depend
 * on which of several dependent rows are left out. */
static void begin_consistent (rls_rk4 *w, rls_island *s)
{
    memcpy (w->begin_v, s->state.v, sizeof (*s->state.v) * (size_t)s->model.bodies);
    if (!w->consistent) return;
    const double (*v)[6] = w->begin_v;
    const double allowed = RLS_SEEN * (1 + rls_fastest (s->model.bodies, v));
    for (int i = 0; i < MOST_CLEANINGS && rls_velocity_residual (&s->begin, v, w->x) > allowed; ++i)
        rls_enforce (&s->begin.factor, &s->begin.rows, s->begin.rows.target, w->x, w->begin_v);
    rls_reactions_add (s, &s->begin, s->state.v, v);
}

/* For a first step from rest: returns RLS_ANOTHER_WAY if no motion begins with the accelerations found, which
 * means that the pose is singular although the rank has not shown it; else RLS_DONE, or another failure. */
static rls_outcome check_start (rls_rk4 *w, rls_island *s)
{
    const size_t size = sizeof (*w->acted) * (size_t)s->model.bodies;
    if (!rls_nearby_is_slow (s, w->begin_v)) return RLS_DONE;
    memcpy (w->acted, w->a, size);
    const rls_outcome done = rls_branch_velocity_fit (s, w->acted, 1);
    if (done == RLS_DONE) return memcmp (w->acted, w->a, size) != 0 ? RLS_ANOTHER_WAY : RLS_DONE;
    return done == RLS_ANOTHER_WAY ? RLS_DONE : done;
}

rls_outcome rls_rk4_step (rls_rk4 *w, rls_island *s, double h)
{
    static const double part[4] = {0, 0.5, 0.5, 1}, weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    const size_t n = (size_t)s->model.bodies;
    const double start = s->provider.time;

    /* the step is refused at a singular configuration, unless it is to go through: where the rank is lower
     * than the most rows that have been kept with pivots that leave no doubt */
    const rls_factor *start_factor = &s->begin.factor;
    const int unknown = w->regular == 0;
    int here = 0;
    for (int r = 0; r < w->rows; ++r)
        here += start_factor->decision[r] != RLS_REDUNDANT && start_factor->relative[r] > RLS_SMALL_PIVOT;
    if (here > w->regular) w->regular = here;
    if (!w->through && start_factor->rank < w->regular) return RLS_ANOTHER_WAY;

    /* the beginning, with velocities that satisfy the rows */
    memcpy (w->pose, s->state.pose, sizeof (*s->state.pose) * n);
    memset (w->sum, 0, sizeof (*w->sum) * n);
    memset (w->reaction, 0, sizeof (*w->reaction) * n);
    w->work = 0;
    rls_reactions_begin (s);
    rls_island_inverse_inertia (s, s->state.pose, &s->begin.rows);
    begin_consistent (w, s);
    w->taken = rls_energy_taken (s, s->state.pose, w->begin_v);
    memcpy (w->v, w->begin_v, sizeof (*w->v) * n);
    find_axes (w, s);
    for (int b = 0; b < s->model.bodies; ++b)
        rls_multiply_transposed (w->R[b], w->begin_v[b] + 3, w->begin_spin[b]);

    /* the four stages, each with rows and factor of its own */
    for (int stage = 0; stage < 4; ++stage)
    {
        const int first = stage == 0;
        const rls_constraints *at = first ? &s->begin : &s->end;
        s->provider.time = start + part[stage] * h;
        if (!first)
        {
            advance (w, s, part[stage] * h, w->rate);
            RLS_TRY (factor_stage (w, s));

            /* close to a singular configuration the rank is lower than at the beginning, or the least pivot,
             * whose root is a distance from it, is small and would vanish within some steps */
            const rls_factor *factor = &at->factor;
            const double least = fmin (start_factor->gap, factor->gap),
                         most = fmax (start_factor->gap, factor->gap);
            if (!w->through && (factor->rank < start_factor->rank ||
                                (least < RLS_DOUBTFUL_PIVOT && least < RLS_PIVOT_CHANGING * most)))
                return RLS_ANOTHER_WAY;
        }
        if (w->embedded && (first || w->each_stage))
        {
            embed (w, at, w->v, h);
            rls_reactions_add_times (s, at, w->each_stage ? h * weight[stage] : h, w->b);
        }
        if (!accelerate (w, s, at, first ? s->state.pose : s->next.pose, h, weight[stage])) return RLS_FAILED;
        const rls_outcome done = first && unknown && !w->through ? check_start (w, s) : RLS_DONE;
        if (done != RLS_DONE)
        {
            w->regular = 0;
            return done;
        }
        add_rates (w, s, weight[stage]);
    }

    /* the end, by their weighted sum */
    advance (w, s, h, w->sum);
    set_next_pose (w, s);
    memcpy (s->next.v, w->v, sizeof (*s->state.v) * n);
    s->provider.time = start + h;

    /* for the feedback, reactions act along the rows of the beginning */
    s->reactions.at = &s->begin;
    s->reactions.change = w->reaction;
    s->reactions.part = 1;
    s->valid.end_exact = 0;
    return RLS_DONE;
}
