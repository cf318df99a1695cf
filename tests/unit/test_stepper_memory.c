/*
 * What earlier steps leave behind: none of it may be read after what it belongs to is gone, and none may show
 * in a motion.  Fresh memory is filled with large numbers, so that values nobody wrote show as well.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <malloc.h>
#include <math.h>
#include "oracle_scene.h"

#define H ((dReal)0.01)
#define FILLED 0x3e /* the complement of a byte that makes doubles of some 1e6 */

/* ---- bodies that are let go ---- */

typedef dJointID creator (dWorldID, dJointGroupID);

static const struct
{
    const char *name;
    creator *create;
} types[] = {
    {"ball", dJointCreateBall},
    {"hinge", dJointCreateHinge},
    {"slider", dJointCreateSlider},
    {"universal", dJointCreateUniversal},
    {"fixed", dJointCreateFixed},
    {"PR", dJointCreatePR},
    {"PU", dJointCreatePU},
    {"piston", dJointCreatePiston},
    {"plane2D", dJointCreatePlane2D},
    {"double ball", dJointCreateDBall},
    {"double hinge", dJointCreateDHinge},
};

/* A body that turns at a joint to the world. */
static scene hung_up (creator *create)
{
    scene s = scene_open ((dReal)-9.81);
    const int box = scene_box (&s, 0, 0, 0, 2, 1, (dReal)0.5, (dReal)0.3);
    const dJointID joint = scene_joint (&s, create, box, NO_BODY);
    switch (dJointGetType (joint))
    {
    case dJointTypeBall:
        dJointSetBallAnchor (joint, (dReal)0.5, 0, 0);
        break;
    case dJointTypeHinge:
        dJointSetHingeAnchor (joint, (dReal)0.5, 0, 0);
        dJointSetHingeAxis (joint, 0, 1, 0);
        break;
    case dJointTypeUniversal:
        dJointSetUniversalAnchor (joint, (dReal)0.5, 0, 0);
        dJointSetUniversalAxis2 (joint, 0, 0, 1);
        dJointSetUniversalAxis1 (joint, 0, 1, 0);
        break;
    case dJointTypeFixed:
        dJointSetFixed (joint);
        break;
    case dJointTypePR:
        dJointSetPRAnchor (joint, (dReal)0.5, 0, 0);
        dJointSetPRAxis1 (joint, 0, 0, 1);
        dJointSetPRAxis2 (joint, 0, 1, 0);
        break;
    case dJointTypePU:
        dJointSetPUAnchor (joint, (dReal)0.5, 0, 0);
        dJointSetPUAxis2 (joint, 0, 0, 1);
        dJointSetPUAxis1 (joint, 0, 1, 0);
        dJointSetPUAxis3 (joint, 1, 0, 0);
        break;
    case dJointTypePiston:
        dJointSetPistonAnchor (joint, (dReal)0.5, 0, 0);
        dJointSetPistonAxis (joint, 1, 0, 0);
        break;
    case dJointTypeDBall:
        dJointSetDBallAnchor1 (joint, (dReal)0.5, 0, 0);
        dJointSetDBallAnchor2 (joint, 1, 0, 0);
        break;
    case dJointTypeDHinge:
        dJointSetDHingeAnchor1 (joint, (dReal)0.5, 0, 0);
        dJointSetDHingeAnchor2 (joint, 1, 0, 0);
        dJointSetDHingeAxis (joint, 0, 1, 0);
        break;
    default:
        break;
    }
    return s;
}

static void destroy (scene *s) { dJointDestroy (s->joint[--s->joints]); }
static void disable (scene *s) { dJointDisable (s->joint[0]); }
static void detach (scene *s) { dJointAttach (s->joint[0], NULL, NULL); }

static const struct
{
    const char *name;
    void (*apply) (scene *s);
} ways[] = {{"destroyed", destroy}, {"disabled", disable}, {"detached", detach}};

#define MANY(list) ((int)(sizeof (list) / sizeof *(list)))

/* A body without joints flies: its velocity changes by h g, its spin (two equal moments of inertia apart,
 * without torque) keeps its angular momentum. */
static void bodies_let_go_fly_off (void **state)
{
    (void)state;
    for (int integrator = 0; integrator < dRLSIntegratorCount; ++integrator)
        for (int type = 0; type < MANY (types); ++type)
            for (int way = 0; way < MANY (ways); ++way)
            {
                scene s = hung_up (types[type].create);
                assert_true (dRLSStepperSetIntegrator (scene_stepper (&s), integrator));
                scene_step (&s, H, 5);
                dVector3 before, turning;
                dCopyVector3 (before, dBodyGetLinearVel (s.body[0]));
                dCopyVector3 (turning, dBodyGetAngularVel (s.body[0]));
                ways[way].apply (&s);
                scene_step (&s, H, 1);
                const dReal *v = dBodyGetLinearVel (s.body[0]), *w = dBodyGetAngularVel (s.body[0]);
                const double g[3] = {0, 0, -9.81};
                double off = 0;
                for (int k = 0; k < 3; ++k)
                {
                    off = fmax (off, fabs ((double)v[k] - (double)before[k] - g[k] * (double)H));
                    off = fmax (off, fabs ((double)w[k] - (double)turning[k]));
                }
                if (!(off < 1e-3))
                    fail_msg ("%s %s, integrator %d: kicked by %g", types[type].name, ways[way].name,
                              integrator, off);
                scene_close (&s);
            }
}

static void turn_axis (scene *s)
{
    dJointSetHingeAxis (s->joint[0], 0, 1, (dReal)0.5);
    dJointSetHingeAnchor (s->joint[0], 0, 0, (dReal)0.5);
}

/* That the hinge meets two steps later. */
static void give_stops (scene *s)
{
    const dReal angle = dJointGetHingeAngle (s->joint[0]),
                speed = dFabs (dJointGetHingeAngleRate (s->joint[0]));
    dJointSetHingeParam (s->joint[0], dParamLoStop, angle - 2 * H * speed);
    dJointSetHingeParam (s->joint[0], dParamHiStop, angle + 2 * H * speed);
}

/* An analysis reads joints, too: what it has seen is not what the last step ended with, nor has it asked for
 * all that a step asks for. */
static void looks_in_between_change_nothing (void **state)
{
    (void)state;
    static const struct
    {
        const char *name;
        void (*apply) (scene *s);
    } changes[] = {{"axis", turn_axis}, {"stops", give_stops}};
    for (int change = 0; change < MANY (changes); ++change)
    {
        scene at[2];
        for (int looked = 0; looked < 2; ++looked)
        {
            scene *s = &at[looked];
            *s = hung_up (dJointCreateHinge);
            dBodySetAngularVel (s->body[0], 0, 2, 0);
            scene_step (s, H, 5);
            changes[change].apply (s);
            if (looked) scene_analyse (s);
            scene_step (s, H, 5);
        }
        const double off =
            scene_pose_difference (&at[0], &at[1]) + scene_velocity_difference (&at[0], &at[1]);
        if (off != 0) fail_msg ("%s: %g", changes[change].name, off);
        scene_close (&at[0]);
        scene_close (&at[1]);
    }
}

/* ---- long runs and fresh ones ---- */

#define LONG ((dReal)0.05) /* s: steps that are long for these motions, where guesses are poor */
#define STEPS 100

/* A ball joint on a slider: a carriage on a rail with a heavy pendulum. */
static scene carriage (void)
{
    scene s = scene_open ((dReal)-9.81);
    const int car = scene_box (&s, 0, 0, 0, 1, (dReal)0.2, (dReal)0.2, (dReal)0.2);
    const int bob = scene_box (&s, (dReal)0.6, 0, 0, 3, (dReal)0.9, (dReal)0.1, (dReal)0.1);
    const double at[3] = {0, 0, 0};
    const dJointID rail = scene_joint (&s, dJointCreateSlider, car, NO_BODY);
    dJointSetSliderAxis (rail, 1, 0, (dReal)0.3);
    scene_ball (&s, bob, car, at);
    dBodySetAngularVel (s.body[bob], 0, 0, 2);
    return s;
}

/* The same with a motor that pulls the carriage along. */
static scene pulled (dReal force)
{
    scene s = carriage ();
    dJointSetSliderParam (s.joint[0], dParamVel, 1);
    dJointSetSliderParam (s.joint[0], dParamFMax, force);
    return s;
}

static scene pulled_along (void) { return pulled (20); }
static scene pulled_hard (void) { return pulled (dInfinity); }

/* A four-bar linkage of hinges, leaning. */
static scene four_bar (void)
{
    scene s = scene_open ((dReal)-9.81);
    const double axis[3] = {0, 1, 0};
    const double at[4][3] = {{0, 0, 0}, {0.2, 0, 0.3}, {1.0, 0, 0.8}, {1.1, 0, 0}};
    int rod[3];
    for (int i = 0; i < 3; ++i) rod[i] = scene_rod (&s, at[i], at[i + 1]);
    scene_hinge (&s, rod[0], NO_BODY, at[0], axis);
    scene_hinge (&s, rod[1], rod[0], at[1], axis);
    scene_hinge (&s, rod[2], rod[1], at[2], axis);
    scene_hinge (&s, rod[2], NO_BODY, at[3], axis);
    return s;
}

/* Every joint gives way a little across its axis. */
static void soften (scene *s)
{
    for (int j = 0; j < s->joints; ++j)
        for (int row = 3; row < 5; ++row)
            assert_true (
                dRLSStepperSetRowCompliance (scene_stepper (s), s->joint[j], row, (dReal)1e4, (dReal)10));
}

/* Settings of a new stepper. */
static void choose (scene *s, int integrator, int soft)
{
    assert_true (dRLSStepperSetIntegrator (scene_stepper (s), integrator));
    if (soft) soften (s);
}

static void renew (scene *s)
{
    dRLSStepperDestroy (s->stepper);
    s->stepper = NULL;
}

/* A motion must not depend on how long its stepper has lived, but for the accuracy of the method. */
static void the_past_does_not_show (void **state)
{
    (void)state;
    static const struct
    {
        const char *name;
        scene (*make) (void);
        int integrator, soft;
        double same; /* of velocities, m/s and rad/s */
    } subjects[] = {
        {"carriage, rk4", carriage, dRLSIntegratorRK4, 0, 1e-9},
        {"carriage, Euler", carriage, dRLSIntegratorEuler, 0, 1e-9},
        {"motor, Euler", pulled_along, dRLSIntegratorEuler, 0, 1e-4},
        {"motor without bound, Euler", pulled_hard, dRLSIntegratorEuler, 0, 1e-9},
        {"motor without bound, rk4", pulled_hard, dRLSIntegratorRK4, 0, 1e-9},
        {"soft loop", four_bar, dRLSIntegratorEuler, 1, 1e-9},
    };
    for (int i = 0; i < MANY (subjects); ++i)
    {
        scene at[2];
        for (int fresh = 0; fresh < 2; ++fresh)
        {
            scene *s = &at[fresh];
            *s = subjects[i].make ();
            for (int step = 0; step < STEPS; ++step)
            {
                if (fresh) renew (s);
                if (fresh || step == 0) choose (s, subjects[i].integrator, subjects[i].soft);
                scene_step (s, LONG, 1);
            }
        }
        const double off = scene_velocity_difference (&at[0], &at[1]);
        if (!(off <= subjects[i].same)) fail_msg ("%s: %g", subjects[i].name, off);
        scene_close (&at[0]);
        scene_close (&at[1]);
    }
}

/* ---- rows beside each other ---- */

#define FEWEST_ROWS 57 /* about 64, where what is written behind the last row is another thing */
#define MOST_ROWS 71
#define DEEP ((dReal)1e-3) /* m */

/* A chain along x with so many rows, of hinges and, for what is left, balls; each joint with the link before
 * it or the one after it first. */
static scene chain_of_rows (int rows, int backwards)
{
    const double axis[3] = {0, 1, 0};
    int hinges = rows / 5;
    while ((rows - 5 * hinges) % 3) --hinges;
    scene s = scene_open ((dReal)-9.81);
    for (int i = 0; i < hinges + (rows - 5 * hinges) / 3; ++i)
    {
        const double anchor[3] = {0.2 * i, 0, 0};
        const int link = scene_box (&s, (dReal)(0.2 * i + 0.1), 0, 0, 1, (dReal)0.2, (dReal)0.1, (dReal)0.1),
                  last = i > 0 ? link - 1 : NO_BODY, first = backwards && i > 0 ? last : link,
                  second = first == link ? last : link;
        if (i < hinges)
            scene_hinge (&s, first, second, anchor, axis);
        else
            scene_ball (&s, first, second, anchor);
    }
    return s;
}

/* The last link stands on something. */
static void touch (scene *s, dJointGroupID group)
{
    const dBodyID body = s->body[s->bodies - 1];
    dContact contact = {.surface.mu = 1, .geom.depth = DEEP, .geom.normal = {0, 0, 1}};
    dCopyVector3 (contact.geom.pos, dBodyGetPosition (body));
    dJointAttach (dJointCreateContact (s->world, group, &contact), body, NULL);
}

/* Rows of contacts, which have bounds, are kept elsewhere than those of joints: there is no room for them. */
static void contacts_write_over_nothing (void **state)
{
    (void)state;
    for (int i = 2 * FEWEST_ROWS; i < 2 * MOST_ROWS; ++i)
    {
        const int rows = i / 2;
        scene s = chain_of_rows (rows, i % 2);
        const dJointGroupID group = dJointGroupCreate (0);
        for (int step = 0; step < 10; ++step)
        {
            touch (&s, group);
            scene_step (&s, H, 1);
            dJointGroupEmpty (group);
        }
        if (!(scene_violation (&s) < 1e-9)) fail_msg ("%d rows: open by %g", rows, scene_violation (&s));
        if (dRLSStepperGetWarningCount (s.stepper, dRLSWarningFallback))
            fail_msg ("%d rows: not as it is meant to be stepped", rows);
        dJointGroupDestroy (group);
        scene_close (&s);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (bodies_let_go_fly_off),
        cmocka_unit_test (looks_in_between_change_nothing),
        cmocka_unit_test (the_past_does_not_show),
        cmocka_unit_test (contacts_write_over_nothing),
    };
    mallopt (M_PERTURB, FILLED);
    return cmocka_run_group_tests (tests, scene_start_ode, scene_stop_ode);
}
