/*
 * Rebounds of rows that are soft.  Programs often give the world a CFM of 1e-5 or so, which makes every
 * contact and stop a little soft; they rebound all the same.  With ODE's rule, w + CFM / h p = target for the
 * impulse p of the whole step, a body of mass m that strikes with the speed v leaves with (e - s) / (1 + s)
 * v, where s = m CFM / h.
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
#define FALL 1.0 /* m */
#define RESTITUTION 0.6

typedef struct
{
    dWorldID world;
    dBodyID body;
    dJointGroupID contacts;
} falling;

/* A ball above the ground, or one that a slider with a stop guides. */
static falling make (double cfm, int guided)
{
    falling f = {.world = dWorldCreate (), .contacts = dJointGroupCreate (0)};
    dMass mass;
    dWorldSetGravity (f.world, 0, 0, (dReal)-GRAVITY);
    if (cfm > 0) dWorldSetCFM (f.world, (dReal)cfm);
    f.body = dBodyCreate (f.world);
    dMassSetSphereTotal (&mass, MASS, (dReal)0.2);
    dBodySetMass (f.body, &mass);
    dBodySetPosition (f.body, 0, 0, (dReal)FALL);
    if (!guided) return f;
    const dJointID slider = dJointCreateSlider (f.world, 0);
    dJointAttach (slider, f.body, NULL);
    dJointSetSliderAxis (slider, 0, 0, 1);
    dJointSetSliderParam (slider, dParamLoStop, (dReal)-FALL);
    dJointSetSliderParam (slider, dParamBounce, (dReal)RESTITUTION);
    return f;
}

static void touch_ground (const falling *f, double erp)
{
    const dReal depth = -dBodyGetPosition (f->body)[2];
    dContact contact = {.surface = {.mode = dContactBounce, .mu = 1, .bounce = (dReal)RESTITUTION}};
    contact.geom.normal[2] = 1, contact.geom.depth = depth;
    if (erp > 0) contact.surface.mode |= dContactSoftERP, contact.surface.soft_erp = (dReal)erp;
    if (depth >= 0) dJointAttach (dJointCreateContact (f->world, f->contacts, &contact), f->body, NULL);
}

/* Returns the height (m) to which the body rises after its first impact, in steps of h (s); erp: that of the
 * contacts, 0: the world's. */
static double first_height (double cfm, double erp, double h, int guided)
{
    falling f = make (cfm, guided);
    const dRLSStepperID stepper = dRLSStepperCreate (f.world, NULL);
    double highest = 0;
    int struck = 0;
    for (int i = 0; i < lround (1.2 / h); ++i)
    {
        if (!guided) touch_ground (&f, erp);
        assert_true (dRLSStepperStep (stepper, (dReal)h));
        dJointGroupEmpty (f.contacts);
        struck |= dBodyGetLinearVel (f.body)[2] > 0;
        if (struck) highest = fmax (highest, (double)dBodyGetPosition (f.body)[2]);
    }
    dRLSStepperDestroy (stepper);
    dJointGroupDestroy (f.contacts);
    dWorldDestroy (f.world);
    return highest;
}

static void soft_rows_rebound (void **state)
{
    static const double cfm[] = {0, 1e-9, 1e-6, 1e-5, 1e-4}, step[] = {0.004, 0.001};
    (void)state;
    for (int guided = 0; guided < 2; ++guided)
        for (size_t i = 0; i < sizeof (cfm) / sizeof (*cfm); ++i)
            for (size_t k = 0; k < sizeof (step) / sizeof (*step); ++k)
            {
                const double s = MASS * cfm[i] / step[k], left = fmax (RESTITUTION - s, 0) / (1 + s),
                             expected = left * left * FALL,
                             reached = first_height (cfm[i], 0, step[k], guided);
                print_message ("%s, CFM %g, %g s: %.4f m, expected %.4f\n", guided ? "stop" : "contact",
                               cfm[i], step[k], reached, expected);
                assert_true (fabs (reached - expected) < 0.005 * FALL);
            }
}

/* When a contact was struck follows from its depth, which ODE tells times the contact's own ERP. */
static void the_depth_is_that_of_the_own_erp (void **state)
{
    static const double erp[] = {0.05, 0.2, 0.9};
    (void)state;
    for (size_t i = 0; i < sizeof (erp) / sizeof (*erp); ++i)
    {
        const double reached = first_height (0, erp[i], 0.01, 0);
        print_message ("ERP %g: %.6f m\n", erp[i], reached);
        assert_true (fabs (reached - RESTITUTION * RESTITUTION * FALL) < 1e-3 * FALL);
    }
}

/* The height (m) to which a spring (N/m) with a damper (N s/m) that only pushes throws the body. */
static double thrown_by (double k, double c)
{
    const double d = 1e-6;
    double x = 0, v = -sqrt (2 * GRAVITY * FALL);
    for (double force = 1; force > 0; x += d * v)
    {
        force = -k * x - c * v;
        v += d * (force / MASS - GRAVITY);
    }
    return x + v * v / (2 * GRAVITY);
}

/* What is too soft to turn the velocity round within a step is a spring, whatever its restitution. */
static void springs_throw_back (void **state)
{
    static const double cfm = 0.05, erp = 0.2, step[] = {0.001, 0.0003};
    (void)state;
    for (int i = 0; i < 4; ++i)
    {
        const double h = step[i / 2], expected = thrown_by (erp / (h * cfm), (1 - erp) / cfm),
                     reached = first_height (cfm, erp, h, i % 2);
        print_message ("%s, %g s: %.4f m, expected %.4f\n", i % 2 ? "stop" : "contact", h, reached, expected);
        assert_true (fabs (reached - expected) < 0.06 * FALL);
    }
}

/* So is the contact of a light body under a load that is joined to it, however light it is by itself. */
static void so_they_do_under_a_load (void **state)
{
    const double k = 3e4, damping = 155, h = 0.01;
    const dWorldID world = dWorldCreate ();
    const dJointGroupID contacts = dJointGroupCreate (0);
    dBodyID body[2];
    (void)state;
    dWorldSetGravity (world, 0, 0, (dReal)-GRAVITY);
    for (int i = 0; i < 2; ++i)
    {
        dMass mass;
        body[i] = dBodyCreate (world);
        dMassSetSphereTotal (&mass, i ? 19 : 1, (dReal)0.2);
        dBodySetMass (body[i], &mass);
        dBodySetPosition (body[i], 0, 0, (dReal)(0.2 + 0.5 * i));
    }
    const dJointID joint = dJointCreateFixed (world, NULL);
    dJointAttach (joint, body[0], body[1]);
    dJointSetFixed (joint);
    const dRLSStepperID stepper = dRLSStepperCreate (world, NULL);
    double deepest = 0;
    for (int i = 0; i < 100; ++i)
    {
        const double depth = -(double)dBodyGetPosition (body[0])[2];
        dContact c = {.surface = {.mode = dContactSoftERP | dContactSoftCFM | dContactBounce}};
        c.geom.normal[2] = 1, c.geom.depth = (dReal)depth, c.surface.bounce = (dReal)RESTITUTION;
        c.surface.soft_erp = (dReal)(h * k / (h * k + damping));
        c.surface.soft_cfm = (dReal)(1 / (h * k + damping));
        if (depth > 0) dJointAttach (dJointCreateContact (world, contacts, &c), body[0], NULL);
        assert_int_equal (dRLSStepperStep (stepper, (dReal)h), 1);
        dJointGroupEmpty (contacts);
        deepest = fmax (deepest, depth);
    }
    print_message ("under a load: %.4f m deep (0.0497 with short steps)\n", deepest);
    assert_true (deepest > 0.035 && deepest < 0.055);
    dRLSStepperDestroy (stepper);
    dJointGroupDestroy (contacts);
    dWorldDestroy (world);
}

/* A ball drops onto smooth soft ground, a spring (N/m) with a damper, while it moves sideways.  Nothing
 * pushes it sideways.  Where the ground let go within a step, its impulse of the first half was not known to
 * have given energy, which was taken from all velocities: up to 1.2 % of the speed in 64 drops. */
static void smooth_ground_takes_no_speed (void **state)
{
    (void)state;
    for (int n = 0; n < 64; ++n)
    {
        const double k = n & 1 ? 7500 : 1500, damping = 2 * 0.1 * (n / 2 % 4) * sqrt (k),
                     h = n / 8 % 2 ? 0.005 : 0.01, height = 0.01 * pow (3, n / 16), radius = 0.2;
        const dWorldID world = dWorldCreate ();
        const dBodyID body = dBodyCreate (world);
        const dJointGroupID contacts = dJointGroupCreate (0);
        dMass mass;
        dMassSetSphereTotal (&mass, 1, (dReal)radius);
        dBodySetMass (body, &mass);
        dBodySetPosition (body, 0, 0, (dReal)(radius + height));
        dBodySetLinearVel (body, (dReal)0.5, 0, 0);
        dWorldSetGravity (world, 0, 0, (dReal)-GRAVITY);
        const dRLSStepperID stepper = dRLSStepperCreate (world, NULL);
        for (int i = 0; i < 1 / h; ++i)
        {
            const double depth = radius - (double)dBodyGetPosition (body)[2];
            dContact c = {.surface = {.mode = dContactSoftERP | dContactSoftCFM}};
            c.geom.normal[2] = 1, c.geom.depth = (dReal)depth;
            c.geom.pos[0] = dBodyGetPosition (body)[0];
            c.surface.soft_erp = (dReal)(h * k / (h * k + damping));
            c.surface.soft_cfm = (dReal)(1 / (h * k + damping));
            if (depth > 0) dJointAttach (dJointCreateContact (world, contacts, &c), body, NULL);
            assert_int_equal (dRLSStepperStep (stepper, (dReal)h), 1);
            dJointGroupEmpty (contacts);
        }
        const double speed = (double)dBodyGetLinearVel (body)[0];
        if (!(fabs (speed - 0.5) < 1e-12))
            fail_msg ("%g N/m, %g N s/m, %g s, %g m: %g m/s", k, damping, h, height, speed);
        dRLSStepperDestroy (stepper);
        dJointGroupDestroy (contacts);
        dWorldDestroy (world);
    }
}

/* Two capsules of 1 kg, end to end in a joint, that have struck the ground with one: the velocities of that
 * one (m/s, rad/s).  stiff: 0, a hard joint; 1, one with a compliance; 2, one with a CFM of its own; 3, a
 * hinge with a motor of 1e6 N m. */
static void strike_with_two (int fixed, double restitution, int stiff, double h, int own, double v[6])
{
    const dWorldID world = dWorldCreate ();
    const dJointGroupID contacts = dJointGroupCreate (0);
    const dRLSStepperID stepper = dRLSStepperCreate (world, NULL);
    const dGeomID shape[2] = {dCreateCapsule (NULL, (dReal)0.05, (dReal)0.5),
                              dCreateCapsule (NULL, (dReal)0.05, (dReal)0.5)},
                  ground = dCreatePlane (NULL, 0, 0, 1, 0);
    const dSurfaceParameters surface = {
        .mode = dContactApprox1 | dContactBounce, .mu = (dReal)0.5, .bounce = (dReal)restitution};
    dBodyID body[2];
    dVector3 joint_at = {0}, end;
    dWorldSetGravity (world, 0, 0, (dReal)-GRAVITY);
    for (int i = 0; i < 2; ++i)
    {
        dMass mass;
        dMatrix3 R;
        body[i] = dBodyCreate (world);
        dMassSetCapsuleTotal (&mass, 1, 3, (dReal)0.05, (dReal)0.5);
        dBodySetMass (body[i], &mass);
        dBodySetPosition (body[i], 0, 0, (dReal)0.6);
        dRFromAxisAndAngle (R, 0, 1, 0, (dReal)(i == 0 ? 0.3 : 1.2));
        dBodySetRotation (body[i], R);
        dBodyGetRelPointPos (body[i], 0, 0, (dReal)(i == 0 ? 0.3 : -0.3), i == 0 ? joint_at : end);
        dBodySetLinearVel (body[i], (dReal)0.5, 0, -2);
        dGeomSetBody (shape[i], body[i]);
    }
    dBodySetPosition (body[1], joint_at[0] - end[0], 0, joint_at[2] - end[2] + (dReal)0.6);
    const dJointID joint = stiff == 3 ? dJointCreateHinge (world, 0)
                           : fixed    ? dJointCreateFixed (world, 0)
                                      : dJointCreateBall (world, 0);
    dJointAttach (joint, body[0], body[1]);
    if (stiff == 3)
    {
        dJointSetHingeAnchor (joint, joint_at[0], joint_at[1], joint_at[2]);
        dJointSetHingeAxis (joint, 0, 1, 0);
        dJointSetHingeParam (joint, dParamFMax, (dReal)1e6);
    }
    else if (fixed)
        dJointSetFixed (joint);
    else
        dJointSetBallAnchor (joint, joint_at[0], joint_at[1], joint_at[2]);
    if (stiff == 1) dRLSStepperSetJointCompliance (stepper, joint, (dReal)1e10, 0);
    if (stiff == 2 && fixed) dJointSetFixedParam (joint, dParamCFM, (dReal)1e-9);
    if (stiff == 2 && !fixed) dJointSetBallParam (joint, dParamCFM, (dReal)1e-9);
    for (int i = 0; i < lround (0.25 / h); ++i)
    {
        for (int k = 0; k < 2; ++k) scene_touch (world, contacts, shape[k], ground, 4, &surface, NULL);
        if (own)
            dWorldStep (world, (dReal)h);
        else
            assert_int_equal (dRLSStepperStep (stepper, (dReal)h), 1);
        dJointGroupEmpty (contacts);
    }
    for (int k = 0; k < 3; ++k)
        v[k] = (double)dBodyGetLinearVel (body[0])[k], v[3 + k] = (double)dBodyGetAngularVel (body[0])[k];
    dGeomDestroy (shape[0]), dGeomDestroy (shape[1]), dGeomDestroy (ground);
    dRLSStepperDestroy (stepper);
    dJointGroupDestroy (contacts);
    dWorldDestroy (world);
}

/* A compliant joint had no impulse in an impact: at both steps off by 3.5 rad/s with a restitution of 0.5,
 * welded by 1.3 and 0.16 rad/s. */
static void compliant_joints_hold_in_an_impact (void **state)
{
    (void)state;
    for (int k = 0; k < 8; ++k)
    {
        const int fixed = k & 1;
        const double restitution = k & 2 ? 0.5 : 0, h = k & 4 ? 0.001 : 0.01;
        double hard[6], v[6], off[3] = {0, 0, 0};
        strike_with_two (fixed, restitution, 0, h, 0, hard);
        for (int stiff = 1; stiff < 4; ++stiff)
        {
            strike_with_two (fixed, restitution, stiff < 3 ? stiff : 0, h, stiff == 3, v);
            for (int i = 0; i < 6; ++i) off[stiff - 1] = fmax (off[stiff - 1], fabs (v[i] - hard[i]));
        }
        print_message ("%s, restitution %.1f, %g s: with a compliance off by %.1e, with a CFM by %.1e, "
                       "dWorldStep by %.1e (m/s or rad/s)\n",
                       fixed ? "welded" : "joined", restitution, h, off[0], off[1], off[2]);
        assert_true (off[0] < 200 * h * h && off[1] < 200 * h * h + 0.001);
    }
}

/* A motor had no impulse in an impact, however strong, unless its strength was unlimited: the rods turned in
 * their joint, off by 2.3 rad/s with a restitution of 0.5 and by 0.77 without, and the motor took the energy
 * of that (dWorldStep at 1 ms: 0.007 and 0.005). */
static void strong_motors_hold_in_an_impact (void **state)
{
    (void)state;
    for (int k = 0; k < 4; ++k)
    {
        const double restitution = k & 1 ? 0.5 : 0, h = k & 2 ? 0.001 : 0.01;
        double hard[6], v[6], off = 0;
        strike_with_two (1, restitution, 0, h, 0, hard);
        strike_with_two (1, restitution, 3, h, 0, v);
        for (int i = 0; i < 6; ++i) off = fmax (off, fabs (v[i] - hard[i]));
        print_message ("restitution %.1f, %g s: off by %.1e m/s or rad/s\n", restitution, h, off);
        assert_true (off < 1e-4);
    }
}

/* A ball falls on the end of a lever that lies at its stop, in a world with a CFM: velocities of both
 * 0.13 s after the impact (m/s, rad/s), and by how much the lever is beyond its stop at most (rad). */
static void strike_lever (double restitution, double cfm, double h, double v[7])
{
    const dWorldID world = dWorldCreate ();
    const dJointGroupID contacts = dJointGroupCreate (0);
    const dRLSStepperID stepper = dRLSStepperCreate (world, NULL);
    const dGeomID shape[2] = {dCreateBox (NULL, 1, (dReal)0.2, (dReal)0.05),
                              dCreateSphere (NULL, (dReal)0.05)};
    const dSurfaceParameters surface = {
        .mode = dContactApprox1 | dContactBounce, .mu = (dReal)0.3, .bounce = (dReal)restitution};
    const dBodyID lever = dBodyCreate (world), ball = dBodyCreate (world);
    dMass mass;
    dWorldSetGravity (world, 0, 0, (dReal)-GRAVITY);
    if (cfm > 0) dWorldSetCFM (world, (dReal)cfm);
    const dJointID hinge = dJointCreateHinge (world, 0); /* its stops take over the CFM */
    dMassSetBoxTotal (&mass, 2, 1, (dReal)0.2, (dReal)0.05);
    dBodySetMass (lever, &mass);
    dBodySetPosition (lever, (dReal)0.3, 0, 0);
    dMassSetSphereTotal (&mass, (dReal)0.5, (dReal)0.05);
    dBodySetMass (ball, &mass);
    dBodySetPosition (ball, (dReal)0.6, 0, (dReal)0.5);
    dBodySetLinearVel (ball, (dReal)0.2, 0, 0);
    dGeomSetBody (shape[0], lever), dGeomSetBody (shape[1], ball);
    dJointAttach (hinge, lever, NULL);
    dJointSetHingeAnchor (hinge, 0, 0, 0);
    dJointSetHingeAxis (hinge, 0, 1, 0);
    dJointSetHingeParam (hinge, dParamLoStop, (dReal)-1.5);
    dJointSetHingeParam (hinge, dParamHiStop, 0);
    v[6] = 0;
    for (int i = 0; i < lround (0.43 / h); ++i)
    {
        scene_touch (world, contacts, shape[0], shape[1], 4, &surface, NULL);
        assert_int_equal (dRLSStepperStep (stepper, (dReal)h), 1);
        dJointGroupEmpty (contacts);
        v[6] = fmax (v[6], (double)dJointGetHingeAngle (hinge));
    }
    for (int k = 0; k < 3; ++k)
        v[k] = (double)dBodyGetLinearVel (ball)[k], v[3 + k] = (double)dBodyGetAngularVel (ball)[k];
    v[5] = (double)dBodyGetAngularVel (lever)[1];
    dGeomDestroy (shape[0]), dGeomDestroy (shape[1]);
    dRLSStepperDestroy (stepper);
    dJointGroupDestroy (contacts);
    dWorldDestroy (world);
}

/* A stop with a CFM that bears had no impulse in an impact beside it, and did not resist when depth was taken
 * back: the ball did not rebound, and without restitution the lever came 0.01 rad beyond its stop at 10 ms.
 */
static void levers_lie_on_compliant_stops (void **state)
{
    (void)state;
    for (int k = 0; k < 8; ++k)
    {
        const double restitution = k & 1 ? 0.5 : 0, h = k & 2 ? 0.001 : 0.01, cfm = k & 4 ? 1e-6 : 1e-8;
        double hard[7], v[7], off = 0;
        strike_lever (restitution, 0, h, hard), strike_lever (restitution, cfm, h, v);
        for (int i = 0; i < 6; ++i) off = fmax (off, fabs (v[i] - hard[i]));
        print_message ("restitution %.1f, %g s, CFM %g: off by %.1e m/s or rad/s, %.1e rad beyond the stop\n",
                       restitution, h, cfm, off, v[6]);
        assert_true (off < 0.005 && v[6] < 1e-4);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test (soft_rows_rebound),
                                       cmocka_unit_test (smooth_ground_takes_no_speed),
                                       cmocka_unit_test (the_depth_is_that_of_the_own_erp),
                                       cmocka_unit_test (springs_throw_back),
                                       cmocka_unit_test (so_they_do_under_a_load),
                                       cmocka_unit_test (compliant_joints_hold_in_an_impact),
                                       cmocka_unit_test (strong_motors_hold_in_an_impact),
                                       cmocka_unit_test (levers_lie_on_compliant_stops)};
    dInitODE2 (0);
    const int failed = cmocka_run_group_tests (tests, NULL, NULL);
    dCloseODE ();
    return failed;
}
