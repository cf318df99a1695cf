/*
 * Axes with round numbers, lines and legends.  See plot.h.
 */
#include "plot.h"

#include "round_step.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The first three are the colours of the steppers (ode-rls, dWorldStep, dWorldQuickStep), as in the viewer.
 * The others are near those of Okabe and Ito's palette, without its yellow, which is too light for lines on
 * white. */
const colour plot_colours[] = {{0, 138, 98, 255},  {196, 112, 0, 255},  {112, 78, 200, 255},
                               {0, 114, 178, 255}, {190, 60, 130, 255}, {86, 160, 220, 255},
                               {0, 0, 0, 255},     {120, 94, 50, 255}};
const int plot_colour_count = sizeof plot_colours / sizeof plot_colours[0];

static const colour paper = {250, 250, 251, 255}, grid = {222, 224, 229, 255}, faint = {240, 241, 243, 255},
                    frame_ink = {120, 125, 133, 255}, text_ink = {40, 44, 52, 255};

void axis_fit (axis *a, double low, double high, int decades)
{
    if (a->logarithmic)
    {
        high = high > 0 ? ceil (log10 (high) - 1e-9) : 0;
        low = low > 0 ? floor (log10 (low) + 1e-9) : high - decades;
        if (low >= high) low = high - 1;
        a->high = pow (10, high);
        a->low = pow (10, fmax (low, high - decades));
        return;
    }
    double range = high - low, least = 1e-12 * fmax (fabs (low), fabs (high));
    if (!(range > least)) range = 2 * fmax (fabs (high), 1e-12);
    /* A little room, so that lines at the extremes do not coincide with the frame. */
    a->low = low - 0.06 * range;
    a->high = high + 0.06 * range;
}

/* Where a value lies on an axis: 0 at its low end, 1 at its high end. */
static double place (const axis *a, double value)
{
    if (!a->logarithmic) return (value - a->low) / (a->high - a->low);
    if (!(value > a->low)) return 0;
    return log (value / a->low) / log (a->high / a->low);
}

static double pixel_x (const panel *box, double value)
{
    return box->frame.left + place (&box->x, value) * (box->frame.right - box->frame.left);
}

static double pixel_y (const panel *box, double value)
{
    return box->frame.bottom - place (&box->y, value) * (box->frame.bottom - box->frame.top);
}

typedef struct
{
    double value;
    char text[40];
} tick;

#define MINUS "\u2212"
#define TICK_MAX 64
#define MINOR_DECADES 5

/* If the range of a linear axis is small compared with its values, the ticks show their differences from this
   base.  Else it is 0. */
static double axis_base (const axis *a)
{
    double range = a->high - a->low, unit = pow (10, ceil (log10 (range)));
    int narrow = range < 1e-3 * fmax (fabs (a->low), fabs (a->high));
    return a->logarithmic || !narrow ? 0 : floor (a->low / unit) * unit;
}

/* The power of ten by which the numbers at the ticks are divided, so that they are short; 0 if they are short
 * already. */
static int axis_exponent (const axis *a)
{
    double base = axis_base (a), largest = fmax (fabs (a->low - base), fabs (a->high - base));
    int exponent = largest > 0 ? (int)floor (log10 (largest)) : 0;
    return a->logarithmic || (exponent >= -2 && exponent <= 4) ? 0 : exponent;
}

/* Makes the ticks of an axis, whose length is given in heights of text.  Returns how many there are. */
static int make_ticks (const axis *a, double length, tick *ticks)
{
    int count = 0;
    if (a->logarithmic)
    {
        int low = (int)lround (log10 (a->low)), high = (int)lround (log10 (a->high));
        int stride = 1;
        while ((high - low) / stride > length / 1.6) stride++;
        for (int decade = low; decade <= high && count < TICK_MAX; decade += stride, count++)
        {
            ticks[count].value = pow (10, decade);
            if (decade == 0)
                strcpy (ticks[count].text, "1");
            else
                snprintf (ticks[count].text, sizeof ticks[count].text, "10^{%s%d}", decade < 0 ? MINUS : "",
                          abs (decade));
        }
        return count;
    }
    double step = round_step (a->high - a->low, length > 12 ? 6 : 4), unit = pow (10, axis_exponent (a)),
           base = axis_base (a);
    /* As many digits as are needed to distinguish neighbouring ticks. */
    int digits = 1 + (int)ceil (log10 (fmax (fabs (a->low - base), fabs (a->high - base)) / step) + 1e-9);
    for (double k = ceil (a->low / step - 1e-6); k * step <= a->high + 1e-6 * step && count < TICK_MAX;
         k++, count++)
    {
        double shown = round ((k * step - base) / step) * step;
        ticks[count].value = k * step;
        snprintf (ticks[count].text, sizeof ticks[count].text, "%s%.*g", shown < 0 ? MINUS : "",
                  digits < 5 ? 5 : digits, fabs (shown) / unit);
    }
    return count;
}

/* The values 2 to 9 times a power of ten, for grid lines of a logarithmic axis with few decades. */
static int make_minor (const axis *a, double *values)
{
    int count = 0, low = (int)lround (log10 (a->low)), high = (int)lround (log10 (a->high));
    if (!a->logarithmic || high - low > MINOR_DECADES) return 0;
    for (int decade = low; decade < high; decade++)
        for (int digit = 2; digit <= 9; digit++) values[count++] = digit * pow (10, decade);
    return count;
}

static void straight (const page *p, double x0, double y0, double x1, double y1, double width, colour ink)
{
    double points[4] = {x0, y0, x1, y1};
    canvas_polyline (p->c, points, 2, width, 0, ink);
}

/* The nearest centre of a pixel: horizontal and vertical lines through it are sharp. */
static double crisp (double x) { return floor (x) + 0.5; }

/* Writes the power of ten and the base of an axis, if its numbers have them. */
static void draw_factor (const page *p, const axis *a, double x, double y, text_align align)
{
    char text[80] = "";
    int exponent = axis_exponent (a), used = 0;
    double base = axis_base (a);
    if (exponent)
        used = snprintf (text, sizeof text, "\u00D710^{%s%d}", exponent < 0 ? MINUS : "", abs (exponent));
    if (base != 0)
        snprintf (text + used, sizeof text - (size_t)used, "%s%s %.12g", used ? " " : "",
                  base < 0 ? MINUS : "+", fabs (base));
    lettering_draw (p->l, p->c, x, y, 0.86 * p->size, align, 0, text_ink, text);
}

void panel_draw (const page *p, const panel *box)
{
    const rectangle f = box->frame;
    tick ticks[TICK_MAX];
    double small = p->size * 0.86;

    canvas_fill (p->c, f, paper);
    double minor[8 * MINOR_DECADES];
    for (int i = make_minor (&box->x, minor) - 1; i >= 0; i--)
        straight (p, crisp (pixel_x (box, minor[i])), f.top, crisp (pixel_x (box, minor[i])), f.bottom, 1,
                  faint);
    for (int i = make_minor (&box->y, minor) - 1; i >= 0; i--)
        straight (p, f.left, crisp (pixel_y (box, minor[i])), f.right, crisp (pixel_y (box, minor[i])), 1,
                  faint);
    int count = make_ticks (&box->x, (f.right - f.left) / (4 * p->size), ticks);
    for (int i = 0; i < count; i++)
    {
        double x = crisp (pixel_x (box, ticks[i].value));
        straight (p, x, f.top, x, f.bottom, 1, grid);
        straight (p, x, f.bottom, x, f.bottom + 0.3 * p->size, 1, frame_ink);
        if (box->x.label)
            lettering_draw (p->l, p->c, x, f.bottom + 1.35 * p->size, small, align_centre, 0, text_ink,
                            ticks[i].text);
    }
    count = make_ticks (&box->y, (f.bottom - f.top) / p->size, ticks);
    for (int i = 0; i < count; i++)
    {
        double y = crisp (pixel_y (box, ticks[i].value));
        straight (p, f.left, y, f.right, y, 1, grid);
        straight (p, f.left - 0.3 * p->size, y, f.left, y, 1, frame_ink);
        lettering_draw (p->l, p->c, f.left - 0.5 * p->size, y + 0.3 * p->size, small, align_right, 0,
                        text_ink, ticks[i].text);
    }
    draw_factor (p, &box->y, f.left, f.top - 0.35 * p->size, align_left);
    if (box->x.label) draw_factor (p, &box->x, f.right, f.bottom + 2.8 * p->size, align_right);
    double corners[] = {crisp (f.left),   crisp (f.top),  crisp (f.right),  crisp (f.top),  crisp (f.right),
                        crisp (f.bottom), crisp (f.left), crisp (f.bottom), crisp (f.left), crisp (f.top)};
    canvas_polyline (p->c, corners, 5, 1, 0, frame_ink);
    if (box->x.label)
        lettering_draw (p->l, p->c, (f.left + f.right) / 2, f.bottom + 2.8 * p->size, p->size, align_centre,
                        0, text_ink, box->x.label);
    if (box->y.label)
        lettering_draw (p->l, p->c, f.left - 4.1 * p->size, (f.top + f.bottom) / 2, p->size, align_centre, 1,
                        text_ink, box->y.label);
}

int panel_line (const page *p, const panel *box, const double *x, const double *y, size_t count,
                const line_style *style)
{
    double *points = malloc ((2 * count + 2) * sizeof *points);
    if (!points) return 0;
    size_t kept = 0;
    const rectangle f = box->frame;
    for (size_t i = 0; i < count; i++)
    {
        if (!isfinite (x[i]) || !isfinite (y[i])) continue;
        points[2 * kept] = fmin (fmax (pixel_x (box, x[i]), f.left), f.right);
        /* Values outside a logarithmic axis are drawn at its edge; a line that leaves a linear axis is cut
         * off. */
        const double at = pixel_y (box, y[i]);
        points[2 * kept++ + 1] = box->y.logarithmic ? fmin (fmax (at, f.top), f.bottom) : at;
    }
    canvas_clip (p->c, (rectangle){f.left, f.top, f.right + 1, f.bottom + 1});
    if (style->width > 0) canvas_polyline (p->c, points, kept, style->width, style->dash, style->ink);
    canvas_unclip (p->c);
    for (size_t i = 0; style->marker_radius > 0 && i < kept; i++)
        canvas_marker (p->c, points[2 * i], points[2 * i + 1], style->marker_radius, style->marker,
                       style->ink);
    free (points);
    return 1;
}

double legend_draw (const page *p, double left, double top, double right, const legend_entry *entries,
                    int count, int draw)
{
    double x = left, y = top, sample = 2.4 * p->size, gap = 1.6 * p->size, line_height = 1.6 * p->size;
    for (int i = 0; i < count; i++)
    {
        double width = sample + 0.5 * p->size + lettering_width (p->l, entries[i].text, p->size);
        if (x > left && x + width > right)
        {
            x = left;
            y += line_height;
        }
        if (draw)
        {
            const line_style *s = &entries[i].style;
            double middle = y + 0.5 * line_height, points[4] = {x, middle, x + sample, middle};
            canvas_polyline (p->c, points, 2, s->width, s->dash, s->ink);
            if (s->marker_radius > 0)
                canvas_marker (p->c, x + sample / 2, middle, s->marker_radius, s->marker, s->ink);
            lettering_draw (p->l, p->c, x + sample + 0.5 * p->size, middle + 0.36 * p->size, p->size,
                            align_left, 0, text_ink, entries[i].text);
        }
        x += width + gap;
    }
    return y + line_height - top;
}
