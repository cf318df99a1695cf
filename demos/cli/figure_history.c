/*
 * The figure of motion, violation and energy over time.  See figures.h.
 */
#include "figure_page.h"
#include "figures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PAGE_WIDTH 1600
#define PANEL_HEIGHT 300
#define PANEL_GAP (1.4 * PAGE_TEXT)
#define RUN_MAX stepper_kinds /* one run a stepper */
#define REFERENCE_POINTS 1500
#define VIOLATION_DECADES 18

typedef struct
{
    const run_result *results;
    history *const *histories;
    int count;
    const scene *s;
    int probe, coordinate;
    double *x, *y; /* of one line */
    page p;
} figure;

static const colour reference_ink = {150, 155, 163, 120};

/* A stepper has the same colour in every figure; the line of ode-rls is a little wider. */
static line_style style_of (const figure *f, int run)
{
    stepper_kind stepper = f->results[run].setup.stepper;
    return (line_style){.ink = plot_colours[stepper % plot_colour_count],
                        .width = stepper == stepper_rls ? 3.2 : 2.4};
}

int figure_probe (const run_result *results, int count, int *coordinate)
{
    int chosen = results[0].probe_count - 1;
    for (int i = 0; i < results[0].probe_count; i++)
        if (!isnan (results[0].probes[i].reference_error)) chosen = i;
    double widest = -1;
    *coordinate = 0;
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < count && chosen >= 0; i++)
        {
            const probe_result *p = &results[i].probes[chosen];
            if (p->max[k] - p->min[k] <= widest) continue;
            widest = p->max[k] - p->min[k];
            *coordinate = k;
        }
    return chosen;
}

static double end_time (const figure *f)
{
    double end = 0;
    for (int i = 0; i < f->count; i++) end = fmax (end, (double)f->results[i].steps * f->results[i].setup.dt);
    return end > 0 ? end : f->results[0].setup.duration;
}

/* Smallest and largest value of a series over all runs. */
static void range_of (const figure *f, int series, double *low, double *high)
{
    *low = INFINITY;
    *high = -INFINITY;
    for (int i = 0; i < f->count; i++)
    {
        size_t points = history_points (f->histories[i], series, f->x, f->y);
        for (size_t k = 0; k < points; k++)
        {
            *low = fmin (*low, f->y[k]);
            *high = fmax (*high, f->y[k]);
        }
    }
    if (*low > *high) *low = *high = 0; /* no run has a sample */
}

static int draw_series (const figure *f, const panel *box, int series, int pale)
{
    for (int i = 0; i < f->count; i++)
    {
        line_style style = style_of (f, i);
        if (pale)
        {
            style.ink.alpha = 90;
            style.width *= 0.7;
        }
        size_t points = history_points (f->histories[i], series, f->x, f->y), start = 0;
        /* A violation at the start is not the stepper's, and mostly 0, which a logarithmic axis cannot
         * show. */
        while (box->y.logarithmic && start < points && f->x[start] <= 0) start++;
        if (!panel_line (&f->p, box, f->x + start, f->y + start, points - start, &style)) return 0;
    }
    return 1;
}

static int draw_reference (const figure *f, const panel *box)
{
    const line_style style = {.ink = reference_ink, .width = 8};
    size_t points = 0;
    for (int i = 0; i <= REFERENCE_POINTS; i++)
    {
        double position[3], time = box->x.high * i / REFERENCE_POINTS;
        if (!scene_reference (f->s, f->probe, time, position)) continue;
        f->x[points] = time;
        f->y[points++] = position[f->coordinate];
    }
    return panel_line (&f->p, box, f->x, f->y, points, &style);
}

static int motion_panel (const figure *f, panel *box)
{
    char label[96];
    double low, high, reference[3];
    int series = series_probes + 3 * f->probe + f->coordinate;
    range_of (f, series, &low, &high);
    axis_fit (&box->y, low, high, 0);
    snprintf (label, sizeof label, "%s %c (m)", f->results[0].probes[f->probe].name, "xyz"[f->coordinate]);
    box->y.label = label;
    panel_draw (&f->p, box);
    if (scene_reference (f->s, f->probe, 0, reference) && !draw_reference (f, box)) return 0;
    return draw_series (f, box, series, 0);
}

static int violation_panel (const figure *f, panel *box)
{
    double low, high, low_angle, high_angle;
    range_of (f, series_position_m, &low, &high);
    range_of (f, series_angle_rad, &low_angle, &high_angle);
    int angles = high_angle > 0;
    box->y.logarithmic = 1;
    axis_fit (&box->y, 1e-17, fmax (fmax (high, high_angle), 1e-15), VIOLATION_DECADES);
    box->y.label = angles ? "violation (m; pale: rad)" : "violation (m)";
    panel_draw (&f->p, box);
    return (!angles || draw_series (f, box, series_angle_rad, 1)) &&
           draw_series (f, box, series_position_m, 0);
}

static int energy_panel (const figure *f, panel *box)
{
    double low, high;
    range_of (f, series_energy_drift, &low, &high);
    axis_fit (&box->y, low, high, 0);
    box->y.label = "energy \u2212 start (J)";
    panel_draw (&f->p, box);
    return draw_series (f, box, series_energy_drift, 0);
}

static void write_title (const figure *f, char *title, size_t size)
{
    const run_result *first = &f->results[0];
    snprintf (title, size, "%s, h = %g s", first->scene, first->setup.dt);
    if (f->count == 1) return;
    for (int i = 1; i < f->count; i++)
        if (f->results[i].setup.dt != first->setup.dt) snprintf (title, size, "%s", first->scene);
}

int figure_history (FILE *file, const run_result *results, history *const *histories, int count,
                    const scene *s)
{
    figure f = {
        .results = results, .histories = histories, .count = count < RUN_MAX ? count : RUN_MAX, .s = s};
    legend_entry entries[RUN_MAX + 1];
    char labels[RUN_MAX][64], title[160];
    double reference[3], top;
    canvas c;
    f.probe = figure_probe (results, count, &f.coordinate);
    f.x = malloc (2 * HISTORY_BUCKETS * sizeof *f.x);
    f.y = malloc (2 * HISTORY_BUCKETS * sizeof *f.y);

    enum
    {
        motion,
        violation,
        energy,
        kinds
    };
    const int shown[kinds] = {f.probe >= 0, scene_joint_count (s) > 0, 1};
    int entry_count = 0, good = f.x && f.y;
    for (; entry_count < f.count; entry_count++)
    {
        result_label (&results[entry_count], labels[entry_count], sizeof labels[0]);
        entries[entry_count] = (legend_entry){labels[entry_count], style_of (&f, entry_count)};
    }
    if (f.probe >= 0 && scene_reference (s, f.probe, 0, reference))
        entries[entry_count++] = (legend_entry){"reference", {.ink = reference_ink, .width = 8}};
    write_title (&f, title, sizeof title);

    double body =
        (shown[motion] + shown[violation] + shown[energy]) * (PANEL_HEIGHT + PANEL_GAP) + 2.4 * PAGE_TEXT;
    good = good && page_open (&f.p, &c, PAGE_WIDTH, body, title, entries, entry_count, &top);
    if (good)
    {
        for (int kind = 0; good && kind < kinds; kind++)
        {
            if (!shown[kind]) continue;
            panel box = {.frame = {PAGE_MARGIN, top, PAGE_WIDTH - 2 * PAGE_TEXT, top + PANEL_HEIGHT},
                         .x = {.low = 0, .high = end_time (&f), .label = kind == energy ? "time (s)" : NULL}};
            good = kind == motion      ? motion_panel (&f, &box)
                   : kind == violation ? violation_panel (&f, &box)
                                       : energy_panel (&f, &box);
            top += PANEL_HEIGHT + PANEL_GAP;
        }
        good = good && canvas_write_png (&c, file, title);
        page_close (&f.p);
    }
    free (f.x);
    free (f.y);
    return good;
}
