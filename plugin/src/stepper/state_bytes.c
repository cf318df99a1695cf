/*
 * States as bytes: the motion of bodies and the stepper's clock, for a file or another process of the same
 * build.
 *
 *     header | bodies, in the order in which they were named | hash of all before it (FNV-1a)
 *
 * What a stepper carries from step to step hangs on addresses and on memory that grew with the run; it is not
 * written.  A state that was read begins anew, and so does the run that is to agree with it
 * (dRLSStepperForget).
 */
#include "state.h"

#define HASH_START 0xcbf29ce484222325ull
#define HASH_PRIME 0x100000001b3ull
#define NUMBERS 31 /* of a body: position, quaternion and matrix, velocities, force and torque */

typedef struct
{
    char magic[8], version[16];
    uint32_t precision, bodies; /* precision: bytes a number */
    double one, time;           /* one: 1, in the machine's order of bytes */
} header;

static header header_of (int bodies, double time)
{
    header h;
    memset (&h, 0, sizeof (h)); /* padding and the rest of the version, too */
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

/* The numbers of a body in a row; they are its first members but for the handle. */
static dReal *numbers_of (rls_saved_body *body) { return body->x; }

size_t dRLSStateWrite (dRLSStateID state, void *bytes, size_t capacity)
{
    if (!state || !state->world) return 0;
    const size_t size = size_of ((size_t)state->body_count);
    if (!bytes || capacity < size) return size;
    const header h = header_of (state->body_count, state->time);
    unsigned char *at = bytes;
    memcpy (at, &h, sizeof (h));
    at += sizeof (h);
    for (int i = 0; i < state->body_count; ++i)
    {
        memcpy (at, numbers_of (&state->bodies[i]), NUMBERS * sizeof (dReal));
        at += NUMBERS * sizeof (dReal);
        *at++ = (unsigned char)(state->bodies[i].enabled != 0);
    }
    const uint64_t hash = hash_of (bytes, (size_t)(at - (unsigned char *)bytes));
    memcpy (at, &hash, sizeof (hash));
    return size;
}

/* 1 if these are bytes that dRLSStateWrite of this build made of so many bodies. */
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
    if (!valid || !rls_state_reserve (state, count, 0)) return 0;
    const unsigned char *at = bytes;
    header h;
    memcpy (&h, at, sizeof (h));
    at += sizeof (h);
    for (int i = 0; i < count; ++i)
    {
        rls_saved_body *body = &state->bodies[i];
        body->body = bodies[i];
        memcpy (numbers_of (body), at, NUMBERS * sizeof (dReal));
        at += NUMBERS * sizeof (dReal);
        body->enabled = *at++;
    }
    state->body_count = count, state->used_workspaces = 0;
    rls_small_trees_forget (&state->trees);
    state->time = h.time;
    state->world = dBodyGetWorld (bodies[0]);
    return 1;
}
