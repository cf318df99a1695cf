/*
 * A light chain with a heavy ball: taut, it would swing sideways faster than the step can follow.  It stays
 * closed, gains no energy, and says that it needed help; where it needs none it gets none.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include "oracle_scene.h"

#define H ((dReal)0.01)
#define LINKS 12
#define LENGTH 0.4 /* m */
#define SIDE 0.6   /* m: of the ball */
#define STEPS 2000
#define CLOSED 1e-9 /* m */
#define GRAVITY 9.81

/* Straight and level, every other link struck. */
static scene hang (double ball_mass)
{
    scene s = scene_open ((dReal)-GRAVITY);
    for (int i = 0; i < LINKS; ++i)
    {
        const double from[3] = {i * LENGTH, 0, 0}, to[3] = {(i + 1) * LENGTH, 0, 0};
        const int link = scene_rod (&s, from, to);
        scene_ball (&s, link, i > 0 ? link - 1 : NO_BODY, from);
        dBodySetLinearVel (s.body[link], 0, 0, i % 2 ? 2 : -2);
    }
    const double end[3] = {LINKS * LENGTH, 0, 0};
    const dReal side = (dReal)SIDE;
    const int ball = scene_box (&s, (dReal)end[0] + side / 2, 0, 0, (dReal)ball_mass, side, side, side);
    scene_ball (&s, ball, ball - 1, end);
    return s;
}

static void heavy_ball_on_light_chain (void **state)
{
    (void)state;
    const double masses[] = {40, 400, 1e4, 1e6};
    for (int i = 0; i < 4; ++i)
    {
        scene s = hang (masses[i]);
        const double fall = masses[i] * GRAVITY * LINKS * LENGTH, start = scene_energy (&s);
        double worst = 0, most = start;
        for (int step = 0; step < STEPS; ++step)
        {
            scene_step (&s, H, 1);
            worst = fmax (worst, scene_violation (&s));
            most = fmax (most, scene_energy (&s));
        }
        if (!(worst <= CLOSED)) fail_msg ("%g kg: a joint is open by %g", masses[i], worst);
        if (!(most - start <= 0.01 * fall)) fail_msg ("%g kg: gained %g J", masses[i], most - start);
        assert_true (scene_energy (&s) > start - fall); /* still swinging */
        assert_true (dRLSStepperGetWarningCount (s.stepper, dRLSWarningStiff) > 0);
        scene_close (&s);
    }
}

static void light_ball_is_left_alone (void **state)
{
    (void)state;
    scene s = hang (1);
    for (int i = 0; i < LINKS; ++i) dBodySetLinearVel (s.body[i], 0, 0, 0);
    scene_step (&s, (dReal)1e-3, 200);
    assert_int_equal (dRLSStepperGetWarningCount (s.stepper, dRLSWarningStiff), 0);
    scene_close (&s);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (heavy_ball_on_light_chain),
        cmocka_unit_test (light_ball_is_left_alone),
    };
    return cmocka_run_group_tests (tests, scene_start_ode, scene_stop_ode);
}
