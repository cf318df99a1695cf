/* When the summary is written: at the end of the program, by exit or by SIGTERM. */
#ifndef RLS_PRELOAD_SUMMARY_H
#define RLS_PRELOAD_SUMMARY_H

/* Tells that something was counted.  To be called after every step while statistics are wanted. */
void summary_touch (void);

#endif
