/* Measurements of any ODE world; contract in ode_rls.h. */
#ifndef RLS_MEASURE_H
#define RLS_MEASURE_H

#include "ode/gather.h"

/* Adds how far a joint is open, and the energy of a body, to a report. */
void rls_report_joint (dRLSReport *report, dJointID joint);
void rls_report_body (dRLSReport *report, dBodyID body);

/* ---- of rows as ODE gives them ---- */

static inline double dot3 (const dReal *a, const dReal *b)
{
    return (double)a[0] * (double)b[0] + (double)a[1] * (double)b[1] + (double)a[2] * (double)b[2];
}

static inline double length3 (const dReal *a) { return sqrt (dot3 (a, a)); }

static inline int is_linear (const dReal *row) { return row[0] != 0 || row[1] != 0 || row[2] != 0; }

#endif
