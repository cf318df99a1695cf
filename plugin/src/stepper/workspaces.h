/* The islands of a world at work: one workspace each, on ODE's threads. */
#ifndef RLS_WORKSPACES_H
#define RLS_WORKSPACES_H

#include "stepper.h"

/* Sees to it that there are so many workspaces, new ones without a past.  1 done, 0 no memory. */
int rls_workspaces_reserve (dRLSStepperID stepper, int count);

/*
 * Finds the world's islands and lets each compute a step of h, or only look at itself (analyse); nothing is
 * written back.  With a force callback and an accurate integrator all islands go through the step as one,
 * because the callback sees the whole world at each stage. Leaves the workspaces in stepper.workspaces,
 * used_workspaces of them.  Returns a dRLSStatus.
 */
int rls_workspaces_run (dRLSStepperID stepper, double h, int analyse);

/* Gathers all of the world into a workspace that is not the stepper's, and factors it.  ODE's bodies may be
 * left at other poses (rls_put_back), and forces of the callback on them (rls_forces_undo).  Returns a
 * dRLSStatus. */
int rls_workspaces_look (dRLSStepperID stepper, rls_workspace *workspace, const rls_settings *settings);

/* After a step: islands that can be stepped in batches from now on leave their workspaces; see small_trees.h.
 */
void rls_workspaces_give_back (dRLSStepperID stepper);

#endif
