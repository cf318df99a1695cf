/*
 * The plots at the bottom: violation, energy, degrees of freedom, and a fourth that the user chooses.  Each
 * has a line for each side.  Clicking or dragging in a plot looks back to the time under the mouse.
 */
#include "app_parts.h"

#include "plots.h"
#include "theme.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define FAINT_LINES 12 /* joints whose own lines are drawn behind the maximum */

typedef enum
{
    PLOT_VIOLATION,
    PLOT_ENERGY,
    PLOT_RANK,
    PLOT_DETAIL,
    PLOT_COUNT
} plot_kind;

/* A value, or NAN if it is far larger than the scale of the scene: otherwise the curve of a side that has
   blown up would flatten that of the other. */
static double within (double value, double scale)
{
    return !(scale > 0) || fabs (value) < 20 * scale ? value : NAN;
}

/* What a plot shows of a step; NAN for nothing. */
static double value_of (const app *a, plot_kind kind, const sample *p)
{
    const model *m = stage_model (a->stage);
    switch (kind)
    {
    case PLOT_VIOLATION:
        /* Without joints and contacts there is no violation that could be shown. */
        if (!p->step || !(p->violation > 0 || m->joints)) return NAN;
        return fmax (heatmap_log (p->violation), -18);
    case PLOT_ENERGY:
        return within (p->kinetic + p->potential - p->free_energy,
                       m->weight * m->size + fabs (p->free_energy));
    case PLOT_RANK:
        return p->dof;
    default:
        if (a->set.detail == DETAIL_PROBE) return m->probes ? within (p->probe[0], m->size) : NAN;
        if (a->set.detail == DETAIL_TIME) return p->step_s > 0 ? log10 (1e6 * p->step_s) : NAN;
        return p->residual > 0 ? log10 (p->residual) : NAN;
    }
}

static void describe (const app *a, plot_kind kind, plot_frame *p)
{
    static char probe_title[80];
    const model *m = stage_model (a->stage);
    p->title = kind == PLOT_VIOLATION ? (m->joints ? "Violation" : "Penetration")
               : kind == PLOT_ENERGY  ? "Energy change"
                                      : "Degrees of freedom";
    p->unit = kind == PLOT_VIOLATION ? "m" : kind == PLOT_ENERGY ? "J" : "";
    p->logarithmic = kind == PLOT_VIOLATION;
    p->whole = kind == PLOT_RANK;
    if (kind != PLOT_DETAIL) return;
    if (a->set.detail == DETAIL_PROBE)
    {
        snprintf (probe_title, sizeof probe_title, "%.40s, x", m->probes ? m->probe[0].name : "");
        p->title = m->probes ? probe_title : "No probe";
        p->unit = m->probes ? "m" : "";
        return;
    }
    p->title = a->set.detail == DETAIL_TIME ? "Step time" : "Residual";
    p->unit = a->set.detail == DETAIL_TIME ? "\xc2\xb5s" : "relative";
    p->logarithmic = 1;
}

static void find_range (const app *a, plot_kind kind, plot_frame *p)
{
    double low = 1e300, high = -1e300;
    for (int side = 0; side < SIDES; side++)
    {
        const ring *past = stage_past (a->stage, side);
        for (int i = ring_find (past, p->from);
             i >= 0 && i < past->count && ring_sample (past, i)->time <= p->to; i++)
        {
            double v = value_of (a, kind, ring_sample (past, i));
            if (!isfinite (v)) continue;
            low = fmin (low, v);
            high = fmax (high, v);
        }
    }
    if (kind == PLOT_ENERGY)
    {
        low = fmin (low, 0);
        high = fmax (high, 0);
    }
    if (kind == PLOT_RANK) low = fmin (low, high - 1);
    if (!(low <= high)) low = p->logarithmic ? -12 : 0, high = p->logarithmic ? 0 : 1; /* nothing to show */
    plot_range (&low, &high,
                kind == PLOT_ENERGY ? 1e-9
                : kind == PLOT_RANK ? 2
                : p->logarithmic    ? 2
                                    : 1e-3,
                p->whole || p->logarithmic);
    p->low = kind == PLOT_RANK ? fmax (low, 0) : low;
    p->high = high;
}

/* Thin lines for the openings of single joints, behind the line of the largest. */
static void faint_lines (const app *a, int side, const plot_frame *p)
{
    const ring *past = stage_past (a->stage, side);
    int first = ring_find (past, p->from), stride = past->joints / FAINT_LINES + 1;
    plot_line line;
    for (int j = 0; j < past->joints; j += stride)
    {
        plot_line_begin (&line, p, 1, theme_fade (app_side_color (a, side), 0.20f));
        for (int i = first < 0 ? 0 : first; i < past->count && ring_sample (past, i)->time <= p->to; i++)
            if (ring_sample (past, i)->step)
                plot_line_add (&line, ring_sample (past, i)->time,
                               fmax ((double)ring_opening (past, i)[j], -18));
        plot_line_end (&line);
    }
}

static void main_line (const app *a, int side, plot_kind kind, const plot_frame *p)
{
    const ring *past = stage_past (a->stage, side);
    int first = ring_find (past, p->from);
    plot_line line;
    plot_line_begin (&line, p, 2 * ui_scale (), app_side_color (a, side));
    for (int i = first < 0 ? 0 : first; i < past->count && ring_sample (past, i)->time <= p->to; i++)
        plot_line_add (&line, ring_sample (past, i)->time, value_of (a, kind, ring_sample (past, i)));
    plot_line_end (&line);
}

/* Marks what the user did by a vertical line, with a word if there is room for it.  written is the range of x
   that words of both sides cover so far. */
static void event_marks (const app *a, int side, const plot_frame *p, float written[2])
{
    static const struct
    {
        int mark;
        const char *word;
    } words[] = {{MARK_METHOD, "method"}, {MARK_GRAVITY, "gravity"}, {MARK_PULL, "pulled"},
                 {MARK_JOINT, "joint"},   {MARK_MOTOR, "motor"},     {MARK_BALL, "ball"},
                 {MARK_STATE, "state"}};
    const float u = ui_scale ();
    const ring *past = stage_past (a->stage, side);
    int first = ring_find (past, p->from);
    for (int i = first < 0 ? 0 : first; i < past->count && ring_sample (past, i)->time <= p->to; i++)
        for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        {
            if (!(ring_sample (past, i)->marks & words[k].mark)) continue;
            const float x = plot_x (p, ring_sample (past, i)->time);
            if (x < p->x + p->left) continue;
            const float foot = p->y + p->h - 18 * u;
            ui_line (x, p->y + 20 * u, x, foot, u, theme_fade (app_side_color (a, side), 0.55f));
            const float end = x + ui_text_width (UI_SMALL, words[k].word) + 6 * u;
            if (end > written[0] && x < written[1]) continue;
            ui_put (UI_SMALL, x + 3 * u, foot - ui_text_height (UI_SMALL), app_side_color (a, side),
                    words[k].word);
            written[0] = fminf (written[0], x);
            written[1] = fmaxf (written[1], end);
        }
}

/* The values under the mouse, in a box. */
static void hover (app *a, plot_kind kind, const plot_frame *p)
{
    float u = ui_scale (), mouse[2];
    double time = plot_hover_time (p, u);
    ui_mouse (mouse);
    int entry[SIDES];
    const int leading = stage_time (a->stage, 1) > stage_time (a->stage, 0);
    for (int side = 0; side < SIDES; side++) entry[side] = ring_find (stage_past (a->stage, side), time);
    if (entry[0] < 0) return;
    ui_layer_use (UI_LAYER_FRONT);
    float w = 128 * u, h = 56 * u, x = mouse[0] + 14 * u, y = p->y - h - 4 * u;
    if (x + w > p->x + p->w) x = mouse[0] - w - 14 * u;
    ui_rect (x, y, w, h, 7 * u, UI_RGBA (24, 29, 37, 245));
    ui_frame (x, y, w, h, 7 * u, u, COLOR_EDGE);
    char text[64];
    snprintf (text, sizeof text, "t = %.3f s", ring_sample (stage_past (a->stage, 0), entry[0])->time);
    ui_put (UI_SMALL, x + 9 * u, y + 5 * u, COLOR_SOFT, text);
    for (int side = 0; side < SIDES && entry[side] >= 0; side++)
    {
        double v = value_of (a, kind, ring_sample (stage_past (a->stage, side), entry[side]));
        snprintf (text, sizeof text, "%c   %.4g %s", 'A' + side, p->logarithmic ? pow (10, v) : v, p->unit);
        ui_put (UI_SMALL, x + 9 * u, y + (21 + 16 * (float)side) * u, app_side_color (a, side), text);
    }
    ui_layer_use (UI_LAYER_PANEL);

    /* While the button is held, the views show the state at the mouse. */
    if (!ui_held (0) || a->drag) return;
    a->set.paused = 1;
    stage_scroll_to (a->stage, stage_past (a->stage, leading)->count - 1 - entry[leading]);
}

static const char *const details[] = {"probe", "time", "residual"};

/* Step times are not offered where pictures must be the same in every run. */
static int is_offered (const app *a, int detail) { return detail != DETAIL_TIME || !a->options.reproducible; }

/* The width of the choices of the fourth plot, with the gaps between them. */
static float details_width (const app *a)
{
    float width = 0;
    for (int i = 0; i < DETAIL_COUNT; i++)
        if (is_offered (a, i)) width += ui_text_width (UI_SMALL, details[i]) + 10 * ui_scale ();
    return width;
}

/* Draws the choices of the fourth plot, to be clicked. */
static void choose_detail (app *a, const plot_frame *p)
{
    const float u = ui_scale ();
    float x = p->x + p->w;
    for (int i = DETAIL_COUNT - 1; i >= 0; i--)
    {
        if (!is_offered (a, i)) continue;
        float w = ui_text_width (UI_SMALL, details[i]);
        x -= w;
        const int over = ui_over (x, p->y, w, 16 * u) && !a->set.help;
        ui_color color = a->set.detail == i ? COLOR_ACCENT : over ? COLOR_TEXT : COLOR_FAINT;
        ui_put (UI_SMALL, x, p->y + 2 * u, color, details[i]);
        char widget[32];
        snprintf (widget, sizeof widget, "detail/%s", details[i]);
        ui_register (widget, x, p->y, w, 16 * u);
        if (over && ui_pressed (0)) a->set.detail = i;
        x -= 10 * u;
    }
}

void panel_plots (app *a)
{
    float u = ui_scale ();
    const area *r = &a->layout.bottom;
    ui_panel_begin ("plots", r->x, r->y, r->w, r->h, 0, 0);
    ui_line (r->x, r->y + 0.5f * u, r->x + r->w, r->y + 0.5f * u, u, COLOR_EDGE);
    double newest = fmax (stage_time (a->stage, 0), stage_time (a->stage, 1)), span = a->set.plot_seconds;
    const int plots = (int)fminf (PLOT_COUNT, fmaxf (1, r->w / (170 * u))); /* as many as there is room for */
    float gap = 22 * u, w = (r->w - 2 * 16 * u - gap * (float)(plots - 1)) / (float)plots;
    for (int kind = 0; kind < plots; kind++)
    {
        plot_frame p;
        memset (&p, 0, sizeof p);
        p.x = roundf (r->x + 16 * u + (w + gap) * (float)kind);
        p.y = roundf (r->y + 12 * u);
        p.w = roundf (w);
        p.h = roundf (r->h - 18 * u);
        p.from = fmax (0, newest - span);
        p.to = p.from + span;
        p.title_room = kind == PLOT_DETAIL ? p.w - details_width (a) : 0;
        describe (a, (plot_kind)kind, &p);
        find_range (a, (plot_kind)kind, &p);
        const int over = plot_begin (&p, u) && !a->set.help; /* which may lie over it */
        plot_clip (&p);
        if (kind == PLOT_VIOLATION)
            for (int side = 0; side < SIDES; side++) faint_lines (a, side, &p);
        for (int side = 0; side < SIDES; side++) main_line (a, side, (plot_kind)kind, &p);
        float written[2] = {INFINITY, -INFINITY};
        for (int side = 0; side < SIDES; side++) event_marks (a, side, &p, written);
        ui_unclip ();
        int scroll = stage_scroll (a->stage);
        if (scroll)
        {
            float at =
                plot_x (&p, fmax (stage_shown (a->stage, 0)->now.time, stage_shown (a->stage, 1)->now.time));
            if (at >= p.x + p.left) ui_line (at, p.y + 20 * u, at, p.y + p.h - 16 * u, u, COLOR_TEXT);
        }
        if (kind == PLOT_DETAIL) choose_detail (a, &p);
        if (over) hover (a, (plot_kind)kind, &p);
        char widget[24];
        snprintf (widget, sizeof widget, "plot/%d", kind);
        ui_register (widget, p.x + p.left, p.y + 22 * u, p.w - p.left, p.h - 40 * u);
    }
    ui_panel_end ();
}
