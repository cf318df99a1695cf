/*
 * Pictures and films: PNG files that contain the parameters of the run, and films by ffmpeg, which gets the
 * frames through a pipe.
 */
#ifndef VIEWER_CAPTURE_H
#define VIEWER_CAPTURE_H

#include <stddef.h>

/* Reads the colours of the bound framebuffer, three bytes for each pixel, beginning with the top row.  To be
 * freed; NULL without memory. */
unsigned char *capture_pixels (int width, int height);

/* Writes a PNG file with a text "Parameters" in it, completely or not at all.  Returns 1, or 0 with one line
 * in error. */
int capture_png (const char *path, const unsigned char *rgb, int width, int height, const char *parameters,
                 char *error, size_t size);

typedef struct capture_film capture_film;

/* Starts a film of width x height pixels (an odd size is cut by one) with rate frames in a second.  Returns
 * NULL with one line in error, for example if ffmpeg is missing. */
capture_film *capture_film_open (const char *path, int width, int height, int rate, const char *comment,
                                 char *error, size_t size);

/* Adds a frame, as capture_pixels returns it.  Returns 0 if the encoder has ended. */
int capture_film_add (capture_film *film, const unsigned char *rgb);
int capture_film_frames (const capture_film *film);

/* 1 if frames of this size belong to the film. */
int capture_film_fits (const capture_film *film, int width, int height);

/* Ends the film.  Returns 1, or 0 with one line in error if it failed. */
int capture_film_close (capture_film *film, char *error, size_t size);

/* Makes an animated picture of a film, smaller and with fewer frames, for pages that cannot play films.  With
 * leave it does not wait until that is done.  Returns 1, or 0 with one line in error. */
int capture_animate (const char *film, const char *picture, int leave, char *error, size_t size);

#endif
