/*
 * Files that are written completely or not at all.  A temporary file in the same folder is written, and
 * replaces the target when it is complete.  "-" is standard output.  A device or a pipe is written to
 * directly, because it must not be replaced.
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

/* Opens an output.  Returns 1, or 0 after an error line. */
int output_open (output *out, const char *path);

/* Closes the file and replaces the target by it.  Returns 1, or 0 after an error line; the target is then
 * unchanged.  Does nothing, and returns 1, if the output is not open. */
int output_commit (output *out);

/* Closes the file and removes it.  Does nothing if the output is not open. */
void output_discard (output *out);

#endif
