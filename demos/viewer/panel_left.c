/*
 * The panel on the left: scenes, parameters, what is drawn, joints and redundant rows.
 */
#include "app_parts.h"

#include "theme.h"
#include "vec.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const step_names[] = {"1/30 s", "1/60 s", "1/120 s", "10 ms", "5 ms",
                                         "1 ms",   "0.1 ms", "scene",   NULL};
static const double steps[] = {1.0 / 30, 1.0 / 60, 1.0 / 120, 0.01, 0.005, 0.001, 0.0001, 0};
#define STEP_OF_SCENE 7

int panel_section_open (app *a, panel_section which, const char *name, const char *title)
{
    int open = a->set.unfolded >> which & 1;
    ui_section (name, title, &open);
    a->set.unfolded = (a->set.unfolded & ~(1 << which)) | open << which;
    return open;
}

static void scenes (app *a)
{
    if (!panel_section_open (a, SECTION_SCENES, "scenes", "Scenes")) return;
    char widget[64];
    int rows = a->scenes.count < 7 ? a->scenes.count : 7, chosen = -1;
    ui_list_begin ("scene-list", (float)rows * (ui_text_height (UI_BODY) + 7 * ui_scale ()));
    for (int i = 0; i < a->scenes.count; i++)
    {
        snprintf (widget, sizeof widget, "scene/%.50s", a->scenes.entry[i].name);
        if (ui_row (widget, a->scenes.entry[i].name, NULL, 0, i == a->scenes.current, 0)) chosen = i;
        if (i == a->scenes.current && a->scroll_list) ui_show ();
    }
    a->scroll_list = 0;
    ui_list_end ();
    if (chosen >= 0) app_open (a, a->scenes.entry[chosen].path);
    ui_gap (4 * ui_scale ());
}

static void choose_step (app *a)
{
    double *h = &a->set.choice.common.step;
    const model *m = stage_model (a->stage);
    int choice = STEP_OF_SCENE;
    for (int i = 0; i < STEP_OF_SCENE; i++)
        if (fabs (*h / steps[i] - 1) < 1e-6) choice = i;
    if (ui_combo ("dt", "Step", step_names, &choice, 104 * ui_scale ()) && m)
        *h = choice == STEP_OF_SCENE ? m->time_step : steps[choice];
}

/* A slider for a value that is negative as long as that of the scene is used. */
static void scene_slider (const char *name, const char *label, double *value, double own, double low,
                          double high, int logarithmic, const char *format)
{
    double shown = *value >= 0 ? *value : own;
    if (shown < low) shown = low;
    if (ui_slider (name, label, &shown, low, high, logarithmic, format)) *value = shown;
}

static void parameters (app *a)
{
    const model *m = stage_model (a->stage);
    sim_common *c = &a->set.choice.common;
    if (!m || !panel_section_open (a, SECTION_PARAMETERS, "parameters", "Simulation")) return;
    float w = 104 * ui_scale ();
    choose_step (a);
    scene_slider ("gravity", "Gravity", &c->gravity, vec_length (m->gravity), 0, 25, 0, "%.2f m/s\xc2\xb2");
    scene_slider ("erp", "ERP of ODE", &c->erp, m->erp, 0, 1, 0, "%.2f");
    scene_slider ("cfm", "CFM of ODE", &c->cfm, m->cfm, 1e-12, 1, 1, "%.1e");
    double iterations = c->quick_iterations;
    if (ui_slider ("iterations", "Sweeps of QuickStep", &iterations, 1, 500, 1, "%.0f"))
        c->quick_iterations = (int)lround (iterations);
    ui_slider ("tolerance", "Rank tolerance", &c->tolerance, 1e-14, 1e-3, 1, "%.1e");
    static const char *const order_widget[SIDES] = {"order_a", "order_b"};
    static const char *const correction_widget[SIDES] = {"correction_a", "correction_b"};
    static const char *const order_label[SIDES] = {"Order A", "Order B"};
    static const char *const correction_label[SIDES] = {"Correction A", "Correction B"};
    for (int side = 0; side < SIDES; side++)
    {
        if (a->set.choice.method[side].solver != SOLVER_RLS) continue;
        ui_combo (correction_widget[side], correction_label[side], correction_names,
                  &a->set.choice.method[side].correction, w);
        ui_combo (order_widget[side], order_label[side], order_names, &a->set.choice.method[side].order, w);
    }
    ui_gap (4 * ui_scale ());
}

static void appearance (app *a)
{
    if (!panel_section_open (a, SECTION_APPEARANCE, "appearance", "Heatmap and drawing")) return;
    settings *s = &a->set;
    float w = 126 * ui_scale ();
    int map = (int)s->heat.map;
    ui_combo ("heat", "Openings", heat_mode_names, &s->heat_mode, w);
    if (ui_combo ("map", "Colours", heatmap_names, &map, w)) s->heat.map = (heatmap_kind)map;
    ui_combo ("contacts", "Contacts", contact_mode_names, &s->contacts, w);
    ui_slider ("accept", "Tolerance", &s->heat.log_tolerance, -14, 0, 0, "1e%.0f m");
    if (s->heat_mode == HEAT_FIXED)
    {
        ui_slider ("low", "From", &s->heat.log_low, -18, -4, 0, "1e%.0f m");
        ui_slider ("high", "To", &s->heat.log_high, -8, 2, 0, "1e%.0f m");
    }
    s->heat.log_high = fmax (s->heat.log_high, s->heat.log_low + 1);
    ui_slider ("exaggerate", "Gaps drawn longer", &s->exaggerate, 1, 1e6, 1, "%.0f x");
    static const struct
    {
        const char *name, *label;
        size_t offset;
    } checks[] = {{"reactions", "Reactions", offsetof (settings, reactions)},
                  {"axes", "Joint axes", offsetof (settings, axes)},
                  {"labels", "Labels", offsetof (settings, labels)},
                  {"marks", "Redundant", offsetof (settings, marks)},
                  {"trails", "Trails", offsetof (settings, trails)},
                  {"frames", "Body axes", offsetof (settings, frames)},
                  {"inertia", "Masses", offsetof (settings, inertia)},
                  {"boxes", "Boxes", offsetof (settings, boxes)},
                  {"islands", "Islands", offsetof (settings, islands)},
                  {"sleep", "Sleep", offsetof (settings, choice.common.sleep)},
                  {"transparent", "Glass", offsetof (settings, transparent)},
                  {"wireframe", "Wireframe", offsetof (settings, wireframe)},
                  {"shadows", "Shadows", offsetof (settings, shadows)},
                  {"floor", "Floor", offsetof (settings, floor)}};
    float start[2];
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++)
    {
        if (i % 2 == 0)
            ui_cursor_position (start);
        else
            ui_cursor (start[0] + 112 * ui_scale (), start[1]);
        ui_check (checks[i].name, checks[i].label, (int *)((char *)s + checks[i].offset));
    }
    int motion = s->free_motion != 0;
    if (ui_check ("motion", "Free motion of the mechanism", &motion)) s->free_motion = motion;
    ui_gap (4 * ui_scale ());
}

/* Two bars, A above B, whose lengths and colours are those of the openings on the heat scale. */
static void joint_bar (const app *a, const unsigned char *table, int joint, float x, float y, float w,
                       float h)
{
    for (int side = 0; side < SIDES; side++)
    {
        double opening = stage_shown (a->stage, side)->joint[joint].opening;
        unsigned char rgb[3];
        heatmap_color (table, &a->heat, opening, rgb);
        float place = (float)heatmap_place (&a->heat, opening), top = y + (float)side * (h / 2 + 1);
        ui_rect (x, top, w, h / 2 - 1, 2, COLOR_RAISED);
        ui_rect (x, top, fmaxf (3, w * place), h / 2 - 1, 2, UI_RGB (rgb[0], rgb[1], rgb[2]));
    }
}

static void joints (app *a)
{
    const model *m = stage_model (a->stage);
    if (!m || !m->joints || !panel_section_open (a, SECTION_JOINTS, "joints", "Joints")) return;
    unsigned char table[HEATMAP_SIZE * 3];
    char widget[96];
    float u = ui_scale ();
    heatmap_fill (&a->heat, table);
    ui_text (UI_SMALL, COLOR_FAINT, "opening, upper bar A, lower bar B");
    const snapshot *b = stage_shown (a->stage, 1);
    int shown = m->joints < 400 ? m->joints : 400, lines = shown < 8 ? shown : 8;
    ui_list_begin ("joint-list", (float)lines * (ui_text_height (UI_BODY) + 7 * u));
    for (int j = 0; j < shown; j++)
    {
        float p[2], w = ui_width_left (), bar = 0.52f * w;
        ui_cursor_position (p);
        snprintf (widget, sizeof widget, "joint/%.60s", m->joint[j].name);
        ui_color dot = b->joint[j].redundant ? COLOR_EXTRA : 0;
        if (ui_row (widget, m->joint[j].name, NULL, w - bar - 10 * u, j == a->selected_joint, dot))
            a->selected_joint = a->selected_joint == j ? -1 : j;
        ui_tip (m->joint[j].name);
        if (ui_hovered ()) a->hovered_joint = j;
        joint_bar (a, table, j, p[0] + w - bar - 5 * u, p[1] + 6 * u, bar, ui_text_height (UI_BODY) - 2 * u);
    }
    ui_list_end ();
    if (m->joints > shown) ui_text (UI_SMALL, COLOR_FAINT, "and %d more", m->joints - shown);
    ui_gap (4 * u);
}

static void rows (app *a)
{
    const model *m = stage_model (a->stage);
    if (!m) return;
    const snapshot *shot = stage_shown (a->stage, 1);
    char title[64];
    snprintf (title, sizeof title, "Redundant rows: %d", shot->rows);
    if (!panel_section_open (a, SECTION_ROWS, "rows", title)) return;
    if (!shot->rows)
        ui_text (UI_SMALL, COLOR_FAINT, shot->now.redundant ? "counted: %d" : "none", shot->now.redundant);
    char text[160], right[48], widget[168];
    int shown = shot->rows < 200 ? shot->rows : 200, lines = shown < 6 ? shown : 6;
    if (shown) ui_list_begin ("row-list", (float)lines * (ui_text_height (UI_BODY) + 7 * ui_scale ()));
    for (int i = 0; i < shown; i++)
    {
        const row_state *r = &shot->row[i];
        const char *name = m->joint[r->joint].name;
        double amount = r->conflicting ? r->residual : fabs (r->pivot);
        snprintf (right, sizeof right, "row %d  %.0e", r->row, amount);
        snprintf (widget, sizeof widget, "row/%.120s, row %d", name, r->row);
        if (ui_row (widget, name, right, 0, a->selected_joint == r->joint, COLOR_EXTRA))
            a->selected_joint = r->joint;
        snprintf (text, sizeof text,
                  r->conflicting ? "%.80s: contradicts the other rows by %.1e"
                                 : "%.80s: implied by the other rows, pivot %.1e",
                  name, amount);
        ui_tip (text);
        if (ui_hovered ()) a->hovered_joint = r->joint;
    }
    if (shown) ui_list_end ();
    if (shot->rows > shown) ui_text (UI_SMALL, COLOR_FAINT, "and %d more", shot->rows - shown);
    ui_gap (4 * ui_scale ());
}

/* How much time a step of ode-rls takes in each of its stages: a bar for each side. */
static void profile (app *a)
{
    static const char *const names[dRLSStageCount] = {
        [dRLSStageGather] = "gather", [dRLSStageOrder] = "order",         [dRLSStageFactor] = "factor",
        [dRLSStageSolve] = "solve",   [dRLSStageBounded] = "bounded",     [dRLSStageCorrect] = "correct",
        [dRLSStageReport] = "report", [dRLSStageWriteBack] = "write back"};
    const float u = ui_scale ();
    if (a->options.reproducible || !stage_model (a->stage)) return;
    if (!panel_section_open (a, SECTION_PROFILE, "profile", "Stages of a step")) return;
    double longest = 0;
    for (int side = 0; side < SIDES; side++)
        for (int i = 0; i < dRLSStageCount; i++)
            longest = fmax (longest, stage_shown (a->stage, side)->stage[i]);
    if (!(longest > 0)) ui_text (UI_SMALL, COLOR_FAINT, "ode-rls measures its own");
    for (int i = 0; i < dRLSStageCount && longest > 0; i++)
        for (int side = 0; side < SIDES; side++)
        {
            const double spent = stage_shown (a->stage, side)->stage[i];
            float p[2];
            if (spent < 2e-3 * longest) continue;
            ui_cursor_position (p);
            ui_rect (p[0] + 76 * u, p[1] + 3 * u, (float)(spent / longest) * (ui_width_left () - 134 * u),
                     9 * u, 2, theme_fade (app_side_color (a, side), 0.8f));
            char text[32];
            snprintf (text, sizeof text, "%.1f \xc2\xb5s", 1e6 * spent);
            ui_put (UI_SMALL, p[0] + ui_width_left () - ui_text_width (UI_SMALL, text), p[1], COLOR_SOFT,
                    text);
            ui_text (UI_SMALL, COLOR_SOFT, "%s", names[i]);
        }
    ui_gap (4 * u);
}

void panel_left (app *a)
{
    float u = ui_scale ();
    const area *r = &a->layout.left;
    ui_panel_begin ("left", r->x, r->y, r->w, r->h, 14 * u, 1);
    ui_line (r->x + r->w - 0.5f * u, r->y, r->x + r->w - 0.5f * u, r->y + r->h, u, COLOR_EDGE);
    scenes (a);
    joints (a);
    rows (a);
    parameters (a);
    panel_motors (a);
    panel_states (a);
    profile (a);
    appearance (a);
    ui_panel_end ();
}
