/*
 * Line plots.  See plots.h.  They are drawn in every frame, with the rest of the interface.  The figures of
 * the command line are drawn by cairo instead; colours (palette.h) and tick steps (round_step.h) are the
 * same.
 */
#include "plots.h"

#include "round_step.h"
#include "theme.h"

#include <math.h>
#include <stdio.h>

float plot_x (const plot_frame *p, double time)
{
    return p->x + p->left + (p->w - p->left) * (float)((time - p->from) / (p->to - p->from));
}

static float top_of (const plot_frame *p) { return p->y + 1.8f * ui_text_height (UI_BODY); }
static float bottom_of (const plot_frame *p) { return p->y + p->h - 1.35f * ui_text_height (UI_SMALL); }

/* The y of a value, within the frame. */
static float plot_y (const plot_frame *p, double value)
{
    float top = top_of (p), bottom = bottom_of (p);
    float y = bottom - (bottom - top) * (float)((value - p->low) / (p->high - p->low));
    return y < top ? top : y > bottom ? bottom : y;
}

void plot_range (double *low, double *high, double least, int whole)
{
    double span = fmax (*high - *low, least), centre = (*low + *high) / 2;
    *low = centre - 0.58 * span;
    *high = centre + 0.58 * span;
    if (whole)
    {
        *low = floor (*low);
        *high = ceil (*high);
    }
}

static double nice_step (double span, int ticks, int whole)
{
    const double step = round_step (span, ticks);
    return whole ? fmax (1, round (step)) : step;
}

static void tick_text (const plot_frame *p, double value, double step, char *out, size_t size)
{
    if (p->logarithmic)
        snprintf (out, size, "1e%d", (int)lround (value));
    else if (fabs (value) < 1e-9 * step)
        snprintf (out, size, "0");
    else if (fabs (value) >= 1e6 || step < 1e-4)
        snprintf (out, size, "%.0e", value);
    else if (step >= 1)
        snprintf (out, size, "%d", (int)lround (value));
    else
        snprintf (out, size, "%.*f", (int)ceil (-log10 (step) - 1e-9), value);
}

int plot_begin (plot_frame *p, float scale)
{
    char text[32];
    float top = top_of (p), bottom = bottom_of (p), size = ui_text_height (UI_SMALL);
    p->left = 40 * scale;
    float unit = ui_text_width (UI_SMALL, p->unit) + 7 * scale, wide = ui_text_width (UI_STRONG, p->title);
    if (p->title_room > 0 && wide > p->title_room - unit) wide = p->title_room - unit;
    ui_put_cut (UI_STRONG, p->x, p->y, wide, COLOR_TEXT, p->title);
    ui_put (UI_SMALL, p->x + wide + 7 * scale, p->y + 2 * scale, COLOR_FAINT, p->unit);
    double step = nice_step (p->high - p->low, (int)fmaxf (2, (bottom - top) / (26 * scale)),
                             p->whole || p->logarithmic);
    for (double v = ceil (p->low / step - 1e-9) * step; v <= p->high + 1e-9 * step; v += step)
    {
        float y = floorf (plot_y (p, v)) + 0.5f;
        ui_line (p->x + p->left, y, p->x + p->w, y, 1, theme_fade (COLOR_EDGE, 0.75f));
        tick_text (p, v, step, text, sizeof text);
        ui_put (UI_SMALL, p->x + p->left - 7 * scale - ui_text_width (UI_SMALL, text), y - 0.58f * size,
                COLOR_FAINT, text);
    }
    double time_step = nice_step (p->to - p->from, 4, 0);
    for (double t = ceil (p->from / time_step) * time_step; t <= p->to; t += time_step)
    {
        float x = plot_x (p, t);
        snprintf (text, sizeof text, "%.*f s", time_step < 1 ? 1 : 0, t);
        float w = ui_text_width (UI_SMALL, text);
        if (t < -1e-9 || x - w / 2 < p->x + p->left - 4 * scale || x + w / 2 > p->x + p->w) continue;
        ui_put (UI_SMALL, x - w / 2, bottom + 3 * scale, COLOR_FAINT, text);
    }
    return ui_over (p->x + p->left, top, p->w - p->left, bottom - top);
}

void plot_clip (const plot_frame *p)
{
    ui_clip (p->x + p->left, top_of (p) - 1, p->w - p->left, bottom_of (p) - top_of (p) + 2);
}

/* Draws the column of pixels that is finished. */
static void flush_column (plot_line *l)
{
    if (!l->open) return;
    if (l->count + 10 > (int)(sizeof l->points / sizeof *l->points))
    {
        /* The buffer is full: draws the line so far, and begins it again at its last point. */
        ui_polyline (l->points, l->count / 2, l->width, l->color);
        l->points[0] = l->points[l->count - 2];
        l->points[1] = l->points[l->count - 1];
        l->count = 2;
    }
    float x = (float)l->column + 0.5f;
    /* The first value, both extremes in their order of time, the last value: the line looks as if all were
     * drawn. */
    float values[4] = {l->first, l->low_first ? l->low : l->high, l->low_first ? l->high : l->low, l->last};
    for (int i = 0; i < 4; i++)
    {
        if (i && values[i] == l->points[l->count - 1]) continue;
        l->points[l->count++] = x;
        l->points[l->count++] = values[i];
    }
    l->open = 0;
}

void plot_line_begin (plot_line *l, const plot_frame *frame, float width, ui_color color)
{
    l->frame = frame;
    l->width = width;
    l->color = color;
    l->count = 0;
    l->open = 0;
}

void plot_line_add (plot_line *l, double time, double value)
{
    if (isnan (value))
    {
        plot_line_end (l);
        return;
    }
    float x = plot_x (l->frame, time), y = plot_y (l->frame, value);
    if (x < l->frame->x + l->frame->left - 1) return;
    int column = (int)floorf (x);
    if (l->open && column != l->column) flush_column (l);
    if (!l->open)
    {
        l->column = column;
        l->first = l->low = l->high = y;
        l->low_first = 1;
        l->open = 1;
    }
    if (y < l->low)
    {
        l->low = y;
        l->low_first = 0;
    }
    if (y > l->high)
    {
        l->high = y;
        l->low_first = 1;
    }
    l->last = y;
}

void plot_line_end (plot_line *l)
{
    flush_column (l);
    ui_polyline (l->points, l->count / 2, l->width, l->color);
    l->count = 0;
}

double plot_hover_time (const plot_frame *p, float scale)
{
    float mouse[2];
    ui_mouse (mouse);
    ui_line (mouse[0], top_of (p), mouse[0], bottom_of (p), scale, theme_fade (COLOR_TEXT, 0.35f));
    return p->from + (p->to - p->from) * (double)(mouse[0] - p->x - p->left) / (double)(p->w - p->left);
}
