/*
 * Which rows were redundant when: a list that grows only where the rows change, so that looking back finds
 * them.
 */
#ifndef VIEWER_ROW_LOG_H
#define VIEWER_ROW_LOG_H

typedef struct
{
    int joint, row, conflicting;
    double pivot, residual;
} row_state;

typedef struct
{
    long step; /* from which on these rows were redundant */
    int count;
    row_state *row;
} row_entry;

#define ROW_LOG_ENTRIES 256 /* the oldest are forgotten */

typedef struct
{
    row_entry entry[ROW_LOG_ENTRIES]; /* oldest first */
    int entries;
} row_log;

void row_log_free (row_log *log);

/* Takes note of the rows after a step; nothing happens if they are the last ones still. */
void row_log_note (row_log *log, long step, const row_state *row, int count);

/* The rows after a step; NULL if nothing is known of it. */
const row_entry *row_log_find (const row_log *log, long step);

/* Forgets all after a step. */
void row_log_truncate (row_log *log, long step);

#endif
