/* ODE's semi-implicit Euler step with the RLS stage in place of its LCP. */
#ifndef RLS_EULER_H
#define RLS_EULER_H

#include "workspace.h"

/*
 * One step: v' = v + h M^-1 f with the rows enforced on v', q' = q advanced by v', then (correction
 * projection) q' and v' projected.  First order; the same answer as dWorldStep where that is right.
 * Fills next.pose, next.v, p and bounded.p.  Sets workspace->status; returns 1 if it is Ok.
 */
int rls_euler_step (rls_workspace *workspace);

#endif
