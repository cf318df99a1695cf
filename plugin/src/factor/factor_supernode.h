/*
 * A supernode of columns (order.h): it is assembled, eliminated column after column, takes from the columns
 * to its right what it has to do with them, and is finished.
 *
 * Every step is written out for each number of rows that a joint can have, and for each kind of processor, in
 * a file of its own: factor_assemble.c, factor_eliminate.c, factor_update.c.
 */
#ifndef RLS_FACTOR_SUPERNODE_H
#define RLS_FACTOR_SUPERNODE_H

#include "factor_parts.h"

/* The columns of a supernode that are subtracted from others: L, and D beside it. */
typedef struct
{
    const double *L;
    size_t height;
    int columns;
    double pivot[RLS_SUPERNODE_COLUMNS]; /* 0 for rows that are not kept */
} finished_columns;

static inline void begin_supernode (const rls_factor *f, int g, finished_columns *done)
{
    const int first = f->order->supernode[g];
    done->L = f->value + f->order->panel[first];
    done->height = (size_t)f->order->height[first];
    done->columns = 0;
}

/* The original matrix in columns first .. past - 1. */
void rls_assemble_columns (rls_factor *factor, const rls_rows *rows, int first, int past);

/* Eliminates the columns of supernode g.  Returns 0 if a pivot is not finite. */
int rls_eliminate_supernode (rls_factor *factor, const rls_rows *rows, const rls_decision_rule *rule,
                             finished_columns *done, int g);

/* What an eliminated supernode does to the columns that it reaches. */
void rls_update_targets (rls_factor *factor, const finished_columns *done, int g);

/* Brings the supernode's panels into the form that solves go through. */
void rls_finish_supernode (rls_factor *factor, int g);

#endif
