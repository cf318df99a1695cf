/*
 * Past settings.  See undo.h.
 */
#include "undo.h"

#include <string.h>

/* Copies what undoing leaves as it is: pause, help, the shown free motion, open sections, the window's
 * size. */
static void keep_moment (settings *s, const settings *now)
{
    s->paused = now->paused;
    s->help = now->help;
    s->free_motion = now->free_motion;
    s->unfolded = now->unfolded;
    s->window[0] = now->window[0];
    s->window[1] = now->window[1];
}

/* 1 if all settings of the table are the same. */
static int same (const settings *a, const settings *b)
{
    char x[64], y[64];
    for (const setting *e = settings_table (); e->name; e++)
    {
        settings_get (a, e, x, sizeof x);
        settings_get (b, e, y, sizeof y);
        if (strcmp (x, y) != 0) return 0;
    }
    return 1;
}

void undo_watch (undo_list *u, const settings *now, int dragging)
{
    if (!u->begun) u->present = *now;
    u->begun = 1;
    keep_moment (&u->present, now);
    if (dragging || memcmp (&u->present, now, sizeof *now) == 0 || same (&u->present, now)) return;
    if (u->count == UNDO_ROOM) memmove (u->past, u->past + 1, sizeof *u->past * (size_t)(--u->count));
    u->past[u->count++] = u->present;
    u->present = *now;
}

int undo_back (undo_list *u, settings *now)
{
    if (!u->count) return 0;
    settings before = u->past[--u->count];
    keep_moment (&before, now);
    *now = u->present = before;
    return 1;
}
