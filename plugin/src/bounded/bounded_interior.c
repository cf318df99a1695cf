/*
 * The bounded rows by an interior-point method on the velocities of the bodies.
 *
 * With w = J v + R p - c (softness R, target c) and M (v - start) = J' p the problem is
 *
 *     limits, motors, normals    w = z_low - z_high,   s_low = p - lo,         s_high = hi - p
 *     friction f of normal n     w = z_low - z_high,   s_low = mu p_n + p_f,   s_high = mu p_n - p_f
 *     all bounds                 s >= 0,  z >= 0,  s z = 0
 *
 * with slacks s and duals z; friction is ODE's pyramid about the present normal impulse.  Newton's method is
 * applied to the same equations with s z = t / D, where D is the row's inverse effective mass, so that the
 * barrier sqrt (t) is a velocity, the same for light and heavy bodies.  t goes to zero by Mehrotra's
 * predictor and corrector (On the implementation of a primal-dual interior point method, 1992).  Elimination
 * of s, z and p joint by joint leaves a linear system in the change of the bodies' velocities,
 *
 *     (M + sum of weight G' J) dv = force
 *
 * which contains the bilateral rows with a weight that makes them as good as hard.
 *
 * Coulomb friction is no minimisation: the normal impulse bounds friction, but friction has no effect on the
 * condition of the normal.  So the matrix is not symmetric, and it is factored as it is: G are the directions
 * along which impulses act, those of a normal with its sliding friction added.  A symmetric form (de Saxce &
 * Feng's bipotential, 1998) needs the sliding speeds, which are then iterated; this does not converge where
 * sliding bodies are jammed, and Newton's method for the unsymmetric form does.
 *
 * A proximal term, tiny beside D and centred at the present impulses, keeps redundant contacts apart without
 * changing the answer.  The number of factorisations does not depend on how many rows change between free and
 * bounded, so contacts may come and go; active-set methods took 5 to 10 times as many.
 *
 * Nothing guarantees that Newton's steps are long.  After a short one the iteration continues from the
 * central path; every fourth time it starts again from where a Gauss-Seidel sweep takes the best impulses.  A
 * problem may have no answer, or none without enormous impulses: a motor that presses a box against a wall.
 */
#include "bounded_work.h"

#define STUCK 4             /* short steps after which the iteration starts from other impulses */
#define PATIENCE 6          /* iterations after which the answer may be rougher, */
#define PATIENCE_AT_REST 10 /* and at rest */

/* Forms and factors K with the present weights of the bounded rows. */
static void factor_matrix (const rls_island *island, struct rls_bounded_work *work)
{
    rls_body_space *space = &island->bounded_kept->space;
    rls_body_space_restore (space);
    rls_barrier_eliminate (island, &work->interior, space);
    rls_body_space_factor (space);
    ++work->factorisations;
}

/* Solves Newton's equations for a step to the barrier t.  Leaves the change of velocities in in->dv and
 * returns what the step does to slacks and duals. */
static rls_step find_step (const rls_island *island, struct rls_bounded_work *work, double t)
{
    rls_interior *in = &work->interior;
    memcpy (in->dv, in->base, sizeof (*in->dv) * (size_t)island->model.bodies);
    rls_barrier_push (work, &island->begin.bounded, t, in->dv);
    rls_body_space_solve (&island->bounded_kept->space, in->dv);
    return rls_barrier_pull (work, &island->begin.bounded, in->dv);
}

/* The predictor shows how far the barrier can be lowered; the corrector aims there, with the second-order
 * term of the predictor.  tolerance (m/s): no lower than a part of that is worth while. */
static rls_step find_corrected_step (const rls_island *island, struct rls_bounded_work *work,
                                     double tolerance)
{
    const rls_interior *in = &work->interior;
    const rls_step step = find_step (island, work, 0);
    const double ratio = rls_barrier_mean (in, &step, step.whole) / in->t;
    const double least = RLS_SMALL_PART * tolerance * RLS_SMALL_PART * tolerance;
    const double t = fmax (in->t * fmax (ratio * ratio * ratio, RLS_LEAST_CENTRING), least);
    return find_step (island, work, t);
}

/* Takes the step, or the part of it that keeps slacks and duals positive.  Returns the fraction taken. */
static double take_step (rls_island *island, struct rls_bounded_work *work, const rls_step *step,
                         double (*v)[6])
{
    rls_interior *in = &work->interior;
    const double x = step->whole < 1 ? RLS_TO_THE_BOUNDARY * step->whole : 1;
    rls_barrier_take (&island->begin.bounded, in, step, x);
    rls_newton_bilateral (island, work, x);
    for (int i = 0; i < island->model.bodies; ++i)
        for (int k = 0; k < 6; ++k) v[i][k] += x * in->dv[i][k];
    return x;
}

/* The residual of the iterate with impulses of active bounds put there exactly (trial_p), and the bilateral
 * rows satisfied beside them. */
static rls_bounded_residual measure (const rls_island *island, struct rls_bounded_work *work)
{
    const rls_bounded *b = &island->begin.bounded;
    rls_barrier_round (b, &work->interior, work->trial_p);
    memcpy (work->bilateral_trial, island->reactions.p, sizeof (double) * (size_t)island->begin.rows.rows);
    rls_bounded_complete (island, work, work->trial_p, work->bilateral_trial, work->trial);
    return rls_bounded_measure (b, work->diagonal, work->trial_p, work->trial);
}

/* The residual (m/s) that is good enough after so many iterations: it grows ten times with each one beyond
 * the patience, up to a hundredth of that without impulses. */
static double enough (const struct rls_bounded_work *work, double asked, int iterations)
{
    double limit = fmax (asked, RLS_GOOD_SHARE * work->cold);
    for (int i = work->at_rest ? PATIENCE_AT_REST : PATIENCE; i < iterations; ++i) limit *= 10;
    return fmax (asked, fmin (limit, RLS_LITTLE * work->cold));
}

/* Starts on the central path of the barrier t, at the impulses b->p and island->reactions.p with their
 * velocities v. */
static void start (const rls_island *island, struct rls_bounded_work *work, double t, double (*v)[6])
{
    rls_newton_velocities (island, work, v);
    rls_barrier_centre (&island->begin.bounded, &work->interior, t);
}

/* Starts from other impulses: those to which a sweep takes the best ones. */
static void start_anew (rls_island *island, struct rls_bounded_work *work, double (*v)[6])
{
    rls_bounded *b = &island->begin.bounded;
    memcpy (b->p, work->best_p, sizeof (double) * (size_t)b->rows);
    rls_bounded_complete (island, work, b->p, island->reactions.p, v);
    const rls_bounded_residual now = rls_bounded_improve (island, work, work->best, 1, v);
    work->holds_best = 0;
    start (island, work, RLS_REOPENED * now.velocity * RLS_REOPENED * now.velocity, v);
}

void rls_interior_solve (rls_island *island, struct rls_bounded_work *work, double t, int iterations,
                         double (*v)[6])
{
    rls_bounded *b = &island->begin.bounded;
    rls_interior *in = &work->interior;
    const double asked = work->tolerance;
    int stuck = 0;
    start (island, work, t, v);
    memcpy (work->trial_p, b->p, sizeof (double) * (size_t)b->rows);
    for (int i = 1; i <= iterations; ++i)
    {
        /* a step of predictor and corrector */
        factor_matrix (island, work);
        rls_newton_base (island, work, v);
        const rls_step step = find_corrected_step (island, work, asked);
        const double before = in->t, x = take_step (island, work, &step, v);
        if (!(in->t < HUGE_VAL)) return; /* overflow: the best iterate stays */

        /* measuring costs a solve of the joints, so only iterates with a small barrier are measured */
        work->tolerance = enough (work, asked, i);
        if (sqrt (in->t) <= (work->at_rest ? RLS_GOOD_START : 1) * work->tolerance || i == iterations)
        {
            const rls_bounded_residual now = measure (island, work);
            rls_bounded_offer (work, work->trial_p, &now);
            if (now.velocity <= work->tolerance) return;
        }

        /* after a short step, which a bound has stopped, back to the central path or to other impulses */
        if (x >= RLS_SMALL_PART) continue;
        if (++stuck % STUCK == 0)
            start_anew (island, work, v);
        else
            rls_barrier_centre (b, in, RLS_RECENTRED * before);
        if (work->best.velocity <= work->tolerance) return;
    }
}
