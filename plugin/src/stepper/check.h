/*
 * What a step has missed, so that nothing is missed silently.
 *
 * After each step the rows at its end are looked at: hard joints that stand open, rows whose velocity is
 * missed, redundant ones included; and the energy, as far as it is known what it should be.
 */
#ifndef RLS_CHECK_H
#define RLS_CHECK_H

/* The worst of a kind in an island: a joint of the workspace (-1: none) and one of its rows, and by how much.
 */
typedef struct
{
    int joint, row;
    double amount; /* m, rad, m/s, rad/s or J; 0: nothing to say */
} rls_note;

/* Energy that no force has given, summed over steps; dropped with the topology, and when it has been told. */
typedef struct
{
    double gained, scale; /* J: the sum, and the largest kinetic energy that a step has ended with */
    double paid; /* J: lost while depths were taken back, without what that has lifted; below 0 owed */
} rls_ledger;

struct rls_workspace;
struct rls_island;

/* Keeps the worse of two. */
void rls_note_worst (rls_note *to, int joint, int row, double amount);

/* Notes the rows that contradict each other as a step or an analysis begins. */
void rls_check_conflicts (struct rls_workspace *workspace);

/* Energy (J) that no force has given to an island of hard joints alone, in a step of h that ended at
 * next.pose and next.v; 0 if there is none to tell, or bodies turn so little that hard joints keep it. */
double rls_check_energy (const struct rls_island *island, double h, rls_ledger *ledger);

/* Energy of the step that has been made out of nothing, and what is told of it; a part of rls_check_step. */
void rls_check_work (struct rls_workspace *workspace);

/* Fills workspace->notes for the step that has just been computed.  Where the last way back has ended it and
 * nothing drives the island, next.v is reduced by the energy that is noted. */
void rls_check_step (struct rls_workspace *workspace);

#endif
