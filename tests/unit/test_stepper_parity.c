/*
 * The stepper against dWorldStep where dWorldStep is right: every type of joint, full rank, the same ERP
 * and CFM.  Velocities agree to rounding after one step and after ten.
 */
#include "measure_rig.h"
#include "oracle_scene.h"

#define H ((dReal)0.01)
#define STEPS 10
#define PARITY 1e-9

typedef struct
{
    const char *name;
    dJointID (*create) (dWorldID, dJointGroupID);
    void (*set) (rig *);
    int upright;
    unsigned places; /* 1 << place */
} parity_case;

#define EVERYWHERE 15u
#define TWO_BODIES 3u
#define ONE_BODY 12u
/* After the world ODE has the lever the wrong way round. */
#define NOT_AFTER_WORLD (EVERYWHERE & ~(1u << AFTER_WORLD))

/* Motors without a limit of force are bilateral rows too. */
static void set_amotor (rig *r)
{
    dJointSetAMotorMode (r->joint, dAMotorUser);
    dJointSetAMotorNumAxes (r->joint, 2);
    for (int i = 0; i < 2; ++i) dJointSetAMotorAxis (r->joint, i, 0, XYZ (r->axis[i]));
    dJointSetAMotorParam (r->joint, dParamFMax, dInfinity);
    dJointSetAMotorParam (r->joint, dParamVel, (dReal)0.4);
    dJointSetAMotorParam (r->joint, dParamFMax2, dInfinity);
    dJointSetAMotorParam (r->joint, dParamVel2, (dReal)-0.7);
}

static void set_lmotor (rig *r)
{
    dJointSetLMotorNumAxes (r->joint, 1);
    dJointSetLMotorAxis (r->joint, 0, 0, XYZ (r->axis[0]));
    dJointSetLMotorParam (r->joint, dParamFMax, dInfinity);
    dJointSetLMotorParam (r->joint, dParamVel, (dReal)0.4);
}

static void set_motored_hinge (rig *r)
{
    set_hinge (r);
    dJointSetHingeParam (r->joint, dParamFMax, dInfinity);
    dJointSetHingeParam (r->joint, dParamVel, (dReal)0.9);
}

static void set_locked_slider (rig *r)
{
    set_slider (r);
    dJointSetSliderParam (r->joint, dParamLoStop, 0);
    dJointSetSliderParam (r->joint, dParamHiStop, 0);
}

static void set_bevel_gears (rig *r)
{
    dVector3 end;
    point_at (r, ROD, 0, -ROD, end); /* the axes point away from the contact, as ODE wants them */
    dJointSetTransmissionMode (r->joint, dTransmissionIntersectingAxes);
    dJointSetTransmissionAxis1 (r->joint, XYZ (r->axis[0]));
    dJointSetTransmissionAxis2 (r->joint, XYZ (r->axis[2]));
    dJointSetTransmissionAnchor1 (r->joint, XYZ (r->anchor));
    dJointSetTransmissionAnchor2 (r->joint, XYZ (end));
}

static const parity_case cases[] = {
    {"ball", dJointCreateBall, set_ball, 0, EVERYWHERE},
    {"hinge", dJointCreateHinge, set_hinge, 0, EVERYWHERE},
    {"hinge with a motor", dJointCreateHinge, set_motored_hinge, 0, EVERYWHERE},
    {"slider", dJointCreateSlider, set_slider, 0, EVERYWHERE},
    {"locked slider", dJointCreateSlider, set_locked_slider, 0, EVERYWHERE},
    {"universal", dJointCreateUniversal, set_universal, 0, EVERYWHERE},
    {"hinge2", dJointCreateHinge2, set_hinge2, 0, TWO_BODIES},
    {"fixed", dJointCreateFixed, set_fixed, 0, EVERYWHERE},
    {"amotor", dJointCreateAMotor, set_amotor, 0, EVERYWHERE},
    {"lmotor", dJointCreateLMotor, set_lmotor, 0, EVERYWHERE},
    {"plane2d", dJointCreatePlane2D, set_plane2d, 1, ONE_BODY},
    {"PR", dJointCreatePR, set_pr, 0, NOT_AFTER_WORLD},
    {"PU", dJointCreatePU, set_pu, 0, EVERYWHERE},
    {"piston", dJointCreatePiston, set_piston, 0, NOT_AFTER_WORLD},
    {"dball", dJointCreateDBall, set_dball, 0, EVERYWHERE},
    {"dhinge", dJointCreateDHinge, set_dhinge, 0, EVERYWHERE},
    {"spur gears", dJointCreateTransmission, set_spur_gears, 0, TWO_BODIES},
    {"bevel gears", dJointCreateTransmission, set_bevel_gears, 0, TWO_BODIES},
    {"chain drive", dJointCreateTransmission, set_chain, 1, TWO_BODIES},
};

static void give_mass (dBodyID body, dReal mass, dReal lx, dReal ly, dReal lz)
{
    dMass m;
    dMassSetBoxTotal (&m, mass, lx, ly, lz);
    dBodySetMass (body, &m);
}

/* Some joints, and all motors and stops, keep the CFM that their world had when they were made. */
static void own_cfm (dJointID joint, dReal cfm)
{
    switch (dJointGetType (joint))
    {
    case dJointTypeBall:
        dJointSetBallParam (joint, dParamCFM, cfm);
        break;
    case dJointTypeFixed:
        dJointSetFixedParam (joint, dParamCFM, cfm);
        break;
    case dJointTypeDBall:
        dJointSetDBallParam (joint, dParamCFM, cfm);
        break;
    case dJointTypeDHinge:
        dJointSetDHingeParam (joint, dParamCFM, cfm);
        break;
    case dJointTypeTransmission:
        dJointSetTransmissionParam (joint, dParamCFM, cfm);
        break;
    case dJointTypeHinge2:
        dJointSetHinge2Param (joint, dParamSuspensionCFM, cfm);
        break;
    case dJointTypeHinge:
        dJointSetHingeParam (joint, dParamCFM, cfm);
        break;
    case dJointTypeSlider:
        dJointSetSliderParam (joint, dParamStopCFM, cfm);
        break;
    case dJointTypeAMotor:
        dJointSetAMotorParam (joint, dParamCFM1, cfm);
        dJointSetAMotorParam (joint, dParamCFM2, cfm);
        break;
    case dJointTypeLMotor:
        dJointSetLMotorParam (joint, dParamCFM1, cfm);
        break;
    default:
        break;
    }
}

/* A joint a little open between two different bodies that move, turn and are pushed. */
static rig build (const parity_case *c, place where, dReal cfm, dReal erp)
{
    rig r;
    build_rig (&r, c->create, where, c->upright);
    dWorldSetGravity (r.world, (dReal)0.3, (dReal)-0.4, (dReal)-9.81);
    dWorldSetCFM (r.world, cfm);
    dWorldSetERP (r.world, erp);
    c->set (&r);
    own_cfm (r.joint, cfm);
    give_mass (r.resting, 2, (dReal)0.4, (dReal)0.5, (dReal)0.9);
    give_mass (r.moving, 3, (dReal)0.7, (dReal)0.3, (dReal)0.6);
    const rig_motion open = {AT_ANCHOR,           {0.6, 0, 0.8},    1e-3,
                             {1e-3, -2e-3, 5e-4}, {0.3, -0.5, 0.2}, {0.4, -0.3, 0.6}};
    displace (&r, &open);
    set_moving (&r, &open);
    dBodySetAngularVel (r.resting, (dReal)0.5, (dReal)-0.2, (dReal)0.4);
    return r;
}

static void push (rig *r, int step)
{
    dBodyAddForce (r->moving, (dReal)(1 + step), -2, (dReal)0.5);
    dBodyAddTorque (r->moving, (dReal)0.1, (dReal)-0.3, (dReal)0.2);
    dBodyAddTorque (r->resting, (dReal)0.2, 0, (dReal)(0.1 * step));
}

static double difference (const rig *a, const rig *b)
{
    double worst = 0;
    const dBodyID of[2][2] = {{a->resting, b->resting}, {a->moving, b->moving}};
    for (int i = 0; i < 2; ++i)
        for (int k = 0; k < 3; ++k)
        {
            const double dv =
                (double)dBodyGetLinearVel (of[i][0])[k] - (double)dBodyGetLinearVel (of[i][1])[k];
            const double dw =
                (double)dBodyGetAngularVel (of[i][0])[k] - (double)dBodyGetAngularVel (of[i][1])[k];
            const double dx = (double)dBodyGetPosition (of[i][0])[k] - (double)dBodyGetPosition (of[i][1])[k];
            worst += fabs (dv) + fabs (dw) + fabs (dx);
        }
    return worst;
}

typedef struct
{
    int correction;
    dReal cfm, erp;
} softening;

static void check (const parity_case *c, place where, const softening *soft)
{
    rig ode = build (c, where, soft->cfm, soft->erp), rls = build (c, where, soft->cfm, soft->erp);
    const dRLSStepperID stepper = dRLSStepperCreate (rls.world, NULL);
    assert_non_null (stepper);
    assert_int_equal (dRLSStepperSetIntegrator (stepper, dRLSIntegratorEuler), 1);
    assert_int_equal (dRLSStepperSetCorrection (stepper, soft->correction), 1);
    const dReal *w = dBodyGetAngularVel (rls.moving);
    const double spin = (double)w[0];
    for (int step = 0; step < STEPS; ++step)
    {
        push (&ode, step), push (&rls, step);
        assert_int_equal (dWorldStep (ode.world, H), 1);
        if (!dRLSStepperStep (stepper, H)) fail_msg ("%s: %s", c->name, dRLSStepperGetMessage (stepper));
        const double off = difference (&ode, &rls);
        if (!(off < PARITY))
            fail_msg ("%s, place %d: off by %g after step %d", c->name, where, off, step + 1);
    }
    assert_true ((double)w[0] != spin); /* something did move */
    dRLSStepperDestroy (stepper);
    drop_rig (&ode), drop_rig (&rls);
}

static void check_all (const softening *soft)
{
    for (size_t i = 0; i < sizeof (cases) / sizeof (cases[0]); ++i)
        for (int where = 0; where < PLACES; ++where)
            if (cases[i].places & 1u << where) check (&cases[i], (place)where, soft);
}

static void compliant_is_dworldstep (void **state)
{
    (void)state;
    const softening soft[] = {{dRLSCorrectionCompliant, 1e-10, 0.2}, {dRLSCorrectionCompliant, 1e-4, 0.7}};
    check_all (&soft[0]);
    check_all (&soft[1]);
}

/* The hard rows with ODE's ERP are dWorldStep's without CFM. */
static void erp_is_dworldstep_without_cfm (void **state)
{
    (void)state;
    const softening hard = {dRLSCorrectionERP, 0, 0.4};
    check_all (&hard);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (compliant_is_dworldstep),
        cmocka_unit_test (erp_is_dworldstep_without_cfm),
    };
    return cmocka_run_group_tests (tests, scene_start_ode, scene_stop_ode);
}
