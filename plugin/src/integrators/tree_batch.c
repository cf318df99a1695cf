/* Small trees in batches; what a step does is told in symplectic.h, what a batch is in tree_batch.h. */
#include "tree_batch.h"
#include "factor/factor_tree.h"
#include "island/joint_frame.h"
#include "symplectic_limits.h"
#include "symplectic_parts.h"
#include "tolerances.h"
#include <float.h>
#include <math.h>
#include <string.h>

#define FOR_ISLANDS(t, k) for (rls_tree_island *k = (t)->island; k < (t)->island + (t)->islands; ++k)

/* ---- the batch ---- */

static void lay_out_rows (rls_tree_batch *t, rls_rows *rows, int which)
{
    rows->body1 = t->body1, rows->body2 = t->body2, rows->row0 = t->row0, rows->fixed = t->fixed;
    rows->movable = t->movable, rows->mass = t->mass;
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

void rls_tree_batch_begin (rls_tree_batch *t)
{
    rls_island *s = &t->s;
    rls_tree *tree = &t->order.tree;
    *s = (rls_island){.model.length_scale = 1};
    t->order = (rls_order){0};
    t->trial = (rls_rows){0};
    s->model.movable = t->movable, s->model.gyroscopic = t->gyroscopic,
    s->model.by_exponential = t->by_exponential;
    s->model.mass = t->mass, s->model.inertia = s->model.own_inertia = t->inertia,
    s->model.inverse_inertia = t->inverse_inertia;
    s->state.pose = t->start, s->state.v = t->start_v, s->applied.force = t->force,
    s->next.pose = t->new_pose, s->next.v = t->v;
    s->mechanism.body1 = t->body1, s->mechanism.body2 = t->body2, s->mechanism.row0 = t->row0,
    s->mechanism.frame = t->frame, s->scratch.R = t->R;
    for (int kind = 0; kind < RLS_FRAME_KINDS; ++kind) s->mechanism.of_kind[kind] = t->of_kind[kind];

    /* rows, factors and the tree, in memory of their own */
    lay_out_rows (t, &s->begin.rows, 0), s->begin.rows.W = t->W[0];
    lay_out_rows (t, &s->end.rows, 1), s->end.rows.W = t->W[1];
    lay_out_rows (t, &t->trial, 2);
    t->trial.J = t->J, t->trial.sigma2 = t->zero[1], t->trial.target = t->zero[2];
    lay_out_factor (t, &s->begin.factor, 0);
    lay_out_factor (t, &s->end.factor, 1);
    tree->body = t->node[0], tree->joint = t->node[1], tree->side = t->node[2], tree->up = t->node[3];
    tree->first = t->node[4], tree->leaf = t->node[5], tree->place = t->place;
    memset (t->zero, 0, sizeof (t->zero));
    memset (t->movable, 1, sizeof (t->movable));
    memset (t->by_exponential, 0, sizeof (t->by_exponential));
    t->islands = t->row0[0] = t->place[0] = 0;
}

/* All that tells the size of the batch, once the islands are there. */
static void close_lists (rls_tree_batch *t)
{
    rls_island *s = &t->s;
    rls_rows *all[3] = {&s->begin.rows, &s->end.rows, &t->trial};
    for (int i = 0; i < 3; ++i)
    {
        all[i]->bodies = s->model.bodies, all[i]->joints = s->begin.rows.joints;
        all[i]->rows = t->row0[s->begin.rows.joints];
    }
    s->begin.factor.tree.rows = s->end.factor.tree.rows = s->begin.rows.rows;
    t->order.tree.nodes = s->model.bodies;
    for (int kind = 0; kind < RLS_FRAME_KINDS; ++kind) s->mechanism.kind_count[kind] = 0;
    for (int j = 0; j < s->begin.rows.joints; ++j)
    {
        const rls_frame_kind kind = s->mechanism.frame[j].kind;
        s->mechanism.of_kind[kind][s->mechanism.kind_count[kind]++] = j;
        t->fixed[j] = 3;
    }
}

/* ---- islands one by one ---- */

/* Largest |x|; what is not finite shows in nothing, which is 0 else. */
static double largest (const double *x, int n)
{
    double most = 0, nothing = 0;
    for (int i = 0; i < n; ++i)
    {
        most = fabs (x[i]) > most ? fabs (x[i]) : most;
        nothing += 0 * x[i];
    }
    return most + nothing;
}

static double fastest (const rls_tree_island *k, const double (*v)[6])
{
    return largest (v[k->body0], 6 * k->bodies);
}

/* to += x, of the bodies of one island. */
static void add_island (const rls_tree_island *k, const double (*x)[6], double (*to)[6])
{
    for (int b = k->body0; b < k->body0 + k->bodies; ++b)
        for (int i = 0; i < 6; ++i) to[b][i] += x[b][i];
}

/* to += what moves the rows by x, of the islands that are active. */
static void enforce_active (rls_tree_batch *t, const rls_factor *factor, const rls_rows *rows,
                            double (*to)[6])
{
    double (*d)[6] = t->d;
    FOR_ISLANDS (t, k)
    if (!k->active) memset (t->x + k->row0, 0, sizeof (double) * (size_t)k->rows);
    memset (d, 0, sizeof (*d) * (size_t)t->s.model.bodies);
    rls_factor_enforce (factor, rows, t->x, d);
    FOR_ISLANDS (t, k)
    if (k->active) add_island (k, (const double (*)[6])d, to);
}

/* Removes what is left of the rows' velocities, up to that much of 1 plus the speed.  now: with the speed at
 * the time, not that of the beginning. */
static void clean (rls_tree_batch *t, const rls_factor *factor, const rls_rows *rows, double part, int now)
{
    double speed[RLS_TREE_BODIES];
    FOR_ISLANDS (t, k) speed[k - t->island] = fastest (k, (const double (*)[6])t->v);
    for (int i = 0, active = 1; i < MOST_CLEANINGS && active; ++i)
    {
        active = 0;
        rls_rows_velocity (rows, (const double (*)[6])t->v, t->x);
        rls_flat_scale ((size_t)rows->rows, -1, t->x, t->x);
        FOR_ISLANDS (t, k)
        {
            if (!k->active) continue;
            double *v = &speed[k - t->island];
            if (now && i > 0) *v = fastest (k, (const double (*)[6])t->v);
            k->refused |= !isfinite (*v);
            k->inner = largest (t->x + k->row0, k->rows);
            k->consistent = k->inner <= part * (1 + *v);
            k->active = !k->consistent && !k->refused;
            active |= k->active;
        }
        if (active) enforce_active (t, factor, rows, t->v);
    }
}

/* ---- positions: Newton's method, as in symplectic_close.c ---- */

/* Rows at next.pose, in the bases of the beginning where theirs have turned.  Returns where they are. */
static const rls_rows *look (rls_tree_batch *t)
{
    rls_island *s = &t->s;
    rls_island_turn (s, s->next.pose);
    if (!rls_joint_frames_rows (s, s->next.pose, &s->end.rows)) return NULL;
    if (rls_rows_aligned (&s->end.rows, &s->begin.rows)) return &s->end.rows;
    rls_rows_copy (&s->end.rows, &t->trial);
    rls_rows_align (&t->trial, &s->begin.rows);
    return &t->trial;
}

/* Whether Newton's method goes on with the island, whose rows are open by so much. */
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

/* u += a correction from sweeps on the linearised motion, of the islands that are open. */
static void correct (rls_tree_batch *t, const rls_rows *trial, double h)
{
    rls_island *s = &t->s;
    rls_spins_tangents (t->spins, s, h);
    memset (t->du, 0, sizeof (*t->du) * (size_t)s->model.bodies);

    /* each island ends where the next look sees no more */
    FOR_ISLANDS (t, k) k->active = k->open, k->inner = HUGE_VAL;
    for (int sweep = 0, active = 1; sweep < MOST_SWEEPS; ++sweep)
    {
        memset (t->x, 0, sizeof (double) * (size_t)trial->rows);
        if (sweep > 0)
        {
            rls_spins_linear_motion (t->spins, s, (const double (*)[6])t->du, t->d);
            rls_rows_velocity (trial, (const double (*)[6])t->d, t->x);
        }
        rls_flat_blend ((size_t)trial->rows, 1 / h, trial->residual, -1, t->x, t->x);
        active = 0;
        FOR_ISLANDS (t, k)
        {
            if (!k->active) continue;
            const double left = fabs (h) * largest (t->x + k->row0, k->rows);
            if (sweep == 0) k->enough = fmax (RLS_ENOUGH * k->tolerance, RLS_CURVED * left * left);
            k->active = !(left <= k->enough || left > k->inner);
            k->inner = left;
            active |= k->active;
        }
        if (!active) break;
        enforce_active (t, &s->begin.factor, &s->begin.rows, t->du);
    }
    FOR_ISLANDS (t, k)
    if (k->open) add_island (k, (const double (*)[6])t->du, t->u);
}

static int close_positions (rls_tree_batch *t, double h)
{
    rls_island *s = &t->s;
    for (int b = 0; b < s->model.bodies; ++b) t->still[b] = 0;

    /* each island ends at its own rounding */
    FOR_ISLANDS (t, k)
    {
        double size = 0.5;
        for (int b = k->body0; b < k->body0 + k->bodies; ++b) size = fmax (size, largest (t->pose[b].x, 3));
        k->tolerance = fmax (t->tolerance, fmax (RLS_CLOSING_ROUNDING, 4 * DBL_EPSILON * size));
        k->open = !k->refused, k->best = k->last = HUGE_VAL;
    }

    /* Newton's method for all that are open; the others keep still */
    for (int iteration = 0, open = 1; open; ++iteration)
    {
        if (iteration == MOST_ITERATIONS ||
            !rls_spins_drift_some (t->spins, s, t->pose, (const double (*)[6])t->u, h, iteration == 0,
                                   t->still, t->new_pose))
            return 0;
        const rls_rows *trial = look (t);
        if (!trial) return 0;
        open = 0;
        FOR_ISLANDS (t, k)
        {
            if (k->open) judge (k, largest (trial->residual + k->row0, k->rows), iteration);
            open |= k->open;
            memset (t->still + k->body0, !k->open, (size_t)k->bodies);
        }
        if (open) correct (t, trial, h);
    }
    return 1;
}

/* ---- one sub-step, as in symplectic.c ---- */

/* u := velocities with the multipliers that are expected. */
static void begin_motion (rls_tree_batch *t, double h)
{
    rls_island *s = &t->s;
    const size_t size = 6 * (size_t)s->model.bodies;
    const double once = h * (h + t->last_h), twice = once * t->since;
    rls_kick (s, &s->begin.rows, (const double (*)[6])t->v, 0.5 * h, t->kicked);
    memcpy (t->u, t->kicked, size * sizeof (double));
    rls_flat_blend (size, once, t->change[0], twice, t->bend[0], t->du[0]);
    rls_spins_to_world (t->spins, s, (const double (*)[6])t->du, t->d);
    rls_flat_add (size, h, t->reaction[0], t->d[0]);
    rls_rows_velocity (&s->begin.rows, (const double (*)[6])t->d, t->x);
    rls_factor_enforce (&s->begin.factor, &s->begin.rows, t->x, t->u);
}

static void keep_change (rls_tree_batch *t, double h)
{
    const double longest = fabs (t->longest_h), scale = 1 / (h + t->last_h);
    const size_t size = 6 * (size_t)t->s.model.bodies;
    if (fabs (h * h * (h + t->last_h)) < RLS_FIRST_SUBSTEP * longest * longest * longest) return;
    const int bent = fabs (t->since) > RLS_FIRST_SUBSTEP * longest;
    const double bending = bent ? 1 / t->since : 0;
    rls_flat_blend (size, 1 / h, t->u[0], -1 / h, t->kicked[0], t->du[0]);
    rls_flat_blend (size, scale, t->du[0], -scale, t->reaction[0], t->du[0]);
    rls_spins_to_body (t->spins, &t->s, (const double (*)[6])t->du, t->d);
    if (bent) rls_flat_blend (size, bending, t->d[0], -bending, t->change[0], t->bend[0]);
    memcpy (t->change, t->d, size * sizeof (double));
    t->since = 0;
}

static int substep (rls_tree_batch *t, double h)
{
    rls_island *s = &t->s;
    const size_t size = 6 * (size_t)s->model.bodies;
    rls_spins_begin (t->spins, s, t->pose);
    begin_motion (t, h);
    if (!close_positions (t, h)) return 0;
    keep_change (t, h);
    rls_spins_end (t->spins, s, h, t->u);
    rls_island_inverse_inertia (s, t->new_pose, &s->end.rows);
    if (!rls_factor_tree (&s->end.factor, &s->end.rows)) return 0;
    rls_kick (s, &s->end.rows, (const double (*)[6])t->u, 0.5 * h, t->kicked);
    memcpy (t->v, t->kicked, size * sizeof (double));
    rls_enforce (&s->end.factor, &s->end.rows, s->end.rows.target, t->x, t->v);
    FOR_ISLANDS (t, k) k->active = !k->refused;
    clean (t, &s->end.factor, &s->end.rows, 2 * DBL_EPSILON, 1);
    rls_flat_blend (size, 1 / h, t->v[0], -1 / h, t->kicked[0], t->reaction[0]);
    t->since += h;
    t->last_h = h;
    memcpy (t->pose, t->new_pose, sizeof (*t->pose) * (size_t)s->model.bodies);
    return 1;
}

/* Rows and factor where the last step ended: those that it ended with. */
static int begin (rls_tree_batch *t)
{
    rls_island *s = &t->s;
    close_lists (t);
    memcpy (t->pose, t->start, sizeof (*t->pose) * (size_t)s->model.bodies);
    memcpy (t->v, t->start_v, sizeof (*t->v) * (size_t)s->model.bodies);
    rls_island_turn (s, t->last_pose);
    if (!rls_joint_frames_rows (s, t->last_pose, &s->begin.rows)) return 0;
    rls_island_inverse_inertia (s, t->last_pose, &s->begin.rows);
    if (!rls_factor_tree (&s->begin.factor, &s->begin.rows)) return 0;
    rls_island_inverse_inertia (s, t->start, &s->begin.rows);
    FOR_ISLANDS (t, k)
    {
        const double open = largest (s->begin.rows.residual + k->row0, k->rows);
        k->refused = !(open <= fmax (RLS_SINGULAR_LEFT_OPEN, 2 * t->tolerance));
        k->active = !k->consistent;
        k->iterations = 0;
    }
    clean (t, &s->begin.factor, &s->begin.rows, RLS_ROUNDING, 0);
    return 1;
}

int rls_tree_batch_step (rls_tree_batch *t, double h, const double *fraction, int stages)
{
    rls_island *s = &t->s;
    int done = begin (t);
    t->longest_h = 0;
    for (int i = 0; i < stages; ++i) t->longest_h = fmax (t->longest_h, fabs (fraction[i] * h));
    for (int i = 0; i < stages && done; ++i)
    {
        if (i > 0) rls_symplectic_advance (s);
        done = substep (t, fraction[i] * h);
    }
    return done;
}
