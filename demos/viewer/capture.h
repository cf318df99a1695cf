/*
 * Pictures and films of the frame: PNG files that carry the run's parameters, and raw frames piped to
 * ffmpeg.
 */
#ifndef VIEWER_CAPTURE_H
#define VIEWER_CAPTURE_H

#include <stddef.h>

/* Reads the bound framebuffer's colours, three bytes a pixel, upper row first; free() the result.
 * NULL without memory. */
unsigned char *capture_pixels (int width, int height);

/* Writes a PNG with a "Parameters" text.  The file appears whole or not at all.  Returns 1, or 0 with
 * one line in error. */
int capture_png (const char *path, const unsigned char *rgb, int width, int height, const char *parameters,
                 char *error, size_t size);

typedef struct capture_film capture_film;

/* Starts a film of width x height (odd sizes lose a row or column) at frames a second.  Returns NULL
 * with one line in error, for example when ffmpeg is missing. */
capture_film *capture_film_open (const char *path, int width, int height, int rate, const char *comment,
                                 char *error, size_t size);

/* Adds a frame of the film's size, as from capture_pixels.  Returns 0 when the encoder has gone. */
int capture_film_add (capture_film *film, const unsigned char *rgb);
int capture_film_frames (const capture_film *film);

/* Whether frames still have the film's size. */
int capture_film_fits (const capture_film *film, int width, int height);

/* Ends the film.  Returns 1, or 0 with one line in error if it failed. */
int capture_film_close (capture_film *film, char *error, size_t size);

/* An animated picture of a film, smaller and slower, for pages that play no films.  leave: does not wait for
 * it. Returns 1, or 0 with one line in error. */
int capture_animate (const char *film, const char *picture, int leave, char *error, size_t size);

#endif
