/*
 * The symplectic step of small trees, several islands at a time.
 *
 * An island of a few bodies whose joints are balls, hinges and universal joints that close no loop, and that
 * goes on where its last step ended, needs nothing of what other islands may need: no decisions, no bounded
 * rows, no search for an order.  Such islands stand here one behind the other as one forest, in memory that
 * belongs to the thread, and go through the step of symplectic.c together.  Each has its own Newton's method:
 * one that is done stays as it is while others go on, so that an island's answer is the same, bit for bit,
 * whatever others there are.  One that needs more than that (a factor of the iterate, a shorter step) is
 * refused.
 */
#ifndef RLS_TREE_BATCH_H
#define RLS_TREE_BATCH_H

#include "compose.h"
#include "symplectic.h"

#define RLS_TREE_BODIES 16 /* of all islands of a batch; as many joints */
#define RLS_TREE_ROWS (5 * RLS_TREE_BODIES)
#define RLS_TREE_NUMBERS (71 * RLS_TREE_BODIES) /* of a factor: rls_tree_numbers (3) is the largest */

/* An island of the batch. */
typedef struct
{
    int body0, bodies, joint0, joints, row0, rows;
    int refused;          /* 1: its step is not for a batch */
    int open, active;     /* 1: Newton's method is still at work on it; so is what goes on inside */
    int consistent;       /* 1: its velocities are those that the rows ask for, to rounding */
    double tolerance;     /* m or rad: position residual to stop at */
    double best, last;    /* m or rad: residuals of Newton's method, */
    double inner, enough; /* and of its sweeps: the last, and where they may end */
    int iterations;
} rls_tree_island;

typedef struct
{
    rls_island s; /* all of them; its arrays are those below */
    int islands;
    rls_tree_island island[RLS_TREE_BODIES];
    rls_symplectic w;                    /* of it what a sub-step without other mechanisms needs */
    rls_pose last_pose[RLS_TREE_BODIES]; /* where the last step ended, before ODE normalised it */
    double reaction[RLS_TREE_BODIES][6], change[RLS_TREE_BODIES][6], bend[RLS_TREE_BODIES][6];

    rls_pose start[RLS_TREE_BODIES], pose[RLS_TREE_BODIES], new_pose[RLS_TREE_BODIES];
    double start_v[RLS_TREE_BODIES][6], v[RLS_TREE_BODIES][6], u[RLS_TREE_BODIES][6];
    double du[RLS_TREE_BODIES][6], d[RLS_TREE_BODIES][6], kicked[RLS_TREE_BODIES][6];
    double force[RLS_TREE_BODIES][6], mass[RLS_TREE_BODIES];
    double inertia[RLS_TREE_BODIES][9], inverse_inertia[RLS_TREE_BODIES][9];
    double R[RLS_TREE_BODIES][9], W[2][RLS_TREE_BODIES][9], W_end[4];
    unsigned char movable[RLS_TREE_BODIES], gyroscopic[RLS_TREE_BODIES], still[RLS_TREE_BODIES];
    unsigned char by_exponential[RLS_TREE_BODIES]; /* none of them */
    rls_spins spins[RLS_TREE_BODIES / RLS_LANES];

    rls_joint_frame frame[RLS_TREE_BODIES];
    int body1[RLS_TREE_BODIES], body2[RLS_TREE_BODIES], row0[RLS_TREE_BODIES + 1], fixed[RLS_TREE_BODIES];
    int of_kind[RLS_FRAME_KINDS][RLS_TREE_BODIES];
    rls_compact compact[3][RLS_TREE_BODIES + 1];
    unsigned char compact_rows[3][RLS_TREE_BODIES];
    double residual[3][RLS_TREE_ROWS], zero[3][RLS_TREE_ROWS], x[RLS_TREE_ROWS + RLS_LANES];
    rls_row J[RLS_TREE_ROWS]; /* of trial rows in other bases */

    rls_order order; /* the tree alone */
    int node[6][RLS_TREE_BODIES], place[RLS_TREE_BODIES + 1];
    double number[2][RLS_TREE_NUMBERS + RLS_LANES], scratch[2][8 * RLS_TREE_BODIES],
        rest[3 * RLS_TREE_BODIES];
    double passed_on[RLS_TREE_BODIES][36], relative[RLS_TREE_ROWS];
    unsigned char decision[RLS_TREE_ROWS];
} rls_tree_batch;

/* Makes an empty batch.  The caller then appends islands: what is listed by body, joint, row and node. */
void rls_tree_batch_begin (rls_tree_batch *batch);

/*
 * Steps all islands by h, made of these fractions: next.pose and v of those that are not refused, and what
 * they carry on.  Returns 0 if one of them cannot be followed, which then is to be found by steps of each
 * alone.
 */
int rls_tree_batch_step (rls_tree_batch *batch, double h, const double *fraction, int stages);

#endif
