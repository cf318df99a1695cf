/*
 * The text of the shaders: the copies that are built into the program, or files of a folder while shaders are
 * being developed.  #include "name" is resolved here, and messages of the compiler are related to files and
 * lines again.
 */
#ifndef VIEWER_SHADER_SOURCE_H
#define VIEWER_SHADER_SOURCE_H

#include <stddef.h>

typedef struct
{
    const char *name, *text;
} shader_file;

/* The files that are built in, made by embed.cmake.  A NULL name ends the list. */
extern const shader_file shader_files[];

#define SHADER_PARTS 8 /* how many files a shader may consist of */

typedef struct
{
    char *text;
    char part[SHADER_PARTS]
             [64]; /* the name of each file, in the order of the numbers that #line has for them */
    int parts;
} shader_source;

/* Reads a shader with its includes from a folder, or from the built-in files if folder is NULL.  If define is
 * not NULL, it is a macro that is set to 1.  Returns 1, or 0 with one line in error.  Free the source with
 * shader_source_free. */
int shader_source_load (shader_source *source, const char *folder, const char *name, const char *define,
                        char *error, size_t size);
void shader_source_free (shader_source *source);

/* Rewrites the messages of a driver's compiler: "0:12(5): error: ..." (Mesa) or "0(12) : error ..." (NVIDIA)
 * becomes "solid.frag:12: error: ...". */
void shader_source_explain (const shader_source *source, const char *log, char *out, size_t size);

/* The time of the last change of a file in the folder; 0 if it cannot be read. */
long long shader_source_stamp (const char *folder);

#endif
