/*
 * The colour scale that fits what is shown: it grows at once where something lies outside, and shrinks
 * slowly.
 */
#ifndef VIEWER_HEAT_FIT_H
#define VIEWER_HEAT_FIT_H

#include "heatmap.h"

typedef struct
{
    double low, high; /* log10, eased */
    int begun;
} heat_range;

typedef struct
{
    heat_range joints, contacts;
} heat_fit;

void heat_fit_reset (heat_fit *f);

/* Takes in the smallest and largest log10 of this frame (none where low > high) and at least decades of them.
 * Values below floor are not worth a colour. */
void heat_range_add (heat_range *r, double low, double high, double floor, double decades, double seconds);

#endif
