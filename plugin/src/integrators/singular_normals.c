/*
 * Singular normals by interpolation; contract in singular_normals.h.  A row that is independent before and
 * behind the configuration, but not at it, has the normal
 *
 *     n = sum of weight_i (+- z_i / |z_i|),      z = what M^-1 h leaves after the kept rows are enforced,
 *
 * over the samples of nearby.h.  The signs make the unit directions change continuously, because z passes
 * zero at the configuration and changes its sign there.
 */
#include "singular_normals.h"
#include "symplectic_parts.h"

static void lay_out_rows (rls_singular_normals *l, rls_arena_cursor *c)
{
    RLS_TAKE (c, (size_t)l->nearby.rows.rows, l->candidate, l->seen);
    RLS_TAKE (c, (size_t)l->bodies, l->unit);
}

static void lay_out_normals (rls_singular_normals *l, rls_arena_cursor *c)
{
    RLS_TAKE (c, (size_t)l->bodies * (size_t)l->candidates, l->normal, l->momentum);
}

/* ---- vectors over all bodies ---- */

/* z := z / |z|, in the metric of the masses.  Returns 0 if |z|^2 is not more than the least. */
static int normalise (rls_singular_normals *l, const rls_island *s, const rls_pose *pose, double least,
                      double (*z)[6])
{
    rls_mass_times (s, s->model.inertia, pose, z, s->scratch.six);
    const double square = rls_inner (l->bodies, s->scratch.six, z);
    if (!(square > least)) return 0;
    const double length = sqrt (square);
    for (int b = 0; b < l->bodies; ++b)
        for (int k = 0; k < 6; ++k) z[b][k] /= length;
    return 1;
}

void rls_singular_remove (const rls_singular_normals *l, double (*v)[6])
{
    for (int i = 0; i < l->count; ++i)
    {
        const size_t at = (size_t)i * (size_t)l->bodies;
        const double (*momentum)[6] = l->momentum + at;
        const double along = rls_inner (l->bodies, momentum, v);
        rls_add (l->bodies, -along, l->normal + at, v);
    }
}

/* ---- beside the configuration ---- */

/* Lists the rows that are kept near the pose but not at it.  Decisions near the pose are those of the
 * passage, or those of the first sample behind it, for all samples.  Returns as rls_nearby_look. */
static rls_outcome list_candidates (rls_singular_normals *l, rls_island *s, const rls_passage *at,
                                    const rls_factor *factor)
{
    const rls_outcome done = at->own ? RLS_DONE : rls_nearby_look (&l->nearby, s, at, 1);
    if (done == RLS_FAILED || done == RLS_NO_MEMORY) return done;
    l->candidates = 0;

    /* with the same rank no row is lost, although others may have been chosen */
    if (!at->own && l->nearby.factor.rank <= factor->rank) return RLS_DONE;
    const unsigned char *own = at->own ? at->own : l->nearby.own;
    for (int r = 0; r < at->rows->rows; ++r)
        if (factor->decision[r] == RLS_REDUNDANT && own[r] != RLS_REDUNDANT)
            l->candidate[l->candidates++] = r;
    return RLS_DONE;
}

/* Adds the unit directions of the candidates at sample i to their normals.  Returns RLS_ANOTHER_WAY if joints
 * cannot be closed near the sample. */
static rls_outcome add_sample (rls_singular_normals *l, rls_island *s, const rls_passage *at,
                               const rls_factor *factor, int i)
{
    const size_t bodies = (size_t)l->bodies;
    double (*z)[6] = l->unit;
    const rls_outcome done = rls_nearby_look (&l->nearby, s, at, rls_samples[i].at);
    if (done == RLS_FAILED || done == RLS_NO_MEMORY ||
        (done == RLS_ANOTHER_WAY && l->nearby.distance > RLS_NEARBY_SHORTEST))
        return done;

    /* z of each candidate, at unit length and with the sign of its first sample */
    RLS_TRY (rls_island_factor (s, &l->nearby.factor, &l->nearby.rows, s->elimination.rank_tolerance,
                                factor->decision));
    const rls_factor *nearby = &l->nearby.factor;
    const rls_rows *rows = &l->nearby.rows;
    for (int c = 0; c < l->candidates; ++c)
    {
        double (*first)[6] = l->momentum + (size_t)c * bodies;
        memset (z, 0, sizeof (*z) * bodies);
        memset (s->scratch.rows, 0, sizeof (double) * (size_t)rows->rows);
        s->scratch.rows[l->candidate[c]] = 1;
        rls_rows_apply (rows, s->scratch.rows, z);
        rls_enforce (nearby, rows, NULL, s->scratch.rows, z);

        /* none where the row depends on the others */
        if (!normalise (l, s, at->pose, RLS_DEPENDENT * nearby->diagonal[l->candidate[c]], z)) continue;
        ++l->seen[c];
        if (i == 0) rls_mass_times (s, s->model.inertia, at->pose, z, first);
        const double same = rls_inner (l->bodies, z, first);
        rls_add (l->bodies, same < 0 ? -rls_samples[i].weight : rls_samples[i].weight, z,
                 l->normal + (size_t)c * bodies);
    }
    return RLS_DONE;
}

/* Makes normals of the sums: M-orthogonal to the kept rows, and M-orthonormal. */
static void orthonormalise (rls_singular_normals *l, const rls_island *s, const rls_passage *at,
                            const rls_factor *factor, int wanted)
{
    const size_t bodies = (size_t)l->bodies;
    for (int c = 0; c < l->candidates && l->count < wanted; ++c)
    {
        double (*n)[6] = l->normal + (size_t)l->count * bodies;
        if (l->seen[c] < RLS_SAMPLES) continue;
        memmove (n, l->normal + (size_t)c * bodies, sizeof (*n) * bodies);
        rls_enforce (factor, at->rows, NULL, s->scratch.rows, n);
        rls_singular_remove (l, n);
        if (!normalise (l, s, at->pose, RLS_SAFE_PIVOT, n)) continue;
        rls_mass_times (s, s->model.inertia, at->pose, n, l->momentum + (size_t)l->count * bodies);
        l->candidate[l->count++] = l->candidate[c];
    }
}

rls_outcome rls_singular_find (rls_singular_normals *l, rls_island *s, const rls_passage *at,
                               const rls_factor *factor, int wanted)
{
    l->count = 0;
    int done = rls_nearby_prepare (&l->nearby, s, at);
    if (done != RLS_DONE) return done == RLS_ANOTHER_WAY ? RLS_DONE : done;
    l->bodies = s->model.bodies;
    if (!RLS_LAY_OUT (l, &l->row_block, lay_out_rows)) return RLS_NO_MEMORY;
    done = list_candidates (l, s, at, factor);
    if (done != RLS_DONE || l->candidates == 0) return done;
    if (s->mechanism.mesh) return RLS_FAILED;
    if (!RLS_LAY_OUT (l, &l->normal_block, lay_out_normals)) return RLS_NO_MEMORY;
    memset (l->normal, 0, sizeof (*l->normal) * (size_t)l->bodies * (size_t)l->candidates);
    memset (l->seen, 0, sizeof (int) * (size_t)l->candidates);

    /* sums over all samples */
    const rls_passage way = {at->rows, at->pose, at->v, at->own ? at->own : l->nearby.own};
    for (int i = 0; i < RLS_SAMPLES && done == RLS_DONE; ++i) done = add_sample (l, s, &way, factor, i);
    if (done == RLS_DONE) orthonormalise (l, s, at, factor, wanted);
    return done == RLS_ANOTHER_WAY ? RLS_DONE : done; /* without a smooth motion there are no normals */
}
