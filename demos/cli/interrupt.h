/*
 * Ctrl-C, kill and hang-up end a run after the present step, so that its files are written.  A second signal,
 * more than a second later, ends the program at once.  If the reader of standard output ends, the program
 * ends without a message.
 */
#ifndef CLI_INTERRUPT_H
#define CLI_INTERRUPT_H

#include <stdio.h>

void interrupt_install (void);

/* The signal that asked the program to end, or 0.  The exit status is then 128 plus that number. */
int interrupted (void);

/* To be called directly after every write that failed. */
void note_failed_output (FILE *file);

/* 1 if such a write failed because standard output has no reader any more. */
int reader_has_left (void);

/* Ends the program as programs end whose reader has left: by SIGPIPE. */
void end_as_reader_left (void);

#endif
