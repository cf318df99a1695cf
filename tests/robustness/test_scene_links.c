/* Links: bodies at the centre of mass with full inertia, flags, velocities, forces, probes, springs, visuals.
 */
#include "scene_rig.h"

/* clang-format off */
#define INERTIAL(content) "<inertial>" content "</inertial>"
/* clang-format on */

static void test_body_at_centre_of_mass (void **state)
{
    (void)state;
    scene *s = rig_good (MODEL ("<link name='a'><pose degrees='true'>1 2 3 0 0 90</pose>" INERTIAL (
        "<pose>0.5 0 0 0 0 0</pose><mass>3</mass><inertia><ixx>1</ixx><iyy>2</iyy><izz>2.5</izz>"
        "<ixy>0.1</ixy><ixz>-0.2</ixz><iyz>0.3</iyz></inertia>") "</link><rls:probe name='p' link='a'>0.5 1 "
                                                                 "0</rls:probe>"));
    dBodyID a = rig_body_id (s, "a");
    dMass m;
    dBodyGetMass (a, &m);
    rig_near (dBodyGetPosition (a), 1, 2.5, 3, 1e-15);
    rig_close ((double)m.mass, 3, 0);
    rig_near (m.I, 1, 0.1, -0.2, 1e-16);
    rig_near (m.I + 4, 0.1, 2, 0.3, 1e-16);
    rig_near (m.I + 8, -0.2, 0.3, 2.5, 1e-16);
    assert_int_equal (dBodyGetFiniteRotationMode (a), 1);
    assert_ptr_equal (scene_probe_at (s, 0)->body, a);
    rig_near (scene_probe_at (s, 0)->local, 0, 1, 0, 1e-16);
    double p[3];
    scene_probe_position (s, 0, p);
    rig_close (p[0], 0, 1e-15);
    rig_close (p[1], 2.5, 1e-15);
    scene_free (s);
}

/* The inertia is given in the inertial frame's axes; the body has it in the link's. */
static void test_turned_inertia (void **state)
{
    (void)state;
    scene *s = rig_good (MODEL ("<link name='a'>" INERTIAL (
        "<pose degrees='true'>0 0 0 0 0 "
        "90</pose><inertia><ixx>1</ixx><iyy>2</iyy><izz>2.5</izz><ixz>0.5</ixz></"
        "inertia>") "</link>"
                    "<link name='b'>" INERTIAL (
                        "<pose degrees='true'>0 0 0 0 30 0</pose><inertia><ixx>1</ixx>"
                        "<iyy>2</iyy><izz>2.5</izz></inertia>") "</link>"));
    dMass m;
    dBodyGetMass (rig_body_id (s, "a"), &m);
    rig_near (m.I, 2, 0, 0, 1e-15);
    rig_near (m.I + 4, 0, 1, 0.5, 1e-15); /* the inertial x axis is the link's y axis */
    rig_near (m.I + 8, 0, 0.5, 2.5, 1e-15);
    dBodyGetMass (rig_body_id (s, "b"), &m);
    /* I = R diag (1, 2, 2.5) R', with R a turn by 30 degrees about y. */
    double c = cos (M_PI / 6), q = sin (M_PI / 6);
    rig_near (m.I, c * c + 2.5 * q * q, 0, 1.5 * c * q, 1e-15);
    rig_near (m.I + 8, 1.5 * c * q, 0, q * q + 2.5 * c * c, 1e-15);
    scene_free (s);
}

/* Points and thin rods have no inertia about some axis; they get a little about all. */
static void test_without_inertia (void **state)
{
    (void)state;
    dMass m;
#define THIN(ixx)                                                                                            \
    MODEL ("<link name='a'>\n" INERTIAL ("<mass>3</mass><inertia><ixx>" ixx "</ixx><iyy>0</iyy><izz>" ixx    \
                                         "</izz></inertia>") "</link>")
    rig_doubtful (
        THIN ("0"),
        "6: <inertia> has a principal moment of 0; all get those of a radius of gyration of 0.001 m more");
    scene *s = rig_good (THIN ("2"));
    dBodyGetMass (rig_body_id (s, "a"), &m);
    rig_near (m.I, 2 + 3e-6, 0, 0, 1e-15);
    rig_near (m.I + 4, 0, 3e-6, 0, 1e-15);
    rig_near (m.I + 8, 0, 0, 2 + 3e-6, 1e-15);
    scene_free (s);
}

/* Of shapes with a density, of water without one, and scaled to a mass that is given. */
static void test_inertia_of_shapes (void **state)
{
    (void)state;
#define SHAPED(mass)                                                                                         \
    MODEL ("<link name='a'><inertial auto='true'>" mass "<density>2</density></inertial>"                    \
           "<collision name='c'><pose degrees='true'>1 0 0 0 0 90</pose><geometry><box><size>1 2 "           \
           "3</size></box></geometry></collision>"                                                           \
           "<collision name='d'><density>4</density><pose>-1 0 0 0 0 0</pose><geometry><box><size>1 1 "      \
           "1</size></box></geometry></collision></link>")
    /* 12 kg at x = 1 and 4 kg at x = -1: centre 0.5. */
    const double Ix = (1 + 9) + 4 * 2 / 12., Iy = 12 * 13 / 12. + 3 + 4 * 2 / 12. + 9,
                 Iz = 12 * 5 / 12. + 3 + 4 * 2 / 12. + 9;
    dMass m;
    for (int scaled = 0; scaled < 2; scaled++)
    {
        scene *s = rig_good (scaled ? SHAPED ("<mass>32</mass>") : SHAPED (""));
        assert_string_equal (rig_warnings, "");
        dBodyGetMass (rig_body_id (s, "a"), &m);
        rig_close ((double)m.mass, scaled ? 32 : 16, 1e-14);
        rig_near (dBodyGetPosition (rig_body_id (s, "a")), 0.5, 0, 0, 1e-15);
        const double by = scaled ? 2 : 1;
        rig_close ((double)m.I[0], by * Ix, 1e-13);
        rig_close ((double)m.I[5], by * Iy, 1e-13);
        rig_close ((double)m.I[10], by * Iz, 1e-13);
        scene_free (s);
    }
    scene *s = rig_good (MODEL ("<link name='a'><inertial auto='true'/><collision name='c'><geometry><sphere>"
                                "<radius>0.1</radius></sphere></geometry></collision></link>"));
    dBodyGetMass (rig_body_id (s, "a"), &m);
    rig_close ((double)m.mass, 1000 * 4 / 3. * M_PI * 1e-3, 1e-14);
    scene_free (s);
    /* Shapes that are not known have no mass, which is said, and said of each. */
    s = rig_good (MODEL ("<link name='a'><inertial auto='true'/><collision "
                         "name='c'><geometry><ellipsoid/></geometry></collision>\n"
                         "<collision name='d'><geometry><ellipsoid/></geometry></collision></link>"));
    assert_non_null (strstr (
        rig_warnings,
        ":5: <ellipsoid> is none of box, sphere, cylinder, capsule, plane and mesh; the body does not"));
    assert_non_null (strstr (rig_warnings, ":6: <ellipsoid> is none of box"));
    scene_free (s);
    rig_bad (MODEL ("<link name='a'><inertial auto='true'/><collision name='c'><density>0</density><geometry>"
                    "<sphere/></geometry></collision></link>"),
             "5: <density> must be positive, is 0");
}

static void test_defaults (void **state)
{
    (void)state;
    scene *s = rig_good (MODEL ("<link name='a'/>"));
    dMass m;
    dBodyGetMass (rig_body_id (s, "a"), &m);
    rig_close ((double)m.mass, 1, 0);
    rig_near (m.I, 1, 0, 0, 0);
    rig_near (m.I + 8, 0, 0, 1, 0);
    assert_int_equal (dBodyGetGravityMode (rig_body_id (s, "a")), 1);
    assert_int_equal (dBodyIsKinematic (rig_body_id (s, "a")), 0);
    rig_close ((double)dWorldGetERP (scene_world (s)), 0.2, 1e-15);
    rig_close ((double)dWorldGetCFM (scene_world (s)), 1e-10, 1e-24);
    scene_free (s);
}

static void test_flags (void **state)
{
    (void)state;
    scene *s = rig_good (
        MODEL ("<link name='a'><gravity>false</gravity></link><link name='b'><kinematic>1</kinematic>"
               "<rls:velocity>1 2 3 4 5 6</rls:velocity></link>"));
    assert_int_equal (dBodyGetGravityMode (rig_body_id (s, "a")), 0);
    assert_int_equal (dBodyIsKinematic (rig_body_id (s, "b")), 1);
    rig_near (dBodyGetLinearVel (rig_body_id (s, "b")), 1, 2, 3, 0);
    rig_near (dBodyGetAngularVel (rig_body_id (s, "b")), 4, 5, 6, 0);
    scene_free (s);
}

static void test_world_settings (void **state)
{
    (void)state;
    scene *s = rig_good (
        "<sdf version='1.9'><world name='w'><gravity>1 2 3</gravity>"
        "<physics name='slow' type='ode'><max_step_size>1</max_step_size></physics>"
        "<physics name='fast' type='ode' default='true'><max_step_size>0.004</max_step_size><ode>"
        "<solver><type>quick</type><iters>77</iters><sor>1.1</sor></solver><constraints><cfm>1e-5</cfm>"
        "<erp>0.6</erp><contact_max_correcting_vel>9</contact_max_correcting_vel>"
        "<contact_surface_layer>0.002</contact_surface_layer></constraints></ode></physics>"
        "<model name='m'><link name='a'/></model></world></sdf>");
    dWorldID w = scene_world (s);
    dVector3 g;
    dWorldGetGravity (w, g);
    rig_near (g, 1, 2, 3, 0);
    rig_close (scene_time_step (s), 0.004, 0);
    assert_int_equal (dWorldGetQuickStepNumIterations (w), 77);
    rig_close ((double)dWorldGetQuickStepW (w), 1.1, 1e-15);
    rig_close ((double)dWorldGetCFM (w), 1e-5, 1e-20);
    rig_close ((double)dWorldGetERP (w), 0.6, 1e-15);
    rig_close ((double)dWorldGetContactMaxCorrectingVel (w), 9, 0);
    rig_close ((double)dWorldGetContactSurfaceLayer (w), 0.002, 1e-17);
    assert_string_equal (rig_warnings, "");
    scene_free (s);
}

/* World axes, at the centre of mass, however the link is turned; not again by the callback. */
static void test_constant_force (void **state)
{
    (void)state;
    scene *s = rig_good (MODEL ("<link name='a'><pose>0 0 0 1 2 3</pose>" INERTIAL (
        "<pose>1 0 0 0 0 0</pose>") "<rls:force>1 2 3 4 5 6</rls:force></link>"));
    for (int within = 0; within < 2; within++)
    {
        dBodySetForce (rig_body_id (s, "a"), 0, 0, 0);
        dBodySetTorque (rig_body_id (s, "a"), 0, 0, 0);
        scene_before_step (s, 0, within);
        if (within) scene_forces (s, scene_world (s), 0);
        rig_near (dBodyGetForce (rig_body_id (s, "a")), 1, 2, 3, 0);
        rig_near (dBodyGetTorque (rig_body_id (s, "a")), 4, 5, 6, 0);
    }
    scene_free (s);
}

static void test_springs (void **state)
{
    (void)state;
    scene *s = rig_good (
        MODEL ("<link name='a'><pose>1 0 0 0 0 0</pose><rls:velocity>0.5 0 0 0 0 0</rls:velocity></link>"
               "<link name='b'><pose>1 0 -4 0 0 0</pose></link>"
               "<rls:spring name='s' link1='a' point1='2 0 0' stiffness='10' damping='4' length='1'/>"
               "<rls:spring name='t' link1='a' point1='0 1 0' link2='b' point2='0 1 0' stiffness='5'/>"));
    dBodyID a = rig_body_id (s, "a"), b = rig_body_id (s, "b");
    double kinetic, potential, end1[3], end2[3];
    assert_int_equal (scene_spring_count (s), 2);
    scene_spring_ends (s, 0, end1, end2);
    rig_close (end1[0], 3, 0);
    rig_close (end2[0], 0, 0);
    scene_energy (s, &kinetic, &potential);
    rig_close (potential, 10 * 2 * 2 / 2.0, 1e-14); /* t is unstretched by default */
    scene_before_step (s, 0, 0);
    rig_near (dBodyGetForce (a), -10 * 2 - 4 * 0.5, 0, 0, 1e-14);
    rig_near (dBodyGetForce (b), 0, 0, 0, 0);
    /* Pull b down by 3: t is stretched by 3 and pulls at 0 1 0, which turns both. */
    dBodySetPosition (b, 1, 0, -7);
    dBodySetForce (a, 0, 0, 0);
    dBodySetTorque (a, 0, 0, 0);
    scene_forces (s, scene_world (s), 0);
    rig_near (dBodyGetForce (b), 0, 0, 15, 1e-14);
    rig_near (dBodyGetTorque (b), 15, 0, 0, 1e-14);
    rig_near (dBodyGetForce (a), -22, 0, -15, 1e-14);
    rig_near (dBodyGetTorque (a), -15, 0, 0, 1e-14);
    scene_energy (s, &kinetic, &potential);
    rig_close (potential, 20 + 5 * 9 / 2.0, 1e-13);
    scene_free (s);
}

/* What a COLLADA file shows is moved as its nodes say, within each other and by name; a mesh that bodies
 * touch is a box, which is said once. */
static void test_collada (void **state)
{
    (void)state;
#define PART                                                                                                 \
    "<geometry id='g'><mesh><source id='p'><float_array>0 0 0 1 2 3</float_array></source><vertices id='v'>" \
    "<input semantic='POSITION' source='#p'/></vertices></mesh></geometry>"
#define SHOWING(nodes)                                                                                       \
    "<COLLADA xmlns='c'><asset><unit meter='0.1'/></asset><library_geometries>" PART                         \
    "</library_geometries><library_nodes><node id='turned'><rotate>0 0 2 90</rotate>"                        \
    "<instance_geometry url='#g'/></node><node id='ring'><instance_node url='#ring'/><instance_node "        \
    "url='#ring'/></node></library_nodes><library_visual_scenes><visual_scene id='s'>" nodes                 \
    "</visual_scene></library_visual_scenes></COLLADA>"
    static const struct
    {
        const char *text;
        double size[3], place[3];
    } files[] = {
        {SHOWING (
             "<node><matrix>2 0 0 5 0 2 0 0 0 0 2 0 0 0 0 1</matrix><instance_geometry url='#g'/></node>"),
         {0.2, 0.4, 0.6},
         {0.6, 0.2, 0.3}},
        {SHOWING ("<node><translate>1 0 0</translate><scale>3 1 1</scale><node><translate>0 0 1</translate>"
                  "<instance_node url='#turned'/></node></node>"),
         {0.6, 0.1, 0.3},
         {-0.2, 0.05, 0.25}},
        {SHOWING ("<node><matrix>1 2</matrix><instance_camera url='#c'/></node>"), /* shows nothing */
         {0.1, 0.2, 0.3},
         {0.05, 0.1, 0.15}},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
    {
        rig_write ("part.dae", files[i].text);
        scene *s = rig_good (MODEL ("<link name='a'><collision name='c'><geometry><mesh><uri>part.dae</uri>"
                                    "</mesh></geometry></collision>\n<collision name='d'><geometry><mesh>"
                                    "<uri>part.dae</uri></mesh></geometry></collision></link>"));
        for (int k = 0; k < 3; k++)
        {
            rig_close (s->collisions[0]->size[k], files[i].size[k], 1e-12);
            rig_close (s->collisions[0]->in_link.p[k], files[i].place[k], 1e-12);
        }
        assert_int_equal (rig_warning_count, 1);
        assert_non_null (
            strstr (rig_warnings, "scene.sdf:5: <collision> is a mesh; its bounding box is taken\n"));
        scene_free (s);
    }
    /* A node that shows itself twice ends. */
    rig_write ("part.dae", SHOWING ("<node><instance_node url='#ring'/></node>"));
    scene_free (
        rig_good (MODEL ("<link name='a'><collision name='c'><geometry><mesh><uri>part.dae</uri></mesh>"
                         "</geometry></collision></link>")));
    assert_non_null (strstr (rig_warnings, "shows more than"));
}

/* ---- visuals
 * ------------------------------------------------------------------------------------------------ */

#define BOX "<geometry><box><size>1 2 3</size></box></geometry>"

static void test_visuals (void **state)
{
    (void)state;
    rig_write ("tri.obj", "# a triangle\nv -1 0 0\nv 3 1e0 0\nv 0 0 5\nf 1 2 3\n");
    rig_write ("tri.stl", "solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 2 "
                          "0\nendloop\nendfacet\n");
    rig_write (
        "tri.dae",
        "<COLLADA xmlns='http://www.collada.org/2005/11/COLLADASchema'><asset><unit meter='0.5'/></asset>"
        "<library_geometries><geometry><mesh><source id='n'><float_array>9 9 9</float_array></source>"
        "<source id='p'><float_array count='6'>0 0 0 2 4 6</float_array></source>"
        "<vertices id='v'><input semantic='POSITION' source='#p'/></vertices></mesh></geometry>"
        "</library_geometries></COLLADA>");
    char stl[134] = {0};
    const float corners[9] = {0, 0, 0, 4, 0, 0, 0, 0, -6};
    stl[80] = 1;
    memcpy (stl + 96, corners, sizeof corners);
    rig_write_bytes ("binary.stl", stl, sizeof stl);
    scene *s = rig_good (WORLD ("<model name='m'><pose>10 0 0 0 0 0</pose><link name='a'>" INERTIAL (
        "<pose>0 0 1 0 0 0</pose>") "<visual name='v'><pose>1 0 0 0 0 0</pose>" BOX
                                    "<material><diffuse>0.1 0.2 0.3</diffuse></material></visual>"
                                    "<visual name='o'><geometry><mesh><uri>tri.obj</uri><scale>1 2 "
                                    "1</scale></mesh></geometry></visual>"
                                    "<visual "
                                    "name='t'><geometry><mesh><uri>tri.stl</uri></mesh></geometry></visual>"
                                    "<visual "
                                    "name='u'><geometry><mesh><uri>binary.stl</uri></mesh></geometry></"
                                    "visual>"
                                    "<visual "
                                    "name='d'><geometry><mesh><uri>tri.dae</uri></mesh></geometry></visual></"
                                    "link>"
                                    "<link name='b'><collision "
                                    "name='c'><geometry><capsule><radius>1</radius><length>2</length></"
                                    "capsule>"
                                    "</geometry></collision></link><link name='c'/></model>"
                                    "<model name='r'><static>true</static><link name='f'><visual "
                                    "name='p'><pose>0 0 1 0 0 0</pose>"
                                    "<geometry><plane><normal>1 0 0</normal><size>4 "
                                    "5</size></plane></geometry></visual></link></model>"));
    assert_int_equal (scene_visual_count (s), 8);
    const double sizes[8][3] = {{1, 2, 3}, {4, 2, 5}, {1, 2, 1e-6}, {4, 1e-6, 6},
                                {1, 2, 3}, {4, 5, 0}, {1, 2, 0},    {0, 0, 0}};
    const double places[7][3] = {{1, 0, -1},    {1, 1, 1.5}, {0.5, 1, -1}, {2, 0, -4},
                                 {0.5, 1, 0.5}, {0, 0, 1},   {0, 0, 0}};
    for (int i = 0; i < 7; i++)
        for (int k = 0; k < 3; k++)
        {
            rig_close (scene_visual_at (s, i)->size[k], sizes[i][k], 1e-6);
            rig_close (scene_visual_at (s, i)->position[k], places[i][k], 1e-6);
        }
    const scene_visual *box = scene_visual_at (s, 0), *plane = scene_visual_at (s, 5),
                       *capsule = scene_visual_at (s, 6);
    assert_int_equal (box->body_index, rig_body (s, "a"));
    assert_ptr_equal (box->body, rig_body_id (s, "a"));
    assert_int_equal (box->coloured, 1);
    rig_close ((double)box->rgba[2], 0.3, 1e-7);
    rig_close ((double)box->rgba[3], 1, 0);
    assert_int_equal (plane->body_index, -1);
    assert_int_equal (plane->shape, scene_shape_plane);
    scene_pose turned = scene_pose_identity;
    double up[3] = {0, 0, 1};
    memcpy (turned.q, plane->rotation, sizeof turned.q);
    pose_rotate (&turned, up, up);
    rig_close (up[0], 1, 1e-15);
    assert_int_equal (capsule->shape, scene_shape_capsule);
    assert_int_equal (capsule->source, scene_visual_from_collision);
    assert_int_equal (capsule->coloured, 0);
    assert_int_equal (scene_visual_at (s, 7)->source, scene_visual_from_inertia);
    assert_int_equal (scene_visual_at (s, 7)->body_index, rig_body (s, "c"));
    scene_free (s);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_body_at_centre_of_mass),
        cmocka_unit_test (test_turned_inertia),
        cmocka_unit_test (test_without_inertia),
        cmocka_unit_test (test_inertia_of_shapes),
        cmocka_unit_test (test_defaults),
        cmocka_unit_test (test_flags),
        cmocka_unit_test (test_world_settings),
        cmocka_unit_test (test_constant_force),
        cmocka_unit_test (test_springs),
        cmocka_unit_test (test_collada),
        cmocka_unit_test (test_visuals),
    };
    return cmocka_run_group_tests (tests, rig_start, rig_end);
}
