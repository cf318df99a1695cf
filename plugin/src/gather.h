/* What gather.c and gather_joints.c share. */
#ifndef RLS_GATHER_H
#define RLS_GATHER_H

#include "cell.h"

/* Reads the rows of all joints into island.rows and island.bounded.  Returns a dRLSStatus. */
int rls_gather_joints (rls_cell *cell);

/* island.evaluate: the bilateral rows at other poses. */
int rls_evaluate_joints (rls_island *island, const rls_pose *pose);

int rls_all_finite (const dReal *x, int n);
void rls_copy (double *to, const dReal *from, int n);

#endif
