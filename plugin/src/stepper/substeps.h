/*
 * Euler's step in pieces, where the whole step leaves joints open.
 *
 * A light chain with a heavy ball, once it cracks like a whip, turns its links so far in a step that Newton's
 * method does not find the pose where the joints are closed.  Half a step is then tried, and half of that. In
 * all pieces limits, motors and contacts keep the rows and the velocities that ODE gave them for the step, as
 * they would in the whole of it; what they may give in impulses is shared out evenly.
 */
#ifndef RLS_SUBSTEPS_H
#define RLS_SUBSTEPS_H

#include "workspace.h"

/* 1 if a hard row that was kept at the beginning of a step has a residual at its end that is worth another
 * attempt: one above rounding, and above the closing that was asked for. */
int rls_stays_open (const rls_workspace *workspace);

/* rls_euler_step, and again in 2, 4 and 8 pieces for as long as hard joints stay open.  Where that does not
 * help either, the last answer stands and the next steps do not try.  Returns as rls_euler_step. */
int rls_euler_closed (rls_workspace *workspace);

#endif
