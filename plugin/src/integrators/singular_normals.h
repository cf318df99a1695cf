/*
 * Singular configurations: the normals that the rows lose there and have on either side.
 *
 * Where a mechanism passes a singular configuration, some rows become dependent on the others, although
 * their direction, seen after the others are enforced, has a limit along the motion.  That limit is kept as
 * a unit normal n beside the factor; enforced after it, n' M v = 0 holds the motion on its branch.
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
    int *candidate;     /* rows that are kept beside it but not in it; at first those with normals */
    int *seen;          /* candidates: samples that have a direction of theirs */
    unsigned char *own; /* rows: decisions beside it */
    rls_nearby nearby;
    double (*d)[6], (*unit)[6]; /* bodies: scratch; a unit direction beside the configuration */
    double *x;
    rls_arena row_block, normal_block;
} rls_singular_normals;

/*
 * Looks for at most wanted singular normals of rows with that factor.  candidate[0 .. count-1] are the rows
 * that the normals stand for.  Uses provider.rows and W; end.rows stays.  Returns RLS_DONE, RLS_NO_MEMORY, or
 * RLS_FAILED when a value is not finite, or the island's work is limited and spent.
 */
rls_outcome rls_singular_find (rls_singular_normals *limits, rls_island *island, const rls_passage *at,
                               const rls_factor *factor, int wanted);

/* v := v without its part along the singular normals. */
void rls_singular_remove (const rls_singular_normals *limits, double (*v)[6]);

#endif
