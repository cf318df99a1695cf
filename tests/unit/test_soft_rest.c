/*
 * Compliant contacts at rest.  ODE's rule makes a spring of each, of k = ERP / (h CFM), with a damper.  What
 * a contact is found deep by, because collision detection sees impacts up to a step late, has not been
 * pressed in by any load: a spring that gave it back as energy would make stacks rock for ever, and one that
 * kept it would leave boxes deeper than their weight presses them.
 */
#include <ode/ode.h>
#include "oracle_scene.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#define GRAVITY 9.81
#define MASS 5
#define SIDE 0.4 /* m */
#define MOST 5   /* boxes */

/* How the contacts of a stack are compliant. */
typedef struct
{
    double cfm, erp;
    int world; /* 1: by the world, and friction with them; 0: by the contacts */
} softness;

typedef struct
{
    dWorldID world;
    dSpaceID space;
    dJointGroupID contacts;
    dBodyID box[MOST];
    int boxes;
    dSurfaceParameters surface;
    double deepest; /* m */
} stack;

static void touch (void *data, dGeomID a, dGeomID b)
{
    stack *s = data;
    scene_touch (s->world, s->contacts, a, b, 8, &s->surface, &s->deepest);
}

/* Boxes above each other that turn a little and fall by drop (m). */
static stack make (int boxes, const softness *soft, double restitution, double drop, double turn)
{
    stack s = {.world = dWorldCreate (),
               .space = dHashSpaceCreate (NULL),
               .contacts = dJointGroupCreate (0),
               .boxes = boxes,
               .surface = {.mode = dContactApprox1, .mu = 0.5}};
    dMass mass;
    dMassSetBoxTotal (&mass, MASS, SIDE, SIDE, SIDE);
    dWorldSetGravity (s.world, 0, 0, (dReal)-GRAVITY);
    dCreatePlane (s.space, 0, 0, 1, 0);
    if (soft->world) dWorldSetCFM (s.world, (dReal)soft->cfm), dWorldSetERP (s.world, (dReal)soft->erp);
    if (!soft->world) s.surface.mode |= dContactSoftCFM | dContactSoftERP;
    s.surface.soft_cfm = (dReal)soft->cfm, s.surface.soft_erp = (dReal)soft->erp;
    if (restitution > 0) s.surface.mode |= dContactBounce;
    s.surface.bounce = (dReal)restitution, s.surface.bounce_vel = (dReal)0.1;
    for (int i = 0; i < boxes; ++i)
    {
        s.box[i] = dBodyCreate (s.world);
        dBodySetMass (s.box[i], &mass);
        dGeomSetBody (dCreateBox (s.space, SIDE, SIDE, SIDE), s.box[i]);
        dBodySetPosition (s.box[i], (dReal)(0.001 * (i % 3)), (dReal)(0.001 * (i % 2)),
                          (dReal)(SIDE / 2 + drop + (SIDE + drop) * i));
        dBodySetAngularVel (s.box[i], (dReal)turn, (dReal)(0.6 * turn), 0);
    }
    return s;
}

static void destroy (stack *s)
{
    dJointGroupDestroy (s->contacts);
    dSpaceDestroy (s->space);
    dWorldDestroy (s->world);
}

/* Takes steps of h for a time (s).  Returns the largest kinetic energy (J) in the last quarter of it. */
static double run (stack *s, dRLSStepperID stepper, double h, double time)
{
    const long steps = lround (time / h);
    double largest = 0;
    for (long i = 0; i < steps; ++i)
    {
        double energy = 0;
        s->deepest = 0;
        dSpaceCollide (s->space, s, touch);
        assert_true (dRLSStepperStep (stepper, (dReal)h));
        dJointGroupEmpty (s->contacts);
        for (int j = 0; j < s->boxes; ++j)
        {
            dReal kinetic, potential;
            dRLSMeasureBody (s->box[j], &kinetic, &potential);
            energy += (double)kinetic;
        }
        if (4 * i >= 3 * steps) largest = fmax (largest, energy);
    }
    return largest;
}

/* Stacks that have been rocked come to rest, and what lifts them at rest is not reported. */
static void rocked_stacks_rest (void **state)
{
    static const double step[] = {1 / 60.0, 0.01, 0.005}, turn[] = {0.4, 0.5, 1};
    static const softness soft = {1e-5, 0.2, 1};
    double worst = 0;
    (void)state;
    for (size_t i = 0; i < sizeof (step) / sizeof (*step); ++i)
        for (int boxes = 3; boxes <= MOST; ++boxes)
            for (int rebounds = 0; rebounds < 2; ++rebounds)
            {
                stack s = make (boxes, &soft, rebounds ? 0.3 : 0, 0.05, turn[boxes - 3]);
                const dRLSStepperID stepper = dRLSStepperCreate (s.world, NULL);
                const double energy = run (&s, stepper, step[i], 30);
                worst = fmax (worst, energy);
                print_message ("%d boxes, %g s%s: %.2g J, %.2g m deep\n", boxes, step[i],
                               rebounds ? ", rebounds" : "", energy, s.deepest);
                assert_int_equal (dRLSStepperGetWarningCount (stepper, dRLSWarningDepth), 0);
                dRLSStepperDestroy (stepper);
                destroy (&s);
            }
    print_message ("most that is left: %.2g J (asked: 1e-6)\n", worst);
    assert_true (worst < 1e-6);
}

/* Contacts at rest are as deep as their load presses them, m g / k, also if they were struck before that, and
 * nothing is reported of that. */
static void depth_at_rest_is_that_of_the_load (void **state)
{
    static const softness soft[] = {{1e-7, 0.2, 0}, {1e-5, 0.2, 1}, {1e-5, 0.8, 0},
                                    {1e-4, 0.2, 0}, {1e-3, 0.2, 1}, {1e-3, 0.6, 0}};
    static const double step[] = {1 / 60.0, 0.004};
    (void)state;
    for (size_t i = 0; i < sizeof (soft) / sizeof (*soft); ++i)
        for (size_t k = 0; k < sizeof (step) / sizeof (*step); ++k)
        {
            stack s = make (2, &soft[i], 0, 0.03, 0);
            const dRLSStepperID stepper = dRLSStepperCreate (s.world, NULL);
            const double energy = run (&s, stepper, step[k], 8),
                         expected = 2 * MASS * GRAVITY / 4 * soft[i].cfm * step[k] / soft[i].erp;
            print_message ("CFM %g, ERP %g, %g s: %.4g m deep, expected %.4g; %.2g J\n", soft[i].cfm,
                           soft[i].erp, step[k], s.deepest, expected, energy);
            assert_true (fabs (s.deepest - expected) < 0.05 * expected + 0.002 * GRAVITY * step[k] * step[k]);
            assert_true (energy < 1e-9);
            assert_int_equal (dRLSStepperGetWarningCount (stepper, dRLSWarningDepth), 0);
            assert_int_equal (dRLSStepperGetWarningCount (stepper, dRLSWarningEnergy), 0);
            dRLSStepperDestroy (stepper);
            destroy (&s);
        }
}

/* So is the contact of a ball that rolls, which is at another point of the ball in each step. */
static void a_rolling_ball_is_as_deep (void **state)
{
    const double h = 1 / 60.0, cfm = 1e-3, erp = 0.2, radius = 0.2, expected = GRAVITY * h * cfm / erp;
    const dWorldID world = dWorldCreate ();
    const dJointGroupID contacts = dJointGroupCreate (0);
    const dBodyID ball = dBodyCreate (world);
    dMass mass;
    (void)state;
    dMassSetSphereTotal (&mass, 1, (dReal)radius);
    dBodySetMass (ball, &mass);
    dBodySetPosition (ball, 0, 0, (dReal)radius);
    dBodySetLinearVel (ball, 10, 0, 0);
    dBodySetAngularVel (ball, 0, (dReal)(10 / radius), 0);
    dWorldSetGravity (world, 0, 0, (dReal)-GRAVITY);
    const dRLSStepperID stepper = dRLSStepperCreate (world, NULL);
    double depth = 0;
    for (int i = 0; i < 300; ++i)
    {
        const dReal *x = dBodyGetPosition (ball);
        depth = radius - (double)x[2];
        dContact contact = {.surface = {.mode = dContactApprox1 | dContactSoftCFM | dContactSoftERP,
                                        .mu = 1,
                                        .soft_erp = (dReal)erp,
                                        .soft_cfm = (dReal)cfm}};
        contact.geom.pos[0] = x[0], contact.geom.pos[1] = x[1], contact.geom.normal[2] = 1;
        contact.geom.depth = (dReal)depth;
        if (depth >= 0) dJointAttach (dJointCreateContact (world, contacts, &contact), ball, NULL);
        assert_true (dRLSStepperStep (stepper, (dReal)h));
        dJointGroupEmpty (contacts);
    }
    print_message ("a ball rolls %.4g m deep, expected %.4g\n", depth, expected);
    assert_true (fabs (depth - expected) < 0.01 * expected);
    dRLSStepperDestroy (stepper);
    dJointGroupDestroy (contacts);
    dWorldDestroy (world);
}

/*
 * By how much, of its weight, the corners of two diagonals share the load of a box unevenly that slides after
 * a fall on one of its corners: the largest after half a second.  Springs on level ground, whose depths lie
 * in a plane, share it evenly.
 */
static double shared_unevenly (double h)
{
    scene s = scene_open ((dReal)-GRAVITY);
    const int box = scene_box (&s, 0, 0, (dReal)0.06, MASS, (dReal)SIDE, (dReal)SIDE, (dReal)0.1);
    const dGeomID shape = dCreateBox (NULL, (dReal)SIDE, (dReal)SIDE, (dReal)0.1),
                  ground = dCreatePlane (NULL, 0, 0, 1, 0);
    const dJointGroupID contacts = dJointGroupCreate (0);
    dMatrix3 R;
    double worst = 0;
    dRFromAxisAndAngle (R, (dReal)0.9, (dReal)0.4, 0, (dReal)0.02);
    dBodySetRotation (s.body[box], R);
    dBodySetLinearVel (s.body[box], 4, 0, 0);
    dGeomSetBody (shape, s.body[box]);
    for (int i = 0; i * h < 0.9; ++i)
    {
        dContact contact[8];
        dJointFeedback feedback[8];
        const int count = dCollide (shape, ground, 8, &contact->geom, sizeof *contact);
        for (int k = 0; k < count; ++k)
        {
            contact[k].surface = (dSurfaceParameters){
                .mode = dContactApprox1 | dContactSoftCFM, .mu = (dReal)0.3, .soft_cfm = (dReal)1e-5};
            const dJointID joint = dJointCreateContact (s.world, contacts, &contact[k]);
            dJointSetFeedback (joint, &feedback[k]);
            dJointAttach (joint, s.body[box], NULL);
        }
        scene_step (&s, (dReal)h, 1);
        double uneven = 0;
        for (int k = 0; k < count; ++k) /* by the sign of the product of the corner's coordinates */
            uneven += (feedback[k].t1[0] * feedback[k].t1[1] < 0 ? 1 : -1) * (double)feedback[k].f1[2];
        if (i * h > 0.5) worst = fmax (worst, fabs (uneven) / (MASS * GRAVITY));
        dJointGroupEmpty (contacts);
    }
    dJointGroupDestroy (contacts), dGeomDestroy (shape), dGeomDestroy (ground);
    scene_close (&s);
    return worst;
}

/* What of a depth no load had pressed in was left in part while the box slid, and two of its corners carried
 * nearly all of it at 10 ms (dWorldStep: evenly). */
static void springs_share_the_load_of_what_slides (void **state)
{
    static const double h[] = {0.01, 0.004, 0.002, 0.001};
    (void)state;
    for (int i = 0; i < 4; ++i)
    {
        const double uneven = shared_unevenly (h[i]);
        print_message ("h = %g s: diagonals share the load unevenly by %.4f of it\n", h[i], uneven);
        assert_true (uneven < 0.02);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test (rocked_stacks_rest),
                                       cmocka_unit_test (depth_at_rest_is_that_of_the_load),
                                       cmocka_unit_test (a_rolling_ball_is_as_deep),
                                       cmocka_unit_test (springs_share_the_load_of_what_slides)};
    dInitODE2 (0);
    const int failed = cmocka_run_group_tests (tests, NULL, NULL);
    dCloseODE ();
    return failed;
}
