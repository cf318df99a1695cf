/*
 * Ropes of light links at random that end in something up to a thousand times as heavy, with stops of hinges
 * and sliders within them: they snap taut, steps fail, and what follows a failed step shall make no energy.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include "oracle.h"
#include "oracle_scene.h"

#define WORLDS 20
#define STEPS 240
#define H ((dReal)(1 / 60.0))
#define MOST_LINKS 10
#define MADE 0.2 /* of the energy at the start, beside 1 J */

/* A joint of any kind at a place, some with stops. */
static void join (scene *s, oracle_random *random, int a, int b, const double at[3])
{
    const double axis[3] = {oracle_uniform (random, -1, 1), oracle_uniform (random, -1, 1), 0.5};
    const int kind = (int)oracle_uniform (random, 0, 4);
    if (kind < 2)
    {
        scene_ball (s, a, b, at);
        return;
    }
    const dJointID joint = scene_joint (s, kind == 2 ? dJointCreateHinge : dJointCreateSlider, a, b);
    if (kind == 2)
    {
        dJointSetHingeAnchor (joint, (dReal)at[0], (dReal)at[1], (dReal)at[2]);
        dJointSetHingeAxis (joint, (dReal)axis[0], (dReal)axis[1], (dReal)axis[2]);
        dJointSetHingeParam (joint, dParamLoStop, (dReal)-0.7);
        dJointSetHingeParam (joint, dParamHiStop, (dReal)0.7);
        return;
    }
    dJointSetSliderAxis (joint, (dReal)axis[0], (dReal)axis[1], (dReal)axis[2]);
    dJointSetSliderParam (joint, dParamLoStop, (dReal)-0.2);
    dJointSetSliderParam (joint, dParamHiStop, (dReal)0.2);
}

static void swing (uint64_t seed, double *worst)
{
    oracle_random random = {seed};
    scene s = scene_open ((dReal)-9.81);
    const int links = 3 + (int)oracle_uniform (&random, 0, MOST_LINKS - 3);
    const double side = oracle_uniform (&random, 0.1, 0.5), mass = pow (10, oracle_uniform (&random, -2, 1)),
                 heavy = mass * pow (10, oracle_uniform (&random, 1, 3)),
                 fast = oracle_uniform (&random, 0, 10), drop = oracle_uniform (&random, -0.5, 0.5),
                 along = sqrt (1 - drop * drop);
    for (int i = 0; i < links; ++i)
    {
        const double at[3] = {side * i * along, 0, side * i * drop}, middle = side * (i + 0.5);
        const int last = i == links - 1;
        const dReal size = (dReal)(last ? side : 0.4 * side);
        const int link = scene_box (&s, (dReal)(middle * along), 0, (dReal)(middle * drop),
                                    (dReal)(last ? heavy : mass), size, size / 2, size / 3);
        join (&s, &random, link, i > 0 ? link - 1 : NO_BODY, at);
        dBodySetLinearVel (s.body[link], (dReal)oracle_uniform (&random, -fast, fast),
                           (dReal)oracle_uniform (&random, -fast, fast),
                           (dReal)oracle_uniform (&random, -fast, fast));
    }
    scene_step (&s, H, 1); /* the velocities are none that the joints allow */
    const double start = scene_energy (&s);
    double most = start;
    for (int step = 1; step < STEPS; ++step)
    {
        scene_step (&s, H, 1);
        most = fmax (most, scene_energy (&s));
    }
    const double made = (most - start) / (fabs (start) + 1);
    if (made > *worst) *worst = made;
    if (made > MADE) print_message ("world %d: %.3g J of %.3g\n", (int)seed, most - start, start);
    scene_close (&s);
}

/* The first of them, and those of 400 that made up to 9700 times the energy that there was. */
static void snaps_make_no_energy (void **state)
{
    static const uint64_t wrong[] = {65, 74, 121, 146, 278, 280, 283, 291, 326, 331, 367, 374, 384};
    (void)state;
    double worst = 0;
    for (uint64_t seed = 1; seed <= WORLDS; ++seed) swing (seed, &worst);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) swing (wrong[i], &worst);
    print_message ("ropes: at most %.2g of the energy at the start is made\n", worst);
    assert_true (worst <= MADE);
}

int main (void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test (snaps_make_no_energy)};
    return cmocka_run_group_tests (tests, scene_start_ode, scene_stop_ode);
}
