/*
 * The private functions of the ODE that is driven, and how it wants them called.
 *
 * Versions differ in three things: how a joint gives its rows, what the callback that shares islands out
 * among threads is asked, and whether there are threads at all.  ode_families.c has the table.
 */
#ifndef RLS_ODE_ENTRIES_H
#define RLS_ODE_ENTRIES_H

#include "ode_calls.h"
#include "ode_names.h"
#include "ode_seam.h"

/* What ODE hands to a function that it calls for an island. */
typedef const void *rls_ode_island;

/* Numbers of rows of a joint: all, those without bounds, and room for versions that tell more. */
typedef struct
{
    unsigned char m, unbounded;
    char padding[14];
} rls_ode_row_info;

/* The question for a joint's rows, where it is one argument (0.12 to 0.14).  ODE reads the pointers; those
 * behind the last one are for versions that might have more. */
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
typedef void rls_ode_any_function (void); /* of a type that the table says; never called as this one */

typedef struct
{
    int (*find_islands) (dWorldID, rls_ode_islands *, dReal, rls_ode_memory_estimate *); /* a C++ bool */
    void (*release_islands) (dWorldID); /* NULL, or the memory of islands must be given back (0.12) */
    int (*process_islands) (dWorldID, const rls_ode_islands *, dReal, rls_ode_island_stepper *,
                            rls_ode_any_function *call_estimate); /* a C++ bool; NULL: without threads */
    rls_ode_any_function *call_estimate;
    dBodyID const *(*island_bodies) (rls_ode_island island);
    void (*step_body) (dBodyID, dReal);
    struct
    {
        void (*info1) (dJointID, rls_ode_row_info *); /* NULL: this ODE does not know the type */
        /* exactly one of the two */
        void (*info2) (dJointID, dReal fps, dReal erp, int row_skip, dReal *J1, dReal *J2, int pair_skip,
                       dReal *rhs_cfm, dReal *lo_hi, int *findex);
        void (*info2_pointers) (dJointID, dReal fps, dReal erp, const rls_ode_row_pointers *);
        size_t (*size) (dJointID); /* may be NULL */
    } joint[RLS_ODE_JOINT_TYPE_COUNT];
    int own_memory_known;   /* the parts of a joint's memory are what rls_ode_own_same takes them for */
    int count_place;        /* where a world counts its objects, in ints from its beginning; -1: unknown */
    const void *world_mark; /* the first word of every world that this ODE makes, or NULL */
} rls_ode_entries;

/* Filled by rls_ode_prepare. */
extern rls_ode_entries rls_ode_private;

/* ---- where functions come from: ode_find.c, or ode_linked.c for static libraries ---- */

typedef struct
{
    void *handle;     /* keeps the library loaded */
    const void *base; /* tells libraries apart */
    char path[200];   /* what to call it in messages */
} rls_ode_source;

/*
 * Finds the ODE that is to be driven: the one that has the address inside, or, where that is NULL, the one
 * that calls from this library reach.  Returns 1, or 0 with a reason for people, a clause without full stop.
 */
int rls_ode_locate (const void *inside, rls_ode_source *source, char *reason, size_t size);

/* 1 if the address lies in that ODE. */
int rls_ode_lies_in (const rls_ode_source *source, const void *inside);

/* The function of that name in that very library, or NULL. */
rls_ode_any_function *rls_ode_function (const rls_ode_source *source, const char *name);

/* Fills the table of public functions from it.  Returns the name of one that it lacks, or NULL. */
const char *rls_ode_fetch_public (const rls_ode_source *source);

/* Fetches a function pointer; all types of them have one representation wherever this C++ ABI is used. */
#define RLS_ODE_FETCH(source, entry, name)                                                                   \
    do {                                                                                                     \
        rls_ode_any_function *found = rls_ode_function (source, name);                                       \
        memcpy (&(entry), &found, sizeof (found));                                                           \
    } while (0)

/* Forgets what rls_ode_locate found. */
void rls_ode_release (rls_ode_source *source);

/* ---- steps of the preparation ---- */

/* Fills the table of private functions by public ones, those of a patched ODE, or by the first family that
 * fits.  Returns its versions for people, or NULL with the reason. */
const char *rls_ode_resolve (const rls_ode_source *source, rls_ode_entries *entries, char *reason,
                             size_t size);

#endif
