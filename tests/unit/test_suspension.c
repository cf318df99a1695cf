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

/* ---- joints that give way in all their rows ---- */

static void place (dJointID joint)
{
    const dJointType type = dJointGetType (joint);
    if (type == dJointTypeSlider) dJointSetSliderAxis (joint, 1, (dReal)0.2, (dReal)0.5);
    if (type == dJointTypeHinge2)
    {
        dJointSetHinge2Anchor (joint, (dReal)0.6, (dReal)0.1, (dReal)-0.3);
        static const dReal axis[2][3] = {{0, (dReal)0.6, (dReal)0.8}, {1, 0, 0}};
        dJointSetHinge2Axes (joint, axis[0], axis[1]);
    }
    if (type == dJointTypeDHinge)
    {
        dJointSetDHingeAnchor1 (joint, (dReal)0.5, 0, (dReal)-0.2);
        dJointSetDHingeAnchor2 (joint, (dReal)0.8, (dReal)0.1, (dReal)-0.2);
        dJointSetDHingeAxis (joint, 0, 0, 1);
    }
}

/* Springs pull where ODE measures how far the joint is open, and turn its axes back: no energy comes or goes.
 */
static void compliant_joints_keep_their_energy (void **state)
{
    static const struct
    {
        const char *name;
        dJointID (*create) (dWorldID, dJointGroupID);
    } kinds[] = {{"slider", dJointCreateSlider},
                 {"hinge-2", dJointCreateHinge2},
                 {"double hinge", dJointCreateDHinge}};
    const double k = 1000, h = 1e-3;
    (void)state;
    for (int n = 0; n < 6; ++n)
    {
        scene s = scene_open ((dReal)-9.81);
        scene_box (&s, (dReal)0.3, 0, 0, 1, (dReal)0.6, (dReal)0.4, (dReal)0.2);
        scene_box (&s, (dReal)0.7, (dReal)0.2, (dReal)-0.4, 2, (dReal)0.3, (dReal)0.4, (dReal)0.5);
        scene_ball (&s, 0, NO_BODY, (const double[3]){0, 0, 0});
        const dJointID joint = scene_joint (&s, kinds[n / 2].create, n % 2, 1 - n % 2);
        place (joint);
        assert_int_equal (dRLSStepperSetJointCompliance (scene_stepper (&s), joint, (dReal)k, 0), 1);
        dBodySetAngularVel (s.body[1], 1, 2, -1);
        double first = 0, off = 0, most = 0;
        for (int i = 0; i < 1000; ++i)
        {
            dRLSViolation open;
            scene_step (&s, (dReal)h, 1);
            assert_int_equal (dRLSMeasureJoint (joint, &open), 1);
            const double e =
                scene_energy (&s) +
                0.5 * k * (double)(open.position_m * open.position_m + open.angle_rad * open.angle_rad);
            if (i == 0) first = e;
            off = fmax (off, fabs (e - first)), most = fmax (most, scene_kinetic (&s));
        }
        print_message ("compliant %s, order %d: %.1e of the energy of motion\n", kinds[n / 2].name, n % 2,
                       off / most);
        assert_true (off < 2e-3 * most);
        scene_close (&s);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test (energy_and_momentum_stay),
                                       cmocka_unit_test (compliant_joints_keep_their_energy)};
    return cmocka_run_group_tests (tests, scene_start_ode, scene_stop_ode);
}
