/*
 * The ordered, rank-revealing factorisation: H M^-1 H' + diag (sigma^2) = L D L'.
 *
 * With the rows in a fixed order, pivot D_r is the s of the RLS recursion (Orsino & Oliveira) and a
 * pivot that vanishes relative to h' M^-1 h is a row that the earlier ones imply: it is skipped.
 * Pure linear algebra; knows no ODE.
 *
 * Rank decisions are made in two passes.  Rows with a large relative pivot are kept as they come, rows
 * below the tolerance are redundant for good (a pivot can only shrink as rows are added), and the few
 * doubtful ones in between wait until the end and are then pivoted completely among themselves, as a
 * dense border of the sparse factor.
 */
#ifndef RLS_FACTOR_H
#define RLS_FACTOR_H

#include "kernels/precedence.h"
#include "order/order.h"
#include <string.h>

/* What becomes of an attempt: of a step, or of a part of one that may fail for reasons in the numbers. */
typedef enum
{
    RLS_FAILED = -1,    /* a value is not finite, or the equations have no answer here: recovery begins */
    RLS_NO_MEMORY = 0,  /* the world stays as it was */
    RLS_DONE = 1,       /* what was asked for is there */
    RLS_ANOTHER_WAY = 2 /* nothing is wrong, but this method has no answer here and another may */
} rls_outcome;

enum
{
    RLS_KEPT = 0,
    RLS_BORDER,
    RLS_REDUNDANT
};

#define RLS_MOST_BORDERS 100

/* What is kept of a tree that was eliminated with its bodies; see factor_tree.h. */
typedef struct
{
    int rows;              /* its rows; 0: the factor is an ordinary one */
    double *number;        /* of its nodes, node by node */
    double *force;         /* 8 a node: scratch of solves */
    double *velocity;      /* the same */
    double *rest;          /* 3 a node: the same */
    double (*inertia)[36]; /* nodes: scratch of the factorisation */
} rls_tree_factor;

typedef struct
{
    const rls_order *order;
    double *value;         /* panels: L_kk in the diagonal blocks, L_below L_kk^-1 below them; see order.h */
    double *inverse_pivot; /* scalars in elimination order, 0 for rows that are not kept */
    double *diagonal;      /* rows: h' M^-1 h + sigma^2; not of trees */
    double *relative;      /* rows: pivot over diagonal at which the row was decided */
    unsigned char *decision; /* rows: RLS_KEPT, RLS_BORDER or RLS_REDUNDANT */
    int rank;                /* kept and border rows without sigma^2 */
    double gap;              /* smallest relative pivot among them, 1 if none, and of trees */
    double mass_gap;         /* the same with the masses as they are, of light bodies too */

    int borders;       /* border rows in pivot order */
    int waited;        /* these, and behind them in border_row those that were left out in the end */
    int *border_row;   /* rows, original numbering */
    double *border_ld; /* borders x borders: dense L D L' of their Schur complement, D on and L' above the
                          diagonal */
    int *border_was, *border_number; /* borders as they came: by pivot order, and their numbers in it */
    double *border_part;             /* the same: how much of each is in a combination */
    unsigned char *doubtful;         /* rows: scratch, decisions before the border (factor_probe.c) */
    int bodies;
    double (*probe)[6];       /* bodies: scratch, a velocity (factor_probe.c) */
    double (*border_left)[6]; /* bodies: what is left of a border row beside the kept ones */
    /* vectors of the border rows, supernode by supernode of columns: factor_reach.c */
    int *reach0, *reach; /* supernodes + 1: first of its border rows, and these */
    size_t *reach_panel; /* supernodes + 1: first of its values */
    double *reach_value;
    int *reach_count, *reach_last; /* supernodes: while the lists are made */
    int *reach_place;              /* borders: the same for products, */
    double *reach_work;            /* and their columns */
    int *column0;                  /* positions + 1: rows before, without padding */
    int mesh;                      /* scalars of a system that had too many doubtful rows */
    rls_arena block, border_block, reach_block;
    rls_tree_factor tree;
    double *work;             /* 3 x scalars, and four */
    double (*dense_root)[10]; /* dense bodies: root of the inverse mass, then a triangular root of the inverse
                                 inertia */
} rls_factor;

/*
 * Factors the rows under the order (which must outlive the factor).  tolerance is the relative pivot
 * below which a row is redundant.  decided (rows, may be NULL) are the decisions of an earlier
 * factorisation to be kept: redundant rows stay out and the others stay in unless their pivot vanishes.
 * previous (rows, may be NULL) are the decisions of the last step: they give hysteresis, a factor 4 either
 * way.  Returns RLS_DONE, RLS_NO_MEMORY, or RLS_FAILED when a value is not finite.
 */
rls_outcome rls_factor_rows (rls_factor *factor, const rls_order *order, const rls_rows *rows,
                             double tolerance, const unsigned char *decided, const unsigned char *previous);

/* Solves for the multipliers: x (rows) holds the right-hand side on entry, the impulses on return;
 * redundant rows get 0.  rows gives the topology; it uses the factor's own workspace. */
void rls_factor_solve (const rls_factor *factor, const rls_rows *rows, double *x);

/* 1 if there is a row with such a decision. */
static inline int rls_decided_on (const unsigned char *decision, int rows, int which)
{
    return rows > 0 && memchr (decision, which, (size_t)rows) != NULL;
}

/* v += M^-1 H' p with H M^-1 H' p = x over the rows that are kept: the least change that moves the rows by x
 * (rows), which may be overwritten. */
void rls_factor_enforce (const rls_factor *factor, const rls_rows *rows, double *x, double (*v)[6]);

/*
 * Half solves (factor_half.c), of factors that are no trees and of rows over two bodies each.  half := L^-1 x
 * for the velocities x of the rows where two bodies (-1: none) move by Y; x (rows) is scratch that is 0
 * before and after.  Weighed by D^-1, its product with another one is what closing the rows takes off the
 * mobility along both directions.  Returns how many of its first numbers are 0 (a multiple of
 * RLS_HALF_STRIDE), which weighing and products may leave out.
 */
#define RLS_HALF_STRIDE (4 * RLS_LANES) /* numbers that a product adds up at once */
size_t rls_factor_half_length (const rls_factor *factor);
size_t rls_factor_half (const rls_factor *factor, const rls_rows *rows, const int body[2], const double Y[12],
                        double *x, double *half);
void rls_factor_weigh_half (const rls_factor *factor, size_t zeros, const double *half, double *weighed);
double rls_factor_half_product (const rls_factor *factor, size_t zeros, const double *weighed,
                                const double *half);

/* Of trees: v (bodies, all 0 before) := what closing the rows again adds to the velocities where two bodies
 * move by -Y; x (rows) is scratch that is 0 before and after. */
void rls_factor_tree_close (const rls_factor *factor, const rls_rows *rows, const int body[2],
                            const double Y[12], double *x, double (*v)[6]);

/* The halves of a solve: half := L^-1 x, and x := L^-T weighed, which is used up. */
void rls_factor_half_of_rows (const rls_factor *factor, const rls_rows *rows, const double *x, double *half);
void rls_factor_other_half (const rls_factor *factor, const rls_rows *rows, double *weighed, double *x);

/* The same of one direction with itself, of trees as well. */
double rls_factor_taken (const rls_factor *factor, const rls_rows *rows, const int body[2],
                         const double Y[12], double *x);

/* out (rows) := h' M^-1 h + sigma^2 of the rows that were factored, with their W. */
void rls_factor_diagonal (const rls_factor *factor, const rls_rows *rows, double *out);

void rls_factor_free (rls_factor *factor);

/* ---- rows that give way to others (kernels/precedence.h) ---- */

/* Sizes the arrays, which keep what they held where bodies and rows are as many as before.  1 done, 0 no
 * memory (then there are no drives). */
int rls_precedence_lay_out (rls_precedence *precedence, int bodies, int rows);

/* Makes those drives and rows of larger priority numbers late that a row which the factor left out depends on
 * and does not give way to.  Returns 1 if there are any that were not: then the rows are to be factored
 * again. */
int rls_precedence_find (rls_precedence *precedence, const rls_factor *factor, const rls_rows *rows);

#endif
