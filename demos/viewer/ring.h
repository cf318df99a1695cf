/*
 * The past of one side: for every recorded step its time, measurements, the violation of every joint
 * and the state of every body.  Plots read it and rewinding restores from it.  When full, the oldest
 * steps are forgotten.
 */
#ifndef VIEWER_RING_H
#define VIEWER_RING_H

#include <stddef.h>

/* What was done to a side just before a step. */
typedef enum
{
    MARK_METHOD = 1,  /* another stepper, step size or option of theirs */
    MARK_GRAVITY = 2, /* another gravity */
    MARK_PULL = 4,    /* a body was taken by the hand, or thrown */
    MARK_JOINT = 8,   /* a joint was cut or added */
    MARK_MOTOR = 16,  /* a motor was set going or taken away */
    MARK_BALL = 32,   /* a ball was thrown */
    MARK_STATE = 64   /* a state that was kept was taken up */
} sample_mark;

/* Whose work a step holds besides the side's own. */
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
    double free_since;  /* s: from when on its energy is its own; the hand and new settings give and take */
    double free_energy; /* J at that time */
    int solver, pulled; /* who made the step, and a sample_hand */
    int marks;          /* of sample_mark */
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

/* Adds an entry, forgetting the oldest if full; returns its slot for the caller to fill. */
int ring_push (ring *r);

/* Forgets everything after the i-th oldest entry. */
void ring_truncate (ring *r, int i);

/* The newest entry not later than time (the oldest if there is none); -1 if empty. */
int ring_find (const ring *r, double time);

#endif
