/*
 * The list of keys, made from the table of actions, and messages that are shown for a while.
 */
#include "app_parts.h"

#include "actions.h"
#include "theme.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void key_line (float x, float y, float column, const char *key, const char *help)
{
    float u = ui_scale (), w = ui_text_width (UI_SMALL, key) + 12 * u, h = ui_text_height (UI_SMALL) + 7 * u;
    ui_rect (x + column - w, y, w, h, 5 * u, COLOR_RAISED);
    ui_put (UI_SMALL, x + column - w + 6 * u, y + 3 * u, COLOR_TEXT, key);
    ui_put (UI_BODY, x + column + 12 * u, y + 1.5f * u, COLOR_SOFT, help);
}

static const char *const mouse_help[][2] = {{"drag", "turn the camera"},
                                            {"drag a body", "pull it on both sides; let go: throw it"},
                                            {"middle, Shift drag", "move the camera"},
                                            {"wheel", "zoom; back to all of it: F"},
                                            {"point at a joint", "its loop, opening and reaction"},
                                            {"click a joint", "select it: X, Y and motors are for it"},
                                            {"drag in a plot", "look at the past"},
                                            {"click a list", "scenes, joints, rows, states kept"},
                                            {"drag a slider", "settings; motors of joints"},
                                            {"drop a file", "open a scene"}};
#define MOUSE_LINES ((int)(sizeof mouse_help / sizeof *mouse_help))

void panel_help (app *a, int width, int height)
{
    float u = ui_scale (), line = ui_text_height (UI_SMALL) + 12 * u;
    int rows = MOUSE_LINES + 1, row = 0;
    for (int i = 0; i < ACTION_COUNT; i++) rows += !action_at (i)->minor;
    const int columns = (float)width < 900 * u ? 2 : 3, lines = (rows + columns - 1) / columns;
    /* It lies in the middle, but does not cover the bar at the top, where the button that closes it is. */
    float top = a->layout.top.y + a->layout.top.h + 4 * u;
    float w = fminf ((float)columns * 370 * u, (float)width - 20 * u),
          h = fminf (line * (float)lines + 84 * u, (float)height - top - 4 * u);
    float x = roundf (((float)width - w) / 2), y = fmaxf (top, roundf (((float)height - h) / 2));
    const float column = (w - 16 * u) / (float)columns, first = y + 62 * u;
    ui_panel_begin ("help", x, y, w, h, 0, 0);
    ui_frame (x, y, w, h, 0, u, COLOR_EDGE);
    ui_put (UI_TITLE, x + 28 * u, y + 22 * u, COLOR_TEXT, "Keys and mouse");
    for (int i = 0; i < ACTION_COUNT + MOUSE_LINES; i++)
    {
        const int key = i < ACTION_COUNT;
        if (key && action_at (i)->minor) continue;
        if (i == ACTION_COUNT) row++; /* a line between the keys and the mouse */
        key_line (x + 2 * u + column * (float)(row / lines), first + line * (float)(row % lines), 124 * u,
                  key ? action_at (i)->keys : mouse_help[i - ACTION_COUNT][0],
                  key ? action_at (i)->help : mouse_help[i - ACTION_COUNT][1]);
        row++;
    }
    ui_panel_end ();
    if (ui_pressed (0) && !ui_over (x, y, w, h) &&
        !ui_over (a->layout.top.x, a->layout.top.y, a->layout.top.w, a->layout.top.h))
        a->set.help = 0;
}

/* Draws a text in a box in the middle of a window of that width.  Returns the height. */
static float box_of_text (float width, float y, ui_color color, const char *text)
{
    float u = ui_scale (), centre = width / 2;
    ui_lines lines;
    ui_wrap (&lines, UI_BODY, text, width - 60 * u);
    const float x = centre - lines.width / 2 - 14 * u, w = lines.width + 28 * u, h = lines.height + 14 * u;
    ui_rect (x, y, w, h, 8 * u, UI_RGBA (24, 29, 37, 240));
    ui_frame (x, y, w, h, 8 * u, u, theme_fade (color, 0.5f));
    ui_put_lines (&lines, UI_BODY, centre, y + 8 * u, color);
    return h;
}

void panel_notice (app *a, int width, int height)
{
    float u = ui_scale ();
    ui_layer_use (UI_LAYER_FRONT);
    if (*a->shader_error)
    {
        char line[256];
        float y = 62 * u;
        for (const char *p = a->shader_error; *p;)
        {
            size_t n = strcspn (p, "\n");
            snprintf (line, sizeof line, "%.*s", (int)n, p);
            y += box_of_text ((float)width, y, COLOR_ALARM, line) + 6 * u;
            p += n + strspn (p + n, "\n");
        }
    }
    /* Pictures that must be the same in every run show errors, but no messages that a file was saved. */
    if (*a->notice && a->clock < a->notice_until && (a->notice_is_error || !a->options.reproducible))
        box_of_text ((float)width, a->layout.top.h + 12 * u, a->notice_is_error ? COLOR_ALARM : COLOR_TEXT,
                     a->notice);
    if (stage_opening (a->stage) && a->clock - a->opening_since > 0.1)
    {
        char text[200];
        const char *path = stage_opening (a->stage), *slash = strrchr (path, '/');
        snprintf (text, sizeof text, "Reading %.120s %.*s", slash ? slash + 1 : path,
                  1 + (int)(a->clock * 3) % 3, "...");
        box_of_text ((float)width, a->layout.top.h + 52 * u, COLOR_TEXT, text);
    }
    else if (!stage_model (a->stage) && !stage_opening (a->stage))
    {
        const char *text = "No scene.  Choose one on the left or drop an SDF file here.";
        float w = ui_text_width (UI_TITLE, text);
        ui_layer_use (UI_LAYER_BACK);
        ui_put (UI_TITLE, ((float)width - w) / 2, (float)height * 0.45f, COLOR_SOFT, text);
    }
}
