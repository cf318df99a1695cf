/*
 * The smallest program that would notice a wrong installation: header, library and ODE must belong together.
 * A ring of four hinged bars in a plane is stepped; of its 20 rows it needs 17.
 * Written in what C and C++ have in common; consumer.cpp compiles it as C++.
 */
#include <math.h>
#include <ode_rls/ode_rls.h>
#include <stdio.h>
#include <string.h>

static dBodyID make_bar (dWorldID world, dReal x, dReal z, dReal x_size, dReal z_size)
{
    dMass mass;
    dBodyID bar = dBodyCreate (world);
    dMassSetBoxTotal (&mass, 1, x_size, 0.1, z_size);
    dBodySetMass (bar, &mass);
    dBodySetPosition (bar, x, 0, z);
    return bar;
}

static void make_hinge (dWorldID world, dBodyID first, dBodyID second, dReal x, dReal z)
{
    dJointID hinge = dJointCreateHinge (world, NULL);
    dJointAttach (hinge, first, second);
    dJointSetHingeAnchor (hinge, x, 0, z);
    dJointSetHingeAxis (hinge, 0, 1, 0);
}

int main (void)
{
    dRLSReport report;
    int status, done = 1;

    if (strcmp (dRLSVersion (), ODE_RLS_VERSION) != 0 || dRLSPrecision () != 8 * (int)sizeof (dReal))
    {
        printf ("header %s with %d bits, library %s with %d bits\n", ODE_RLS_VERSION, 8 * (int)sizeof (dReal),
                dRLSVersion (), dRLSPrecision ());
        return 1;
    }

    dInitODE2 (0);
    dWorldID world = dWorldCreate ();
    dWorldSetGravity (world, 0, 0, -9.81);
    dBodyID left = make_bar (world, 0, 0.5, 0.1, 1), top = make_bar (world, 0.5, 1, 1, 0.1);
    dBodyID right = make_bar (world, 1, 0.5, 0.1, 1);
    make_hinge (world, left, NULL, 0, 0);
    make_hinge (world, left, top, 0, 1);
    make_hinge (world, top, right, 1, 1);
    make_hinge (world, right, NULL, 1, 0);

    dRLSStepperID stepper = dRLSStepperCreate (world, &status);
    if (!stepper)
    {
        printf ("%s\n", dRLSStatusText (status));
        return 1;
    }
    dBodyAddForce (top, 10, 0, 0);
    for (int i = 0; done && i < 100; i++) done = dRLSStepperStep (stepper, 0.01);
    report.struct_size = sizeof report;
    dRLSStepperGetReport (stepper, &report);
    printf ("%s: rows %d, rank %d, degrees of freedom %d\n", dRLSStepperGetMessage (stepper), report.rows,
            report.rank, report.dof);
    const int good = done && report.rows == 20 && report.rank == 17 && report.dof == 1 &&
                     fabs (dBodyGetPosition (top)[0] - 0.5) > 0.1;

    dRLSStepperDestroy (stepper);
    dWorldDestroy (world);
    dCloseODE ();
    return !good;
}
