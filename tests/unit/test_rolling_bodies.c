/*
 * Bodies that roll: the point that touches the ground stays neither on the body nor on the ground, and the
 * lever of its forces turns far less than the body does.  And a top, whose tip turns by as much as its spin.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include "oracle.h"
#include "oracle_scene.h"

#define RADIUS 0.1
#define OFFSET 0.04 /* of the ball's centre above the centre of mass (m) */
#define INERTIA 0.003
#define DEEP 1e-6 /* at first (m), or collision detection might find one end of a roller */
#define LEAN 0.3
#define GRAVITY 9.81
#define SECONDS 5.0
#define SUBSTEPS 40

/* A tumbler of 1 kg: a ball, or a roller along y, whose centre of mass is below its middle, leaning. */
static scene tumbler (int roller, double x, dGeomID *shape)
{
    scene s = scene_open ((dReal)-GRAVITY);
    const int body = scene_box (&s, (dReal)(x - OFFSET * sin (LEAN)), 0,
                                (dReal)(RADIUS - OFFSET * cos (LEAN) - DEEP), 1, 1, 1, 1);
    dMass mass;
    dMatrix3 R;
    dMassSetParameters (&mass, 1, 0, 0, 0, (dReal)INERTIA, (dReal)INERTIA, (dReal)INERTIA, 0, 0, 0);
    dBodySetMass (s.body[body], &mass);
    dRFromAxisAndAngle (R, 0, 1, 0, (dReal)LEAN);
    dBodySetRotation (s.body[body], R);
    *shape = roller ? dCreateCylinder (NULL, (dReal)RADIUS, 1) : dCreateSphere (NULL, (dReal)RADIUS);
    dGeomSetBody (*shape, s.body[body]);
    dGeomSetOffsetPosition (*shape, 0, 0, (dReal)OFFSET);
    dRFromAxisAndAngle (R, 1, 0, 0, (dReal)(M_PI / 2));
    dGeomSetOffsetRotation (*shape, R);
    return s;
}

/* The true acceleration of the angle, rolling without slip. */
static double acceleration (double angle, double rate)
{
    const double inertia = INERTIA + RADIUS * RADIUS + OFFSET * OFFSET - 2 * RADIUS * OFFSET * cos (angle);
    return -(RADIUS * rate * rate + GRAVITY) * OFFSET * sin (angle) / inertia;
}

/* The true motion over a step, by the classical Runge-Kutta method in short steps. */
static void roll (double h, double *angle, double *rate)
{
    const double k = h / SUBSTEPS;
    for (int i = 0; i < SUBSTEPS; ++i)
    {
        const double q = *angle, w = *rate, a = acceleration (q, w);
        const double b = acceleration (q + k / 2 * w, w + k / 2 * a);
        const double c = acceleration (q + k / 2 * (w + k / 2 * a), w + k / 2 * b);
        const double d = acceleration (q + k * (w + k / 2 * b), w + k * c);
        *angle += k * (w + k / 6 * (a + b + c));
        *rate += k / 6 * (a + 2 * b + 2 * c + d);
    }
}

/* A step, with the contacts of two geometries. */
static void step (scene *s, dGeomID one, dGeomID other, dReal mu, dReal h)
{
    const dJointGroupID contacts = dJointGroupCreate (0);
    scene_touch (s->world, contacts, one, other, 4, &(dSurfaceParameters){.mode = dContactApprox1, .mu = mu},
                 NULL);
    scene_step (s, h, 1);
    dJointGroupDestroy (contacts);
}

static void end (scene *s, dGeomID one, dGeomID other)
{
    scene_close (s);
    dGeomDestroy (one);
    dGeomDestroy (other);
}

/* Largest error of a tumbler's angle (rad); error: largest one of the energy (J). */
static double tumbles (int roller, double x, dReal h, double *error)
{
    dGeomID shape;
    scene s = tumbler (roller, x, &shape);
    const dGeomID ground = dCreatePlane (NULL, 0, 0, 1, 0);
    const double energy = scene_energy (&s);
    double angle = LEAN, rate = 0, worst = 0;
    *error = 0;
    for (int i = 0; i < SECONDS / (double)h; ++i)
    {
        step (&s, shape, ground, 2, h);
        roll ((double)h, &angle, &rate);
        const dReal *R = dBodyGetRotation (s.body[0]);
        worst = fmax (worst, fabs (atan2 ((double)R[2], (double)R[10]) - angle));
        *error = fmax (*error, fabs (scene_energy (&s) - energy));
    }
    end (&s, shape, ground);
    return worst;
}

/* Of the swing's 18 mJ.  dWorldStep is off by 0.023, 0.012, 0.0048 rad.  With rows extrapolated from those of
 * the step before: 0.045, 0.017, 0.0020 rad.  With those of the step's beginning wherever the ball turns by
 * more than 0.03 rad the swing gains what the ball loses by sinking into the ground: 0.34, 0.11, 0.0030 rad.
 */
static void a_tumbler_keeps_its_swing (void **state)
{
    (void)state;
    double energy[3];
    const double angle[] = {tumbles (0, 0, (dReal)(1 / 60.0), &energy[0]),
                            tumbles (0, 0, (dReal)0.01, &energy[1]),
                            tumbles (0, 0, (dReal)(1 / 240.0), &energy[2])};
    print_message ("angle off by %.2g, %.2g, %.2g rad, energy by %.2g, %.2g, %.2g J\n", angle[0], angle[1],
                   angle[2], energy[0], energy[1], energy[2]);
    assert_true (angle[0] < 0.01 && angle[1] < 0.004 && angle[2] < 0.0006);
    assert_true (energy[0] < 1e-3 && energy[1] < 4e-4 && energy[2] < 8e-5);
}

/* A roller is a cylinder on its side. */
static void a_roller_keeps_its_swing (void **state)
{
    (void)state;
    double energy[3];
    const double angle[] = {tumbles (1, 0, (dReal)(1 / 60.0), &energy[0]),
                            tumbles (1, 0, (dReal)0.01, &energy[1]),
                            tumbles (1, 0, (dReal)(1 / 240.0), &energy[2])};
    print_message ("angle off by %.2g, %.2g, %.2g rad, energy by %.2g, %.2g, %.2g J\n", angle[0], angle[1],
                   angle[2], energy[0], energy[1], energy[2]);
    assert_true (angle[0] < 0.06 && angle[1] < 0.022 && angle[2] < 0.004);
    assert_true (energy[0] < 1e-3 && energy[1] < 4e-4 && energy[2] < 8e-5);
}

/* How high the middle of a coin is that rolls and falls over at x, after 0.5 s. */
static double coin_is_at (double x)
{
    scene s = scene_open ((dReal)-GRAVITY);
    dMass mass;
    dMatrix3 R;
    const int body = scene_box (&s, (dReal)x, 0, (dReal)(RADIUS * sin (1) + 0.005 * cos (1)), 1, 1, 1, 1);
    dMassSetCylinderTotal (&mass, (dReal)0.05, 3, (dReal)RADIUS, (dReal)0.01);
    dBodySetMass (s.body[body], &mass);
    dRFromAxisAndAngle (R, 1, 0, 0, 1);
    dBodySetRotation (s.body[body], R);
    dBodySetAngularVel (s.body[body], 0, 0, 6);
    const dGeomID coin = dCreateCylinder (NULL, (dReal)RADIUS, (dReal)0.01),
                  ground = dCreatePlane (NULL, 0, 0, 1, 0);
    dGeomSetBody (coin, s.body[body]);
    for (int i = 0; i < 50; ++i) step (&s, coin, ground, (dReal)0.5, (dReal)0.01);
    const double z = (double)dBodyGetPosition (s.body[0])[2];
    end (&s, coin, ground);
    return z;
}

/* A kilometre from the world's origin, coordinates are rounded to 1e-13 m. */
static void the_origin_is_no_matter (void **state)
{
    (void)state;
    for (int roller = 0; roller < 2; ++roller)
    {
        double energy, away;
        const double angle = tumbles (roller, 0, (dReal)0.01, &energy),
                     far = tumbles (roller, 1000, (dReal)0.01, &away);
        print_message ("a kilometre away: %.2g rad, %.2g J more\n", far - angle, away - energy);
        assert_true (fabs (far - angle) < 1e-9 && fabs (away - energy) < 1e-9);
    }
    const double near = coin_is_at (0), farther = coin_is_at (1000);
    print_message ("a coin: %.2g m higher\n", farther - near);
    assert_true (fabs (farther - near) < 1e-9);
}

/* Largest error of the angle (rad) at which a ball is that rolls down a round body. */
static double rolls_down (dGeomID round, dReal h)
{
    scene s = scene_open ((dReal)-GRAVITY);
    const double reach = 1 + RADIUS;
    double angle = 0.1, rate = 0, worst = 0;
    const int body =
        scene_box (&s, (dReal)(reach * sin (angle)), 0, (dReal)(reach * cos (angle)), 1, 1, 1, 1);
    dMass mass;
    dMassSetSphereTotal (&mass, 1, (dReal)RADIUS);
    dBodySetMass (s.body[body], &mass);
    const dGeomID ball = dCreateSphere (NULL, (dReal)RADIUS);
    dGeomSetBody (ball, s.body[body]);
    for (int i = 0; i < 1 / (double)h; ++i)
    {
        step (&s, ball, round, 5, h);
        for (int k = 0; k < SUBSTEPS; ++k) /* by the midpoint rule */
        {
            const double part = (double)h / SUBSTEPS, middle = angle + part / 2 * rate,
                         change = part * GRAVITY * sin (middle) / (1.4 * reach);
            angle += part * (rate + change / 2), rate += change;
        }
        const dReal *x = dBodyGetPosition (s.body[0]);
        worst = fmax (worst, fabs (atan2 ((double)x[0], (double)x[2]) - angle));
    }
    end (&s, ball, round);
    return worst;
}

/* The side of a drum is no face.  dWorldStep: 0.015 rad; taken for a face 0.0062, and 0.0078 on a ball; with
 * rows extrapolated 0.002 and 0.0004. */
static void a_ball_rolls_down_what_is_round (void **state)
{
    (void)state;
    dMatrix3 along_y;
    dRFromAxisAndAngle (along_y, 1, 0, 0, (dReal)(M_PI / 2));
    const dGeomID drum = dCreateCylinder (NULL, 1, 1), ball = dCreateSphere (NULL, 1);
    dGeomSetRotation (drum, along_y);
    const double off = rolls_down (drum, (dReal)(1 / 60.0)), off_ball = rolls_down (ball, (dReal)(1 / 60.0));
    print_message ("down a drum, a ball: off by %.2g, %.2g rad\n", off, off_ball);
    assert_true (off < 0.0003 && off_ball < 0.0003);
}

/* Energy (J) that a top of 0.5 kg, which spins by 1 rad in a step and falls, loses of its 3.5 J in 3 s. */
static double top_loses (double lean, double tip)
{
    const double away = 0.1;
    scene s = scene_open ((dReal)-GRAVITY);
    dMass mass;
    dMatrix3 R;
    const int body = scene_box (&s, 0, 0, (dReal)(tip + away * cos (lean)), 1, 1, 1, 1);
    dMassSetParameters (&mass, (dReal)0.5, 0, 0, 0, (dReal)5e-4, (dReal)5e-4, (dReal)7e-4, 0, 0, 0);
    dBodySetMass (s.body[body], &mass);
    dRFromAxisAndAngle (R, 1, 0, 0, (dReal)lean);
    dBodySetRotation (s.body[body], R);
    dBodySetAngularVel (s.body[body], 0, (dReal)(-100 * sin (lean)), (dReal)(100 * cos (lean)));
    const dGeomID shape = dCreateSphere (NULL, (dReal)tip), ground = dCreatePlane (NULL, 0, 0, 1, 0);
    dGeomSetBody (shape, s.body[body]);
    dGeomSetOffsetPosition (shape, 0, 0, (dReal)-away);
    const double energy = scene_energy (&s);
    double most = energy;
    for (int i = 0; i < 300; ++i)
    {
        step (&s, shape, ground, 1, (dReal)0.01);
        most = fmax (most, scene_energy (&s));
    }
    const double lost = energy - scene_energy (&s);
    assert_true (most < energy + 1e-9);
    end (&s, shape, ground);
    return lost;
}

/* At 0.2 ms: 0.003, 0.007, 0.011 J; dWorldStep 0.34, 0.33, 0.27 J; by rows of the step before 1.6, 1.8, 1.2.
 */
static void a_top_keeps_its_energy (void **state)
{
    (void)state;
    const double lost[] = {top_loses (0.05, 0.005), top_loses (0.5, 0.005), top_loses (1, 0.005)};
    print_message ("tops lose %.2g, %.2g, %.2g J\n", lost[0], lost[1], lost[2]);
    assert_true (lost[0] < 0.02 && lost[1] < 0.03 && lost[2] < 0.05);
}

/* The true acceleration of a plank that has rolled by an angle on a ball of a radius that does not move: its
 * half thickness, and square of its radius of gyration. */
static double plank_acceleration (double angle, double rate, double radius, double half, double square)
{
    const double torque = GRAVITY * (half * sin (angle) - radius * angle * cos (angle));
    return (torque - radius * radius * angle * rate * rate) /
           (square + half * half + radius * radius * angle * angle);
}

/* A plank rocks without slip on a ball, which touches it below its middle: the arm of the contact is short
 * there, and changes by much of it in a step.  Second order: off by 2.4e-4 rad at 10 ms (dWorldStep: 2.3e-3);
 * with rows extrapolated by 1.6e-3, where the contact was taken for a new one by 14e-3. */
static void a_plank_rocks_on_a_ball (void **state)
{
    const double radius = 0.3, half = 0.05, length = 0.8, square = (length * length + 4 * half * half) / 12;
    (void)state;
    for (int n = 1; n <= 4; n *= 2)
    {
        const double h = 0.01 / n;
        double angle = 0.1, rate = 0;
        const double out = radius + half - 1e-9, back = radius * angle;
        scene s = scene_open ((dReal)-GRAVITY);
        const int body = scene_box (&s, (dReal)(out * sin (angle) - back * cos (angle)), 0,
                                    (dReal)(out * cos (angle) + back * sin (angle)), 1, (dReal)length,
                                    (dReal)0.2, (dReal)(2 * half));
        const dGeomID plank = dCreateBox (NULL, (dReal)length, (dReal)0.2, (dReal)(2 * half)),
                      ball = dCreateSphere (NULL, (dReal)radius);
        dMatrix3 R;
        dRFromAxisAndAngle (R, 0, 1, 0, (dReal)angle);
        dBodySetRotation (s.body[body], R);
        dGeomSetBody (plank, s.body[body]);
        for (int i = 0; i < 300 * n; ++i)
        {
            const dJointGroupID contacts = dJointGroupCreate (0);
            dContact c = {.surface = {.mode = dContactApprox1, .mu = 5}};
            if (dCollide (plank, ball, 1, &c.geom, sizeof c))
                dJointAttach (dJointCreateContact (s.world, contacts, &c), s.body[body], NULL);
            scene_step (&s, (dReal)h, 1);
            dJointGroupDestroy (contacts);
            for (int k = 0; k < SUBSTEPS; ++k)
            {
                const double t = h / SUBSTEPS, a = plank_acceleration (angle, rate, radius, half, square),
                             middle = rate + t / 2 * a;
                rate += t * plank_acceleration (angle + t / 2 * rate, middle, radius, half, square);
                angle += t * middle;
            }
        }
        const dReal *now = dBodyGetRotation (s.body[body]);
        const double off = fabs (atan2 ((double)now[2], (double)now[10]) - angle);
        if (!(off < 4 * h * h)) fail_msg ("%g s: off by %g rad", h, off);
        dGeomDestroy (plank), dGeomDestroy (ball);
        scene_close (&s);
    }
}

/* Returns by how much (m) a ball is off after 0.1 s that is thrown onto ground on which it slips: friction is
 * the velocity of the point that touches, less that of the ground, over the slip. */
static double slips_to (double belt, double h)
{
    const double slip = 0.1, radius = 0.2, from = 2, mobility = 3.5, seconds = 0.1;
    scene s = scene_open ((dReal)-GRAVITY);
    const int body = scene_box (&s, 0, 0, (dReal)(radius - 1e-9), 1, 1, 1, 1);
    const dGeomID ball = dCreateSphere (NULL, (dReal)radius), ground = dCreatePlane (NULL, 0, 0, 1, 0);
    dMass mass;
    dMassSetSphereTotal (&mass, 1, (dReal)radius);
    dBodySetMass (s.body[body], &mass);
    dGeomSetBody (ball, s.body[body]);
    dBodySetLinearVel (s.body[body], (dReal)from, 0, 0);
    const dJointGroupID contacts = dJointGroupCreate (0);
    for (int i = 0; i < (int)(seconds / h + 0.5); ++i)
    {
        dContact c = {.surface = {.mode = dContactSlip1 | dContactMotion1 | dContactFDir1, .mu = 50},
                      .fdir1 = {1, 0, 0}};
        c.surface.slip1 = (dReal)slip, c.surface.motion1 = (dReal)belt;
        assert_int_equal (dCollide (ball, ground, 1, &c.geom, sizeof c), 1);
        dJointAttach (dJointCreateContact (s.world, contacts, &c), s.body[body], NULL);
        scene_step (&s, (dReal)h, 1);
        dJointGroupEmpty (contacts);
    }
    const double time = slip / mobility, left = 1 - exp (-seconds / time),
                 at = from * seconds - (from - belt) / mobility * (seconds - time * left),
                 off = fabs ((double)dBodyGetPosition (s.body[body])[0] - at);
    dGeomDestroy (ball), dGeomDestroy (ground);
    dJointGroupDestroy (contacts);
    scene_close (&s);
    return off;
}

/* Second order: 2.7e-5 m at 10 ms.  By ODE's implicit rule in both halves 1.1e-3, dWorldStep 3.2e-4. */
static void slip_follows_its_law (void **state)
{
    (void)state;
    for (int n = 1; n <= 8; n *= 2)
    {
        const double h = 0.01 / n, off = fmax (slips_to (0, h), slips_to (1, h));
        if (!(off <= 0.3 * h * h)) fail_msg ("%g s: off by %g m", h, off);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (a_tumbler_keeps_its_swing), cmocka_unit_test (a_roller_keeps_its_swing),
        cmocka_unit_test (the_origin_is_no_matter),   cmocka_unit_test (a_ball_rolls_down_what_is_round),
        cmocka_unit_test (a_top_keeps_its_energy),    cmocka_unit_test (slip_follows_its_law),
        cmocka_unit_test (a_plank_rocks_on_a_ball)};
    return cmocka_run_group_tests (tests, scene_start_ode, scene_stop_ode);
}
