/*
 * Euler's step closes rings of rods whose bodies the program has moved apart, by up to a metre and a radian;
 * those that it leaves open are told.  Of 2000 rings 6 stay open.  With an iteration that goes back to its
 * best iterate where it diverges it was 19: from there it ends where it was stuck.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <stdint.h>
#include "oracle_scene.h"

#define MOST 10
#define TORN 2.0 /* m: width of the range by which bodies are moved */
#define CLOSED 1e-9
#define RINGS 2000
#define LEFT_OPEN 10 /* of them */

static double uniform (uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state / 4294967296.0 - 0.5;
}

/* A ring of n rods of about 1 m radius, by hinges or balls, with its first corner on a hinge to the world. */
static scene ring (int n, int hinges, uint32_t *seed)
{
    static const double axis[3] = {0, 0.3, 1};
    scene s = scene_open ((dReal)-9.81);
    double corner[MOST][3];
    for (int i = 0; i < n; ++i)
        corner[i][0] = cos (2 * M_PI * i / n), corner[i][1] = sin (2 * M_PI * i / n),
        corner[i][2] = 0.3 * uniform (seed);
    for (int i = 0; i < n; ++i) scene_rod (&s, corner[i], corner[(i + 1) % n]);
    scene_hinge (&s, NO_BODY, 0, corner[0], axis);
    scene_hinge (&s, NO_BODY, n - 1, corner[0], axis);
    for (int i = 1; i < n; ++i)
    {
        if (hinges)
            scene_hinge (&s, i - 1, i, corner[i], axis);
        else
            scene_ball (&s, i - 1, i, corner[i]);
    }
    return s;
}

/* Moves and turns a body at random. */
static void tear (dBodyID body, uint32_t *seed)
{
    dReal x[3], axis[3];
    dMatrix3 turn, R;
    for (int k = 0; k < 3; ++k) x[k] = dBodyGetPosition (body)[k] + (dReal)(TORN * uniform (seed));
    for (int k = 0; k < 3; ++k) axis[k] = (dReal)uniform (seed);
    dRFromAxisAndAngle (turn, axis[0], axis[1], axis[2], (dReal)(2 * TORN * uniform (seed)));
    dMultiply0_333 (R, turn, dBodyGetRotation (body));
    dBodySetPosition (body, x[0], x[1], x[2]);
    dBodySetRotation (body, R);
}

static void are_closed_in_a_step (void **state)
{
    (void)state;
    int left = 0;
    for (uint32_t trial = 1; trial <= RINGS; ++trial)
    {
        uint32_t seed = 7919 * trial;
        for (int i = 0; i < 5; ++i) uniform (&seed);
        scene s = ring (3 + (int)(trial % 8), trial % 2, &seed);
        for (int b = 0; b < s.bodies; ++b) tear (s.body[b], &seed);
        dRLSStepperSetIntegrator (scene_stepper (&s), dRLSIntegratorEuler);
        scene_step (&s, (dReal)0.01, 1);
        const int open = !(scene_violation (&s) < CLOSED);
        left += open;
        if (open && dRLSStepperGetWarningCount (s.stepper, dRLSWarningProjection) == 0)
            fail_msg ("ring %u is open without a word", (unsigned)trial);
        scene_close (&s);
    }
    if (left > LEFT_OPEN) fail_msg ("%d rings are left open", left);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (are_closed_in_a_step),
    };
    return cmocka_run_group_tests (tests, scene_start_ode, scene_stop_ode);
}
