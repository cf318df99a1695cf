/*
 * The worlds that the program steps, each with its stepper and what was counted of it.
 *
 * A program may step different worlds in different threads: the table is guarded.  One world is stepped
 * by one thread at a time, as ODE demands, so its stepper needs no guard.
 */
#ifndef RLS_PRELOAD_WORLDS_H
#define RLS_PRELOAD_WORLDS_H

#include "statistics.h"

/*
 * A step size as it comes in its register, which holds a float or a double: that of the program's ODE, of
 * which the shim need not have the precision.  Handed on whole, it reaches the program's own step as it was.
 */
typedef double step_argument;

typedef int step_function (dWorldID world, step_argument h);

/* Functions of the program's own ODE, which stand behind those of the shim. */
typedef struct
{
    step_function *step[CALL_COUNT];
    dWorldID (*create) (void);
    void (*destroy) (dWorldID world);
    void (*close) (void);
} own_ode;

typedef struct preload_world
{
    dWorldID world;
    own_ode ode;                /* that made the world */
    dRLSStepperID stepper;      /* NULL before the first step and when none could be made */
    unsigned long number;       /* 1 for the first world that was stepped */
    int greeted;                /* its first step has come: it has a stepper, or none could be made */
    int complained;             /* about that, or about a step that failed */
    step_statistics statistics; /* guarded */
    struct preload_world *next; /* guarded */
} preload_world;

/* The entry of a world, made when it is first asked for.  NULL when there is no memory. */
preload_world *worlds_get (dWorldID world);

/* Forgets a world, or all of them, before ODE destroys it; what was counted stays in the summary. */
void worlds_forget (dWorldID world);
void worlds_forget_all (void);

/* Counts a step of the world.  What is counted of all worlds is written on standard error when the program
 * ends, by exit or by SIGTERM. */
void worlds_count_step (preload_world *entry, const step_statistics *step);

#endif
