/* Names of scenes, from the folders in which they are found. */
#define _GNU_SOURCE
#include "scene_names.h"

#include <dirent.h>
#include <scene.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH 100

static int is_scene (const struct dirent *e)
{
    size_t n = strlen (e->d_name);
    return n > 4 && strcmp (e->d_name + n - 4, ".sdf") == 0;
}

void scene_names_print (FILE *file, const char *indentation)
{
    char folder[4096];
    int column = 0;
    for (int i = 0; scene_folder (i, folder, sizeof folder); i++)
    {
        struct dirent **found = NULL;
        int n = folder[0] ? scandir (folder, &found, is_scene, alphasort) : 0;
        for (int k = 0; k < n; k++)
        {
            int length = (int)strlen (found[k]->d_name) - 4; /* without .sdf */
            if (column && column + 1 + length > WIDTH) column = fprintf (file, "\n") - 1;
            column += fprintf (file, "%s%.*s", column ? " " : indentation, length, found[k]->d_name);
            free (found[k]);
        }
        free (found);
        if (n > 0 && i > 0) break; /* the program's own: an installed copy has the same */
    }
    if (column) fputc ('\n', file);
}
