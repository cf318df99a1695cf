/*
 * Islands, tasks and rows of ODE.  The contract is in ode_seam.h.
 *
 * ODE's functions are called through two tables, which are filled before (ode_calls.h, ode_entries.h).  What
 * is known here about rows are facts of 0.16.2; ode_prepare.c tests with a small world whether they hold.
 */
#include "ode_seam.h"
#include "ode_entries.h"

static size_t no_memory_needed (dBodyID const *bodies, unsigned body_count, dJointID const *joints,
                                unsigned joint_count)
{
    (void)bodies, (void)body_count, (void)joints, (void)joint_count;
    return 64; /* the plugin has its own workspace, but ODE must allocate something */
}

int rls_ode_find_islands (dWorldID world, dReal h, rls_ode_islands *islands)
{
    const int found = rls_ode_private.find_islands (world, islands, h, no_memory_needed) & 0xff;
    islands->body_count = islands->joint_count = 0;
    for (size_t i = 0; found && i < islands->count; ++i)
    {
        islands->body_count += (int)islands->sizes[2 * i];
        islands->joint_count += (int)islands->sizes[2 * i + 1];
    }
    if (rls_ode_private.release_islands)
        rls_ode_private.release_islands (world); /* the lists remain where they are */
    return found;
}

/*
 * Runs a task.  ODE passes to a stepper function the island's array of bodies, which it does not read itself.
 * So each task is the only "body" of an island of its own.  ODE's pool already orders the memory accesses of
 * its threads; acquire and release show this to ThreadSanitizer, too, which does not see into ODE.
 */
static void run_task (rls_ode_island island)
{
    rls_ode_task *task =
        (rls_ode_task *)(void *)__atomic_load_n (rls_ode_private.island_bodies (island), __ATOMIC_ACQUIRE);
    task->run (task);
    __atomic_fetch_add (&task->done, 1,
                        __ATOMIC_RELEASE); /* an addition, so that all threads that ran it are ordered */
}

int rls_ode_run_tasks (dWorldID world, dReal h, rls_ode_task **tasks, unsigned *sizes, size_t count)
{
    if (count <= 1 || !rls_ode_private.process_islands) /* one task, or no threads */
    {
        for (size_t i = 0; i < count; ++i) tasks[i]->run (tasks[i]);
        return 1;
    }
    for (size_t i = 0; i < count; ++i)
    {
        sizes[2 * i] = 1;
        sizes[2 * i + 1] = 0;
        __atomic_store_n (&tasks[i], tasks[i], __ATOMIC_RELEASE);
    }
    const rls_ode_islands islands = {
        .count = count, .sizes = sizes, .bodies = (dBodyID const *)(const void *)tasks};
    const int done =
        rls_ode_private.process_islands (world, &islands, h, run_task, rls_ode_private.call_estimate) & 0xff;
    for (size_t i = 0; i < count; ++i) (void)__atomic_load_n (&tasks[i]->done, __ATOMIC_ACQUIRE);
    return done;
}

void rls_ode_joint_bodies (dJointID joint, dBodyID bodies[2])
{
    bodies[0] = dJointGetBody (joint, 0);
    bodies[1] = dJointGetBody (joint, 1);
    if (!bodies[0]) /* the world was named first */
    {
        bodies[0] = bodies[1];
        bodies[1] = NULL;
    }
}

int rls_ode_count_rows (dJointID joint, int *unbounded)
{
    rls_ode_row_info info = {0, 0, {0}};
    rls_ode_private.joint[dJointGetType (joint)].info1 (joint, &info);
    const int rows = info.m <= RLS_ODE_MAX_ROWS ? info.m : 0;
    if (unbounded) *unbounded = info.unbounded < rows ? info.unbounded : rows;
    return rows;
}

/* Asks a joint for its rows in the versions that take one structure of pointers. */
static void ask_by_pointers (dReal fps, dReal erp, rls_ode_rows *rows)
{
    dReal rhs[RLS_ODE_MAX_ROWS], cfm[RLS_ODE_MAX_ROWS], lo[RLS_ODE_MAX_ROWS], hi[RLS_ODE_MAX_ROWS];
    dReal *const J = &rows->J[0][0];
    const rls_ode_row_pointers question = {
        J, J + 3, J + 6, J + 9, 12, rhs, cfm, lo, hi, rows->findex, {J, J, J, J, J, J}};
    for (int r = 0; r < rows->count; ++r)
    {
        rhs[r] = rows->rhs_cfm[r][0], cfm[r] = rows->rhs_cfm[r][1];
        lo[r] = rows->lo_hi[r][0], hi[r] = rows->lo_hi[r][1];
    }
    rls_ode_private.joint[rows->type].info2_pointers (rows->joint, fps, erp, &question);
    for (int r = 0; r < rows->count; ++r)
    {
        rows->rhs_cfm[r][0] = rhs[r], rows->rhs_cfm[r][1] = cfm[r];
        rows->lo_hi[r][0] = lo[r], rows->lo_hi[r][1] = hi[r];
    }
}

void rls_ode_get_rows_counted (dJointID joint, int m, dReal fps, dReal erp, dReal cfm, rls_ode_rows *rows)
{
    const dJointType type = dJointGetType (joint);
    dVector3 rates[2];
    rows->joint = joint, rows->type = type, rows->count = m;
    memset (rows->J, 0, sizeof (rows->J[0]) * (size_t)m);
    for (int r = 0; r < m; ++r)
    {
        rows->rhs_cfm[r][0] = 0;
        rows->rhs_cfm[r][1] = cfm;
        rows->lo_hi[r][0] = -dInfinity;
        rows->lo_hi[r][1] = dInfinity;
        rows->findex[r] = -1;
    }
    if (type == dJointTypeTransmission) rls_gears_lead (joint, fps, rates);
    if (rls_ode_private.joint[type].info2)
        rls_ode_private.joint[type].info2 (joint, fps, erp, 12, rows->J[0], rows->J[0] + 6, 2,
                                           rows->rhs_cfm[0], rows->lo_hi[0], rows->findex);
    else
        ask_by_pointers (fps, erp, rows);
    if (type == dJointTypeTransmission) rls_gears_mend (fps, rates, rows);
    rls_ode_turn_levers (fps * erp, rows);
}

void rls_ode_finish_body (dBodyID body)
{
    rls_ode_private.step_body (body, 0); /* a step of zero length moves nothing and does all the rest */
}
