/* A plain alphabet of strokes for machines without fonts. */
#ifndef CLI_STROKE_FONT_H
#define CLI_STROKE_FONT_H

#include "canvas.h"

/* Draws a character (c NULL: measures only) with its baseline's start at (x, y) and returns its advance.
 * Characters that the alphabet lacks are shown as an empty box. */
double stroke_glyph (canvas *c, unsigned long code, double x, double y, double size, int turned, colour ink);

#endif
