/*
 * Rows of contacts at the end of a step.
 *
 * Collision detection gives contacts at the beginning alone.  Where bodies tip or roll, rows kept for the
 * whole step make it one of first order.  In small islands they follow from what of the bodies touches
 * (contact_motion.h) where that has told the row of this step a step before; with them how far the bodies
 * move along the rows, to rounding.  Others are extrapolated from those that the same contacts had a step
 * before,
 *
 *     J1 = J0 + (h / last h) (J0 - J_-1),
 *
 * which needs no geometry: a corner stays on its body, the lowest point of a wheel does not, and both show in
 * how the row has changed.  A contact that is new, or whose row has changed as no motion changes it, keeps
 * all of its island's rows as they are: in the step of an impact rows of two kinds would contradict each
 * other.
 *
 * A contact that rebounds is always new.  Its rows follow from what of the bodies touches.
 */
#ifndef RLS_CONTACT_ROWS_H
#define RLS_CONTACT_ROWS_H

#include "island/island.h"

/* Contacts of a step's beginning, kept for the next step. */
typedef struct
{
    int joints, rows;
    double time;           /* s: when that step began; later ones had no contacts */
    double length_scale;   /* m: in which the rows are written */
    uint64_t *key;         /* joints: odd for contacts, */
    int *row0;             /* joints + 1 */
    double (*arm)[3];      /* and the point on body 1, body axes, */
    double (*lever)[2][3]; /* and from the centres of both bodies, world axes */
    double (*turn)[3]; /* and by how much the normal had turned in the step before; 0 of new and told ones, */
    double (*told)[12]; /* rows: what they were to be at the end, by what touches */
    double (*J)[12];    /* rows */
    rls_arena block;
} rls_contact_history;

/* The rows of contacts in end.bounded, for a step of h (s) that ends at island->time.  extrapolate: 0 keeps
 * those of the beginning.  Returns 1, or 0 when memory is short. */
int rls_contact_rows_at_end (rls_island *island, double h, int extrapolate);

/* The rows of contacts that wait for their impact and whose points are known, where bodies are at to instead
 * of from, into end.bounded: from those of begin.bounded.  The next sub-step, which begins there, is told
 * them.  all: those of contacts that bear as well, of islands without joints, where no problem is solved in
 * which they would move. */
void rls_contact_rows_follow (rls_island *island, const rls_pose *from, const rls_pose *to, int all);

/* Sets J and way in end.bounded after a motion of h (s) from a pose to next.pose with mean velocities du, for
 * contacts of which it is known what of the bodies touches.  Rows that rls_contact_rows_at_end has
 * extrapolated stay as they are.  What they would be is kept for the next step as well. */
void rls_contact_rows_move (rls_island *island, double h, const rls_pose *from, const double (*du)[6]);

/* The step that begins is the last one once more: its rows were those of a step before. */
void rls_contact_history_repeat (rls_island *island);

#endif
