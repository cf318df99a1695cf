/*
 * Runs a step of all islands of a world on ODE's threads: free bodies and small trees in batches (batch.h),
 * all other islands one by one, each in a workspace of its own.  Contract in stepper.h.
 */
#include "stepper.h"
#include "integrators/stiffness.h"

/* Memory that has been too large by a factor RLS_ROOMY, or not been used, for LONG_IDLE steps is freed. */
#define LONG_IDLE 100

/* ---- one island ---- */

/* The stages of the step of an island that has been gathered. */
static rls_outcome run_stages (rls_workspace *workspace)
{
    rls_island *s = &workspace->island;
    const double start = rls_clock (workspace->settings);

    /* the order of elimination */
    RLS_TRY (rls_workspace_order (workspace));
    rls_history_check_motion (workspace);
    const double after_order = rls_clock (workspace->settings);
    workspace->findings.seconds[dRLSStageOrder] += after_order - start;

    /* The factor, with rank decisions.  If inertia has been added to light bodies but would take too much
     * energy, it is removed again, and the factor computed anew. */
    RLS_TRY (rls_workspace_factor (workspace));
    if (!workspace->analyse && s->geometric.raised > 0 && !rls_stiffness_attach (s))
    {
        rls_gather_masses (workspace);
        RLS_TRY (rls_workspace_factor (workspace));
    }
    RLS_TRY (rls_workspace_list_redundant (workspace));
    workspace->findings.seconds[dRLSStageFactor] += rls_clock (workspace->settings) - after_order;

    /* the step */
    rls_check_conflicts (workspace);
    if (workspace->analyse)
        return workspace->analyse == RLS_ASSEMBLE ? rls_close_island (workspace) : RLS_DONE;
    RLS_TRY (rls_integrate (workspace));

    /* numbers that ODE could not handle are a failure; then warnings, and what the next step needs to know
     * about light bodies (other corrections than projection are as published) */
    if (!rls_motion_usable (s->model.bodies, s->next.pose, s->next.v)) return RLS_FAILED;
    rls_check_step (workspace);
    if (workspace->settings->correction == dRLSCorrectionProjection) rls_stiffness_find (s, workspace->h);
    return RLS_DONE;
}

/* Computes the step of one island, from ODE's objects to island.next, on one of ODE's threads and with its
 * arrays; sets the status of the workspace. */
static void run_island (rls_ode_task *task)
{
    rls_workspace *workspace = (rls_workspace *)(void *)task;
    const double start = rls_clock (workspace->settings);
    rls_thread_memory_take (workspace->stepper, workspace);
    const int gathered = rls_gather (workspace);
    workspace->findings.seconds[dRLSStageGather] += rls_clock (workspace->settings) - start;
    const rls_outcome done = gathered ? run_stages (workspace) : RLS_DONE;
    if (done != RLS_DONE)
        workspace->status = done == RLS_NO_MEMORY ? dRLSStatusNoMemory : dRLSStatusNotFinite;
    rls_thread_memory_put_back (workspace->stepper, workspace);
}

/* ---- all islands ---- */

/* Makes room for so many tasks of ODE's thread pool.  Returns 1, or 0 without memory. */
static int reserve_tasks (dRLSStepperID stepper, int count)
{
    return RLS_ROOM (stepper->tasks, count) && RLS_ROOM (stepper->sizes, 2 * count);
}

int rls_workspaces_room (rls_workspace_list *list, int wanted)
{
    if (!RLS_ROOM (*list, wanted)) return 0;
    for (; list->count < wanted; ++list->count)
        if (!(list->of[list->count] = calloc (1, sizeof (**list->of)))) return 0;
    return 1;
}

/* Prepares a workspace for a step of h (s), or an analysis, of an island. */
static void prepare_workspace (dRLSStepperID stepper, rls_workspace *workspace, const rls_given *given,
                               double h, int analyse)
{
    rls_island *s = &workspace->island;

    /* memory of a much larger island that left long ago is freed */
    if (!analyse)
    {
        const int size = given->body_count + given->joint_count;
        workspace->idle = (double)size * RLS_ROOMY < workspace->size ? workspace->idle + 1 : 0;
        if (workspace->idle == LONG_IDLE)
        {
            rls_workspace_clear (workspace);
            rls_thread_memory_free (&stepper->thread_memory);
        }
        if (size > workspace->size) workspace->size = size;
    }
    workspace->given = *given;
    workspace->task.run = run_island;
    workspace->settings = &stepper->settings;
    workspace->wishes = &stepper->wishes;
    workspace->stepper = stepper;

    /* the step */
    workspace->h = h;
    workspace->time = stepper->time;
    workspace->analyse = analyse;

    /* counts, times and warnings of this step; bounded_rest is carried from the last one */
    memset (workspace->findings.seconds, 0, sizeof (workspace->findings.seconds));
    memset (workspace->findings.notes, 0, sizeof (workspace->findings.notes));
    s->account = (rls_account){.bounded_rest = s->account.bounded_rest};
    s->provider.time = stepper->time;
    s->provider.forces = stepper->force && !analyse && rls_integrate_wants_stages (&stepper->settings)
                             ? rls_forces_load
                             : NULL;
    if (!(s->model.length_scale > 0)) s->model.length_scale = 1;
}

/* Returns all islands as a single one. */
static rls_given all_of (const rls_ode_islands *islands)
{
    return (rls_given){islands->bodies, islands->joints, islands->body_count, islands->joint_count};
}

/* Lists the islands that get a workspace, in stepper.given: all but free bodies and small trees, and of those
 * the ones that their batch has refused.  Both lists have the order of the islands.  Returns the number of
 * islands, or -1 without memory. */
static int list_islands (dRLSStepperID stepper, const rls_ode_islands *islands)
{
    const rls_free_bodies *free_bodies = &stepper->free;
    const rls_small_trees *trees = &stepper->trees;
    rls_given next = {.bodies = islands->bodies, .joints = islands->joints};
    int body = 0, tree = 0, count = 0;
    for (size_t i = 0; i < islands->count; ++i)
    {
        int wanted = 1;
        next.body_count = (int)islands->sizes[2 * i], next.joint_count = (int)islands->sizes[2 * i + 1];
        if (body < free_bodies->count && free_bodies->of[body].body == next.bodies[0])
            wanted = free_bodies->of[body++].refused;
        else if (stepper->trees_stepped && tree < trees->count &&
                 rls_small_tree_first (trees->of[tree]) == next.bodies[0])
            wanted = trees->of[tree++]->refused;
        if (wanted && !RLS_ROOM (stepper->given, count + 1)) return -1;
        if (wanted) stepper->given.of[count++] = next;
        next.bodies += next.body_count, next.joints += next.joint_count;
    }
    return count;
}

/* Runs the first count tasks of the list, on the world's threads or, where the stepper is alone, on this
 * one.  Returns as rls_ode_run_tasks. */
static int run_tasks (dRLSStepperID stepper, double h, int count)
{
    rls_ode_task **tasks = stepper->tasks.of;
    for (int i = 0; i < count && stepper->alone; ++i) tasks[i]->run (tasks[i]);
    return stepper->alone ||
           rls_ode_run_tasks (stepper->world, (dReal)h, tasks, stepper->sizes.of, (size_t)count);
}

/* Runs all items of a list, each of item bytes, in batches of at most most.  all: what the batches have in
 * common, with the whole list.  Returns a dRLSStatus. */
static int run_batches (dRLSStepperID stepper, double h, const rls_batch *all, size_t item, int most)
{
    const int count = (all->count + most - 1) / most;
    if (!RLS_ROOM (stepper->batches, count) || !reserve_tasks (stepper, count)) return dRLSStatusNoMemory;
    for (int i = 0; i < count; ++i)
    {
        rls_batch *batch = &stepper->batches.of[i];
        *batch = *all;
        batch->first = (char *)all->first + (size_t)i * (size_t)most * item;
        batch->count = i + 1 < count ? most : all->count - i * most;
        stepper->tasks.of[i] = &batch->task;
    }
    if (!run_tasks (stepper, h, count)) return dRLSStatusODEFailed;
    for (int i = 0; i < count; ++i)
        if (stepper->batches.of[i].status != dRLSStatusOk) return stepper->batches.of[i].status;
    return dRLSStatusOk;
}

/* Returns 1 under a symplectic integrator and the correction projection, which are all that batches know. */
static int may_batch (const rls_settings *set)
{
    return set->correction == dRLSCorrectionProjection &&
           (set->integrator == dRLSIntegratorAuto || rls_is_symplectic (set->integrator));
}

/* Lists the free bodies, and takes their step or (analyse) only checks that they can be read.  Returns a
 * dRLSStatus. */
static int run_free_bodies (dRLSStepperID stepper, const rls_ode_islands *islands, double h, int analyse)
{
    rls_free_bodies *list = &stepper->free;
    dBodyID const *bodies = islands->bodies;
    if (!may_batch (&stepper->settings)) return dRLSStatusOk;
    for (size_t i = 0; i < islands->count; bodies += islands->sizes[2 * i], ++i)
    {
        if (islands->sizes[2 * i] != 1 || islands->sizes[2 * i + 1] != 0 || dBodyIsKinematic (bodies[0]))
            continue;
        if (!RLS_ROOM (*list, list->count + 1)) return dRLSStatusNoMemory;
        list->of[list->count++] = (rls_free_body){.body = bodies[0]};
    }
    const rls_batch all = {.task.run = rls_free_bodies_run,
                           .first = list->of,
                           .count = list->count,
                           .settings = &stepper->settings,
                           .h = analyse ? 0 : h};
    return run_batches (stepper, h, &all, sizeof (*list->of), RLS_FREE_BODIES_A_BATCH);
}

/* Returns 1 if small trees may be stepped in batches, which know none of the wishes for joints but
 * priorities. */
static int batches_suffice (dRLSStepperID stepper)
{
    return may_batch (&stepper->settings) && stepper->settings.order == dRLSOrderDefault && !stepper->force &&
           stepper->wishes.drives.count == 0 && stepper->wishes.programs.count == 0 &&
           stepper->wishes.compliances.count == 0 && stepper->wishes.springs.count == 0;
}

/* Takes the step of the small trees that are known from the last step.  Returns a dRLSStatus. */
static int run_small_trees (dRLSStepperID stepper, const rls_ode_islands *islands, double h)
{
    rls_small_trees *list = &stepper->trees;
    double fraction[RLS_MOST_STAGES];
    if (!batches_suffice (stepper)) rls_small_trees_forget (list);
    stepper->trees_stepped = 1;
    if (!rls_small_trees_match (list, islands)) return dRLSStatusNoMemory;
    list->stages = rls_composition (rls_order_of (stepper->settings.integrator), fraction);
    const rls_batch all = {.task.run = rls_small_trees_run,
                           .first = list->of,
                           .count = list->count,
                           .settings = &stepper->settings,
                           .h = h};
    return run_batches (stepper, h, &all, sizeof (*list->of), RLS_SMALL_TREES_A_BATCH);
}

void rls_workspaces_give_back (dRLSStepperID stepper)
{
    int kept = 0, used = 0;
    for (int i = 0; i < stepper->workspaces.count; ++i)
    {
        rls_workspace *workspace = stepper->workspaces.of[i];
        if (i < stepper->used_workspaces && batches_suffice (stepper) &&
            rls_small_trees_add (&stepper->trees, workspace))
        {
            rls_workspace_free (workspace);
            continue;
        }
        used += i < stepper->used_workspaces;
        stepper->workspaces.of[kept++] = workspace;
    }
    stepper->workspaces.count = kept, stepper->used_workspaces = used;
}

/* ---- a step of the world ---- */

/* After a step: empties the history of workspaces that no island was in, because the objects whose handles
 * they hold may be destroyed and new ones get the same handles.  Frees those that were not used for
 * LONG_IDLE steps. */
static void forget_unused (dRLSStepperID stepper)
{
    int kept = stepper->used_workspaces;
    for (int i = kept; i < stepper->workspaces.count; ++i)
    {
        rls_workspace *workspace = stepper->workspaces.of[i];
        if (workspace->objects.body) rls_history_end (workspace, RLS_ISLAND_CHANGED);
        if (++workspace->idle < LONG_IDLE)
            stepper->workspaces.of[kept++] = workspace;
        else
        {
            rls_workspace_free (workspace);
            rls_thread_memory_free (&stepper->thread_memory);
        }
    }
    stepper->workspaces.count = kept;
}

int rls_workspaces_run (dRLSStepperID stepper, double h, int analyse)
{
    rls_ode_islands islands;
    stepper->used_workspaces = stepper->free.count = stepper->trees_stepped = 0;

    /* the islands, forces of the program at the beginning, and what is stepped in batches */
    rls_watch_world (stepper);
    if (!rls_ode_find_islands (stepper->world, (dReal)(analyse ? 0 : h), &islands))
        return dRLSStatusODEFailed;
    if (stepper->force && !analyse && !rls_forces_begin (stepper, &islands))
        return stepper->world_changed ? dRLSStatusWorldChanged : dRLSStatusNoMemory;
    const int as_one = stepper->force && rls_integrate_wants_stages (&stepper->settings) && islands.count > 0;
    int done = as_one ? dRLSStatusOk : run_free_bodies (stepper, &islands, h, analyse);
    if (done == dRLSStatusOk && !analyse) done = run_small_trees (stepper, &islands, h);
    if (done != dRLSStatusOk) return done;

    /* a workspace for each other island; one for all islands if forces are evaluated at stages of the step,
     * since the callback sees the whole world */
    const rls_given all = all_of (&islands);
    const int count = as_one ? 1 : list_islands (stepper, &islands);
    const rls_given *island = as_one ? &all : stepper->given.of;
    if (count < 0 || !reserve_tasks (stepper, count) || !rls_workspaces_room (&stepper->workspaces, count) ||
        !rls_workspaces_match (stepper, island, count))
        return dRLSStatusNoMemory;
    for (int i = 0; i < count; ++i)
    {
        prepare_workspace (stepper, stepper->workspaces.of[i], &island[i], h, analyse);
        stepper->tasks.of[i] = &stepper->workspaces.of[i]->task;
    }

    /* all of them at work, and whether all succeeded */
    if (!run_tasks (stepper, h, count)) return dRLSStatusODEFailed;
    stepper->used_workspaces = count;
    if (stepper->world_changed) return dRLSStatusWorldChanged;
    for (int i = 0; i < count; ++i)
        if (stepper->workspaces.of[i]->status != dRLSStatusOk) return stepper->workspaces.of[i]->status;
    if (!analyse) forget_unused (stepper);
    return dRLSStatusOk;
}

void rls_workspaces_put_back (dRLSStepperID stepper, int status)
{
    if (status == dRLSStatusWorldChanged) rls_forget_destroyed_bodies (stepper, NULL);
    for (int i = 0; i < stepper->used_workspaces; ++i) rls_put_back (stepper->workspaces.of[i]);
}

int rls_workspaces_analyse (dRLSStepperID stepper, int what)
{
    const int status = rls_workspaces_run (stepper, RLS_ANALYSIS_STEP, what);
    rls_workspaces_put_back (stepper, status);
    return status;
}

int rls_workspaces_read_world (dRLSStepperID stepper, rls_workspace *workspace, const rls_settings *settings)
{
    rls_ode_islands islands;
    rls_watch_world (stepper);
    if (!rls_ode_find_islands (stepper->world, 0, &islands)) return dRLSStatusODEFailed;
    if (islands.count == 0)
    {
        rls_workspace_clear (workspace);
        return dRLSStatusOk;
    }
    if (stepper->force && !rls_forces_begin (stepper, &islands))
        return stepper->world_changed ? dRLSStatusWorldChanged : dRLSStatusNoMemory;

    /* the stages of an analysis, with settings that may differ from the stepper's */
    const rls_given all = all_of (&islands);
    prepare_workspace (stepper, workspace, &all, RLS_ANALYSIS_STEP, 1);
    workspace->settings = settings;
    run_island (&workspace->task);
    return stepper->world_changed ? dRLSStatusWorldChanged : workspace->status;
}
