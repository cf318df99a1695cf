/*
 * Springs and dampers along the axes of joints, and rows of the program that give way: second order where the
 * step resolves them, and never a gain of energy where it does not.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include "oracle_scene.h"

static const double origin[3] = {0, 0, 0}, x_axis[3] = {1, 0, 0}, y_axis[3] = {0, 1, 0};

/* ---- five kilograms on a spring that a step of 1 ms cannot follow explicitly ---- */

static void stiff_and_damped_slider (void **state)
{
    (void)state;
    const double k = 8e5, c = 4e4, m = 5, g = 9.81, h = 1e-3;
    scene s = scene_open ((dReal)-g);
    scene_box (&s, 0, 0, 0, (dReal)m, 1, 1, 1);
    const dJointID slider = scene_joint (&s, dJointCreateSlider, 0, NO_BODY);
    dJointSetSliderAxis (slider, 0, 0, 1);
    assert_int_equal (dRLSStepperSetJointSpring (scene_stepper (&s), slider, 0, (dReal)k, (dReal)c, 0), 1);
    /* x'' = -g - k x / m - c x' / m from rest: two decaying exponentials. */
    const double half = c / (2 * m), root = sqrt (half * half - k / m), slow = k / m / (half + root),
                 fast = half + root, rest = -m * g / k;
    double worst = 0;
    for (int i = 1; i <= 2000; ++i)
    {
        scene_step (&s, (dReal)h, 1);
        const double t = i * h;
        const double x = rest * (1 - (fast * exp (-slow * t) - slow * exp (-fast * t)) / (fast - slow));
        worst = fmax (worst, fabs ((double)dBodyGetPosition (s.body[0])[2] - x));
    }
    print_message ("5 kg, k = 8e5, c = 4e4, 1 ms: off by %.1e of %.1e m\n", worst, -rest);
    assert_true (worst < 2e-3 * -rest);
    scene_close (&s);
}

/* ---- the joints that may have springs ---- */

typedef struct
{
    const char *name;
    int axes, dampers; /* that may have springs; dampers alone */
    dJointID (*place) (scene *s);
    void (*set) (dJointID joint, int parameter, dReal value);
} kind;

static dJointID place_hinge (scene *s) { return scene_hinge (s, 0, 1, origin, y_axis); }

static dJointID place_slider (scene *s)
{
    const dJointID joint = scene_joint (s, dJointCreateSlider, 0, 1);
    dJointSetSliderAxis (joint, 0, (dReal)0.6, (dReal)0.8);
    return joint;
}

static dJointID place_universal (scene *s)
{
    const dJointID joint = scene_joint (s, dJointCreateUniversal, 0, 1);
    dJointSetUniversalAnchor (joint, 0, 0, 0);
    dJointSetUniversalAxis1 (joint, 1, 0, 0);
    dJointSetUniversalAxis2 (joint, 0, 1, 0);
    return joint;
}

static dJointID place_hinge2 (scene *s)
{
    const dVector3 axis[2] = {{0, 0, 1}, {0, 1, 0}};
    const dJointID joint = scene_joint (s, dJointCreateHinge2, 0, 1);
    dJointSetHinge2Anchor (joint, 0, 0, 0);
    dJointSetHinge2Axes (joint, axis[0], axis[1]);
    return joint;
}

/* A ball with the three angles of an angular motor. */
static dJointID place_ball (scene *s)
{
    scene_ball (s, 0, 1, origin);
    const dJointID motor = scene_joint (s, dJointCreateAMotor, 0, 1);
    dJointSetAMotorMode (motor, dAMotorEuler);
    dJointSetAMotorAxis (motor, 0, 1, 1, 0, 0);
    dJointSetAMotorAxis (motor, 2, 2, 0, 0, 1);
    return motor;
}

static const kind kinds[] = {
    {"hinge", 1, 1, place_hinge, dJointSetHingeParam},
    {"slider", 1, 1, place_slider, dJointSetSliderParam},
    {"universal", 2, 2, place_universal, dJointSetUniversalParam},
    {"hinge-2", 1, 2, place_hinge2, dJointSetHinge2Param},
    {"ball", 3, 3, place_ball, dJointSetAMotorParam},
};
#define KINDS ((int)(sizeof (kinds) / sizeof (*kinds)))

/* A small body on a large one that hangs from the world, both moving. */
static dJointID build (scene *s, const kind *type)
{
    *s = scene_open (0);
    scene_box (s, (dReal)0.3, (dReal)0.1, (dReal)0.2, 1, (dReal)0.4, (dReal)0.2, (dReal)0.3);
    scene_box (s, (dReal)-0.5, 0, 0, 3, 1, (dReal)0.3, (dReal)0.4);
    const dJointID joint = (*type->place) (s);
    scene_hinge (s, 1, NO_BODY, (const double[3]){-1, 0, 0}, x_axis);
    for (int b = 0; b < 2; ++b) dBodySetFiniteRotationMode (s->body[b], 1);
    dBodySetAngularVel (s->body[1], (dReal)0.5, 0, 0);
    dBodySetAngularVel (s->body[0], (dReal)0.5, 0, 0);
    dBodySetLinearVel (s->body[0], 0, (dReal)-0.1, (dReal)0.05);
    scene_stepper (s);
    return joint;
}

/* The largest energy of motion in two seconds at 1/60 s, where the springs begin at rest, over that after the
 * first steps. */
static double growth (const kind *type, double k, double c)
{
    scene s;
    const dJointID joint = build (&s, type);
    for (int axis = 0; axis < type->dampers; ++axis)
        assert_int_equal (
            dRLSStepperSetJointSpring (s.stepper, joint, axis, axis < type->axes ? (dReal)k : 0, (dReal)c, 0),
            1);
    scene_step (&s, (dReal)(1.0 / 60), 1);
    const double start = scene_energy (&s);
    double most = start;
    for (int i = 0; i < 120; ++i)
    {
        scene_step (&s, (dReal)(1.0 / 60), 1);
        most = fmax (most, scene_energy (&s));
        assert_true (scene_violation (&s) < 1e-11);
    }
    scene_close (&s);
    return most / start - 1;
}

static void any_spring_any_damper (void **state)
{
    (void)state;
    for (int i = 0; i < KINDS; ++i)
    {
        double worst = 0;
        for (double k = 1; k < 2e12; k *= 100)
            for (double c = 0; c < 2e6; c = c == 0 ? 1 : 1000 * c)
                worst = fmax (worst, growth (&kinds[i], k, c));
        print_message ("%-10s k = 1 .. 1e12, c = 0 .. 1e6, h = 1/60: growth %.1e\n", kinds[i].name, worst);
        /* A spring that the step resolves may give back what the first step put into it. */
        if (!(worst < 1e-5)) fail_msg ("%s: grows by %g", kinds[i].name, worst);
    }
}

/* ---- order ---- */

static void end_of (const kind *type, int steps, double x[6])
{
    scene s;
    const dJointID joint = build (&s, type);
    for (int axis = 0; axis < type->dampers; ++axis)
        dRLSStepperSetJointSpring (s.stepper, joint, axis, axis < type->axes ? 40 : 0, (dReal)0.1,
                                   (dReal)0.2);
    scene_step (&s, (dReal)(1.0 / steps), steps);
    for (int k = 0; k < 3; ++k)
        x[k] = (double)dBodyGetPosition (s.body[0])[k], x[3 + k] = (double)dBodyGetLinearVel (s.body[0])[k];
    scene_close (&s);
}

static double apart (const double a[6], const double b[6])
{
    double sum = 0;
    for (int k = 0; k < 6; ++k) sum += (a[k] - b[k]) * (a[k] - b[k]);
    return sqrt (sum);
}

static void second_order (void **state)
{
    (void)state;
    for (int i = 0; i < KINDS; ++i)
    {
        double x[3][6];
        for (int n = 0; n < 3; ++n) end_of (&kinds[i], 400 << n, x[n]);
        const double first = apart (x[0], x[1]), second = apart (x[1], x[2]), order = log2 (first / second);
        print_message ("%-10s changes %.1e, %.1e: order %.2f\n", kinds[i].name, first, second, order);
        assert_true (first < 1e-2);
        if (!(order > 1.9)) fail_msg ("%s: order %g", kinds[i].name, order);
    }
}

/* ---- rows of the program that give way ---- */

static int along_x (void *context, dJointID joint, dReal time, dRLSProgramRow *row)
{
    const dReal *x = dBodyGetPosition (dJointGetBody (joint, 0));
    (void)context, (void)time;
    row[0].first[0] = 1, row[0].value = x[0];
    row[1].first[1] = 1, row[1].value = x[1]; /* stays hard */
    return 1;
}

static double oscillator_error (double h)
{
    scene s = scene_open (0);
    scene_box (&s, 1, 0, 0, 2, 1, 1, 1);
    const dJointID joint = scene_joint (&s, dJointCreateLMotor, 0, NO_BODY);
    assert_int_equal (dRLSStepperSetJointRows (scene_stepper (&s), joint, 2, along_x, NULL), 1);
    assert_int_equal (dRLSStepperSetRowCompliance (s.stepper, joint, 0, 50, 0), 1);
    dBodySetLinearVel (s.body[0], 0, 0, 1);
    double worst = 0;
    const int steps = (int)lround (2 / h);
    for (int i = 1; i <= steps; ++i)
    {
        scene_step (&s, (dReal)h, 1);
        worst = fmax (worst, fabs ((double)dBodyGetPosition (s.body[0])[0] - cos (5 * i * h)));
        assert_true (fabs ((double)dBodyGetPosition (s.body[0])[1]) < 1e-15);
    }
    scene_close (&s);
    return worst;
}

static void rows_of_the_program (void **state)
{
    (void)state;
    const double coarse = oscillator_error (0.01), fine = oscillator_error (0.005);
    print_message ("soft row of the program: %.1e, %.1e: order %.2f\n", coarse, fine, log2 (coarse / fine));
    assert_true (coarse < 3e-3 && log2 (coarse / fine) > 1.9);
}

/* ---- coming and going, and what is refused ---- */

static void springs_come_and_go (void **state)
{
    (void)state;
    scene s = scene_open (0);
    scene_box (&s, 0, 0, 0, 1, 1, 1, 1);
    const dJointID slider = scene_joint (&s, dJointCreateSlider, 0, NO_BODY);
    dJointSetSliderAxis (slider, 1, 0, 0);
    const dRLSStepperID stepper = scene_stepper (&s);
    scene_step (&s, (dReal)0.01, 3);
    dBodySetLinearVel (s.body[0], 1, 0, 0);
    scene_step (&s, (dReal)0.01, 10);
    assert_true (fabs ((double)dBodyGetPosition (s.body[0])[0] - 0.1) < 1e-14);
    dRLSStepperSetJointSpring (stepper, slider, 0, 0, (dReal)1e9, 0); /* a brake */
    scene_step (&s, (dReal)0.01, 10);
    assert_true (fabs ((double)dBodyGetLinearVel (s.body[0])[0]) < 1e-6);
    dRLSStepperSetJointSpring (stepper, slider, 0, 1000, 100, (dReal)0.5); /* to another place */
    scene_step (&s, (dReal)0.01, 300);
    assert_true (fabs ((double)dBodyGetPosition (s.body[0])[0] - 0.5) < 1e-6);
    dRLSStepperSetJointSpring (stepper, slider, 0, 0, 0, 0);
    dBodySetLinearVel (s.body[0], 1, 0, 0);
    scene_step (&s, (dReal)0.01, 10);
    assert_true (fabs ((double)dBodyGetLinearVel (s.body[0])[0] - 1) < 1e-14);
    scene_close (&s);
}

static void bad_springs_are_refused (void **state)
{
    (void)state;
    scene s;
    const dJointID hinge = build (&s, &kinds[0]);
    const dRLSStepperID stepper = s.stepper;
    const dJointID ball = scene_ball (&s, 0, NO_BODY, origin), hinge2 = place_hinge2 (&s);
    assert_int_equal (dRLSStepperSetJointSpring (NULL, hinge, 0, 1, 1, 0), 0);
    assert_int_equal (dRLSStepperSetJointSpring (stepper, NULL, 0, 1, 1, 0), 0);
    assert_int_equal (dRLSStepperSetJointSpring (stepper, hinge, 1, 1, 1, 0), 0);
    assert_int_equal (dRLSStepperSetJointSpring (stepper, hinge, -1, 1, 1, 0), 0);
    assert_int_equal (dRLSStepperSetJointSpring (stepper, hinge, 0, -1, 1, 0), 0);
    assert_int_equal (dRLSStepperSetJointSpring (stepper, hinge, 0, 1, (dReal)NAN, 0), 0);
    assert_int_equal (dRLSStepperSetJointSpring (stepper, hinge, 0, 1, 1, (dReal)INFINITY), 0);
    assert_int_equal (dRLSStepperSetJointSpring (stepper, ball, 0, 1, 1, 0), 0);
    assert_int_equal (dRLSStepperSetJointSpring (stepper, hinge2, 1, 1, 1, 0), 0);
    assert_int_equal (dRLSStepperSetJointSpring (stepper, hinge2, 1, 0, 1, 0), 1);
    scene_close (&s);
}

/* ---- stops that give way ---- */

/* A slider comes to a stop of k and c at 2 m/s; where it is after 0.12 s, as a spring begins to push where it
 * is reached.  Beside a contact that goes along nobody locates when that is. */
static double off_a_soft_stop (double h, int with_contact)
{
    const double k = 100, c = 5, speed = 2, gap = 0.113, after = 0.12 - gap / speed;
    const double decay = c / 2, omega = sqrt (k - decay * decay),
                 x = gap + speed / omega * exp (-decay * after) * sin (omega * after);
    scene s = scene_open (0);
    const dJointGroupID group = dJointGroupCreate (0);
    scene_box (&s, 0, 0, 0, 1, 1, 1, 1);
    const dJointID slider = scene_joint (&s, dJointCreateSlider, 0, NO_BODY);
    dJointSetSliderAxis (slider, 0, 0, 1);
    dJointSetSliderParam (slider, dParamHiStop, (dReal)gap);
    dJointSetSliderParam (slider, dParamStopERP, (dReal)(h * k / (h * k + c)));
    dJointSetSliderParam (slider, dParamStopCFM, (dReal)(1 / (h * k + c)));
    dBodySetLinearVel (s.body[0], 0, 0, (dReal)speed);
    for (int i = 0; i < (int)(0.12 / h + 0.5); ++i)
    {
        dContact contact = {.geom = {.normal = {1, 0, 0}}};
        if (with_contact) dJointAttach (dJointCreateContact (s.world, group, &contact), s.body[0], NULL);
        scene_step (&s, (dReal)h, 1);
        dJointGroupEmpty (group);
    }
    const double off = fabs ((double)dJointGetSliderPosition (slider) - x);
    dJointGroupDestroy (group);
    scene_close (&s);
    return off;
}

static void soft_stops_push_where_they_are_reached (void **state)
{
    (void)state;
    for (int with_contact = 0; with_contact < 2; ++with_contact)
    {
        const double coarse = off_a_soft_stop (0.01, with_contact),
                     fine = off_a_soft_stop (0.0025, with_contact);
        print_message ("soft stop%s: off by %.1e m, %.1e with a quarter of the step\n",
                       with_contact ? " beside a contact" : "", coarse, fine);
        assert_true (coarse < (with_contact ? 1e-2 : 1e-3));
        assert_true (fine < coarse * (with_contact ? 0.5 : 0.1));
    }
}

/* ---- stops that hold a position, and give way ---- */

/* Half a second with a spring and a damper of its own along each axis, or a damper alone: the stepper's, or
 * those of ODE that say the same: locked stops with an ERP and a CFM (k = ERP / (h CFM), c = (1 - ERP) /
 * CFM), motors without bound with a CFM (c = 1 / CFM). */
static void end_of_springs (const kind *type, int by_ode, int dampers, double x[6])
{
    const double h = 0.005;
    scene s;
    const dJointID joint = build (&s, type);
    for (int axis = 0; axis < type->axes; ++axis)
    {
        const double k = dampers ? 0 : 40 * (1 + axis), c = 0.1 * (1 + axis), reference = 0.2 * axis;
        const int group = axis * dParamGroup;
        if (!by_ode)
            dRLSStepperSetJointSpring (s.stepper, joint, axis, (dReal)k, (dReal)c, (dReal)reference);
        else if (dampers)
        {
            type->set (joint, group + dParamFMax, dInfinity);
            type->set (joint, group + dParamCFM, (dReal)(1 / c));
        }
        else
        {
            type->set (joint, group + dParamLoStop, (dReal)reference);
            type->set (joint, group + dParamHiStop, (dReal)reference);
            type->set (joint, group + dParamStopERP, (dReal)(h * k / (h * k + c)));
            type->set (joint, group + dParamStopCFM, (dReal)(1 / (h * k + c)));
        }
    }
    for (int i = 0; i < 100; ++i)
    {
        dRLSIsland island;
        scene_step (&s, (dReal)h, 1);
        assert_int_equal (dRLSStepperGetIslands (s.stepper, &island, 1), 1);
        assert_int_equal (island.integrator, dRLSIntegratorSymplectic);
        assert_true (scene_violation (&s) < 1e-12);
    }
    for (int k = 0; k < 3; ++k)
        x[k] = (double)dBodyGetPosition (s.body[0])[k], x[3 + k] = (double)dBodyGetLinearVel (s.body[0])[k];
    scene_close (&s);
}

static void locked_stops_and_motors_with_a_cfm_are_springs (void **state)
{
    (void)state;
    for (int i = 0; i < KINDS; ++i)
        for (int dampers = 0; dampers < 2; ++dampers)
        {
            double ours[6], odes[6];
            if (dampers && kinds[i].axes == 3) continue; /* ODE's motors turn otherwise than Euler's angles */
            end_of_springs (&kinds[i], 0, dampers, ours);
            end_of_springs (&kinds[i], 1, dampers, odes);
            print_message ("%-10s %s: %.1e apart\n", kinds[i].name,
                           dampers ? "motors and dampers" : "locked stops and springs", apart (ours, odes));
            if (!(apart (ours, odes) < (dampers ? 1e-8 : 1e-10)))
                fail_msg ("%s: %g apart", kinds[i].name, apart (ours, odes));
        }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (stiff_and_damped_slider),
        cmocka_unit_test (any_spring_any_damper),
        cmocka_unit_test (second_order),
        cmocka_unit_test (rows_of_the_program),
        cmocka_unit_test (springs_come_and_go),
        cmocka_unit_test (bad_springs_are_refused),
        cmocka_unit_test (soft_stops_push_where_they_are_reached),
        cmocka_unit_test (locked_stops_and_motors_with_a_cfm_are_springs),
    };
    return cmocka_run_group_tests (tests, scene_start_ode, scene_stop_ode);
}
