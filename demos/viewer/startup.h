/*
 * What a window and a headless run do first: make the app, and open the first scene.
 */
#ifndef VIEWER_STARTUP_H
#define VIEWER_STARTUP_H

#include "app.h"
#include "view_options.h"

/* Returns 0, or an exit status after an error line on standard error.  The app is to be freed in any case. */
int startup (app *a, const view_options *o, const app_options *options);

#endif
