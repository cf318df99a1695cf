/* What is written as SDFormat and read again is the same scene: bodies, joints, and the motion of a while. */
#include "scene_rig.h"

static const char *const names[] = {"bricard", "cardan_shaft", "closedloop_par4",
                                    "fourbar", "ragdoll",      "show_walker",
                                    "stewart", "zoo/delta",    "zoo/wishbone_car"};

static scene *written_again (const scene *s)
{
    char path[128];
    snprintf (path, sizeof path, "%s/again.sdf", rig_folder);
    FILE *file = fopen (path, "w");
    assert_non_null (file);
    assert_true (scene_write_sdf (s, file));
    assert_int_equal (fclose (file), 0);
    scene *again = rig_open ("again.sdf");
    if (!again) fail_msg ("%s", rig_error);
    assert_string_equal (rig_warnings, "");
    return again;
}

static int is_driven (const scene *s)
{
    for (int i = 0; i < s->axis_count; i++)
        if (s->axes[i].drive) return 1;
    return 0;
}

static void test_round_trip (void **state)
{
    (void)state;
    for (size_t n = 0; n < sizeof names / sizeof *names; n++)
    {
        char path[400];
        snprintf (path, sizeof path, "%s/%s.sdf", SCENES, names[n]);
        scene *s = rig_open (path);
        if (!s) fail_msg ("%s", rig_error);
        scene *t = written_again (s);
        assert_int_equal (scene_body_count (s), scene_body_count (t));
        assert_int_equal (scene_joint_count (s), scene_joint_count (t));
        assert_int_equal (s->collision_count, t->collision_count);
        assert_int_equal (s->axis_count, t->axis_count);
        assert_int_equal (scene_spring_count (s), scene_spring_count (t));
        assert_int_equal (scene_probe_count (s), scene_probe_count (t));
        if (!is_driven (s))
        {
            rig_run (s, 100, 0.001);
            rig_run (t, 100, 0.001);
        }
        for (int i = 0; i < scene_body_count (s); i++)
        {
            const dReal *p = dBodyGetPosition (s->bodies[i].body);
            const double size = fmax (fabs ((double)p[0]), fmax (fabs ((double)p[1]), fabs ((double)p[2])));
            rig_near (dBodyGetPosition (t->bodies[i].body), (double)p[0], (double)p[1], (double)p[2],
                      1e-9 * fmax (size, 1));
        }
        scene_free (s);
        scene_free (t);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test (test_round_trip)};
    return cmocka_run_group_tests (tests, rig_start, rig_end);
}
