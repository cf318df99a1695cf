/*
 * The ordered, rank-revealing factorisation  H M^-1 H' + diag (sigma^2) = L D L'  (method.md, sections 3 and
 * 4).
 *
 * With the rows in a fixed order, pivot D_r is the s of the recursion of Orsino & Oliveira.  A pivot that
 * vanishes beside h' M^-1 h belongs to a row that the earlier ones imply: it is redundant and left out.  This
 * is pure linear algebra, without ODE.
 *
 * Ranks are decided in two passes.  Rows with a large relative pivot are kept as they come.  Rows below the
 * tolerance are redundant for good, because a pivot can only shrink as rows are added.  The few doubtful ones
 * in between wait until the end and are then pivoted completely among themselves, as a dense border of the
 * sparse factor.
 */
#ifndef RLS_FACTOR_H
#define RLS_FACTOR_H

#include "kernels/precedence.h"
#include "order/order.h"

/* The outcome of a step or of a part of one. */
typedef enum
{
    RLS_FAILED =
        -1, /* a value is not finite, or the equations have no solution here; another attempt follows */
    RLS_NO_MEMORY = 0,  /* memory is short; the world stays as it was */
    RLS_DONE = 1,       /* success */
    RLS_ANOTHER_WAY = 2 /* no error, but another method is needed here */
} rls_outcome;

/* Goes on if a stage has succeeded; otherwise its outcome is that of the function. */
#define RLS_TRY(stage)                                                                                       \
    do {                                                                                                     \
        const rls_outcome tried_ = (stage);                                                                  \
        if (tried_ != RLS_DONE) return tried_;                                                               \
    } while (0)

/* What is decided on a row. */
enum
{
    RLS_KEPT = 0, /* in the sparse factor */
    RLS_BORDER,   /* kept in the dense border; during the factorisation also: not decided yet */
    RLS_REDUNDANT /* left out */
};

/* Border rows above which ways are taken that leave fewer. */
#define RLS_MOST_BORDERS 100

/* The factor of a tree, whose joints are eliminated together with their bodies; see factor_tree.h. */
typedef struct
{
    int rows;              /* of the tree; 0: the factor is none of a tree */
    double *number;        /* the numbers of all nodes, see factor_tree_parts.h */
    double *force;         /* scratch of solves: 8 for each node, */
    double *velocity;      /* 8 for each node, */
    double *rest;          /* and 3 for each node */
    double (*inertia)[36]; /* nodes: scratch of the factorisation */
} rls_tree_factor;

typedef struct
{
    const rls_order *order;
    double *value;         /* panels: L_kk in the diagonal blocks, L_below L_kk^-1 below them; see order.h */
    double *inverse_pivot; /* scalars in elimination order: 1 / D, 0 for rows that are not kept */
    double *diagonal;      /* rows: h' M^-1 h + sigma^2 (not of trees) */
    double *relative;      /* rows: pivot divided by diagonal, as the row was decided */
    unsigned char *decision; /* rows: RLS_KEPT, RLS_BORDER or RLS_REDUNDANT */
    int rank;                /* kept and border rows without sigma^2 */
    double gap;              /* the smallest relative pivot of these; 1 if there are none, and of trees */
    double mass_gap; /* the same with the true masses, where light bodies are raised; see mass_scaling.h */

    int borders; /* number of border rows */
    int waited;  /* the same with those that were left out in the end, which come behind them in border_row */
    int *border_row;   /* rows in pivot order, by their number among all rows */
    double *border_ld; /* borders x borders: L D L' of their Schur complement, D on the diagonal and L' above
                          it */
    int *border_was, *border_number; /* original number by pivot order, and pivot order by original number */
    double *border_part;             /* by original number: coefficients of a combination */
    int bodies;
    double (*of_bodies)[6]; /* bodies: scratch, */
    double *of_rows;        /* rows: scratch, */
    unsigned char *before;  /* and decisions while others are made */

    /* the vectors of the border rows, by supernodes: factor_reach.c */
    int *reach0, *reach; /* supernodes + 1: first in the list of border rows, and that list */
    size_t *reach_panel; /* supernodes + 1: first value */
    double *reach_value;
    int *reach_count, *reach_last; /* supernodes: scratch while the lists are formed */
    int *reach_place;              /* borders: scratch of products, */
    double *reach_work;            /* and their columns */
    int *column0;                  /* positions + 1: number of rows before, without padding */
    int mesh; /* scalars of the last system with too many doubtful rows, by which it is recognised */
    rls_arena block, border_block, reach_block;
    rls_tree_factor tree;
    double *work;             /* scratch: 3 x scalars, and four */
    double (*dense_root)[10]; /* dense bodies: root of the inverse mass, then the triangular root of the
                                 inverse inertia */
} rls_factor;

/*
 * Factors the rows in the given order, which must outlive the factor.  A row is redundant if its relative
 * pivot is below tolerance.  decided (rows, or NULL) are earlier decisions to be kept: redundant rows stay
 * out, and the others stay in unless their pivot vanishes.  previous (rows, or NULL) are the decisions of the
 * last step, for hysteresis: their tolerance is RLS_HYSTERESIS times larger or smaller.  Returns RLS_DONE,
 * RLS_NO_MEMORY, or RLS_FAILED if a value is not finite.
 */
rls_outcome rls_factor_rows (rls_factor *factor, const rls_order *order, const rls_rows *rows,
                             double tolerance, const unsigned char *decided, const unsigned char *previous);

/* Solves for the multipliers: x (rows) is the right-hand side, then the impulses, 0 for redundant rows.  rows
 * must be those that were factored.  Uses the factor's workspace. */
void rls_factor_solve (const rls_factor *factor, const rls_rows *rows, double *x);

/* True if there is a row with that decision. */
static inline int rls_decided_on (const unsigned char *decision, int rows, int which)
{
    return rows > 0 && memchr (decision, which, (size_t)rows) != NULL;
}

/* v += M^-1 H' p with H M^-1 H' p = x over the kept rows: the change of velocities with the least kinetic
 * energy that changes the velocities along the rows by x (rows).  x becomes the impulses p. */
void rls_factor_push (const rls_factor *factor, const rls_rows *rows, double *x, double (*v)[6]);

/* The same, faster for trees; x is scratch afterwards. */
void rls_factor_enforce (const rls_factor *factor, const rls_rows *rows, double *x, double (*v)[6]);

/* Projects v onto the rows that the factor keeps: H v = target; NULL: 0.  x (rows): scratch. */
void rls_enforce (const rls_factor *factor, const rls_rows *rows, const double *target, double *x,
                  double (*v)[6]);

/*
 * Half solves (factor_half.c), for factors that are none of trees, and rows over two bodies each.  half :=
 * L^-1 x, where x are the velocities along the rows if two bodies (-1: none) have the velocities Y; x (rows)
 * is scratch that is 0 before and after.  A half times D^-1 times another half is what closing the rows takes
 * from the mobility along both directions.  Returns how many numbers at the beginning of half are 0, a
 * multiple of RLS_HALF_STRIDE; weighing and products may leave them out.
 */
#define RLS_HALF_STRIDE (4 * RLS_LANES) /* numbers that a product sums at once */
size_t rls_factor_half_length (const rls_factor *factor);
size_t rls_factor_half (const rls_factor *factor, const rls_rows *rows, const int body[2], const double Y[12],
                        double *x, double *half);
void rls_factor_weigh_half (const rls_factor *factor, size_t zeros, const double *half, double *weighed);
double rls_factor_half_product (const rls_factor *factor, size_t zeros, const double *weighed,
                                const double *half);

/* The halves of a solve: half := L^-1 x; and x := L^-T weighed, which is scratch afterwards. */
void rls_factor_half_of_rows (const rls_factor *factor, const rls_rows *rows, const double *x, double *half);
void rls_factor_other_half (const rls_factor *factor, const rls_rows *rows, double *weighed, double *x);

/* out (rows) := h' M^-1 h + sigma^2 of the rows that were factored. */
void rls_factor_diagonal (const rls_factor *factor, const rls_rows *rows, double *out);

void rls_factor_free (rls_factor *factor);

/* ---- rows that give way to others (kernels/precedence.h) ---- */

/* Lays the arrays out; they keep their contents if the numbers of bodies and rows are the same.  Returns 1,
 * or 0 without memory (there are no drives then). */
int rls_precedence_lay_out (rls_precedence *precedence, int bodies, int rows);

/* Marks as late all drives and rows of larger priority numbers on which a redundant row depends although they
 * are to give way to it.  Returns 1 if some were not late before; the rows must then be factored again. */
int rls_precedence_find (rls_precedence *precedence, const rls_factor *factor, const rls_rows *rows);

#endif
