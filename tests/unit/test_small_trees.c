/*
 * Islands of a few bodies that form a tree are stepped in batches: their motion is that of an island with a
 * workspace of its own, of single bodies to the last bit; it is the same, bit for bit, whatever others there
 * are; and they keep little.
 *
 * A joint with feedback sends its island to a workspace: that is the other side of each comparison.
 */
#include <malloc.h>
#include <ode/ode.h>
#include <ode_rls/ode_rls.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <math.h>

#define H ((dReal)0.005)
#define MOST 8 /* bodies of a tree */
#define SHAPES 6
#define COPIES 7 /* of each shape, in different motion */

typedef struct
{
    dWorldID world;
    dRLSStepperID stepper;
    dBodyID body[SHAPES * COPIES * MOST];
    dJointID joint[SHAPES * COPIES * MOST];
    dJointFeedback feedback[SHAPES * COPIES * MOST];
    int bodies, joints;
} scene;

static dJointID join (scene *s, dJointType type, dBodyID a, dBodyID b, dReal x, dReal y, dReal z)
{
    dJointID joint;
    if (type == dJointTypeBall)
    {
        joint = dJointCreateBall (s->world, NULL);
        dJointAttach (joint, a, b);
        dJointSetBallAnchor (joint, x, y, z);
    }
    else if (type == dJointTypeHinge)
    {
        joint = dJointCreateHinge (s->world, NULL);
        dJointAttach (joint, a, b);
        dJointSetHingeAnchor (joint, x, y, z);
        dJointSetHingeAxis (joint, (dReal)0.1, 1, (dReal)0.2);
    }
    else
    {
        joint = dJointCreateUniversal (s->world, NULL);
        dJointAttach (joint, a, b);
        dJointSetUniversalAnchor (joint, x, y, z);
        dJointSetUniversalAxis1 (joint, 0, 0, 1);
        dJointSetUniversalAxis2 (joint, 0, 1, 0);
    }
    s->joint[s->joints++] = joint;
    return joint;
}

static dBodyID bar (scene *s, dReal x, dReal y, dReal z, int seed)
{
    dMass mass;
    dBodyID body = dBodyCreate (s->world);
    dMassSetBoxTotal (&mass, 1, 1, (dReal)0.2, (dReal)0.1);
    dBodySetMass (body, &mass);
    dBodySetPosition (body, x, y, z);
    dBodySetAngularVel (body, (dReal)sin (seed), (dReal)cos (2 * seed), (dReal)sin (3 * seed));
    s->body[s->bodies++] = body;
    return body;
}

/* A pendulum on each kind of joint, chains with and without the world, a star of six. */
static void add_tree (scene *s, int shape, int seed)
{
    static const dJointType types[3] = {dJointTypeHinge, dJointTypeBall, dJointTypeUniversal};
    const dReal x = (dReal)(3 * shape), y = (dReal)(3 * seed);
    dBodyID last = NULL, middle;
    if (shape < 3)
        join (s, types[shape], bar (s, x, y, 0, seed), NULL, x - (dReal)0.5, y, 0);
    else if (shape < 5)
        for (int i = 0; i < MOST; ++i)
        {
            dBodyID body = bar (s, x + (dReal)i, y, 0, seed + i);
            if (last || shape == 3) join (s, types[i % 3], body, last, x + (dReal)i - (dReal)0.5, y, 0);
            last = body;
        }
    else
    {
        middle = bar (s, x, y, 0, seed);
        for (int i = 0; i < 6; ++i)
            join (s, types[i % 3], middle, bar (s, x + (dReal)cos (i), y + (dReal)sin (i), 0, seed + i),
                  x + (dReal)(0.5 * cos (i)), y + (dReal)(0.5 * sin (i)), 0);
    }
}

static void begin (scene *s, int integrator)
{
    memset (s, 0, sizeof (*s));
    s->world = dWorldCreate ();
    dWorldSetGravity (s->world, 0, 0, (dReal)-9.81);
    s->stepper = dRLSStepperCreate (s->world, NULL);
    dRLSStepperSetIntegrator (s->stepper, integrator);
}

static void end (scene *s)
{
    dRLSStepperDestroy (s->stepper);
    dWorldDestroy (s->world);
}

static void same_motion (const scene *a, int first, const scene *b, int other, int bodies)
{
    for (int i = 0; i < bodies; ++i)
    {
        dBodyID one = a->body[first + i], two = b->body[other + i];
        assert_memory_equal (dBodyGetPosition (one), dBodyGetPosition (two), 3 * sizeof (dReal));
        assert_memory_equal (dBodyGetQuaternion (one), dBodyGetQuaternion (two), 4 * sizeof (dReal));
        assert_memory_equal (dBodyGetLinearVel (one), dBodyGetLinearVel (two), 3 * sizeof (dReal));
        assert_memory_equal (dBodyGetAngularVel (one), dBodyGetAngularVel (two), 3 * sizeof (dReal));
    }
}

/* What a program may do between steps; the same to both. */
static void interfere (scene *s, int step)
{
    dBodyID body = s->body[(size_t)step % (size_t)s->bodies];
    dMass mass;
    switch (step % 12)
    {
    case 3:
        dBodyAddForce (body, 1, 2, -1);
        break;
    case 5:
        dBodySetAngularVel (body, 0, (dReal)0.5, 0);
        break;
    case 7:
        dBodyGetMass (body, &mass);
        dMassAdjust (&mass, mass.mass * (dReal)1.1);
        if (step > 100) dBodySetMass (body, &mass);
        break;
    case 9:
        dBodySetLinearDamping (body, step > 60 ? (dReal)0.01 : 0);
        break;
    default:
        break;
    }
}

static void as_in_a_workspace (int integrator, int disturbed)
{
    static scene batch, alone;
    for (int shape = 0; shape < SHAPES; ++shape)
    {
        begin (&batch, integrator);
        begin (&alone, integrator);
        add_tree (&batch, shape, 1);
        add_tree (&alone, shape, 1);
        for (int j = 0; j < alone.joints; ++j) dJointSetFeedback (alone.joint[j], &alone.feedback[j]);
        for (int i = 0; i < 150; ++i)
        {
            if (disturbed) interfere (&batch, i), interfere (&alone, i);
            assert_true (dRLSStepperStep (batch.stepper, H));
            assert_true (dRLSStepperStep (alone.stepper, H));
            if (!disturbed && batch.bodies == 1) same_motion (&batch, 0, &alone, 0, 1);
        }
        /* where histories begin anew, or four bodies of one island look after each other, rounding differs */
        for (int b = 0; b < batch.bodies; ++b)
            for (int k = 0; k < 3; ++k)
                assert_true (fabs ((double)(dBodyGetPosition (batch.body[b])[k] -
                                            dBodyGetPosition (alone.body[b])[k])) < 1e-10);
        end (&batch);
        end (&alone);
    }
}

static void they_move_as_in_a_workspace (void **state)
{
    (void)state;
    as_in_a_workspace (dRLSIntegratorAuto, 0);
    as_in_a_workspace (dRLSIntegratorSymplectic4, 0);
    as_in_a_workspace (dRLSIntegratorSymplectic6, 0);
}

static void whoever_interferes (void **state)
{
    (void)state;
    as_in_a_workspace (dRLSIntegratorAuto, 1);
}

static void they_do_not_hear_of_each_other (void **state)
{
    (void)state;
    static scene all, one;
    begin (&all, dRLSIntegratorAuto);
    int first[SHAPES * COPIES];
    for (int i = 0; i < SHAPES * COPIES; ++i)
    {
        first[i] = all.bodies;
        add_tree (&all, i % SHAPES, i);
    }
    for (int i = 0; i < 150; ++i)
    {
        if (i == 80)
            dBodySetAngularVel (all.body[first[3]], 300, 200, 100); /* beyond what a step can follow */
        dRLSStepperStep (all.stepper, H);
    }
    for (int i = 0; i < SHAPES * COPIES; ++i)
    {
        if (i == 3) continue;
        begin (&one, dRLSIntegratorAuto);
        add_tree (&one, i % SHAPES, i);
        for (int k = 0; k < 150; ++k) dRLSStepperStep (one.stepper, H);
        same_motion (&all, first[i], &one, 0, one.bodies);
        end (&one);
    }
    dRLSReport report = {.struct_size = sizeof report};
    assert_true (dRLSStepperGetReport (all.stepper, &report));
    assert_int_equal (report.islands, SHAPES * COPIES);
    assert_int_equal (report.bodies, all.bodies);
    assert_int_equal (report.joints, all.joints);
    assert_int_equal (report.rank, report.rows);
    assert_true (report.violation_m < 1e-13 && report.violation_rad < 1e-13);
    end (&all);
}

static void saved_states_go_on_as_before (void **state)
{
    (void)state;
    static scene s;
    begin (&s, dRLSIntegratorAuto);
    for (int i = 0; i < 12; ++i) add_tree (&s, i % SHAPES, i);
    for (int i = 0; i < 20; ++i) dRLSStepperStep (s.stepper, H);
    dRLSStateID saved = dRLSStateCreate ();
    assert_true (dRLSStepperSaveState (s.stepper, saved, s.body, s.bodies));
    dReal x[2][3];
    for (int run = 0; run < 2; ++run)
    {
        for (int i = 0; i < 50; ++i) dRLSStepperStep (s.stepper, H);
        memcpy (x[run], dBodyGetPosition (s.body[s.bodies - 1]), sizeof (x[run]));
        assert_true (dRLSStepperRestoreState (s.stepper, saved));
    }
    assert_memory_equal (x[0], x[1], sizeof (x[0]));
    dRLSStateDestroy (saved);
    end (&s);
}

static double heap_bytes (void)
{
    struct mallinfo2 now = mallinfo2 ();
    return (double)now.uordblks + (double)now.hblkhd;
}

static void they_take_little_memory (void **state)
{
    (void)state;
    static scene s;
    begin (&s, dRLSIntegratorAuto);
    for (int i = 0; i < 2000; ++i)
    {
        s.bodies = s.joints = 0;
        add_tree (&s, 0, i);
    }
    const double before = heap_bytes ();
    for (int i = 0; i < 12; ++i) assert_true (dRLSStepperStep (s.stepper, H));
    assert_true (heap_bytes () - before < 2000.0 * 8192);
    end (&s);
}

int main (void)
{
    dInitODE2 (0);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (they_move_as_in_a_workspace), cmocka_unit_test (whoever_interferes),
        cmocka_unit_test (they_do_not_hear_of_each_other), cmocka_unit_test (saved_states_go_on_as_before),
        cmocka_unit_test (they_take_little_memory)};
    const int failed = cmocka_run_group_tests (tests, NULL, NULL);
    dCloseODE ();
    return failed;
}
