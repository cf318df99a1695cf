/* One variant of the sweeps of many_worlds.c and many_worlds_mpi.c. */
#ifndef FOURBAR_VARIANT_H
#define FOURBAR_VARIANT_H

#include <ode_rls/ode_rls.h>

#define VARIANTS 81 /* by default */

typedef struct
{
    dReal rocker, swing, force, drift, gap; /* m, rad, N, J, m */
    int failed;
} variant;

/* Variant i of count, not run yet. */
variant make_variant (int i, int count);

/*
 * A four-bar linkage of ground 1 m, crank 0.3 m and coupler 0.9 m swings down from rest: how far its rocker
 * swings, the largest force on the rocker's bearing, and how exact the run was.  In a world of its own: ODE's
 * default threading is shared by all worlds; each world here gets one of its own, so that several can be
 * stepped at the same time.
 */
void run_variant (variant *v);

/* The table, CSV on standard output.  Returns 1 if a run failed. */
int print_variants (const variant *variants, int count);

#endif
