/*
 * The names of scenes, from the folders in which they are.
 */
#include "scene_names.h"

#include <scene.h>
#include <string.h>

#define WIDTH 100

void scene_names_each (void (*take) (void *context, const char *name), void *context)
{
    char folder[4096], zoo[4200];
    for (int i = 0; scene_folder (i, folder, sizeof folder); i++)
    {
        if (!folder[0]) continue;
        snprintf (zoo, sizeof zoo, "%s/zoo", folder);
        const int any = scene_folder_each (folder, take, context);
        scene_folder_each (zoo, take, context);
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
