/* Rows of contacts at the end of a step; contract in contact_rows.h. */
#include "contact_rows.h"
#include "bounded_work.h"
#include "tolerances.h"
#include <math.h>
#include <string.h>

#define LONGEST 2    /* times the last step: farther is a guess */

static void lay_out (rls_contact_history *past, rls_arena_cursor *c)
{
    const size_t joints = (size_t)past->joints, rows = (size_t)past->rows;
    RLS_TAKE (c, past->key, joints);
    RLS_TAKE (c, past->row0, joints + 1);
    RLS_TAKE (c, past->arm, joints);
    RLS_TAKE (c, past->J, rows);
}

static int keep (rls_contact_history *past, const rls_island *s, double begin)
{
    const rls_bounded *b = &s->begin.bounded;
    int done;
    past->joints = b->joints, past->rows = b->rows;
    RLS_LAY_OUT (past, &past->block, lay_out, done);
    if (!done)
    {
        past->joints = past->rows = 0;
        return 0;
    }
    past->time = begin, past->length_scale = s->model.length_scale;
    memcpy (past->key, b->key, sizeof (*b->key) * (size_t)b->joints);
    memcpy (past->row0, b->row0, sizeof (*b->row0) * (size_t)(b->joints + 1));
    memcpy (past->arm, b->arm, sizeof (*b->arm) * (size_t)b->joints);
    memcpy (past->J, b->J, sizeof (*b->J) * (size_t)b->rows);
    return 1;
}

static double distance (const double a[3], const double b[3])
{
    return hypot (hypot (a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
}

static int same_direction (const double *row, const double *before)
{
    const int part =
        row[0] * row[0] + row[1] * row[1] + row[2] * row[2] > 0 ? 0 : 3; /* rolling friction turns */
    double both = 0, one = 0, other = 0;
    for (int k = part; k < part + 3; ++k)
        both += row[k] * before[k], one += row[k] * row[k], other += before[k] * before[k];
    return both > RLS_TURNED_LITTLE * sqrt (one * other);
}

/* Which contact of the last step contact j was, or -1: the nearest one of the same bodies. */
static int find (const rls_contact_history *past, const rls_bounded *b, int j)
{
    const double zero[3] = {0};
    double nearest = RLS_SAME_POINT * distance (b->arm[j], zero);
    int found = -1;
    for (int i = 0; i < past->joints; ++i)
    {
        if (past->key[i] != b->key[j]) continue;
        const double away = distance (past->arm[i], b->arm[j]);
        if (away <= nearest) nearest = away, found = i;
    }
    if (found < 0 || past->row0[found + 1] - past->row0[found] != b->row0[j + 1] - b->row0[j]) return -1;
    for (int k = 0; k < b->row0[j + 1] - b->row0[j]; ++k)
        if (!same_direction (b->J[b->row0[j] + k], past->J[past->row0[found] + k])) return -1;
    return found;
}

/* 1 where all contacts have rows at the end that their pasts tell. */
static int extrapolate_all (const rls_contact_history *past, const rls_bounded *b, double ratio,
                            rls_bounded *end)
{
    for (int j = 0; j < b->joints; ++j)
    {
        if (!rls_bounded_is_contact (b, j)) continue;
        const int was = find (past, b, j);
        if (was < 0) return 0;
        for (int r = b->row0[j], old = past->row0[was]; r < b->row0[j + 1]; ++r, ++old)
            for (int k = 0; k < 12; ++k) end->J[r][k] = b->J[r][k] + ratio * (b->J[r][k] - past->J[old][k]);
    }
    return 1;
}

int rls_contact_rows_at_end (rls_island *s, double h, int extrapolate)
{
    struct rls_bounded_work *w = rls_bounded_work_of (s);
    if (!w) return 0;
    const rls_bounded *b = &s->begin.bounded;
    rls_contact_history *past = &w->past;
    if (b->rows > RLS_SMALL_ISLAND) past->joints = 0;
    const double begin = s->provider.time - h, ratio = h / (begin - past->time);
    const int known =
        past->joints > 0 && past->length_scale == s->model.length_scale && ratio > 0 && ratio < LONGEST;
    if (!extrapolate || !known || !extrapolate_all (past, b, ratio, &s->end.bounded))
        for (int j = 0; j < b->joints; ++j)
            for (int r = b->row0[j]; r < b->row0[j + 1] && rls_bounded_is_contact (b, j); ++r)
                memcpy (s->end.bounded.J[r], b->J[r], sizeof (b->J[r]));
    return b->rows > RLS_SMALL_ISLAND || keep (past, s, begin);
}

void rls_contact_history_repeat (rls_island *s)
{
    if (s->bounded_work) s->bounded_work->past.time = s->provider.time;
}
