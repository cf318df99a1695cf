/*
 * The scenes that come with the project: all can be read without a warning, start consistent (but for the
 * door that is meant not to) and where their references begin.
 */
#include "scene_rig.h"

#include <dirent.h>

static int is_scene (const struct dirent *entry)
{
    const char *dot = strrchr (entry->d_name, '.');
    return dot && !strcmp (dot, ".sdf");
}

/* The published example of the top has moments that no body has. */
static const char *warning_of (const char *name, const char *path)
{
    static char line[1200];
    snprintf (line, sizeof line,
              "%s:18: <inertia> is that of no body: the largest principal moment is above the sum of the "
              "others; it is used as it is\n",
              path);
    return strcmp (name, "spinning_top") ? "" : line;
}

static void each_scene (void (*check) (const char *name, scene *s))
{
    struct dirent **list;
    int count = scandir (SCENES, &list, is_scene, alphasort);
    assert_true (count >= 19);
    for (int i = 0; i < count; i++)
    {
        char path[1000];
        snprintf (path, sizeof path, "%s/%s", SCENES, list[i]->d_name);
        scene *s = rig_open (path);
        if (!s) fail_msg ("%s", rig_error);
        assert_string_equal (rig_warnings, warning_of (scene_name (s), path));
        check (scene_name (s), s);
        scene_free (s);
        free (list[i]);
    }
    free (list);
}

static void check_start (const char *name, scene *s)
{
    dRLSViolation worst;
    double position, rate;
    assert_true (scene_body_count (s) > 0);
    assert_true (scene_visual_count (s) >= scene_body_count (s));
    scene_violation (s, &worst);
    if (!strcmp (name, "door_misaligned"))
        rig_close (worst.position_m, 0.01, 1e-12);
    else
        rig_close (worst.position_m, 0, 1e-14);
    rig_close (worst.angle_rad, 0, 1e-14);
    rig_close (worst.velocity_m_s, 0, 1e-14);
    rig_close (worst.velocity_rad_s, 0, 1e-14);
    scene_drive_error (s, 0, &position, &rate);
    rig_close (position, 0, 1e-14);
    if (s->track_count) rig_close (rate, 0, 1e-14); /* a show may start with a jerk */
}

static void test_starts (void **state)
{
    (void)state;
    each_scene (check_start);
}

static int references;

static void check_references (const char *name, scene *s)
{
    for (int i = 0; i < scene_probe_count (s); i++)
    {
        double is[3], should_be[3];
        if (!scene_reference (s, i, 0, should_be)) continue;
        references++;
        scene_probe_position (s, i, is);
        for (int k = 0; k < 3; k++)
            if (!(fabs (is[k] - should_be[k]) <= 2e-16))
                fail_msg ("%s: %s[%d] is %.17g, not %.17g", name, scene_probe_at (s, i)->name, k, is[k],
                          should_be[k]);
        /* It covers the scene's whole duration. */
        assert_true (scene_reference (s, i, scene_duration (s), should_be));
        assert_true (scene_reference_is_sample (s, i, scene_duration (s)));
    }
}

static void test_references (void **state)
{
    (void)state;
    references = 0;
    each_scene (check_references);
    assert_true (references >= 27);
}

/* ODE's own step with a small step follows the references at first: forces, drives and signs are right. */
static void check_motion (const char *name, scene *s)
{
    const double h = 2e-4;
    if (!s->track_count) return;
    if (!strcmp (name, "pendulum_point")) return; /* ODE's CFM moves a body with nearly no inertia */
    dWorldSetCFM (scene_world (s), (dReal)1e-8);
    scene_set_time_step (s, h);
    scene_set_softness (s, NAN, 1e-8);
    rig_run (s, 1000, h);
    for (int i = 0; i < scene_probe_count (s); i++)
    {
        double is[3], should_be[3];
        if (!scene_reference (s, i, 1000 * h, should_be)) continue;
        scene_probe_position (s, i, is);
        for (int k = 0; k < 3; k++)
            if (!(fabs (is[k] - should_be[k]) <= 1e-3))
                fail_msg ("%s: %s[%d] is %.17g, not %.17g", name, scene_probe_at (s, i)->name, k, is[k],
                          should_be[k]);
    }
}

static void test_motion (void **state)
{
    (void)state;
    each_scene (check_motion);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_starts),
        cmocka_unit_test (test_references),
        cmocka_unit_test (test_motion),
    };
    return cmocka_run_group_tests (tests, rig_start, rig_end);
}
