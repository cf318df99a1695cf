/*
 * iltis: a vehicle with springs, bump stops, dampers and tyres of its own, by a force callback.
 *
 * It settles on level ground, where the benchmark's figures are known, and then drives over a ramp and down
 * five steps at 5 m/s, with four ways to keep its joints closed.  Bump stops of 1e7 N/m and steps of 2.5 ms
 * are hard on the methods that solve for forces and motion together.
 */
#include "iltis_vehicle.h"
#include <math.h>
#include <ode_rls/ode_rls.h>
#include <stdio.h>

static int failed;

static dRLSStepperID new_stepper (iltis_vehicle *vehicle, int integrator, int correction, int flags)
{
    dRLSStepperID stepper = dRLSStepperCreate (vehicle->world, NULL);
    dRLSStepperSetForceCallback (stepper, iltis_forces, vehicle);
    dRLSStepperSetIntegrator (stepper, integrator);
    dRLSStepperSetCorrection (stepper, correction);
    dRLSStepperSetCorrectionFlags (stepper, flags);
    dRLSStepperSetReport (stepper, dRLSReportViolations);
    return stepper;
}

static void settle (void)
{
    iltis_vehicle vehicle;
    dRLSReport report = {.struct_size = sizeof report};
    iltis_create (&vehicle, 0, 0, 1e-3, iltis_level_road);
    dRLSStepperID stepper = new_stepper (&vehicle, dRLSIntegratorSymplectic, dRLSCorrectionProjection, 0);
    for (int i = 0; i < 1200; i++) failed |= !dRLSStepperStep (stepper, 0.005);
    dRLSStepperGetReport (stepper, &report);
    printf ("%d bodies, %d joints, %d rows, %d degrees of freedom\n", report.bodies, report.joints,
            report.rows, report.dof);
    printf ("at rest: height %.7f m (benchmark: 0.562917), pitch %.8f rad (0.0025575)\n\n",
            dBodyGetPosition (vehicle.chassis)[2], iltis_pitch (&vehicle));
    dRLSStepperDestroy (stepper);
    iltis_destroy (&vehicle);
}

static void drive (const char *name, int integrator, int correction, int flags)
{
    const dReal h = 0.0025;
    dReal open = 0, rate = 0, jolt = 0, speed = 0, time = 0;
    iltis_vehicle vehicle;
    iltis_create (&vehicle, -2, 5, 1, iltis_ramp_and_stairs);
    dRLSStepperID stepper = new_stepper (&vehicle, integrator, correction, flags);
    for (int i = 1; i <= 3200 && dRLSStepperStep (stepper, h); i++)
    {
        dRLSReport report = {.struct_size = sizeof report};
        const dReal now = dBodyGetLinearVel (vehicle.chassis)[2];
        dRLSStepperGetReport (stepper, &report);
        open = fmax (open, report.violation_m);
        rate = fmax (rate, report.violation_m_s);
        jolt = fmax (jolt, fabs (now - speed) / h);
        speed = now;
        time = i * h;
    }
    printf ("%-21s  %4.2f s  %11.1e m  %11.1e m/s  %5.1f g  %.4f m\n", name, time, open, rate, jolt / 9.81,
            dBodyGetPosition (vehicle.chassis)[2]);
    dRLSStepperDestroy (stepper);
    iltis_destroy (&vehicle);
}

int main (void)
{
    dInitODE2 (0);
    if (dRLSCheckODE () != dRLSStatusOk)
    {
        fprintf (stderr, "%s\n", dRLSDescribeODE ());
        return 1;
    }
    settle ();
    printf ("ramp and stairs        until   joints open  their velocities   jolts  height\n");
    drive ("augmented, bare", dRLSIntegratorAuto, dRLSCorrectionAugmented, dRLSCorrectUnprojected);
    drive ("augmented, projected", dRLSIntegratorAuto, dRLSCorrectionAugmented, 0);
    drive ("conserving, bare", dRLSIntegratorAuto, dRLSCorrectionConserving, dRLSCorrectUnprojected);
    drive ("conserving, projected", dRLSIntegratorAuto, dRLSCorrectionConserving, 0);
    drive ("symplectic", dRLSIntegratorSymplectic, dRLSCorrectionProjection, 0);
    drive ("rk4 and projection", dRLSIntegratorRK4, dRLSCorrectionProjection, 0);
    dCloseODE ();
    return failed;
}
