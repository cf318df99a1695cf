/*
 * What is seen, in words: measured facts of each side, badges, and one sentence for the screen.
 */
#ifndef VIEWER_STORY_H
#define VIEWER_STORY_H

#include "stage.h"

typedef struct
{
    double worst;        /* largest opening of a joint so far, m */
    double gap, angle;   /* largest gap (m) and angle (rad) between the parts of a joint so far */
    double energy_error; /* J, against the start; 0 when it need not be kept */
    double energy_lost;  /* share of the motion's energy that is gone, 0 ... 1; 0 when it need not be kept */
    double largest_motion;       /* largest kinetic energy so far, J */
    double recent_motion;        /* largest kinetic energy of the last second, J */
    int torn, exploded, resting; /* torn: by gaps, or by bent axes */
    int conflicting; /* rows that contradict others, whoever steps: the mechanism cannot be closed */
    char badge[96];  /* empty if there is nothing to say */
    int alarming;    /* the badge tells of joints or of a stop, not of energy alone */
} story_side;

typedef struct
{
    char line[2][200];
} story_text; /* at most two sentences */

/* Brings the facts up to date from what is recorded. */
void story_update (story_side side[SIDES], stage *s);

/* Puts them into words; names are those of the sides' steppers. */
void story_tell (const story_side side[SIDES], stage *s, const char *const names[SIDES], story_text *text);

#endif
