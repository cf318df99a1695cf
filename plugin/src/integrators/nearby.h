/*
 * The mechanism a little before and after a pose, along its motion, with its joints closed there.
 *
 * At a singular configuration the normals of some rows vanish.  Beside it they are known well, and their
 * directions change smoothly along the motion, so what is wanted at the pose is interpolated from both sides:
 * by the polynomial of fifth degree through the values at -3, -2, -1, 1, 2, 3 distances.
 */
#ifndef RLS_NEARBY_H
#define RLS_NEARBY_H

#include "island/island.h"

typedef struct
{
    double at, weight;
} rls_sample;

/* A pose that is passed with velocities v, its rows, and how their rank is decided on beside it: own (rows),
 * or NULL for decisions with the island's rank tolerance. */
typedef struct
{
    const rls_rows *rows;
    const rls_pose *pose;
    const double (*v)[6];
    const unsigned char *own;
} rls_passage;

#define RLS_SAMPLES 6
static const rls_sample rls_samples[RLS_SAMPLES] = {{1, 0.75},  {-1, 0.75}, {2, -0.3},
                                                    {-2, -0.3}, {3, 0.05},  {-3, 0.05}};

typedef struct
{
    int bodies;
    double distance, time; /* m or rad of the fastest body from sample to sample, and what that takes (s) */
    rls_rows rows;         /* where was looked last, in the bases of the rows at the pose */
    rls_factor factor;
    unsigned char *own; /* rows: decisions there */
    rls_pose *pose;
    double (*closing)[6]; /* bodies: the displacement that closed it there, from a straight way */
    double (*d)[6];
    double *x;
    rls_arena block;
} rls_nearby;

/* 1 if bodies hardly move: their velocities tell no direction to look into. */
int rls_nearby_is_slow (const rls_island *island, const double (*v)[6]);

/* Makes ready for looks.  Returns RLS_DONE, RLS_NO_MEMORY, or RLS_ANOTHER_WAY when the motion is too slow to
 * have a direction. */
rls_outcome rls_nearby_prepare (rls_nearby *nearby, const rls_island *island, const rls_passage *at);

/*
 * Looks at the pose moved for a number of times at its velocities and closed there.  Uses provider.rows and
 * W; end.rows stays.  Returns RLS_DONE, RLS_NO_MEMORY, or RLS_FAILED when a value is not finite;
 * RLS_ANOTHER_WAY when it cannot be closed nearby, and is left open.
 */
rls_outcome rls_nearby_look (rls_nearby *nearby, rls_island *island, const rls_passage *at, double times);

/*
 * miss := the displacement from the pose to the branch.  gap is the least relative pivot at the pose: where
 * it is hardly more beside it, nothing is passed, and small pivots are ordinary.  So they are where rows were
 * left open and the least pivot is the same beside it, as of light bodies; even: that pivot, or 0.  Returns
 * as rls_nearby_look; RLS_ANOTHER_WAY also when nothing is passed or the motion is too slow.
 */
rls_outcome rls_nearby_branch (rls_nearby *nearby, rls_island *island, const rls_passage *at, double gap,
                               double even, double (*miss)[6]);

#endif
