/*
 * An OpenGL 3.3 core context without a display: by EGL on a device, or on Mesa's surfaceless platform.
 */
#ifndef VIEWER_HEADLESS_H
#define VIEWER_HEADLESS_H

#include <stddef.h>

typedef struct headless headless;

/* Makes a context current, one for debugging where debug is 1.  Returns NULL with one line in error. */
headless *headless_create (int debug, char *error, size_t size);
void headless_free (headless *h);

#endif
