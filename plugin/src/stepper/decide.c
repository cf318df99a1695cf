/*
 * Order, factor and rank decisions of an island for one step.
 *
 * The elimination order is kept while the topology stays.  Rank is decided at the beginning of the step,
 * on the constraint manifold, with a tolerance that follows the violation: a violation of relative size e
 * turns the pivot of a redundant row from 0 into about e^2.  The decisions of the last step give
 * hysteresis, so that the rank does not flicker near a singular configuration.
 */
#include "island/carry.h"
#include "cell.h"
#include "ode/drives.h"
#include <math.h>
#include <string.h>

#define LARGEST_TOLERANCE 1e-4 /* relative pivot that no violation may hide */
#define MESH_LOOPS 32          /* joints more than bodies from which an island is a mesh */
#define MISFIT 30.0            /* displacement that closes a row over its opening: beyond, it stays out */
#define LARGEST_MISFIT 1e-5    /* relative pivot that no known opening may hide */
#define FAR_BELOW 0.01         /* of the smallest pivot that was kept */

static void carve_topology (rls_cell *cell, rls_carver *c)
{
    const size_t joints = (size_t)cell->island.rows.joints;
    cell->kept_movable = rls_carve (c, (size_t)cell->island.bodies, 1);
    cell->kept_body1 = rls_carve (c, joints, sizeof (int));
    cell->kept_body2 = rls_carve (c, joints, sizeof (int));
    cell->kept_row0 = rls_carve (c, joints + 1, sizeof (int));
    cell->kept_key = rls_carve (c, joints, sizeof (double));
}

int rls_topology_copy (rls_cell *to, const rls_cell *from)
{
    int done;
    RLS_LAY_OUT_COPY (to, &to->topology, &from->topology, carve_topology, done);
    if (!from->kept_movable) to->kept_movable = NULL;
    return done;
}

static int same (const int *a, const int *b, int n)
{
    return n == 0 || memcmp (a, b, sizeof (int) * (size_t)n) == 0;
}

static double priority_of (const rls_cell *cell, int row_joint)
{
    const dJointID joint = cell->joint[cell->island.ode_joint[row_joint]];
    for (int i = 0; i < cell->priority_count; ++i)
        if (cell->priorities[i].joint == joint) return cell->priorities[i].priority;
    return 0;
}

static int priorities_stay (const rls_cell *cell)
{
    if (cell->same_objects && cell->kept_priority_changes == cell->settings->priority_changes) return 1;
    for (int j = 0; j < cell->island.rows.joints; ++j)
        if (priority_of (cell, j) != cell->kept_key[j]) return 0;
    return 1;
}

static int topology_stays (const rls_cell *cell)
{
    const rls_island *s = &cell->island;
    const rls_settings *set = cell->settings;
    return cell->kept_movable && cell->kept_bodies == s->bodies && cell->kept_joints == s->rows.joints &&
           cell->kept_rows == s->rows.rows && cell->kept_order == set->order &&
           cell->kept_seed == set->order_seed &&
           memcmp (cell->kept_movable, s->movable, (size_t)s->bodies) == 0 &&
           same (cell->kept_body1, s->body1, s->rows.joints) &&
           same (cell->kept_body2, s->body2, s->rows.joints) &&
           same (cell->kept_row0, s->row0, s->rows.joints + 1) &&
           (set->order != dRLSOrderPriority || priorities_stay (cell));
}

/* A reproducible permutation: splitmix64 over the seed and the joint's place. */
static double random_key (unsigned long seed, int joint)
{
    uint64_t x = (uint64_t)seed + (uint64_t)(joint + 1) * 0x9E3779B97F4A7C15ull;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
    return (double)((x ^ (x >> 31)) >> 11);
}

static int analyse (rls_cell *cell)
{
    rls_island *s = &cell->island;
    const rls_settings *set = cell->settings;
    const size_t joints = (size_t)s->rows.joints;
    int done;
    s->carried = s->now_exact = s->stiffness_known = s->failing = s->pausing = s->now_damped = 0;
    s->mesh = s->rows.joints - s->bodies > MESH_LOOPS;
    RLS_LAY_OUT (cell, &cell->topology, carve_topology, done);
    if (done)
    {
        const int keyed = set->order == dRLSOrderPriority || set->order == dRLSOrderRandom;
        for (int j = 0; j < s->rows.joints && keyed; ++j)
            cell->kept_key[j] =
                set->order == dRLSOrderRandom ? random_key (set->order_seed, j) : priority_of (cell, j);
        done = rls_order_analyse (&s->order, &s->rows, s->movable, s->bodies, set->order,
                                  keyed ? cell->kept_key : NULL);
    }
    if (!done)
    {
        cell->kept_movable = NULL;
        return 0;
    }
    memcpy (cell->kept_movable, s->movable, (size_t)s->bodies);
    memcpy (cell->kept_body1, s->body1, sizeof (int) * joints);
    memcpy (cell->kept_body2, s->body2, sizeof (int) * joints);
    memcpy (cell->kept_row0, s->row0, sizeof (int) * (joints + 1));
    cell->kept_bodies = s->bodies;
    cell->kept_joints = s->rows.joints;
    cell->kept_rows = s->rows.rows;
    cell->kept_order = set->order;
    cell->kept_seed = set->order_seed;
    cell->kept_priority_changes = set->priority_changes;
    return 1;
}

/* The largest position residual relative to the length of its row, an angle or a length over the unit: of the
 * joints' rows that were redundant in the last step, or of the others.  What a drive still wants says nothing
 * about how well the rows are known. */
static double relative_violation (const rls_rows *rows, const unsigned char *previous, int redundant)
{
    double worst = 0;
    for (int j = 0; j < rows->joints; ++j)
        for (int r = rows->row0[j]; r < rows->row0[j + 1]; ++r)
        {
            if ((previous && previous[r] == RLS_REDUNDANT) != redundant) continue;
            if (rls_is_drive (rows->yield, r)) continue;
            const double size = rls_row_length (rows, j, r);
            if (size > 0) worst = fmax (worst, fabs (rows->residual[r]) / size);
        }
    return worst;
}

/* Whether there may be rows that hold a velocity or follow a function of time. */
static int may_be_driven (const rls_cell *cell)
{
    const rls_rows *rows = &cell->island.rows;
    int any = cell->drive_count > 0;
    for (int r = 0; r < rows->rows && !any; ++r) any = rows->target[r] != 0;
    return any;
}

/* The turn of a row of row joint i at which it gives way: 0 for a joint's own, then drives as they were set,
 * then motors that hold a velocity.  (Corrections that keep ODE's right-hand sides have targets everywhere.)
 */
static int turn_of (const rls_cell *cell, int i, int r)
{
    const rls_island *s = &cell->island;
    const int j = s->ode_joint[i], driven = s->ode_row[r] == cell->joint_rows[j];
    if (driven) return 1 + (int)(rls_drive_of (cell, cell->joint[j]) - cell->drives);
    if (cell->settings->correction != dRLSCorrectionProjection || s->rows.sigma2[r] > 0) return 0;
    return s->rows.target[r] != 0 ? 1 + cell->drive_count + r : 0;
}

/*
 * Lists the rows that give way.  Those that did before go on waiting, so that the same drives stay in force;
 * where others do, decisions are made anew.  Returns 0 without memory.
 */
static int find_yielding (rls_cell *cell)
{
    rls_island *s = &cell->island;
    rls_yield *y = &s->yield;
    const int before = y->count;
    int changed = 0;
    y->count = 0;
    if (!may_be_driven (cell) && before == 0) return 1;
    if (!rls_yield_lay_out (y, s->bodies, s->rows.rows)) return 0;
    for (int i = 0; i < s->rows.joints; ++i)
    {
        const int priority = cell->settings->order == dRLSOrderPriority ? (int)cell->kept_key[i] : 0;
        for (int r = s->row0[i]; r < s->row0[i + 1]; ++r)
        {
            const int turn = turn_of (cell, i, r);
            changed |= turn != y->turn[r] || priority != y->priority[r];
            y->turn[r] = turn, y->priority[r] = priority;
            y->count += turn > 0;
            if (turn == 0 || !s->carried) y->late[r] = 0;
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
static double tolerance_of_step (const rls_cell *cell)
{
    const rls_island *s = &cell->island;
    const double least = cell->settings->rank_tolerance;
    if (!s->carried) return least;
    const double e = MISFIT * relative_violation (&s->rows, s->previous, 1);
    return fmax (least, fmin (e * e, fmin (LARGEST_MISFIT, FAR_BELOW * s->decided_gap)));
}

/* A damped step goes on where the last one ended, and decides nothing; see damped.h. */
static int will_be_damped (const rls_cell *cell)
{
    const rls_island *s = &cell->island;
    return !cell->analyse && s->begin_damped && s->pausing > 0 && s->bounded.rows == 0 &&
           cell->soft_rows == 0 && s->yield.count == 0 &&
           cell->settings->correction == dRLSCorrectionProjection;
}

int rls_cell_order (rls_cell *cell)
{
    if (topology_stays (cell)) return 1;
    if (analyse (cell)) return 1;
    cell->status = dRLSStatusNoMemory;
    return 0;
}

int rls_cell_factor (rls_cell *cell)
{
    rls_island *s = &cell->island;
    if (!find_yielding (cell))
    {
        cell->status = dRLSStatusNoMemory;
        return 0;
    }
    const double least = s->rank_tolerance = tolerance_of_step (cell);
    if (cell->analyse ? rls_carry_lend (s, least) : rls_carry_factor (s, least)) return 1;
    if (will_be_damped (cell)) return 1;
    if (!rls_metric_find (&s->metric, &s->rows, &s->order, s->bodies, s->movable,
                          (const double (*)[9])s->inertia))
    {
        cell->status = dRLSStatusNoMemory;
        return 0;
    }
    const unsigned char *previous = s->carried ? s->previous : NULL;
    const double e = relative_violation (&s->rows, previous, 0);
    const double tolerance = fmin (fmax (least, e * e), fmax (LARGEST_TOLERANCE, least));
    ++s->factorisations;
    const int done = rls_factor_rows (&s->factor, &s->order, &s->rows, tolerance, NULL, previous);
    if (done == 1 && (cell->analyse || rls_carry_decisions (s))) return 1;
    cell->status = done < 0 ? dRLSStatusNotFinite : dRLSStatusNoMemory;
    return 0;
}
