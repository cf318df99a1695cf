/*
 * Files that are written completely or not at all: under another name, and renamed if all of it was written.
 */
#ifndef VIEWER_WHOLE_FILE_H
#define VIEWER_WHOLE_FILE_H

#include <stddef.h>
#include <stdio.h>

typedef struct
{
    FILE *f;                /* NULL if it cannot be opened or memory is short; errno says why */
    char *path, *temporary; /* temporary is NULL for pipes and devices */
} whole_file;

/* Opens a file for writing. */
whole_file whole_file_open (const char *path);

/* Closes a file; written is 1 if the caller has written all of it.  Returns 1, or 0 with one line in error;
 * then there is no new file, and a file that was there before is unchanged. */
int whole_file_close (whole_file *file, int written, char *error, size_t size);

#endif
