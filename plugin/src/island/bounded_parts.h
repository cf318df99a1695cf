/*
 * Bounded rows over more than two bodies.  Each is a bounded joint by itself.  Its first two bodies are in J
 * and Y as of any other joint; each further pair of bodies is a part (part, part_J, part_Y of rls_bounded).
 * A body may occur more than once.  Such rows are rare, and their islands are solved by pivoting in a dense
 * matrix (bounded.c).
 */
#ifndef RLS_BOUNDED_PARTS_H
#define RLS_BOUNDED_PARTS_H

#include "island.h"
#include "kernels/parts.h"

/* Appends a part with its row J.  Its columns are formed with those of the other rows. */
void rls_bounded_add_part (rls_bounded *b, const rls_part *part, const double J[12]);

/* The velocity along the parts of bounded joint j, without its first two bodies; and v += p times the columns
 * of these parts. */
double rls_bounded_parts_velocity (const rls_bounded *b, int j, const double (*v)[6]);
void rls_bounded_parts_push (const rls_bounded *b, int j, double p, double (*v)[6]);

/* out (rows) += the velocities along all parts. */
void rls_bounded_parts_add (const rls_bounded *b, const double (*v)[6], double *out);

/* The velocity along row r of bounded joint j, all its bodies taken together. */
static inline double rls_bounded_velocity (const rls_bounded *b, int j, int r, const double (*v)[6])
{
    double sum = 0;
    if (b->body1[j] >= 0) sum += rls_dot6 (b->J[r], v[b->body1[j]]);
    if (b->body2[j] >= 0) sum += rls_dot6 (b->J[r] + 6, v[b->body2[j]]);
    return b->parts > 0 ? sum + rls_bounded_parts_velocity (b, j, v) : sum;
}

/* v += the change of velocities by an impulse p along row r of bounded joint j. */
static inline void rls_bounded_push_row (const rls_bounded *b, int j, int r, double p, double (*v)[6])
{
    for (int k = 0; k < 6; ++k)
    {
        if (b->body1[j] >= 0) v[b->body1[j]][k] += p * b->Y[r][k];
        if (b->body2[j] >= 0) v[b->body2[j]][k] += p * b->Y[r][6 + k];
    }
    if (b->parts > 0) rls_bounded_parts_push (b, j, p, v);
}

/* The velocity along row r of bounded joint j that a unit impulse along it makes, as if no joint held the
 * bodies. */
double rls_bounded_mobility (const rls_bounded *b, int j, int r);

/* True if bounded joint j has parts. */
int rls_bounded_has_parts (const rls_bounded *b, int j);

/* Component k (0 .. 11) of the impulse of part p on its two bodies over the step. */
double rls_bounded_part_impulse (const rls_island *island, int p, int k);

#endif
