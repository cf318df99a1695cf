/*
 * Axes that are almost parallel: drawn by hand, rounded in a file, measured on a machine.  Within the rank
 * tolerance they count as parallel and the mechanism moves, its redundant joints a little open; beyond it
 * they make a structure, which is what they are; and the tolerance moves the border.
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

int main (void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test (tolerance_decides),
                                       cmocka_unit_test (misfit_is_carried_along)};
    return cmocka_run_group_tests (tests, scene_start_ode, scene_stop_ode);
}
