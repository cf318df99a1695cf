/*
 * Rows over more than two bodies (dRLSStepperJoinRows) beside closed forms: a rope over hanging pulleys, a
 * sphere of nine dimensions, a chain whose centre of mass is driven, turns that add up.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>
#include "many_rows.h"

#define G 9.81
#define MOST 5
#define EXACT 1e-9

/* ---- a rope over n pulleys that hang in it, its ends on two bodies more ---- */

static double shares (int body, int bodies) { return body == 0 || body == bodies - 1 ? 1 : 2; }

static void rope (const scene *s, int b, double sign, dReal J[3][6], dReal value[3], dReal rate[3],
                  double time)
{
    const double part = sign * shares (b, s->bodies);
    (void)rate, (void)time;
    J[0][2] = (dReal)part;
    value[0] += (dReal)(part * (double)dBodyGetPosition (s->body[b])[2] + (b == 0 ? 2 * (s->bodies - 1) : 0));
}

static void rope_over_pulleys (void **state)
{
    (void)state;
    for (int n = 1; n + 2 <= MOST; ++n)
        for (int integrator = dRLSIntegratorEuler + 1; integrator < dRLSIntegratorCount; ++integrator)
        {
            scene s = scene_open ((dReal)-G);
            gathering g = {n + 2, 1, NULL, rope, dRLSRowHolonomic, {0}, {0}};
            double sum = 0, yield = 0, off = 0;
            for (int b = 0; b < g.bodies; ++b)
            {
                const double mass = 1 + 0.3 * b;
                scene_box (&s, (dReal)b, 0, -1, (dReal)mass, (dReal)0.2, (dReal)0.2, (dReal)0.2);
                sum += shares (b, g.bodies), yield += pow (shares (b, g.bodies), 2) / mass;
            }
            join (&s, &g);
            dJointFeedback pull = {0};
            dJointSetFeedback (s.joint[g.bodies - 2], &pull);
            dRLSStepperSetIntegrator (s.stepper, integrator);
            const dRLSReport report = scene_analyse (&s);
            assert_true (report.rank == 1 && report.redundant == 0 && report.dof == 6 * g.bodies - 1);
            scene_step (&s, (dReal)0.01, 100);
            const double tension = G * sum / yield; /* of the rope */
            for (int b = 0; b < g.bodies; ++b)
            {
                const double fallen = 0.5 * (G - shares (b, g.bodies) * tension / (1 + 0.3 * b));
                off = fmax (off, fabs ((double)dBodyGetPosition (s.body[b])[2] + 1 + fallen));
            }
            if (!(off < EXACT)) fail_msg ("%d pulleys, integrator %d: off by %g", n, integrator, off);
            if (!(fabs ((double)pull.f2[2] - tension) < EXACT))
                fail_msg ("tension %g, not %g", (double)pull.f2[2], tension);
            scene_close (&s);
        }
}

/* ---- three bodies whose positions together are a point of a sphere: great circles ---- */

static void on_sphere (const scene *s, int b, double sign, dReal J[3][6], dReal value[3], dReal rate[3],
                       double time)
{
    const dReal *x = dBodyGetPosition (s->body[b]);
    (void)sign, (void)rate, (void)time;
    for (int k = 0; k < 3; ++k) J[0][k] = x[k], value[0] += x[k] * x[k] / 2;
    if (b == 0) value[0] -= 7; /* half of the square of the radius */
}

static double sphere_error (int integrator, int correction, int steps)
{
    static const double x0[3][3] = {{1, 0, 2}, {0, -2, 1}, {2, 0, 0}},
                        v0[3][3] = {{0, 1, 0.5}, {2, 0.5, 0}, {0, 1, 3}};
    scene s = scene_open (0);
    gathering g = {3, 1, NULL, on_sphere, dRLSRowHolonomic, {0}, {0}};
    double speed2 = 0, worst = 0;
    for (int b = 0; b < 3; ++b)
    {
        scene_box (&s, (dReal)x0[b][0], (dReal)x0[b][1], (dReal)x0[b][2], 2, 1, 1, 1);
        dBodySetLinearVel (s.body[b], (dReal)v0[b][0], (dReal)v0[b][1], (dReal)v0[b][2]);
        for (int k = 0; k < 3; ++k) speed2 += v0[b][k] * v0[b][k];
    }
    join (&s, &g);
    dRLSStepperSetIntegrator (s.stepper, integrator);
    dRLSStepperSetCorrection (s.stepper, correction);
    const double w = sqrt (speed2 / 14);
    for (int i = 1; i <= steps; ++i)
    {
        const double t = 2.0 * i / steps;
        scene_step (&s, (dReal)(2.0 / steps), 1);
        for (int b = 0; b < 3; ++b)
            for (int k = 0; k < 3; ++k)
                worst = fmax (worst, fabs ((double)dBodyGetPosition (s.body[b])[k] - x0[b][k] * cos (w * t) -
                                           v0[b][k] / w * sin (w * t)));
    }
    for (int n = 0; n < dRLSWarningCount; ++n)
        if (dRLSStepperGetWarningCount (s.stepper, n) > 0)
            fail_msg ("integrator %d: %s", integrator, dRLSWarningText (n));
    scene_close (&s);
    return worst;
}

static void great_circles (void **state)
{
    static const struct
    {
        int integrator, correction, order, steps;
        double limit;
    } tried[] = {
        {dRLSIntegratorSymplectic, dRLSCorrectionProjection, 2, 200, 2e-3},
        {dRLSIntegratorSymplectic4, dRLSCorrectionProjection, 4, 100, 1e-6},
        {dRLSIntegratorSymplectic6, dRLSCorrectionProjection, 6, 100, EXACT},
        {dRLSIntegratorSymplectic8, dRLSCorrectionProjection, 8, 50, EXACT},
        {dRLSIntegratorRK4, dRLSCorrectionProjection, 4, 800, EXACT},
        {dRLSIntegratorRK4, dRLSCorrectionEmbedded, 4, 800, EXACT},
        {dRLSIntegratorAuto, dRLSCorrectionAugmented, 2, 200, 2e-3},
        {dRLSIntegratorAuto, dRLSCorrectionConserving, 2, 200, 2e-3},
    };
    (void)state;
    for (size_t i = 0; i < sizeof (tried) / sizeof (tried[0]); ++i)
    {
        const double coarse = sphere_error (tried[i].integrator, tried[i].correction, tried[i].steps);
        const double fine = sphere_error (tried[i].integrator, tried[i].correction, 2 * tried[i].steps);
        const double order = log2 (coarse / fine);
        print_message ("integrator %d, correction %d: %.1e, %.1e: order %.1f\n", tried[i].integrator,
                       tried[i].correction, coarse, fine, order);
        if (!(fine < tried[i].limit)) fail_msg ("off by %g", fine);
        if (fine > 1e-12 && !(order > tried[i].order - 0.4)) fail_msg ("order %g", order);
    }
}

/* ---- a chain of balls whose centre of mass is driven ---- */

static void path (double t, double x[3], double v[3])
{
    for (int k = 0; k < 3; ++k) x[k] = 0.3 * sin ((2 + k) * t), v[k] = 0.3 * (2 + k) * cos ((2 + k) * t);
}

static void centre (const scene *s, int b, double sign, dReal J[3][6], dReal value[3], dReal rate[3],
                    double time)
{
    double x[3], v[3];
    (void)sign;
    path (time, x, v);
    for (int k = 0; k < 3; ++k)
    {
        J[k][k] = (dReal)0.25;
        value[k] +=
            (dReal)((double)dBodyGetPosition (s->body[b])[k] / 4 - (b == 0 ? x[k] + (k ? 0 : 1.5) : 0));
        if (b == 0) rate[k] += (dReal)v[k];
    }
}

static void driven_centre (void **state)
{
    (void)state;
    for (int integrator = dRLSIntegratorEuler + 1; integrator < dRLSIntegratorCount; ++integrator)
    {
        scene s = scene_open ((dReal)-G);
        gathering g = {4, 3, NULL, centre, dRLSRowHolonomic, {0}, {0}};
        double x[3], v[3], before[3], off = 0;
        dJointFeedback push[3];
        path (0, x, v);
        for (int b = 0; b < 4; ++b)
        {
            scene_box (&s, (dReal)b, 0, 0, 1, 1, (dReal)0.1, (dReal)0.2);
            dBodySetLinearVel (s.body[b], (dReal)v[0], (dReal)v[1], (dReal)v[2]);
        }
        join (&s, &g);
        for (int j = 0; j < 3; ++j) dJointSetFeedback (s.joint[j], &push[j]);
        for (int b = 0; b < 3; ++b)
        {
            const double at[3] = {b + 0.5, 0, 0};
            scene_ball (&s, b, b + 1, at);
        }
        dRLSStepperSetIntegrator (s.stepper, integrator);
        assert_int_equal (scene_analyse (&s).rank, 12);
        for (int i = 1; i <= 100; ++i)
        {
            memcpy (before, v, sizeof (v));
            scene_step (&s, (dReal)0.01, 1);
            path (0.01 * i, x, v);
            for (int k = 0; k < 3; ++k)
            {
                double mean = 0, force = (double)push[0].f1[k];
                for (int b = 0; b < 4; ++b) mean += (double)dBodyGetPosition (s.body[b])[k] / 4;
                for (int j = 0; j < 3; ++j) force += (double)push[j].f2[k];
                off = fmax (off, fabs (mean - x[k] - (k ? 0 : 1.5)));
                if (integrator == dRLSIntegratorRK4) continue; /* forces as exact as its stages are closed */
                const double wanted = 4 * ((v[k] - before[k]) / 0.01 + (k == 2 ? G : 0));
                if (!(fabs (force - wanted) < EXACT))
                    fail_msg ("integrator %d: force %g, not %g", integrator, force, wanted);
            }
        }
        if (!(off < 1e-12)) fail_msg ("integrator %d: off by %g", integrator, off);
        scene_close (&s);
    }
}

/* ---- velocities alone: the turns of three bodies add up to what is asked; a second row that says the same
 * ---- */

static void turns (const scene *s, int b, double sign, dReal J[3][6], dReal value[3], dReal rate[3],
                   double time)
{
    (void)s, (void)sign, (void)value, (void)time;
    J[0][5] = 1, J[1][5] = -2;
    if (b == 0) rate[0] = 3, rate[1] = -6;
}

static void turns_add_up (void **state)
{
    (void)state;
    scene s = scene_open (0);
    gathering g = {3, 2, NULL, turns, dRLSRowNonholonomic, {0}, {0}};
    dRLSRow row[2];
    for (int b = 0; b < 3; ++b) scene_box (&s, (dReal)b, 0, 0, (dReal)(1 + b), 1, 1, 1);
    dBodySetAngularVel (s.body[0], 0, 0, 3);
    join (&s, &g);
    const dRLSReport report = scene_analyse (&s);
    assert_true (report.rank == 1 && report.redundant == 1 && report.conflicting == 0);
    assert_int_equal (dRLSStepperGetRedundantRows (s.stepper, row, 2), 1);
    assert_ptr_equal (row[0].joint, s.joint[0]);
    for (int i = 0; i < 100; ++i)
    {
        double sum = 0;
        dBodyAddTorque (s.body[2], 0, 0, 1);
        scene_step (&s, (dReal)0.01, 1);
        for (int b = 0; b < 3; ++b) sum += (double)dBodyGetAngularVel (s.body[b])[2];
        if (!(fabs (sum - 3) < 1e-12)) fail_msg ("step %d: %g", i, sum);
    }
    scene_close (&s);
}

/* ---- refusals ---- */

static void bad_parts_are_refused (void **state)
{
    (void)state;
    scene s = scene_open ((dReal)-G);
    gathering g = {3, 1, NULL, rope, dRLSRowHolonomic, {0}, {0}};
    for (int b = 0; b < 3; ++b) scene_box (&s, (dReal)b, 0, -1, 1, 1, 1, 1);
    join (&s, &g);
    const double at[3] = {0, 0, 0};
    const dJointID ball = scene_ball (&s, 0, 1, at), other = scene_joint (&s, dJointCreateLMotor, 0, 1);
    dJointSetBallAnchor (ball, (dReal)0.5, 0, -1);
    assert_int_equal (dRLSStepperJoinRows (s.stepper, ball, s.joint[0]), 0);
    assert_int_equal (dRLSStepperJoinRows (s.stepper, other, ball), 0);
    assert_int_equal (dRLSStepperJoinRows (s.stepper, other, s.joint[1]), 0); /* a part of a part */
    assert_int_equal (dRLSStepperJoinRows (s.stepper, s.joint[0], s.joint[0]), 0);
    assert_int_equal (dRLSStepperJoinRows (s.stepper, NULL, s.joint[0]), 0);
    assert_int_equal (dRLSStepperJoinRows (NULL, other, s.joint[0]), 0);
    scene_step (&s, (dReal)0.01, 3);

    /* taken away, the part first or with the rows */
    assert_int_equal (dRLSStepperJoinRows (s.stepper, s.joint[1], NULL), 1);
    scene_step (&s, (dReal)0.01, 1);
    assert_int_equal (dRLSStepperJoinRows (s.stepper, s.joint[1], s.joint[0]), 1);
    assert_int_equal (dRLSStepperSetJointRows (s.stepper, s.joint[0], 0, NULL, NULL), 1);
    scene_step (&s, (dReal)0.01, 1);
    scene_close (&s);
}

/* ---- two loads on a rope that winds from a drum, of every size ---- */

static double drum_size;

static void drum (const scene *s, int b, double sign, dReal J[3][6], dReal value[3], dReal rate[3],
                  double time)
{
    const dReal *q = dBodyGetQuaternion (s->body[b]), radius = (dReal)drum_size;
    (void)sign, (void)rate, (void)time;
    if (b < 2) J[0][2] = 1, value[0] += dBodyGetPosition (s->body[b])[2];
    if (b == 2) J[0][3] = radius, value[0] += radius * (dReal)(2 * atan2 ((double)q[1], (double)q[0]));
}

/* How far the first load falls, in lengths of the size. */
static double fall_beside_drum (double size)
{
    scene s = scene_open ((dReal)(-G * size));
    gathering g = {3, 1, NULL, drum, dRLSRowHolonomic, {0}, {0}};
    drum_size = size;
    for (int b = 0; b < 3; ++b)
    {
        scene_box (&s, (dReal)(b * size), 0, 0, (dReal)(pow (size, 3) * (1 + b)), (dReal)size, (dReal)size,
                   (dReal)size);
        if (b == 2) dBodySetGravityMode (s.body[b], 0);
    }
    join (&s, &g);
    scene_step (&s, (dReal)0.01, 50);
    const double fallen = (double)dBodyGetPosition (s.body[0])[2] / size;
    scene_close (&s);
    return fallen;
}

static void a_drum_of_every_size (void **state)
{
    (void)state;
    const double fallen = fall_beside_drum (1);
    assert_true (fabs (fallen) > 0.1);
    for (int power = -20; power <= 20; power += 10)
    {
        const double other = fall_beside_drum (ldexp (1, power));
        if (!(fabs (other - fallen) < EXACT)) fail_msg ("size 2^%d: %g instead of %g", power, other, fallen);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (rope_over_pulleys),     cmocka_unit_test (great_circles),
        cmocka_unit_test (driven_centre),         cmocka_unit_test (turns_add_up),
        cmocka_unit_test (bad_parts_are_refused), cmocka_unit_test (a_drum_of_every_size),
    };
    return cmocka_run_group_tests (tests, scene_start_ode, scene_stop_ode);
}
