/*
 * A progress line on standard error, shown only on a terminal and only when a run takes long.
 */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

/* Starts a line with a label; it appears after half a second. */
void progress_start (const char *label);

/* Redraws at most ten times a second; fraction of the work done in 0..1. */
void progress_update (double fraction);

/* Takes the line off the terminal; nothing happens where none is shown. */
void progress_clear (void);

#endif
