/*
 * The suspension of a hinge-2 joint: a spring along the first axis, whose forces across it act where the
 * wheel is, not where it was fitted.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include "oracle_random.h"

#define WORLDS 20
#define SECONDS 0.5

typedef struct
{
    double energy, momentum[3];
} account;

static double travel (dJointID joint)
{
    dVector3 at, wheel, axis;
    dJointGetHinge2Anchor (joint, at), dJointGetHinge2Anchor2 (joint, wheel),
        dJointGetHinge2Axis1 (joint, axis);
    double sum = 0;
    for (int k = 0; k < 3; ++k) sum += (double)((at[k] - wheel[k]) * axis[k]);
    return sum;
}

/* Of both bodies and a spring of k; the momentum is angular, about the origin. */
static account look (const scene *s, dJointID joint, double k)
{
    account a = {.energy = scene_energy (s) + 0.5 * k * travel (joint) * travel (joint)};
    for (int b = 0; b < s->bodies; ++b)
    {
        dMass mass;
        dVector3 spin, turned, own, moment;
        const dBodyID body = s->body[b];
        const dReal *w = dBodyGetAngularVel (body);
        dBodyGetMass (body, &mass);
        dBodyVectorFromWorld (body, w[0], w[1], w[2], spin);
        for (int i = 0; i < 3; ++i) turned[i] = mass.I[4 * i + i] * spin[i];
        dBodyVectorToWorld (body, turned[0], turned[1], turned[2], own);
        dCalcVectorCross3 (moment, dBodyGetPosition (body), dBodyGetLinearVel (body));
        for (int i = 0; i < 3; ++i) a.momentum[i] += (double)(own[i] + mass.mass * moment[i]);
    }
    return a;
}

/* Floating, without a damper: the largest share of the energy gained or lost, and what the momentum changes
 * by. */
static void float_free (uint64_t seed, double h, double *energy, double *momentum)
{
    random_source r = {seed};
    scene s = scene_open (0);
    for (int b = 0; b < 2; ++b)
    {
        scene_box (&s, (dReal)(0.8 * b), (dReal)random_between (&r, -0.2, 0.2), 1,
                   (dReal)random_between (&r, 0.4, 3), (dReal)random_between (&r, 0.2, 1),
                   (dReal)random_between (&r, 0.2, 1), (dReal)random_between (&r, 0.2, 1));
        dReal v[6];
        for (int k = 0; k < 6; ++k) v[k] = (dReal)random_between (&r, -2, 2);
        dBodySetLinearVel (s.body[b], v[0], v[1], v[2]);
        dBodySetAngularVel (s.body[b], v[3], v[4], v[5]);
    }
    const dJointID joint = scene_joint (&s, dJointCreateHinge2, 0, 1);
    random_place (&r, joint, (dReal[]){(dReal)0.4, (dReal)0.1, (dReal)1.2});
    const double k = exp (random_between (&r, 3, 6));
    dJointSetHinge2Param (joint, dParamSuspensionERP, 1);
    dJointSetHinge2Param (joint, dParamSuspensionCFM, (dReal)(1 / (h * k)));
    scene_step (&s, (dReal)h, 1); /* velocities that fit the joint */
    const account first = look (&s, joint, k);
    *energy = *momentum = 0;
    for (int i = 1; i < (int)(SECONDS / h + 0.5); ++i)
    {
        scene_step (&s, (dReal)h, 1);
        const account now = look (&s, joint, k);
        *energy = fmax (*energy, fabs (now.energy / first.energy - 1));
        for (int n = 0; n < 3; ++n) *momentum = fmax (*momentum, fabs (now.momentum[n] - first.momentum[n]));
    }
    scene_close (&s);
}

static void energy_and_momentum_stay (void **state)
{
    (void)state;
    double worst[2] = {0, 0}, momentum = 0;
    for (uint64_t seed = 0; seed < WORLDS; ++seed)
        for (int fine = 0; fine < 2; ++fine)
        {
            double energy, change;
            float_free (seed, fine ? 0.0025 : 0.005, &energy, &change);
            worst[fine] = fmax (worst[fine], energy);
            momentum = fmax (momentum, change);
        }
    print_message ("energy off by %.1e, with half the step %.1e; momentum by %.1e\n", worst[0], worst[1],
                   momentum);
    assert_true (worst[0] < 1e-2);
    assert_true (worst[1] < 0.5 * worst[0]);
    assert_true (momentum < 1e-10);
}

int main (void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test (energy_and_momentum_stay)};
    return cmocka_run_group_tests (tests, scene_start_ode, scene_stop_ode);
}
