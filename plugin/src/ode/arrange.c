/*
 * Bodies and joints of an island, in an order that lasts.
 *
 * ODE finds an island by walking from joint to joint, so that a contact that comes or goes shuffles all of
 * it.  Here bodies and joints keep the places that they had, newcomers come behind, and contacts behind all
 * other joints.  What the last step knows about the mechanism then holds while contacts change.
 */
#include "arrange.h"
#include <stdint.h>
#include <string.h>

/* Where pointers stand in a list. */
typedef struct
{
    int *slot;
    size_t mask;
} table;

/* What the last step had, and what is needed to compare it. */
typedef struct
{
    int bodies, joints, mechanism;
    dBodyID *body;
    dJointID *joint;
    int (*joint_body)[2];
    table table;
    unsigned char *taken;
    size_t most;
} arrangement;

static void carve (arrangement *a, rls_carver *c)
{
    a->body = rls_carve (c, (size_t)a->bodies, sizeof (dBodyID));
    a->joint = rls_carve (c, (size_t)a->joints, sizeof (dJointID));
    a->joint_body = rls_carve (c, (size_t)a->mechanism, sizeof (*a->joint_body));
    a->table.slot = rls_carve (c, a->table.mask + 1, sizeof (int));
    a->taken = rls_carve (c, a->most, 1);
}

static void carve_objects (rls_cell *cell, rls_carver *c)
{
    const size_t bodies = (size_t)cell->body_count, joints = (size_t)cell->joint_count;
    cell->body = rls_carve (c, bodies, sizeof (dBodyID));
    cell->joint = rls_carve (c, joints, sizeof (dJointID));
    cell->listed_body = rls_carve (c, bodies, sizeof (dBodyID));
    cell->listed_joint = rls_carve (c, joints, sizeof (dJointID));
    cell->joint_body = rls_carve (c, joints, sizeof (*cell->joint_body));
    cell->joint_rows = rls_carve (c, joints, sizeof (int));
    cell->springs = rls_carve (c, joints, 1);
    cell->saved_force = rls_carve (c, bodies, sizeof (*cell->saved_force));
    cell->saved_turn = rls_carve (c, bodies, sizeof (*cell->saved_turn));
}

int rls_objects_copy (rls_cell *to, const rls_cell *from)
{
    int done;
    RLS_LAY_OUT_COPY (to, &to->objects, &from->objects, carve_objects, done);
    if (!from->body) to->body = NULL;
    return done;
}

/* ---- lists of pointers ---- */

static size_t start_of (const table *t, const void *pointer)
{
    return (size_t)(((uintptr_t)pointer >> 4) * (uintptr_t)0x9E3779B97F4A7C15ull >> 20) & t->mask;
}

/* Lists of bodies and of joints alike. */
static const void *get (const void *list, int i)
{
    const void *pointer;
    memcpy (&pointer, (const char *)list + (size_t)i * sizeof (pointer), sizeof (pointer));
    return pointer;
}

static void put (void *list, int i, const void *pointer)
{
    memcpy ((char *)list + (size_t)i * sizeof (pointer), &pointer, sizeof (pointer));
}

static void fill (table *t, const void *list, int n)
{
    for (size_t i = 0; i <= t->mask; ++i) t->slot[i] = -1;
    for (int i = 0; i < n; ++i)
    {
        size_t at = start_of (t, get (list, i));
        while (t->slot[at] >= 0) at = (at + 1) & t->mask;
        t->slot[at] = i;
    }
}

/* Its place in the list, -1 if it is not there. */
static int find (const table *t, const void *list, const void *pointer)
{
    size_t at = start_of (t, pointer);
    while (t->slot[at] >= 0 && get (list, t->slot[at]) != pointer) at = (at + 1) & t->mask;
    return t->slot[at];
}

/* to = those of the old list that are in the new one, then the others of the new one; what is marked as taken
 * in advance is left out. */
static void merge (arrangement *a, const void *old, int old_count, const void *list, int n, void *to)
{
    int count = 0;
    fill (&a->table, list, n);
    for (int i = 0; i < old_count; ++i)
    {
        const int place = find (&a->table, list, get (old, i));
        if (place < 0 || a->taken[place]) continue;
        a->taken[place] = 1;
        put (to, count++, get (old, i));
    }
    for (int i = 0; i < n; ++i)
        if (!a->taken[i]) put (to, count++, get (list, i));
}

/* ---- the island ---- */

static int attachments_stay (const rls_cell *cell)
{
    for (int j = 0; j < cell->joint_count; ++j)
    {
        dBodyID now[2];
        rls_ode_joint_bodies (cell->joint[j], now);
        for (int side = 0; side < 2; ++side)
        {
            const int b = cell->joint_body[j][side];
            if (now[side] != (b < 0 ? NULL : cell->body[b])) return 0;
        }
    }
    return 1;
}

static int same_list (const void *a, const void *b, int n)
{
    return n == 0 || memcmp (a, b, sizeof (void *) * (size_t)n) == 0;
}

/* 1 if the island has the same bodies and joints, joined in the same way, as in the last step. */
static int objects_stay (const rls_cell *cell)
{
    return cell->body && cell->body_count == cell->ode_body_count &&
           cell->joint_count == cell->ode_joint_count &&
           same_list (cell->listed_body, cell->ode_bodies, cell->body_count) &&
           same_list (cell->listed_joint, cell->ode_joints, cell->joint_count) && attachments_stay (cell);
}

static void arrange_joints (rls_cell *cell, arrangement *a)
{
    const int n = cell->joint_count;
    int contacts = 0;
    for (int j = 0; j < n; ++j)
    {
        a->taken[j] = dJointGetType (cell->ode_joints[j]) == dJointTypeContact;
        contacts += a->taken[j];
    }
    cell->mechanism_joints = n - contacts;
    merge (a, a->joint, a->mechanism, cell->ode_joints, n, cell->joint);
    for (int j = 0, to = n - contacts; j < n && contacts > 0; ++j)
        if (dJointGetType (cell->ode_joints[j]) == dJointTypeContact) cell->joint[to++] = cell->ode_joints[j];
}

/* Island indices of all joints' bodies. */
static void index_bodies (rls_cell *cell, arrangement *a)
{
    fill (&a->table, cell->body, cell->body_count);
    for (int j = 0; j < cell->joint_count; ++j)
    {
        dBodyID bodies[2];
        rls_ode_joint_bodies (cell->joint[j], bodies);
        for (int side = 0; side < 2; ++side)
            cell->joint_body[j][side] = bodies[side] ? find (&a->table, cell->body, bodies[side]) : -1;
    }
}

static int mechanism_stays (const rls_cell *cell, const arrangement *a)
{
    const size_t pairs = sizeof (*a->joint_body) * (size_t)a->mechanism;
    return a->bodies == cell->body_count && a->mechanism == cell->mechanism_joints &&
           same_list (a->body, cell->body, a->bodies) && same_list (a->joint, cell->joint, a->mechanism) &&
           (pairs == 0 || memcmp (a->joint_body, cell->joint_body, pairs) == 0);
}

int rls_arrange (rls_cell *cell)
{
    rls_block block = {0};
    arrangement a = {0};
    int done;
    cell->same_objects = cell->same_mechanism = objects_stay (cell);
    if (cell->same_objects) return 1;
    if (cell->body)
        a.bodies = cell->body_count, a.joints = cell->joint_count, a.mechanism = cell->mechanism_joints;
    a.most =
        (size_t)(cell->ode_body_count > cell->ode_joint_count ? cell->ode_body_count : cell->ode_joint_count);
    for (a.table.mask = 15; a.table.mask < 2 * a.most;) a.table.mask = 2 * a.table.mask + 1;
    RLS_LAY_OUT (&a, &block, carve, done);
    if (!done) return 0;
    if (a.bodies > 0) memcpy (a.body, cell->body, sizeof (dBodyID) * (size_t)a.bodies);
    if (a.joints > 0) memcpy (a.joint, cell->joint, sizeof (dJointID) * (size_t)a.joints);
    if (a.mechanism > 0)
        memcpy (a.joint_body, cell->joint_body, sizeof (*a.joint_body) * (size_t)a.mechanism);

    cell->body_count = cell->ode_body_count;
    cell->joint_count = cell->ode_joint_count;
    RLS_LAY_OUT (cell, &cell->objects, carve_objects, done);
    if (done)
    {
        memcpy (cell->listed_body, cell->ode_bodies, sizeof (dBodyID) * (size_t)cell->body_count);
        if (cell->joint_count > 0)
            memcpy (cell->listed_joint, cell->ode_joints, sizeof (dJointID) * (size_t)cell->joint_count);
        memset (a.taken, 0, a.most);
        merge (&a, a.body, a.bodies, cell->ode_bodies, cell->body_count, cell->body);
        arrange_joints (cell, &a);
        index_bodies (cell, &a);
        cell->same_mechanism = mechanism_stays (cell, &a);
    }
    rls_block_free (&block);
    return done;
}
