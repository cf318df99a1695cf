/*
 * Elimination order, factor and rank decisions of an island, at the beginning of its step (section 4 of
 * method.md).
 *
 * The elimination order is computed anew when the topology has changed.  The rank is decided on where the
 * joints are closed, with a tolerance that depends on how far they are open: a relative violation e turns the
 * relative pivot of a redundant row from 0 into about e^2.  The decisions of the last step give hysteresis,
 * so that the rank does not alternate near a singular configuration.
 */
#include "ode/gather.h"
#include "corrections/correct.h"
#include <limits.h>

/* An island with more than MESH_LOOPS joints in excess of its bodies, of at most POINT_ROWS rows on average,
 * is a mesh: nets of rods and balls stay near singular configurations, while hinges pass them. */
#define MESH_LOOPS 32
#define POINT_ROWS 3

static void lay_out (rls_workspace *workspace, rls_arena_cursor *c)
{
    rls_kept_topology *kept = &workspace->kept;
    const size_t joints = (size_t)workspace->island.begin.rows.joints;
    RLS_TAKE (c, (size_t)workspace->island.model.bodies, kept->movable);
    RLS_TAKE (c, joints, kept->body, kept->key);
    RLS_TAKE (c, joints + 1, kept->row0);
}

static int same (const int *a, const int *b, int n)
{
    return n == 0 || memcmp (a, b, sizeof (int) * (size_t)n) == 0;
}

/* Returns the priority number of a joint with rows; 0 if it was given none. */
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

/* Returns 1 if the kept elimination order is still right: the same joints between the same bodies, with as
 * many rows, and the same settings. */
static int topology_stays (const rls_workspace *workspace)
{
    const rls_island *s = &workspace->island;
    const rls_settings *set = workspace->settings;
    const rls_kept_topology *kept = &workspace->kept;
    const int joints = s->begin.rows.joints;
    return kept->movable && kept->bodies == s->model.bodies && kept->joints == joints &&
           kept->rows == s->begin.rows.rows && kept->order == set->order && kept->seed == set->order_seed &&
           memcmp (kept->movable, s->model.movable, (size_t)s->model.bodies) == 0 &&
           same (kept->body[0], s->mechanism.body[0], 2 * joints) &&
           same (kept->row0, s->mechanism.row0, joints + 1) &&
           (set->order != dRLSOrderPriority || priorities_stay (workspace)) &&
           rls_order_dense_bodies_stay (&s->elimination.order, &s->begin.rows);
}

/* Computes the elimination order of a new topology and keeps the topology with it.  What earlier steps left
 * is forgotten.  Returns 1, or 0 without memory. */
static int analyse_topology (rls_workspace *workspace)
{
    rls_island *s = &workspace->island;
    const rls_settings *set = workspace->settings;
    rls_kept_topology *kept = &workspace->kept;
    const size_t joints = (size_t)s->begin.rows.joints;
    rls_history_end (workspace, RLS_MECHANISM_CHANGED);
    s->mechanism.mesh = s->begin.rows.joints - s->model.bodies > MESH_LOOPS &&
                        s->begin.rows.rows <= POINT_ROWS * s->begin.rows.joints;

    /* the order; priority orders sort the joints by a key, and random ones by splitmix64 of the seed and the
     * joint's place */
    int done = RLS_LAY_OUT (workspace, &kept->block, lay_out);
    if (done)
    {
        const int random = set->order == dRLSOrderRandom, keyed = random || set->order == dRLSOrderPriority;
        for (int j = 0; j < s->begin.rows.joints && keyed; ++j)
            kept->key[j] = random ? (double)(rls_mixed (set->order_seed + (j + 1) * RLS_GOLDEN) >> 11)
                                  : priority_of (workspace, j);
        done =
            rls_order_analyse (&s->elimination.order, &s->begin.rows, set->order, keyed ? kept->key : NULL);
    }
    if (!done) kept->movable = NULL;
    if (!done) return 0;

    /* the topology that it is the order of */
    memcpy (kept->movable, s->model.movable, (size_t)s->model.bodies);
    memcpy (kept->body, s->mechanism.body, sizeof (*kept->body) * joints);
    memcpy (kept->row0, s->mechanism.row0, sizeof (int) * (joints + 1));
    kept->bodies = s->model.bodies, kept->joints = s->begin.rows.joints, kept->rows = s->begin.rows.rows;
    kept->order = set->order, kept->seed = set->order_seed;
    return 1;
}

/*
 * Returns the largest residual divided by the length of its row (rad, or m over the unit of length), at least
 * the value least.  Of the rows that the decisions of the last step (previous; NULL: none) call redundant, or
 * of the other ones; only those of joints up to a priority number.  Drives are left out: how far they are
 * from where they are sent says nothing about how accurately the rows are known.
 */
static double relative_violation (const rls_rows *rows, const unsigned char *previous, int redundant,
                                  int priority, double least)
{
    double worst = least;
    RLS_FOR_ROWS (rows, j, r)
    {
        if ((previous && previous[r] == RLS_REDUNDANT) != redundant) continue;
        if (rls_is_drive (rows->precedence, r)) continue;
        if (rows->precedence->ranked && rows->precedence->priority[r] > priority) continue;

        /* compact rows have a length of 1 or more, so their residual alone may show that they are no
         * worse */
        if (rls_is_compact (rows, j) && fabs (rows->residual[r]) <= worst) continue;
        const double size = rls_row_length (rows, j, r);
        if (size > 0) worst = fmax (worst, fabs (rows->residual[r]) / size);
    }
    return worst;
}

/*
 * Returns the turn of row r (of row joint i), by which rows give way to others: 0 for a joint's own rows,
 * then the drives in the order in which they were set, then motors of unlimited strength; the largest gives
 * way first.  Motors are the rows with a target velocity; not under corrections that keep ODE's right-hand
 * sides, where any row has one.
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

/*
 * Finds turn and priority of all rows, for decisions in which drives and low priorities come last.  Rows that
 * were decided on late in the last step (late) are again, so that the same drives stay in force.  If a turn
 * or a priority has changed, the factor of the last step is not used again.  Returns 1, or 0 without memory.
 */
static int find_precedence (rls_workspace *workspace)
{
    rls_island *s = &workspace->island;
    rls_precedence *y = &s->elimination.precedence;
    const int before = y->count, prior = workspace->settings->order == dRLSOrderPriority;
    int changed = 0, driven = workspace->wishes->drives.count > 0;
    y->count = 0;

    /* whether joints have different priorities, which the order of elimination follows */
    y->ranked = 0;
    for (int i = 1; i < s->begin.rows.joints && prior; ++i)
        y->ranked |= workspace->kept.key[i] != workspace->kept.key[0];

    /* most islands have no drives, no motors and no priorities: nothing to do */
    for (int r = 0; r < s->begin.rows.rows && !driven; ++r) driven = s->begin.rows.target[r] != 0;
    if (!driven && before == 0 && !y->ranked) return 1;
    if (!rls_precedence_lay_out (y, s->model.bodies, s->begin.rows.rows)) return 0;
    for (int i = 0; i < s->begin.rows.joints; ++i)
    {
        const int priority = prior ? (int)workspace->kept.key[i] : 0;
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
 * Returns the rank tolerance of the step.  Axes that are slightly misaligned leave redundant rows open by
 * some e, and do not give them a pivot of exactly 0.  A row with relative pivot s would be closed by a
 * displacement of e / sqrt (s).  If that is more than RLS_MISFIT times e, the row would stop the mechanism
 * instead of closing its joint, and is treated as redundant: the tolerance is (RLS_MISFIT e)^2, but stays far
 * below all pivots that were kept in the last step.
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

/* Returns the tolerance for rows up to a priority number.  While rows that are not redundant are open, by a
 * relative violation e, it is e^2 if that is more than the tolerance of the step.  Rows of larger priority
 * numbers do not count: that they are open says nothing about the rows before them. */
static double tolerance_up_to (const rls_workspace *workspace, const unsigned char *previous, int priority)
{
    const double least = workspace->island.elimination.rank_tolerance;
    const double e =
        relative_violation (&workspace->island.begin.rows, previous, 0, priority, sqrt (least) / 2);
    return fmin (fmax (least, e * e), fmax (RLS_LARGEST_TOLERANCE, least));
}

/* Returns the tolerance for all rows; where priorities make a difference each row's own goes into
 * precedence.tolerance, with precedence.open set. */
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

/* Returns 1 if this step will be a damped one that follows another: it uses the factor of the last one and
 * needs no rank decisions; see project.h. */
static int will_be_damped (const rls_workspace *workspace)
{
    const rls_island *s = &workspace->island;
    return !workspace->analyse && s->valid.begin_damped && s->recovery.pausing > 0 &&
           rls_is_damped_at_once (workspace) && s->elimination.precedence.count == 0 &&
           workspace->settings->correction == dRLSCorrectionProjection;
}

rls_outcome rls_workspace_order (rls_workspace *workspace)
{
    /* A heavy central body may be eliminated last (order.h).  Not under rk4 and the corrections: they judge a
     * step by how small pivots change, and these would be other ones. */
    workspace->island.elimination.order.chassis = !rls_correct_steps (workspace->settings);
    return topology_stays (workspace) || analyse_topology (workspace) ? RLS_DONE : RLS_NO_MEMORY;
}

rls_outcome rls_workspace_factor (rls_workspace *workspace)
{
    rls_island *s = &workspace->island;
    if (!find_precedence (workspace)) return RLS_NO_MEMORY;
    const double least = s->elimination.rank_tolerance = tolerance_of_step (workspace);

    /* the factor at the end of the last step, if this one begins there */
    if (!workspace->analyse && rls_reuse_factor (s, least)) return RLS_DONE;
    if (will_be_damped (workspace)) return RLS_DONE;

    /* a new factor, with decisions that are kept for the next steps */
    if (!rls_mass_scaling_find (&s->elimination.mass_scaling, &s->begin.rows, &s->elimination.order,
                                s->model.inertia))
        return RLS_NO_MEMORY;
    const unsigned char *previous = s->valid.decisions ? s->elimination.previous : NULL;
    const double tolerance = find_tolerances (workspace, previous);
    ++s->account.factorisations;
    const rls_outcome done =
        rls_factor_rows (&s->begin.factor, &s->elimination.order, &s->begin.rows, tolerance, NULL, previous);
    s->elimination.precedence.open = 0;
    const int kept = done != RLS_DONE || workspace->analyse || rls_reuse_keep_decisions (s);
    return kept ? done : RLS_NO_MEMORY;
}
