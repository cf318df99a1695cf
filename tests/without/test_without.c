/* The library without the corrections of the literature: it links, steps, and refuses what it lacks. */
#include <ode_rls/ode_rls.h>
#include <math.h>
#include <stdio.h>

int main (void)
{
    dInitODE2 (0);
    dWorldID world = dWorldCreate ();
    dWorldSetGravity (world, 0, 0, -9.81);
    dBodyID body = dBodyCreate (world);
    dBodySetPosition (body, 1, 0, 0);
    dJointID hinge = dJointCreateHinge (world, NULL);
    dJointAttach (hinge, body, NULL);
    dJointSetHingeAnchor (hinge, 0, 0, 0);
    dJointSetHingeAxis (hinge, 0, 1, 0);

    int failed = 0;
    dRLSStepperID stepper = dRLSStepperCreate (world, NULL);
    for (int i = 0; i < 100; ++i) failed |= !dRLSStepperStep (stepper, 0.01);
    const dReal *x = dBodyGetPosition (body);
    const double radius = sqrt (x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    printf ("projection: %s, the hinge closed to %g m\n", failed ? "failed" : "steps", fabs (radius - 1));
    failed |= !(fabs (radius - 1) < 1e-12) || !(x[2] < -0.1);

    dRLSStepperSetIntegrator (stepper, dRLSIntegratorRK4);
    const int rk4 =
        dRLSStepperStep (stepper, 0.01) || dRLSStepperGetStatus (stepper) != dRLSStatusUnsupported;
    dRLSStepperSetIntegrator (stepper, dRLSIntegratorAuto);
    dRLSStepperSetCorrection (stepper, dRLSCorrectionAugmented);
    const int augmented =
        dRLSStepperStep (stepper, 0.01) || dRLSStepperGetStatus (stepper) != dRLSStatusUnsupported;
    printf ("rk4 and augmented: %s\n", rk4 || augmented ? "not refused" : "refused");
    failed |= rk4 || augmented;

    dRLSStepperDestroy (stepper);
    dWorldDestroy (world);
    dCloseODE ();
    return failed;
}
