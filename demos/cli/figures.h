/*
 * The pictures of the program.
 */
#ifndef CLI_FIGURES_H
#define CLI_FIGURES_H

#include "history.h"
#include "result.h"

#include <stdio.h>

/*
 * Motion of a probe (with its reference), violations and energy over time; the runs of one scene at one step
 * size in one picture.  histories[i] belongs to results[i]; s is the scene, in any state.
 * Returns 0 if memory is short or the file cannot be written.
 */
int figure_history (FILE *file, const run_result *results, history *const *histories, int count,
                    const scene *s);

/*
 * Error against time spent: error from the reference where there is one, energy drift and position violation,
 * each point a run, each line one method over its step sizes.  Failed runs are left out.  Returns as above.
 */
int figure_work_precision (FILE *file, const run_result *results, int count);

/* The probe that pictures and tables show: the last one with a reference, otherwise the last one, which is
 * the end of a mechanism in most scenes; -1 if there is none.  coordinate receives 0, 1 or 2: the one that
 * moved most in any run. */
int figure_probe (const run_result *results, int count, int *coordinate);

#endif
