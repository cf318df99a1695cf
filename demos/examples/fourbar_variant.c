/* A four-bar linkage with a rocker of its own length, run for 5 s. */
#include "fourbar_variant.h"
#include <math.h>
#include <stdio.h>

#define STEPS 1000
#define STEP 0.005
#define CRANK 0.3
#define COUPLER 0.9
#define SHORTEST 0.6 /* m: rockers reach up to LONGEST */
#define LONGEST 1.0

variant make_variant (int i, int count)
{
    return (variant){.rocker = SHORTEST + (LONGEST - SHORTEST) * i / (count > 1 ? count - 1 : 1)};
}

/* A bar of 1 kg a metre from (x, z), at an angle from x towards z. */
static dBodyID make_bar (dWorldID world, dReal length, dReal x, dReal z, dReal angle)
{
    dMass mass;
    dMatrix3 rotation;
    dBodyID bar = dBodyCreate (world);
    dMassSetBoxTotal (&mass, length, length, 0.05, 0.05);
    dBodySetMass (bar, &mass);
    dBodySetPosition (bar, x + length / 2 * cos (angle), 0, z + length / 2 * sin (angle));
    dRFromAxisAndAngle (rotation, 0, -1, 0, angle);
    dBodySetRotation (bar, rotation);
    return bar;
}

static dJointID make_hinge (dWorldID world, dBodyID first, dBodyID second, dReal x, dReal z)
{
    dJointID hinge = dJointCreateHinge (world, NULL);
    dJointAttach (hinge, first, second);
    dJointSetHingeAnchor (hinge, x, 0, z);
    dJointSetHingeAxis (hinge, 0, -1, 0);
    return hinge;
}

void run_variant (variant *v)
{
    dThreadingImplementationID threading = dThreadingAllocateSelfThreadedImplementation ();
    dWorldID world = dWorldCreate ();
    dWorldSetStepThreadingImplementation (world, dThreadingImplementationGetFunctions (threading), threading);
    dWorldSetGravity (world, 0, 0, -9.81);

    /* The crank points at the rocker's bearing (1, 0); coupler and rocker meet above. */
    const dReal base = 1 - CRANK,
                cosine = (base * base + COUPLER * COUPLER - v->rocker * v->rocker) / (2 * base * COUPLER);
    const dReal lean = acos (cosine), x = CRANK + COUPLER * cosine, z = COUPLER * sin (lean);
    dBodyID crank = make_bar (world, CRANK, 0, 0, 0), coupler = make_bar (world, COUPLER, CRANK, 0, lean);
    dBodyID rocker = make_bar (world, v->rocker, 1, 0, atan2 (z, x - 1));
    make_hinge (world, crank, NULL, 0, 0);
    make_hinge (world, crank, coupler, CRANK, 0);
    make_hinge (world, coupler, rocker, x, z);
    dJointID bearing = make_hinge (world, rocker, NULL, 1, 0);
    dJointFeedback feedback;
    dJointSetFeedback (bearing, &feedback);

    dRLSStepperID stepper = dRLSStepperCreate (world, NULL);
    dRLSStepperSetReport (stepper, dRLSReportViolations | dRLSReportEnergy);
    dRLSReport report = {.struct_size = sizeof report};
    dReal least = 0, most = 0, energy = 0;
    for (int step = 0; step < STEPS && !v->failed; step++)
    {
        if (!stepper || !dRLSStepperStep (stepper, STEP)) v->failed = 1;
        dRLSStepperGetReport (stepper, &report);
        const dReal now = report.kinetic + report.potential, angle = dJointGetHingeAngle (bearing);
        if (step == 0) energy = now;
        v->drift = fmax (v->drift, fabs (now - energy));
        v->gap = fmax (v->gap, report.violation_m);
        v->force = fmax (v->force, sqrt (dCalcVectorDot3 (feedback.f1, feedback.f1)));
        least = fmin (least, angle), most = fmax (most, angle);
    }
    v->swing = most - least;

    dRLSStepperDestroy (stepper);
    dWorldDestroy (world);
    dThreadingFreeImplementation (threading);
}

int print_variants (const variant *variants, int count)
{
    int failed = 0;
    printf ("rocker_m,swing_rad,bearing_force_N,energy_drift_J,gap_m\n");
    for (int i = 0; i < count; i++)
    {
        const variant *v = &variants[i];
        printf ("%.5f,%.9g,%.9g,%.3g,%.3g\n", v->rocker, v->swing, v->force, v->drift, v->gap);
        failed |= v->failed;
    }
    return failed;
}
