/*
 * What the C++ files of ui.h share: Dear ImGui and the state of the interface.
 */
#ifndef VIEWER_UI_PARTS_HPP
#define VIEWER_UI_PARTS_HPP

#include "ui.h"
#include "theme.h"

#include <imgui.h>
#define IMGUI_DEFINE_MATH_OPERATORS
#include <imgui_internal.h>

struct interface_state
{
    float scale = 1;
    bool has_window = false;
    ImFont *font[UI_FONTS] = {};
    char font_file[256] = "";
    ImDrawList *layer = nullptr; /* where drawing goes; the background if there is none */
    ui_widget widget[256];
    int widgets = 0;
};

extern interface_state ui;

inline ImVec2 at (float x, float y) { return ImVec2 (x, y); }
inline ImVec4 rgba (ui_color c) { return ImGui::ColorConvertU32ToFloat4 (c); }

/* Sets sizes and colours, and loads fonts, for ui.scale. */
void ui_set_style ();
void ui_load_fonts ();

#endif
