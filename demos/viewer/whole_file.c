/*
 * Files that are written completely or not at all.  See whole_file.h.
 */
#define _GNU_SOURCE
#include "whole_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* If the path is a link, the file that it leads to is replaced, and not the link.  Pipes and devices are
   written to directly, because renaming a file would replace them. */
whole_file whole_file_open (const char *path)
{
    struct stat status;
    const int exists = stat (path, &status) == 0;
    whole_file file = {NULL, exists ? realpath (path, NULL) : strdup (path), NULL};
    if (!file.path) return file;
    if (exists && !S_ISREG (status.st_mode))
        file.f = fopen (file.path, "wb");
    else if (asprintf (&file.temporary, "%s.part", file.path) < 0)
        file.temporary = NULL;
    else
        file.f = fopen (file.temporary, "wb");
    return file;
}

int whole_file_close (whole_file *file, int written, char *error, size_t size)
{
    const int opened = file->f != NULL;
    int good = opened && written && !ferror (file->f);
    if (opened && fclose (file->f) != 0) good = 0;
    if (good && file->temporary && rename (file->temporary, file->path) != 0) good = 0;
    if (!good)
    {
        snprintf (error, size, "%s: cannot be written: %s", file->path ? file->path : "file",
                  strerror (errno));
        if (opened && file->temporary) unlink (file->temporary);
    }
    free (file->path), free (file->temporary);
    *file = (whole_file){0};
    return good;
}
