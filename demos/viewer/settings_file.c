/*
 * Reads and writes the kept settings.  See settings_file.h.
 */
#include "settings_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <whole_file.h>
#include <sys/stat.h>
#include <unistd.h>

int settings_file (char *path, size_t size)
{
    const char *folder = getenv ("XDG_CONFIG_HOME"), *home = getenv ("HOME");
    int length = folder && folder[0] == '/' ? snprintf (path, size, "%s/ode-rls/view", folder)
                 : home && home[0]          ? snprintf (path, size, "%s/.config/ode-rls/view", home)
                                            : -1;
    return length >= 0 && (size_t)length < size;
}

/* 0 for settings with which no window should begin: pause, help, a free motion. */
static int is_kept (const setting *e)
{
    return strcmp (e->name, "paused") != 0 && strcmp (e->name, "help") != 0 &&
           strcmp (e->name, "motion") != 0;
}

/* Makes the folders that lead to a file. */
static void make_folders (const char *file)
{
    char path[4096];
    snprintf (path, sizeof path, "%s", file);
    for (char *slash = strchr (path + 1, '/'); slash; slash = strchr (slash + 1, '/'))
    {
        *slash = 0;
        mkdir (path, 0777); /* if that fails, opening the file fails as well */
        *slash = '/';
    }
}

/* Writes a line for each setting that differs from its default.  Returns how many there are. */
static int write_lines (FILE *f, const settings *s)
{
    settings plain;
    char now[64], usual[64];
    int lines = 0;
    settings_default (&plain);
    for (const setting *e = settings_table (); e->name; e++)
    {
        settings_get (s, e, now, sizeof now);
        settings_get (&plain, e, usual, sizeof usual);
        if (!is_kept (e) || strcmp (now, usual) == 0) continue;
        fprintf (f, "%s %s\n", e->name, now);
        lines++;
    }
    return lines;
}

int settings_keep (const settings *s, char *error, size_t size)
{
    char path[4096];
    if (!settings_file (path, sizeof path))
    {
        snprintf (error, size, "no folder for settings: neither XDG_CONFIG_HOME nor HOME is set");
        return 0;
    }
    make_folders (path);
    whole_file file = whole_file_open (path);
    const int lines = file.f ? write_lines (file.f, s) : 0;
    if (!whole_file_close (&file, 1, error, size)) return 0;
    if (!lines) unlink (path);
    return 1;
}

int settings_recall (settings *s, char *error, size_t size)
{
    char path[4096], line[256], name[64], value[64], why[160];
    FILE *f = settings_file (path, sizeof path) ? fopen (path, "r") : NULL;
    int good = 1;
    if (!f) return 1;
    for (int number = 1; fgets (line, sizeof line, f); number++)
    {
        if (line[0] == '\n' || line[0] == '#') continue;
        snprintf (why, sizeof why, "a line is NAME VALUE");
        if (sscanf (line, "%63s %63s", name, value) == 2 && settings_set (s, name, value, why, sizeof why))
            continue;
        if (good) snprintf (error, size, "%s:%d: %s", path, number, why);
        good = 0;
    }
    fclose (f);
    return good;
}
