/*
 * Drawing by cairo.  See canvas.h.
 */
#include "canvas.h"

#include <math.h>
#include <png.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>

int canvas_create (canvas *c, int width, int height)
{
    c->width = width;
    c->height = height;
    c->surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, width, height);
    c->cr = cairo_create (c->surface);
    cairo_set_line_join (c->cr, CAIRO_LINE_JOIN_ROUND);
    cairo_set_source_rgb (c->cr, 1, 1, 1);
    cairo_paint (c->cr);
    if (cairo_status (c->cr) == CAIRO_STATUS_SUCCESS) return 1;
    canvas_free (c);
    return 0;
}

void canvas_free (canvas *c)
{
    if (c->cr) cairo_destroy (c->cr);
    if (c->surface) cairo_surface_destroy (c->surface);
    c->cr = NULL;
    c->surface = NULL;
}

void canvas_clip (canvas *c, rectangle part)
{
    cairo_save (c->cr);
    cairo_new_path (c->cr);
    cairo_rectangle (c->cr, part.left, part.top, part.right - part.left, part.bottom - part.top);
    cairo_clip (c->cr);
}

void canvas_unclip (canvas *c) { cairo_restore (c->cr); }

void canvas_ink (canvas *c, colour ink)
{
    cairo_set_source_rgba (c->cr, ink.red / 255.0, ink.green / 255.0, ink.blue / 255.0, ink.alpha / 255.0);
}

void canvas_fill (canvas *c, rectangle area, colour ink)
{
    canvas_ink (c, ink);
    cairo_new_path (c->cr);
    cairo_rectangle (c->cr, area.left, area.top, area.right - area.left, area.bottom - area.top);
    cairo_fill (c->cr);
}

void canvas_polyline (canvas *c, const double *points, size_t count, double width, double dash, colour ink)
{
    if (!count) return;
    canvas_ink (c, ink);
    cairo_set_line_width (c->cr, width);
    cairo_set_line_cap (c->cr, width > 1 ? CAIRO_LINE_CAP_ROUND : CAIRO_LINE_CAP_BUTT);
    cairo_set_dash (c->cr, &dash, dash > 0, 0);
    cairo_new_path (c->cr);
    for (size_t i = 0; i < count; i++) cairo_line_to (c->cr, points[2 * i], points[2 * i + 1]);
    cairo_stroke (c->cr);
}

/* The outline of a marker around the origin, of radius 1. */
static void outline (cairo_t *cr, marker_shape shape)
{
    static const double diamond[] = {0, -1.13, 1.13, 0, 0, 1.13, -1.13, 0};
    static const double triangle[] = {-1.27, 0.55, 1.27, 0.55, 0, -1.1};
    static const double square[] = {-0.86, -0.86, 0.86, -0.86, 0.86, 0.86, -0.86, 0.86};
    static const double cross[] = {0, -0.45, 0.55,  -1, 1,  -0.55, 0.45,  0, 1,  0.55,  0.55,  1,
                                   0, 0.45,  -0.55, 1,  -1, 0.55,  -0.45, 0, -1, -0.55, -0.55, -1};
    static const struct
    {
        const double *points;
        int count;
    } shapes[marker_shapes] = {[marker_square] = {square, 4},
                               [marker_diamond] = {diamond, 4},
                               [marker_triangle] = {triangle, 3},
                               [marker_cross] = {cross, 12}};
    if (!shapes[shape].points) cairo_arc (cr, 0, 0, 0.95, 0, 2 * M_PI);
    for (int i = 0; i < shapes[shape].count; i++)
        cairo_line_to (cr, shapes[shape].points[2 * i], shapes[shape].points[2 * i + 1]);
    cairo_close_path (cr);
}

void canvas_marker (canvas *c, double x, double y, double radius, marker_shape shape, colour ink)
{
    const colour white = {255, 255, 255, 255};
    cairo_save (c->cr);
    cairo_translate (c->cr, x, y);
    cairo_scale (c->cr, radius, radius);
    cairo_new_path (c->cr);
    outline (c->cr, shape);
    cairo_restore (c->cr);
    canvas_ink (c, white);
    cairo_set_line_width (c->cr, 3);
    cairo_set_dash (c->cr, NULL, 0, 0);
    cairo_stroke_preserve (c->cr);
    canvas_ink (c, ink);
    cairo_fill (c->cr);
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

/* Uses libpng and not cairo's own function, because that cannot write texts into the file. */
int canvas_write_png (const canvas *c, FILE *file, const char *title)
{
    png_infop info = NULL;
    png_structp png = png_create_write_struct (PNG_LIBPNG_VER_STRING, NULL, quiet_png, ignore_png);
    png_bytep volatile row = malloc (3 * (size_t)c->width);
    if (png) info = png_create_info_struct (png);
    if (!row || !png || !info || setjmp (png_jmpbuf (png)))
    {
        png_destroy_write_struct (png ? &png : NULL, info ? &info : NULL);
        free (row);
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
    cairo_surface_flush (c->surface);
    const unsigned char *pixels = cairo_image_surface_get_data (c->surface);
    for (int y = 0; y < c->height; y++)
    {
        const uint32_t *line =
            (const uint32_t *)(const void *)(pixels +
                                             (size_t)y * (size_t)cairo_image_surface_get_stride (c->surface));
        for (int x = 0; x < c->width; x++)
            for (int k = 0; k < 3; k++) row[3 * x + k] = (png_byte)(line[x] >> (16 - 8 * k) & 255);
        png_write_row (png, row);
    }
    png_write_end (png, info);
    png_destroy_write_struct (&png, &info);
    free (row);
    return !ferror (file);
}
