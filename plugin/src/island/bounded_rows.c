/* Bounded rows over more than two bodies: products with velocities.  The contract is in bounded_rows.h. */
#include "island.h"

void rls_bounded_add_part (rls_bounded *b, const rls_part *part, const double J[12])
{
    b->part[b->parts] = *part;
    memcpy (b->part_J[b->parts++], J, sizeof (*b->part_J));
}

int rls_bounded_has_parts (const rls_bounded *b, int j)
{
    for (int p = 0; p < b->parts; ++p)
        if (b->part[p].joint == j) return 1;
    return 0;
}

/* The velocity along part p. */
static double velocity (const rls_bounded *b, int p, const double (*v)[6])
{
    double sum = 0;
    for (int side = 0; side < 2; ++side)
        if (b->part[p].body[side] >= 0) sum += rls_dot6 (b->part_J[p] + 6 * side, v[b->part[p].body[side]]);
    return sum;
}

double rls_bounded_parts_velocity (const rls_bounded *b, int j, const double (*v)[6])
{
    double sum = 0;
    for (int p = 0; p < b->parts; ++p)
        if (b->part[p].joint == j) sum += velocity (b, p, v);
    return sum;
}

void rls_bounded_parts_add (const rls_bounded *b, const double (*v)[6], double *out)
{
    for (int p = 0; p < b->parts; ++p) out[b->row0[b->part[p].joint]] += velocity (b, p, v);
}

void rls_bounded_parts_push (const rls_bounded *b, int j, double x, double (*v)[6])
{
    for (int p = 0; p < b->parts; ++p)
        for (int side = 0; side < 2 && b->part[p].joint == j; ++side)
        {
            const int body = b->part[p].body[side];
            for (int k = 0; k < 6 && body >= 0; ++k) v[body][k] += x * b->part_Y[p][6 * side + k];
        }
}

/* Side i of row r of joint j: sides 0 and 1 are its own bodies, then come two of each part.  Returns the
 * body, with the entries J and the columns Y of that side; -1 for the world and for parts of other joints. */
static int side_of (const rls_bounded *b, int j, int r, int i, const double **J, const double **Y)
{
    const int side = i % 2, p = i / 2 - 1;
    *J = (p < 0 ? b->J[r] : b->part_J[p]) + 6 * side;
    *Y = (p < 0 ? b->Y[r] : b->part_Y[p]) + 6 * side;
    if (p < 0) return b->body[j][side];
    return b->part[p].joint == j ? b->part[p].body[side] : -1;
}

double rls_bounded_mobility (const rls_bounded *b, int j, int r)
{
    const int sides = rls_bounded_has_parts (b, j) ? 2 + 2 * b->parts : 0;
    const double *J, *Y, *none;
    double sum = 0;
    for (int k = 0; k < 12 && sides == 0; ++k) sum += b->J[r][k] * b->Y[r][k];
    for (int i = 0; i < sides; ++i)
    {
        const int body = side_of (b, j, r, i, &J, &none);
        double along = 0; /* J times the change of this body's velocity, from all sides that it is on */
        for (int o = 0; o < sides && body >= 0; ++o)
            if (side_of (b, j, r, o, &none, &Y) == body) along += rls_dot6 (J, Y);
        if (body >= 0) sum += along;
    }
    return sum;
}

double rls_bounded_part_impulse (const rls_island *s, int p, int k)
{
    const int r = s->begin.bounded.row0[s->begin.bounded.part[p].joint];
    const double first = s->begin.bounded.p[r] * s->begin.bounded.part_J[p][k];
    if (s->bounded_wrench) return s->bounded_part_wrench[p][k];
    if (!s->reactions.bounded_in_halves) return first;
    return first + (s->reactions.bounded_total[r] - s->begin.bounded.p[r]) * s->end.bounded.part_J[p][k];
}
