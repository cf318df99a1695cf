/*
 * What run and compare share: runs made from options, simulated one after the other, and their files.  compare
 * makes each in a process of its own, fast steppers first, so that results stay if one is stopped or ends the program.
 */
#ifndef CLI_SESSION_H
#define CLI_SESSION_H

#include "history.h"
#include "options.h"
#include "output.h"
#include "result.h"

#define SESSION_MAX 1024

typedef struct
{
    const options *o;
    scene *first;      /* the scene, read but not stepped: for counts and references */
    run_setup *setups; /* planned runs */
    int planned;
    run_result *results; /* of the runs that took place */
    history **histories; /* of each run; NULL where no picture over time is wanted */
    int count;
    int by_step;       /* several step sizes or methods: a picture of error against time */
    output json, plot; /* opened before the first step, so that a bad name costs no simulation */
} session;

/*
 * Reads the scene, plans the runs (defaults for what the options leave open: the steppers given) and
 * opens the outputs.  Returns 1, or 0 after an error line; close the session in any case.
 */
int session_open (session *s, const options *o, const stepper_kind *steppers, int stepper_count);

/*
 * Makes the runs.  apart: each in its own process, with a CSV of its own that has the run's label in its name.  Stops at an
 * interruption; goes on after a failed run.  Returns the exit status: exit_bad_arguments if a CSV file cannot
 * be opened, exit_failed if a run or a file failed.
 */
int session_run (session *s, int apart);

/* Writes JSON (an array, or the only result by itself) and the picture; to be called after the tables are
 * printed.  Returns exit_done, or exit_failed after an error line. */
int session_write (session *s, int as_array);

/* Where tables go: standard output, or standard error if a file takes that. */
FILE *session_tables (const session *s);

void session_close (session *s);

#endif
