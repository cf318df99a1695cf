/*
 * drop_in: one call in place of dWorldStep.
 *
 * The rectangular Bricard mechanism: five bars of 1 m and 1 kg in a closed loop of six hinges.  Under gravity
 * its end point swings from x = 1 to x = -1 and back.  dWorldStep stops it half way.
 */
#include <ode_rls/ode_rls.h>
#include <stdio.h>

static const dReal corner[6][3] = {{0, 0, 0}, {1, 0, 0}, {1, -1, 0}, {1, -1, 1}, {0, -1, 1}, {0, 0, 1}};
static const dReal axis[6][3] = {{0, 1, 0}, {0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 0}};

static dReal size (dReal from, dReal to) { return from == to ? 0.1 : 1; } /* of a bar along one axis */

int main (void)
{
    dInitODE2 (0);
    if (dRLSCheckODE () != dRLSStatusOk)
    {
        fprintf (stderr, "%s\n", dRLSDescribeODE ());
        return 1;
    }
    for (int exact = 0; exact < 2; exact++)
    {
        dWorldID world = dWorldCreate ();
        dWorldSetGravity (world, 0, -9.81, 0);
        dBodyID bar[7] = {NULL}; /* the first and the last are the world */
        for (int i = 1; i <= 5; i++)
        {
            const dReal *a = corner[i - 1], *b = corner[i];
            dMass mass;
            dMassSetBoxTotal (&mass, 1, size (a[0], b[0]), size (a[1], b[1]), size (a[2], b[2]));
            bar[i] = dBodyCreate (world);
            dBodySetMass (bar[i], &mass);
            dBodySetPosition (bar[i], (a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2);
        }
        for (int i = 0; i < 6; i++)
        {
            dJointID hinge = dJointCreateHinge (world, NULL);
            dJointAttach (hinge, bar[i], bar[i + 1]);
            dJointSetHingeAnchor (hinge, corner[i][0], corner[i][1], corner[i][2]);
            dJointSetHingeAxis (hinge, axis[i][0], axis[i][1], axis[i][2]);
        }

        dRLSStepperID stepper = dRLSStepperCreate (world, NULL);
        dReal least = 1;
        for (int step = 0; step < 1000; step++)
        {
            if (exact)
                dRLSStepperStep (stepper, 0.01); /* the one call */
            else
                dWorldStep (world, 0.01);
            dVector3 end;
            dBodyGetRelPointPos (bar[2], 0, -0.5, 0, end);
            if (end[0] < least) least = end[0];
        }
        printf ("%-15s  x from 1 to %6.3f\n", exact ? "dRLSStepperStep" : "dWorldStep", least);
        dRLSStepperDestroy (stepper);
        dWorldDestroy (world);
    }
    dCloseODE ();
    return 0;
}
