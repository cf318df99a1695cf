/*
 * Output files with error lines.  See output.h.
 */
#include "output.h"
#include "failure.h"

#include <stdlib.h>
#include <string.h>

/* Ends an output, with an error line if something failed. */
static int end (output *out, int failure)
{
    if (failure) fail (0, "cannot write %s: %s", out->path, strerror (failure));
    free (out->path);
    memset (out, 0, sizeof *out);
    return !failure;
}

int output_open (output *out, const char *path)
{
    const int is_stdout = strcmp (path, "-") == 0;
    memset (out, 0, sizeof *out);
    out->path = strdup (is_stdout ? "standard output" : path);
    if (!out->path) return fail (0, "out of memory");
    if (!is_stdout) out->whole = whole_file_open (path);
    out->file = is_stdout ? stdout : out->whole.f;
    return out->file ? 1 : end (out, whole_file_end (&out->whole, 0));
}

int output_commit (output *out)
{
    if (!out->file) return 1;
    return end (out, out->file == stdout ? whole_file_flush (stdout) : whole_file_end (&out->whole, 1));
}

void output_discard (output *out)
{
    if (out->whole.f) whole_file_end (&out->whole, 0);
    end (out, 0);
}
