/*
 * Bounded rows that give way: springs and dampers of stops, joints and contacts, in both halves of a step.
 */
#ifndef RLS_SOFT_ROWS_H
#define RLS_SOFT_ROWS_H

#include "island/bounded_parts.h"
#include "symplectic.h"

/* 1 if a joint that is no contact has a row that gives way. */
int rls_any_spring (const rls_bounded *b);

/*
 * A row of stiffness k and damping c, stretched by psi0 at the beginning and psi1 at the end, where an
 * impulse of 1 changes its velocity by A (../doc/method.md, section 9):
 *
 *     (2/h) a + k (psi0 + alpha dpsi) + c dpsi / h = 0,           b = (1 - eps) a + b^,
 *     2 / (h eps) b^ + k (psi1 + beta h G1 v1) + c G1 v1 = 0
 *
 * With eps = 0 that is the midpoint rule, with 1 it is accurate for a spring that the step cannot resolve.
 */
typedef struct
{
    double first, second; /* what divides the force to give a velocity: alpha h k + c and beta h k + c */
    double eps;
} rls_soft_row;

/* What row r of joint j is in a step of h (s); A (1/kg or 1/(kg m^2)): its mobility. */
rls_soft_row rls_soft_row_of (const rls_bounded *b, int j, int r, double h, double A);

/* The velocity along row r that an impulse of 1 makes with the joints closed, closed (rows) if that is known;
 * w->x, all 0, and w->du are scratch.  A contact that gives way is far stiffer than a step resolves, whatever
 * is attached to its bodies, and contacts are many: theirs is that of the bodies. */
double rls_soft_mobility (rls_symplectic *work, const rls_island *island, const double *closed, int j, int r);

#endif
