/*
 * Through singular configurations at random: rows of parallelograms, slider-cranks and, not planar, spherical
 * parallelograms, each with masses, phase, speed and frame of its own.  All of them fold flat twice a turn,
 * where the linkage could go on in another way: none may.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "oracle_linkages.h"

#define CASES 67 /* of each kind */
#define STEPS 300
#define H 0.01
#define OFF_BRANCH 1e-6    /* rad between angles that are equal on the branch */
#define CLOSED 1e-9        /* m or rad */
#define NEAR_SINGULAR 1e-3 /* relative pivot */

/* ---- chance ---- */

static unsigned long long seed;

/* Uniform in [from, to). */
static double chance (double from, double to)
{
    seed = seed * 6364136223846793005ull + 1442695040888963407ull;
    return from + (to - from) * (double)(seed >> 11) / 9007199254740992.0;
}

/* ---- frames ---- */

typedef struct
{
    double R[9], origin[3];
} frame;

static frame any_frame (void)
{
    frame f;
    double q[4], length = 0;
    for (int k = 0; k < 4; ++k) q[k] = chance (-1, 1), length += q[k] * q[k];
    for (int k = 0; k < 4; ++k) q[k] /= sqrt (length);
    const double w = q[0], x = q[1], y = q[2], z = q[3];
    const double R[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
                         2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                         2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
    memcpy (f.R, R, sizeof (R));
    for (int k = 0; k < 3; ++k) f.origin[k] = chance (-2, 2);
    return f;
}

static void turn (const frame *f, const double v[3], double out[3])
{
    for (int i = 0; i < 3; ++i) out[i] = f->R[3 * i] * v[0] + f->R[3 * i + 1] * v[1] + f->R[3 * i + 2] * v[2];
}

static void place (const frame *f, double x, double y, double z, double out[3])
{
    const double p[3] = {x, y, z};
    turn (f, p, out);
    for (int k = 0; k < 3; ++k) out[k] += f->origin[k];
}

/* ---- linkages; each returns pairs of hinges whose angles stay equal on the branch ---- */

typedef struct
{
    int count, first[4], second[4];
} twins;

static dJointID hinge (scene *s, int a, int b, const frame *f, const double anchor[3], const double axis[3])
{
    double world[3], along[3];
    place (f, anchor[0], anchor[1], anchor[2], world);
    turn (f, axis, along);
    return scene_hinge (s, a, b, world, along);
}

static int rod (scene *s, const frame *f, const double from[3], const double to[3])
{
    double a[3], b[3];
    dMass mass;
    place (f, from[0], from[1], from[2], a);
    place (f, to[0], to[1], to[2], b);
    const int body = scene_rod (s, a, b);
    dMassSetBoxTotal (&mass, (dReal)chance (0.3, 3), (dReal)chance (0.3, 1.5), (dReal)0.1,
                      (dReal)chance (0.05, 0.3));
    dBodySetMass (s->body[body], &mass);
    return body;
}

static const double normal[3] = {0, 0, 1};

static void speed (scene *s, const frame *f, int body, double vx, double vy, double w)
{
    const double v[3] = {vx, vy, 0}, spin[3] = {0, 0, w};
    double world[3];
    turn (f, v, world);
    dBodySetLinearVel (s->body[body], (dReal)world[0], (dReal)world[1], (dReal)world[2]);
    turn (f, spin, world);
    dBodySetAngularVel (s->body[body], (dReal)world[0], (dReal)world[1], (dReal)world[2]);
}

static twins parallelograms (scene *s, const frame *f)
{
    const int loops = 1 + (int)chance (0, 3);
    const double phase = chance (0, 6.3), c = cos (phase), d = sin (phase), w = chance (4, 7);
    twins t = {.count = loops};
    for (int i = 0; i <= loops; ++i)
    {
        const double from[3] = {i, 0, 0}, to[3] = {i + c, d, 0};
        speed (s, f, rod (s, f, from, to), -0.5 * w * d, 0.5 * w * c, w);
        hinge (s, i, NO_BODY, f, from, normal);
        if (i > 0) t.first[i - 1] = 0, t.second[i - 1] = i;
    }
    for (int i = 0; i < loops; ++i)
    {
        const double from[3] = {i + c, d, 0}, to[3] = {i + 1 + c, d, 0};
        const int coupler = rod (s, f, from, to);
        speed (s, f, coupler, -w * d, w * c, 0);
        hinge (s, coupler, i, f, from, normal);
        hinge (s, coupler, i + 1, f, to, normal);
    }
    return t;
}

/* Crank and rod of the same length: stretched, folded, and upright with the slider above the crank's hinge,
 * from where crank and rod could turn as one. */
static twins slider_crank (scene *s, const frame *f)
{
    const double phase = chance (0, 6.3), c = cos (phase), d = sin (phase), w = chance (4, 7);
    const double zero[3] = {0, 0, 0}, pin[3] = {c, d, 0}, end[3] = {2 * c, 0, 0}, along[3] = {1, 0, 0};
    const double left[3] = {2 * c - 0.1, 0, 0}, right[3] = {2 * c + 0.1, 0, 0};
    double axis[3];
    const int crank = rod (s, f, zero, pin), link = rod (s, f, pin, end), block = rod (s, f, left, right);
    speed (s, f, crank, -0.5 * w * d, 0.5 * w * c, w);
    speed (s, f, link, -1.5 * w * d, 0.5 * w * c, -w);
    speed (s, f, block, -2 * w * d, 0, 0);
    hinge (s, crank, NO_BODY, f, zero, normal);
    hinge (s, link, crank, f, pin, normal);
    hinge (s, block, link, f, end, normal);
    const dJointID slider = scene_joint (s, dJointCreateSlider, block, NO_BODY);
    turn (f, along, axis);
    dJointSetSliderAxis (slider, (dReal)axis[0], (dReal)axis[1], (dReal)axis[2]);
    return (twins){1, {0}, {2}};
}

/*
 * Four hinges whose axes meet in one point, arcs a, b, a, b between them.  Half a turn about the middle of
 * one diagonal exchanges opposite hinges: their angles are the same as long as the branch is.
 */
static twins spherical (scene *s, const frame *f)
{
    const double a = chance (0.4, 0.8), b = chance (1.0, 1.4), phase = chance (0.3, 2.8), w = chance (6, 9);
    const double zero[3] = {0, 0, 0};
    double axis[4][3] = {
        {1, 0, 0}, {cos (a), sin (a) * cos (phase), sin (a) * sin (phase)}, {0}, {cos (b), sin (b), 0}};
    double middle[3], length = 0, along = 0, spin[3];
    for (int k = 0; k < 3; ++k) middle[k] = axis[1][k] + axis[3][k], length += middle[k] * middle[k];
    for (int k = 0; k < 3; ++k) along += middle[k] * axis[0][k] / length;
    for (int k = 0; k < 3; ++k) axis[2][k] = 2 * along * middle[k] - axis[0][k];
    for (int i = 0; i < 3; ++i)
    {
        rod (s, f, axis[i], axis[i + 1]);
        hinge (s, i, i == 0 ? NO_BODY : i - 1, f, zero, axis[i]);
    }
    hinge (s, NO_BODY, 2, f, zero, axis[3]);
    turn (f, (const double[3]){w, 0, 0}, spin); /* the others follow at the first step */
    dBodySetAngularVel (s->body[0], (dReal)spin[0], (dReal)spin[1], (dReal)spin[2]);
    return (twins){2, {0, 1}, {2, 3}};
}

/* ---- the run ---- */

/* How far the angles that the branch keeps equal are apart. */
static double off_branch (const scene *s, const twins *t)
{
    double worst = 0;
    for (int i = 0; i < t->count; ++i)
        worst = fmax (worst, fabs (remainder ((double)dJointGetHingeAngle (s->joint[t->first[i]]) -
                                                  (double)dJointGetHingeAngle (s->joint[t->second[i]]),
                                              2 * M_PI)));
    return worst;
}

typedef twins builder (scene *s, const frame *f);

static void stays_on_its_branch (builder *build, int first_seed)
{
    static const int integrators[] = {dRLSIntegratorAuto, dRLSIntegratorSymplectic4,
                                      dRLSIntegratorSymplectic6, dRLSIntegratorRK4};
    int passed = 0;
    for (int i = 0; i < CASES; ++i)
    {
        seed = (unsigned long long)(first_seed + i);
        for (int k = 0; k < 10; ++k) chance (0, 1);
        const frame f = any_frame ();
        scene s = scene_open ((dReal)-9.81);
        const twins t = build (&s, &f);
        double least = 1, apart = 0, open = 0;
        dRLSStepperSetIntegrator (scene_stepper (&s), integrators[i % 4]);
        dRLSStepperSetReport (s.stepper, 0);
        for (int step = 0; step < STEPS; ++step)
        {
            dRLSReport report = {.struct_size = sizeof (report)};
            scene_step (&s, (dReal)H, 1);
            dRLSStepperGetReport (s.stepper, &report);
            least = fmin (least, (double)report.rank_gap);
            apart = fmax (apart, off_branch (&s, &t));
            open = fmax (open, scene_violation (&s));
        }
        passed += least < NEAR_SINGULAR;
        const unsigned long fallbacks = dRLSStepperGetWarningCount (s.stepper, dRLSWarningFallback);
        if (!(apart < OFF_BRANCH && open < CLOSED))
            fail_msg ("case %d: off its branch by %g rad, open by %g, %lu fallbacks", i, apart, open,
                      fallbacks);
        scene_close (&s);
    }
    assert_true (passed > CASES / 2);
}

static void parallelograms_stay (void **state)
{
    (void)state;
    stays_on_its_branch (parallelograms, 1);
}

static void slider_cranks_stay (void **state)
{
    (void)state;
    stays_on_its_branch (slider_crank, 1001);
}

static void spherical_linkages_stay (void **state)
{
    (void)state;
    stays_on_its_branch (spherical, 2001);
}

/* ---- steps far too long ---- */

/* The Bricard mechanism turns by more than a radian in such a step: other rows close there on another branch,
 * and the redundant one tells. */
static void long_steps_stay (void **state)
{
    (void)state;
    static const dReal steps[] = {(dReal)0.1, (dReal)0.2, (dReal)0.3};
    for (int i = 0; i < 3; ++i)
    {
        scene s = scene_open ((dReal)-9.81);
        linkage_bricard (&s, 0);
        double open = 0;
        for (int step = 0; step < 300; ++step)
        {
            scene_step (&s, steps[i], 1);
            open = fmax (open, scene_violation (&s));
        }
        if (!(open < CLOSED)) fail_msg ("steps of %g s: open by %g", (double)steps[i], open);
        scene_close (&s);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (parallelograms_stay),
        cmocka_unit_test (slider_cranks_stay),
        cmocka_unit_test (spherical_linkages_stay),
        cmocka_unit_test (long_steps_stay),
    };
    return cmocka_run_group_tests (tests, scene_start_ode, scene_stop_ode);
}
