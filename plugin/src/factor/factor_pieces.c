/*
 * All columns of the factor, and what of them is done at the same time; see subtrees.h.
 *
 * Pieces first, each by itself; then what they do to tops, by targets; then tops, group by group, whose
 * panels and targets are shared out where they are large.  Every sum has its order from the tree alone.
 */
#include "factor_group.h"
#include "factor_link.h"
#include "factor_packed.h"

#define ROWS_A_PIECE 64     /* of a panel */
#define TARGETS_A_PIECE 4   /* columns to the right of a group */
#define LEAST_WORK 300000.0 /* multiplications that are worth sharing out */

typedef struct
{
    rls_factor *factor;
    const rls_rows *rows;
    const rls_decision_rule *rule;
    int infinite;      /* 1: a pivot is not finite */
    int group, square; /* of tops, at work, and its panel rows down to the end of its own columns */
    finished_columns done;
} shared_factor;

RLS_INLINE void assemble_group (rls_factor *f, const rls_rows *rows, int g)
{
    const rls_order *o = f->order;
    const int k = o->group[g];
#define PACKED(below) assemble_packed (f, rows, k, below)
    if (o->column[k].packed >= 0)
        RLS_FOR_EACH_PACKED (o->column[k].packed, PACKED)
    else if (o->column[k].link)
        assemble_link (f, rows, k, 3);
    else
        rls_assemble_columns (f, rows, k, o->group[g + 1]);
}

/*
 * A piece, without what it does to tops.  Groups that reach tops are left unfinished.  Columns are assembled
 * just before something is done to them, while they and their rows are at hand.
 */
RLS_VECTOR_CLONES static void factor_piece (void *context, int piece)
{
    shared_factor *w = context;
    rls_factor *f = w->factor;
    const rls_order *o = f->order;
    const rls_subtrees *s = &o->subtrees;
    int finite = 1, assembled = s->piece0[piece];
    for (int g = s->piece0[piece]; g < s->piece0[piece + 1] && finite; ++g)
    {
        const int last = o->group[g + 1] - 1, inside = s->split[g] == o->end[last];
        const int reaches = s->split[g] > o->start[last] ? o->column[o->index[s->split[g] - 1]].group : g;
        for (; assembled <= reaches; ++assembled) assemble_group (f, w->rows, assembled);
        if (o->column[last].packed >= 0)
        {
#define FACTOR_PACKED(below) finite = factor_packed (f, w->rows, w->rule, last, below)
            RLS_FOR_EACH_PACKED (o->column[last].packed, FACTOR_PACKED)
            continue;
        }
        if (o->column[last].link && inside)
        {
            finite = factor_link (f, w->rows, w->rule, last, 3);
            continue;
        }
        finished_columns done;
        begin_group (f, g, &done);
        finite = rls_eliminate_group (f, w->rows, w->rule, &done, g, o->height[last]);
        if (finite) rls_update_targets (f, &done, g, o->start[last], s->split[g]);
        if (inside) rls_finish_group (f, g);
    }
    if (!finite) __atomic_store_n (&w->infinite, 1, __ATOMIC_RELAXED);
}

/* The pivots of a group as they were when it was eliminated. */
static void recall_group (const rls_factor *f, int g, finished_columns *done)
{
    const rls_order *o = f->order;
    begin_group (f, g, done);
    for (int k = o->group[g]; k < o->group[g + 1]; ++k)
        for (int a = 0; a < o->size[k]; ++a)
        {
            const double inverse = f->inverse_pivot[o->scalar0[k] + a];
            done->pivot[done->columns++] = inverse != 0 ? 1 / inverse : 0;
        }
}

/* A range of columns of tops, with all that pieces do to it. */
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
        recall_group (f, reach->group, &done);
        rls_update_targets (f, &done, reach->group, reach->from, reach->past);
    }
}

/* The columns of a group of tops down to the last of them. */
static void factor_square (shared_factor *w)
{
    begin_group (w->factor, w->group, &w->done);
    w->infinite = !rls_eliminate_group (w->factor, w->rows, w->rule, &w->done, w->group, w->square);
}

/* The same in a part of the panel rows below. */
static void factor_below (void *context, int from, int to)
{
    shared_factor *w = context;
    rls_eliminate_below (w->factor, &w->done, w->group, w->square + from, w->square + to);
}

static void factor_right (void *context, int from, int to)
{
    shared_factor *w = context;
    const rls_order *o = w->factor->order;
    const int start = o->start[o->group[w->group + 1] - 1];
    rls_update_targets (w->factor, &w->done, w->group, start + from, start + to);
}

static void finish_tops (void *context, int from, int to)
{
    shared_factor *w = context;
    for (int g = from; g < to; ++g) rls_finish_group (w->factor, w->group + g);
}

/* Groups that have done to tops what they do. */
static void finish_piece (void *context, int piece)
{
    shared_factor *w = context;
    const rls_subtrees *s = &w->factor->order->subtrees;
    for (int i = s->reaching0[piece]; i < s->reaching0[piece + 1]; ++i)
        rls_finish_group (w->factor, s->reaching[i]);
}

/* A group of tops: it waits for those before it; its panel and what it does to the right is shared out. */
static void factor_top (shared_factor *w, rls_team *team, int g)
{
    const rls_order *o = w->factor->order;
    const int last = o->group[g + 1] - 1;
    w->group = g;
    w->square = o->top[last] + rls_padded (o->size[last]);
    factor_square (w);
    if (w->infinite) return;
    const int below = o->height[last] - w->square;
    const double columns = w->done.columns;
    rls_team_ranges (columns * columns * below > LEAST_WORK ? team : NULL, below, ROWS_A_PIECE, factor_below,
                     w);
    rls_team_ranges (columns * below * below > LEAST_WORK ? team : NULL, o->end[last] - o->start[last],
                     TARGETS_A_PIECE, factor_right, w);
}

int rls_factor_columns (rls_factor *f, const rls_rows *rows, const rls_decision_rule *rule)
{
    const rls_order *o = f->order;
    const rls_subtrees *s = &o->subtrees;
    shared_factor work = {.factor = f, .rows = rows, .rule = rule};
    rls_team_run (rows->team, s->pieces, factor_piece, &work);
    if (work.infinite) return 0;
    rls_team_run (rows->team, s->targets, factor_target, &work);
    rls_team_run (rows->team, s->pieces, finish_piece, &work);
    for (int g = s->piece0[s->pieces]; g < s->groups && !work.infinite; ++g)
        factor_top (&work, rows->team, g);
    if (work.infinite) return 0;
    const int tops = rls_first_top (o);
    work.group = s->piece0[s->pieces];
    rls_team_ranges ((double)(o->panel[o->n] - o->panel[tops]) > LEAST_WORK ? rows->team : NULL,
                     s->groups - work.group, 1, finish_tops, &work);
    return 1;
}
