/*
 * The legend on the right: the scales of the heat colours, with the present values of both sides.
 */
#include "app_parts.h"

#include "theme.h"

#include <math.h>
#include <stdio.h>

/* A triangle at the scale for each side, with its letter.  Letters that would overlap are moved apart. */
static void markers (app *a, float x, float y, float h)
{
    float u = ui_scale (), left = x - 4 * u, at[SIDES], text[SIDES];
    for (int side = 0; side < SIDES; side++)
        text[side] = at[side] =
            y + h * (1 - (float)heatmap_place (&a->heat, stage_shown (a->stage, side)->now.violation));
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
        ui_triangle (triangle, app_side_color (a, side));
        ui_put (UI_STRONG, left - 21 * u, text[side] - ui_text_height (UI_STRONG) * 0.55f,
                app_side_color (a, side), letter);
    }
}

/* Draws a scale, from its title to its lower end.  Returns the area of its bar. */
static area scale_bar (app *a, const heatmap_scale *s, const char *title, const char *note, float top,
                       float height, const char *widget)
{
    float u = ui_scale ();
    const area *r = &a->layout.right;
    unsigned char table[HEATMAP_SIZE * 3];
    char text[32];
    heatmap_fill (s, table);
    ui_put (UI_STRONG, r->x + 12 * u, top, COLOR_TEXT, title);
    ui_put_cut (UI_SMALL, r->x + 12 * u, top + 18 * u, r->w - 16 * u, COLOR_FAINT, note);
    const area bar = {r->x + 32 * u, top + 46 * u, 14 * u, height - 62 * u};
    float x = bar.x, y = bar.y, w = bar.w, h = bar.h;
    for (int i = 0; i < HEATMAP_SIZE; i++)
    {
        const unsigned char *c = table + 3 * (HEATMAP_SIZE - 1 - i);
        float from = y + h * (float)i / HEATMAP_SIZE, to = y + h * (float)(i + 1) / HEATMAP_SIZE;
        ui_rect (x, from, w, to - from + 0.5f, 0, UI_RGB (c[0], c[1], c[2]));
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
    ui_register (widget, x, y, w, h);
    return bar;
}

/* Explains a mark: one or two rings, or (rings 0) a line, with a word.  Returns the y of the next line. */
static float key_line (app *a, float y, int rings, ui_color color, const char *word)
{
    float u = ui_scale (), x = a->layout.right.x;
    if (rings)
        ui_ring (x + 18 * u, y + 7 * u, 5 * u, 2 * u, color);
    else
        ui_line (x + 12 * u, y + 7 * u, x + 24 * u, y + 7 * u, 3 * u, color);
    if (rings == 2) ui_ring (x + 18 * u, y + 7 * u, 8 * u, 1.5f * u, color);
    ui_put (UI_SMALL, x + 31 * u, y, COLOR_SOFT, word);
    return y + 19 * u;
}

void panel_legend (app *a)
{
    static const char *const contact_titles[] = {"", "Depth", "Slip", "Force"};
    static const char *const contact_notes[] = {"", "of contacts, m", "of contacts, m/s", "of contacts, N"};
    float u = ui_scale ();
    const area *r = &a->layout.right;
    const int joints = stage_model (a->stage)->joints > 0, heat = joints && a->set.heat_mode != HEAT_OFF,
              touching = stage_shown (a->stage, 0)->contacts + stage_shown (a->stage, 1)->contacts > 0,
              contacts = a->set.contacts && (touching || (!joints && a->fit.contacts.begun));
    const int conflicting = a->story[0].conflicting > 0,
              forces = a->set.reactions || (contacts && a->set.contacts == CONTACTS_FORCE),
              lines = (a->set.marks && joints) * (1 + conflicting) + forces;
    ui_panel_begin ("legend", r->x, r->y, r->w, r->h, 0, 0);
    ui_line (r->x + 0.5f * u, r->y, r->x + 0.5f * u, r->y + r->h, u, COLOR_EDGE);
    float top = r->y + 14 * u, room = r->h - 22 * u - 19 * u * (float)lines,
          each = room / (float)(heat + contacts > 1 ? 2 : 1);
    if (heat)
    {
        const area bar = scale_bar (a, &a->heat, "Opening", "of joints, m", top, each, "legend");
        markers (a, bar.x, bar.y, bar.h);
        if (ui_over (r->x, top, r->w, each) && !a->set.help)
            ui_hint ("How far a joint is open: the gap between its parts, or the angle between them times "
                     "half the "
                     "longer link, whichever is more. White is the tolerance.");
        top += each;
    }
    if (contacts)
    {
        scale_bar (a, &a->contact, contact_titles[a->set.contacts], contact_notes[a->set.contacts], top, each,
                   heat ? "legend/contacts" : "legend");
        top += each;
    }
    float y = r->y + r->h - 19 * u * (float)lines - 4 * u;
    if (a->set.marks && joints) y = key_line (a, y, 1, COLOR_EXTRA, "redundant");
    if (a->set.marks && joints && conflicting) y = key_line (a, y, 2, COLOR_EXTRA, "conflicting");
    if (forces) key_line (a, y, 0, COLOR_FORCE, "force");
    ui_panel_end ();
}
