/*
 * What is said about each side: first what has happened, from measurements, then a sentence about it.
 *
 * The rules.  Openings are attributed to a side from its last change of method on, but not while it is still
 * closing joints that the method before left open.  Changes of energy are attributed to it from the last time
 * on that the user, or a new setting, may have changed the energy.  They are compared with the energy that
 * the reference motion (that of the side that keeps its energy better) exchanges between kinetic and
 * potential energy from one turning point to the next.  Nothing is said about energy before the motion has
 * turned once, nor while contacts, motors or dampers do work.
 */
#ifndef VIEWER_STORY_H
#define VIEWER_STORY_H

#include "stage.h"

typedef struct
{
    int solver, bodies, joints;
    double time; /* of what is shown, s */
    int started; /* 1 if it has made a step */
    double busy; /* s that the step being computed has taken so far */
    sim_health health;
    char reason[200]; /* why, if it does not run */

    /* since the last change of method */
    double worst;      /* largest opening of a joint, m; without joints the deepest contact */
    double gap, angle; /* largest gap (m) and angle (rad) between the parts of a joint */
    int inherited;     /* 1 while it closes joints that an earlier method left open */
    int torn;          /* 1 if joints have been open by more than a hundredth of the scene's size */
    int healed;        /* 1 if they were, and are closed again, or nearly */
    int pulled;        /* what the user does: a sample_hand */
    int resting;       /* 1 if hardly anything has moved for a while */

    /* energy, J */
    double change;       /* since changes have been attributed to the side */
    double exchange;     /* kinetic energy that the motion gains and gives back; 0 until it has turned once */
    double energy_error; /* the change that the side is responsible for */
    double energy_lost;  /* the same as a share of the reference motion's exchange; negative if energy was
                            gained */

    int rows, redundant, conflicting;
    char extra_row[160]; /* the first redundant row, in words */
    char badge[96];      /* what is wrong in a few words; empty if nothing is */
    int alarming;        /* 1 if that is about joints or a stop, and not only about energy */
} story_side;

#define STORY_CLOSED 1e-6 /* m: joints that are open by less count as closed */

typedef struct
{
    char line[SIDES][240];
} story_text;

/* Finds what a side has done in its past up to a time. */
void story_look_back (story_side *t, const ring *past, double time, const model *m);

/* Compares the sides: attributes a change of energy to one of them or to none, and writes the badges. bounded
 * is 1 while contacts, motors or limits act. */
void story_compare (story_side side[SIDES], int bounded, const model *m);

/* Writes a sentence about each side. */
void story_tell (const story_side side[SIDES], story_text *text);

/* All of this for what the stage shows. */
void story_update (story_side side[SIDES], stage *s, story_text *text);

#endif
