/*
 * Bounded rows: the drive.
 *
 * Nothing to do if no row is violated without impulses.  Otherwise few rows are solved by complementary
 * pivoting from the impulses of the last step.  Many rows, and few where pivoting fails, begin with these
 * impulses, improved by Gauss-Seidel sweeps if they are far off; where they nearly hold, Newton's method on
 * the rows' sides follows, else the interior-point iteration.  The best iterate wins.
 */
#include "bounded_work.h"
#include "island/bounded_parts.h"
#include "tolerances.h"
#include <math.h>
#include <string.h>

/* Factorisations that a search by the rows' sides is worth.  Where that fails it is left out once, and twice
 * as often the next time, up to LONGEST_PAUSE. */
#define SETTLINGS 7
#define LONGEST_PAUSE 16

#define MOST_SWEEPS 12      /* times eight, of many rows, */
#define ROUGH_ITERATIONS 10 /* of a problem that may be answered roughly */
#define FEW 16              /* bodies, whose iterations cost next to nothing */

typedef struct
{
    struct rls_bounded_work *work;
    size_t bodies, joints, rows, bilateral;
} layout;

static void lay_out (layout *l, rls_arena_cursor *c)
{
    struct rls_bounded_work *w = l->work;
    rls_interior *in = &w->interior;
    double **of_rows[] = {&w->diagonal, &w->best_p,      &w->trial_p, &w->sweeps.p,  &w->sweeps.dp,
                          &in->scale,   &in->resistance, &in->weight, &in->coupling, &in->w,
                          &in->rhs,     &in->dp,         &in->dw};
    double **of_bilateral[] = {&w->bilateral_scratch, &w->bilateral_trial, &w->sweeps.q,    &w->sweeps.dq,
                               &in->bilateral_weight, &in->bilateral_w,    &in->bilateral_q};
    double (**of_bodies[])[6] = {&w->start, &w->trial, &w->sweeps.v, &w->sweeps.dv, &in->dv, &in->base};
    for (size_t i = 0; i < sizeof (of_rows) / sizeof (*of_rows); ++i) RLS_TAKE (c, *of_rows[i], l->rows);
    for (size_t i = 0; i < sizeof (of_bilateral) / sizeof (*of_bilateral); ++i)
        RLS_TAKE (c, *of_bilateral[i], l->bilateral);
    for (size_t i = 0; i < sizeof (of_bodies) / sizeof (*of_bodies); ++i)
        RLS_TAKE (c, *of_bodies[i], l->bodies);
    RLS_TAKE (c, w->local, l->rows);
    RLS_TAKE (c, in->kind, l->rows);
    RLS_TAKE (c, w->side, l->rows);
    RLS_TAKE (c, in->shape, l->joints);
    RLS_TAKE (c, in->bound, l->rows);
    RLS_TAKE (c, in->other, l->joints);
    const size_t groups = (l->joints + RLS_PADDED - 1) / RLS_PADDED; /* at most */
    RLS_TAKE (c, in->contact.row, l->joints);
    RLS_TAKE (c, in->contact.side, l->joints);
    RLS_TAKE (c, in->contact.run, l->joints);
    RLS_TAKE (c, in->contact.group, groups);
}

/* A block that has its pieces already keeps them.  1 done, 0 no memory. */
static int reserve (layout *l)
{
    const size_t shape[] = {l->bodies, l->joints, l->rows, l->bilateral};
    rls_arena *block = &l->work->block;
    int done;
    if (block->memory && memcmp (shape, l->work->shape, sizeof (shape)) == 0) return 1;
    RLS_LAY_OUT (l, block, lay_out, done);
    memset (l->work->shape, 0, sizeof (shape));
    if (done) memcpy (l->work->shape, shape, sizeof (shape));
    return done;
}

static void choose_bilateral_weights (const rls_island *island, rls_interior *in)
{
    const rls_rows *rows = &island->begin.rows;
    const rls_factor *f = &island->begin.factor;
    double *weight = in->bilateral_weight;
    rls_factor_diagonal (f, rows, weight);
    for (int r = 0; r < rows->rows; ++r)
        weight[r] = f->decision[r] == RLS_REDUNDANT || !(weight[r] > 0)
                        ? 0
                        : 1 / fmax (rows->sigma2[r], RLS_PROXIMAL * weight[r]);
}

/* A block of its own: it outlives the island's arrays. */
static struct rls_bounded_work *create (void)
{
    rls_arena block = {0};
    if (!rls_arena_reserve (&block, sizeof (struct rls_bounded_work))) return NULL;
    struct rls_bounded_work *work = block.memory;
    *work = (struct rls_bounded_work){.self = block};
    return work;
}

struct rls_bounded_work *rls_bounded_work_of (rls_island *island)
{
    if (!island->bounded_work) island->bounded_work = create ();
    return island->bounded_work;
}

/* No contact slides with it, and all that is said of friction's bounds holds for it, too. */
static void limit_friction (rls_bounded *b)
{
    for (int r = 0; r < b->rows; ++r)
    {
        if (b->follow[r] < 0 || !(b->hi[r] > RLS_MOST_FRICTION)) continue;
        b->hi[r] = RLS_MOST_FRICTION;
        b->lo[r] = -RLS_MOST_FRICTION;
    }
}

/* Room for the island's problem; NULL without memory. */
static struct rls_bounded_work *work_for (rls_island *island)
{
    const rls_bounded *b = &island->begin.bounded;
    struct rls_bounded_work *w = rls_bounded_work_of (island);
    layout l = {w, (size_t)island->model.bodies, (size_t)b->joints, (size_t)b->rows,
                (size_t)island->begin.rows.rows};
    return w && reserve (&l) ? w : NULL;
}

/* Everything that the step needs before its first iterate.  1 done, 0 no memory. */
static int prepare (rls_island *island, const rls_bounded_settings *settings, const double (*v)[6])
{
    rls_bounded *b = &island->begin.bounded;
    struct rls_bounded_work *w = work_for (island);
    if (!w) return 0;
    if (!settings->start && !rls_warm_group (&w->warm[w->turn], island)) return 0;
    w->rows = (rls_rows){.joints = b->joints,
                         .rows = b->rows,
                         .body1 = b->body1,
                         .body2 = b->body2,
                         .row0 = b->row0,
                         .J = b->J};
    w->factorisations = 0;
    w->multipliers = !settings->closed;
    memcpy (w->start, v, sizeof (*v) * (size_t)island->model.bodies);
    memset (island->reactions.p, 0, sizeof (double) * (size_t)island->begin.rows.rows);
    limit_friction (b);
    rls_bounded_form_diagonal (b, w->diagonal);
    return 1;
}

/* v and the bilateral impulses that belong to the bounded impulses, and their residual. */
static rls_bounded_residual complete (rls_island *island, double (*v)[6])
{
    const struct rls_bounded_work *w = island->bounded_work;
    rls_bounded_complete (island, w, island->begin.bounded.p, island->reactions.p, v);
    return rls_bounded_measure (&island->begin.bounded, w->diagonal, island->begin.bounded.p,
                                (const double (*)[6])v);
}

void rls_bounded_offer (struct rls_bounded_work *work, const double *p, const rls_bounded_residual *now)
{
    const int better = now->velocity < work->best.velocity;
    work->standing = better && p != work->trial_p;
    if (!better) return;
    work->best = *now;
    memcpy (work->best_p, p, sizeof (double) * (size_t)work->rows.rows);
}

static int is_done (const struct rls_bounded_work *work) { return work->best.velocity <= work->tolerance; }

/* At rest ten times the tolerance is as good: what closes the joints rounds by as much. */
static int is_enough (struct rls_bounded_work *work)
{
    const double enough = (work->at_rest ? RLS_GOOD_START : 1) * work->tolerance;
    if (!(work->best.velocity <= enough)) return 0;
    work->tolerance = enough;
    return 1;
}

/* b->p := impulses to begin with, those of the last step. */
static void load (rls_island *island, const rls_bounded_settings *settings)
{
    struct rls_bounded_work *w = island->bounded_work;
    rls_bounded *b = &island->begin.bounded;
    if (settings->start)
        memcpy (b->p, settings->start, sizeof (double) * (size_t)b->rows);
    else
        rls_warm_load (&w->warm[1 - w->turn], &w->warm[w->turn], island);
    for (int r = 0; r < b->rows; ++r) b->p[r] *= settings->scale;
    rls_bounded_clamp (b, b->p);
}

/* The impulses to begin with and their v, improved if they are far off.  Returns their residual. */
static rls_bounded_residual begin (rls_island *island, const rls_bounded_settings *settings,
                                   const rls_bounded_residual *nothing, double (*v)[6])
{
    struct rls_bounded_work *w = island->bounded_work;
    rls_bounded *b = &island->begin.bounded;
    load (island, settings);
    rls_bounded_residual now = complete (island, v);
    if (!(now.velocity < (w->at_rest ? RLS_GOOD_START : RLS_NEVER_START) * w->cold))
    {
        memset (b->p, 0, sizeof (double) * (size_t)b->rows);
        rls_bounded_clamp (b, b->p);
        rls_bounded_complete (island, w, b->p, island->reactions.p, v);
        now = *nothing;
    }
    rls_bounded_offer (w, b->p, &now);
    /* row after row, sweeps make piles lean that stand straight */
    if (!w->at_rest && !settings->apart && now.velocity > RLS_FAIR_SHARE * w->cold)
        now = rls_bounded_improve (island, w, now, MOST_SWEEPS, v);
    return now;
}

static rls_bounded_residual return_to_best (rls_island *island, double (*v)[6])
{
    struct rls_bounded_work *w = island->bounded_work;
    memcpy (island->begin.bounded.p, w->best_p, sizeof (double) * (size_t)island->begin.bounded.rows);
    w->standing = 1;
    return complete (island, v);
}

/* By their sides from b->p and island->p on; how far and how is in the rest of the problem. */
static rls_bounded_residual by_sides (rls_island *island, rls_sides_problem problem, double (*v)[6],
                                      int *solved)
{
    struct rls_bounded_work *w = island->bounded_work;
    rls_bounded *b = &island->begin.bounded;
    problem.pose = island->state.pose;
    problem.rows = &island->begin.rows;
    problem.decision = island->begin.factor.decision;
    problem.bounded = b;
    w->standing = 0;
    rls_sides_answer answer = {.v = v, .p = b->p, .lambda = island->reactions.p, .side = w->side};
    memcpy (v, w->start, sizeof (*v) * (size_t)island->model.bodies);
    *solved = 0;
    if (!rls_sides_solve (island, &problem, &answer)) return (rls_bounded_residual){.velocity = HUGE_VAL};
    *solved = answer.solved;
    rls_bounded_bilateral (island, w->bilateral_scratch, island->reactions.p, v);
    return rls_bounded_measure (b, w->diagonal, b->p, (const double (*)[6])v);
}

rls_bounded_residual rls_bounded_last_digits (rls_island *island, double tolerance, double (*v)[6])
{
    int ignored;
    return by_sides (island,
                     (rls_sides_problem){.tolerance = tolerance, .factorisations = 1, .term = RLS_PROXIMAL},
                     v, &ignored);
}

/* By the sides of a start that has most of them right.  b->p and v end where they were best. */
static rls_bounded_residual settle (rls_island *island, const rls_bounded_residual *before, double (*v)[6])
{
    struct rls_bounded_work *w = island->bounded_work;
    rls_bounded *b = &island->begin.bounded;
    const rls_sides_problem problem = {.tolerance = w->tolerance,
                                       .factorisations = SETTLINGS,
                                       .enough = RLS_GOOD_SHARE * w->cold,
                                       .growth = RLS_SETTLED_WORSE,
                                       .term = RLS_SETTLING};
    int solved;
    const rls_bounded_residual now = by_sides (island, problem, v, &solved);
    /* a little may be gained by impulses beyond all measure */
    if (now.velocity <= fmax (w->tolerance, RLS_SLOW * before->velocity)) rls_bounded_offer (w, b->p, &now);
    if (solved) w->tolerance = fmax (w->tolerance, w->best.velocity);
    if (is_done (w))
    {
        w->pause = 0;
        return now;
    }
    w->pause = w->pause > 0 ? (int)fmin (2 * w->pause, LONGEST_PAUSE) : 1;
    w->unsettled = w->pause;
    return return_to_best (island, v);
}

double rls_bounded_kick (const rls_island *island, double h)
{
    double largest = 0;
    for (int b = 0; b < island->model.bodies; ++b)
        for (int k = 0; k < 3 && island->model.movable[b]; ++k)
            largest = fmax (largest, fabs (island->applied.force[b][k]) / island->model.mass[b]);
    return h * largest;
}

double rls_bounded_fastest (const rls_island *island, const double (*v)[6])
{
    double fastest = 0;
    for (int b = 0; b < island->model.bodies; ++b)
        for (int k = 0; k < 6; ++k) fastest = fmax (fastest, fabs (v[b][k]));
    return fastest;
}

/* What rounding leaves of the rows' velocities (m/s), and of what the joints take of a kick. */
static double rounding (const rls_island *island, double kick)
{
    const rls_bounded *b = &island->begin.bounded;
    const double (*v)[6] = (const double (*)[6])island->bounded_work->start;
    double largest = 0;
    for (int j = 0; j < b->joints; ++j)
        for (int r = b->row0[j]; r < b->row0[j + 1]; ++r)
        {
            double sum = 0;
            for (int k = 0; k < 6 && b->body1[j] >= 0; ++k) sum += fabs (b->J[r][k] * v[b->body1[j]][k]);
            for (int k = 0; k < 6 && b->body2[j] >= 0; ++k) sum += fabs (b->J[r][6 + k] * v[b->body2[j]][k]);
            largest = fmax (largest, sum);
        }
    for (int p = 0; p < b->parts; ++p)
    {
        double sum = 0;
        for (int k = 0; k < 6 && b->part[p].body1 >= 0; ++k)
            sum += fabs (b->part_J[p][k] * v[b->part[p].body1][k]);
        for (int k = 0; k < 6 && b->part[p].body2 >= 0; ++k)
            sum += fabs (b->part_J[p][6 + k] * v[b->part[p].body2][k]);
        largest = fmax (largest, sum);
    }
    return fmax (RLS_ROUNDING * largest, RLS_SAME * kick);
}

/* The last digits of an answer, or where the last iterate's neighbourhood leads. */
static void finish (rls_island *island, const double *p, double (*v)[6])
{
    struct rls_bounded_work *w = island->bounded_work;
    rls_bounded *b = &island->begin.bounded;
    memcpy (b->p, p, sizeof (double) * (size_t)b->rows);
    complete (island, v);
    if (!is_done (w))
    {
        rls_bounded_improve (island, w, w->best, 1, v);
        return;
    }
    const rls_bounded_residual now = rls_bounded_last_digits (island, 0, v);
    rls_bounded_offer (w, b->p, &now);
}

/* Interior-point iterations from the present impulses.  1 done, 0 no memory. */
static int iterate (rls_island *island, int iterations, int may_be_rough, const rls_bounded_residual *now,
                    double (*v)[6])
{
    struct rls_bounded_work *w = island->bounded_work;
    const int small = island->begin.bounded.rows <= RLS_SMALL_ISLAND;
    if (!rls_body_space_analyse (&w->space, island)) return 0;
    choose_bilateral_weights (island, &w->interior);
    rls_newton_start (island, w);
    rls_barrier_classify (island, w);
    const double opening = fmin (w->at_rest ? now->velocity : RLS_BARRIER_START * now->mean, w->cold);
    /* Iterations after which an answer may be rougher, and how rough at last. */
    const rls_leniency moving = {6, RLS_LITTLE}, at_rest = {10, RLS_LITTLE}, rough = {3, RLS_LARGE_SHARE};
    w->leniency = w->at_rest ? at_rest : moving;
    if (may_be_rough && !w->at_rest && !small)
        w->leniency = rough, iterations = (int)fmin (iterations, ROUGH_ITERATIONS);
    w->standing = 0;
    rls_interior_solve (island, w, opening * opening, iterations, v);
    if (!is_done (w) || small) finish (island, is_done (w) ? w->best_p : w->trial_p, v);
    return 1;
}

/* The fastest that a bounded row moves as the step begins (m/s). */
static double fastest_row (const rls_island *island)
{
    const struct rls_bounded_work *w = island->bounded_work;
    double fastest = 0;
    rls_bounded_velocities (w, &island->begin.bounded, (const double (*)[6])island->state.v, w->trial_p);
    for (int r = 0; r < w->rows.rows; ++r) fastest = fmax (fastest, fabs (w->trial_p[r]));
    return fastest;
}

static void set_tolerance (rls_island *island, const rls_bounded_settings *settings, double cold)
{
    struct rls_bounded_work *w = island->bounded_work;
    w->cold = cold;
    if (settings->apart)
    {
        w->at_rest = 0, w->tolerance = settings->tolerance;
        return;
    }
    const int large = island->begin.bounded.rows > RLS_SMALL_ISLAND && island->model.bodies > FEW;
    const double kick = settings->kick;
    w->at_rest = w->cold <= RLS_MARGIN * kick && (!large || fastest_row (island) <= kick);
    const double share = large ? RLS_FAIR_SHARE : RLS_GOOD_SHARE;
    w->tolerance = w->at_rest ? fmax (fmin (settings->tolerance, RLS_GOOD_SHARE * w->cold),
                                      fmax (RLS_SEEN * settings->tolerance, rounding (island, kick)))
                              : fmax (settings->tolerance, share * w->cold);
}

/* Room for the matrix of few rows, which is a new one.  1 done, 0 no memory. */
static int begin_matrix (const rls_island *island, struct rls_bounded_work *w)
{
    w->formed = 0;
    return rls_lemke_lay_out (&w->path, island->begin.bounded.rows) && rls_closed_reserve (island, w);
}

int rls_bounded_form (rls_island *island, const double **mobility)
{
    if (island->begin.bounded.rows > RLS_SMALL_ISLAND || !rls_closed_by_halves (island)) return 1;
    struct rls_bounded_work *w = work_for (island);
    if (!w || !begin_matrix (island, w)) return 0;
    rls_lemke_form (island, w);
    *mobility = w->path.corner;
    return 1;
}

/* Impulses of nothing, their residual and, where rows are pivoted, what that needs of them.  1 done, 0 no
 * memory. */
static int begin_with_nothing (rls_island *island, int pivots, double (*v)[6], rls_bounded_residual *nothing)
{
    struct rls_bounded_work *w = island->bounded_work;
    rls_bounded *b = &island->begin.bounded;
    rls_lemke *q = &w->path;
    memset (b->p, 0, sizeof (double) * (size_t)b->rows);
    rls_bounded_clamp (b, b->p);
    if (pivots && !w->formed && !begin_matrix (island, w)) return 0;
    if (pivots) memcpy (q->origin, b->p, sizeof (double) * (size_t)b->rows);
    if (pivots && rls_closed_by_halves (island))
    {
        *nothing = rls_closed_begin (island, v);
        return 1;
    }
    *nothing = complete (island, v);
    if (pivots) rls_bounded_velocities (w, b, (const double (*)[6])v, q->origin_w);
    return 1;
}

/* Fills best_p.  1 done, 0 no memory. */
static int solve (rls_island *island, const rls_bounded_settings *settings, double (*v)[6])
{
    struct rls_bounded_work *w = island->bounded_work;
    rls_bounded *b = &island->begin.bounded;

    /* what the rows want without impulses says how exactly they are to be solved, and whether there is
     * anything to do */
    const int small = b->rows <= RLS_SMALL_ISLAND, wide = island->begin.rows.parts > 0;
    rls_bounded_residual nothing;
    if (!settings->again) w->formed = 0;
    if (!begin_with_nothing (island, small || wide, v, &nothing)) return 0;
    set_tolerance (island, settings, nothing.velocity);
    w->best = (rls_bounded_residual){.velocity = HUGE_VAL, .impulse = HUGE_VAL};
    memcpy (w->best_p, b->p, sizeof (double) * (size_t)b->rows);
    if (w->cold <= fmax ((small ? RLS_LAST_DIGITS : 1) * w->tolerance, RLS_SAME * settings->kick))
    {
        rls_bounded_offer (w, b->p, &nothing);
        if (w->formed && rls_closed_by_halves (island)) rls_closed_complete (island, v);
        return 1;
    }

    /* few rows are solved by pivoting in a matrix of their own, and islands with rows over many bodies, which
     * no other way knows */
    if (wide) rls_bounded_offer (w, b->p, &nothing);
    if (small || wide)
    {
        load (island, settings);
        w->standing = 0;
        rls_lemke_solve (island, w, v);
        if (is_enough (w) || wide) return 1;
    }

    /* the start: impulses of the last step; a good one is enough */
    rls_bounded_residual now = begin (island, settings, &nothing, v);
    w->began = now.velocity;
    const int vain = w->at_rest && fabs (now.velocity - w->vain) <= RLS_SEEN * w->vain;
    if (vain && now.velocity <= RLS_LITTLE * w->cold)
    {
        w->tolerance = fmax (w->tolerance, now.velocity);
        return 1;
    }
    if (is_enough (w)) return 1;

    /* iterations need the multipliers */
    if (!w->multipliers && island->begin.rows.rows > 0)
    {
        w->multipliers = 1;
        now = complete (island, v);
    }

    /* a fair one is tried by the sides of its rows, the others by the interior point */
    if (settings->apart)
        now = settle (island, &now, v);
    else if (w->unsettled > 0 && now.velocity > RLS_LITTLE * w->cold)
        --w->unsettled;
    else if (w->at_rest && now.velocity < RLS_LARGE_SHARE * w->cold)
        now = settle (island, &now, v);
    return is_done (w) ||
           iterate (island, settings->iterations - w->factorisations, settings->rough, &now, v);
}

int rls_bounded_solve (rls_island *island, const rls_bounded_settings *settings, double (*v)[6])
{
    rls_bounded *b = &island->begin.bounded;
    if (!prepare (island, settings, (const double (*)[6])v)) return 0;
    struct rls_bounded_work *w = island->bounded_work;
    if (!solve (island, settings, v))
    {
        memcpy (v, w->start, sizeof (*v) * (size_t)island->model.bodies);
        return 0;
    }
    if (!w->standing)
    {
        memcpy (b->p, w->best_p, sizeof (double) * (size_t)b->rows);
        rls_bounded_complete (island, w, b->p, island->reactions.p, v);
    }
    if (!settings->closed) rls_bounded_bilateral (island, w->bilateral_scratch, island->reactions.p, v);
    island->account.bounded_iterations = w->factorisations;
    island->account.bounded_residual = w->best.largest > 0 ? w->best.impulse / w->best.largest : 0;
    island->account.bounded_inexact = !is_done (w);
    if (settings->apart) return 1;
    w->vain = w->at_rest && w->factorisations > 0 && w->best.velocity >= w->began ? w->began : w->vain;
    island->account.bounded_rest = w->at_rest && is_done (w) ? w->best.velocity : -1;
    if (!settings->start) w->turn = 1 - w->turn;
    rls_bounded_keep (island);
    return 1;
}

void rls_bounded_keep (const rls_island *island)
{
    struct rls_bounded_work *w = island->bounded_work;
    rls_warm_keep (&w->warm[1 - w->turn], island);
}

void rls_bounded_keep_twice (struct rls_bounded_work *work)
{
    rls_warm_start *last = &work->warm[1 - work->turn];
    for (int r = 0; r < last->rows; ++r) last->p[r] *= 2;
    for (int g = 0; g < last->groups; ++g)
        for (int k = 0; k < 6; ++k) last->wrench[g][k] *= 2;
}

int rls_bounded_copy (struct rls_bounded_work **to, const struct rls_bounded_work *from)
{
    if (!from)
    {
        rls_bounded_free (*to);
        *to = NULL;
        return 1;
    }
    if (!*to && !(*to = create ())) return 0;
    const int last = 1 - from->turn; /* the other one is filled anew in the next step */
    (*to)->turn = from->turn;
    (*to)->unsettled = from->unsettled;
    (*to)->pause = from->pause;
    (*to)->vain = from->vain;
    return RLS_COPY (&(*to)->warm[last], &from->warm[last], block) &&
           RLS_COPY (&(*to)->past, &from->past, block) && rls_body_space_copy (&(*to)->space, &from->space) &&
           RLS_COPY (&(*to)->sides, &from->sides, block);
}

void rls_bounded_free (struct rls_bounded_work *work)
{
    if (!work) return;
    rls_body_space_free (&work->space);
    rls_lemke_free_blocks (&work->blocks);
    rls_arena_free (&work->path.block);
    rls_arena_free (&work->path.halves);
    rls_arena_free (&work->sides.block);
    rls_arena_free (&work->past.block);
    rls_arena_free (&work->warm[0].block);
    rls_arena_free (&work->warm[1].block);
    rls_arena_free (&work->block);
    rls_arena self = work->self;
    rls_arena_free (&self);
}
