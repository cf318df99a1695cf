/*
 * Ring of past steps.  See ring.h.
 */
#include "ring.h"

#include <stdlib.h>
#include <string.h>

int ring_init (ring *r, int bodies, int joints, size_t bytes, int steps)
{
    memset (r, 0, sizeof *r);
    size_t entry =
        sizeof (sample) + sizeof (float) * (size_t)joints + sizeof (double) * STATE_DOUBLES * (size_t)bodies;
    size_t room = bytes / entry;
    if (room > (size_t)steps) room = (size_t)steps;
    if (room < 64) room = 64;
    r->bodies = bodies;
    r->joints = joints;
    r->room = (int)room;
    r->sample = malloc (sizeof *r->sample * room);
    r->opening = malloc (sizeof *r->opening * room * (size_t)(joints + 1));
    r->state = malloc (sizeof *r->state * room * (size_t)(STATE_DOUBLES * bodies + 1));
    if (!r->sample || !r->opening || !r->state)
    {
        ring_free (r);
        return 0;
    }
    /* Written to now, so that the memory of the program does not seem to grow while the ring fills.  Ones are
     * written, because compilers turn zeroing after malloc into calloc, which does not touch the memory. */
    memset (r->sample, 0xff, sizeof *r->sample * room);
    memset (r->opening, 0xff, sizeof *r->opening * room * (size_t)(joints + 1));
    memset (r->state, 0xff, sizeof *r->state * room * (size_t)(STATE_DOUBLES * bodies + 1));
    return 1;
}

void ring_free (ring *r)
{
    free (r->sample);
    free (r->opening);
    free (r->state);
    memset (r, 0, sizeof *r);
}

int ring_slot (const ring *r, int i)
{
    int slot = r->first + i;
    return slot >= r->room ? slot - r->room : slot;
}

const sample *ring_sample (const ring *r, int i) { return r->sample + ring_slot (r, i); }

const float *ring_opening (const ring *r, int i)
{
    return r->opening + (size_t)ring_slot (r, i) * (size_t)r->joints;
}

const double *ring_state (const ring *r, int i)
{
    return r->state + (size_t)ring_slot (r, i) * STATE_DOUBLES * (size_t)r->bodies;
}

int ring_push (ring *r)
{
    if (r->count == r->room)
        r->first = ring_slot (r, 1);
    else
        r->count++;
    return ring_slot (r, r->count - 1);
}

void ring_truncate (ring *r, int i)
{
    if (i + 1 < r->count) r->count = i + 1;
}

int ring_find (const ring *r, double time)
{
    int low = 0, high = r->count - 1;
    while (low < high)
    {
        int middle = (low + high + 1) / 2;
        if (ring_sample (r, middle)->time <= time)
            low = middle;
        else
            high = middle - 1;
    }
    return r->count ? low : -1;
}
