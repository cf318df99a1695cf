/*
 * Rows over more than two bodies (dRLSStepperJoinRows; section 10 of method.md, "Rows of the program").
 *
 * The first two bodies of a row are those of its joint.  Its entries on further bodies are in parts, of two
 * bodies each.  A body may occur several times.  Rows with and without bounds have parts in the same way.
 * They are rare; islands that have some are factored densely (factor_border.c) or pivoted in a dense matrix
 * (bounded.c), and nothing here is made for speed.
 */
#ifndef RLS_PARTS_H
#define RLS_PARTS_H

#include "rows.h"

typedef struct rls_part
{
    int row;       /* the row that it is a part of; -1: none */
    int body[2];   /* -1: the world, or none */
    int ode_joint; /* the ODE joint of the island that the program has given for it */
} rls_part;

void rls_parts_lay_out (rls_parts *parts, rls_arena_cursor *cursor);

/* Returns 1 if one of the rows from first to end - 1 has parts; and if joint j has such rows. */
int rls_have_parts (const rls_parts *parts, int first, int end);
int rls_is_wide (const rls_rows *rows, int j);

/* Y := M^-1 J' of all parts, with the masses of these rows. */
void rls_parts_columns (const rls_rows *masses, const rls_parts *parts);

/* Return, for the parts of a row alone: the velocity along it, and the square of its length. */
double rls_parts_velocity (const rls_parts *parts, int row, const double (*v)[6]);
double rls_parts_length2 (const rls_parts *parts, int row);

/* to += x times the entries (J of the parts) or the columns (Y) of a row; of all rows, with x (rows). */
void rls_parts_add (const rls_parts *parts, const rls_row *entries, int row, double x, double (*to)[6]);
void rls_parts_add_all (const rls_parts *parts, const rls_row *entries, const double *x, double (*to)[6]);

/* out (rows) += the velocities along all parts. */
void rls_parts_look (const rls_parts *parts, const double (*v)[6], double *out);

/* Returns h M^-1 h' of a row with all its bodies: J and Y are its entries and columns on the first two. */
double rls_parts_mobility (const rls_parts *parts, int row, const int body[2], const double J[12],
                           const double Y[12]);

#endif
