/*
 * Bodies and joints of an island, in an order that is kept from step to step.
 *
 * ODE finds an island by walking from joint to joint, so a contact that comes or goes changes the order of
 * all of it.  Here bodies and joints keep the order of the last step, new ones come behind them, and contacts
 * behind all other joints. Then what the last step knows about the mechanism holds while contacts change.
 */
#include "gather.h"

static void lay_out (rls_workspace *workspace, rls_arena_cursor *c)
{
    rls_objects *o = &workspace->objects;
    const size_t bodies = (size_t)o->bodies, joints = (size_t)o->joints;
    RLS_TAKE (c, bodies, o->body, o->listed_body, o->shapes, workspace->saved.body);
    RLS_TAKE (c, joints, o->joint, o->listed_joint, o->joint_body, o->joint_rows, o->springs);
    RLS_TAKE (c, bodies + joints, o->taken);
}

/* ---- lists of pointers ---- */

/* Element i of a list of bodies or of joints; and sets it. */
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

/* Fills the map with the places of a list's elements.  Returns 1, or 0 without memory. */
static int map (rls_places *places, const void *list, int n)
{
    if (!rls_places_begin (places, n)) return 0;
    for (int i = 0; i < n; ++i) rls_places_add (places, get (list, i), i);
    return 1;
}

/* to := the elements of the old list that are in the new one, in their old order, then the others of the new
 * one.  Those that are marked as taken before are left out.  Returns 1, or 0 without memory. */
static int merge (rls_objects *o, const void *old, int old_count, const void *list, int n, void *to)
{
    int count = 0;
    if (!map (&o->places, list, n)) return 0;
    for (int i = 0; i < old_count; ++i)
    {
        const int place = rls_places_find (&o->places, get (old, i));
        if (place < 0 || o->taken[place]) continue;
        o->taken[place] = 1;
        put (to, count++, get (old, i));
    }
    for (int i = 0; i < n; ++i)
        if (!o->taken[i]) put (to, count++, get (list, i));
    return 1;
}

/* ---- the island ---- */

static int same_list (const void *a, const void *b, int n)
{
    return n == 0 || memcmp (a, b, sizeof (void *) * (size_t)n) == 0;
}

/* True if the first n joints join the same bodies as before. */
static int same_pairs (const rls_objects *before, int n)
{
    for (int j = 0; j < n; ++j)
    {
        dBodyID now[2];
        rls_ode_joint_bodies (before->joint[j], now);
        for (int side = 0; side < 2; ++side)
        {
            const int was = before->joint_body[j][side];
            if (now[side] != (was < 0 ? NULL : before->body[was])) return 0;
        }
    }
    return 1;
}

/* Orders the joints: those of the mechanism as in the last step, then contacts in ODE's order.  Returns 1, or
 * 0 without memory. */
static int arrange_joints (rls_objects *o, const rls_objects *before, dJointID const *given)
{
    int contacts = 0;
    for (int j = 0; j < o->joints; ++j)
    {
        o->taken[j] = dJointGetType (given[j]) == dJointTypeContact;
        contacts += o->taken[j];
    }
    o->mechanism_joints = o->joints - contacts;
    if (!merge (o, before->joint, before->mechanism_joints, given, o->joints, o->joint)) return 0;
    for (int j = 0, to = o->mechanism_joints; j < o->joints && contacts > 0; ++j)
        if (dJointGetType (given[j]) == dJointTypeContact) o->joint[to++] = given[j];
    return 1;
}

int rls_arrange (rls_workspace *workspace)
{
    const rls_given *given = &workspace->given;
    rls_objects *o = &workspace->objects, before = *o;
    workspace->kept.same_objects = workspace->kept.same_mechanism = workspace->kept.same_joints =
        o->body && o->bodies == given->body_count && o->joints == given->joint_count &&
        same_list (o->listed_body, given->bodies, o->bodies) &&
        same_list (o->listed_joint, given->joints, o->joints) && same_pairs (o, o->joints);
    if (workspace->kept.same_objects) return 1;

    /* the last step's lists stay in their block until those of this step are in the other one */
    if (!before.body) before.bodies = before.mechanism_joints = 0;
    o->block = before.last, o->last = before.block;
    o->bodies = given->body_count, o->joints = given->joint_count;
    if (!RLS_LAY_OUT (workspace, &o->block, lay_out)) return 0;
    memcpy (o->listed_body, given->bodies, sizeof (dBodyID) * (size_t)o->bodies);
    if (o->joints > 0) memcpy (o->listed_joint, given->joints, sizeof (dJointID) * (size_t)o->joints);

    /* bodies and joints that are still there keep their order */
    memset (o->taken, 0, (size_t)o->bodies);
    if (!merge (o, before.body, before.bodies, given->bodies, o->bodies, o->body) ||
        !arrange_joints (o, &before, given->joints) || !map (&o->places, o->body, o->bodies))
        return 0;

    /* the bodies of each joint by number, and whether everything but contacts is the same */
    for (int j = 0; j < o->joints; ++j)
    {
        dBodyID bodies[2];
        rls_ode_joint_bodies (o->joint[j], bodies);
        for (int side = 0; side < 2; ++side)
            o->joint_body[j][side] = rls_places_find (&o->places, bodies[side]);
    }
    workspace->kept.same_joints = before.mechanism_joints == o->mechanism_joints &&
                                  same_list (before.joint, o->joint, o->mechanism_joints) &&
                                  same_pairs (&before, o->mechanism_joints);
    workspace->kept.same_mechanism = workspace->kept.same_joints && before.bodies == o->bodies &&
                                     same_list (before.body, o->body, o->bodies);
    return 1;
}
