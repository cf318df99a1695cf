/* Soft bounded rows: springs and dampers of stops, joints and contacts, in both halves of a step (section 9
 * of method.md, "Springs"). */
#ifndef RLS_SOFT_ROWS_H
#define RLS_SOFT_ROWS_H

#include "island/bounded_parts.h"
#include "symplectic.h"

/* Returns 1 if a joint other than a contact has a soft row. */
int rls_any_spring (const rls_bounded *b);

/*
 * The coefficients of a soft row.  A row of stiffness k and damping c, stretched by psi0 at the beginning, by
 * psi1 at the end and by dpsi more over the step, has the impulses a in the first half and b in the second:
 *
 *     (2/h) a + k (psi0 + alpha dpsi) + c dpsi / h = 0,           b = (1 - eps) a + b^,
 *     2 / (h eps) b^ + k (psi1 + beta h G1 v1) + c G1 v1 = 0
 *
 * With alpha = 1/2 and eps = 0 this is the midpoint rule; with 1 it is accurate at the end of the step, for
 * springs that the step does not resolve.
 */
typedef struct
{
    double first, second; /* N s/m, N m s/rad: alpha h k + c and beta h k + c */
    double eps;
} rls_soft_row;

/* Returns the coefficients of row r, of joint j, in a step of h (s).  A (1/kg or 1/(kg m^2)): its mobility,
 * which determines how well the step resolves the spring. */
rls_soft_row rls_soft_row_of (const rls_bounded *b, int j, int r, double h, double A);

/* Returns the mobility of row r, of joint j: the velocity along it that a unit impulse causes with the joints
 * closed. closed (rows; NULL): these mobilities, if they are known.  Scratch: work.x, which must be 0, and
 * work.du.  For contacts the mobility without joints is returned, since there are many of them, and they are
 * far stiffer than a step resolves anyway. */
double rls_soft_mobility (rls_symplectic *work, const rls_island *island, const double *closed, int j, int r);

#endif
