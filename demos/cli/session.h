/*
 * What the commands run and compare share: runs that are planned from the options and made one after another,
 * and their files.  compare makes each run in a process of its own, those of fast steppers first, so that the
 * results so far are kept if a run is killed or ends its process.
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
    int by_step;       /* 1 for several step sizes or methods: the figure is that of error against time */
    output json, plot; /* opened before the first run, so that a bad name is reported at once */
} session;

/*
 * Reads the scene, plans the runs and opens the outputs.  The steppers given are used if the options name
 * none.  Returns 1, or 0 after an error line; call session_close in any case.
 */
int session_open (session *s, const options *o, const stepper_kind *steppers, int stepper_count);

/*
 * Makes the runs.  With apart each has a process of its own, and a CSV file of its own with its label in the
 * name.  Stops if the user interrupts it, but goes on after a run that failed.  Returns the exit status:
 * exit_bad_arguments if a CSV file cannot be opened, exit_failed if a run or a file failed.
 */
int session_run (session *s, int apart);

/* Writes JSON (as_array: an array of the results, otherwise the only one) and the figure, after the tables
 * have been printed.  Returns exit_done, or exit_failed after an error line. */
int session_write (session *s, int as_array);

/* Where tables go: standard output, or standard error if a file takes that. */
FILE *session_tables (const session *s);

void session_close (session *s);

#endif
