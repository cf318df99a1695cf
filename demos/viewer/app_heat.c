/*
 * The colours of a frame: the scales that fit its openings and contacts, and the colours of the sides.
 */
#include "app_parts.h"

#include "theme.h"

#include <math.h>

/* Extends a range to the openings of all joints, log10 m. */
static void range_of_joints (app *a, double *low, double *high)
{
    const model *m = stage_model (a->stage);
    for (int side = 0; side < SIDES; side++)
    {
        const snapshot *shot = stage_shown (a->stage, side);
        for (int j = 0; j < m->joints; j++)
        {
            const double opening = shot->joint[j].opening;
            if (!(opening > 0)) continue;
            *low = fmin (*low, heatmap_log (opening));
            *high = fmax (*high, heatmap_log (opening));
        }
    }
}

/* The same for what contacts are coloured by; log10 of m, m/s or N. */
static void range_of_contacts (app *a, double *low, double *high)
{
    for (int side = 0; side < SIDES; side++)
    {
        const snapshot *shot = stage_shown (a->stage, side);
        for (int i = 0; i < shot->contacts; i++)
        {
            const double value = contact_value (&shot->contact[i], a->set.contacts);
            if (!(value > 0)) continue;
            *low = fmin (*low, heatmap_log (value));
            *high = fmax (*high, heatmap_log (value));
        }
    }
}

void app_fit_heat (app *a, double seconds)
{
    static const double contact_floor[CONTACTS_COUNT] = {0, -7, -6, -3}; /* log10 of m, m/s, N */
    double low = INFINITY, high = -INFINITY;
    a->heat = a->set.heat;
    range_of_joints (a, &low, &high);

    /* The scale reaches two decades to both sides of the tolerance, where the colour changes from blue to
       red, and up to a hundredth of the scene's size, so that openings too small to be seen are not red. */
    low = fmin (low, a->set.heat.log_tolerance - 2);
    high =
        fmax (fmax (high, a->set.heat.log_tolerance + 2), log10 (0.01 * stage_model (a->stage)->size) - 1e-9);
    heat_range_add (&a->fit.joints, low, high, -18, 4, seconds);
    if (a->set.heat_mode == HEAT_FITTED)
    {
        a->heat.log_low = a->fit.joints.low;
        a->heat.log_high = a->fit.joints.high;
    }

    low = INFINITY, high = -INFINITY;
    range_of_contacts (a, &low, &high);
    if (low < high - 4)
        low = high - 4; /* contacts by more than four decades smaller than the largest are dark */
    heat_range_add (&a->fit.contacts, low, high, contact_floor[a->set.contacts], 2, seconds);
    a->contact = (heatmap_scale){HEATMAP_CIVIDIS, a->fit.contacts.begun ? a->fit.contacts.low : -6,
                                 a->fit.contacts.begun ? a->fit.contacts.high : -2, 0};
}

unsigned app_side_color (const app *a, int side)
{
    const int own = a->set.choice.method[side].solver, other = a->set.choice.method[!side].solver;
    return theme_stepper (own, own == other && side == 0);
}
