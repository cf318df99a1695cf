/*
 * The text of the shaders: the copies embedded at build, or files in a folder while they are being
 * written.  #include "name" is resolved here; error logs are put back into terms of file and line.
 */
#ifndef VIEWER_SHADER_SOURCE_H
#define VIEWER_SHADER_SOURCE_H

#include <stddef.h>

typedef struct
{
    const char *name, *text;
} shader_file;

/* The embedded files, closed by a NULL name; written by embed.cmake. */
extern const shader_file shader_files[];

#define SHADER_PARTS 8 /* files that may make up one shader */

typedef struct
{
    char *text;
    char part[SHADER_PARTS][64]; /* name of each file, by the number that #line gives it */
    int parts;
} shader_source;

/* Reads a shader with its includes from folder, or from the embedded files if folder is NULL.  define
 * (may be NULL) is a macro that is set to 1.  Returns 1, or 0 with one line in error.  Free it with
 * shader_source_free. */
int shader_source_load (shader_source *source, const char *folder, const char *name, const char *define,
                        char *error, size_t size);
void shader_source_free (shader_source *source);

/* Rewrites a driver's compile log, "0:12(5): error: ..." or "0(12) : error ...", to "solid.frag:12: error:
 * ...". */
void shader_source_explain (const shader_source *source, const char *log, char *out, size_t size);

/* Newest modification time of the files in folder, for reloading; 0 if it cannot be read. */
long long shader_source_stamp (const char *folder);

#endif
