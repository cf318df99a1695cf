/*
 * The state of the viewer as JSON, for tests and scripts: what has been simulated, all settings, and where
 * widgets and bodies are on the screen.
 */
#ifndef VIEWER_STATE_DUMP_H
#define VIEWER_STATE_DUMP_H

#include "app.h"

/* Writes the file, completely or not at all.  Returns 1, or 0 with one line in error. */
int state_dump (app *a, const char *path, char *error, size_t size);

#endif
