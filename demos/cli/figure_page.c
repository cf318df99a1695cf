/*
 * Opens and closes pages.  See figure_page.h.
 */
#include "figure_page.h"
#include "failure.h"

#include <math.h>
#include <stdlib.h>

int page_open (page *p, canvas *c, int width, double body, const char *title, const legend_entry *entries,
               int count, double *top)
{
    const colour title_ink = {20, 23, 28, 255};
    double title_line = 2.4 * PAGE_TEXT, legend_top = title_line + 0.7 * PAGE_TEXT, right = width - PAGE_TEXT;
    *p = (page){.c = c, .size = PAGE_TEXT, .l = lettering_open (getenv ("ODE_RLS_FONT"))};
    if (!p->l) return 0;
    if (!lettering_has_font (p->l))
        warn ("no font found (install fonts-dejavu-core): the picture has no text");

    *top = legend_top + legend_draw (p, PAGE_MARGIN, legend_top, right, entries, count, 0) + 1.0 * PAGE_TEXT;
    if (!canvas_create (c, width, (int)ceil (*top + body)))
    {
        lettering_close (p->l);
        return 0;
    }
    lettering_draw (p->l, c, PAGE_MARGIN, title_line, 1.3 * PAGE_TEXT, align_left, 0, title_ink, title);
    legend_draw (p, PAGE_MARGIN, legend_top, right, entries, count, 1);
    return 1;
}

void page_close (page *p)
{
    lettering_close (p->l);
    canvas_free (p->c);
}
