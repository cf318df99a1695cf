/*
 * Line plots.  A line may have many samples: for each column of pixels only the first, the extreme and the
 * last values are drawn.
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

/* Draws title, axes and grid; returns 1 while the mouse is over the plot.  The area of the lines is from
 * plot_x (from) to plot_x (to). */
int plot_begin (plot_frame *p, float scale);
void plot_clip (const plot_frame *p); /* cuts lines at the frame, until ui_unclip */
float plot_x (const plot_frame *p, double time);

/* A line to which samples are added in the order of time. */
typedef struct
{
    const plot_frame *frame;
    float width;
    ui_color color;
    float points[4096];
    int count;
    int column;
    float first, low, high, last; /* of the present column, in pixels */
    int low_first;                /* 1 if the minimum of the column came before its maximum */
    int open;                     /* 1 if the column has samples that are not drawn yet */
} plot_line;

void plot_line_begin (plot_line *line, const plot_frame *frame, float width, ui_color color);
void plot_line_add (plot_line *line, double time, double value); /* NaN breaks the line */
void plot_line_end (plot_line *line);

/* A vertical line at the mouse; returns the time under it. */
double plot_hover_time (const plot_frame *p, float scale);

/* Widens a range low <= high to at least the width least, and by a margin; to whole numbers if whole. */
void plot_range (double *low, double *high, double least, int whole);

#endif
