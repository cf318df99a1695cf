/*
 * Stops of ODE's joints, before they are passed.
 *
 * ODE has a row for a stop only while the joint is beyond it, and no row for a motor then.  The accurate step
 * wants to know of a stop before it is reached, and has both rows.  So joints with stops are asked for their
 * rows with the stops out of the way, and for each stop that the step may reach once more with that stop
 * moved towards them: ODE then tells its row and how far it is.  The parameters are put back as they were
 * each time.
 */
#ifndef RLS_STOPS_H
#define RLS_STOPS_H

#include "ode_seam.h"

enum
{
    RLS_STOP_LOW = 0,
    RLS_STOP_HIGH
};

typedef struct
{
    double J[12];
    double gap; /* m or rad until the stop; less than 0 beyond it */
    double erp, cfm, bounce;
} rls_stop;

/* How many axes the joint has that may have stops; and 1 for one that has them, and may move between them. */
int rls_stop_axes (dJointID joint);
int rls_has_stops (dJointID joint, int axis);

/* 1 if the axis is a way (m), 0 if it is an angle. */
int rls_stop_is_way (dJointID joint, int axis);

/* As rls_ode_row_count, without the rows of stops. */
int rls_rows_without_stops (dJointID joint);

/* Fills *stop if it is no farther than reach (m or rad).  Returns 1 then, 0 if it is farther or there is
 * none.  Ends with the stops out of the way for rls_ode_get_rows. */
int rls_read_stop (dJointID joint, int axis, int side, double reach, rls_stop *stop);

/*
 * Makes the velocity along ODE's row of an axis that of its angle.  What pushed along another would work
 * where no angle moves: of a hinge-2 joint whose axes are not square ODE's row turns with the other axis,
 * too, and of an angular motor's Euler angles the outer two are slower than theirs by the cosine of the
 * middle one.
 */
void rls_follow_angle (dJointID joint, int axis, double J[12]);

/* An axis of a joint as a row: its velocity is that of the position, which is as the stops measure it. */
typedef struct
{
    double J[12];
    double position; /* m or rad; NAN for the second axis of a hinge-2, which ODE gives no stops */
    int angular;
} rls_axis;

/* 1 if the joint has this axis, and ODE knows its position. */
int rls_has_axis (dJointID joint, int axis, int with_position);

/* Asks ODE by locking the axis at 0, or by a motor on it.  Returns 0 if it has none, or a number is not
 * finite. */
int rls_read_axis (dJointID joint, int axis, rls_axis *at);

#endif
