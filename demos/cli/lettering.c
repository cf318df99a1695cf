/*
 * Text by cairo, in a font that FreeType opens.  See lettering.h.
 */
#include "lettering.h"

#include <cairo-ft.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define RAISED_SIZE 0.72
#define RAISED_BY 0.36

struct lettering
{
    FT_Library library;
    FT_Face face; /* NULL if no font was found */
    cairo_font_face_t *font;
    cairo_surface_t *surface; /* to measure on */
    cairo_t *measure;
};

/* Where the usual distributions install a sans-serif font. */
static const char *const font_files[] = {
    "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
    "/usr/share/fonts/TTF/DejaVuSans.ttf",
    "/usr/share/fonts/dejavu/DejaVuSans.ttf",
    "/usr/share/fonts/dejavu-sans-fonts/DejaVuSans.ttf",
    "/usr/local/share/fonts/DejaVuSans.ttf",
    "/usr/share/fonts/opentype/inter/Inter-Regular.otf",
    "/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf",
    "/usr/share/fonts/truetype/noto/NotoSans-Regular.ttf",
};

lettering *lettering_open (const char *font)
{
    lettering *l = calloc (1, sizeof *l);
    if (!l) return NULL;
    if (FT_Init_FreeType (&l->library))
    {
        l->library = NULL;
        return l;
    }
    if (font && FT_New_Face (l->library, font, 0, &l->face)) l->face = NULL;
    for (size_t i = 0; !font && !l->face && i < sizeof font_files / sizeof font_files[0]; i++)
        if (FT_New_Face (l->library, font_files[i], 0, &l->face)) l->face = NULL;
    if (!l->face) return l;
    l->font = cairo_ft_font_face_create_for_ft_face (l->face, FT_LOAD_NO_HINTING);
    l->surface = cairo_image_surface_create (CAIRO_FORMAT_A8, 1, 1);
    l->measure = cairo_create (l->surface);
    return l;
}

void lettering_close (lettering *l)
{
    if (!l) return;
    if (l->measure) cairo_destroy (l->measure);
    if (l->surface) cairo_surface_destroy (l->surface);
    if (l->font) cairo_font_face_destroy (l->font);
    cairo_debug_reset_static_data (); /* otherwise cairo keeps the face, which is closed now */
    if (l->face) FT_Done_Face (l->face);
    if (l->library) FT_Done_FreeType (l->library);
    free (l);
}

int lettering_has_font (const lettering *l) { return l->face != NULL; }

/* Draws a text from the origin on, or only measures it.  Returns its width. */
static double walk (lettering *l, cairo_t *cr, const char *text, double size, int show)
{
    double advance = 0;
    int raised = 0;
    if (!l->font) return 0;
    cairo_set_font_face (cr, l->font);
    while (*text)
    {
        /* A part of the text in one size: up to the next "^{", or up to the "}" that ends a raised part. */
        char run[256];
        const char *end = raised ? strchr (text, '}') : strstr (text, "^{");
        size_t length = end ? (size_t)(end - text) : strlen (text);
        if (length >= sizeof run) length = sizeof run - 1;
        memcpy (run, text, length);
        run[length] = 0;
        cairo_text_extents_t extents;
        cairo_set_font_size (cr, raised ? RAISED_SIZE * size : size);
        cairo_text_extents (cr, run, &extents);
        if (show)
        {
            cairo_move_to (cr, advance, raised ? -RAISED_BY * size : 0);
            cairo_show_text (cr, run);
        }
        advance += extents.x_advance;
        text += length + (end ? raised ? 1 : 2 : 0);
        raised = end && !raised;
    }
    return advance;
}

double lettering_width (lettering *l, const char *text, double size)
{
    return walk (l, l->measure, text, size, 0);
}

void lettering_draw (lettering *l, canvas *c, double x, double y, double size, text_align align, int turned,
                     colour ink, const char *text)
{
    double back =
        align == align_left ? 0 : lettering_width (l, text, size) * (align == align_centre ? 0.5 : 1);
    canvas_ink (c, ink);
    cairo_save (c->cr);
    cairo_translate (c->cr, floor (x), floor (y)); /* baselines on whole pixels */
    if (turned) cairo_rotate (c->cr, -M_PI / 2);
    cairo_translate (c->cr, -back, 0);
    walk (l, c->cr, text, size, 1);
    cairo_restore (c->cr);
}
