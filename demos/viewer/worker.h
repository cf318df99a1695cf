/*
 * One thread that runs one job at a time, so that a slow simulation step never holds up the picture.
 */
#ifndef VIEWER_WORKER_H
#define VIEWER_WORKER_H

typedef struct worker worker;
typedef void worker_job (void *context);

/* prepare (may be NULL) runs once on the new thread.  Returns NULL if there is no thread to be had. */
worker *worker_start (void (*prepare) (void));
void worker_stop (worker *w); /* waits for the job in hand */

/* Lets a busy worker go: after its job it runs last (may be NULL) and is gone.  Nobody waits for it. */
void worker_abandon (worker *w, worker_job *last, void *context);

/* Only while not busy. */
void worker_post (worker *w, worker_job *job, void *context);

int worker_busy (worker *w);

/* Waits at most seconds (negative: without limit); returns 1 if the job is done. */
int worker_wait (worker *w, double seconds);

#endif
