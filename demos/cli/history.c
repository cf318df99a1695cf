/*
 * Histories in bounded memory.  See history.h.
 */
#include "history.h"

#include <stdlib.h>
#include <string.h>

typedef struct
{
    double low, high, low_time, high_time;
} extremes;

struct history
{
    int series;
    size_t buckets; /* in use; the last one may be partly filled */
    size_t samples; /* in a full bucket */
    size_t in_last; /* in the last bucket */
    extremes *data; /* [bucket][series] */
};

history *history_create (int series)
{
    history *h = calloc (1, sizeof *h);
    if (!h) return NULL;
    h->series = series;
    h->samples = 1;
    h->data = malloc (HISTORY_BUCKETS * (size_t)series * sizeof *h->data);
    if (h->data) return h;
    free (h);
    return NULL;
}

void history_free (history *h)
{
    if (!h) return;
    free (h->data);
    free (h);
}

static void widen (extremes *into, const extremes *by)
{
    if (by->low < into->low)
    {
        into->low = by->low;
        into->low_time = by->low_time;
    }
    if (by->high > into->high)
    {
        into->high = by->high;
        into->high_time = by->high_time;
    }
}

/* Merges neighbouring buckets in pairs, so that half of them are free again. */
static void halve (history *h)
{
    size_t n = (size_t)h->series;
    for (size_t bucket = 0; bucket < HISTORY_BUCKETS / 2; bucket++)
        for (size_t i = 0; i < n; i++)
        {
            extremes merged = h->data[2 * bucket * n + i];
            widen (&merged, &h->data[(2 * bucket + 1) * n + i]);
            h->data[bucket * n + i] = merged;
        }
    h->buckets = HISTORY_BUCKETS / 2;
    h->samples *= 2;
    h->in_last = h->samples;
}

void history_add (history *h, double time, const double *values)
{
    int opens = h->buckets == 0 || h->in_last == h->samples;
    if (opens && h->buckets == HISTORY_BUCKETS) halve (h);
    if (opens)
    {
        h->buckets++;
        h->in_last = 0;
    }
    h->in_last++;
    extremes *bucket = h->data + (h->buckets - 1) * (size_t)h->series;
    for (int i = 0; i < h->series; i++)
    {
        extremes one = {values[i], values[i], time, time};
        if (opens)
            bucket[i] = one;
        else
            widen (&bucket[i], &one);
    }
}

size_t history_points (const history *h, int series, double *times, double *values)
{
    size_t count = 0;
    for (size_t bucket = 0; bucket < h->buckets; bucket++)
    {
        const extremes *e = &h->data[bucket * (size_t)h->series + (size_t)series];
        int low_first = e->low_time <= e->high_time;
        times[count] = low_first ? e->low_time : e->high_time;
        values[count++] = low_first ? e->low : e->high;
        if (e->low_time == e->high_time) continue;
        times[count] = low_first ? e->high_time : e->low_time;
        values[count++] = low_first ? e->high : e->low;
    }
    return count;
}

static size_t filled (const history *h) { return h->buckets * (size_t)h->series * sizeof *h->data; }

int history_write (const history *h, FILE *file)
{
    return fwrite (h, sizeof *h, 1, file) == 1 && (!filled (h) || fwrite (h->data, filled (h), 1, file) == 1);
}

int history_read (history *h, FILE *file)
{
    history from;
    if (fread (&from, sizeof from, 1, file) != 1 || from.series != h->series ||
        from.buckets > HISTORY_BUCKETS)
        return 0;
    from.data = h->data;
    *h = from;
    return !filled (h) || fread (h->data, filled (h), 1, file) == 1;
}
