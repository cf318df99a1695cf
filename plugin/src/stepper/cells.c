/* Islands -> cells -> ODE's thread pool. */
#include "cells.h"
#include "bounded/bounded.h"
#include "island/carry.h"
#include "changed.h"
#include "ode/forces.h"
#include "integrate.h"
#include "match.h"
#include "island/rotation.h"
#include "ode/standing.h"
#include "integrators/stiffness.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Several threads work on an island whose factor has so many entries, or so many joints before it has one. */
#define LARGE 200000
#define MANY 5000

void rls_cell_clear (rls_cell *cell)
{
    rls_bounded_free (cell->island.bounded_work);
    rls_island_free (&cell->island);
    rls_symplectic_free (&cell->symplectic);
    rls_penalty_free (&cell->penalty);
    rls_rk4_free (&cell->rk4);
    rls_simultaneous_free (&cell->after);
    rls_block_free (&cell->objects);
    rls_block_free (&cell->topology);
    rls_block_free (&cell->unique_block);
    free (cell->redundant);
    rls_standing_free (cell);
    *cell = (rls_cell){0};
}

void rls_cell_free (rls_cell *cell)
{
    rls_cell_clear (cell);
    free (cell);
}

void rls_cell_forget (rls_cell *cell)
{
    rls_island *s = &cell->island;
    s->carried = s->now_exact = s->yield.stalls = 0;
    rls_symplectic_forget (&cell->symplectic);
    rls_bounded_free (s->bounded_work);
    s->bounded_work = NULL;
    cell->ledger = (rls_ledger){0, 0};
    cell->body = NULL; /* nor the order that its objects were in */
}

/* ---- one island ---- */

/*
 * A program that moves bodies begins another motion: decisions, multipliers and failures of the old one say
 * nothing about it.  (Kinematic bodies are the program's to move.)
 */
static void forget_other_motion (rls_island *s)
{
    for (int b = 0; b < s->bodies && s->carried; ++b)
        if (s->movable[b] && !rls_poses_same (&s->pose[b], &s->new_pose[b], 1))
            s->carried = s->now_exact = s->stiffness_known = s->failing = s->pausing = s->in_vain =
                s->resting = 0;
}

/* What an island does on one of ODE's threads. */
static void run_cell (rls_ode_task *task)
{
    rls_cell *cell = (rls_cell *)(void *)task;
    rls_island *s = &cell->island;
    const double start = rls_clock ();
    const int gathered = rls_gather (cell);
    const double after_gather = rls_clock ();
    cell->seconds[dRLSStageGather] += after_gather - start;
    if (!gathered || !rls_cell_order (cell)) return;
    forget_other_motion (s);
    if (!s->carried)
    {
        rls_symplectic_forget (&cell->symplectic);
        cell->penalty.history = 0;
        cell->ledger = (rls_ledger){0, 0};
    }
    const double after_order = rls_clock ();
    cell->seconds[dRLSStageOrder] += after_order - after_gather;
    if (!rls_cell_factor (cell)) return;
    if (!cell->analyse && s->raised > 0 && !rls_stiffness_attach (s))
    {
        rls_gather_masses (cell);
        if (!rls_cell_factor (cell)) return;
    }
    if (!rls_cell_list_redundant (cell)) return;
    cell->seconds[dRLSStageFactor] += rls_clock () - after_order;
    rls_check_conflicts (cell);
    if (cell->analyse || !rls_integrate (cell)) return;
    int usable = rls_poses_usable (s->new_pose, s->bodies);
    for (int b = 0; b < s->bodies; ++b) /* ODE squares speeds, and ends the program over what overflows */
        usable &= isfinite (rls_dot6 (s->new_v[b], s->new_v[b]));
    if (!usable)
    {
        cell->status = dRLSStatusNotFinite;
        return;
    }
    rls_check_step (cell);
    if (cell->settings->correction == dRLSCorrectionProjection) /* the others are as published */
        rls_stiffness_find (s, cell->h);
}

/* ---- all islands ---- */

static int reserve_tasks (dRLSStepperID stepper, int count)
{
    const int tasks = count > RLS_TEAM_SEATS ? count : RLS_TEAM_SEATS;
    return rls_array_reserve (&stepper->tasks, &stepper->task_capacity, tasks, sizeof (rls_ode_task *)) &&
           rls_array_reserve (&stepper->sizes, &stepper->size_capacity, 2 * tasks, sizeof (unsigned));
}

int rls_cells_reserve (dRLSStepperID stepper, int count)
{
    if (!reserve_tasks (stepper, count) ||
        !rls_array_reserve (&stepper->cells, &stepper->cell_capacity, count, sizeof (rls_cell *)))
        return 0;
    for (; stepper->cell_count < count; ++stepper->cell_count)
    {
        rls_cell *cell = calloc (1, sizeof (rls_cell));
        if (!cell) return 0;
        stepper->cells[stepper->cell_count] = cell;
    }
    return 1;
}

static void work_with (rls_island *s, rls_team *team) { s->team = s->rows.team = s->rows_now.team = team; }

static void prepare_cell (dRLSStepperID stepper, rls_cell *cell, double h, int analyse)
{
    rls_island *s = &cell->island;
    rls_carry_give_back (s);
    cell->task.run = run_cell;
    work_with (s, NULL);
    cell->settings = &stepper->settings;
    cell->drives = stepper->drives;
    cell->drive_count = stepper->drive_count;
    cell->priorities = stepper->priorities;
    cell->priority_count = stepper->priority_count;
    cell->compliances = stepper->compliances;
    cell->compliance_count = stepper->compliance_count;
    cell->stepper = stepper;
    cell->h = h;
    cell->time = stepper->time;
    cell->analyse = analyse;
    memset (cell->seconds, 0, sizeof (cell->seconds));
    memset (cell->notes, 0, sizeof (cell->notes));
    s->factorisations = s->row_evaluations = s->iterations = s->fallbacks = s->singular_events = 0;
    s->time = stepper->time;
    s->load = stepper->force && !analyse && rls_integrate_wants_stages (&stepper->settings) ? rls_forces_load
                                                                                            : NULL;
    if (!(s->unit > 0)) s->unit = 1;
    s->bounded_iterations = 0;
    s->bounded_residual = s->projection_residual = 0;
    s->bounded_inexact = 0;
}

static void fill_cell (dRLSStepperID stepper, int i, dBodyID const *bodies, int body_count,
                       dJointID const *joints, int joint_count, double h, int analyse)
{
    rls_cell *cell = stepper->cells[i];
    prepare_cell (stepper, cell, h, analyse);
    cell->ode_bodies = bodies, cell->ode_body_count = body_count;
    cell->ode_joints = joints, cell->ode_joint_count = joint_count;
}

/* All islands in one cell: a force callback sees the whole world at each stage. */
static int fill_one_cell (dRLSStepperID stepper, const rls_ode_islands *islands, double h, int analyse)
{
    int bodies = 0, joints = 0;
    if (!rls_cells_reserve (stepper, 1) || !rls_cells_match (stepper, islands->bodies, 1)) return -1;
    for (size_t i = 0; i < islands->count; ++i)
    {
        bodies += (int)islands->sizes[2 * i];
        joints += (int)islands->sizes[2 * i + 1];
    }
    fill_cell (stepper, 0, islands->bodies, bodies, islands->joints, joints, h, analyse);
    return 1;
}

/* Brings the cells into the order of the islands that get one.  1 done, 0 no memory. */
static int match_islands (dRLSStepperID stepper, const rls_ode_islands *islands, int cells)
{
    const rls_free_bodies *list = &stepper->free;
    dBodyID const *bodies = islands->bodies;
    int count = 0, next = 0;
    if (!rls_array_reserve (&stepper->first, &stepper->first_capacity, cells, sizeof (dBodyID))) return 0;
    for (size_t i = 0; i < islands->count; bodies += islands->sizes[2 * i], ++i)
    {
        const int listed = next < list->count && list->of[next].body == bodies[0];
        if (!listed || list->of[next].refused) stepper->first[count++] = bodies[0];
        next += listed;
    }
    return rls_cells_match (stepper, stepper->first, count);
}

/* Gives a cell to each island that is no free body, or one that was refused.  Returns their number, or -1
 * without memory. */
static int fill_cells (dRLSStepperID stepper, const rls_ode_islands *islands, double h, int analyse)
{
    const rls_free_bodies *list = &stepper->free;
    dBodyID const *bodies = islands->bodies;
    dJointID const *joints = islands->joints;
    int cells = (int)islands->count - list->count, count = 0, next = 0;
    for (int i = 0; i < list->count; ++i) cells += list->of[i].refused;
    if (!rls_cells_reserve (stepper, cells) || !match_islands (stepper, islands, cells)) return -1;
    for (size_t i = 0; i < islands->count; ++i)
    {
        const int body_count = (int)islands->sizes[2 * i], joint_count = (int)islands->sizes[2 * i + 1];
        const int listed = next < list->count && list->of[next].body == bodies[0];
        if (!listed || list->of[next].refused)
            fill_cell (stepper, count++, bodies, body_count, joints, joint_count, h, analyse);
        next += listed;
        bodies += body_count;
        joints += joint_count;
    }
    return count;
}

/* Steps the bodies that nothing is attached to, or only looks at them.  Returns a dRLSStatus. */
static int run_free_bodies (dRLSStepperID stepper, const rls_ode_islands *islands, double h, int analyse)
{
    rls_free_bodies *list = &stepper->free;
    dBodyID const *bodies = islands->bodies;
    if (!rls_free_bodies_supported (&stepper->settings)) return dRLSStatusOk;
    for (size_t i = 0; i < islands->count; bodies += islands->sizes[2 * i], ++i)
        if (rls_free_bodies_add (list, bodies, islands->sizes[2 * i], islands->sizes[2 * i + 1]) < 0)
            return dRLSStatusNoMemory;
    if (!rls_free_bodies_share (list, &stepper->settings, analyse ? 0 : h) ||
        !reserve_tasks (stepper, list->batch_count))
        return dRLSStatusNoMemory;
    for (int i = 0; i < list->batch_count; ++i) stepper->tasks[i] = &list->batches[i].task;
    if (!rls_ode_run_tasks (stepper->world, (dReal)h, stepper->tasks, stepper->sizes,
                            (size_t)list->batch_count))
        return dRLSStatusODEFailed;
    return rls_free_bodies_status (list);
}

/* ---- at work ---- */

/* The first thread of the crew goes through the island's step, the others do what it shares out. */
static void run_member (rls_ode_task *task)
{
    rls_crew *crew = (rls_crew *)(void *)task;
    if (!rls_team_join (&crew->team)) return;
    run_cell (&crew->cell->task);
    rls_team_dismiss (&crew->team);
}

/* Returns as rls_ode_run_tasks. */
static int run_together (dRLSStepperID stepper, double h, rls_cell *cell, int threads)
{
    rls_crew *crew = &stepper->crew;
    crew->task.run = run_member;
    crew->cell = cell;
    rls_team_gather (&crew->team, threads);
    work_with (&cell->island, &crew->team);
    for (int i = 0; i < threads; ++i) stepper->tasks[i] = &crew->task;
    const int done =
        rls_ode_run_tasks (stepper->world, (dReal)h, stepper->tasks, stepper->sizes, (size_t)threads);
    work_with (&cell->island, NULL);
    return done;
}

/* Large enough, as far as can be told from the last step, and more than one thread's share of the world.  A
 * force callback is promised the caller's own thread. */
static int wants_crew (dRLSStepperID stepper, const rls_cell *cell, int threads, double all_joints)
{
    const rls_order *order = &cell->island.order;
    const int joints = cell->ode_joint_count;
    if (threads <= 1 || stepper->force || (double)joints * threads <= all_joints) return 0;
    return cell->kept_movable ? order->panel[order->n] >= LARGE : joints >= MANY; /* if there is an order */
}

/* Large islands one after the other, each by all threads; then the others, each by one.  Returns as above;
 * where ODE fails in between, what the first have tried is put back. */
static int run_cells (dRLSStepperID stepper, double h, int count)
{
    const int pool = (int)dWorldGetStepIslandsProcessingMaxThreadCount (stepper->world);
    const int threads = pool < RLS_TEAM_SEATS ? pool : RLS_TEAM_SEATS;
    double all_joints = 0;
    int alone = 0, done = 1, ran = 0;
    for (int i = 0; i < count; ++i) all_joints += stepper->cells[i]->ode_joint_count;
    for (int i = 0; i < count && done; ++i)
    {
        rls_cell *cell = stepper->cells[i];
        cell->by_crew = wants_crew (stepper, cell, threads, all_joints);
        if (cell->by_crew) done = run_together (stepper, h, cell, threads);
        ran += done;
    }
    for (int i = 0; i < count; ++i)
        if (!stepper->cells[i]->by_crew) stepper->tasks[alone++] = &stepper->cells[i]->task;
    done =
        done && rls_ode_run_tasks (stepper->world, (dReal)h, stepper->tasks, stepper->sizes, (size_t)alone);
    for (int i = 0; i < ran && !done; ++i)
        if (stepper->cells[i]->by_crew) rls_put_back (stepper->cells[i]);
    return done;
}

/* Objects that were no part of a step may be gone, and others have their memory. */
static void forget_unused (dRLSStepperID stepper)
{
    for (int i = stepper->used_cells; i < stepper->cell_count; ++i)
        if (stepper->cells[i]->body) rls_cell_forget (stepper->cells[i]);
}

int rls_cells_run (dRLSStepperID stepper, double h, int analyse)
{
    rls_ode_islands islands;
    stepper->used_cells = stepper->loaded_count = stepper->free.count = 0;
    rls_watch_world (stepper);
    if (!rls_ode_find_islands (stepper->world, (dReal)(analyse ? 0 : h), &islands))
        return dRLSStatusODEFailed;
    if (stepper->force && !analyse && !rls_forces_begin (stepper, &islands))
        return stepper->world_changed ? dRLSStatusWorldChanged : dRLSStatusNoMemory;
    const int as_one = stepper->force && rls_integrate_wants_stages (&stepper->settings) && islands.count > 0;
    const int freed = as_one ? dRLSStatusOk : run_free_bodies (stepper, &islands, h, analyse);
    if (freed != dRLSStatusOk) return freed;
    const int count = (as_one ? fill_one_cell : fill_cells) (stepper, &islands, h, analyse);
    if (count < 0) return dRLSStatusNoMemory;
    if (!run_cells (stepper, h, count)) return dRLSStatusODEFailed;
    stepper->used_cells = count;
    if (stepper->world_changed) return dRLSStatusWorldChanged;
    for (int i = 0; i < count; ++i)
        if (stepper->cells[i]->status != dRLSStatusOk) return stepper->cells[i]->status;
    if (!analyse) forget_unused (stepper);
    return dRLSStatusOk;
}
