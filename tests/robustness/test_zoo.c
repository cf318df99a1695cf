/*
 * The zoo: robots and machines with closed loops, each with motors of limited torque.  Nothing is tuned:
 * every one runs at two steps, stays finite and near, keeps its joints closed to rounding, and moves.
 * ZOO_SECONDS sets how long (1); tests/zoo.sh runs a minute.
 */
#include "scene_rig.h"

#include <dirent.h>

static int is_scene (const struct dirent *entry)
{
    const char *dot = strrchr (entry->d_name, '.');
    return dot && !strcmp (dot, ".sdf");
}

static void run (const char *path, double h, double seconds)
{
    scene *s = rig_open (path);
    if (!s) fail_msg ("%s", rig_error);
    assert_string_equal (rig_warnings, "");
    scene_set_time_step (s, h);
    dRLSStepperID stepper = dRLSStepperCreate (scene_world (s), NULL);
    assert_non_null (stepper);
    assert_true (scene_prepare_stepper (s, stepper));
    dRLSStepperSetForceCallback (stepper, scene_forces, s);
    double moved = 0, open[2] = {0, 0};
    for (long i = 0; i * h < seconds; i++)
    {
        dRLSViolation worst;
        scene_before_step (s, (double)i * h, 1);
        if (!dRLSStepperStep (stepper, (dReal)h))
            fail_msg ("%s, h = %g, t = %g: %s", path, h, (double)i * h, dRLSStepperGetMessage (stepper));
        scene_after_step (s);
        scene_violation (s, &worst);
        open[0] = fmax (open[0], (double)worst.position_m), open[1] = fmax (open[1], (double)worst.angle_rad);
        if (!(worst.position_m <= 1e-12 && worst.angle_rad <= 1e-12) || !scene_is_near (s))
            fail_msg ("%s, h = %g, t = %g: joints are open by %g m and %g rad", path, h, (double)i * h,
                      (double)worst.position_m, (double)worst.angle_rad);
        for (int b = 0; b < scene_body_count (s); b++)
            moved += h * (double)dCalcVectorLength3 (dBodyGetLinearVel (scene_body_at (s, b)->body));
    }
    if (!(moved > 1e-3)) fail_msg ("%s, h = %g: nothing moves", path, h);
    print_message ("%-40s h = %.4f s: %g s, closed to %.1e m, %.1e rad\n", strrchr (path, '/') + 1, h,
                   seconds, open[0], open[1]);
    dRLSStepperDestroy (stepper);
    scene_free (s);
}

static void test_zoo (void **state)
{
    (void)state;
    const char *wish = getenv ("ZOO_SECONDS");
    const double seconds = wish ? strtod (wish, NULL) : 1;
    struct dirent **list;
    int count = scandir (SCENES "/zoo", &list, is_scene, alphasort);
    assert_true (count >= 13);
    for (int i = 0; i < count; i++)
    {
        char path[1000];
        snprintf (path, sizeof path, "%s/zoo/%s", SCENES, list[i]->d_name);
        run (path, 0.001, seconds);
        run (path, 1. / 240, seconds);
        free (list[i]);
    }
    free (list);
}

int main (void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test (test_zoo)};
    return cmocka_run_group_tests (tests, rig_start, rig_end);
}
