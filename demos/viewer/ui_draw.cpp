/*
 * Draws lines, shapes and text at given positions, on the layer in use.
 */
#include "ui_parts.hpp"

#include <cmath>

namespace
{

ImDrawList *layer () { return ui.layer ? ui.layer : ImGui::GetBackgroundDrawList (); }

} // namespace

void ui_layer_use (ui_layer wanted)
{
    ui.layer = wanted == UI_LAYER_BACK    ? ImGui::GetBackgroundDrawList ()
               : wanted == UI_LAYER_FRONT ? ImGui::GetForegroundDrawList ()
                                          : ImGui::GetWindowDrawList ();
}

void ui_clip (float x, float y, float w, float h)
{
    layer ()->PushClipRect (at (x, y), at (x + w, y + h), true);
}
void ui_unclip (void) { layer ()->PopClipRect (); }

void ui_line (float x0, float y0, float x1, float y1, float width, ui_color color)
{
    layer ()->AddLine (at (x0, y0), at (x1, y1), color, width);
}

void ui_polyline (const float *xy, int points, float width, ui_color color)
{
    if (points > 1) layer ()->AddPolyline (reinterpret_cast<const ImVec2 *> (xy), points, color, 0, width);
}

void ui_rect (float x, float y, float w, float h, float rounding, ui_color color)
{
    layer ()->AddRectFilled (at (x, y), at (x + w, y + h), color, rounding);
}

void ui_shade (float x, float y, float w, float h, ui_color top, ui_color bottom)
{
    layer ()->AddRectFilledMultiColor (at (x, y), at (x + w, y + h), top, top, bottom, bottom);
}

void ui_frame (float x, float y, float w, float h, float rounding, float width, ui_color color)
{
    layer ()->AddRect (at (x, y), at (x + w, y + h), color, rounding, 0, width);
}

void ui_circle (float x, float y, float r, ui_color color)
{
    layer ()->AddCircleFilled (at (x, y), r, color, 24);
}

void ui_ring (float x, float y, float r, float width, ui_color color)
{
    layer ()->AddCircle (at (x, y), r, color, 24, width);
}

void ui_triangle (const float xy[6], ui_color color)
{
    layer ()->AddTriangleFilled (at (xy[0], xy[1]), at (xy[2], xy[3]), at (xy[4], xy[5]), color);
}

void ui_put (ui_font font, float x, float y, ui_color color, const char *text)
{
    ImFont *f = ui.font[font];
    layer ()->AddText (f, f->FontSize, at (std::floor (x), std::floor (y)), color, text);
}

float ui_text_width (ui_font font, const char *text)
{
    ImFont *f = ui.font[font];
    return f->CalcTextSizeA (f->FontSize, 1e9f, 0, text).x;
}

float ui_text_height (ui_font font) { return ui.font[font]->FontSize; }
