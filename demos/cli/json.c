/*
 * The JSON writer.  See json.h.
 */
#include "json.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

void json_start (json *j, FILE *file, int compact) { *j = (json){.file = file, .compact = compact}; }

static void write_string (FILE *file, const char *text)
{
    fputc ('"', file);
    for (const unsigned char *c = (const unsigned char *)text; *c; c++)
    {
        if (*c == '"' || *c == '\\')
            fprintf (file, "\\%c", *c);
        else if (*c == '\n')
            fputs ("\\n", file);
        else if (*c < 0x20)
            fprintf (file, "\\u%04x", *c);
        else
            fputc (*c, file);
    }
    fputc ('"', file);
}

static void new_line (json *j)
{
    fputc ('\n', j->file);
    for (int i = 0; i < j->depth; i++) fputs ("  ", j->file);
}

/* Writes what stands before a value: comma, new line and key. */
static void begin (json *j, const char *key)
{
    int top = j->depth - 1, flat = j->compact || (j->depth && j->one_line[top]);
    if (j->depth && j->items[top]++) fputs (flat ? ", " : ",", j->file);
    if (j->depth && !flat) new_line (j);
    if (!key) return;
    write_string (j->file, key);
    fputs (": ", j->file);
}

static void open_container (json *j, const char *key, char bracket, int one_line)
{
    begin (j, key);
    fputc (bracket, j->file);
    assert (j->depth < JSON_DEPTH && "containers nest deeper than any of our results");
    j->one_line[j->depth] = one_line;
    j->items[j->depth++] = 0;
}

static void close_container (json *j, char bracket)
{
    j->depth--;
    if (j->items[j->depth] && !j->compact && !j->one_line[j->depth]) new_line (j);
    fputc (bracket, j->file);
}

void json_open_object (json *j, const char *key) { open_container (j, key, '{', 0); }

void json_close_object (json *j) { close_container (j, '}'); }

void json_open_array (json *j, const char *key) { open_container (j, key, '[', 0); }

void json_close_array (json *j) { close_container (j, ']'); }

void json_string (json *j, const char *key, const char *value)
{
    begin (j, key);
    if (value)
        write_string (j->file, value);
    else
        fputs ("null", j->file);
}

/* With as few digits as give the same number when they are read: 0.005, not 0.0050000000000000001. */
void json_number (json *j, const char *key, double value)
{
    char text[32] = "null";
    begin (j, key);
    for (int digits = 15; digits <= 17 && isfinite (value); digits++)
    {
        snprintf (text, sizeof text, "%.*g", digits, value);
        if (strtod (text, NULL) == value) break;
    }
    fputs (text, j->file);
}

void json_integer (json *j, const char *key, long value)
{
    begin (j, key);
    fprintf (j->file, "%ld", value);
}

void json_boolean (json *j, const char *key, int value)
{
    begin (j, key);
    fputs (value == 1 ? "true" : value == 0 ? "false" : "null", j->file);
}

void json_range (json *j, const char *key, long low, long high)
{
    open_container (j, key, '{', 1);
    json_integer (j, "min", low);
    json_integer (j, "max", high);
    close_container (j, '}');
}

void json_vector (json *j, const char *key, const double v[3])
{
    open_container (j, key, '[', 1);
    for (int i = 0; i < 3; i++) json_number (j, NULL, v[i]);
    close_container (j, ']');
}

void json_end (json *j) { fputc ('\n', j->file); }
