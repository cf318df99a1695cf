/*
 * How many bodies and joints a world has.  ODE does not say, but counts them in two neighbouring numbers near
 * the beginning of a world; where they are is found out with a world whose numbers are known.
 */
#ifndef RLS_ODE_COUNT_H
#define RLS_ODE_COUNT_H

#include "ode_calls.h"

typedef struct
{
    int bodies, joints;
} rls_ode_count;

/* Where the numbers lie in a world (in ints), or -1 if they cannot be told: then nothing is counted. */
int rls_ode_find_count (void);

/* The numbers of a world; place is what rls_ode_find_count returned, both are 0 for -1. */
rls_ode_count rls_ode_count_objects (dWorldID world, int place);

#endif
