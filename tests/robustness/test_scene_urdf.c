/*
 * URDF: places, masses, axes, limits, shapes and what Gazebo adds; links without mass; loops; errors with the
 * line of the URDF.
 */
#include "scene_rig.h"

/* clang-format off */

#define ROBOT(content) "<robot name='r'>\n" content "</robot>"
#define BODY(name, content) "<link name='" name "'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial>" content "</link>\n"
#define JOINT(name, type, parent, child, content) "<joint name='" name "' type='" type "'><parent link='" parent "'/><child link='" child "'/>" content "</joint>\n"

static void test_tree (void **state)
{
    (void)state;
    scene *s = rig_good (ROBOT (
        JOINT ("j", "revolute", "a", "b", "<origin xyz='1 0 0' rpy='0 0 1.5707963267948966'/><axis xyz='0 1 0'/><limit lower='-1' upper='2' effort='3' velocity='4'/><dynamics damping='5' friction='0.5'/>")
        BODY ("a", "")
        "<link name='b'><inertial><origin xyz='0 0 2' rpy='0 0 1.5707963267948966'/><mass value='3'/><inertia ixx='1' iyy='2' izz='2.5' ixy='0' ixz='0' iyz='0'/></inertial>"
        "<collision><origin xyz='0 0 1'/><geometry><box size='1 2 3'/></geometry></collision>"
        "<visual name='v'><geometry><sphere radius='2'/></geometry><material name='red'/></visual></link>\n"
        BODY ("c", "") JOINT ("k", "prismatic", "b", "c", "<origin xyz='0 1 0'/><limit upper='3' effort='1' velocity='1'/>")
        BODY ("d", "") JOINT ("l", "continuous", "world", "d", "<origin xyz='0 0 9'/>")
        BODY ("e", "") JOINT ("m", "floating", "c", "e", "<origin xyz='0 0 1'/>")
        BODY ("f", "") JOINT ("f", "fixed", "e", "f", "<origin xyz='0 0 1'/>") /* a name that a joint and a link share */
        BODY ("g", "") JOINT ("n", "spherical", "f", "g", "<origin xyz='0 0 1'/>")
        "<material name='red'><color rgba='1 0 0 1'/></material>"));
    assert_string_equal (rig_warnings, "");
    assert_int_equal (scene_joint_count (s), 5);
    rig_near (dBodyGetPosition (rig_body_id (s, "b")), 1, 0, 2, 1e-15);
    rig_near (dBodyGetPosition (rig_body_id (s, "c")), 0, 0, 0, 1e-15);
    rig_near (dBodyGetPosition (rig_body_id (s, "d")), 0, 0, 9, 1e-15);
    rig_near (dBodyGetPosition (rig_body_id (s, "f")), 0, 0, 2, 1e-15);
    dMass m;
    dVector3 v;
    dBodyGetMass (rig_body_id (s, "b"), &m);
    rig_close ((double)m.mass, 3, 0);
    rig_near (m.I, 2, 0, 0, 1e-15);
    dJointID j = rig_joint (s, "j");
    dJointGetHingeAxis (j, v);
    rig_near (v, -1, 0, 0, 1e-15);
    dJointGetHingeAnchor (j, v);
    rig_near (v, 1, 0, 0, 1e-15);
    rig_close ((double)dJointGetHingeParam (j, dParamLoStop), -1, 0);
    rig_close ((double)dJointGetHingeParam (j, dParamHiStop), 2, 0);
    rig_close ((double)dJointGetHingeParam (j, dParamFMax), 0.5, 0);
    rig_close (s->axes[0].damping, 5, 0);
    rig_close (s->axes[0].effort_limit, 3, 0);
    rig_close (s->axes[0].velocity_limit, 4, 0);
    dJointGetSliderAxis (rig_joint (s, "k"), v);
    rig_near (v, 0, 1, 0, 1e-15); /* x of its own frame, by default */
    rig_close ((double)dJointGetSliderParam (rig_joint (s, "k"), dParamLoStop), 0, 0); /* URDF's default */
    rig_close ((double)dJointGetSliderParam (rig_joint (s, "k"), dParamHiStop), 3, 0);
    dJointGetBallAnchor (rig_joint (s, "n"), v);
    rig_near (v, 0, 0, 3, 1e-15);
    rig_close (s->collisions[0]->size[2], 3, 0);
    rig_close (s->collisions[0]->in_link.p[2], 1, 0);
    int red = 0;
    for (int i = 0; i < scene_visual_count (s); i++) red += scene_visual_at (s, i)->coloured;
    assert_int_equal (red, 1);
    scene_free (s);
}

static void test_gazebo (void **state)
{
    (void)state;
    scene *s = rig_good (ROBOT (
        BODY ("a", "<collision><geometry><sphere radius='1'/></geometry></collision>") BODY ("b", "") JOINT ("j", "continuous", "a", "b", "")
        "<gazebo reference='a'><mu1>0.3</mu1><mu2>0.4</mu2><fdir1>0 1 0</fdir1><gravity>false</gravity></gazebo>"
        "<gazebo reference='a'><mu1>0.5</mu1></gazebo>"
        "<gazebo reference='j'><springStiffness>7</springStiffness><springReference>0.1</springReference></gazebo>"
        "<gazebo><joint name='loop' type='ball'><parent>world</parent><child>b</child></joint><plugin name='p'/></gazebo>"));
    assert_string_equal (rig_warnings, "");
    rig_close (s->collisions[0]->mu, 0.5, 0);
    rig_close (s->collisions[0]->mu2, 0.4, 0);
    rig_close (s->collisions[0]->direction[1], 1, 0);
    assert_int_equal (dBodyGetGravityMode (rig_body_id (s, "a")), 0);
    rig_close (s->axes[0].stiffness, 7, 0);
    rig_close (s->axes[0].rest, 0.1, 0);
    assert_int_equal (dJointGetType (rig_joint (s, "loop")), dJointTypeBall);
    scene_free (s);

    /* As older files write it. */
    s = rig_good (ROBOT (BODY ("a", "<collision><geometry><sphere radius='1'/></geometry></collision>")
        "<gazebo reference='a'><mu1 value='0.3'/><turnGravityOff>true</turnGravityOff></gazebo>"));
    assert_string_equal (rig_warnings, "");
    rig_close (s->collisions[0]->mu, 0.3, 0);
    assert_int_equal (dBodyGetGravityMode (rig_body_id (s, "a")), 0);
    scene_free (s);

    s = rig_good (ROBOT (BODY ("a", "") "<gazebo><static>true</static></gazebo>"));
    assert_int_equal (scene_body_count (s), 0);
    scene_free (s);
}

static void test_without_mass (void **state)
{
    (void)state;
    /* A root that is fixed to a link with mass, a tool that is fixed to it, and one more on that. */
    scene *s = rig_good (ROBOT (
        "<link name='root'/>\n" BODY ("a", "") JOINT ("ja", "fixed", "root", "a", "<origin xyz='0 0 1'/>")
        "<link name='tool'><collision><geometry><sphere radius='1'/></geometry></collision></link>" JOINT ("jt", "fixed", "a", "tool", "<origin xyz='1 0 0'/>")
        "<link name='tip'/>" JOINT ("jp", "fixed", "tool", "tip", "<origin xyz='1 0 0'/>")
        BODY ("b", "") JOINT ("jb", "continuous", "tip", "b", "<origin xyz='1 0 0'/>")
        "<link name='rim'/>" BODY ("wheel", "") JOINT ("jr", "continuous", "b", "rim", "") JOINT ("jw", "fixed", "rim", "wheel", "")));
    assert_string_equal (rig_warnings, "");
    assert_int_equal (scene_body_count (s), 3);
    assert_int_equal (scene_joint_count (s), 2);
    rig_near (dBodyGetPosition (rig_body_id (s, "a")), 0, 0, 1, 0);
    rig_near (dBodyGetPosition (rig_body_id (s, "b")), 3, 0, 1, 0);
    assert_ptr_equal (dJointGetBody (rig_joint (s, "jb"), 1), rig_body_id (s, "a"));
    assert_ptr_equal (dJointGetBody (rig_joint (s, "jr"), 0), rig_body_id (s, "wheel"));
    rig_close (s->collisions[0]->in_link.p[0], 1, 0);
    assert_ptr_equal (s->links[s->collisions[0]->link].body, rig_body_id (s, "a"));
    scene_free (s);

    rig_doubtful (ROBOT (BODY ("a", "") "<link name='leaf'/>" JOINT ("j", "revolute", "a", "leaf", "")), "3: <link> 'leaf' has no mass; it and its joint are left out");
    rig_doubtful (ROBOT ("<link name='root'/>" BODY ("a", "") JOINT ("j", "continuous", "root", "a", "")), "2: <link> 'root' has no mass and carries others; it stands still");
    rig_bad (ROBOT (BODY ("a", "") "<link name='x'/>\n" BODY ("b", "") JOINT ("j", "revolute", "a", "x", "") JOINT ("k", "revolute", "x", "b", "")),
             "3: <link> 'x' has no mass, though links with mass move on it");
    s = rig_good (ROBOT ("<link name='world'/>" BODY ("a", "") JOINT ("j", "continuous", "world", "a", "<origin xyz='0 0 2'/>")));
    assert_string_equal (rig_warnings, "");
    assert_null (dJointGetBody (rig_joint (s, "j"), 1));
    rig_near (dBodyGetPosition (rig_body_id (s, "a")), 0, 0, 2, 0);
    scene_free (s);
}

/* The usual way to bolt a robot down: a link "world" to which its base is fixed, directly or by a link without mass. */
static void test_bolted (void **state)
{
    (void)state;
    scene *s = rig_good (ROBOT ("<link name='world'/>" BODY ("a", "") JOINT ("j", "fixed", "world", "a", "<origin xyz='0 0 1'/>")));
    assert_string_equal (rig_warnings, "");
    assert_int_equal (dJointGetType (rig_joint (s, "j")), dJointTypeFixed);
    assert_null (dJointGetBody (rig_joint (s, "j"), 1));
    rig_near (dBodyGetPosition (rig_body_id (s, "a")), 0, 0, 1, 0);
    rig_run (s, 100, 0.01);
    rig_near (dBodyGetPosition (rig_body_id (s, "a")), 0, 0, 1, 1e-6);
    scene_free (s);
    s = rig_good (ROBOT ("<link name='world'/><link name='foot'/>" BODY ("a", "") JOINT ("j", "fixed", "world", "foot", "<origin xyz='0 0 1'/>")
                         JOINT ("k", "fixed", "foot", "a", "<origin xyz='0 0 1'/>")));
    assert_int_equal (scene_joint_count (s), 1);
    rig_run (s, 100, 0.01);
    rig_near (dBodyGetPosition (rig_body_id (s, "a")), 0, 0, 2, 1e-6);
    scene_free (s);
}

/* A floor, as simulators ship it: it stands where the model is put, and other models lie on it. */
static void test_floor (void **state)
{
    (void)state;
    static const char *const floors[] = {
        "<link name='f'><inertial><mass value='0'/></inertial><collision><origin xyz='0 0 -1'/><geometry><box size='9 9 2'/></geometry></collision></link>",
        "<link name='world'/><link name='f'><collision><origin xyz='0 0 -1'/><geometry><box size='9 9 2'/></geometry></collision></link>"
        JOINT ("j", "fixed", "world", "f", "")};
    for (int i = 0; i < 2; i++)
    {
        char text[1000];
        snprintf (text, sizeof text, ROBOT ("%s"), floors[i]);
        rig_write ("floor.urdf", text);
        scene *s = rig_good (WORLD ("<include><uri>floor.urdf</uri><pose>0 0 3 0 0 0</pose></include>"
                                    "<model name='m'><pose>0 0 4 0 0 0</pose>" LINK ("a", "<collision name='c'><geometry><sphere><radius>1.01</radius></sphere></geometry></collision>") "</model>"));
        assert_string_equal (rig_warnings, "");
        assert_int_equal (scene_body_count (s), 1);
        scene_before_step (s, 0, 0);
        rig_close (scene_penetration (s), 0.01, 1e-12);
        scene_free (s);
    }
}

static void test_errors (void **state)
{
    (void)state;
    rig_bad ("<robot name='r'/>", "1: <robot> has no <link>");
    rig_bad (ROBOT (BODY ("a", "") BODY ("a", "")), "3: <link> the name 'a' is used twice");
    rig_bad (ROBOT (BODY ("a", "") JOINT ("j", "fixed", "a", "x", "")), "3: <child> there is no link 'x'");
    rig_bad (ROBOT (BODY ("a", "") JOINT ("j", "fixed", "a", "a", "")), "3: <joint> joins a link to itself");
    rig_bad (ROBOT (BODY ("a", "") BODY ("b", "") JOINT ("j", "planar", "a", "b", "")), "4: <joint> 'j' is none of revolute, continuous, prismatic, fixed, floating and spherical");
    rig_bad (ROBOT (BODY ("a", "") BODY ("b", "") JOINT ("j", "fixed", "a", "b", "") JOINT ("k", "fixed", "b", "a", "")),
             "1: <robot> has links that hang together in a ring: URDF is a tree");
    rig_bad (ROBOT (BODY ("a", "") BODY ("b", "") JOINT ("j", "fixed", "a", "b", "") JOINT ("k", "fixed", "a", "b", "")),
             "5: <joint> is the second joint that leads to 'b': URDF is a tree; close a loop by a <joint> of SDFormat in <gazebo>");
    rig_bad (ROBOT ("<link name='a'>\n<inertial><mass value='-1'/></inertial></link>"), "3: <mass> must be positive, is -1");
    rig_bad (ROBOT (BODY ("a", "<collision><geometry><box size='1 2'/></geometry></collision>")), "2: <size> needs 3 numbers, has 2");
    rig_bad (ROBOT (BODY ("a", "") BODY ("b", "") JOINT ("j", "revolute", "a", "b", "<origin xyz='1 2'/>")), "4: <origin> attribute xyz: needs 3 numbers, has 2");
    rig_bad (ROBOT (BODY ("a", "") BODY ("b", "") JOINT ("j", "fixed", "a", "b", "<origin xyz='1 2' rpy='0 0 0 3'/>")), "4: <origin> attribute xyz: needs 3 numbers, has 2");
    /* A model of which parts are missing is another model. */
    rig_bad ("<robot name='r' xmlns:xacro='http://www.ros.org/wiki/xacro'>\n" BODY ("a", "") "<xacro:leg side='left'/></robot>",
             "3: <xacro:leg> is not URDF yet: expand the file first, by xacro FILE > ROBOT.urdf");
    rig_bad (ROBOT (BODY ("a", "<xacro:wheel/>")), "2: <xacro:wheel> is not URDF yet: expand the file first, by xacro FILE > ROBOT.urdf");
}

static void test_doubts (void **state)
{
    (void)state;
    rig_doubtful (ROBOT ("<link name='a'>\n<inertial><mass value='1'/></inertial></link>"),
                  "3: <inertial> has no <inertia>; moments of inertia of 1 kg m^2 are taken");
    scene *s;
    scene_free (rig_good (ROBOT (BODY ("a", "") BODY ("b", "") JOINT ("j", "revolute", "a", "b", "<limit lowr='-1' upper='1' effort='1' velocity='1'/>"))));
    assert_non_null (strstr (rig_warnings, "4: <limit> attribute 'lowr' is not read; it is ignored\n"));
    scene_free (rig_good (ROBOT ("<link name='a'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/><moment/></inertial></link>")));
    assert_non_null (strstr (rig_warnings, "<moment> is not read"));
    rig_doubtful (ROBOT (BODY ("a", "") BODY ("b", "") JOINT ("j", "revolute", "a", "b", "")), "4: <joint> 'j' has no <limit>; it moves without end");
    rig_doubtful (ROBOT (BODY ("a", "") BODY ("b", "") JOINT ("j", "revolute", "a", "b", "<limit effort='1' velocity='1'/>")),
                  "4: <limit> of 'j' has neither lower nor upper, by which URDF means 0 for both; the joint moves without end");
    s = rig_good (ROBOT (BODY ("a", "") BODY ("b", "") JOINT ("j", "continuous", "a", "b", "<origin xyz='0 0 1' rpyy='0 1 0'/>\n<axis xzy='0 0 1'/>")));
    assert_non_null (strstr (rig_warnings, "4: <origin> attribute 'rpyy' is not read; it is ignored\n"));
    assert_non_null (strstr (rig_warnings, "5: <axis> attribute 'xzy' is not read; it is ignored\n"));
    scene_free (s);
    s = rig_good (ROBOT (BODY ("a", "") "<gazebo reference='a'><mu1>1</mu1><dampingFactor>1</dampingFactor></gazebo>\n<gazebo reference='b'><mu1>1</mu1></gazebo>"));
    assert_non_null (strstr (rig_warnings, "3: <dampingFactor> is not read; it is ignored\n"));
    assert_non_null (strstr (rig_warnings, "4: <gazebo> is about 'b', which is no link and no joint; it is ignored\n"));
    scene_free (s);
}

/* clang-format on */

int main (void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test (test_tree),         cmocka_unit_test (test_gazebo),
                                       cmocka_unit_test (test_without_mass), cmocka_unit_test (test_bolted),
                                       cmocka_unit_test (test_floor),        cmocka_unit_test (test_errors),
                                       cmocka_unit_test (test_doubts)};
    return cmocka_run_group_tests (tests, rig_start, rig_end);
}
