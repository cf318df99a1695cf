/*
 * One joint of each type with axes, with motors and stops at random, beside dWorldStep with a hundredth of
 * the step: what ODE's rows mean, they mean here, too.  But for motors and stops along the way of PR and PU
 * joints, which ODE lets act where that way is not measured: there the way itself is looked at.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include "oracle_random.h"

#define H 0.005
#define FINER 100
#define SECONDS 0.4
#define WORLDS 12 /* of each type and kind */
#define AXES 3
#define APART 1e-3 /* m and parts of a turn: what dWorldStep passes stops by, and its error of first order */

enum
{
    MOTORS = 1,
    STOPS = 2
};

static const struct
{
    const char *name;
    dJointID (*create) (dWorldID, dJointGroupID);
    void (*set) (dJointID, int, dReal);
    int axes, with_stops; /* axes with motors; with stops as well */
    unsigned ways;        /* one bit for each axis that is a way, not an angle */
} types[] = {
    {"hinge", dJointCreateHinge, dJointSetHingeParam, 1, 1, 0},
    {"slider", dJointCreateSlider, dJointSetSliderParam, 1, 1, 1},
    {"universal", dJointCreateUniversal, dJointSetUniversalParam, 2, 2, 0},
    {"hinge-2", dJointCreateHinge2, dJointSetHinge2Param, 2, 1, 0},
    {"piston", dJointCreatePiston, dJointSetPistonParam, 2, 2, 1},
    {"angular motor", dJointCreateAMotor, dJointSetAMotorParam, 3, 3, 0},
    {"linear motor", dJointCreateLMotor, dJointSetLMotorParam, 1, 0, 1},
};

/* Motors that hold or are passed, stops that are soon met. */
static void set_axes (random_source *r, dJointID joint, size_t type, int kind)
{
    for (int axis = 0; axis < types[type].axes; ++axis)
    {
        const int group = axis * dParamGroup;
        const double most = random_below (r, 3) == 0 ? 1e6 : random_between (r, 0.1, 10),
                     way = types[type].ways >> axis & 1 ? 0.3 : 0.6;
        types[type].set (joint, dParamFMax + group,
                         kind & MOTORS && random_below (r, 3) > 0 ? (dReal)most : 0);
        types[type].set (joint, dParamVel + group, (dReal)random_between (r, -3, 3));
        if (!(kind & STOPS) || axis >= types[type].with_stops || random_below (r, 3) == 0) continue;
        types[type].set (joint, dParamStopERP + group, 0); /* what dWorldStep takes back would be a rebound */
        types[type].set (joint, dParamLoStop + group, (dReal)(-way * random_between (r, 0.1, 1)));
        types[type].set (joint, dParamHiStop + group, (dReal)(way * random_between (r, 0.1, 1)));
    }
}

static scene build (size_t type, int kind, uint64_t seed)
{
    random_source r = {seed};
    scene s = scene_open (random_below (&r, 3) > 0 ? (dReal)-9.81 : 0);
    const dReal middle[3] = {(dReal)0.5, (dReal)0.1, (dReal)-0.1};
    dWorldSetCFM (s.world, (dReal)1e-10);
    for (int b = 0; b < 2; ++b)
    {
        scene_box (&s, b, (dReal)random_between (&r, -0.3, 0.3), (dReal)random_between (&r, -0.3, 0.3),
                   (dReal)random_between (&r, 0.5, 3), (dReal)random_between (&r, 0.2, 1),
                   (dReal)random_between (&r, 0.2, 1), (dReal)random_between (&r, 0.2, 1));
        dReal v[6];
        for (int k = 0; k < 6; ++k) v[k] = (dReal)random_between (&r, -1, 1);
        dBodySetLinearVel (s.body[b], v[0], v[1], v[2]);
        dBodySetAngularVel (s.body[b], v[3], v[4], v[5]);
    }
    const int angular = types[type].create == dJointCreateAMotor,
              other = types[type].create != dJointCreateHinge2 && random_below (&r, 3) == 0 ? NO_BODY : 1;
    if (angular) random_place (&r, scene_joint (&s, dJointCreateBall, 0, other), middle);
    const dJointID joint = scene_joint (&s, types[type].create, 0, other);
    random_place (&r, joint, middle);
    if (angular) /* by Euler angles, which it measures itself */
    {
        dJointSetAMotorMode (joint, dAMotorEuler);
        dJointSetAMotorAxis (joint, 0, 1, 1, 0, 0);
        dJointSetAMotorAxis (joint, 2, 2, 0, 0, 1);
    }
    set_axes (&r, joint, type, kind);
    return s;
}

/* Ours with its step and dWorldStep with the fine one end in the same place. */
static double compare (size_t type, int kind, uint64_t seed)
{
    scene ours = build (type, kind, seed), fine = build (type, kind, seed);
    scene_step (&ours, (dReal)H, (int)(SECONDS / H + 0.5));
    for (int i = 0; i < (int)(FINER * SECONDS / H + 0.5); ++i) dWorldStep (fine.world, (dReal)(H / FINER));
    const double apart = scene_pose_difference (&ours, &fine);
    if (!(apart < APART))
        fail_msg ("%s,%s%s, seed %d: %g apart", types[type].name, kind & MOTORS ? " motors" : "",
                  kind & STOPS ? " stops" : "", (int)seed, apart);
    scene_close (&ours);
    scene_close (&fine);
    return apart;
}

static void all_types (int kind)
{
    for (size_t type = 0; type < sizeof (types) / sizeof (*types); ++type)
    {
        double worst = 0;
        for (uint64_t seed = 0; seed < WORLDS; ++seed) worst = fmax (worst, compare (type, kind, seed));
        print_message ("%-14s%.1e apart\n", types[type].name, worst);
    }
}

static void test_axes (void **state)
{
    (void)state;
    all_types (0);
}

static void test_motors (void **state)
{
    (void)state;
    all_types (MOTORS);
}

static void test_stops (void **state)
{
    (void)state;
    all_types (STOPS);
}

static void test_motors_and_stops (void **state)
{
    (void)state;
    all_types (MOTORS | STOPS);
}

/* ---- the way of PR and PU joints ---- */

static const struct
{
    const char *name;
    dJointID (*create) (dWorldID, dJointGroupID);
    void (*set) (dJointID, int, dReal);
    dReal (*position) (dJointID);
    int axis;
} with_way[] = {
    {"PR", dJointCreatePR, dJointSetPRParam, dJointGetPRPosition, 0},
    {"PU", dJointCreatePU, dJointSetPUParam, dJointGetPUPosition, 2},
};

static scene build_way (size_t type, uint64_t seed, double speed, dJointID *joint)
{
    random_source r = {seed};
    scene s = scene_open (0);
    const dReal middle[3] = {(dReal)0.5, (dReal)0.1, (dReal)-0.1};
    for (int b = 0; b < 2; ++b)
    {
        scene_box (&s, b, 0, 0, (dReal)random_between (&r, 0.5, 3), 1, (dReal)0.5, (dReal)0.3);
        dBodySetAngularVel (s.body[b], (dReal)random_between (&r, -1, 1), (dReal)random_between (&r, -1, 1),
                            1);
    }
    *joint = scene_joint (&s, with_way[type].create, 0, random_below (&r, 3) == 0 ? NO_BODY : 1);
    random_place (&r, *joint, middle);
    dBodySetLinearVel (s.body[0], (dReal)speed, (dReal)-speed, (dReal)speed);
    return s;
}

/* A motor that is strong enough moves the joint by its velocity, step by step. */
static void test_way_of_motors (void **state)
{
    (void)state;
    for (size_t type = 0; type < 2; ++type)
        for (uint64_t seed = 0; seed < WORLDS; ++seed)
        {
            dJointID joint;
            scene s = build_way (type, seed, 0, &joint);
            const int group = with_way[type].axis * dParamGroup;
            with_way[type].set (joint, dParamFMax + group, (dReal)1e6);
            with_way[type].set (joint, dParamVel + group, (dReal)0.2);
            scene_step (&s, (dReal)H, 2);
            const double start = (double)with_way[type].position (joint);
            scene_step (&s, (dReal)H, 60);
            const double way = fabs ((double)with_way[type].position (joint) - start);
            if (!(fabs (way - 60 * H * 0.2) < 1e-5))
                fail_msg ("%s, seed %d: moved by %.12g", with_way[type].name, (int)seed, way);
            scene_close (&s);
        }
}

/* A stop is not passed, and what slides along it keeps its energy. */
static void test_way_of_stops (void **state)
{
    (void)state;
    for (size_t type = 0; type < 2; ++type)
        for (uint64_t seed = 0; seed < WORLDS; ++seed)
        {
            dJointID joint;
            scene s = build_way (type, seed, 1, &joint);
            const int group = with_way[type].axis * dParamGroup;
            with_way[type].set (joint, dParamLoStop + group, (dReal)-0.05);
            with_way[type].set (joint, dParamHiStop + group, (dReal)0.05);
            double most = 0, before = scene_energy (&s);
            for (int i = 0; i < 100; ++i)
            {
                scene_step (&s, (dReal)H, 1);
                const double energy = scene_energy (&s);
                most = fmax (most, fabs ((double)with_way[type].position (joint)));
                assert_true (energy < before * (1 + 1e-4));
                before = energy;
            }
            if (!(most < 0.05 + 1e-6))
                fail_msg ("%s, seed %d: at %.12g", with_way[type].name, (int)seed, most);
            scene_close (&s);
        }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_axes),          cmocka_unit_test (test_motors),
        cmocka_unit_test (test_stops),         cmocka_unit_test (test_motors_and_stops),
        cmocka_unit_test (test_way_of_motors), cmocka_unit_test (test_way_of_stops),
    };
    return cmocka_run_group_tests (tests, scene_start_ode, scene_stop_ode);
}
