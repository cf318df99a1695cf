/* What the two files that write a scene as SDFormat share. */
#ifndef SCENE_WRITE_SDF_H
#define SCENE_WRITE_SDF_H

#include "scene_data.h"

#include <stdio.h>

void sdf_write_name (FILE *file, const char *name);
void sdf_write_numbers (FILE *file, const char *element, const double *v, int count);
void sdf_write_number (FILE *file, const char *element, double value);
void sdf_write_pose (FILE *file, const double p[3], const double q[4]);

/* Those of a link. */
void sdf_write_collisions (const scene *s, int link, FILE *file);
void sdf_write_visuals (const scene *s, const scene_link *l, FILE *file);

#endif
