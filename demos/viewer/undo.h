/*
 * Taking back changes of settings, one after another.
 */
#ifndef VIEWER_UNDO_H
#define VIEWER_UNDO_H

#include "settings.h"

#define UNDO_ROOM 64

typedef struct
{
    settings past[UNDO_ROOM]; /* oldest first */
    settings present;
    int count, begun;
} undo_list;

/* To be called in every frame: records what has changed since the last one.  A control that is being dragged
 * is recorded when it is released. */
void undo_watch (undo_list *u, const settings *now, int dragging);

/* Takes back the last change.  Returns 0 if there is none. */
int undo_back (undo_list *u, settings *now);

#endif
