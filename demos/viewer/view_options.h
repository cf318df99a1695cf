/*
 * The command line of the viewer.
 */
#ifndef VIEWER_VIEW_OPTIONS_H
#define VIEWER_VIEW_OPTIONS_H

#include "settings.h"

#include <stddef.h>

#define VIEW_SCENES 64
#define VIEW_WIDTH 480 /* the smallest window, in pixels */
#define VIEW_HEIGHT 360

typedef struct
{
    const char *scene[VIEW_SCENES];
    int scenes;
    const char *scenes_folder, *shader_folder;
    const char *png, *mp4, *csv, *state, *script;
    int headless, frames, width, height;
    int timings;     /* show clocks in headless pictures, which then differ from run to run */
    int draw_all;    /* draw every frame, not only those that are saved: for measuring */
    int gl_messages; /* print what the OpenGL driver remarks */
    int help;
    int (*stopped) (void); /* returns 1 if a signal has asked the program to end; may be NULL */
    settings set;
} view_options;

/* Reads the options; settings that they do not mention are those of begin.  Returns 1, or 0 with one line in
 * error. */
int view_options_parse (view_options *o, const settings *begin, int argc, char **argv, char *error,
                        size_t size);
void view_options_help (void);

#endif
