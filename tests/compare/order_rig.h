/*
 * What the problems of order_figures.c share.
 */
#ifndef ORDER_RIG_H
#define ORDER_RIG_H

#include "step_rig.h"
#include "scene.h"

/* What a problem is watched by, and what it ends with. */
typedef struct
{
    rig r;
    scene *s; /* NULL: the rig is all there is */
    dJointID joint[2];
    dBodyID body;
    dJointFeedback feedback; /* of the first joint */
} problem;

/* Makes a problem that is stepped by h (s). */
typedef void build (problem *p, double h);

/* A ball of 1 kg and 0.1 m, which is watched. */
void add_ball (problem *p, double x, double z);

/* ---- strike_scenes.c: what strikes something, with restitution e ---- */

void set_restitution (double e);

/* A pendulum strikes a wall beside its lowest point. */
build strikes_wall;
/* The lower one of two balls that hang on each other strikes a wall. */
build two_balls_strike;
/* The round end of two links strikes the ground, with friction. */
build end_strikes;
/* A corner of the lower one of two links strikes the ground, with friction. */
build corner_strikes;
/* A four-bar linkage with a motor and friction in a joint, whose coupler strikes a wall with a corner. */
build coupler_strikes;
/* A box with a pendulum slides on the ground with friction, and the pendulum strikes a wall. */
build carried_ball_strikes;
/* A ball that rolls on the ground, at an angle to the wall, and a box that slides on it strike a wall. */
build rolling_ball_strikes, sliding_box_strikes;
/* A box falls on a corner, and spins, with friction. */
build box_strikes;
/* A box strikes another one with a corner, without friction. */
build boxes_strike;
/* Two balls strike each other beside their centres, with friction. */
build balls_strike;

#endif
