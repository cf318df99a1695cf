/* The families of ODE's versions, told apart by which functions they have.  The contract is in ode_entries.h.
 */
#include "ode_entries.h"
#include <stdio.h>

static unsigned one_call_of_2 (unsigned active_threads, unsigned allowed_threads)
{
    (void)active_threads, (void)allowed_threads;
    return 1;
}

static unsigned one_call_of_3 (unsigned active_threads, unsigned step_threads, unsigned lcp_threads)
{
    (void)active_threads, (void)step_threads, (void)lcp_threads;
    return 1;
}

/* The first members of what ODE passes to a stepper function. */
typedef struct
{
    dWorldID world;
    dReal step_size;
    void *arena;
    void *final_releasee;
    dBodyID const *bodies;
} call_context;

static dBodyID const *island_bodies (rls_ode_island island) { return ((const call_context *)island)->bodies; }

typedef enum
{
    ROWS_BY_PAIRS,   /* arguments of getInfo2; right-hand side beside CFM, lower beside upper bound */
    ROWS_BY_POINTERS /* one structure of pointers */
} row_convention;

/* One entry for each family.  The first one whose functions are all there is used. */
static const struct
{
    const char *versions;
    row_convention rows;
    const char *process_islands;         /* NULL: no threads */
    rls_ode_any_function *call_estimate; /* its last argument */
    const char *release_islands;         /* NULL: there is nothing to free */
} families[] = {
    {"0.16.6 or later", ROWS_BY_PAIRS, RLS_ODE_PROCESS_ISLANDS "jE", (rls_ode_any_function *)one_call_of_3,
     NULL},
    {"0.15 to 0.16.5", ROWS_BY_PAIRS, RLS_ODE_PROCESS_ISLANDS "E", (rls_ode_any_function *)one_call_of_2,
     NULL},
    {"0.13 or 0.14", ROWS_BY_POINTERS, RLS_ODE_PROCESS_ISLANDS "E", (rls_ode_any_function *)one_call_of_2,
     NULL},
    {"0.12 as in Webots", ROWS_BY_POINTERS, NULL, NULL, RLS_ODE_RELEASE_ISLANDS},
};

#define JOINT_NAMES(type, name, class_name, rows)                                                            \
    [type] = {RLS_ODE_INFO1 (class_name),                                                                    \
              {[ROWS_BY_PAIRS] = RLS_ODE_INFO2_PAIRS (class_name),                                           \
               [ROWS_BY_POINTERS] = RLS_ODE_INFO2_POINTERS (class_name)},                                    \
              RLS_ODE_SIZE (class_name)},
static const struct
{
    const char *info1, *info2[2], *size;
} joint_names[RLS_ODE_JOINT_TYPE_COUNT] = {RLS_ODE_JOINT_TYPES (JOINT_NAMES)};

/* Returns the name of a function that is missing, or NULL. */
static const char *fetch_joints (const rls_ode_source *source, row_convention rows, rls_ode_entries *entries)
{
    for (int type = dJointTypeBall; type < RLS_ODE_JOINT_TYPE_COUNT; ++type)
    {
        RLS_ODE_FETCH (source, entries->joint[type].info1, joint_names[type].info1);
        if (!entries->joint[type].info1 && type < dJointTypeDBall) return joint_names[type].info1;
        if (!entries->joint[type].info1) continue; /* a type that came with 0.13 */
        RLS_ODE_FETCH (source, entries->joint[type].size, joint_names[type].size);
        if (rows == ROWS_BY_PAIRS)
            RLS_ODE_FETCH (source, entries->joint[type].info2, joint_names[type].info2[rows]);
        else
            RLS_ODE_FETCH (source, entries->joint[type].info2_pointers, joint_names[type].info2[rows]);
        if (!entries->joint[type].info2 && !entries->joint[type].info2_pointers)
            return joint_names[type].info2[rows];
    }
    return NULL;
}

/* Fetches a function, or returns the name of what is missing. */
#define NEED(entry, name)                                                                                    \
    do {                                                                                                     \
        RLS_ODE_FETCH (source, entry, name);                                                                 \
        if (!(entry)) return name;                                                                           \
    } while (0)

static const char *fetch (const rls_ode_source *source, int family, rls_ode_entries *entries)
{
    memset (entries, 0, sizeof (*entries));
    NEED (entries->step_body, RLS_ODE_STEP_BODY);
    NEED (entries->find_islands, RLS_ODE_FIND_ISLANDS);
    if (families[family].process_islands)
    {
        NEED (entries->process_islands, families[family].process_islands);
        entries->call_estimate = families[family].call_estimate;
        entries->island_bodies = island_bodies;
    }
    if (families[family].release_islands) NEED (entries->release_islands, families[family].release_islands);
    return fetch_joints (source, families[family].rows, entries);
}

/* ---- the way in that needs no private name: third_party/ode-steppers.patch has public functions for all
 * ---- */

static struct
{
    int (*find_islands) (dWorldID, dReal h, rls_ode_islands *); /* its lists are laid out as ours */
    int (*process_islands) (dWorldID, dReal h, const rls_ode_islands *, rls_ode_island_stepper *);
    int (*row_count) (dJointID);
} patched;

static int find_patched_islands (dWorldID world, rls_ode_islands *islands, dReal h,
                                 rls_ode_memory_estimate *estimate)
{
    (void)estimate;
    return patched.find_islands (world, h, islands);
}

static int process_patched_islands (dWorldID world, const rls_ode_islands *islands, dReal h,
                                    rls_ode_island_stepper *stepper, rls_ode_any_function *call_estimate)
{
    (void)call_estimate;
    return patched.process_islands (world, h, islands, stepper);
}

/* It does not give the number of unbounded rows: all may be. */
static void count_patched_rows (dJointID joint, rls_ode_row_info *info)
{
    info->m = info->unbounded = (unsigned char)patched.row_count (joint);
}

static int resolve_public (const rls_ode_source *source, rls_ode_entries *entries)
{
    memset (entries, 0, sizeof (*entries));
    RLS_ODE_FETCH (source, patched.find_islands, "dWorldFindIslands");
    RLS_ODE_FETCH (source, patched.process_islands, "dWorldProcessIslands");
    RLS_ODE_FETCH (source, patched.row_count, "dJointGetRowCount");
    RLS_ODE_FETCH (source, entries->island_bodies, "dIslandGetBodies");
    RLS_ODE_FETCH (source, entries->step_body, RLS_ODE_PUBLIC_STEP_BODY);
    entries->find_islands = find_patched_islands;
    entries->process_islands = process_patched_islands;
    for (int type = dJointTypeBall; type < RLS_ODE_JOINT_TYPE_COUNT; ++type)
    {
        entries->joint[type].info1 = count_patched_rows;
        RLS_ODE_FETCH (source, entries->joint[type].info2, "dJointGetRows");
    }
    return patched.find_islands && patched.process_islands && patched.row_count && entries->island_bodies &&
           entries->step_body && entries->joint[dJointTypeBall].info2;
}

/* ---- all ---- */

const char *rls_ode_resolve (const rls_ode_source *source, rls_ode_entries *entries, char *reason,
                             size_t size)
{
    const char *missing = NULL;
    if (resolve_public (source, entries)) return "with public steppers";
    for (int family = 0; family < (int)(sizeof (families) / sizeof (families[0])); ++family)
    {
        missing = fetch (source, family, entries);
        if (!missing) return families[family].versions;
    }
    snprintf (reason, size,
              "%s lacks internal functions that every supported ODE has, or hides them (%.60s...)",
              source->path, missing);
    return NULL;
}
