/*
 * The private functions of the ODE that is used, and how this version wants them called.
 *
 * Versions differ in three things: how a joint gives its rows, the arguments of a callback of the function
 * that shares islands out among threads, and whether there are threads at all.  ode_families.c has the table
 * of versions.
 */
#ifndef RLS_ODE_ENTRIES_H
#define RLS_ODE_ENTRIES_H

#include "ode_names.h"
#include "ode_seam.h"

/* What ODE passes to a function that it calls for an island. */
typedef const void *rls_ode_island;

/* The numbers of rows of a joint, all and unbounded ones, with room for versions that give more. */
typedef struct
{
    unsigned char m, unbounded;
    char padding[14];
} rls_ode_row_info;

/* Where a joint's rows are to be written, for versions in which this is one argument (0.12 to 0.14).  The
 * pointers behind the last one are for versions that might have more. */
typedef struct
{
    dReal *linear1, *angular1, *linear2, *angular2;
    int row_skip;
    dReal *rhs, *cfm, *lo, *hi;
    int *findex;
    void *beyond[6];
} rls_ode_row_pointers;

typedef size_t rls_ode_memory_estimate (dBodyID const *bodies, unsigned body_count, dJointID const *joints,
                                        unsigned joint_count);
typedef void rls_ode_island_stepper (rls_ode_island island);
typedef void rls_ode_any_function (void); /* a function of any type; converted before it is called */

typedef struct
{
    int (*find_islands) (dWorldID, rls_ode_islands *, dReal, rls_ode_memory_estimate *); /* a C++ bool */
    void (*release_islands) (dWorldID); /* frees the memory of islands (0.12), or NULL */
    int (*process_islands) (dWorldID, const rls_ode_islands *, dReal, rls_ode_island_stepper *,
                            rls_ode_any_function *call_estimate); /* a C++ bool; NULL: without threads */
    rls_ode_any_function *call_estimate;
    dBodyID const *(*island_bodies) (rls_ode_island island);
    void (*step_body) (dBodyID, dReal);
    struct
    {
        void (*info1) (dJointID, rls_ode_row_info *); /* NULL: this ODE does not have the type */
        /* exactly one of the two is not NULL */
        void (*info2) (dJointID, dReal fps, dReal erp, int row_skip, dReal *J1, dReal *J2, int pair_skip,
                       dReal *rhs_cfm, dReal *lo_hi, int *findex);
        void (*info2_pointers) (dJointID, dReal fps, dReal erp, const rls_ode_row_pointers *);
        size_t (*size) (dJointID); /* may be NULL */
    } joint[RLS_ODE_JOINT_TYPE_COUNT];
    size_t contact_place; /* of a contact in the memory of its joint, in bytes; 0: unknown */
    int own_memory_known; /* 1: a joint's memory has the parts that rls_ode_own_same assumes */
    int count_place; /* place of the counts of bodies and joints in a world, in ints from its beginning; -1:
                        unknown */
    const void *world_mark; /* the first word of every world of this ODE, or NULL */
} rls_ode_entries;

/* Filled by rls_ode_prepare. */
extern rls_ode_entries rls_ode_private;

/* ode_types.c: finds contact_place by a contact's joint. */
size_t rls_ode_find_contact (dJointID joint);

/* ---- where functions come from: ode_find.c, or ode_linked.c for static libraries ---- */

typedef struct
{
    void *handle;     /* keeps the library loaded */
    const void *base; /* its load address, which identifies it */
    char path[200];   /* its name in messages */
} rls_ode_source;

/*
 * Finds the ODE that is to be used: the one that contains the address inside or, if that is NULL, the one
 * that calls from this library reach.  Returns 1, or 0 with a reason for a message, a clause without a full
 * stop.
 */
int rls_ode_locate (const void *inside, rls_ode_source *source, char *reason, size_t size);

/* True if the address lies in that ODE. */
int rls_ode_lies_in (const rls_ode_source *source, const void *inside);

/* The function of that name in this library itself, or NULL. */
rls_ode_any_function *rls_ode_function (const rls_ode_source *source, const char *name);

/* Fills the table of public functions from it.  Returns the name of one that is missing, or NULL. */
const char *rls_ode_fetch_public (const rls_ode_source *source);

/* Stores a function pointer in an entry; on all platforms with this C++ ABI, all function pointers have one
 * representation. */
#define RLS_ODE_FETCH(source, entry, name)                                                                   \
    do {                                                                                                     \
        rls_ode_any_function *found = rls_ode_function (source, name);                                       \
        memcpy (&(entry), &found, sizeof (found));                                                           \
    } while (0)

/* Releases what rls_ode_locate has found. */
void rls_ode_release (rls_ode_source *source);

/* ---- steps of the preparation ---- */

/* Fills the table of private functions: from the public ones of a patched ODE, or from the first family of
 * versions whose functions are all there.  Returns the versions for a message, or NULL with the reason. */
const char *rls_ode_resolve (const rls_ode_source *source, rls_ode_entries *entries, char *reason,
                             size_t size);

#endif
