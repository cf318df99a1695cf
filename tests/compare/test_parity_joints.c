/*
 * Limits and motors of every joint that has them, axis by axis, against dWorldStep: motion and joint
 * feedback, step by step.
 */
#include "parity_rig.h"

#define STEPS 80
#define TOLERANCE_OF_MOTION 1e-7

typedef struct
{
    const char *name;
    dJointID (*create) (dWorldID, dJointGroupID);
    void (*set) (rig *);
    void (*param) (dJointID, int, dReal);
    dReal (*get) (dJointID, int);
    int axes;       /* groups of parameters */
    unsigned stops; /* which of them heed stops, 1 << axis */
    int upright;
    place where;
} joint_type;

static void set_amotor_axes (rig *r)
{
    dJointSetAMotorMode (r->joint, dAMotorUser);
    dJointSetAMotorNumAxes (r->joint, 3);
    for (int i = 0; i < 3; ++i)
    {
        dJointSetAMotorAxis (r->joint, i, 0, XYZ (r->axis[i]));
        dJointSetAMotorAngle (r->joint, i, 0);
    }
}

static void set_amotor_euler (rig *r)
{
    dJointSetAMotorMode (r->joint, dAMotorEuler);
    dJointSetAMotorAxis (r->joint, 0, 1, XYZ (r->axis[0]));
    dJointSetAMotorAxis (r->joint, 2, 2, XYZ (r->axis[2]));
}

static void set_lmotor_axes (rig *r)
{
    dJointSetLMotorNumAxes (r->joint, 3);
    for (int i = 0; i < 3; ++i) dJointSetLMotorAxis (r->joint, i, 0, XYZ (r->axis[i]));
}

static void set_plane_motor (dJointID joint, int parameter, dReal value)
{
    if (parameter >= dParamGroup3)
        dJointSetPlane2DAngleParam (joint, parameter - dParamGroup3, value);
    else if (parameter >= dParamGroup2)
        dJointSetPlane2DYParam (joint, parameter - dParamGroup2, value);
    else
        dJointSetPlane2DXParam (joint, parameter, value);
}

/* Angular motors in user mode and linear ones know no angle or position of their own: stops mean nothing. */
static const joint_type types[] = {
    {"hinge", dJointCreateHinge, set_hinge, dJointSetHingeParam, dJointGetHingeParam, 1, 1, 0, FIRST},
    {"hinge on the world", dJointCreateHinge, set_hinge, dJointSetHingeParam, dJointGetHingeParam, 1, 1, 0,
     BEFORE_WORLD},
    {"slider", dJointCreateSlider, set_slider, dJointSetSliderParam, dJointGetSliderParam, 1, 1, 0, SECOND},
    {"slider on the world", dJointCreateSlider, set_slider, dJointSetSliderParam, dJointGetSliderParam, 1, 1,
     0, AFTER_WORLD},
    {"universal", dJointCreateUniversal, set_universal, dJointSetUniversalParam, dJointGetUniversalParam, 2,
     3, 0, FIRST},
    {"hinge-2", dJointCreateHinge2, set_hinge2, dJointSetHinge2Param, dJointGetHinge2Param, 2, 1, 0, FIRST},
    {"PR", dJointCreatePR, set_pr, dJointSetPRParam, dJointGetPRParam, 2, 3, 0, FIRST},
    {"PU", dJointCreatePU, set_pu, dJointSetPUParam, dJointGetPUParam, 3, 7, 0, FIRST},
    {"piston", dJointCreatePiston, set_piston, dJointSetPistonParam, dJointGetPistonParam, 2, 3, 0, FIRST},
    {"angular motor", dJointCreateAMotor, set_amotor_axes, dJointSetAMotorParam, dJointGetAMotorParam, 3, 0,
     0, FIRST},
    {"angular motor by Euler angles", dJointCreateAMotor, set_amotor_euler, dJointSetAMotorParam,
     dJointGetAMotorParam, 3, 7, 0, FIRST},
    {"linear motor", dJointCreateLMotor, set_lmotor_axes, dJointSetLMotorParam, dJointGetLMotorParam, 3, 0, 0,
     FIRST},
    {"plane2d", dJointCreatePlane2D, set_plane2d, set_plane_motor, NULL, 3, 0, 1, BEFORE_WORLD},
};

#define TYPES (sizeof (types) / sizeof (types[0]))

/* ---- dressings ---- */

typedef struct
{
    const char *name;
    int stops; /* needs an axis with stops */
    struct
    {
        int parameter;
        double value;
    } set[8];
} dressing;

/* dParamLoStop is 0 itself: lists end with a parameter of -1. */
#define END                                                                                                  \
    {                                                                                                        \
        -1, 0                                                                                                \
    }

static const dressing dressings[] = {
    {"plain", 0, {END}},
    {"stops", 1, {{dParamLoStop, -0.04}, {dParamHiStop, 0.03}, END}},
    {"bouncing stops", 1, {{dParamLoStop, -0.04}, {dParamHiStop, 0.03}, {dParamBounce, 0.6}, END}},
    {"soft stops",
     1,
     {{dParamLoStop, -0.04}, {dParamHiStop, 0.03}, {dParamStopERP, 0.35}, {dParamStopCFM, 2e-3}, END}},
    {"motor", 0, {{dParamVel, 0.8}, {dParamFMax, 1.5}, END}},
    {"strong motor", 0, {{dParamVel, -0.5}, {dParamFMax, 500}, END}},
    {"soft motor", 0, {{dParamVel, 0.8}, {dParamFMax, 3}, {dParamCFM, 0.05}, END}},
    {"motor against a stop",
     1,
     {{dParamVel, 0.8}, {dParamFMax, 4}, {dParamLoStop, -0.04}, {dParamHiStop, 0.03}, END}},
    {"motor with a fudge factor",
     1,
     {{dParamVel, -0.8},
      {dParamFMax, 4},
      {dParamLoStop, -0.04},
      {dParamHiStop, 0.03},
      {dParamFudgeFactor, 0.3},
      END}},
    {"locked", 1, {{dParamLoStop, 0.01}, {dParamHiStop, 0.01}, END}},
};

#define DRESSINGS (sizeof (dressings) / sizeof (dressings[0]))

typedef struct
{
    const joint_type *type;
    const dressing *dressing;
    int axis;
} joint_case;

static void build (parity_world *w)
{
    const joint_case *c = w->what;
    rig r;
    build_rig (&r, c->type->create, c->type->where, c->type->upright);
    dWorldSetGravity (r.world, (dReal)0.3, (dReal)-0.4, c->type->upright ? 0 : -3);
    c->type->set (&r);
    parity_mass (r.resting, 2, (dReal)0.4, (dReal)0.5, (dReal)0.9);
    parity_mass (r.moving, 3, (dReal)0.7, (dReal)0.3, (dReal)0.6);
    for (int i = 0; c->dressing->set[i].parameter >= 0; ++i)
        c->type->param (r.joint, dParamGroup * c->axis + c->dressing->set[i].parameter,
                        (dReal)c->dressing->set[i].value);
    const rig_motion motion = {AT_ANCHOR, {0, 0, 0}, 0, {0, 0, 0}, {0.3, -0.5, 0.2}, {0.4, -0.3, 0.6}};
    set_moving (&r, &motion);
    dBodySetAngularVel (r.resting, (dReal)0.5, (dReal)-0.2, (dReal)0.4);
    w->world = r.world;
    w->bodies = 2;
    w->body[0] = r.resting, w->body[1] = r.moving;
    parity_watch (w, r.joint);
}

static void push (parity_world *w, int step)
{
    const double swing = step < STEPS / 2 ? 1 : -1;
    dBodyAddForce (w->body[1], (dReal)(2 * swing), -2, (dReal)0.5);
    dBodyAddTorque (w->body[1], (dReal)(0.5 * swing), (dReal)(-0.6 * swing), (dReal)(0.4 * swing));
    dBodyAddTorque (w->body[0], (dReal)0.2, 0, (dReal)-0.1);
}

static const parity_test test = {build, push, STEPS, TOLERANCE_OF_MOTION};

/* Every dressing of every axis does what dWorldStep does, and does something. */
static void test_limits_and_motors (void **state)
{
    (void)state;
    int told[DRESSINGS] = {0};
    for (size_t t = 0; t < TYPES; ++t)
        for (int axis = 0; axis < types[t].axes; ++axis)
        {
            const joint_case plain = {&types[t], &dressings[0], axis};
            for (size_t d = 0; d < DRESSINGS; ++d)
            {
                const joint_case c = {&types[t], &dressings[d], axis};
                char name[200];
                if (dressings[d].stops && !(types[t].stops >> axis & 1)) continue;
                snprintf (name, sizeof (name), "%s, axis %d, %s", types[t].name, axis + 1, dressings[d].name);
                parity_check (name, &test, &c);
                const double effect = d > 0 ? parity_effect (&test, &c, &plain) : 0;
                if (d > 0 && !(effect > 1e-3)) fail_msg ("%s changes nothing (%g)", name, effect);
                told[d]++;
            }
        }
    for (size_t d = 0; d < DRESSINGS; ++d) assert_true (told[d] > 5);
}

static void test_suspension (void **state)
{
    (void)state;
    static const dressing spring = {
        "suspension", 0, {{dParamSuspensionERP, 0.4}, {dParamSuspensionCFM, 5e-3}, END}};
    for (size_t t = 0; t < TYPES; ++t)
    {
        const joint_case c = {&types[t], &spring, 0}, plain = {&types[t], &dressings[0], 0};
        if (types[t].create != dJointCreateHinge2) continue;
        parity_check ("suspension", &test, &c);
        assert_true (parity_effect (&test, &c, &plain) > 1e-3);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_limits_and_motors),
        cmocka_unit_test (test_suspension),
    };
    return cmocka_run_group_tests (tests, parity_start, parity_stop);
}
