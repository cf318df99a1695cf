/*
 * Elimination order of an island's joints, and the block structure of the factor in that order.
 *
 * Two joints are coupled when they share a body that can move; eliminating a joint couples all its
 * remaining neighbours.  Column k of the factor belongs to joint perm[member0[k]], and to those after it up
 * to perm[member0[k + 1] - 1] where joints of few rows share a column.  Consecutive columns that reach the
 * same joints, or nearly so, form a supernode.  A supernode is one dense panel, column-major, in which column
 * k has size[k] scalar columns from panel[k] on:
 *
 *     rows top[k] ...           its own size[k] rows (diagonal block); rows above are not used
 *     then for each x in start[k] .. end[k]-1
 *     rows below[x] ...         the rows of column index[x] > k
 *
 * Columns of a supernode share their lists: that of each is the rest of the list of the one before it.
 *
 * A body with very many joints couples each of them with each other.  Such a dense body becomes a column of
 * its own, eliminated after all joints, and its joints are coupled with it alone: the matrix is then
 *
 *     [ A0   G ]      A0: couplings through other bodies
 *     [ G'  -1 ]      G = J R on the sides at the dense body, with R R' = M^-1 of that body
 *
 * and eliminating the dense body gives A0 + G G' = H M^-1 H' again.  Where it is heavier than what it
 * carries, as the chassis of a machine is, G G' is small beside A0, and fewer joints are enough to make that
 * worth while (chassis).
 *
 * Every block is padded with zero rows to whole vectors (rls_padded of kernels.h), and so are the parts of
 * vectors in elimination order, "scalars", that belong to it.  So that rods are not mostly padding, joints of
 * one or two rows that follow each other in a supernode share a column as far as a vector holds their rows.
 *
 * Computed once for a topology and kept while it stays.
 */
#ifndef RLS_ORDER_H
#define RLS_ORDER_H

#include "kernels/rows.h"
#include "tree.h"

#define RLS_DENSE_BODY_JOINTS 24 /* a body with more is a dense body, */
#define RLS_CHASSIS_JOINTS 8     /* and with more than so many one that is twice as heavy as its neighbours */
#define RLS_DENSE_BODY_SIZE 6
#define RLS_SUPERNODE_COLUMNS 96 /* scalar columns of a supernode, at most */

/* Blocks of a supernode that follow each other both in its panel and in vectors in elimination order. */
typedef struct
{
    int scalar, row, count; /* first scalar, first panel row, how many */
} rls_block_run;

/*
 * Joints of five rows that are coupled with few others of their kind, as in chains, rings and rows of loops
 * of hinges, have packed columns: alone in their supernodes, in a form of their own (factor_hinge.h) in place
 * of a panel.
 */
#define RLS_HINGE_ROWS 5
#define RLS_MOST_PACKED 3 /* blocks below such a column */
#define RLS_PACKED_VALUES(blocks) (24 * (1 + (size_t)(blocks)))

enum
{
    RLS_NO_JOINT = -1, /* a dense body's column */
    RLS_SHARED = -2    /* that of several joints */
};

/* A column, with what elimination and solves need of it in one place. */
typedef struct
{
    size_t block; /* first value of its diagonal block */
    int height;   /* from scalar column to scalar column */
    int joint;    /* whose they are; RLS_NO_JOINT or RLS_SHARED */
    int scalar;   /* the first of them in elimination order */
    int supernode;
    int target[RLS_MOST_PACKED]; /* of packed columns: first scalar of each block below */
    short size;                  /* how many rows of its own */
    signed char packed;          /* blocks below a packed column of hinges, -1 where it is none */
} rls_column;

/* A coupling of the original matrix: another joint, after this one in perm, that shares a body with it. */
typedef struct
{
    int row;   /* panel row at which the other joint's rows begin */
    int joint; /* the other, or joints + dense body; then its side is not used */
    int sides; /* 2 * side of this joint + side of the other (0: body 1, 1: body 2) */
} rls_coupling;

typedef struct rls_order
{
    int n;       /* columns, at so many positions */
    int nodes;   /* joints and dense bodies */
    int chassis; /* given: 1 if heavy bodies of a few joints are dense bodies as well */
    int joints;
    int dense_bodies; /* bodies that are eliminated instead of coupling their joints */
    int scalars;      /* rows with their padding */
    int *perm;        /* nodes: the joints as they are eliminated; joints + h for dense body h */
    int *member0;     /* n + 1: first of those at position k */
    int *position;    /* nodes: position of joint j */
    int *scalar;      /* nodes: first scalar of joint j */
    int *dense_body;  /* dense bodies */
    int *side_dense; /* 2 joints: position of the dense body that a side of the joint is attached to, or -1 */
    int *size;       /* n: rows at position k */
    int *scalar0;    /* n + 1: first scalar of position k */
    int *row;        /* scalars: the row that it is; -1: padding, or a dense body's */
    int supernodes;
    int *supernode; /* supernodes + 1: position of the first column */
    int *start;     /* n */
    int *end;       /* n */
    int *index;     /* blocks: positions of the blocks below the diagonal, ascending in a column */
    int *below;     /* blocks: first panel row of the block */
    int blocks;     /* end[n - 1] */
    int *run0; /* supernodes + 1: first run of the supernode; it begins with the supernode's own columns */
    rls_block_run *run;
    int *top;           /* n: panel row of the diagonal block */
    int *height;        /* n: panel rows, those above the diagonal block included */
    size_t *panel;      /* n + 1: first value of the column */
    rls_column *column; /* n */
    int *couple_start;  /* nodes + 1: first coupling of the joint at place i of perm */
    rls_coupling *coupling;
    int couplings;
    rls_tree tree; /* the joints, if they form one */
    rls_arena block;
    int *scratch; /* growing work array of the symbolic analysis */
    int scratch_capacity;
} rls_order;

/*
 * Analyses the topology of rows, with their sides by body.  kind is a dRLSOrder; key (n, may be NULL) sorts
 * the joints for priority and random orders. Returns 1, or 0 when memory is short (then the order is
 * unusable).
 */
int rls_order_analyse (rls_order *order, const rls_rows *rows, int kind, const double *key);

/* 1 if the dense bodies are still those of the analysis; masses may have changed since, or chassis. */
int rls_order_dense_bodies_stay (const rls_order *order, const rls_rows *rows);

/* How many rows joint j has, or a dense body. */
static inline int rls_order_rows (const rls_order *order, const rls_rows *rows, int j)
{
    return j < order->joints ? rows->row0[j + 1] - rows->row0[j] : RLS_DENSE_BODY_SIZE;
}

/* What of the structure lies in scratch is where scratch is. */
void rls_order_place_scratch (rls_order *order);

#endif
