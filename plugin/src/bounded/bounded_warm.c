/*
 * Warm start: impulses of the last step, found again in this one.
 *
 * Bounded joints are grouped by key.  A limit or a motor is alone in its group; all contacts of two bodies
 * share one.  Within a group, a contact takes over the impulses of the nearest contact of the last step.
 * Contact points come and go even between bodies at rest: where some of the old or new ones have no
 * counterpart, the new impulses are completed so that the group's total wrench is the old one
 * (bounded_wrench.c).
 */
#include "bounded_work.h"

#define STIRRED 4 /* a step stirs an island where one pair of bodies in so many touches elsewhere */

/* The slot of a key in the hash table, or the empty one where it would go (linear probing). */
static size_t slot_of (const rls_warm_start *w, uint64_t key)
{
    size_t at = (size_t)(key * 0x9E3779B97F4A7C15ull >> 32) & (w->slots - 1);
    while (w->slot[at] >= 0 && w->group_key[w->slot[at]] != key) at = (at + 1) & (w->slots - 1);
    return at;
}

static void lay_out (rls_warm_start *w, rls_arena_cursor *c)
{
    const size_t joints = (size_t)w->joints, rows = (size_t)w->rows;
    RLS_TAKE (c, w->slots, w->slot);
    RLS_TAKE (c, joints, w->group_key, w->first, w->last, w->next, w->body1, w->centre, w->arm, w->lever,
              w->taken, w->late, w->pressed, w->later);
    RLS_TAKE (c, joints + 1, w->row0);
    RLS_TAKE (c, rows, w->held, w->J, w->p);
}

void rls_contact_place (const rls_island *s, int j, double arm[2][3], double lever[2][3])
{
    const rls_bounded *b = &s->begin.bounded;
    const rls_pose *const pose = s->state.pose;
    const int *body = b->body[j];
    double R[9], point[3];

    /* on body 1, and in world coordinates */
    memcpy (arm[0], b->arm[j], sizeof (arm[0]));
    memset (arm[1], 0, sizeof (arm[1]));
    memset (lever, 0, 2 * sizeof (*lever));
    if (body[0] < 0) return;
    rls_quaternion_matrix (pose[body[0]].q, R);
    rls_multiply (R, arm[0], lever[0]);
    memcpy (lever[1], lever[0], sizeof (*lever));
    for (int k = 0; k < 3; ++k) point[k] = lever[0][k] + pose[body[0]].x[k];
    memcpy (arm[1], point, sizeof (point));
    if (body[1] < 0) return;

    /* on body 2 */
    for (int k = 0; k < 3; ++k) point[k] -= pose[body[1]].x[k];
    memcpy (lever[1], point, sizeof (*lever));
    rls_quaternion_matrix (pose[body[1]].q, R);
    rls_multiply_transposed (R, point, arm[1]);
}

int rls_warm_group (rls_warm_start *w, const rls_island *island)
{
    const rls_bounded *b = &island->begin.bounded;
    const int same = w->block.memory && w->joints == b->joints && w->rows == b->rows;
    w->joints = b->joints;
    w->rows = b->rows;

    /* a hash table of groups, at most half full */
    for (w->slots = 16; w->slots < 2 * (size_t)b->joints;) w->slots *= 2;
    const int done = same || RLS_LAY_OUT (w, &w->block, lay_out);
    if (!done)
    {
        w->joints = w->rows = 0;
        return 0;
    }

    /* each joint joins the group of its key */
    w->groups = 0;
    for (size_t i = 0; i < w->slots; ++i) w->slot[i] = -1;
    for (int j = 0; j < b->joints; ++j)
    {
        const size_t at = slot_of (w, b->key[j]);
        int g = w->slot[at];
        w->next[j] = -1, w->body1[j] = b->body[j][0];
        if (g >= 0)
            w->next[w->last[g]] = j;
        else
        {
            g = w->slot[at] = w->groups++;
            w->group_key[g] = b->key[j];
            w->first[g] = j;
        }
        w->last[g] = j;
        rls_contact_place (island, j, w->arm[j], w->lever[j]);
    }
    memcpy (w->row0, b->row0, sizeof (int) * (size_t)(b->joints + 1));
    return 1;
}

/*
 * The joint of an old group that is nearest to the one with these arms and levers and not taken yet; -1 if
 * none is within the distance that a contact may move in a step (RLS_SAME_POINT of its arm).  It has stayed
 * where it was on one of its bodies or, if levers are given (else NULL), from the centre of one, as the point
 * on which a body rolls.
 */
static int find_joint (rls_warm_start *old, int group, const double arm[2][3], const double (*lever)[3])
{
    const double share = RLS_SAME_POINT * RLS_SAME_POINT,
                 rounding = RLS_SEEN * RLS_SEEN; /* a contact without friction has no arm along its normal */
    double nearest = HUGE_VAL;
    int best = -1;
    for (int i = old->first[group]; i >= 0; i = old->next[i])
    {
        if (old->taken[i]) continue;
        const double on_body =
            fmin (rls_apart2 (arm[0], old->arm[i][0]), rls_apart2 (arm[0], old->arm[i][1]));
        if (on_body < nearest && on_body <= share * rls_dot3 (arm[0], arm[0]) + rounding)
            nearest = on_body, best = i;
        for (int side = 0; side < 2 && lever; ++side)
        {
            const double from_centre = rls_apart2 (lever[side], old->lever[i][side]);
            if (from_centre < nearest &&
                from_centre <= share * rls_dot3 (lever[side], lever[side]) + rounding)
                nearest = from_centre, best = i;
        }
    }
    if (best >= 0) old->taken[best] = 1;
    return best;
}

int rls_warm_load (rls_warm_start *old, rls_warm_start *now, rls_island *island)
{
    rls_bounded *b = &island->begin.bounded;
    int found = 0, elsewhere = 0;
    memset (b->p, 0, sizeof (double) * (size_t)b->rows);
    if (old->joints == 0) return 0;
    memset (old->taken, 0, (size_t)old->joints);
    for (int g = 0; g < now->groups; ++g)
    {
        const int from = old->slot[slot_of (old, now->group_key[g])];
        if (from < 0) continue;
        ++found;

        /* contact by contact, then the wrench if one has no counterpart */
        int missing = 0;
        for (int j = now->first[g]; j >= 0; j = now->next[j])
        {
            const int i = find_joint (old, from, now->arm[j], NULL), m = b->row0[j + 1] - b->row0[j];
            missing |= i < 0;
            if (i >= 0 && m == old->row0[i + 1] - old->row0[i])
                memcpy (b->p + b->row0[j], old->p + old->row0[i], sizeof (double) * (size_t)m);
        }
        for (int i = old->first[from]; i >= 0; i = old->next[i]) missing |= !old->taken[i];
        elsewhere += missing;
        if (missing) rls_spread_wrench (island, now, g, old, from);
    }
    return STIRRED * (elsewhere + now->groups + old->groups - 2 * found) > now->groups;
}

void rls_warm_keep (rls_warm_start *w, const rls_island *island)
{
    const rls_bounded *b = &island->begin.bounded;
    memset (w->later, 0, sizeof (double) * (size_t)b->joints);
    memcpy (w->p, b->p, sizeof (double) * (size_t)b->rows);
    for (int j = 0; j < b->joints; ++j)
    {
        const rls_bounded_row *normal = &b->row[b->row0[j]];
        const double by_impulse = fmin (normal->left, normal->yields * fabs (b->p[b->row0[j]]));
        const int stop = !isnan (normal->stop);
        w->late[j] = stop ? normal->stop : normal->left - by_impulse;
        w->pressed[j] = rls_bounded_is_contact (b, j) && !rls_bounded_is_compliant_contact (b, j)
                            ? rls_bounded_depth (b, b->row0[j])
                            : normal->pressed + by_impulse;
    }
    for (int r = 0; r < b->rows; ++r) memcpy (w->J[r], b->J[r], sizeof (w->J[r]));
    for (int g = 0; g < w->groups; ++g)
    {
        const int body = w->body1[w->first[g]];
        memset (w->centre[g], 0, sizeof (w->centre[g]));
        if (body >= 0) memcpy (w->centre[g], island->state.pose[body].x, sizeof (w->centre[g]));
    }
}

/* ---- what else is known of the last step ---- */

/* Returns the joint of the last step that joint j was, or -1.  *old: where it is kept. */
static int recall (const rls_island *island, int j, rls_warm_start **old)
{
    const rls_bounded *b = &island->begin.bounded;
    struct rls_bounded_kept *kept = island->bounded_kept;
    *old = kept && kept->warm[1 - kept->turn].joints > 0 ? &kept->warm[1 - kept->turn] : NULL;
    if (!*old) return -1;
    if (j == 0) memset ((*old)->taken, 0, (size_t)(*old)->joints);
    const int group = (*old)->slot[slot_of (*old, b->key[j])];
    double arm[2][3], lever[2][3];
    if (group < 0) return -1;
    rls_contact_place (island, j, arm, lever);
    return find_joint (*old, group, arm, lever);
}

void rls_bounded_recall_late (rls_island *island)
{
    const rls_bounded *b = &island->begin.bounded;
    rls_warm_start *old;
    for (int j = 0; j < b->joints; ++j)
    {
        rls_bounded_row *normal = &b->row[b->row0[j]];
        const int wanted = rls_bounded_is_compliant_contact (b, j) || !isnan (normal->stop),
                  i = wanted || j == 0 ? recall (island, j, &old) : -1;
        normal->late = NAN;
        if (wanted && i >= 0) normal->late = old->late[i], normal->pressed = old->pressed[i];
    }
}

void rls_bounded_recall_later (rls_island *island)
{
    const rls_bounded *b = &island->begin.bounded;
    rls_warm_start *old;
    for (int j = 0; j < b->joints; ++j)
    {
        const int i = recall (island, j, &old);
        if (i >= 0) b->later[j] = old->later[i];
    }
}

int rls_bounded_has_jumped (const rls_island *island, int j, double depth)
{
    struct rls_bounded_kept *kept = island->bounded_kept;
    rls_warm_start *old = &kept->warm[kept->turn];
    const int group = old->joints > 0 ? old->slot[slot_of (old, island->begin.bounded.key[j])] : -1;
    double deepest = 0, arm[2][3], lever[2][3];
    for (int i = group >= 0 ? old->first[group] : -1; i >= 0; i = old->next[i])
        deepest = fmax (deepest, old->pressed[i]), old->taken[i] = 0;
    if (deepest < 0.5 * depth) return 0;
    rls_contact_place (island, j, arm, lever);
    return find_joint (old, group, arm, lever) < 0;
}
