/*
 * The text over the 3D views: the stepper, how far the joints are open, the sentence about what happens, and
 * labels.
 */
#include "app_parts.h"

#include "format.h"
#include "theme.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The heat colour of an opening, for text. */
static ui_color opening_color (const app *a, double opening)
{
    unsigned char table[HEATMAP_SIZE * 3], rgb[3];
    heatmap_fill (&a->heat, table);
    heatmap_color (table, &a->heat, opening, rgb);
    /* Lightened, so that the darkest colours stay readable as text. */
    for (int i = 0; i < 3; i++) rgb[i] = (unsigned char)(rgb[i] + (255 - rgb[i]) * 2 / 5);
    return UI_RGB (rgb[0], rgb[1], rgb[2]);
}

static void put_right (ui_font font, float x, float y, ui_color color, const char *text)
{
    ui_put (font, x - ui_text_width (font, text), y, color, text);
}

static void describe_method (const app *a, int side, char *out, size_t size)
{
    const sim_method *m = &a->set.choice.method[side];
    switch (m->solver)
    {
    case SOLVER_RLS:
        snprintf (out, size, "%s integrator, %s", integrator_names[m->integrator],
                  correction_names[m->correction]);
        break;
    case SOLVER_QUICK:
        snprintf (out, size, "ODE's iterative stepper, %d sweeps", a->set.choice.common.quick_iterations);
        break;
    default:
        snprintf (out, size, "ODE's direct stepper");
    }
}

/* The number to show: one that changes only so often that it can be read, and the exact one while nothing
 * moves. */
static double steady (const app *a, steady_number *n, double value)
{
    if (!a->set.paused && !stage_scroll (a->stage)) return steady_number_add (n, value, a->clock);
    memset (n, 0, sizeof *n);
    return value;
}

static int steady_whole (const app *a, steady_count *n, int value)
{
    if (!a->set.paused && !stage_scroll (a->stage)) return steady_count_add (n, value, a->clock);
    memset (n, 0, sizeof *n);
    return value;
}

static void describe_rank (app *a, int side, const snapshot *shot, char *out, size_t size)
{
    const sample *n = &shot->now;
    const int rank = steady_whole (a, &a->shown[side].rank, n->rank),
              rows = steady_whole (a, &a->shown[side].rows, n->rows),
              dof = steady_whole (a, &a->shown[side].dof, n->dof),
              redundant = steady_whole (a, &a->shown[side].redundant, n->redundant);
    size_t used = (size_t)snprintf (out, size, "rank %d of %d rows  \xc2\xb7  %d degree%s of freedom", rank,
                                    rows, dof, dof == 1 ? "" : "s");
    if (redundant && used < size)
        used += (size_t)snprintf (out + used, size - used, "  \xc2\xb7  %d redundant", redundant);
    if (n->conflicting && used < size) snprintf (out + used, size - used, ", %d conflicting", n->conflicting);
}

/* Three dots, each bright in turn, which show that something is being computed. */
static void busy_dots (const app *a, float x, float y)
{
    const float u = ui_scale ();
    const int bright = (int)(a->clock * 3) % 3;
    for (int i = 0; i < 3; i++)
        ui_circle (x + (float)i * 9 * u, y, 3 * u, theme_fade (COLOR_TEXT, i == bright ? 1.0f : 0.3f));
}

/* The time that a step takes, how long the present step has taken so far, and the simulated time of the side
   if it differs from that of the other. */
static void pace (app *a, int side, const snapshot *shot, float right, float y)
{
    const float u = ui_scale ();
    char text[96];
    size_t used = 0;
    const double other = stage_shown (a->stage, !side)->now.time, busy = a->story[side].busy;
    *text = 0;
    if (shot->now.step_s > 0)
    {
        const double us = 1e6 * steady (a, &a->shown[side].step_time, shot->now.step_s);
        const double shown = us < 1e3 ? us : us < 1e6 ? 1e-3 * us : 1e-6 * us;
        used = (size_t)snprintf (text, sizeof text, "%.*f %s a step", shown < 10, shown,
                                 us < 1e3   ? "\xc2\xb5s"
                                 : us < 1e6 ? "ms"
                                            : "s");
    }
    if (busy > 0.5)
        used += (size_t)snprintf (text + used, sizeof text - used, "%scomputing for %.0f s",
                                  used ? "  \xc2\xb7  " : "", busy);
    if (fabs (other - shot->now.time) > 0.1)
        used += (size_t)snprintf (text + used, sizeof text - used, "%sat %.2f s", used ? "  \xc2\xb7  " : "",
                                  shot->now.time);
    put_right (UI_SMALL, right, y, COLOR_SOFT, text);
    if (busy > 0.5) busy_dots (a, right - ui_text_width (UI_SMALL, text) - 34 * u, y + 7 * u);
}

/* What is wrong with the side, in a few words under its name. */
static void badge (const story_side *story, float x, float y)
{
    const float u = ui_scale ();
    if (!*story->badge) return;
    ui_color color = story->alarming ? COLOR_ALARM : COLOR_TEXT;
    float w = ui_text_width (UI_STRONG, story->badge) + 18 * u, h = ui_text_height (UI_STRONG) + 8 * u;
    ui_rect (x, y, w, h, h / 2, UI_RGBA (11, 14, 18, 190));
    ui_rect (x, y, w, h, h / 2, theme_fade (color, 0.20f));
    ui_put (UI_STRONG, x + 9 * u, y + 4 * u, color, story->badge);
}

/* The largest gap, and in small letters under it the largest angle.  Returns where these letters begin. */
static float headline (app *a, int side, const snapshot *shot, float right, float y, int roomy)
{
    const float u = ui_scale ();
    const area *v = &a->layout.view[side];
    const int joints = stage_model (a->stage)->joints > 0;
    char text[120], angle[32];
    if (!joints && !shot->now.contacts) return right;
    ui_font number = v->w > 330 * u ? UI_HUGE : UI_TITLE;
    format_length (joints ? steady (a, &a->shown[side].gap, shot->now.position_m)
                          : steady (a, &a->shown[side].depth, shot->now.penetration),
                   text, sizeof text);
    put_right (number, right, y - (number == UI_HUGE ? 8 : 4) * u, opening_color (a, shot->now.violation),
               text);
    format_angle (steady (a, &a->shown[side].angle, shot->now.angle_rad), angle, sizeof angle);
    if (joints)
        snprintf (text, sizeof text, "widest gap in a joint; most bent: %s", angle);
    else
        snprintf (text, sizeof text, shot->now.contacts == 1 ? "the only contact" : "deepest of %d contacts",
                  shot->now.contacts);
    if (!roomy) return right;
    put_right (UI_SMALL, right, y + 20 * u, COLOR_SOFT, text);
    return right - ui_text_width (UI_SMALL, text);
}

static void header (app *a, int side)
{
    float u = ui_scale ();
    const area *v = &a->layout.view[side];
    const snapshot *shot = stage_shown (a->stage, side);
    const int solver =
        stage_scroll (a->stage) && shot->now.step ? shot->now.solver : a->set.choice.method[side].solver;
    char text[200];
    float x = v->x + 16 * u, y = v->y + 14 * u, chip = 26 * u, right = v->x + v->w - 16 * u;
    /* The view is darkened behind the text. */
    ui_shade (v->x, v->y, v->w, 56 * u, UI_RGBA (11, 14, 18, 235), UI_RGBA (11, 14, 18, 205));
    ui_shade (v->x, v->y + 56 * u, v->w, 34 * u, UI_RGBA (11, 14, 18, 205), UI_RGBA (11, 14, 18, 0));
    const char letter[2] = {(char)('A' + side), 0};
    ui_rect (x, y, chip, chip, 6 * u, theme_fade (app_side_color (a, side), 0.24f));
    ui_put (UI_STRONG, x + (chip - ui_text_width (UI_STRONG, letter)) / 2,
            y + (chip - ui_text_height (UI_STRONG)) / 2, app_side_color (a, side), letter);
    x += chip + 10 * u;
    ui_put (UI_TITLE, x, y - 4 * u, COLOR_TEXT, solver_names[solver]);
    const int roomy = v->w > 430 * u; /* narrow views show only the most important */
    const float free = headline (a, side, shot, right, y, roomy) - 12 * u - x;
    if (roomy)
    {
        describe_method (a, side, text, sizeof text);
        ui_put_cut (UI_SMALL, x, y + 17 * u, fminf (free, v->w * 0.5f - 40 * u), COLOR_SOFT, text);
        describe_rank (a, side, shot, text, sizeof text);
        if (!shot->now.rows && stage_model (a->stage)->bodies)
            snprintf (text, sizeof text, "bodies %d  \xc2\xb7  contacts %d", stage_model (a->stage)->bodies,
                      shot->now.contacts);
        ui_put_cut (UI_SMALL, x, y + 34 * u, v->x + v->w - 12 * u - x, COLOR_SOFT, text);
    }
    pace (a, side, shot, right, y + (roomy ? 52 : 29) * u);
    badge (&a->story[side], x, y + (roomy ? 55 : 29) * u);
}

/* The sentence about what happens, at the bottom of a view. */
static void narrate (const app *a, int side)
{
    float u = ui_scale ();
    const area *v = &a->layout.view[side];
    ui_lines text;
    ui_wrap (&text, UI_BODY, a->narration.line[side], v->w - 56 * u);
    if (!text.count) return;
    float h = text.height + 12 * u, y = v->y + v->h - h - 14 * u, centre = v->x + v->w / 2;
    ui_rect (centre - text.width / 2 - 14 * u, y, text.width + 28 * u, h, 8 * u, UI_RGBA (11, 14, 18, 190));
    ui_put_lines (&text, UI_BODY, centre, y + 7 * u, COLOR_TEXT);
}

static int overlap (const area *a, const area *b)
{
    return a->x < b->x + b->w && b->x < a->x + a->w && a->y < b->y + b->h && b->y < a->y + a->h;
}

#define LABELS 120      /* how many are written in a view at most */
#define LABEL_WIDTH 170 /* the width of the longest, before scaling */

/* Writes the labels of a view, strong ones first.  A label that would cover an earlier one is left out. */
static void labels (app *a, int side)
{
    float u = ui_scale ();
    const area *v = &a->layout.view[side];
    const double rect[4] = {(double)v->x, (double)v->y, (double)v->w, (double)v->h};
    mat4 view, projection, both;
    camera_matrices (&a->eye, rect[2] / rect[3], view, projection);
    glm_mat4_mul (projection, view, both);
    const label_list *list = &a->labels[side];
    area taken[LABELS];
    int written = 0;
    for (int k = 0; k < 2 * list->count && written < LABELS; k++)
    {
        const adapter_label *l = &list->label[k % list->count];
        double pixel[2];
        if (l->strong != (k < list->count) || !camera_project (both, l->at, rect, pixel)) continue;
        ui_font font = l->strong ? UI_STRONG : UI_SMALL;
        float w = fminf (ui_text_width (font, l->text), LABEL_WIDTH * u), h = ui_text_height (font);
        float x = roundf ((float)pixel[0] + 10 * u), y = roundf ((float)pixel[1] - h - 6 * u);
        if (pixel[0] < (double)(v->x + v->w)) x = fminf (x, roundf (v->x + v->w - w - 10 * u));
        const area mine = {x - 5 * u, y - 2 * u, w + 10 * u, h + 5 * u};
        int covered = 0;
        for (int i = 0; i < written && !covered; i++) covered = overlap (&mine, &taken[i]);
        if (covered) continue;
        taken[written++] = mine;
        ui_color color =
            UI_RGB ((int)(255 * l->color[0]), (int)(255 * l->color[1]), (int)(255 * l->color[2]));
        ui_rect (mine.x, mine.y, mine.w, mine.h, 4 * u, UI_RGBA (11, 14, 18, l->strong ? 225 : 150));
        ui_put_cut (font, x, y, w, color, l->text);
    }
}

void panel_views (app *a)
{
    for (int side = 0; side < SIDES; side++)
    {
        const area *v = &a->layout.view[side];
        if (v->w < 1) continue;
        ui_layer_use (UI_LAYER_BACK);
        ui_clip (v->x, v->y, v->w, v->h);
        labels (a, side);
        header (a, side);
        if (a->set.story && !a->set.help) narrate (a, side);
        const snapshot *shot = stage_shown (a->stage, side);
        if (*shot->message && a->hovered_view == side && !shot->failed)
            ui_put (UI_SMALL, v->x + 16 * ui_scale (), v->y + v->h - 88 * ui_scale (), COLOR_ALARM,
                    shot->message);
        ui_unclip ();
    }
    ui_layer_use (UI_LAYER_BACK);
    if (a->layout.view[0].w > 0 && a->layout.view[1].w > 0)
    {
        float x = a->layout.view[0].x + a->layout.view[0].w;
        ui_rect (x, a->layout.centre.y, a->layout.view[1].x - x, a->layout.centre.h, 0, COLOR_WINDOW);
    }
}
