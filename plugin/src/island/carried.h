/*
 * What an island carries from step to step, besides the rows and the factor at the end of the last one.
 * stepper/history.c and island/reuse.c say what invalidates it; trust.md has the table.
 */
#ifndef RLS_CARRIED_H
#define RLS_CARRIED_H

#include "factor/factor.h"
#include "factor/mass_scaling.h"

/* How the rows are eliminated: their order, and which of them are redundant. */
typedef struct
{
    rls_order order;
    rls_mass_scaling mass_scaling;
    rls_precedence precedence;
    double rank_tolerance;   /* relative pivot below which a row is redundant in this step */
    unsigned char *previous; /* rows: rank decisions of the last step, for hysteresis */
    double decided_gap;      /* the least relative pivot when these were made */
} rls_elimination;

/* rls_valid.repeats */
enum
{
    RLS_REPEATS = 1,
    RLS_REPEATS_AGAIN
};

/* Which data of the last step, or of earlier in this one, are still valid. */
typedef struct
{
    int decisions;    /* elimination.previous holds the rank decisions of the last step */
    int rows_kept;    /* begin.rows have been taken over from the end of the last step */
    int end_factored; /* end.factor is that of a pose near next.pose */
    int end_exact;    /* end.factor is that of end.rows, and these are the rows at next.pose */
    int end_natural;  /* and these rows are in the bases in which any evaluation there gives them */
    int end_damped;   /* end.factor is that of a damped step, and end_exact; see project.h */
    int begin_damped; /* begin.rows were those of a damped step */
    int stood;   /* the island stood in the last step; begin.bounded still has the rows and impulses of it */
    int repeats; /* this step is that one once more, see standing.h: RLS_REPEATS, or RLS_REPEATS_AGAIN if that
                    one repeated another */
    int stiffness;    /* geometric.stiffness is that at the end of the last step */
    int last_inertia; /* geometric.last_inertia is that of the last step, and the masses are the same */
} rls_valid;

/* Geometric stiffness: joints' forces on light bodies, which turn with them; see stiffness.h. */
typedef struct
{
    double (*stiffness)[9];    /* bodies: N m/rad, body axes */
    unsigned char *light;      /* bodies: 1 if it matters */
    double (*last_inertia)[9]; /* bodies: inertia in the last step */
    int wanted;                /* for how many more steps it is to be found; set when a step fails */
    int raised;                /* how many bodies have more inertia than their own */
    int raised_before;         /* 1 if there were such bodies in the last step */
    int kept;                  /* 1 if all bodies have the inertia of the last step */
} rls_geometric;

/* What is counted of failed steps, to choose the next attempts; see attempts.c. */
typedef struct
{
    int failing, pausing; /* how often the accurate step has failed; steps for which it is not tried */
    int left_open;        /* 1: the last step was damped and left joints open */
} rls_recovery;

#endif
