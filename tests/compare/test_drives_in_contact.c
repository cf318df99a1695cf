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

#define H 0.01
#define STEPS 600
#define MOST 1e3 /* J: it moves with 640 at first */

/* Kinetic energy never vanishes in a step nor appears. */
static void digging_goes_on (void **state)
{
    (void)state;
    char error[256];
    scene *s = scene_read (SCENES "/show_excavator.sdf", NULL, NULL, error, sizeof (error));
    if (!s) fail_msg ("%s", error);
    const dRLSStepperID stepper = dRLSStepperCreate (scene_world (s), NULL);
    scene_set_time_step (s, H);
    assert_true (scene_prepare_stepper (s, stepper));
    if (scene_has_forces (s)) dRLSStepperSetForceCallback (stepper, scene_forces, s);
    double kinetic, potential, most = 0, least = HUGE_VAL;
    for (int i = 0; i < STEPS; ++i)
    {
        scene_before_step (s, i * H, scene_has_forces (s));
        assert_true (dRLSStepperStep (stepper, (dReal)H));
        scene_after_step (s);
        scene_energy (s, &kinetic, &potential);
        most = fmax (most, kinetic);
        if (i > 0) least = fmin (least, kinetic);
    }
    print_message ("kinetic energy from %.3g to %.3g J\n", least, most);
    assert_true (most < MOST);
    assert_true (least > 0);
    dRLSStepperDestroy (stepper);
    scene_free (s);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (digging_goes_on),
    };
    dInitODE2 (0);
    const int failed = cmocka_run_group_tests (tests, NULL, NULL);
    dCloseODE ();
    return failed;
}
