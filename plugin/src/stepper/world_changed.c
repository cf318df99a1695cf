/*
 * Callbacks must not add, remove or attach bodies and joints while a step is under way.  One that does is
 * noticed by their number (ode_count.h), a force callback by what is attached to the bodies as well; nothing
 * is then read or written any more but bodies that ODE itself still lists.
 */
#include "world_changed.h"

void rls_note_attached (rls_loaded_body *to)
{
    to->joints = dBodyGetNumJoints (to->body);
    to->joint = to->joints > 0 ? dBodyGetJoint (to->body, 0) : NULL;
}

/* ODE lists the joint first that was attached last. */
static int other_joints_attached (const rls_loaded_body *before)
{
    rls_loaded_body now = *before;
    rls_note_attached (&now);
    return now.joints != before->joints || now.joint != before->joint;
}

int rls_world_changed (dRLSStepperID stepper)
{
    const rls_ode_count now = rls_ode_count_objects (stepper->world, stepper->count_place);
    int changed = now.bodies != stepper->had.bodies || now.joints != stepper->had.joints;
    for (int b = 0; b < stepper->loaded_count && !changed; ++b)
        changed = other_joints_attached (&stepper->loaded[b]);
    if (changed) __atomic_store_n (&stepper->world_changed, 1, __ATOMIC_RELAXED);
    return __atomic_load_n (&stepper->world_changed, __ATOMIC_RELAXED);
}

void rls_watch_world (dRLSStepperID stepper)
{
    stepper->world_changed = 0;
    stepper->had = rls_ode_count_objects (stepper->world, stepper->count_place);
}

static int is_listed (const rls_ode_islands *islands, dBodyID body)
{
    size_t count = 0;
    for (size_t i = 0; i < islands->count; ++i) count += islands->sizes[2 * i];
    for (size_t b = 0; b < count; ++b)
        if (islands->bodies[b] == body) return 1;
    return 0;
}

/* Bodies of a workspace that are gone become NULL, the others get their velocities back. */
static void forget_lost_bodies (rls_workspace *workspace, const rls_ode_islands *islands)
{
    for (int b = 0; b < workspace->objects.bodies && workspace->objects.body; ++b)
        if (!is_listed (islands, workspace->objects.body[b]))
            workspace->objects.body[b] = NULL;
        else if (workspace->saved.forces && workspace->saved.moved)
            rls_set_velocity (workspace, b, workspace->island.state.v[b]);
}

void rls_forget_the_lost (dRLSStepperID stepper, rls_workspace *other)
{
    rls_ode_islands islands;
    if (!rls_ode_find_islands (stepper->world, 0, &islands)) islands.count = 0;
    for (int b = 0; b < stepper->loaded_count; ++b)
        if (!is_listed (&islands, stepper->loaded[b].body)) stepper->loaded[b].body = NULL;
    for (int i = 0; i < stepper->used_workspaces; ++i) forget_lost_bodies (stepper->workspaces[i], &islands);
    if (other) forget_lost_bodies (other, &islands);
}
