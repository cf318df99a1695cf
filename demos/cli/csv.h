/*
 * The samples of a run as comma separated values: a heading, then a line for each sample, with 17 significant
 * digits.
 */
#ifndef CLI_CSV_H
#define CLI_CSV_H

#include "result.h"

#include <stdio.h>

/* With poses, each line ends with the centre of mass and the quaternion (w, x, y, z) of every body, in the
 * world. */
void csv_header (FILE *file, const scene *s, int poses);
void csv_row (FILE *file, const scene *s, const sample *now, int poses);

#endif
