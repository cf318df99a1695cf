/*
 * Order, factor and rank decisions of an island for one step.
 *
 * The elimination order is kept while the topology stays.  Rank is decided at the beginning of the step,
 * on the constraint manifold, with a tolerance that follows the violation: a violation of relative size e
 * turns the pivot of a redundant row from 0 into about e^2.  The decisions of the last step give
 * hysteresis, so that the rank does not flicker near a singular configuration.
 */
#include "island/reuse.h"
#include "history.h"
#include "ode/drives.h"
#include "tolerances.h"
#include <limits.h>
#include <math.h>
#include <string.h>

#define POINT_ROWS 3  /* of its joints at most: rods and balls stay nearly singular, rows of hinges pass */
#define MESH_LOOPS 32 /* joints more than bodies from which an island is a mesh */

static void lay_out_topology (rls_workspace *workspace, rls_arena_cursor *c)
{
    const size_t joints = (size_t)workspace->island.rows.joints;
    workspace->kept_movable = rls_arena_take (c, (size_t)workspace->island.bodies, 1);
    workspace->kept_body1 = rls_arena_take (c, joints, sizeof (int));
    workspace->kept_body2 = rls_arena_take (c, joints, sizeof (int));
    workspace->kept_row0 = rls_arena_take (c, joints + 1, sizeof (int));
    workspace->kept_key = rls_arena_take (c, joints, sizeof (double));
}

int rls_topology_copy (rls_workspace *to, const rls_workspace *from)
{
    int done;
    RLS_LAY_OUT_COPY (to, &to->topology, &from->topology, lay_out_topology, done);
    if (!from->kept_movable) to->kept_movable = NULL;
    return done;
}

static int same (const int *a, const int *b, int n)
{
    return n == 0 || memcmp (a, b, sizeof (int) * (size_t)n) == 0;
}

static double priority_of (const rls_workspace *workspace, int row_joint)
{
    const dJointID joint = workspace->joint[workspace->island.ode_joint[row_joint]];
    for (int i = 0; i < workspace->priority_count; ++i)
        if (workspace->priorities[i].joint == joint) return workspace->priorities[i].priority;
    return 0;
}

static int priorities_stay (const rls_workspace *workspace)
{
    if (workspace->same_objects && workspace->kept_priority_changes == workspace->settings->priority_changes)
        return 1;
    for (int j = 0; j < workspace->island.rows.joints; ++j)
        if (priority_of (workspace, j) != workspace->kept_key[j]) return 0;
    return 1;
}

static int topology_stays (const rls_workspace *workspace)
{
    const rls_island *s = &workspace->island;
    const rls_settings *set = workspace->settings;
    return workspace->kept_movable && workspace->kept_bodies == s->bodies &&
           workspace->kept_joints == s->rows.joints && workspace->kept_rows == s->rows.rows &&
           workspace->kept_order == set->order && workspace->kept_seed == set->order_seed &&
           memcmp (workspace->kept_movable, s->movable, (size_t)s->bodies) == 0 &&
           same (workspace->kept_body1, s->body1, s->rows.joints) &&
           same (workspace->kept_body2, s->body2, s->rows.joints) &&
           same (workspace->kept_row0, s->row0, s->rows.joints + 1) &&
           (set->order != dRLSOrderPriority || priorities_stay (workspace));
}

/* A reproducible permutation: splitmix64 over the seed and the joint's place. */
static double random_key (unsigned long seed, int joint)
{
    uint64_t x = (uint64_t)seed + (uint64_t)(joint + 1) * 0x9E3779B97F4A7C15ull;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
    return (double)((x ^ (x >> 31)) >> 11);
}

static int analyse (rls_workspace *workspace)
{
    rls_island *s = &workspace->island;
    const rls_settings *set = workspace->settings;
    const size_t joints = (size_t)s->rows.joints;
    int done;
    rls_history_end (workspace, RLS_MECHANISM_CHANGED);
    s->mesh = s->rows.joints - s->bodies > MESH_LOOPS && s->rows.rows <= POINT_ROWS * s->rows.joints;

    /* the order, by key where the user wants one */
    RLS_LAY_OUT (workspace, &workspace->topology, lay_out_topology, done);
    if (done)
    {
        const int keyed = set->order == dRLSOrderPriority || set->order == dRLSOrderRandom;
        for (int j = 0; j < s->rows.joints && keyed; ++j)
            workspace->kept_key[j] =
                set->order == dRLSOrderRandom ? random_key (set->order_seed, j) : priority_of (workspace, j);
        done = rls_order_analyse (&s->order, &s->rows, s->movable, s->bodies, set->order,
                                  keyed ? workspace->kept_key : NULL);
    }
    if (!done)
    {
        workspace->kept_movable = NULL;
        return 0;
    }

    /* what it was made for */
    memcpy (workspace->kept_movable, s->movable, (size_t)s->bodies);
    memcpy (workspace->kept_body1, s->body1, sizeof (int) * joints);
    memcpy (workspace->kept_body2, s->body2, sizeof (int) * joints);
    memcpy (workspace->kept_row0, s->row0, sizeof (int) * (joints + 1));
    workspace->kept_bodies = s->bodies;
    workspace->kept_joints = s->rows.joints;
    workspace->kept_rows = s->rows.rows;
    workspace->kept_order = set->order;
    workspace->kept_seed = set->order_seed;
    workspace->kept_priority_changes = set->priority_changes;
    return 1;
}

/* The largest position residual relative to the length of its row, an angle or a length over the unit: of the
 * joints' rows that were redundant in the last step, or of the others, up to a priority number.  What a drive
 * still wants says nothing about how well the rows are known, and what is below least does not matter. */
static double relative_violation (const rls_rows *rows, const unsigned char *previous, int redundant,
                                  int priority, double least)
{
    double worst = least;
    for (int j = 0; j < rows->joints; ++j)
        for (int r = rows->row0[j]; r < rows->row0[j + 1]; ++r)
        {
            if ((previous && previous[r] == RLS_REDUNDANT) != redundant) continue;
            if (rls_is_drive (rows->precedence, r)) continue;
            if (rows->precedence->ranked && rows->precedence->priority[r] > priority) continue;
            if (rls_is_compact (rows, j) && fabs (rows->residual[r]) <= worst)
                continue; /* of length 1 at least */
            const double size = rls_row_length (rows, j, r);
            if (size > 0) worst = fmax (worst, fabs (rows->residual[r]) / size);
        }
    return worst;
}

/* Whether there may be rows that hold a velocity or follow a function of time. */
static int may_be_driven (const rls_workspace *workspace)
{
    const rls_rows *rows = &workspace->island.rows;
    int any = workspace->drive_count > 0;
    for (int r = 0; r < rows->rows && !any; ++r) any = rows->target[r] != 0;
    return any;
}

/* The turn of a row of row joint i at which it gives way: 0 for a joint's own, then drives as they were set,
 * then motors that hold a velocity.  (Corrections that keep ODE's right-hand sides have targets everywhere.)
 */
static int turn_of (const rls_workspace *workspace, int i, int r)
{
    const rls_island *s = &workspace->island;
    const int j = s->ode_joint[i], driven = s->ode_row[r] == workspace->joint_rows[j];
    if (driven) return 1 + (int)(rls_drive_of (workspace, workspace->joint[j]) - workspace->drives);
    if (workspace->settings->correction != dRLSCorrectionProjection || s->rows.sigma2[r] > 0) return 0;
    return s->rows.target[r] != 0 ? 1 + workspace->drive_count + r : 0;
}

/* 1 if joints have different priorities that are to be heeded. */
static int is_ranked (const rls_workspace *workspace)
{
    if (workspace->settings->order != dRLSOrderPriority) return 0;
    for (int j = 1; j < workspace->island.rows.joints; ++j)
        if (workspace->kept_key[j] != workspace->kept_key[0]) return 1;
    return 0;
}

/*
 * Lists the rows that give way.  Those that did before go on waiting, so that the same drives stay in force;
 * where others do, decisions are made anew.  Returns 0 without memory.
 */
static int find_precedence (rls_workspace *workspace)
{
    rls_island *s = &workspace->island;
    rls_precedence *y = &s->precedence;
    const int before = y->count;
    int changed = 0;
    y->count = 0;
    y->ranked = is_ranked (workspace);
    if (!may_be_driven (workspace) && before == 0 && !y->ranked) return 1;
    if (!rls_precedence_lay_out (y, s->bodies, s->rows.rows)) return 0;
    for (int i = 0; i < s->rows.joints; ++i)
    {
        const int priority =
            workspace->settings->order == dRLSOrderPriority ? (int)workspace->kept_key[i] : 0;
        for (int r = s->row0[i]; r < s->row0[i + 1]; ++r)
        {
            const int turn = turn_of (workspace, i, r);
            changed |= turn != y->turn[r] || priority != y->priority[r];
            y->turn[r] = turn, y->priority[r] = priority;
            y->count += turn > 0;
            if ((turn == 0 && !y->ranked) || !s->reusable) y->late[r] = 0;
        }
    }
    if (changed) s->now_exact = 0;
    return 1;
}

/*
 * The rank tolerance of the step.  Axes that are a little out of line leave redundant rows open by e, and by
 * more where the mechanism magnifies it.  Such a row with the relative pivot s closes by a displacement of e
 * / sqrt (s); where that is large beside e it would not close its joint but stop the mechanism.  What this
 * forgives stays far below all pivots that were kept.
 */
static double tolerance_of_step (const rls_workspace *workspace)
{
    const rls_island *s = &workspace->island;
    const double least = workspace->settings->rank_tolerance;
    if (!s->reusable) return least;
    const double forgiven = sqrt (least) / RLS_MISFIT;
    const double e = RLS_MISFIT * relative_violation (&s->rows, s->previous, 1, INT_MAX, forgiven / 2);
    return fmax (least, fmin (e * e, fmin (RLS_UNSURE_PIVOT, RLS_LITTLE * s->decided_gap)));
}

/* The same while kept rows are open, of those up to a priority number: what goes after them says nothing
 * about them.
 */
static double tolerance_up_to (const rls_workspace *workspace, const unsigned char *previous, int priority)
{
    const double least = workspace->island.rank_tolerance;
    const double e = relative_violation (&workspace->island.rows, previous, 0, priority, sqrt (least) / 2);
    return fmin (fmax (least, e * e), fmax (RLS_LARGEST_TOLERANCE, least));
}

/* The tolerance of the beginning and, where priorities have a say in it, that of each row. */
static double find_tolerances (rls_workspace *workspace, const unsigned char *previous)
{
    rls_precedence *y = &workspace->island.precedence;
    const double tolerance = tolerance_up_to (workspace, previous, INT_MAX);
    y->open = y->ranked && tolerance > workspace->island.rank_tolerance;
    for (int r = 0; r < workspace->island.rows.rows && y->open; ++r)
        y->tolerance[r] = r > 0 && y->priority[r] == y->priority[r - 1]
                              ? y->tolerance[r - 1]
                              : tolerance_up_to (workspace, previous, y->priority[r]);
    return tolerance;
}

/* A damped step goes on where the last one ended, and decides nothing; see damped.h. */
static int will_be_damped (const rls_workspace *workspace)
{
    const rls_island *s = &workspace->island;
    return !workspace->analyse && s->begin_damped && s->pausing > 0 && s->bounded.rows == 0 &&
           workspace->soft_rows == 0 && s->precedence.count == 0 &&
           workspace->settings->correction == dRLSCorrectionProjection;
}

int rls_workspace_order (rls_workspace *workspace)
{
    if (topology_stays (workspace)) return 1;
    if (analyse (workspace)) return 1;
    workspace->status = dRLSStatusNoMemory;
    return 0;
}

int rls_workspace_factor (rls_workspace *workspace)
{
    rls_island *s = &workspace->island;
    if (!find_precedence (workspace))
    {
        workspace->status = dRLSStatusNoMemory;
        return 0;
    }
    const double least = s->rank_tolerance = tolerance_of_step (workspace);
    if (workspace->analyse ? rls_reuse_borrow (s, least) : rls_reuse_factor (s, least)) return 1;
    if (will_be_damped (workspace)) return 1;
    if (!rls_mass_scaling_find (&s->mass_scaling, &s->rows, &s->order, s->bodies, s->movable,
                                (const double (*)[9])s->inertia))
    {
        workspace->status = dRLSStatusNoMemory;
        return 0;
    }
    const unsigned char *previous = s->reusable ? s->previous : NULL;
    const double tolerance = find_tolerances (workspace, previous);
    ++s->factorisations;
    const rls_outcome done = rls_factor_rows (&s->factor, &s->order, &s->rows, tolerance, NULL, previous);
    s->precedence.open = 0;
    if (done == RLS_DONE && (workspace->analyse || rls_reuse_keep_decisions (s))) return 1;
    workspace->status = done == RLS_FAILED ? dRLSStatusNotFinite : dRLSStatusNoMemory;
    return 0;
}
