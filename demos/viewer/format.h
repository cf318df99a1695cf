/*
 * Lengths and angles as people read them: "0.19 m", "2.1 um", "20 degrees"; and numbers that stand still long
 * enough to be read.
 */
#ifndef VIEWER_FORMAT_H
#define VIEWER_FORMAT_H

#include <stddef.h>

void format_length (double metres, char *out, size_t size);
void format_angle (double radians, char *out, size_t size);

/* A live number: what is shown is the largest value of the last quarter of a second.  Zeroed to begin with.
 */
typedef struct
{
    double shown, largest, since;
    int begun;
} steady_number;

/* Takes in a value at a clock (s) and returns the one to show. */
double steady_number_add (steady_number *n, double value, double clock);

/* A live count: another value is shown once it has held for a third of a second. */
typedef struct
{
    int shown, candidate, begun;
    double since;
} steady_count;

int steady_count_add (steady_count *n, int value, double clock);

#endif
