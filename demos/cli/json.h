/*
 * A small JSON writer, which takes care of commas, indentation and escapes.  Numbers have 17 significant
 * digits; those that are not finite are written as null, since JSON cannot express them.
 */
#ifndef CLI_JSON_H
#define CLI_JSON_H

#include <stdio.h>

#define JSON_DEPTH 16

typedef struct
{
    FILE *file;
    int compact;              /* everything on one line */
    int depth;                /* open objects and arrays, at most JSON_DEPTH */
    int items[JSON_DEPTH];    /* written so far at each depth */
    int one_line[JSON_DEPTH]; /* 1 for a container that is written on one line */
} json;

void json_start (json *j, FILE *file, int compact);

/* The key is NULL inside arrays and for the outermost value. */
void json_open_object (json *j, const char *key);
void json_close_object (json *j);
void json_open_array (json *j, const char *key);
void json_close_array (json *j);
void json_string (json *j, const char *key, const char *value); /* NULL: null */
void json_number (json *j, const char *key, double value);
void json_integer (json *j, const char *key, long value);
void json_boolean (json *j, const char *key, int value); /* 0 false, 1 true, otherwise null */

/* {"name": value, ...} and [x, y, z] on one line. */
void json_range (json *j, const char *key, long low, long high); /* {"min", "max"} */
void json_vector (json *j, const char *key, const double v[3]);

/* Ends the line. */
void json_end (json *j);

#endif
