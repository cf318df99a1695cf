/*
 * Round numbers for axes, alike in the viewer's live plots and in the figures of the command line.
 */
#ifndef SCENE_ROUND_STEP_H
#define SCENE_ROUND_STEP_H

#include <math.h>

/* The round step (1, 2 or 5 times a power of ten) that gives about count intervals of a range. */
static inline double round_step (double range, int count)
{
    const double raw = range / count, power = pow (10, floor (log10 (raw))), digit = raw / power;
    return power * (digit < 1.5 ? 1 : digit < 3.5 ? 2 : digit < 7.5 ? 5 : 10);
}

#endif
