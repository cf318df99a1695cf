/*
 * Poses of the mechanism a little before and after a given one, along its motion, with the joints closed. For
 * singular configurations (section 8 of method.md).
 *
 * At a singular configuration the normals of some rows vanish.  Before and behind it they are known well, and
 * their directions change smoothly along the motion.  So quantities at the configuration are interpolated
 * from both sides, by the polynomial of fifth degree through the values at -3, -2, -1, 1, 2 and 3 distances.
 */
#ifndef RLS_NEARBY_H
#define RLS_NEARBY_H

#include "island/island.h"

/* A place of the interpolation, in distances, and its weight. */
typedef struct
{
    double at, weight;
} rls_sample;

/* A pose that is passed with velocities v, and its rows.  own (rows): the rank decisions for poses before and
 * behind it; NULL: these are made with the island's rank tolerance. */
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
    double distance;      /* m or rad: how far the fastest body moves from one sample to the next, */
    double time;          /* s: and how long that takes */
    rls_rows rows;        /* rows at the last pose evaluated, in the bases of those of the passage, */
    rls_factor factor;    /* their factor, */
    unsigned char *own;   /* rows: and its decisions */
    rls_pose *pose;       /* bodies: that pose */
    double (*closing)[6]; /* bodies: displacement to it from a straight motion, by which it was closed */
    rls_arena block;
} rls_nearby;

/* Returns 1 if the bodies move so slowly that their velocities define no direction. */
int rls_nearby_is_slow (const rls_island *island, const double (*v)[6]);

/* Prepares evaluations near a pose: makes room, and sets distance and time.  Returns RLS_DONE, RLS_NO_MEMORY,
 * or RLS_ANOTHER_WAY if the motion is too slow. */
rls_outcome rls_nearby_prepare (rls_nearby *nearby, const rls_island *island, const rls_passage *at);

/*
 * Evaluates rows and factor at the pose that the motion reaches after times x nearby.time (negative: before),
 * with the joints closed there.  Uses provider.rows; end.rows is left alone.  Returns RLS_DONE,
 * RLS_NO_MEMORY, RLS_FAILED when a value is not finite, or RLS_ANOTHER_WAY if the joints cannot be closed
 * near that pose, and are left open.
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

/* ---- branch_velocity.c ---- */

/*
 * Velocities that belong to a motion, at a singular configuration (section 8 of method.md).
 *
 * Where rows depend on each other, velocities that satisfy them need not belong to a motion.  A row that the
 * others imply at this pose, but not at neighbouring ones, requires
 *
 *     q (v) = c - h' a = 0,      a: accelerations with H a = c for the other rows,     c = dy/dt - dH/dt v
 *
 * which is quadratic in v.  With velocities that violate this, the joints open with the square of the time.
 * The nearest velocities that satisfy it, in the metric of the masses, are found by Newton's method among
 * those that satisfy the rows.
 *
 * Changes v to velocities that belong to a motion.  v: velocities that satisfy begin.rows, with begin.factor,
 * at state.pose, where joints are closed; from_rest: accelerations instead, for which the same equation holds
 * along a motion.  v is left as it is if it belongs to a motion already, if no motion is near (it would
 * change the energy by a factor of two), and in islands with too many degrees of freedom; from rest also if
 * drives change the rows with time. Returns RLS_DONE, RLS_NO_MEMORY, or RLS_FAILED if rows cannot be
 * evaluated near the pose; from rest RLS_ANOTHER_WAY if it is not known whether v belongs to a motion.
 */
rls_outcome rls_branch_velocity_fit (rls_island *island, double (*v)[6], int from_rest);

#endif
