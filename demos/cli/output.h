/*
 * The files that the program writes: completely or not at all (see whole_file.h), or "-", standard output.
 */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include <whole_file.h>

typedef struct
{
    FILE *file;       /* NULL: not open */
    char *path;       /* as the user gave it, for messages */
    whole_file whole; /* unused for standard output */
} output;

/* Opens an output.  Returns 1, or 0 after an error line. */
int output_open (output *out, const char *path);

/* Closes the file and replaces the target by it.  Returns 1, or 0 after an error line; the target is then
 * unchanged.  Does nothing, and returns 1, if the output is not open. */
int output_commit (output *out);

/* Closes the file and removes it.  Does nothing if the output is not open. */
void output_discard (output *out);

#endif
