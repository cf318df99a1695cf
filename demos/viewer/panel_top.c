/*
 * The bar at the top: buttons for play, pause and steps, the speed, the two steppers, and buttons for layout,
 * pictures and films.
 */
#include "app_parts.h"

#include "actions.h"
#include "theme.h"

#include <math.h>
#include <stdio.h>

/* The names of action_speeds. */
static const char *const speed_names[ACTION_SPEEDS + 1] = {"0.05 x", "0.1 x", "0.25 x", "0.5 x",
                                                           "1 x",    "2 x",   "5 x",    NULL};

/* The letter of a side on its colour. */
static void chip (const app *a, float x, float y, float size, int side)
{
    const char letter[2] = {(char)('A' + side), 0};
    ui_rect (x, y, size, size, 5 * ui_scale (), theme_fade (app_side_color (a, side), 0.22f));
    ui_put (UI_STRONG, x + (size - ui_text_width (UI_STRONG, letter)) / 2,
            y + (size - ui_text_height (UI_STRONG)) / 2, app_side_color (a, side), letter);
}

/* The y of a list beside buttons of that size, which are higher. */
static float combo_y (float y, float size) { return roundf (y + (size - ui_frame_height ()) / 2); }

/* Buttons that reset, step, play and pause, and the list of speeds.  Returns the x behind them. */
static float transport (app *a, float x, float y, float size)
{
    float u = ui_scale (), step = size + 5 * u;
    const struct
    {
        const char *name;
        ui_icon icon;
        int action, active;
        const char *tip;
    } buttons[] = {
        {"reset", UI_ICON_RESET, ACTION_RESET, 0, "Start again from the file  (Backspace)"},
        {"back", UI_ICON_BACK, ACTION_BACK, stage_scroll (a->stage) > 0,
         "One step back into the past  (Left)"},
        {"play", a->set.paused ? UI_ICON_PLAY : UI_ICON_PAUSE, ACTION_PAUSE, 1, "Play or pause  (Space)"},
        {"step", UI_ICON_STEP, ACTION_FORWARD, 0, "One step  (Right)"},
    };
    for (size_t i = 0; i < sizeof buttons / sizeof *buttons; i++, x += step)
    {
        ui_cursor (x, y);
        ui_color accent = buttons[i].action == ACTION_PAUSE ? COLOR_ACCENT : COLOR_TEXT;
        if (ui_icon_button (buttons[i].name, buttons[i].icon, size, buttons[i].active, accent))
            action_do (a, buttons[i].action);
        ui_tip (buttons[i].tip);
    }
    ui_cursor (x + 3 * u, combo_y (y, size));
    int speed = action_nearest (action_speeds, ACTION_SPEEDS, a->set.speed);
    if (ui_combo ("speed", NULL, speed_names, &speed, 78 * u)) a->set.speed = action_speeds[speed];
    ui_tip ("Seconds simulated in a second  (+ and -)");
    return x + 86 * u;
}

/* The width of the lists of both sides.  With with_integrators a side with ode-rls also has a list of
 * integrators. */
static float solvers_width (const app *a, float size, float list, int with_integrators)
{
    float u = ui_scale (), width = 0;
    for (int side = 0; side < SIDES; side++)
    {
        width += size + 6 * u + list + 17 * u;
        if (with_integrators && a->set.choice.method[side].solver == SOLVER_RLS) width += 112 * u;
    }
    return width;
}

/* The lists of steppers and integrators.  In a narrow window the integrators are left out first, then all of
   it.  Returns the x behind them. */
static float solvers (app *a, float x, float y, float size, float limit)
{
    float u = ui_scale (), list = 148 * u;
    static const char *const solver_widget[SIDES] = {"solver_a", "solver_b"};
    static const char *const integrator_widget[SIDES] = {"integrator_a", "integrator_b"};
    int integrators = x + solvers_width (a, size, list, 1) <= limit;
    if (!integrators && x + solvers_width (a, size, list, 0) > limit) list = 104 * u;
    if (x + solvers_width (a, size, list, 0) > limit) return x; /* the keys 1 to 3 still work */
    for (int side = 0; side < SIDES; side++)
    {
        sim_method *method = &a->set.choice.method[side];
        chip (a, x, y, size, side);
        x += size + 6 * u;
        ui_cursor (x, combo_y (y, size));
        ui_combo (solver_widget[side], NULL, solver_names, &method->solver, list);
        ui_tip (side ? "Stepper of side B  (Shift 1, 2, 3)" : "Stepper of side A  (1, 2, 3)");
        x += list + 5 * u;
        if (integrators && method->solver == SOLVER_RLS)
        {
            ui_cursor (x, combo_y (y, size));
            ui_combo (integrator_widget[side], NULL, integrator_names, &method->integrator, 112 * u);
            ui_tip ("Integrator of ode-rls  (I; Shift I on side A)");
            x += 112 * u;
        }
        x += 12 * u;
    }
    return x;
}

/* The simulated time, with a note if it is paused, in the past, or slower than asked. */
static void clock_text (const app *a, float left, float right, float centre)
{
    char text[64], note[64] = "";
    int scroll = stage_scroll (a->stage);
    float u = ui_scale ();
    /* the later time, since a side that has stopped stays behind */
    snprintf (text, sizeof text, "%.2f s",
              fmax (stage_shown (a->stage, 0)->now.time, stage_shown (a->stage, 1)->now.time));
    if (scroll)
        snprintf (note, sizeof note, "%d step%s back", scroll, scroll == 1 ? "" : "s");
    else if (a->set.paused)
        snprintf (note, sizeof note, "paused");
    else if (a->real_ratio > 0)
        snprintf (note, sizeof note, "not real time: %.2g x", a->real_ratio);
    float x = right - ui_text_width (UI_TITLE, text), note_width = ui_text_width (UI_SMALL, note);
    if (x < left) return;
    ui_put (UI_TITLE, x, centre - ui_text_height (UI_TITLE) * 0.5f, COLOR_TEXT, text);
    if (*note && x - note_width - 10 * u > left)
        ui_put (UI_SMALL, x - note_width - 10 * u, centre - ui_text_height (UI_SMALL) * 0.5f, COLOR_TEXT,
                note);
}

/* The buttons on the right.  Returns their left end. */
static float tools (app *a, float right, float y, float size)
{
    float u = ui_scale (), step = size + 5 * u;
    const struct
    {
        const char *name;
        ui_icon icon;
        int action, active;
        ui_color accent;
        const char *tip;
    } buttons[] = {
        {"split",
         a->set.layout == LAYOUT_GHOST   ? UI_ICON_GHOST
         : a->set.layout == LAYOUT_SPLIT ? UI_ICON_SPLIT
                                         : UI_ICON_ONE,
         ACTION_LAYOUT, 0, COLOR_ACCENT, "Two views, A, B, or B with A's ghost  (S and G)"},
        {"fit", UI_ICON_FIT, ACTION_FIT, 0, COLOR_ACCENT, "Everything in view  (F)"},
        {"picture", UI_ICON_CAMERA, ACTION_PICTURE, 0, COLOR_ACCENT, "Save a picture  (F12)"},
        {"film", UI_ICON_RECORD, ACTION_FILM, a->film != NULL, COLOR_ALARM, "Record a film  (V)"},
        {"panel", UI_ICON_PANEL, ACTION_PANEL, a->set.panel, COLOR_ACCENT, "Controls on the left  (Tab)"},
        {"help", UI_ICON_HELP, ACTION_HELP, a->set.help, COLOR_ACCENT, "Keys and mouse  (H)"},
    };
    int count = sizeof buttons / sizeof *buttons;
    float first = right - step * (float)count + 5 * u, x = first;
    for (int i = 0; i < count; i++, x += step)
    {
        ui_cursor (x, y);
        if (ui_icon_button (buttons[i].name, buttons[i].icon, size, buttons[i].active, buttons[i].accent))
            action_do (a, buttons[i].action);
        ui_tip (buttons[i].tip);
    }
    return first;
}

void panel_top (app *a)
{
    float u = ui_scale ();
    const area *r = &a->layout.top;
    ui_panel_begin ("top", r->x, r->y, r->w, r->h, 0, 0);
    ui_line (r->x, r->y + r->h - 0.5f * u, r->x + r->w, r->y + r->h - 0.5f * u, u, COLOR_EDGE);
    float size = roundf (ui_text_height (UI_BODY) + 14 * u), y = roundf (r->y + (r->h - size) / 2),
          x = r->x + 14 * u;
    ui_put (UI_TITLE, x, r->y + (r->h - ui_text_height (UI_TITLE)) / 2, COLOR_TEXT, "ode-rls");
    x += ui_text_width (UI_TITLE, "ode-rls") + 22 * u;
    x = transport (a, x, y, size) + 16 * u;
    float right = tools (a, r->x + r->w - 12 * u, y, size) - 18 * u;
    x = solvers (a, x, y, size, right);
    if (stage_model (a->stage)) clock_text (a, x, right, r->y + r->h / 2);
    ui_panel_end ();
}
