/*
 * Rank decisions at the nodes of the symplectic step; contract in symplectic_parts.h.
 *
 * Away from singular configurations the rank is decided on by the tolerance of the factor, and the rows that
 * it keeps are remembered.  Where pivots become small, a row that becomes dependent cannot be told from one
 * that has always been: the pivot of the latter is rounding error divided by the small pivots before it.  So
 * near a singular configuration only remembered rows are kept, and those of them below the tolerance are
 * replaced by singular normals (singular_normals.h).
 */
#include "symplectic_parts.h"

/* Remembers the rows that a factor keeps, and its rank. */
static void remember (rls_symplectic *w, const rls_factor *factor)
{
    if (w->rows > 0) memcpy (w->own, factor->decision, (size_t)w->rows);
    w->regular = factor->rank;
}

void rls_symplectic_doubt (rls_symplectic *w, const rls_island *s)
{
    const int regular = w->regular;
    const int known = regular > 0 && !w->starting && w->rows == s->begin.rows.rows &&
                      w->joints == s->begin.rows.joints && w->rows > 0;
    rls_symplectic_forget (w);
    if (known) w->again = 1, w->regular = regular;
}

/*
 * Sets w->start to the direction of the motion that begins here: that of the velocities or, from rest, of the
 * accelerations by the forces with the rows enforced.  At a singular pose these need not belong to a motion;
 * then the nearest ones that do are taken, which is Gauss's principle among the possible motions.
 */
static rls_outcome find_direction (rls_symplectic *w, rls_island *s)
{
    const double (*v)[6] = w->v;
    rls_outcome done = RLS_ANOTHER_WAY;
    if (s->begin.factor.rank < w->rows && rls_nearby_is_slow (s, v))
    {
        rls_kick (s, &s->begin.rows, v, 1, w->start);
        rls_enforce (&s->begin.factor, &s->begin.rows, NULL, w->x, w->start);
        done = rls_branch_velocity_fit (s, w->start, 1);
    }
    w->starting = done == RLS_DONE;
    if (done != RLS_ANOTHER_WAY) return done;
    memcpy (w->start, v, sizeof (*w->start) * (size_t)s->model.bodies);
    return RLS_DONE;
}

rls_outcome rls_symplectic_begin_node (rls_symplectic *w, rls_island *s)
{
    /* with history, what the last step has found at this node applies */
    if (w->starting && !rls_nearby_is_slow (s, w->v)) w->starting = 0;
    if (w->history > 0 && s->account.factorisations == 0) return RLS_DONE;
    w->singular.count = 0;
    if (w->rows == 0) return RLS_DONE;
    if ((w->regular > 0 && s->begin.factor.rank >= w->regular) || s->begin.factor.tree.rows > 0)
    {
        remember (w, &s->begin.factor);
        return RLS_DONE;
    }
    if (w->again) return RLS_DONE; /* a step tried again begins without the rows that are lost here */

    /* whether this configuration is singular shows only before and behind it */
    const int wanted = w->regular > 0 ? w->regular - s->begin.factor.rank : w->rows;
    const rls_passage at = {&s->begin.rows, w->pose, w->start, NULL};
    RLS_TRY (find_direction (w, s));
    RLS_TRY (rls_singular_find (&w->singular, s, &at, &s->begin.factor, wanted));
    s->account.singular_events += w->singular.count > 0;
    remember (w, &s->begin.factor);
    for (int i = 0; i < w->singular.count; ++i) w->own[w->singular.candidate[i]] = RLS_BORDER;
    w->regular += w->singular.count;
    rls_singular_remove (&w->singular, w->v);
    return RLS_DONE;
}

/*
 * Factors the remembered rows without those that have become dependent (dropped: how many); w->decided: the
 * decisions. Rows are kept down to RLS_SAFE_PIVOT times the rank tolerance: where a motion runs along other
 * singular configurations pivots change only with the fourth power of the distance; there normals are known
 * badly, and the many nodes of a composition would all need some.  Returns as rls_factor_rows.
 */
static rls_outcome factor_remembered (rls_symplectic *w, rls_island *s, int *dropped)
{
    rls_outcome done = rls_island_factor_end (s, w->own);
    if (done != RLS_DONE) return done;
    *dropped = 0;
    memcpy (w->decided, w->own, (size_t)w->rows);
    for (int r = 0; r < w->rows; ++r)
    {
        const double pivot = s->end.factor.relative[r];
        if (w->own[r] == RLS_REDUNDANT) continue;
        if (pivot >= RLS_SAFE_PIVOT * s->elimination.rank_tolerance) continue;
        w->decided[r] = RLS_REDUNDANT;
        ++*dropped;
    }
    return *dropped > 0 ? rls_island_factor_end (s, w->decided) : RLS_DONE;
}

rls_outcome rls_symplectic_end_node (rls_symplectic *w, rls_island *s)
{
    w->singular.count = 0;
    rls_island_inverse_inertia (s, s->next.pose, &s->end.rows);
    int dropped;
    s->valid.end_natural = 0;
    ++s->account.factorisations;

    /* new rank decisions on all rows; in meshes, where most are redundant, with hysteresis */
    RLS_TRY (rls_factor_rows (&s->end.factor, &s->elimination.order, &s->end.rows,
                              s->elimination.rank_tolerance, NULL, s->mechanism.mesh ? w->own : NULL));
    if (s->end.factor.rank >= w->regular && s->end.factor.gap >= RLS_UNSURE_PIVOT)
    {
        s->valid.end_natural = 1;
        remember (w, &s->end.factor);
        return RLS_DONE;
    }

    /* near a singular configuration: the remembered rows, in the bases of the beginning, without those that
     * have become dependent */
    if (w->trial.J != s->end.rows.J && !rls_rows_same (&w->trial, &s->end.rows, 0))
        rls_rows_copy (&w->trial, &s->end.rows);
    RLS_TRY (factor_remembered (w, s, &dropped));
    if (dropped == 0) return RLS_DONE;

    /* singular normals in their place */
    const double (*along)[6] = w->u;
    if (w->starting && rls_nearby_is_slow (s, along)) along = w->start;
    const rls_passage at = {&s->end.rows, s->next.pose, along, w->own};
    const rls_outcome done = rls_singular_find (&w->singular, s, &at, &s->end.factor, dropped);
    s->account.singular_events += w->singular.count > 0;

    /* The direction of a row that is kept may be mostly rounding error.  So near a singular configuration the
     * sub-steps of a composition, which go back and forth there, lose the branch; a step that does not end
     * there need not. */
    const int hardly_known = s->end.factor.gap < RLS_NEGLIGIBLE;
    w->missed = done == RLS_DONE && w->strict && (w->singular.count < dropped || (w->within && hardly_known));
    return w->missed ? RLS_FAILED : done;
}
