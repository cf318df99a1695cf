/* Files that are there whole or not at all.  See whole_file.h. */
#define _GNU_SOURCE
#include "whole_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

whole_file whole_file_open (const char *path)
{
    whole_file file = {NULL, strdup (path), NULL};
    if (!file.path || asprintf (&file.temporary, "%s.part", path) < 0) file.temporary = NULL;
    if (file.temporary) file.f = fopen (file.temporary, "wb");
    return file;
}

int whole_file_close (whole_file *file, int written, char *error, size_t size)
{
    const int opened = file->f != NULL;
    int good = opened && written && !ferror (file->f);
    if (opened && fclose (file->f) != 0) good = 0;
    if (good && rename (file->temporary, file->path) != 0) good = 0;
    if (!good)
    {
        snprintf (error, size, "%s: cannot be written: %s", file->path ? file->path : "file",
                  strerror (errno));
        if (opened) unlink (file->temporary);
    }
    free (file->path), free (file->temporary);
    *file = (whole_file){0};
    return good;
}
