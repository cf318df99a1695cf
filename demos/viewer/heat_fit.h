/*
 * Colour scales that fit what is shown.  A scale grows at once if a value lies outside, and shrinks slowly.
 */
#ifndef VIEWER_HEAT_FIT_H
#define VIEWER_HEAT_FIT_H

#include "heatmap.h"

typedef struct
{
    double low, high; /* log10 of the values at its ends */
    int begun;
} heat_range;

typedef struct
{
    heat_range joints, contacts;
} heat_fit;

void heat_fit_reset (heat_fit *f);

/* Fits a range to the smallest and largest log10 of a frame that took so many seconds (low > high: there are
 * none).  The range begins and ends at whole powers of ten, spans at least that many decades, and does not go
 * below floor. */
void heat_range_add (heat_range *r, double low, double high, double floor, double decades, double seconds);

#endif
