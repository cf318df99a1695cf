/* Generated scenes: sizes, starting states, and names that are none. */
#include "scene_rig.h"

static scene *generate (const char *name)
{
    char error[300] = "";
    scene *s = scene_read (name, NULL, NULL, error, sizeof error);
    if (!s) fail_msg ("%s", error);
    assert_string_equal (scene_name (s), name);
    return s;
}

static int count_type (const scene *s, dJointType type)
{
    int count = 0;
    for (int i = 0; i < scene_joint_count (s); i++)
        count += dJointGetType (scene_joint_at (s, i)->joint) == type;
    return count;
}

static void test_fourbar (void **state)
{
    (void)state;
    for (int n = 1; n <= 40; n += 13)
    {
        char name[20];
        double kinetic, potential, p[3];
        snprintf (name, sizeof name, "fourbar:%d", n);
        scene *s = generate (name);
        assert_int_equal (scene_body_count (s), 2 * n + 1);
        assert_int_equal (count_type (s, dJointTypeHinge), 3 * n + 1);
        assert_int_equal (scene_joint_count (s), 3 * n + 1);
        scene_energy (s, &kinetic, &potential);
        /* Cranks turn about their feet, couplers are shifted, all at 1 m/s at the top. */
        rig_close (kinetic, (n + 1) * (1.01 / 12 + 0.25) / 2 + n * 0.5, 1e-12);
        rig_close (potential, 9.81 * ((n + 1) * 0.5 + n), 1e-10);
        scene_probe_position (s, 0, p);
        rig_near ((const dReal[]){(dReal)p[0], (dReal)p[1], (dReal)p[2]}, 0, 1, 0, 1e-15);
        /* Neighbours move with each other: no joint is torn. */
        dVector3 a, v1, v2;
        for (int i = 0; i < scene_joint_count (s); i++)
        {
            dJointID j = scene_joint_at (s, i)->joint;
            dJointGetHingeAnchor (j, a);
            dBodyGetPointVel (dJointGetBody (j, 0), a[0], a[1], a[2], v1);
            dSetZero (v2, 4);
            if (dJointGetBody (j, 1)) dBodyGetPointVel (dJointGetBody (j, 1), a[0], a[1], a[2], v2);
            rig_near (v1, (double)v2[0], (double)v2[1], (double)v2[2], 1e-15);
        }
        scene_free (s);
    }
}

static void test_miura (void **state)
{
    (void)state;
    for (int n = 1; n <= 7; n += 3)
    {
        char name[20];
        snprintf (name, sizeof name, "miura:%d", n);
        scene *s = generate (name);
        assert_int_equal (scene_body_count (s), n * n - 1); /* one panel is fixed */
        assert_int_equal (count_type (s, dJointTypeHinge), 2 * n * (n - 1));
        assert_int_equal (scene_joint_count (s), 2 * n * (n - 1));
        dRLSStepperID stepper = dRLSStepperCreate (scene_world (s), NULL);
        dRLSReport report = {.struct_size = sizeof report};
        assert_int_equal (dRLSStepperAnalyse (stepper), 1);
        dRLSStepperGetReport (stepper, &report);
        assert_int_equal (report.dof, n > 1);
        dRLSStepperDestroy (stepper);
        scene_free (s);
    }
}

static void test_chain_and_nets (void **state)
{
    (void)state;
    scene *s = generate ("chain:7");
    assert_int_equal (scene_body_count (s), 7);
    assert_int_equal (count_type (s, dJointTypeHinge), 7);
    double p[3];
    scene_probe_position (s, 0, p);
    rig_close (p[0], 7, 0);
    scene_free (s);
    s = generate ("stacks:3");
    assert_int_equal (scene_body_count (s), 30);
    scene_free (s);
    s = generate ("chains:3");
    assert_int_equal (scene_body_count (s), 150);
    assert_int_equal (count_type (s, dJointTypeHinge), 150);
    scene_free (s);
    s = generate ("hub:6");
    assert_int_equal (scene_body_count (s), 7);
    assert_int_equal (count_type (s, dJointTypeHinge), 7);
    scene_free (s);
    s = generate ("net:5");
    assert_int_equal (scene_body_count (s), 25);
    assert_int_equal (count_type (s, dJointTypeBall), 2 * 5 * 4 + 5);
    scene_free (s);
    s = generate ("netc:5");
    assert_int_equal (count_type (s, dJointTypeBall), 2 * 5 * 4 + 2);
    scene_free (s);
    s = generate ("netc:1");
    assert_int_equal (count_type (s, dJointTypeBall), 1);
    scene_free (s);
}

/* Piles stand where they are put; ragdolls hold together and come to lie on the ground. */
static void test_piles (void **state)
{
    (void)state;
    static const char *const names[] = {"stack:5", "wall:30", "ragdolls:2"};
    for (int k = 0; k < 3; k++)
    {
        scene *s = generate (names[k]);
        double before[3], after[3];
        scene_probe_position (s, 0, before);
        dRandSetSeed (1);
        for (int i = 0; i < 300; i++)
        {
            scene_before_step (s, i * 0.01, 0);
            assert_true (dWorldQuickStep (scene_world (s), (dReal)0.01));
            scene_after_step (s);
        }
        scene_probe_position (s, 0, after);
        assert_true (scene_penetration (s) < 0.02);
        if (k < 2)
            rig_close (after[2], before[2], 0.02);
        else
            assert_true (after[2] > 0.05 && after[2] < before[2]);
        assert_true (scene_contact_count (s) > 10);
        scene_free (s);
    }
    scene *s = generate ("ragdolls:3");
    assert_int_equal (scene_body_count (s), 33);
    assert_int_equal (count_type (s, dJointTypeUniversal), 3 * 6);
    assert_int_equal (count_type (s, dJointTypeHinge), 3 * 4);
    scene_before_step (s, 0, 0);
    assert_int_equal (scene_contact_count (s), 0);
    scene_after_step (s);
    scene_free (s);
}

static void test_names (void **state)
{
    (void)state;
    static const struct
    {
        const char *name, *error;
    } wrong[] = {
        {"chain:0", "chain:0: the number of links must be from 1 to 1000000"},
        {"chain:-1", "chain:-1: the number of links must be from 1 to 1000000"},
        {"chain:", "chain:: the number of links must be from 1 to 1000000"},
        {"chain:5x", "chain:5x: the number of links must be from 1 to 1000000"},
        {"net:1e9", "net:1e9: the number of bodies a side must be from 1 to 300"},
        {"wall:99999999999999999999",
         "wall:99999999999999999999: the number of bricks must be from 1 to 20000"},
        {"chainz:5", "chainz:5: cannot be opened"},
    };
    char error[300];
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    {
        assert_null (scene_read (wrong[i].name, NULL, NULL, error, sizeof error));
        assert_string_equal (error, wrong[i].error);
    }
}

/* A file of that name wins. */
static void test_file_wins (void **state)
{
    (void)state;
    char before[1000];
    assert_non_null (getcwd (before, sizeof before));
    assert_int_equal (chdir (rig_folder), 0);
    rig_write ("chain:3", MODEL ("<link name='a'/>"));
    scene *s = scene_read ("chain:3", NULL, NULL, NULL, 0);
    assert_non_null (s);
    assert_int_equal (scene_body_count (s), 1);
    scene_free (s);
    assert_int_equal (chdir (before), 0);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_fourbar),        cmocka_unit_test (test_miura),
        cmocka_unit_test (test_chain_and_nets), cmocka_unit_test (test_piles),
        cmocka_unit_test (test_names),          cmocka_unit_test (test_file_wins),
    };
    return cmocka_run_group_tests (tests, rig_start, rig_end);
}
