/*
 * Many doubtful rows: those that the kept rows imply are found by one velocity, the others by pivoting.
 *
 * The bodies get a velocity that is random in the metric of the masses, v = M^-1/2 g.  Closing the kept rows
 * leaves v - M^-1 H' (H M^-1 H')^-1 H v.  The square of this velocity along another row h is, in the mean,
 * what the kept rows leave of that row: its pivot.  A row whose square is rounding is implied.  A row with
 * the relative pivot s is mistaken for such a row only if a normal number g has g^2 < RLS_IMPLIED / s.  All
 * other rows are pivoted (factor_border.c).  If they are very many, those along which the velocity is largest
 * come first, and then those that these do not imply. Pivots only shrink as rows are added, so rows that are
 * implied once stay so.
 */
#include "factor_parts.h"

#define TAKEN (RLS_REDUNDANT + 1) /* a doubtful row that has been pivoted */

/* v (bodies) := M^-1/2 g with random g, of about a normal distribution with mean 0 and variance 1: sums of
 * four uniform numbers, of variance 1 / 12 each. */
static void random_velocities (const rls_rows *rows, double (*v)[6])
{
    for (int b = 0; b < rows->bodies; ++b)
    {
        double root[10], g[6];
        memset (v[b], 0, sizeof (*v));
        if (!rows->movable[b]) continue;
        rls_factor_dense_root (rows, b, root);
        for (int k = 0; k < 6; ++k)
        {
            uint64_t x = rls_mixed ((6 * (uint64_t)b + (uint64_t)k + 1) * RLS_GOLDEN);
            double sum = 0;
            for (int part = 0; part < 4; ++part, x >>= 16) sum += (double)(x & 0xFFFF) / 0x10000 - 0.5;
            g[k] = sqrt (3.0) * sum;
        }
        for (int k = 0; k < 3; ++k) v[b][k] = root[0] * g[k];
        rls_multiply (root + 1, g + 3, v[b] + 3);
    }
}

/* square (rows) := the square of the random velocity along each row once the kept rows are closed, relative
 * to its diagonal. */
static void probe (rls_factor *f, const rls_rows *rows, double *square)
{
    random_velocities (rows, f->of_bodies);
    rls_enforce (f, rows, NULL, square, f->of_bodies);
    rls_rows_velocity (rows, f->of_bodies, square);
    for (int r = 0; r < rows->rows; ++r) square[r] = square[r] * square[r] / f->diagonal[r];
}

/* Makes those doubtful rows (RLS_BORDER in f->before) redundant that are implied.  Returns the number of
 * the others, -1 if a value is not finite. */
static int sort_out_implied (rls_factor *f, const rls_rows *rows, const double *square)
{
    int left = 0;
    for (int r = 0; r < rows->rows; ++r)
    {
        if (f->before[r] != RLS_BORDER) continue;
        if (!isfinite (square[r])) return -1;
        left += square[r] > RLS_IMPLIED;
        if (square[r] > RLS_IMPLIED) continue;
        f->before[r] = RLS_REDUNDANT;
        f->relative[r] = square[r];
    }
    return left;
}

rls_outcome rls_factor_sort_out (rls_factor *f, const rls_rows *rows, const rls_decision_rule *rule)
{
    double *square = f->of_rows;
    int taken = 0, left;
    if (rls_count_soft (rows, 0, rows->rows) > 0) return rls_factor_border (f, rows, rule);
    memcpy (f->before, f->decision, (size_t)rows->rows);
    for (;;)
    {
        /* what the rows kept so far do not imply */
        for (int r = 0; r < rows->rows; ++r)
            if (f->before[r] == RLS_BORDER) f->decision[r] = RLS_REDUNDANT;
        probe (f, rows, square);
        left = sort_out_implied (f, rows, square);
        if (left < 0) return RLS_FAILED;
        if (left == 0) return RLS_DONE;

        /* some more of them are taken, those with the largest squares, and all that have been taken are
         * pivoted again */
        const int all = left <= RLS_MOST_BORDERS || rule->precedence; /* a precedence needs all at once */
        int more = taken > 0 ? taken : RLS_MOST_BORDERS;
        if (all || more > left) more = left;
        for (int i = 0; i < more; ++i)
        {
            int best = -1;
            for (int r = 0; r < rows->rows; ++r)
                if (f->before[r] == RLS_BORDER && (best < 0 || square[r] > square[best])) best = r;
            f->before[best] = TAKEN;
        }
        for (int r = 0; r < rows->rows; ++r)
            if (f->before[r] == TAKEN) f->decision[r] = RLS_BORDER;
        f->borders = 0;
        taken += more;
        const rls_outcome done = rls_factor_border (f, rows, rule);
        if (done != RLS_DONE || more >= left) return done;
    }
}

int rls_factor_implies (rls_factor *f, const rls_rows *rows)
{
    double *square = f->of_rows;
    if (rls_count_soft (rows, 0, rows->rows) > 0) return 0; /* others never imply them */
    probe (f, rows, square);
    for (int r = 0; r < rows->rows; ++r)
    {
        if (f->decision[r] != RLS_REDUNDANT) continue;
        if (!(square[r] <= RLS_IMPLIED)) return 0;
        f->relative[r] = square[r];
    }
    return 1;
}
