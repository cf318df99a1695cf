/* Measurements of joints and bodies of any ODE world (measure.c; contract in ode_rls.h), and what certify.c
 * shares with them. */
#ifndef RLS_MEASURE_H
#define RLS_MEASURE_H

#include "ode/gather.h"

/* Add the violations of a joint, and the energy of a body, to a report. */
void rls_report_joint (dRLSReport *report, dJointID joint);
void rls_report_body (dRLSReport *report, dBodyID body);

/* ---- rows as ODE gives them ---- */

static inline double dot3 (const dReal *a, const dReal *b)
{
    return (double)a[0] * (double)b[0] + (double)a[1] * (double)b[1] + (double)a[2] * (double)b[2];
}

static inline double length3 (const dReal *a) { return sqrt (dot3 (a, a)); }

/* Returns the velocity of the bodies along a row (m/s or rad/s). */
static inline double rls_row_velocity (const dReal *row, const dBodyID bodies[2])
{
    double sum = 0;
    for (int side = 0; side < 2 && bodies[side]; ++side)
    {
        sum += dot3 (row + 6 * side, dBodyGetLinearVel (bodies[side]));
        sum += dot3 (row + 6 * side + 3, dBodyGetAngularVel (bodies[side]));
    }
    return sum;
}

#endif
