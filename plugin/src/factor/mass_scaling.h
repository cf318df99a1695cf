/*
 * Bodies with next to no mass, or next to no inertia about some axis, beside what they are joined to.
 *
 * Relative pivots are squared sines in the metric of the masses.  A row that mostly turns a body of 1e-9 kg
 * m^2 tells little about what it does to a body of 1 kg: once that turn is determined, its pivot is 1e-9 of
 * what it was, like that of a redundant row.  But which rows depend on each other does not depend on the
 * metric, and neither does the constrained motion: M and M + H' W H act the same where H v = 0 (Orsino &
 * Oliveira 2017, footnote 2).  So ranks are decided with
 *
 *     M_b + sum over the rows r at body b of  w_r J_b' J_b,      w_r about the mass that r joins the body to
 *
 * for each light body b.  This leaves the factor as sparse as it was, and directions that no row touches as
 * light as they are.  The kept rows are then factored with the true masses.
 */
#ifndef RLS_MASS_SCALING_H
#define RLS_MASS_SCALING_H

#include "order/order.h"

typedef struct rls_mass_scaling
{
    int bodies;
    int count;              /* number of light bodies; if it is 0, nothing else here is valid */
    unsigned char *is;      /* bodies: 1 if light */
    double *lever;          /* bodies: square of the longest lever of a row (m^2) */
    double (*reference)[2]; /* bodies: mass (kg) and inertia (kg m^2) that rows are weighed by */
    rls_arena block;

    double (*P)[36]; /* bodies: inverse of the raised mass matrix, world axes */
    rls_arena raised;
} rls_mass_scaling;

/*
 * Finds the light bodies.  inertia (bodies) is about the centre of mass, in any axes.  Dense bodies of the
 * order are never light.  Returns 1, or 0 without memory (none is light then).
 */
int rls_mass_scaling_find (rls_mass_scaling *light, const rls_rows *rows, const rls_order *order,
                           const double (*inertia)[9]);

/* light->P := the inverses of the raised mass matrices of the light bodies. */
void rls_mass_scaling_apply (rls_mass_scaling *light, const rls_rows *rows);

#endif
