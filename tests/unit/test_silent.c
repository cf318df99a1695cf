/*
 * Nothing is silent: joints that the program changes at their other end, in the world.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include "oracle_scene.h"

#define OPEN 1e-8 /* m or rad: each row of a joint is told from 1e-9 on */

static scene chain_of (int links)
{
    scene s = scene_open ((dReal)-9.81);
    for (int i = 0; i < links; ++i)
    {
        scene_box (&s, (dReal)(0.3 * i + 0.15), 0, 1, 1, (dReal)0.3, (dReal)0.2, (dReal)0.1);
        scene_ball (&s, i, i > 0 ? i - 1 : NO_BODY, (double[3]){0.3 * i, 0, 1});
    }
    return s;
}

/* As by a mouse that holds a ragdoll: the anchor in the world moves, and nothing else. The links had the old
 * one for ever, and stood open by the whole way. */
static void an_anchor_in_the_world_is_followed (void **state)
{
    (void)state;
    for (int links = 1; links < 12; ++links)
    {
        scene s = chain_of (links);
        scene_step (&s, (dReal)0.01, 20);
        for (int i = 1; i <= 10; ++i)
        {
            dVector3 here, there;
            dJointSetBallAnchor2 (s.joint[0], (dReal)(0.002 * i), 0, 1);
            scene_step (&s, (dReal)0.01, 1);
            dJointGetBallAnchor (s.joint[0], here), dJointGetBallAnchor2 (s.joint[0], there);
            for (int k = 0; k < 3; ++k) assert_true (fabs ((double)(here[k] - there[k])) <= OPEN);
        }
        scene_close (&s);
    }
}

/* The axes of a hinge whose body is turned over point in opposite directions, nearly: ODE closes what is
 * left, and so it is here. Which of both it is shows in the axis alone, seen from the body. */
static void axes_that_are_turned_over_close (void **state)
{
    (void)state;
    for (int i = 0; i < 8; ++i)
    {
        scene s = chain_of (1);
        dJointDestroy (s.joint[0]);
        s.joint[0] = dJointCreateHinge (s.world, NULL);
        dJointAttach (s.joint[0], s.body[0], NULL);
        dJointSetHingeAnchor (s.joint[0], (dReal)0.15, 0, 1);
        dJointSetHingeAxis (s.joint[0], 0, 1, 0);
        scene_step (&s, (dReal)0.01, 3);
        dQuaternion over;
        dQFromAxisAndAngle (over, 1, 0, (dReal)(0.1 * i), (dReal)(3.14159 - 0.01 * (i + 1)));
        dBodySetQuaternion (s.body[0], over);
        scene_step (&s, (dReal)0.01, 3);
        dVector3 axis;
        dBodyVectorToWorld (s.body[0], 0, 1, 0, axis);
        assert_true (fabs ((double)axis[0]) <= OPEN && fabs ((double)axis[2]) <= OPEN);
        scene_close (&s);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test (an_anchor_in_the_world_is_followed),
                                       cmocka_unit_test (axes_that_are_turned_over_close)};
    return cmocka_run_group_tests (tests, scene_start_ode, scene_stop_ode);
}
