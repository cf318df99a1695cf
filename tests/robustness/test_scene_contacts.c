/* Collisions: who touches whom, shapes and poses of geoms, and the surfaces of contacts. */
#include "scene_rig.h"

/* clang-format off */
#define GROUND "<model name='g'><static>true</static><link name='floor'><collision name='c'><geometry><plane/></geometry>" \
    "<surface><friction><ode><mu>0.3</mu><mu2>0.3</mu2></ode></friction></surface></collision></link></model>"
#define BALL(name, pose, more) "<link name='" name "'><pose>" pose "</pose><collision name='c'><geometry><sphere><radius>0.5</radius></sphere>" \
    "</geometry>" more "</collision></link>"
#define WITH_GRAVITY(content) "<sdf version='1.9' xmlns:rls='urn:ode-rls'><world name='w'><gravity>0 0 -10</gravity>" content "</world></sdf>"
/* clang-format on */

static int contacts (const char *text)
{
    scene *s = rig_good (text);
    scene_before_step (s, 0, 0);
    int count = scene_contact_count (s);
    scene_after_step (s);
    assert_int_equal (dWorldGetAutoDisableFlag (scene_world (s)), 0);
    scene_free (s);
    return count;
}

static void test_who_collides (void **state)
{
    (void)state;
    const char *two_models = WORLD ("<model name='m'>" BALL (
        "a", "0 0 0 0 0 0", "") "</model>"
                                "<model name='n'>" BALL ("a", "0.9 0 0 0 0 0", "") "</model>");
    assert_int_equal (contacts (two_models), 1);
    assert_int_equal (contacts (MODEL (BALL ("a", "0 0 0 0 0 0", "") BALL ("b", "0.9 0 0 0 0 0", ""))), 0);
    assert_int_equal (contacts (MODEL ("<self_collide>true</self_collide>" BALL ("a", "0 0 0 0 0 0", "")
                                           BALL ("b", "0.9 0 0 0 0 0", ""))),
                      1);
    /* One link that is to collide with its model is enough. */
    assert_int_equal (
        contacts (MODEL ("<link name='b'><self_collide>true</self_collide><collision name='c'><geometry>"
                         "<sphere><radius>0.5</radius></sphere></geometry></collision></link>" BALL (
                             "a", "0.9 0 0 0 0 0", ""))),
        1);
    /* Links that share a joint never do. */
    assert_int_equal (
        contacts (MODEL ("<self_collide>true</self_collide>" BALL ("a", "0 0 0 0 0 0", "") BALL (
            "b", "0.9 0 0 0 0 0",
            "") "<joint name='j' type='ball'><parent>a</parent><child>b</child></joint>")),
        0);
    assert_int_equal (contacts (WORLD (GROUND "<model name='m'>" BALL ("a", "0 0 0.4 0 0 0", "") "</model>")),
                      1);
    assert_int_equal (contacts (WORLD (GROUND "<model name='m'>" BALL (
                          "a", "0 0 0.4 0 0 0",
                          "") "</model>"
                              "<joint name='j' "
                              "type='revolute'><parent>g::floor</parent><child>m::a</child><axis/></joint>")),
                      0);
    /* A rod holds at a distance; what it joins may touch. */
    assert_int_equal (contacts (WORLD ("<model name='m'>" BALL (
                          "a", "0 0 0 0 0 0",
                          "") "</model>"
                              "<model name='n'>" BALL (
                                  "a", "0.9 0 0 0 0 0",
                                  "") "</model>"
                                      "<rls:distance name='d' link1='m::a' link2='n::a' length='0.9'/>")),
                      1);
    /* Nothing that moves: no contact. */
    assert_int_equal (contacts (WORLD (GROUND "<model name='m'><static>true</static>" BALL (
                          "a", "0 0 0.4 0 0 0",
                          "") "</model>"
                              "<model name='k'><link name='a'><pose>9 0 0.4 0 0 "
                              "0</pose><kinematic>true</kinematic><collision name='c'><geometry>"
                              "<sphere><radius>0.5</radius></sphere></geometry></collision></link></model>")),
                      0);
}

/* A geom lies where link, collision and shape say, from the centre of mass of the body. */
static void test_geoms (void **state)
{
    (void)state;
    scene *s = rig_good (WORLD (
        "<model name='m'><pose>0 0 5 0 0 0</pose><link name='a'><pose degrees='true'>1 0 0 0 0 90</pose>"
        "<inertial><pose>0 0 0.7 0 0 0</pose></inertial>"
        "<collision name='c'><pose degrees='true'>2 0 0 90 0 0</pose><geometry><cylinder><radius>0.1</radius>"
        "<length>3</length></cylinder></geometry></collision></link></model>"
        "<model name='g'><static>true</static><pose>0 0 1 0 0 0</pose><link name='f'><pose degrees='true'>0 "
        "0 0 0 90 0</pose>"
        "<collision name='p'><geometry><plane/></geometry></collision>"
        "<collision name='b'><pose>0 0 4 0 0 0</pose><geometry><box><size>1 2 "
        "3</size></box></geometry></collision>"
        "</link></model>"));
    dReal radius, length;
    dGeomID cylinder = s->collisions[0]->geom, plane = s->collisions[1]->geom, box = s->collisions[2]->geom;
    dVector4 parameters;
    dVector3 lengths;
    dGeomCylinderGetParams (cylinder, &radius, &length);
    rig_close ((double)radius, 0.1, 1e-16);
    rig_close ((double)length, 3, 0);
    rig_near (dGeomGetPosition (cylinder), 1, 2, 5, 1e-15);
    const dReal *R = dGeomGetRotation (cylinder);
    rig_close ((double)R[2], 1, 1e-15); /* its axis: z, turned to -y by the collision, to x by the link */
    dGeomPlaneGetParams (plane, parameters);
    rig_near (parameters, 1, 0, 0, 1e-15);
    rig_close ((double)parameters[3], 0, 1e-15);
    rig_near (dGeomGetPosition (box), 4, 0, 1, 1e-15);
    dGeomBoxGetLengths (box, lengths);
    rig_near (lengths, 1, 2, 3, 0);
    assert_string_equal (scene_geom_name (s, box), "g::f");
    assert_string_equal (scene_geom_name (s, cylinder), "a");
    scene_free (s);
}

/* How far a ball or box goes that slides at 3 m/s: v^2 / (2 mu g), less what the first step takes. */
static double slide (const char *surface, double vx, double vy, double *y)
{
    char text[3000];
    snprintf (text, sizeof text,
              WITH_GRAVITY (
                  GROUND
                  "<model name='m'><link name='a'><pose>0 0 0.05 0 0 "
                  "0</pose><inertial><inertia><ixx>100</ixx><iyy>100</iyy><izz>100</izz></inertia></inertial>"
                  "<collision name='c'><geometry><box><size>1 1 0.1</size></box></geometry>%s</collision>"
                  "<rls:velocity>%g %g 0 0 0 0</rls:velocity></link></model>"),
              surface, vx, vy);
    scene *s = rig_good (text);
    scene_set_time_step (s, 0.001);
    for (int i = 0; i < 3000; i++)
    {
        scene_before_step (s, i * 0.001, 0);
        assert_true (dWorldQuickStep (scene_world (s), (dReal)0.001));
        scene_after_step (s);
    }
    const dReal *p = dBodyGetPosition (rig_body_id (s, "a"));
    double x = (double)p[0];
    *y = (double)p[1];
    scene_free (s);
    return x;
}

static void test_friction (void **state)
{
    (void)state;
    double y, x;
    /* SDFormat's default is 1 for both directions; the ground's 0.3 is the smaller. */
    x = slide ("", 3, 0, &y);
    rig_close (x, 9 / (2 * 0.3 * 10), 0.02);
    x = slide ("<surface><friction><ode><mu>0.1</mu><mu2>0.1</mu2></ode></friction></surface>", 2, 0, &y);
    rig_close (x, 4 / (2 * 0.1 * 10), 0.02);
    x = slide ("<surface><friction><ode><mu>0</mu><mu2>0</mu2></ode></friction></surface>", 2, 0, &y);
    rig_close (x, 6, 1e-6);
    /* mu acts along fdir1 and mu2 across it. */
    x = slide (
        "<surface><friction><ode><mu>0.01</mu><mu2>0.2</mu2><fdir1>0 1 0</fdir1></ode></friction></surface>",
        2, 0, &y);
    rig_close (x, 4 / (2 * 0.2 * 10), 0.02);
    x = slide (
        "<surface><friction><ode><mu>0.2</mu><mu2>0.01</mu2><fdir1>0 1 0</fdir1></ode></friction></surface>",
        0, 2, &y);
    rig_close (y, 4 / (2 * 0.2 * 10), 0.02);
    /* fdir1 turns with the collision: here its x is the body's y. */
    x = slide (
        "<pose>0 0 0 0 0 1.5707963267948966</pose>"
        "<surface><friction><ode><mu>0.01</mu><mu2>0.2</mu2><fdir1>1 0 0</fdir1></ode></friction></surface>",
        2, 0, &y);
    rig_close (x, 4 / (2 * 0.2 * 10), 0.02);
    /* Slip: a viscous floor; the force per contact is -v / slip. */
    x = slide ("<surface><friction><ode><slip1>1</slip1><slip2>1</slip2></ode></friction></surface>", 0.1, 0,
               &y);
    assert_true (x > 0.02 && x < 0.06);
}

/* Of two first directions that of the side with the smaller mu counts, whichever is first in the file. */
static void test_two_directions (void **state)
{
    (void)state;
    static const char *const models[2] = {
        "<model name='g'><static>true</static><link name='floor'><collision "
        "name='c'><geometry><plane/></geometry><surface><friction>"
        "<ode><mu>0.2</mu><mu2>1</mu2><fdir1>1 0 "
        "0</fdir1></ode></friction></surface></collision></link></model>",
        "<model name='m'><link name='a'><pose>0 0 0.05 0 0 0</pose><collision "
        "name='c'><geometry><box><size>1 1 0.1</size></box>"
        "</geometry><surface><friction><ode><mu>0.3</mu><mu2>0.01</mu2><fdir1>0 1 "
        "0</fdir1></ode></friction></surface></collision>"
        "<rls:velocity>2 0 0 0 0 0</rls:velocity></link></model>"};
    for (int first = 0; first < 2; first++)
    {
        char text[3000];
        snprintf (text, sizeof text, WITH_GRAVITY ("%s%s"), models[first], models[1 - first]);
        scene *s = rig_good (text);
        rig_run (s, 2000, 0.001);
        rig_close ((double)dBodyGetPosition (rig_body_id (s, "a"))[0], 4 / (2 * 0.2 * 10), 0.02);
        scene_free (s);
    }
}

static void test_surfaces (void **state)
{
    (void)state;
    scene *s = rig_good (WITH_GRAVITY (GROUND "<model name='m'>" BALL (
        "a", "0 0 0.499 0 0 0",
        "<surface><contact><ode><soft_cfm>0.02</soft_cfm><soft_erp>0.4</soft_erp></ode></contact>"
        "</surface>") "</model>"));
    /* At rest: erp / h depth = cfm force. */
    rig_run (s, 2000, 0.01);
    scene_before_step (s, 0, 0);
    rig_close (scene_penetration (s), 0.02 * 10 * 0.01 / 0.4, 1e-9);
    scene_after_step (s);
    scene_free (s);
    s = rig_good (WITH_GRAVITY (GROUND "<model name='m'>" BALL (
        "a", "0 0 1.5 0 0 0",
        "<surface><bounce><restitution_coefficient>0.5</restitution_coefficient>"
        "<threshold>0.1</threshold></bounce></surface>") "</model>"));
    double fastest = 0, slowest = 0;
    for (int i = 0; i < 800; i++)
    {
        rig_run (s, 1, 0.001);
        double v = (double)dBodyGetLinearVel (rig_body_id (s, "a"))[2];
        fastest = fmax (fastest, v);
        slowest = fmin (slowest, v);
    }
    rig_close (fastest, -0.5 * slowest, 0.02);
    scene_free (s);
}

/* Contacts go with the step that they belong to. */
/* A ball of 1 kg on a ground with kp sinks by m g / kp; the other side's kp is 1e12. */
static void test_contact_springs (void **state)
{
    (void)state;
    scene *s = rig_good (WITH_GRAVITY (
        "<model name='g'><static>true</static><link name='floor'><collision "
        "name='c'><geometry><plane/></geometry>"
        "<surface><contact><ode><kp>1e4</kp><kd>100</kd></ode></contact></surface></collision></link></model>"
        "<model name='m'>" BALL ("a", "0 0 0.5 0 0 0", "") "</model>"));
    assert_string_equal (rig_warnings, "");
    scene_set_time_step (s, 0.001);
    rig_run (s, 3000, 0.001);
    scene_before_step (s, 3, 0);
    rig_close (scene_penetration (s), 10 / (1 / (1 / 1e4 + 1 / 1e12)), 1e-8);
    scene_after_step (s);
    scene_free (s);
}

static void test_contacts_are_removed (void **state)
{
    (void)state;
    scene *s = rig_good (WITH_GRAVITY (GROUND "<model name='m'>" BALL ("a", "0 0 0.4 0 0 0", "") "</model>"));
    dBodyID a = rig_body_id (s, "a");
    for (int i = 0; i < 3; i++)
    {
        scene_before_step (s, 0, 0);
        assert_int_equal (dBodyGetNumJoints (a), 1);
        scene_after_step (s);
        assert_int_equal (dBodyGetNumJoints (a), 0);
    }
    rig_close (scene_penetration (s), 0.1, 1e-15);
    scene_free (s);
}

/* A ball that begins depth deep in the ground, without gravity: how far it has risen after 0.2 s. */
static double risen (double depth, const char *contact)
{
    char text[1500];
    snprintf (
        text, sizeof text,
        WORLD (
            "<model name='g'><static>true</static><link name='l'><collision name='c'><geometry><plane/>"
            "</geometry></collision></link></model><model name='m'><pose>0 0 %g 0 0 0</pose><link name='b'>"
            "<collision name='c'><geometry><sphere><radius>0.5</radius></sphere></geometry>"
            "<surface><contact><ode>%s</ode></contact></surface></collision></link></model>"),
        0.5 - depth, contact);
    scene *s = rig_good (text);
    assert_int_equal (rig_warning_count, 0);
    scene_set_time_step (s, 0.001);
    rig_run (s, 200, 0.001);
    const double z = (double)dBodyGetPosition (rig_body_id (s, "b"))[2];
    scene_free (s);
    return z - (0.5 - depth);
}

/* What max_vel and min_depth leave of the recovery. */
static void test_recovery (void **state)
{
    (void)state;
    assert_true (risen (0.1, "") > 0.09);
    rig_close (risen (0.1, "<max_vel>0.05</max_vel>"), 0.05 * 0.2, 1e-6);
    rig_close (risen (0.0015, "<min_depth>0.002</min_depth>"), 0, 1e-12);
    assert_true (risen (0.0015, "") > 0.001);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_who_collides),    cmocka_unit_test (test_recovery),
        cmocka_unit_test (test_geoms),           cmocka_unit_test (test_friction),
        cmocka_unit_test (test_two_directions),  cmocka_unit_test (test_surfaces),
        cmocka_unit_test (test_contact_springs), cmocka_unit_test (test_contacts_are_removed),
    };
    return cmocka_run_group_tests (tests, rig_start, rig_end);
}
