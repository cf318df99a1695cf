/*
 * Colour scales that fit.  See heat_fit.h.
 */
#include "heat_fit.h"

#include <math.h>

#define SHRINK 1.5 /* time constant with which a scale shrinks, s */

void heat_fit_reset (heat_fit *f) { f->joints.begun = f->contacts.begun = 0; }

void heat_range_add (heat_range *r, double low, double high, double floor_value, double decades,
                     double seconds)
{
    if (!(low <= high)) return;
    low = floor (fmin (fmax (low, floor_value), 9));
    high = ceil (fmin (fmax (high, floor_value), 10));
    low = fmin (low, high - decades);
    if (!r->begun)
    {
        r->low = low;
        r->high = high;
        r->begun = 1;
    }
    const double share = 1 - exp (-seconds / SHRINK);
    r->low = low < r->low ? low : r->low + share * (low - r->low);
    r->high = high > r->high ? high : r->high + share * (high - r->high);
}
