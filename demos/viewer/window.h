/*
 * The viewer in a window, by GLFW.
 */
#ifndef VIEWER_WINDOW_H
#define VIEWER_WINDOW_H

#include "view_options.h"

/* Runs until the window is closed.  Returns the program's exit status; messages go to standard error. */
int window_run (const view_options *o);

#endif
