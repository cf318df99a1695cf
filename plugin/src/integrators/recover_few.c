/*
 * The problem of recover.h for large islands in which few rows are too deep.
 *
 * Most rows of such an island are stops that are not reached, on joints that the displacement does not move.
 * The problem of the rows that are too deep is solved by itself.  Rows that the displacement would move
 * beyond their stop are added, and the problem is solved again, until there are none: then its solution is
 * that of the whole problem.
 */
#include "recover.h"
#include "bounded_halves.h"

#define MOST_ROUNDS 8 /* in which rows are added */

/* The rows of the small problem, each as a joint of its own with the friction that follows it: solvers look
 * for a row's normal in its joint. */
typedef struct
{
    int joints, count;
    int row[RLS_SMALL_ISLAND]; /* which they are in the whole problem */
    int body[RLS_SMALL_ISLAND][2], row0[RLS_SMALL_ISLAND + 1], follow[RLS_SMALL_ISLAND];
    double J[RLS_SMALL_ISLAND][12], Y[RLS_SMALL_ISLAND][12];
    double softness[RLS_SMALL_ISLAND], target[RLS_SMALL_ISLAND], lo[RLS_SMALL_ISLAND], hi[RLS_SMALL_ISLAND];
    double p[RLS_SMALL_ISLAND];
} few_rows;

/* Whether a row can push at all, and the sign with which its displacement opens it. */
static int takes_part (const rls_bounded *end, int r) { return end->lo[r] < end->hi[r]; }
static double side_of (const rls_bounded *end, int r) { return end->hi[r] == 0 ? -1 : 1; }

static int is_among (const few_rows *few, int r)
{
    for (int i = 0; i < few->count; ++i)
        if (few->row[i] == r) return 1;
    return 0;
}

/* Adds row r to the last joint of few; it follows row normal of few, or -1.  Returns 0 if there are too many.
 */
static int add_row (few_rows *few, const rls_bounded *b, const rls_bounded *end, int r, int normal)
{
    const int i = few->count;
    if (i == RLS_SMALL_ISLAND) return 0;
    few->row[i] = r, few->follow[i] = normal;
    memcpy (few->J[i], b->J[r], sizeof (few->J[i]));
    memcpy (few->Y[i], b->Y[r], sizeof (few->Y[i]));
    few->softness[i] = end->softness[r], few->target[i] = end->target[r];
    few->lo[i] = end->lo[r], few->hi[i] = end->hi[r];
    few->row0[few->joints] = ++few->count;
    return 1;
}

/* Adds row r of joint j, and friction that follows it.  Returns 0 if there are too many. */
static int add (few_rows *few, const rls_bounded *b, const rls_bounded *end, int j, int r)
{
    const int normal = few->count;
    if (normal == RLS_SMALL_ISLAND) return 0;
    memcpy (few->body[few->joints], b->body[j], sizeof (few->body[few->joints]));
    few->row0[few->joints++] = normal;
    int done = add_row (few, b, end, r, -1);
    for (int of = r + 1; of < b->row0[j + 1] && done; ++of)
        if (b->follow[of] == r && takes_part (end, of)) done = add_row (few, b, end, of, normal);
    return done;
}

/* Adds the rows that the displacement d moves beyond their stop.  Returns how many; -1 if there are too
 * many. */
static int add_reached (few_rows *few, const rls_bounded *b, const rls_bounded *end, const double (*d)[6],
                        double tolerance)
{
    int added = 0;
    RLS_FOR_ROWS (b, j, r)
    {
        if (!takes_part (end, r) || b->follow[r] >= 0 || is_among (few, r)) continue;
        const double left = side_of (end, r) * (rls_bounded_velocity (b, j, r, d) - end->target[r]);
        if (left >= -tolerance) continue;
        if (!add (few, b, end, j, r)) return -1;
        ++added;
    }
    return added;
}

rls_outcome rls_recover_by_few (rls_symplectic *w, rls_island *s, double tolerance)
{
    const rls_bounded *b = &s->begin.bounded;
    rls_bounded *end = &s->end.bounded;
    few_rows few = {.joints = 0, .count = 0};
    if (b->parts.count > 0) return RLS_ANOTHER_WAY;

    /* first the rows that are too deep, if these are not too many; solved again until no row has to be added
     */
    RLS_FOR_ROWS (b, j, r)
        if (takes_part (end, r) && b->follow[r] < 0 && side_of (end, r) * end->target[r] > 0 &&
            !add (&few, b, end, j, r))
            return RLS_ANOTHER_WAY;
    for (int round = 0; round < MOST_ROUNDS; ++round)
    {
        const rls_bounded problem = {.rows = few.count,
                                     .joints = few.joints,
                                     .body = few.body,
                                     .row0 = few.row0,
                                     .J = few.J,
                                     .Y = few.Y,
                                     .softness = few.softness,
                                     .target = few.target,
                                     .lo = few.lo,
                                     .hi = few.hi,
                                     .follow = few.follow,
                                     .p = few.p};
        memset (w->x, 0, sizeof (double) * (size_t)w->rows);
        memset (w->du, 0, sizeof (*w->du) * (size_t)s->model.bodies);
        const rls_bounded_settings asked = {.tolerance = tolerance};
        if (!rls_bounded_solve_apart (s, &problem, &asked, w->x, w->du)) return RLS_NO_MEMORY;
        const int added = add_reached (&few, b, end, w->du, tolerance);
        if (added < 0) break;
        if (added > 0) continue;

        /* all other rows have no impulse */
        memset (end->p, 0, sizeof (double) * (size_t)end->rows);
        for (int i = 0; i < few.count; ++i) end->p[few.row[i]] = few.p[i];
        return RLS_DONE;
    }
    return RLS_ANOTHER_WAY;
}
