/*
 * A light chain with a heavy ball: taut, it would swing sideways faster than the step can follow.  It stays
 * closed, gains no energy, and says that it needed help; where it needs none it gets none, and a mechanism is
 * not stopped by it.
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
#define CLOSED 1e-9  /* m */
#define MOST_OPEN 20 /* of them, by which Euler's method notices; how far they open the joints is chance, up to */
#define NOTICED 2e-2 /* m */
#define GRAVITY 9.81

/* Straight and level, every other link struck. */
static scene hang (double ball_mass, double brake)
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
    if (brake > 0) /* a bounded row: the island is then stepped by Euler's method */
    {
        const dJointID motor = scene_joint (&s, dJointCreateLMotor, ball, NO_BODY);
        dJointSetLMotorNumAxes (motor, 1);
        dJointSetLMotorAxis (motor, 0, 0, 0, 1, 0);
        dJointSetLMotorParam (motor, dParamFMax, (dReal)brake);
    }
    return s;
}

static void swing (double mass, double brake, double closed)
{
    scene s = hang (mass, brake);
    const double fall = mass * GRAVITY * LINKS * LENGTH, start = scene_energy (&s);
    double worst = 0, most = start;
    int open = 0;
    for (int step = 0; step < STEPS; ++step)
    {
        scene_step (&s, H, 1);
        const double gap = scene_violation (&s);
        worst = fmax (worst, gap);
        open += gap > CLOSED;
        most = fmax (most, scene_energy (&s));
    }
    if (!(worst <= closed)) fail_msg ("%g kg, brake %g N: a joint is open by %g", mass, brake, worst);
    if (open > MOST_OPEN) fail_msg ("%g kg, brake %g N: joints are open in %d steps", mass, brake, open);
    if (!(most - start <= 0.01 * fall)) fail_msg ("%g kg: gained %g J", mass, most - start);
    assert_true (scene_energy (&s) > start - fall); /* still swinging */
    assert_true (dRLSStepperGetWarningCount (s.stepper, dRLSWarningStiff) > 0);
    scene_close (&s);
}

static void heavy_ball_on_light_chain (void **state)
{
    (void)state;
    swing (40, 0, CLOSED);
    swing (400, 0, CLOSED);
    swing (1e4, 0, CLOSED);
    swing (1e6, 0, CLOSED);
}

static void heavy_ball_with_a_brake (void **state)
{
    (void)state;
    for (int kg = 400; kg < 412; ++kg) swing (kg, 1e-3, NOTICED);
    swing (4000, 1e-3, NOTICED);
}

static void light_ball_is_left_alone (void **state)
{
    (void)state;
    scene s = hang (1, 0);
    for (int i = 0; i < LINKS; ++i) dBodySetLinearVel (s.body[i], 0, 0, 0);
    scene_step (&s, (dReal)1e-3, 200);
    assert_int_equal (dRLSStepperGetWarningCount (s.stepper, dRLSWarningStiff), 0);
    scene_close (&s);
}

/*
 * Peaucellier's inversor under gravity: C runs on a circle through O, so D on a straight line.  On its way it
 * almost folds, where reactions are large for a moment and no body is light.
 */
static scene inversor (void)
{
    static const double O[3] = {0, 0, 0}, P[3] = {0.8, 0, 0},
                        C[3] = {1.5020660495122983, 0, 0.38354043088336246},
                        A[3] = {1.5342762920847756, 0, 1.2829638576592007},
                        B[3] = {1.9615397574277213, 0, -0.39033547311714108},
                        D[3] = {1.9937500000000001, 0, 0.50908795365869721}, axis[3] = {0, 1, 0};
    scene s = scene_open ((dReal)-GRAVITY);
    const int crank = scene_rod (&s, P, C), oa = scene_rod (&s, O, A), ob = scene_rod (&s, O, B);
    const int ac = scene_rod (&s, A, C), bc = scene_rod (&s, B, C);
    const int ad = scene_rod (&s, A, D), bd = scene_rod (&s, B, D);
    scene_hinge (&s, crank, NO_BODY, P, axis);
    scene_hinge (&s, oa, NO_BODY, O, axis);
    scene_hinge (&s, ob, NO_BODY, O, axis);
    scene_hinge (&s, ac, oa, A, axis);
    scene_hinge (&s, ad, oa, A, axis);
    scene_hinge (&s, bc, ob, B, axis);
    scene_hinge (&s, bd, ob, B, axis);
    scene_hinge (&s, ac, crank, C, axis);
    scene_hinge (&s, bc, crank, C, axis);
    scene_hinge (&s, ad, bd, D, axis);
    return s;
}

static void mechanism_is_not_stopped (void **state)
{
    static const int integrators[] = {dRLSIntegratorEuler, dRLSIntegratorSymplectic,
                                      dRLSIntegratorSymplectic4, dRLSIntegratorRK4};
    (void)state;
    for (int i = 0; i < 4; ++i)
        for (int n = 1; n <= 4; n *= 2)
        {
            scene s = inversor ();
            const double start = scene_energy (&s);
            double lowest = start;
            dRLSStepperSetIntegrator (scene_stepper (&s), integrators[i]);
            for (int step = 0; step < 1000; ++step)
            {
                scene_step (&s, H * 2 / (dReal)n, 1);
                lowest = fmin (lowest, scene_energy (&s));
                assert_true (scene_violation (&s) <= CLOSED);
            }
            /* Kinetic energy is 100 J at most.  The first order loses some beside the fold. */
            if (!(start - lowest <= (i == 0 ? 12 : 3)))
                fail_msg ("integrator %d at h = %g: lost %g J", integrators[i], H * 2 / n, start - lowest);
            scene_close (&s);
        }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (heavy_ball_on_light_chain),
        cmocka_unit_test (heavy_ball_with_a_brake),
        cmocka_unit_test (light_ball_is_left_alone),
        cmocka_unit_test (mechanism_is_not_stopped),
    };
    return cmocka_run_group_tests (tests, scene_start_ode, scene_stop_ode);
}
