/*
 * The row of a driven axis (dRLSStepperSetJointDrive).
 *
 * ODE measures a hinge's angle and a slider's position from its second body to its first, and changes the
 * sign for a joint whose first body is the world.  With the axis a in world axes and the bodies 1 and 2 in
 * the order of the row:
 *
 *     hinge    angle'    = a (w1 - w2)
 *     slider   position' = a (v1 - v2) - ((x1 - x2) x a) w2     for bodies whose own rows hold
 */
#include "gather.h"

const rls_drive *rls_drive_of (const rls_workspace *workspace, dJointID joint)
{
    return RLS_WISH_OF (workspace->wishes->drives, joint);
}

/* J := the row along the axis of a hinge or slider, or about it. */
static void read_axis (dJointID joint, dBodyID bodies[2], double J[12])
{
    dVector3 axis;
    rls_ode_joint_bodies (joint, bodies);
    const int hinge = dJointGetType (joint) == dJointTypeHinge;
    const double sign = dJointGetBody (joint, 0) ? 1 : -1;
    (*rls_ode_parameters_of (dJointGetType (joint))->axis[0]) (joint, axis);
    double a[3];
    memset (J, 0, 12 * sizeof (*J));
    for (int k = 0; k < 3; ++k)
    {
        J[(hinge ? 3 : 0) + k] = a[k] = sign * axis[k];
        if (bodies[1]) J[(hinge ? 9 : 6) + k] = -a[k];
    }
    if (hinge || !bodies[1]) return;
    const dReal *x1 = dBodyGetPosition (bodies[0]), *x2 = dBodyGetPosition (bodies[1]);
    const double arm[3] = {x1[0] - x2[0], x1[1] - x2[1], x1[2] - x2[2]};
    rls_cross (a, arm, J + 9);
}

double rls_axis_rate (dJointID joint)
{
    dBodyID bodies[2];
    double J[12], rate = 0;
    read_axis (joint, bodies, J);
    for (int side = 0; side < 2 && bodies[side]; ++side)
        for (int k = 0; k < 3; ++k)
            rate += J[6 * side + k] * (double)dBodyGetLinearVel (bodies[side])[k] +
                    J[6 * side + 3 + k] * (double)dBodyGetAngularVel (bodies[side])[k];
    return rate;
}

int rls_drive_row (const rls_workspace *workspace, const rls_drive *drive, rls_rows *rows, int r)
{
    /* the position and rate that the program wants; a drive that is held stays where it is */
    dReal rate = 0, acceleration = 0;
    dReal wanted =
        drive->function (drive->context, (dReal)workspace->island.provider.time, &rate, &acceleration);
    if (rls_world_changed (workspace->stepper) || !isfinite (wanted) || !isfinite (rate)) return 0;
    const rls_held_drive *held_drive = rls_held_drive_of (workspace, drive->joint, -1);
    if (held_drive) wanted = (dReal)held_drive->held, rate = 0;

    /* how far it still has to go, and how fast */
    const dJointType type = dJointGetType (drive->joint);
    const double position = (*rls_ode_parameters_of (type)->position[0]) (drive->joint);
    dBodyID bodies[2];
    read_axis (drive->joint, bodies, rows->J[r]);
    rows->residual[r] =
        type == dJointTypeHinge ? remainder (wanted - position, 2 * RLS_PI) : wanted - position;
    rows->sigma2[r] = 0;
    rows->target[r] = rate;
    if (rls_keeps_verbatim (workspace))
        rows->target[r] += workspace->settings->world_erp / workspace->h * rows->residual[r];
    return 1;
}
