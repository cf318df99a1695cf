/*
 * robot_pd: a parallel robot whose motors follow a path.
 *
 * A five-bar robot in a vertical plane: two motors at the base, four arms that meet at the tip.  The loop of
 * five hinges has 25 rows, of which three are redundant; the motors act inside of it.  Every step each motor
 * gets the speed of the path plus a share of its angle's error (dParamVel), and some torque to reach it
 * (dParamFMax): 20 N m are enough, 8 N m are not.
 */
#include <math.h>
#include <ode_rls/ode_rls.h>
#include <stdio.h>

#define STEP 0.002
#define GAIN 50.0 /* 1/s */
#define HALF_BASE 0.15
#define ARM 0.4 /* m, the inner ones */
#define ROD 0.5 /* m, the outer ones */

typedef struct
{
    dReal x, z;
} point;

/* A circle of 0.1 m twice a second. */
static point path (dReal time)
{
    const dReal angle = 4 * M_PI * time;
    return (point){0.1 * cos (angle), 0.6 + 0.1 * sin (angle)};
}

/* The angle of an inner arm (from x towards z) that brings the tip there; side is -1 for the left arm, 1 for
 * the right. */
static dReal arm_angle (point tip, int side)
{
    const dReal x = tip.x - side * HALF_BASE, r = sqrt (x * x + tip.z * tip.z);
    return atan2 (tip.z, x) - side * acos ((ARM * ARM + r * r - ROD * ROD) / (2 * ARM * r));
}

static dBodyID make_bar (dWorldID world, point a, point b, dReal mass_of_bar)
{
    const dReal length = hypot (b.x - a.x, b.z - a.z);
    dMass mass;
    dMatrix3 rotation;
    dBodyID bar = dBodyCreate (world);
    dMassSetBoxTotal (&mass, mass_of_bar, length, 0.03, 0.03);
    dBodySetMass (bar, &mass);
    dBodySetPosition (bar, (a.x + b.x) / 2, 0, (a.z + b.z) / 2);
    dRFromAxisAndAngle (rotation, 0, -1, 0, atan2 (b.z - a.z, b.x - a.x));
    dBodySetRotation (bar, rotation);
    return bar;
}

static dJointID make_hinge (dWorldID world, dBodyID first, dBodyID second, point at)
{
    dJointID hinge = dJointCreateHinge (world, NULL);
    dJointAttach (hinge, first, second);
    dJointSetHingeAnchor (hinge, at.x, 0, at.z);
    dJointSetHingeAxis (hinge, 0, -1, 0);
    return hinge;
}

static void follow_path (dReal max_torque)
{
    dWorldID world = dWorldCreate ();
    dWorldSetGravity (world, 0, 0, -9.81);

    const point start = path (0);
    dJointID motors[2];
    dBodyID rods[2];
    dReal first_angle[2];
    for (int i = 0; i < 2; i++)
    {
        const int side = i == 0 ? -1 : 1;
        const dReal angle = first_angle[i] = arm_angle (start, side);
        const point base = {side * HALF_BASE, 0}, elbow = {base.x + ARM * cos (angle), ARM * sin (angle)};
        dBodyID arm = make_bar (world, base, elbow, 0.8);
        rods[i] = make_bar (world, elbow, start, 0.4);
        motors[i] = make_hinge (world, arm, NULL, base);
        make_hinge (world, arm, rods[i], elbow);
        dJointSetHingeParam (motors[i], dParamFMax, max_torque);
    }
    make_hinge (world, rods[0], rods[1], start);

    dRLSStepperID stepper = dRLSStepperCreate (world, NULL);
    dRLSStepperSetReport (stepper, dRLSReportViolations);
    dRLSReport report = {.struct_size = sizeof report};
    dReal error = 0, gap = 0;
    for (int step = 0; step < 1000; step++)
    {
        const dReal time = step * STEP;
        for (int i = 0; i < 2; i++)
        {
            const int side = i == 0 ? -1 : 1;
            const dReal next = arm_angle (path (time + STEP), side), now = arm_angle (path (time), side);
            const dReal angle = first_angle[i] + dJointGetHingeAngle (motors[i]);
            dJointSetHingeParam (motors[i], dParamVel, (next - now) / STEP + GAIN * (now - angle));
        }
        if (!dRLSStepperStep (stepper, STEP)) break;

        dRLSStepperGetReport (stepper, &report);
        if (report.violation_m > gap) gap = report.violation_m;
        dVector3 tip;
        const point wanted = path (time + STEP);
        dBodyGetRelPointPos (rods[0], ROD / 2, 0, 0, tip);
        if (time >= 0.5)
            error = fmax (error, hypot (tip[0] - wanted.x, tip[2] - wanted.z)); /* it starts from rest */
    }
    printf ("%2g N m: rank %d of %d rows, %d degrees of freedom, %d motors; tip off by up to %.1e m, loop "
            "open by up to "
            "%.1e m\n",
            max_torque, report.rank, report.rows, report.dof, report.bounded_rows, error, gap);
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
    follow_path (20);
    follow_path (8);
    dCloseODE ();
    return 0;
}
