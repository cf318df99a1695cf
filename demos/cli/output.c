/*
 * Output files, which are written to a temporary file and renamed at the end.  See output.h.
 */
#include "output.h"
#include "failure.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void forget (output *out)
{
    free (out->path);
    free (out->target);
    free (out->temporary);
    memset (out, 0, sizeof *out);
}

/* "folder/.name.PID.part" for "folder/name". */
static char *name_temporary (const char *target)
{
    const char *slash = strrchr (target, '/');
    int folder = slash ? (int)(slash - target) + 1 : 0;
    size_t size = strlen (target) + 32;
    char *name = malloc (size);
    if (name) snprintf (name, size, "%.*s.%s.%ld.part", folder, target, target + folder, (long)getpid ());
    return name;
}

static int open_temporary (output *out, mode_t mode)
{
    out->temporary = name_temporary (out->target);
    if (!out->temporary) return 0;
    /* If there is such a file, it is of a process that has ended and had the same number. */
    unlink (out->temporary);
    int descriptor = open (out->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (descriptor < 0) return 0;
    out->file = fdopen (descriptor, "w");
    if (out->file) return 1;
    close (descriptor);
    unlink (out->temporary);
    return 0;
}

int output_open (output *out, const char *path)
{
    memset (out, 0, sizeof *out);
    out->path = strdup (strcmp (path, "-") ? path : "standard output");
    if (!out->path) return fail (0, "out of memory");

    struct stat status;
    int exists = stat (path, &status) == 0, opened;
    if (strcmp (path, "-") == 0)
    {
        out->file = stdout;
        return 1;
    }
    if (exists && S_ISDIR (status.st_mode))
    {
        errno = EISDIR;
        opened = 0;
    }
    else if (exists && !S_ISREG (status.st_mode))
    {
        out->file = fopen (path, "w");
        opened = out->file != NULL;
    }
    else if (exists && access (path, W_OK) != 0)
    {
        opened = 0;
    }
    else
    {
        /* A link stays, and the file that it leads to is replaced. */
        out->target = exists ? realpath (path, NULL) : strdup (path);
        opened = out->target && open_temporary (out, exists ? status.st_mode & 0777 : 0666);
    }
    if (!opened)
    {
        fail (0, "cannot write %s: %s", path, strerror (errno));
        forget (out);
    }
    return opened;
}

/* Finds out why an earlier write failed if errno does not tell any more: another write fails for the same
   reason.  The file is not used in any case. */
static int ask_again (FILE *f)
{
    errno = 0;
    clearerr (f);
    fputc ('\n', f);
    fflush (f);
    return errno;
}

int output_commit (output *out)
{
    if (!out->file) return 1;
    errno = 0;
    int good = fflush (out->file) == 0 && !ferror (out->file);
    int reason = good || errno ? errno : ask_again (out->file);
    if (out->file != stdout && fclose (out->file) != 0)
    {
        if (good) reason = errno;
        good = 0;
    }
    out->file = NULL;
    if (good && out->temporary && rename (out->temporary, out->target) != 0)
    {
        reason = errno;
        good = 0;
    }
    if (!good)
    {
        if (out->temporary) unlink (out->temporary);
        fail (0, "cannot write %s: %s", out->path, reason ? strerror (reason) : "an earlier write failed");
    }
    forget (out);
    return good;
}

void output_discard (output *out)
{
    if (out->file && out->file != stdout) fclose (out->file);
    if (out->temporary) unlink (out->temporary);
    forget (out);
}
