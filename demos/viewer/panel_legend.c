/*
 * The legend: the heatmap's scale with both sides' present values on it.
 */
#include "app_parts.h"

#include "theme.h"

#include <math.h>
#include <stdio.h>

/* Triangles at the scale; the letters make way for each other. */
static void markers (app *a, float x, float y, float h)
{
    float u = ui_scale (), left = x - 4 * u, at[SIDES], text[SIDES];
    for (int side = 0; side < SIDES; side++)
        text[side] = at[side] =
            y + h * (1 - (float)heatmap_place (&a->set.heat, stage_shown (a->stage, side)->now.violation));
    float apart = text[1] - text[0], needed = 15 * u;
    if (fabsf (apart) < needed)
    {
        float push = (needed - fabsf (apart)) / 2;
        int lower = apart >= 0;
        text[lower] += push;
        text[!lower] -= push;
    }
    for (int side = 0; side < SIDES; side++)
    {
        const char letter[2] = {(char)('A' + side), 0};
        const float triangle[6] = {left,         at[side],        left - 8 * u, at[side] - 5 * u,
                                   left - 8 * u, at[side] + 5 * u};
        ui_triangle (triangle, theme_side[side]);
        ui_put (UI_STRONG, left - 21 * u, text[side] - ui_text_height (UI_STRONG) * 0.55f, theme_side[side],
                letter);
    }
}

void panel_legend (app *a)
{
    float u = ui_scale ();
    const area *r = &a->layout.right;
    const heatmap_scale *s = &a->set.heat;
    unsigned char table[HEATMAP_SIZE * 3];
    char text[32];
    int joints = stage_model (a->stage)->joints > 0, marks = a->set.marks && joints;
    heatmap_fill (s, table);
    ui_panel_begin ("legend", r->x, r->y, r->w, r->h, 0, 0);
    ui_line (r->x + 0.5f * u, r->y, r->x + 0.5f * u, r->y + r->h, u, COLOR_EDGE);
    ui_put (UI_STRONG, r->x + 12 * u, r->y + 14 * u, COLOR_TEXT, joints ? "Opening" : "Depth");
    ui_put (UI_SMALL, r->x + 12 * u, r->y + 32 * u, COLOR_FAINT, joints ? "of joints, m" : "of contacts, m");
    float x = r->x + 32 * u, y = r->y + 62 * u, w = 14 * u, h = r->h - (62 + 24 + (marks ? 46 : 0)) * u;
    for (int i = 0; i < HEATMAP_SIZE; i++)
    {
        const unsigned char *c = table + 3 * (HEATMAP_SIZE - 1 - i);
        float top = y + h * (float)i / HEATMAP_SIZE, bottom = y + h * (float)(i + 1) / HEATMAP_SIZE;
        ui_rect (x, top, w, bottom - top + 0.5f, 0, UI_RGB (c[0], c[1], c[2]));
    }
    int low = (int)ceil (s->log_low - 1e-9), high = (int)floor (s->log_high + 1e-9);
    int every = (int)ceil ((double)(high - low) * 20 * (double)u / (double)h);
    for (int e = low; e <= high; e += every > 1 ? every : 1)
    {
        float at = y + h * (1 - (float)((e - s->log_low) / (s->log_high - s->log_low)));
        ui_line (x + w, at, x + w + 4 * u, at, u, COLOR_FAINT);
        snprintf (text, sizeof text, e ? "1e%d" : "1", e);
        ui_put (UI_SMALL, x + w + 7 * u, at - ui_text_height (UI_SMALL) * 0.55f, COLOR_SOFT, text);
    }
    markers (a, x, y, h);
    ui_register ("legend", x, y, w, h);
    if (marks)
        for (int i = 0; i < 2; i++)
        {
            float at = r->y + r->h - (44 - 20 * (float)i) * u;
            ui_ring (r->x + 18 * u, at + 7 * u, 5 * u, 2 * u, i ? COLOR_ALARM : COLOR_WARN);
            ui_put (UI_SMALL, r->x + 29 * u, at, COLOR_SOFT, i ? "conflicting" : "redundant");
        }
    ui_panel_end ();
}
