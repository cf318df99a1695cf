/*
 * Bilateral and bounded rows together, by the sides of the bounded ones: the solver for what is nearly known.
 *
 * A row is on one of three sides: at its low bound, at its high one, or free between them.  Given sides make
 * the problem linear.  It is solved in body space (body_space.h) with a proximal term on the impulses,
 * centred at those that it begins with, so that of the many answers of redundant contacts the nearest one
 * comes out; rows that it sends beyond a bound or back change sides, and it is solved again.  This is
 * Newton's method for the augmented Lagrangian (the proximal method of multipliers: Rockafellar, Augmented
 * Lagrangians and applications of the proximal point algorithm in convex programming, 1976; in contact, Alart
 * & Curnier, A mixed formulation for frictional contact problems prone to Newton like solution methods,
 * 1991).  Where the sides are right that is one factorisation and one solve or two; where a few hundred of
 * ten thousand are wrong it is three to five.  Where most are wrong it leads nowhere, which it notices.
 *
 * Which answer that is can be asked for: the first centre is then no impulse for contacts and stops, so that
 * of the many answers one with small impulses comes out, whatever the last step had.
 *
 * While rows change sides the centre stays, so that what redundant rows share is decided once; when none
 * does, the centre moves to the answer.  What the proximal term leaves of a residual shrinks with each move
 * by what it is of the system's stiffness.
 *
 * With the centre x, its velocities v and w, a change dv of the velocities and R = max (softness, term D),
 *
 *     free rows        p = x - (w + J dv) / R
 *     rows at bounds   p = lo or hi;  of friction -mu or mu times the p of its normal
 *     all              M dv = J' (p - x) + H' dlambda,   bilateral rows as free ones
 *
 * which leaves  (M + sum over free rows G' J / R) dv = force,  G being J with the friction that slides added
 * to its normal's row.
 */
#include "bounded_work.h"

#define MOST_MOVES 12 /* of the centre */
#define PULLING 4     /* factorisations that the search for small impulses may take */

static void lay_out (rls_sides *s, rls_arena_cursor *c)
{
    const size_t rows = (size_t)s->rows, bilateral = (size_t)s->bilateral_rows;
    RLS_TAKE (c, rows, s->weight, s->coupling, s->centre, s->w, s->q, s->p, s->z, s->best, s->side, s->next,
              s->factored);
    RLS_TAKE (c, bilateral, s->h_centre, s->h_w, s->h_p, s->h_next, s->h_best);
    RLS_TAKE (c, (size_t)s->bodies, s->dv);
}

/* ---- the matrix ---- */

static double resistance (const rls_island *island, int r)
{
    const double term = island->bounded_kept->sides.term;
    return fmax (island->begin.bounded.softness[r], term * island->bounded_work->diagonal[r]);
}

/* Weights and couplings of the sides. */
static void weigh (const rls_island *island, rls_sides *s)
{
    const rls_bounded *b = &island->begin.bounded;
    for (int r = 0; r < s->rows; ++r)
    {
        const int n = b->follow[r], at_bound = s->side[r] == RLS_SIDE_LOW || s->side[r] == RLS_SIDE_HIGH;
        s->weight[r] = s->side[r] == RLS_SIDE_FREE ? 1 / resistance (island, r) : 0;
        const int slides = at_bound && n >= 0 && s->weight[n] > 0;
        s->coupling[r] = !slides ? 0 : s->side[r] == RLS_SIDE_HIGH ? b->hi[r] : -b->hi[r];
    }
}

/* Factors K of the present sides; what the sides do not change of it is formed once for the problem. */
static void factor (const rls_island *island, struct rls_bounded_work *work)
{
    rls_sides *s = &island->bounded_kept->sides;
    rls_body_space *space = &island->bounded_kept->space;
    rls_newton_start (island, work);
    weigh (island, s);
    rls_body_space_restore (space);
    for (int j = 0; j < island->begin.bounded.joints; ++j)
        rls_newton_add (space, &island->begin.bounded, j, s->weight, s->coupling);
    rls_body_space_factor (space);
    ++work->factorisations;
    s->factor = space->versions;
    s->factored_term = s->term;
    memcpy (s->factored, s->side, (size_t)s->rows);
}

static int is_factored (const struct rls_bounded_kept *kept)
{
    const rls_sides *s = &kept->sides;
    return s->factor > 0 && s->factor == kept->space.versions && s->factored_term == s->term &&
           !memcmp (s->factored, s->side, (size_t)s->rows);
}

/* ---- a step ---- */

/* The impulse of a row at its bound, if that is one of its own. */
static double bound (const rls_island *island, int r)
{
    const rls_bounded *b = &island->begin.bounded;
    const rls_sides *s = &island->bounded_kept->sides;
    const unsigned char side = s->side[r];
    if (side == RLS_SIDE_NONE && s->drives) return s->centre[r];
    if (side == RLS_SIDE_NONE || b->follow[r] >= 0)
        return b->follow[r] < 0 && !(island->bounded_work->diagonal[r] > 0) ? s->centre[r] : 0;
    return side == RLS_SIDE_HIGH ? b->hi[r] : b->lo[r];
}

/* Impulses x of friction that slides follow from those of its normal. */
static void let_friction_slide (const rls_bounded *b, const rls_sides *s, double *x)
{
    for (int r = 0; r < s->rows; ++r)
        if (s->coupling[r] != 0) x[r] = s->coupling[r] * x[b->follow[r]];
}

/* The impulse towards which the proximal term draws row r. */
static double drawn_to (const rls_bounded *b, const rls_sides *s, int r)
{
    return s->pulls && rls_bounded_is_one_sided (b, r) ? 0 : s->centre[r];
}

/* A step from the centre: impulses p and h_p, and z, the impulses that rows would have if they were free. */
static void find_step (const rls_island *island, struct rls_bounded_work *work)
{
    const rls_bounded *b = &island->begin.bounded;
    const rls_rows *rows = &island->begin.rows;
    rls_sides *s = &island->bounded_kept->sides;
    double *u = s->p;
    weigh (island, s);
    memset (s->dv, 0, sizeof (*s->dv) * (size_t)s->bodies);

    /* q: the impulses if velocities stayed as they are at the centre */
    for (int r = 0; r < s->rows; ++r)
        s->q[r] =
            s->side[r] == RLS_SIDE_FREE ? drawn_to (b, s, r) - s->weight[r] * s->w[r] : bound (island, r);
    let_friction_slide (b, s, s->q);
    for (int r = 0; r < s->rows; ++r) s->z[r] = s->q[r] - s->centre[r];
    for (int r = 0; r < s->bilateral_rows; ++r)
        s->h_next[r] = -work->interior.bilateral_weight[r] * s->h_w[r];
    rls_rows_force (&work->rows, s->z, s->dv);
    rls_rows_force (rows, s->h_next, s->dv);
    rls_body_space_solve (&island->bounded_kept->space, s->dv);

    /* and with the velocities that change: z is where the row would go if it were free */
    rls_rows_velocity (&work->rows, s->dv, u);
    for (int r = 0; r < s->rows; ++r)
    {
        s->z[r] = work->diagonal[r] > 0 ? drawn_to (b, s, r) - (s->w[r] + u[r]) / resistance (island, r)
                                        : s->centre[r];
        s->p[r] = s->side[r] == RLS_SIDE_FREE ? s->z[r] : s->q[r];
    }
    let_friction_slide (b, s, s->p);
    rls_rows_velocity (rows, s->dv, s->h_p);
    for (int r = 0; r < s->bilateral_rows; ++r)
        s->h_p[r] = s->h_centre[r] + s->h_next[r] - work->interior.bilateral_weight[r] * s->h_p[r];
}

/* ---- an iterate ---- */

/* v of the impulses p and h_p. */
static void move (const rls_island *island, const double *p, const double *h_p, double (*v)[6])
{
    memcpy (v, island->bounded_work->start, sizeof (*v) * (size_t)island->model.bodies);
    rls_bounded_push (&island->begin.bounded, 1, p, v);
    rls_rows_apply (&island->begin.rows, h_p, v);
}

/* w and h_w at v and the impulses p and h_p.  Returns the residual. */
static double look (const rls_island *island, const double *p, const double *h_p, const double (*v)[6],
                    double *w, double *h_w)
{
    const rls_bounded *b = &island->begin.bounded;
    const rls_rows *rows = &island->begin.rows;
    const struct rls_bounded_work *work = island->bounded_work;
    const rls_bounded_residual bounded = rls_bounded_measure (b, work->diagonal, p, v);
    double worst = island->bounded_kept->sides.drives ? bounded.drives : bounded.velocity;
    rls_rows_velocity (&work->rows, v, w);
    rls_rows_velocity (rows, v, h_w);
    for (int r = 0; r < b->rows; ++r) w[r] += b->softness[r] * p[r] - b->target[r];
    for (int r = 0; r < rows->rows; ++r)
    {
        h_w[r] += rows->sigma2[r] * h_p[r] - rows->target[r];
        const double off = work->interior.bilateral_weight[r] > 0 ? fabs (h_w[r]) : 0;
        if (!(off <= worst)) worst = off;
    }
    return worst;
}

/* ---- sides ---- */

/* The side on which an impulse is that wants to be z. */
static unsigned char side_at (double z, double lo, double hi)
{
    if (!(lo < hi)) return RLS_SIDE_LOW;
    return z > hi ? RLS_SIDE_HIGH : z < lo ? RLS_SIDE_LOW : RLS_SIDE_FREE; /* what just touches is free */
}

/* The sides of impulses that want to be z; p is scratch.  A row that would go from one bound to the other is
 * free first.  Returns how many are not where they were. */
static int choose (const rls_island *island, const double *z, double *p, const unsigned char *before,
                   unsigned char *side)
{
    const rls_bounded *b = &island->begin.bounded;
    const struct rls_bounded_work *work = island->bounded_work;
    int changes = 0;
    RLS_FOR_ROWS (b, j, r)
    {
        double lo, hi;
        rls_row_bounds (b, p, r, &lo, &hi); /* normals come before friction */
        p[r] = rls_clamp (z[r], lo, hi);
        const int keeps = island->bounded_kept->sides.drives && !rls_bounded_is_drive (b, j, r),
                  none = keeps || !(work->diagonal[r] > 0) || (b->follow[r] >= 0 && !(hi > 0));
        unsigned char to = none ? RLS_SIDE_NONE : side_at (z[r], lo, hi);
        const unsigned char from = before ? before[r] : to;
        if (lo < hi && (from == RLS_SIDE_LOW || from == RLS_SIDE_HIGH) && to != from && to != RLS_SIDE_NONE)
            to = RLS_SIDE_FREE;
        changes += to != from;
        side[r] = to;
    }
    return changes;
}

/* ---- the answer ---- */

/* Copies a number of each row, and one of each bilateral row. */
static void copy (const rls_sides *s, const double *x, const double *h_x, double *to, double *h_to)
{
    memcpy (to, x, sizeof (double) * (size_t)s->rows);
    memcpy (h_to, h_x, sizeof (double) * (size_t)s->bilateral_rows);
}

/* Keeps impulses that are the best so far. */
static void offer (rls_sides *s, const double *p, const double *h_p, double residual)
{
    if (!(residual < s->residual)) return;
    s->residual = residual;
    copy (s, p, h_p, s->best, s->h_best);
}

/* The residual (m/s) that is good enough after so many factorisations. */
static double limit (const rls_sides_demand *asked, int factorisations)
{
    double enough = factorisations > 0 ? asked->enough : 0;
    for (int i = 1; i < factorisations; ++i) enough *= asked->growth;
    return fmax (asked->tolerance, enough);
}

/* From the centre to the best that its neighbourhood has.  Returns the number of factorisations.  v:
 * scratch. */
static int iterate (const rls_island *island, const rls_sides_demand *asked, double (*v)[6])
{
    struct rls_bounded_work *work = island->bounded_work;
    rls_sides *s = &island->bounded_kept->sides;
    int factorisations = 0;
    for (int moves = 0; moves < MOST_MOVES && (s->pulls || s->residual > limit (asked, factorisations));)
    {
        /* one factor for the present sides, if one more is allowed */
        if (!is_factored (island->bounded_kept))
        {
            if (factorisations >= asked->factorisations) break;
            factor (island, work);
            s->pulls &= ++factorisations <= PULLING;
        }

        /* the answer for these sides, and which rows it puts on other ones; the centre's own w are needed
         * again unless it moves */
        find_step (island, work);
        const int changes = choose (island, s->z, s->q, s->side, s->next);
        move (island, s->p, s->h_p, v);
        const double now = look (island, s->p, s->h_p, v, s->q, s->h_next);
        if (!s->pulls) offer (s, s->p, s->h_p, now);
        if (!(now < HUGE_VAL)) break;

        /* sides that change are tried; if none does, the proximal term's centre moves to the answer, which is
         * the best where it is the one with small impulses */
        if (changes == 0)
        {
            if (s->pulls)
            {
                s->residual = HUGE_VAL;
                offer (s, s->p, s->h_p, now);
            }
            s->pulls = 0;
            ++moves;
            copy (s, s->p, s->h_p, s->centre, s->h_centre);
            copy (s, s->q, s->h_next, s->w, s->h_w);
        }
        memcpy (s->side, s->next, (size_t)s->rows);
    }
    return factorisations;
}

/* Room for the present rows, and what the sides do not change.  Returns 1, or 0 without memory. */
static int prepare (rls_island *island, struct rls_bounded_work *work)
{
    rls_sides *s = &island->bounded_kept->sides;
    const int rows = island->begin.bounded.rows, bilateral = island->begin.rows.rows,
              bodies = island->model.bodies,
              alike = s->rows == rows && s->bilateral_rows == bilateral && s->bodies == bodies;
    s->rows = rows, s->bilateral_rows = bilateral, s->bodies = bodies;
    const int done = RLS_LAY_OUT (s, &s->block, lay_out);
    if (!done || !rls_newton_begin (island, work)) return 0;
    if (!alike) s->factor = 0;
    return 1;
}

int rls_sides_solve (rls_island *island, const rls_sides_demand *asked, double (*v)[6], int *solved)
{
    struct rls_bounded_work *work = island->bounded_work;
    rls_bounded *b = &island->begin.bounded;
    rls_sides *s = &island->bounded_kept->sides;
    int factorisations = 0;
    if (!prepare (island, work)) return 0;

    /* from the present impulses */
    s->residual = HUGE_VAL;
    s->term = asked->term, s->drives = asked->drives, s->pulls = asked->pulls;
    copy (s, b->p, island->reactions.p, s->centre, s->h_centre);
    rls_bounded_clamp (b, s->centre);
    move (island, s->centre, s->h_centre, v);
    const double start = look (island, s->centre, s->h_centre, v, s->w, s->h_w);
    copy (s, s->centre, s->h_centre, s->best, s->h_best);
    offer (s, s->centre, s->h_centre, start);

    /* from the sides to which its velocities send the rows */
    for (int r = 0; r < s->rows; ++r)
        s->z[r] = s->centre[r] - (work->diagonal[r] > 0 ? s->w[r] / work->diagonal[r] : 0);
    choose (island, s->z, s->p, NULL, s->side);
    if (start < HUGE_VAL) factorisations = iterate (island, asked, v);

    /* the best ones */
    copy (s, s->best, s->h_best, b->p, island->reactions.p);
    rls_bounded_clamp (b, b->p);
    move (island, b->p, island->reactions.p, v);
    *solved = s->residual <= limit (asked, factorisations);
    return 1;
}
