/* The step of small trees: into a batch (tree_batch.h), through the step, and out of it; contract in
 * batch.h. */
#include "stepper.h"

/* ---- into a batch ---- */

/* Reads a body into place at of the batch.  Returns 0 if the program has changed it since the last step. */
static int read_body (rls_tree_batch *to, int at, const rls_small_body *from, const rls_settings *set)
{
    double inertia[9];
    const dBodyID body = from->body;
    const double mass = rls_read_mass (body, inertia);
    const int same = !dBodyIsKinematic (body) && (dBodyGetGyroscopicMode (body) != 0) == from->gyroscopic &&
                     mass == from->mass && memcmp (inertia, from->inertia, sizeof (inertia)) == 0 &&
                     rls_read_motion (body, 1, &to->start[at], to->start_v[at], to->force[at]) &&
                     rls_poses_same (&from->pose, &to->start[at], 1);
    if (!same) return 0;
    rls_add_weight (body, mass, set->gravity, to->force[at]);
    to->mass[at] = from->mass, to->gyroscopic[at] = (unsigned char)from->gyroscopic;
    to->last_pose[at] = from->pose;
    memcpy (to->inertia[at], from->inertia, sizeof (from->inertia));
    memcpy (to->inverse_inertia[at], from->inverse_inertia, sizeof (from->inverse_inertia));
    memcpy (to->reaction[at], from->reaction, sizeof (from->reaction));
    memcpy (to->change[at], from->change, sizeof (from->change));
    memcpy (to->bend[at], from->bend, sizeof (from->bend));
    return 1;
}

/* Appends the joints and nodes of a tree, with indices shifted to those of the batch. */
static void append_joints (rls_tree_batch *to, const rls_small_tree *from, const rls_tree_island *k)
{
    rls_tree *tree = &to->order.tree;
    for (int j = 0; j < from->joints; ++j)
    {
        const rls_small_joint *joint = &from->joint[j];
        const int at = k->joint0 + j;
        for (int side = 0; side < 2; ++side)
            to->body[at][side] = joint->body[side] < 0 ? -1 : k->body0 + joint->body[side];
        to->row0[at + 1] = to->row0[at] + joint->rows;
        to->frame[at] = joint->frame;
    }

    /* nodes of the elimination tree, and where their numbers are in the factor */
    for (int n = 0; n < from->bodies; ++n)
    {
        rls_tree_node *node = &tree->of[k->body0 + n];
        const int at = k->body0 + n, joint = from->node[n].joint;
        *node = from->node[n];
        node->body += k->body0;
        if (joint >= 0) node->joint += k->joint0;
        if (node->up >= 0) node->up += k->body0;
        tree->place[at + 1] = tree->place[at] + rls_tree_numbers (joint < 0 ? 0 : from->joint[joint].rows);
    }
}

/* Appends a tree to the batch.  Returns 0, with the batch as before, if the program has changed one of its
 * bodies. */
static int append (rls_tree_batch *to, const rls_small_tree *from, const rls_settings *set)
{
    rls_tree_island *k = &to->island[to->islands];
    *k = (rls_tree_island){.body0 = to->s.model.bodies,
                           .bodies = from->bodies,
                           .joint0 = to->s.begin.rows.joints,
                           .joints = from->joints,
                           .row0 = to->row0[to->s.begin.rows.joints],
                           .rows = from->rows,
                           .consistent = from->consistent};
    for (int b = 0; b < from->bodies; ++b)
    {
        if (!read_body (to, k->body0 + b, &from->body[b], set)) return 0;
        k->consistent &= memcmp (to->start_v[k->body0 + b], from->body[b].v, sizeof (from->body[b].v)) == 0;
    }
    append_joints (to, from, k);
    to->s.model.bodies += from->bodies, to->s.begin.rows.joints += from->joints, ++to->islands;
    return 1;
}

/* Makes of s the island k alone, by pointers into the arrays of the batch, for the checks of a step. */
static void view_island (const rls_tree_batch *t, const rls_tree_island *k, rls_island *s)
{
    const int b = k->body0;
    s->model.bodies = k->bodies;
    s->model.movable = t->s.model.movable + b, s->model.gyroscopic = t->s.model.gyroscopic + b,
    s->model.mass = t->s.model.mass + b;
    s->model.inertia = t->s.model.inertia + b, s->model.own_inertia = t->s.model.own_inertia + b;
    s->state.pose = t->s.state.pose + b, s->state.v = t->s.state.v + b,
    s->applied.force = t->s.applied.force + b;
    s->next.pose = t->s.next.pose + b, s->next.v = t->s.next.v + b;
}

/* Copies the result of island k from the batch to its tree; or sets refused, if the batch has refused it, a
 * number is not finite, velocities do not satisfy the rows, or the energy has jumped.  s: scratch. */
static void copy_result (const rls_tree_batch *t, const rls_tree_island *k, double h, rls_island *s,
                         rls_small_tree *to)
{
    view_island (t, k, s);
    const double speed = rls_flat_largest (6 * s->model.bodies, s->next.v[0]);
    to->refused = k->refused || !rls_motion_usable (s->model.bodies, s->next.pose, s->next.v) ||
                  (!k->consistent && k->inner > RLS_SEEN * (1 + speed)) ||
                  rls_energy_jumps (s, h, 0, 0, RLS_SMALL_ENERGY_JUMP);
    if (to->refused) return;

    /* energy, and what the next step needs */
    to->gained = rls_check_energy (s, h, &to->ledger);
    to->consistent = k->consistent, to->iterations = k->iterations;
    to->last_h = t->w.last_h, to->since = t->w.since;
    for (int b = 0; b < s->model.bodies; ++b)
    {
        rls_small_body *body = &to->body[b];
        const int at = k->body0 + b;
        body->pose = s->next.pose[b];
        memcpy (body->v, s->next.v[b], sizeof (body->v));
        memcpy (body->reaction, t->reaction[at], sizeof (body->reaction));
        memcpy (body->change, t->change[at], sizeof (body->change));
        memcpy (body->bend, t->bend[at], sizeof (body->bend));
    }
}

/* ---- the step ---- */

/* Takes the step of as many of the first trees as fit into one batch.  Returns how many these are. */
static int step_some (rls_tree_batch *t, const rls_batch *batch, rls_small_tree **trees, int count)
{
    rls_small_tree *in[RLS_TREE_BODIES];
    double fraction[RLS_MOST_STAGES];
    const int stages = rls_composition (rls_order_of (batch->settings->integrator), fraction);
    int looked_at = 0;

    /* trees are appended as long as they fit and had the same last step, whose length the batch has once */
    rls_tree_batch_begin (t);
    t->w.tolerance = batch->settings->position_tolerance;
    t->w.last_h = trees[0]->last_h, t->w.since = trees[0]->since;
    for (; looked_at < count; ++looked_at)
    {
        rls_small_tree *tree = trees[looked_at];
        if (t->s.model.bodies + tree->bodies > RLS_TREE_BODIES || tree->last_h != t->w.last_h ||
            tree->since != t->w.since)
            break;
        if (append (t, tree, batch->settings))
            in[t->islands - 1] = tree;
        else
            tree->refused = 1;
    }

    /* Their step.  If it fails for one of them, each takes it by itself, which shows the one that fails and
     * gives the others the results that they would have had without it. */
    const int done = t->islands == 0 || rls_tree_batch_step (t, batch->h, fraction, stages);
    if (!done && t->islands > 1)
        for (int i = 0, islands = t->islands; i < islands; ++i) step_some (t, batch, &in[i], 1);
    else
    {
        rls_island alone = t->s;
        for (int i = 0; i < t->islands; ++i)
        {
            t->island[i].refused |= !done;
            copy_result (t, &t->island[i], batch->h, &alone, in[i]);
        }
    }
    return looked_at;
}

void rls_small_trees_run (rls_ode_task *task)
{
    rls_batch *batch = (rls_batch *)(void *)task;
    rls_tree_batch t;
    for (int i = 0; i < batch->count;)
        i += step_some (&t, batch, (rls_small_tree **)batch->first + i, batch->count - i);
}
