/* Making ready for the ODE in the process: once, before anything of it is called. */
#ifndef RLS_ODE_PREPARE_H
#define RLS_ODE_PREPARE_H

#include <ode/ode.h>

/*
 * Finds the ODE, fills the tables of its functions and steps a canary world; what succeeded once is not done
 * again.  inside is an address in the ODE that is meant, or NULL for the one that calls from here reach: a
 * process has one that is driven, the first.  Any thread may call it.  Returns dRLSStatusOk,
 * dRLSStatusIncompatibleODE or dRLSStatusNoMemory.
 */
int rls_ode_prepare (const void *inside);

/* 1 if the world was made by the ODE that is driven. */
int rls_ode_owns (dWorldID world);

/* What rls_ode_prepare found, as a sentence. */
const char *rls_ode_description (void);

#endif
