/*
 * Friction of a cone: a box on a plane is braked alike in all directions, along the direction in which it
 * slides, and one that is drawn aside by gravity goes as Coulomb's law has it; what is held within the cone
 * stays.
 */
#include <math.h>
#include "oracle_scene.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define G 9.81
#define MU 0.3

typedef struct
{
    dWorldID world;
    dSpaceID space;
    dJointGroupID contacts;
    dBodyID box;
    dRLSStepperID stepper;
} plane;

static void meet (void *context, dGeomID a, dGeomID b)
{
    plane *p = context;
    const dSurfaceParameters surface = {.mode = dContactApprox1, .mu = (dReal)MU};
    scene_touch (p->world, p->contacts, a, b, 4, &surface, NULL);
}

/* A box on a plane that rises along x by an angle, with a velocity in the plane. */
static plane put (double slope, double vx, double vy, int friction)
{
    plane p = {
        .world = dWorldCreate (), .space = dSimpleSpaceCreate (NULL), .contacts = dJointGroupCreate (0)};
    dMass m;
    dWorldSetGravity (p.world, (dReal)(-G * sin (slope)), 0, (dReal)(-G * cos (slope)));
    dCreatePlane (p.space, 0, 0, 1, 0);
    p.box = dBodyCreate (p.world);
    dMassSetBoxTotal (&m, 1, 1, 1, (dReal)0.02);
    dBodySetMass (p.box, &m);
    dBodySetPosition (p.box, 0, 0, (dReal)0.01);
    dBodySetLinearVel (p.box, (dReal)vx, (dReal)vy, 0);
    dGeomSetBody (dCreateBox (p.space, 1, 1, (dReal)0.02), p.box);
    p.stepper = dRLSStepperCreate (p.world, NULL);
    assert_int_equal (dRLSStepperSetFriction (p.stepper, friction), 1);
    return p;
}

static void run (plane *p, double h, double seconds)
{
    for (long i = lround (seconds / h); i > 0; --i)
    {
        dSpaceCollide (p->space, p, meet);
        assert_int_equal (dRLSStepperStep (p->stepper, (dReal)h), 1);
        dJointGroupEmpty (p->contacts);
    }
}

static void take_away (plane *p)
{
    dRLSStepperDestroy (p->stepper);
    dJointGroupDestroy (p->contacts);
    dSpaceDestroy (p->space);
    dWorldDestroy (p->world);
}

/* How far a box of 2 m/s slides until it stops, and how far it leaves its direction. */
static double slides (double direction, int friction, double *aside)
{
    plane p = put (0, 2 * cos (direction), 2 * sin (direction), friction);
    run (&p, 0.005, 1);
    const double x = (double)dBodyGetPosition (p.box)[0], y = (double)dBodyGetPosition (p.box)[1];
    *aside = fabs (y * cos (direction) - x * sin (direction));
    take_away (&p);
    return hypot (x, y);
}

static void all_directions_brake_alike (void **state)
{
    (void)state;
    const double exact = 4 / (2 * MU * G);
    double aside;
    for (int i = 0; i < 12; ++i)
    {
        assert_true (fabs (slides (0.3 * i, dRLSFrictionCone, &aside) / exact - 1) < 1e-3);
        assert_true (aside < 1e-3 * exact);
    }
    assert_true (slides (0.75, dRLSFrictionPyramid, &aside) / exact < 0.8); /* by the root of two less */
}

/* dv/dt = g - mu N v / |v|, by Euler's midpoint rule with tiny steps. */
static void slide_exactly (double slope, double seconds, double x[2], double v[2])
{
    const int steps = 200000;
    const double h = seconds / steps, down = G * sin (slope), brake = MU * G * cos (slope);
    for (int i = 0; i < steps; ++i)
    {
        const double speed = hypot (v[0], v[1]);
        double m[2] = {v[0] + 0.5 * h * (-down - brake * v[0] / speed),
                       v[1] - 0.5 * h * brake * v[1] / speed};
        const double middle = hypot (m[0], m[1]);
        x[0] += h * m[0], x[1] += h * m[1];
        v[0] += h * (-down - brake * m[0] / middle);
        v[1] -= h * brake * m[1] / middle;
    }
}

static void what_is_drawn_aside_turns_as_coulomb_has_it (void **state)
{
    (void)state;
    const double slope = 0.2, seconds = 0.4;
    double x[2] = {0, 0}, v[2] = {0, 2}, error[2];
    slide_exactly (slope, seconds, x, v);
    for (int i = 0; i < 2; ++i)
    {
        plane p = put (slope, 0, 2, dRLSFrictionCone);
        run (&p, i ? 0.0025 : 0.02, seconds);
        const dReal *at = dBodyGetPosition (p.box), *now = dBodyGetLinearVel (p.box);
        error[i] = hypot ((double)at[0] - x[0], (double)at[1] - x[1]) +
                   hypot ((double)now[0] - v[0], (double)now[1] - v[1]);
        take_away (&p);
    }
    print_message ("errors %.2e, %.2e\n", error[0], error[1]);
    assert_true (error[1] < 1e-4);
    assert_true (log (error[0] / error[1]) / log (8) > 1.8);
}

static void what_is_held_stays (void **state)
{
    (void)state;
    plane p = put (0.28, 0, 0, dRLSFrictionCone); /* its tangent is 0.2875 */
    run (&p, 0.01, 1);
    const double before = (double)dBodyGetPosition (p.box)[0];
    run (&p, 0.01, 5);
    assert_true (fabs ((double)dBodyGetPosition (p.box)[0] - before) < 1e-12);
    take_away (&p);
    p = put (0.31, 0, 0, dRLSFrictionCone);
    run (&p, 0.01, 1);
    const double way = 0.5 * (G * sin (0.31) - MU * G * cos (0.31));
    assert_true (fabs (-(double)dBodyGetPosition (p.box)[0] / way - 1) < 0.03);
    take_away (&p);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (all_directions_brake_alike),
        cmocka_unit_test (what_is_drawn_aside_turns_as_coulomb_has_it),
        cmocka_unit_test (what_is_held_stays),
    };
    dInitODE2 (0);
    const int failed = cmocka_run_group_tests (tests, NULL, NULL);
    dCloseODE ();
    return failed;
}
