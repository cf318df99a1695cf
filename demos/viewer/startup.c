/*
 * See startup.h.
 */
#include "startup.h"

#include <stdio.h>

int startup (app *a, const view_options *o, const app_options *options)
{
    char error[2048];
    if (!app_init (a, &o->set, options, error, sizeof error))
    {
        fprintf (stderr, "ode-rls: %s\n", error);
        return 1;
    }
    /* The scenes of the command line are the playlist.  Without any, the Bricard mechanism is opened. */
    for (int i = 0; i < o->scenes; i++) scene_list_play (&a->scenes, o->scene[i]);
    int first = o->scenes ? 0 : scene_list_find (&a->scenes, "bricard");
    if (first < 0) first = a->scenes.count ? 0 : -1;
    if (first < 0 || app_open (a, a->scenes.entry[first].path)) return 0;
    fprintf (stderr, "ode-rls: %s\n", a->notice);
    return 2;
}
