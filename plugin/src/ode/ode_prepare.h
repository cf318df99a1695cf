/* Finding the ODE of the process and testing it, once, before any of its functions is called. */
#ifndef RLS_ODE_PREPARE_H
#define RLS_ODE_PREPARE_H

#include <ode/ode.h>

/*
 * Finds the ODE, fills the tables of its functions and tests it with a small world; this is not repeated once
 * it has succeeded.  inside is an address in the ODE that is meant, or NULL for the one that calls from here
 * reach.  Only one ODE of a process can be used, the first.  Any thread may call this.  Returns dRLSStatusOk,
 * dRLSStatusIncompatibleODE or dRLSStatusNoMemory.
 */
int rls_ode_prepare (const void *inside);

/* True if the world was made by the ODE that is used. */
int rls_ode_owns (dWorldID world);

/* What rls_ode_prepare has found, as a sentence. */
const char *rls_ode_description (void);

#endif
