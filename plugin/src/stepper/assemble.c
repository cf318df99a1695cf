/*
 * dRLSStepperAssemble: closes all joints before a simulation begins; contract in ode_rls.h.
 *
 * This takes several passes.  Each of them decides on the rank where the bodies are, projects the poses onto
 * the constraints with these decisions, and then the velocities.  While joints are far from closed, rows that
 * depend on each other appear independent; the decisions improve from pass to pass.  What the last pass has
 * not closed contradicts itself.  Where joints are closed already, velocities that belong to no motion are
 * replaced by the nearest ones that do (singular configurations; section 8 of method.md).
 */
#include "stepper.h"
#include "integrators/project.h"

#define MOST_PASSES 20

rls_outcome rls_close_island (rls_workspace *workspace)
{
    rls_island *s = &workspace->island;
    rls_motion_copy (s->model.bodies, &s->state, &s->next);
    if (s->begin.rows.rows == 0) return RLS_DONE;
    const double open = rls_flat_largest (s->begin.rows.rows, s->begin.rows.residual);
    RLS_TRY (rls_project_positions (s, s->position_tolerance, 0, INT_MAX));
    RLS_TRY (rls_project_velocities (s, s->next.v));
    if (open <= RLS_CLOSED) return rls_branch_velocity_fit (s, s->next.v, 0);
    return RLS_DONE;
}

/* ---- measurements ---- */

/* Measures the largest violations of all joints, in m and in rad.  Returns the joint with the largest one of
 * both, NULL if all are 0. */
static dJointID largest_violation (dRLSStepperID stepper, dReal *metres, dReal *radians)
{
    dJointID joint = NULL;
    double worst = 0;
    *metres = *radians = 0;
    for (int i = 0; i < stepper->used_workspaces; ++i)
        for (int j = 0; j < stepper->workspaces.of[i]->objects.joints; ++j)
        {
            dRLSViolation open;
            if (!dRLSMeasureJoint (stepper->workspaces.of[i]->objects.joint[j], &open)) continue;
            *metres = (dReal)fmax ((double)*metres, (double)open.position_m);
            *radians = (dReal)fmax ((double)*radians, (double)open.angle_rad);
            const double larger = fmax ((double)open.position_m, (double)open.angle_rad);
            if (larger > worst) worst = larger, joint = stepper->workspaces.of[i]->objects.joint[j];
        }
    return joint;
}

/* Measures how far the bodies have been moved and turned from where they were. */
static void measure_moves (const rls_saved_body *before, int count, dRLSAssembly *a)
{
    for (int i = 0; i < count; ++i)
    {
        const dReal *x = dBodyGetPosition (before[i].body), *q = dBodyGetQuaternion (before[i].body);
        double far2 = 0, along = 0;
        for (int k = 0; k < 3; ++k) far2 += pow ((double)(x[k] - before[i].x[k]), 2);
        for (int k = 0; k < 4; ++k) along += (double)(q[k] * before[i].turn[k]);
        if (sqrt (far2) > (double)a->moved_m) a->moved_m = (dReal)sqrt (far2), a->moved_body = before[i].body;
        a->turned_rad = (dReal)fmax ((double)a->turned_rad, 2 * acos (fmin (1, fabs (along))));
    }
}

/* ---- bodies ---- */

/* Saves the motion of all bodies in a new array.  Returns their number, or -1 without memory. */
static int save_bodies (dRLSStepperID stepper, rls_saved_body **before)
{
    int count = 0;
    for (int i = 0; i < stepper->used_workspaces; ++i) count += stepper->workspaces.of[i]->objects.bodies;
    if (!(*before = malloc (sizeof (**before) * (size_t)(count + 1)))) return -1;
    rls_saved_body *to = *before;
    for (int i = 0; i < stepper->used_workspaces; ++i)
        for (int b = 0; b < stepper->workspaces.of[i]->objects.bodies; ++b, ++to)
            rls_save_motion (to, stepper->workspaces.of[i]->objects.body[b]);
    return count;
}

/* Moves ODE's bodies to where a pass has closed the joints. */
static void move_bodies (dRLSStepperID stepper)
{
    for (int i = 0; i < stepper->used_workspaces; ++i)
    {
        const rls_workspace *workspace = stepper->workspaces.of[i];
        const rls_island *s = &workspace->island;
        for (int b = 0; b < s->model.bodies; ++b)
        {
            if (!s->model.movable[b]) continue;
            rls_set_pose (workspace, b, &s->next.pose[b]);
            rls_set_velocity (workspace->objects.body[b], s->model.length_scale, s->next.v[b]);
        }
    }
}

/* ---- the passes ---- */

/* Closes the joints and fills in the result; if that fails the bodies are set back.  Returns a dRLSStatus. */
static int close_joints (dRLSStepperID stepper, dRLSAssembly *a)
{
    rls_saved_body *before = NULL;
    int status = rls_workspaces_analyse (stepper, 1);
    if (status != dRLSStatusOk) return status;

    /* the beginning */
    const int bodies = a->bodies = save_bodies (stepper, &before);
    if (bodies < 0) return dRLSStatusNoMemory;
    a->open_joint = largest_violation (stepper, &a->open_m, &a->open_rad);
    a->left_m = a->open_m, a->left_rad = a->open_rad;

    /* Passes as long as they reduce the violation, up to one that begins with closed joints: that one also
     * fits the velocities to a motion. */
    double last = HUGE_VAL;
    while (status == dRLSStatusOk && a->passes < MOST_PASSES)
    {
        status = rls_workspaces_analyse (stepper, RLS_ASSEMBLE);
        if (status != dRLSStatusOk) break;
        move_bodies (stepper);
        ++a->passes;
        a->open_joint = largest_violation (stepper, &a->left_m, &a->left_rad);
        const double left = fmax ((double)a->left_m, (double)a->left_rad);
        if (!(last > RLS_ROUNDING && left < RLS_STAGNATED * last)) break;
        last = left;
    }

    /* rows that contradict each other at the end; or the bodies as they were */
    if (status == dRLSStatusOk) status = rls_workspaces_analyse (stepper, 1);
    for (int i = 0; i < stepper->used_workspaces && status == dRLSStatusOk; ++i)
        a->conflicting += stepper->workspaces.of[i]->findings.conflicting_count;
    if (status == dRLSStatusOk) measure_moves (before, bodies, a);
    for (int i = 0; i < bodies && status != dRLSStatusOk; ++i) rls_restore_motion (&before[i]);
    free (before);
    return status;
}

int dRLSStepperAssemble (dRLSStepperID stepper, dBodyID const *held, int count, dRLSAssembly *assembly)
{
    if (!rls_begin_call (stepper)) return 0;
    if (count < 0 || (count > 0 && !held) || (assembly && assembly->struct_size == 0))
        return rls_finish (stepper, dRLSStatusBadArgument);
    for (int i = 0; i < count; ++i)
        if (!held[i] || dBodyGetWorld (held[i]) != stepper->world)
            return rls_finish (stepper, dRLSStatusBadArgument);
    dRLSAssembly found = {.struct_size = sizeof (found)};
    stepper->held = held, stepper->held_count = count;
    rls_read_world (stepper);
    rls_small_trees_forget (&stepper->trees);
    const int status = close_joints (stepper, &found);
    stepper->held_count = stepper->busy = 0;
    dRLSStepperForget (stepper);
    if (assembly && status == dRLSStatusOk) rls_give (assembly, &found, sizeof (found));
    return rls_finish (stepper, status);
}
