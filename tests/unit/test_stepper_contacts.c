/* Contacts from step to step: what is at rest stays so, and starts from the impulses that it had. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
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

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_either_body_first),
    };
    return cmocka_run_group_tests (tests, scene_start_ode, scene_stop_ode);
}
