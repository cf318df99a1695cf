/*
 * Mechanisms with bodies that have next to no mass, or next to no inertia about an axis: rank and motion are
 * those of the same mechanism with heavier ones, as far as their inertia does not matter to it.
 */
#include "methods_rig.h"

/* What the disturbances read. */
static double axial, part, inertia;

static void give_axial_inertia (scene *s)
{
    for (int b = 0; b < scene_body_count (s); ++b)
    {
        dMass m;
        const dBodyID body = scene_body_at (s, b)->body;
        dBodyGetMass (body, &m);
        m.I[0] = axial;
        dBodySetMass (body, &m);
    }
}

static void give_part_of_mass (scene *s)
{
    const dBodyID body = scene_body_at (s, 2)->body;
    dMass m;
    dBodyGetMass (body, &m);
    dMassAdjust (&m, part * m.mass);
    dBodySetMass (body, &m);
}

static void give_inertia (scene *s)
{
    dMass m;
    dMassSetParameters (&m, 1, 0, 0, 0, inertia, inertia, inertia, 0, 0, 0);
    dBodySetMass (scene_body_at (s, 0)->body, &m);
}

static method_result steady (method_run run)
{
    const method_result r = run_method (run);
    assert_finished (r, run);
    assert_int_equal (r.fallbacks, 0);
    return r;
}

/*
 * The Bricard mechanism of bars without thickness, whose reference knows no inertia about their axes: what
 * there is of it moves the end point by 7 m for each kg m^2.  Below 1e-9 of that across, which of the bars'
 * inertia is left to rounding shows.
 */
static void thin_bars (void **state)
{
    (void)state;
    const double thin[] = {1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10};
    const int integrators[] = {dRLSIntegratorSymplectic4, dRLSIntegratorRK4, dRLSIntegratorSymplectic,
                               dRLSIntegratorEuler};
    const double own_error[] = {5e-7, 5e-7, 1e-3, 2e-2};
    for (size_t i = 0; i < sizeof (thin) / sizeof (*thin); ++i)
        for (int k = 0; k < 4; ++k)
        {
            axial = thin[i];
            const method_result r = steady ((method_run){.scene = "bricard_repo",
                                                         .integrator = integrators[k],
                                                         .h = 0.01,
                                                         .duration = 10,
                                                         .disturb = give_axial_inertia});
            assert_int_equal (r.rank_min, 29);
            assert_int_equal (r.rank_max, 29);
            assert_below (r.error, 8 * axial + own_error[k]);
            assert_below (fmax (r.position, r.angle), 1e-12);
        }
}

/* A coupler that weighs next to nothing beside its cranks, through singular positions. */
static void light_coupler (void **state)
{
    (void)state;
    const double parts[] = {1e-5, 1e-7, 1e-9, 1e-11};
    double drift = 0;
    for (size_t i = 0; i < sizeof (parts) / sizeof (*parts); ++i)
    {
        part = parts[i];
        const method_result r = steady ((method_run){.scene = "fourbar",
                                                     .integrator = dRLSIntegratorSymplectic4,
                                                     .h = 0.01,
                                                     .duration = 10,
                                                     .disturb = give_part_of_mass});
        assert_int_equal (r.rank_max, 17);
        assert_below (r.position, 1e-13);
        if (i == 0) drift = r.drift;
        assert_below (r.drift, 1.1 * drift);
        assert_above (r.drift, 0.9 * drift);
    }
}

/* A mass at the end of a rod without inertia: a pendulum, whatever is left of its moments of inertia. */
static void point_mass (void **state)
{
    (void)state;
    const double moments[] = {1e-4, 1e-6, 1e-8, 1e-10, 1e-12};
    for (size_t i = 0; i < sizeof (moments) / sizeof (*moments); ++i)
    {
        inertia = moments[i];
        const method_result r = steady ((method_run){.scene = "pendulum_point",
                                                     .integrator = dRLSIntegratorSymplectic4,
                                                     .h = 0.01,
                                                     .duration = 10,
                                                     .disturb = give_inertia});
        assert_int_equal (r.rank_min, 5);
        assert_below (r.error, 25 * inertia + 1e-6);
        assert_below (r.position, 1e-14);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (thin_bars),
        cmocka_unit_test (light_coupler),
        cmocka_unit_test (point_mass),
    };
    dInitODE2 (0);
    const int failed = cmocka_run_group_tests (tests, NULL, NULL);
    dCloseODE ();
    return failed;
}
