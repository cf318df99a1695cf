/*
 * What the files of the factorisation share.
 *
 *     factor.c              the public functions: passes, metric, rank
 *     factor_columns.c      assembly and elimination, supernode by supernode; of it,
 *     factor_assemble.h     the original matrix, block by block,
 *     factor_eliminate.h    the elimination of a column, decisions on its rows included, and what it does to
 *                           those to its right,
 *     factor_packed.h       all of that for columns of hinges, packed as
 *     factor_hinge.h        says
 *     factor_probe.c        doubtful rows that are easily found to be redundant,
 *     factor_border.c       the other ones,
 *     factor_reach.c        and their couplings with the others
 *     factor_solve.c        solves,
 *     factor_half.c         and halves of solves,
 *     factor_blocks.h       block by block
 *     factor_tree.c         trees, which are eliminated with their bodies,
 *     factor_tree_solve.c   and solves with them
 */
#ifndef RLS_FACTOR_PARTS_H
#define RLS_FACTOR_PARTS_H

#include "factor.h"
#include "tolerances.h"

/* What elimination needs to know about the decisions asked for. */
typedef struct
{
    double tolerance, safe; /* relative pivots: redundant below, kept in the first pass above */
    const unsigned char *decided, *previous;
    const rls_precedence *precedence; /* NULL: no row gives way */
    int partial;  /* dense bodies follow: pivots can still grow, and no row is redundant yet */
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

/* 1 if the row waits until all that go before it have been decided on. */
static inline int rls_is_late (const rls_decision_rule *rule, int row)
{
    return rule->precedence && rule->precedence->late[row];
}

/* The same for rows over more than two bodies, which the columns do not know: all rows wait. */
void rls_factor_no_columns (rls_factor *factor, const rls_rows *rows);

/* Assembles and eliminates all columns and decides on their rows.  Returns 0 if a pivot is not finite. */
int rls_factor_columns (rls_factor *factor, const rls_rows *rows, const rls_decision_rule *rule);

/* 1 if the kept rows, border rows included, imply all that are redundant. */
int rls_factor_implies (rls_factor *factor, const rls_rows *rows);

/* The root R of a body's inverse mass matrix, R R' = M^-1: that of the inverse mass, and a lower triangle. */
void rls_factor_dense_root (const rls_rows *rows, int body, double root[10]);

/* Takes the rows that were left as RLS_BORDER: pivots them completely among themselves, keeps them as
 * border or calls them redundant.  Returns RLS_DONE, RLS_NO_MEMORY, or RLS_FAILED when a value is not finite.
 */
rls_outcome rls_factor_border (rls_factor *factor, const rls_rows *rows, const rls_decision_rule *rule);

/* The same where many rows were left: those that the others imply are found without pivoting. */
rls_outcome rls_factor_sort_out (rls_factor *factor, const rls_rows *rows, const rls_decision_rule *rule);

/* to := the dense body's part of a row whose six entries on the dense body are J: R' J. */
static inline void rls_factor_dense_entries (const double root[10], const double J[6],
                                             double to[RLS_DENSE_BODY_SIZE])
{
    const double *C = root + 1;
    for (int k = 0; k < 3; ++k)
    {
        to[k] = root[0] * J[k];
        to[3 + k] = C[k] * J[3] + C[3 + k] * J[4] + C[6 + k] * J[5];
    }
}

/* x = L^-T x over the kept rows; x (scalars) in elimination order. */
void rls_factor_upper (const rls_factor *factor, double *x);

/* Forms the vectors Y = L^-1 C of the border rows, numbered as they came, and S = C_BB - Y' D^-1 Y in
 * border_ld, on and above the diagonal.  Where there are rows over more than two bodies, all rows are border
 * rows: no vectors, and border_ld stays.  Returns 1, or 0 without memory. */
int rls_reach_form (rls_factor *factor, const rls_rows *rows);

/* Numbers the border rows anew. */
void rls_reach_renumber (rls_factor *factor, const int *number);

/* z -= Y' x, and x -= D^-1 Y z; x (scalars) in elimination order, z by the numbers of the border rows. */
void rls_reach_subtract_rows (const rls_factor *factor, const double *x, double *z);
void rls_reach_subtract (const rls_factor *factor, const double *z, double *x);

/* Layout and copy of their memory. */
void rls_reach_lay_out (rls_factor *factor, rls_arena_cursor *cursor);

#endif
