/*
 * Axes that are almost parallel: drawn by hand, rounded in a file, measured on a machine.  Within the rank
 * tolerance they count as parallel and the mechanism moves, its redundant joints a little open; beyond it
 * they make a structure, which is what they are; and the tolerance moves the border.  And what is dragged to
 * where it cannot fit.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include "oracle_linkages.h"

#define H ((dReal)0.01)

/* ---- a door, with its upper hinge askew ---- */

static scene hang_door (double askew, double tolerance)
{
    scene s = scene_open ((dReal)-9.81);
    const double low[3] = {0, 0, 0.2}, high[3] = {0.3, 0, 1.7};
    const double axis[3] = {0.2, 0, 1}, other[3] = {0.2, askew, 1};
    const int leaf = scene_box (&s, (dReal)0.1, (dReal)0.5, 1, 10, (dReal)0.05, 1, 2);
    scene_hinge (&s, leaf, NO_BODY, low, axis);
    scene_hinge (&s, leaf, NO_BODY, high, other);
    assert_int_equal (dRLSStepperSetRankTolerance (scene_stepper (&s), (dReal)tolerance), 1);
    return s;
}

/* A leaning door falls towards its lowest position, and swings. */
static void tolerance_decides (void **state)
{
    (void)state;
    const double askew[] = {1e-6, 1e-5, 1e-4, 1e-3, 1e-2}, tolerance[] = {1e-9, 1e-7, 1e-5, 1e-3};
    for (int i = 0; i < 5; ++i)
        for (int k = 0; k < 4; ++k)
        {
            scene s = hang_door (askew[i], tolerance[k]);
            const int parallel = askew[i] * askew[i] < tolerance[k];
            const double start = scene_energy (&s);
            assert_int_equal (scene_analyse (&s).dof, parallel);
            scene_step (&s, H, 100);
            const dReal *v = dBodyGetLinearVel (s.body[0]);
            const double speed = (double)dCalcVectorLength3 (v);
            assert_true (parallel ? speed > 0.1 : speed < 1e-9);
            assert_true (fabs (scene_energy (&s) - start) < 1e-3);
            assert_true (scene_violation (&s) < (parallel ? 4 * askew[i] : 1e-13));
            scene_close (&s);
        }
}

/* ---- Goldberg's loop of five, which magnifies a misfit a hundred times on its way ---- */

/* Two of Bennett's loops that share a bar; the bar is then left out. */
static const double joint_at[5][3] = {
    {0, 0, 0},
    {0.45359612142557731, 0.89120736006143542, 0},
    {-0.54631864029432275, -0.17834205055690289, 0.27775128716811576},
    {-1.6642277192695201, -1.4708420866931904, 0.63224611801938002},
    {-1.5157743589916954, -0.94286905606385496, 1.4684315512519239},
};
static const double axis_along[5][3] = {
    {0, 0, 1},
    {0.50321352809294873, -0.25611963592413278, 0.82533561490967833},
    {-0.18637621095285084, 0.40651685546823757, 0.89443163752803079},
    {-0.76580398189017951, 0.59637111387330877, -0.24059458817407911},
    {-0.98534451939478696, 0.15080255531978615, 0.079716795016352759},
};

static double rounded (double x, double unit) { return unit > 0 ? unit * round (x / unit) : x; }

static scene goldberg (double unit, double askew)
{
    double point[5][3], axis[5][3];
    scene s = scene_open ((dReal)-9.81);
    dWorldSetGravity (s.world, 1, 2, -9);
    for (int i = 0; i < 5; ++i)
        for (int k = 0; k < 3; ++k)
        {
            point[i][k] = rounded (joint_at[i][k], unit);
            axis[i][k] = rounded (axis_along[i][k], unit) + (i == 2 ? (k == 1 ? -askew : askew) : 0);
        }
    linkage_loop (&s, 4, (const double (*)[3])point, (const double (*)[3])axis);
    return s;
}

static void stays_a_mechanism (scene *s, int integrator, double drift, const char *what)
{
    const double start = scene_energy (s);
    double worst = 0;
    dRLSStepperSetIntegrator (scene_stepper (s), integrator);
    for (int step = 0; step < 500; ++step)
    {
        dRLSReport report = {.struct_size = sizeof (report)};
        scene_step (s, H, 1);
        assert_int_equal (dRLSStepperGetReport (s->stepper, &report), 1);
        if (report.dof != 1) fail_msg ("%s, step %d: %d degrees of freedom", what, step, report.dof);
        worst = fmax (worst, fabs (scene_energy (s) - start));
    }
    if (!(worst < drift)) fail_msg ("%s: the energy changes by %g J", what, worst);
    scene_close (s);
}

/* True axes; true to what a file has at least; one axis turned. Its kinetic energy is up to 10 J. */
static void misfit_is_carried_along (void **state)
{
    (void)state;
    static const struct
    {
        double unit, askew, drift[2];
        const char *what;
    } cases[] = {{0, 0, {0.01, 0.2}, "true"},
                 {1e-6, 0, {0.02, 0.2}, "six digits"},
                 {0, 1e-6, {0.02, 0.2}, "turned by 1e-6"},
                 {0, 1e-5, {0.05, 0.3}, "turned by 1e-5"}};
    for (int i = 0; i < 4; ++i)
        for (int euler = 0; euler < 2; ++euler)
        {
            scene s = goldberg (cases[i].unit, cases[i].askew);
            stays_a_mechanism (&s, euler ? dRLSIntegratorEuler : dRLSIntegratorSymplectic,
                               cases[i].drift[euler], cases[i].what);
        }
}

/* ---- a chain that a hand drags beyond its reach ---- */

/* Three links, one end at the world, the other in a kinematic hand that comes nearer, goes twice as far as
 * they reach and returns.  Every step says what it lacks.  Near the stretched chain the hand's velocity was
 * passed on enlarged: up to 4e7 J at 10 ms (dWorldStep: 3e5). */
static void what_is_dragged_too_far_is_not_flung (void **state)
{
    (void)state;
    static const double across[3] = {0, 1, 0};
    static const double steps[] = {1 / 60., 0.01};
    for (int i = 0; i < 2; ++i)
    {
        scene s = scene_open (0);
        const double h = steps[i];
        for (int b = 0; b < 3; ++b)
        {
            const double at[3] = {b, 0, 0};
            const int link = scene_box (&s, (dReal)(b + 0.5), 0, 0, 1, 1, (dReal)0.1, (dReal)0.1);
            scene_hinge (&s, link, b > 0 ? b - 1 : NO_BODY, at, across);
        }
        const int hand = scene_box (&s, 3, 0, 0, 1, 1, 1, 1);
        dBodySetKinematic (s.body[hand]);
        dJointSetBallAnchor (scene_joint (&s, dJointCreateBall, 2, hand), 3, 0, 0);
        double most = 0, x0 = 3, z0 = 0;
        for (int step = 1; step * h < 4; ++step)
        {
            const double t = step * h,
                         x = t < 1   ? 3 - 1.5 * sin (M_PI * t / 2)
                             : t < 3 ? 1.5 + 2.5 * (t - 1)
                                     : 6.5 - 5 * (t - 3),
                         z = t < 1 ? 0 : 0.3 * sin (5 * (t - 1));
            dBodySetLinearVel (s.body[hand], (dReal)((x - x0) / h), 0, (dReal)((z - z0) / h));
            x0 = x, z0 = z;
            scene_step (&s, (dReal)h, 1);
            double energy = 0;
            for (int b = 0; b < 3; ++b)
            {
                dReal kinetic, potential;
                dRLSMeasureBody (s.body[b], &kinetic, &potential);
                energy += (double)kinetic;
            }
            most = fmax (most, energy);
        }
        print_message ("h %g: at most %.3g J\n", h, most);
        assert_true (most < 1e4);
        assert_true (scene_violation (&s) < 1e-9); /* within reach again */
        assert_true (dRLSStepperGetWarningCount (scene_stepper (&s), dRLSWarningProjection) > 100);
        scene_close (&s);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test (tolerance_decides),
                                       cmocka_unit_test (misfit_is_carried_along),
                                       cmocka_unit_test (what_is_dragged_too_far_is_not_flung)};
    return cmocka_run_group_tests (tests, scene_start_ode, scene_stop_ode);
}
