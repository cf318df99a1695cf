/* Islands that stand: keeping a step, and repeating it; contract in standing.h. */
#include "standing.h"
#include "bounded/contact_rows.h"

#define GIVEN 10 /* arrays that a step depends on */

typedef struct
{
    const void *of;
    size_t bytes;
} given_array;

static void lay_out (rls_standing *k, rls_arena_cursor *c)
{
    RLS_TAKE (c, k->given, k->size);
    RLS_TAKE_ALL (c, (size_t)k->rows, double, &k->p, &k->total);
}

/* Lists all that the step depends on, except its length. */
static void list_given (const rls_island *s, given_array all[GIVEN])
{
    const rls_bounded *b = &s->begin.bounded;
    const size_t bodies = (size_t)s->model.bodies, joints = (size_t)b->joints, rows = (size_t)b->rows;
    const given_array given[GIVEN] = {{s->state.pose, bodies * sizeof (*s->state.pose)},
                                      {s->applied.force, bodies * sizeof (*s->applied.force)},
                                      {b->body, joints * sizeof (*b->body)},
                                      {b->follow, rows * sizeof (int)},
                                      {b->J, rows * sizeof (*b->J)},
                                      {b->softness, rows * sizeof (double)},
                                      {b->target, rows * sizeof (double)},
                                      {b->lo, rows * sizeof (double)},
                                      {b->hi, rows * sizeof (double)},
                                      {b->row, rows * sizeof (*b->row)}};
    memcpy (all, given, sizeof (given));
}

/* ---- before a step ---- */

/* Returns 1 if all of that is the same as in the step that was kept, to the last bit. */
static int same_given (const rls_standing *k, const rls_island *s)
{
    given_array all[GIVEN];
    const char *then = k->given;
    int same = 1;
    list_given (s, all);
    for (int i = 0; i < GIVEN && same; then += all[i++].bytes)
        same = memcmp (then, all[i].of, all[i].bytes) == 0;
    return same;
}

static int is_still (const rls_island *s, const double (*v)[6])
{
    return rls_fastest (s->model.bodies, v) == 0;
}

int rls_standing_repeats (const rls_standing *k, rls_island *s, double h)
{
    rls_bounded *b = &s->begin.bounded, *end = &s->end.bounded;
    const size_t impulses = sizeof (double) * (size_t)b->rows;
    if (b->rows == 0 || b->parts.count > 0 || k->rows != b->rows || k->joints != b->joints ||
        k->bodies != s->model.bodies || !k->settled || k->h != h || s->begin.rows.rows > 0 ||
        s->provider.forces || !is_still (s, s->state.v) || !same_given (k, s))
        return 0;

    /* the same bodies, impulses and report */
    memcpy (s->next.pose, s->state.pose, sizeof (*s->next.pose) * (size_t)k->bodies);
    memset (s->next.v, 0, sizeof (*s->next.v) * (size_t)k->bodies);
    memcpy (b->p, k->p, impulses);
    rls_bounded_share (end, b);
    memcpy (end->J, b->J, sizeof (*b->J) * (size_t)b->rows);
    memcpy (s->reactions.bounded_total, k->total, impulses);
    s->reactions.bounded_in_halves = 1;
    s->bounded_wrench = NULL;
    s->account.bounded_residual = k->residual, s->account.bounded_inexact = k->inexact;
    s->valid.stood = 1;
    rls_contact_history_repeat (s);
    return 1;
}

/* ---- after a step ---- */

void rls_standing_keep (rls_standing *k, int stays, const rls_island *s, double h)
{
    const rls_bounded *b = &s->begin.bounded;
    const double *total = s->reactions.bounded_total;

    /* the impulses are only used again once a second step has found the same ones: before that they still
     * improve from step to step */
    const size_t impulses = sizeof (double) * (size_t)b->rows;
    const int settled = k->rows > 0 && k->rows == b->rows && memcmp (k->total, total, impulses) == 0;
    k->rows = 0;
    if (b->rows == 0 || s->begin.rows.rows > 0) return;

    /* room is made whether it stands or not, so that steps at rest allocate nothing */
    given_array all[GIVEN];
    list_given (s, all);
    k->bodies = s->model.bodies, k->joints = b->joints, k->rows = b->rows, k->size = 0;
    for (int i = 0; i < GIVEN; ++i) k->size += all[i].bytes;
    const int done = RLS_LAY_OUT (k, &k->block, lay_out);
    if (!done || !stays || s->provider.forces || s->bounded_wrench || !is_still (s, s->state.v) ||
        !is_still (s, s->next.v))
    {
        k->rows = 0;
        return;
    }

    /* what it depended on */
    char *to = k->given;
    k->h = h;
    for (int i = 0; i < GIVEN; to += all[i++].bytes) memcpy (to, all[i].of, all[i].bytes);

    /* its results */
    memcpy (k->p, b->p, impulses);
    memcpy (k->total, total, impulses);
    k->settled = settled;
    k->residual = s->account.bounded_residual, k->inexact = s->account.bounded_inexact;
}
