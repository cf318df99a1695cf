/*
 * Every type of joint, in every order of its bodies, stays closed while its bodies swing, turn and are
 * pushed.
 */
#include "measure_rig.h"
#include "oracle_scene.h"

#define H ((dReal)0.01)
#define STEPS 200
#define CLOSED 1e-12

#define EVERYWHERE 15u
#define TWO_BODIES 3u
#define ONE_BODY 12u

/* Where ODE's own rows are not the derivatives of its errors (test_seam.c) they are mended: those of PR and
 * piston where the world comes first, those of PU elsewhere. */

static const struct
{
    const char *name;
    dJointID (*create) (dWorldID, dJointGroupID);
    void (*set) (rig *);
    unsigned places; /* 1 << place */
    int upright, rows;
} types[] = {
    {"ball", dJointCreateBall, set_ball, EVERYWHERE, 0, 3},
    {"hinge", dJointCreateHinge, set_hinge, EVERYWHERE, 0, 5},
    {"slider", dJointCreateSlider, set_slider, EVERYWHERE, 0, 5},
    {"universal", dJointCreateUniversal, set_universal, EVERYWHERE, 0, 4},
    {"hinge2", dJointCreateHinge2, set_hinge2, TWO_BODIES, 0, 4},
    {"fixed", dJointCreateFixed, set_fixed, EVERYWHERE, 0, 6},
    {"plane2d", dJointCreatePlane2D, set_plane2d, ONE_BODY, 1, 3},
    {"PR", dJointCreatePR, set_pr, EVERYWHERE, 0, 4},
    {"PU", dJointCreatePU, set_pu, EVERYWHERE, 0, 3},
    {"piston", dJointCreatePiston, set_piston, EVERYWHERE, 0, 4},
    {"dball", dJointCreateDBall, set_dball, EVERYWHERE, 0, 1},
    {"dhinge", dJointCreateDHinge, set_dhinge, EVERYWHERE, 0, 4},
};

/* The resting body of the rig hangs from the world by a ball. */
static void hang (rig *r)
{
    const dJointID ball = dJointCreateBall (r->world, NULL);
    dJointAttach (ball, r->resting, NULL);
    dJointSetBallAnchor (ball, (dReal)-0.4, (dReal)0.2, (dReal)1.5);
}

static void check (size_t type, place where, int integrator)
{
    rig r;
    build_rig (&r, types[type].create, where, types[type].upright);
    types[type].set (&r);
    dWorldSetGravity (r.world, (dReal)0.3, -2, -1);
    dBodySetAngularVel (r.moving, (dReal)0.3, (dReal)0.5, (dReal)-0.7);
    if (where == SECOND || where == FIRST) hang (&r);
    const dRLSStepperID stepper = dRLSStepperCreate (r.world, NULL);
    dRLSStepperSetIntegrator (stepper, integrator);
    dVector3 start = {XYZ (dBodyGetPosition (r.moving))};
    double open = 0, rate = 0, moved = 0;
    for (int step = 0; step < STEPS; ++step)
    {
        dRLSReport report = {.struct_size = sizeof (report)};
        dBodyAddTorque (r.moving, (dReal)0.02, (dReal)-0.01, (dReal)0.01);
        if (!dRLSStepperStep (stepper, H))
            fail_msg ("%s: %s", types[type].name, dRLSStepperGetMessage (stepper));
        dRLSStepperGetReport (stepper, &report);
        assert_int_equal (report.redundant, 0);
        assert_int_equal (report.rank, types[type].rows + (where == SECOND || where == FIRST ? 3 : 0));
        const dRLSViolation v = measure (&r);
        open = fmax (open, fmax ((double)v.position_m, (double)v.angle_rad));
        rate = fmax (rate, fmax ((double)v.velocity_m_s, (double)v.velocity_rad_s));
        for (int k = 0; k < 3; ++k)
            moved = fmax (moved, fabs ((double)dBodyGetPosition (r.moving)[k] - (double)start[k]));
    }
    if (!(open < CLOSED && rate < CLOSED))
        fail_msg ("%s, place %d, integrator %d: open by %g, opening at %g", types[type].name, where,
                  integrator, open, rate);
    for (int w = 0; w < dRLSWarningCount; ++w) assert_int_equal (dRLSStepperGetWarningCount (stepper, w), 0);
    if (dJointGetType (r.joint) != dJointTypeFixed || where == SECOND) assert_true (moved > 0.01);
    dRLSStepperDestroy (stepper);
    drop_rig (&r);
}

static void check_all (int integrator)
{
    for (size_t type = 0; type < sizeof (types) / sizeof (types[0]); ++type)
        for (int where = 0; where < PLACES; ++where)
            if (types[type].places & 1u << where) check (type, (place)where, integrator);
}

static void default_steps (void **state)
{
    (void)state;
    check_all (dRLSIntegratorAuto);
}

static void euler_steps (void **state)
{
    (void)state;
    check_all (dRLSIntegratorEuler);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (default_steps),
        cmocka_unit_test (euler_steps),
    };
    return cmocka_run_group_tests (tests, scene_start_ode, scene_stop_ode);
}
