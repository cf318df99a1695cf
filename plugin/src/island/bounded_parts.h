/*
 * Rows with bounds over more than two bodies: each is a bounded joint by itself, with its first two bodies in
 * J and Y and the others in parts (rls_bounded.part, part_J, part_Y), two bodies more each.  A body may be
 * mentioned more than once.  They are rare; their islands are solved by pivoting in a dense matrix
 * (bounded.c).
 */
#ifndef RLS_BOUNDED_PARTS_H
#define RLS_BOUNDED_PARTS_H

#include "island.h"
#include "kernels/parts.h"

/* One row more of the bodies of a part, the last one; its columns follow with the others. */
void rls_bounded_add_part (rls_bounded *b, const rls_part *part, const double J[12]);

/* Velocity along the parts of bounded joint j; v += p times their columns. */
double rls_bounded_parts_velocity (const rls_bounded *b, int j, const double (*v)[6]);
void rls_bounded_parts_push (const rls_bounded *b, int j, double p, double (*v)[6]);

/* out (rows) += the velocity along all parts. */
void rls_bounded_parts_add (const rls_bounded *b, const double (*v)[6], double *out);

/* Velocity along row r of bounded joint j, with all its bodies. */
static inline double rls_bounded_velocity (const rls_bounded *b, int j, int r, const double (*v)[6])
{
    double sum = 0;
    if (b->body1[j] >= 0) sum += rls_dot6 (b->J[r], v[b->body1[j]]);
    if (b->body2[j] >= 0) sum += rls_dot6 (b->J[r] + 6, v[b->body2[j]]);
    return b->parts > 0 ? sum + rls_bounded_parts_velocity (b, j, v) : sum;
}

/* v += what an impulse p along row r of bounded joint j does. */
static inline void rls_bounded_push_row (const rls_bounded *b, int j, int r, double p, double (*v)[6])
{
    for (int k = 0; k < 6; ++k)
    {
        if (b->body1[j] >= 0) v[b->body1[j]][k] += p * b->Y[r][k];
        if (b->body2[j] >= 0) v[b->body2[j]][k] += p * b->Y[r][6 + k];
    }
    if (b->parts > 0) rls_bounded_parts_push (b, j, p, v);
}

/* The velocity along row r of bounded joint j that an impulse of 1 makes, of the bodies alone. */
double rls_bounded_mobility (const rls_bounded *b, int j, int r);

/* 1 if bounded joint j has parts. */
int rls_bounded_has_parts (const rls_bounded *b, int j);

/* What part p did over the step: component k of the impulses on its two bodies. */
double rls_bounded_part_impulse (const rls_island *island, int p, int k);

#endif
