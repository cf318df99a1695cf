/*
 * Writes PNG files and runs ffmpeg.  See capture.h.
 */
#define _GNU_SOURCE
#include "capture.h"

#include <epoxy/gl.h>
#include <errno.h>
#include <fcntl.h>
#include <png.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <whole_file.h>

extern char **environ;

unsigned char *capture_pixels (int width, int height)
{
    size_t row = 3 * (size_t)width;
    unsigned char *pixels = malloc (row * (size_t)height), *line = malloc (row);
    if (pixels && line)
    {
        glPixelStorei (GL_PACK_ALIGNMENT, 1);
        glReadPixels (0, 0, width, height, GL_RGB, GL_UNSIGNED_BYTE, pixels);
        for (int y = 0; y < height / 2; y++)
        {
            unsigned char *a = pixels + row * (size_t)y, *b = pixels + row * (size_t)(height - 1 - y);
            memcpy (line, a, row);
            memcpy (a, b, row);
            memcpy (b, line, row);
        }
    }
    else
    {
        free (pixels);
        pixels = NULL;
    }
    free (line);
    return pixels;
}

static void keep_quiet (png_structp png, png_const_charp text)
{
    (void)png;
    (void)text;
}

static int write_png (FILE *f, const unsigned char *rgb, int width, int height, const char *parameters)
{
    png_structp png = png_create_write_struct (PNG_LIBPNG_VER_STRING, NULL, NULL, keep_quiet);
    png_infop info = png ? png_create_info_struct (png) : NULL;
    if (!info || setjmp (png_jmpbuf (png)))
    {
        png_destroy_write_struct (&png, &info);
        return 0;
    }
    png_init_io (png, f);
    png_set_IHDR (png, info, (png_uint_32)width, (png_uint_32)height, 8, PNG_COLOR_TYPE_RGB,
                  PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    if (parameters && *parameters)
    {
        char key[2][16] = {"Software", "Parameters"}, program[] = "ode-rls view";
        png_text text[2];
        memset (text, 0, sizeof text);
        for (int i = 0; i < 2; i++)
        {
            text[i].compression = PNG_TEXT_COMPRESSION_NONE;
            text[i].key = key[i];
            text[i].text = i ? (char *)parameters : program;
        }
        png_set_text (png, info, text, 2);
    }
    png_write_info (png, info);
    for (int y = 0; y < height; y++) png_write_row (png, rgb + 3 * (size_t)width * (size_t)y);
    png_write_end (png, NULL);
    png_destroy_write_struct (&png, &info);
    return 1;
}

int capture_png (const char *path, const unsigned char *rgb, int width, int height, const char *parameters,
                 char *error, size_t size)
{
    whole_file file = whole_file_open (path);
    const int written = file.f && write_png (file.f, rgb, width, height, parameters);
    return whole_file_close (&file, written, error, size);
}

struct capture_film
{
    char *path;
    int width, height, frames, failed;
    int pipe;
    pid_t encoder;
};

/* Starts ffmpeg, which reads input, or nothing if input is negative.  It gets a process group of its own,
   because Ctrl-C at the terminal must not end it: the viewer then completes the film. */
static int start_encoder (pid_t *encoder, int input, char *const *arguments)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init (&actions);
    posix_spawnattr_init (&attributes);
    if (input >= 0)
        posix_spawn_file_actions_adddup2 (&actions, input, 0);
    else
        posix_spawn_file_actions_addopen (&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen (&actions, 1, "/dev/null", O_WRONLY, 0);
    posix_spawnattr_setflags (&attributes, POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setpgroup (&attributes, 0);
    const int result = posix_spawnp (encoder, "ffmpeg", &actions, &attributes, arguments, environ);
    posix_spawn_file_actions_destroy (&actions);
    posix_spawnattr_destroy (&attributes);
    return result;
}

static void explain (int result, char *error, size_t size)
{
    if (result == ENOENT)
        snprintf (error, size, "ffmpeg is not installed: no video");
    else
        snprintf (error, size, "ffmpeg cannot be started: %s", strerror (result));
}

capture_film *capture_film_open (const char *path, int width, int height, int rate, const char *comment,
                                 char *error, size_t size)
{
    char frame_size[32], frame_rate[16], *note = NULL;
    snprintf (frame_size, sizeof frame_size, "%dx%d", width, height);
    snprintf (frame_rate, sizeof frame_rate, "%d", rate);
    capture_film *film = calloc (1, sizeof *film);
    if (!film || asprintf (&note, "comment=%s", comment) < 0)
    {
        free (film);
        snprintf (error, size, "%s: out of memory", path);
        return NULL;
    }
    char *const arguments[] = {"ffmpeg",     "-y",         "-loglevel", "error",
                               "-f",         "rawvideo",   "-pix_fmt",  "rgb24",
                               "-s",         frame_size,   "-r",        frame_rate,
                               "-i",         "-",          "-vf",       "crop=trunc(iw/2)*2:trunc(ih/2)*2",
                               "-pix_fmt",   "yuv420p",    "-crf",      "18",
                               "-movflags",  "+faststart", "-metadata", note,
                               (char *)path, NULL};
    int ends[2];
    int result = pipe2 (ends, O_CLOEXEC) == 0 ? 0 : errno;
    if (!result)
    {
        result = start_encoder (&film->encoder, ends[0], arguments);
        close (ends[0]);
        if (result) close (ends[1]);
    }
    free (note);
    if (result)
    {
        explain (result, error, size);
        free (film);
        return NULL;
    }
    /* If the encoder has ended, writing to it must fail and not end the viewer. */
    signal (SIGPIPE, SIG_IGN);
    film->path = strdup (path);
    film->pipe = ends[1];
    film->width = width;
    film->height = height;
    return film;
}

int capture_film_add (capture_film *film, const unsigned char *rgb)
{
    size_t left = 3 * (size_t)film->width * (size_t)film->height;
    while (left && !film->failed)
    {
        ssize_t written = write (film->pipe, rgb, left);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0)
            film->failed = 1;
        else
        {
            rgb += written;
            left -= (size_t)written;
        }
    }
    film->frames += !film->failed;
    return !film->failed;
}

int capture_film_fits (const capture_film *film, int width, int height)
{
    return film->width == width && film->height == height;
}

int capture_film_frames (const capture_film *film) { return film->frames; }

int capture_film_close (capture_film *film, char *error, size_t size)
{
    if (!film) return 1;
    int status = 0;
    close (film->pipe);
    while (waitpid (film->encoder, &status, 0) < 0 && errno == EINTR)
    {
    }
    int ok = !film->failed && WIFEXITED (status) && WEXITSTATUS (status) == 0;
    if (!ok) snprintf (error, size, "%s: ffmpeg failed", film->path ? film->path : "video");
    free (film->path);
    free (film);
    return ok;
}

int capture_animate (const char *film, const char *picture, int leave, char *error, size_t size)
{
    char *const arguments[] = {
        "ffmpeg",   "-n",           "-loglevel",     "error",
        "-i",       (char *)film,   "-vf",           "fps=20,scale='min(960,iw)':-2:flags=lanczos",
        "-c:v",     "libwebp_anim", "-loop",         "0",
        "-quality", "70",           (char *)picture, NULL};
    pid_t encoder;
    int status = 0, result = start_encoder (&encoder, -1, arguments);
    if (result)
    {
        explain (result, error, size);
        return 0;
    }
    if (leave) return 1;
    while (waitpid (encoder, &status, 0) < 0 && errno == EINTR)
    {
    }
    if (WIFEXITED (status) && WEXITSTATUS (status) == 0) return 1;
    snprintf (error, size, "%s: ffmpeg failed", picture);
    return 0;
}
