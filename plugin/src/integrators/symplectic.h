/*
 * The symplectic step: a Lie-group variational integrator with hard constraints (RATTLE; Andersen 1983,
 * Leimkuhler & Skeel 1994; on SO(3) with the Cayley map of cayley.h).
 *
 *     u   = v0 + (h/2) M0^-1 f0 + M0^-1 H0' lambda    half kick along the rows of q0
 *     q1  = q0 advanced by u                          lambda such that the positions hold at q1
 *     v1  = u~ + (h/2) M1^-1 f1 + M1^-1 H1' mu        half kick; mu such that H1 v1 = target
 *
 * u~ is u carried to q1 as cayley.h says.  Second order, symmetric, no drift of energy; compose.c makes
 * higher orders of it.  lambda is found by Newton's method with the factor of q0 or, near singular
 * configurations and wherever that is slow, with one of the iterate (symplectic_close.c).
 *
 * The nodes: begin.rows, factor and W belong to the pose that a sub-step begins with, end.rows and
 * end.factor to the one that it ends with.
 */
#ifndef RLS_SYMPLECTIC_H
#define RLS_SYMPLECTIC_H

#include "cayley.h"
#include "mixing.h"
#include "singular_normals.h"
#include "standing.h"

/*
 * Rows that hold a velocity and know no position (unbounded motors, the rotations that plane-2D joints hold):
 * what they ask of a sub-step is (H0 + H1) / 2 times its motion over h = target.  Whether a row is one shows
 * in its residual, which is always zero; only rows that the caller says may be are looked at.  Of rows of the
 * program it is known.
 */
enum
{
    RLS_VELOCITY_LEVEL_NEVER = 0,
    RLS_VELOCITY_LEVEL_MAYBE,
    RLS_VELOCITY_LEVEL,       /* found to be one */
    RLS_VELOCITY_LEVEL_ALWAYS /* known to be one */
};

/* The bounded rows when the step began, and what has been done along them since, of a step that is split at
 * an impact; see impacts.h. */
typedef struct
{
    int rows, parts;
    double (*J)[12], (*wrench)[12];
    double (*part_J)[12], (*part_wrench)[12];
    rls_bounded_row *row;
    double *lo, *hi, *total;
    rls_arena block;
} rls_impacts;

/* What a step gains (J). */
typedef struct
{
    double gain;          /* less what can have been given; what the push of depths lifts is not counted */
    double before, after; /* the kinetic energies */
    double rounding;      /* what of the gain is none */
} rls_gain;

typedef struct
{
    /* set by the caller */
    double tolerance; /* position residual (m or rad) to stop at; 0: rounding level */
    double lead;      /* part of the forces' kick that comes before the drift: 1/2; 1: symplectic Euler */
    double longest_h; /* s: the longest sub-step that the step is made of */
    int yielding;     /* 1: contacts and stops give way in both halves; see bounded_halves.h */
    int diverged;     /* 1: joints and bounded rows of the first half were not brought together */
    int locates;      /* 1: impacts are looked for; see impacts.h */
    int late;         /* 1: also those that were before the beginning; see step_back.h */
    double ahead;     /* s: the sub-step on which one that goes back is based; 0: it does not go back */
    int strict;       /* 1: a sub-step fails where rows are lost without normals in their place */
    int within;       /* 1: of a composition: it also fails where a row is kept that is hardly known */
    int velocity_level_rows;       /* how many of the rows below may be velocity-level */
    unsigned char *velocity_level; /* rows: RLS_VELOCITY_LEVEL_... */

    /* of one step */
    int stays;        /* 1: the bodies are at rest, and where they were; see rls_bounded_rests */
    int inexact;      /* 1: one of the bounded problems so far ended above its tolerance */
    double residual;  /* the largest of their residuals */
    double unsettled; /* J: of the velocities by which the last iteration of a kick was off */
    double taken;     /* J: from the bodies, when the beginning was made to fit the joints */
    double push_work; /* J: of the forces where depths were taken back; see recover.h, sink.h */
    double deepest;   /* m: row between a body and what does not move, after that */
    double farthest;  /* m: the largest push of a row */
    double
        rows_work; /* J: what drives, unbounded motors and kinematic bodies gave by the equations' impulses */
    double forced_work;  /* J: of all forces, where the program has some, by their means */
    double forced_doubt; /* J: what the step's own rule makes of their change beside that */
    rls_gain gain;       /* of the step that ends at next.pose with v, */
    int gain_known;      /* where this is 1 */
    int forces_missed;   /* 1: beside bounded rows they were too stiff for it */
    rls_impacts impacts;

    /* of one sub-step */
    int missed;          /* 1: it failed because of strict or within */
    int looked;          /* 1: next.pose is where u leads, and the rows have been looked at there */
    int bounded_looked;  /* 1: the bounded rows have been looked at where next.pose is */
    double impact_at;    /* s: an impact comes so long after its beginning */
    rls_pose *pose;      /* at its beginning, where the last one ended; next.pose is the one at its end */
    double (*v)[6];      /* velocities at its beginning and then at its end */
    double (*u)[6];      /* those that advance the poses */
    double (*best)[6];   /* those with the least residual */
    double (*du)[6];     /* a correction of u */
    double (*kicked)[6]; /* velocities after the forces' half kick, before the multipliers act */
    double (*pushed)[6]; /* the program's forces at its beginning */
    double (*d)[6];      /* scratch: displacements */
    double *x;           /* scratch: rows */
    rls_spins *spins;
    rls_singular_normals limits;
    rls_rows trial;    /* rows at the iterate, in the bases of begin.rows: end.rows, or aligned */
    rls_rows aligned;  /* where ODE chose other bases for them */
    rls_rows factored; /* those that the factor of the iterate is of: solutions act along them */
    rls_factor trial_factor;
    double least;           /* its least relative pivot before rows were left open; 0: not known */
    unsigned char *decided; /* rows: decisions for that factor */
    rls_mixing mixing;      /* of a kick by forces that depend on velocities, */
    rls_arena mixing_block; /* where one did not settle without */

    /* kept from step to step */
    int bodies, joints, rows;
    int regular;        /* rank away from singular configurations, as far as seen; 0: nothing seen yet */
    unsigned char *own; /* rows: decisions there, in the bases of the last node */
    double ordinary;    /* a gap beside which no singular configuration was found, last time; or -1 */
    double even;        /* a least pivot, of rows left open, that was the same beside it; or -1 */
    int again;          /* 1: the step has failed and begins anew, with the rows that were remembered */
    int starting;       /* 1: the motion began at rest; bodies that hardly move yet go the way of start */
    double (*start)[6];
    int consistent;        /* 1: v is, with the rows where the last sub-step ended */
    int history;           /* 1: reaction is known */
    int estimated;         /* 1: it is not, but holds an estimate for the position kick */
    int changed;           /* 1: change is known as well */
    double last_h;         /* s: the last sub-step */
    double since;          /* s: from the node of change to the present one */
    double (*reaction)[6]; /* M^-1 H' mu / h at its end, world axes */
    double (*force)[6];    /* where lead is 1: M^-1 times the mean force of the constraints in it */
    double (*change)[6];   /* how M^-1 H' lambda / h changes with time, body axes */
    double (*bend)[6];     /* and how that changes, as far as known */
    rls_standing standing; /* the last step, where the island stood in it */
    rls_arena block;
} rls_symplectic;

/* Makes room for the island; what was kept is forgotten if its size changed.  1 done, 0 no memory. */
int rls_symplectic_prepare (rls_symplectic *work, const rls_island *island);

/* Forgets multipliers, regular rank and singular normals: the next step is a first one. */
void rls_symplectic_forget (rls_symplectic *work);

/* The same for a step that is tried again, but the rows that were remembered go on deciding. */
void rls_symplectic_doubt (rls_symplectic *work, const rls_island *island);

/*
 * Begins a step at state.pose and state.v with rows and factor of that pose: closes positions and
 * velocities if they are open and looks for a singular configuration.
 * Returns RLS_DONE, RLS_NO_MEMORY, or RLS_FAILED when a value is not finite.
 */
rls_outcome rls_symplectic_begin (rls_symplectic *work, rls_island *island);

/*
 * Forces of the program may turn the motion faster than a sub-step follows: a spring so stiff that its
 * oscillation is no longer resolved.  The first function keeps the forces at the beginning of a sub-step, the
 * second tells whether the sub-step of h that has just ended is too long for their stiffness along the way in
 * which they changed: h omega > 1, the stability of the step ending at 2.  They are evaluated beside its two
 * ends where their change over it leaves doubt.  Returns 1, or 0 also where nothing can be said.
 */
void rls_stiff_forces_begin (rls_symplectic *work, const rls_island *island);
int rls_stiff_forces_missed (rls_symplectic *work, rls_island *island, double h);

/* Advances pose and v by h, which may be negative.  Returns as above; RLS_FAILED also when the positions
 * cannot be closed, RLS_ANOTHER_WAY when the sub-step is to be split (impacts.h): the bodies are then where
 * they were. */
rls_outcome rls_symplectic_substep (rls_symplectic *work, rls_island *island, double h);

/* Between two sub-steps: the node at the end of the last becomes the one at the beginning of the next. */
void rls_symplectic_advance (rls_island *island);

#endif
