/*
 * The colours of the interface.  Each has one meaning: a stepper has the same colour in the views, in the
 * plots here and in the figures of the command line; openings are blue to red; redundant rows are pink;
 * forces are lime.  build/bin/test_readable checks that text in any of them has a contrast of at least 4.5 on
 * the panels, and that the colours of the steppers differ enough.
 */
#ifndef VIEWER_THEME_H
#define VIEWER_THEME_H

#include "palette.h"
#include "ui.h"

#define COLOR_WINDOW UI_RGB (11, 13, 17)
#define COLOR_PANEL UI_RGB (17, 20, 26)
#define COLOR_RAISED UI_RGB (26, 31, 39)
#define COLOR_EDGE UI_RGB (36, 42, 52)
#define COLOR_TEXT UI_RGB (226, 231, 238)
#define COLOR_SOFT UI_RGB (166, 175, 188)
#define COLOR_FAINT UI_RGB (138, 147, 160)
#define COLOR_ACCENT UI_RGB (96, 160, 255) /* what is switched on or chosen */
#define COLOR_ALARM UI_RGB (255, 110, 104) /* what is wrong: open, stopped, refused */
#define COLOR_EXTRA UI_RGB (255, 132, 220) /* redundant and conflicting rows */
#define COLOR_FORCE UI_RGB (206, 222, 96)  /* forces and torques */

static inline ui_color theme_of (palette_rgb c) { return UI_RGB (c.red, c.green, c.blue); }

/* The colour of a stepper.  If both sides have the same stepper, one of them is pale. */
static inline ui_color theme_stepper (int stepper, int pale)
{
    palette_rgb c = palette_stepper_dark[stepper];
    if (pale)
        c = (palette_rgb){(unsigned char)((c.red + 2 * 255) / 3), (unsigned char)((c.green + 2 * 255) / 3),
                          (unsigned char)((c.blue + 2 * 255) / 3)};
    return theme_of (c);
}

static inline void theme_rgb (ui_color color, float rgb[3])
{
    for (int i = 0; i < 3; i++) rgb[i] = (float)(color >> (8 * i) & 255) / 255;
}

static inline ui_color theme_fade (ui_color color, float alpha)
{
    return (color & 0x00ffffffu) | (ui_color)((float)(color >> 24) * alpha + 0.5f) << 24;
}

#endif
