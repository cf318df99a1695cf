/* See csv_name.h. */
#include "csv_name.h"

#include <string.h>

void csv_name (FILE *file, const char *name, const char *suffix)
{
    int quoted = strpbrk (name, ",\"\n\r") != NULL;
    if (quoted) fputc ('"', file);
    for (; *name; name++)
    {
        if (*name == '"') fputc ('"', file);
        fputc (*name, file);
    }
    fputs (suffix, file);
    if (quoted) fputc ('"', file);
}
