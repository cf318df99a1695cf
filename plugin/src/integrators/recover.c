/* Reduces the depth of contacts and stops by a displacement; contract and equations in recover.h. */
#include "recover.h"
#include "bounded_halves.h"
#include "kernels/mobility.h"
#include "symplectic_parts.h"
#include "rebounds.h"

/* A displacement that leaves joints open is tried again, at most MOST_TRIALS times, each time SHORTER times
 * as long as before; the last one has no length. */
#define MOST_TRIALS 4
#define SHORTER 0.25

/* Returns 1 for the rows whose depth is reduced: stops and normals of contacts, but for those that rebound,
 * which leave their depth by that.  Of compliant contacts it is the depth that no load has pressed in;
 * compliant stops push by themselves. */
static int pushes (const rls_bounded *b, int j, int r)
{
    const int stop_gives_way = rls_bounded_is_soft (b, r) && !rls_bounded_is_contact (b, j);
    return b->follow[r] < 0 && rls_bounded_is_one_sided (b, r) && !stop_gives_way && !rls_row_rebounds (b, r);
}

/* Returns how deep a load has pressed row r (m); 0 of hard rows. */
static double pressed (const rls_bounded *b, int r)
{
    return rls_bounded_is_soft (b, r) ? fmax (0, -rls_bounded_side (b, r) * b->row[r].open) : 0;
}

double rls_seen_late (const rls_island *s, double h)
{
    double g = 0;
    for (int b = 0; b < s->model.bodies; ++b)
        g = fmax (g, sqrt (rls_dot3 (s->applied.gravity[b], s->applied.gravity[b])));
    return g * h * h;
}

/* What is asked of the displacement. */
typedef struct
{
    double late;    /* m: by how much collision detection is late, g h^2 */
    int still;      /* 1: the island hardly moves */
    double largest; /* m or rad: along a row; 0: none is wanted */
    int wholly;     /* 1: some contacts are to be pushed out at once */
    int compliant;  /* 1: some of them are compliant contacts */
} wanted_push;

/* Returns how far (m or rad) row r of joint j is to be pushed: ODE's share of the depth without the slop, or
 * all of it. */
static double wanted_of (const rls_symplectic *w, const rls_bounded *b, int j, int r, double h,
                         wanted_push *wanted)
{
    const int contact = rls_bounded_is_contact (b, j);

    /* a contact keeps a depth, so that collision detection finds it: least, as far as no load presses it in.
     * In small islands, and where nothing moves, it keeps none if any load does, or springs would not share
     * the load as they are compressed */
    const int large = b->rows > RLS_SMALL_ISLAND;
    const double least = RLS_CONTACT_SLOP * wanted->late, by_load = contact ? pressed (b, r) : 0,
                 kept = (wanted->still || !large) && by_load > RLS_SEEN ? 0 : fmax (0, least - by_load);
    const double depth = pushes (b, j, r) ? rls_bounded_depth (b, r) : 0,
                 allowed = contact ? kept : RLS_CLOSED, over = depth - allowed;

    /* In the step of its impact a contact may be pushed out at once by the height to which a third of the
     * energy that the impact loses, v^2 / 2 for each kilogram, lifts it against gravity.  The rest has to be
     * lifted by steps that lose no energy.  With all of the energy, bodies that rock from edge to edge would
     * do so for ever. */
    const double way = h * fmax (0, b->lo[r] == 0 ? -b->before[r] : b->before[r]),
                 lifted = wanted->late > 0 ? way * way / (6 * wanted->late)
                          : way > 0        ? depth
                                           : 0,
                 at_once = contact && !(b->row[r].bounce > 0) ? lifted : 0;

    /* Depths that are little over what is allowed would take 90 steps.  If nothing moves, depths up to late
     * are left, but those of compliant contacts in small islands: there, they rest as deep as their loads
     * press them; in large ones, whose pushes are found by sweeps, that would take as long. */
    const int rests_as_loaded = !large && by_load > RLS_SEEN;
    const double few = large ? wanted->late : least;
    const int little = over <= RLS_LITTLE * (contact ? fmax (few, pressed (b, r)) : RLS_CLOSED),
              stays = w->stays && contact && depth <= wanted->late && !rests_as_loaded;
    if (little || stays) return 0;
    wanted->wholly |= at_once >= over;
    return fmax (fmin (b->row[r].share * over, b->row[r].most), fmin (over, at_once));
}

/* Sets target of the rows to the displacements (m or rad) that are wanted along them.  Sets work.farthest
 * and work.deepest. */
static wanted_push find_pushes (rls_symplectic *w, rls_island *s, double h)
{
    const rls_bounded *b = &s->begin.bounded;
    rls_bounded *end = &s->end.bounded;
    wanted_push wanted = {.late = rls_seen_late (s, h)};
    wanted.still = h * rls_fastest (s->model.bodies, w->u) <= RLS_LITTLE * wanted.late;
    w->deepest = 0;
    RLS_FOR_ROWS (b, j, r)
    {
        end->target[r] = 0;
        if (b->follow[r] >= 0) continue;
        const double push = wanted_of (w, b, j, r, h, &wanted);
        end->target[r] = b->hi[r] == 0 ? -push : push;
        wanted.largest = rls_larger (wanted.largest, push);
        wanted.compliant |= push > 0 && rls_bounded_is_soft (b, r);

        /* how deep a compliant contact is at the end of the step: by its load and the motion work.du, and
         * what no load has pressed in */
        if (r == b->row0[j] && rls_bounded_is_compliant_contact (b, j))
        {
            const double opened = rls_bounded_side (b, r) * h * rls_bounded_mean_velocity (w, s, j, r, h);
            b->row[r].left = b->row[r].late - push;
            b->row[r].pressed = fmax (0, b->row[r].pressed - opened);
        }

        /* the deepest contact with something that does not move, for rls_sink_by_gain */
        if (!rls_is_pushed (&s->begin.rows, b->body[j][0]) || !rls_is_pushed (&s->begin.rows, b->body[j][1]))
            w->deepest =
                fmax (w->deepest, (pushes (b, j, r) ? rls_bounded_depth (b, r) : 0) - push + pressed (b, r));
    }
    w->farthest = wanted.largest;
    return wanted;
}

/* Forms the complementarity problem of these displacements in a step of h (s) in end, without friction; stops
 * that are not reached may move as far as they have room.  Contacts are hardly soft, so that light bodies
 * lift heavy ones: in small islands, which are solved exactly, less than in large ones.  Stiff compliant
 * joints and stops resist as they do a motion: otherwise they would be displaced by the whole depth, and
 * spring back. */
static void form_problem (const rls_bounded *b, rls_bounded *end, double h)
{
    const double of_contacts = b->rows > RLS_SMALL_ISLAND ? RLS_SETTLING : RLS_DEPENDS;
    RLS_FOR_ROWS (b, j, r)
    {
        const int springs = rls_bounded_is_soft (b, r) && !rls_bounded_is_contact (b, j) &&
                            rls_rebound_softness (b, r, h) <= RLS_LITTLE * rls_bounded_mobility (b, j, r),
                  pushed = springs || pushes (b, j, r);
        const double moved = isnan (end->way[r]) ? 0 : end->way[r],
                     room = pushed && rls_bounded_is_one_sided (b, r)
                                ? fmax (0, b->row[r].gap + rls_bounded_side (b, r) * moved)
                                : 0;
        if (end->target[r] == 0) end->target[r] = (b->hi[r] == 0 ? 1 : -1) * room;
        end->softness[r] = springs ? rls_rebound_softness (b, r, h)
                                   : (rls_bounded_is_contact (b, j) ? of_contacts : RLS_YIELDING) *
                                         rls_bounded_mobility (b, j, r);
        end->lo[r] = pushed ? b->lo[r] : 0;
        end->hi[r] = pushed ? b->hi[r] : 0;
        end->p[r] = 0;
    }
}

/*
 * Returns by how much (m) contact j, whose normal is row r, opens because its point turns with the bodies, by
 * the step and by the displacement: half the square of the turn times the lever, which velocities along the
 * rows of the beginning leave out.
 */
static double lifted_by_turn (const rls_symplectic *w, const rls_island *s, int j, int r, double h)
{
    const rls_bounded *b = &s->begin.bounded;
    const int *body = b->body[j];
    double R[9], arm[3], lift = 0;
    rls_quaternion_matrix (w->pose[body[0]].q, R);
    rls_multiply (R, b->arm[j], arm);
    for (int side = 0; side < 2 && body[side] >= 0; ++side)
    {
        double lever[3], turn[3], across[3], inward[3];
        for (int k = 0; k < 3; ++k)
        {
            lever[k] = w->pose[body[0]].x[k] + arm[k] - w->pose[body[side]].x[k];
            turn[k] = h * w->u[body[side]][3 + k] + w->du[body[side]][3 + k];
        }
        rls_cross (turn, lever, across), rls_cross (turn, across, inward);
        lift += 0.5 * rls_dot3 (b->J[r] + 6 * side, inward);
    }
    return fmax (0, rls_bounded_side (b, r) * lift);
}

/*
 * Where contacts are pushed out at once, the bodies turn by the impact and by the displacement work.du.
 * Lowers the targets so that contacts overlap after that, by what was allowed or as they did: collision
 * detection would lose an end that the turn lifts, find the other end alone in the next step, and a log would
 * rock from end to end, each time deeper.  Corners and balls, of which it is known how they turn, are left
 * out; rims are not, whose other ends collision detection may miss.
 */
static void keep_overlaps (const rls_symplectic *w, rls_island *s, double h)
{
    const rls_bounded *b = &s->begin.bounded;
    double *target = s->end.bounded.target;
    const double least = RLS_CONTACT_SLOP * rls_seen_late (s, h);
    if (b->rows > RLS_SMALL_ISLAND) return; /* it is not known what touches */
    for (int j = 0; j < b->joints; ++j)
        for (int r = b->row0[j]; r < b->row0[j + 1] && rls_bounded_is_contact (b, j); ++r)
        {
            const double depth = pushes (b, j, r) ? rls_bounded_depth (b, r) : 0,
                         side = rls_bounded_side (b, r);
            const int known = b->points[j] && !(b->axis[j][3] > 0);
            if (!(depth > 0) || known) continue;
            const double most = fmax (0, depth + pressed (b, r) - least) - lifted_by_turn (w, s, j, r, h);
            target[r] = side * fmin (side * target[r], most);
        }
}

/* Angular parts of to := tensor x from, with the inertia or its inverse (body axes) at next.pose; only for
 * bodies with gyroscopic terms. */
static void turn_by_inertia (const rls_island *s, const double (*tensor)[9], const double (*from)[6],
                             double (*to)[6])
{
    for (int b = 0; b < s->model.bodies; ++b)
    {
        double world[9], turned[3];
        if (!s->model.movable[b] || !s->model.gyroscopic[b]) continue;
        rls_rotate_tensor (s->next.pose[b].q, tensor[b], world);
        rls_multiply (world, from[b] + 3, turned);
        memcpy (to[b] + 3, turned, sizeof (turned));
    }
}

/* Returns the work (J) that the forces would do on the bodies' way from the origin to next.pose. */
static double work_to_here (const rls_island *s)
{
    double work = 0;
    for (int b = 0; b < s->model.bodies; ++b)
        for (int k = 0; k < 3 && s->model.movable[b]; ++k)
            work += s->applied.force[b][k] * s->next.pose[b].x[k];
    return work;
}

/* Solves the problem for the displacement work.du, as asked.  Returns 1, or 0 without memory. */
static int solve (rls_symplectic *w, rls_island *s, const rls_bounded_settings *asked)
{
    /* in large islands with few depths by the rows concerned alone, unless joints have to be closed for
     * each */
    const int rough = asked->accuracy == RLS_ROUGH;
    if (s->begin.bounded.rows > RLS_SMALL_ISLAND && !(rough && s->begin.rows.rows > 0))
    {
        const rls_outcome done = rls_recover_by_few (w, s, asked->tolerance);
        if (done != RLS_ANOTHER_WAY) return done == RLS_DONE;
    }
    const rls_bounded problem = rls_bounded_at_beginning (s);
    memset (w->x, 0, sizeof (double) * (size_t)w->rows);
    memset (w->du, 0, sizeof (*w->du) * (size_t)s->model.bodies);
    return rls_bounded_solve_apart (s, &problem, asked, w->x, w->du);
}

/* The same with another problem of the step; in large islands whose problems need not be exact, from the
 * impulses that answered the last one. */
static int solve_another (rls_symplectic *w, rls_island *s, rls_bounded_settings asked)
{
    double *from = s->reactions.bounded_total;
    memcpy (from, s->end.bounded.p, sizeof (double) * (size_t)s->end.bounded.rows);
    asked.start = s->begin.bounded.rows > RLS_SMALL_ISLAND ? from : NULL;
    return solve (w, s, &asked);
}

/*
 * Adds friction to the problem if the displacement work.du moves bodies along a contact that bears by more
 * than the largest push.  It is the least one by mass: what is light goes out of the way of a heavy body that
 * is to rise from it, the farther the lighter it is.  Returns 1 if it does.
 */
static int hold_by_friction (const rls_symplectic *w, rls_island *s, double largest)
{
    const rls_bounded *b = &s->begin.bounded;
    rls_bounded *end = &s->end.bounded;
    int slides = 0;
    RLS_FOR_ROWS (b, j, r)
        slides |= b->follow[r] >= 0 && end->p[b->follow[r]] != 0 && !rls_bounded_turns (b, r) &&
                  fabs (rls_bounded_velocity (b, j, r, (const double (*)[6])w->du)) > largest;
    RLS_FOR_ROWS (b, j, r)
        if (slides && b->follow[r] >= 0 && pushes (b, j, b->follow[r]))
            end->lo[r] = b->lo[r], end->hi[r] = b->hi[r];
    return slides;
}

/* Displaces next.pose by work.du, and closes the joints there.  A displacement that is long compared with the
 * links may lead to where they cannot be closed; then only a part of it is made, or none. */
static rls_outcome push (rls_symplectic *w, rls_island *s)
{
    w->bounded_rows = RLS_BOUNDED_STALE;
    memcpy (s->scratch.predicted, s->next.pose, sizeof (*s->next.pose) * (size_t)s->model.bodies);
    for (int trial = 0;; ++trial)
    {
        const double share = trial == 0 ? 1 : trial < MOST_TRIALS ? SHORTER : 0;
        memcpy (s->next.pose, s->scratch.predicted, sizeof (*s->next.pose) * (size_t)s->model.bodies);
        rls_flat_scale (6 * (size_t)s->model.bodies, share, w->du[0], w->du[0]);
        rls_island_displace (s, (const double (*)[6])w->du);
        if (s->begin.rows.rows == 0) return RLS_DONE;
        RLS_TRY (rls_project_positions (s, w->tolerance, 1, INT_MAX));
        if (trial == MOST_TRIALS || s->account.projection_residual <= RLS_LEFT_OPEN_BY_A_STEP)
            return RLS_DONE;
    }
}

rls_outcome rls_recover_depths (rls_symplectic *w, rls_island *s, double h)
{
    rls_bounded_share (&s->end.bounded, &s->begin.bounded);
    const double before = work_to_here (s);
    rls_bounded_find_motion (w, s, h);
    const wanted_push wanted = find_pushes (w, s, h);
    if (wanted.largest == 0) return RLS_DONE;

    /* islands whose first half is not iterated have not evaluated their stops at next.pose yet */
    if (!rls_bounded_iterates (w, &s->begin.bounded) && !s->provider.bounded (s, s->next.pose))
        return RLS_FAILED;
    w->stays = 0;

    /* the displacement; what is missing of that of compliant contacts in piles is left to the next step */
    form_problem (&s->begin.bounded, &s->end.bounded, h);
    const int rough = wanted.compliant && s->begin.bounded.rows > RLS_SMALL_ISLAND;
    const rls_bounded_settings asked = {.tolerance =
                                            (rough ? RLS_FAIR_SHARE : RLS_PUSH_TOLERANCE) * wanted.largest,
                                        .again = 1,
                                        .accuracy = rough ? RLS_ROUGH : RLS_FAIR};
    if (!solve (w, s, &asked)) return RLS_NO_MEMORY;
    if (hold_by_friction (w, s, wanted.largest) && !solve_another (w, s, asked)) return RLS_NO_MEMORY;

    /* contacts that are pushed out at once must not be short of that because the problem is a little soft,
     * nor be lost because the bodies turn */
    if (wanted.wholly && !rough)
    {
        rls_bounded *end = &s->end.bounded;
        keep_overlaps (w, s, h);
        for (int r = 0; r < end->rows; ++r) end->target[r] += end->softness[r] * end->p[r];
        if (!solve_another (w, s, asked)) return RLS_NO_MEMORY;
    }

    /* angular momenta stay what they are, while the inertia turns with the bodies */
    turn_by_inertia (s, (const double (*)[9])s->model.inertia, (const double (*)[6])w->u, w->best);
    RLS_TRY (push (w, s));
    turn_by_inertia (s, (const double (*)[9])s->model.inverse_inertia, (const double (*)[6])w->best, w->u);
    w->push_work += work_to_here (s) - before;
    return rls_symplectic_look (w, s, h, 0) ? RLS_DONE : RLS_FAILED;
}
