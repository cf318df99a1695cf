/* The page that all figures start from: lettering, title, legend, and a canvas of the right height. */
#ifndef CLI_FIGURE_PAGE_H
#define CLI_FIGURE_PAGE_H

#include "plot.h"

/* Opens a page of a width in pixels with its title and legend, and room for a body of the given height under
 * them; top receives where the body begins.  Returns 0 if memory is short. */
int page_open (page *p, canvas *c, int width, double body, const char *title, const legend_entry *entries,
               int count, double *top);
void page_close (page *p);

/* Height of text, and the room for numbers and a turned label left of a panel, in pixels. */
#define PAGE_TEXT 21.0
#define PAGE_MARGIN (5.6 * PAGE_TEXT)

#endif
