/*
 * Imperfect constraints: joints that give way as springs and dampers.
 *
 * A row of stiffness k and damping d, taken at the end of the step, pushes with the impulse
 * p = h (k e' - d H v') where e' = e - h H v' is what is open then.  That is the row
 *
 *     H v' + sigma^2 p = target,     sigma^2 = 1 / (h (h k + d)),     target = k e / (h k + d)
 *
 * of the recursion: the imperfection sigma^2 is the variance that Orsino & Oliveira leave for future work,
 * and ODE's CFM = 1 / (h k + d) and ERP = h k / (h k + d) of one row.  A joint's compliance (Gonzalez &
 * Kovecses) keeps a redundant mechanism from being overdetermined.
 */
#ifndef RLS_COMPLIANCE_H
#define RLS_COMPLIANCE_H

#include "stepper/workspace.h"

#define RLS_ALL_ROWS (-1)

/* 1 if the joint, or one of its rows, was given a compliance; and, with its numbers, if this row was. */
int rls_has_compliance (const rls_workspace *workspace, dJointID joint);
int rls_compliance_of_row (const rls_workspace *workspace, dJointID joint, int row, double *stiffness,
                           double *damping);

/* Makes count hard rows of the joint at r0 imperfect, as far as it was given a compliance. */
void rls_soften (const rls_workspace *workspace, dJointID joint, rls_rows *rows, int r0, int count);

#endif
