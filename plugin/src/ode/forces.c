/* The force callback inside the step; contract in forces.h. */
#include "forces.h"
#include "stepper/world_changed.h"
#include "island/rotation.h"
#include <stddef.h>
#include <string.h>

int rls_forces_begin (dRLSStepperID stepper, const rls_ode_islands *islands)
{
    int count = 0;
    for (size_t i = 0; i < islands->count; ++i) count += (int)islands->sizes[2 * i];
    stepper->loaded_count = 0;
    if (!rls_array_reserve (&stepper->loaded, &stepper->loaded_capacity, count, sizeof (rls_loaded_body)))
        return 0;
    for (int b = 0; b < count; ++b)
    {
        rls_loaded_body *to = &stepper->loaded[b];
        to->body = islands->bodies[b];
        memcpy (to->force, dBodyGetForce (to->body), sizeof (to->force));
        memcpy (to->torque, dBodyGetTorque (to->body), sizeof (to->torque));
        rls_note_attached (to);
    }
    stepper->loaded_count = count;
    stepper->force (stepper->force_context, stepper->world, (dReal)stepper->time);
    return !rls_world_changed (stepper);
}

static void set_accumulators (const rls_loaded_body *to)
{
    dBodySetForce (to->body, to->force[0], to->force[1], to->force[2]);
    dBodySetTorque (to->body, to->torque[0], to->torque[1], to->torque[2]);
}

void rls_forces_undo (dRLSStepperID stepper)
{
    for (int b = 0; b < stepper->loaded_count; ++b)
        if (stepper->loaded[b].body) set_accumulators (&stepper->loaded[b]);
    stepper->loaded_count = 0;
}

int rls_forces_load (rls_island *s, const rls_pose *pose, const double (*v)[6])
{
    rls_workspace *workspace = (rls_workspace *)(void *)((char *)s - offsetof (rls_workspace, island));
    const dRLSStepperID stepper = workspace->stepper;
    int finite = 1;
    if (stepper->world_changed || !rls_poses_usable (pose, s->model.bodies)) return 0;
    rls_begin_moving (workspace);
    for (int b = 0; b < s->model.bodies; ++b)
    {
        rls_set_pose (workspace, b, &pose[b]);
        rls_set_velocity (workspace, b, v[b]);
        set_accumulators (&stepper->loaded[b]);
    }
    stepper->force (stepper->force_context, stepper->world, (dReal)s->provider.time);
    if (rls_world_changed (stepper)) return 0;
    for (int b = 0; b < s->model.bodies; ++b)
    {
        finite &= rls_read_force (workspace, b);
        rls_set_velocity (workspace, b, s->state.v[b]); /* a step that fails leaves no trace */
    }
    return finite;
}
