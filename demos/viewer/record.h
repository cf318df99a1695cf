/*
 * The run as a CSV table with a line for each step of each side.
 */
#ifndef VIEWER_RECORD_H
#define VIEWER_RECORD_H

#include "stage.h"

typedef struct record_csv record_csv;

/* The file appears whole when it is closed.  Returns NULL with one line in error. */
record_csv *record_open (const char *path, const stage *s, int hide_times, char *error, size_t size);

/* Appends the steps made since the last call.  Each time is written once: after going back, steps are
 * appended again only when they are later than the last line of their side. */
void record_update (record_csv *r, const stage *s);

/* Returns 1, or 0 with one line in error if the file could not be written. */
int record_close (record_csv *r, char *error, size_t size);

#endif
