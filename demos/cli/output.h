/*
 * Files that appear whole or not at all: what is written goes to a temporary file beside the target,
 * which takes the target's place when everything has reached it.  "-" is standard output.  A device or
 * a pipe is written directly, because it must not be replaced.
 */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include <stdio.h>

typedef struct
{
    FILE *file;      /* NULL: not open */
    char *path;      /* as the user gave it, for messages */
    char *target;    /* NULL: written directly */
    char *temporary; /* NULL: written directly */
} output;

/* Opens it for writing.  Returns 1, or 0 after an error line; then the output is not open. */
int output_open (output *out, const char *path);

/* Closes the file and puts it in place.  Returns 1, or 0 after an error line; then the target is as
 * it was before.  An output that is not open is fine. */
int output_commit (output *out);

/* Closes and removes what was written; an output that is not open is fine. */
void output_discard (output *out);

#endif
