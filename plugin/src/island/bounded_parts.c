/* Rows with bounds over more than two bodies; contract in bounded_parts.h. */
#include "bounded_parts.h"
#include <string.h>

static int body_of (const rls_part *part, int side) { return side ? part->body2 : part->body1; }

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

static double velocity (const rls_bounded *b, int p, const double (*v)[6])
{
    double sum = 0;
    for (int side = 0; side < 2; ++side)
        if (body_of (&b->part[p], side) >= 0)
            sum += rls_dot6 (b->part_J[p] + 6 * side, v[body_of (&b->part[p], side)]);
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
            const int body = body_of (&b->part[p], side);
            for (int k = 0; k < 6 && body >= 0; ++k) v[body][k] += x * b->part_Y[p][6 * side + k];
        }
}

/* What a unit impulse along row r of joint j, with all its bodies, does along six entries on one body. */
static double response (const rls_bounded *b, int j, int r, int body, const double *J)
{
    double sum = 0;
    if (b->body1[j] == body) sum += rls_dot6 (J, b->Y[r]);
    if (b->body2[j] == body) sum += rls_dot6 (J, b->Y[r] + 6);
    for (int p = 0; p < b->parts; ++p)
        for (int side = 0; side < 2 && b->part[p].joint == j; ++side)
            if (body_of (&b->part[p], side) == body) sum += rls_dot6 (J, b->part_Y[p] + 6 * side);
    return sum;
}

double rls_bounded_mobility (const rls_bounded *b, int j, int r)
{
    double sum = 0;
    if (!rls_bounded_has_parts (b, j))
    {
        for (int k = 0; k < 12; ++k) sum += b->J[r][k] * b->Y[r][k];
        return sum;
    }
    if (b->body1[j] >= 0) sum += response (b, j, r, b->body1[j], b->J[r]);
    if (b->body2[j] >= 0) sum += response (b, j, r, b->body2[j], b->J[r] + 6);
    for (int p = 0; p < b->parts; ++p)
        for (int side = 0; side < 2 && b->part[p].joint == j; ++side)
            if (body_of (&b->part[p], side) >= 0)
                sum += response (b, j, r, body_of (&b->part[p], side), b->part_J[p] + 6 * side);
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
