/*
 * What is listed and wrong is an error with file, line and element; what is not listed is ignored with one
 * warning a name.  Lines count from the header that WORLD and MODEL put in front: their content begins on
 * line 4 and 5.
 */
#include "scene_rig.h"

typedef struct
{
    const char *text, *expected;
} wrong;

static void check (const wrong *table, size_t count)
{
    for (size_t i = 0; i < count; i++) rig_bad (table[i].text, table[i].expected);
}
#define CHECK(table) check (table, sizeof (table) / sizeof *(table))

/* clang-format off */

#define A "<link name='a'/>\n"
#define JOINT(type, content) "<joint name='j' type='" type "'>\n<parent>world</parent>\n<child>a</child>\n" content "</joint>\n"
#define AXIS(content) "<axis>" content "</axis>\n"

static void test_documents (void **state)
{
    (void)state;
    static const wrong table[] = {
        {"", "1: <xml> Document is empty"},
        {"<sdf>\n<model name='m'>\n</sdf>", "3: <xml> Opening and ending tag mismatch: model line 2 and sdf"},
        {"<robert/>", "1: <robert> is neither SDFormat nor URDF: the root element must be <sdf> or <robot>"},
        {"<sdf version='1.9'/>", "1: <sdf> has neither a <world> nor a <model>"},
        {"<!DOCTYPE sdf>\n<sdf><model name='m'/></sdf>", "1: <xml> a document type is not accepted"},
    };
    CHECK (table);
    char error[300];
    assert_null (scene_read ("/nonexistent/x.sdf", NULL, NULL, error, sizeof error));
    assert_string_equal (error, "/nonexistent/x.sdf: cannot be opened");
    assert_null (scene_read ("/dev/zero", NULL, NULL, error, sizeof error));
    assert_string_equal (error, "/dev/zero: is not a regular file");
    assert_null (scene_read (NULL, NULL, NULL, error, sizeof error));
    assert_null (scene_read ("/nonexistent", NULL, NULL, NULL, 0));
    char tiny[10];
    assert_null (scene_read ("/nonexistent/x.sdf", NULL, NULL, tiny, sizeof tiny));
    assert_string_equal (tiny, "/nonexist");
}

static void test_names (void **state)
{
    (void)state;
    static const wrong table[] = {
        {MODEL ("<link/>"), "5: <link> needs the attribute name"},
        {MODEL ("<link name=' '/>"), "5: <link> needs the attribute name"},
        {MODEL (A A), "6: <link> the name 'a' is used twice in the same place"},
        {MODEL (A "<frame name='a'/>"), "6: <frame> the name 'a' is used twice in the same place"},
        {MODEL ("<link name='world'/>"), "5: <link> the name 'world' is reserved"},
        {MODEL ("<link name='__x__'/>"), "5: <link> the name '__x__' is reserved (it begins and ends with two underscores)"},
        {MODEL ("<link name='a::b'/>"), "5: <link> the name 'a::b' contains '::', which separates scopes"},
        {WORLD ("<link name='a'/>"), "4: <link> a link must be in a model"},
    };
    CHECK (table);
}

static void test_frames (void **state)
{
    (void)state;
    static const wrong table[] = {
        {MODEL ("<link name='a'>\n<pose relative_to='b'/></link>"), "6: <pose> there is no link, joint, frame or model 'b' here"},
        {MODEL (A "<link name='b'><pose relative_to='a::c'/></link>"), "6: <pose> there is no link, joint, frame or model 'a::c' here"},
        {MODEL ("<link name='a'><pose relative_to='b'/></link>\n<link name='b'><pose relative_to='a'/></link>"),
         "5: <link> 'a' is placed relative to itself, through a loop of frames"},
        {MODEL ("<link name='a'><pose relative_to='a'/></link>"), "5: <link> 'a' is placed relative to itself, through a loop of frames"},
        {MODEL (A "<frame name='f' attached_to='g'/>\n<frame name='g' attached_to='f'/>\n"),
         "6: <frame> 'f' is placed relative to itself, through a loop of frames"},
        {MODEL (A "<frame name='f' attached_to='g'><pose relative_to='a'/></frame>\n<frame name='g' attached_to='f'><pose relative_to='a'/></frame>\n"
                "<joint name='j' type='ball'><parent>world</parent>\n<child>f</child></joint>"),
         "9: <child> 'f' is attached to itself, through a loop of frames"},
        {WORLD ("<model name='m'><pose relative_to='__model__'/></model>"), "4: <pose> there is no link, joint, frame or model '__model__' here"},
        {MODEL ("<link name='a'><pose>1 2 3</pose></link>"), "5: <pose> needs 6 numbers, has 3"},
        {MODEL ("<link name='a'><pose>1 2 3 4 5 6 7</pose></link>"), "5: <pose> has more than 6 numbers"},
        {MODEL ("<link name='a'><pose>1 2 x 4 5 6</pose></link>"), "5: <pose> 'x' is not a number"},
        {MODEL ("<link name='a'><pose>1 2 nan 4 5 6</pose></link>"), "5: <pose> 'nan' is not a finite number"},
        {MODEL ("<link name='a'><pose>1 2 -inf 4 5 6</pose></link>"), "5: <pose> '-inf' is not a finite number"},
        {MODEL ("<link name='a'><pose degrees='yes'>0 0 0 0 0 0</pose></link>"), "5: <pose> attribute degrees: 'yes' is neither true nor false"},
        {MODEL ("<link name='a'><pose rotation_format='xyz'/></link>"), "5: <pose> attribute rotation_format: 'xyz' is neither euler_rpy nor quat_xyzw"},
        {MODEL ("<link name='a'><pose rotation_format='quat_xyzw'>0 0 0 0 0 0 0</pose></link>"), "5: <pose> the quaternion is zero"},
        {WORLD ("<model name='m' placement_frame='q'/>"), "4: <model> there is no link, joint, frame or model 'q' here"},
        {WORLD ("<model name='m' placement_frame='a'>\n<link name='a'><pose relative_to='world'/></link></model>"),
         "4: <model> the placement frame 'a' is not placed within the model"},
    };
    CHECK (table);
}

static void test_links (void **state)
{
    (void)state;
#define INERTIAL(content) MODEL ("<link name='a'><inertial>\n" content "</inertial></link>")
    static const wrong table[] = {
        {INERTIAL ("<mass>0</mass>"), "6: <mass> must be positive, is 0"},
        {INERTIAL ("<mass>-1.5</mass>"), "6: <mass> must be positive, is -1.5"},
        {INERTIAL ("<mass>nan</mass>"), "6: <mass> 'nan' is not a finite number"},
        {INERTIAL ("<mass>inf</mass>"), "6: <mass> 'inf' is not a finite number"},
        {INERTIAL ("<mass>1 2</mass>"), "6: <mass> has more than 1 number"},
        {INERTIAL ("<mass/>"), "6: <mass> needs 1 number, has 0"},
        {INERTIAL ("<inertia><ixx>-1e-3</ixx></inertia>"), "6: <inertia> has a negative principal moment"},
        {INERTIAL ("<inertia><ixy>2</ixy></inertia>"), "6: <inertia> has a negative principal moment"},
        {INERTIAL ("<pose>0 0 0 1 2 3</pose><inertia><ixx>1e90</ixx></inertia>"),
         "5: <link> moments of inertia are too far apart for its pose"},
        {MODEL ("<link name='a'><gravity>maybe</gravity></link>"), "5: <gravity> 'maybe' is neither true nor false"},
        {MODEL ("<link name='a'><rls:velocity>1 2 3</rls:velocity></link>"), "5: <rls:velocity> needs 6 numbers, has 3"},
        {MODEL ("<link name='a'><rls:force>1 2 3 4 5 NaN</rls:force></link>"), "5: <rls:force> 'NaN' is not a finite number"},
    };
    CHECK (table);
}

static void test_shapes (void **state)
{
    (void)state;
#define SHAPE(content) MODEL ("<link name='a'><collision name='c'>\n" content "</collision></link>")
#define BOX(content) SHAPE ("<geometry><box><size>1 1 1</size></box></geometry>\n<surface>" content "</surface>")
    static const wrong table[] = {
        {SHAPE ("<geometry><box><size>1 0 1</size></box></geometry>"), "6: <size> must be positive, is 1 0 1"},
        {SHAPE ("<geometry><sphere><radius>-1</radius></sphere></geometry>"), "6: <radius> must be positive, is -1"},
        {SHAPE ("<geometry><sphere><radius>1</radius></sphere><capsule><radius>1</radius><length>1</length></capsule></geometry>"),
         "6: <capsule> is a second shape in one geometry"},
        {BOX ("<friction><ode><mu>-1</mu></ode></friction>"), "7: <mu> must not be negative, is -1"},
        {BOX ("<friction><ode><mu>nan</mu></ode></friction>"), "7: <mu> 'nan' is not a finite number"},
        {BOX ("<contact><ode><soft_erp>2</soft_erp></ode></contact>"), "7: <soft_erp> must not be above 1, is 2"},
        {BOX ("<contact><ode><soft_cfm>-1</soft_cfm></ode></contact>"), "7: <soft_cfm> must not be negative, is -1"},
        {BOX ("<bounce><restitution_coefficient>2</restitution_coefficient></bounce>"), "7: <restitution_coefficient> must not be above 1, is 2"},
        {MODEL ("<link name='a'><visual name='v'><geometry><box><size>1 1 1</size></box></geometry>\n<material><diffuse>1 1 2</diffuse></material></visual></link>"),
         "6: <diffuse> must be from 0 to 1, is 2"},
    };
    rig_doubtful (SHAPE ("<geometry><sphere><radius>0</radius></sphere></geometry>"), "6: <radius> is 0; the body does not collide with it");
    CHECK (table);
}

static void test_joints (void **state)
{
    (void)state;
    static const wrong table[] = {
        {MODEL (A "<joint name='j'><parent>world</parent><child>a</child></joint>"), "6: <joint> needs the attribute type"},
        {MODEL (A "<joint name='j' type='magic'><parent>world</parent><child>a</child></joint>"), "6: <joint> 'magic' is no type of joint; there are revolute, continuous, prismatic, ball, universal, revolute2, fixed, screw"},
        {MODEL (A "<joint name='j' type='ball'><parent>world</parent></joint>"), "6: <joint> needs a <child>"},
        {MODEL (A "<joint name='j' type='ball'><child>a</child></joint>"), "6: <joint> needs a <parent>"},
        {MODEL (A "<joint name='j' type='ball'>\n<parent>x</parent><child>a</child></joint>"), "7: <parent> there is no link, joint, frame or model 'x' here"},
        {MODEL (A "<joint name='j' type='ball'>\n<parent>a</parent><child>x</child></joint>"), "7: <child> there is no link, joint, frame or model 'x' here"},
        {MODEL (A "<joint name='j' type='ball'><parent>a</parent><child>a</child></joint>"), "6: <joint> joins a link to itself"},
        {MODEL (A "<model name='n'/>\n<joint name='j' type='ball'><parent>n</parent>\n<child>a</child></joint>"), "7: <parent> 'n' has no link"},
        {MODEL (A JOINT ("revolute", AXIS ("<xyz>0 0 0</xyz>"))), "9: <xyz> must not be zero"},
        {MODEL (A JOINT ("revolute", AXIS ("<xyz>0 0</xyz>"))), "9: <xyz> needs 3 numbers, has 2"},
        {MODEL (A JOINT ("revolute", AXIS ("<xyz expressed_in='q'>0 0 1</xyz>"))), "9: <xyz> there is no link, joint, frame or model 'q' here"},
        {MODEL (A JOINT ("revolute", AXIS ("<limit><lower>1</lower><upper>-1</upper></limit>"))),
         "9: <limit> of 'j' has its lower end 1 above its upper end -1"},
        {MODEL (A JOINT ("revolute", AXIS ("<limit><lower>nan</lower></limit>"))), "9: <lower> 'nan' is not a finite number"},
        {MODEL (A JOINT ("revolute", AXIS ("<limit><stiffness>-1</stiffness></limit>"))), "9: <stiffness> must not be negative, is -1"},
        {MODEL (A JOINT ("revolute", AXIS ("<dynamics><damping>-1</damping></dynamics>"))), "9: <damping> must not be negative, is -1"},
        {MODEL (A JOINT ("revolute", AXIS ("<dynamics><damping>inf</damping></dynamics>"))), "9: <damping> 'inf' is not a finite number"},
        
        {MODEL (A JOINT ("universal", AXIS ("<xyz>1 0 0</xyz>") "<axis2><xyz>1 1 0</xyz></axis2>")), "6: <joint> its two axes must be perpendicular"},
        {MODEL (A "<link name='b'/>\n<joint name='j' type='revolute2'><parent>b</parent><child>a</child><axis/><axis2/></joint>"),
         "7: <joint> its two axes must not be parallel"},
        {MODEL (A JOINT ("gearbox", AXIS ("") "<axis2/><gearbox_reference_body>world</gearbox_reference_body>")),
         "6: <joint> needs two different links that move"},
        {MODEL (A "<link name='b'/>\n<joint name='j' type='gearbox'><parent>a</parent><child>b</child><axis/><axis2/>"
                "<gearbox_reference_body>world</gearbox_reference_body></joint>"),
         "7: <joint> needs a revolute joint between its parent and its reference body"},
        {MODEL (A "<link name='b'/>\n<joint name='j' type='gearbox'><parent>a</parent><child>b</child><axis/><axis2><xyz>1 0 0</xyz></axis2></joint>"),
         "7: <joint> needs a <gearbox_reference_body>"},
    };
    CHECK (table);
}

static void test_joint_extensions (void **state)
{
    (void)state;
#define REVOLUTE(content) MODEL (A JOINT ("revolute", AXIS ("") content))
    static const wrong table[] = {
        {MODEL (A JOINT ("ball", "<rls:effort>1</rls:effort>")), "9: <rls:effort> needs a joint with an axis"},
        {REVOLUTE ("<rls:effort>x</rls:effort>"), "10: <rls:effort> 'x' is not a number"},
        {REVOLUTE ("<rls:motor velocity='1'/>"), "10: <rls:motor> needs the attribute max_effort"},
        {REVOLUTE ("<rls:motor velocity='1' max_effort='-1'/>"), "10: <rls:motor> attribute max_effort: must not be negative, is -1"},
        {REVOLUTE ("<rls:motor velocity='fast' max_effort='1'/>"), "10: <rls:motor> attribute velocity: unknown name 'fast' at character 1"},
        {REVOLUTE ("<rls:position>sin(</rls:position>"), "10: <rls:position> the expression ends too early at character 5"},
        {REVOLUTE ("<rls:position>log(t)</rls:position>"), "10: <rls:position> is not finite, or not smooth, at t = 0"},
        {REVOLUTE ("<rls:position>t</rls:position>\n<rls:motor max_effort='1'/>"), "10: <rls:position> cannot be together with a motor"},
        {MODEL (A JOINT ("universal", "<axis/><axis2><xyz>1 0 0</xyz></axis2>\n<rls:position>t</rls:position>")),
         "10: <rls:position> drives only revolute, continuous and prismatic joints"},
        {REVOLUTE ("<rls:priority>1.5</rls:priority>"), "10: <rls:priority> must be a whole number, is 1.5"},
    };
    CHECK (table);
}

static void test_world_extensions (void **state)
{
    (void)state;
    static const wrong table[] = {
        {MODEL (A "<rls:duration>0</rls:duration>"), "6: <rls:duration> must be positive, is 0"},
        {MODEL (A "<rls:probe link='a'>0 0 0</rls:probe>"), "6: <rls:probe> needs the attribute name"},
        {MODEL (A "<rls:probe name='p'>0 0 0</rls:probe>"), "6: <rls:probe> needs the attribute link"},
        {MODEL (A "<rls:probe name='p' link='b'>0 0 0</rls:probe>"), "6: <rls:probe> there is no link, joint, frame or model 'b' here"},
        {MODEL (A "<rls:probe name='p' link='a'>0 0</rls:probe>"), "6: <rls:probe> needs 3 numbers, has 2"},
        {MODEL (A "<rls:probe name='p' link='a'>0 0 0</rls:probe>\n<rls:probe name='p' link='a'>0 0 0</rls:probe>"), "7: <rls:probe> 'm::p' is defined twice"},
        {MODEL (A "<rls:spring link1='a' stiffness='1'/>"), "6: <rls:spring> needs the attribute name"},
        {MODEL (A "<rls:spring name='s' stiffness='1'/>"), "6: <rls:spring> needs a link that moves"},
        {MODEL (A "<rls:spring name='s' link1='a' link2='a' stiffness='1'/>"), "6: <rls:spring> has both ends in one link"},
        {MODEL (A "<rls:spring name='s' link1='a' stiffness='-1'/>"), "6: <rls:spring> has a negative stiffness or damping"},
        {MODEL (A "<rls:spring name='s' link1='a' point1='1 2'/>"), "6: <rls:spring> attribute point1: needs 3 numbers, has 2"},
        {MODEL (A "<rls:spring name='s' link1='a' length='-1'/>"), "6: <rls:spring> attribute length: must not be negative, is -1"},
        {MODEL (A "<rls:distance name='d' link1='a'/>"), "6: <rls:distance> has no length"},
        {MODEL (A "<rls:reference probe='p' file='x.csv'/>"), "6: <rls:reference> there is no probe 'p' here"},
        {MODEL (A "<rls:probe name='p' link='a'>0 0 0</rls:probe>\n<rls:reference probe='p'/>"), "7: <rls:reference> needs the attribute file"},
    };
    CHECK (table);
}

static void test_physics (void **state)
{
    (void)state;
#define PHYSICS(content) WORLD ("<physics name='p' type='ode'>" content "</physics>")
    static const wrong table[] = {
        {PHYSICS ("<max_step_size>0</max_step_size>"), "4: <max_step_size> must be positive, is 0"},
        {PHYSICS ("<max_step_size>NaN</max_step_size>"), "4: <max_step_size> 'NaN' is not a finite number"},
        {PHYSICS ("<ode><constraints><erp>1.5</erp></constraints></ode>"), "4: <erp> must not be above 1, is 1.5"},
        {PHYSICS ("<ode><constraints><cfm>-1</cfm></constraints></ode>"), "4: <cfm> must not be negative, is -1"},
        {PHYSICS ("<ode><solver><iters>0</iters></solver></ode>"), "4: <iters> must be from 1 to 1000000, is 0"},
        {PHYSICS ("<ode><solver><sor>2</sor></solver></ode>"), "4: <sor> must be between 0 and 2, is 2"},
    };
    CHECK (table);
}

static void test_includes (void **state)
{
    (void)state;
    static const wrong table[] = {
        {WORLD ("<include/>"), "4: <include> needs a <uri>"},
    };
    CHECK (table);

    char expected[400];
    rig_write ("self.sdf", "<sdf version='1.9'><model name='s'>\n<include><uri>self.sdf</uri></include></model></sdf>");
    assert_null (rig_open ("self.sdf"));
    snprintf (expected, sizeof expected, "%s/self.sdf:2: <include> files include each other more than 16 deep", rig_folder);
    assert_string_equal (rig_error, expected);

    /* An error in an included file is told with that file's name and line. */
    rig_write ("bad.sdf", "<sdf version='1.9'><model name='s'>\n<link name='a'>\n<inertial><mass>0</mass></inertial></link></model></sdf>");
    assert_null (rig_read (WORLD ("<include><uri>bad.sdf</uri></include>")));
    snprintf (expected, sizeof expected, "%s/bad.sdf:3: <mass> must be positive, is 0", rig_folder);
    assert_string_equal (rig_error, expected);
    rig_write ("empty.sdf", "<sdf version='1.9'>\n</sdf>");
    assert_null (rig_read (WORLD ("<include><uri>empty.sdf</uri></include>")));
    snprintf (expected, sizeof expected, "%s/empty.sdf:1: <sdf> has no <model> to include", rig_folder);
    assert_string_equal (rig_error, expected);
}

/* ---- warnings --------------------------------------------------------------------------------------------- */

static void test_warnings (void **state)
{
    (void)state;
    char expected[2000];
    scene *s = rig_good (MODEL (A "<plugin name='p'/>\n<link name='b'>\n<sensor/><visual name='v'><geometry><heightmap/></geometry></visual></link>\n"
                                "<link name='c'><sensor/></link>\n<plugin/>"));
    snprintf (expected, sizeof expected,
              "%1$s/scene.sdf:6: <plugin> is not read; it is ignored\n"
              "%1$s/scene.sdf:8: <sensor> is not read; it is ignored\n"
              "%1$s/scene.sdf:8: <heightmap> is none of box, sphere, cylinder, capsule, plane and mesh; it is not drawn\n", rig_folder);
    assert_string_equal (rig_warnings, expected);
    scene_free (s);

    s = rig_good ("<sdf version='1.6'><model name='m'><rls:duration>3</rls:duration></model></sdf>");
    snprintf (expected, sizeof expected,
              "%1$s/scene.sdf:1: <rls:duration> is ignored: the prefix rls is not declared (xmlns:rls=\"urn:ode-rls\")\n", rig_folder);
    assert_string_equal (rig_warnings, expected);
    scene_free (s);
}

/* Attributes that are misspelt place things elsewhere, or leave a spring without stiffness. */
static void test_attributes (void **state)
{
    (void)state;
    char expected[2000];
    scene *s = rig_good (MODEL (A "<frame name='f' attached-to='a'/>\n<link name='b'><pose relativ_to='a'/></link>\n"
        "<joint name='j' type='ball'><parent>a</parent><child>b</child></joint>\n"
        "<rls:spring name='s' link1='a' point1='0 0 1' stifness='3' damping='1'/>\n"
        "<link name='c'><collision name='c' xmlns:gz='g' gz:id='1'><geometry><box><size>1 1 1</size></box></geometry><surface><friction><ode>"
        "<fdir1 gz:expressed_in='b'>1 0 0</fdir1></ode></friction></surface></collision></link>"));
    snprintf (expected, sizeof expected,
              "%1$s/scene.sdf:6: <frame> attribute 'attached-to' is not read; it is ignored\n"
              "%1$s/scene.sdf:9: <rls:spring> attribute 'stifness' is not read; it is ignored\n"
              "%1$s/scene.sdf:7: <pose> attribute 'relativ_to' is not read; it is ignored\n"
              "%1$s/scene.sdf:10: <fdir1> attribute 'expressed_in' is not read; it is ignored\n", rig_folder);
    assert_string_equal (rig_warnings, expected);
    scene_free (s);
    /* Before 1.7 relative_to was called so. */
    s = rig_good ("<sdf version='1.6'><model name='m'><link name='a'/><link name='b'><pose frame='a'>1 0 0 0 0 0</pose></link></model></sdf>");
    assert_string_equal (rig_warnings, "");
    scene_free (s);
}

/* What is merely missing, doubled or implausible. */
static void test_doubts (void **state)
{
    (void)state;
#define NOWHERE "is neither beside this file nor along GZ_SIM_RESOURCE_PATH, IGN_GAZEBO_RESOURCE_PATH, GAZEBO_MODEL_PATH or SDF_PATH; "
    static const wrong table[] = {
        {MODEL ("<link name='a'><pose/>\n<pose/></link>"), "6: <pose> is given twice; the first one counts"},
        {INERTIAL ("<mass>1</mass><mass>2</mass>"), "6: <mass> is given twice; the first one counts"},
        {INERTIAL ("<inertia><ixx>1</ixx><iyy>1</iyy><izz>5</izz></inertia>"),
         "6: <inertia> is that of no body: the largest principal moment is above the sum of the others; it is used as it is"},
        {INERTIAL ("<inertia><ixx>2</ixx><iyy>2</iyy><izz>2</izz><ixy>0.9</ixy><ixz>0.9</ixz><iyz>0.9</iyz></inertia>"),
         "6: <inertia> is that of no body: the largest principal moment is above the sum of the others; it is used as it is"},
        {MODEL ("<link name='a'><inertial auto='true'>\n</inertial></link>"),
         "5: <inertial> is to be found from collision shapes, and there is none with a volume; 1 kg and unit inertia are taken"},
        {SHAPE (""), "5: <collision> has no <geometry>; the body does not collide with it"},
        {SHAPE ("<geometry><box/></geometry>"), "6: <box> has no <size>; 1 1 1 is taken"},
        {SHAPE ("<geometry><sphere/></geometry>"), "6: <sphere> has no <radius>; 1 is taken"},
        {SHAPE ("<geometry><capsule><length>1</length></capsule></geometry>"), "6: <capsule> has no <radius>; 0.5 is taken"},
        {SHAPE ("<geometry><cylinder><radius>1</radius></cylinder></geometry>"), "6: <cylinder> has no <length>; 1 is taken"},
        {SHAPE ("<geometry><plane/></geometry>"), "5: <collision> is a plane, and those cannot move; the body does not collide with it"},
        {SHAPE ("<geometry><mesh><uri>https://x/y.obj</uri></mesh></geometry>"),
         "6: <uri> 'https://x/y.obj' is not on this machine, and nothing is fetched from a network; the body does not collide with it"},
        {SHAPE ("<geometry><mesh><uri>no.obj</uri></mesh></geometry>"), "6: <uri> 'no.obj' " NOWHERE "the body does not collide with it"},
        {MODEL ("<link name='a'><visual name='v'>\n<geometry><mesh><uri>no.obj</uri></mesh></geometry></visual></link>"),
         "6: <uri> 'no.obj' " NOWHERE "it is not drawn"},
        {MODEL (A JOINT ("revolute", "")), "6: <joint> has no <axis>; it is taken along z of the joint"},
        {MODEL (A "<rls:duration>1</rls:duration>\n<rls:duration>1</rls:duration>"), "7: <rls:duration> is given twice; the first one counts"},
        {WORLD ("<gravity>0 0 1</gravity>"), "4: <gravity> is given twice; the first one counts"},
        {WORLD ("<include><uri>https://fuel.example/x</uri></include>"),
         "4: <uri> 'https://fuel.example/x' is not on this machine, and nothing is fetched from a network; the model is left out"},
        {WORLD ("<include><uri>model://nowhere</uri></include>"), "4: <uri> 'model://nowhere' " NOWHERE "the model is left out"},
        {WORLD ("<include>\n<uri>gone.sdf</uri></include>"), "5: <uri> 'gone.sdf' " NOWHERE "the model is left out"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) rig_doubtful (table[i].text, table[i].expected);
}

/* clang-format on */

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_documents),        cmocka_unit_test (test_names),
        cmocka_unit_test (test_frames),           cmocka_unit_test (test_links),
        cmocka_unit_test (test_shapes),           cmocka_unit_test (test_joints),
        cmocka_unit_test (test_joint_extensions), cmocka_unit_test (test_world_extensions),
        cmocka_unit_test (test_physics),          cmocka_unit_test (test_includes),
        cmocka_unit_test (test_warnings),         cmocka_unit_test (test_attributes),
        cmocka_unit_test (test_doubts),
    };
    return cmocka_run_group_tests (tests, rig_start, rig_end);
}
