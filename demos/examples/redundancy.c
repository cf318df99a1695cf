/*
 * redundancy: which joints say the same thing twice, and which contradict each other.
 *
 * A door in two hinges: ten rows, where five would do.  The second door was hung badly, its upper hinge 2 mm
 * out of line: it is stuck (no degree of freedom is left) and cannot close that gap; the report says which
 * row is open and by how much.
 */
#include <math.h>
#include <ode_rls/ode_rls.h>
#include <stdio.h>

static dJointID make_hinge (dWorldID world, dBodyID door, const char *name, dReal height)
{
    dJointID hinge = dJointCreateHinge (world, NULL);
    dJointAttach (hinge, door, NULL);
    dJointSetHingeAnchor (hinge, 0, 0, height);
    dJointSetHingeAxis (hinge, 0, 0, 1);
    dJointSetData (hinge, (void *)name);
    return hinge;
}

static void examine_door (dReal out_of_line)
{
    dWorldID world = dWorldCreate ();
    dBodyID door = dBodyCreate (world);
    dMass mass;
    dMassSetBoxTotal (&mass, 20, 0.9, 0.04, 2);
    dBodySetMass (door, &mass);
    dBodySetPosition (door, 0.45, 0, 1);
    make_hinge (world, door, "lower hinge", 0.3);
    dBodySetPosition (door, 0.45, out_of_line, 1); /* while the upper one is screwed on */
    make_hinge (world, door, "upper hinge", 1.7);
    dBodySetPosition (door, 0.45, 0, 1);

    dRLSStepperID stepper = dRLSStepperCreate (world, NULL);
    dRLSStepperAnalyse (stepper); /* moves nothing; dRLSStepperStep gives the same report */

    dRLSReport report = {.struct_size = sizeof report};
    dRLSStepperGetReport (stepper, &report);
    printf ("upper hinge %g mm out of line: %d rows, rank %d, degrees of freedom %d, redundant %d, "
            "conflicting %d\n",
            1000 * out_of_line, report.rows, report.rank, report.dof, report.redundant, report.conflicting);

    dRLSRow rows[10];
    int count = dRLSStepperGetRedundantRows (stepper, rows, 10);
    for (int i = 0; i < count; i++)
        printf ("    %s, row %d: %-11s  open by %7.1e m or rad\n",
                (const char *)dJointGetData (rows[i].joint), rows[i].row,
                rows[i].status == dRLSRowConflicting ? "conflicting" : "redundant", fabs (rows[i].residual));

    dRLSStepperDestroy (stepper);
    dWorldDestroy (world);
}

int main (void)
{
    dInitODE2 (0);
    if (dRLSCheckODE () != dRLSStatusOk)
    {
        fprintf (stderr, "%s\n", dRLSDescribeODE ());
        return 1;
    }
    examine_door (0);
    examine_door (0.002);
    dCloseODE ();
    return 0;
}
