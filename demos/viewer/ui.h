/*
 * Widgets and 2D drawing: a C interface to Dear ImGui, which only the files ui*.cpp use.
 *
 * All coordinates are pixels of the framebuffer from its upper left corner.  Sizes that should follow the
 * scale of the display are multiplied by ui_scale by the caller.
 */
#ifndef VIEWER_UI_H
#define VIEWER_UI_H

#include <stddef.h>

#ifdef __cplusplus
extern "C"
{
#endif

    typedef unsigned ui_color; /* 0xAABBGGRR */
#define UI_RGBA(r, g, b, a) ((ui_color)(r) | (ui_color)(g) << 8 | (ui_color)(b) << 16 | (ui_color)(a) << 24)
#define UI_RGB(r, g, b) UI_RGBA (r, g, b, 255)

    typedef enum
    {
        UI_SMALL,
        UI_BODY,
        UI_STRONG,
        UI_TITLE,
        UI_HUGE,
        UI_FONTS
    } ui_font;
    typedef enum
    {
        UI_LAYER_BACK,
        UI_LAYER_PANEL,
        UI_LAYER_FRONT
    } ui_layer;
    typedef enum
    {
        UI_ICON_PLAY,
        UI_ICON_PAUSE,
        UI_ICON_STEP,
        UI_ICON_BACK,
        UI_ICON_RESET,
        UI_ICON_RECORD,
        UI_ICON_CAMERA,
        UI_ICON_HELP,
        UI_ICON_FIT,
        UI_ICON_SPLIT,
        UI_ICON_ONE,
        UI_ICON_GHOST,
        UI_ICON_PANEL
    } ui_icon;

    /* glfw_window is NULL without a window; then input comes from ui_feed_mouse.  Returns 0 on failure. */
    int ui_create (void *glfw_window, float scale);
    void ui_destroy (void);
    void ui_set_scale (float scale); /* between frames */
    float ui_scale (void);
    const char *ui_font_name (void); /* file that the text is set in, "" for the built-in one */

    void ui_begin (int width, int height, double seconds);
    void ui_end (int draw); /* with draw, draws into the bound framebuffer */

    void ui_feed_mouse (float x, float y, int left, int right, int middle, float wheel);
    int ui_wants_mouse (void);
    int ui_wants_keyboard (void);
    void ui_keyboard_mode (int on); /* arrows, Space and Enter work the controls */
    void ui_mouse (float position[2]);
    int ui_any_popup (void);

    /* A fixed area; widgets go from top to bottom inside it. */
    void ui_panel_begin (const char *name, float x, float y, float w, float h, float padding, int scrolls);
    void ui_panel_end (void);

    /* Widgets.  name is their name for tests and the state dump; label, which may be NULL, is shown.  All
     * return 1 if the user has used them in this frame. */
    int ui_icon_button (const char *name, ui_icon icon, float size, int active, ui_color accent);
    int ui_combo (const char *name, const char *label, const char *const *items, int *choice, float w);
    int ui_slider (const char *name, const char *label, double *value, double low, double high,
                   int logarithmic, const char *format);
    int ui_check (const char *name, const char *label, int *value);
    /* A line of a list.  Its text is cut after text_width pixels; if that is 0, where the line ends or the
     * text on the right begins. */
    int ui_row (const char *name, const char *text, const char *right, float text_width, int selected,
                ui_color dot);
    void ui_list_begin (const char *name, float h); /* an area of its own that scrolls */
    void ui_list_end (void);
    void ui_show (void); /* scrolls a list so that the last widget can be seen */
    int ui_section (const char *name, const char *label, int *open); /* a heading that folds; returns *open */

    /* An area that can be clicked, of which other widgets are made.  Returns 1 if it has been clicked. */
    typedef struct
    {
        float x, y, w, h;
        int hovered, held;
    } ui_area_state;
    int ui_area (const char *name, float w, float h, ui_area_state *state);
    void ui_text (ui_font font, ui_color color, const char *format, ...)
        __attribute__ ((format (printf, 3, 4)));
    void ui_gap (float height);
    void ui_cursor (float x, float y); /* where the next widget goes */
    void ui_cursor_position (float position[2]);
    float ui_width_left (void);
    float ui_frame_height (void);    /* of combos and buttons */
    void ui_tip (const char *text);  /* shown while the mouse is over the last widget */
    void ui_hint (const char *text); /* shown at the mouse */
    int ui_hovered (void);           /* 1 if the mouse is over the last widget */

    /* Drawing into a layer; UI_LAYER_PANEL is that of the present panel. */
    void ui_layer_use (ui_layer layer);
    void ui_clip (float x, float y, float w, float h);
    void ui_unclip (void);
    void ui_line (float x0, float y0, float x1, float y1, float width, ui_color color);
    void ui_polyline (const float *xy, int points, float width, ui_color color);
    void ui_rect (float x, float y, float w, float h, float rounding, ui_color color);
    void ui_shade (float x, float y, float w, float h, ui_color top,
                   ui_color bottom); /* from one to the other */
    void ui_frame (float x, float y, float w, float h, float rounding, float width, ui_color color);
    void ui_circle (float x, float y, float r, ui_color color);
    void ui_ring (float x, float y, float r, float width, ui_color color);
    void ui_triangle (const float xy[6], ui_color color);
    void ui_put (ui_font font, float x, float y, ui_color color, const char *text);
    void ui_put_cut (ui_font font, float x, float y, float width, ui_color color,
                     const char *text); /* with an ellipsis in its middle if the width does not hold it */
    typedef struct
    {
        char line[4][256];
        int count;
        float width, height; /* of the whole */
    } ui_lines;
    void ui_wrap (ui_lines *lines, ui_font font, const char *text, float width); /* broken at spaces */
    void ui_put_lines (const ui_lines *lines, ui_font font, float centre, float y, ui_color color);
    float ui_text_width (ui_font font, const char *text);
    float ui_text_height (ui_font font);
    int ui_over (float x, float y, float w, float h); /* the mouse is there and no popup is open */
    int ui_pressed (int button);                      /* 0 left, 1 right, 2 middle: went down in this frame */
    int ui_held (int button);
    float ui_wheel (void);
    int ui_shift (void);

    /* Where the widgets of this frame are, for the state dump. */
    typedef struct
    {
        char name[48];
        float rect[4];
    } ui_widget;
    const ui_widget *ui_widgets (int *count);
    void ui_register (const char *name, float x, float y, float w, float h);

#ifdef __cplusplus
}
#endif

#endif
