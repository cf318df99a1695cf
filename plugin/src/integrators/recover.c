/* Reduces the depth of contacts and stops by a displacement; contract and equations in recover.h. */
#include "recover.h"
#include "bounded/bounded.h"
#include "bounded_halves.h"
#include "kernels/mobility.h"
#include "symplectic_parts.h"
#include "rebounds.h"

/* A displacement that leaves joints open is tried again, at most MOST_TRIALS times, each time SHORTER times
 * as long as before; the last one has no length. */
#define MOST_TRIALS 4
#define SHORTER 0.25

/* Returns 1 for the rows whose depth is reduced: hard stops and normals of contacts, but for those that
 * rebound, which leave their depth by that. */
static int pushes (const rls_bounded *b, int r)
{
    const int hard = !rls_bounded_is_soft (b, r);
    return b->follow[r] < 0 && rls_bounded_is_one_sided (b, r) && hard && !rls_row_rebounds (b, r);
}

double rls_seen_late (const rls_island *s, double h)
{
    double g = 0;
    for (int b = 0; b < s->model.bodies; ++b)
        g = fmax (g, sqrt (rls_dot3 (s->applied.gravity[b], s->applied.gravity[b])));
    return g * h * h;
}

/* Returns how far (m or rad) row r may move towards a stop that is not reached. */
static double room (const rls_bounded *b, const rls_bounded *end, int r)
{
    const double moved = isnan (end->way[r]) ? 0 : end->way[r];
    return pushes (b, r) ? fmax (0, b->row[r].gap + rls_bounded_side (b, r) * moved) : 0;
}

/*
 * Returns the depth (m) that a contact may be pushed out by at once in the step of its impact: the height to
 * which a third of the energy that the impact loses, v^2 / 2 for each kilogram, lifts it against gravity.
 * late: g h^2. The rest has to be lifted by steps that lose no energy.  With all of the energy, bodies that
 * rock from edge to edge would do so for ever.
 */
static double lifted_by_impact (const rls_bounded *b, int j, int r, double depth, double h, double late)
{
    const double way = h * fmax (0, b->lo[r] == 0 ? -b->before[r] : b->before[r]);
    if (!rls_bounded_is_contact (b, j) || b->row[r].bounce > 0) return 0;
    return late > 0 ? way * way / (6 * late) : way > 0 ? depth : 0;
}

/* Sets target of the rows to the displacements (m or rad) that are wanted along them: ODE's share of the
 * depth without the slop, or all of it.  Returns the largest of them, 0 if there is none; wholly: 1 if some
 * contacts are to be pushed out at once.  Sets work.farthest and work.deepest. */
static double find_pushes (rls_symplectic *w, rls_island *s, double h, int *wholly)
{
    const rls_bounded *b = &s->begin.bounded;
    rls_bounded *end = &s->end.bounded;
    const double late = rls_seen_late (s, h), least = RLS_CONTACT_SLOP * late;
    double largest = 0;
    *wholly = 0, w->deepest = 0;
    for (int j = 0; j < b->joints; ++j)
        for (int r = b->row0[j]; r < b->row0[j + 1]; ++r)
        {
            const int contact = rls_bounded_is_contact (b, j);
            const double allowed = contact ? least : RLS_CLOSED;
            end->target[r] = 0;
            if (b->follow[r] >= 0) continue;

            /* depths that are little over what is allowed would take 90 steps; if nothing moves, depths up to
             * late are left */
            const double depth = pushes (b, r) ? rls_bounded_depth (b, r) : 0, over = depth - allowed;
            const double at_once = lifted_by_impact (b, j, r, depth, h, late);
            const int little = over <= RLS_LITTLE * allowed || (w->stays && contact && depth <= late),
                      whole = !little && at_once >= over;
            const double push = little ? 0 : fmax (b->row[r].share * over, fmin (over, at_once));
            end->target[r] = b->hi[r] == 0 ? -push : push;
            largest = rls_larger (largest, push);
            *wholly |= whole;

            /* the deepest contact with something that does not move, for rls_sink_by_gain */
            if (!rls_is_pushed (&s->begin.rows, b->body1[j]) || !rls_is_pushed (&s->begin.rows, b->body2[j]))
                w->deepest = fmax (w->deepest, depth - push);
        }
    return w->farthest = largest;
}

/* Forms the complementarity problem of these displacements in end; other stops may move as far as they have
 * room. */
static void form_problem (const rls_bounded *b, rls_bounded *end)
{
    for (int j = 0; j < b->joints; ++j)
        for (int r = b->row0[j]; r < b->row0[j + 1]; ++r)
        {
            const int pushed = pushes (b, r);
            if (end->target[r] == 0) end->target[r] = (b->hi[r] == 0 ? 1 : -1) * room (b, end, r);
            end->softness[r] = RLS_YIELDING * rls_bounded_mobility (b, j, r);
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
    const int body[2] = {b->body1[j], b->body2[j]};
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
 * out.
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
            const double depth = pushes (b, r) ? rls_bounded_depth (b, r) : 0, side = rls_bounded_side (b, r);
            if (!(depth > 0) || b->points[j]) continue;
            const double most = fmax (0, depth - least) - lifted_by_turn (w, s, j, r, h);
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
        double R[9], world[9], turned[3];
        if (!s->model.movable[b] || !s->model.gyroscopic[b]) continue;
        rls_quaternion_matrix (s->next.pose[b].q, R);
        rls_rotate_tensor (R, tensor[b], world);
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

/* Solves the problem for the displacement work.du, to the tolerance exact (m).  Returns 1, or 0 without
 * memory. */
static int solve (rls_symplectic *w, rls_island *s, double exact)
{
    /* in large islands with few depths by the rows concerned alone */
    if (s->begin.bounded.rows > RLS_SMALL_ISLAND)
    {
        const rls_outcome done = rls_recover_by_few (w, s, exact);
        if (done != RLS_ANOTHER_WAY) return done == RLS_DONE;
    }
    const rls_bounded problem = rls_bounded_at_beginning (s);
    memset (w->x, 0, sizeof (double) * (size_t)w->rows);
    memset (w->du, 0, sizeof (*w->du) * (size_t)s->model.bodies);
    return rls_bounded_solve_apart (s, &problem, 1, w->x, exact, w->du);
}

/* next.pose := scratch.predicted displaced by share times work.du, with the joints closed there. */
static rls_outcome push_by (rls_symplectic *w, rls_island *s, double share)
{
    w->bounded_rows = RLS_BOUNDED_STALE;
    memcpy (s->next.pose, s->scratch.predicted, sizeof (*s->next.pose) * (size_t)s->model.bodies);
    rls_flat_scale (6 * (size_t)s->model.bodies, share, w->du[0], w->du[0]);
    for (int b = 0; b < s->model.bodies; ++b)
        if (s->model.movable[b]) rls_pose_displace (&s->next.pose[b], w->du[b]);
    return s->begin.rows.rows > 0 ? rls_project_positions (s, w->tolerance, 1) : RLS_DONE;
}

/* Displaces next.pose by work.du.  A displacement that is long compared with the links may lead to where the
 * joints cannot be closed; then only a part of it is made, or none. */
static rls_outcome push (rls_symplectic *w, rls_island *s)
{
    memcpy (s->scratch.predicted, s->next.pose, sizeof (*s->next.pose) * (size_t)s->model.bodies);
    rls_outcome done = push_by (w, s, 1);
    for (int i = 1; i <= MOST_TRIALS && done == RLS_DONE && s->begin.rows.rows > 0 &&
                    s->account.projection_residual > RLS_LEFT_OPEN_BY_A_STEP;
         ++i)
        done = push_by (w, s, i < MOST_TRIALS ? SHORTER : 0);
    return done;
}

rls_outcome rls_recover_depths (rls_symplectic *w, rls_island *s, double h)
{
    rls_bounded_share (&s->end.bounded, &s->begin.bounded);
    int wholly;
    const double largest = find_pushes (w, s, h, &wholly), before = work_to_here (s);
    if (largest == 0) return RLS_DONE;

    /* islands whose first half is not iterated have not evaluated their stops at next.pose yet */
    if (!rls_bounded_iterates (w, &s->begin.bounded) && !s->provider.bounded (s, s->next.pose))
        return RLS_FAILED;
    w->stays = 0;

    /* the displacement */
    form_problem (&s->begin.bounded, &s->end.bounded);
    const double exact = RLS_PUSH_TOLERANCE * largest;
    if (!solve (w, s, exact)) return RLS_NO_MEMORY;

    /* contacts that are pushed out at once must not be short of that because the problem is a little soft,
     * nor be lost because the bodies turn */
    if (wholly)
    {
        rls_bounded *end = &s->end.bounded;
        keep_overlaps (w, s, h);
        for (int r = 0; r < end->rows; ++r) end->target[r] += end->softness[r] * end->p[r];
        if (!solve (w, s, exact)) return RLS_NO_MEMORY;
    }

    /* angular momenta stay what they are, while the inertia turns with the bodies */
    turn_by_inertia (s, (const double (*)[9])s->model.inertia, (const double (*)[6])w->u, w->best);
    const rls_outcome done = push (w, s);
    if (done != RLS_DONE) return done;
    turn_by_inertia (s, (const double (*)[9])s->model.inverse_inertia, (const double (*)[6])w->best, w->u);
    w->push_work += work_to_here (s) - before;
    return rls_symplectic_look (w, s, h, 0) ? RLS_DONE : RLS_FAILED;
}
