/*
 * The normal equations of constraint rows in body space, and their sparse factor:
 *
 *     K = M + sum over rows of weight J' J = L D L'
 *
 * or, lopsided, with rows whose impulse acts along others than its velocity is measured along (Coulomb
 * friction, mu times the normal impulse, acts along the normal's row too), K = L D U.
 *
 * One 6 x 6 block a movable body; two bodies are coupled when rows join them.  Where contacts are many
 * this is far cheaper than the Delassus form, whose rows of one body all couple.  The order is AMD's; it
 * and the structure of L are kept while no new pair of bodies appears.
 */
#ifndef RLS_BODY_SPACE_H
#define RLS_BODY_SPACE_H

#include "kernels/eight.h"
#include "island/island.h"

typedef double rls_block6[48]; /* 6 x 6 by columns, each padded to eight */

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
    int *start;     /* columns + 1: blocks below the diagonal */
    int *index;     /* blocks: the column their rows belong to, ascending in a column */
    int longest;    /* most blocks below the diagonal of a column */
    size_t targets; /* products of two blocks of a column, */
    int *target;    /* and where they land: a block below the diagonal, or ~column for a diagonal one */

    /* where the rows of the joints of this step go: a block below the diagonal, -1 if there is none */
    int *bounded_block, *bilateral_block;

    double *mass;         /* columns */
    double (*inertia)[9]; /* columns: world axes */

    int lopsided;                 /* K is not symmetric: the blocks at the right count */
    unsigned char *uneven;        /* columns: and it is seen in this one */
    rls_block6 *diagonal, *below; /* K, then below the diagonal L */
    rls_block6 *right;            /* blocks, transposed: K, then D U */
    rls_block6 *inverse_rows,
        *inverse_columns;      /* columns: inverse of L's diagonal block, by rows and columns */
    rls_block6 *inverse_upper; /* columns: inverse of U's, by columns */
    double (*reciprocal)[8];   /* columns: 1 / D */
    rls_block6 *scaled;        /* blocks of one column: L D */
    double (*solution)[8];     /* columns */
    rls_block6 *kept_diagonal, *kept_below;
    long versions; /* of what is in the place of K and its factor */

    rls_arena shape, structure, links, values; /* memory by lifetime */
    int *scratch;
    int scratch_capacity;
} rls_body_space;

/* Makes the structure fit the joints of the island (bilateral and bounded).  1 done, 0 no memory. */
int rls_body_space_analyse (rls_body_space *space, const rls_island *island);

/* K = M of the bodies at some poses. */
void rls_body_space_reset (rls_body_space *space, const rls_island *island, const rls_pose *pose);

/* y = M x. */
void rls_body_space_momentum (const rls_body_space *space, const double (*x)[6], double (*y)[6]);

/* K += sum over m rows of weight G' J, the rows of one joint, J along which they look and G along which they
 * act (the same unless K is lopsided); block is where its bodies meet. */
void rls_body_space_add (rls_body_space *space, int body1, int body2, int block, int m,
                         const double *const *J, const double *const *G, const double *weight);

/* K += S for rows that are wrenches: S (six columns) is their sum of weight g w', w the part of body 1 of J
 * and g that of G, and body 2 has the opposite; lever leads from the centre of mass of body 2 to that of body
 * 1. */
void rls_body_space_add_wrenches (rls_body_space *space, int body1, int body2, int block,
                                  const double lever[3], const rls_eight *S);

/* Remembers K as it is, symmetric, and returns to that; from then on it may be lopsided. */
void rls_body_space_keep (rls_body_space *space);
void rls_body_space_restore (rls_body_space *space, int lopsided);

/* K = L D L' or L D U, in its place.  A pivot that is not positive (lopsided: that is zero) is replaced by a
 * huge one, which holds its direction. */
void rls_body_space_factor (rls_body_space *space);

/* x = K^-1 x; x has an entry a body, those that cannot move are set to 0. */
void rls_body_space_solve (const rls_body_space *space, double (*x)[6]);

void rls_body_space_free (rls_body_space *space);

/* Makes the space the same as another one, up to what the next analysis does anyhow.  1 done, 0 no memory
 * (then it can only be freed). */
int rls_body_space_copy (rls_body_space *to, const rls_body_space *from);

#endif
