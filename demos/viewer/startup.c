/*
 * Common beginning.  See startup.h.
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
    for (int i = o->scenes - 1; i >= 0; i--)
    {
        int known = scene_list_find (&a->scenes, o->scene[i]);
        if (!app_open (a, known >= 0 ? a->scenes.entry[known].path : o->scene[i]))
        {
            fprintf (stderr, "ode-rls: %s\n", a->notice);
            return 2;
        }
    }
    if (o->scenes) return 0;
    int first = scene_list_find (&a->scenes, "bricard");
    if (first < 0) first = a->scenes.count ? 0 : -1;
    if (first >= 0 && !app_open (a, a->scenes.entry[first].path))
    {
        fprintf (stderr, "ode-rls: %s\n", a->notice);
        return 2;
    }
    return 0;
}
