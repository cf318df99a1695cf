/*
 * Drawing by distance: a pixel's coverage is half a pixel plus half the line's width minus its centre's
 * distance from the line, clamped to 0..1.  A shape first collects its coverage (the largest of its
 * parts) and is then blended once.
 */
#include "canvas.h"

#include <math.h>
#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

int canvas_create (canvas *c, int width, int height)
{
    size_t total = (size_t)width * (size_t)height;
    c->width = width;
    c->height = height;
    c->pixels = malloc (3 * total);
    c->coverage = calloc (total, 1);
    canvas_unclip (c);
    if (c->pixels && c->coverage)
    {
        memset (c->pixels, 255, 3 * total);
        return 1;
    }
    canvas_free (c);
    return 0;
}

void canvas_free (canvas *c)
{
    free (c->pixels);
    free (c->coverage);
    c->pixels = c->coverage = NULL;
}

void canvas_clip (canvas *c, rectangle part) { c->clip = part; }

void canvas_unclip (canvas *c) { c->clip = (rectangle){0, 0, c->width, c->height}; }

void canvas_blend (canvas *c, int x, int y, unsigned coverage, colour ink)
{
    if (x < c->clip.left || y < c->clip.top || x >= c->clip.right || y >= c->clip.bottom) return;
    if (x < 0 || y < 0 || x >= c->width || y >= c->height) return;
    unsigned weight = coverage * ink.alpha / 255;
    uint8_t *pixel = c->pixels + 3 * ((size_t)y * (size_t)c->width + (size_t)x);
    const uint8_t source[3] = {ink.red, ink.green, ink.blue};
    for (int i = 0; i < 3; i++)
        pixel[i] = (uint8_t)((pixel[i] * (255 - weight) + source[i] * weight + 127) / 255);
}

void canvas_fill (canvas *c, rectangle area, colour ink)
{
    for (int y = (int)floor (area.top); y < area.bottom; y++)
        for (int x = (int)floor (area.left); x < area.right; x++)
        {
            /* Edges between pixels cover them in part. */
            double wide = fmin (area.right, x + 1) - fmax (area.left, x);
            double high = fmin (area.bottom, y + 1) - fmax (area.top, y);
            canvas_blend (c, x, y, (unsigned)(255 * wide * high + 0.5), ink);
        }
}

/* Whole pixels from low to high that lie in the picture. */
static void span (double low, double high, int limit, int *first, int *last)
{
    *first = low <= 0 ? 0 : low >= limit ? limit : (int)low;
    *last = high <= 0 ? -1 : high >= limit ? limit - 1 : (int)high;
}

static void cover_segment (canvas *c, const double *a, const double *b, double half_width)
{
    double reach = half_width + 1, dx = b[0] - a[0], dy = b[1] - a[1], length2 = dx * dx + dy * dy;
    int x0, x1, y0, y1;
    span (fmin (a[0], b[0]) - reach, fmax (a[0], b[0]) + reach, c->width, &x0, &x1);
    span (fmin (a[1], b[1]) - reach, fmax (a[1], b[1]) + reach, c->height, &y0, &y1);
    for (int y = y0; y <= y1; y++)
        for (int x = x0; x <= x1; x++)
        {
            double px = x + 0.5 - a[0], py = y + 0.5 - a[1];
            double along = length2 > 0 ? fmin (fmax ((px * dx + py * dy) / length2, 0), 1) : 0;
            double covered = half_width + 0.5 - hypot (px - along * dx, py - along * dy);
            if (covered <= 0) continue;
            unsigned value = covered >= 1 ? 255 : (unsigned)(255 * covered + 0.5);
            uint8_t *cell = c->coverage + (size_t)y * (size_t)c->width + (size_t)x;
            if (value > *cell) *cell = (uint8_t)value;
        }
}

/* The parts of a segment that dashes cover; travelled is the length of line before it. */
static void cover_dashes (canvas *c, const double *a, const double *b, double half_width, double dash,
                          double travelled)
{
    double length = hypot (b[0] - a[0], b[1] - a[1]);
    if (!(length > 0)) return;
    double from = floor (travelled / (2 * dash)) * 2 * dash;
    for (; from < travelled + length; from += 2 * dash)
    {
        double start = fmax (from - travelled, 0) / length,
               end = fmin (from + dash - travelled, length) / length;
        if (end <= start) continue;
        double p[2] = {a[0] + start * (b[0] - a[0]), a[1] + start * (b[1] - a[1])};
        double q[2] = {a[0] + end * (b[0] - a[0]), a[1] + end * (b[1] - a[1])};
        cover_segment (c, p, q, half_width);
    }
}

/* Blends what has been covered between the given corners and leaves no coverage behind. */
static void blend_coverage (canvas *c, const double *low, const double *high, double reach, colour ink)
{
    int x0, x1, y0, y1;
    span (low[0] - reach, high[0] + reach, c->width, &x0, &x1);
    span (low[1] - reach, high[1] + reach, c->height, &y0, &y1);
    for (int y = y0; y <= y1; y++)
        for (int x = x0; x <= x1; x++)
        {
            uint8_t *cell = c->coverage + (size_t)y * (size_t)c->width + (size_t)x;
            if (*cell) canvas_blend (c, x, y, *cell, ink);
            *cell = 0;
        }
}

void canvas_polyline (canvas *c, const double *points, size_t count, double width, double dash, colour ink)
{
    if (count == 0) return;
    double low[2] = {points[0], points[1]}, high[2] = {points[0], points[1]}, travelled = 0;
    for (size_t i = 0; i < count; i++)
    {
        const double *a = points + 2 * (i ? i - 1 : 0), *b = points + 2 * i;
        if (dash > 0)
            cover_dashes (c, a, b, width / 2, dash, travelled);
        else
            cover_segment (c, a, b, width / 2);
        travelled += hypot (b[0] - a[0], b[1] - a[1]);
        for (int k = 0; k < 2; k++)
        {
            low[k] = fmin (low[k], b[k]);
            high[k] = fmax (high[k], b[k]);
        }
    }
    blend_coverage (c, low, high, width / 2 + 1, ink);
}

/* Signed distance from the border of a marker around the origin, negative inside. */
static double marker_distance (marker_shape shape, double x, double y, double radius)
{
    switch (shape)
    {
    case marker_square:
        return fmax (fabs (x), fabs (y)) - 0.86 * radius;
    case marker_diamond:
        return (fabs (x) + fabs (y)) * M_SQRT1_2 - 0.8 * radius;
    case marker_triangle:
        return fmax (0.866 * fabs (x) - 0.5 * y, y) - 0.55 * radius;
    case marker_cross:
    {
        double u = fabs (x + y) * M_SQRT1_2, v = fabs (x - y) * M_SQRT1_2, arm = 0.32 * radius;
        return fmin (fmax (u - arm, v - 1.1 * radius), fmax (v - arm, u - 1.1 * radius));
    }
    case marker_circle:
    case marker_shapes:
        break;
    }
    return hypot (x, y) - 0.95 * radius;
}

void canvas_marker (canvas *c, double x, double y, double radius, marker_shape shape, colour ink)
{
    const colour white = {255, 255, 255, 255};
    double reach = 1.4 * radius + 4;
    int x0, x1, y0, y1;
    span (x - reach, x + reach, c->width, &x0, &x1);
    span (y - reach, y + reach, c->height, &y0, &y1);
    for (int row = y0; row <= y1; row++)
        for (int column = x0; column <= x1; column++)
        {
            double distance = marker_distance (shape, column + 0.5 - x, row + 0.5 - y, radius);
            double border = fmin (fmax (2.0 - distance, 0), 1), fill = fmin (fmax (0.5 - distance, 0), 1);
            if (border > 0) canvas_blend (c, column, row, (unsigned)(255 * border), white);
            if (fill > 0) canvas_blend (c, column, row, (unsigned)(255 * fill), ink);
        }
}

static void quiet_png (png_structp png, png_const_charp text)
{
    (void)text; /* the caller says which file failed */
    png_longjmp (png, 1);
}

static void ignore_png (png_structp png, png_const_charp text)
{
    (void)png;
    (void)text;
}

int canvas_write_png (const canvas *c, FILE *file, const char *title)
{
    png_infop info = NULL;
    png_structp png = png_create_write_struct (PNG_LIBPNG_VER_STRING, NULL, quiet_png, ignore_png);
    if (png) info = png_create_info_struct (png);
    if (!png || !info || setjmp (png_jmpbuf (png)))
    {
        png_destroy_write_struct (png ? &png : NULL, info ? &info : NULL);
        return 0;
    }
    png_init_io (png, file);
    png_set_IHDR (png, info, (png_uint_32)c->width, (png_uint_32)c->height, 8, PNG_COLOR_TYPE_RGB,
                  PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    char keys[2][16] = {"Title", "Software"}, software[] = "ode-rls";
    char name[160];
    snprintf (name, sizeof name, "%s", title);
    png_text texts[2] = {{.compression = PNG_TEXT_COMPRESSION_NONE, .key = keys[0], .text = name},
                         {.compression = PNG_TEXT_COMPRESSION_NONE, .key = keys[1], .text = software}};
    png_set_text (png, info, texts, 2);
    png_write_info (png, info);
    for (int y = 0; y < c->height; y++) png_write_row (png, c->pixels + 3 * (size_t)y * (size_t)c->width);
    png_write_end (png, info);
    png_destroy_write_struct (&png, &info);
    return !ferror (file);
}
