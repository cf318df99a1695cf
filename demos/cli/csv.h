/* The samples of a run as comma separated values, 17 significant digits. */
#ifndef CLI_CSV_H
#define CLI_CSV_H

#include "result.h"

#include <stdio.h>

/* poses: centre of mass and quaternion (w, x, y, z) of every body follow, world axes. */
void csv_header (FILE *file, const scene *s, int poses);
void csv_row (FILE *file, const scene *s, const sample *now, int poses);

#endif
