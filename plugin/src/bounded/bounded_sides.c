/*
 * Rows by their sides: which side a row is on, and how the answer is come to.
 *
 * Impulses are held near those of a centre.  While rows change sides the centre stays, so that what redundant
 * rows share is decided once; when none does, the centre moves to the answer.  What the proximal term leaves
 * of a residual shrinks with each move by what it is of the system's stiffness, and where that is slow the
 * term is made smaller.
 */
#include "bounded_work.h"
#include "tolerances.h"
#include <math.h>
#include <string.h>

#define MOST_MOVES 12 /* of the centre */

static void lay_out (rls_sides *s, rls_arena_cursor *c)
{
    const size_t rows = (size_t)s->rows, bilateral = (size_t)s->bilateral_rows, bodies = (size_t)s->bodies;
    double **of_rows[] = {&s->diagonal, &s->weight, &s->coupling, &s->centre, &s->w,
                          &s->q,        &s->p,      &s->z,        &s->best};
    double **of_bilateral[] = {&s->h_weight, &s->h_centre, &s->h_w, &s->h_p, &s->h_next, &s->h_best};
    for (size_t i = 0; i < sizeof (of_rows) / sizeof (*of_rows); ++i) RLS_TAKE (c, *of_rows[i], rows);
    for (size_t i = 0; i < sizeof (of_bilateral) / sizeof (*of_bilateral); ++i)
        RLS_TAKE (c, *of_bilateral[i], bilateral);
    RLS_TAKE (c, s->free_v, bodies);
    RLS_TAKE (c, s->dv, bodies);
    RLS_TAKE (c, s->side, rows);
    RLS_TAKE (c, s->next, rows);
    RLS_TAKE (c, s->factored, rows);
}

/* ---- the problem ---- */

static void share (rls_rows *view, const rls_bounded *b, rls_row *J)
{
    *view = (rls_rows){
        .joints = b->joints, .rows = b->rows, .body1 = b->body1, .body2 = b->body2, .row0 = b->row0, .J = J};
}

/* What the sides do not change.  1 done, 0 no memory. */
static int prepare (rls_island *island, const rls_sides_problem *problem, const rls_sides_answer *answer)
{
    struct rls_bounded_work *work = rls_bounded_work_of (island);
    const rls_bounded *b = problem->bounded;
    if (!work) return 0;
    rls_sides *s = &work->sides;
    const int alike =
        s->rows == b->rows && s->bilateral_rows == problem->rows->rows && s->bodies == island->model.bodies;
    s->rows = b->rows, s->bilateral_rows = problem->rows->rows, s->bodies = island->model.bodies;
    int done;
    RLS_LAY_OUT (s, &s->block, lay_out, done);
    if (!done || !rls_body_space_analyse (&work->space, island)) return 0;
    if (!alike) s->factor = 0;
    s->based = s->fresh = 0;
    s->problem = *problem;
    s->act = *b;
    s->look = *b;
    if (problem->bounded_look) s->look.J = (rls_row *)problem->bounded_look;
    share (&s->act_rows, b, s->act.J);
    share (&s->look_rows, b, s->look.J);
    s->h_look = problem->rows_look ? problem->rows_look : problem->rows;
    memcpy (s->free_v, answer->v, sizeof (*s->free_v) * (size_t)s->bodies);
    rls_sides_weigh_bilateral (work);
    return 1;
}

/* ---- an iterate ---- */

/* v of the impulses p and h_p. */
static void move (const rls_sides *s, const double *p, const double *h_p, double (*v)[6])
{
    memcpy (v, s->free_v, sizeof (*v) * (size_t)s->bodies);
    rls_bounded_push (&s->act, 1, p, v);
    rls_rows_apply (s->problem.rows, h_p, v);
}

/* w and h_w at v and the impulses p and h_p.  Returns the residual. */
static double look (rls_sides *s, const double *p, const double *h_p, const double (*v)[6])
{
    const rls_rows *rows = s->problem.rows;
    rls_bounded_residual now = rls_bounded_measure (&s->look, s->diagonal, p, v);
    rls_rows_velocity (&s->look_rows, v, s->w);
    rls_rows_velocity (s->h_look, v, s->h_w);
    for (int r = 0; r < s->rows; ++r) s->w[r] += s->act.softness[r] * p[r] - s->act.target[r];
    for (int r = 0; r < s->bilateral_rows; ++r)
    {
        s->h_w[r] += rows->sigma2[r] * h_p[r] - rows->target[r];
        const double off = s->h_weight[r] > 0 ? fabs (s->h_w[r]) : 0;
        if (!(off <= now.velocity)) now.velocity = off;
    }
    return now.velocity;
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
static int choose (const rls_sides *s, const double *z, double *p, const unsigned char *before,
                   unsigned char *side)
{
    const rls_bounded *b = &s->act;
    int changes = 0;
    for (int r = 0; r < s->rows; ++r)
    {
        double lo, hi;
        rls_row_bounds (b, p, r, &lo, &hi); /* normals come before friction */
        p[r] = rls_clamp (z[r], lo, hi);
        const int none = !(s->diagonal[r] > 0) || (b->follow[r] >= 0 && !(hi > 0));
        unsigned char to = none ? RLS_SIDE_NONE : side_at (z[r], lo, hi);
        const unsigned char from = before ? before[r] : to;
        if (lo < hi && (from == RLS_SIDE_LOW || from == RLS_SIDE_HIGH) && to != from && to != RLS_SIDE_NONE)
            to = RLS_SIDE_FREE;
        changes += to != from;
        side[r] = to;
    }
    return changes;
}

/* Where the impulses of the centre and its velocities send the rows. */
static void choose_by_residual (rls_sides *s)
{
    for (int r = 0; r < s->rows; ++r)
        s->z[r] = s->diagonal[r] > 0 ? s->centre[r] - s->w[r] / s->diagonal[r] : s->centre[r];
    choose (s, s->z, s->p, NULL, s->side);
}

/* ---- the answer ---- */

static void offer (rls_sides *s, const double *p, const double *h_p, double residual,
                   rls_sides_answer *answer)
{
    if (!(residual < answer->residual)) return;
    answer->residual = residual;
    memcpy (s->best, p, sizeof (double) * (size_t)s->rows);
    memcpy (s->h_best, h_p, sizeof (double) * (size_t)s->bilateral_rows);
    memcpy (answer->side, s->side, (size_t)s->rows);
}

/* The centre is where p and h_p are; w and h_w are theirs. */
static void move_centre (rls_sides *s, const double *p, const double *h_p)
{
    memcpy (s->centre, p, sizeof (double) * (size_t)s->rows);
    memcpy (s->h_centre, h_p, sizeof (double) * (size_t)s->bilateral_rows);
}

static int is_factored (const struct rls_bounded_work *work)
{
    const rls_sides *s = &work->sides;
    return s->factor > 0 && s->factor == work->space.versions && s->factored_term == s->term &&
           !memcmp (s->factored, s->side, (size_t)s->rows);
}

static double limit (const rls_sides_problem *problem, const rls_sides_answer *answer)
{
    double enough = answer->factorisations > 0 ? problem->enough : 0;
    for (int i = 1; i < answer->factorisations; ++i) enough *= problem->growth;
    return fmax (problem->tolerance, enough);
}

/* From the centre to the best that its neighbourhood has. */
static void iterate (const rls_island *island, struct rls_bounded_work *work, rls_sides_answer *answer)
{
    rls_sides *s = &work->sides;
    const rls_sides_problem *problem = &s->problem;
    double before = answer->residual; /* at the centre */
    for (int moves = 0; moves < MOST_MOVES && answer->residual > limit (problem, answer);)
    {
        /* one factor for the present sides, if the problem allows one more */
        if (!is_factored (work))
        {
            if (answer->factorisations >= problem->factorisations) return;
            rls_sides_factor (island, work);
            ++answer->factorisations;
        }

        /* the answer for these sides, and which rows it puts on other ones */
        rls_sides_step (work);
        ++answer->solutions;
        const int changes = choose (s, s->z, s->q, s->side, s->next);
        move (s, s->p, s->h_p, answer->v);
        /* the centre's own w are needed again unless it moves */
        double *const w = s->w, *const h_w = s->h_w;
        s->w = s->q, s->h_w = s->h_next;
        const double now = look (s, s->p, s->h_p, (const double (*)[6])answer->v);
        s->w = w, s->h_w = h_w;
        offer (s, s->p, s->h_p, now, answer);

        /* the factor of the last step serves as long as it gains a digit at once */
        if (!s->fresh && !(changes == 0 && now <= RLS_SLOW * before)) /* not a number included */
        {
            s->factor = 0;
            continue;
        }
        if (!(now < HUGE_VAL)) return;

        /* sides that change are tried; if none does, the proximal term's centre moves to the answer */
        if (changes == 0)
        {
            if (now > RLS_SLOW * before) s->term = fmax (RLS_SMALLER_TERM * s->term, RLS_CLOSED);
            before = now;
            ++moves;
            move_centre (s, s->p, s->h_p);
            memcpy (s->w, s->q, sizeof (double) * (size_t)s->rows);
            memcpy (s->h_w, s->h_next, sizeof (double) * (size_t)s->bilateral_rows);
        }
        memcpy (s->side, s->next, (size_t)s->rows);
    }
}

int rls_sides_solve (rls_island *island, const rls_sides_problem *problem, rls_sides_answer *answer)
{
    if (!prepare (island, problem, answer)) return 0;
    struct rls_bounded_work *work = island->bounded_work;
    rls_sides *s = &work->sides;
    answer->factorisations = answer->solutions = 0;
    answer->residual = HUGE_VAL;
    s->term = problem->term;
    move_centre (s, answer->p, answer->lambda);
    rls_bounded_clamp (&s->act, s->centre);
    move (s, s->centre, s->h_centre, answer->v);
    const double start = look (s, s->centre, s->h_centre, (const double (*)[6])answer->v);
    memcpy (s->side, answer->side, (size_t)s->rows);
    if (!problem->start_sides) choose_by_residual (s);
    memcpy (s->best, s->centre, sizeof (double) * (size_t)s->rows);
    memcpy (s->h_best, s->h_centre, sizeof (double) * (size_t)s->bilateral_rows);
    offer (s, s->centre, s->h_centre, start, answer);
    if (start < HUGE_VAL) iterate (island, work, answer);
    memcpy (answer->p, s->best, sizeof (double) * (size_t)s->rows);
    memcpy (answer->lambda, s->h_best, sizeof (double) * (size_t)s->bilateral_rows);
    rls_bounded_clamp (&s->act, answer->p);
    move (s, answer->p, answer->lambda, answer->v);
    answer->solved = answer->residual <= limit (problem, answer);
    return 1;
}
