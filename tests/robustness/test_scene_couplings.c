/*
 * Axes that follow others: screws, mimics, gearboxes of either sense.  They stay closed, do no work, and
 * where nothing holds the whole, its momentum stays.
 */
#include "scene_rig.h"

#define CLOSED 1e-12 /* m or rad */

static dRLSStepperID stepper_of (scene *s, double h)
{
    scene_set_time_step (s, h);
    const dRLSStepperID stepper = dRLSStepperCreate (scene_world (s), NULL);
    assert_non_null (stepper);
    dRLSStepperSetForceCallback (stepper, scene_forces, s);
    assert_true (scene_prepare_stepper (s, stepper));
    return stepper;
}

static double energy_of (const scene *s)
{
    double kinetic, potential;
    scene_energy (s, &kinetic, &potential);
    return kinetic + potential;
}

/* The given velocities are no motion of the mechanism; what is left of them after one step is. */
static void settle (scene *s)
{
    const dRLSStepperID first = stepper_of (s, 0.001);
    assert_true (dRLSStepperStep (first, (dReal)0.001));
    dRLSStepperDestroy (first);
}

/* Moves for a second; joints and couplings closed, energy kept. */
static dRLSStepperID run (scene *s, double h, double lost)
{
    const dRLSStepperID stepper = stepper_of (s, h);
    const double start = energy_of (s);
    double kinetic = 0, potential;
    for (int i = 0; i < (int)lround (1 / h); i++)
    {
        dRLSViolation worst;
        scene_before_step (s, i * h, 1);
        assert_true (dRLSStepperStep (stepper, (dReal)h));
        scene_after_step (s);
        scene_violation (s, &worst);
        if (!((double)worst.position_m < CLOSED && (double)worst.angle_rad < CLOSED))
            fail_msg ("open by %g m, %g rad", (double)worst.position_m, (double)worst.angle_rad);
    }
    scene_energy (s, &kinetic, &potential);
    if (!(fabs (energy_of (s) - start) < lost)) fail_msg ("energy %g, was %g", energy_of (s), start);
    assert_true (kinetic > 1e-3);
    return stepper;
}

#define INERTIAL(mass, moment)                                                                               \
    "<inertial><mass>" mass "</mass><inertia><ixx>" moment "</ixx><iyy>" moment "</iyy><izz>" moment         \
    "</izz></inertia></inertial>"
#define SCREW(pitch)                                                                                         \
    "<sdf version='1.11'><world name='w'><gravity>0 0 -10</gravity><model name='m'>"                         \
    "<link name='nut'>" INERTIAL (                                                                           \
        "2", "0.1") "</link>"                                                                                \
                    "<joint name='j' type='screw'><parent>world</parent><child>nut</child>"                  \
                    "<axis><xyz>0 0 1</xyz></axis>" pitch "</joint></model></world></sdf>"

/* x = p q; both masses fall by -g t^2 / 2 m / (m + I / p^2), p metres a radian. */
static void check_screw (const char *text, double pitch)
{
    scene *s = rig_good (text);
    const double p = pitch / (2 * M_PI), fallen = -10 * 0.5 * 2 / (2 + 0.1 / (p * p));
    const dRLSStepperID stepper = run (s, 0.001, 1e-2);
    rig_close ((double)dBodyGetPosition (rig_body_id (s, "nut"))[2], fallen, 1e-3);
    rig_close (scene_axis_position (s, &s->axes[0]) * p, (double)dBodyGetPosition (rig_body_id (s, "nut"))[2],
               1e-14);
    dRLSStepperDestroy (stepper);
    scene_free (s);
}

static void screws (void **state)
{
    (void)state;
    check_screw (SCREW ("<screw_thread_pitch>0.5</screw_thread_pitch>"), 0.5);
    check_screw (SCREW ("<screw_thread_pitch>-0.2</screw_thread_pitch>"), -0.2);
    check_screw (SCREW ("<thread_pitch>-20</thread_pitch>"), 2 * M_PI / 20); /* -radians a metre */
    check_screw (SCREW (""), 1);
    rig_bad (SCREW ("<thread_pitch>0</thread_pitch>"), "1: <thread_pitch> must not be 0");
}

/* A base that nothing holds, and two links on it. */
#define LINKS(first, second)                                                                                 \
    MODEL ("<link name='base'><pose>0.1 0.2 0.3 0.4 0.5 0.6</pose>" INERTIAL (                               \
        "3", "0.2") "</link>"                                                                                \
                    "<link name='a'><pose>1 0 0 0.2 0.1 0</pose>" INERTIAL (                                 \
                        "1", "0.05") "<rls:velocity>0 0.3 0.2 0.5 1 2</rls:velocity></link>"                 \
                                     "<link name='b'><pose>0 1 0.5 0 0.3 0</pose>" INERTIAL (                \
                                         "2", "0.1") "</link>"                                               \
                                                     "<joint name='l' type='" first "</joint>"               \
                                                     "<joint name='f' type='" second "</joint>")
#define HINGE_A(xyz) "revolute'><parent>base</parent><child>a</child><axis><xyz>" xyz "</xyz></axis>"
#define SLIDER_A(xyz)                                                                                        \
    "prismatic'><parent>base</parent><child>a</child><axis><xyz expressed_in='base'>" xyz "</xyz></axis>"
#define FOLLOWS(type, parent, frame, xyz, mimic)                                                             \
    type "'><parent>" parent "</parent><child>b</child><axis><xyz expressed_in='" frame "'>" xyz             \
         "</xyz><mimic joint='l'>" mimic "</mimic></axis>"

/* Pendulums on one shaft, which lean apart at trial poses as the base tumbles. */
#define MOVING(name, pose, inertial, more)                                                                   \
    "<link name='" name "'><pose>" pose "</pose>" inertial more "</link>"
#define ASIDE "<pose>0 0.5 0 0 0 0</pose></joint>"
#define ON_ONE_SHAFT                                                                                         \
    MODEL (MOVING ("base", "0.1 0.2 0.3 0.4 0.5 0.6", INERTIAL ("3", "0.2"), "") MOVING (                    \
        "a", "1 0 0 0 0 0", INERTIAL ("1", "0.05"), "<rls:velocity>0 0.3 0.2 0.5 1 2</rls:velocity>")        \
               MOVING ("b", "1 0 0.5 0 0 0", INERTIAL ("2", "0.1"),                                          \
                       "") "<joint name='l' type='" HINGE_A ("0 0 1") ASIDE                                  \
           "<joint name='f' type='" FOLLOWS ("revolute", "base", "a", "0 0 1", "") ASIDE)

static void check_mimic (const char *text, double multiplier, double offset)
{
    scene *s = rig_good (text);
    if (rig_warning_count) fail_msg ("%s", rig_warnings);
    double before[3] = {0}, after[3] = {0};
    if (offset != 0) settle (s); /* assembled first */
    for (int i = 0; i < s->body_count; i++)
    {
        dMass m;
        dBodyGetMass (s->bodies[i].body, &m);
        for (int k = 0; k < 3; k++) before[k] += (double)(m.mass * dBodyGetLinearVel (s->bodies[i].body)[k]);
    }
    settle (s);
    const dRLSStepperID stepper = run (s, 0.001, 2e-5);
    for (int i = 0; i < s->body_count; i++)
    {
        dMass m;
        dBodyGetMass (s->bodies[i].body, &m);
        for (int k = 0; k < 3; k++) after[k] += (double)(m.mass * dBodyGetLinearVel (s->bodies[i].body)[k]);
    }
    for (int k = 0; k < 3; k++) rig_close (after[k], before[k], 1e-12);
    const double leader = scene_axis_position (s, &s->axes[0]);
    rig_close (scene_axis_position (s, &s->axes[1]), multiplier * leader + offset, 1e-11);
    assert_true (fabs (leader) > 0.01);
    dRLSStepperDestroy (stepper);
    scene_free (s);
}

static void mimics (void **state)
{
    (void)state;
#define FACTOR(m) "<multiplier>" m "</multiplier>"
    /* Parallel hinges beside each other, either sense, and with an offset. */
    check_mimic (LINKS (HINGE_A ("0 0 1"), FOLLOWS ("revolute", "base", "a", "0 0 1", FACTOR ("-0.5"))), -0.5,
                 0);
    check_mimic (LINKS (HINGE_A ("0 0 1"), FOLLOWS ("revolute", "base", "a", "0 0 1", FACTOR ("3"))), 3, 0);
    check_mimic (LINKS (HINGE_A ("0 0 1"), FOLLOWS ("revolute", "base", "a", "0 0 1", "")), 1, 0);
    check_mimic (
        LINKS (HINGE_A ("0 0 1"), FOLLOWS ("revolute", "base", "a", "0 0 1",
                                           FACTOR ("2") "<offset>0.05</offset><reference>0.01</reference>")),
        2, 0.03);
    check_mimic (ON_ONE_SHAFT, 1, 0);
    /* Hinges in any direction; a finger's second joint; racks; sliders, of which the parallel ones need a
     * pinion. */
    check_mimic (LINKS (HINGE_A ("0 0 1"), FOLLOWS ("revolute", "base", "a", "1 2 0.5", FACTOR ("1.7"))), 1.7,
                 0);
    check_mimic (LINKS (HINGE_A ("0 0 1"), FOLLOWS ("revolute", "a", "a", "0 0 1", FACTOR ("0.8"))), 0.8, 0);
    check_mimic (LINKS (HINGE_A ("0 0 1"), FOLLOWS ("prismatic", "base", "a", "0 1 0", FACTOR ("0.3"))), 0.3,
                 0);
    check_mimic (LINKS (SLIDER_A ("0 1 0"), FOLLOWS ("revolute", "base", "base", "0 1 1", FACTOR ("-4"))), -4,
                 0);
    check_mimic (LINKS (SLIDER_A ("0 1 0"), FOLLOWS ("prismatic", "base", "base", "1 1 0", FACTOR ("2"))), 2,
                 0);
    check_mimic (LINKS (SLIDER_A ("0 1 0"), FOLLOWS ("prismatic", "base", "base", "0 1 0", FACTOR ("-1"))),
                 -1, 0);
}

static void bad_mimics (void **state)
{
    (void)state;
    rig_bad (LINKS (HINGE_A ("0 0 1"), "revolute'><parent>base</parent><child>b</child><axis><xyz>0 0 "
                                       "1</xyz>\n<mimic joint='f'/></axis>"),
             "6: <mimic> lets an axis follow itself");
    rig_bad (LINKS (HINGE_A ("0 0 1"),
                    "revolute'><parent>base</parent><child>b</child><axis><xyz>0 0 1</xyz>\n<mimic/></axis>"),
             "6: <mimic> needs the attribute joint");
    scene *s = rig_good (MODEL (LINK ("a", "") LINK ("b", "") LINK ("c", "") LINK (
        "d", "") "<joint name='l' type='revolute'><parent>a</parent><child>b</child><axis/></joint>"
                 "<joint name='f' type='revolute'><parent>c</parent><child>d</child><axis><xyz>0 0 1</xyz>"
                 "<mimic joint='l'/></axis></joint>"));
    assert_non_null (strstr (rig_warnings, "share no link"));
    scene_free (s);
}

/* Gear wheels on the world: angle(child) = -ratio angle(parent). */
static void check_gearbox (const char *where, const char *axis2, double ratio)
{
    char text[2000];
    snprintf (
        text, sizeof text,
        MODEL ("<link name='p'>" INERTIAL (
            "1",
            "0.1") "<rls:velocity>0 0 0 0 0 9</rls:velocity></link>"
                   "<link name='c'><pose>%s 0 0 0</pose>" INERTIAL (
                       "1",
                       "0.2") "</link>"
                              "<joint name='pj' type='revolute'><parent>world</parent><child>p</child>"
                              "<axis><xyz>0 0 1</xyz></axis></joint>"
                              "<joint name='cj' type='revolute'><parent>c</parent><child>world</child>"
                              "<axis><xyz expressed_in='__model__'>%s</xyz></axis></joint>"
                              "<joint name='g' type='gearbox'><parent>p</parent><child>c</child><axis><xyz>0 "
                              "0 1</xyz></axis>"
                              "<axis2><xyz "
                              "expressed_in='__model__'>%s</xyz></axis2><gearbox_ratio>%g</gearbox_ratio>"
                              "<gearbox_reference_body>world</gearbox_reference_body></joint>"),
        where, axis2, axis2, ratio);
    scene *s = rig_good (text);
    settle (s);
    const dRLSStepperID stepper = run (s, 0.01, 1e-9);
    /* The hinge of the child has the world as its child, so that its angle counts the other way. */
    rig_close (-scene_axis_position (s, &s->axes[1]), -ratio * scene_axis_position (s, &s->axes[0]), 1e-11);
    assert_true (fabs (scene_axis_position (s, &s->axes[0])) > 0.01);
    dRLSStepperDestroy (stepper);
    scene_free (s);
}

static void gearboxes (void **state)
{
    (void)state;
    check_gearbox ("1 0 0", "0 0 1", 2);  /* outside each other */
    check_gearbox ("1 0 0", "0 0 1", -2); /* one within the other */
    check_gearbox ("0 0 1", "0 0 1", 3);  /* on one shaft */
    check_gearbox ("0 0 1", "0 0 1", -1);
    check_gearbox ("1 0 1", "1 0 0", 0.5); /* bevel gears */
    check_gearbox ("1 2 1", "1 2 2", -4);
}

/* A gearbox on one shaft of a base that swings; 1.5708 in place of a quarter of a turn, as in files of
 * Gazebo, puts the axis of the output 4e-6 rad and 3e-7 m beside that of the input. */
static void gearbox_on_one_shaft (void **state)
{
    (void)state;
    static const char text[] = MODEL ("<link name='base'>" INERTIAL (
        "10",
        "1") "<rls:velocity>0 0 3 0 3 0</rls:velocity></link>"
             "<link name='in'><pose>-0.38 -0.075 0.55 0 0 0</pose>" INERTIAL (
                 "1",
                 "0.006") "<rls:velocity>0 0 0 5 0 0</rls:velocity></link>"
                          "<link name='out'><pose>-0.3 0 0.55 0 1.5708 0</pose>" INERTIAL (
                              "0.1",
                              "0.0005") "</link>"
                                        "<joint name='swing' "
                                        "type='revolute'><parent>world</parent><child>base</child>"
                                        "<pose>1 0 0 0 0 0</pose><axis><xyz>0 1 0</xyz></axis></joint>"
                                        "<joint name='ij' "
                                        "type='revolute'><parent>base</parent><child>in</child>"
                                        "<pose>0 0.075 0 0 0 0</pose><axis><xyz>1 0 0</xyz></axis></joint>"
                                        "<joint name='oj' "
                                        "type='revolute'><parent>base</parent><child>out</child>"
                                        "<axis><xyz>0 0 1</xyz></axis></joint>"
                                        "<joint name='g' "
                                        "type='gearbox'><parent>in</parent><child>out</child><axis><xyz>0 0 "
                                        "1</xyz></axis>"
                                        "<axis2><xyz>0 0 1</xyz></axis2><gearbox_ratio>5</gearbox_ratio>"
                                        "<gearbox_reference_body>base</gearbox_reference_body></joint>");
    scene *s = rig_good (text);
    settle (s);
    const dRLSStepperID stepper = run (s, 0.01, 0.1);
    rig_close (scene_axis_position (s, &s->axes[2]), -5 * scene_axis_position (s, &s->axes[1]), 1e-11);
    assert_true (fabs (scene_axis_position (s, &s->axes[1])) > 0.1);
    dRLSStepperDestroy (stepper);
    scene_free (s);
}

static void urdf_mimic (void **state)
{
    (void)state;
    rig_write (
        "finger.urdf",
        "<robot name='r'><link name='palm'/>"
        "<link name='a'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' "
        "iyz='0'/></inertial></link>"
        "<link name='b'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' "
        "iyz='0'/></inertial></link>"
        "<joint name='a' type='continuous'><parent link='palm'/><child link='a'/><axis xyz='0 1 0'/></joint>"
        "<joint name='b' type='continuous'><parent link='palm'/><child link='b'/><origin xyz='0 0 1'/>"
        "<axis xyz='0 1 0'/><mimic joint='a' multiplier='-2' offset='0.1'/></joint></robot>");
    scene *s = rig_open ("finger.urdf");
    if (!s) fail_msg ("%s", rig_error);
    assert_int_equal (scene_coupling_count (s), 1);
    rig_close (s->couplings[0].multiplier, -2, 0);
    rig_close (s->couplings[0].offset, 0.1, 0);
    scene_free (s);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (screws),
        cmocka_unit_test (mimics),
        cmocka_unit_test (bad_mimics),
        cmocka_unit_test (gearboxes),
        cmocka_unit_test (gearbox_on_one_shaft),
        cmocka_unit_test (urdf_mimic),
    };
    return cmocka_run_group_tests (tests, rig_start, rig_end);
}
