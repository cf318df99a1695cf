/* Poses and names as SDFormat has them: scopes, relative_to, attached_to, nesting, includes. */
#include "scene_rig.h"

/* clang-format off */

static const char relative_poses[] = MODEL (
    "<pose degrees='true'>10 0 0 0 0 90</pose>"
    LINK ("a", "<pose>1 0 0 0 0 0</pose>")
    LINK ("b", "<pose relative_to='a'>1 0 0 0 0 0</pose>")
    LINK ("c", "<pose relative_to='f'>0 0 3 0 0 0</pose>")
    LINK ("d", "<pose relative_to='world'>7 8 9 0 0 0</pose>")
    LINK ("e", "<pose relative_to='__model__'>0 1 0 0 0 0</pose>")
    LINK ("g", "<pose relative_to='j'>0 0 1 0 0 0</pose>")
    "<frame name='f' attached_to='b'><pose degrees='true'>0 0 0 90 0 0</pose></frame>"
    "<joint name='j' type='ball'><parent>a</parent><child>b</child><pose>0 5 0 0 0 0</pose></joint>");

static const char rotations[] = MODEL (
    LINK ("a", "<pose degrees='true'>0 0 0 90 90 0</pose>")
    LINK ("b", "<pose>0 0 0 0.1 0.2 0.3</pose>")
    LINK ("c", "<pose rotation_format='quat_xyzw'>1 2 3 0 0 2 2</pose>"));

#define HINGE(name, pose, axis) \
    "<joint name='" name "' type='revolute'><parent>world</parent><child>a</child>" pose "<axis>" axis "</axis></joint>\n"

static const char axes[] = MODEL (
    "<pose degrees='true'>0 0 0 90 0 0</pose>"
    LINK ("a", "<pose degrees='true'>0 0 0 0 0 90</pose>")
    "<frame name='f'><pose degrees='true'>0 0 0 0 90 0</pose></frame>"
    "<frame name='anchor'><pose relative_to='world'>1 2 3 0 0 0</pose></frame>"
    HINGE ("own", "", "<xyz>2 0 0</xyz>")
    HINGE ("model", "", "<xyz expressed_in='__model__'>0 1 0</xyz>")
    HINGE ("of_world", "", "<xyz expressed_in='world'>1 0 0</xyz>")
    HINGE ("frame", "", "<xyz expressed_in='f'>0 0 1</xyz>")
    HINGE ("default", "", "")
    HINGE ("posed", "<pose relative_to='f'>0 0 0 0 0 0</pose>", "<xyz>0 0 1</xyz>")
    HINGE ("placed", "<pose relative_to='anchor'>0 0 0 0 0 0</pose>", "<xyz>1 1 0</xyz>"));

static const char attachment[] = MODEL (
    LINK ("a", "") LINK ("b", "<pose>0 0 1 0 0 0</pose>")
    "<frame name='on_a' attached_to='a'><pose>1 0 0 0 0 0</pose></frame>"
    "<frame name='on_that' attached_to='on_a'><pose>1 0 0 0 0 0</pose></frame>"
    "<model name='n' canonical_link='y'><pose>0 0 5 0 0 0</pose>"
    LINK ("x", "") LINK ("y", "<pose>0 1 0 0 0 0</pose>")
    "</model>"
    "<joint name='j' type='ball'><parent>b</parent><child>on_that</child></joint>"
    "<joint name='k' type='ball'><parent>n::x</parent><child>n</child></joint>"
    "<joint name='l' type='ball'><parent>j</parent><child>n::x</child></joint>");

static const char nesting[] = WORLD (
    "<frame name='f'><pose>100 0 0 0 0 0</pose></frame>"
    "<model name='m'><pose relative_to='f'>1 0 0 0 0 0</pose>"
    LINK ("a", "")
    "<model name='n'><pose>0 1 0 0 0 0</pose>"
    LINK ("a", "")
    "<model name='o'><pose degrees='true'>0 0 1 0 0 180</pose>"
    LINK ("a", "<pose>1 0 0 0 0 0</pose>")
    "</model></model></model>"
    "<model name='p'>" LINK ("a", "<pose relative_to='world'>0 0 7 0 0 0</pose>") "</model>"
    "<joint name='j' type='ball'><parent>p::a</parent><child>m::n::o::a</child></joint>");

static const char placement[] = WORLD (
    "<model name='m' placement_frame='n::grip'><pose degrees='true'>1 2 3 0 0 90</pose>"
    LINK ("a", "")
    "<model name='n' placement_frame='foot'><pose>0 0 4 0 0 0</pose>"
    LINK ("foot", "<pose>0 0 -1 0 0 0</pose>")
    "<frame name='grip' attached_to='foot'><pose>1 0 0 0 0 0</pose></frame></model></model>");

static const char fixed_links[] = WORLD (
    "<model name='rig'><static>true</static><pose>0 0 1 0 0 0</pose>"
    LINK ("post", "<pose>1 0 0 0 0 0</pose>")
    "<model name='n'>" LINK ("arm", "") "</model></model>"
    "<model name='m'>" LINK ("a", "") "</model>"
    "<joint name='j' type='ball'><parent>rig::post</parent><child>m::a</child></joint>"
    "<joint name='still' type='fixed'><parent>rig::n::arm</parent><child>rig::post</child></joint>");

static const char included[] =
    "<sdf version='1.9' xmlns:rls='urn:ode-rls'><model name='bar'><pose>50 0 0 0 0 0</pose>"
    LINK ("a", "<pose>0 0 2 0 0 0</pose>")
    "<frame name='end' attached_to='a'><pose>0 0 1 0 0 0</pose></frame>"
    "<rls:probe name='p' link='a'>0 0 1</rls:probe></model></sdf>";

static const char including[] = WORLD (
    "<include><uri>bar.sdf</uri></include>"
    "<include><uri>bar.sdf</uri><name>two</name><pose>1 0 0 0 0 0</pose></include>"
    "<include><uri>file://bar.sdf</uri><name>fixed</name><static>true</static></include>"
    "<include><uri>bar.sdf</uri><name>put</name><placement_frame>end</placement_frame><pose>0 0 0 0 0 0</pose></include>"
    "<include><uri>model://kit</uri><pose>0 9 0 0 0 0</pose></include>");

/* clang-format on */

static void expect_body (const scene *s, const char *name, double x, double y, double z)
{
    rig_near (dBodyGetPosition (rig_body_id (s, name)), x, y, z, 1e-15);
}

static void test_relative_poses (void **state)
{
    (void)state;
    scene *s = rig_good (relative_poses);
    /* The model's x axis is the world's y axis. */
    expect_body (s, "a", 10, 1, 0);
    expect_body (s, "b", 10, 2, 0);
    expect_body (s, "c", 13, 2, 0); /* f's z axis is minus b's y axis, which is minus the world's x axis */
    expect_body (s, "d", 7, 8, 9);
    expect_body (s, "e", 9, 0, 0);
    expect_body (s, "g", 5, 2, 1); /* the joint is 5 along b's y axis, as its pose is in the child */
    dVector3 anchor;
    dJointGetBallAnchor (rig_joint (s, "j"), anchor);
    rig_near (anchor, 5, 2, 0, 1e-15);
    scene_free (s);
}

/* Roll, pitch and yaw turn about fixed axes in this order. */
static void test_rotations (void **state)
{
    (void)state;
    scene *s = rig_good (rotations);
    dVector3 v;
    dBodyVectorToWorld (rig_body_id (s, "a"), 0, 1, 0, v);
    rig_near (v, 1, 0, 0, 1e-15); /* rolled to z, pitched to x */
    double cr = cos (0.1), sr = sin (0.1), cp = cos (0.2), sp = sin (0.2), cy = cos (0.3), sy = sin (0.3);
    const dReal *r = dBodyGetRotation (rig_body_id (s, "b"));
    rig_near (r, cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr, 1e-15);
    rig_near (r + 4, sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr, 1e-15);
    rig_near (r + 8, -sp, cp * sr, cp * cr, 1e-15);
    dBodyVectorToWorld (rig_body_id (s, "c"), 1, 0, 0, v);
    rig_near (v, 0, 1, 0, 1e-15);
    expect_body (s, "c", 1, 2, 3);
    scene_free (s);
}

static void axis_is (const scene *s, const char *joint, double x, double y, double z)
{
    dVector3 axis;
    dJointGetHingeAxis (rig_joint (s, joint), axis);
    rig_near (axis, x, y, z, 1e-15);
}

static void test_axes (void **state)
{
    (void)state;
    scene *s = rig_good (axes);
    axis_is (s, "own", 0, 0, 1); /* a's x axis is the model's y axis, and that is the world's z axis */
    axis_is (s, "model", 0, 0, 1);
    axis_is (s, "of_world", 1, 0, 0);
    axis_is (s, "frame", 1, 0, 0); /* pitched by 90 degrees: z to x */
    axis_is (s, "default", 0, -1, 0);
    axis_is (s, "posed", 1, 0, 0);
    axis_is (s, "placed", sqrt (0.5), sqrt (0.5), 0);
    dVector3 anchor;
    dJointGetHingeAnchor (rig_joint (s, "placed"), anchor);
    rig_near (anchor, 1, 2, 3, 1e-15);
    scene_free (s);
}

/* Parents and children may be frames and nested models: what counts is the link they are fixed to. */
static void test_attachment (void **state)
{
    (void)state;
    scene *s = rig_good (attachment);
    dJointID j = rig_joint (s, "j"), k = rig_joint (s, "k"), l = rig_joint (s, "l");
    assert_ptr_equal (dJointGetBody (j, 0), rig_body_id (s, "a"));
    assert_ptr_equal (dJointGetBody (j, 1), rig_body_id (s, "b"));
    assert_ptr_equal (dJointGetBody (k, 0), rig_body_id (s, "n::y"));
    assert_ptr_equal (dJointGetBody (k, 1), rig_body_id (s, "n::x"));
    assert_ptr_equal (dJointGetBody (l, 1), rig_body_id (s, "a"));
    dVector3 anchor;
    dJointGetBallAnchor (j, anchor);
    rig_near (anchor, 2, 0, 0, 1e-15); /* at the child's frame, not at its link */
    dJointGetBallAnchor (k, anchor);
    rig_near (anchor, 0, 0, 5, 1e-15); /* at the nested model's frame */
    scene_free (s);
}

static void test_nesting (void **state)
{
    (void)state;
    scene *s = rig_good (nesting);
    /* Two models move: names keep all their scopes. */
    expect_body (s, "m::a", 101, 0, 0);
    expect_body (s, "m::n::a", 101, 1, 0);
    expect_body (s, "m::n::o::a", 100, 1, 1);
    expect_body (s, "p::a", 0, 0, 7);
    int outer = scene_body_at (s, rig_body (s, "m::a"))->model,
        inner = scene_body_at (s, rig_body (s, "m::n::a"))->model;
    assert_int_not_equal (outer, inner);
    assert_ptr_equal (dJointGetBody (rig_joint (s, "j"), 0), rig_body_id (s, "m::n::o::a"));
    scene_free (s);
}

static void test_placement_frame (void **state)
{
    (void)state;
    scene *s = rig_good (placement);
    /* n's foot is 4 above m, the grip 1 ahead of it, and the grip is put to 1 2 3, turned. */
    expect_body (s, "n::foot", 1, 1, 3);
    expect_body (s, "a", 1, 1, -1);
    scene_free (s);
}

static void test_links_that_do_not_move (void **state)
{
    (void)state;
    scene *s = rig_good (fixed_links);
    assert_int_equal (scene_body_count (s), 1);
    assert_int_equal (scene_joint_count (s), 1);
    assert_string_equal (scene_body_at (s, 0)->name, "a");
    assert_null (dJointGetBody (rig_joint (s, "j"), 1));
    assert_int_equal (rig_warning_count, 1); /* of the joint between two fixed links */
    scene_free (s);
}

static void test_includes (void **state)
{
    (void)state;
    char path[300];
    snprintf (path, sizeof path, "%s/kit", rig_folder);
    assert_int_equal (mkdir (path, 0700), 0);
    rig_write ("bar.sdf", included);
    rig_write ("kit/model.sdf", "<sdf version='1.9'><model name='kit'>" LINK (
                                    "k", "") "<include><uri>../bar.sdf</uri></include></model></sdf>");
    scene *s = rig_good (including);
    expect_body (s, "bar::a", 50, 0, 2);
    expect_body (s, "two::a", 1, 0, 2);
    expect_body (s, "put::a", 0, 0, -1);
    expect_body (s, "kit::k", 0, 9, 0);
    expect_body (s, "kit::bar::a", 50, 9, 2);
    assert_int_equal (scene_body_count (s), 5);
    assert_int_equal (scene_probe_count (s), 5);
    assert_string_equal (scene_probe_at (s, 1)->name, "two::p");
    double p[3];
    scene_probe_position (s, 1, p);
    rig_near ((const dReal[]){(dReal)p[0], (dReal)p[1], (dReal)p[2]}, 1, 0, 3, 1e-15);
    scene_free (s);
}

static void test_lone_model (void **state)
{
    (void)state;
    scene *s = rig_good ("<sdf version='1.10'><model name='m'>" LINK ("a", "") "</model></sdf>");
    dVector3 g;
    dWorldGetGravity (scene_world (s), g);
    rig_near (g, 0, 0, -9.81, 0);
    assert_string_equal (scene_name (s), "scene");
    assert_string_equal (rig_warnings, "");
    rig_close (scene_time_step (s), 0.001, 0);
    rig_close (scene_duration (s), 10, 0);
    scene_free (s);
    s = rig_good (
        "<sdf version='1.9'><world name='w'><model name='m'>" LINK ("a", "") "</model></world></sdf>");
    dWorldGetGravity (scene_world (s), g);
    rig_near (g, 0, 0, -9.8, 0); /* what SDFormat says of a world */
    scene_free (s);
}

/* Chains in the wrong order are walked without recursion. */
static void test_long_chain (void **state)
{
    (void)state;
    const int n = 20000;
    char *text = malloc ((size_t)n * 80 + 200);
    int used =
        sprintf (text, "<sdf version='1.9'><model name='m'><link name='l'><pose relative_to='f0'/></link>");
    for (int i = 0; i < n; i++)
    {
        used += sprintf (text + used, "<frame name='f%d'><pose", i);
        if (i + 1 < n) used += sprintf (text + used, " relative_to='f%d'", i + 1);
        used += sprintf (text + used, ">1 0 0 0 0 0</pose></frame>");
    }
    sprintf (text + used, "</model></sdf>");
    scene *s = rig_good (text);
    expect_body (s, "l", n, 0, 0);
    scene_free (s);
    free (text);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_relative_poses),
        cmocka_unit_test (test_rotations),
        cmocka_unit_test (test_axes),
        cmocka_unit_test (test_attachment),
        cmocka_unit_test (test_nesting),
        cmocka_unit_test (test_placement_frame),
        cmocka_unit_test (test_links_that_do_not_move),
        cmocka_unit_test (test_includes),
        cmocka_unit_test (test_lone_model),
        cmocka_unit_test (test_long_chain),
    };
    return cmocka_run_group_tests (tests, rig_start, rig_end);
}
