/*
 * Ctrl-C, kill and hang-up end a run after the current step, so that its files are written; another one, a
 * second later, ends the program at once.  A reader of standard output that goes away ends it, too, without a word.
 */
#ifndef CLI_INTERRUPT_H
#define CLI_INTERRUPT_H

#include <stdio.h>

void interrupt_install (void);

/* The signal that asked for it, or 0.  A program that was interrupted exits with 128 and that number. */
int interrupted (void);

/* To be told of every write that failed, right after it; whether one failed because standard output has no reader any
 * more; and the end that this makes. */
void note_failed_output (FILE *file);
int reader_has_left (void);
void end_as_reader_left (void);

#endif
