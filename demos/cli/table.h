/*
 * Text tables.  Cells are collected, and a column gets the width of its widest cell.
 */
#ifndef CLI_TABLE_H
#define CLI_TABLE_H

#include <stdio.h>

typedef struct table table;

/* Headings separated by '|'; one that starts with '<' is aligned left, the others right. */
table *table_create (const char *headings);
void table_free (table *t);

/* Appends the next cell, row by row. */
void table_cell (table *t, const char *format, ...) __attribute__ ((format (printf, 2, 3)));

/* A short number: "0" or three digits and an exponent; "-" if it is not finite. */
void table_measure (table *t, double value);

/* Prints the headings, a line under them, and the rows.  Returns 0 if memory ran out while cells were
 * added. */
int table_print (const table *t, FILE *file);

#endif
