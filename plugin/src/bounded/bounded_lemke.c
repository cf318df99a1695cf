/*
 * Bounded rows by complementary pivoting, for islands of few rows.
 *
 * The path (lemke.c) begins at the best impulses so far, which are nearly on the right sides after a
 * step like the last one; where that does not lead to an answer it begins at none.
 */
#include "bounded_work.h"
#include "kernels/lanes.h"

#define PIVOTS 4      /* for each row, */
#define FEW_PIVOTS 20 /* and so many more */
#define FEW_ROWS 12   /* those of a box, which are hardly cheaper in blocks */
#define SUMMED 10     /* times what is negligible of one impulse, of velocities that many make */
#define MOST_PASSES 2 /* from an answer on, with what the proximal term left of it */

/* What is added to the diagonal, softness included.  For drives, which cannot push without limit, it is a
 * share of their mobility with the joints closed: that of a light link alone is thousands of times as large,
 * and motors of a closed loop would miss their rates. */
static double proximal (const rls_lemke *q, const rls_bounded *b, int r)
{
    const int drives = b->follow[r] < 0 && b->lo[r] > -HUGE_VAL && b->hi[r] < HUGE_VAL;
    const double D = q->diagonal[r], closed = rls_clamp (2 * q->corner[r], RLS_UNSURE_PIVOT * D, D);
    return rls_larger (b->softness[r], RLS_PROXIMAL * (drives ? closed : D));
}

/* Up to four rows of a joint abreast, their first bodies' part and their second bodies'; zeros behind them.
 */
static void put_abreast (const rls_bounded *b, int first, int m, double J[2][6][RLS_LANES])
{
    memset (J, 0, sizeof (double) * 12 * RLS_LANES);
    for (int i = 0; i < m; ++i)
        for (int k = 0; k < 12; ++k) J[k / 6][k % 6][i] = b->J[first + i][k];
}

/* sum += the velocities along them where the body of one side moves with v. */
RLS_INLINE void look_along (double J[6][RLS_LANES], const double *v, rls_four *sum)
{
    rls_four x[6];
    for (int k = 0; k < 6; ++k) x[k] = RLS_CONST_FOUR (J[k]) * v[k];
    *sum += (x[0] + x[1] + x[2]) + (x[3] + x[4] + x[5]);
}

/* The first joint after j whose bodies are others. */
static int end_of_run (const rls_bounded *b, int j)
{
    int end = j + 1;
    while (end < b->joints && rls_same_bodies (b, end, j)) ++end;
    return end;
}

/* Which sides of the rows of joints i and j are of the same body.  Returns how many. */
static int find_common (const rls_bounded *b, int i, int j, int *look, int *push)
{
    const int *at = b->body[i], *from = b->body[j];
    int count = 0;
    for (int k = 0; k < 2; ++k)
        for (int l = 0; l < 2; ++l)
        {
            if (at[k] < 0 || at[k] != from[l]) continue;
            look[count] = k, push[count] = 6 * l;
            ++count;
        }
    return count;
}

/* A where joints have bodies in common.  Contacts of the same two bodies come one after the other, so their
 * rows are looked along together. */
RLS_WIDE static void form_common_bodies (const rls_bounded *b, double *A, int length)
{
    double J[2][6][RLS_LANES];
    int look[4], push[4];
    for (int i = 0, next = 0; i < b->joints; i = next)
    {
        next = end_of_run (b, i);
        for (int end = b->row0[next], first = b->row0[i]; first < end; first += RLS_LANES)
        {
            const int m = end - first < RLS_LANES ? end - first : RLS_LANES,
                      whole = first + RLS_LANES <= length;
            put_abreast (b, first, m, J);

            /* one by one along what the rows of such runs push */
            for (int j = 0, last = 0; j < b->joints; j = last)
            {
                last = end_of_run (b, j);
                const int count = find_common (b, i, j, look, push);
                for (int r = b->row0[j]; r < b->row0[last] && count > 0; ++r)
                {
                    double *to = A + (size_t)r * (size_t)length + first;
                    rls_four sum = {0};
                    for (int k = 0; k < count; ++k) look_along (J[look[k]], b->Y[r] + push[k], &sum);
                    if (whole)
                        RLS_FOUR (to) = sum; /* zeros behind them: later rows overwrite these */
                    else
                        for (int k = 0; k < m; ++k) to[k] = sum[k];
                }
            }
        }
    }
}

/* What closing the joints takes off A, by half solves. */
static void subtract_joints (const rls_island *island, struct rls_bounded_work *work)
{
    const rls_bounded *b = &island->begin.bounded;
    const rls_factor *f = &island->begin.factor;
    rls_lemke *q = &work->path;
    double *const weighed = rls_closed_half (island, work, RLS_HALF_WEIGHED), *x = work->bilateral_scratch;

    /* each row with itself and those before it */
    memset (x, 0, sizeof (double) * (size_t)island->begin.rows.rows);
    RLS_FOR_ROWS (b, j, r)
    {
        double *column = q->A + (size_t)r * (size_t)q->length, *half = rls_closed_half (island, work, r);
        q->zeros[r] = rls_factor_half (f, &island->begin.rows, b->body[j], b->Y[r], x, half);
        rls_factor_weigh_half (f, q->zeros[r], half, weighed);
        for (int i = 0; i <= r; ++i)
        {
            const size_t zeros = q->zeros[i] > q->zeros[r] ? q->zeros[i] : q->zeros[r];
            column[i] -= rls_factor_half_product (f, zeros, weighed, rls_closed_half (island, work, i));
            q->A[(size_t)i * (size_t)q->length + (size_t)r] = column[i];
        }
    }
}

/* In trees, and where rows are of many bodies, a column is their motion by a unit impulse with the joints
 * closed. */
static void form_columns (const rls_island *island, struct rls_bounded_work *work)
{
    const rls_bounded *b = &island->begin.bounded;
    RLS_FOR_ROWS (b, j, r)
    {
        rls_bounded_closed_push (island, j, r, work->bilateral_scratch, work->trial);
        rls_bounded_velocities (work, b, (const double (*)[6])work->trial,
                                work->path.A + (size_t)r * (size_t)work->path.length);
    }
}

void rls_lemke_form (const rls_island *island, struct rls_bounded_work *work)
{
    const rls_bounded *b = &island->begin.bounded;
    const rls_rows *rows = &island->begin.rows;
    rls_lemke *q = &work->path;
    const int halves = rls_closed_by_halves (island), free = rows->rows == 0 && b->parts.count == 0;
    memset (q->A, 0, sizeof (double) * (size_t)q->rows * (size_t)q->length);
    if (halves || free)
        form_common_bodies (b, q->A, q->length);
    else
        form_columns (island, work);
    if (halves) subtract_joints (island, work);
    for (int r = 0; r < b->rows; ++r) q->corner[r] = q->A[(size_t)r * (size_t)q->length + (size_t)r];
    work->formed = 1, work->blocks.count = 0;
}

/* Finds v and the joints' impulses that go with b->p.  Returns the residual. */
static rls_bounded_residual complete (rls_island *island, double (*v)[6])
{
    struct rls_bounded_work *w = island->bounded_work;
    const rls_bounded *b = &island->begin.bounded;
    if (rls_closed_by_halves (island))
        rls_closed_complete (island, v);
    else
        rls_bounded_complete (island, w, b->p, island->reactions.p, v);
    return rls_bounded_measure (b, w->diagonal, b->p, (const double (*)[6])v);
}

/* path->w := velocities of the impulses path->p, what is wanted taken off, from those of path->origin. */
static void find_velocities (rls_lemke *q, const rls_bounded *b)
{
    int count = 0;
    for (int r = 0; r < q->rows; ++r)
    {
        q->pushing[count] = r, q->factor[count] = q->p[r] - q->origin[r];
        count += q->factor[count] != 0;
    }
    rls_combine_columns (q->A, q->length, q->rows, count, q->pushing, q->factor, q->w);
    for (int r = 0; r < q->rows; ++r)
        q->w[r] += q->origin_w[r] - (q->p[r] - q->origin[r]) * (proximal (q, b, r) - b->softness[r]);
}

/* The natural map at path->p and path->w (m/s). */
static double find_residual (const rls_lemke *q, const rls_bounded *b)
{
    double worst = 0;
    for (int r = 0; r < q->rows; ++r)
    {
        const double D = q->diagonal[r];
        double lo, hi;
        if (!(D > 0)) continue;
        rls_row_bounds (b, q->p, r, &lo, &hi);
        worst = rls_larger (worst, fabs (D * q->p[r] - rls_clamp (D * q->p[r] - q->w[r], D * lo, D * hi)));
    }
    return worst;
}

/* What is asked of a path: velocities (m/s), of which cold is the residual without impulses. */
typedef struct
{
    double cold, tolerance;
    double enough; /* below what rounding leaves of the rows there is nothing to find: what stands would get
                      other last bits in each step */
    int pulls;     /* 1: contacts may share loads in many ways, of which the smallest ones are chosen */
} demand;

/* From path->p, within the bounds, to an answer, again from there on with what the proximal term left of it.
 * Returns its residual; *final: 1 where passes find the same answer again, so that what is left of it are
 * contradictions among the rows. */
static double pivot (rls_lemke *q, const rls_bounded *b, const demand *asked, double room, double farthest,
                     int *final)
{
    *final = 0, q->inverse.products = 0;
    find_velocities (q, b);
    double residual = find_residual (q, b);
    for (int pass = -asked->pulls; pass < MOST_PASSES && residual > asked->enough; ++pass)
    {
        const double before = residual;

        /* The impulses of contacts and stops are pulled towards none, by the proximal term.  How wheels and
         * casters share the load of a robot does not follow for rigid bodies, and a wheel without load turns
         * in the air: so of many answers the path shall lead to the one with the smallest impulses, and not
         * to the nearest. */
        for (int r = 0; r < q->rows && pass < 0; ++r)
            if (rls_bounded_is_one_sided (b, r)) q->w[r] += q->p[r] * (proximal (q, b, r) - b->softness[r]);

        /* a path from there; where it leads nowhere, to what is no better, the impulses stay as they are */
        memcpy (q->last, q->p, sizeof (double) * (size_t)q->rows);
        rls_lemke_begin (q, b, (pass > -asked->pulls ? RLS_PATH_ROOM : room) * asked->cold);
        const int there =
            rls_lemke_follow (q, b, PIVOTS * b->rows + FEW_PIVOTS, pass > -asked->pulls ? 1 : farthest);
        rls_bounded_clamp (b, q->p);
        find_velocities (q, b);
        residual = find_residual (q, b);
        *final = there && pass > 0;
        if (there && (pass <= 0 || residual <= RLS_SLOW * before)) continue;
        if (residual < before) break;
        memcpy (q->p, q->last, sizeof (double) * (size_t)q->rows);
        return before;
    }
    return residual;
}

/* The impulses of a path whose rows have nothing to do with others.  Returns 1 where what is left of them are
 * contradictions among the rows. */
static int solve_rows (rls_lemke *q, const rls_bounded *b, const demand *asked)
{
    int final;
    for (int r = 0; r < b->rows; ++r)
    {
        double *corner = q->A + (size_t)r * (size_t)q->length + (size_t)r;
        const double last = *corner;
        *corner = q->corner[r] + proximal (q, b, r);
        q->follows &= *corner == last;
    }
    const double contradiction = RLS_DEPENDS * asked->cold,
                 left = pivot (q, b, asked, RLS_PATH_ROOM, 1, &final);
    if (left > (final ? fmax (asked->tolerance, contradiction) : asked->tolerance))
    {
        /* from no impulses: contacts and stops are then at a bound, motors are not.  With those at a bound,
         * too, a robot would begin at hundreds of rad/s, and such paths lead nowhere */
        memcpy (q->p, q->origin, sizeof (double) * (size_t)q->rows);
        pivot (q, b, asked, 2, RLS_FARTHEST, &final);
    }
    return final;
}

void rls_lemke_solve (rls_island *island, struct rls_bounded_work *work, double (*v)[6])
{
    rls_bounded *b = &island->begin.bounded;
    rls_lemke *q = &work->path;
    rls_lemke_blocks *blocks = &work->blocks;
    int *answered = &island->bounded_kept->answered;
    const demand asked = {work->cold, work->tolerance,
                          fmax (RLS_LAST_DIGITS * work->tolerance, SUMMED * RLS_ROUNDING * work->cold),
                          (!work->formed || island->begin.rows.rows > 0) && b->key &&
                              rls_bounded_has_contacts (b)};

    /* Where bodies without joints stand, or slide as before, the impulses of the last step are the answer.
     * What they leave grows from step to step until it is more than the rounding of the rows.  The impulses
     * that take it away do so again in the next step, so that step solves its problems too. */
    if (!work->formed && island->begin.rows.rows == 0)
    {
        const rls_bounded_residual start = complete (island, v);
        *answered = start.velocity <= fmax (asked.enough, *answered ? SUMMED * work->rounding : 0);
        if (*answered)
        {
            rls_bounded_offer (work, b->p, &start);
            return;
        }
    }

    if (!work->formed) rls_lemke_form (island, work);
    if (blocks->count == 0 && b->rows > FEW_ROWS) rls_lemke_find_blocks (blocks, q, b);
    if (b->rows <= FEW_ROWS) blocks->count = 1;
    q->diagonal = work->diagonal;
    for (int r = 0; r < b->rows; ++r) q->origin_w[r] += b->softness[r] * q->origin[r] - b->target[r];
    memcpy (q->p, b->p, sizeof (double) * (size_t)b->rows);

    /* all rows at once, or block by block */
    int final = blocks->count == 1 && solve_rows (q, b, &asked);
    for (int k = 0; k < blocks->count && blocks->count > 1; ++k)
    {
        rls_bounded own;
        rls_lemke *path = rls_lemke_load (blocks, k, q, b, &own);
        final |= solve_rows (path, &own, &asked);
        rls_lemke_unload (blocks, k, q);
    }
    memcpy (b->p, q->p, sizeof (double) * (size_t)b->rows);
    const rls_bounded_residual now = complete (island, v);

    /* what leaves more than RLS_PATH_ROOM of the residual without impulses needs impulses beyond all measure
     */
    if (now.velocity <= fmax (work->tolerance, RLS_PATH_ROOM * work->cold))
        rls_bounded_offer (work, b->p, &now);
    const double contradiction = RLS_DEPENDS * work->cold;
    if (final && work->best.velocity <= contradiction)
        work->tolerance = fmax (work->tolerance, work->best.velocity);
}
