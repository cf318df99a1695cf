/*
 * The names of scenes, from the folders in which they are.
 */
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

/* The scenes of one folder, in order. */
static int each_in (const char *folder, void (*take) (void *context, const char *name), void *context)
{
    struct dirent **found = NULL;
    int n = scandir (folder, &found, is_scene, alphasort);
    for (int k = 0; k < n; k++)
    {
        found[k]->d_name[strlen (found[k]->d_name) - 4] = 0; /* without .sdf */
        take (context, found[k]->d_name);
        free (found[k]);
    }
    free (found);
    return n > 0;
}

void scene_names_each (void (*take) (void *context, const char *name), void *context)
{
    char folder[4096], zoo[4200];
    for (int i = 0; scene_folder (i, folder, sizeof folder); i++)
    {
        if (!folder[0]) continue;
        snprintf (zoo, sizeof zoo, "%s/zoo", folder);
        const int any = each_in (folder, take, context);
        each_in (zoo, take, context);
        if (any && i > 0) break; /* folder 0 is the user's; the others have the same scenes */
    }
}

typedef struct
{
    FILE *file;
    const char *indentation;
    int column;
} listing;

static void print_name (void *context, const char *name)
{
    listing *l = context;
    if (l->column && l->column + 1 + (int)strlen (name) > WIDTH) l->column = fprintf (l->file, "\n") - 1;
    l->column += fprintf (l->file, "%s%s", l->column ? " " : l->indentation, name);
}

void scene_names_print (FILE *file, const char *indentation)
{
    listing l = {file, indentation, 0};
    scene_names_each (print_name, &l);
    if (l.column) fputc ('\n', file);
}
