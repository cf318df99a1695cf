/*
 * Rows over more than two bodies (dRLSStepperJoinRows; section 10 of method.md, "Rows of the program").
 *
 * A joint's rows have entries on its two bodies.  Their entries on further bodies are in parts, of two bodies
 * each: row k of a joint is J[row0 + k] on its own bodies plus part_J[6 p + k] on the bodies of each of its
 * parts p.  A body may occur several times.  A joint with parts is called wide.  Such rows are rare; islands
 * that have some are factored densely (factor_border.c), and nothing here is made for speed.
 */
#ifndef RLS_PARTS_H
#define RLS_PARTS_H

#include "rows.h"

struct rls_part
{
    int joint;     /* the joint whose rows it is a part of; -1: that has no bilateral rows */
    int body[2];   /* -1: the world, or none */
    int ode_joint; /* the ODE joint of the island that the program has given for it */
};

/* Returns 1 if joint j has parts. */
int rls_is_wide (const rls_rows *rows, int j);

/* Add what the parts contribute to the products of the same names in rows.h. */
void rls_parts_velocity (const rls_rows *rows, const double (*v)[6], double *out);
void rls_parts_apply (const rls_rows *rows, const double *p, double (*v)[6]);
void rls_parts_force (const rls_rows *rows, const double *p, double (*f)[6]);

/* Return, for row k of joint j and its parts alone: the velocity along it, and the square of its length. */
double rls_parts_row_velocity (const rls_rows *rows, int j, int k, const double (*v)[6]);
double rls_parts_row_length2 (const rls_rows *rows, int j, int k);

/* Returns h M^-1 h' of row k of joint j, with all its bodies. */
double rls_wide_mobility (const rls_rows *rows, int j, int k);

/* left += factor times the entries of row k of joint j on the bodies of its parts. */
void rls_parts_add_row (const rls_rows *rows, int j, int k, double factor, double (*left)[6]);

#endif
