/* The beginning of a symplectic step, the prediction of multipliers, and a sub-step from its first half kick
 * to its second; contract and equations in symplectic.h. */
#include "bounded_halves.h"
#include "impacts.h"
#include "symplectic_parts.h"
#include "rebounds.h"
#include "recover.h"

#define ESTIMATED_OVER 64 /* a first sub-step over the shorter one by which its multipliers are estimated */

static void lay_out (rls_symplectic *w, rls_arena_cursor *c)
{
    const size_t n = (size_t)w->bodies, rows = (size_t)w->rows;
    RLS_TAKE (c, n, w->v, w->start, w->reaction, w->force, w->change, w->bend, w->u, w->best, w->du,
              w->kicked, w->d, w->pushed, w->pose);
    RLS_TAKE (c, (size_t)rls_batches (w->bodies), w->spins);
    RLS_TAKE (c, rows, w->x, w->decided, w->own);
    rls_rows_lay_out_with_masses (&w->factored, c);
}

int rls_symplectic_prepare (rls_symplectic *w, rls_island *s)
{
    const int joints = s->begin.rows.joints, rows = s->begin.rows.rows,
              regular = w->joints == joints && w->rows == rows ? w->regular : 0;
    rls_rows_share (&w->factored, &s->end.rows);
    rls_rows_share (&s->scratch.aside, &s->end.rows);
    if (w->joints != joints) w->bodies = -1; /* laid out for others */
    w->joints = joints;
    const int fits = RLS_FIT (w, s->model.bodies, rows, lay_out);
    if (fits == RLS_ANEW) rls_symplectic_forget (w);
    w->regular = regular;
    return fits != 0;
}

void rls_symplectic_forget (rls_symplectic *w)
{
    w->history = w->regular = w->singular.count = w->again = w->starting = w->standing.rows = 0;
    w->ordinary = w->even = -1;
}

/* ---- the beginning of a step ---- */

/* If joints are open at the beginning: displaces the bodies to the nearest pose where they are closed, and
 * factors the rows there with new rank decisions. */
static rls_outcome close_beginning (rls_symplectic *w, rls_island *s)
{
    const double worst =
        rls_flat_largest_kept (s->begin.rows.rows, s->begin.rows.residual, s->begin.factor.decision);
    const double rounding = 100 * rls_closing_rounding (w->pose, w->bodies, 4);
    if (worst <= fmax (w->history > 0 ? RLS_SINGULAR_LEFT_OPEN : rounding, 2 * w->tolerance)) return RLS_DONE;

    /* the nearest closed pose becomes the beginning */
    memcpy (s->next.pose, s->state.pose, sizeof (*s->state.pose) * (size_t)s->model.bodies);
    RLS_TRY (rls_project_positions (s, w->tolerance, 0, s->mechanism.mesh ? 0 : INT_MAX));
    memcpy (w->pose, s->next.pose, sizeof (*w->pose) * (size_t)w->bodies);
    w->history = 0;
    RLS_TRY (rls_island_factor_end (s, NULL));
    rls_symplectic_advance (s);
    return RLS_DONE;
}

rls_outcome rls_symplectic_begin (rls_symplectic *w, rls_island *s)
{
    if (w->history > 0 && !rls_poses_same (w->pose, s->state.pose, s->model.bodies)) w->history = 0;
    if (w->history == 0) w->ordinary = w->even = -1;
    memcpy (w->pose, s->state.pose, sizeof (*s->state.pose) * (size_t)s->model.bodies);

    /* whether the velocities are still, to the last bit, those that the last step has projected onto its
     * rows */
    const int consistent = w->history > 0 && w->consistent && s->valid.rows_kept &&
                           s->account.factorisations == 0 &&
                           memcmp (w->v, s->state.v, sizeof (*s->state.v) * (size_t)s->model.bodies) == 0;
    if (!consistent) memcpy (w->v, s->state.v, sizeof (*s->state.v) * (size_t)s->model.bodies);
    w->push_work = w->farthest = w->rows_work = w->bounded_work = w->bounded_moved = w->bounded_sudden =
        w->taken = w->unsettled = 0;
    w->forced_work = w->forced_doubt = w->forces_missed = 0;
    RLS_TRY (close_beginning (w, s));
    RLS_TRY (rls_symplectic_begin_node (w, s));
    if (consistent && w->history > 0) return RLS_DONE;

    /* velocities that violate the rows are projected onto them */
    const double speed = rls_fastest (s->model.bodies, w->v);
    for (int i = 0; i < RLS_MOST_CLEANINGS; ++i)
    {
        if (rls_velocity_residual (&s->begin, w->v, w->x) <= RLS_ROUNDING * (1 + speed)) break;
        rls_symplectic_project (w, &s->begin, s->begin.rows.target, w->v);
    }
    rls_reactions_add (s, &s->begin, s->state.v, w->v);
    w->taken = rls_energy_taken (s, w->pose, w->v);
    return RLS_DONE;
}

/* ---- one sub-step ---- */

/*
 * The first guess of u, by extrapolated multipliers: the reaction of the last second kick plus the change
 * that led to the last first kick, turned with the bodies.  Where one kick does both (lead 1), these
 * reactions belong to forces of different times, which is too inaccurate for light bodies; then, and without
 * history, u is projected onto the rows at the beginning.
 */
static void predict (rls_symplectic *w, const rls_island *s, double h)
{
    if (w->lead == 1 || (w->history == 0 && !w->estimated))
    {
        rls_symplectic_project (w, &s->begin, s->begin.rows.target, w->u);
        return;
    }

    /* d: the expected change of velocities by the multipliers, world axes */
    const size_t size = 6 * (size_t)s->model.bodies;
    if (w->changed)
    {
        const double once = h * (h + w->last_h), twice = once * w->since;
        rls_flat_blend (size, once, w->change[0], twice, w->bend[0], w->du[0]);
        rls_spins_change_axes (w->spins, s, 0, w->du, w->d);
        rls_flat_add (size, h, w->reaction[0], w->d[0]);
    }
    else
        rls_flat_scale (size, h, w->reaction[0], w->d[0]);

    /* of it the part that impulses along the rows can make */
    if (w->singular.count == 0)
    {
        rls_rows_velocity (&s->begin.rows, w->d, w->x);
        rls_factor_enforce (&s->begin.factor, &s->begin.rows, w->x, w->u);
        return;
    }
    rls_add (s->model.bodies, 1, w->d, w->u);
    rls_symplectic_project (w, &s->begin, NULL, w->d);
    rls_add (s->model.bodies, -1, w->d, w->u);
}

/* out := the acceleration by the multipliers of the first kick, (u - kicked) / h. */
static void first_reaction (const rls_symplectic *w, const rls_island *s, double h, double (*out)[6])
{
    rls_flat_blend (6 * s->model.bodies, 1 / h, w->u[0], -1 / h, w->kicked[0], out[0]);
}

/* Rounding errors of the positions enter the change divided by h^2 (h + last_h), so sub-steps that are much
 * shorter than others are not used. */
void rls_symplectic_keep_change (rls_symplectic *w, const rls_island *s, double h)
{
    const double longest = fabs (w->longest_h);
    const size_t size = 6 * (size_t)s->model.bodies;
    if (w->history == 0 || fabs (h * h * (h + w->last_h)) < RLS_FIRST_SUBSTEP * longest * longest * longest)
        return;

    /* change: first difference of the reactions, body axes; bend: second difference */
    const double scale = 1 / (h + w->last_h);
    const int bent = w->changed && fabs (w->since) > RLS_FIRST_SUBSTEP * longest;
    const double bending = bent ? 1 / w->since : 0;
    first_reaction (w, s, h, w->du);
    rls_flat_blend (size, scale, w->du[0], -scale, w->reaction[0], w->du[0]);
    rls_spins_change_axes (w->spins, s, 1, w->du, w->d);
    if (bent) rls_flat_blend (size, bending, w->d[0], -bending, w->change[0], w->bend[0]);
    if (!w->changed) memset (w->bend, 0, size * sizeof (double));
    memcpy (w->change, w->d, size * sizeof (double));
    w->changed = 1;
    w->since = 0;
}

void rls_symplectic_begin_motion (rls_symplectic *w, rls_island *s, double h)
{
    rls_kick (s, &s->begin.rows, w->v, w->lead * h, w->kicked);
    memcpy (w->u, w->kicked, sizeof (*w->u) * (size_t)s->model.bodies);
    predict (w, s, h);
}

/* x := 0 for bodies that cannot be pushed. */
static void clear_unmovable (const rls_island *s, double (*x)[6])
{
    for (int b = 0; b < s->model.bodies; ++b)
        if (!s->model.movable[b]) memset (x[b], 0, sizeof (*x));
}

void rls_symplectic_end_substep (rls_symplectic *w, const rls_island *s, double h)
{
    const size_t size = 6 * (size_t)s->model.bodies;
    rls_flat_blend (size, 1 / h, w->v[0], -1 / h, w->kicked[0], w->reaction[0]);
    clear_unmovable (s, w->reaction);

    /* if all forces act in the first kick, most of the reaction does too */
    if (w->lead == 1)
    {
        rls_flat_add (size, 1, w->reaction[0], w->force[0]);
        clear_unmovable (s, w->force);
    }
    w->history = 1, w->again = 0;
    w->since += h;
    w->last_h = h;
    memcpy (w->pose, s->next.pose, sizeof (*w->pose) * (size_t)s->model.bodies);
}

/* Without history, estimates the multipliers by a much shorter sub-step.  A first guess without multipliers
 * would be off by h^2 times an acceleration, which is far near a singular configuration. */
static void estimate_multipliers (rls_symplectic *w, rls_island *s, double h)
{
    const double time = s->provider.time, short_h = h / ESTIMATED_OVER;
    rls_symplectic_begin_motion (w, s, short_h);
    s->provider.time += short_h;
    w->estimated = rls_symplectic_close (w, s, short_h) == 1;
    s->provider.time = time;
    if (w->estimated) first_reaction (w, s, short_h, w->reaction);
}

/* If the island is at rest after its first half, sets the end exactly to the beginning.  Returns as
 * rls_symplectic_substep. */
static rls_outcome stay_at_rest (rls_symplectic *w, rls_island *s, double h)
{
    w->stays = rls_bounded_rests (s, h, w->u);
    if (!w->stays) return RLS_DONE;
    memset (w->u, 0, sizeof (*w->u) * (size_t)s->model.bodies);
    if (!rls_symplectic_drift (w, s, h, 1)) return RLS_FAILED;
    memcpy (s->next.pose, w->pose, sizeof (*w->pose) * (size_t)s->model.bodies);
    return rls_symplectic_look (w, s, h, 0) ? RLS_DONE : RLS_FAILED;
}

rls_outcome rls_symplectic_substep (rls_symplectic *w, rls_island *s, double h)
{
    /* A first sub-step needs an estimate of the multipliers.  So does one with a rebound, whose date follows
     * from the forces: the multipliers of the last sub-step may be those of an impact. */
    rls_spins_begin (w->spins, s, w->pose);
    if (s->provider.forces)
        memcpy (w->pushed, s->applied.force, sizeof (*w->pushed) * (size_t)s->model.bodies);
    w->estimated = w->gain_known = w->looked = 0;
    w->bounded_rows = RLS_BOUNDED_STALE;
    const int rebounds = rls_rebounds (&s->begin.bounded);
    if (rebounds) w->history = 0;
    if (w->history == 0) w->changed = 0;
    if (w->history == 0 && w->lead < 1 && (s->begin.bounded.rows == 0 || rebounds))
        estimate_multipliers (w, s, h);

    /* the first half: impulses of bounded rows, and multipliers that close the joints at the end */
    rls_symplectic_begin_motion (w, s, h);
    s->provider.time += h;
    const int bounded = s->begin.bounded.rows > 0, pushes = bounded && w->ahead == 0;
    if (bounded) RLS_TRY (rls_bounded_first_half (w, s, h));
    RLS_TRY (rls_symplectic_close (w, s, h));
    if (bounded && w->locates && rls_reaches_impact (w, s, h))
    {
        s->provider.time -= h;
        return RLS_ANOTHER_WAY;
    }
    if (pushes) RLS_TRY (stay_at_rest (w, s, h));
    rls_reactions_add (s, &s->begin, w->kicked, w->u);
    rls_note_rows_work (w, s, w->pose, w->u);
    if (bounded) rls_note_bounded_work (w, &s->begin.bounded, s->begin.bounded.p, NULL, w->v, w->u);
    if (bounded) rls_note_kick (w, s, h, w->v);

    /* reactions, velocities at the end, depths, and the factor there */
    rls_symplectic_keep_change (w, s, h);
    if (w->lead == 1) first_reaction (w, s, h, w->force);
    rls_spins_end (w->spins, s, h, w->u);
    if (pushes) RLS_TRY (rls_recover_depths (w, s, h));
    RLS_TRY (rls_symplectic_end_node (w, s));

    /* the second half */
    RLS_TRY (rls_symplectic_kick (w, s, h));
    if (pushes && rls_bounded_rests (s, h, w->v)) memset (w->v, 0, sizeof (*w->v) * (size_t)s->model.bodies);
    rls_reactions_add (s, &s->end, w->kicked, w->v);
    rls_note_rows_work (w, s, s->next.pose, w->v);
    if (bounded)
        rls_note_bounded_work (w, &s->end.bounded, s->reactions.bounded_total, s->begin.bounded.p, w->u,
                               w->v);
    if (bounded) rls_note_kick (w, s, h, w->v);
    rls_note_forced_work (w, s, h);
    rls_symplectic_end_substep (w, s, h);
    return RLS_DONE;
}

void rls_symplectic_advance (rls_island *s)
{
    const rls_factor factor = s->begin.factor;
    s->begin.factor = s->end.factor;
    s->end.factor = factor;
    rls_island_swap_rows (s);
}
