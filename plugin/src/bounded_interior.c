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
 * Coulomb friction is no minimisation, its exact Newton matrix not symmetric.  The normal's equation is
 * therefore written  w_n + sum of mu |w_f| = sum of mu (z_low + z_high)  (de Saxce & Feng's bipotential,
 * 1998), which is symmetric but for the sliding speeds |w_f| on its left; those are iterated
 * (bounded_slip.c).
 *
 * A proximal term, tiny against D and centred at the present impulses, keeps redundant contacts apart; it
 * does not change the answer.  The number of factorisations does not depend on how many rows change sides,
 * so contacts may come and go; active-set methods paid dearly for that (5 to 10 times as many).
 */
#include "bounded_work.h"
#include <math.h>
#include <string.h>

#define BOUNDARY 0.995 /* of the way to the boundary is gone */
#define LEAST_CENTRING 1e-4
#define GOAL 0.1           /* sqrt (t) at the end, of the tolerance */
#define SLIP_TOLERANCE 1.0 /* of sqrt (t): how exact sliding speeds have to be, and */
#define LEAST_SLIP 0.1     /* of the tolerance */
#define MEASURE_FROM 10.0  /* tolerances: sqrt (t) from which iterates are measured; and */
/* After so many iterations each makes ten times more of the residual without impulses good enough. */
#define PATIENCE 6
#define PATIENCE_AT_REST 16
#define IMPATIENT 1e-5
#define WORST_GOOD 1e-2 /* of that residual: more is never good enough */

static void factor_matrix (const rls_bounded *b, struct rls_bounded_work *work)
{
    rls_body_space_restore (&work->space);
    rls_barrier_eliminate (b, &work->interior, &work->space);
    rls_body_space_factor (&work->space);
    ++work->factorisations;
}

/* One solution of the Newton equations: dv, and what it means. */
static rls_step find_step (const rls_island *island, struct rls_bounded_work *work, double t, int aim)
{
    rls_interior *in = &work->interior;
    memcpy (in->dv, in->base, sizeof (*in->dv) * (size_t)island->bodies);
    rls_barrier_push (&island->bounded, in, t, aim, in->dv);
    rls_body_space_solve (&work->space, in->dv);
    return rls_barrier_pull (&island->bounded, in, (const double (*)[6])in->dv);
}

/* Predictor, and correctors until the sliding speeds agree. */
static rls_step find_corrected_step (const rls_island *island, struct rls_bounded_work *work,
                                     double tolerance)
{
    const rls_bounded *b = &island->bounded;
    rls_interior *in = &work->interior;
    rls_slip_start (in, b);
    rls_step step = find_step (island, work, 0, RLS_AIM_STRAIGHT);
    const double ratio = rls_barrier_mean (in, &step, step.whole) / in->t;
    const double least = GOAL * tolerance * GOAL * tolerance;
    const double t = fmax (in->t * fmax (ratio * ratio * ratio, LEAST_CENTRING), least);
    const double slip = fmax (SLIP_TOLERANCE * sqrt (t), LEAST_SLIP * tolerance);
    rls_slip_start (in, b);
    for (int pass = 0;; ++pass)
    {
        step = find_step (island, work, t, pass == 0 ? RLS_AIM_SECOND : RLS_AIM_KEPT);
        if (step.slip <= slip || pass + 1 == RLS_SLIP_MEMORY) return step;
        rls_slip_improve (in, b, pass);
    }
}

static void take_step (rls_island *island, struct rls_bounded_work *work, const rls_step *step,
                       double (*v)[6])
{
    rls_interior *in = &work->interior;
    const double x = step->whole < 1 ? BOUNDARY * step->whole : 1;
    rls_barrier_take (&island->bounded, in, step, x);
    rls_newton_bilateral (island, work, x);
    for (int i = 0; i < island->bodies; ++i)
        for (int k = 0; k < 6; ++k) v[i][k] += x * in->dv[i][k];
}

/* The residual of the rounded iterate, with the bilateral rows satisfied exactly beside it. */
static rls_bounded_residual measure (const rls_island *island, struct rls_bounded_work *work)
{
    const rls_bounded *b = &island->bounded;
    rls_barrier_round (b, &work->interior, work->trial_p);
    memcpy (work->bilateral_trial, island->p, sizeof (double) * (size_t)island->rows.rows);
    rls_bounded_complete (island, work, 1, work->trial_p, work->bilateral_trial, work->trial);
    return rls_bounded_measure (b, work->diagonal, work->trial_p, (const double (*)[6])work->trial);
}

/* The residual that is good enough after so many iterations. */
static double enough (const struct rls_bounded_work *work, int iterations)
{
    double limit = IMPATIENT * work->cold;
    for (int i = work->at_rest ? PATIENCE_AT_REST : PATIENCE; i < iterations; ++i) limit *= 10;
    return fmin (limit, WORST_GOOD * work->cold);
}

void rls_interior_solve (rls_island *island, struct rls_bounded_work *work, double t, int iterations,
                         double (*v)[6])
{
    rls_bounded *b = &island->bounded;
    rls_interior *in = &work->interior;
    const double asked = work->tolerance;
    rls_newton_velocities (island, work, (const double (*)[6])v);
    rls_barrier_start (b, in, t);
    memcpy (work->trial_p, b->p, sizeof (double) * (size_t)b->rows);
    for (int i = 1; i <= iterations; ++i)
    {
        factor_matrix (b, work);
        rls_newton_base (island, work, (const double (*)[6])v);
        const rls_step step = find_corrected_step (island, work, asked);
        take_step (island, work, &step, v);
        if (!(in->t < HUGE_VAL)) return; /* not a number: what was best stays */
        work->tolerance = fmax (asked, enough (work, i));
        if (sqrt (in->t) > MEASURE_FROM * work->tolerance && i < iterations) continue;
        const rls_bounded_residual now = measure (island, work);
        rls_bounded_offer (work, work->trial_p, &now);
        if (now.velocity <= work->tolerance) return;
    }
}
