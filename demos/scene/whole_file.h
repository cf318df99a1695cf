/*
 * Files that are written completely or not at all.  A temporary file in the same folder is written, and
 * replaces the target when it is complete.  A device or a pipe is written to directly, because it must not be
 * replaced.
 */
#ifndef SCENE_WHOLE_FILE_H
#define SCENE_WHOLE_FILE_H

#include <stddef.h>
#include <stdio.h>

typedef struct
{
    FILE *f;         /* NULL if the file cannot be opened */
    int failure;     /* why: an errno */
    char *path;      /* where it will be, with links resolved */
    char *temporary; /* NULL if the path is written to directly */
} whole_file;

/* Opens a file for writing. */
whole_file whole_file_open (const char *path);

/* Closes a file, also one that could not be opened.  If written is 1 and nothing failed, it replaces the
 * target; otherwise the target is unchanged.  Returns 0, or the errno of the first failure. */
int whole_file_end (whole_file *file, int written);

/* The same with a message: returns 1, or 0 with one line in error. */
int whole_file_close (whole_file *file, int written, char *error, size_t size);

/* Writes what is buffered.  Returns 0, or the errno of this or an earlier failure. */
int whole_file_flush (FILE *f);

/* 1 if both paths name the same file, whether it is there already or not. */
int is_same_file (const char *a, const char *b);

#endif
