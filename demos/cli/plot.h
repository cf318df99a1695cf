/*
 * Diagrams: panels with axes, ticks and grid, lines, markers and legends.
 */
#ifndef CLI_PLOT_H
#define CLI_PLOT_H

#include "canvas.h"
#include "lettering.h"

typedef struct
{
    canvas *c;
    lettering *l;
    double size; /* of text, pixels an em; everything else follows it */
} page;

typedef struct
{
    double low, high;
    int logarithmic;
    const char *label; /* with its unit; NULL: no label, and no numbers either */
} axis;

typedef struct
{
    rectangle frame; /* the axes' box, pixels */
    axis x, y;
} panel;

typedef struct
{
    colour ink;
    double width; /* pixels */
    double dash;  /* pixels; 0: solid */
    marker_shape marker;
    double marker_radius; /* 0: none */
} line_style;

/* Makes an axis that shows values from low to high with a little room around them.  A logarithmic one gets
 * full decades and at most the given number of them, the lowest being given up first; it accepts any values.
 */
void axis_fit (axis *a, double low, double high, int decades);

/* Background, grid, ticks and labels. */
void panel_draw (const page *p, const panel *box);

/* A line through points; values that a logarithmic axis cannot show lie on its edge.  Drawn inside the frame.
 * Returns 0 if memory is short. */
int panel_line (const page *p, const panel *box, const double *x, const double *y, size_t count,
                const line_style *style);

typedef struct
{
    const char *text;
    line_style style;
} legend_entry;

/* Entries side by side from (left, top) on, in as many lines as fit between left and right.  Returns the
 * height; with draw 0 only that. */
double legend_draw (const page *p, double left, double top, double right, const legend_entry *entries,
                    int count, int draw);

/* Colours that remain different in the common kinds of colour-blindness, for steppers and other series. */
extern const colour plot_colours[];
extern const int plot_colour_count;

#endif
