/*
 * Hashes of trajectories, every bit of every body after every step:
 *
 *     trajectories [THREADS]
 *
 * prints one line a run.  The first line hashes what is not ours: functions of the mathematical library and
 * ODE's own arithmetic.  Where it differs, the others may as well.
 */
#include "state_hash.h"
#include "../unit/workers.h"

#include "scene.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct
{
    const char *scene;
    int integrator, correction, steps;
} trajectory;

static const trajectory trajectories[] = {
    {SCENES "/bricard.sdf", dRLSIntegratorAuto, dRLSCorrectionProjection, 1000},
    {SCENES "/bricard.sdf", dRLSIntegratorSymplectic6, dRLSCorrectionProjection, 1000},
    {SCENES "/bricard.sdf", dRLSIntegratorRK4, dRLSCorrectionProjection, 1000},
    {SCENES "/bricard.sdf", dRLSIntegratorAuto, dRLSCorrectionConserving, 1000},
    {SCENES "/bricard.sdf", dRLSIntegratorEuler, dRLSCorrectionProjection, 1000},
    {SCENES "/nfourbar_n2.sdf", dRLSIntegratorSymplectic4, dRLSCorrectionProjection, 1000},
    {SCENES "/slider_crank.sdf", dRLSIntegratorAuto, dRLSCorrectionProjection, 1000},
    {SCENES "/biped3.sdf", dRLSIntegratorAuto, dRLSCorrectionProjection, 1000},
    {SCENES "/stewart.sdf", dRLSIntegratorAuto, dRLSCorrectionProjection, 500},
    {SCENES "/show_excavator.sdf", dRLSIntegratorAuto, dRLSCorrectionProjection, 200},
    {SCENES "/show_walker.sdf", dRLSIntegratorAuto, dRLSCorrectionProjection, 100},
    {"chain:50", dRLSIntegratorAuto, dRLSCorrectionProjection, 300},
    {"net:6", dRLSIntegratorAuto, dRLSCorrectionProjection, 300},
    {"stack:10", dRLSIntegratorAuto, dRLSCorrectionProjection, 300},
    {"wall:20", dRLSIntegratorAuto, dRLSCorrectionProjection, 200},
    {"ragdolls:8", dRLSIntegratorAuto, dRLSCorrectionProjection, 200}, /* islands that meet */
};

#define H 0.01

/* ---- the platform ---- */

static uint64_t hash_number (uint64_t hash, double x) { return state_hash_bytes (hash, &x, sizeof x); }

/* Also a world of ODE's own stepping: another build of ODE rounds otherwise. */
static uint64_t platform (void)
{
    uint64_t hash = STATE_HASH_START;
    for (int i = 1; i < 1000; ++i)
    {
        const double x = 0.0137 * i;
        hash = hash_number (hash, sin (x));
        hash = hash_number (hash, cos (x));
        hash = hash_number (hash, atan2 (x, 1.7));
        hash = hash_number (hash, acos (x / 13.7));
        hash = hash_number (hash, pow (x, 0.37));
        hash = hash_number (hash, cbrt (x));
    }
    const dWorldID world = dWorldCreate ();
    const dBodyID body[1] = {dBodyCreate (world)};
    dMass mass;
    dMassSetBoxTotal (&mass, 1, (dReal)0.3, (dReal)0.5, (dReal)0.7);
    dBodySetMass (body[0], &mass);
    dBodySetAngularVel (body[0], 1, 2, 3);
    const dJointID ball = dJointCreateBall (world, NULL);
    dJointAttach (ball, body[0], NULL);
    dJointSetBallAnchor (ball, (dReal)0.1, (dReal)0.2, (dReal)0.3);
    for (int i = 0; i < 100; ++i)
    {
        dWorldStep (world, (dReal)H);
        hash = state_hash (hash, body, 1);
    }
    dWorldDestroy (world);
    return hash;
}

/* ---- one run ---- */

/* 1 done, 0 with a message on standard error. */
static int run (const trajectory *t, unsigned threads)
{
    char error[300];
    scene *s = scene_read (t->scene, NULL, NULL, error, sizeof error);
    if (!s)
    {
        fprintf (stderr, "%s\n", error);
        return 0;
    }
    const int bodies = scene_body_count (s);
    dBodyID *body = calloc ((size_t)bodies, sizeof *body);
    for (int b = 0; body && b < bodies; ++b) body[b] = scene_body_at (s, b)->body;
    scene_set_time_step (s, H);
    workers w;
    int done = workers_hire (&w, scene_world (s), threads > 1 ? threads : 0);
    dRLSStepperID stepper = dRLSStepperCreate (scene_world (s), NULL);
    dRLSStepperSetIntegrator (stepper, t->integrator);
    dRLSStepperSetCorrection (stepper, t->correction);
    done = done && body && scene_prepare_stepper (s, stepper);
    uint64_t hash = STATE_HASH_START;
    for (int i = 0; i < t->steps && done; ++i)
    {
        scene_before_step (s, i * H, 0);
        done = dRLSStepperStep (stepper, (dReal)H);
        scene_after_step (s);
        hash = state_hash (hash, body, bodies);
    }
    if (done)
        printf ("%016llx %s integrator %d correction %d steps %d\n", (unsigned long long)hash, scene_name (s),
                t->integrator, t->correction, t->steps);
    else
        fprintf (stderr, "%s: %s\n", t->scene, dRLSStepperGetMessage (stepper));
    dRLSStepperDestroy (stepper);
    workers_dismiss (&w, scene_world (s));
    scene_free (s);
    free (body);
    return done;
}

int main (int count, char **arguments)
{
    const unsigned threads = count > 1 ? (unsigned)strtoul (arguments[1], NULL, 10) : 1;
    int done = dInitODE2 (0) != 0;
    if (done) printf ("%016llx platform\n", (unsigned long long)platform ());
    for (size_t i = 0; i < sizeof trajectories / sizeof *trajectories; ++i)
        done &= run (&trajectories[i], threads);
    dCloseODE ();
    return !done;
}
