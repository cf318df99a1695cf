/*
 * Saved states: the motion of the bodies, through ODE's public calls, and copies of the workspaces, which
 * hold everything that a stepper carries from one step to the next.  Contract in ode_rls.h.
 */
#include "stepper.h"

dRLSStateID dRLSStateCreate (void) { return calloc (1, sizeof (struct dxRLSState)); }

void dRLSStateDestroy (dRLSStateID state)
{
    if (!state) return;
    for (int i = 0; i < state->workspaces.count; ++i) rls_workspace_free (state->workspaces.of[i]);
    rls_arena_free (&state->workspaces.block);
    rls_small_trees_free (&state->trees);
    rls_arena_free (&state->bodies.block);
    free (state);
}

dReal dRLSStateGetTime (dRLSStateID state) { return state && state->world ? (dReal)state->time : 0; }

/* ---- the calls ---- */

int dRLSStepperSaveState (dRLSStepperID stepper, dRLSStateID state, dBodyID const *bodies, int count)
{
    if (!rls_begin_call (stepper)) return 0;
    int valid = state && count >= 0 && (bodies || count == 0);
    for (int i = 0; i < count && valid; ++i) valid = bodies[i] && dBodyGetWorld (bodies[i]) == stepper->world;
    if (!valid) return rls_finish (stepper, dRLSStatusBadArgument);

    /* what the stepper carries from step to step; without memory the state is empty */
    state->world = NULL;
    int done = RLS_ROOM (state->bodies, count) &&
               rls_workspaces_room (&state->workspaces, stepper->workspaces.count);
    for (int i = 0; i < stepper->workspaces.count && done; ++i)
        done = rls_workspace_copy (state->workspaces.of[i], stepper->workspaces.of[i]);
    done = done && rls_small_trees_copy (&state->trees, &stepper->trees);
    if (!done) return rls_finish (stepper, dRLSStatusNoMemory);

    /* the bodies and the time */
    for (int i = 0; i < count; ++i)
    {
        rls_save_motion (&state->bodies.of[i], bodies[i]);
        rls_get_force (bodies[i], state->bodies.of[i].force);
        state->bodies.of[i].enabled = dBodyIsEnabled (bodies[i]);
    }
    state->bodies.count = count;
    state->used_workspaces = stepper->workspaces.count;
    state->time = stepper->time;
    state->world = stepper->world;
    return rls_finish (stepper, dRLSStatusOk);
}

int dRLSStepperRestoreState (dRLSStepperID stepper, dRLSStateID state)
{
    if (!rls_begin_call (stepper)) return 0;
    int valid = state && state->world == stepper->world;
    for (int i = 0; valid && i < state->bodies.count; ++i)
        valid = dBodyGetWorld (state->bodies.of[i].body) == stepper->world;
    if (!valid) return rls_finish (stepper, dRLSStatusBadArgument);

    /* what the stepper carried then; workspaces that it has got since are emptied */
    rls_forget_report (stepper);
    int done = rls_workspaces_room (&stepper->workspaces, state->used_workspaces);
    for (int i = 0; i < state->used_workspaces && done; ++i)
        done = rls_workspace_copy (stepper->workspaces.of[i], state->workspaces.of[i]);
    for (int i = done ? state->used_workspaces : 0; i < stepper->workspaces.count; ++i)
        rls_workspace_clear (stepper->workspaces.of[i]);
    done = rls_small_trees_copy (&stepper->trees, &state->trees) && done;
    if (!done) return rls_finish (stepper, dRLSStatusNoMemory);

    /* the bodies and the time */
    for (int i = 0; i < state->bodies.count; ++i)
    {
        const rls_saved_body *from = &state->bodies.of[i];
        rls_restore_motion (from);
        rls_set_force (from->body, from->force);
        (from->enabled ? dBodyEnable : dBodyDisable) (from->body);
    }
    stepper->time = state->time;
    return rls_finish (stepper, dRLSStatusOk);
}

/* ---- as bytes ---- */

#define HASH_START 0xcbf29ce484222325ull
#define HASH_PRIME 0x100000001b3ull
#define NUMBERS 31 /* of a body: position, quaternion and matrix, velocities, force and torque */

/*
 * A state as bytes: the motion of the bodies and the stepper's time, for a file or for another process of the
 * same build.
 *
 *     header | bodies, in the order in which they were saved | hash of all that (FNV-1a)
 *
 * What a stepper carries from step to step depends on addresses and is not written.  So the first step from a
 * state that was read is one without a warm start; a run that shall agree with it bit for bit has to forget
 * as well (dRLSStepperForget).
 */
typedef struct
{
    char magic[8], version[16];
    uint32_t precision, bodies; /* precision: bytes a number */
    double one, time;           /* one: 1, in the machine's order of bytes */
} header;

/* Returns the header of a state of so many bodies at a time (s). */
static header header_of (int bodies, double time)
{
    header h;
    memset (&h, 0, sizeof (h)); /* padding as well, since headers are compared as bytes */
    memcpy (h.magic, "RLSstate", sizeof (h.magic));
    strncpy (h.version, ODE_RLS_VERSION, sizeof (h.version) - 1);
    h.precision = sizeof (dReal), h.bodies = (uint32_t)bodies;
    h.one = 1, h.time = time;
    return h;
}

static uint64_t hash_of (const unsigned char *bytes, size_t count)
{
    uint64_t hash = HASH_START;
    for (size_t i = 0; i < count; ++i) hash = (hash ^ bytes[i]) * HASH_PRIME;
    return hash;
}

static size_t size_of (size_t bodies)
{
    return sizeof (header) + bodies * (NUMBERS * sizeof (dReal) + 1) + sizeof (uint64_t);
}

/* Returns the NUMBERS numbers of a body, which follow each other in the structure, after the handle. */
static dReal *numbers_of (rls_saved_body *body) { return body->x; }

size_t dRLSStateWrite (dRLSStateID state, void *bytes, size_t capacity)
{
    if (!state || !state->world) return 0;
    const size_t size = size_of ((size_t)state->bodies.count);
    if (!bytes || capacity < size) return size;
    const header h = header_of (state->bodies.count, state->time);
    unsigned char *at = bytes;
    memcpy (at, &h, sizeof (h));
    at += sizeof (h);
    for (int i = 0; i < state->bodies.count; ++i)
    {
        memcpy (at, numbers_of (&state->bodies.of[i]), NUMBERS * sizeof (dReal));
        at += NUMBERS * sizeof (dReal);
        *at++ = (unsigned char)(state->bodies.of[i].enabled != 0);
    }
    const uint64_t hash = hash_of (bytes, (size_t)(at - (unsigned char *)bytes));
    memcpy (at, &hash, sizeof (hash));
    return size;
}

/* Returns 1 if dRLSStateWrite of this build has written these bytes, for so many bodies. */
static int are_valid (const unsigned char *bytes, size_t size, int bodies)
{
    header h, wanted;
    uint64_t hash;
    if (bodies < 0 || size != size_of ((size_t)bodies)) return 0;
    memcpy (&h, bytes, sizeof (h));
    wanted = header_of (bodies, h.time);
    memcpy (&hash, bytes + size - sizeof (hash), sizeof (hash));
    return memcmp (&h, &wanted, sizeof (h)) == 0 && isfinite (h.time) &&
           hash == hash_of (bytes, size - sizeof (hash));
}

int dRLSStateRead (dRLSStateID state, dBodyID const *bodies, int count, const void *bytes, size_t size)
{
    int valid = state && bytes && bodies && count > 0 && are_valid (bytes, size, count) &&
                rls_ode_prepare (NULL) == dRLSStatusOk;
    for (int i = 0; i < count && valid; ++i)
        valid = bodies[i] && dBodyGetWorld (bodies[i]) == dBodyGetWorld (bodies[0]);
    if (!valid || !RLS_ROOM (state->bodies, count)) return 0;

    /* bodies, without anything carried by a stepper */
    const unsigned char *at = bytes;
    header h;
    memcpy (&h, at, sizeof (h));
    at += sizeof (h);
    for (int i = 0; i < count; ++i)
    {
        rls_saved_body *body = &state->bodies.of[i];
        body->body = bodies[i];
        memcpy (numbers_of (body), at, NUMBERS * sizeof (dReal));
        at += NUMBERS * sizeof (dReal);
        body->enabled = *at++;
    }
    state->bodies.count = count, state->used_workspaces = 0;
    rls_small_trees_forget (&state->trees);
    state->time = h.time;
    state->world = dBodyGetWorld (bodies[0]);
    return 1;
}
