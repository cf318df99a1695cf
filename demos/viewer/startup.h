/*
 * What a window and a headless run do first, alike: make the app, open the scenes asked for.
 */
#ifndef VIEWER_STARTUP_H
#define VIEWER_STARTUP_H

#include "app.h"
#include "view_options.h"

/* Returns 0, or the program's exit status after saying on standard error what is wrong; the app is to
 * be freed in any case. */
int startup (app *a, const view_options *o, const app_options *options);

#endif
