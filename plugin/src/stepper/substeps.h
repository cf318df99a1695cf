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

/* A step of Euler's method that left joints open again, in 2, 4 and 8 pieces for as long as it does; the last
 * answer stands.  Returns as rls_euler_step. */
int rls_euler_in_pieces (rls_workspace *workspace);

#endif
