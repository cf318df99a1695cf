/*
 * The clocks by which steps are timed.
 */
#ifndef CLI_SECONDS_H
#define CLI_SECONDS_H

#include <time.h>

/* Monotonic time in seconds. */
static inline double seconds_now (void)
{
    struct timespec now;
    clock_gettime (CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Processor time of all threads of the program in seconds. */
static inline double seconds_used (void)
{
    struct timespec now;
    clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif
