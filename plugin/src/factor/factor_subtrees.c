/*
 * All columns of the factor, and what of them is done at the same time; see subtrees.h.
 *
 * Subtrees first, each by itself; then what they do to separators, by targets; then separators, supernode by
 * supernode, whose panels and targets are shared out where they are large.  Every sum has its order from the
 * tree alone.
 */
#include "factor_supernode.h"
#include "factor_chain.h"
#include "factor_packed.h"

#define ROWS_A_CHUNK 64     /* of a panel */
#define TARGETS_A_CHUNK 4   /* columns to the right of a supernode */
#define LEAST_WORK 300000.0 /* multiplications that are worth sharing out */

typedef struct
{
    rls_factor *factor;
    const rls_rows *rows;
    const rls_decision_rule *rule;
    int infinite;          /* 1: a pivot is not finite */
    int supernode, square; /* of separators, at work, and its panel rows down to the end of its own columns */
    finished_columns done;
} shared_factor;

RLS_INLINE void assemble_supernode (rls_factor *f, const rls_rows *rows, int g)
{
    const rls_order *o = f->order;
    const int k = o->supernode[g];
#define PACKED(below) assemble_packed (f, rows, k, below)
    if (o->column[k].packed >= 0)
        RLS_FOR_EACH_PACKED (o->column[k].packed, PACKED)
    else if (o->column[k].chain)
        assemble_link (f, rows, k, 3);
    else
        rls_assemble_columns (f, rows, k, o->supernode[g + 1]);
}

/*
 * A subtree, without what it does to separators.  Supernodes that reach separators are left unfinished.
 * Columns are assembled just before something is done to them, while they and their rows are at hand.
 */
RLS_VECTOR_CLONES static void factor_subtree (void *context, int subtree)
{
    shared_factor *w = context;
    rls_factor *f = w->factor;
    const rls_order *o = f->order;
    const rls_subtrees *s = &o->subtrees;
    int finite = 1, assembled = s->subtree0[subtree];
    for (int g = s->subtree0[subtree]; g < s->subtree0[subtree + 1] && finite; ++g)
    {
        const int last = o->supernode[g + 1] - 1, inside = s->split[g] == o->end[last];
        const int reaches = s->split[g] > o->start[last] ? o->column[o->index[s->split[g] - 1]].supernode : g;
        for (; assembled <= reaches; ++assembled) assemble_supernode (f, w->rows, assembled);
        if (o->column[last].packed >= 0)
        {
#define FACTOR_PACKED(below) finite = factor_packed (f, w->rows, w->rule, last, below)
            RLS_FOR_EACH_PACKED (o->column[last].packed, FACTOR_PACKED)
            continue;
        }
        if (o->column[last].chain && inside)
        {
            finite = factor_chain (f, w->rows, w->rule, last, 3);
            continue;
        }
        finished_columns done;
        begin_supernode (f, g, &done);
        finite = rls_eliminate_supernode (f, w->rows, w->rule, &done, g, o->height[last]);
        if (finite) rls_update_targets (f, &done, g, o->start[last], s->split[g]);
        if (inside) rls_finish_supernode (f, g);
    }
    if (!finite) __atomic_store_n (&w->infinite, 1, __ATOMIC_RELAXED);
}

/* The pivots of a supernode as they were when it was eliminated. */
static void recall_supernode (const rls_factor *f, int g, finished_columns *done)
{
    const rls_order *o = f->order;
    begin_supernode (f, g, done);
    for (int k = o->supernode[g]; k < o->supernode[g + 1]; ++k)
        for (int a = 0; a < o->size[k]; ++a)
        {
            const double inverse = f->inverse_pivot[o->scalar0[k] + a];
            done->pivot[done->columns++] = inverse != 0 ? 1 / inverse : 0;
        }
}

/* A range of columns of separators, with all that subtrees do to it. */
static void factor_target (void *context, int target)
{
    shared_factor *w = context;
    rls_factor *f = w->factor;
    const rls_order *o = f->order;
    const rls_subtrees *s = &o->subtrees;
    rls_assemble_columns (f, w->rows, s->target0[target], s->target0[target + 1]);
    for (int i = s->reach0[target]; i < s->reach0[target + 1]; ++i)
    {
        const rls_reach *reach = &s->reach[i];
        finished_columns done;
        recall_supernode (f, reach->supernode, &done);
        rls_update_targets (f, &done, reach->supernode, reach->from, reach->past);
    }
}

/* The columns of a supernode of separators down to the last of them. */
static void factor_square (shared_factor *w)
{
    begin_supernode (w->factor, w->supernode, &w->done);
    w->infinite = !rls_eliminate_supernode (w->factor, w->rows, w->rule, &w->done, w->supernode, w->square);
}

/* The same in a part of the panel rows below. */
static void factor_below (void *context, int from, int to)
{
    shared_factor *w = context;
    rls_eliminate_below (w->factor, &w->done, w->supernode, w->square + from, w->square + to);
}

static void factor_right (void *context, int from, int to)
{
    shared_factor *w = context;
    const rls_order *o = w->factor->order;
    const int start = o->start[o->supernode[w->supernode + 1] - 1];
    rls_update_targets (w->factor, &w->done, w->supernode, start + from, start + to);
}

static void finish_separators (void *context, int from, int to)
{
    shared_factor *w = context;
    for (int g = from; g < to; ++g) rls_finish_supernode (w->factor, w->supernode + g);
}

/* Supernodes that have done to separators what they do. */
static void finish_subtree (void *context, int subtree)
{
    shared_factor *w = context;
    const rls_subtrees *s = &w->factor->order->subtrees;
    for (int i = s->reaching0[subtree]; i < s->reaching0[subtree + 1]; ++i)
        rls_finish_supernode (w->factor, s->reaching[i]);
}

/* A supernode of separators: it waits for those before it; its panel and what it does to the right is shared
 * out. */
static void factor_separator (shared_factor *w, rls_workers *workers, int g)
{
    const rls_order *o = w->factor->order;
    const int last = o->supernode[g + 1] - 1;
    w->supernode = g;
    w->square = o->top[last] + rls_padded (o->size[last]);
    factor_square (w);
    if (w->infinite) return;
    const int below = o->height[last] - w->square;
    const double columns = w->done.columns;
    rls_workers_ranges (columns * columns * below > LEAST_WORK ? workers : NULL, below, ROWS_A_CHUNK,
                        factor_below, w);
    rls_workers_ranges (columns * below * below > LEAST_WORK ? workers : NULL, o->end[last] - o->start[last],
                        TARGETS_A_CHUNK, factor_right, w);
}

int rls_factor_columns (rls_factor *f, const rls_rows *rows, const rls_decision_rule *rule)
{
    const rls_order *o = f->order;
    const rls_subtrees *s = &o->subtrees;
    shared_factor work = {.factor = f, .rows = rows, .rule = rule};
    rls_workers_run (rows->workers, s->subtrees, factor_subtree, &work);
    if (work.infinite) return 0;
    rls_workers_run (rows->workers, s->targets, factor_target, &work);
    rls_workers_run (rows->workers, s->subtrees, finish_subtree, &work);
    for (int g = s->subtree0[s->subtrees]; g < s->supernodes && !work.infinite; ++g)
        factor_separator (&work, rows->workers, g);
    if (work.infinite) return 0;
    const int separators = rls_first_separator (o);
    work.supernode = s->subtree0[s->subtrees];
    rls_workers_ranges ((double)(o->panel[o->n] - o->panel[separators]) > LEAST_WORK ? rows->workers : NULL,
                        s->supernodes - work.supernode, 1, finish_separators, &work);
    return 1;
}
