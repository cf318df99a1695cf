/*
 * Reads shaders and resolves their includes.  See shader_source.h.
 */
#define _GNU_SOURCE
#include "shader_source.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* What replaces the first line of a shader, #version 330 core.  WebGL 2 has nearly the same language under
 * another version. */
#ifdef __EMSCRIPTEN__
#define LANGUAGE                                                                                             \
    "#version 300 es\nprecision highp float;\nprecision highp int;\nprecision highp sampler2DShadow;\n"
#else
#define LANGUAGE "#version 330 core\n"
#endif

/* The text of a file, allocated; NULL if it cannot be read or is larger than 1 MiB. */
static char *read_whole (const char *path)
{
    FILE *f = fopen (path, "rb");
    if (!f) return NULL;
    char *text = NULL;
    size_t length = 0;
    if (fseek (f, 0, SEEK_END) == 0)
    {
        long size = ftell (f);
        if (size >= 0 && size < 1 << 20 && (text = malloc ((size_t)size + 1)))
        {
            rewind (f);
            length = fread (text, 1, (size_t)size, f);
            text[length] = 0;
        }
    }
    fclose (f);
    return text;
}

/* The text of a shader file, from the folder or built in; allocated.  NULL if there is none. */
static char *file_text (const char *folder, const char *name)
{
    if (folder)
    {
        char *path = NULL;
        if (asprintf (&path, "%s/%s", folder, name) < 0) return NULL;
        char *text = read_whole (path);
        free (path);
        return text;
    }
    for (const shader_file *f = shader_files; f->name; f++)
        if (strcmp (f->name, name) == 0) return strdup (f->text);
    return NULL;
}

/* Appends n characters to an allocated text.  Returns 0 without memory. */
static int append (char **text, size_t *length, const char *more, size_t n)
{
    char *grown = realloc (*text, *length + n + 1);
    if (!grown) return 0;
    memcpy (grown + *length, more, n);
    *length += n;
    grown[*length] = 0;
    *text = grown;
    return 1;
}

/* Appends a file, with what it includes, to the source.  #line directives say where each part comes from.
   Returns 0 with one line in error. */
static int add_file (shader_source *s, size_t *length, const char *folder, const char *name,
                     const char *define, char *error, size_t size)
{
    if (s->parts == SHADER_PARTS)
    {
        snprintf (error, size, "%s: more than %d files in one shader", name, SHADER_PARTS);
        return 0;
    }
    int number = s->parts++;
    snprintf (s->part[number], sizeof s->part[number], "%s", name);
    char *text = file_text (folder, name);
    if (!text)
    {
        snprintf (error, size, "%s: cannot be read%s%s", name, folder ? " from " : "", folder ? folder : "");
        return 0;
    }
    int ok = 1, line = 1;
    char mark[192];
    /* The first file begins with #version, before which nothing may stand. */
    if (number)
    {
        snprintf (mark, sizeof mark, "#line 1 %d\n", number);
        ok = append (&s->text, length, mark, strlen (mark));
    }
    for (char *p = text; ok && *p; line++)
    {
        char *end = strchrnul (p, '\n');
        char include[64];
        if (sscanf (p, "#include \"%63[^\"\n]\"", include) == 1)
        {
            ok = add_file (s, length, folder, include, NULL, error, size);
            snprintf (mark, sizeof mark, "\n#line %d %d\n", line + 1, number);
            if (ok && !append (&s->text, length, mark, strlen (mark))) ok = 0;
        }
        else if (strncmp (p, "#version", 8) == 0)
        {
            snprintf (mark, sizeof mark, LANGUAGE "#define %s 1\n#line %d %d\n", define ? define : "PLAIN",
                      line + 1, number);
            ok = append (&s->text, length, mark, strlen (mark));
        }
        else
            ok = append (&s->text, length, p, (size_t)(end - p) + (*end != 0));
        p = *end ? end + 1 : end;
    }
    free (text);
    return ok;
}

int shader_source_load (shader_source *source, const char *folder, const char *name, const char *define,
                        char *error, size_t size)
{
    memset (source, 0, sizeof *source);
    size_t length = 0;
    snprintf (error, size, "%s: out of memory", name);
    if (!add_file (source, &length, folder, name, define, error, size))
    {
        shader_source_free (source);
        return 0;
    }
    *error = 0;
    return 1;
}

void shader_source_free (shader_source *source)
{
    free (source->text);
    memset (source, 0, sizeof *source);
}

void shader_source_explain (const shader_source *source, const char *log, char *out, size_t size)
{
    size_t used = 0;
    if (size) *out = 0;
    while (*log && used + 1 < size)
    {
        const char *end = strchrnul (log, '\n');
        int part = 0, line = 0, read = 0;
        /* Mesa writes "part:line(column): ", NVIDIA "part(line) : ". */
        if ((sscanf (log, "%d:%d(%*d): %n", &part, &line, &read) == 2 ||
             sscanf (log, "%d(%d) : %n", &part, &line, &read) == 2) &&
            read > 0 && part >= 0 && part < source->parts)
            used += (size_t)snprintf (out + used, size - used, "%s:%d: %.*s\n", source->part[part], line,
                                      (int)(end - log - read), log + read);
        else if (end > log)
            used += (size_t)snprintf (out + used, size - used, "%s: %.*s\n", source->part[0],
                                      (int)(end - log), log);
        log = *end ? end + 1 : end;
    }
    for (used = strlen (out); used && isspace ((unsigned char)out[used - 1]);) out[--used] = 0;
}

long long shader_source_stamp (const char *folder)
{
    long long newest = 0;
    for (const shader_file *f = shader_files; f->name; f++)
    {
        char *path = NULL;
        struct stat info;
        if (asprintf (&path, "%s/%s", folder, f->name) < 0) continue;
        if (stat (path, &info) == 0)
        {
            long long stamp = (long long)info.st_mtim.tv_sec * 1000000000LL + info.st_mtim.tv_nsec;
            if (stamp > newest) newest = stamp;
        }
        free (path);
    }
    return newest;
}
