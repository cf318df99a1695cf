/* What the tests of the scene reader share: scenes written as text, read from a folder that goes away. */
#ifndef SCENE_RIG_H
#define SCENE_RIG_H

#define _GNU_SOURCE /* nftw */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <ftw.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "scene_data.h"

#define RIG __attribute__ ((unused)) static

static char rig_folder[64];  /* where texts are written */
static char rig_error[2048]; /* of the last scene_read */
static char rig_warnings[8192];
static int rig_warning_count;

#define WORLD(content)                                                                                       \
    "<sdf version='1.9' xmlns:rls='urn:ode-rls'>\n<world name='w'>\n<gravity>0 0 0</gravity>\n" content      \
    "</world></sdf>"
#define MODEL(content) WORLD ("<model name='m'>\n" content "</model>")
#define LINK(name, content) "<link name='" name "'>" content "</link>\n"

RIG int rig_start (void **state)
{
    (void)state;
    snprintf (rig_folder, sizeof rig_folder, "/tmp/scene-test-XXXXXX");
    return mkdtemp (rig_folder) ? 0 : -1;
}

static int rig_remove (const char *path, const struct stat *status, int kind, struct FTW *walk)
{
    (void)status;
    (void)kind;
    (void)walk;
    return remove (path);
}

RIG int rig_end (void **state)
{
    (void)state;
    return nftw (rig_folder, rig_remove, 8, FTW_DEPTH | FTW_PHYS);
}

static void rig_warn (void *context, const char *line)
{
    (void)context;
    size_t used = strlen (rig_warnings);
    snprintf (rig_warnings + used, sizeof rig_warnings - used, "%s\n", line);
    rig_warning_count++;
}

/* Writes bytes to a file of the folder. */
RIG void rig_write_bytes (const char *name, const char *bytes, size_t length)
{
    char path[256];
    snprintf (path, sizeof path, "%s/%s", rig_folder, name);
    FILE *file = fopen (path, "wb");
    assert_non_null (file);
    assert_int_equal (fwrite (bytes, 1, length, file), length);
    assert_int_equal (fclose (file), 0);
}

RIG void rig_write (const char *name, const char *text) { rig_write_bytes (name, text, strlen (text)); }

/* Reads a file of the folder, or any if the name begins with a slash. */
RIG scene *rig_open (const char *name)
{
    char path[1200];
    snprintf (path, sizeof path, "%s%s%s", *name == '/' ? "" : rig_folder, *name == '/' ? "" : "/", name);
    rig_error[0] = rig_warnings[0] = 0;
    rig_warning_count = 0;
    return scene_read (path, rig_warn, NULL, rig_error, sizeof rig_error);
}

RIG scene *rig_read (const char *text)
{
    rig_write ("scene.sdf", text);
    return rig_open ("scene.sdf");
}

RIG scene *rig_good (const char *text)
{
    scene *s = rig_read (text);
    if (!s) print_error ("%s\n", rig_error);
    assert_non_null (s);
    return s;
}

/* The text must be refused with exactly "FOLDER/scene.sdf:" and what is expected. */
RIG void rig_bad (const char *text, const char *expected)
{
    char line[2200];
    scene *s = rig_read (text);
    if (s) print_error ("accepted instead of: %s\n", expected);
    assert_null (s);
    snprintf (line, sizeof line, "%s/scene.sdf:%s", rig_folder, expected);
    assert_string_equal (rig_error, line);
}

/* The text must be read with that one warning, and be refused with it where reading is strict. */
RIG void rig_doubtful (const char *text, const char *expected)
{
    char line[2200], path[256];
    scene *s = rig_good (text);
    scene_free (s);
    snprintf (line, sizeof line, "%s/scene.sdf:%s\n", rig_folder, expected);
    assert_string_equal (rig_warnings, line);
    line[strlen (line) - 1] = 0;
    snprintf (path, sizeof path, "%s/scene.sdf", rig_folder);
    assert_null (scene_read_strictly (path, NULL, NULL, rig_error, sizeof rig_error));
    assert_string_equal (rig_error, line);
}

RIG int rig_body (const scene *s, const char *name)
{
    for (int i = 0; i < scene_body_count (s); i++)
        if (!strcmp (scene_body_at (s, i)->name, name)) return i;
    fail_msg ("no body %s", name);
    return -1;
}

RIG dBodyID rig_body_id (const scene *s, const char *name)
{
    return scene_body_at (s, rig_body (s, name))->body;
}

RIG dJointID rig_joint (const scene *s, const char *name)
{
    for (int i = 0; i < scene_joint_count (s); i++)
        if (!strcmp (scene_joint_at (s, i)->name, name)) return scene_joint_at (s, i)->joint;
    fail_msg ("no joint %s", name);
    return NULL;
}

RIG void rig_near (const dReal *v, double x, double y, double z, double tolerance)
{
    double error = fmax (fabs ((double)v[0] - x), fmax (fabs ((double)v[1] - y), fabs ((double)v[2] - z)));
    if (!(error <= tolerance))
        fail_msg ("%.17g %.17g %.17g instead of %.17g %.17g %.17g", (double)v[0], (double)v[1], (double)v[2],
                  x, y, z);
}

RIG void rig_close (double value, double expected, double tolerance)
{
    if (!(fabs (value - expected) <= tolerance)) fail_msg ("%.17g instead of %.17g", value, expected);
}

/* ODE's step with the scene around it. */
RIG void rig_run (scene *s, int steps, double h)
{
    for (int i = 0; i < steps; i++)
    {
        scene_before_step (s, i * h, 0);
        assert_true (dWorldStep (scene_world (s), (dReal)h));
        scene_after_step (s);
    }
}

#endif
