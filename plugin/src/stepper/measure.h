/*
 * What the measurement of a joint shares between its files: the joint with its bodies and rows.
 *
 *     measure.c        the public functions, rows and their geometric errors, rates, locked axes, energy
 *     measure_types.c  how far each type of joint is open
 */
#ifndef RLS_MEASURE_H
#define RLS_MEASURE_H

#include "ode/gather.h"

/* Adds how far a joint is open, and the energy of a body, to a report. */
void rls_report_joint (dRLSReport *report, dJointID joint);
void rls_report_body (dRLSReport *report, dBodyID body);

/* A joint with its bodies, its rows and the geometric error of each of them. */
typedef struct
{
    dJointID joint;
    dBodyID bodies[2]; /* as in the rows: the first one is never NULL */
    int base, count;   /* rows of the type, and those together with its stops */
    rls_ode_rows rows;
    double error[RLS_ODE_MAX_ROWS]; /* m or rad */
} rls_measured_joint;

/* How far the joint is open (m) and by what angle it is misaligned (rad), from its rows and getters. */
double rls_measure_gap (const rls_measured_joint *m);
double rls_measure_angle (const rls_measured_joint *m);

/* Whether row r is a hinge2 suspension or a locked axis softer than regularisation: a spring, not a
 * constraint. */
int rls_measure_is_spring (const rls_measured_joint *m, int r);

static inline double dot3 (const dReal *a, const dReal *b)
{
    return (double)a[0] * (double)b[0] + (double)a[1] * (double)b[1] + (double)a[2] * (double)b[2];
}

static inline double length3 (const dReal *a) { return sqrt (dot3 (a, a)); }

static inline int is_linear (const dReal *row) { return row[0] != 0 || row[1] != 0 || row[2] != 0; }

static inline int is_bilateral (const rls_ode_rows *rows, int r)
{
    return rows->lo_hi[r][0] == -dInfinity && rows->lo_hi[r][1] == dInfinity;
}

#endif
