/*
 * Projected Gauss-Seidel, and impulses of the bounded rows applied to velocities.
 *
 * A sweep sets the impulse of each row in turn to the one that makes its velocity right, within its bounds.
 * The joints are closed after each sweep, and the iterate continues along the conjugate direction of Fletcher
 * and Reeves, with the change by a sweep taken for the gradient (Silcowitz, Niebe & Erleben 2010, A nonsmooth
 * nonlinear conjugate gradient method for interactive contact force problems).
 */
#include "bounded_work.h"
#include "kernels/lanes.h"

#define SWEEPS 8 /* between two measurements of the residual */

/* x = the velocities of a joint's two bodies, in the order of a row's twelve entries; zero for the world. */
RLS_INLINE void get_bodies (const rls_bounded *b, int j, const double (*v)[6], rls_four x[3])
{
    static const double none[6] = {0};
    const int *body = b->body[j];
    const double *one = body[0] >= 0 ? v[body[0]] : none, *two = body[1] >= 0 ? v[body[1]] : none;
    x[0] = RLS_CONST_FOUR (one), x[2] = RLS_CONST_FOUR (two + 2);
    x[1] = RLS_SHUFFLE (RLS_CONST_FOUR (one + 2), RLS_CONST_FOUR (two), 2, 3, 4, 5);
}

/* Stores x as the velocities of the joint's bodies. */
RLS_INLINE void put_bodies (const rls_bounded *b, int j, const rls_four x[3], double (*v)[6])
{
    if (b->body[j][0] >= 0)
    {
        double *one = v[b->body[j][0]];
        RLS_FOUR (one) = x[0], one[4] = x[1][0], one[5] = x[1][1];
    }
    if (b->body[j][1] >= 0)
    {
        double *two = v[b->body[j][1]];
        RLS_FOUR (two + 2) = x[2], two[0] = x[1][2], two[1] = x[1][3];
    }
}

/* x += p Y, the change of velocities by an impulse p along a row. */
RLS_INLINE void push_along (const double *Y, double p, rls_four x[3])
{
    for (int i = 0; i < 3; ++i) x[i] += p * RLS_CONST_FOUR (Y + 4 * i);
}

/* w = the velocities along the m rows from r0 on; w has room for the next multiple of four. */
RLS_INLINE void velocities (const rls_bounded *b, int r0, const int m, const rls_four x[3], double *w)
{
    rls_four products[RLS_MOST_LOCAL + 2];
    for (int i = 0; i < m; ++i)
    {
        const double *J = b->J[r0 + i];
        products[i] =
            RLS_CONST_FOUR (J) * x[0] + RLS_CONST_FOUR (J + 4) * x[1] + RLS_CONST_FOUR (J + 8) * x[2];
    }
    for (int i = m; i % RLS_LANES; ++i) products[i] = (rls_four){0};
    for (int i = 0; i < m; i += RLS_LANES) rls_lane_sums (products + i, w + i);
}

RLS_VECTOR_CLONES void rls_bounded_push (const rls_bounded *b, double scale, const double *p, double (*v)[6])
{
    for (int j = 0; j < b->joints; ++j)
    {
        rls_four x[3];
        get_bodies (b, j, (const double (*)[6])v, x);
        for (int r = b->row0[j]; r < b->row0[j + 1]; ++r) push_along (b->Y[r], scale * p[r], x);
        put_bodies (b, j, x, v);
        if (b->parts.count > 0) rls_parts_add (&b->parts, b->parts.Y, b->row0[j], scale * p[b->row0[j]], v);
    }
}

/* Fills local: for each row 1 / D, and what a unit impulse along each earlier row of its joint changes its
 * velocity by. */
RLS_VECTOR_CLONES static void form_local (const rls_bounded *b, const double *diagonal, rls_local_row *local)
{
    for (int j = 0; j < b->joints; ++j)
        for (int r0 = b->row0[j], r = r0; r < b->row0[j + 1]; ++r)
        {
            local[r].inverse = diagonal[r] > 0 ? 1 / diagonal[r] : 0;
            for (int s = r0; s < r; ++s) local[r].before[s - r0] = rls_dot12 (b->J[r], b->Y[s]);
        }
}

/* Sweeps the m rows of joint j.  The velocities along all of them are found first and then follow the
 * impulses by way of local, which is faster than going through the bodies' velocities after each row. */
RLS_INLINE void sweep_joint (rls_bounded *b, const rls_local_row *local, int j, const int m, rls_four x[3])
{
    const int r0 = b->row0[j];
    double w[RLS_MOST_LOCAL + 2], change[RLS_MOST_LOCAL];
    velocities (b, r0, m, x, w);
    for (int i = 0; i < m; ++i)
    {
        const int r = r0 + i;
        double lo, hi;
        rls_row_bounds (b, b->p, r, &lo, &hi);
        w[i] += b->softness[r] * b->p[r] - b->target[r];
        for (int k = 0; k < i; ++k) w[i] += local[r].before[k] * change[k];
        const double p =
            local[r].inverse > 0 ? rls_clamp (b->p[r] - w[i] * local[r].inverse, lo, hi) : b->p[r];
        change[i] = p - b->p[r];
        b->p[r] = p;
    }
    for (int i = 0; i < m; ++i) push_along (b->Y[r0 + i], change[i], x);
}

/* One sweep over all rows: changes b->p and, by these impulses, v.  Friction that can have no impulse, as of
 * displacements, is left out. */
RLS_VECTOR_CLONES static void sweep (rls_bounded *b, const rls_local_row *local, double (*v)[6])
{
    rls_four x[3] = {{0}}; /* kept from one joint to the next between the same bodies */
    for (int j = 0; j < b->joints; ++j)
    {
        if (j == 0 || !rls_same_bodies (b, j - 1, j)) get_bodies (b, j, (const double (*)[6])v, x);
        const int r0 = b->row0[j];
        int m = b->row0[j + 1] - r0;
        while (m > 1 && b->lo[r0 + m - 1] == 0 && b->hi[r0 + m - 1] == 0) --m;
        if (m == 3) /* a normal and its two rows of friction, which is what most joints are */
            sweep_joint (b, local, j, 3, x);
        else
            sweep_joint (b, local, j, m, x);
        if (j + 1 == b->joints || !rls_same_bodies (b, j, j + 1)) put_bodies (b, j, x, v);
    }
}

/*
 * Continues an iterate x of n elements along the conjugate direction: a sweep has changed it from before to
 * x, and x += beta d.  d becomes the sum of both changes, before the new x.  beta = 0 begins a new direction.
 */
RLS_VECTOR_CLONES static void go_on (size_t n, double beta, double *restrict before, double *restrict d,
                                     double *restrict x)
{
    for (size_t i = 0; i < n && beta == 0; ++i) /* d may hold NaN, so it is not multiplied */
        d[i] = x[i] - before[i], before[i] = x[i];
    for (size_t i = 0; i < n && beta > 0; ++i)
    {
        const double swept = x[i] - before[i], more = beta * d[i];
        before[i] = x[i] += more;
        d[i] = swept + more;
    }
}

/* The square of the change p - before by a sweep, in the norm of D.  *off is its largest entry as a velocity,
 * D |p - before| (m/s); NaN where one is. */
RLS_VECTOR_CLONES static double square_of_sweep (int rows, const double *D, const double *before,
                                                 const double *p, double *off)
{
    rls_four sums = {0}, most = {0};
    double sum = 0;
    int r = 0;
    for (; r + RLS_LANES <= rows; r += RLS_LANES)
    {
        const rls_four change = RLS_CONST_FOUR (p + r) - RLS_CONST_FOUR (before + r);
        const rls_four size = RLS_SELECT (change < 0, -change, change), w = RLS_CONST_FOUR (D + r) * size;
        sums += w * size;
        most = RLS_SELECT (w <= most, most, w);
    }
    for (; r < rows; ++r)
    {
        const double size = fabs (p[r] - before[r]), w = D[r] * size;
        sum += w * size;
        if (!(w <= most[0])) most[0] = w;
    }
    *off = most[0];
    for (int k = 1; k < RLS_LANES; ++k)
        if (!(most[k] <= *off)) *off = most[k];
    return sum + RLS_LANE_SUM (sums);
}

/* Makes v satisfy the bilateral rows again.  tracked: their number if their impulses are followed, or 0. */
static void close_joints (rls_island *island, const struct rls_bounded_work *work, int tracked,
                          double (*v)[6])
{
    const rls_rows *rows = &island->begin.rows;
    if (tracked > 0)
        rls_bounded_bilateral (island, work->bilateral_scratch, island->reactions.p, v);
    else
        rls_enforce (&island->begin.factor, rows, rows->target, work->bilateral_scratch, v);
}

/* The squares of the changes by the last two sweeps, in the norm of D; 0 before there were any. */
typedef struct
{
    double now, before;
} rls_squares;

/* Continues all iterates along the conjugate direction of the sweeps so far, which have changed them by
 * square.  Before the first sweep only stores them. */
static void go_on_all (rls_island *island, const rls_sweeps *s, int tracked, const rls_squares *square,
                       double (*v)[6])
{
    const size_t rows = (size_t)island->begin.bounded.rows, bodies = (size_t)island->model.bodies;
    double *p = island->begin.bounded.p, *q = island->reactions.p;
    if (square->now == 0)
    {
        memcpy (s->p, p, sizeof (double) * rows);
        if (tracked > 0) memcpy (s->q, q, sizeof (double) * (size_t)tracked);
        memcpy (s->v, v, sizeof (*v) * bodies);
        return;
    }
    const double beta = square->now < square->before ? square->now / square->before : 0;
    go_on (rows, beta, s->p, s->dp, p);
    go_on ((size_t)tracked, beta, s->q, s->dq, q);
    go_on (6 * bodies, beta, s->v[0], s->dv[0], v[0]);
}

/* Eight sweeps, fewer if half of the tolerance is reached.  Directions are conjugate as long as
 * the changes by the sweeps become smaller, also from one call to the next.  Returns the residual. */
static rls_bounded_residual sweep_eight (rls_island *island, const struct rls_bounded_work *work,
                                         rls_squares *square, double (*v)[6])
{
    rls_bounded *b = &island->begin.bounded;
    const rls_sweeps *s = &work->sweeps;
    const rls_rows *rows = &island->begin.rows;

    /* if a bilateral row is soft, its velocity depends on its impulse, which the sweeps must follow then;
     * those of hard rows can be found from the answer */
    const int tracked = rls_count_soft (rows, 0, rows->rows) > 0 ? rows->rows : 0;
    rls_bounded_residual now = {.velocity = HUGE_VAL};
    const double enough = 0.5 * work->tolerance;
    double off = 0;
    for (int i = 1; i <= SWEEPS && !(now.velocity <= enough); ++i)
    {
        go_on_all (island, s, tracked, square, v);
        sweep (b, work->local, v);
        close_joints (island, work, tracked, v);
        square->before = square->now;
        square->now = square_of_sweep (b->rows, work->diagonal, s->p, b->p, &off);
        if (i == SWEEPS || off <= enough)
            now = rls_bounded_measure (b, work->diagonal, b->p, (const double (*)[6])v);
    }
    return now;
}

rls_bounded_residual rls_bounded_improve (rls_island *island, struct rls_bounded_work *work,
                                          rls_bounded_residual now, int most, double (*v)[6])
{
    rls_bounded *b = &island->begin.bounded;
    const int rounds = b->rows > RLS_SMALL_ISLAND ? most : 1;
    rls_squares square = {0, 0};

    /* sweeps close the joints afterwards, so their effective masses are those of free bodies */
    rls_bounded_form_diagonal (b, work->sweeps.p);
    form_local (b, work->sweeps.p, work->local);
    for (int left = rounds - 1; left >= 0; --left)
    {
        const double before = now.velocity;
        now = sweep_eight (island, work, &square, v);
        rls_bounded_offer (work, b->p, &now);

        /* what the remaining rounds promise if each reduces the residual as this one did */
        const double promised = now.velocity * pow (now.velocity / before, left);
        if (now.velocity <= work->tolerance || !(promised <= work->tolerance)) break;
    }
    if (work->multipliers && island->begin.rows.rows > 0) /* multipliers, which sweeps leave out */
        rls_bounded_complete (island, work, b->p, island->reactions.p, v);
    return now;
}
