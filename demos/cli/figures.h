/*
 * The figures that --plot writes.
 */
#ifndef CLI_FIGURES_H
#define CLI_FIGURES_H

#include "history.h"
#include "result.h"

#include <stdio.h>

/*
 * Motion of a probe (with its reference), violations and energy over time, for runs of one scene at one step
 * size. histories[i] belongs to results[i]; s is the scene, in any state.  Returns 0 if memory is short or
 * the file cannot be written.
 */
int figure_history (FILE *file, const run_result *results, history *const *histories, int count,
                    const scene *s);

/*
 * Error from the reference (if there is one), energy drift and violation against processor time.  Each point
 * is a run, each line a method at several step sizes.  Failed runs are left out.  Returns as above.
 */
int figure_work_precision (FILE *file, const run_result *results, int count);

/* The probe that figures and tables show: the last one with a reference, otherwise the last one, which in
 * most scenes is at the end of the mechanism; -1 if there is none.  coordinate receives the number (0 to 2)
 * of the coordinate with the largest range in any run. */
int figure_probe (const run_result *results, int count, int *coordinate);

#endif
