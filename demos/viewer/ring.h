/*
 * The past of a side: for each step its time, the measurements, the opening of every joint and the state of
 * every body. Plots read it, and going back restores states from it.  When it is full, the oldest steps are
 * dropped.
 */
#ifndef VIEWER_RING_H
#define VIEWER_RING_H

#include <stddef.h>

/* What was done to a side just before a step. */
typedef enum
{
    MARK_METHOD = 1,  /* another stepper, step size or option of the stepper */
    MARK_GRAVITY = 2, /* another gravity */
    MARK_PULL = 4,    /* the user began to pull a body */
    MARK_JOINT = 8,   /* a joint was cut or added */
    MARK_MOTOR = 16,  /* a motor was added or removed */
    MARK_BALL = 32,   /* a ball was thrown */
    MARK_STATE = 64   /* the side was set to a kept state */
} sample_mark;

/* What of the user's does work during a step. */
typedef enum
{
    HAND_NONE,
    HAND_PULL,
    HAND_MOTOR,
    HAND_BALL
} sample_hand;

typedef struct
{
    long step;
    double time;
    double violation; /* largest opening of a joint, m */
    double position_m, angle_rad, velocity_m_s, velocity_rad_s;
    double kinetic, potential; /* J */
    double step_s;             /* CPU time of the step; NaN if not measured */
    double penetration;        /* deepest contact, m */
    double residual;           /* of the bounded rows, relative; NaN if there are none */
    double probe[3];           /* position of the first probe */
    double changed_at;         /* s: when the side's method or joints last changed */
    double free_since;         /* s: when the user, or a setting, may last have changed the energy */
    double free_energy;        /* J at that time */
    int solver, pulled;        /* who made the step, and a sample_hand */
    int marks;                 /* of sample_mark */
    int contacts, rank, dof, redundant, conflicting, rows, bounded, islands;
} sample;

#define STATE_DOUBLES 13 /* position, quaternion, velocity, angular velocity of a body */

typedef struct
{
    sample *sample;
    float *opening; /* joints values a step, log10 m */
    double *state;  /* bodies x STATE_DOUBLES values a step */
    int joints, bodies;
    int room, first, count;
} ring;

/* Makes an empty ring of at most bytes of memory and at most steps entries.  Returns 0 without memory. */
int ring_init (ring *r, int bodies, int joints, size_t bytes, int steps);
void ring_free (ring *r);

/* The slot of the i-th oldest entry, 0 <= i < count, an index into the arrays above. */
int ring_slot (const ring *r, int i);
const sample *ring_sample (const ring *r, int i);
const float *ring_opening (const ring *r, int i);
const double *ring_state (const ring *r, int i);

/* Adds an entry, and drops the oldest if the ring is full.  Returns its slot, to be filled in. */
int ring_push (ring *r);

/* Drops everything after the i-th oldest entry. */
void ring_truncate (ring *r, int i);

/* The newest entry not later than time (the oldest if there is none); -1 if empty. */
int ring_find (const ring *r, double time);

#endif
