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

static void lay_out (arrangement *a, rls_arena_cursor *c)
{
    a->body = rls_arena_take (c, (size_t)a->bodies, sizeof (dBodyID));
    a->joint = rls_arena_take (c, (size_t)a->joints, sizeof (dJointID));
    a->joint_body = rls_arena_take (c, (size_t)a->mechanism, sizeof (*a->joint_body));
    a->table.slot = rls_arena_take (c, a->table.mask + 1, sizeof (int));
    a->taken = rls_arena_take (c, a->most, 1);
}

static void lay_out_objects (rls_workspace *workspace, rls_arena_cursor *c)
{
    const size_t bodies = (size_t)workspace->body_count, joints = (size_t)workspace->joint_count;
    workspace->body = rls_arena_take (c, bodies, sizeof (dBodyID));
    workspace->joint = rls_arena_take (c, joints, sizeof (dJointID));
    workspace->listed_body = rls_arena_take (c, bodies, sizeof (dBodyID));
    workspace->listed_joint = rls_arena_take (c, joints, sizeof (dJointID));
    workspace->joint_body = rls_arena_take (c, joints, sizeof (*workspace->joint_body));
    workspace->joint_rows = rls_arena_take (c, joints, sizeof (int));
    workspace->springs = rls_arena_take (c, joints, 1);
    workspace->saved_force = rls_arena_take (c, bodies, sizeof (*workspace->saved_force));
    workspace->saved_turn = rls_arena_take (c, bodies, sizeof (*workspace->saved_turn));
}

int rls_objects_copy (rls_workspace *to, const rls_workspace *from)
{
    int done;
    RLS_LAY_OUT_COPY (to, &to->objects, &from->objects, lay_out_objects, done);
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

static int attachments_stay (const rls_workspace *workspace)
{
    for (int j = 0; j < workspace->joint_count; ++j)
    {
        dBodyID now[2];
        rls_ode_joint_bodies (workspace->joint[j], now);
        for (int side = 0; side < 2; ++side)
        {
            const int b = workspace->joint_body[j][side];
            if (now[side] != (b < 0 ? NULL : workspace->body[b])) return 0;
        }
    }
    return 1;
}

static int same_list (const void *a, const void *b, int n)
{
    return n == 0 || memcmp (a, b, sizeof (void *) * (size_t)n) == 0;
}

/* 1 if the island has the same bodies and joints, joined in the same way, as in the last step. */
static int objects_stay (const rls_workspace *workspace)
{
    return workspace->body && workspace->body_count == workspace->ode_body_count &&
           workspace->joint_count == workspace->ode_joint_count &&
           same_list (workspace->listed_body, workspace->ode_bodies, workspace->body_count) &&
           same_list (workspace->listed_joint, workspace->ode_joints, workspace->joint_count) &&
           attachments_stay (workspace);
}

static void arrange_joints (rls_workspace *workspace, arrangement *a)
{
    const int n = workspace->joint_count;
    int contacts = 0;
    for (int j = 0; j < n; ++j)
    {
        a->taken[j] = dJointGetType (workspace->ode_joints[j]) == dJointTypeContact;
        contacts += a->taken[j];
    }
    workspace->mechanism_joints = n - contacts;
    merge (a, a->joint, a->mechanism, workspace->ode_joints, n, workspace->joint);
    for (int j = 0, to = n - contacts; j < n && contacts > 0; ++j)
        if (dJointGetType (workspace->ode_joints[j]) == dJointTypeContact)
            workspace->joint[to++] = workspace->ode_joints[j];
}

/* Island indices of all joints' bodies. */
static void index_bodies (rls_workspace *workspace, arrangement *a)
{
    fill (&a->table, workspace->body, workspace->body_count);
    for (int j = 0; j < workspace->joint_count; ++j)
    {
        dBodyID bodies[2];
        rls_ode_joint_bodies (workspace->joint[j], bodies);
        for (int side = 0; side < 2; ++side)
            workspace->joint_body[j][side] =
                bodies[side] ? find (&a->table, workspace->body, bodies[side]) : -1;
    }
}

static int mechanism_stays (const rls_workspace *workspace, const arrangement *a)
{
    const size_t pairs = sizeof (*a->joint_body) * (size_t)a->mechanism;
    return a->bodies == workspace->body_count && a->mechanism == workspace->mechanism_joints &&
           same_list (a->body, workspace->body, a->bodies) &&
           same_list (a->joint, workspace->joint, a->mechanism) &&
           (pairs == 0 || memcmp (a->joint_body, workspace->joint_body, pairs) == 0);
}

int rls_arrange (rls_workspace *workspace)
{
    arrangement a = {0};
    int done;
    workspace->same_objects = workspace->same_mechanism = objects_stay (workspace);
    if (workspace->same_objects) return 1;

    /* the last step's lists, and a table to look objects up in */
    if (workspace->body)
        a.bodies = workspace->body_count, a.joints = workspace->joint_count,
        a.mechanism = workspace->mechanism_joints;
    a.most = (size_t)(workspace->ode_body_count > workspace->ode_joint_count ? workspace->ode_body_count
                                                                             : workspace->ode_joint_count);
    for (a.table.mask = 15; a.table.mask < 2 * a.most;) a.table.mask = 2 * a.table.mask + 1;
    RLS_LAY_OUT (&a, &workspace->arranging, lay_out, done);
    if (!done) return 0;
    if (a.bodies > 0) memcpy (a.body, workspace->body, sizeof (dBodyID) * (size_t)a.bodies);
    if (a.joints > 0) memcpy (a.joint, workspace->joint, sizeof (dJointID) * (size_t)a.joints);
    if (a.mechanism > 0)
        memcpy (a.joint_body, workspace->joint_body, sizeof (*a.joint_body) * (size_t)a.mechanism);

    /* those that are still there keep their place among each other */
    workspace->body_count = workspace->ode_body_count;
    workspace->joint_count = workspace->ode_joint_count;
    RLS_LAY_OUT (workspace, &workspace->objects, lay_out_objects, done);
    if (done)
    {
        memcpy (workspace->listed_body, workspace->ode_bodies,
                sizeof (dBodyID) * (size_t)workspace->body_count);
        if (workspace->joint_count > 0)
            memcpy (workspace->listed_joint, workspace->ode_joints,
                    sizeof (dJointID) * (size_t)workspace->joint_count);
        memset (a.taken, 0, a.most);
        merge (&a, a.body, a.bodies, workspace->ode_bodies, workspace->body_count, workspace->body);
        arrange_joints (workspace, &a);
        index_bodies (workspace, &a);
        workspace->same_mechanism = mechanism_stays (workspace, &a);
    }
    return done;
}
