/*
 * A page writes no files: pictures and films are the browser's own.  Stands for demos/viewer/capture.c.
 */
#include "capture.h"

#include <stdio.h>

static const char why[] = "a page writes no files: take a picture of the screen by the browser";

unsigned char *capture_pixels (int width, int height)
{
    (void)width;
    (void)height;
    return NULL;
}

int capture_png (const char *path, const unsigned char *rgb, int width, int height, const char *parameters,
                 char *error, size_t size)
{
    (void)path;
    (void)rgb;
    (void)width;
    (void)height;
    (void)parameters;
    snprintf (error, size, "%s", why);
    return 0;
}

capture_film *capture_film_open (const char *path, int width, int height, int rate, const char *comment,
                                 char *error, size_t size)
{
    (void)path;
    (void)width;
    (void)height;
    (void)rate;
    (void)comment;
    snprintf (error, size, "%s", why);
    return NULL;
}

int capture_film_add (capture_film *film, const unsigned char *rgb) { return film && rgb; }
int capture_film_frames (const capture_film *film) { return film != NULL; }
int capture_film_fits (const capture_film *film, int width, int height) { return film && width && height; }

int capture_film_close (capture_film *film, char *error, size_t size)
{
    (void)film;
    snprintf (error, size, "%s", why);
    return 0;
}

int capture_animate (const char *film, const char *picture, int leave, char *error, size_t size)
{
    (void)film;
    (void)picture;
    (void)leave;
    snprintf (error, size, "%s", why);
    return 0;
}
