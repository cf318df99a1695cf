/*
 * A vehicle as games build them: wheels on hinges with motors, and contacts whose friction is so high that
 * they never slide, but slip a little, two under each wheel and now and then one with a bump.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include "oracle_scene.h"

#define WHEELS 4
#define RADIUS 0.2
#define TRACK 0.4 /* m: from the middle to a wheel, sideways */
#define BASE 0.6  /* and lengthwise */
#define WIDE 0.1  /* of a wheel's contacts, sideways */
#define SPEED 20  /* rad/s */
#define TORQUE 3.7
#define SECONDS 2

enum
{
    CHASSIS = WHEELS
};

static void build (scene *s)
{
    static const double across[3] = {0, 1, 0};
    for (int w = 0; w < WHEELS; ++w)
        scene_box (s, w & 1 ? BASE : -BASE, w & 2 ? TRACK : -TRACK, RADIUS, 0.2, RADIUS, RADIUS, RADIUS);
    scene_box (s, 0, 0, 1.5 * RADIUS, 4, 2 * BASE, TRACK, RADIUS);
    for (int w = 0; w < WHEELS; ++w)
    {
        const dReal *x = dBodyGetPosition (s->body[w]);
        const double anchor[3] = {(double)x[0], (double)x[1], (double)x[2]};
        const dJointID hinge = scene_hinge (s, CHASSIS, w, anchor, across);
        dJointSetHingeParam (hinge, dParamVel, -SPEED); /* of the chassis against the wheel */
        dJointSetHingeParam (hinge, dParamFMax, (dReal)TORQUE);
    }
}

static void touch (scene *s, dJointGroupID group, int wheel, double side, double lean, double mu)
{
    const dReal *x = dBodyGetPosition (s->body[wheel]), *axle = dBodyGetRotation (s->body[CHASSIS]);
    const dReal *turn = dBodyGetAngularVel (s->body[wheel]);
    const double find_velocity_residuals = fabs ((double)turn[1]);
    dContact contact = {.surface = {.mode = dContactApprox1 | dContactSlip1 | dContactSlip2 | dContactFDir1}};
    contact.surface.mu = (dReal)mu;
    contact.surface.slip1 = (dReal)(0.005 * find_velocity_residuals);
    contact.surface.slip2 = (dReal)(0.0001 * find_velocity_residuals);
    const double normal[3] = {-sin (lean), 0, cos (lean)};
    double depth = lean > 0 ? 0.002 : 0;
    for (int k = 0; k < 3; ++k)
    {
        contact.geom.normal[k] = (dReal)normal[k];
        contact.geom.pos[k] = x[k] + (dReal)(side * (double)axle[4 * k + 1] - RADIUS * normal[k]);
        contact.fdir1[k] = axle[4 * k + 1];
    }
    if (lean == 0) depth = -(double)contact.geom.pos[2];
    contact.geom.depth = (dReal)depth;
    if (depth < 0) return;
    dJointAttach (dJointCreateContact (s->world, group, &contact), s->body[wheel], NULL);
}

/* Steps are answered within the tolerance, but for one that has no answer; the vehicle goes where its motors
 * drive it, and no faster. */
static void drive (double h, double mu)
{
    scene s = scene_open ((dReal)-9.81);
    const dJointGroupID group = dJointGroupCreate (0);
    build (&s);
    const int steps = (int)(SECONDS / h);
    for (int step = 0; step < steps; ++step)
    {
        for (int w = 0; w < WHEELS; ++w)
        {
            touch (&s, group, w, WIDE, 0, mu);
            touch (&s, group, w, -WIDE, 0, mu);
            if ((step / 3 + 5 * w) % 17 == 0) touch (&s, group, w, 0, 0.3 + 0.1 * w, mu);
        }
        scene_step (&s, (dReal)h, 1);
        dJointGroupEmpty (group);
        assert_true (scene_violation (&s) < 1e-12);
        assert_true (fabs ((double)dBodyGetLinearVel (s.body[CHASSIS])[0]) < 1.1 * SPEED * RADIUS);
        assert_true ((double)dBodyGetPosition (s.body[CHASSIS])[2] < 6 * RADIUS);
    }
    print_message ("h %g, friction %g: %g m, %lu steps inexact\n", h, mu,
                   (double)dBodyGetPosition (s.body[CHASSIS])[0],
                   dRLSStepperGetWarningCount (scene_stepper (&s), dRLSWarningBounded));
    assert_true (dRLSStepperGetWarningCount (scene_stepper (&s), dRLSWarningBounded) <=
                 (unsigned long)steps / 200);
    dJointGroupDestroy (group);
    scene_close (&s);
}

static void test_vehicle (void **state)
{
    (void)state;
    static const double h[] = {0.01, 1 / 180., 0.002}, mu[] = {50, 340, INFINITY};
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) drive (h[i], isinf (mu[k]) ? (double)dInfinity : mu[k]);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_vehicle),
    };
    return cmocka_run_group_tests (tests, scene_start_ode, scene_stop_ode);
}
