/* Shared by the app's files: layout and drawing of views, mouse, panels. */
#ifndef VIEWER_APP_PARTS_H
#define VIEWER_APP_PARTS_H

#include "app.h"

/* Sets both sides going towards the present time. */
void app_advance (app *a, double seconds);

/* What is being recorded: at the end of a frame, and at the end of all. */
void app_capture (app *a, int width, int height, double seconds);
void app_close_files (app *a);

/* The colour scales of this frame, and a side's colour: that of its stepper. */
void app_fit_heat (app *a, double seconds);
unsigned app_side_color (const app *a, int side);

void app_make_layout (app *a, int width, int height);

/* The mouse in the views: hovering, orbiting, pulling bodies. */
void app_interact (app *a);

/* The 3D views: what is in them, then the drawing itself. */
void app_fill_views (app *a);
void app_draw_views (app *a, int width, int height, unsigned framebuffer);
void app_frame_camera (app *a, double seconds, int now);

/* Panels, each drawn from its own file. */
void panel_top (app *a);
void panel_left (app *a);
void panel_motors (app *a); /* its sections */
void panel_states (app *a);
int panel_section_open (app *a, panel_section which, const char *name, const char *title);
void panel_views (app *a);
void panel_legend (app *a);
void panel_plots (app *a);
void panel_help (app *a, int width, int height);
void panel_notice (app *a, int width, int height);

#endif
