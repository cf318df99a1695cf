/*
 * Linkages whose degrees of freedom are known from the books, most of them overconstrained: the count of
 * rows says fewer than there are.
 */
#ifndef ORACLE_LINKAGES_H
#define ORACLE_LINKAGES_H

#include "oracle_scene.h"

typedef struct
{
    const char *name;
    void (*build) (scene *s);
    dReal gravity_z; /* weak where the linkage would soon fold flat */
    int rows, rank, dof;
} linkage;

extern const linkage linkages[];
extern const int linkage_count;

/* A linkage in a world of its own. */
scene linkage_open (const linkage *which);

/* Bodies from point to point in a closed loop of hinges: rod i from point[i] to point[i + 1], hinges with
 * axis[i] at point[i]; the world holds point[0] and point[rods]. */
void linkage_loop (scene *s, int rods, const double (*point)[3], const double (*axis)[3]);

/* Row of parallelograms, cranks hanging at an angle (rad) from straight down. */
void linkage_fourbars (scene *s, int loops, double angle);

/* The rectangular Bricard mechanism, its axes tilted at random by at most so much (rad). */
void linkage_bricard (scene *s, double tilt);

#endif
