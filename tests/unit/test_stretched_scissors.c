/*
 * Scissors that gravity stretches until all their stages are flat at once: a singular configuration that long
 * ones whip through, much faster than steps can follow.  What such a step cannot follow costs energy, and may
 * not give any without a word.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include "oracle.h"
#include "oracle_scene.h"

static const double along_y[3] = {0, 1, 0};

/* Rods of 1 m that lean by 0.8 rad; the lower left end is held, the lower right one slides. */
static scene stretching_scissors (int stages)
{
    const double width = cos (0.8), height = sin (0.8);
    scene s = scene_open ((dReal)9.81); /* upwards, where the scissors are not held */
    int last[2] = {0, 0};
    for (int i = 0; i < stages; ++i)
    {
        const double left[3] = {0, 0, i * height}, right[3] = {width, 0, i * height},
                     top_left[3] = {0, 0, (i + 1) * height}, top_right[3] = {width, 0, (i + 1) * height},
                     centre[3] = {width / 2, 0, (i + 0.5) * height};
        const int from_left = scene_rod (&s, left, top_right), from_right = scene_rod (&s, right, top_left);
        scene_hinge (&s, from_left, from_right, centre, along_y);
        if (i > 0)
        {
            scene_hinge (&s, last[1], from_left, left, along_y);
            scene_hinge (&s, last[0], from_right, right, along_y);
        }
        else
        {
            const int carriage =
                scene_box (&s, (dReal)width, 0, 0, (dReal)0.2, (dReal)0.1, (dReal)0.1, (dReal)0.1);
            scene_hinge (&s, from_left, NO_BODY, left, along_y);
            scene_hinge (&s, from_right, carriage, right, along_y);
            dJointSetSliderAxis (scene_joint (&s, dJointCreateSlider, carriage, NO_BODY), 1, 0, 0);
        }
        last[0] = from_left, last[1] = from_right;
    }
    return s;
}

/* The largest gain of energy in a step that is not told, as a share of the kinetic energy.  Steps that close
 * what the one before has left open, and told, do not count: closing lifts bodies. */
static double gains_untold (int stages, double h)
{
    scene s = stretching_scissors (stages);
    const dRLSStepperID stepper = scene_stepper (&s);
    double energy = scene_energy (&s), kinetic = 0, worst = 0;
    unsigned long told = 0, open = 0;
    int closes = 0;
    for (int i = 0; i * h < 2.2; ++i)
    {
        scene_step (&s, (dReal)h, 1);
        const double now = scene_energy (&s), moving = scene_kinetic (&s);
        const unsigned long tells = dRLSStepperGetWarningCount (stepper, dRLSWarningEnergy),
                            opens = dRLSStepperGetWarningCount (stepper, dRLSWarningProjection);
        if (tells == told && !closes) worst = fmax (worst, (now - energy) / (kinetic + moving));
        closes = opens > open;
        told = tells, open = opens, energy = now, kinetic = moving;
    }
    scene_close (&s);
    return worst;
}

/* Where all attempts at a step had failed, half of the energy appeared, and nobody looked: bodies hardly
 * turned. */
static void energy_that_appears_is_told (void **state)
{
    (void)state;
    const int stages[] = {60, 68};
    for (size_t k = 0; k < sizeof (stages) / sizeof (*stages); ++k)
    {
        const double worst = gains_untold (stages[k], 0.02);
        print_message ("%d stages: at most %.2g of the kinetic energy\n", stages[k], worst);
        assert_true (worst <= 0.05); /* more is told */
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test (energy_that_appears_is_told)};
    return cmocka_run_group_tests (tests, scene_start_ode, scene_stop_ode);
}
