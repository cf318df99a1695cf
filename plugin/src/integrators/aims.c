/* What first halves ask of their rows, expected to go on as it did; contract in aims.h. */
#include "aims.h"
#include "bounded/bounded.h"
#include "tolerances.h"
#include <math.h>

static void lay_out (rls_aims *a, rls_arena_cursor *c)
{
    for (int i = 0; i < 2; ++i)
    {
        RLS_TAKE (c, a->equation[i], (size_t)a->rows);
        RLS_TAKE (c, a->bound[i], RLS_SMALL_ISLAND);
    }
    RLS_TAKE (c, a->key, RLS_SMALL_ISLAND);
}

static uint64_t key_of (const rls_bounded *b, int j, int r) { return b->key[j] + (uint64_t)(r - b->row0[j]); }

/* The last difference, and as much more as that is more than the one before. */
static double expect (const rls_aims *a, double *const difference[2], int r)
{
    return a->known > 1 ? 2 * difference[0][r] - difference[1][r] : difference[0][r];
}

void rls_aims_predict (const rls_aims *a, const rls_island *s, double h, double *equation, double *bound)
{
    const rls_bounded *b = &s->begin.bounded;
    if (a->known == 0 || a->rows != s->begin.rows.rows || !(a->largest > RLS_SEEN)) return;
    for (int r = 0; r < a->rows; ++r) equation[r] += h * expect (a, a->equation, r);
    for (int j = 0; j < b->joints; ++j)
        for (int r = b->row0[j]; r < b->row0[j + 1] && r < a->bounded; ++r)
            if (a->key[r] == key_of (b, j, r)) bound[r] += h * expect (a, a->bound, r);
}

/* Makes the last one that before it; the first is to be filled. */
static void turn (double *difference[2])
{
    double *const last = difference[0];
    difference[0] = difference[1], difference[1] = last;
}

/* Writes a difference down; returns it. */
static double note (rls_aims *a, double *difference, double beyond, double h)
{
    a->largest = fmax (a->largest, fabs (h * beyond));
    return *difference = beyond / h;
}

int rls_aims_keep (rls_aims *a, const rls_island *s, double h, const double *equation, const double *bound)
{
    const rls_bounded *b = &s->begin.bounded;
    if (a->rows != s->begin.rows.rows || !a->block.memory)
    {
        int done;
        a->known = a->bounded = 0, a->rows = s->begin.rows.rows;
        RLS_LAY_OUT (a, &a->block, lay_out, done);
        if (!done) a->rows = 0;
        if (!done) return 0;
    }

    /* equations, and bounded rows; those that were others have no difference before this one */
    turn (a->equation), turn (a->bound);
    a->largest = 0;
    for (int r = 0; r < a->rows; ++r) note (a, &a->equation[0][r], equation[r] - s->begin.rows.target[r], h);
    for (int j = 0; j < b->joints; ++j)
        for (int r = b->row0[j]; r < b->row0[j + 1]; ++r)
        {
            const int steady = b->bounce[r] == 0 && !rls_bounded_is_contact (b, j);
            const uint64_t key = key_of (b, j, r);
            const double now = note (a, &a->bound[0][r], steady ? bound[r] - s->end.bounded.target[r] : 0, h);
            if (r >= a->bounded || a->key[r] != key) a->bound[1][r] = now;
            a->key[r] = key;
        }
    a->bounded = b->rows;
    a->known = a->known < 2 ? a->known + 1 : 2;
    return 1;
}
