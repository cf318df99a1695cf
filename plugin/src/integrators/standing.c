/* Islands that stand; contract in standing.h. */
#include "standing.h"
#include "bounded/contact_rows.h"
#include <string.h>

#define PROPERTIES 13

static void lay_out (rls_standing *k, rls_arena_cursor *c)
{
    const size_t bodies = (size_t)k->bodies, joints = (size_t)k->joints, rows = (size_t)k->rows;
    RLS_TAKE (c, k->force, bodies);
    RLS_TAKE (c, k->pose, bodies);
    RLS_TAKE (c, k->body1, joints);
    RLS_TAKE (c, k->body2, joints);
    RLS_TAKE (c, k->follow, rows);
    RLS_TAKE (c, k->J, rows);
    RLS_TAKE (c, k->given, PROPERTIES * rows);
    RLS_TAKE (c, k->p, rows);
    RLS_TAKE (c, k->total, rows);
}

static const double *property (const rls_bounded *b, int i)
{
    const double *const all[PROPERTIES] = {b->softness, b->target, b->lo,   b->hi,     b->rest,
                                           b->push,     b->share,  b->gap,  b->bounce, b->stiffness,
                                           b->damping,  b->open,   b->start};
    return all[i];
}

/* ---- the step that begins ---- */

static int same (const void *a, const void *b, int count, size_t size)
{
    return memcmp (a, b, (size_t)count * size) == 0;
}

static int same_rows (const rls_standing *k, const rls_bounded *b)
{
    int all = same (k->J, b->J, b->rows, sizeof (*b->J)) &&
              same (k->follow, b->follow, b->rows, sizeof (int)) &&
              same (k->body1, b->body1, b->joints, sizeof (int)) &&
              same (k->body2, b->body2, b->joints, sizeof (int));
    for (int i = 0; i < PROPERTIES && all; ++i)
        all = same (k->given + (size_t)i * (size_t)b->rows, property (b, i), b->rows, sizeof (double));
    return all;
}

/* 1 where no body moves. */
static int is_still (const rls_island *s, const double (*v)[6])
{
    for (int b = 0; b < s->model.bodies; ++b)
        for (int k = 0; k < 6; ++k)
            if (v[b][k] != 0) return 0;
    return 1;
}

int rls_standing_repeats (const rls_standing *k, rls_island *s, double h)
{
    rls_bounded *b = &s->begin.bounded, *end = &s->end.bounded;
    const size_t impulses = sizeof (double) * (size_t)b->rows;
    if (b->rows == 0 || b->parts > 0 || k->rows != b->rows || k->joints != b->joints ||
        k->bodies != s->model.bodies || !k->settled || k->h != h || s->begin.rows.rows > 0 ||
        s->provider.forces || !same (k->pose, s->state.pose, k->bodies, sizeof (*k->pose)) ||
        !is_still (s, s->state.v) || !same (k->force, s->applied.force, k->bodies, sizeof (*k->force)) ||
        !same_rows (k, b))
        return 0;

    /* the same bodies, impulses and report */
    memcpy (s->next.pose, k->pose, sizeof (*k->pose) * (size_t)k->bodies);
    memset (s->next.v, 0, sizeof (*s->next.v) * (size_t)k->bodies);
    memcpy (b->p, k->p, impulses);
    rls_bounded_share (end, b);
    memcpy (end->J, b->J, sizeof (*b->J) * (size_t)b->rows);
    memcpy (s->reactions.bounded_total, k->total, impulses);
    s->reactions.bounded_in_halves = 1;
    s->bounded_wrench = NULL;
    s->account.bounded_residual = k->residual, s->account.bounded_inexact = k->inexact;
    rls_contact_history_repeat (s);
    return 1;
}

/* ---- the step that has been made ---- */

void rls_standing_keep (rls_standing *k, int stays, const rls_island *s, double h)
{
    const rls_bounded *b = &s->begin.bounded;
    const double *total = s->reactions.bounded_total;
    int done;

    /* from the second step on whose impulses are the same: until then they still balance better and better */
    const int settled = k->rows > 0 && k->rows == b->rows && same (k->total, total, k->rows, sizeof (*total));
    k->rows = 0;
    if (b->rows == 0 || s->begin.rows.rows > 0) return;

    /* room, whether it stands or not: nothing is allocated later */
    k->bodies = s->model.bodies, k->joints = b->joints, k->rows = b->rows;
    RLS_LAY_OUT (k, &k->block, lay_out, done);
    if (!done || !stays || s->provider.forces || s->bounded_wrench || !is_still (s, s->state.v) ||
        !is_still (s, s->next.v))
    {
        k->rows = 0;
        return;
    }

    /* what was given */
    k->h = h;
    memcpy (k->pose, s->state.pose, sizeof (*k->pose) * (size_t)k->bodies);
    memcpy (k->force, s->applied.force, sizeof (*k->force) * (size_t)k->bodies);
    memcpy (k->body1, b->body1, sizeof (int) * (size_t)k->joints);
    memcpy (k->body2, b->body2, sizeof (int) * (size_t)k->joints);
    memcpy (k->follow, b->follow, sizeof (int) * (size_t)k->rows);
    memcpy (k->J, b->J, sizeof (*k->J) * (size_t)k->rows);
    for (int i = 0; i < PROPERTIES; ++i)
        memcpy (k->given + (size_t)i * (size_t)k->rows, property (b, i), sizeof (double) * (size_t)k->rows);

    /* and found */
    memcpy (k->p, b->p, sizeof (double) * (size_t)k->rows);
    memcpy (k->total, total, sizeof (double) * (size_t)k->rows);
    k->settled = settled;
    k->residual = s->account.bounded_residual, k->inexact = s->account.bounded_inexact;
}
