/*
 * How long the vectors are that a program gives as axes does not matter.  ODE keeps an axis in the world as
 * long as it was given and compares it with one of unit length, so its errors are as many times too large.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include "oracle_scene.h"

#define H ((dReal)0.01)
#define STEPS 10
#define SAME 1e-12 /* m, rad, m/s, rad/s */

typedef dJointID creator (dWorldID, dJointGroupID);

/* Joints through the origin, their axes as long as given. */
static void place (dJointID joint, dReal length)
{
    const dReal c = length * (dReal)0.6, d = length * (dReal)0.8;
    switch (dJointGetType (joint))
    {
    case dJointTypeHinge:
        dJointSetHingeAnchor (joint, 0, 0, 0);
        dJointSetHingeAxis (joint, c, d, 0);
        break;
    case dJointTypeSlider:
        dJointSetSliderAxis (joint, c, d, 0);
        break;
    case dJointTypeUniversal:
        dJointSetUniversalAnchor (joint, 0, 0, 0);
        dJointSetUniversalAxis1 (joint, c, d, 0);
        dJointSetUniversalAxis2 (joint, -d, c, 0);
        break;
    case dJointTypePR:
        dJointSetPRAnchor (joint, 0, 0, 0);
        dJointSetPRAxis1 (joint, 0, 0, length);
        dJointSetPRAxis2 (joint, c, d, 0);
        break;
    case dJointTypePU:
        dJointSetPUAnchor (joint, 0, 0, 0);
        dJointSetPUAxis1 (joint, c, d, 0);
        dJointSetPUAxis2 (joint, -d, c, 0);
        dJointSetPUAxis3 (joint, 0, 0, length);
        break;
    case dJointTypePiston:
        dJointSetPistonAnchor (joint, 0, 0, 0);
        dJointSetPistonAxis (joint, c, d, 0);
        break;
    default:
        dJointSetDHingeAnchor1 (joint, 0, 0, 0);
        dJointSetDHingeAnchor2 (joint, (dReal)0.6, (dReal)0.8, 0);
        dJointSetDHingeAxis (joint, 0, 0, length);
        break;
    }
}

/* A body on such a joint, turned by a program until the joint is open by some hundredths of a radian. */
static scene turned_away (creator *create, int world_first, dReal length, int integrator)
{
    scene s = scene_open (-1);
    const int box = scene_box (&s, (dReal)0.3, (dReal)0.2, (dReal)0.1, 1, 1, (dReal)0.7, (dReal)0.4);
    const dJointID joint =
        world_first ? scene_joint (&s, create, NO_BODY, box) : scene_joint (&s, create, box, NO_BODY);
    dQuaternion q;
    place (joint, length);
    dQFromAxisAndAngle (q, (dReal)0.3, (dReal)-0.2, (dReal)0.9, (dReal)0.06);
    dBodySetQuaternion (s.body[box], q);
    assert_true (dRLSStepperSetIntegrator (scene_stepper (&s), integrator));
    return s;
}

static void lengths_of_axes_do_not_matter (void **state)
{
    (void)state;
    static creator *const types[] = {dJointCreateHinge, dJointCreateSlider, dJointCreateUniversal,
                                     dJointCreatePR,    dJointCreatePU,     dJointCreatePiston,
                                     dJointCreateDHinge};
    static const dReal lengths[] = {(dReal)0.1, 3};
    for (int type = 0; type < (int)(sizeof types / sizeof *types); ++type)
        for (int integrator = 0; integrator < dRLSIntegratorCount; ++integrator)
            for (int world_first = 0; world_first < 2; ++world_first)
                for (int i = 0; i < 2; ++i)
                {
                    scene unit = turned_away (types[type], world_first, 1, integrator),
                          other = turned_away (types[type], world_first, lengths[i], integrator);
                    const double open = fabs (scene_violation (&unit) - scene_violation (&other));
                    scene_step (&unit, H, STEPS);
                    scene_step (&other, H, STEPS);
                    const double off =
                        scene_pose_difference (&unit, &other) + scene_velocity_difference (&unit, &other);
                    if (!(open + off <= SAME))
                        fail_msg ("type %d, integrator %d, length %g: open by %g more, apart by %g", type,
                                  integrator, (double)lengths[i], open, off);
                    scene_close (&unit);
                    scene_close (&other);
                }
}

int main (void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test (lengths_of_axes_do_not_matter)};
    return cmocka_run_group_tests (tests, scene_start_ode, scene_stop_ode);
}
