/*
 * Bodies that nothing is attached to: islands of one body without joints.
 *
 * Their symplectic step is in closed form but for the rotation (cayley.h), needs nothing of the last step and
 * leaves nothing for the next one.  So they need no workspace: what is kept of one is where it shall be, and
 * the workspace is a small one on the stack of whichever thread steps a batch of them.  A body's answer is
 * the same, bit for bit, whatever others there are.
 */
#ifndef RLS_FREE_BODIES_H
#define RLS_FREE_BODIES_H

#include "batch.h"

typedef struct
{
    dBodyID body;
    rls_pose pose; /* at the end of the step; where refused is 0 */
    double v[6];
    int refused; /* 1: it turns faster than the step can follow, and is to be stepped as other islands are */
} rls_free_body;

typedef struct
{
    rls_free_body *of;
    int count, capacity;
} rls_free_bodies;

/* 1 if bodies without joints can be stepped here with these choices. */
int rls_free_bodies_supported (const rls_settings *settings);

/* 1 if the island is a free body, which it then adds to the list; -1 without memory. */
int rls_free_bodies_add (rls_free_bodies *list, dBodyID const *bodies, unsigned body_count,
                         unsigned joint_count);

/* Steps a batch of them, of RLS_FREE_BODIES_A_BATCH at most. */
#define RLS_FREE_BODIES_A_BATCH 256
void rls_free_bodies_run (rls_ode_task *batch);

/* Moves the bodies, but for those that were refused. */
void rls_free_bodies_write_back (const rls_free_bodies *list);

/* Adds islands, bodies, degrees of freedom and, if flags say so, energy of those that were not refused. */
void rls_free_bodies_report (const rls_free_bodies *list, int flags, dRLSReport *report);

void rls_free_bodies_free (rls_free_bodies *list);

#endif
