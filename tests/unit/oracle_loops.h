/*
 * Closed loops of hinges from their Denavit-Hartenberg numbers, closed by Newton's method, and linkages whose
 * mobility the books know but the count of rows does not: kept for tests alone.
 */
#ifndef ORACLE_LOOPS_H
#define ORACLE_LOOPS_H

#include "oracle_scene.h"
#include <stdint.h>

#define LOOP_MOST 16

/* Link i goes from hinge i to hinge i + 1: length along the common perpendicular, twist of the axes about it,
 * offset along axis i; angle: its turn about axis i. */
typedef struct
{
    int hinges,
        freedom; /* degrees of freedom of the closed loop, one link held: the rank of its closing is known */
    double length[LOOP_MOST], twist[LOOP_MOST], offset[LOOP_MOST], angle[LOOP_MOST];
} loop;

/* Where a hinge is: its axis is the third column of R. */
typedef struct
{
    double R[9], x[3];
} loop_frame;

/* Denavit-Hartenberg step: turn about z, go along z and x, twist about x. */
loop_frame loop_next_frame (const loop_frame *f, double turn, double offset, double length, double twist);

/* Moves the angles as little as closes the loop, to rounding.  Returns what is left (m or rad). */
double loop_close (loop *l);

/* The loop as bodies: link 0 is the world if on_ground.  Each link turns about its common perpendicular at
 * twirl rad/s, as far as the hinges let it. */
void loop_build (scene *s, const loop *l, int on_ground, double twirl);

typedef struct
{
    const char *name;
    void (*build) (scene *s);
    double gravity_z;
    int rank, dof;
} held_out;

extern const held_out held_outs[];
extern const int held_out_count;

scene held_out_open (const held_out *which);

/* A ring of n bars whose ends' axes are at right angles, free; tilt: how far (rad) its hinges are at random
 * from a symmetric pose that even rings have.  It turns inside out. */
void kaleidocycle_build (scene *s, int n, double tilt, uint64_t seed);

#endif
