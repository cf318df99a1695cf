/*
 * The symplectic step: a variational integrator with hard constraints (RATTLE; Andersen 1983, Leimkuhler &
 * Skeel 1994), on rigid motions with the Cayley map of cayley.h.  Section 7 of method.md.
 *
 *     u   = v0 + (h/2) M0^-1 f0 + M0^-1 H0' lambda    first half kick, with impulses along the rows at q0
 *     q1  = q0 advanced by u                          lambda such that the joints are closed at q1
 *     v1  = u~ + (h/2) M1^-1 f1 + M1^-1 H1' mu        second half kick; mu such that H1 v1 = target
 *
 * Here u~ has the angular velocities at the end of the rotation (cayley.h).  The step is symmetric and of
 * second order, and its energy does not drift; compose.c makes higher orders of it.  lambda is found by
 * Newton's method with the factor at q0 or, if that is slow or near a singular configuration, with a factor
 * of the iterate (symplectic_close.c).
 *
 * A step consists of one or more sub-steps.  The poses between them are called nodes: begin.rows and
 * begin.factor belong to the node where a sub-step begins, end.rows and end.factor to the one where it ends.
 */
#ifndef RLS_SYMPLECTIC_H
#define RLS_SYMPLECTIC_H

#include "cayley.h"
#include "mixing.h"
#include "singular_normals.h"
#include "standing.h"

/* The bounded rows at the end of a sub-step: of another pose than next.pose; those of ODE and of the program
 * evaluated there; those of contacts as well. */
enum
{
    RLS_BOUNDED_STALE = 0,
    RLS_BOUNDED_EVALUATED,
    RLS_BOUNDED_MOVED
};

/* For a step that is split at impacts (impacts.h): the bounded rows at its beginning, and their impulses so
 * far. */
typedef struct
{
    rls_bounded first; /* of these only what sub-steps change has memory */
    double (*wrench)[12], (*part_wrench)[12], *total;
    rls_arena block;
} rls_impacts;

/* The energy (J) that a step gains; see step_energy.h. */
typedef struct
{
    double gain;          /* without what can have been given, and without what reducing depths has lifted */
    double before, after; /* kinetic energies */
    double rounding;      /* the part of the gain that may be rounding error */
} rls_gain;

typedef struct
{
    /* set by the caller */
    double tolerance; /* m or rad: residual at which positions count as closed; 0: rounding */
    double lead;      /* part of the forces' kick in the first half: 1/2; 1 makes symplectic Euler of it */
    double longest_h; /* s: the longest sub-step of the step */
    int yielding;     /* 1: contacts and stops are compliant in both halves; see bounded_halves.h */
    double diverged;  /* result, m or rad: what joints and bounded rows of a first half disagreed by in the
                         end; else 0 */
    int locates;      /* 1: the step is split at impacts; see impacts.h */
    int late;         /* 1: also at those before its beginning; see step_back.c */
    double ahead;     /* s: if the sub-step goes back, the trial sub-step that it belongs to; else 0 */
    int strict;       /* 1: a sub-step fails if rows are lost without singular normals in their place */
    int within; /* 1: not the last of a composition; it also fails if a row is kept that is hardly known */

    /* of one step */
    int stays;        /* 1: the bodies are at rest, and exactly where they were; see rls_bounded_rests */
    int inexact;      /* 1: a bounded problem has ended above its tolerance */
    double residual;  /* m/s: the largest residual of the bounded problems */
    double unsettled; /* J: energy of the velocity error when the last iteration of a kick ended */
    double taken;     /* J: energy that the bodies lost when the beginning was projected onto the rows */
    double push_work; /* J: work of the forces while depths were reduced; see recover.h, sink.c */
    double deepest;   /* m: depth that is left between a body and something that does not move */
    double farthest;  /* m: the largest reduction of a depth */
    double rows_work; /* J: work of the bilateral rows (drives, motors, kinematic bodies) */
    double bounded_work, bounded_moved; /* J: work of the bounded rows, and the sum of its sizes */
    double bounded_sudden; /* J: by how much the work in second halves would be another with the first
                              impulses */
    double forced_work;    /* J: work of all forces, if the program has some, by their means over sub-steps */
    double forced_doubt;   /* J: error of that by the change of the forces within a sub-step */
    rls_gain gain;         /* of the step that ends at next.pose with v, */
    int gain_known;        /* if this is 1 */
    int forces_missed;     /* 1: beside bounded rows, the forces were too stiff for a sub-step */
    rls_impacts impacts;

    /* of one sub-step */
    int missed;          /* 1: it has failed because of strict or within */
    int looked;          /* 1: next.pose is where u leads, and the rows have been evaluated there */
    int bounded_rows;    /* RLS_BOUNDED_*: whether the bounded rows at the end are those at next.pose */
    double impact_at;    /* s: time of the first impact, from its beginning */
    rls_pose *pose;      /* bodies: at its beginning; next.pose is the one at its end */
    double (*v)[6];      /* bodies: velocities at its beginning, then at its end */
    double (*u)[6];      /* bodies: velocities that advance the poses */
    double (*best)[6];   /* bodies: those with the least residual so far */
    double (*du)[6];     /* bodies: a correction of u; scratch */
    double (*kicked)[6]; /* bodies: velocities after a half kick by the forces alone */
    double (*pushed)[6]; /* bodies: the program's forces at its beginning */
    double (*d)[6];      /* bodies: scratch */
    double *x;           /* rows: scratch */
    rls_spins *spins;
    rls_singular_normals singular; /* singular normals at its beginning, then at its end */
    rls_rows trial;          /* rows at the iterate, in the bases of begin.rows: end.rows, or scratch.aside
                                if ODE has chosen other bases */
    rls_rows factored;       /* the rows that trial_factor is of, along which its solutions act */
    rls_factor trial_factor; /* a factor at the iterate */
    double least;            /* its least relative pivot before rows were left open; 0: not known */
    unsigned char *decided;  /* rows: its decisions */
    rls_mixing mixing;       /* of a kick by forces that depend on velocities, */
    rls_arena mixing_block;  /* with memory if plain iteration has not converged */

    /* kept from step to step */
    int bodies, joints, rows;
    int regular;        /* rank away from singular configurations; 0: not known yet */
    unsigned char *own; /* rows: decisions there, in the bases of the last node */
    double ordinary;    /* least pivot near which no singular configuration was found last time; -1: none */
    double even;        /* least pivot of rows left open that was the same nearby; -1: none */
    int again;          /* 1: the step has failed and is tried again, with the rows that were remembered */
    int starting;       /* 1: the motion began at rest; slow bodies move in the direction of start */
    double (*start)[6]; /* bodies */
    int consistent;     /* 1: v satisfies the rows at the last node to rounding */
    int history;        /* 1: reaction is known */
    int estimated;      /* 1: it is not, but holds an estimate for the first kick */
    int changed;        /* 1: change is known as well */
    double last_h;      /* s: length of the last sub-step */
    double since;       /* s: from the node of change to the present one */
    double (*reaction)[6]; /* bodies: M^-1 H' mu / h of the last second kick, world axes */
    double (*force)[6];    /* bodies: if lead is 1, M^-1 times the mean reaction of the step */
    double (*change)[6];   /* bodies: rate of change of M^-1 H' lambda / h, body axes, */
    double (*bend)[6];     /* bodies: and its rate of change, as far as known */
    rls_standing standing; /* the last step, if the island stood in it */
    rls_arena block;
} rls_symplectic;

/* Makes room for the island; if its size has changed, what was kept is forgotten.  Returns 1, or 0 without
 * memory. */
int rls_symplectic_prepare (rls_symplectic *work, rls_island *island);

/* Forgets what was kept: multipliers, rank and rows away from singular configurations, singular normals.  The
 * next step is like a first one. */
void rls_symplectic_forget (rls_symplectic *work);

/* The same before a step is tried again; but the rows that were kept away from singular configurations are
 * still known. */
void rls_symplectic_doubt (rls_symplectic *work, const rls_island *island);

/* Begins a step at state with begin.rows and begin.factor of that pose: closes positions and velocities if
 * they violate the rows, and finds out whether the configuration is singular.  Returns RLS_DONE,
 * RLS_NO_MEMORY, or RLS_FAILED when a value is not finite. */
rls_outcome rls_symplectic_begin (rls_symplectic *work, rls_island *island);

/*
 * Forces of the program may be too stiff for a sub-step: a spring whose oscillation it does not resolve.
 * After a sub-step of h (s), returns 1 if that is too long for the stiffness of the forces in the direction
 * in which they have changed since its beginning (work.pushed): h omega > 1, while the step is stable up
 * to 2. If the change of the forces does not make that clear, they are also evaluated near both ends.  0 also
 * if nothing can be said.
 */
int rls_stiff_forces_missed (rls_symplectic *work, rls_island *island, double h);

/* Takes a sub-step of h (s), which may be negative, from work.pose and work.v.  Returns as
 * rls_symplectic_begin; RLS_FAILED also if the joints cannot be closed; RLS_ANOTHER_WAY if it has to be split
 * or taken again (impacts.h): then work.pose and work.v are those of its beginning. */
rls_outcome rls_symplectic_substep (rls_symplectic *work, rls_island *island, double h);

/* Between two sub-steps: the node at the end of the last one becomes that at the beginning of the next. */
void rls_symplectic_advance (rls_island *island);

/* ---- compose.c ---- */

#define RLS_MOST_STAGES 17

/*
 * Fills fraction with the lengths of sub-steps, as fractions of the whole step, that turn a symmetric method
 * of order 2 into one of order 2, 4, 6 or 8.  They add up to 1; some are negative.  Returns their number (1,
 * 7, 11, 17), or 0 for any other order.
 *
 * Order 4: Suzuki, Phys. Lett. A 146 (1990) 319: three equal stages, one back, three more.  Its error is a
 * ninth of that of his five stages.
 *
 * Order 6: Sofroniou & Spaletta, Optim. Methods Softw. 20 (2005) 597, eleven stages.  Its error is a
 * fifteenth of that of Kahan & Li's nine.
 *
 * Order 8: Kahan & Li, Math. Comp. 66 (1997) 1089, table 3 (s17odr8b).
 */
int rls_composition (int order, double fraction[RLS_MOST_STAGES]);

#endif
