/*
 * What is carried from step to step, and what ends it: this is the one place.
 *
 * Nothing that is carried may be seen in a motion beyond the accuracy of the method.  Each thing that one
 * step leaves for the next has its line in rls_history_end, under the first of these events that ends it;
 * what is added joins them there.  An event also ends whatever the earlier ones do.
 *
 * Three things are carried beside these and compared where they are used: copies of what was read
 * (joint_cache.h, whether the joint's memory is the same), elimination orders (decide.c, whether the
 * structure is the same), impulses of contacts and stops (bounded_warm.c, whether the joint or the pair of
 * bodies is the same).  Small trees, which have no workspace, keep all of theirs or nothing (small_trees.h).
 */
#ifndef RLS_HISTORY_H
#define RLS_HISTORY_H

#include "workspace.h"

typedef enum
{
    RLS_MASSES_CHANGED,    /* a body has another mass or inertia */
    RLS_MOTION_BROKEN,     /* the program moved a body that can be pushed */
    RLS_MECHANISM_CHANGED, /* other bodies, joints but contacts, attachments, rows, or bodies that can be
                              pushed */
    RLS_ISLAND_CHANGED     /* another island, another unit of length, a refused step */
} rls_event;

void rls_history_end (rls_workspace *workspace, rls_event event);

/* Breaks the motion if the step does not begin where the last one ended.  (Kinematic bodies are the program's
 * to move.) */
void rls_history_check_motion (rls_workspace *workspace);

#endif
