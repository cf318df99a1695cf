/*
 * Widgets that the viewer draws itself: icons, lines of lists, sections, text that is cut or wrapped.
 */
#include "ui.h"

#include "format.h"
#include "theme.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void triangle (float x, float y, float r, float x0, float y0, float x1, float y1, float x2, float y2,
                      ui_color color)
{
    const float xy[6] = {x + r * x0, y + r * y0, x + r * x1, y + r * y1, x + r * x2, y + r * y2};
    ui_triangle (xy, color);
}

static void bar (float x, float y, float r, float x0, float y0, float x1, float y1, ui_color color)
{
    ui_rect (x + r * x0, y + r * y0, r * (x1 - x0), r * (y1 - y0), 0.1f * r, color);
}

/* A frame with a vertical line at divide, or without one if |divide| >= 1. */
static void screen (float x, float y, float r, float line, float divide, ui_color color)
{
    ui_frame (x - r, y - 0.75f * r, 2 * r, 1.5f * r, 0.2f * r, line, color);
    if (fabsf (divide) < 1)
        ui_line (x + divide * r, y - 0.75f * r, x + divide * r, y + 0.75f * r, line, color);
}

static void turning_arrow (float x, float y, float r, float line, ui_color color)
{
    float points[2 * 21];
    for (int i = 0; i <= 20; i++)
    {
        float a = -0.5f + 4.9f * (float)i / 20;
        points[2 * i] = x + 0.78f * r * cosf (a);
        points[2 * i + 1] = y + 0.78f * r * sinf (a);
    }
    ui_polyline (points, 21, line, color);
    triangle (x, y, r, 0.05f, -1.15f, 0.05f, -0.35f, -0.62f, -0.78f, color);
}

static void corners (float x, float y, float r, float line, ui_color color)
{
    for (int i = 0; i < 4; i++)
    {
        float sx = i & 1 ? r : -r, sy = i & 2 ? r : -r;
        const float points[6] = {x + 0.85f * sx, y + 0.3f * sy, x + 0.85f * sx,
                                 y + 0.85f * sy, x + 0.3f * sx, y + 0.85f * sy};
        ui_polyline (points, 3, line, color);
    }
}

static void draw_icon (ui_icon icon, float x, float y, float r, ui_color color)
{
    float line = fmaxf (1.5f * ui_scale (), 0.22f * r);
    switch (icon)
    {
    case UI_ICON_PLAY:
        triangle (x, y, r, -0.62f, -0.9f, 0.95f, 0, -0.62f, 0.9f, color);
        break;
    case UI_ICON_PAUSE:
        bar (x, y, r, -0.75f, -0.85f, -0.2f, 0.85f, color);
        bar (x, y, r, 0.2f, -0.85f, 0.75f, 0.85f, color);
        break;
    case UI_ICON_STEP:
        triangle (x, y, r, -0.75f, -0.8f, 0.45f, 0, -0.75f, 0.8f, color);
        bar (x, y, r, 0.5f, -0.8f, 0.85f, 0.8f, color);
        break;
    case UI_ICON_BACK:
        triangle (x, y, r, 0.75f, -0.8f, -0.45f, 0, 0.75f, 0.8f, color);
        bar (x, y, r, -0.85f, -0.8f, -0.5f, 0.8f, color);
        break;
    case UI_ICON_RESET:
        turning_arrow (x, y, r, line, color);
        break;
    case UI_ICON_RECORD:
        ui_circle (x, y, 0.72f * r, color);
        break;
    case UI_ICON_CAMERA:
        ui_frame (x - r, y - 0.55f * r, 2 * r, 1.35f * r, 0.25f * r, line, color);
        bar (x, y, r, -0.35f, -0.85f, 0.35f, -0.5f, color);
        ui_ring (x, y + 0.12f * r, 0.36f * r, line, color);
        break;
    case UI_ICON_HELP:
        ui_put (UI_STRONG, x - ui_text_width (UI_STRONG, "?") / 2, y - ui_text_height (UI_STRONG) / 2, color,
                "?");
        break;
    case UI_ICON_FIT:
        corners (x, y, r, line, color);
        break;
    case UI_ICON_SPLIT:
        screen (x, y, r, line, 0, color);
        break;
    case UI_ICON_ONE:
        screen (x, y, r, line, 2, color);
        break;
    case UI_ICON_GHOST:
        ui_ring (x - 0.32f * r, y, 0.62f * r, line, color);
        ui_ring (x + 0.32f * r, y, 0.62f * r, line, color);
        break;
    case UI_ICON_PANEL:
        screen (x, y, r, line, -0.35f, color);
        break;
    }
}

int ui_icon_button (const char *name, ui_icon icon, float size, int active, ui_color accent)
{
    ui_area_state s;
    int used = ui_area (name, size, size, &s);
    ui_color back = active      ? theme_fade (accent, s.held      ? 0.45f
                                                      : s.hovered ? 0.34f
                                                                  : 0.24f)
                    : s.held    ? UI_RGB (48, 58, 73)
                    : s.hovered ? UI_RGB (38, 46, 58)
                                : COLOR_RAISED;
    ui_rect (s.x, s.y, s.w, s.h, 6 * ui_scale (), back);
    ui_color ink = active ? accent : s.hovered ? COLOR_TEXT : UI_RGB (190, 198, 210);
    draw_icon (icon, floorf (s.x + s.w / 2), floorf (s.y + s.h / 2), 0.22f * size, ink);
    return used;
}

/* The beginning of the character of a UTF-8 text to which a byte belongs. */
static size_t character (const char *text, size_t byte)
{
    while (byte > 0 && (text[byte] & 0xc0) == 0x80) byte--;
    return byte;
}

/* The middle of the text is left out, because names that begin alike often differ at their end. */
void ui_put_cut (ui_font font, float x, float y, float width, ui_color color, const char *text)
{
    if (ui_text_width (font, text) <= width)
    {
        ui_put (font, x, y, color, text);
        return;
    }
    char cut[160];
    const size_t length = strlen (text), most = sizeof cut - sizeof "\xe2\x80\xa6";
    size_t kept = length < most ? length : most;
    do {
        kept -= kept > 0;
        snprintf (cut, sizeof cut, "%.*s\xe2\x80\xa6%s", (int)character (text, (kept + 1) / 2), text,
                  text + character (text, length - kept / 2));
    } while (kept > 0 && ui_text_width (font, cut) > width);
    ui_put (font, x, y, color, cut);
}

void ui_wrap (ui_lines *lines, ui_font font, const char *text, float width)
{
    const int most = sizeof lines->line / sizeof *lines->line, size = sizeof *lines->line;
    memset (lines, 0, sizeof *lines);
    while (*text && lines->count < most)
    {
        char *line = lines->line[lines->count++];
        int best = 0;
        for (int n = 1; n < size && text[n - 1]; n++)
        {
            if (text[n] && !format_may_break (text, n)) continue;
            snprintf (line, (size_t)n + 1, "%s", text);
            if (best && ui_text_width (font, line) > width) break;
            best = n;
        }
        if (!best) best = (int)strlen (text) < size ? (int)strlen (text) : size - 1; /* a very long word */
        snprintf (line, (size_t)best + 1, "%s", text);
        lines->width = fmaxf (lines->width, fminf (ui_text_width (font, line), width));
        text += best;
        while (*text == ' ') text++;
    }
    lines->height = 1.35f * ui_text_height (font) * (float)lines->count;
}

void ui_put_lines (const ui_lines *lines, ui_font font, float centre, float y, ui_color color)
{
    for (int i = 0; i < lines->count; i++)
    {
        float w = fminf (ui_text_width (font, lines->line[i]), lines->width);
        ui_put_cut (font, centre - w / 2, y + 1.35f * ui_text_height (font) * (float)i, w, color,
                    lines->line[i]);
    }
}

int ui_row (const char *name, const char *text, const char *right, float text_width, int selected,
            ui_color dot)
{
    ui_area_state s;
    float u = ui_scale (), line = ui_text_height (UI_BODY);
    int used = ui_area (name, ui_width_left (), line + 6 * u, &s);
    if (selected || s.hovered)
        ui_rect (s.x, s.y, s.w, s.h, 5 * u, selected ? UI_RGB (33, 43, 58) : UI_RGB (27, 33, 42));
    float x = s.x + 7 * u, y = s.y + 3 * u, limit = s.x + s.w - 4 * u;
    if (dot)
    {
        ui_circle (x + 4 * u, s.y + s.h / 2, 3.5f * u, dot);
        x += 14 * u;
    }
    if (right)
    {
        float w = ui_text_width (UI_BODY, right);
        limit = s.x + s.w - w - 12 * u;
        ui_put (UI_BODY, s.x + s.w - w - 5 * u, y, COLOR_SOFT, right);
    }
    if (text_width > 0) limit = fminf (limit, s.x + text_width);
    ui_put_cut (UI_BODY, x, y, limit - x, selected ? COLOR_TEXT : UI_RGB (196, 203, 213), text);
    ui_cursor (s.x, s.y + s.h + u);
    return used;
}

int ui_section (const char *name, const char *label, int *open)
{
    ui_area_state s;
    float u = ui_scale ();
    if (ui_area (name, ui_width_left (), ui_text_height (UI_BODY) + 10 * u, &s)) *open = !*open;
    ui_color ink = s.hovered ? COLOR_TEXT : UI_RGB (176, 185, 198);
    ui_put (UI_STRONG, s.x, s.y + 5 * u, ink, label);
    float x = s.x + s.w - 5 * u, y = s.y + s.h / 2, r = 4 * u;
    const float down[6] = {x - r, y - r / 2, x, y + r / 2, x + r, y - r / 2};
    const float across[6] = {x - r / 2, y - r, x + r / 2, y, x - r / 2, y + r};
    ui_polyline (*open ? down : across, 3, 1.6f * u, ink);
    return *open;
}
