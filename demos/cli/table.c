/*
 * Text tables.  See table.h.
 */
#include "table.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define COLUMN_MAX 24
#define GAP 2

struct table
{
    char *headings[COLUMN_MAX];
    int left[COLUMN_MAX];
    int columns;
    char **cells;
    size_t count, capacity;
    int incomplete; /* memory ran out */
};

table *table_create (const char *headings)
{
    table *t = calloc (1, sizeof *t);
    if (!t) return NULL;
    while (t->columns < COLUMN_MAX)
    {
        size_t length = strcspn (headings, "|");
        int left = *headings == '<';
        t->left[t->columns] = left;
        t->headings[t->columns] = strndup (headings + left, length - (size_t)left);
        if (!t->headings[t->columns++]) t->incomplete = 1;
        if (!headings[length]) break;
        headings += length + 1;
    }
    return t;
}

void table_free (table *t)
{
    if (!t) return;
    for (int i = 0; i < t->columns; i++) free (t->headings[i]);
    for (size_t i = 0; i < t->count; i++) free (t->cells[i]);
    free (t->cells);
    free (t);
}

void table_cell (table *t, const char *format, ...)
{
    if (!t || t->incomplete) return;
    if (t->count == t->capacity)
    {
        size_t capacity = t->capacity ? 2 * t->capacity : 64;
        char **cells = realloc (t->cells, capacity * sizeof *cells);
        if (!cells)
        {
            t->incomplete = 1;
            return;
        }
        t->cells = cells;
        t->capacity = capacity;
    }
    char text[256];
    va_list arguments;
    va_start (arguments, format);
    vsnprintf (text, sizeof text, format, arguments);
    va_end (arguments);
    if (!(t->cells[t->count] = strdup (text)))
        t->incomplete = 1;
    else
        t->count++;
}

void table_measure (table *t, double value)
{
    if (!isfinite (value))
        table_cell (t, "-");
    else if (value == 0)
        table_cell (t, "0");
    else
        table_cell (t, "%.2e", value);
}

/* The width of a UTF-8 text on the screen: the number of its code points. */
static int width_of (const char *text)
{
    int width = 0;
    for (; *text; text++) width += ((unsigned char)*text & 0xC0) != 0x80;
    return width;
}

static void print_cell (const char *text, int width, int left, int last, FILE *file)
{
    int padding = width - width_of (text);
    fprintf (file, "%*s%s", left ? 0 : padding, "", text);
    if (!last) fprintf (file, "%*s", GAP + (left ? padding : 0), "");
}

/* The width of the terminal that a file leads to; 0 if it leads to none. */
static int terminal_width (FILE *file)
{
    struct winsize size;
    const int descriptor = fileno (file);
    return descriptor >= 0 && isatty (descriptor) && !ioctl (descriptor, TIOCGWINSZ, &size) ? size.ws_col : 0;
}

/* Prints the first column, and those from begin to before end. */
static void print_columns (const table *t, const int width[], int begin, int end, FILE *file)
{
    int total = width[0];
    for (int c = begin; c < end; c++) total += GAP + width[c];
    for (size_t row = 0; row <= t->count / (size_t)t->columns; row++)
    {
        char *const *cells = row ? t->cells + (row - 1) * (size_t)t->columns : t->headings;
        print_cell (cells[0], width[0], t->left[0], begin == end, file);
        for (int c = begin; c < end; c++) print_cell (cells[c], width[c], t->left[c], c == end - 1, file);
        fputc ('\n', file);
        for (int i = 0; !row && i < total; i++) fputc ('-', file);
        if (!row) fputc ('\n', file);
    }
}

/* A table that is wider than the terminal is printed in parts, each with the first column. */
int table_print (const table *t, FILE *file)
{
    if (!t || t->incomplete) return 0;
    const int room = terminal_width (file);
    int width[COLUMN_MAX];
    for (int c = 0; c < t->columns; c++)
    {
        width[c] = width_of (t->headings[c]);
        for (size_t i = (size_t)c; i < t->count; i += (size_t)t->columns)
            if (width_of (t->cells[i]) > width[c]) width[c] = width_of (t->cells[i]);
    }
    for (int begin = 1, end; begin < t->columns || begin == 1; begin = end)
    {
        int total = width[0];
        for (end = begin; end < t->columns; end++)
        {
            total += GAP + width[end];
            if (room && total > room && end > begin) break;
        }
        if (begin > 1) fputc ('\n', file);
        print_columns (t, width, begin, end, file);
        if (end == begin) break;
    }
    return 1;
}
