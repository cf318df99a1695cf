/*
 * Bodies that have next to no mass, or next to no inertia about some axis, beside what they are joined to.
 *
 * Relative pivots are squared sines in the metric of the masses.  A row that mostly turns a body of
 * 1e-9 kg m^2 says little about what it does to one of 1 kg: once the turning is settled its pivot is 1e-9 of
 * what it was, like that of a redundant row.  But which rows depend on each other does not depend on the
 * metric, and neither does the constrained motion: M and M + H' W H are the same where H v = 0 (Orsino &
 * Oliveira 2017, footnote 2).  So rows are decided on with
 *
 *     M_b + sum over the rows r at body b of  w_r J_b' J_b,      w_r about the mass that r joins the body to
 *
 * for each light body b.  That leaves the factor as sparse as it was and directions that no row touches as
 * light as they are.  The rows that are kept are then factored with the masses as they are.
 */
#ifndef RLS_MASS_SCALING_H
#define RLS_MASS_SCALING_H

#include "order/order.h"

typedef struct rls_mass_scaling
{
    int bodies, rows;
    int count;              /* of light bodies; with 0 nothing else is to be looked at */
    unsigned char *is;      /* bodies: 1 where light */
    double *lever;          /* bodies: square of the longest lever of a row (m^2) */
    double (*reference)[2]; /* bodies: mass (kg) and inertia (kg m^2) that rows are weighed by */
    rls_arena block;

    double (*P)[36];         /* bodies: inverse of the raised mass matrix, world axes */
    double *relative;        /* rows: scratch of rls_factor_rows */
    unsigned char *decision; /* rows: the same */
    rls_arena raised;
} rls_mass_scaling;

/*
 * Finds the light bodies by the rows and their columns.  inertia (bodies): about the centre of mass, in any
 * axes.  Dense bodies of the order are never light.  Returns 1, or 0 if memory is short (then none is light).
 */
int rls_mass_scaling_find (rls_mass_scaling *light, const rls_rows *rows, const rls_order *order,
                           const double (*inertia)[9]);

/* light->P := what the raised masses of light bodies make of forces. */
void rls_mass_scaling_apply (rls_mass_scaling *light, const rls_rows *rows);

#endif
