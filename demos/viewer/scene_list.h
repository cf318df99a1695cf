/*
 * The scenes that can be chosen: the .sdf files of the scenes folder, files named on the command line or
 * dropped on the window, and a few generated ones.
 */
#ifndef VIEWER_SCENE_LIST_H
#define VIEWER_SCENE_LIST_H

typedef struct
{
    char *path, *name;
} scene_entry;

typedef struct
{
    scene_entry *entry;
    int count, current; /* -1: none */
    int playlist;       /* how many of the first ones were given on the command line, in this order */
} scene_list;

/* Adds a path unless it is there already; returns its index, -1 without memory. */
int scene_list_add (scene_list *list, const char *path);

/* Appends a scene, by its name in the list or by its path, to the playlist.  Returns its index, -1 without
 * memory. */
int scene_list_play (scene_list *list, const char *name_or_path);

/* Adds the .sdf files of a folder, sorted by name.  Returns how many there were. */
int scene_list_add_folder (scene_list *list, const char *folder);
void scene_list_add_generated (scene_list *list);
void scene_list_free (scene_list *list);

/* Adds the scenes of the user's folder or else those that come with the program.  Returns how many there
 * were. */
int scene_list_add_own (scene_list *list);

/* Index of a scene by its name ("bricard"), -1 if there is none. */
int scene_list_find (const scene_list *list, const char *name);

#endif
