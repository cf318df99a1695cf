/*
 * A picture in memory, drawn by cairo: lines and markers, filled rectangles, PNG. Coordinates are pixels, x
 * to the right, y downwards, pixel centres at .5.
 */
#ifndef CLI_CANVAS_H
#define CLI_CANVAS_H

#include <cairo.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct
{
    uint8_t red, green, blue;
    uint8_t alpha; /* 255: opaque */
} colour;

typedef struct
{
    double left, top, right, bottom;
} rectangle;

typedef struct
{
    int width, height;
    cairo_surface_t *surface;
    cairo_t *cr;
} canvas;

/* Makes a white picture.  Returns 0 if memory is short. */
int canvas_create (canvas *c, int width, int height);
void canvas_free (canvas *c);

/* Limits all drawing to a part of the picture; canvas_unclip lifts that. */
void canvas_clip (canvas *c, rectangle part);
void canvas_unclip (canvas *c);

void canvas_fill (canvas *c, rectangle area, colour ink);

/* Sets the colour of what is drawn next. */
void canvas_ink (canvas *c, colour ink);

/* Draws a line through points, given as x, y, x, y and so on.  dash is the length of dashes and of the gaps
 * between them, 0 for a solid line.  A translucent line is no darker where it crosses itself. */
void canvas_polyline (canvas *c, const double *points, size_t count, double width, double dash, colour ink);

typedef enum
{
    marker_circle = 0,
    marker_square,
    marker_diamond,
    marker_triangle,
    marker_cross,
    marker_shapes
} marker_shape;

/* A marker with a thin white border, so that it stands out from lines. */
void canvas_marker (canvas *c, double x, double y, double radius, marker_shape shape, colour ink);

/* Writes the picture as PNG, with the title as a text in the file.  Returns 0 if it cannot be written. */
int canvas_write_png (const canvas *c, FILE *file, const char *title);

#endif
