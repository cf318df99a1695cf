/*
 * The elimination order of an island's joints, and the block structure of the factor in that order (section 3
 * of method.md, "Order of elimination").  Computed once for a topology, and kept while it stays the same.
 *
 * Two joints are coupled if they share a body that can move; eliminating a joint couples all its remaining
 * neighbours.  A block column k of the factor belongs to one joint, perm[member0]; or, if joints of few rows
 * share the column, to all up to the one before the next column's.  Consecutive columns with the same, or
 * almost the same, rows below the diagonal form a supernode, which is stored as one dense panel,
 * column-major.  In it column k has size scalar columns:
 *
 *     rows top ...              its own size rows (diagonal block); rows above are not used
 *     then for each x in start[k] .. end[k]-1
 *     rows below[x] ...         the rows of column index[x] > k
 *
 * Columns of a supernode share one list: that of each is the rest of the list of the column before it.
 *
 * A body with very many joints would couple each of them with all others.  Such a dense body becomes a column
 * of its own, which is eliminated after all joints, and its joints are coupled with it alone.  The matrix is
 *
 *     [ A0   G ]      A0: couplings through other bodies
 *     [ G'  -1 ]      G = J R on the sides at the dense body, with R R' = M^-1 of that body
 *
 * and eliminating the dense body gives A0 + G G' = H M^-1 H' again.  If the body is heavier than what it
 * carries, like the chassis of a machine, G G' is small beside A0, and this pays with fewer joints already
 * (chassis).
 *
 * The numbers of a vector in elimination order are called scalars.  Blocks, and the parts of such vectors
 * that belong to them, are padded with zeros to whole vectors of four (rls_padded in kernels.h).  So that
 * rods are not mostly padding, joints of one or two rows that follow each other in a supernode share a column
 * as long as a vector of four holds their rows.
 */
#ifndef RLS_ORDER_H
#define RLS_ORDER_H

#include "tree.h"

#define RLS_DENSE_BODY_JOINTS 24 /* a body with more joints is a dense body, */
#define RLS_CHASSIS_JOINTS 8     /* with more than these also if it is twice as heavy as each neighbour */
#define RLS_DENSE_BODY_SIZE 6    /* scalar columns of a dense body */
#define RLS_SUPERNODE_COLUMNS 96 /* scalar columns of a supernode at most */

/* A run: blocks of a supernode that are adjacent both in its panel and in vectors of scalars, so that both
 * are copied in one piece. */
typedef struct
{
    int scalar, row, count; /* first scalar, first panel row, how many */
} rls_block_run;

/*
 * Packed columns.  Joints of five rows that are coupled with at most three others of five rows, as in chains
 * and rings of hinges, are alone in their supernodes and have a layout of their own (factor_hinge.h) instead
 * of a panel.
 */
#define RLS_HINGE_ROWS 5
#define RLS_MOST_PACKED 3 /* blocks below the diagonal block of such a column at most */
#define RLS_PACKED_VALUES(blocks) (24 * (1 + (size_t)(blocks)))

enum
{
    RLS_NO_JOINT = -1, /* a dense body's column */
    RLS_SHARED = -2    /* that of several joints */
};

/* A block column, with all that elimination and solves need to know of it. */
typedef struct
{
    size_t block;                /* index of the first value of its diagonal block */
    int height;                  /* panel rows, and so values from one scalar column to the next */
    int top;                     /* panel row of the diagonal block */
    int member0;                 /* index in perm of its first node */
    int joint;                   /* whose column it is; RLS_NO_JOINT or RLS_SHARED */
    int scalar;                  /* its first scalar */
    int size;                    /* scalar columns, without padding */
    int supernode;               /* that it belongs to */
    int target[RLS_MOST_PACKED]; /* packed columns: first scalar of each block below the diagonal */
    signed char packed;          /* packed columns: number of blocks below the diagonal; else -1 */
} rls_column;

/* A coupling of the original matrix: a joint that comes later in perm and shares a body with a given one. */
typedef struct
{
    int row;   /* panel row at which the later joint's rows begin */
    int joint; /* the later joint; joints + d for dense body d, whose side is not used */
    int sides; /* 2 * side of the given joint + side of the later one (0: body 1, 1: body 2) */
} rls_coupling;

typedef struct rls_order
{
    int n;            /* columns; those of lower position are eliminated first */
    int nodes;        /* joints, then dense bodies: what is put in order */
    int chassis;      /* given by the caller: 1 if heavy bodies of few joints are dense bodies as well */
    int joints;       /* of rls_rows */
    int dense_bodies; /* bodies that are eliminated as columns instead of coupling their joints */
    int scalars;      /* length of vectors in elimination order, padding included */
    size_t values;    /* of all panels */

    /* order and columns */
    int *perm;       /* nodes: the nodes in the order of elimination; joints + d is dense body d */
    int *position;   /* nodes: the column of a node */
    int *scalar;     /* nodes: its first scalar */
    int *dense_body; /* dense_bodies: which body it is */
    int *side_dense; /* 2 joints: column of the dense body that a side is attached to, or -1 */
    int *row;        /* scalars: which row it is; -1: padding, or a dense body's */

    /* supernodes and blocks */
    int supernodes;
    int *supernode;     /* supernodes + 1: first column of the supernode */
    int *start, *end;   /* n: the blocks below the diagonal of column k are start[k] .. end[k] - 1 */
    int *index;         /* blocks: the column whose rows a block has, ascending in each column */
    int *below;         /* blocks: first panel row of the block */
    int blocks;         /* end[n - 1] */
    int *run0;          /* supernodes + 1: first run of the supernode; it holds the supernode's own rows */
    rls_block_run *run; /* runs */
    rls_column *column; /* n, and one with the member0 and scalar that a next one would have */

    /* where the blocks of the original matrix are */
    int *couple_start; /* nodes + 1: first coupling of the node at index i of perm */
    rls_coupling *coupling;
    int couplings;

    rls_tree tree; /* the joints as a tree, if they form one */
    rls_arena block;
    int *scratch; /* growing array of the analysis; index, below, row and run are in it */
    rls_arena scratch_block;
} rls_order;

/* Computes order and structure for the topology of rows (with attach0 and attach).  kind: a dRLSOrder; key
 * (joints): sorts the joints for priority and random orders, NULL for others.  Returns 1, or 0 without memory
 * (then the order cannot be used). */
int rls_order_analyse (rls_order *order, const rls_rows *rows, int kind, const double *key);

/* Returns 1 if the dense bodies are still those of the analysis.  Masses or chassis may have changed
 * since. */
int rls_order_dense_bodies_stay (const rls_order *order, const rls_rows *rows);

/* Returns how many rows node j has: a joint, or a dense body. */
static inline int rls_order_rows (const rls_order *order, const rls_rows *rows, int j)
{
    return j < order->joints ? rows->row0[j + 1] - rows->row0[j] : RLS_DENSE_BODY_SIZE;
}

/* Sets the pointers to the arrays that are in scratch, after scratch has moved. */
void rls_order_place_scratch (rls_order *order);

#endif
