/* The samples of a run as comma separated values, 17 significant digits. */
#ifndef CLI_CSV_H
#define CLI_CSV_H

#include "result.h"

#include <stdio.h>

void csv_header (FILE *file, const scene *s);
void csv_row (FILE *file, const scene *s, const sample *now);

#endif
