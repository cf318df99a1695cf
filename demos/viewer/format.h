/*
 * Lengths and angles in units that suit their size ("0.19 m", "2.1 um", "20 degrees"), and numbers on the
 * screen that change only so often that they can be read.
 */
#ifndef VIEWER_FORMAT_H
#define VIEWER_FORMAT_H

#include <stddef.h>

void format_length (double metres, char *out, size_t size);
void format_angle (double radians, char *out, size_t size);

/* A number that is shown while it changes: the largest value of the last quarter of a second.  Zeroed to
 * begin with. */
typedef struct
{
    double shown, largest, since;
    int begun;
} steady_number;

/* Adds the value of a time (clock, s) and returns the value to show. */
double steady_number_add (steady_number *n, double value, double clock);

/* A count that is shown while it changes: a new value is shown once it has lasted for a third of a second. */
typedef struct
{
    int shown, candidate, begun;
    double since;
} steady_count;

int steady_count_add (steady_count *n, int value, double clock);

/* 1 if a line of the text may end before the character at that place: at blanks, but not between a number and
 * its unit. */
int format_may_break (const char *text, int at);

#endif
