/*
 * Several quantities over time in bounded memory, for plots: a fixed number of buckets, each with the
 * smallest and the largest value and when they occurred.  When the buckets are used up, neighbours are
 * merged in pairs, so a run may be of any length and no peak is lost.
 */
#ifndef CLI_HISTORY_H
#define CLI_HISTORY_H

#include <stddef.h>
#include <stdio.h>

#define HISTORY_BUCKETS 4096

typedef struct history history;

/* NULL if memory is short. */
history *history_create (int series);
void history_free (history *h);

/* Adds one value a series at a time that is later than all before. */
void history_add (history *h, double time, const double *values);

/* All of it as bytes, for a copy of this program.  0 if that fails. */
int history_write (const history *h, FILE *file);
int history_read (history *h, FILE *file); /* into one of as many series */

/* Writes the points of a series in time order, at most two a bucket, and returns their number; both
 * arrays have room for 2 * HISTORY_BUCKETS. */
size_t history_points (const history *h, int series, double *times, double *values);

#endif
