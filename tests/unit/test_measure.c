/*
 * dRLSMeasureJoint against displacements and velocities of known size, for every type of joint.
 *
 * A case sets up a joint, moves one of its bodies by a known rotation and translation, and says how far
 * the joint must then be open.
 */
#include "measure_rig.h"

typedef struct
{
    const char *name;
    dJointID (*create) (dWorldID, dJointGroupID);
    void (*set) (rig *);
    int upright;     /* the rig's frame is the world's */
    unsigned places; /* 1 << place */
    rig_motion motion;
    double gap, angle;         /* expected after the displacement */
    double rate, angular_rate; /* expected of the undisplaced body in motion */
} measure_case;

#define EVERYWHERE 15u
#define TWO_BODIES 3u
#define NOT_AFTER_WORLD 7u
#define UNKNOWN (-1.0) /* a rate that is not checked: it depends on which of the bodies turns */

/* clang-format off */
static const measure_case cases[] = {
    {"ball", dJointCreateBall, set_ball, 0, EVERYWHERE,
     {AT_ANCHOR, {0.6, 0, 0.8}, 2, {0.3, 0.4, 1.2}, {0, 3, 4}, {1, 2, 3}}, 1.3, 0, 5, 0},
    {"hinge", dJointCreateHinge, set_hinge, 0, EVERYWHERE,
     {AT_ANCHOR, {0, 0.6, 0.8}, 0.5, {0.3, 0.4, 1.2}, {0, 3, 4}, {7, 0.6, 0.8}}, 1.3, 0.5, 5, 1},
    {"hinge, little", dJointCreateHinge, set_hinge, 0, EVERYWHERE,
     {AT_ANCHOR, {0, 0.6, 0.8}, 1e-7, {0, 2e-9, 0}, {0, 1e-9, 0}, {7, 0, 1e-9}}, 2e-9, 1e-7, 1e-9, 1e-9},
    {"hinge, free turn", dJointCreateHinge, set_hinge, 0, EVERYWHERE,
     {AT_ANCHOR, {1, 0, 0}, 2.5, {0, 0, 0}, {0, 0, 0}, {7, 0, 0}}, 0, 0, 0, 0},
    {"hinge, far", dJointCreateHinge, set_hinge, 0, EVERYWHERE,
     {AT_ANCHOR, {0, 0, 1}, 1.4, {0, 0, 0}, {1, 0, 0}, {0, 0, 0}}, 0, 1.4, 1, 0},
    {"slider", dJointCreateSlider, set_slider, 0, EVERYWHERE,
     {AT_FIRST, {1, 0, 0}, 3, {5, 0.3, 0.4}, {9, 3, 4}, {0, 0, 0}}, 0.5, 3, 5, 0},
    {"slider, turning", dJointCreateSlider, set_slider, 0, EVERYWHERE,
     {AT_FIRST, {1, 0, 0}, 1e-6, {5, 0, 0}, {9, 0, 0}, {2, 0, 0}}, 0, 1e-6, UNKNOWN, 2},
    {"fixed", dJointCreateFixed, set_fixed, 0, EVERYWHERE,
     {AT_SECOND, {0.6, 0, 0.8}, 3, {0.3, 0.4, 1.2}, {0, 3, 4}, {1, 2, 2}}, 1.3, 3, 5, 3},
    {"universal", dJointCreateUniversal, set_universal, 0, EVERYWHERE,
     {AT_ANCHOR, {1, 0, 0}, 0.5, {0.3, 0.4, 1.2}, {0, 3, 4}, {2, 5, 6}}, 1.3, 0.5, 5, 2},
    {"hinge2", dJointCreateHinge2, set_hinge2, 0, TWO_BODIES,
     {AT_ANCHOR, {1, 0, 0}, 0.5, {0.3, 0.4, 1.2}, {0, 3, 4}, {2, 5, 6}}, 1.3, 0.5, 5, 2},
    {"PR", dJointCreatePR, set_pr, 0, EVERYWHERE,
     {AT_ANCHOR, {1, 0, 0}, 0.5, {7, 0.3, 0.4}, {9, 3, 4}, {3, 7, 4}}, 0.5, 0.5, 5, 5},
    {"PR, free turn", dJointCreatePR, set_pr, 0, EVERYWHERE,
     {AT_ANCHOR, {0, 1, 0}, 2.5, {0, 0.3, 0}, {9, 0, 0}, {0, 7, 0}}, 0.3, 0, 0, 0},
    {"PU", dJointCreatePU, set_pu, 0, NOT_AFTER_WORLD,
     {AT_ANCHOR, {1, 0, 0}, 0.5, {7, 0.3, 0.4}, {9, 3, 4}, {3, 7, 4}}, 0.5, 0.5, 5, 3},
    {"PU after the world", dJointCreatePU, set_pu, 1, 1u << AFTER_WORLD,
     {AT_ANCHOR, {1, 0, 0}, 0.5, {7, 0.3, 0.4}, {9, 3, 4}, {3, 7, 4}}, 0.5, 0.5, 5, 3},
    {"piston", dJointCreatePiston, set_piston, 0, EVERYWHERE,
     {AT_ANCHOR, {0, 1, 0}, 0.5, {0, 0.3, 0}, {9, 3, 4}, {7, 3, 4}}, 0.3, 0.5, 5, 5},
    {"piston, free", dJointCreatePiston, set_piston, 0, EVERYWHERE,
     {AT_ANCHOR, {1, 0, 0}, 2.5, {3, 0, 0}, {9, 0, 0}, {7, 0, 0}}, 0, 0, 0, 0},
    {"plane2d", dJointCreatePlane2D, set_plane2d, 1, 1u << BEFORE_WORLD | 1u << AFTER_WORLD,
     {AT_FIRST, {0, 0, 1}, 0.5, {1, 2, -0.3}, {9, 3, -4}, {3, 4, 7}}, 0.3, 0, 4, 5},
    {"rod", dJointCreateDBall, set_dball, 0, EVERYWHERE,
     {AT_OWN_END, {0.6, 0, 0.8}, 2, {0, 0, 0.6}, {1, 2, 3}, {1, 2, 3}}, 0.2, 0, 2, 0},
    {"dhinge", dJointCreateDHinge, set_dhinge, 0, EVERYWHERE,
     {AT_OWN_END, {0, 1, 0}, 0.5, {0, 0.2, 0}, {0, 2, 0}, {0, 3, 4}}, 0.2, 0.5, UNKNOWN, 5},
    {"dhinge, along its axis", dJointCreateDHinge, set_dhinge, 0, EVERYWHERE,
     {AT_OWN_END, {1, 0, 0}, 2, {0.6, 0, 0}, {3, 4, 7}, {7, 0, 0}}, 0.63245553203367577, 0, 5, 0},
    {"spur gears", dJointCreateTransmission, set_spur_gears, 0, TWO_BODIES,
     {AT_OWN_END, {1, 0, 0}, 0.5, {0, 0, 0}, {0, 0, 0}, {2, 0, 0}}, 0.2, 0, 0.8, 0},
    /* upright: elsewhere ODE's tangents of a chain drive do not lie in the plane of its wheels */
    {"chain", dJointCreateTransmission, set_chain, 1, TWO_BODIES,
     {AT_OWN_END, {1, 0, 0}, 0.5, {0, 0, 0}, {0, 0, 0}, {2, 0, 0}}, 0.15, 0, 0.6, 0},
};
/* clang-format on */

static void for_each_case (void (*check) (const measure_case *, place))
{
    for (size_t i = 0; i < sizeof (cases) / sizeof (cases[0]); ++i)
        for (int p = 0; p < PLACES; ++p)
            if (cases[i].places & 1u << p)
            {
                print_message ("   %s, place %d\n", cases[i].name, p);
                check (&cases[i], (place)p);
            }
}

static void build_case (rig *r, const measure_case *c, place p)
{
    build_rig (r, c->create, p, c->upright);
    c->set (r);
}

static void check_displacement (const measure_case *c, place p)
{
    rig r;
    build_case (&r, c, p);
    dRLSViolation v = measure (&r);
    assert_near (v.position_m, 0);
    assert_near (v.angle_rad, 0);
    displace (&r, &c->motion);
    v = measure (&r);
    assert_near (v.position_m, c->gap);
    assert_near (v.angle_rad, c->angle);
    assert_near (v.velocity_m_s, 0);
    assert_near (v.velocity_rad_s, 0);
    drop_rig (&r);
}

static void check_velocity (const measure_case *c, place p)
{
    rig r;
    build_case (&r, c, p);
    set_moving (&r, &c->motion);
    dRLSViolation v = measure (&r);
    if (c->rate != UNKNOWN) assert_near (v.velocity_m_s, c->rate);
    assert_near (v.velocity_rad_s, c->angular_rate);

    if (p <= FIRST && c->rate != UNKNOWN) /* a common motion of both bodies opens nothing */
    {
        const dVector3 velocity = {2, -1, 3, 0}, spin = {(dReal)0.5, 1, -2, 0};
        add_motion (r.moving, r.anchor, velocity, spin);
        add_motion (r.resting, r.anchor, velocity, spin);
        v = measure (&r);
        assert_near (v.velocity_m_s, c->rate);
        assert_near (v.velocity_rad_s, c->angular_rate);
    }
    drop_rig (&r);
}

/* The same numbers whatever the error reduction and mixing of world and joint, bit by bit. */
static void check_independence (const measure_case *c, place p)
{
    rig r;
    build_case (&r, c, p);
    displace (&r, &c->motion);
    set_moving (&r, &c->motion);
    const dRLSViolation before = measure (&r);
    dWorldSetERP (r.world, 0);
    dWorldSetCFM (r.world, (dReal)0.01);
    if (c->create == dJointCreateBall) dJointSetBallParam (r.joint, dParamERP, 0);
    if (c->create == dJointCreateFixed) dJointSetFixedParam (r.joint, dParamERP, 0);
    if (c->create == dJointCreateDBall) dJointSetDBallParam (r.joint, dParamERP, 0);
    if (c->create == dJointCreateDHinge) dJointSetDHingeParam (r.joint, dParamERP, 0);
    if (c->create == dJointCreateTransmission) dJointSetTransmissionParam (r.joint, dParamERP, 0);
    const dRLSViolation after = measure (&r);
    assert_memory_equal (&before, &after, sizeof (before));
    if (c->create == dJointCreateFixed) assert_true (dJointGetFixedParam (r.joint, dParamERP) == 0);
    if (c->create == dJointCreateDHinge) assert_true (dJointGetDHingeParam (r.joint, dParamERP) == 0);
    drop_rig (&r);
}

static void displacements (void **state) { (void)state, for_each_case (check_displacement); }
static void velocities (void **state) { (void)state, for_each_case (check_velocity); }
static void independence (void **state) { (void)state, for_each_case (check_independence); }

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (displacements),
        cmocka_unit_test (velocities),
        cmocka_unit_test (independence),
    };
    dInitODE ();
    const int failures = cmocka_run_group_tests (tests, NULL, NULL);
    dCloseODE ();
    return failures;
}
