/* The program's own ODE, whose functions stand behind those of the shim. */
#ifndef RLS_PRELOAD_OWN_ODE_H
#define RLS_PRELOAD_OWN_ODE_H

#include "options.h"

/*
 * A step size as it comes in its register, which holds a float or a double: that of the program's ODE, of
 * which the shim need not have the precision.  Handed on whole, it reaches the program's own step as it was.
 */
typedef double step_argument;

typedef int step_function (dWorldID world, step_argument h);

typedef struct
{
    step_function *step[CALL_COUNT];
    dWorldID (*create) (void);
    void (*destroy) (dWorldID world);
    void (*close) (void);
} own_ode;

/*
 * The functions that a call from the given place would have reached without the shim.  A program that loads
 * ODE with one of its modules (as Python does) keeps it from all others: then the module that calls is asked.
 * Returns 1, or 0 and says so if there are none.
 */
int own_ode_find (const void *caller, own_ode *ode);

#endif
