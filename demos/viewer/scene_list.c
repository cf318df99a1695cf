/*
 * The list of scenes.  See scene_list.h.
 */
#define _GNU_SOURCE
#include "scene_list.h"

#include <scene.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int scene_list_add (scene_list *list, const char *path)
{
    for (int i = 0; i < list->count; i++)
        if (strcmp (list->entry[i].path, path) == 0) return i;
    scene_entry *larger = realloc (list->entry, sizeof *larger * (size_t)(list->count + 1));
    if (!larger) return -1;
    list->entry = larger;
    const char *slash = strrchr (path, '/');
    scene_entry e = {strdup (path), strdup (slash ? slash + 1 : path)};
    if (!e.path || !e.name)
    {
        free (e.path);
        free (e.name);
        return -1;
    }
    char *dot = strrchr (e.name, '.');
    if (dot && strcmp (dot, ".sdf") == 0) *dot = 0;
    list->entry[list->count] = e;
    return list->count++;
}

int scene_list_play (scene_list *list, const char *name_or_path)
{
    int at = scene_list_find (list, name_or_path);
    if (at < 0) at = scene_list_add (list, name_or_path);
    if (at < list->playlist) return at; /* out of memory, or named twice */
    const scene_entry e = list->entry[at];
    memmove (list->entry + list->playlist + 1, list->entry + list->playlist,
             sizeof e * (size_t)(at - list->playlist));
    list->entry[list->playlist] = e;
    return list->playlist++;
}

typedef struct
{
    scene_list *list;
    const char *folder;
    int added;
} folder_list;

static void add_of_folder (void *context, const char *name)
{
    folder_list *f = context;
    char *path = NULL;
    if (asprintf (&path, "%s/%s.sdf", f->folder, name) < 0) return;
    f->added += scene_list_add (f->list, path) >= 0;
    free (path);
}

int scene_list_add_folder (scene_list *list, const char *folder)
{
    folder_list f = {list, folder, 0};
    scene_folder_each (folder, add_of_folder, &f);
    return f.added;
}

void scene_list_add_generated (scene_list *list)
{
    static const char *const names[] = {"fourbar:10", "chain:40", "miura:6", "net:8",
                                        "netc:12",    "stack:10", "wall:60", "ragdolls:6"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) scene_list_add (list, names[i]);
}

void scene_list_free (scene_list *list)
{
    for (int i = 0; i < list->count; i++)
    {
        free (list->entry[i].path);
        free (list->entry[i].name);
    }
    free (list->entry);
    memset (list, 0, sizeof *list);
}

static int is_folder (const char *path)
{
    struct stat info;
    return stat (path, &info) == 0 && S_ISDIR (info.st_mode);
}

int scene_list_add_own (scene_list *list)
{
    char folder[4096];
    for (int i = 0; scene_folder (i, folder, sizeof folder); i++)
        if (folder[0] && is_folder (folder)) return scene_list_add_folder (list, folder);
    return 0;
}

int scene_list_find (const scene_list *list, const char *name)
{
    for (int i = 0; i < list->count; i++)
        if (strcmp (list->entry[i].name, name) == 0) return i;
    return -1;
}
