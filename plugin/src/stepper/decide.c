/*
 * Order, factor and rank decisions of an island for one step.
 *
 * The elimination order is kept while the topology stays.  Rank is decided at the beginning of the step,
 * on the constraint manifold, with a tolerance that follows the violation: a violation of relative size e
 * turns the pivot of a redundant row from 0 into about e^2.  The decisions of the last step give
 * hysteresis, so that the rank does not flicker near a singular configuration.
 */
#include "ode/gather.h"
#include "island/reuse.h"
#include "corrections/correct.h"
#include <limits.h>

#define POINT_ROWS 3  /* of its joints at most: rods and balls stay nearly singular, rows of hinges pass */
#define MESH_LOOPS 32 /* joints more than bodies from which an island is a mesh */

static void lay_out (rls_workspace *workspace, rls_arena_cursor *c)
{
    rls_kept_topology *kept = &workspace->kept;
    const size_t joints = (size_t)workspace->island.begin.rows.joints;
    RLS_TAKE (c, kept->movable, (size_t)workspace->island.model.bodies);
    RLS_TAKE_ALL (c, joints, int, &kept->body1, &kept->body2);
    RLS_TAKE (c, kept->row0, joints + 1);
    RLS_TAKE (c, kept->key, joints);
}

static int same (const int *a, const int *b, int n)
{
    return n == 0 || memcmp (a, b, sizeof (int) * (size_t)n) == 0;
}

static double priority_of (const rls_workspace *workspace, int row_joint)
{
    const dJointID joint = workspace->objects.joint[workspace->island.mechanism.ode_joint[row_joint]];
    const rls_priority *known = RLS_WISH_OF (workspace->wishes->priorities, joint);
    return known ? known->priority : 0;
}

static int priorities_stay (const rls_workspace *workspace)
{
    for (int j = 0; j < workspace->island.begin.rows.joints; ++j)
        if (priority_of (workspace, j) != workspace->kept.key[j]) return 0;
    return 1;
}

static int topology_stays (const rls_workspace *workspace)
{
    const rls_island *s = &workspace->island;
    const rls_settings *set = workspace->settings;
    const rls_kept_topology *kept = &workspace->kept;
    const int joints = s->begin.rows.joints;
    return kept->movable && kept->bodies == s->model.bodies && kept->joints == joints &&
           kept->rows == s->begin.rows.rows && kept->order == set->order && kept->seed == set->order_seed &&
           memcmp (kept->movable, s->model.movable, (size_t)s->model.bodies) == 0 &&
           same (kept->body1, s->mechanism.body1, joints) && same (kept->body2, s->mechanism.body2, joints) &&
           same (kept->row0, s->mechanism.row0, joints + 1) &&
           (set->order != dRLSOrderPriority || priorities_stay (workspace)) &&
           rls_order_dense_bodies_stay (&s->elimination.order, &s->begin.rows);
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
    rls_kept_topology *kept = &workspace->kept;
    const size_t joints = (size_t)s->begin.rows.joints;
    int done;
    rls_history_end (workspace, RLS_MECHANISM_CHANGED);
    s->mechanism.mesh = s->begin.rows.joints - s->model.bodies > MESH_LOOPS &&
                        s->begin.rows.rows <= POINT_ROWS * s->begin.rows.joints;

    /* the order, by key where the user wants one */
    RLS_LAY_OUT (workspace, &kept->block, lay_out, done);
    if (done)
    {
        const int random = set->order == dRLSOrderRandom, keyed = random || set->order == dRLSOrderPriority;
        for (int j = 0; j < s->begin.rows.joints && keyed; ++j)
            kept->key[j] = random ? random_key (set->order_seed, j) : priority_of (workspace, j);
        done =
            rls_order_analyse (&s->elimination.order, &s->begin.rows, set->order, keyed ? kept->key : NULL);
    }
    if (!done) kept->movable = NULL;
    if (!done) return 0;

    /* what it was made for */
    memcpy (kept->movable, s->model.movable, (size_t)s->model.bodies);
    memcpy (kept->body1, s->mechanism.body1, sizeof (int) * joints);
    memcpy (kept->body2, s->mechanism.body2, sizeof (int) * joints);
    memcpy (kept->row0, s->mechanism.row0, sizeof (int) * (joints + 1));
    kept->bodies = s->model.bodies, kept->joints = s->begin.rows.joints, kept->rows = s->begin.rows.rows;
    kept->order = set->order, kept->seed = set->order_seed;
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

/* The turn of a row of row joint i at which it gives way: 0 for a joint's own, then drives as they were set,
 * then motors that hold a velocity.  (Corrections that keep ODE's right-hand sides have targets everywhere.)
 */
static int turn_of (const rls_workspace *workspace, int i, int r)
{
    const rls_island *s = &workspace->island;
    const int j = s->mechanism.ode_joint[i],
              driven = s->mechanism.ode_row[r] == workspace->objects.joint_rows[j];
    if (driven) return rls_drive_of (workspace, workspace->objects.joint[j])->turn;
    if (workspace->settings->correction != dRLSCorrectionProjection || s->begin.rows.sigma2[r] > 0) return 0;
    return s->begin.rows.target[r] != 0 ? 1 + workspace->wishes->last_turn + r : 0;
}

/* 1 if joints have different priorities that are to be heeded. */
static int is_ranked (const rls_workspace *workspace)
{
    if (workspace->settings->order != dRLSOrderPriority) return 0;
    for (int j = 1; j < workspace->island.begin.rows.joints; ++j)
        if (workspace->kept.key[j] != workspace->kept.key[0]) return 1;
    return 0;
}

/*
 * Lists the rows that give way.  Those that did before go on waiting, so that the same drives stay in force;
 * where others do, decisions are made anew.  Returns 0 without memory.
 */
static int find_precedence (rls_workspace *workspace)
{
    rls_island *s = &workspace->island;
    rls_precedence *y = &s->elimination.precedence;
    const int before = y->count;
    int changed = 0, driven = workspace->wishes->drives.count > 0;
    y->count = 0;
    y->ranked = is_ranked (workspace);
    for (int r = 0; r < s->begin.rows.rows && !driven; ++r) driven = s->begin.rows.target[r] != 0;
    if (!driven && before == 0 && !y->ranked)
        return 1; /* no row holds a velocity or follows a function of time */
    if (!rls_precedence_lay_out (y, s->model.bodies, s->begin.rows.rows)) return 0;
    for (int i = 0; i < s->begin.rows.joints; ++i)
    {
        const int priority =
            workspace->settings->order == dRLSOrderPriority ? (int)workspace->kept.key[i] : 0;
        for (int r = s->mechanism.row0[i]; r < s->mechanism.row0[i + 1]; ++r)
        {
            const int turn = turn_of (workspace, i, r);
            changed |= turn != y->turn[r] || priority != y->priority[r];
            y->turn[r] = turn, y->priority[r] = priority;
            y->count += turn > 0;
            if ((turn == 0 && !y->ranked) || !s->valid.decisions) y->late[r] = 0;
        }
    }
    if (changed) s->valid.end_exact = 0;
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
    if (!s->valid.decisions) return least;
    const double forgiven = sqrt (least) / RLS_MISFIT;
    const double e =
        RLS_MISFIT * relative_violation (&s->begin.rows, s->elimination.previous, 1, INT_MAX, forgiven / 2);
    return fmax (least, fmin (e * e, fmin (RLS_UNSURE_PIVOT, RLS_LITTLE * s->elimination.decided_gap)));
}

/* The same while kept rows are open, of those up to a priority number: what goes after them says nothing
 * about them.
 */
static double tolerance_up_to (const rls_workspace *workspace, const unsigned char *previous, int priority)
{
    const double least = workspace->island.elimination.rank_tolerance;
    const double e =
        relative_violation (&workspace->island.begin.rows, previous, 0, priority, sqrt (least) / 2);
    return fmin (fmax (least, e * e), fmax (RLS_LARGEST_TOLERANCE, least));
}

/* The tolerance of the beginning and, where priorities have a say in it, that of each row. */
static double find_tolerances (rls_workspace *workspace, const unsigned char *previous)
{
    rls_precedence *y = &workspace->island.elimination.precedence;
    const double tolerance = tolerance_up_to (workspace, previous, INT_MAX);
    y->open = y->ranked && tolerance > workspace->island.elimination.rank_tolerance;
    for (int r = 0; r < workspace->island.begin.rows.rows && y->open; ++r)
        y->tolerance[r] = r > 0 && y->priority[r] == y->priority[r - 1]
                              ? y->tolerance[r - 1]
                              : tolerance_up_to (workspace, previous, y->priority[r]);
    return tolerance;
}

/* A damped step goes on where the last one ended, and decides nothing; see damped.h. */
static int will_be_damped (const rls_workspace *workspace)
{
    const rls_island *s = &workspace->island;
    return !workspace->analyse && s->valid.begin_damped && s->recovery.pausing > 0 &&
           s->begin.bounded.rows == 0 && workspace->objects.soft_rows == 0 &&
           s->elimination.precedence.count == 0 &&
           workspace->settings->correction == dRLSCorrectionProjection;
}

/* Steps of rk4 and of the corrections are judged by how small pivots change, which are other ones where
 * the chassis comes last. */
int rls_workspace_order (rls_workspace *workspace)
{
    workspace->island.elimination.order.chassis = !rls_correct_steps (workspace->settings);
    const int done = topology_stays (workspace) || analyse (workspace);
    return rls_workspace_done (workspace, done ? RLS_DONE : RLS_NO_MEMORY);
}

int rls_workspace_factor (rls_workspace *workspace)
{
    rls_island *s = &workspace->island;
    if (!find_precedence (workspace)) return rls_workspace_done (workspace, RLS_NO_MEMORY);
    const double least = s->elimination.rank_tolerance = tolerance_of_step (workspace);
    if (!workspace->analyse && rls_reuse_factor (s, least)) return 1;
    if (will_be_damped (workspace)) return 1;
    if (!rls_mass_scaling_find (&s->elimination.mass_scaling, &s->begin.rows, &s->elimination.order,
                                s->model.inertia))
        return rls_workspace_done (workspace, RLS_NO_MEMORY);
    const unsigned char *previous = s->valid.decisions ? s->elimination.previous : NULL;
    const double tolerance = find_tolerances (workspace, previous);
    ++s->account.factorisations;
    const rls_outcome done =
        rls_factor_rows (&s->begin.factor, &s->elimination.order, &s->begin.rows, tolerance, NULL, previous);
    s->elimination.precedence.open = 0;
    const int kept = done != RLS_DONE || workspace->analyse || rls_reuse_keep_decisions (s);
    return rls_workspace_done (workspace, kept ? done : RLS_NO_MEMORY);
}
