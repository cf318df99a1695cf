/* The symplectic step of small trees in batches; contract in tree_batch.h, equations in symplectic.h. */
#include "tree_batch.h"
#include "factor/factor_tree.h"
#include "island/flat.h"
#include "island/joint_frame.h"
#include "symplectic_parts.h"
#include <float.h>

#define FOR_ISLANDS(t, k) for (rls_tree_island *k = (t)->island; k < (t)->island + (t)->islands; ++k)

/* ---- the batch ---- */

/* Make the arrays of rows, and of a factor, those of the batch with index which. */
static void lay_out_rows (rls_tree_batch *t, rls_rows *rows, int which)
{
    rows->compact = t->compact[which], rows->compact_rows = t->compact_rows[which];
    rows->residual = t->residual[which];
    rows->sigma2 = rows->target = t->zero[0];
}

static void lay_out_factor (rls_tree_batch *t, rls_factor *f, int which)
{
    f->order = &t->order;
    f->relative = t->relative, f->decision = t->decision;
    f->tree.number = t->number[which];
    f->tree.force = t->scratch[0], f->tree.velocity = t->scratch[1], f->tree.rest = t->rest;
    f->tree.inertia = t->passed_on;
}

/* Evaluates the rows of all islands: provider.rows of the batch. */
static int find_rows (rls_island *s, const rls_pose *pose)
{
    rls_island_turn (s, pose);
    return rls_joint_frames_rows (s, pose, &s->end.rows);
}

void rls_tree_batch_begin (rls_tree_batch *t)
{
    rls_island *s = &t->s;
    rls_tree *tree = &t->order.tree;
    rls_symplectic *w = &t->w;

    /* the island and the integrator, with arrays of the batch */
    *s = (rls_island){.model.length_scale = 1, .provider.rows = find_rows};
    t->order = (rls_order){0};
    w->singular.count = 0, w->history = w->changed = 1;
    w->lead = 0.5, w->longest_h = 0, w->spins = t->spins, w->x = t->x;
    w->pose = t->pose, w->v = t->v, w->u = t->u, w->du = t->du, w->d = t->d, w->kicked = t->kicked;
    w->reaction = t->reaction, w->change = t->change, w->bend = t->bend;
    s->model.movable = t->movable, s->model.gyroscopic = t->gyroscopic,
    s->model.by_exponential = t->by_exponential;
    s->model.mass = t->mass, s->model.inertia = s->model.own_inertia = t->inertia,
    s->model.inverse_inertia = t->inverse_inertia;
    s->state.pose = t->start, s->state.v = t->start_v, s->applied.force = t->force,
    s->next.pose = t->new_pose, s->next.v = t->v;
    s->mechanism.body = t->body, s->mechanism.row0 = t->row0, s->mechanism.fixed = t->fixed,
    s->mechanism.frame = t->frame, s->scratch.R = t->R;
    for (int kind = 0; kind < RLS_FRAME_KINDS; ++kind) s->mechanism.of_kind[kind] = t->of_kind[kind];

    /* rows, factors and the tree */
    lay_out_rows (t, &s->begin.rows, 0), s->begin.rows.W = t->W[0];
    lay_out_rows (t, &s->end.rows, 1), s->end.rows.W = t->W[1];
    lay_out_rows (t, &s->scratch.aside, 2);
    s->scratch.aside.J = t->J, s->scratch.aside.sigma2 = t->zero[1], s->scratch.aside.target = t->zero[2];
    lay_out_factor (t, &s->begin.factor, 0);
    lay_out_factor (t, &s->end.factor, 1);
    tree->of = t->node, tree->place = t->place;
    memset (t->zero, 0, sizeof (t->zero));
    memset (t->movable, 1, sizeof (t->movable));
    memset (t->by_exponential, 0, sizeof (t->by_exponential));
    t->islands = t->row0[0] = t->place[0] = 0;
}

/* ---- islands one by one ---- */

/* to += the least motion that moves the rows by t->x, for the islands that are active. */
static void enforce_active (rls_tree_batch *t, const rls_factor *factor, const rls_rows *rows,
                            double (*to)[6])
{
    double (*d)[6] = t->d;
    FOR_ISLANDS (t, k)
        if (!k->active) memset (t->x + k->row0, 0, sizeof (double) * (size_t)k->rows);
    memset (d, 0, sizeof (*d) * (size_t)t->s.model.bodies);
    rls_factor_enforce (factor, rows, t->x, d);
    FOR_ISLANDS (t, k)
        if (k->active) rls_add (k->bodies, 1, d + k->body0, to + k->body0);
}

/* Projects velocities v onto the rows, for the islands that are active, until what is left is at most the
 * part of 1 plus the speed of the island.  now: 1 if that is the present speed, 0 if that before the first
 * pass. */
static void project_velocities (rls_tree_batch *t, const rls_factor *factor, const rls_rows *rows,
                                double part, int now)
{
    double speed[RLS_TREE_BODIES];
    FOR_ISLANDS (t, k) speed[k - t->island] = rls_fastest (k->bodies, t->v + k->body0);
    for (int i = 0, active = 1; i < RLS_MOST_CLEANINGS && active; ++i)
    {

        /* which islands have not satisfied their rows */
        active = 0;
        rls_rows_missing (rows, NULL, t->v, t->x);
        FOR_ISLANDS (t, k)
        {
            if (!k->active) continue;
            double *v = &speed[k - t->island];
            if (now && i > 0) *v = rls_fastest (k->bodies, t->v + k->body0);
            k->refused |= !isfinite (*v);
            k->inner = rls_flat_largest (k->rows, t->x + k->row0);
            k->consistent = k->inner <= part * (1 + *v);
            k->active = !k->consistent && !k->refused;
            active |= k->active;
        }
        if (active) enforce_active (t, factor, rows, t->v);
    }
}

/* ---- positions: Newton's method, as in symplectic_close.c ---- */

/* Decides whether Newton's method goes on with an island, by its residual (m or rad); refuses it if that
 * diverges, or is so slow that it would need a new factor. */
static void judge (rls_tree_island *k, double residual, int iteration)
{
    const double loose = fmax (RLS_SAME, 4 * k->tolerance);
    ++k->iterations;
    if (!(residual < HUGE_VAL) ||
        (residual > k->best && residual > RLS_DIVERGED * k->best && residual > 10 * loose))
        k->refused = 1;
    k->best = fmin (k->best, residual);
    const int settled = residual <= k->tolerance ||
                        (iteration >= 2 && residual > RLS_STAGNATED * k->last && residual < 4 * k->tolerance);
    if (!settled && iteration > 0 && residual > RLS_SLOW_CLOSING * k->last && residual > 4 * k->tolerance)
        k->refused = 1;
    k->last = residual;
    k->open = !settled && !k->refused;
}

/* u += a correction of the velocities that closes the rows to first order, for the islands that are open: by
 * sweeps on the linearised motion with the factor of the beginning. */
static void correct (rls_tree_batch *t, double h)
{
    const rls_rows *trial = &t->w.trial;
    rls_island *s = &t->s;
    rls_spins_tangents (t->spins, s, h);
    memset (t->du, 0, sizeof (*t->du) * (size_t)s->model.bodies);

    /* sweeps end for an island when its linearised rows are closed so well that the curvature matters more */
    FOR_ISLANDS (t, k) k->active = k->open, k->inner = HUGE_VAL;
    for (int sweep = 0, active = 1; sweep < RLS_MOST_SWEEPS; ++sweep)
    {
        memset (t->x, 0, sizeof (double) * (size_t)trial->rows);
        if (sweep > 0)
        {
            rls_spins_linear_motion (t->spins, s, t->du, t->d);
            rls_rows_velocity (trial, t->d, t->x);
        }
        rls_flat_blend (trial->rows, 1 / h, trial->residual, -1, t->x, t->x);
        active = 0;
        FOR_ISLANDS (t, k)
        {
            if (!k->active) continue;
            const double left = fabs (h) * rls_flat_largest (k->rows, t->x + k->row0);
            if (sweep == 0) k->enough = fmax (RLS_ENOUGH * k->tolerance, RLS_CURVED * left * left);
            k->active = !(left <= k->enough || left > k->inner);
            k->inner = left;
            active |= k->active;
        }
        if (!active) break;
        enforce_active (t, &s->begin.factor, &s->begin.rows, t->du);
    }
    FOR_ISLANDS (t, k)
        if (k->open) rls_add (k->bodies, 1, t->du + k->body0, t->u + k->body0);
}

/* Finds the velocities u with which all islands end with closed joints.  Returns 0 if that fails for one of
 * them. */
static int close_positions (rls_tree_batch *t, double h)
{
    rls_island *s = &t->s;
    for (int b = 0; b < s->model.bodies; ++b) t->still[b] = 0;

    /* each island ends at its own rounding */
    FOR_ISLANDS (t, k)
    {
        k->tolerance = fmax (t->w.tolerance, rls_closing_rounding (t->pose + k->body0, k->bodies, 4));
        k->open = !k->refused, k->best = k->last = HUGE_VAL;
    }

    /* Newton's method for all islands that are open; the others do not change */
    for (int iteration = 0, open = 1; open; ++iteration)
    {
        if (iteration == RLS_MOST_ITERATIONS ||
            !rls_spins_drift (t->spins, s, t->pose, t->u, h, iteration == 0, t->still, t->new_pose) ||
            !rls_symplectic_look (&t->w, s, h, iteration == 0))
            return 0;
        open = 0;
        FOR_ISLANDS (t, k)
        {
            if (k->open) judge (k, rls_flat_largest (k->rows, t->w.trial.residual + k->row0), iteration);
            open |= k->open;
            memset (t->still + k->body0, !k->open, (size_t)k->bodies);
        }
        if (open) correct (t, h);
    }
    return 1;
}

/* ---- one sub-step, as in symplectic.c ---- */

/* Takes a sub-step of h (s).  Returns 0 if it fails for one of the islands. */
static int substep (rls_tree_batch *t, double h)
{
    rls_island *s = &t->s;

    /* first half kick, and the pose at the end */
    rls_spins_begin (t->spins, s, t->pose);
    rls_symplectic_begin_motion (&t->w, s, h);
    if (!close_positions (t, h)) return 0;
    rls_symplectic_keep_change (&t->w, s, h);
    rls_spins_end (t->spins, s, h, t->u);

    /* second half kick, with the factor at that pose */
    rls_island_inverse_inertia (s, t->new_pose, &s->end.rows);
    if (!rls_factor_tree (&s->end.factor, &s->end.rows)) return 0;
    rls_kick (s, &s->end.rows, t->u, 0.5 * h, t->kicked);
    memcpy (t->v, t->kicked, sizeof (*t->v) * (size_t)s->model.bodies);
    rls_enforce (&s->end.factor, &s->end.rows, s->end.rows.target, t->x, t->v);
    FOR_ISLANDS (t, k) k->active = !k->refused;
    project_velocities (t, &s->end.factor, &s->end.rows, 2 * DBL_EPSILON, 1);
    rls_symplectic_end_substep (&t->w, s, h);
    return 1;
}

/* Begins a step: evaluates and factors the rows where the last step ended, which gives the same bits as at
 * its end.  Islands whose joints are open there are refused.  Returns 0 if that fails. */
static int begin (rls_tree_batch *t)
{
    rls_island *s = &t->s;

    /* all sizes, now that all islands are appended, and the joints by kind */
    s->begin.rows.rows = t->row0[s->begin.rows.joints];
    rls_island_share_topology (s);
    rls_rows_share (&s->scratch.aside, &s->begin.rows);
    s->begin.factor.tree.rows = s->end.factor.tree.rows = s->begin.rows.rows;
    t->order.tree.nodes = s->model.bodies;
    rls_island_list_frames (s);

    /* rows and factor at the beginning */
    memcpy (t->pose, t->start, sizeof (*t->pose) * (size_t)s->model.bodies);
    memcpy (t->v, t->start_v, sizeof (*t->v) * (size_t)s->model.bodies);
    rls_island_turn (s, t->last_pose);
    if (!rls_joint_frames_rows (s, t->last_pose, &s->begin.rows)) return 0;
    rls_island_inverse_inertia (s, t->last_pose, &s->begin.rows);
    if (!rls_factor_tree (&s->begin.factor, &s->begin.rows)) return 0;
    rls_island_inverse_inertia (s, t->start, &s->begin.rows);
    FOR_ISLANDS (t, k)
    {
        const double open = rls_flat_largest (k->rows, s->begin.rows.residual + k->row0);
        k->refused = !(open <= fmax (RLS_SINGULAR_LEFT_OPEN, 2 * t->w.tolerance));
        k->active = !k->consistent;
        k->iterations = 0;
    }
    project_velocities (t, &s->begin.factor, &s->begin.rows, RLS_ROUNDING, 0);
    return 1;
}

int rls_tree_batch_step (rls_tree_batch *t, double h, const double *fraction, int stages)
{
    rls_island *s = &t->s;
    int done = begin (t);
    for (int i = 0; i < stages; ++i) t->w.longest_h = fmax (t->w.longest_h, fabs (fraction[i] * h));
    for (int i = 0; i < stages && done; ++i)
    {
        if (i > 0) rls_symplectic_advance (s);
        done = substep (t, fraction[i] * h);
    }
    return done;
}
