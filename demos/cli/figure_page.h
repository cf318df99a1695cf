/*
 * The page of a figure: its title and legend, and a canvas that is high enough for what follows.
 */
#ifndef CLI_FIGURE_PAGE_H
#define CLI_FIGURE_PAGE_H

#include "plot.h"

/* Opens a page of a width in pixels with its title and legend, and room for a body of the given height under
 * them; top receives where the body begins.  Returns 0 if memory is short. */
int page_open (page *p, canvas *c, int width, double body, const char *title, const legend_entry *entries,
               int count, double *top);
void page_close (page *p);

/* The height of text, and the margin to the left of a panel for numbers and a vertical label, in pixels. */
#define PAGE_TEXT 21.0
#define PAGE_MARGIN (5.6 * PAGE_TEXT)

#endif
