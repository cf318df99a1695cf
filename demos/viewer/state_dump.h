/*
 * The viewer's state as JSON, for tests and scripts: what is simulated, what is set, where every widget
 * and body lies on the screen.
 */
#ifndef VIEWER_STATE_DUMP_H
#define VIEWER_STATE_DUMP_H

#include "app.h"

/* Writes the file as a whole or not at all.  Returns 1, or 0 with one line in error. */
int state_dump (app *a, const char *path, char *error, size_t size);

#endif
