/*
 * Bounded rows (limits, motors, contacts, friction): the choice among the solvers.
 *
 * Each half of a step is one complementarity problem (method.md, section 9).  It is solved in this order,
 * and ends where the residual is good enough:
 *
 *     1. no impulses              if no row asks for any
 *     2. complementary pivoting   few rows, from the impulses of the last step (bounded_lemke.c)
 *     3. the impulses of the last step as they are, or improved by sweeps (bounded_start.c)
 *     4. Newton's method on the sides of the rows, if these impulses nearly hold (bounded_sides.c); it also
 *        improves impulses that are good enough, where the program moves the island, or motors and brakes
 *        act in it
 *     5. the interior-point method (bounded_interior.c)
 *
 * The best iterate of all is the answer, even where none is good enough.
 */
#include "bounded_work.h"

#define SIDES_FACTORISATIONS 7 /* most that the method on the sides may take */
#define MOST_FAILURES 4        /* in a row, of improving good impulses; then it is not tried for */
#define PAUSE 64               /* problems */
#define FEW 16                 /* bodies, whose iterations cost next to nothing */

/* ---- How good an iterate is ---- */

void rls_bounded_offer (struct rls_bounded_work *work, const double *p, const rls_bounded_residual *now)
{
    const int better = now->velocity < work->best.velocity;
    work->holds_best = better && p != work->trial_p;
    if (!better) return;
    work->best = *now;
    memcpy (work->best_p, p, sizeof (double) * (size_t)work->rows.rows);
}

static int is_done (const struct rls_bounded_work *work) { return work->best.velocity <= work->tolerance; }

/* Accepts the best iterate as the answer if it is good enough as a start: returns 1 then.  At rest ten times
 * the tolerance is, because closing the joints leaves as much rounding; the tolerance is raised to that. */
static int accept_start (struct rls_bounded_work *work)
{
    const double enough = (work->at_rest ? RLS_GOOD_START : 1) * work->tolerance;
    if (!(work->best.velocity <= enough)) return 0;
    work->tolerance = enough;
    return 1;
}

/*
 * Sets work->tolerance (m/s) from the residual without impulses.  Where something moves it is a share of that
 * residual, a larger share in large islands.  At rest, where forces alone set the rows in motion, it is as
 * small as rounding allows, because what is left would make bodies creep.
 */
static void set_tolerance (rls_island *island, const rls_bounded_settings *settings, double cold)
{
    struct rls_bounded_work *w = island->bounded_work;
    w->cold = cold;
    w->least_cold = settings->again ? fmin (w->least_cold, cold) : cold;
    if (settings->apart)
    {
        w->at_rest = 0, w->tolerance = settings->tolerance, w->rounding = 0;
        return;
    }
    const int large = island->begin.bounded.rows > RLS_SMALL_ISLAND && island->model.bodies > FEW;
    const double kick = settings->kick;
    w->at_rest = w->cold <= RLS_MARGIN * kick && (!large || rls_bounded_fastest_row (island) <= kick);
    const double share = large && settings->accuracy != RLS_ACCURATE ? RLS_FAIR_SHARE : RLS_GOOD_SHARE;
    w->rounding = w->at_rest ? rls_bounded_rounding (island, kick) : 0;
    w->tolerance = w->at_rest ? fmax (fmin (settings->tolerance, RLS_GOOD_SHARE * w->cold),
                                      fmax (RLS_SEEN * settings->tolerance, w->rounding))
                              : fmax (settings->tolerance, share * w->cold);
}

/* ---- Newton's method on the sides of the rows ---- */

/* Makes the best impulses the present ones, with their velocities v.  Returns their residual. */
static rls_bounded_residual return_to_best (rls_island *island, double (*v)[6])
{
    struct rls_bounded_work *w = island->bounded_work;
    memcpy (island->begin.bounded.p, w->best_p, sizeof (double) * (size_t)island->begin.bounded.rows);
    w->holds_best = 1;
    return rls_bounded_evaluate (island, v);
}

/* Runs the method from the present impulses.  Returns the residual of what it ends with; *solved tells if the
 * method itself is content with that. */
static rls_bounded_residual run_sides (rls_island *island, const rls_sides_demand *asked, double (*v)[6],
                                       int *solved)
{
    struct rls_bounded_work *w = island->bounded_work;
    w->holds_best = *solved = 0;
    memcpy (v, w->start, sizeof (*v) * (size_t)island->model.bodies);
    if (!rls_sides_solve (island, asked, v, solved)) return (rls_bounded_residual){.velocity = HUGE_VAL};
    rls_bounded_bilateral (island, w->bilateral_scratch, island->reactions.p, v);
    return rls_bounded_measure (&island->begin.bounded, w->diagonal, island->begin.bounded.p, v);
}

/* Tries the sides of the present impulses, whose residual is before.  Returns the residual of the impulses
 * with which the search goes on. */
static rls_bounded_residual try_sides (rls_island *island, const rls_bounded_residual *before, double (*v)[6])
{
    struct rls_bounded_work *w = island->bounded_work;
    rls_bounded *b = &island->begin.bounded;

    /* from farther away a larger proximal term, which lets fewer rows change sides at once */
    const int near = before->velocity <= RLS_LITTLE * w->cold;
    const rls_sides_demand asked = {.tolerance = w->tolerance,
                                    .factorisations = SIDES_FACTORISATIONS,
                                    .enough = RLS_GOOD_SHARE * w->cold,
                                    .growth = RLS_SETTLED_WORSE,
                                    .term = near ? RLS_SETTLING : RLS_LITTLE};
    int solved;
    const rls_bounded_residual now = run_sides (island, &asked, v, &solved);

    /* a small gain does not count: it may be due to impulses that are far too large */
    if (now.velocity <= fmax (w->tolerance, RLS_SLOW * before->velocity)) rls_bounded_offer (w, b->p, &now);
    if (solved) w->tolerance = fmax (w->tolerance, w->best.velocity);
    return is_done (w) ? now : return_to_best (island, v);
}

/* Returns 1 if the program moves the island, or if brakes or friction in joints act on the same joints and
 * contacts as in the last step.  In heaps of ragdolls, whose contacts change, steps would gain much energy.
 */
static int is_moved_or_braked (const rls_island *island, const rls_bounded_settings *settings)
{
    const rls_bounded *b = &island->begin.bounded;
    const rls_warm_start *one = &island->bounded_kept->warm[0], *other = &island->bounded_kept->warm[1];
    int brakes = 0;
    RLS_FOR_ROWS (b, j, r) brakes |= rls_bounded_is_drive (b, j, r);
    const int same = one->joints == other->joints && one->rows == other->rows && one->groups == other->groups;
    return settings->moved ||
           (brakes && same &&
            !memcmp (one->group_key, other->group_key, sizeof (*one->group_key) * (size_t)one->groups));
}

/* ---- The interior-point method ---- */

/* From impulses p: if the best are good enough, improves them to rounding error with one step on their sides;
 * otherwise does one more round of Gauss-Seidel sweeps, which sometimes helps a stuck iteration. */
static void finish (rls_island *island, const double *p, double (*v)[6])
{
    struct rls_bounded_work *w = island->bounded_work;
    rls_bounded *b = &island->begin.bounded;
    memcpy (b->p, p, sizeof (double) * (size_t)b->rows);
    rls_bounded_evaluate (island, v);
    if (!is_done (w))
    {
        rls_bounded_improve (island, w, w->best, 1, v);
        return;
    }
    const rls_sides_demand once = {.tolerance = 0, .factorisations = 1, .term = RLS_PROXIMAL};
    int ignored;
    const rls_bounded_residual now = run_sides (island, &once, v, &ignored);
    rls_bounded_offer (w, b->p, &now);
}

/* Interior-point iterations from the present impulses, whose residual is now.  Returns 1, or 0 without
 * memory. */
static int iterate (rls_island *island, int iterations, const rls_bounded_residual *now, double (*v)[6])
{
    struct rls_bounded_work *w = island->bounded_work;
    const int small = island->begin.bounded.rows <= RLS_SMALL_ISLAND;
    if (!rls_newton_begin (island, w)) return 0;
    rls_newton_start (island, w);
    rls_barrier_classify (island, w);

    /* the first barrier is that of the mean residual: one stop that is just reached shall not make all
     * contacts start again */
    const double opening = fmin (w->at_rest ? now->velocity : RLS_BARRIER_START * now->mean, w->cold);
    w->holds_best = 0;
    rls_interior_solve (island, w, opening * opening, iterations, v);
    if (!is_done (w) || small) finish (island, is_done (w) ? w->best_p : w->trial_p, v);
    return 1;
}

/* The same as exactly as in a small island; where it ends with more, as much as before may be left. */
static int iterate_exactly (rls_island *island, const rls_bounded_settings *settings,
                            const rls_bounded_residual *now, double (*v)[6])
{
    struct rls_bounded_work *w = island->bounded_work;
    const double fair = w->tolerance;
    w->tolerance = fmax (settings->tolerance, RLS_GOOD_SHARE * w->cold);
    const int done = iterate (island, settings->iterations - w->factorisations, now, v);
    w->tolerance = fmax (w->tolerance, fair);
    return done;
}

/*
 * Improves impulses of the last step that are good enough.  In a motion that the program gives, or that
 * brakes slow down, they are so in each step, and what they lack is the same in each: a load that is carried
 * would slip.  How the wheels of a truck share its weight does not follow for rigid bodies; where it is left
 * to the last step some of them have no load after a while, and turn on the spot.  So the answer is the one
 * with small impulses.  What tumbles in a drum cannot be improved by their sides; where that has failed some
 * times it is not tried for a while.  Returns 1, or 0 without memory.
 */
static int improve_enough (rls_island *island, const rls_bounded_settings *settings, double (*v)[6])
{
    struct rls_bounded_work *w = island->bounded_work;
    struct rls_bounded_kept *kept = island->bounded_kept;
    const double good = fmax (settings->tolerance, RLS_GOOD_SHARE * w->cold);
    const rls_sides_demand asked = {.tolerance = good,
                                    .factorisations = SIDES_FACTORISATIONS,
                                    .enough = good,
                                    .growth = RLS_SETTLED_WORSE,
                                    .term = RLS_SETTLING,
                                    .pulls = 1};
    int solved;
    rls_bounded_residual now = run_sides (island, &asked, v, &solved);
    kept->failing = solved ? 0 : kept->failing + 1;
    kept->pausing = kept->failing < MOST_FAILURES ? 0 : PAUSE;
    if (now.velocity <= fmax (good, w->best.velocity))
    {
        w->best.velocity = HUGE_VAL;
        rls_bounded_offer (w, island->begin.bounded.p, &now);
    }
    if (solved && w->best.velocity <= RLS_LITTLE * w->cold) return 1;

    /* where the sides lead nowhere the interior-point method may: crates that stand on a lift would lose
     * their contacts by what one start leaves */
    now = return_to_best (island, v);
    return iterate_exactly (island, settings, &now, v);
}

/* ---- The choice among them ---- */

/* Solves the problem.  The best impulses found are left in w->best_p, their residual in w->best.  Returns 1,
 * or 0 without memory. */
static int solve (rls_island *island, const rls_bounded_settings *settings, double (*v)[6])
{
    struct rls_bounded_work *w = island->bounded_work;
    struct rls_bounded_kept *kept = island->bounded_kept;
    rls_bounded *b = &island->begin.bounded;

    /* The residual without impulses says how exactly the rows are to be solved, and whether they ask for
     * anything. */
    const int small = b->rows <= RLS_SMALL_ISLAND, wide = island->begin.rows.parts.count > 0;
    rls_bounded_residual nothing;
    if (!settings->again) w->formed = 0;
    if (!rls_bounded_without (island, small || wide, v, &nothing)) return 0;
    set_tolerance (island, settings, nothing.velocity);
    w->best = (rls_bounded_residual){.velocity = HUGE_VAL, .impulse = HUGE_VAL};
    memcpy (w->best_p, b->p, sizeof (double) * (size_t)b->rows);
    if (w->cold <= fmax ((small ? RLS_LAST_DIGITS : 1) * w->tolerance, RLS_SAME * settings->kick))
    {
        rls_bounded_offer (w, b->p, &nothing);
        if (w->formed && rls_closed_by_halves (island)) rls_closed_complete (island, v);
        return 1;
    }

    /* Few rows are solved by pivoting.  So are islands with joints over more than two bodies, which the other
     * methods cannot treat. */
    if (wide) rls_bounded_offer (w, b->p, &nothing);
    if (small || wide)
    {
        rls_bounded_load (island, settings);
        w->holds_best = 0;
        rls_lemke_solve (island, w, v);
        if (accept_start (w) || wide) return 1;
    }

    /* The impulses of the last step may be enough.  At rest, if they leave what they left when iterations did
     * not lower it, this is the same problem, and iterations would not lower it now. */
    rls_bounded_residual now = rls_bounded_begin (island, settings, &nothing, v);
    w->start_residual = now.velocity;
    const int same = w->at_rest && fabs (now.velocity - kept->not_lowered) <= RLS_SEEN * kept->not_lowered;
    if (same && now.velocity <= RLS_LITTLE * w->cold)
    {
        w->tolerance = fmax (w->tolerance, now.velocity);
        return 1;
    }

    /* Islands that the program moves are solved exactly, unless their contacts have changed for long: with a
     * tenth of the velocities left in each step, boxes that a blade pushes would swing to and fro, and hold
     * it up.  In these, and beside brakes, impulses that are good enough are improved. */
    const int enough = accept_start (w), rough = settings->apart && settings->accuracy == RLS_ROUGH,
              moves = !w->at_rest && !settings->apart,
              exact = !small && moves && settings->moved && kept->stirred < RLS_STIRRED_LONG,
              driven = enough && moves && is_moved_or_braked (island, settings),
              improves = driven && (exact || kept->pausing == 0);
    if (driven && kept->pausing > 0) --kept->pausing;
    if (rough || (enough && !improves)) return 1;

    /* All methods that follow need the joints' multipliers. */
    if (!w->multipliers && island->begin.rows.rows > 0)
    {
        w->multipliers = 1;
        now = rls_bounded_evaluate (island, v);
    }
    if (enough) return improve_enough (island, settings, v);

    /* Sides first where most are likely to be right: at rest after a good start.  The interior-point method
     * solves the rest. */
    if (w->at_rest && !small && now.velocity < RLS_LARGE_SHARE * w->cold) now = try_sides (island, &now, v);
    if (exact) return iterate_exactly (island, settings, &now, v);
    return is_done (w) || iterate (island, settings->iterations - w->factorisations, &now, v);
}

/* ---- Drives ---- */

/*
 * Solves for the drives beside the impulses of the other rows, where iterations have ended with a residual
 * that contacts may have but drives may not: contacts push again as long as bodies overlap, but what a motor
 * or friction in a joint has lacked in a step no later one makes up for.  What this leaves of contacts and
 * stops may be a little more than they had.
 */
static void solve_drives (rls_island *island, double (*v)[6])
{
    struct rls_bounded_work *w = island->bounded_work;
    rls_bounded *b = &island->begin.bounded;
    const double enough = RLS_GOOD_SHARE * w->cold, exact = RLS_GOOD_SHARE * enough;
    if (w->at_rest || b->rows <= RLS_SMALL_ISLAND || !(w->best.drives > exact)) return;

    /* from the best impulses, with the joints' own */
    const rls_sides_demand asked = {
        .tolerance = exact, .factorisations = SIDES_FACTORISATIONS, .term = RLS_PROXIMAL, .drives = 1};
    int ignored;
    w->multipliers = 1, w->holds_best = 0;
    memcpy (b->p, w->best_p, sizeof (double) * (size_t)b->rows);
    rls_bounded_complete (island, w, b->p, island->reactions.p, v);
    const rls_bounded_residual now = run_sides (island, &asked, v, &ignored);
    const int others = now.velocity <= RLS_SETTLED_WORSE * fmax (w->best.velocity, w->tolerance);
    if (!(now.drives < w->best.drives && others)) return;

    /* they are the answer, and no less exact than before if the drives are solved */
    if (is_done (w)) w->tolerance = now.drives <= enough ? fmax (w->tolerance, now.velocity) : 0;
    w->best = now, w->holds_best = 1;
    memcpy (w->best_p, b->p, sizeof (double) * (size_t)b->rows);
}

/* Returns 1 if drives of a small island lack more with the velocities v than a large one's may, and than is
 * asked (tolerance).  Its own tolerance may have grown beyond that, and where impulses are fixed at their
 * bounds, as of reversals, it is a share of enormous velocities. */
static int drives_lack (const rls_island *island, double tolerance, const double (*v)[6])
{
    const struct rls_bounded_work *w = island->bounded_work;
    const rls_bounded *b = &island->begin.bounded;
    const double most = fmax (fmax (RLS_SEEN, tolerance), RLS_GOOD_SHARE * w->least_cold);
    if (b->rows > RLS_SMALL_ISLAND || w->best.velocity <= most) return 0;
    RLS_FOR_ROWS (b, j, r)
    {
        if (!rls_bounded_is_drive (b, j, r) || b->follow[r] >= 0 || !(w->diagonal[r] > 0)) continue;
        const double off = rls_bounded_velocity (b, j, r, v) + b->softness[r] * b->p[r] - b->target[r],
                     p = rls_clamp (b->p[r] - off / w->diagonal[r], b->lo[r], b->hi[r]);
        if (fabs (p - b->p[r]) * w->diagonal[r] > most) return 1;
    }
    return 0;
}

/* ---- The solver ---- */

int rls_bounded_solve (rls_island *island, const rls_bounded_settings *settings, double (*v)[6])
{
    rls_bounded *b = &island->begin.bounded;
    if (!rls_bounded_prepare (island, settings, v)) return 0;
    struct rls_bounded_work *w = island->bounded_work;
    struct rls_bounded_kept *kept = island->bounded_kept;
    if (!solve (island, settings, v))
    {
        memcpy (v, w->start, sizeof (*v) * (size_t)island->model.bodies);
        return 0;
    }

    if (!settings->apart) solve_drives (island, v);

    /* the best impulses, the velocities that they make, and the joints closed to rounding */
    if (!w->holds_best)
    {
        memcpy (b->p, w->best_p, sizeof (double) * (size_t)b->rows);
        rls_bounded_complete (island, w, b->p, island->reactions.p, v);
    }
    if (!settings->closed) rls_bounded_bilateral (island, w->bilateral_scratch, island->reactions.p, v);

    /* what the report says of the answer */
    island->account.bounded_iterations = w->factorisations;
    island->account.bounded_residual = w->best.largest > 0 ? w->best.impulse / w->best.largest : 0;
    island->account.bounded_inexact =
        !is_done (w) ||
        (!settings->apart && drives_lack (island, settings->tolerance, (const double (*)[6])v));
    if (settings->apart) return 1;

    /* what the next step takes over */
    const int lowered = !(w->best.velocity >= w->start_residual);
    if (w->at_rest && w->factorisations > 0 && !lowered) kept->not_lowered = w->start_residual;
    island->account.bounded_rest = w->at_rest && is_done (w) ? w->best.velocity : -1;
    if (!settings->start) kept->turn = 1 - kept->turn;
    rls_bounded_keep (island);
    return 1;
}
