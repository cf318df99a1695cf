/*
 * What the files of the factorisation share.
 *
 *     factor.c              the public functions: passes, light bodies, the rank
 *     factor_columns.c      assembly and elimination, supernode by supernode
 *     factor_assemble.h       the original matrix, block by block
 *     factor_eliminate.h      elimination of a column, with decisions on its rows, and its products
 *     factor_packed.h         the same for packed columns of hinges
 *     factor_hinge.h          the layout of packed columns, and solves with them
 *     factor_probe.c        many doubtful rows: those that others imply are found by one velocity
 *     factor_border.c       doubtful rows: complete pivoting among themselves
 *     factor_reach.c          their couplings with the other rows
 *     factor_solve.c        solves
 *     factor_half.c         half solves
 *     factor_blocks.h         both, block by block
 *     factor_tree.c         trees, whose joints are eliminated with their bodies
 *     factor_tree_solve.c     solves with these
 *     mass_scaling.c        light bodies
 *     precedence.c          rows that give way to others
 */
#ifndef RLS_FACTOR_PARTS_H
#define RLS_FACTOR_PARTS_H

#include "factor.h"

/* By what rule ranks are decided. */
typedef struct
{
    double tolerance,
        safe; /* relative pivots: redundant below tolerance, kept in the first pass above safe */
    const unsigned char *decided, *previous;
    const rls_precedence *precedence; /* or NULL: no row gives way to others */
    int partial;  /* 1: dense bodies follow, by which pivots may still grow; no row is redundant yet */
    double clear; /* relative pivot from which a hard row is kept whatever else is known */
} rls_decision_rule;

/* The relative pivot below which a row is redundant, hysteresis included. */
static inline double rls_rank_limit (const rls_decision_rule *rule, int row)
{
    double tolerance = rule->tolerance;
    if (rule->precedence && rule->precedence->open && rule->precedence->tolerance[row] < tolerance)
        tolerance = rule->precedence->tolerance[row];
    if (!rule->previous) return tolerance;
    return rule->previous[row] == RLS_REDUNDANT ? tolerance * RLS_HYSTERESIS : tolerance / RLS_HYSTERESIS;
}

/* True if the row waits until all rows that go before it have been decided on. */
static inline int rls_is_late (const rls_decision_rule *rule, int row)
{
    return rule->precedence && rule->precedence->late[row];
}

/* Assembles and eliminates all columns and decides on their rows.  Returns 0 if a pivot is not finite. */
int rls_factor_columns (rls_factor *factor, const rls_rows *rows, const rls_decision_rule *rule);

/* True if the kept rows, with those of the border, imply all redundant ones. */
int rls_factor_implies (rls_factor *factor, const rls_rows *rows);

/* The root R of a body's inverse mass matrix, R R' = M^-1: the root of the inverse mass, and a lower triangle
 * by columns of three. */
void rls_factor_dense_root (const rls_rows *rows, int body, double root[10]);

/* Decides on the rows that are left as RLS_BORDER: pivots them completely among themselves.  Returns
 * RLS_DONE, RLS_NO_MEMORY, or RLS_FAILED if a value is not finite. */
rls_outcome rls_factor_border (rls_factor *factor, const rls_rows *rows, const rls_decision_rule *rule);

/* The same where many rows are left: those that the others imply are found without pivoting. */
rls_outcome rls_factor_sort_out (rls_factor *factor, const rls_rows *rows, const rls_decision_rule *rule);

/* to := R' J, the couplings of a row with a dense body; J are its six entries on that body. */
static inline void rls_factor_dense_entries (const double root[10], const double J[6],
                                             double to[RLS_DENSE_BODY_SIZE])
{
    for (int k = 0; k < 3; ++k) to[k] = root[0] * J[k];
    rls_multiply_transposed (root + 1, J + 3, to + 3);
}

/* x := L^-T x over the kept rows, x (scalars) in elimination order. */
void rls_factor_upper (const rls_factor *factor, double *x);

/* Forms the vectors Y = L^-1 C of the border rows in their original order, and S = C_BB - Y' D^-1 Y in
 * border_ld, on and above the diagonal.  If there are rows over more than two bodies, all rows are border
 * rows: there are no vectors, and border_ld is left as it is.  Returns 1, or 0 without memory. */
int rls_reach_form (rls_factor *factor, const rls_rows *rows);

/* z -= Y' x, and x -= D^-1 Y z, with x (scalars) in elimination order and z by the numbers of the border
 * rows. */
void rls_reach_subtract_rows (const rls_factor *factor, const double *x, double *z);
void rls_reach_subtract (const rls_factor *factor, const double *z, double *x);

/* Lays their index arrays out. */
void rls_reach_lay_out (rls_factor *factor, rls_arena_cursor *cursor);

#endif
