/*
 * A progress line on standard error, shown only on a terminal and only when a run takes long.
 */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

/* Starts a line with a label; it appears after half a second. */
void progress_start (const char *label);

/* Shows which fraction of the work is done, from 0 to 1.  The line is drawn at most ten times a second. */
void progress_update (double fraction);

/* Removes the line from the terminal, if it is shown. */
void progress_clear (void);

#endif
