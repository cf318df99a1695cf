/*
 * reactions: what each joint carries, and whether that can be known at all.
 *
 * A beam of 100 N hangs from three equal hinges in a row.  How three supports share a load depends on how the
 * beam bends, and a rigid beam does not: the smallest reactions are given, evenly here, and the joints are
 * marked.  The lamp on a ball joint below the beam has one reaction only, its weight.
 */
#include <ode_rls/ode_rls.h>
#include <stdio.h>

static dBodyID make_box (dWorldID world, dReal weight, dReal length, dReal z)
{
    dMass mass;
    dBodyID body = dBodyCreate (world);
    dMassSetBoxTotal (&mass, weight / 10, length, 0.1, 0.1);
    dBodySetMass (body, &mass);
    dBodySetPosition (body, 0, 0, z);
    return body;
}

int main (void)
{
    dInitODE2 (0);
    if (dRLSCheckODE () != dRLSStatusOk)
    {
        fprintf (stderr, "%s\n", dRLSDescribeODE ());
        return 1;
    }
    dWorldID world = dWorldCreate ();
    dWorldSetGravity (world, 0, 0, -10);
    dBodyID beam = make_box (world, 100, 2, 2), lamp = make_box (world, 50, 0.2, 1);

    dJointID joints[4];
    for (int i = 0; i < 3; i++)
    {
        joints[i] = dJointCreateHinge (world, NULL);
        dJointAttach (joints[i], beam, NULL);
        dJointSetHingeAnchor (joints[i], i - 1, 0, 2);
        dJointSetHingeAxis (joints[i], 1, 0, 0);
    }
    joints[3] = dJointCreateBall (world, NULL);
    dJointAttach (joints[3], lamp, beam);
    dJointSetBallAnchor (joints[3], 0, 0, 1.5);

    dJointFeedback feedback[4];
    for (int i = 0; i < 4; i++) dJointSetFeedback (joints[i], &feedback[i]);

    dRLSStepperID stepper = dRLSStepperCreate (world, NULL);
    dRLSStepperSetReport (stepper, dRLSReportReactions);
    dRLSStepperStep (stepper, 0.01);

    dReal carried = 0;
    for (int i = 0; i < 4; i++)
    {
        printf ("%s %d  up %8.4f N  %s\n", i < 3 ? "hinge" : "ball ", i, feedback[i].f1[2],
                dRLSStepperIsReactionUnique (stepper, joints[i]) ? "unique" : "shared");
        if (i < 3) carried += feedback[i].f1[2];
    }
    printf ("hinges   up %8.4f N\n", carried);

    dRLSStepperDestroy (stepper);
    dWorldDestroy (world);
    dCloseODE ();
    return 0;
}
