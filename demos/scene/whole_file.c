/*
 * Files that are written completely or not at all.  See whole_file.h.
 */
#define _GNU_SOURCE
#include "whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* "folder/.name.PID.part" for "folder/name". */
static char *name_temporary (const char *path)
{
    const char *slash = strrchr (path, '/');
    const int folder = slash ? (int)(slash - path) + 1 : 0;
    char *name;
    return asprintf (&name, "%.*s.%s.%ld.part", folder, path, path + folder, (long)getpid ()) < 0 ? NULL
                                                                                                  : name;
}

static FILE *open_temporary (const char *name, mode_t mode)
{
    /* If there is such a file, it is of a process that has ended and had the same number. */
    unlink (name);
    const int descriptor = open (name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    FILE *f = descriptor < 0 ? NULL : fdopen (descriptor, "wb");
    if (!f && descriptor >= 0)
    {
        close (descriptor);
        unlink (name);
    }
    return f;
}

whole_file whole_file_open (const char *path)
{
    struct stat status;
    const int exists = stat (path, &status) == 0;
    /* A link stays, and the file that it leads to is replaced. */
    whole_file file = {.path = exists ? realpath (path, NULL) : strdup (path)};
    errno = 0;
    if (exists && S_ISDIR (status.st_mode))
        errno = EISDIR;
    else if (file.path && exists && !S_ISREG (status.st_mode))
        file.f = fopen (file.path, "wb");
    else if (file.path && (!exists || access (file.path, W_OK) == 0) &&
             (file.temporary = name_temporary (file.path)))
        file.f = open_temporary (file.temporary, exists ? status.st_mode & 0777 : 0666);
    if (!file.f) file.failure = errno ? errno : ENOMEM;
    return file;
}

int whole_file_flush (FILE *f)
{
    errno = 0;
    if (fflush (f) == 0 && !ferror (f)) return 0;
    if (errno) return errno;
    /* An earlier write failed, and errno does not tell why any more: another one fails for the same reason.
     */
    clearerr (f);
    fputc ('\n', f);
    fflush (f);
    return errno ? errno : EIO;
}

int whole_file_end (whole_file *file, int written)
{
    int failure = file->failure;
    if (file->f)
    {
        failure = whole_file_flush (file->f); /* also if the caller gave up: to find out why */
        if (fclose (file->f) != 0 && !failure) failure = errno;
        const int replaces = written && !failure;
        if (file->temporary && replaces && rename (file->temporary, file->path) != 0) failure = errno;
        if (file->temporary && (!replaces || failure)) unlink (file->temporary);
    }
    free (file->path);
    free (file->temporary);
    *file = (whole_file){0};
    return failure;
}

int whole_file_close (whole_file *file, int written, char *error, size_t size)
{
    snprintf (error, size, "%s: cannot be written: ", file->path ? file->path : "file");
    const int failure = whole_file_end (file, written);
    const size_t used = strlen (error);
    if (failure || !written)
        snprintf (error + used, size - used, "%s", failure ? strerror (failure) : "an earlier write failed");
    return !failure && written;
}

/* The folder that a path is in. */
static int stat_folder (const char *path, struct stat *status)
{
    char folder[4096];
    const char *slash = strrchr (path, '/');
    snprintf (folder, sizeof folder, "%.*s", slash ? (int)(slash - path) + 1 : 1, slash ? path : ".");
    return !stat (folder, status);
}

int is_same_file (const char *a, const char *b)
{
    struct stat of_a, of_b;
    if (!strcmp (a, b)) return 1;
    if (!stat (a, &of_a) && !stat (b, &of_b))
        return S_ISREG (of_a.st_mode) && of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
    const char *end_a = strrchr (a, '/'), *end_b = strrchr (b, '/');
    if (strcmp (end_a ? end_a + 1 : a, end_b ? end_b + 1 : b)) return 0;
    return stat_folder (a, &of_a) && stat_folder (b, &of_b) && of_a.st_dev == of_b.st_dev &&
           of_a.st_ino == of_b.st_ino;
}
