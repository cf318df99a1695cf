/*
 * The list of redundant rows over time.  See row_log.h.
 */
#include "row_log.h"

#include <stdlib.h>
#include <string.h>

void row_log_free (row_log *log)
{
    for (int i = 0; i < log->entries; i++) free (log->entry[i].row);
    log->entries = 0;
}

static int same_rows (const row_entry *e, const row_state *row, int count)
{
    int same = e->count == count;
    for (int i = 0; same && i < count; i++)
        same = e->row[i].joint == row[i].joint && e->row[i].row == row[i].row &&
               e->row[i].conflicting == row[i].conflicting;
    return same;
}

void row_log_note (row_log *log, long step, const row_state *row, int count)
{
    if (log->entries && same_rows (&log->entry[log->entries - 1], row, count)) return;
    row_state *copy = malloc (sizeof *copy * (size_t)(count + 1));
    if (!copy) return; /* looking back then shows those before */
    if (count) memcpy (copy, row, sizeof *copy * (size_t)count);
    if (log->entries == ROW_LOG_ENTRIES)
    {
        free (log->entry[0].row);
        memmove (log->entry, log->entry + 1, sizeof *log->entry * (ROW_LOG_ENTRIES - 1));
        log->entries--;
    }
    log->entry[log->entries++] = (row_entry){step, count, copy};
}

const row_entry *row_log_find (const row_log *log, long step)
{
    for (int i = log->entries - 1; i >= 0; i--)
        if (log->entry[i].step <= step) return &log->entry[i];
    return NULL;
}

void row_log_truncate (row_log *log, long step)
{
    while (log->entries && log->entry[log->entries - 1].step > step) free (log->entry[--log->entries].row);
}
