/*
 * States that the user keeps, and coming back to them.
 */
#include "stage_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void free_kept (kept *k)
{
    for (int i = 0; k && i < SIDES; i++) free (k->state[i]);
    free (k);
}

void stage_drop_kept (stage *s, int first, int count)
{
    for (int i = 0; i < count; i++) free_kept (s->kept[first + i]);
    s->kept_count -= count;
    memmove (s->kept + first, s->kept + first + count, sizeof *s->kept * (size_t)(s->kept_count - first));
}

/* Copies the state of a side at the kept time, or the nearest before it.  Returns 0 without memory. */
static int read_kept (kept *k, int side, const sim *from)
{
    const ring *past = sim_past (from);
    const int entry = ring_find (past, k->time + 1e-9);
    const size_t bytes = sizeof (double) * STATE_DOUBLES * (size_t)sim_model (from)->bodies;
    k->state[side] = entry < 0 ? NULL : malloc (bytes + 1);
    if (!k->state[side]) return 0;
    memcpy (k->state[side], ring_state (past, entry), bytes);
    k->at[side] = *ring_sample (past, entry);
    return 1;
}

int stage_keep (stage *s)
{
    if (!s->side[0]) return -1;
    kept *k = calloc (1, sizeof *k);
    if (!k) return -1;
    k->time = isnan (s->scroll) ? fmin (stage_time (s, 0), stage_time (s, 1)) : s->scroll;
    for (int i = 0; i < SIDES; i++)
        if (!read_kept (k, i, s->side[i]->sim))
        {
            free_kept (k);
            return -1;
        }
    if (s->kept_count == STAGE_KEPT)
    {
        for (int i = 0; i < SIDES; i++)
            if (s->side[i]->come_back == s->kept[0]) s->side[i]->come_back = NULL;
        stage_drop_kept (s, 0, 1);
    }
    s->kept[s->kept_count] = k;
    return s->kept_count++;
}

int stage_kept (const stage *s) { return s->kept_count; }
double stage_kept_time (const stage *s, int i) { return s->kept[i]->time; }

void stage_come_back (stage *s, int i)
{
    if (i < 0 || i >= s->kept_count) return;
    s->scroll = NAN;
    for (int side = 0; side < SIDES && s->side[side]; side++)
    {
        s->side[side]->come_back = s->kept[i];
        s->side[side]->rewind = s->side[side]->recalled = NAN;
    }
}
