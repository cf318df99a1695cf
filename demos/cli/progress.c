/*
 * The progress line.  There is one terminal, so there is one state.
 */
#include "progress.h"
#include "seconds.h"

#include <stdio.h>
#include <unistd.h>

#define BAR_WIDTH 30
#define FIRST_SHOWN_AFTER 0.5
#define REDRAW_EVERY 0.1

static struct
{
    char label[96];
    double start, last_drawn;
    int wanted, shown;
} line;

void progress_start (const char *label)
{
    progress_clear ();
    snprintf (line.label, sizeof line.label, "%s", label);
    line.start = line.last_drawn = seconds_now ();
    line.wanted = isatty (STDERR_FILENO);
}

void progress_update (double fraction)
{
    if (!line.wanted) return;
    double now = seconds_now ();
    if (now - line.start < FIRST_SHOWN_AFTER || now - line.last_drawn < REDRAW_EVERY) return;
    line.last_drawn = now;
    line.shown = 1;

    char bar[BAR_WIDTH + 1];
    int filled = (int)(fraction * BAR_WIDTH);
    for (int i = 0; i < BAR_WIDTH; i++) bar[i] = i < filled ? '#' : '.';
    bar[BAR_WIDTH] = 0;
    fprintf (stderr, "\r\033[K%s  [%s] %3.0f %%", line.label, bar, 100 * fraction);
    if (fraction > 0) fprintf (stderr, "  %.0f s left", (now - line.start) * (1 - fraction) / fraction);
    fflush (stderr);
}

void progress_clear (void)
{
    if (line.shown) fputs ("\r\033[K", stderr);
    line.shown = line.wanted = 0;
}
