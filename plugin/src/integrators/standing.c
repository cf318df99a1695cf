/* Islands that stand: keeping a step, and repeating it; contract in standing.h. */
#include "standing.h"
#include "bounded/contact_rows.h"

static void lay_out (rls_standing *k, rls_arena_cursor *c)
{
    RLS_TAKE (c, (size_t)k->bodies, k->force);
    RLS_TAKE (c, (size_t)k->rows, k->total);
}

static int is_still (const rls_island *s, const double (*v)[6])
{
    return rls_fastest (s->model.bodies, v) == 0;
}

int rls_standing_holds (const rls_standing *k, const rls_island *s)
{
    return k->rows > 0 && k->bodies == s->model.bodies && k->settled && !s->provider.forces &&
           is_still (s, s->state.v) &&
           memcmp (k->force, s->applied.force, sizeof (*k->force) * (size_t)k->bodies) == 0;
}

void rls_standing_repeat (const rls_standing *k, rls_island *s)
{
    rls_bounded *b = &s->begin.bounded, *end = &s->end.bounded;
    memcpy (s->next.pose, s->state.pose, sizeof (*s->next.pose) * (size_t)k->bodies);
    memset (s->next.v, 0, sizeof (*s->next.v) * (size_t)k->bodies);
    rls_bounded_share (end, b);
    if (s->valid.repeats != RLS_REPEATS_AGAIN) memcpy (end->J, b->J, sizeof (*b->J) * (size_t)b->rows);
    s->reactions.bounded_in_halves = 1;
    s->bounded_wrench = NULL;
    s->account.bounded_residual = k->residual, s->account.bounded_inexact = k->inexact;
    s->valid.stood = 1;
    rls_contact_history_repeat (s);
}

void rls_standing_keep (rls_standing *k, int stays, rls_island *s)
{
    const rls_bounded *b = &s->begin.bounded;
    const double *total = s->reactions.bounded_total;

    /* the impulses are only used again once a second step has found the same ones: before that they still
     * improve from step to step */
    const size_t impulses = sizeof (double) * (size_t)b->rows;
    k->settled = k->rows > 0 && k->rows == b->rows && memcmp (k->total, total, impulses) == 0;
    k->rows = 0;
    if (b->rows == 0 || b->parts.count > 0 || s->begin.rows.rows > 0) return;

    /* room is made whether it stands or not, so that steps at rest allocate nothing */
    k->bodies = s->model.bodies, k->rows = b->rows;
    const int done = RLS_LAY_OUT (k, &k->block, lay_out);
    if (!done || !stays || s->provider.forces || s->bounded_wrench || !is_still (s, s->state.v) ||
        !is_still (s, s->next.v))
    {
        k->rows = 0;
        return;
    }
    memcpy (k->force, s->applied.force, sizeof (*k->force) * (size_t)k->bodies);
    memcpy (k->total, total, impulses);
    k->residual = s->account.bounded_residual, k->inexact = s->account.bounded_inexact;
    s->valid.stood = 1;
}
