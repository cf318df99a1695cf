/*
 * Several quantities over time in bounded memory, for plots.  There is a fixed number of buckets, each with
 * the smallest and the largest value of some steps and the times of both.  When all are in use, neighbours
 * are merged in pairs.  So a run may have any length, and no peak is lost.
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

/* Adds a value for each series, at a time later than all before. */
void history_add (history *h, double time, const double *values);

/* Writes a history as bytes, and reads it into a history with the same number of series, for another process
 * of the same program.  Both return 0 if that fails. */
int history_write (const history *h, FILE *file);
int history_read (history *h, FILE *file);

/* Copies the points of a series in the order of time, at most two for each bucket, and returns how many there
 * are.  Both arrays need room for 2 * HISTORY_BUCKETS. */
size_t history_points (const history *h, int series, double *times, double *values);

#endif
