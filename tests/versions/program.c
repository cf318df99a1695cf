/*
 * What this library says of the ODE in the process, and whether a step can be taken:
 *
 *     program STATUS        ends with 0 if the check returns that dRLSStatus and everything else fits it
 */
#include <ode_rls/ode_rls.h>
#include <stdio.h>
#include <stdlib.h>

int main (int count, char **arguments)
{
    const int expected = count > 1 ? atoi (arguments[1]) : dRLSStatusOk;
    dInitODE2 (0);
    const dWorldID world = dWorldCreate ();
    const dBodyID body = dBodyCreate (world);
    const dJointID joint = dJointCreateBall (world, NULL);
    dJointAttach (joint, body, NULL);
    dWorldSetGravity (world, 0, 0, (dReal)-9.81);
    int status = -1;
    const int checked = dRLSCheckODE ();
    const dRLSStepperID stepper = dRLSStepperCreate (world, &status);
    const int stepped = stepper && dRLSStepperStep (stepper, (dReal)0.01);
    printf ("ode_rls %s, %d bits: %s\n", dRLSVersion (), dRLSPrecision (), dRLSStatusText (checked));
    dRLSStepperDestroy (stepper);
    dWorldStep (world, (dReal)0.01); /* what ODE does itself goes on */
    dWorldDestroy (world);
    dCloseODE ();
    return checked != expected || status != expected || stepped != (expected == dRLSStatusOk);
}
