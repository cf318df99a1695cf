/*
 * Random worlds: bodies, joints of all types in trees and loops, limits, motors, contacts, and random calls
 * of ODE and of the stepper between two steps.  The same seed makes the same world and the same calls.
 */
#ifndef ORACLE_RANDOM_H
#define ORACLE_RANDOM_H

#include "oracle_scene.h"
#include <stdint.h>

typedef struct
{
    uint64_t state;
} random_source;

uint64_t random_bits (random_source *r);
int random_below (random_source *r, int n);                     /* 0 .. n - 1 */
double random_between (random_source *r, double lo, double hi); /* uniform */

/* Gives a joint that is attached an anchor there and axes at random. */
void random_place (random_source *r, dJointID joint, const dReal at[3]);

/* The choices of a stepper, so that a new one can be given the same. */
typedef struct
{
    int integrator, correction, order;
    int soft_joint, driven_joint; /* places in the scene's list, -1: none */
    double stiffness;
    int first_joint; /* dRLSOrderPriority: the joint that goes before all others */
} random_choices;

void random_settle (const scene *s, dRLSStepperID stepper, const random_choices *choices);

typedef struct
{
    scene scene;
    random_source source;
    random_choices choices;
    dJointGroupID contacts;
    double h;
    int hard; /* 1: no limits, motors, contacts nor soft joints are ever made */
} random_world;

random_world random_world_open (uint64_t seed, int bodies, int hard);
void random_world_close (random_world *w);

/* So many bodies more, with joints among themselves and to the world. */
void random_world_add (random_world *w, int bodies);

/* The kinds of calls, and one of them; kind < RANDOM_CALLS.  Its name is for messages. */
#define RANDOM_CALLS 40
const char *random_call (random_world *w, int kind);

/* Contacts of boxes that hang below the floor z = 0 with it, anew; to be made before each step. */
void random_contacts (random_world *w);

#endif
