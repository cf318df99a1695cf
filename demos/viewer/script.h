/*
 * Scripts for headless runs: one command a line, executed frame by frame.
 *
 *     wait SECONDS            let it run
 *     frames N                let it run for N frames
 *     do ACTION               as its key does; actions are listed by --help
 *     set NAME VALUE          a setting, as --set
 *     motor JOINT own | rate X | place X      a motor on a hinge or slider, rad or m
 *     open SCENE              a file or the name of a scene in the list
 *     look PRESET             perspective, front, back, left, right, top
 *     view YAW PITCH [ZOOM]   turn the camera, degrees; ZOOM above 1 is closer
 *     move X Y                the mouse, pixels; or move WIDGET
 *     press | release [left|right|middle]
 *     wheel N
 *     click WIDGET            move, press, release
 *     shot FILE.png           at the end of this frame
 *     film FILE.mp4 | film    start, end
 *     csv FILE | csv          start, end
 *     state FILE              the state as JSON
 *     quit
 * Empty lines and lines that start with # are skipped.
 */
#ifndef VIEWER_SCRIPT_H
#define VIEWER_SCRIPT_H

#include "app.h"

typedef struct script script;

/* Reads a file ("-" is standard input) and checks that the commands exist.  Returns NULL with one line,
 * "FILE:LINE: ...", in error. */
script *script_read (const char *path, char *error, size_t size);
void script_free (script *s);

/* To be called before every frame, with the length of the frame in seconds.  Runs commands up to one that
 * takes time. Returns 1 while there is more to do, 0 at the end, -1 with one line in error. */
int script_run (script *s, app *a, int width, int height, double seconds, char *error, size_t size);

/* Tells the interface where the mouse is by the script. */
void script_feed (script *s);

#endif
