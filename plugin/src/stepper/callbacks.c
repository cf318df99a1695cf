/*
 * The program's callbacks within a step: forces, and callbacks that change the world; contract in stepper.h.
 *
 * Callbacks must not add, remove or attach bodies and joints while a step is under way.  Such a change is
 * detected by the numbers of bodies and joints (rls_ode_count_objects), after a force callback also by the
 * joints of each body.  The step then fails, and only bodies that ODE still lists are read or written.
 */
#include "stepper.h"

/* ---- worlds that are changed ---- */

/* Records how many joints the body has, and the last one attached. */
static void note_attached (rls_saved_body *to)
{
    to->joints = dBodyGetNumJoints (to->body);
    to->joint = to->joints > 0 ? dBodyGetJoint (to->body, 0) : NULL;
}

int rls_world_changed (dRLSStepperID stepper)
{
    const rls_ode_count now = rls_ode_count_objects (stepper->world);
    int changed = now.bodies != stepper->had.bodies || now.joints != stepper->had.joints;

    /* a joint that was moved to other bodies shows in theirs: ODE lists the joint that was attached last
     * first */
    for (int b = 0; b < stepper->loaded.count && !changed; ++b)
    {
        const rls_saved_body *before = &stepper->loaded.of[b];
        rls_saved_body body = {.body = before->body};
        note_attached (&body);
        changed = body.joints != before->joints || body.joint != before->joint;
    }

    /* several threads may find it at the same time */
    if (changed) __atomic_store_n (&stepper->world_changed, 1, __ATOMIC_RELAXED);
    return __atomic_load_n (&stepper->world_changed, __ATOMIC_RELAXED);
}

void rls_watch_world (dRLSStepperID stepper)
{
    stepper->world_changed = stepper->loaded.count = 0;
    stepper->had = rls_ode_count_objects (stepper->world);
}

static int is_listed (const rls_ode_islands *islands, dBodyID body)
{
    for (int b = 0; b < islands->body_count; ++b)
        if (islands->bodies[b] == body) return 1;
    return 0;
}

/* Sets the handles of destroyed bodies in a workspace to NULL. */
static void forget_lost_bodies (rls_workspace *workspace, const rls_ode_islands *islands)
{
    for (int b = 0; b < workspace->objects.bodies && workspace->objects.body; ++b)
        if (!is_listed (islands, workspace->objects.body[b])) workspace->objects.body[b] = NULL;
}

void rls_forget_destroyed_bodies (dRLSStepperID stepper, rls_workspace *other)
{
    rls_ode_islands islands;
    rls_ode_find_islands (stepper->world, 0,
                          &islands); /* without memory: no islands, so all handles become NULL */
    for (int b = 0; b < stepper->loaded.count; ++b)
        if (!is_listed (&islands, stepper->loaded.of[b].body)) stepper->loaded.of[b].body = NULL;
    for (int i = 0; i < stepper->used_workspaces; ++i)
        forget_lost_bodies (stepper->workspaces.of[i], &islands);
    if (other) forget_lost_bodies (other, &islands);
}

/* ---- forces ---- */

int rls_forces_begin (dRLSStepperID stepper, const rls_ode_islands *islands)
{
    const int count = islands->body_count;
    if (!RLS_ROOM (stepper->loaded, count)) return 0;
    for (int b = 0; b < count; ++b)
    {
        rls_saved_body *to = &stepper->loaded.of[b];
        to->body = islands->bodies[b];
        rls_get_force (to->body, to->force);
        note_attached (to);
    }
    stepper->loaded.count = count;
    stepper->force (stepper->force_context, stepper->world, (dReal)stepper->time);
    return !rls_world_changed (stepper);
}

void rls_forces_undo (dRLSStepperID stepper)
{
    for (int b = 0; b < stepper->loaded.count; ++b)
        if (stepper->loaded.of[b].body)
            rls_set_force (stepper->loaded.of[b].body, stepper->loaded.of[b].force);
    stepper->loaded.count = 0;
}

int rls_forces_load (rls_island *s, const rls_pose *pose, const double (*v)[6])
{
    rls_workspace *workspace = rls_workspace_of (s);
    const dRLSStepperID stepper = workspace->stepper;
    int finite = 1;
    if (stepper->world_changed || !rls_poses_usable (pose, s->model.bodies)) return 0;

    /* ODE's bodies at the stage, with the forces that the program had put on them before the step */
    rls_begin_moving (workspace);
    for (int b = 0; b < s->model.bodies; ++b)
    {
        rls_set_pose (workspace, b, &pose[b]);
        rls_set_velocity (workspace->objects.body[b], s->model.length_scale, v[b]);
        rls_set_force (stepper->loaded.of[b].body, stepper->loaded.of[b].force);
    }
    stepper->force (stepper->force_context, stepper->world, (dReal)s->provider.time);
    if (rls_world_changed (stepper)) return 0;

    /* read the forces; velocities are set back at once, poses when the step has ended */
    for (int b = 0; b < s->model.bodies; ++b)
    {
        finite &= rls_read_force (workspace, b);
        rls_set_velocity (workspace->objects.body[b], s->model.length_scale, s->state.v[b]);
    }
    return finite;
}
