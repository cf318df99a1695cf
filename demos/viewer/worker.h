/*
 * A thread that runs one job at a time, so that the picture goes on during a slow simulation step.
 */
#ifndef VIEWER_WORKER_H
#define VIEWER_WORKER_H

typedef struct worker worker;
typedef void worker_job (void *context);

/* Starts the thread, which first runs prepare (may be NULL).  Returns NULL if that fails. */
worker *worker_start (void (*prepare) (void));
void worker_stop (worker *w); /* waits for the present job */

/* Leaves a busy worker behind: after its job it calls last (context), if last is not NULL, and ends. */
void worker_abandon (worker *w, worker_job *last, void *context);

/* Gives the worker a job; it must not be busy. */
void worker_post (worker *w, worker_job *job, void *context);

int worker_busy (worker *w);

/* Waits for the job, at most so many seconds (negative: without limit).  Returns 1 if it is done. */
int worker_wait (worker *w, double seconds);

#endif
