/*
 * The figure of error against processor time, with a line for each method.  See figures.h.
 */
#include "figure_page.h"
#include "figures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PANEL_WIDTH 520
#define PANEL_HEIGHT 560
#define METHOD_MAX 64
#define METHODS_SHOWN 8 /* methods with colours of their own; more colours could not be told apart */
#define DECADES 18

typedef double measure_function (const run_result *r);

static double energy_of (const run_result *r) { return r->drift_max; }

static double violation_of (const run_result *r)
{
    return fmax (r->violation.position_m, r->violation.angle_rad);
}

/* Processor time, which does not depend on other programs. */
static double time_of (const run_result *r) { return r->step_used; }

typedef struct
{
    const char *label;
    measure_function *value;
} quantity;

static const quantity quantities[] = {{"largest error (m)", result_reference_error},
                                      {"largest energy drift (J)", energy_of},
                                      {"largest violation (m, rad)", violation_of}};

/* A method: the runs that differ only in their step size. */
typedef struct
{
    const run_result *first;
    line_style style;
    char label[64];
    int other; /* 1 if it is grey and not named in the legend */
} method;

typedef struct
{
    const run_result *results;
    int count;
    method methods[METHOD_MAX];
    int method_count;
    double *x, *y;
    page p;
} figure;

/* The number of a method's colour.  ODE's steppers have those of the figure over time; the methods of ode-rls
   take the others one after another. */
static int colour_index (const run_result *r, int *ours)
{
    if (r->setup.stepper != stepper_rls) return r->setup.stepper;
    int index = *ours == 0 ? stepper_rls : stepper_kinds - 1 + *ours;
    *ours += 1;
    return index;
}

static int same_method (const run_result *a, const run_result *b)
{
    return a->setup.stepper == b->setup.stepper && a->setup.integrator == b->setup.integrator &&
           a->setup.correction == b->setup.correction;
}

static void find_methods (figure *f)
{
    int ours = 0;
    for (int i = 0; i < f->count && f->method_count < METHOD_MAX; i++)
    {
        int known = 0;
        for (int k = 0; k < f->method_count; k++) known |= same_method (f->methods[k].first, &f->results[i]);
        if (known) continue;
        method *m = &f->methods[f->method_count++];
        m->first = &f->results[i];
        int index = colour_index (m->first, &ours);
        m->style = (line_style){.ink = plot_colours[index % plot_colour_count],
                                .width = 2.6,
                                .dash = index >= plot_colour_count ? 9 : 0,
                                .marker = (marker_shape)(index % marker_shapes),
                                .marker_radius = 8};
        result_label (m->first, m->label, sizeof m->label);
    }
}

/* How a method compares with the others. */
typedef struct
{
    int ahead;    /* how many of its runs are such that no other run is both faster and better */
    double least; /* the least error of its runs */
} standing;

static int has_values (const figure *f, measure_function *value)
{
    for (int i = 0; i < f->count; i++)
        if (f->results[i].status != run_error && isfinite (value (&f->results[i]))) return 1;
    return 0;
}

/* Compares a method with the others by the error, or by the energy drift if there is no reference. Violations
   are not compared, because those of many methods are only rounding errors. */
static standing stand (const figure *f, const method *m)
{
    measure_function *const value =
        has_values (f, result_reference_error) ? result_reference_error : energy_of;
    standing now = {0, INFINITY};
    for (int i = 0; i < f->count; i++)
    {
        const run_result *r = &f->results[i];
        if (r->status == run_error || !isfinite (value (r)) || !same_method (m->first, r)) continue;
        int beaten = 0;
        for (int k = 0; k < f->count && !beaten; k++)
            beaten = f->results[k].status != run_error && value (&f->results[k]) < value (r) &&
                     time_of (&f->results[k]) < time_of (r);
        now.ahead += !beaten;
        now.least = fmin (now.least, value (r));
    }
    return now;
}

static int has_points (const figure *f, const method *m)
{
    for (int i = 0; i < f->count; i++)
        if (f->results[i].status != run_error && same_method (m->first, &f->results[i])) return 1;
    return 0;
}

static int is_better (const standing *a, const standing *b)
{
    return a->ahead != b->ahead ? a->ahead > b->ahead : a->least < b->least;
}

/* If there are many methods, chooses those that are named: ODE's own, and of the others those that are ahead
   most often, or if equally often, reach the least error.  The rest become thin and grey. */
static void choose_named (figure *f)
{
    const line_style grey = {.ink = {176, 180, 188, 255}, .width = 1.2};
    standing of[METHOD_MAX];
    int named = 0, shown = 0, ours = 0;
    for (int i = 0; i < f->method_count; i++) shown += has_points (f, &f->methods[i]);
    if (shown <= METHODS_SHOWN) return;
    for (int i = 0; i < f->method_count; i++)
    {
        method *m = &f->methods[i];
        of[i] = stand (f, m);
        m->other = m->first->setup.stepper == stepper_rls;
        named += !m->other && has_points (f, m);
    }
    for (; named < METHODS_SHOWN; named++)
    {
        int best = -1;
        for (int i = 0; i < f->method_count; i++)
            if (f->methods[i].other && has_points (f, &f->methods[i]) &&
                (best < 0 || is_better (&of[i], &of[best])))
                best = i;
        f->methods[best].other = 0;
    }
    for (int i = 0; i < f->method_count; i++)
    {
        method *m = &f->methods[i];
        if (m->other)
            m->style = grey;
        else if (has_points (f, m))
        {
            const int index = colour_index (m->first, &ours);
            m->style.ink = plot_colours[index % plot_colour_count];
            m->style.dash = 0;
            m->style.marker = (marker_shape)(index % marker_shapes);
        }
    }
}

/* Fills x and y with the points of a method, or of all if m is NULL, in the order of the runs.  Failed runs
 * have none. */
static size_t points_of (const figure *f, const method *m, measure_function *value)
{
    size_t count = 0;
    for (int i = 0; i < f->count; i++)
    {
        const run_result *r = &f->results[i];
        if (r->status == run_error || (m && !same_method (m->first, r)) || !isfinite (value (r))) continue;
        f->x[count] = time_of (r);
        f->y[count++] = value (r);
    }
    return count;
}

/* The smallest positive and the largest of some values. */
static void positive_range (const double *values, size_t count, double *low, double *high)
{
    *low = INFINITY;
    *high = 0;
    for (size_t i = 0; i < count; i++)
    {
        if (values[i] > 0) *low = fmin (*low, values[i]);
        *high = fmax (*high, values[i]);
    }
}

static int draw_panel (const figure *f, const quantity *q, rectangle frame)
{
    panel box = {.frame = frame,
                 .x = {.logarithmic = 1, .label = "processor time in the stepper (s)"},
                 .y = {.logarithmic = 1}};
    double low, high;
    size_t count = points_of (f, NULL, q->value);
    positive_range (f->x, count, &low, &high);
    axis_fit (&box.x, low, high, DECADES);
    positive_range (f->y, count, &low, &high);
    axis_fit (&box.y, low, high, DECADES);
    box.y.label = q->label;
    panel_draw (&f->p, &box);
    for (int i = 0; i < 2 * f->method_count; i++)
    {
        const method *m = &f->methods[i % f->method_count];
        if (m->other != (i < f->method_count)) continue; /* the grey ones first */
        count = points_of (f, m, q->value);
        if (!panel_line (&f->p, &box, f->x, f->y, count, &m->style)) return 0;
    }
    return 1;
}

static void write_title (const figure *f, char *title, size_t size)
{
    double low = INFINITY, high = 0;
    for (int i = 0; i < f->count; i++)
    {
        low = fmin (low, f->results[i].setup.dt);
        high = fmax (high, f->results[i].setup.dt);
    }
    const run_result *r = &f->results[0];
    if (low == high)
        snprintf (title, size, "%s, %g s at h = %g s", r->scene, r->setup.duration, low);
    else
        snprintf (title, size, "%s, %g s at h = %.4g \u2026 %.4g s", r->scene, r->setup.duration, high, low);
}

int figure_work_precision (FILE *file, const run_result *results, int count)
{
    figure f = {.results = results, .count = count};
    legend_entry entries[METHOD_MAX];
    char title[200];
    double top, left = 0;
    canvas c;
    f.x = malloc ((size_t)count * sizeof *f.x);
    f.y = malloc ((size_t)count * sizeof *f.y);
    int good = f.x && f.y;
    find_methods (&f);
    choose_named (&f);
    int named = 0, others = 0;
    char rest[48];
    for (int i = 0; i < f.method_count; i++)
        if (!has_points (&f, &f.methods[i]))
            continue;
        else if (!f.methods[i].other)
            entries[named++] = (legend_entry){f.methods[i].label, f.methods[i].style};
        else if (!others++)
            entries[METHOD_MAX - 1] = (legend_entry){rest, f.methods[i].style};
    snprintf (rest, sizeof rest, "%d other%s", others, others == 1 ? "" : "s");
    if (others) entries[named++] = entries[METHOD_MAX - 1];
    write_title (&f, title, sizeof title);

    /* Without a reference there is no error to show. */
    int first = good && points_of (&f, NULL, result_reference_error) ? 0 : 1;
    int width = (int)((3 - first) * (PANEL_WIDTH + PAGE_MARGIN) + 2 * PAGE_TEXT);
    good = good && page_open (&f.p, &c, width, PANEL_HEIGHT + 4 * PAGE_TEXT, title, entries, named, &top);
    if (good)
    {
        for (int i = first; good && i < 3; i++, left += PANEL_WIDTH)
        {
            left += PAGE_MARGIN;
            good = draw_panel (&f, &quantities[i],
                               (rectangle){left, top, left + PANEL_WIDTH, top + PANEL_HEIGHT});
        }
        good = good && canvas_write_png (&c, file, title);
        page_close (&f.p);
    }
    free (f.x);
    free (f.y);
    return good;
}
