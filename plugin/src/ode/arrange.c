/*
 * Bodies and joints of an island, in an order that lasts.
 *
 * ODE finds an island by walking from joint to joint, so that a contact that comes or goes shuffles all of
 * it.  Here bodies and joints keep the places that they had, newcomers come behind, and contacts behind all
 * other joints.  What the last step knows about the mechanism then holds while contacts change.
 */
#include "gather.h"

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
    RLS_TAKE (c, a->body, (size_t)a->bodies);
    RLS_TAKE (c, a->joint, (size_t)a->joints);
    RLS_TAKE (c, a->joint_body, (size_t)a->mechanism);
    RLS_TAKE (c, a->table.slot, a->table.mask + 1);
    RLS_TAKE (c, a->taken, a->most);
}

static void lay_out_objects (rls_workspace *workspace, rls_arena_cursor *c)
{
    const size_t bodies = (size_t)workspace->objects.bodies, joints = (size_t)workspace->objects.joints;
    RLS_TAKE (c, workspace->objects.body, bodies);
    RLS_TAKE (c, workspace->objects.joint, joints);
    RLS_TAKE (c, workspace->objects.listed_body, bodies);
    RLS_TAKE (c, workspace->objects.listed_joint, joints);
    RLS_TAKE (c, workspace->objects.joint_body, joints);
    RLS_TAKE (c, workspace->objects.joint_rows, joints);
    RLS_TAKE (c, workspace->objects.springs, joints);
    RLS_TAKE (c, workspace->saved.force, bodies);
    RLS_TAKE (c, workspace->saved.turn, bodies);
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
    for (int j = 0; j < workspace->objects.joints; ++j)
    {
        dBodyID now[2];
        rls_ode_joint_bodies (workspace->objects.joint[j], now);
        for (int side = 0; side < 2; ++side)
        {
            const int b = workspace->objects.joint_body[j][side];
            if (now[side] != (b < 0 ? NULL : workspace->objects.body[b])) return 0;
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
    return workspace->objects.body && workspace->objects.bodies == workspace->given.body_count &&
           workspace->objects.joints == workspace->given.joint_count &&
           same_list (workspace->objects.listed_body, workspace->given.bodies, workspace->objects.bodies) &&
           same_list (workspace->objects.listed_joint, workspace->given.joints, workspace->objects.joints) &&
           attachments_stay (workspace);
}

static void arrange_joints (rls_workspace *workspace, arrangement *a)
{
    const int n = workspace->objects.joints;
    int contacts = 0;
    for (int j = 0; j < n; ++j)
    {
        a->taken[j] = dJointGetType (workspace->given.joints[j]) == dJointTypeContact;
        contacts += a->taken[j];
    }
    workspace->objects.mechanism_joints = n - contacts;
    merge (a, a->joint, a->mechanism, workspace->given.joints, n, workspace->objects.joint);
    for (int j = 0, to = n - contacts; j < n && contacts > 0; ++j)
        if (dJointGetType (workspace->given.joints[j]) == dJointTypeContact)
            workspace->objects.joint[to++] = workspace->given.joints[j];
}

/* Island indices of all joints' bodies. */
static void index_bodies (rls_workspace *workspace, arrangement *a)
{
    fill (&a->table, workspace->objects.body, workspace->objects.bodies);
    for (int j = 0; j < workspace->objects.joints; ++j)
    {
        dBodyID bodies[2];
        rls_ode_joint_bodies (workspace->objects.joint[j], bodies);
        for (int side = 0; side < 2; ++side)
            workspace->objects.joint_body[j][side] =
                bodies[side] ? find (&a->table, workspace->objects.body, bodies[side]) : -1;
    }
}

static int mechanism_stays (const rls_workspace *workspace, const arrangement *a)
{
    const size_t pairs = sizeof (*a->joint_body) * (size_t)a->mechanism;
    return a->bodies == workspace->objects.bodies && a->mechanism == workspace->objects.mechanism_joints &&
           same_list (a->body, workspace->objects.body, a->bodies) &&
           same_list (a->joint, workspace->objects.joint, a->mechanism) &&
           (pairs == 0 || memcmp (a->joint_body, workspace->objects.joint_body, pairs) == 0);
}

int rls_arrange (rls_workspace *workspace)
{
    arrangement a = {0};
    int done;
    workspace->kept.same_objects = workspace->kept.same_mechanism = objects_stay (workspace);
    if (workspace->kept.same_objects) return 1;

    /* the last step's lists, and a table to look objects up in */
    if (workspace->objects.body)
        a.bodies = workspace->objects.bodies, a.joints = workspace->objects.joints,
        a.mechanism = workspace->objects.mechanism_joints;
    a.most =
        (size_t)(workspace->given.body_count > workspace->given.joint_count ? workspace->given.body_count
                                                                            : workspace->given.joint_count);
    for (a.table.mask = 15; a.table.mask < 2 * a.most;) a.table.mask = 2 * a.table.mask + 1;
    RLS_LAY_OUT (&a, &workspace->objects.scratch, lay_out, done);
    if (!done) return 0;
    if (a.bodies > 0) memcpy (a.body, workspace->objects.body, sizeof (dBodyID) * (size_t)a.bodies);
    if (a.joints > 0) memcpy (a.joint, workspace->objects.joint, sizeof (dJointID) * (size_t)a.joints);
    if (a.mechanism > 0)
        memcpy (a.joint_body, workspace->objects.joint_body, sizeof (*a.joint_body) * (size_t)a.mechanism);

    /* those that are still there keep their place among each other */
    workspace->objects.bodies = workspace->given.body_count;
    workspace->objects.joints = workspace->given.joint_count;
    RLS_LAY_OUT (workspace, &workspace->objects.block, lay_out_objects, done);
    if (done)
    {
        memcpy (workspace->objects.listed_body, workspace->given.bodies,
                sizeof (dBodyID) * (size_t)workspace->objects.bodies);
        if (workspace->objects.joints > 0)
            memcpy (workspace->objects.listed_joint, workspace->given.joints,
                    sizeof (dJointID) * (size_t)workspace->objects.joints);
        memset (a.taken, 0, a.most);
        merge (&a, a.body, a.bodies, workspace->given.bodies, workspace->objects.bodies,
               workspace->objects.body);
        arrange_joints (workspace, &a);
        index_bodies (workspace, &a);
        workspace->kept.same_mechanism = mechanism_stays (workspace, &a);
    }
    return done;
}
