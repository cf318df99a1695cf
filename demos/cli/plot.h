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

/* Chooses the range of an axis that shows values from low to high, with a little room around them.  A
 * logarithmic axis has whole decades, at most the given number; if there are more, the lowest are left out.
 * Its low may be 0 or negative. */
void axis_fit (axis *a, double low, double high, int decades);

/* Draws background, grid, ticks and labels. */
void panel_draw (const page *p, const panel *box);

/* Draws a line through points, inside the frame.  Values outside a logarithmic axis are drawn at its edge.
 * Returns 0 if memory is short. */
int panel_line (const page *p, const panel *box, const double *x, const double *y, size_t count,
                const line_style *style);

typedef struct
{
    const char *text;
    line_style style;
} legend_entry;

/* Draws the entries of a legend side by side from (left, top) on, in as many lines as they need up to right.
 * Returns the height.  With draw 0 nothing is drawn. */
double legend_draw (const page *p, double left, double top, double right, const legend_entry *entries,
                    int count, int draw);

/* Colours that can also be distinguished with the common kinds of colour blindness. */
extern const colour plot_colours[];
extern const int plot_colour_count;

#endif
