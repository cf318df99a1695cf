/*
 * Fonts, sizes and colours of the interface.
 */
#include "ui_parts.hpp"

/* Debian's library has FreeType, which draws small text more sharply.  The page for browsers uses the
 * rasterizer of Dear ImGui itself. */
#if IMGUI_VERSION_NUM < 19000 && !defined(__EMSCRIPTEN__)
#define WITH_FREETYPE
#include <imgui_freetype.h>
#endif

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <unistd.h>

namespace
{

const char *find_font (char *path, size_t size, const char *const *names)
{
    static const char *const folders[] = {"/usr/share/fonts/opentype/inter",
                                          "/usr/share/fonts/truetype/inter", "/usr/share/fonts/inter",
                                          "/usr/share/fonts/truetype/dejavu", "/fonts"};
    for (const char *folder : folders)
        for (const char *const *name = names; *name; name++)
        {
            snprintf (path, size, "%s/%s", folder, *name);
            if (access (path, R_OK) == 0) return path;
        }
    return nullptr;
}

/* Gives all digits the same width, so that numbers do not move while they change. */
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

} // namespace

void ui_load_fonts ()
{
    /* Latin of all Europe, Greek, Cyrillic, punctuation, exponents, arrows and signs. */
    static const ImWchar ranges[] = {0x20,   0x17f,  0x370,  0x4ff,  0x2010, 0x2026, 0x2070,
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
#ifdef WITH_FREETYPE
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
    for (int i = 0; i < UI_FONTS; i++)
        if (i != UI_STRONG) make_digits_tabular (ui.font[i]); /* headings do not change */

    /* the font that is used where none is installed has no ellipsis */
    for (int i = 0; i < UI_FONTS; i++)
        if (!ui.font[i]->FindGlyphNoFallback (0x2026)) ui.font[i]->AddRemapChar (0x2026, '.');
    io.FontDefault = ui.font[UI_BODY];
}

void ui_set_style ()
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
