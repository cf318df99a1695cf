/*
 * The folders in which scenes are found by name.  The program's own lies beside it, so that an installed tree
 * may be moved; a build folder holds a link there to the scenes of the source tree.
 */
#define _GNU_SOURCE
#include "scene.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* 1 if path holds the whole text. */
static int whole (int length, size_t size) { return length >= 0 && (size_t)length < size; }

static int beside_program (char *path, size_t size)
{
    char program[4096];
    ssize_t n = readlink ("/proc/self/exe", program, sizeof program);
    if (n <= 0 || (size_t)n == sizeof program) return 0;
    const char *slash = memrchr (program, '/', (size_t)n);
    if (!slash) return 0;
    return whole (snprintf (path, size, "%.*s/../share/ode-rls/scenes", (int)(slash - program), program),
                  size);
}

int scene_folder (int i, char *path, size_t size)
{
    const char *wanted = getenv ("ODE_RLS_SCENES");
    path[0] = 0;
    switch (i)
    {
    case 0:
        if (wanted && !whole (snprintf (path, size, "%s", wanted), size)) path[0] = 0;
        return 1;
    case 1:
        if (!beside_program (path, size)) path[0] = 0;
        return 1;
    case 2:
        if (!whole (snprintf (path, size, "%s", SCENE_INSTALL_FOLDER), size)) path[0] = 0;
        return 1;
    default:
        return 0;
    }
}

static int is_scene (const struct dirent *e)
{
    const size_t n = strlen (e->d_name);
    return n > 4 && strcmp (e->d_name + n - 4, ".sdf") == 0;
}

int scene_folder_each (const char *folder, void (*take) (void *context, const char *name), void *context)
{
    struct dirent **found = NULL;
    const int count = scandir (folder, &found, is_scene, alphasort);
    for (int i = 0; i < count; i++)
    {
        found[i]->d_name[strlen (found[i]->d_name) - 4] = 0; /* without .sdf */
        take (context, found[i]->d_name);
        free (found[i]);
    }
    free (found);
    return count < 0 ? 0 : count;
}
