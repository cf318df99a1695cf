/*
 * Singular normals: the directions of rows that are lost at a singular configuration (section 8 of
 * method.md).
 *
 * Where a mechanism passes a singular configuration, some rows depend on the others.  But what is left of
 * their direction when the others are enforced has a limit along the motion.  This limit is kept as a unit
 * normal n, in addition to the factor; n' M v = 0, enforced after the rows, keeps the motion on its branch.
 * The normals are M-orthonormal, and M-orthogonal to the rows that the factor keeps.
 */
#ifndef RLS_SINGULAR_NORMALS_H
#define RLS_SINGULAR_NORMALS_H

#include "nearby.h"

typedef struct
{
    int count;
    double (*normal)[6];   /* count x bodies: n */
    double (*momentum)[6]; /* count x bodies: M n */

    int bodies, candidates;
    int *candidate; /* rows that are kept beside it but not in it; at first those with normals */
    int *seen;      /* candidates: samples that have a direction of theirs */
    rls_nearby nearby;
    double (*unit)[6]; /* bodies: a unit direction beside the configuration */
    rls_arena row_block, normal_block;
} rls_singular_normals;

/* Finds at most wanted singular normals at a pose whose rows have this factor.  candidate[0 .. count-1] are
 * the rows that they stand for.  Uses provider.rows; end.rows is left alone.  Returns RLS_DONE,
 * RLS_NO_MEMORY, or RLS_FAILED when a value is not finite, or if a mesh needs normals: it stays where they
 * are needed, and the damped step follows it. */
rls_outcome rls_singular_find (rls_singular_normals *normals, rls_island *island, const rls_passage *at,
                               const rls_factor *factor, int wanted);

/* Removes the components of v along the singular normals. */
void rls_singular_remove (const rls_singular_normals *normals, double (*v)[6]);

#endif
