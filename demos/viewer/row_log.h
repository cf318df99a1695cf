/*
 * Which rows were redundant at which step, for looking back.  An entry is made only when the rows change.
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

/* Records the rows after a step, if they differ from those before. */
void row_log_note (row_log *log, long step, const row_state *row, int count);

/* The rows after a step; NULL if the step is older than all entries. */
const row_entry *row_log_find (const row_log *log, long step);

/* Drops all entries after a step. */
void row_log_truncate (row_log *log, long step);

#endif
