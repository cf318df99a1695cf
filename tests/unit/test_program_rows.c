/*
 * Rows that the program gives, beside closed forms: a knife edge, Chaplygin's sleigh, a disc that rolls
 * upright, a screw, a rope over fixed pulleys, and the centre of mass of two bodies driven along a path.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>
#include "oracle_scene.h"

#define G 9.81
#define EXACT 1e-9

/* ---- the rows ---- */

static void take (dReal to[6], const double v[3], const double w[3])
{
    for (int k = 0; k < 3; ++k) to[k] = (dReal)v[k], to[3 + k] = (dReal)w[k];
}

static const double nothing[3] = {0, 0, 0};

/* No motion of the point at x = arm of the body along its own y. */
static int knife_edge (void *context, dJointID joint, dReal time, dRLSProgramRow *row)
{
    const double *arm = context;
    const dReal *R = dBodyGetRotation (dJointGetBody (joint, 0));
    const double across[3] = {(double)R[1], (double)R[5], (double)R[9]}, turn[3] = {0, 0, *arm};
    (void)time;
    take (row[0].first, across, turn), row[0].kind = dRLSRowNonholonomic;
    return 1;
}

/* A disc of radius 1 whose axis is the body's y: upright on the plane z = 0, rolling. */
static int rolling (void *context, dJointID joint, dReal time, dRLSProgramRow *row)
{
    const dBodyID disc = dJointGetBody (joint, 0);
    const dReal *x = dBodyGetPosition (disc), *R = dBodyGetRotation (disc);
    const double up[3] = {0, 0, 1}, along[2][3] = {{1, 0, 0}, {0, 1, 0}},
                 lever[2][3] = {{0, -1, 0}, {1, 0, 0}};
    const double lean[3] = {(double)R[5], -(double)R[1], 0}; /* axis x z */
    (void)context, (void)time;
    take (row[0].first, up, nothing), row[0].value = x[2] - 1;
    take (row[1].first, nothing, lean), row[1].value = R[9];
    for (int k = 0; k < 2; ++k)
        take (row[2 + k].first, along[k], lever[k]), row[2 + k].kind = dRLSRowNonholonomic;
    return 1;
}

#define PITCH 0.2 /* m/rad */

static int screw (void *context, dJointID joint, dReal time, dRLSProgramRow *row)
{
    const dBodyID body = dJointGetBody (joint, 0);
    const dReal *x = dBodyGetPosition (body), *R = dBodyGetRotation (body);
    const double e[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, turn[3] = {0, 0, -PITCH};
    const double z[3] = {(double)R[2], (double)R[6], (double)R[10]};
    const double tilt[2][3] = {{0, z[2], -z[1]}, {-z[2], 0, z[0]}}; /* rates of z . x and z . y */
    (void)context, (void)time;
    for (int k = 0; k < 2; ++k)
    {
        take (row[k].first, e[k], nothing), row[k].value = x[k];
        take (row[2 + k].first, nothing, tilt[k]), row[2 + k].value = (dReal)z[k];
    }
    const double angle = atan2 ((double)R[4], (double)R[0]);
    take (row[4].first, e[2], turn);
    row[4].value = (dReal)remainder ((double)x[2] - PITCH * angle, 2 * M_PI * PITCH);
    return 1;
}

/* Length 5 between two bodies over pulleys at (-1, 0, 0) and (1, 0, 0). */
static int rope (void *context, dJointID joint, dReal time, dRLSProgramRow *row)
{
    double length = 2;
    (void)context, (void)time;
    for (int side = 0; side < 2; ++side)
    {
        const dReal *x = dBodyGetPosition (dJointGetBody (joint, side));
        double d[3] = {(double)x[0] - (side ? 1 : -1), (double)x[1], (double)x[2]};
        const double size = sqrt (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        for (int k = 0; k < 3; ++k) d[k] /= size;
        take (side ? row[0].second : row[0].first, d, nothing);
        length += size;
    }
    row[0].value = (dReal)(length - 5);
    return 1;
}

static void path (double t, double x[3], double v[3], double a[3])
{
    for (int k = 0; k < 3; ++k)
    {
        const double w = 2 + k, size = 0.3;
        x[k] = size * sin (w * t), v[k] = size * w * cos (w * t), a[k] = -size * w * w * sin (w * t);
    }
}

/* The centre of mass of both bodies along the path. */
static int driven_centre (void *context, dJointID joint, dReal time, dRLSProgramRow *row)
{
    double x[3], v[3], a[3], part[2];
    dMass mass[2];
    (void)context;
    path ((double)time, x, v, a);
    for (int side = 0; side < 2; ++side) dBodyGetMass (dJointGetBody (joint, side), &mass[side]);
    for (int side = 0; side < 2; ++side)
        part[side] = (double)(mass[side].mass / (mass[0].mass + mass[1].mass));
    for (int k = 0; k < 3; ++k)
    {
        double e[3] = {0, 0, 0}, centre = 0;
        for (int side = 0; side < 2; ++side)
        {
            e[k] = part[side];
            take (side ? row[k].second : row[k].first, e, nothing);
            centre += part[side] * (double)dBodyGetPosition (dJointGetBody (joint, side))[k];
        }
        row[k].value = (dReal)(centre - x[k]), row[k].rate = (dReal)v[k];
    }
    return 1;
}

/* ---- the motions, and how far they are from their closed forms ---- */

typedef struct
{
    const char *name;
    int rank;
    void (*build) (scene *s);
    double (*error) (const scene *s, double t);
} example;

static dJointID give (scene *s, int a, int b, int count, dRLSRowsFunction *rows, void *context)
{
    const dJointID joint = scene_joint (s, dJointCreateLMotor, a, b);
    assert_int_equal (dRLSStepperSetJointRows (scene_stepper (s), joint, count, rows, context), 1);
    return joint;
}

static void spin_flat (scene *s, double mass, double inertia)
{
    dMass m;
    scene_box (s, 0, 0, 0, 1, 1, 1, 1);
    dMassSetParameters (&m, (dReal)mass, 0, 0, 0, (dReal)inertia, (dReal)inertia, (dReal)inertia, 0, 0, 0);
    dBodySetMass (s->body[0], &m);
}

static double arm_none = 0, arm_sleigh = -0.4; /* the blade is behind the centre of mass */

static void build_knife_edge (scene *s)
{
    dWorldSetGravity (s->world, (dReal)G, 0, 0);
    spin_flat (s, 2, 0.5);
    dBodySetAngularVel (s->body[0], 0, 0, 2);
    give (s, 0, NO_BODY, 1, knife_edge, &arm_none);
}

static double error_knife_edge (const scene *s, double t)
{
    const dReal *x = dBodyGetPosition (s->body[0]);
    const double w = 2, size = G / (2 * w * w);
    return hypot ((double)x[0] - size * pow (sin (w * t), 2),
                  (double)x[1] - size * (w * t - 0.5 * sin (2 * w * t)));
}

#define SLEIGH_MASS 2.0
#define SLEIGH_INERTIA 0.3
#define SLEIGH_SPIN 1.5

static void build_sleigh (scene *s)
{
    dWorldSetGravity (s->world, 0, 0, 0);
    spin_flat (s, SLEIGH_MASS, SLEIGH_INERTIA);
    dBodySetAngularVel (s->body[0], 0, 0, (dReal)SLEIGH_SPIN);
    dBodySetLinearVel (s->body[0], 0, (dReal)(-arm_sleigh * SLEIGH_SPIN), 0);
    give (s, 0, NO_BODY, 1, knife_edge, &arm_sleigh);
}

static double error_sleigh (const scene *s, double t)
{
    const double a = -arm_sleigh, moment = SLEIGH_INERTIA + SLEIGH_MASS * a * a,
                 b = sqrt (moment / SLEIGH_MASS);
    const double k = a * SLEIGH_SPIN / b, heading = SLEIGH_SPIN / k * 2 * atan (tanh (0.5 * k * t));
    const dReal *R = dBodyGetRotation (s->body[0]), *v = dBodyGetLinearVel (s->body[0]),
                *w = dBodyGetAngularVel (s->body[0]);
    const double forward = (double)(v[0] * R[0] + v[1] * R[4]);
    return fmax (fabs (forward - b * SLEIGH_SPIN * tanh (k * t)),
                 fmax (fabs ((double)w[2] - SLEIGH_SPIN / cosh (k * t)),
                       fabs (remainder (atan2 ((double)R[4], (double)R[0]) - heading, 2 * M_PI))));
}

static void build_disc (scene *s)
{
    dMass m;
    dWorldSetGravity (s->world, 0, 0, (dReal)-G);
    scene_box (s, 0, 0, 1, 1, 1, 1, 1);
    dMassSetCylinderTotal (&m, 3, 2, 1, (dReal)0.1);
    dBodySetMass (s->body[0], &m);
    dBodySetAngularVel (s->body[0], 0, (dReal)1.7, (dReal)0.6);
    dBodySetLinearVel (s->body[0], (dReal)1.7, 0, 0);
    give (s, 0, NO_BODY, 4, rolling, NULL);
}

static double error_disc (const scene *s, double t)
{
    const dReal *x = dBodyGetPosition (s->body[0]);
    const double radius = 1.7 / 0.6, turned = 0.6 * t;
    return fabs ((double)x[2] - 1) +
           hypot ((double)x[0] - radius * sin (turned), (double)x[1] - radius * (1 - cos (turned)));
}

static void build_screw (scene *s)
{
    dWorldSetGravity (s->world, 0, 0, -1);
    spin_flat (s, 2, 0.5);
    give (s, 0, NO_BODY, 5, screw, NULL);
}

static double error_screw (const scene *s, double t)
{
    return fabs ((double)dBodyGetPosition (s->body[0])[2] + 0.5 * t * t * 2 / (2 + 0.5 / (PITCH * PITCH)));
}

static void build_rope (scene *s)
{
    dWorldSetGravity (s->world, 0, 0, (dReal)-G);
    scene_box (s, -1, 0, -2, 3, 1, 1, 1);
    scene_box (s, 1, 0, -1, (dReal)2.9, 1, 1, 1);
    give (s, 0, 1, 1, rope, NULL);
}

static double error_rope (const scene *s, double t)
{
    const double fallen = 0.5 * t * t * G * (3 - 2.9) / (3 + 2.9);
    return fmax (fabs ((double)dBodyGetPosition (s->body[0])[2] + 2 + fallen),
                 fabs ((double)dBodyGetPosition (s->body[1])[2] + 1 - fallen));
}

static dJointFeedback reaction;

static void build_centre (scene *s)
{
    const double pin[3] = {0, 0, 0};
    double x[3], v[3], a[3];
    dWorldSetGravity (s->world, 0, 0, (dReal)-G);
    path (0, x, v, a);
    scene_box (s, (dReal)-0.4, 0, 0, 1, (dReal)0.8, (dReal)0.1, (dReal)0.2);
    scene_box (s, (dReal)0.2, 0, 0, 2, (dReal)0.4, (dReal)0.1, (dReal)0.3);
    for (int b = 0; b < 2; ++b) dBodySetLinearVel (s->body[b], (dReal)v[0], (dReal)v[1], (dReal)v[2]);
    scene_ball (s, 0, 1, pin);
    dJointSetFeedback (give (s, 0, 1, 3, driven_centre, NULL), &reaction);
}

static double error_centre (const scene *s, double t)
{
    double x[3], v[3], a[3], worst = 0;
    path (t, x, v, a);
    for (int k = 0; k < 3; ++k)
        worst = fmax (
            worst,
            fabs ((double)(dBodyGetPosition (s->body[0])[k] + 2 * dBodyGetPosition (s->body[1])[k]) / 3 -
                  x[k]));
    return worst;
}

static const example examples[] = {
    {"knife edge", 1, build_knife_edge, error_knife_edge},
    {"Chaplygin's sleigh", 1, build_sleigh, error_sleigh},
    {"rolling disc", 4, build_disc, error_disc},
    {"screw", 5, build_screw, error_screw},
    {"rope", 1, build_rope, error_rope},
    {"driven centre of mass", 6, build_centre, error_centre},
};
#define EXAMPLES ((int)(sizeof (examples) / sizeof (*examples)))

/* The largest error up to 2 s. */
static double run (const example *e, int integrator, int correction, int steps)
{
    scene s = scene_open (0);
    double worst = 0;
    e->build (&s);
    dRLSStepperSetIntegrator (s.stepper, integrator);
    dRLSStepperSetCorrection (s.stepper, correction);
    const dRLSReport report = scene_analyse (&s);
    if (report.rank != e->rank || report.redundant != 0) fail_msg ("%s: rank %d", e->name, report.rank);
    for (int i = 1; i <= steps; ++i)
    {
        scene_step (&s, (dReal)(2.0 / steps), 1);
        worst = fmax (worst, e->error (&s, 2.0 * i / steps));
    }
    for (int w = 0; w < dRLSWarningCount; ++w)
        if (dRLSStepperGetWarningCount (s.stepper, w) > 0)
            fail_msg ("%s, integrator %d, correction %d: %s", e->name, integrator, correction,
                      dRLSWarningText (w));
    scene_close (&s);
    return worst;
}

/* Each integrator, and rk4 and the rules of their own under each correction, comes down to its limit with its
 * order, or is there already.  Baumgarte's terms are of second order; without any what drifts is rounding. */
static void closed_forms (void **state)
{
    (void)state;
    static const struct
    {
        int integrator, correction, order, steps;
        double limit, rounding;
    } tried[] = {
        {dRLSIntegratorEuler, dRLSCorrectionProjection, 1, 400, 2e-2, 1e-12},
        {dRLSIntegratorSymplectic, dRLSCorrectionProjection, 2, 200, 2e-3, 1e-12},
        {dRLSIntegratorSymplectic4, dRLSCorrectionProjection, 4, 100, 1e-6, 1e-12},
        {dRLSIntegratorSymplectic6, dRLSCorrectionProjection, 6, 100, EXACT, 1e-12},
        {dRLSIntegratorSymplectic8, dRLSCorrectionProjection, 8, 50, EXACT, 1e-12},
        {dRLSIntegratorRK4, dRLSCorrectionProjection, 4, 400, EXACT, 1e-12},
        {dRLSIntegratorRK4, dRLSCorrectionNone, 0, 400, EXACT, EXACT},
        {dRLSIntegratorRK4, dRLSCorrectionERP, 2, 400, 2e-7, 1e-12},
        {dRLSIntegratorRK4, dRLSCorrectionEmbedded, 4, 400, EXACT, 1e-12},
        {dRLSIntegratorRK4, dRLSCorrectionSimultaneous, 4, 400, EXACT, 1e-12},
        {dRLSIntegratorRK4, dRLSCorrectionEnergy, 4, 400, EXACT, 1e-12},
        {dRLSIntegratorAuto, dRLSCorrectionAugmented, 2, 400, 2e-4, 1e-11},
        {dRLSIntegratorAuto, dRLSCorrectionConserving, 2, 400, 2e-4, 1e-11},
    };
    for (int i = 0; i < EXAMPLES; ++i)
        for (size_t k = 0; k < sizeof (tried) / sizeof (*tried); ++k)
        {
            const double coarse =
                run (&examples[i], tried[k].integrator, tried[k].correction, tried[k].steps);
            const double fine =
                run (&examples[i], tried[k].integrator, tried[k].correction, 2 * tried[k].steps);
            const double order = log2 (coarse / fine);
            print_message ("%-22s integrator %d, correction %d: %.1e, %.1e: order %.1f\n", examples[i].name,
                           tried[k].integrator, tried[k].correction, coarse, fine, order);
            if (!(fine < tried[k].limit)) fail_msg ("%s: off by %g", examples[i].name, fine);
            if (fine > tried[k].rounding && !(order > tried[k].order - 0.4))
                fail_msg ("%s: order %g", examples[i].name, order);
        }
}

/* The rows' reaction on the driven centre of mass is what the path takes. */
static void reactions_of_rows (void **state)
{
    (void)state;
    scene s = scene_open (0);
    double x[3], v[3], a[3], before[3];
    build_centre (&s);
    for (int i = 0; i < 50; ++i)
    {
        path (0.01 * i, x, before, a);
        scene_step (&s, (dReal)0.01, 1);
        path (0.01 * (i + 1), x, v, a);
        for (int k = 0; k < 3; ++k)
        {
            const double force = (double)(reaction.f1[k] + reaction.f2[k]);
            const double wanted = 3 * ((v[k] - before[k]) / 0.01 + (k == 2 ? G : 0));
            if (!(fabs (force - wanted) < 1e-9)) fail_msg ("step %d: %g, not %g", i, force, wanted);
        }
    }
    scene_close (&s);
}

/* Of two joints that say the same the one of the larger priority number is named, row by row; compliance
 * makes rows give way. */
static void rows_are_rows (void **state)
{
    (void)state;
    for (int last = 0; last < 2; ++last)
    {
        scene s = scene_open (0);
        dRLSRow row[8];
        build_disc (&s);
        const dJointID twin[2] = {s.joint[0], give (&s, 0, NO_BODY, 4, rolling, NULL)};
        dRLSStepperSetOrder (s.stepper, dRLSOrderPriority);
        dRLSStepperSetJointPriority (s.stepper, twin[last], 2);
        const dRLSReport report = scene_analyse (&s);
        assert_int_equal (report.rank, 4);
        assert_int_equal (dRLSStepperGetRedundantRows (s.stepper, row, 8), 4);
        for (int r = 0; r < 4; ++r) assert_ptr_equal (row[r].joint, twin[last]);
        scene_step (&s, (dReal)0.01, 100);
        assert_true (error_disc (&s, 1) < 1e-3);
        scene_close (&s);
    }
    scene s = scene_open (0);
    build_rope (&s);
    dRLSStepperSetJointCompliance (s.stepper, s.joint[0], 1000, 200);
    scene_step (&s, (dReal)0.01, 200);
    const double stretch = -(double)(dBodyGetPosition (s.body[0])[2] + dBodyGetPosition (s.body[1])[2]) - 3;
    const double tension = 2 * 3 * 2.9 * G / (3 + 2.9);
    if (!(fabs (stretch - tension / 1000) < 1e-3 * tension / 1000)) fail_msg ("stretched by %g", stretch);
    scene_close (&s);
}

static int refuses (void *context, dJointID joint, dReal time, dRLSProgramRow *row)
{
    (void)joint, (void)time;
    row[0].first[0] = 1;
    if (*(int *)context) row[0].value = (dReal)NAN;
    return *(int *)context;
}

static void bad_rows_are_refused (void **state)
{
    (void)state;
    scene s = scene_open (0);
    scene_body_state before[1];
    int fails = 0, nan = 1;
    scene_box (&s, 0, 0, 0, 1, 1, 1, 1);
    const dJointID joint = give (&s, 0, NO_BODY, 1, refuses, &fails);
    scene_look (&s, before);
    assert_int_equal (dRLSStepperStep (s.stepper, (dReal)0.01), 0);
    assert_int_equal (dRLSStepperGetStatus (s.stepper), dRLSStatusNotFinite);
    dRLSStepperSetJointRows (s.stepper, joint, 1, refuses, &nan);
    assert_int_equal (dRLSStepperStep (s.stepper, (dReal)0.01), 0);
    assert_true (scene_same (&s, before));
    assert_int_equal (dRLSStepperSetJointRows (s.stepper, joint, 0, refuses, &nan), 0);
    assert_int_equal (dRLSStepperSetJointRows (s.stepper, joint, 7, refuses, &nan), 0);
    assert_int_equal (dRLSStepperSetJointRows (NULL, joint, 1, refuses, &nan), 0);
    assert_int_equal (dRLSStepperSetJointRows (s.stepper, NULL, 1, refuses, &nan), 0);
    assert_int_equal (dRLSStepperSetJointRows (s.stepper, joint, 0, NULL, NULL), 1);
    assert_int_equal (dRLSStepperStep (s.stepper, (dReal)0.01), 1);
    scene_close (&s);
}

/* What a nonholonomic row says of its value is not looked at; a kind must be one. */
static int with_value (void *context, dJointID joint, dReal time, dRLSProgramRow *row)
{
    knife_edge (&arm_none, joint, time, row);
    row[0].value = 5, row[0].kind = *(int *)context;
    return 1;
}

static void kinds_are_heeded (void **state)
{
    (void)state;
    scene s[2] = {scene_open (0), scene_open (0)};
    int kind = dRLSRowNonholonomic;
    for (int k = 0; k < 2; ++k) build_knife_edge (&s[k]);
    dRLSStepperSetJointRows (s[1].stepper, s[1].joint[0], 1, with_value, &kind);
    for (int k = 0; k < 2; ++k) scene_step (&s[k], (dReal)0.01, 50);
    assert_true (scene_pose_difference (&s[0], &s[1]) == 0);
    for (kind = -1; kind <= dRLSRowKindCount; kind += dRLSRowKindCount + 1)
        assert_int_equal (dRLSStepperStep (s[1].stepper, (dReal)0.01), 0);
    for (int k = 0; k < 2; ++k) scene_close (&s[k]);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (closed_forms),         cmocka_unit_test (reactions_of_rows),
        cmocka_unit_test (rows_are_rows),        cmocka_unit_test (kinds_are_heeded),
        cmocka_unit_test (bad_rows_are_refused),
    };
    return cmocka_run_group_tests (tests, scene_start_ode, scene_stop_ode);
}
