/* Where included models and meshes are found, which file of a folder counts, and models that are merged. */
#include "scene_rig.h"

/* clang-format off */

#define BAR(pose) "<sdf version='1.9'><model name='bar'>" LINK ("a", "<pose>" pose "</pose>") "</model></sdf>"

static void folder (const char *name)
{
    char path[256];
    snprintf (path, sizeof path, "%s/%s", rig_folder, name);
    assert_int_equal (mkdir (path, 0777), 0);
}

static void stands_at (const char *uri, double x)
{
    char text[400];
    snprintf (text, sizeof text, WORLD ("<include><uri>%s</uri></include>"), uri);
    scene *s = rig_good (text);
    assert_string_equal (rig_warnings, "");
    rig_near (dBodyGetPosition (rig_body_id (s, "a")), x, 0, 0, 0);
    scene_free (s);
}

static void test_search (void **state)
{
    (void)state;
    char list[300];
    folder ("bar");
    rig_write ("bar/model.sdf", BAR ("1 0 0 0 0 0"));
    stands_at ("bar", 1);
    stands_at ("model://bar", 1);
    stands_at ("bar/model.sdf", 1);

    /* model.config names a file a version; the newest that is known counts. */
    rig_write ("bar/model.config", "<model><sdf version='1.4'>old.sdf</sdf><sdf version='1.9'>new.sdf</sdf><sdf version='9.9'>no.sdf</sdf></model>");
    rig_write ("bar/old.sdf", BAR ("2 0 0 0 0 0"));
    rig_write ("bar/new.sdf", BAR ("3 0 0 0 0 0"));
    stands_at ("model://bar", 3);
    rig_write ("bar/model.config", "<model><sdf");
    stands_at ("model://bar", 1);

    folder ("far");
    folder ("far/away");
    rig_write ("far/away/model.sdf", BAR ("4 0 0 0 0 0"));
    static const char *const variables[] = {"GZ_SIM_RESOURCE_PATH", "IGN_GAZEBO_RESOURCE_PATH", "GAZEBO_MODEL_PATH", "SDF_PATH"};
    snprintf (list, sizeof list, "/nonexistent:%s/far:", rig_folder);
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
    {
        assert_int_equal (setenv (variables[i], list, 1), 0);
        stands_at ("model://away", 4);
        stands_at ("away", 4);
        unsetenv (variables[i]);
        scene *s = rig_good (WORLD ("<include><uri>model://away</uri></include>"));
        assert_int_equal (scene_body_count (s), 0);
        assert_int_equal (rig_warning_count, 1);
        scene_free (s);
    }
}

static const char part[] =
    "<sdf version='1.9'><model name='part'><pose>0 0 1 0 0 0</pose>" LINK ("b", "<pose>0 1 0 0 0 0</pose>")
    "<frame name='f'><pose relative_to='__model__'>0 0 7 0 0 0</pose></frame>"
    "<joint name='k' type='revolute'><parent>b</parent><child>c</child><axis><xyz expressed_in='__model__'>1 0 0</xyz></axis></joint>"
    LINK ("c", "<pose relative_to='f'>1 0 0 0 0 0</pose>") "</model></sdf>";

/* The parts belong to the model around, by name and by collision, and stand where the include puts them. */
static void test_merge (void **state)
{
    (void)state;
    dVector3 axis;
    rig_write ("part.sdf", part);
    scene *s = rig_good (MODEL (LINK ("a", "") "<include merge='true'><uri>part.sdf</uri><pose degrees='true'>10 0 0 0 0 90</pose></include>"
                                "<joint name='j' type='ball'><parent>a</parent><child>b</child></joint>"
                                LINK ("d", "<pose relative_to='c'/>") LINK ("e", "<pose relative_to='_merged__part__model__'/>")));
    assert_string_equal (rig_warnings, "");
    rig_near (dBodyGetPosition (rig_body_id (s, "b")), 9, 0, 0, 1e-15);
    rig_near (dBodyGetPosition (rig_body_id (s, "c")), 10, 1, 7, 1e-15);
    rig_near (dBodyGetPosition (rig_body_id (s, "d")), 10, 1, 7, 1e-15);
    rig_near (dBodyGetPosition (rig_body_id (s, "e")), 10, 0, 0, 1e-15);
    dJointGetHingeAxis (rig_joint (s, "k"), axis);
    rig_near (axis, 0, 1, 0, 1e-15);
    for (int i = 1; i < scene_body_count (s); i++) assert_int_equal (scene_body_at (s, i)->model, scene_body_at (s, 0)->model);
    scene_free (s);

    /* Names must not meet there. */
    char line[300];
    assert_null (rig_read (MODEL (LINK ("b", "") "<include merge='true'><uri>part.sdf</uri></include>")));
    snprintf (line, sizeof line, "%s/part.sdf:1: <link> the name 'b' is used twice in the same place", rig_folder);
    assert_string_equal (rig_error, line);
}

/* clang-format on */

int main (void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test (test_search), cmocka_unit_test (test_merge)};
    return cmocka_run_group_tests (tests, rig_start, rig_end);
}
