/*
 * Saved states: the motion of bodies, read and written through ODE's public calls, and copies of the
 * workspaces, in which lives whatever a stepper carries from one step to the next.
 */
#include "state.h"

dRLSStateID dRLSStateCreate (void) { return calloc (1, sizeof (struct dxRLSState)); }

void dRLSStateDestroy (dRLSStateID state)
{
    if (!state) return;
    for (int i = 0; i < state->workspace_count; ++i) rls_workspace_free (state->workspaces[i]);
    free (state->workspaces);
    rls_small_trees_free (&state->trees);
    free (state->bodies);
    free (state);
}

dReal dRLSStateGetTime (dRLSStateID state) { return state && state->world ? (dReal)state->time : 0; }

/* ---- bodies ---- */

static void copy3 (dReal *to, const dReal *from) { memcpy (to, from, 3 * sizeof (dReal)); }

void rls_save_motion (rls_saved_body *to, dBodyID body)
{
    to->body = body;
    copy3 (to->x, dBodyGetPosition (body));
    rls_get_turn (body, to->turn);
    copy3 (to->v, dBodyGetLinearVel (body));
    copy3 (to->w, dBodyGetAngularVel (body));
}

void rls_restore_motion (const rls_saved_body *from)
{
    const dBodyID body = from->body;
    dBodySetPosition (body, from->x[0], from->x[1], from->x[2]);
    dBodySetQuaternion (body, from->turn); /* tells the geoms, and rounds */
    rls_set_turn (body, from->turn);
    dBodySetLinearVel (body, from->v[0], from->v[1], from->v[2]);
    dBodySetAngularVel (body, from->w[0], from->w[1], from->w[2]);
}

/* ---- the calls ---- */

int rls_state_reserve (dRLSStateID state, int bodies, int workspaces)
{
    return rls_array_reserve (&state->bodies, &state->body_capacity, bodies, sizeof (rls_saved_body)) &&
           rls_workspaces_room (&state->workspaces, &state->workspace_count, &state->workspace_capacity,
                                workspaces);
}

int dRLSStepperSaveState (dRLSStepperID stepper, dRLSStateID state, dBodyID const *bodies, int count)
{
    if (!rls_begin_call (stepper)) return 0;
    int valid = state && count >= 0 && (bodies || count == 0);
    for (int i = 0; i < count && valid; ++i) valid = bodies[i] && dBodyGetWorld (bodies[i]) == stepper->world;
    if (!valid) return rls_finish (stepper, dRLSStatusBadArgument);
    state->world = NULL;
    int done = rls_state_reserve (state, count, stepper->workspace_count);
    for (int i = 0; i < stepper->workspace_count && done; ++i)
        done = rls_workspace_copy (state->workspaces[i], stepper->workspaces[i]);
    done = done && rls_small_trees_copy (&state->trees, &stepper->trees);
    if (!done) return rls_finish (stepper, dRLSStatusNoMemory);
    for (int i = 0; i < count; ++i)
    {
        rls_save_motion (&state->bodies[i], bodies[i]);
        rls_get_force (bodies[i], state->bodies[i].force);
        state->bodies[i].enabled = dBodyIsEnabled (bodies[i]);
    }
    state->body_count = count;
    state->used_workspaces = stepper->workspace_count;
    state->time = stepper->time;
    state->world = stepper->world;
    return rls_finish (stepper, dRLSStatusOk);
}

int dRLSStepperRestoreState (dRLSStepperID stepper, dRLSStateID state)
{
    if (!rls_begin_call (stepper)) return 0;
    int valid = state && state->world == stepper->world;
    for (int i = 0; valid && i < state->body_count; ++i)
        valid = dBodyGetWorld (state->bodies[i].body) == stepper->world;
    if (!valid) return rls_finish (stepper, dRLSStatusBadArgument);
    rls_forget_report (stepper);
    int done = rls_workspaces_reserve (stepper, state->used_workspaces);
    for (int i = 0; i < state->used_workspaces && done; ++i)
        done = rls_workspace_copy (stepper->workspaces[i], state->workspaces[i]);
    for (int i = done ? state->used_workspaces : 0; i < stepper->workspace_count; ++i)
        rls_workspace_clear (stepper->workspaces[i]); /* the others had no past then */
    done = rls_small_trees_copy (&stepper->trees, &state->trees) && done;
    if (!done) return rls_finish (stepper, dRLSStatusNoMemory);
    for (int i = 0; i < state->body_count; ++i)
    {
        const rls_saved_body *from = &state->bodies[i];
        rls_restore_motion (from);
        rls_set_force (from->body, from->force);
        (from->enabled ? dBodyEnable : dBodyDisable) (from->body);
    }
    stepper->time = state->time;
    return rls_finish (stepper, dRLSStatusOk);
}
