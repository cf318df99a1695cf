/* A hash of the motion of bodies, bit for bit: FNV-1a over poses and velocities. */
#ifndef STATE_HASH_H
#define STATE_HASH_H

#include <ode/ode.h>
#include <stdint.h>

#define STATE_HASH_START 0xcbf29ce484222325ull

static inline uint64_t state_hash_bytes (uint64_t hash, const void *bytes, size_t count)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < count; ++i) hash = (hash ^ at[i]) * 0x100000001b3ull;
    return hash;
}

static inline uint64_t state_hash (uint64_t hash, const dBodyID *body, int bodies)
{
    for (int b = 0; b < bodies; ++b)
    {
        hash = state_hash_bytes (hash, dBodyGetPosition (body[b]), 3 * sizeof (dReal));
        hash = state_hash_bytes (hash, dBodyGetQuaternion (body[b]), 4 * sizeof (dReal));
        hash = state_hash_bytes (hash, dBodyGetLinearVel (body[b]), 3 * sizeof (dReal));
        hash = state_hash_bytes (hash, dBodyGetAngularVel (body[b]), 3 * sizeof (dReal));
    }
    return hash;
}

#endif
