/*
 * The way in that needs no private name: an ODE with the patch in third_party/ode-steppers.patch has public
 * functions for all that is wanted.  Contract in ode_entries.h.
 */
#include "ode_entries.h"
#include <string.h>

static struct
{
    int (*find_islands) (dWorldID, dReal h, rls_ode_islands *); /* its lists are laid out as ours */
    int (*process_islands) (dWorldID, dReal h, const rls_ode_islands *, rls_ode_island_stepper *);
    int (*row_count) (dJointID);
} ode;

static int find_islands (dWorldID world, rls_ode_islands *islands, dReal h, rls_ode_memory_estimate *estimate)
{
    (void)estimate;
    return ode.find_islands (world, h, islands);
}

static int process_islands (dWorldID world, const rls_ode_islands *islands, dReal h,
                            rls_ode_island_stepper *stepper, rls_ode_any_function *call_estimate)
{
    (void)call_estimate;
    return ode.process_islands (world, h, islands, stepper);
}

/* How many have no bounds it does not tell: perhaps all. */
static void info1 (dJointID joint, rls_ode_row_info *info)
{
    info->m = info->unbounded = (unsigned char)ode.row_count (joint);
}

int rls_ode_resolve_public (const rls_ode_source *source, rls_ode_entries *entries)
{
    memset (entries, 0, sizeof (*entries));
    RLS_ODE_FETCH (source, ode.find_islands, RLS_ODE_PUBLIC_FIND_ISLANDS);
    RLS_ODE_FETCH (source, ode.process_islands, RLS_ODE_PUBLIC_PROCESS_ISLANDS);
    RLS_ODE_FETCH (source, ode.row_count, RLS_ODE_PUBLIC_ROW_COUNT);
    RLS_ODE_FETCH (source, entries->island_bodies, RLS_ODE_PUBLIC_ISLAND_BODIES);
    RLS_ODE_FETCH (source, entries->step_body, RLS_ODE_PUBLIC_STEP_BODY);
    entries->find_islands = find_islands;
    entries->process_islands = process_islands;
    for (int type = dJointTypeBall; type < RLS_ODE_JOINT_TYPE_COUNT; ++type)
    {
        entries->joint[type].info1 = info1;
        RLS_ODE_FETCH (source, entries->joint[type].info2, RLS_ODE_PUBLIC_ROWS);
    }
    return ode.find_islands && ode.process_islands && ode.row_count && entries->island_bodies &&
           entries->step_body && entries->joint[dJointTypeBall].info2;
}
