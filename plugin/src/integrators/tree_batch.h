/*
 * The symplectic step of small trees, several islands at a time (stepper/batch.h says which islands these
 * are).
 *
 * An island of a few bodies whose joints are balls, hinges and universal joints and close no loop, and whose
 * step begins where the last one ended, needs no rank decisions, no bounded rows and no elimination order.
 * Such islands are put one after the other into a batch, as one forest in memory of the thread, and take the
 * step of symplectic.c together.  Newton's method ends for each island by itself, and islands that have ended
 * do not change while others go on; so the result of an island is the same bit for bit, whatever others there
 * are.  Islands that need more (a factor of the iterate, shorter steps) are refused.
 */
#ifndef RLS_TREE_BATCH_H
#define RLS_TREE_BATCH_H

#include "symplectic.h"

#define RLS_TREE_BODIES 16 /* bodies of all islands of a batch at most; and as many joints */
#define RLS_TREE_ROWS (5 * RLS_TREE_BODIES)
#define RLS_TREE_NUMBERS (71 * RLS_TREE_BODIES) /* of a factor; 71 = rls_tree_numbers (3) is the largest */

/* An island of the batch: where its bodies, joints and rows are, and how far its step has come. */
typedef struct
{
    int body0, bodies, joint0, joints, row0, rows;
    int refused;          /* 1: its step cannot be taken in a batch */
    int open;             /* 1: Newton's method has not ended yet */
    int active;           /* 1: an inner iteration has not ended yet */
    int consistent;       /* 1: its velocities satisfy the rows to rounding */
    double tolerance;     /* m or rad: residual at which Newton's method ends */
    double best, last;    /* m or rad: its least and last residual */
    double inner, enough; /* residual of the inner iteration; where that may end */
    int iterations;       /* of Newton's method, in all sub-steps */
} rls_tree_island;

typedef struct
{
    rls_island s; /* all of them; its arrays are those below */
    int islands;
    rls_tree_island island[RLS_TREE_BODIES];
    rls_symplectic w; /* only what a plain sub-step needs of it */

    /* from the last step: where it ended, before ODE normalised the poses, and arrays of rls_symplectic */
    rls_pose last_pose[RLS_TREE_BODIES];
    double reaction[RLS_TREE_BODIES][6], change[RLS_TREE_BODIES][6], bend[RLS_TREE_BODIES][6];

    /* bodies, as in rls_island and rls_symplectic */
    rls_pose start[RLS_TREE_BODIES], pose[RLS_TREE_BODIES], new_pose[RLS_TREE_BODIES];
    double start_v[RLS_TREE_BODIES][6], v[RLS_TREE_BODIES][6], u[RLS_TREE_BODIES][6];
    double du[RLS_TREE_BODIES][6], d[RLS_TREE_BODIES][6], kicked[RLS_TREE_BODIES][6];
    double force[RLS_TREE_BODIES][6], mass[RLS_TREE_BODIES];
    double inertia[RLS_TREE_BODIES][9], inverse_inertia[RLS_TREE_BODIES][9];
    double R[RLS_TREE_BODIES][9], W[2][RLS_TREE_BODIES][9];
    double W_end[4]; /* not used: vectors of four that begin in the last W end here */
    unsigned char movable[RLS_TREE_BODIES], gyroscopic[RLS_TREE_BODIES], still[RLS_TREE_BODIES];
    unsigned char by_exponential[RLS_TREE_BODIES]; /* 0 for all */
    rls_spins spins[RLS_TREE_BODIES / RLS_LANES];

    /* joints and rows: at the beginning, at the end, and in other bases (index 0, 1, 2) */
    rls_joint_frame frame[RLS_TREE_BODIES];
    int body[RLS_TREE_BODIES][2], row0[RLS_TREE_BODIES + 1], fixed[RLS_TREE_BODIES];
    int of_kind[RLS_FRAME_KINDS][RLS_TREE_BODIES];
    rls_compact compact[3][RLS_TREE_BODIES + 1];
    unsigned char compact_rows[3][RLS_TREE_BODIES];
    double residual[3][RLS_TREE_ROWS], zero[3][RLS_TREE_ROWS], x[RLS_TREE_ROWS + RLS_LANES];
    rls_row J[RLS_TREE_ROWS]; /* of those in other bases */

    /* elimination tree, and the factors at the beginning and at the end */
    rls_order order; /* only its tree */
    rls_tree_node node[RLS_TREE_BODIES];
    int place[RLS_TREE_BODIES + 1];
    double number[2][RLS_TREE_NUMBERS + RLS_LANES], scratch[2][8 * RLS_TREE_BODIES],
        rest[3 * RLS_TREE_BODIES];
    double passed_on[RLS_TREE_BODIES][36], relative[RLS_TREE_ROWS];
    unsigned char decision[RLS_TREE_ROWS];
} rls_tree_batch;

/* Makes an empty batch.  The caller then appends islands, with their bodies, joints, rows and nodes. */
void rls_tree_batch_begin (rls_tree_batch *batch);

/* Takes a step of h (s) with all islands, of sub-steps with these fractions.  Islands that are not refused
 * have their results in s.next, and in reaction, change and bend what the next step needs.  Returns 0 if the
 * step fails for one of them; which one that is shows if each takes it alone. */
int rls_tree_batch_step (rls_tree_batch *batch, double h, const double *fraction, int stages);

#endif
