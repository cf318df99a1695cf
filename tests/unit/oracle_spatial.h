/*
 * Linkages under their weight, one link held, that no part of the library was made with: loops of six hinges,
 * kaleidocycles, rings, platforms, towers, robots and nets, most of them with rows too many.
 */
#ifndef ORACLE_SPATIAL_H
#define ORACLE_SPATIAL_H

#include "oracle_scene.h"

typedef struct
{
    const char *name;
    void (*build) (scene *s, int number); /* of units, legs or sides, or of a shape of its kind */
    int number;
    double gravity[3];
    int rank, dof;    /* where nothing is singular */
    int meets_others; /* goes through poses where further motions begin, at which ranks fall */
} spatial;

extern const spatial spatials[];
extern const int spatial_count;

scene spatial_open (const spatial *which);

#endif
