/*
 * Panels, and widgets that are placed one under another.
 */
#include "ui_parts.hpp"

#include <cstdarg>
#include <cstdio>

namespace
{

void remember (const char *name)
{
    if (!ImGui::IsItemVisible ()) return; /* scrolled away */
    ImVec2 a = ImGui::GetItemRectMin (), b = ImGui::GetItemRectMax ();
    ui_register (name, a.x, a.y, b.x - a.x, b.y - a.y);
}

/* A small arrow head: down, or right. */
void chevron (ImDrawList *d, ImVec2 c, float r, bool down, ImU32 color)
{
    ImVec2 p[3] = {at (c.x - r, c.y - r / 2), at (c.x, c.y + r / 2), at (c.x + r, c.y - r / 2)};
    if (!down)
    {
        p[0] = at (c.x - r / 2, c.y - r);
        p[1] = at (c.x + r / 2, c.y);
        p[2] = at (c.x - r / 2, c.y + r);
    }
    d->AddPolyline (p, 3, color, 0, 1.6f * ui.scale);
}

} // namespace

void ui_panel_begin (const char *name, float x, float y, float w, float h, float padding, int scrolls)
{
    ImGui::SetNextWindowPos (at (x, y));
    ImGui::SetNextWindowSize (at (w, h));
    ImGui::PushStyleVar (ImGuiStyleVar_WindowPadding, at (padding, padding));
    ImGui::PushStyleVar (ImGuiStyleVar_WindowMinSize, at (1, 1));
    ImGuiWindowFlags flags = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize |
                             ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoCollapse |
                             ImGuiWindowFlags_NoSavedSettings;
    if (!scrolls) flags |= ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse;
    ImGui::Begin (name, nullptr, flags);
    ImGui::PopStyleVar (2);
    ui.layer = ImGui::GetWindowDrawList ();
}

void ui_panel_end (void)
{
    ImGui::End ();
    ui.layer = nullptr;
}

int ui_combo (const char *name, const char *label, const char *const *items, int *choice, float w)
{
    ImGui::PushID (name);
    if (label)
    {
        ImGui::AlignTextToFramePadding ();
        ImGui::PushStyleColor (ImGuiCol_Text, rgba (COLOR_SOFT));
        ImGui::TextUnformatted (label);
        ImGui::PopStyleColor ();
        ImGui::SameLine (ImGui::GetWindowContentRegionMax ().x - w);
    }
    ImGui::SetNextItemWidth (w);
    int used = 0;
    ImVec2 a = ImGui::GetCursorScreenPos ();
    float h = ImGui::GetFrameHeight ();
    ImDrawList *d = ImGui::GetWindowDrawList ();
    bool open =
        ImGui::BeginCombo ("##combo", "", ImGuiComboFlags_HeightLarge | ImGuiComboFlags_NoArrowButton);
    const float pad = ImGui::GetStyle ().FramePadding.x;
    ui_put_cut (UI_BODY, a.x + pad, a.y + (h - ui_text_height (UI_BODY)) / 2, w - 22 * ui.scale - pad,
                COLOR_TEXT, items[*choice]);
    chevron (d, at (a.x + w - 13 * ui.scale, a.y + h / 2), 4 * ui.scale, true, COLOR_SOFT);
    ui_register (name, a.x, a.y, w, h);
    if (open)
    {
        for (int i = 0; items[i]; i++)
        {
            if (ImGui::Selectable (items[i], i == *choice) && i != *choice)
            {
                *choice = i;
                used = 1;
            }
            char item[96];
            snprintf (item, sizeof item, "%s/%s", name, items[i]);
            remember (item);
            if (i == *choice) ImGui::SetItemDefaultFocus ();
        }
        ImGui::EndCombo ();
    }
    ImGui::PopID ();
    return used;
}

int ui_slider (const char *name, const char *label, double *value, double low, double high, int logarithmic,
               const char *format)
{
    ImGui::PushID (name);
    if (label)
    {
        char text[48];
        snprintf (text, sizeof text, format, *value);
        ImGui::PushStyleColor (ImGuiCol_Text, rgba (COLOR_SOFT));
        ImGui::TextUnformatted (label);
        ImGui::PopStyleColor ();
        ImGui::SameLine (ImGui::GetWindowContentRegionMax ().x - ImGui::CalcTextSize (text).x);
        ImGui::TextUnformatted (text);
        ImGui::SetCursorPosY (ImGui::GetCursorPosY () - 4 * ui.scale);
    }
    ImGui::SetNextItemWidth (-1);
    ImGui::PushStyleVar (ImGuiStyleVar_FramePadding, at (0, 1.0f * ui.scale));
    ImGui::PushStyleVar (ImGuiStyleVar_GrabMinSize, 14 * ui.scale);
    bool used = ImGui::SliderScalar ("##slider", ImGuiDataType_Double, value, &low, &high, "",
                                     logarithmic ? ImGuiSliderFlags_Logarithmic : 0);
    ImGui::PopStyleVar (2);
    remember (name);
    ImGui::PopID ();
    return used;
}

int ui_check (const char *name, const char *label, int *value)
{
    ImGui::PushID (name);
    bool on = *value != 0;
    ImGui::PushStyleVar (ImGuiStyleVar_FramePadding, at (2 * ui.scale, 2 * ui.scale));
    bool used = ImGui::Checkbox (label, &on);
    ImGui::PopStyleVar ();
    remember (name);
    *value = on;
    ImGui::PopID ();
    return used;
}

void ui_list_begin (const char *name, float h)
{
    ImGui::PushStyleVar (ImGuiStyleVar_WindowPadding, at (0, 0));
    ImGui::PushStyleColor (ImGuiCol_ChildBg, 0);
    ImGui::BeginChild (name, at (0, h), false, ImGuiWindowFlags_AlwaysUseWindowPadding);
    ImGui::PopStyleColor ();
    ImGui::PopStyleVar ();
    ui.layer = ImGui::GetWindowDrawList ();
}

void ui_list_end (void)
{
    ImGui::EndChild ();
    ui.layer = ImGui::GetWindowDrawList ();
}

void ui_show (void) { ImGui::SetScrollHereY (0.5f); }

int ui_area (const char *name, float w, float h, ui_area_state *state)
{
    ImGui::PushID (name);
    bool used = ImGui::InvisibleButton ("##area", at (w, h));
    remember (name);
    ImVec2 a = ImGui::GetItemRectMin (), b = ImGui::GetItemRectMax ();
    state->x = a.x;
    state->y = a.y;
    state->w = b.x - a.x;
    state->h = b.y - a.y;
    state->held = ImGui::IsItemActive ();
    bool focused = GImGui->NavId == ImGui::GetItemID () && !GImGui->NavDisableHighlight;
    state->hovered = ImGui::IsItemHovered () || focused;
    ImGui::PopID ();
    return used;
}

void ui_text (ui_font font, ui_color color, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start (arguments, format);
    vsnprintf (text, sizeof text, format, arguments);
    va_end (arguments);
    ImGui::PushFont (ui.font[font]);
    ImGui::PushStyleColor (ImGuiCol_Text, rgba (color));
    ImGui::TextUnformatted (text);
    ImGui::PopStyleColor ();
    ImGui::PopFont ();
}

void ui_gap (float height) { ImGui::Dummy (at (1, height)); }
void ui_cursor (float x, float y) { ImGui::SetCursorScreenPos (at (x, y)); }

void ui_cursor_position (float position[2])
{
    ImVec2 p = ImGui::GetCursorScreenPos ();
    position[0] = p.x;
    position[1] = p.y;
}

float ui_width_left (void) { return ImGui::GetContentRegionAvail ().x; }
float ui_frame_height (void) { return ImGui::GetFrameHeight (); }

void ui_tip (const char *text)
{
    if (!ImGui::IsItemHovered (ImGuiHoveredFlags_AllowWhenDisabled) || GImGui->HoveredIdTimer < 0.45f) return;
    ui_hint (text);
}

void ui_hint (const char *text)
{
    ImGui::PushStyleVar (ImGuiStyleVar_WindowPadding, at (10 * ui.scale, 7 * ui.scale));
    ImGui::BeginTooltip ();
    ImGui::PushTextWrapPos (300 * ui.scale);
    ImGui::TextUnformatted (text);
    ImGui::PopTextWrapPos ();
    ImGui::EndTooltip ();
    ImGui::PopStyleVar ();
}

int ui_hovered (void) { return ImGui::IsItemHovered (); }
