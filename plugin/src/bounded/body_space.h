/*
 * The matrix of weighted constraint rows on the bodies, and its sparse factor:
 *
 *     K = M + sum over rows of weight J' J
 *
 * Friction with a bound of mu times the normal impulse acts along the normal's row as well, so that impulses
 * act along other directions G than those along which velocities count; then K = M + sum of weight G' J is
 * not symmetric.  It is factored as L D U in any case.
 *
 * K has one 6 x 6 block for each movable body, and one for each two bodies that rows join.  Where contacts
 * are many this is far cheaper than the matrix J M^-1 J', in which all rows of a body couple.  The
 * elimination order is AMD's.  It is kept, with the structure of L, as long as no new pair of bodies appears
 * and not too many of the analysed pairs are gone.
 */
#ifndef RLS_BODY_SPACE_H
#define RLS_BODY_SPACE_H

#include "kernels/eight.h"
#include "island/island.h"

typedef double rls_block6[48]; /* 6 x 6 by columns, each padded to eight numbers */

typedef struct
{
    /* the bodies and pairs that were analysed */
    int bodies, columns;
    unsigned char *movable; /* bodies */
    int pairs;
    int *pair_start; /* bodies + 1: pairs by their smaller body */
    int *pair_body;  /* pairs: their larger body */
    int *pair_block; /* pairs: block of L below the diagonal */

    /* the structure of L */
    int *column;    /* bodies: place in the elimination order, -1 if it cannot move */
    int *body;      /* columns: which body */
    int *start;     /* columns + 1: first block below the diagonal */
    int *index;     /* blocks: their row, as the number of its column; ascending */
    size_t targets; /* the number of products of two blocks of a column, */
    int *target; /* and what each is subtracted from: a block below the diagonal, or ~column, the diagonal one
                  */

    /* the joints of the step, bilateral ones first, as links between bodies */
    int links, linked;     /* how many, between so many bodies */
    int (*link)[2];        /* links: their bodies, */
    int *attach0, *attach; /* and their sides by body; see rls_rows_attach */
    int *mark;             /* bodies: the last smaller body that it was found to be paired with */
    int *position;         /* bodies: the pair that both make */
    int *bilateral_block, *bounded_block; /* links: the block of both bodies, -1 if they do not couple two
                                             movable bodies; and where those of bounded joints begin */

    double *mass;         /* columns */
    double (*inertia)[9]; /* columns: in world axes */

    rls_block6 *diagonal, *below; /* K; after factoring, L below the diagonal */
    rls_block6 *right;            /* blocks right of the diagonal, transposed: K; after factoring, D U */
    rls_block6 *inverse_lower,
        *inverse_upper;      /* columns: the inverses of L's and U's diagonal blocks, by columns */
    double (*reciprocal)[8]; /* columns: 1 / D */
    double (*solution)[8];   /* columns */
    rls_block6 *kept_diagonal, *kept_below;
    long versions; /* grows whenever K or its factor is overwritten */

    rls_arena shape, structure, link_block, values; /* memory, by how long it lives */
    int *scratch;
    rls_arena scratch_block;
} rls_body_space;

/* Makes the structure fit the joints of the island, bilateral and bounded.  Returns 1, or 0 without memory.
 */
int rls_body_space_analyse (rls_body_space *space, const rls_island *island);

/* K = M of the bodies at these poses. */
void rls_body_space_reset (rls_body_space *space, const rls_island *island, const rls_pose *pose);

/* y = M x. */
void rls_body_space_momentum (const rls_body_space *space, const double (*x)[6], double (*y)[6]);

/* K += sum of weight G' J over the m rows of a joint: J are the directions along which velocities count, G
 * those along which impulses act.  block is that of its two bodies.
 */
void rls_body_space_add (rls_body_space *space, const int body[2], int block, int m, const double *const *J,
                         const double *const *G, const double *weight);

/* K += S for rows that are wrenches: S (six columns) is their sum of weight g w', w the part of body 1 of J
 * and g that of G, and body 2 has the opposite; lever leads from the centre of mass of body 2 to that of
 * body 1. */
void rls_body_space_add_wrenches (rls_body_space *space, const int body[2], int block, const double lever[3],
                                  const rls_block6 S);

/* Stores K, which is symmetric; and returns to the stored one, which need not stay so from then on. */
void rls_body_space_keep (rls_body_space *space);
void rls_body_space_restore (rls_body_space *space);

/* Factors K in its place.  A pivot that is zero is replaced by a huge one, so that nothing moves in its
 * direction. */
void rls_body_space_factor (rls_body_space *space);

/* x = K^-1 x for the bodies; entries of bodies that cannot move are set to 0. */
void rls_body_space_solve (const rls_body_space *space, double (*x)[6]);

#endif
