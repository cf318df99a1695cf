/*
 * Numbers on the screen.  See format.h.
 */
#include "format.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>

#define NUMBER_SECONDS 0.25
#define COUNT_SECONDS 0.33

void format_length (double metres, char *out, size_t size)
{
    double a = fabs (metres);
    if (!(a < 1e6))
        snprintf (out, size, "%s", isnan (a) ? "not finite" : "> 1000 km");
    else if (a >= 1000)
        snprintf (out, size, "%.2f km", metres * 1e-3);
    else if (a >= 1)
        snprintf (out, size, "%.2f m", metres);
    else if (a >= 0.01)
        snprintf (out, size, "%.1f cm", metres * 1e2);
    else if (a >= 1e-4)
        snprintf (out, size, "%.2f mm", metres * 1e3);
    else if (a >= 1e-6)
        snprintf (out, size, "%.1f \xc2\xb5m", metres * 1e6);
    else if (a >= 1e-9)
        snprintf (out, size, "%.1f nm", metres * 1e9);
    else if (a == 0)
        snprintf (out, size, "0 m");
    else
        snprintf (out, size, "%.0e m", metres);
}

void format_angle (double radians, char *out, size_t size)
{
    double degrees = radians * 180 / M_PI;
    if (!(fabs (degrees) < 1e4))
        snprintf (out, size, "not finite");
    else if (fabs (degrees) >= 10)
        snprintf (out, size, "%.0f\xc2\xb0", degrees);
    else if (fabs (degrees) >= 0.01)
        snprintf (out, size, "%.2g\xc2\xb0", degrees);
    else if (radians == 0)
        snprintf (out, size, "0\xc2\xb0");
    else
        snprintf (out, size, "%.0e rad", radians);
}

double steady_number_add (steady_number *n, double value, double clock)
{
    if (!n->begun || clock < n->since || clock - n->since >= NUMBER_SECONDS)
    {
        n->shown = n->begun && clock >= n->since ? fmax (n->largest, value) : value;
        n->largest = value;
        n->since = clock;
        n->begun = 1;
    }
    n->largest = fmax (n->largest, value);
    return n->shown;
}

int steady_count_add (steady_count *n, int value, double clock)
{
    if (!n->begun) n->shown = n->candidate = value;
    if (value != n->candidate || !n->begun || clock < n->since) n->since = clock;
    n->begun = 1;
    n->candidate = value;
    if (clock - n->since >= COUNT_SECONDS) n->shown = value;
    return n->shown;
}

int format_may_break (const char *text, int at)
{
    return text[at] == ' ' && !(at && isdigit ((unsigned char)text[at - 1]));
}
