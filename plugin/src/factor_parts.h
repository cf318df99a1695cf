/* What the files of the factorisation share: factor.c, factor_border.c and factor_solve.c. */
#ifndef RLS_FACTOR_PARTS_H
#define RLS_FACTOR_PARTS_H

#include "factor.h"
#include "yield.h"

#define RLS_VANISHED 1e-14 /* relative pivot at which even a decided row is left out */
#define RLS_HYSTERESIS 4.0

/* What elimination needs to know about the decisions asked for. */
typedef struct
{
    double tolerance, safe; /* relative pivots: redundant below, kept in the first pass above */
    const unsigned char *decided, *previous;
    const rls_yield *yield; /* NULL: no row gives way */
    int partial; /* hubs are to come: a pivot says how independent a row is at least, no row is out for good
                  */
    double clear; /* relative pivot from which a hard row is kept without further ado */
} rls_decision_rule;

/* The relative pivot below which a row is redundant, hysteresis included. */
static inline double rls_rank_limit (const rls_decision_rule *rule, int row)
{
    if (!rule->previous) return rule->tolerance;
    return rule->previous[row] == RLS_REDUNDANT ? rule->tolerance * RLS_HYSTERESIS
                                                : rule->tolerance / RLS_HYSTERESIS;
}

/* 1 if the row waits until all that go before it have been decided on. */
static inline int rls_is_late (const rls_decision_rule *rule, int row)
{
    return rule->yield && rule->yield->late[row];
}

/* Takes the rows that were left as RLS_BORDER: pivots them completely among themselves, keeps them as
 * border or calls them redundant.  Returns 1; 0 when memory is short; -1 when a value is not finite. */
int rls_factor_border (rls_factor *factor, const rls_rows *rows, const rls_decision_rule *rule);

/* The layout of the border's memory. */
void rls_factor_carve_border (rls_factor *factor, rls_carver *carver);

/* to := the hub's part of a row whose six entries on the hub are J: R' J. */
void rls_factor_hub_entries (const double root[10], const double J[6], double to[RLS_HUB_SIZE]);

/* x = L^-1 x over the kept rows, 0 in the others; x (scalars) in elimination order. */
void rls_factor_lower (const rls_factor *factor, double *x);

/* x = L^-T x, likewise. */
void rls_factor_upper (const rls_factor *factor, double *x);

#endif
