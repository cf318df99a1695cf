/*
 * Small line plots for the strip at the bottom: many samples, one min-max pass a pixel column, hover.
 */
#ifndef VIEWER_PLOTS_H
#define VIEWER_PLOTS_H

#include "ui.h"

typedef struct
{
    float x, y, w, h;
    const char *title, *unit;
    double from, to;        /* time axis, s */
    double low, high;       /* value axis; log10 of the value on logarithmic plots */
    int logarithmic, whole; /* whole: ticks at whole numbers only */
    float left;             /* width kept for the tick labels */
    float title_room;       /* width that title and unit may take; 0: no limit */
} plot_frame;

/* Draws title, axes and grid; returns 1 while the mouse is over the plot.  The area of the lines is
 * from plot_x (from) to plot_x (to). */
int plot_begin (plot_frame *p, float scale);
void plot_clip (const plot_frame *p); /* keeps lines inside, until ui_unclip */
float plot_x (const plot_frame *p, double time);
float plot_y (const plot_frame *p, double value);

/* One line, fed sample by sample in time order. */
typedef struct
{
    const plot_frame *frame;
    float width;
    ui_color color;
    float points[4096];
    int count;
    int column;
    float first, low, high, last; /* of the present column, in pixels */
    int low_first;                /* the column's minimum came before its maximum */
    int open;
} plot_line;

void plot_line_begin (plot_line *line, const plot_frame *frame, float width, ui_color color);
void plot_line_add (plot_line *line, double time, double value); /* NaN breaks the line */
void plot_line_end (plot_line *line);

/* A vertical line at the mouse; returns the time under it. */
double plot_hover_time (const plot_frame *p, float scale);

/* Chooses a range of at least least that holds low <= high, with a margin. */
void plot_range (double *low, double *high, double least, int whole);

#endif
