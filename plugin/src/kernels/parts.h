/*
 * Rows over more than two bodies.
 *
 * A joint's rows have two bodies.  Their entries on further bodies are in parts, of two bodies each: row k of
 * the joint is  J[row0 + k] (its own bodies) + the sum over its parts of  part_J[6 p + k] (theirs).  A body
 * may be mentioned more than once.  They are rare: islands that have some are factored densely
 * (factor_border.c), and nothing here is fast.
 */
#ifndef RLS_PARTS_H
#define RLS_PARTS_H

#include "rows.h"

struct rls_part
{
    int joint;        /* whose rows; -1: of none that is here */
    int body1, body2; /* -1: the world, or none */
    int ode_joint;    /* which ODE joint of the island stands for it */
};

/* 1 if joint j has parts. */
int rls_is_wide (const rls_rows *rows, int j);

/* What the parts add to the products of rows.h. */
void rls_parts_velocity (const rls_rows *rows, const double (*v)[6], double *out);
void rls_parts_apply (const rls_rows *rows, const double *p, double (*v)[6]);
void rls_parts_force (const rls_rows *rows, const double *p, double (*f)[6]);

/* Along row k of joint j: the velocity of its parts alone, and the square of their length. */
double rls_parts_row_velocity (const rls_rows *rows, int j, int k, const double (*v)[6]);
double rls_parts_row_length2 (const rls_rows *rows, int j, int k);

/* h M^-1 h' of row k of joint j, with all its bodies. */
double rls_wide_mobility (const rls_rows *rows, int j, int k);

/* left += factor times row k of joint j, as far as its parts go. */
void rls_parts_add_row (const rls_rows *rows, int j, int k, double factor, double (*left)[6]);

#endif
