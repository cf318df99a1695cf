/*
 * Bounded rows by an interior-point method in body space.
 *
 * With w = J v + R p - c (softness R, target c) and M (v - start) = J' p the rows want
 *
 *     limits, motors, normals    w = z_low - z_high,   s_low = p - lo,         s_high = hi - p
 *     friction f of normal n     w = z_low - z_high,   s_low = mu p_n + p_f,   s_high = mu p_n - p_f
 *     all bounds                 s >= 0,  z >= 0,  s z = 0
 *
 * ODE's friction pyramid with the present normal impulse.  Newton's method is applied to the same with
 * s z = t / D, D the row's inverse effective mass: sqrt (t) is then a velocity, the same for light and heavy
 * bodies.  t goes to zero by Mehrotra's predictor and corrector (On the implementation of a primal-dual
 * interior point method, 1992).  Eliminating s, z and p joint by joint leaves
 *
 *     (M + sum of weight J' J) dv = force
 *
 * with the bilateral rows among them at a weight that is as good as hard.
 *
 * Coulomb friction is no minimisation: mu times the normal's impulse bounds friction, while what friction
 * does is not the normal's business.  So Newton's matrix is not symmetric, and it is factored as it is (J on
 * the left stands for the directions along which impulses act, those of friction at its bound added to the
 * normal's).  A symmetric form (de Saxce & Feng's bipotential, 1998) needs the sliding speeds, which are then
 * iterated; where sliding bodies are jammed that does not converge, and this does.
 *
 * A proximal term, tiny against D and centred at the present impulses, keeps redundant contacts apart; it
 * does not change the answer.  The number of factorisations does not depend on how many rows change sides,
 * so contacts may come and go; active-set methods paid dearly for that (5 to 10 times as many).
 *
 * Nothing guarantees that Newton's steps are long here.  After a short one the iteration goes on from the
 * centre, and the fourth time from where Gauss-Seidel takes the best impulses.  There may be no answer at
 * all, or none without enormous impulses: a driven joint that presses a box against a wall.
 */
#include "bounded_work.h"
#include "tolerances.h"
#include <math.h>
#include <string.h>

#define STUCK 4 /* every so many short steps to somewhere else */

static void factor_matrix (const rls_bounded *b, struct rls_bounded_work *work)
{
    rls_body_space_restore (&work->space, 1);
    rls_barrier_eliminate (b, &work->interior, &work->space);
    rls_body_space_factor (&work->space);
    ++work->factorisations;
}

/* One solution of the Newton equations: dv, and what it means. */
static rls_step find_step (const rls_island *island, struct rls_bounded_work *work, rls_aim aim)
{
    rls_interior *in = &work->interior;
    memcpy (in->dv, in->base, sizeof (*in->dv) * (size_t)island->model.bodies);
    rls_barrier_push (&island->begin.bounded, in, &aim, in->dv);
    rls_body_space_solve (&work->space, in->dv);
    return rls_barrier_pull (&island->begin.bounded, in, (const double (*)[6])in->dv);
}

/* Predictor and corrector. */
static rls_step find_corrected_step (const rls_island *island, struct rls_bounded_work *work,
                                     double tolerance)
{
    const rls_interior *in = &work->interior;
    const rls_step step = find_step (island, work, (rls_aim){RLS_AIM_STRAIGHT, 0});
    const double ratio = rls_barrier_mean (in, &step, step.whole) / in->t;
    const double least = RLS_SMALL_PART * tolerance * RLS_SMALL_PART * tolerance;
    const double t = fmax (in->t * fmax (ratio * ratio * ratio, RLS_LEAST_CENTRING), least);
    return find_step (island, work, (rls_aim){RLS_AIM_SECOND, t});
}

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

/* The residual of the rounded iterate, with the bilateral rows satisfied exactly beside it. */
static rls_bounded_residual measure (const rls_island *island, struct rls_bounded_work *work)
{
    const rls_bounded *b = &island->begin.bounded;
    rls_barrier_round (b, &work->interior, work->trial_p);
    memcpy (work->bilateral_trial, island->reactions.p, sizeof (double) * (size_t)island->begin.rows.rows);
    rls_bounded_complete (island, work, work->trial_p, work->bilateral_trial, work->trial);
    return rls_bounded_measure (b, work->diagonal, work->trial_p, (const double (*)[6])work->trial);
}

/* The residual that is good enough after so many iterations. */
static double enough (const struct rls_bounded_work *work, double asked, int iterations)
{
    double limit = fmax (asked, RLS_GOOD_SHARE * work->cold);
    for (int i = work->leniency.patience; i < iterations; ++i) limit *= 10;
    return fmax (asked, fmin (limit, work->leniency.worst * work->cold));
}

/* The centre of the barrier t at the impulses b->p and island->p and their velocities v. */
static void start (const rls_island *island, struct rls_bounded_work *work, double t, double (*v)[6])
{
    rls_newton_velocities (island, work, (const double (*)[6])v);
    rls_barrier_start (&island->begin.bounded, &work->interior);
    rls_barrier_centre (&island->begin.bounded, &work->interior, t);
}

/* The same somewhere else: where sweeps take the best impulses. */
static void start_anew (rls_island *island, struct rls_bounded_work *work, double (*v)[6])
{
    rls_bounded *b = &island->begin.bounded;
    memcpy (b->p, work->best_p, sizeof (double) * (size_t)b->rows);
    rls_bounded_complete (island, work, b->p, island->reactions.p, v);
    const rls_bounded_residual now = rls_bounded_improve (island, work, work->best, 1, v);
    work->standing = 0;
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
        factor_matrix (b, work);
        rls_newton_base (island, work, (const double (*)[6])v);
        const rls_step step = find_corrected_step (island, work, asked);
        const double before = in->t, x = take_step (island, work, &step, v);
        if (!(in->t < HUGE_VAL)) return; /* not a number: what was best stays */

        /* iterates are worth measuring near the end */
        work->tolerance = enough (work, asked, i);
        if (sqrt (in->t) <= (work->at_rest ? RLS_GOOD_START : 1) * work->tolerance || i == iterations)
        {
            const rls_bounded_residual now = measure (island, work);
            rls_bounded_offer (work, work->trial_p, &now);
            if (now.velocity <= work->tolerance) return;
        }

        /* a short step is stuck at a bound: on from the centre, or from somewhere else */
        if (x >= RLS_SMALL_PART) continue;
        if (++stuck % STUCK == 0)
            start_anew (island, work, v);
        else
            rls_barrier_centre (b, in, RLS_RECENTRED * before);
        if (work->best.velocity <= work->tolerance) return;
    }
}
