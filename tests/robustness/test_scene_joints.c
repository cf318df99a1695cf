/*
 * Joints: whatever ODE's joint and whichever side is the world, positive motion is that of the child against
 * the parent about or along the axis.  What acts along it is in test_scene_axes.c.
 */
#include "joint_rig.h"

static const double anchor[3] = {0.5, 0.5, 0.5};
static const double third[3] = {1.0 / 3, 2.0 / 3, 2.0 / 3};
static const double up[3] = {0, 0, 1};

static scene_pose pose_of (dBodyID body)
{
    scene_pose p;
    for (int i = 0; i < 3; i++) p.p[i] = (double)dBodyGetPosition (body)[i];
    for (int i = 0; i < 4; i++) p.q[i] = (double)dBodyGetQuaternion (body)[i];
    return p;
}

static void set_pose (dBodyID body, const scene_pose *p)
{
    dQuaternion q = {(dReal)p->q[0], (dReal)p->q[1], (dReal)p->q[2], (dReal)p->q[3]};
    dBodySetPosition (body, (dReal)p->p[0], (dReal)p->p[1], (dReal)p->p[2]);
    dBodySetQuaternion (body, q);
}

/* The motion of the world by an angle about an axis through the anchor. */
static scene_pose rotation (const double axis[3], double angle)
{
    scene_pose turn = scene_pose_identity, there = scene_pose_identity, back = scene_pose_identity;
    double s = sin (angle / 2);
    pose_set_quaternion (&turn, cos (angle / 2), s * axis[0], s * axis[1], s * axis[2]);
    for (int i = 0; i < 3; i++)
    {
        there.p[i] = anchor[i];
        back.p[i] = -anchor[i];
    }
    turn = pose_compose (&turn, &back);
    return pose_compose (&there, &turn);
}

static scene_pose translation (const double axis[3], double distance)
{
    scene_pose shift = scene_pose_identity;
    for (int i = 0; i < 3; i++) shift.p[i] = distance * axis[i];
    return shift;
}

/* Moves the child against the parent; where the child is the world, the parent the other way. */
static void move (const scene *s, int child_is_world, const scene_pose *motion)
{
    scene_pose m = child_is_world ? pose_inverse (motion) : *motion;
    dBodyID body = rig_body_id (s, child_is_world ? "a" : "b");
    scene_pose p = pose_of (body), moved = pose_compose (&m, &p);
    set_pose (body, &moved);
}

/* The same for velocities about the anchor: angular w, linear v there. */
static void set_motion (const scene *s, int child_is_world, const double w[3], const double v[3])
{
    double sign = child_is_world ? -1 : 1;
    dBodyID body = rig_body_id (s, child_is_world ? "a" : "b");
    const dReal *p = dBodyGetPosition (body);
    double r[3] = {(double)p[0] - anchor[0], (double)p[1] - anchor[1], (double)p[2] - anchor[2]};
    dBodySetAngularVel (body, (dReal)(sign * w[0]), (dReal)(sign * w[1]), (dReal)(sign * w[2]));
    dBodySetLinearVel (body, (dReal)(sign * (v[0] + w[1] * r[2] - w[2] * r[1])),
                       (dReal)(sign * (v[1] + w[2] * r[0] - w[0] * r[2])),
                       (dReal)(sign * (v[2] + w[0] * r[1] - w[1] * r[0])));
}

/* ---- coordinates and rates
 * --------------------------------------------------------------------------------- */

static void check_hinge (const char *text, int child_is_world)
{
    scene *s = rig_good (text);
    scene_axis *axis = &s->axes[0];
    assert_int_equal (s->axis_count, 1);
    rig_close (scene_axis_position (s, axis), 0, 1e-15);
    for (int k = 0; k < 40; k++)
    {
        /* Two turns in small steps; what lies between is counted by before_step. */
        scene_pose step = rotation (third, 0.3);
        move (s, child_is_world, &step);
        rig_close (scene_axis_position (s, axis), 0.3 * (k + 1), 1e-12);
        scene_before_step (s, 0, 0);
    }
    double w[3] = {2.0 / 3, 4.0 / 3, 4.0 / 3}, none[3] = {0, 0, 0};
    set_motion (s, child_is_world, w, none);
    rig_close (scene_axis_rate (s, axis), 2, 1e-14);
    scene_free (s);
}

static void test_hinge (void **state)
{
    (void)state;
    check_hinge (JOINT ("revolute", "a", "b", ONE_AXIS ("")), 0);
    check_hinge (JOINT ("continuous", "world", "b", ONE_AXIS ("")), 0);
    check_hinge (JOINT ("revolute", "a", "world", ONE_AXIS ("")), 1);
}

static void check_slider (const char *text, int child_is_world)
{
    scene *s = rig_good (text);
    scene_pose shift = translation (third, 0.7);
    rig_close (scene_axis_position (s, &s->axes[0]), 0, 1e-15);
    move (s, child_is_world, &shift);
    rig_close (scene_axis_position (s, &s->axes[0]), 0.7, 1e-15);
    double none[3] = {0, 0, 0};
    set_motion (s, child_is_world, none, third);
    rig_close (scene_axis_rate (s, &s->axes[0]), 1, 1e-15);
    /* Turned as one, they do not slide. */
    for (int i = 0; i < s->body_count; i++)
    {
        const dReal *p = dBodyGetPosition (s->bodies[i].body);
        dBodySetAngularVel (s->bodies[i].body, 0, 0, 2);
        dBodySetLinearVel (s->bodies[i].body, -2 * p[1], 2 * p[0], 0);
    }
    if (dJointGetBody (rig_joint (s, "j"), 1)) rig_close (scene_axis_rate (s, &s->axes[0]), 0, 1e-14);
    scene_free (s);
}

static void test_slider (void **state)
{
    (void)state;
    check_slider (JOINT ("prismatic", "a", "b", ONE_AXIS ("")), 0);
    check_slider (JOINT ("prismatic", "world", "b", ONE_AXIS ("")), 0);
    check_slider (JOINT ("prismatic", "a", "world", ONE_AXIS ("")), 1);
}

/* First about the axis in the parent, then about that in the child, which the first has carried along. */
static void check_cross (const char *text, int child_is_world, int type)
{
    const double second[3] = {0.6, 0.8, 0}, none[3] = {0, 0, 0};
    scene *s = rig_good (text);
    assert_int_equal (dJointGetType (rig_joint (s, "j")), type);
    assert_int_equal (s->axis_count, 2);
    scene_pose about_first = rotation (up, 0.4), about_second = rotation (second, -0.9), both;
    both = pose_compose (&about_first, &about_second);
    move (s, child_is_world, &both);
    rig_close (scene_axis_position (s, &s->axes[0]), 0.4, 1e-14);
    rig_close (scene_axis_position (s, &s->axes[1]), -0.9, 1e-14);

    /* For a parent that moves the other way about a child that stands, what the parent sees turns with it. */
    double carried[3], w[3];
    pose_rotate (&about_first, second, carried);
    for (int i = 0; i < 3; i++) w[i] = 2 * up[i] - 3 * carried[i];
    if (child_is_world)
    {
        scene_pose back = pose_inverse (&both);
        pose_rotate (&back, w, w);
    }
    set_motion (s, child_is_world, w, none);
    rig_close (scene_axis_rate (s, &s->axes[0]), 2, 1e-13);
    rig_close (scene_axis_rate (s, &s->axes[1]), -3, 1e-13);
    scene_free (s);
}

static void test_two_axes (void **state)
{
    (void)state;
    check_cross (JOINT ("universal", "a", "b", TWO_AXES ("")), 0, dJointTypeUniversal);
    check_cross (JOINT ("universal", "world", "b", TWO_AXES ("")), 0, dJointTypeUniversal);
    check_cross (JOINT ("universal", "a", "world", TWO_AXES ("")), 1, dJointTypeUniversal);
    check_cross (JOINT ("revolute2", "a", "b", TWO_AXES ("")), 0, dJointTypeHinge2);
    check_cross (JOINT ("revolute2", "world", "b", TWO_AXES ("")), 0, dJointTypeUniversal);
    check_cross (JOINT ("revolute2", "a", "world", TWO_AXES ("")), 1, dJointTypeUniversal);
    check_cross (JOINT ("revolute2", "a", "b", TWO_AXES ("<limit><lower>-2</lower></limit>")), 0,
                 dJointTypeUniversal);
}

/* Axes that are not perpendicular: the rates must still be told apart. */
static void test_skew_axes (void **state)
{
    (void)state;
    const double second[3] = {0.6, 0, 0.8}, none[3] = {0, 0, 0};
    double w[3];
    scene *s = rig_good (JOINT ("revolute2", "a", "b",
                                "<axis><xyz expressed_in='world'>0 0 1</xyz></axis>"
                                "<axis2><xyz expressed_in='world'>0.6 0 0.8</xyz></axis2>"));
    for (int i = 0; i < 3; i++) w[i] = 2 * up[i] - 3 * second[i];
    set_motion (s, 0, w, none);
    rig_close (scene_axis_rate (s, &s->axes[0]), 2, 1e-14);
    rig_close (scene_axis_rate (s, &s->axes[1]), -3, 1e-14);
    scene_free (s);
}

/* ODE complains or stops if the axes of a new joint coincide by chance, as these would. */
static void test_unlucky_orientation (void **state)
{
    (void)state;
    static const char *const types[] = {"universal", "revolute2"};
    for (int k = 0; k < 2; k++)
    {
        char text[1000];
        snprintf (text, sizeof text,
                  MODEL ("<link name='a'><pose degrees='true'>0 0 0 0 0 90</pose></link><link name='b'/>"
                         "<joint name='j' type='%s'><parent>b</parent><child>a</child>"
                         "<axis><xyz>1 0 0</xyz></axis><axis2><xyz>0 1 0</xyz></axis2></joint>"
                         "<joint name='k' type='%s'><parent>a</parent><child>b</child>"
                         "<axis><xyz>0 1 0</xyz></axis><axis2><xyz>0 0 1</xyz></axis2></joint>"),
                  types[k], types[k]);
        scene *s = rig_good (text);
        for (int i = 0; i < 4; i++) rig_close (scene_axis_position (s, &s->axes[i]), 0, 1e-15);
        scene_free (s);
    }
}

/* ---- the other joints
 * --------------------------------------------------------------------------------------------- */

static void test_ball_and_fixed (void **state)
{
    (void)state;
    scene *s = rig_good (JOINT ("ball", "a", "b", ""));
    dVector3 p;
    assert_int_equal (dJointGetType (rig_joint (s, "j")), dJointTypeBall);
    dJointGetBallAnchor (rig_joint (s, "j"), p);
    rig_near (p, 0.5, 0.5, 0.5, 1e-15);
    scene_free (s);
    s = rig_good (JOINT ("fixed", "a", "world", ""));
    assert_int_equal (dJointGetType (rig_joint (s, "j")), dJointTypeFixed);
    dBodyAddForce (rig_body_id (s, "a"), 5, 5, 5);
    dBodyAddTorque (rig_body_id (s, "a"), 5, 5, 5);
    rig_run (s, 1, 0.01);
    rig_near (dBodyGetPosition (rig_body_id (s, "a")), 0.3, -0.2, 0.1, 1e-6);
    scene_free (s);
}

/* Two wheels on a carrier; SDFormat: angle of the child = -ratio times that of the parent. */
static void check_gears (const char *axis2, double ratio, double sign)
{
    char text[2000];
    snprintf (
        text, sizeof text,
        MODEL (
            "<link name='p'><pose>1 0 0 0 0 0</pose></link><link name='c'><pose>1 3 0.5 0 0 0</pose></link>"
            "<joint name='hp' type='revolute'><parent>world</parent><child>p</child><axis/>"
            "<rls:motor velocity='1' max_effort='10000'/></joint>"
            "<joint name='hc' type='revolute'><parent>world</parent><child>c</child><axis/></joint>"
            "<joint name='g' type='gearbox'><parent>p</parent><child>c</child><axis/>"
            "<axis2><xyz>0 0 %s</xyz></axis2><gearbox_ratio>%g</gearbox_ratio>"
            "<gearbox_reference_body>world</gearbox_reference_body></joint>"),
        axis2, ratio);
    scene *s = rig_good (text);
    rig_run (s, 100, 0.01);
    rig_close (scene_axis_position (s, &s->axes[0]), 1, 0.02);
    rig_close (scene_axis_position (s, &s->axes[1]), -sign * ratio * scene_axis_position (s, &s->axes[0]),
               1e-4);
    scene_free (s);
}

static void test_gearbox (void **state)
{
    (void)state;
    check_gears ("1", 1, 1);
    check_gears ("1", 2.5, 1);
    check_gears ("1", 0.4, 1);
    /* About opposite axes a negative ratio turns the wheels against each other. */
    check_gears ("-1", -2, -1);
}

static void test_rods (void **state)
{
    (void)state;
    scene *s =
        rig_good (MODEL ("<link name='b'><pose>2 0 0 0 0 0</pose></link><link name='c'/>"
                         "<frame name='f' attached_to='b'><pose>1 0 0 0 0 0</pose></frame>"
                         "<rls:distance name='rod' link1='b' point1='0 1 0' link2='c' point2='0 1 0'/>"
                         "<rls:distance name='stay' link2='f' point2='0 0 1' point1='3 0 0' length='1.5'/>"));
    dJointID rod = rig_joint (s, "rod"), stay = rig_joint (s, "stay");
    dVector3 p;
    rig_close ((double)dJointGetDBallDistance (rod), 2, 1e-15);
    rig_close ((double)dJointGetDBallDistance (stay), 1.5, 0);
    dJointGetDBallAnchor1 (stay, p);
    rig_near (p, 3, 0, 1, 1e-15);
    dJointGetDBallAnchor2 (stay, p);
    rig_near (p, 3, 0, 0, 1e-15);
    scene_free (s);
}

/* Driven axes follow their functions under ODE's own step as well, by a motor. */
static void test_drives (void **state)
{
    (void)state;
    scene *s = rig_good (
        MODEL ("<link name='b'/><joint name='j' type='revolute'><parent>world</parent><child>b</child>"
               "<axis/><rls:position>2*sin(3*t)^2+5*t</rls:position><rls:priority>4</rls:priority></joint>"));
    double position, rate;
    assert_int_equal (scene_joint_at (s, 0)->priority, 4);
    scene_drive_error (s, 0, &position, &rate);
    rig_close (position, 0, 0);
    rig_close (rate, 5, 0);
    scene_set_time_step (s, 0.01);
    rig_run (s, 200, 0.01);
    scene_drive_error (s, 2, &position, &rate);
    rig_close (position, 0, 1e-6);
    /* A stepper that drives the axis itself finds no motor. */
    scene_before_step (s, 2, 1);
    assert_true (dJointGetHingeParam (rig_joint (s, "j"), dParamFMax) == 0);
    scene_free (s);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_hinge),
        cmocka_unit_test (test_slider),
        cmocka_unit_test (test_two_axes),
        cmocka_unit_test (test_skew_axes),
        cmocka_unit_test (test_ball_and_fixed),
        cmocka_unit_test (test_gearbox),
        cmocka_unit_test (test_rods),
        cmocka_unit_test (test_drives),
        cmocka_unit_test (test_unlucky_orientation),
    };
    return cmocka_run_group_tests (tests, rig_start, rig_end);
}
