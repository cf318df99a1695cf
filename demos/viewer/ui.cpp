/*
 * Dear ImGui behind the C interface of ui.h.  This is the only C++ file of the viewer.
 */
#include "ui.h"
#include "theme.h"

#include <imgui.h>
#define IMGUI_DEFINE_MATH_OPERATORS
#include <imgui_internal.h>
#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#if IMGUI_VERSION_NUM < 19000
#include <imgui_freetype.h>
#endif

#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <unistd.h>

namespace
{

struct interface_state
{
    float scale = 1;
    bool has_window = false;
    ImFont *font[UI_FONTS] = {};
    char font_file[256] = "";
    ImDrawList *layer = nullptr;
    ui_widget widget[256];
    int widgets = 0;
};

interface_state ui;

ImVec2 at (float x, float y) { return ImVec2 (x, y); }

const char *find_font (char *path, size_t size, const char *const *names)
{
    static const char *const folders[] = {"/usr/share/fonts/opentype/inter",
                                          "/usr/share/fonts/truetype/inter", "/usr/share/fonts/inter",
                                          "/usr/share/fonts/truetype/dejavu"};
    for (const char *folder : folders)
        for (const char *const *name = names; *name; name++)
        {
            snprintf (path, size, "%s/%s", folder, *name);
            if (access (path, R_OK) == 0) return path;
        }
    return nullptr;
}

/* Digits of one width, so that live numbers do not dance. */
void make_digits_tabular (ImFont *font)
{
    float widest = 0;
    for (ImWchar c = '0'; c <= '9'; c++)
        if (const ImFontGlyph *g = font->FindGlyph (c)) widest = std::max (widest, g->AdvanceX);
    for (ImWchar c = '0'; c <= '9'; c++)
        if (auto *g = const_cast<ImFontGlyph *> (font->FindGlyph (c)))
        {
            float shift = std::floor ((widest - g->AdvanceX) / 2 + 0.5f);
            g->X0 += shift;
            g->X1 += shift;
            g->AdvanceX = widest;
        }
    font->BuildLookupTable ();
}

void load_fonts ()
{
    static const ImWchar ranges[] = {0x20,   0xff,   0x370,  0x3ff,  0x2010, 0x2026, 0x2070,
                                     0x209f, 0x2190, 0x21ff, 0x2200, 0x22ff, 0};
    static const char *const regular[] = {"Inter-Regular.otf", "Inter-Regular.ttf", "DejaVuSans.ttf",
                                          nullptr};
    static const char *const medium[] = {"Inter-SemiBold.otf", "Inter-SemiBold.ttf", "DejaVuSans-Bold.ttf",
                                         nullptr};
    static const char *const display[] = {"InterDisplay-SemiBold.otf", "Inter-SemiBold.otf",
                                          "Inter-SemiBold.ttf", "DejaVuSans-Bold.ttf", nullptr};
    static const struct
    {
        const char *const *names;
        float size;
    } wanted[UI_FONTS] = {{regular, 12}, {regular, 14}, {medium, 14}, {display, 19}, {display, 27}};
    ImGuiIO &io = ImGui::GetIO ();
    io.Fonts->Clear ();
    ui.font_file[0] = 0;
#if IMGUI_VERSION_NUM < 19000
    io.Fonts->FontBuilderIO = ImGuiFreeType::GetBuilderForFreeType ();
    io.Fonts->FontBuilderFlags = ImGuiFreeTypeBuilderFlags_LightHinting;
#endif
    for (int i = 0; i < UI_FONTS; i++)
    {
        char path[256];
        ImFontConfig config;
        config.OversampleH = config.OversampleV = 1;
        if (find_font (path, sizeof path, wanted[i].names))
        {
            ui.font[i] =
                io.Fonts->AddFontFromFileTTF (path, std::round (wanted[i].size * ui.scale), &config, ranges);
            if (i == UI_BODY) snprintf (ui.font_file, sizeof ui.font_file, "%s", path);
        }
        else
        {
            config.SizePixels = std::round (wanted[i].size * ui.scale);
            ui.font[i] = io.Fonts->AddFontDefault (&config);
        }
    }
    io.Fonts->Build ();
    for (ImFont *font : ui.font) make_digits_tabular (font);
    io.FontDefault = ui.font[UI_BODY];
}

ImVec4 rgba (ui_color c) { return ImGui::ColorConvertU32ToFloat4 (c); }

void set_style ()
{
    ImGuiStyle &s = ImGui::GetStyle ();
    s = ImGuiStyle ();
    s.WindowRounding = 0;
    s.WindowBorderSize = 0;
    s.ChildBorderSize = 0;
    s.FrameRounding = 6;
    s.PopupRounding = 8;
    s.GrabRounding = 6;
    s.ScrollbarRounding = 6;
    s.ScrollbarSize = 9;
    s.GrabMinSize = 10;
    s.FramePadding = at (9, 5);
    s.ItemSpacing = at (8, 7);
    s.WindowPadding = at (14, 12);
    s.PopupBorderSize = 1;
    s.AntiAliasedLinesUseTex = true;
    s.ScaleAllSizes (ui.scale);
    const struct
    {
        ImGuiCol index;
        ui_color color;
    } colors[] = {
        {ImGuiCol_WindowBg, COLOR_PANEL},
        {ImGuiCol_PopupBg, UI_RGB (24, 29, 37)},
        {ImGuiCol_Border, COLOR_EDGE},
        {ImGuiCol_Text, COLOR_TEXT},
        {ImGuiCol_TextDisabled, COLOR_FAINT},
        {ImGuiCol_FrameBg, COLOR_RAISED},
        {ImGuiCol_FrameBgHovered, UI_RGB (35, 41, 52)},
        {ImGuiCol_FrameBgActive, UI_RGB (42, 50, 63)},
        {ImGuiCol_Button, COLOR_RAISED},
        {ImGuiCol_ButtonHovered, UI_RGB (38, 46, 58)},
        {ImGuiCol_ButtonActive, UI_RGB (48, 58, 73)},
        {ImGuiCol_Header, UI_RGB (33, 43, 58)},
        {ImGuiCol_HeaderHovered, UI_RGB (36, 46, 61)},
        {ImGuiCol_HeaderActive, UI_RGB (44, 57, 77)},
        {ImGuiCol_SliderGrab, UI_RGB (108, 142, 190)},
        {ImGuiCol_SliderGrabActive, COLOR_ACCENT},
        {ImGuiCol_CheckMark, COLOR_ACCENT},
        {ImGuiCol_ScrollbarBg, UI_RGBA (0, 0, 0, 0)},
        {ImGuiCol_ScrollbarGrab, UI_RGB (44, 51, 62)},
        {ImGuiCol_ScrollbarGrabHovered, UI_RGB (60, 69, 83)},
        {ImGuiCol_ScrollbarGrabActive, UI_RGB (76, 87, 104)},
        {ImGuiCol_NavHighlight, COLOR_ACCENT},
    };
    for (const auto &c : colors) s.Colors[c.index] = rgba (c.color);
}

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

ImDrawList *layer () { return ui.layer ? ui.layer : ImGui::GetBackgroundDrawList (); }

} // namespace

int ui_create (void *glfw_window, float scale)
{
    ui = interface_state ();
    ui.scale = scale;
    ui.has_window = glfw_window != nullptr;
    IMGUI_CHECKVERSION ();
    ImGui::CreateContext ();
    ImGuiIO &io = ImGui::GetIO ();
    io.IniFilename = nullptr; /* the layout is fixed; nothing is remembered behind the user's back */
    io.LogFilename = nullptr;
    if (glfw_window && !ImGui_ImplGlfw_InitForOpenGL (static_cast<GLFWwindow *> (glfw_window), true))
        return 0;
    if (!ImGui_ImplOpenGL3_Init ("#version 330 core")) return 0;
    set_style ();
    load_fonts ();
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
    set_style ();
    ImGui_ImplOpenGL3_DestroyFontsTexture ();
    load_fonts ();
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
    bool open = ImGui::BeginCombo ("##combo", items[*choice],
                                   ImGuiComboFlags_HeightLarge | ImGuiComboFlags_NoArrowButton);
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
    ImGui::PushStyleVar (ImGuiStyleVar_WindowPadding, at (10 * ui.scale, 7 * ui.scale));
    ImGui::BeginTooltip ();
    ImGui::PushTextWrapPos (300 * ui.scale);
    ImGui::TextUnformatted (text);
    ImGui::PopTextWrapPos ();
    ImGui::EndTooltip ();
    ImGui::PopStyleVar ();
}

int ui_hovered (void) { return ImGui::IsItemHovered (); }

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
