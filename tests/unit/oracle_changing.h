/*
 * Worlds that the program changes between steps, of many kinds, and what of them can be told from ODE's
 * bodies alone: how far joints are open, energy and momentum. Nothing here asks the library for a measure.
 * The same seed makes the same world and the same changes.
 */
#ifndef ORACLE_CHANGING_H
#define ORACLE_CHANGING_H

#include "oracle.h"
#include "oracle_scene.h"

#define CHANGING_BODIES 24
#define CHANGING_TIES 48
#define CHANGING_KINDS 21
extern const char *const changing_names[CHANGING_KINDS];

/* A joint, and what it holds in the axes of its bodies (1: of the second, or the world's). */
typedef struct
{
    dJointID id;
    dBodyID body[2];
    double at[2][3], axis[2][3], turn[9]; /* turn: the first's axes as the second sees them, by columns */
    double spring, soft;  /* N m/rad: of a spring about its axis; N/m: of its rows, which give way */
    double power, wanted; /* the most that its motor gives (N m), and the speed that it is to have (rad/s) */
} changing_tie;

typedef struct
{
    scene scene;
    oracle_random random;
    changing_tie tie[CHANGING_TIES];
    int ties, does, looped; /* does: a sum of what the kind is made of; looped: 1 if ties may close a loop */
    int platform, lively;   /* platform: 1 if the first body is one */
    double h, size, field;  /* s; m: of a body; N/m: a field towards the origin, by a force callback */
    double deepest;         /* m: the deepest contact of the step that is to come */
    dSpaceID space;         /* NULL: no contacts */
    dJointGroupID contacts;
    dRLSStateID state;
    int saved; /* bodies in it */
} changing_world;

/* lively: more bodies, and faster ones. */
changing_world changing_open (int kind, uint64_t seed, int lively);
void changing_close (changing_world *w);

/* What the program does before a step. Returns 1 if it has changed something other than the step. */
int changing_interfere (changing_world *w, int step);

/* 1 if there are stops or contacts; springs, a field or rows that give way; energy that nobody can tell. */
int changing_is_bounded (const changing_world *w);
int changing_is_springy (const changing_world *w);
int changing_is_driven (const changing_world *w);

/* ---- what ODE's bodies tell (oracle_told.c) ---- */

/* a := a / |a|. 1 if the body is not held still. */
void changing_unit (double a[3]);
int changing_moves (dBodyID body);

/* Notes what a joint holds where its bodies are: a point, and an axis of the first body and of the second.
 * Where its first body has the point and its axis now. */
void changing_hold (changing_tie *tie, const double at[3], const double axis[3], const double other[3]);
void changing_held (const changing_tie *tie, double at[3], double axis[3]);

/* m and rad alike: by how much the hard joints of bodies that can move are open; how far they are beyond
 * stops. */
double changing_open_by (const changing_world *w);
double changing_beyond_stops (const changing_world *w);

typedef struct
{
    double kinetic, fallen, spring; /* J: of motion, of gravity, of springs */
    double scale, mass, fastest;    /* J: what was added up; kg; m/s or rad/s */
    double P[3], L[3], moment[3];   /* momenta, and the sum of m x */
    double platform[3], rate[CHANGING_TIES];
} changing_account;

changing_account changing_look (const changing_world *w);

/* J: the most that motors can have done in the step between two accounts; what the platform has done, as the
 * bodies' momenta tell it, and by how much that may be wrong. */
double changing_work_of_motors (const changing_world *w, const changing_account *from,
                                const changing_account *to);
double changing_work_of_platform (const changing_world *w, const changing_account *from,
                                  const changing_account *to, double *doubt);

#endif
