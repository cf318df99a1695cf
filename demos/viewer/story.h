/*
 * The narrator: what each side has done, in measured facts, and those facts in words.
 *
 * Rules.  A side answers only for its own work: openings count from its last change of method on, and not
 * while it still closes what it took over; energy counts from the last time that the hand or new settings
 * gave or took some.  Energy is judged against what the reference motion (the side that keeps its energy
 * better) turns over between its turning points; before it has turned nothing is said.  Where contacts,
 * motors or dampers do work, neither.
 */
#ifndef VIEWER_STORY_H
#define VIEWER_STORY_H

#include "stage.h"

typedef struct
{
    int solver, bodies, joints;
    double time;       /* of what is shown, s */
    int started;       /* has made a step */
    double busy;       /* s that the step in hand has taken so far */
    sim_health health; /* and why, if it is not well: */
    char reason[200];

    /* since the last change of method */
    double worst;      /* largest opening of a joint, m; without joints the deepest contact */
    double gap, angle; /* largest gap (m) and angle (rad) between the parts of a joint */
    int inherited;     /* still closing what an earlier method left open */
    int torn;          /* has been open by more than the eye forgives */
    int healed;        /* and is closed again, or nearly */
    int pulled;        /* a sample_hand */
    int resting;

    /* energy, J */
    double change;                    /* since it is the side's own */
    double exchange;                  /* what the motion turns over; 0 until it has turned */
    double energy_error, energy_lost; /* change, and the share of the reference's exchange that is gone
                                         (gained: below 0); 0 where there is nothing to blame */

    int rows, redundant, conflicting;
    char extra_row[160]; /* the first redundant row, in words */
    char badge[96];      /* empty if there is nothing to say */
    int alarming;        /* the badge tells of joints or of a stop, not of energy alone */
} story_side;

typedef struct
{
    char line[SIDES][240];
} story_text;

/* Facts of a side's past up to a time; m gives size, weight and numbers of bodies and joints. */
void story_look_back (story_side *t, const ring *past, double time, const model *m);

/* Blames energy on a side, or on none, and writes the badges.  bounded: contacts, motors or limits act. */
void story_compare (story_side side[SIDES], int bounded, const model *m);

/* Puts the facts into words. */
void story_tell (const story_side side[SIDES], story_text *text);

/* All of this for what the stage shows. */
void story_update (story_side side[SIDES], stage *s, story_text *text);

#endif
