/*
 * Text in figures.  The font is DejaVu Sans or another sans-serif font, if one is found where distributions
 * install fonts; otherwise figures have no text.
 *
 * Text is UTF-8.  ^{...} is raised and smaller: "10^{-6}".
 */
#ifndef CLI_LETTERING_H
#define CLI_LETTERING_H

#include "canvas.h"

typedef struct lettering lettering;

/* NULL if memory is short.  font is a file to use, NULL to look for one. */
lettering *lettering_open (const char *font);
void lettering_close (lettering *l);

/* 1 if a font was found. */
int lettering_has_font (const lettering *l);

/* The width of a text in pixels, at a size in pixels. */
double lettering_width (lettering *l, const char *text, double size);

typedef enum
{
    align_left = 0,
    align_centre,
    align_right
} text_align;

/* Draws a text with its baseline at (x, y); if turned, vertically from bottom to top. */
void lettering_draw (lettering *l, canvas *c, double x, double y, double size, text_align align, int turned,
                     colour ink, const char *text);

#endif
