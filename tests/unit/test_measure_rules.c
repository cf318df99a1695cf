/*
 * What dRLSMeasureJoint and dRLSMeasureBody count and what they do not: joints that constrain nothing,
 * motors and stops, springs and play, wrong use, joints that cannot be evaluated, energy.
 */
#include "measure_rig.h"

static const double pi = 3.14159265358979323846;

/* Opens a ball joint by 1.3 m. */
static const rig_motion opened = {
    .pivot = AT_ANCHOR, .turn_axis = {0.6, 0, 0.8}, .turn = 2, .shift = {0.3, 0.4, 1.2}};

/* ---- what does not count ---- */

static void assert_closed (const rig *r)
{
    const dRLSViolation zero = {0, 0, 0, 0};
    dRLSViolation v;
    memset (&v, 0x55, sizeof (v));
    assert_int_equal (dRLSMeasureJoint (r->joint, &v), 1);
    assert_memory_equal (&v, &zero, sizeof (v));
}

static dJointID create_contact (dWorldID world, dJointGroupID group)
{
    dContact contact = {.surface = {.mode = 0, .mu = 1}};
    contact.geom.normal[2] = 1;
    contact.geom.depth = (dReal)0.1;
    return dJointCreateContact (world, group, &contact);
}

static void without_constraints (void **state)
{
    (void)state;
    dJointID (*const creators[]) (dWorldID, dJointGroupID) = {create_contact, dJointCreateNull,
                                                              dJointCreateAMotor, dJointCreateLMotor};
    for (size_t i = 0; i < sizeof (creators) / sizeof (creators[0]); ++i)
        for (int p = 0; p < PLACES; ++p)
        {
            rig r;
            build_rig (&r, creators[i], (place)p, 0);
            dBodySetLinearVel (r.moving, 1, 2, 3);
            assert_closed (&r);
            drop_rig (&r);
        }
}

static void without_bodies (void **state)
{
    (void)state;
    dJointID (*const creators[]) (dWorldID, dJointGroupID) = {
        dJointCreateBall,   dJointCreateHinge,   dJointCreateSlider,       create_contact,
        dJointCreateFixed,  dJointCreateHinge2,  dJointCreateUniversal,    dJointCreatePR,
        dJointCreatePU,     dJointCreatePiston,  dJointCreateTransmission, dJointCreateDBall,
        dJointCreateDHinge, dJointCreatePlane2D, dJointCreateAMotor,       dJointCreateLMotor};
    const dWorldID world = dWorldCreate ();
    for (size_t i = 0; i < sizeof (creators) / sizeof (creators[0]); ++i)
    {
        const rig r = {.world = world, .joint = creators[i](world, NULL)};
        assert_closed (&r);
    }
    dWorldDestroy (world);
}

static void after_its_body (void **state)
{
    (void)state;
    rig r;
    build_rig (&r, dJointCreateHinge2, SECOND, 0);
    set_hinge2 (&r);
    dBodyDestroy (r.resting);
    assert_closed (&r);
    drop_rig (&r);
}

static void disabled (void **state)
{
    (void)state;
    rig r;
    build_rig (&r, dJointCreateBall, SECOND, 0);
    set_ball (&r);
    displace (&r, &opened);
    dJointDisable (r.joint);
    assert_closed (&r);
    dJointEnable (r.joint);
    assert_near (measure (&r).position_m, 1.3);
    drop_rig (&r);
}

/* A kinematic body holds a joint as well as another; the joint opens with its motion. */
static void kinematic (void **state)
{
    (void)state;
    rig r;
    build_rig (&r, dJointCreateBall, SECOND, 0);
    set_ball (&r);
    dBodySetKinematic (r.resting);
    dBodySetLinearVel (r.resting, 0, 0, 2);
    displace (&r, &opened);
    assert_near (measure (&r).position_m, 1.3);
    assert_near (measure (&r).velocity_m_s, 2);
    dBodySetKinematic (r.moving);
    assert_near (measure (&r).position_m, 1.3);
    drop_rig (&r);
}

/* ---- stops, motors, springs ---- */

/* A motor that is powered into its stop: asking must push nothing, also in a world that never stepped. */
static void motor_in_its_stop (void **state)
{
    (void)state;
    rig r;
    build_rig (&r, dJointCreateHinge, SECOND, 0);
    set_hinge (&r);
    dJointSetHingeParam (r.joint, dParamLoStop, (dReal)0.1);
    dJointSetHingeParam (r.joint, dParamHiStop, (dReal)0.5);
    dJointSetHingeParam (r.joint, dParamFMax, 10);
    dJointSetHingeParam (r.joint, dParamVel, -1);
    dJointSetHingeParam (r.joint, dParamStopERP, (dReal)0.7);
    const dRLSViolation v = measure (&r);
    assert_near (v.position_m, 0);
    assert_near (v.angle_rad, 0); /* beyond a one-sided stop, yet the hinge is whole */
    for (int k = 0; k < 3; ++k)
    {
        assert_true (dBodyGetTorque (r.moving)[k] == 0);
        assert_true (dBodyGetTorque (r.resting)[k] == 0);
    }
    assert_true (dJointGetHingeParam (r.joint, dParamFMax) == 10);
    assert_true (dJointGetHingeParam (r.joint, dParamStopERP) == (dReal)0.7);
    drop_rig (&r);
}

/* Equal stops lock an axis: it then counts like the others. */
static void locked_axis (void **state)
{
    (void)state;
    rig r;
    build_rig (&r, dJointCreateHinge, SECOND, 0);
    set_hinge (&r);
    dJointSetHingeParam (r.joint, dParamLoStop, 0);
    dJointSetHingeParam (r.joint, dParamHiStop, 0);
    dJointSetHingeParam (r.joint, dParamStopERP, 0);
    const rig_motion free_turn = {.pivot = AT_ANCHOR, .turn_axis = {1, 0, 0}, .turn = 0.3, .spin = {2, 0, 0}};
    displace (&r, &free_turn);
    set_moving (&r, &free_turn);
    assert_near (measure (&r).angle_rad, 0.3);
    assert_near (measure (&r).velocity_rad_s, 2);
    dJointSetHingeParam (r.joint, dParamHiStop, 1);
    assert_near (measure (&r).angle_rad, 0);
    assert_near (measure (&r).velocity_rad_s, 0);
    drop_rig (&r);
}

static void locked_slider (void **state)
{
    (void)state;
    rig r;
    build_rig (&r, dJointCreateSlider, FIRST, 0);
    set_slider (&r);
    dJointSetSliderParam (r.joint, dParamLoStop, (dReal)0.25);
    dJointSetSliderParam (r.joint, dParamHiStop, (dReal)0.25);
    assert_near (measure (&r).position_m, 0.25);
    drop_rig (&r);
}

/* Equal stops with a CFM are a spring, as games make them: no constraint that could be violated. */
static void soft_lock (void **state)
{
    (void)state;
    rig r;
    build_rig (&r, dJointCreateHinge, SECOND, 0);
    set_hinge (&r);
    dJointSetHingeParam (r.joint, dParamLoStop, 0);
    dJointSetHingeParam (r.joint, dParamHiStop, 0);
    dJointSetHingeParam (r.joint, dParamStopCFM, (dReal)0.01);
    const rig_motion turned = {.pivot = AT_ANCHOR, .turn_axis = {1, 0, 0}, .turn = 0.3, .spin = {2, 0, 0}};
    displace (&r, &turned);
    set_moving (&r, &turned);
    assert_near (measure (&r).angle_rad, 0);
    assert_near (measure (&r).velocity_rad_s, 0);
    drop_rig (&r);
}

/* A soft suspension is a spring: it may move along its axis, a stiff one may not. */
static void suspension (void **state)
{
    (void)state;
    rig r;
    build_rig (&r, dJointCreateHinge2, SECOND, 0);
    set_hinge2 (&r);
    const rig_motion shifted = {
        .pivot = AT_ANCHOR, .turn_axis = {1, 0, 0}, .shift = {0.3, 1.2, 0}, .velocity = {3, 4, 0}};
    displace (&r, &shifted);
    set_moving (&r, &shifted);
    assert_near (measure (&r).position_m, sqrt (0.3 * 0.3 + 1.2 * 1.2));
    assert_near (measure (&r).velocity_m_s, 5);
    dJointSetHinge2Param (r.joint, dParamSuspensionCFM, (dReal)0.01);
    assert_near (measure (&r).position_m, 0.3);
    assert_near (measure (&r).velocity_m_s, 3);
    drop_rig (&r);
}

/* Gears with play: nothing within it, the rest beyond it. */
static void backlash (void **state)
{
    (void)state;
    rig r;
    build_rig (&r, dJointCreateTransmission, SECOND, 0);
    set_spur_gears (&r);
    dJointSetTransmissionBacklash (r.joint, (dReal)0.05);
    const rig_motion turn = {.pivot = AT_OWN_END, .turn_axis = {1, 0, 0}, .turn = 0.1};
    displace (&r, &turn);
    assert_near (measure (&r).position_m, 0);
    displace (&r, &turn);
    assert_near (measure (&r).position_m, ROD / 2 * 0.2 - 0.05);
    drop_rig (&r);
}

/* Gears go round: after many turns their phase is still known, and measuring does not disturb it. */
static void many_turns_of_gears (void **state)
{
    (void)state;
    rig r;
    build_rig (&r, dJointCreateTransmission, SECOND, 0);
    set_spur_gears (&r);
    const rig_motion turn = {.pivot = AT_OWN_END, .turn_axis = {1, 0, 0}, .turn = 0.5, .spin = {300, 0, 0}};
    set_moving (&r, &turn);
    for (int i = 1; i <= 100; ++i)
    {
        displace (&r, &turn);
        const double arc = measure (&r).position_m;
        if (!(fabs (arc - ROD / 2 * 0.5 * i) < 1e3 * TOLERANCE)) fail_msg ("turn %d: %.17g", i, arc);
    }
    drop_rig (&r);
}

/* ---- wrong use ---- */

static void refused (void **state)
{
    (void)state;
    rig r;
    build_rig (&r, dJointCreateBall, SECOND, 0);
    set_ball (&r);
    dRLSViolation v;
    assert_int_equal (dRLSMeasureJoint (NULL, &v), 0);
    assert_int_equal (dRLSMeasureJoint (r.joint, NULL), 0);
    dBodySetLinearVel (r.moving, 0, (dReal)NAN, 0);
    assert_int_equal (dRLSMeasureJoint (r.joint, &v), 0);
    dBodySetLinearVel (r.moving, 0, 0, 0);
    assert_int_equal (dRLSMeasureJoint (r.joint, &v), 1);
    dBodySetPosition (r.resting, dInfinity, 0, 0);
    assert_int_equal (dRLSMeasureJoint (r.joint, &v), 0);
    drop_rig (&r);
}

/* Joints that ODE cannot evaluate: their rows are undefined, and ODE would end the program. */
static void degenerate (void **state)
{
    (void)state;
    dRLSViolation v;
    rig r;
    dMatrix3 identity;
    dRSetIdentity (identity);
    build_rig (&r, dJointCreateUniversal, SECOND, 0);
    dBodySetRotation (r.resting, identity);
    dBodySetRotation (r.moving, identity);
    dJointSetUniversalAxis1 (r.joint, 1, 0, 0);
    dJointSetUniversalAxis2 (r.joint, 1, 0, 0);
    assert_int_equal (dRLSMeasureJoint (r.joint, &v), 0);
    drop_rig (&r);

    build_rig (&r, dJointCreateTransmission, SECOND, 0);
    dJointSetTransmissionAnchor1 (r.joint, 0, 0, 0);
    dJointSetTransmissionAnchor2 (r.joint, 0, 0, 0);
    dBodySetPosition (r.moving, 0, 0, 0);
    dBodySetPosition (r.resting, 0, 0, 0);
    dJointSetTransmissionAnchor1 (r.joint, 0, 0, 0);
    dJointSetTransmissionAnchor2 (r.joint, 0, 0, 0);
    assert_int_equal (dRLSMeasureJoint (r.joint, &v), 0);
    drop_rig (&r);

    build_rig (&r, dJointCreateDHinge, SECOND, 0); /* its axis was never set */
    assert_int_equal (dRLSMeasureJoint (r.joint, &v), 0);
    assert_near (v.position_m, 0);
    drop_rig (&r);
}

/* ---- energy ---- */

static void energy (void **state)
{
    (void)state;
    const dWorldID world = dWorldCreate ();
    dWorldSetGravity (world, 1, 0, -10);
    const dBodyID body = add_body (world, 2, 3, 5, 0);
    dMass mass;
    dMassSetParameters (&mass, 4, 0, 0, 0, 1, 2, 3, (dReal)0.1, (dReal)0.2, (dReal)0.3);
    dBodySetMass (body, &mass);
    dBodySetLinearVel (body, 1, 2, 2);
    dBodySetAngularVel (body, 3, 4, 5);

    dReal kinetic, potential;
    assert_int_equal (dRLSMeasureBody (body, &kinetic, &potential), 1);
    /* half of 4 * 9, half of 9 + 32 + 75 and of twice the products 0.1 * 12 + 0.2 * 15 + 0.3 * 20 */
    assert_near (kinetic, 18 + 58 + 10.2);
    assert_near (potential, -4 * (2 - 50));

    dMatrix3 quarter; /* turning body and motion together changes nothing */
    dRFromAxisAndAngle (quarter, 0, 0, 1, (dReal)(pi / 2));
    dBodySetRotation (body, quarter);
    dBodySetAngularVel (body, -4, 3, 5);
    assert_int_equal (dRLSMeasureBody (body, &kinetic, &potential), 1);
    assert_near (kinetic, 18 + 58 + 10.2);

    dBodySetGravityMode (body, 0);
    assert_int_equal (dRLSMeasureBody (body, &kinetic, &potential), 1);
    assert_near (potential, 0);
    dBodySetGravityMode (body, 1);
    dBodySetKinematic (body);
    assert_int_equal (dRLSMeasureBody (body, &kinetic, &potential), 1);
    assert_near (kinetic, 0);
    assert_near (potential, 0);

    assert_int_equal (dRLSMeasureBody (NULL, &kinetic, &potential), 0);
    assert_int_equal (dRLSMeasureBody (body, NULL, &potential), 0);
    assert_int_equal (dRLSMeasureBody (body, &kinetic, NULL), 0);
    dWorldDestroy (world);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (without_constraints),
        cmocka_unit_test (without_bodies),
        cmocka_unit_test (after_its_body),
        cmocka_unit_test (disabled),
        cmocka_unit_test (kinematic),
        cmocka_unit_test (motor_in_its_stop),
        cmocka_unit_test (locked_axis),
        cmocka_unit_test (locked_slider),
        cmocka_unit_test (soft_lock),
        cmocka_unit_test (suspension),
        cmocka_unit_test (backlash),
        cmocka_unit_test (many_turns_of_gears),
        cmocka_unit_test (refused),
        cmocka_unit_test (degenerate),
        cmocka_unit_test (energy),
    };
    dInitODE ();
    const int failures = cmocka_run_group_tests (tests, NULL, NULL);
    dCloseODE ();
    return failures;
}
