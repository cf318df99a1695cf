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

/* Settings of the world and of surfaces, and a link of a URDF that stands beside one that moves. */
static void test_settings (void **state)
{
    (void)state;
    scene *s = rig_good (
        "<sdf version='1.9'><world name='w'><physics name='p' "
        "type='ode'><ode><solver><iters>7</iters><sor>1.1</sor></solver>"
        "<constraints><contact_max_correcting_vel>3</contact_max_correcting_vel><contact_surface_layer>0.001"
        "</contact_surface_layer></constraints></ode></physics><model name='m'><link name='a'><collision "
        "name='c'>"
        "<pose>0 0 0 0 0 1</pose><geometry><box><size>1 1 "
        "1</size></box></geometry><surface><friction><ode><fdir1>0 1 0</fdir1>"
        "</ode></friction><contact><ode><max_vel>0.2</max_vel><min_depth>0.01</min_depth></ode></contact></"
        "surface>"
        "</collision></link></model></world></sdf>");
    scene *t = written_again (s);
    assert_int_equal (dWorldGetQuickStepNumIterations (t->world), 7);
    rig_close ((double)dWorldGetQuickStepW (t->world), 1.1, 1e-15);
    rig_close ((double)dWorldGetContactMaxCorrectingVel (t->world), 3, 0);
    rig_close ((double)dWorldGetContactSurfaceLayer (t->world), 0.001, 0);
    for (int i = 0; i < 3; i++)
        rig_close (t->collisions[0]->direction[i], s->collisions[0]->direction[i], 1e-15);
    rig_close (t->collisions[0]->max_velocity, 0.2, 0);
    rig_close (t->collisions[0]->min_depth, 0.01, 0);
    scene_free (s);
    scene_free (t);
    rig_write ("robot.urdf",
               "<robot name='r'><link name='f'/><link name='a'><inertial><mass value='1'/><inertia ixx='1' "
               "iyy='1' izz='1'/></inertial></link><joint name='j' type='continuous'><parent link='f'/>"
               "<child link='a'/></joint></robot>");
    s = rig_open ("robot.urdf");
    assert_non_null (s);
    t = written_again (s);
    assert_int_equal (t->link_count, 2);
    scene_free (s);
    scene_free (t);
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
    const struct CMUnitTest tests[] = {cmocka_unit_test (test_settings), cmocka_unit_test (test_round_trip)};
    return cmocka_run_group_tests (tests, rig_start, rig_end);
}
