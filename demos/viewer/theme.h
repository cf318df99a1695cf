/*
 * Colours of the interface, in one place.  A and B keep theirs whatever solver they run: amber and
 * mint lie off the heatmaps' blue-red line and stay apart for colour-blind eyes.
 */
#ifndef VIEWER_THEME_H
#define VIEWER_THEME_H

#include "ui.h"

#define COLOR_WINDOW UI_RGB (11, 13, 17)
#define COLOR_PANEL UI_RGB (17, 20, 26)
#define COLOR_RAISED UI_RGB (26, 31, 39)
#define COLOR_EDGE UI_RGB (36, 42, 52)
#define COLOR_TEXT UI_RGB (226, 231, 238)
#define COLOR_SOFT UI_RGB (152, 161, 174)
#define COLOR_FAINT UI_RGB (98, 107, 120)
#define COLOR_ACCENT UI_RGB (84, 150, 255)
#define COLOR_A UI_RGB (255, 184, 77)
#define COLOR_B UI_RGB (76, 214, 170)
#define COLOR_ALARM UI_RGB (255, 92, 92)
#define COLOR_WARN UI_RGB (255, 196, 84)
#define COLOR_GOOD UI_RGB (96, 170, 255)

static const ui_color theme_side[2] = {COLOR_A, COLOR_B};
static const float theme_side_rgb[2][3] = {{1.00f, 0.72f, 0.30f}, {0.30f, 0.84f, 0.67f}};

static inline ui_color theme_fade (ui_color color, float alpha)
{
    return (color & 0x00ffffffu) | (ui_color)((float)(color >> 24) * alpha + 0.5f) << 24;
}

#endif
