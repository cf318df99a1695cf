/* Names in the header lines of CSV files. */
#ifndef SCENE_CSV_NAME_H
#define SCENE_CSV_NAME_H

#include <stdio.h>

/* Writes a name and what follows it as one field, quoted if it contains what would end the field. */
void csv_name (FILE *file, const char *name, const char *suffix);

#endif
