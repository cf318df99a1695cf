/* What joints are told and asked by number (dParam...), by type. */
#ifndef RLS_ODE_PARAMETERS_H
#define RLS_ODE_PARAMETERS_H

#include "ode_calls.h"

#define RLS_MOST_AXES 3

typedef struct
{
    dJointType type;
    dReal (**get) (dJointID joint,
                   int parameter); /* entries of the table of ODE's functions; NULL: it has none */
    void (**set) (dJointID joint, int parameter, dReal value);
    int motors;    /* axes that may be driven, in the order of their groups of parameters */
    int axes;      /* of these the first so many may have stops */
    unsigned ways; /* one bit for each axis that is a way, not an angle */
    int own;       /* 1: it has an ERP and a CFM of its own */
} rls_ode_parameters;

const rls_ode_parameters *rls_ode_parameters_of (dJointType type);

/* The number of a parameter of an axis. */
static inline int rls_ode_parameter (int axis, int which) { return axis * dParamGroup + which; }

#endif
