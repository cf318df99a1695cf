/*
 * Joint feedback is the mean over the step: for every body the change of momentum is the step times the
 * external force and the sum of the joints' forces, the change of angular momentum likewise, to rounding,
 * whatever the integrator.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>
#include "oracle_linkages.h"

#define STEPS 25

typedef struct
{
    double p[3], L[3];
} momentum;

static momentum momentum_of (dBodyID body)
{
    momentum m = {{0}, {0}};
    dMass mass;
    dBodyGetMass (body, &mass);
    const dReal *v = dBodyGetLinearVel (body), *R = dBodyGetRotation (body), *w = dBodyGetAngularVel (body);
    double turn[3] = {0}, spin[3] = {0};
    for (int i = 0; i < 3; ++i) m.p[i] = (double)(mass.mass * v[i]);
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) turn[i] += (double)(R[4 * k + i] * w[k]);
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) spin[i] += (double)mass.I[4 * i + k] * turn[k];
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) m.L[i] += (double)R[4 * i + k] * spin[k];
    return m;
}

/* Added up over the joints of a body: force and torque.  ODE keeps a joint to the world the other way round,
 * if need be, so that its only body comes first. */
static void feedback_of (const scene *s, dBodyID body, double sum[6], double *largest)
{
    memset (sum, 0, 6 * sizeof (double));
    for (int j = 0; j < s->joints; ++j)
    {
        const dJointFeedback *f = dJointGetFeedback (s->joint[j]);
        dBodyID first = dJointGetBody (s->joint[j], 0), second = dJointGetBody (s->joint[j], 1);
        if (!first) first = second, second = NULL;
        for (int k = 0; k < 3; ++k)
        {
            *largest = fmax (*largest, fmax (fabs ((double)f->f1[k]), fabs ((double)f->t1[k])));
            if (first == body) sum[k] += (double)f->f1[k], sum[3 + k] += (double)f->t1[k];
            if (second == body) sum[k] += (double)f->f2[k], sum[3 + k] += (double)f->t2[k];
        }
    }
}

/* Largest rest of the balance of forces and of torques, relative to the largest force or torque. */
static void step_and_compare (scene *s, double h, double rest[2])
{
    momentum before[SCENE_MOST];
    double torque[3] = {0.3, -0.2, 0.1}, largest = 0;
    for (int b = 0; b < s->bodies; ++b) before[b] = momentum_of (s->body[b]);
    dBodyAddTorque (s->body[0], (dReal)torque[0], (dReal)torque[1], (dReal)torque[2]);
    scene_step (s, (dReal)h, 1);
    rest[0] = rest[1] = 0;
    for (int b = 0; b < s->bodies; ++b)
    {
        dMass mass;
        dVector3 g;
        double sum[6];
        dBodyGetMass (s->body[b], &mass);
        dWorldGetGravity (s->world, g);
        feedback_of (s, s->body[b], sum, &largest);
        const momentum after = momentum_of (s->body[b]);
        for (int k = 0; k < 3; ++k)
        {
            const double outside = (double)(mass.mass * g[k]), twist = b == 0 ? torque[k] : 0;
            largest = fmax (largest, fabs (outside));
            rest[0] = fmax (rest[0], fabs ((after.p[k] - before[b].p[k]) / h - outside - sum[k]));
            rest[1] = fmax (rest[1], fabs ((after.L[k] - before[b].L[k]) / h - twist - sum[3 + k]));
        }
    }
    rest[0] /= largest, rest[1] /= largest;
}

typedef struct
{
    const char *name;
    int integrator, correction, flags;
    int torques; /* 1: they balance, too */
} method;

/* The conserving step iterates until positions hold to rounding, which is that over h^2 in accelerations.
 * Stages of rk4 are open by their error, and there redundant rows, which take their share, are redundant to
 * that; where positions drift, to the square root of the tolerance. */
static double limit_of (const method *m)
{
    if (m->integrator == dRLSIntegratorRK4) return m->correction == dRLSCorrectionProjection ? 1e-6 : 3e-5;
    return m->correction == dRLSCorrectionConserving ? 1e-6 : 1e-10;
}

static const method methods[] = {
    {"euler", dRLSIntegratorEuler, dRLSCorrectionProjection, 0, 1},
    {"symplectic", dRLSIntegratorSymplectic, dRLSCorrectionProjection, 0, 1},
    {"symplectic4", dRLSIntegratorSymplectic4, dRLSCorrectionProjection, 0, 1},
    {"symplectic6", dRLSIntegratorSymplectic6, dRLSCorrectionProjection, 0, 1},
    {"symplectic8", dRLSIntegratorSymplectic8, dRLSCorrectionProjection, 0, 1},
    {"rk4", dRLSIntegratorRK4, dRLSCorrectionProjection, 0, 0},
    {"rk4, none", dRLSIntegratorRK4, dRLSCorrectionNone, 0, 0},
    {"rk4, embedded", dRLSIntegratorRK4, dRLSCorrectionEmbedded, 0, 0},
    {"rk4, embedded, each stage", dRLSIntegratorRK4, dRLSCorrectionEmbedded, dRLSCorrectEachStage, 0},
    {"conserving", dRLSIntegratorAuto, dRLSCorrectionConserving, 0, 1},
    {"conserving, bare", dRLSIntegratorAuto, dRLSCorrectionConserving, dRLSCorrectUnprojected, 1},
};
#define METHODS ((int)(sizeof (methods) / sizeof (*methods)))

static void momentum_balances (void **state)
{
    (void)state;
    static const double steps[] = {1.0 / 60, 0.002};
    dJointFeedback feedback[SCENE_MOST];
    for (int i = 0; i < linkage_count; ++i)
        for (int m = 0; m < METHODS; ++m)
            for (int k = 0; k < 2; ++k)
            {
                scene s = linkage_open (&linkages[i]);
                dRLSStepperSetIntegrator (scene_stepper (&s), methods[m].integrator);
                dRLSStepperSetCorrection (s.stepper, methods[m].correction);
                dRLSStepperSetCorrectionFlags (s.stepper, methods[m].flags);
                for (int j = 0; j < s.joints; ++j) dJointSetFeedback (s.joint[j], &feedback[j]);
                for (int step = 0; step < STEPS; ++step)
                {
                    double rest[2];
                    dRLSReport report = {.struct_size = sizeof (report)};
                    step_and_compare (&s, steps[k], rest);
                    dRLSStepperGetReport (s.stepper, &report);
                    if (report.fallbacks > 0 || report.singular_events > 0)
                        continue; /* said to leave a rest */
                    const double limit = limit_of (&methods[m]);
                    if (!(rest[0] < limit) || !(rest[1] < limit || !methods[m].torques))
                        fail_msg ("%s by %s, h = %g, step %d: forces off by %g, torques by %g of the largest",
                                  linkages[i].name, methods[m].name, steps[k], step, rest[0], rest[1]);
                }
                scene_close (&s);
            }
}

/* The end's value, on request, is the limit of the mean for small steps. */
static void the_end_on_request (void **state)
{
    (void)state;
    dJointFeedback feedback[2][SCENE_MOST];
    for (int i = 0; i < linkage_count; ++i)
    {
        scene s[2] = {linkage_open (&linkages[i]), linkage_open (&linkages[i])};
        double largest = 0, off = 0;
        for (int k = 0; k < 2; ++k)
        {
            assert_int_equal (dRLSStepperSetFeedback (scene_stepper (&s[k]), k), 1);
            assert_int_equal (dRLSStepperGetFeedback (s[k].stepper), k);
            for (int j = 0; j < s[k].joints; ++j) dJointSetFeedback (s[k].joint[j], &feedback[k][j]);
            scene_step (&s[k], (dReal)1e-4, 20);
        }
        for (int j = 0; j < s[0].joints; ++j)
            for (int k = 0; k < 3; ++k)
            {
                largest = fmax (largest, fabs ((double)feedback[0][j].f1[k]));
                off = fmax (off, fabs ((double)(feedback[0][j].f1[k] - feedback[1][j].f1[k])));
            }
        if (!(off < 1e-2 * largest && off > 0)) fail_msg ("%s: %g of %g", linkages[i].name, off, largest);
        scene_close (&s[0]), scene_close (&s[1]);
    }
}

/* A body of 1 kg circles about a hinge with a little friction, 1 m from it.  By Euler's method the hinge must
 * give all that bends its way; what closing the joint adds to velocities was left out, which is all of it. */
static void a_hinge_with_friction_bends_the_way (void **state)
{
    static const int integrators[] = {dRLSIntegratorAuto, dRLSIntegratorEuler, dRLSIntegratorRK4};
    (void)state;
    for (int i = 0; i < 3; ++i)
        for (int n = 1; n <= 4; n *= 2)
        {
            const double h = 0.01 / n, rate = 3;
            scene s = scene_open (0);
            dJointFeedback feedback;
            scene_box (&s, 1, 0, 0, 1, (dReal)0.1, (dReal)0.1, (dReal)0.1);
            const dJointID hinge =
                scene_hinge (&s, 0, NO_BODY, (const double[3]){0, 0, 0}, (const double[3]){0, 0, 1});
            dJointSetHingeParam (hinge, dParamFMax, (dReal)1e-3);
            dJointSetFeedback (hinge, &feedback);
            dBodySetLinearVel (s.body[0], 0, (dReal)rate, 0);
            dBodySetAngularVel (s.body[0], 0, 0, (dReal)rate);
            dRLSStepperSetIntegrator (scene_stepper (&s), integrators[i]);
            scene_step (&s, (dReal)h, 50 * n);
            const dReal *v = dBodyGetLinearVel (s.body[0]);
            const double wanted = (double)(v[0] * v[0] + v[1] * v[1]),
                         force = sqrt (
                             (double)(feedback.f1[0] * feedback.f1[0] + feedback.f1[1] * feedback.f1[1]));
            if (!(fabs (force - wanted) < 0.2 * h * wanted))
                fail_msg ("integrator %d, %g s: %g N of %g", integrators[i], h, force, wanted);
            scene_close (&s);
        }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (a_hinge_with_friction_bends_the_way),
        cmocka_unit_test (momentum_balances),
        cmocka_unit_test (the_end_on_request),
    };
    return cmocka_run_group_tests (tests, scene_start_ode, scene_stop_ode);
}
