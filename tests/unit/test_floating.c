/*
 * Mechanisms that float, with motors and stops: no step changes their linear momentum, not even one from
 * whose velocities energy is taken that it would have gained.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include "oracle_random.h"

#define WORLDS 400
#define STEPS 60
#define LINKS 3
#define KEPT 1e-10 /* N s, beside a few: rounding */

typedef void set_parameter (dJointID joint, int parameter, dReal value);

static const struct
{
    dJointID (*create) (dWorldID, dJointGroupID);
    set_parameter *set;
    int axes;
} types[] = {
    {dJointCreateHinge, dJointSetHingeParam, 1},
    {dJointCreateSlider, dJointSetSliderParam, 1},
    {dJointCreateUniversal, dJointSetUniversalParam, 2},
    {dJointCreateDBall, NULL, 0},
    {dJointCreateDHinge, NULL, 0},
};

/* Gives the axes of a joint stops and motors. */
static void drive (random_source *r, dJointID joint, set_parameter *set, int axes)
{
    for (int axis = 0; axis < axes; ++axis)
    {
        const int group = dParamGroup * axis;
        set (joint, group + dParamLoStop, (dReal)random_between (r, -0.3, -0.05));
        set (joint, group + dParamHiStop, (dReal)random_between (r, 0.05, 0.3));
        set (joint, group + dParamBounce, (dReal)random_between (r, -0.5, 0.5));
        set (joint, group + dParamVel, (dReal)random_between (r, -2, 2));
        set (joint, group + dParamFMax, (dReal)random_between (r, -5, 5));
    }
}

/* Moving boxes in a chain of joints. */
static scene chain (uint64_t seed)
{
    random_source r = {seed};
    scene s = scene_open (0);
    for (int b = 0; b < LINKS; ++b)
    {
        const dReal at[3] = {(dReal)(0.5 * b - 0.25), 0, 0};
        scene_box (&s, (dReal)(0.5 * b), (dReal)random_between (&r, -0.2, 0.2), 0,
                   (dReal)random_between (&r, 0.5, 3), (dReal)random_between (&r, 0.1, 0.5),
                   (dReal)random_between (&r, 0.1, 0.5), (dReal)random_between (&r, 0.1, 0.5));
        dBodySetLinearVel (s.body[b], (dReal)random_between (&r, -1, 1), (dReal)random_between (&r, -1, 1),
                           (dReal)random_between (&r, -1, 1));
        dBodySetAngularVel (s.body[b], (dReal)random_between (&r, -5, 5), (dReal)random_between (&r, -5, 5),
                            (dReal)random_between (&r, -5, 5));
        if (b == 0) continue;
        const int type = random_below (&r, (int)(sizeof (types) / sizeof (*types)));
        const dJointID joint = scene_joint (&s, types[type].create, b, b - 1);
        random_place (&r, joint, at);
        drive (&r, joint, types[type].set, types[type].axes);
    }
    return s;
}

static void momentum (const scene *s, double P[3])
{
    for (int k = 0; k < 3; ++k) P[k] = 0;
    for (int b = 0; b < s->bodies; ++b)
    {
        dMass mass;
        dBodyGetMass (s->body[b], &mass);
        for (int k = 0; k < 3; ++k) P[k] += (double)(mass.mass * dBodyGetLinearVel (s->body[b])[k]);
    }
}

/* All velocities were reduced by one factor: up to 0.047 N s lost in 22 steps of these worlds. */
static void momentum_stays (void **state)
{
    (void)state;
    for (int seed = 0; seed < WORLDS; ++seed)
    {
        scene s = chain ((uint64_t)seed);
        double before[3], after[3];
        momentum (&s, before);
        for (int i = 0; i < STEPS; ++i)
        {
            scene_step (&s, (dReal)(1.0 / 60), 1);
            momentum (&s, after);
            for (int k = 0; k < 3; ++k)
                if (!(fabs (after[k] - before[k]) <= KEPT))
                    fail_msg ("world %d, step %d: %g N s", seed, i, after[k] - before[k]);
        }
        scene_close (&s);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test (momentum_stays)};
    return cmocka_run_group_tests (tests, scene_start_ode, scene_stop_ode);
}
