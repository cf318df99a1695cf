/* Shared by the app's files: layout and drawing of views, mouse, panels. */
#ifndef VIEWER_APP_PARTS_H
#define VIEWER_APP_PARTS_H

#include "app.h"

/* Has both sides simulate up to the time that they should have reached. */
void app_advance (app *a, double seconds);

/* Saves the frame if a picture or a film is wanted; ends everything that is being recorded. */
void app_capture (app *a, int width, int height, double seconds);
void app_close_files (app *a);

/* Finds the colour scales of this frame.  The colour of a side is that of its stepper. */
void app_fit_heat (app *a, double seconds);
unsigned app_side_color (const app *a, int side);

void app_make_layout (app *a, int width, int height);

/* The mouse in the views: hovering, orbiting, pulling bodies. */
void app_interact (app *a);

/* The 3D views: the first puts together what is in them, the second draws it. */
void app_fill_views (app *a);
void app_draw_views (app *a, int width, int height, unsigned framebuffer);

/* Moves the camera so that everything stays in view; at once with now. */
void app_frame_camera (app *a, double seconds, int now);

/* Panels, each drawn from its own file. */
void panel_top (app *a);
void panel_left (app *a);
void panel_motors (app *a); /* two sections of panel_left */
void panel_states (app *a);

/* Draws the heading of a section, which folds it; returns 1 if the section is open. */
int panel_section_open (app *a, panel_section which, const char *name, const char *title);
void panel_views (app *a);
void panel_legend (app *a);
void panel_plots (app *a);
void panel_help (app *a, int width, int height);
void panel_notice (app *a, int width, int height);

#endif
