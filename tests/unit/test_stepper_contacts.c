/* Contacts from step to step: what is at rest stays so, and starts from the impulses that it had. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>
#include "oracle_scene.h"

#define H ((dReal)0.01)
#define SIDE ((dReal)0.5)

/* Contacts at the four corners between a box and the one above, seen from either. */
static void touch (scene *s, dJointGroupID group, int below, int above, int turned)
{
    const dBodyID lower = below < 0 ? NULL : s->body[below], upper = s->body[above];
    const dReal face = lower ? dBodyGetPosition (lower)[2] + SIDE / 2 : 0;
    for (int corner = 0; corner < 4; ++corner)
    {
        dContact contact = {.surface = {.mode = dContactApprox1 | dContactSoftCFM, .mu = 1}};
        contact.surface.soft_cfm = (dReal)1e-5;
        contact.geom.pos[0] = dBodyGetPosition (upper)[0] + (corner & 1 ? SIDE : -SIDE) / 2;
        contact.geom.pos[1] = dBodyGetPosition (upper)[1] + (corner & 2 ? SIDE : -SIDE) / 2;
        contact.geom.pos[2] = face;
        contact.geom.normal[2] = turned ? -1 : 1;
        contact.geom.depth = face - dBodyGetPosition (upper)[2] + SIDE / 2;
        if (contact.geom.depth < 0) continue;
        dJointAttach (dJointCreateContact (s->world, group, &contact), turned ? lower : upper,
                      turned ? upper : lower);
    }
}

/* Collision detection names the two bodies in either order; the impulses are found again all the same. */
static void test_either_body_first (void **state)
{
    (void)state;
    scene s = scene_open ((dReal)-9.81);
    const dJointGroupID group = dJointGroupCreate (0);
    for (int i = 0; i < 3; ++i) scene_box (&s, 0, 0, SIDE * ((dReal)i + (dReal)0.5), 1, SIDE, SIDE, SIDE);
    int iterations = 0;
    for (int step = 0; step < 300; ++step)
    {
        for (int i = 0; i < 3; ++i) touch (&s, group, i - 1, i, i > 0 && step % 2);
        scene_step (&s, H, 1);
        dRLSReport report = {.struct_size = sizeof report};
        assert_true (dRLSStepperGetReport (scene_stepper (&s), &report));
        if (step >= 200) iterations += report.bounded_iterations;
        dJointGroupEmpty (group);
    }
    assert_true (iterations <= 100); /* one a step, for the last digits; six if nothing were found again */
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) assert_true (fabs ((double)dBodyGetLinearVel (s.body[i])[k]) < 1e-6);
    dJointGroupDestroy (group);
    scene_close (&s);
}

/* Steps five boxes, each turned otherwise, on the ground; the first one's support goes into f.  Returns how
 * often rows were evaluated. */
static int step_five (scene *s, dJointGroupID group, dReal f[3])
{
    dJointFeedback support[4];
    dRLSReport report = {.struct_size = sizeof report};
    for (int i = 0; i < 5; ++i) touch (s, group, -1, i, 0);
    for (int i = 0; i < 4; ++i) dJointSetFeedback (dBodyGetJoint (s->body[0], i), &support[i]);
    scene_step (s, H, 1);
    for (int k = 0; k < 3; ++k)
        f[k] = support[0].f1[k] + support[1].f1[k] + support[2].f1[k] + support[3].f1[k];
    assert_true (dRLSStepperGetReport (scene_stepper (s), &report));
    dJointGroupEmpty (group);
    return report.row_evaluations;
}

/* What stands is not stepped once more, keeps its pose and its support to the last bit, and moves as soon as
 * something pushes it. */
static void test_what_stands (void **state)
{
    (void)state;
    scene s = scene_open ((dReal)-9.81);
    const dJointGroupID group = dJointGroupCreate (0);
    dQuaternion q;
    dReal before[3], after[3], x[3];
    for (int i = 0; i < 5; ++i)
    {
        dQFromAxisAndAngle (q, 0, 0, 1, (dReal)(0.3 + i));
        scene_box (&s, i, 0, SIDE / 2, 1, SIDE, SIDE, SIDE);
        dBodySetQuaternion (s.body[i], q);
    }
    for (int step = 0; step < 300; ++step) step_five (&s, group, before);
    memcpy (x, dBodyGetPosition (s.body[0]), sizeof (x));
    memcpy (q, dBodyGetQuaternion (s.body[0]), sizeof (q));
    for (int step = 0; step < 20; ++step) assert_int_equal (step_five (&s, group, after), 0);
    assert_memory_equal (x, dBodyGetPosition (s.body[0]), sizeof (x));
    assert_memory_equal (q, dBodyGetQuaternion (s.body[0]), sizeof (q));
    assert_memory_equal (before, after, sizeof (before));
    assert_true (fabs ((double)after[2] - 9.81) < 1e-6);

    dBodyAddForce (s.body[0], 2, 0, 0); /* friction bears it, and its feedback shows it */
    assert_true (step_five (&s, group, after) > 0);
    assert_true (fabs ((double)after[0] + 2) < 1e-3);
    dBodyAddForce (s.body[0], 20, 0, 0); /* and not that */
    step_five (&s, group, after);
    assert_true (dBodyGetLinearVel (s.body[0])[0] > (dReal)0.05);
    dJointGroupDestroy (group);
    scene_close (&s);
}

#define LINKS 9

/* Boxes hinged to each other in a row on the ground, each of which touches it in every third step: what is
 * known of the mechanism lasts, though ODE lists the island in another order each time. */
static void test_contacts_come_and_go (void **state)
{
    (void)state;
    scene s = scene_open ((dReal)-9.81);
    const dJointGroupID group = dJointGroupCreate (0);
    const double axis[3] = {0, 1, 0};
    int factorisations = 0;
    for (int i = 0; i < LINKS; ++i)
    {
        const double between[3] = {(double)SIDE * (i - 0.5), 0, (double)SIDE / 2};
        scene_box (&s, SIDE * (dReal)i, 0, SIDE / 2, 1, SIDE, SIDE, SIDE);
        if (i > 0) scene_hinge (&s, i - 1, i, between, axis);
    }
    for (int step = 0; step < 120; ++step)
    {
        for (int i = (7 * step) % 3; i < LINKS; i += 3) touch (&s, group, NO_BODY, i, 0);
        for (int i = 0; i < LINKS / 2 && step % 2; ++i) touch (&s, group, NO_BODY, i, 0);
        scene_step (&s, H, 1);
        dRLSReport report = {.struct_size = sizeof report};
        assert_true (dRLSStepperGetReport (scene_stepper (&s), &report));
        assert_int_equal (report.islands, 1);
        if (step >= 20) factorisations += report.factorisations;
        dJointGroupEmpty (group);
    }
    assert_true (factorisations <= 100); /* one a step, at its end; another one if its beginning were new */
    assert_true (scene_violation (&s) < 1e-12);
    dJointGroupDestroy (group);
    scene_close (&s);
}

/* A ball that rolls down a slope of one in five, as fast as 60 rad/s, so that it turns by more than half a
 * radian a step: its centre goes as far as its constant acceleration takes it. */
static void test_rolls_as_far_as_it_turns (void **state)
{
    (void)state;
    const dReal radius = (dReal)0.1, slope = 2;
    scene s = scene_open ((dReal)-9.81);
    const dJointGroupID group = dJointGroupCreate (0);
    dMass m;
    scene_box (&s, 0, 0, radius, 1, SIDE, SIDE, SIDE);
    dWorldSetGravity (s.world, slope, 0, (dReal)-9.81);
    dMassSetSphereTotal (&m, 1, radius);
    dBodySetMass (s.body[0], &m);
    for (int step = 0; step < 450; ++step)
    {
        dContact contact = {.surface = {.mode = dContactApprox1, .mu = (dReal)0.5}};
        memcpy (contact.geom.pos, dBodyGetPosition (s.body[0]), sizeof contact.geom.pos);
        contact.geom.pos[2] = 0;
        contact.geom.normal[2] = 1;
        contact.geom.depth = radius - dBodyGetPosition (s.body[0])[2];
        dJointAttach (dJointCreateContact (s.world, group, &contact), s.body[0], NULL);
        scene_step (&s, H, 1);
        dJointGroupEmpty (group);
    }
    assert_true (fabs ((double)dBodyGetPosition (s.body[0])[0] - 0.5 * 2 / 1.4 * 4.5 * 4.5) < 1e-9);
    assert_true (fabs ((double)dBodyGetAngularVel (s.body[0])[1] - 2 / 1.4 * 4.5 / 0.1) < 1e-9);
    dJointGroupDestroy (group);
    scene_close (&s);
}

/* A box on a slider lies 2 cm deep in the floor, and is taken out of it by a fifth of that a step, but for
 * what gravity makes of it; a stop is a centimetre above. */
static void test_a_stop_that_is_not_reached (void **state)
{
    (void)state;
    dReal height[2];
    for (int stopped = 0; stopped < 2; ++stopped)
    {
        scene s = scene_open ((dReal)-9.81);
        const dJointGroupID group = dJointGroupCreate (0);
        scene_box (&s, 0, 0, SIDE / 2 - (dReal)0.02, 1, SIDE, SIDE, SIDE);
        const dJointID slider = scene_joint (&s, dJointCreateSlider, 0, NO_BODY);
        dJointSetSliderAxis (slider, 0, 0, 1);
        if (stopped) dJointSetSliderParam (slider, dParamHiStop, (dReal)0.01);
        dContact contact = {.surface = {.mode = dContactApprox1, .mu = 1}};
        contact.geom.normal[2] = 1;
        contact.geom.depth = (dReal)0.02;
        dJointAttach (dJointCreateContact (s.world, group, &contact), s.body[0], NULL);
        scene_step (&s, H, 1);
        height[stopped] = dBodyGetPosition (s.body[0])[2] - (SIDE / 2 - (dReal)0.02);
        dJointGroupDestroy (group);
        scene_close (&s);
    }
    assert_true (fabs ((double)height[0] - 0.004) < 1e-4);
    assert_true (fabs ((double)(height[1] - height[0])) < 1e-12);
}

/* A box sinks into a contact of 500 N/m and 20 N s/m, of its own ERP, as its closed form does. */
static void test_soft_contacts_have_their_damper (void **state)
{
    (void)state;
    const double k = 500, c = 20, h = 1e-4, decay = c / 2, omega = sqrt (k - decay * decay);
    scene s = scene_open ((dReal)-9.81);
    const dJointGroupID group = dJointGroupCreate (0);
    scene_box (&s, 0, 0, 0, 1, SIDE, SIDE, SIDE);
    double worst = 0;
    for (int step = 1; step <= 1000; ++step)
    {
        dContact contact = {.surface = {.mode = dContactSoftERP | dContactSoftCFM}};
        contact.surface.soft_erp = (dReal)(h * k / (h * k + c));
        contact.surface.soft_cfm = (dReal)(1 / (h * k + c));
        contact.geom.normal[2] = 1;
        contact.geom.depth = -dBodyGetPosition (s.body[0])[2];
        dJointAttach (dJointCreateContact (s.world, group, &contact), s.body[0], NULL);
        scene_step (&s, (dReal)h, 1);
        dJointGroupEmpty (group);
        const double t = step * h;
        const double depth =
            9.81 / k * (1 - exp (-decay * t) * (cos (omega * t) + decay / omega * sin (omega * t)));
        worst = fmax (worst, fabs ((double)dBodyGetPosition (s.body[0])[2] + depth));
    }
    print_message ("soft contact: off by %.1e of %.1e m\n", worst, 9.81 / k);
    assert_true (worst < 5e-5);
    dJointGroupDestroy (group);
    scene_close (&s);
}

#define TALL 20 /* boxes */

/* A stack on a lift: what does not move against what it touches is solved as at rest, however fast it goes.
 */
static void test_a_stack_on_a_lift (void **state)
{
    (void)state;
    scene s = scene_open ((dReal)-9.81);
    const dJointGroupID group = dJointGroupCreate (0);
    double off = 0;
    for (int i = 0; i <= TALL; ++i)
    {
        scene_box (&s, 0, 0, SIDE * ((dReal)i + (dReal)0.5), 1, SIDE, SIDE, SIDE);
        dBodySetLinearVel (s.body[i], 0, 0, 2);
    }
    dBodySetKinematic (s.body[0]);
    for (int step = 0; step < 100; ++step)
    {
        for (int i = 0; i < TALL; ++i) touch (&s, group, i, i + 1, 0);
        scene_step (&s, H, 1);
        dJointGroupEmpty (group);
    }
    for (int i = 1; i <= TALL; ++i) off = fmax (off, fabs ((double)dBodyGetLinearVel (s.body[i])[2] - 2));
    assert_true (off < 1e-6);
    dJointGroupDestroy (group);
    scene_close (&s);
}

#define LEANS 1.7 /* tangent of the rod's angle with the ground */
#define MU 0.5
#define PULL (-8.0) /* N */

/* The acceleration of a rod of 1 kg that leans ahead of a cart of 1 kg, with its tip on the ground, while it
 * moves forwards (1) or backwards (-1). */
static double dragged (int way)
{
    const double normal = (9.81 + 0.5 * LEANS * PULL) / (2 - 1.5 * way * MU * LEANS);
    return 0.5 * (PULL - way * MU * normal);
}

/* A rod in front of a cart is pressed to the ground by its own friction, by 0.64 of what that changes.  The
 * cart is pulled back while it goes ahead: friction that turns within a step has impulses of both ways in it.
 * Off the two parabolas of the closed form is the motion by up to 8.5e-4 m, since the normal's impulse is the
 * mean over the step; where friction and normal are not made to agree it is by 2.4e-3 m. */
static void test_friction_that_turns_and_presses (void **state)
{
    (void)state;
    for (int trial = 0; trial < 20; ++trial)
    {
        const double speed = 1 + 0.013 * trial, hinge[3] = {0, 0, LEANS}, tip[3] = {1, 0, 0};
        scene s = scene_open ((dReal)-9.81);
        const int cart = scene_box (&s, 0, 0, (dReal)LEANS, 1, SIDE, SIDE, SIDE),
                  rod = scene_rod (&s, hinge, tip);
        const dJointID slider = scene_joint (&s, dJointCreateSlider, cart, NO_BODY);
        dJointSetSliderAxis (slider, 1, 0, 0);
        scene_hinge (&s, rod, cart, hinge, (const double[3]){0, 1, 0});
        dBodySetLinearVel (s.body[cart], (dReal)speed, 0, 0),
            dBodySetLinearVel (s.body[rod], (dReal)speed, 0, 0);
        const dJointGroupID group = dJointGroupCreate (0);
        for (int step = 0; step < 50; ++step)
        {
            const dReal *x = dBodyGetPosition (s.body[rod]);
            dContact contact = {.surface = {.mode = dContactApprox1 | dContactFDir1, .mu = (dReal)MU}};
            contact.geom.pos[0] = x[0] + (dReal)0.5;
            contact.geom.normal[2] = contact.fdir1[0] = 1;
            dJointAttach (dJointCreateContact (s.world, group, &contact), s.body[rod], NULL);
            dBodyAddForce (s.body[cart], (dReal)PULL, 0, 0);
            scene_step (&s, H, 1);
            dJointGroupEmpty (group);
        }
        const double turns = -speed / dragged (1), left = 50 * 0.01 - turns;
        const double wanted = 0.5 * speed * turns + 0.5 * dragged (-1) * left * left;
        const double off = (double)dBodyGetPosition (s.body[cart])[0] - wanted;
        assert_true (turns > 0 && left > 0);
        if (!(fabs (off) <= 1e-3)) fail_msg ("%g m/s: off by %g m", speed, off);
        dJointGroupDestroy (group);
        scene_close (&s);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_either_body_first),
        cmocka_unit_test (test_what_stands),
        cmocka_unit_test (test_contacts_come_and_go),
        cmocka_unit_test (test_rolls_as_far_as_it_turns),
        cmocka_unit_test (test_a_stop_that_is_not_reached),
        cmocka_unit_test (test_soft_contacts_have_their_damper),
        cmocka_unit_test (test_a_stack_on_a_lift),
        cmocka_unit_test (test_friction_that_turns_and_presses),
    };
    return cmocka_run_group_tests (tests, scene_start_ode, scene_stop_ode);
}
