/*
 * Springs and dampers of files: forces where the step follows them, rows of the stepper where it does not.
 * Neither any stiffness nor any damping upsets a step.
 */
#include "scene_rig.h"

#define HEAVY "<inertial><mass>5</mass></inertial>"

static double energy_of (const scene *s)
{
    double kinetic, potential;
    scene_energy (s, &kinetic, &potential);
    return kinetic + potential;
}

static dRLSStepperID stepper_of (scene *s, double h)
{
    scene_set_time_step (s, h);
    const dRLSStepperID stepper = dRLSStepperCreate (scene_world (s), NULL);
    if (scene_has_forces (s)) dRLSStepperSetForceCallback (stepper, scene_forces, s);
    assert_true (scene_prepare_stepper (s, stepper));
    return stepper;
}

static void step (scene *s, dRLSStepperID stepper, double h)
{
    scene_before_step (s, 0, 1);
    assert_true (dRLSStepperStep (stepper, (dReal)h));
    scene_after_step (s);
}

/* Most energy in 3 s at 1/60 over that of the beginning. */
static double growth (const char *text)
{
    scene *s = rig_good (text);
    const double h = 1.0 / 60, start = energy_of (s);
    const dRLSStepperID stepper = stepper_of (s, h);
    double most = start;
    for (int i = 0; i < 180; i++)
    {
        step (s, stepper, h);
        most = fmax (most, energy_of (s));
    }
    dRLSStepperDestroy (stepper);
    scene_free (s);
    return most / start - 1;
}

/* Each begins at rest of its spring, with a speed; %g stiffness, damping. */
static const char *const sprung[] = {
    "<joint name='j' type='prismatic'><parent>world</parent><child>b</child><axis><xyz>1 0 0</xyz><dynamics>"
    "<spring_stiffness>%g</spring_stiffness><damping>%g</damping></dynamics></axis></joint></model>",
    "<joint name='j' type='revolute'><parent>b</parent><child>world</child><pose>-2 0 0 0 0 0</pose><axis>"
    "<xyz>0 1 "
    "0</xyz><dynamics><spring_stiffness>%g</spring_stiffness><damping>%g</damping></dynamics></axis></"
    "joint></model>",
    "</model><rls:spring name='s' link1='m::b' point1='0 0 0.1' point2='0.5 0 0' stiffness='%g' "
    "damping='%g'/>",
    "</model><rls:spring name='s' link1='m::b' stiffness='%g' damping='%g'/>", /* of length 0 */
};

static void any_spring (void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof sprung / sizeof *sprung; i++)
    {
        double worst = 0;
        for (double k = 1; k < 2e12; k *= 1000)
            for (double c = 0; c < 2e6; c = c == 0 ? 1 : 1000 * c)
            {
                char joint[600], text[1400];
                snprintf (joint, sizeof joint, sprung[i], k, c);
                snprintf (text, sizeof text,
                          WORLD ("<model name='m'>" LINK (
                              "b", HEAVY "<rls:velocity>1 0 1 0 -0.5 0</rls:velocity>") "%s"),
                          joint);
                worst = fmax (worst, growth (text));
            }
        print_message ("spring %zu, k = 1 .. 1e12, c = 0 .. 1e6 at 1/60: energy grows by %.1e\n", i, worst);
        /* Slow springs are forces inside the symplectic step, whose energy wavers with its second order. */
        if (!(worst < 1e-3)) fail_msg ("spring %zu grows by %g", i, worst);
    }
}

/* The wheel of a suspension in oil: no damping turns it round. */
static void damped_wheel (void **state)
{
    (void)state;
    scene *s =
        rig_good (MODEL (LINK ("a", HEAVY)
                             LINK ("b", "<inertial><mass>1</mass><inertia><ixx>1e-3</ixx><iyy>1e-3</"
                                        "iyy><izz>1e-3"
                                        "</izz></inertia></inertial><rls:velocity>0 0 0 0 10 "
                                        "0</rls:velocity>") "<joint name='j' "
                                                            "type='revolute2'><parent>a</parent><child>b</"
                                                            "child><axis><xyz>0 0 1</xyz></axis>"
                                                            "<axis2><xyz>0 1 "
                                                            "0</xyz><dynamics><damping>100</damping></"
                                                            "dynamics></axis2></joint>"));
    const dRLSStepperID stepper = stepper_of (s, 0.01);
    double last = 10;
    for (int i = 0; i < 50; i++)
    {
        step (s, stepper, 0.01);
        const double now = scene_axis_rate (s, &s->axes[1]);
        assert_true (now > -1e-9 && now <= last);
        last = now;
    }
    assert_true (last < 1e-3);
    dRLSStepperDestroy (stepper);
    scene_free (s);
}

/* A robot's spring of 8e5 N/m with its damper of 4e4 N s/m on 5 kg, at 1 ms: two decaying exponentials. */
static void stiff_spring (void **state)
{
    (void)state;
    scene *s = rig_good (
        "<sdf version='1.9'><world name='w'><gravity>0 0 -9.81</gravity><model name='m'><link name='b'>" HEAVY
        "</link>"
        "<joint name='j' type='prismatic'><parent>world</parent><child>b</child><axis><xyz>0 0 "
        "1</xyz><dynamics>"
        "<spring_stiffness>8e5</spring_stiffness><damping>4e4</damping></dynamics></axis></joint></model></"
        "world></sdf>");
    const double rest = -5 * 9.81 / 8e5, half = 4e4 / 10, root = sqrt (half * half - 8e5 / 5),
                 slow = 8e5 / 5 / (half + root), fast = half + root;
    const dRLSStepperID stepper = stepper_of (s, 1e-3);
    for (int i = 1; i <= 1000; i++)
    {
        const double t = 1e-3 * i;
        step (s, stepper, 1e-3);
        rig_close (scene_axis_position (s, &s->axes[0]),
                   rest * (1 - (fast * exp (-slow * t) - slow * exp (-fast * t)) / (fast - slow)),
                   2e-3 * -rest);
    }
    dRLSStepperDestroy (stepper);
    scene_free (s);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (any_spring),
        cmocka_unit_test (damped_wheel),
        cmocka_unit_test (stiff_spring),
    };
    return cmocka_run_group_tests (tests, rig_start, rig_end);
}
