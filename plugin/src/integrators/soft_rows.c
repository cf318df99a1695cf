/* Soft bounded rows: springs and dampers of stops, joints and contacts, in both halves of a step (section 9
 * of method.md, "Springs"). */
#include "bounded_halves.h"

#define MOST_RATIO 2  /* of the rates of a stop that is moved in successive steps */
#define NO_RINGING 16 /* constant in beta and eps (method.md): the least damping that does not ring */

rls_soft_row rls_soft_row_of (const rls_bounded *b, int j, int r, double h, double A)
{
    /* a stop that is not reached yet has no damper */
    const int open = b->row[r].gap > RLS_CLOSED && b->row[r].stiffness > 0;
    const double k = b->row[r].stiffness, c = open ? 0 : b->row[r].damping, z = h * h * k * A, d = h * c * A,
                 ratio = z / (1 + d);

    /* normals of compliant contacts have ODE's implicit rule, the others rules between midpoint and end of
     * the step */
    if (rls_bounded_is_contact (b, j) && rls_bounded_is_one_sided (b, r))
        return (rls_soft_row){.first = h * k + c, .second = h * k + c, .eps = 1};
    const double beta = fmax (RLS_NEGLIGIBLE, ratio * ratio / (NO_RINGING + ratio * ratio)),
                 square = z * z + d * d;
    return (rls_soft_row){.first = 0.5 * (1 + beta) * h * k + c,
                          .second = beta * h * k + c,
                          .eps = fmax (RLS_NEGLIGIBLE, square / (NO_RINGING + square))};
}

double rls_rebound_softness (const rls_bounded *b, int r, double h)
{
    return 1 / (h * (h * b->row[r].stiffness + b->row[r].damping));
}

double rls_closed_mobility (rls_symplectic *w, const rls_island *s, int j, int r)
{
    const rls_bounded *b = &s->begin.bounded;
    if (s->begin.rows.rows == 0) return rls_bounded_mobility (b, j, r);
    rls_bounded_closed_push (s, j, r, w->x, w->du);
    return rls_bounded_velocity (b, j, r, w->du);
}

double rls_soft_mobility (rls_symplectic *w, const rls_island *s, const double *closed, int j, int r)
{
    if (rls_bounded_is_contact (&s->begin.bounded, j)) return rls_bounded_mobility (&s->begin.bounded, j, r);
    return closed && s->begin.rows.rows > 0 ? closed[r] : rls_closed_mobility (w, s, j, r);
}

/* Returns how much of a depth (m) that contact j has come to in a time (s) no load can have pressed in: what
 * is more than spring and damper would have let its bodies come to. */
static double not_pressed (const rls_bounded *b, int j, double depth, double time)
{
    const int r = b->row0[j];
    const double resistance = b->row[r].damping + time * b->row[r].stiffness,
                 resisted = time * resistance * rls_bounded_mobility (b, j, r);
    return depth * resisted / (1 + resisted);
}

/*
 * Divides the depth of a hard stop that the program has moved since the last step, as it did before that one,
 * in this direction and no more than MOST_RATIO times as fast: the joint has to go with it, by a motion, and
 * not by a displacement that leaves no velocity.  row->late: where the stop was in the last step; pressed: at
 * what rate it was moved before that.
 */
static void follow_stop (rls_bounded_row *row, int side, double h)
{
    const double depth = fmax (0, -row->gap), rate = isnan (row->late) ? 0 : (row->stop - row->late) / h,
                 last = isnan (row->late) ? 0 : row->pressed, push = side * rate;
    const int alike =
        rate * last > 0 && fabs (rate) <= MOST_RATIO * fabs (last) && fabs (last) <= MOST_RATIO * fabs (rate);
    row->pressed = rate;
    if (!alike || !(push > 0) || !(depth > 0) || row->bounce > 0) return;
    const double moved = fmin (push * h, depth);
    row->rest = side * moved / h;
    row->push = side * row->share * (depth - moved);
}

void rls_divide_depths (rls_island *s, double h)
{
    const rls_bounded *b = &s->begin.bounded;
    int any = 0;
    for (int j = 0; j < b->joints && !any; ++j)
        any = rls_bounded_is_compliant_contact (b, j) || !isnan (b->row[b->row0[j]].stop);
    if (!any) return;
    rls_bounded_recall_late (s);
    for (int j = 0; j < b->joints; ++j)
    {
        const int r = b->row0[j], side = rls_bounded_side (b, r);
        rls_bounded_row *row = &b->row[r];
        const double depth = fmax (0, -side * row->open);
        if (!isnan (row->stop) && !rls_bounded_is_soft (b, r)) follow_stop (row, side, h);
        if (!rls_bounded_is_compliant_contact (b, j)) continue;

        /* of the depth of a new contact, by the time since its impact, which follows from its velocity and is
         * at most a step; of one that is known also of what it is deeper than by its motion */
        const int fresh = isnan (row->late);
        const double approach = -side * rls_bounded_velocity (b, j, r, s->state.v);
        if (fresh)
            row->late = not_pressed (b, j, depth, depth > 0 && depth < h * approach ? depth / approach : h);
        else
            row->late += not_pressed (b, j, fmax (0, depth - row->late - row->pressed), h);
        row->late = row->left = fmin (row->late, depth);
        row->pressed = depth - row->late;
        row->yields = fresh ? 1 / (h * row->stiffness + row->damping) : 0;
        if (depth > 0) row->open = -side * fmin (row->pressed, row->share > 0 ? row->most / row->share : 0);
        row->push = side * row->share * row->late;
    }
}
