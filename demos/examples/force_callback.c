/*
 * force_callback: forces that are evaluated inside the step.
 *
 * A trolley of 1 kg on a rail and a spring of 100 N/m, let go 1 m from its rest: x = cos (10 t).  A force
 * that is added before the step is constant over it: only euler makes something of that.  A callback is asked
 * at every stage.
 */
#include <math.h>
#include <ode_rls/ode_rls.h>
#include <stdio.h>

static void pull (void *trolley, dWorldID world, dReal time)
{
    (void)world, (void)time; /* a drive would depend on the time */
    dBodyAddForce (trolley, -100 * dBodyGetPosition (trolley)[0], 0, 0);
}

/* error (m) after 10 s with steps of 0.01 s */
static dReal swing (int integrator, int within_step)
{
    dWorldID world = dWorldCreate ();
    dBodyID trolley = dBodyCreate (world);
    dBodySetPosition (trolley, 1, 0, 0);
    dJointID rail = dJointCreateSlider (world, NULL);
    dJointAttach (rail, trolley, NULL);
    dJointSetSliderAxis (rail, 1, 0, 0);

    dRLSStepperID stepper = dRLSStepperCreate (world, NULL);
    dRLSStepperSetIntegrator (stepper, integrator);
    if (within_step) dRLSStepperSetForceCallback (stepper, pull, trolley);
    for (int step = 0; step < 1000; step++)
    {
        if (!within_step) pull (trolley, world, step * 0.01);
        dRLSStepperStep (stepper, 0.01);
    }
    const dReal error = fabs (dBodyGetPosition (trolley)[0] - cos (100.0));
    dRLSStepperDestroy (stepper);
    dWorldDestroy (world);
    return error;
}

int main (void)
{
    static const struct
    {
        const char *name;
        int integrator;
    } rows[] = {{"euler", dRLSIntegratorEuler},
                {"symplectic", dRLSIntegratorSymplectic},
                {"symplectic4", dRLSIntegratorSymplectic4},
                {"symplectic6", dRLSIntegratorSymplectic6},
                {"rk4", dRLSIntegratorRK4}};
    dInitODE2 (0);
    if (dRLSCheckODE () != dRLSStatusOk)
    {
        fprintf (stderr, "%s\n", dRLSDescribeODE ());
        return 1;
    }
    printf ("integrator    before the step  by callback\n");
    for (int i = 0; i < 5; i++)
        printf ("%-12s  %13.1e m  %9.1e m\n", rows[i].name, swing (rows[i].integrator, 0),
                swing (rows[i].integrator, 1));
    dCloseODE ();
    return 0;
}
