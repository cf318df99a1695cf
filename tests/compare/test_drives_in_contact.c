/*
 * An excavator whose cylinders are driven while its bucket digs: bodies that are driven through contacts move
 * on, however rough the answer to a step's contacts is.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include "scene.h"

#define SEEDS 12
#define MOST 1e3 /* J: it moves with 640 at first */

typedef struct
{
    double h, seconds;
    unsigned seed; /* of the velocities that the blocks begin with; 0: none */
} run;

/* Least and most kinetic energy (J) after the first step. */
static void dig (run with, double *least, double *most)
{
    char error[256];
    scene *s = scene_read (SCENES "/show_excavator.sdf", NULL, NULL, error, sizeof (error));
    if (!s) fail_msg ("%s", error);
    const dRLSStepperID stepper = dRLSStepperCreate (scene_world (s), NULL);
    scene_set_time_step (s, with.h);
    assert_true (scene_prepare_stepper (s, stepper));
    if (scene_has_forces (s)) dRLSStepperSetForceCallback (stepper, scene_forces, s);

    /* blocks, which hang on nothing, begin a little differently */
    uint32_t random = with.seed;
    for (int b = 0; b < scene_body_count (s) && with.seed; ++b)
    {
        double v[2];
        for (int k = 0; k < 2; ++k)
            random = random * 1664525u + 1013904223u, v[k] = 1e-4 * (random / 4294967296.0 - 0.5);
        if (dBodyGetNumJoints (scene_body_at (s, b)->body) == 0)
            dBodySetLinearVel (scene_body_at (s, b)->body, v[0], v[1], 0);
    }

    double kinetic, potential;
    *most = 0, *least = HUGE_VAL;
    for (int i = 0; i * with.h < with.seconds; ++i)
    {
        scene_before_step (s, i * with.h, scene_has_forces (s));
        assert_true (dRLSStepperStep (stepper, (dReal)with.h));
        scene_after_step (s);
        scene_energy (s, &kinetic, &potential);
        *most = fmax (*most, kinetic);
        if (i > 0) *least = fmin (*least, kinetic);
    }
    dRLSStepperDestroy (stepper);
    scene_free (s);
}

/* Kinetic energy never vanishes in a step nor appears. */
static void digging_goes_on (void **state)
{
    (void)state;
    double least, most;
    dig ((run){0.01, 6, 0}, &least, &most);
    print_message ("kinetic energy from %.3g to %.3g J\n", least, most);
    assert_true (most < MOST);
    assert_true (least > 0);
}

/* Blocks that the bucket wedges against the ground are not thrown, whatever the drives would push with. */
static void wedged_blocks_stay (void **state)
{
    (void)state;
    for (unsigned seed = 1; seed <= SEEDS; ++seed)
    {
        double least, most;
        const double h = seed % 2 ? 0.01 : 0.005;
        dig ((run){h, 3, seed}, &least, &most);
        print_message ("from start %u at %g s: kinetic energy up to %.3g J\n", seed, h, most);
        assert_true (most < MOST);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (digging_goes_on),
        cmocka_unit_test (wedged_blocks_stay),
    };
    dInitODE2 (0);
    const int failed = cmocka_run_group_tests (tests, NULL, NULL);
    dCloseODE ();
    return failed;
}
