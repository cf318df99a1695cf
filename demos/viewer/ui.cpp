/*
 * The interface of ui.h by Dear ImGui: beginning, end, frames and input.  Only the files ui*.cpp are C++ and
 * use Dear ImGui; they do not depend on the rest of the viewer.
 */
#include "ui_parts.hpp"

#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>

#include <algorithm>
#include <cstdio>

interface_state ui;

#ifdef __EMSCRIPTEN__
static const char language[] = "#version 300 es";
#else
static const char language[] = "#version 330 core";
#endif

int ui_create (void *glfw_window, float scale)
{
    ui = interface_state ();
    ui.scale = scale;
    ui.has_window = glfw_window != nullptr;
    IMGUI_CHECKVERSION ();
    ImGui::CreateContext ();
    ImGuiIO &io = ImGui::GetIO ();
    io.IniFilename = nullptr; /* the layout is fixed, so Dear ImGui has nothing to save */
    io.LogFilename = nullptr;
    if (glfw_window && !ImGui_ImplGlfw_InitForOpenGL (static_cast<GLFWwindow *> (glfw_window), true))
        return 0;
    if (!ImGui_ImplOpenGL3_Init (language)) return 0;
    ui_set_style ();
    ui_load_fonts ();
    return 1;
}

void ui_destroy (void)
{
    if (!ImGui::GetCurrentContext ()) return;
    ImGui_ImplOpenGL3_Shutdown ();
    if (ui.has_window) ImGui_ImplGlfw_Shutdown ();
    ImGui::DestroyContext ();
}

void ui_set_scale (float scale)
{
    if (scale == ui.scale) return;
    ui.scale = scale;
    ui_set_style ();
    ImGui_ImplOpenGL3_DestroyFontsTexture ();
    ui_load_fonts ();
    ImGui_ImplOpenGL3_CreateFontsTexture ();
}

float ui_scale (void) { return ui.scale; }
const char *ui_font_name (void) { return ui.font_file; }

void ui_begin (int width, int height, double seconds)
{
    ImGuiIO &io = ImGui::GetIO ();
    ImGui_ImplOpenGL3_NewFrame ();
    if (ui.has_window)
        ImGui_ImplGlfw_NewFrame ();
    else
    {
        io.DisplaySize = at ((float)width, (float)height);
        io.DeltaTime = (float)std::max (seconds, 1e-4);
    }
    ImGui::NewFrame ();
    ui.widgets = 0;
    ui.layer = nullptr;
}

void ui_end (int draw)
{
    ImGui::Render ();
    if (draw) ImGui_ImplOpenGL3_RenderDrawData (ImGui::GetDrawData ());
}

void ui_feed_mouse (float x, float y, int left, int right, int middle, float wheel)
{
    ImGuiIO &io = ImGui::GetIO ();
    io.MousePos = at (x, y);
    io.MouseDown[0] = left != 0;
    io.MouseDown[1] = right != 0;
    io.MouseDown[2] = middle != 0;
    io.MouseWheel = wheel;
}

void ui_keyboard_mode (int on)
{
    if (!ui.has_window) return;
    ImGuiIO &io = ImGui::GetIO ();
    io.ConfigFlags = on ? io.ConfigFlags | ImGuiConfigFlags_NavEnableKeyboard
                        : io.ConfigFlags & ~ImGuiConfigFlags_NavEnableKeyboard;
    if (on) ImGui::SetWindowFocus ("left");
    GImGui->NavDisableHighlight = !on;
}

int ui_wants_mouse (void) { return ImGui::GetIO ().WantCaptureMouse; }
int ui_wants_keyboard (void)
{
    return ImGui::GetIO ().WantTextInput || ImGui::IsPopupOpen ("", ImGuiPopupFlags_AnyPopupId);
}
int ui_any_popup (void)
{
    return ImGui::IsPopupOpen ("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
}

void ui_mouse (float position[2])
{
    position[0] = ImGui::GetIO ().MousePos.x;
    position[1] = ImGui::GetIO ().MousePos.y;
}

int ui_over (float x, float y, float w, float h)
{
    return ImGui::IsMouseHoveringRect (at (x, y), at (x + w, y + h), false) && !ui_any_popup ();
}

int ui_pressed (int button) { return ImGui::IsMouseClicked (button); }
int ui_held (int button) { return ImGui::IsMouseDown (button); }
float ui_wheel (void) { return ImGui::GetIO ().MouseWheel; }
int ui_shift (void) { return ImGui::GetIO ().KeyShift; }

const ui_widget *ui_widgets (int *count)
{
    *count = ui.widgets;
    return ui.widget;
}

void ui_register (const char *name, float x, float y, float w, float h)
{
    if (ui.widgets == (int)(sizeof ui.widget / sizeof *ui.widget)) return;
    ui_widget *widget = &ui.widget[ui.widgets++];
    snprintf (widget->name, sizeof widget->name, "%s", name);
    widget->rect[0] = x;
    widget->rect[1] = y;
    widget->rect[2] = w;
    widget->rect[3] = h;
}
