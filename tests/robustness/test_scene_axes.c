/* What acts along the axes of joints: limits, stops, motors, efforts, damping, springs and friction. */
#include "joint_rig.h"

/* Runs ODE's step; the joint must have moved and be where and as fast as expected. */
static void check_motion (const char *text, int axis, int steps, double h, double position, double rate,
                          double tolerance)
{
    scene *s = rig_good (text);
    scene_set_time_step (s, h);
    dWorldSetCFM (scene_world (s), (dReal)1e-12);
    rig_run (s, steps, h);
    rig_close (scene_axis_position (s, &s->axes[axis]), position, tolerance);
    rig_close (scene_axis_rate (s, &s->axes[axis]), rate, tolerance);
    scene_free (s);
}

static void test_motors (void **state)
{
    (void)state;
#define MOTOR "<rls:motor velocity='0.5' max_effort='1000'/>"
    check_motion (JOINT ("revolute", "a", "b", ONE_AXIS ("") MOTOR), 0, 100, 0.01, 0.5, 0.5, 1e-4);
    check_motion (JOINT ("revolute", "world", "b", ONE_AXIS ("") MOTOR), 0, 100, 0.01, 0.5, 0.5, 1e-4);
    check_motion (JOINT ("revolute", "a", "world", ONE_AXIS ("") MOTOR), 0, 100, 0.01, 0.5, 0.5, 1e-4);
    check_motion (JOINT ("prismatic", "a", "b", ONE_AXIS ("") MOTOR), 0, 100, 0.01, 0.5, 0.5, 1e-4);
    check_motion (JOINT ("prismatic", "a", "world", ONE_AXIS ("") MOTOR), 0, 100, 0.01, 0.5, 0.5, 1e-4);
    check_motion (JOINT ("universal", "a", "b", TWO_AXES ("") MOTOR), 0, 100, 0.01, 0.5, 0.5, 0.02);
    check_motion (JOINT ("universal", "a", "world", TWO_AXES ("") MOTOR), 0, 100, 0.01, 0.5, 0.5, 0.02);
    check_motion (JOINT ("revolute2", "a", "b", TWO_AXES ("") MOTOR), 0, 100, 0.01, 0.5, 0.5, 0.02);
    /* The velocity limit of the axis bounds the motor's, its effort limit is the default of the motor's. */
    check_motion (
        JOINT (
            "revolute", "a", "b",
            ONE_AXIS (
                "<limit><velocity>0.2</velocity><effort>500</effort></limit>") "<rls:motor velocity='-3'/>"),
        0, 100, 0.01, -0.2, -0.2, 1e-4);
}

static void test_limits (void **state)
{
    (void)state;
#define LIMIT "<limit><lower>-0.2</lower><upper>0.3</upper></limit><dynamics><damping>5</damping></dynamics>"
#define PUSH(effort) "<rls:effort>" effort "</rls:effort>"
    check_motion (JOINT ("revolute", "a", "b", ONE_AXIS (LIMIT) PUSH ("5")), 0, 600, 0.01, 0.3, 0, 1e-3);
    check_motion (JOINT ("revolute", "a", "b", ONE_AXIS (LIMIT) PUSH ("-5")), 0, 600, 0.01, -0.2, 0, 1e-3);
    check_motion (JOINT ("revolute", "a", "world", ONE_AXIS (LIMIT) PUSH ("5")), 0, 600, 0.01, 0.3, 0, 1e-3);
    check_motion (JOINT ("prismatic", "a", "b", ONE_AXIS (LIMIT) PUSH ("5")), 0, 600, 0.01, 0.3, 0, 1e-3);
    check_motion (JOINT ("prismatic", "a", "world", ONE_AXIS (LIMIT) PUSH ("-5")), 0, 600, 0.01, -0.2, 0,
                  1e-3);
    check_motion (JOINT ("universal", "a", "b", TWO_AXES (LIMIT) PUSH ("5")), 0, 600, 0.01, 0.3, 0, 1e-3);
    check_motion (JOINT ("universal", "a", "world", TWO_AXES (LIMIT) PUSH ("-5")), 0, 600, 0.01, -0.2, 0,
                  1e-3);
    check_motion (JOINT ("universal", "world", "b", TWO_AXES (LIMIT) PUSH ("5")), 0, 600, 0.01, 0.3, 0, 1e-3);
    check_motion (JOINT ("revolute2", "world", "b", TWO_AXES (LIMIT) PUSH ("-5")), 0, 600, 0.01, -0.2, 0,
                  1e-3);
}

static dReal stop (const char *text, int parameter)
{
    scene *s = rig_good (text);
    dReal value = dJointGetHingeParam (rig_joint (s, "j"), parameter);
    scene_free (s);
    return value;
}

static void test_limits_of_sdf (void **state)
{
    (void)state;
    const char *none =
        JOINT ("revolute", "a", "b", ONE_AXIS ("<limit><lower>-1e16</lower><upper>1e16</upper></limit>"));
    const char *infinite =
        JOINT ("revolute", "a", "b", ONE_AXIS ("<limit><lower>-inf</lower><upper>inf</upper></limit>"));
    const char *continuous =
        JOINT ("continuous", "a", "b", ONE_AXIS ("<limit><lower>-1</lower><upper>1</upper></limit>"));
    const char *too_wide =
        JOINT ("revolute", "a", "b", ONE_AXIS ("<limit><lower>-4</lower><upper>3</upper></limit>"));
    assert_true (stop (none, dParamLoStop) == -dInfinity && stop (none, dParamHiStop) == dInfinity);
    assert_true (stop (infinite, dParamLoStop) == -dInfinity && stop (infinite, dParamHiStop) == dInfinity);
    assert_true (stop (continuous, dParamLoStop) == -dInfinity &&
                 stop (continuous, dParamHiStop) == dInfinity);
    assert_true (stop (too_wide, dParamLoStop) == -dInfinity && stop (too_wide, dParamHiStop) == 3);
    assert_int_equal (rig_warning_count, 1);
}

/* Stops beyond half a turn are met where they are, from either side, and springs know where their rest is. */
static void test_far_stops (void **state)
{
    (void)state;
    for (int side = -1; side <= 1; side += 2)
    {
        char text[2000];
        snprintf (
            text, sizeof text,
            JOINT (
                "revolute", "world", "b",
                ONE_AXIS ("<limit><lower>-4</lower><upper>1.5</upper></limit>"
                          "<dynamics><damping>1e3</damping><spring_stiffness>1e-9</spring_stiffness>"
                          "<spring_reference>-3.5</spring_reference></dynamics>") "<rls:motor velocity='%d' "
                                                                                  "max_effort='1e5'/>"),
            3 * side);
        scene *s = rig_good (text);
        assert_int_equal (rig_warning_count, 0);
        rig_close (scene_axis_position (s, &s->axes[0]), 0, 1e-15);
        scene_set_time_step (s, 0.01);
        const dRLSStepperID stepper = dRLSStepperCreate (scene_world (s), NULL);
        assert_true (scene_prepare_stepper (s, stepper));
        for (int i = 0; i < 300; i++)
        {
            scene_before_step (s, 0.01 * i, 1);
            assert_true (dRLSStepperStep (stepper, (dReal)0.01));
            scene_after_step (s);
            const double position = scene_axis_position (s, &s->axes[0]);
            assert_true (position < 1.5 + 1e-9 && position > -4 - 1e-9);
        }
        rig_close (scene_axis_position (s, &s->axes[0]), side > 0 ? 1.5 : -4, 1e-9);
        dRLSStepperDestroy (stepper);
        scene_free (s);
    }
}

/* A motor whose velocity is a function of time turns its joint by the integral of that, within its strength.
 */
static void test_moving_motor (void **state)
{
    (void)state;
    scene *s = rig_good (JOINT ("revolute", "world", "b",
                                ONE_AXIS ("") "<rls:motor velocity='2*cos(3*t)' max_effort='1e5'/>"));
    scene_set_time_step (s, 0.001);
    const dRLSStepperID stepper = dRLSStepperCreate (scene_world (s), NULL);
    assert_true (scene_prepare_stepper (s, stepper));
    for (int i = 0; i < 1000; i++)
    {
        scene_before_step (s, 0.001 * i, 1);
        assert_true (dRLSStepperStep (stepper, (dReal)0.001));
        scene_after_step (s);
    }
    rig_close (scene_axis_position (s, &s->axes[0]), 2 * sin (3.0) / 3, 1e-5);
    dRLSStepperDestroy (stepper);
    scene_free (s);
    rig_bad (JOINT ("revolute", "world", "b", ONE_AXIS ("") "\n<rls:motor velocity='2*' max_effort='1'/>"),
             "6: <rls:motor> attribute velocity: the expression ends too early at character 3");
}

static void test_soft_stops (void **state)
{
    (void)state;
    scene *s = rig_good (JOINT ("revolute", "a", "b",
                                ONE_AXIS ("<limit><lower>-1</lower><upper>1</upper><stiffness>300</stiffness>"
                                          "<dissipation>7</dissipation></limit>")));
    dJointID j = rig_joint (s, "j");
    for (double h = 0.001; h < 0.1; h *= 10)
    {
        scene_set_time_step (s, h);
        rig_close ((double)dJointGetHingeParam (j, dParamStopERP), h * 300 / (h * 300 + 7), 1e-15);
        rig_close ((double)dJointGetHingeParam (j, dParamStopCFM), 1 / (h * 300 + 7), 1e-15);
    }
    scene_set_softness (s, 0.7, 0.001);
    rig_close ((double)dJointGetHingeParam (j, dParamStopCFM), 1 / (0.01 * 300 + 7), 0.1);
    assert_true ((double)dJointGetHingeParam (j, dParamStopERP) != 0.7);
    scene_free (s);
}

/* The torque reaches both bodies, and only this coordinate of a joint with two. */
static void test_effort (void **state)
{
    (void)state;
    scene *s = rig_good (JOINT ("universal", "a", "b", TWO_AXES ("") PUSH ("6")));
    scene_before_step (s, 0, 0);
    rig_near (dBodyGetTorque (rig_body_id (s, "b")), 0, 0, 6, 1e-14);
    rig_near (dBodyGetTorque (rig_body_id (s, "a")), 0, 0, -6, 1e-14);
    scene_free (s);
    s = rig_good (JOINT ("prismatic", "a", "world", ONE_AXIS ("") PUSH ("6")));
    scene_before_step (s, 0, 0);
    rig_near (dBodyGetForce (rig_body_id (s, "a")), -2, -4, -4, 1e-14);
    scene_free (s);
    /* Bounded by the axis' limit. */
    s = rig_good (
        JOINT ("revolute", "world", "b", ONE_AXIS ("<limit><effort>3</effort></limit>") PUSH ("-6")));
    scene_before_step (s, 0, 0);
    rig_near (dBodyGetTorque (rig_body_id (s, "b")), -1, -2, -2, 1e-14);
    /* Nothing is left to scene_before_step where the stepper asks for forces itself. */
    dBodySetTorque (rig_body_id (s, "b"), 0, 0, 0);
    scene_before_step (s, 0, 1);
    rig_near (dBodyGetTorque (rig_body_id (s, "b")), 0, 0, 0, 0);
    scene_forces (s, scene_world (s), 0);
    rig_near (dBodyGetTorque (rig_body_id (s, "b")), -1, -2, -2, 1e-14);
    scene_free (s);
}

/* A wheel about its own axis: theta'' = -(d theta' + k (theta - rest)) / I. */
static void test_damping_and_spring (void **state)
{
    (void)state;
    const char *text =
        MODEL ("<link name='b'><inertial><mass>1</mass><inertia><izz>2</izz></inertia></inertial>"
               "<rls:velocity>0 0 0 0 0 3</rls:velocity></link>"
               "<joint name='j' type='revolute'><parent>world</parent><child>b</child><axis><dynamics>"
               "<damping>0.5</damping><spring_stiffness>8</spring_stiffness>"
               "<spring_reference>1</spring_reference></dynamics></axis></joint>");
    scene *s = rig_good (text);
    double kinetic, potential, h = 1e-4;
    scene_energy (s, &kinetic, &potential);
    rig_close (kinetic, 9, 1e-14);
    rig_close (potential, 4, 1e-14);
    rig_run (s, 10000, h);
    double decay = 0.125, frequency = sqrt (4 - decay * decay), t = 1;
    double b = (3 - decay) / frequency;
    double exact = 1 + exp (-decay * t) * (b * sin (frequency * t) - cos (frequency * t));
    rig_close (scene_axis_position (s, &s->axes[0]), exact, 1e-3);
    scene_free (s);
}

/* Coulomb friction of an axis decelerates it evenly. */
static void test_friction (void **state)
{
    (void)state;
    const char *text = MODEL ("<link name='b'><inertial><inertia><izz>2</izz></inertia></inertial>"
                              "<rls:velocity>0 0 0 0 0 3</rls:velocity></link>"
                              "<joint name='j' type='revolute'><parent>world</parent><child>b</child><axis>"
                              "<dynamics><friction>1</friction></dynamics></axis></joint>");
    check_motion (text, 0, 400, 0.01, 3 * 4 - 0.25 * 16 - 0.01, 1, 0.02);
    check_motion (text, 0, 800, 0.01, 9, 0, 0.02);
}

/* At its velocity limit an effort does not drive an axis any further. */
static void test_velocity_limit (void **state)
{
    (void)state;
    check_motion (
        JOINT ("revolute", "world", "b", ONE_AXIS ("<limit><velocity>0.1</velocity></limit>") PUSH ("1")), 0,
        500, 0.01, 0.5, 0.1, 0.03);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_motors),        cmocka_unit_test (test_limits),
        cmocka_unit_test (test_limits_of_sdf), cmocka_unit_test (test_far_stops),
        cmocka_unit_test (test_moving_motor),  cmocka_unit_test (test_soft_stops),
        cmocka_unit_test (test_effort),        cmocka_unit_test (test_damping_and_spring),
        cmocka_unit_test (test_friction),      cmocka_unit_test (test_velocity_limit),
    };
    return cmocka_run_group_tests (tests, rig_start, rig_end);
}
