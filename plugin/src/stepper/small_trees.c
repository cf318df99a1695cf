/* Which islands are small trees, and what is kept of them from step to step; contract in batch.h.  Their step
 * is in small_trees_step.c. */
#include "measure.h"

/* ---- one of them ---- */

static void lay_out (rls_small_tree *t, rls_arena_cursor *c)
{
    const size_t bodies = (size_t)t->bodies, joints = (size_t)t->joints;
    RLS_TAKE (c, bodies, t->body, t->node);
    RLS_TAKE (c, joints, t->joint);
    RLS_TAKE (c, bodies + joints, t->listed);
    RLS_TAKE (c, (size_t)t->own_size, t->own);
}

static void free_tree (rls_small_tree *t)
{
    rls_arena_free (&t->block);
    free (t);
}

/* Returns the index of a pointer in a list, which must contain it. */
static int place_in (const void *list, const void *pointer)
{
    for (int i = 0;; ++i)
        if (memcmp ((const char *)list + (size_t)i * sizeof (void *), &pointer, sizeof (void *)) == 0)
            return i;
}

/* Copies what the next step needs of body b from the workspace. */
static void copy_body (rls_small_body *to, const rls_workspace *workspace, int b)
{
    const rls_island *s = &workspace->island;
    const rls_symplectic *w = &workspace->methods.symplectic;
    to->body = workspace->objects.body[b];
    to->mass = s->model.mass[b], to->gyroscopic = s->model.gyroscopic[b], to->pose = s->next.pose[b];
    memcpy (to->inertia, s->model.own_inertia[b], sizeof (to->inertia));
    memcpy (to->inverse_inertia, s->model.inverse_inertia[b], sizeof (to->inverse_inertia));
    memcpy (to->v, s->next.v[b], sizeof (to->v));
    memcpy (to->reaction, w->reaction[b], sizeof (to->reaction));
    memcpy (to->change, w->change[b], sizeof (to->change));
    memcpy (to->bend, w->bend[b], sizeof (to->bend));
}

/* Returns a new tree with all that the next step needs of the workspace; NULL without memory. */
static rls_small_tree *tree_of (const rls_workspace *workspace)
{
    const rls_island *s = &workspace->island;
    const rls_tree *tree = &s->elimination.order.tree;
    rls_small_tree *t = calloc (1, sizeof (*t));
    if (!t) return NULL;
    t->bodies = s->model.bodies, t->joints = s->begin.rows.joints, t->rows = s->begin.rows.rows;
    t->own_size = workspace->read.own_used;
    if (!RLS_LAY_OUT (t, &t->block, lay_out))
    {
        free (t);
        return NULL;
    }

    /* bodies, their nodes in the tree, and where ODE lists them */
    for (int b = 0; b < t->bodies; ++b)
    {
        copy_body (&t->body[b], workspace, b);
        t->node[b] = tree->of[b];
        t->listed[b] = place_in (workspace->objects.body, workspace->objects.listed_body[b]);
    }

    /* joints */
    for (int j = 0; j < t->joints; ++j)
    {
        t->joint[j] = (rls_small_joint){.joint = workspace->objects.joint[j],
                                        .type = workspace->read.joint[j].type,
                                        .body = {s->mechanism.body[j][0], s->mechanism.body[j][1]},
                                        .rows = s->mechanism.row0[j + 1] - s->mechanism.row0[j],
                                        .own = workspace->read.joint[j].own,
                                        .frame = s->mechanism.frame[j]};
        t->listed[t->bodies + j] = place_in (workspace->objects.joint, workspace->objects.listed_joint[j]);
    }

    /* history of the steps */
    memcpy (t->own, workspace->read.own, (size_t)t->own_size);
    t->last_h = workspace->methods.symplectic.last_h, t->since = workspace->methods.symplectic.since;
    t->consistent = workspace->methods.symplectic.consistent;
    t->ledger = workspace->ledger;
    return t;
}

/* Returns 1 if the last step was an ordinary one that followed another: without warnings, fallbacks or
 * singular rows, with multipliers and their changes known, and nobody asks for reactions. */
static int is_steady (const rls_workspace *workspace)
{
    const rls_island *s = &workspace->island;
    const rls_symplectic *w = &workspace->methods.symplectic;
    int told = 0;
    for (int i = 0; i < dRLSWarningCount; ++i) told |= workspace->findings.notes[i].amount > 0;
    return !told && workspace->status == dRLSStatusOk && s->valid.rows_kept && s->valid.end_exact &&
           s->valid.end_natural && s->account.fallbacks == 0 && s->account.singular_events == 0 &&
           !s->reactions.wanted && !s->provider.forces && w->history > 0 && w->changed &&
           w->singular.count == 0;
}

/* Returns 1 if the island is one that tree_batch.h can step: at most RLS_SMALL_TREE_BODIES movable bodies,
 * with ball, hinge and universal joints that have no stops or motors and close no loop, nothing soft, nothing
 * scaled, and no added inertia. */
static int is_tree (const rls_workspace *workspace)
{
    const rls_island *s = &workspace->island;
    int plain =
        s->model.bodies <= RLS_SMALL_TREE_BODIES && s->elimination.order.tree.nodes == s->model.bodies &&
        s->begin.rows.joints <= s->model.bodies && s->begin.rows.joints == workspace->objects.joints &&
        s->end.factor.tree.rows > 0 && s->begin.bounded.rows == 0 && workspace->objects.soft_rows == 0 &&
        s->mechanism.kind_count[RLS_FRAME_FOREIGN] == 0 && s->model.length_scale == 1 &&
        s->elimination.mass_scaling.count == 0 && s->elimination.precedence.count == 0 &&
        s->geometric.raised == 0 && s->geometric.wanted == 0 && s->recovery.failing == 0;
    for (int b = 0; b < s->model.bodies && plain; ++b)
        plain = s->model.movable[b] && !s->model.by_exponential[b];
    for (int j = 0; j < workspace->objects.joints && plain; ++j)
        plain = workspace->read.joint[j].joint == j && workspace->read.joint[j].free;
    return plain;
}

int rls_small_trees_add (rls_small_trees *list, const rls_workspace *workspace)
{
    if (!is_steady (workspace) || !is_tree (workspace) || !RLS_ROOM (*list, list->count + 1)) return 0;
    rls_small_tree *tree = tree_of (workspace);
    if (tree) list->of[list->count++] = tree;
    return tree != NULL;
}

/* ---- the list ---- */

void rls_small_trees_forget (rls_small_trees *list)
{
    for (int i = 0; i < list->count; ++i) free_tree (list->of[i]);
    list->count = 0;
}

void rls_small_trees_free (rls_small_trees *list)
{
    rls_small_trees_forget (list);
    rls_arena_free (&list->block);
    rls_arena_free (&list->known_block);
    rls_arena_free (&list->by_first.block);
    *list = (rls_small_trees){0};
}

int rls_small_trees_copy (rls_small_trees *to, const rls_small_trees *from)
{
    static const size_t block = offsetof (rls_small_tree, block);
    rls_small_trees_forget (to);
    int done = RLS_ROOM (*to, from->count);
    for (int i = 0; i < from->count && done; ++i)
    {
        to->of[i] = calloc (1, sizeof (**to->of));
        done = to->of[i] && rls_object_copy (to->of[i], from->of[i], sizeof (rls_small_tree), &block, 1);
        to->count += to->of[i] != NULL;
    }
    if (!done) rls_small_trees_forget (to);
    return done;
}

/* Returns 1 if ODE lists the same bodies and joints, attached to each other as they were, with the same
 * anchors, axes and limits, and without feedback. */
static int same_objects (const rls_small_tree *t, dBodyID const *bodies, int body_count,
                         dJointID const *joints, int joint_count)
{
    if (body_count != t->bodies || joint_count != t->joints) return 0;
    for (int b = 0; b < body_count; ++b)
        if (bodies[b] != t->body[t->listed[b]].body) return 0;
    for (int i = 0; i < joint_count; ++i)
    {
        const rls_small_joint *joint = &t->joint[t->listed[t->bodies + i]];
        dBodyID now[2];
        if (joints[i] != joint->joint) return 0;
        rls_ode_joint_bodies (joints[i], now);
        for (int side = 0; side < 2; ++side)
            if (now[side] != (joint->body[side] < 0 ? NULL : t->body[joint->body[side]].body)) return 0;
        if (dJointGetType (joints[i]) != joint->type || dJointGetFeedback (joints[i]) ||
            !rls_ode_own_same (joints[i], joint->type, t->own + joint->own))
            return 0;
    }
    return 1;
}

int rls_small_trees_match (rls_small_trees *list, const rls_ode_islands *islands)
{
    /* the list becomes the known one */
    const rls_small_trees last = *list;
    list->of = last.known, list->block = last.known_block, list->count = 0;
    list->known = last.of, list->known_block = last.block, list->known_count = last.count;
    if (list->known_count == 0) return 1;
    const int done = RLS_ROOM (*list, list->known_count) && rls_places_begin (&list->by_first, last.count);
    for (int i = 0; i < list->known_count && done; ++i)
        rls_places_add (&list->by_first, rls_small_tree_first (list->known[i]), i);

    /* an island is a known tree if that has its first body, and nothing has changed */
    dBodyID const *bodies = islands->bodies;
    dJointID const *joints = islands->joints;
    for (size_t i = 0; i < islands->count && done; ++i)
    {
        const int body_count = (int)islands->sizes[2 * i], joint_count = (int)islands->sizes[2 * i + 1],
                  place = rls_places_find (&list->by_first, bodies[0]);
        if (place >= 0 && same_objects (list->known[place], bodies, body_count, joints, joint_count))
        {
            list->of[list->count++] = list->known[place];
            list->known[place] = NULL;
        }
        bodies += body_count;
        joints += joint_count;
    }

    /* free those that were not found */
    for (int i = 0; i < list->known_count; ++i)
        if (list->known[i]) free_tree (list->known[i]);
    list->known_count = 0;
    return done;
}

/* ---- afterwards ---- */

void rls_small_trees_write_back (rls_small_trees *list)
{
    int kept = 0;
    for (int i = 0; i < list->count; ++i)
    {
        rls_small_tree *tree = list->of[i];
        for (int b = 0; b < tree->bodies && !tree->refused; ++b)
            rls_write_body (tree->body[b].body, 1, &tree->body[b].pose, tree->body[b].v);
        if (tree->refused)
            free_tree (tree);
        else
            list->of[kept++] = tree;
    }
    list->count = kept;
}

unsigned long rls_small_trees_report (const rls_small_trees *list, int flags, dRLSReport *report,
                                      dRLSWarningNote *note)
{
    unsigned long times = 0;
    for (int i = 0; i < list->count; ++i)
    {
        const rls_small_tree *tree = list->of[i];

        /* no row of a tree is redundant; each sub-step has a factorisation, each iteration an evaluation */
        ++report->islands;
        report->bodies += tree->bodies, report->joints += tree->joints;
        report->rows += tree->rows, report->rank += tree->rows;
        report->dof += 6 * tree->bodies - tree->rows;
        report->factorisations += list->stages;
        report->row_evaluations += tree->iterations, report->iterations += tree->iterations;
        for (int j = 0; j < tree->joints && flags & dRLSReportViolations; ++j)
            rls_report_joint (report, tree->joint[j].joint);
        for (int b = 0; b < tree->bodies && flags & dRLSReportEnergy; ++b)
            rls_report_body (report, tree->body[b].body);

        /* warnings */
        times += tree->gained > 0;
        if (tree->gained > (double)note->amount)
            *note =
                (dRLSWarningNote){.joint = tree->joint[0].joint, .row = -1, .amount = (dReal)tree->gained};
    }
    return times;
}

int rls_small_trees_have (const rls_small_trees *list, dJointID joint)
{
    for (int i = 0; i < list->count; ++i)
        for (int j = 0; j < list->of[i]->joints; ++j)
            if (list->of[i]->joint[j].joint == joint) return 1;
    return 0;
}
