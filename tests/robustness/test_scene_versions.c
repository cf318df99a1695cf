/*
 * Older versions of SDFormat mean what they meant: frames of axes and poses, places of gravity and step,
 * names that links and joints share, values in attributes, and XML that is less than strict.
 */
#include "scene_rig.h"

/* clang-format off */

/* A hinge in a link that is turned by 90 degrees about x: the model's y is the link's z. */
#define TURNED(version, axis) \
    "<sdf version='" version "'><model name='m'>" LINK ("a", "<pose>0 0 0 1.5707963267948966 0 0</pose>") \
    "<joint name='j' type='revolute'><parent>world</parent><child>a</child><axis>" axis "</axis></joint></model></sdf>"
#define IN_MODEL(flag) "<xyz>0 1 0</xyz><use_parent_model_frame>" flag "</use_parent_model_frame>"

static void axis_is (const char *text, double x, double y, double z)
{
    dVector3 axis;
    scene *s = rig_good (text);
    dJointGetHingeAxis (rig_joint (s, "j"), axis);
    rig_near (axis, x, y, z, 1e-15);
    assert_string_equal (rig_warnings, "");
    scene_free (s);
}

static void test_axes (void **state)
{
    (void)state;
    axis_is (TURNED ("1.2", "<xyz>0 1 0</xyz>"), 0, 1, 0);
    axis_is (TURNED ("1.4", "<xyz>0 1 0</xyz>"), 0, 1, 0);
    axis_is (TURNED ("1.4", ""), 0, 0, 1);
    axis_is (TURNED ("1.5", "<xyz>0 1 0</xyz>"), 0, 0, 1);
    axis_is (TURNED ("1.6", IN_MODEL ("1")), 0, 1, 0);
    axis_is (TURNED ("1.6", IN_MODEL ("true")), 0, 1, 0);
    axis_is (TURNED ("1.6", IN_MODEL ("0")), 0, 0, 1);
    axis_is (TURNED ("1.12", "<xyz>0 1 0</xyz>"), 0, 0, 1);
}

static void test_poses (void **state)
{
    (void)state;
    scene *s = rig_good ("<sdf version='1.6'><model name='m'>" LINK ("a", "<pose>1 0 0 0 0 0</pose>")
                         LINK ("b", "<pose frame='a'>0 2 0 0 0 0</pose>") LINK ("c", "<pose frame=''>0 0 3 0 0 0</pose>") "</model></sdf>");
    rig_near (dBodyGetPosition (rig_body_id (s, "b")), 1, 2, 0, 0);
    rig_near (dBodyGetPosition (rig_body_id (s, "c")), 0, 0, 3, 0);
    scene_free (s);
}

static void test_world (void **state)
{
    (void)state;
    dVector3 g;
    scene *s = rig_good ("<sdf version='1.3'><world name='w'><physics type='ode'><gravity>0 1 2</gravity>"
                         "<ode><solver><dt>0.25</dt></solver></ode></physics></world></sdf>");
    dWorldGetGravity (scene_world (s), g);
    rig_near (g, 0, 1, 2, 0);
    rig_close (scene_time_step (s), 0.25, 0);
    scene_free (s);
    /* One that stands where it belongs counts. */
    s = rig_good ("<sdf version='1.5'><world name='w'><gravity>3 0 0</gravity><physics type='ode'><gravity>0 1 2</gravity></physics></world></sdf>");
    dWorldGetGravity (scene_world (s), g);
    rig_near (g, 3, 0, 0, 0);
    scene_free (s);
}

static void test_attributes (void **state)
{
    (void)state;
    scene *s = rig_good (
        "<gazebo version='1.0'><world name='w'><physics type='ode'><gravity xyz='0 0 -5'/><ode><solver type='quick' dt='0.5' iters='7' sor='1.1'/></ode></physics>"
        "<model name='m' static='false'><origin pose='0 0 1 0 0 0'/>"
        "<link name='a' gravity='false'><origin pose='1 0 0 1.5707963267948966 0 0'/>"
        "<inertial mass='3'><origin pose='0 0 0.5 0 0 0'/><inertia ixx='1' iyy='2' izz='2.5' ixy='0' ixz='0' iyz='0'/></inertial>"
        "<collision name='c'><origin pose='0 0 0 0 0 0'/><geometry><box size='1 2 3'/></geometry></collision></link>"
        "<joint name='j' type='revolute'><parent link='world'/><child link='a'/><axis xyz='0 1 0'><limit lower='-1' upper='2'/></axis></joint>"
        "</model></world></gazebo>");
    dVector3 v;
    dMass m;
    dBodyID a = rig_body_id (s, "a");
    dBodyGetMass (a, &m);
    rig_close ((double)m.mass, 3, 0);
    rig_close ((double)m.I[5], 2, 0);
    rig_near (dBodyGetPosition (a), 1, -0.5, 1, 1e-15);
    assert_int_equal (dBodyGetGravityMode (a), 0);
    dWorldGetGravity (scene_world (s), v);
    rig_near (v, 0, 0, -5, 0);
    rig_close (scene_time_step (s), 0.5, 0);
    dJointGetHingeAxis (rig_joint (s, "j"), v);
    rig_near (v, 0, 1, 0, 1e-15);
    rig_close ((double)dJointGetHingeParam (rig_joint (s, "j"), dParamHiStop), 2, 0);
    rig_close (s->collisions[0]->size[2], 3, 0);
    scene_free (s);
}

/* Before 1.7 each kind had names of its own; before 1.8 nested models came flattened, with "::" in names. */
static void test_names (void **state)
{
    (void)state;
#define SHARED(version) "<sdf version='" version "'><model name='m'>" LINK ("a", "<pose>1 0 0 0 0 0</pose>") LINK ("b", "<pose relative_to='a'>1 0 0 0 0 0</pose>") \
    "<joint name='a' type='revolute'><parent>a</parent><child>b</child><axis/></joint></model></sdf>"
    scene *s = rig_good (SHARED ("1.6"));
    rig_joint (s, "a");
    rig_body (s, "a");
    scene_free (s);
    rig_bad (SHARED ("1.7"), "3: <joint> the name 'a' is used twice in the same place");
    rig_bad ("<sdf version='1.6'><model name='m'><link name='a'/>\n<link name='a'/></model></sdf>", "2: <link> the name 'a' is used twice in the same place");

    s = rig_good ("<sdf version='1.7'><model name='m'><link name='a'/><frame name='n::__model__' attached_to='n::b'><pose relative_to='__model__'>0 0 5 0 0 0</pose></frame>"
                  "<link name='n::b'><pose relative_to='n::__model__'>0 1 0 0 0 0</pose></link>"
                  "<joint name='n::j' type='ball'><parent>a</parent><child>n::b</child></joint></model></sdf>");
    rig_near (dBodyGetPosition (rig_body_id (s, "n::b")), 0, 1, 5, 0);
    rig_joint (s, "n::j");
    scene_free (s);
}

static void test_loose_xml (void **state)
{
    (void)state;
    scene *s = rig_good ("\n <!-- a licence -- of sorts --->\n<?xml version='1.0'?>\n<!-- -- <link name='x'> -- --><sdf version='1.9'>"
                         "<model name='m'><!-- <!DOCTYPE --><link name='a'><![CDATA[ <!-- ]]></link></model></sdf>");
    assert_int_equal (scene_body_count (s), 1);
    scene_free (s);
    rig_bad ("\n\n<!-- -- \n-->\n<?xml version='1.0'?><sdf version='1.9'>\n<modell/></sdf>", "5: <sdf> has neither a <world> nor a <model>");
    rig_bad ("<sdf><!-- ", "1: <xml> Comment not terminated");
}

/* What is not known is read as the newest, which is said. */
static void test_unknown (void **state)
{
    (void)state;
#define UNKNOWN(version) {TURNED (version, "<xyz>0 1 0</xyz>"), "<sdf> version '" version "' is not known; it is read as 1.12\n"}
    static const char *const versions[3][2] = {UNKNOWN ("1.13"), UNKNOWN ("2.0"), UNKNOWN ("one")};
    for (int i = 0; i < 3; i++)
    {
        dVector3 axis;
        scene *s = rig_good (versions[i][0]);
        assert_non_null (strstr (rig_warnings, versions[i][1]));
        assert_int_equal (rig_warning_count, 1);
        dJointGetHingeAxis (rig_joint (s, "j"), axis);
        rig_near (axis, 0, 0, 1, 1e-15);
        scene_free (s);
    }
}

/* clang-format on */

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_axes),       cmocka_unit_test (test_poses), cmocka_unit_test (test_world),
        cmocka_unit_test (test_attributes), cmocka_unit_test (test_names), cmocka_unit_test (test_loose_xml),
        cmocka_unit_test (test_unknown),
    };
    return cmocka_run_group_tests (tests, rig_start, rig_end);
}
