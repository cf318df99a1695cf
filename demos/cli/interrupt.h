/*
 * Ctrl-C, kill and hang-up end a run after the current step, so that its files are written; another one, a
 * second later, ends the program at once.  A closed pipe becomes a failed write instead of a silent end.
 */
#ifndef CLI_INTERRUPT_H
#define CLI_INTERRUPT_H

void interrupt_install (void);
int interrupted (void);

#endif
