/* Files that are there whole or not at all: written under another name, and renamed when that went well. */
#ifndef VIEWER_WHOLE_FILE_H
#define VIEWER_WHOLE_FILE_H

#include <stddef.h>
#include <stdio.h>

typedef struct
{
    FILE *f;                /* NULL: it cannot be written, or memory is short; errno says why */
    char *path, *temporary; /* temporary is NULL for pipes and devices */
} whole_file;

whole_file whole_file_open (const char *path);

/* Ends a file, of which written says whether all of it was.  Returns 1, or 0 with a message; then there is no
 * new file, and what was there before is untouched. */
int whole_file_close (whole_file *file, int written, char *error, size_t size);

#endif
