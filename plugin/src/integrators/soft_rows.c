/* Soft bounded rows: springs and dampers of stops, joints and contacts, in both halves of a step (section 9
 * of method.md, "Springs"). */
#include "bounded_halves.h"
#include "bounded/bounded.h"
#include "symplectic_parts.h"

#define NO_RINGING 16 /* constant in beta and eps (method.md): the least damping that does not ring */

int rls_any_spring (const rls_bounded *b)
{
    RLS_FOR_ROWS (b, j, r)
        if (rls_bounded_is_soft (b, r) && !rls_bounded_is_contact (b, j)) return 1;
    return 0;
}

rls_soft_row rls_soft_row_of (const rls_bounded *b, int j, int r, double h, double A)
{
    /* a stop that is not reached yet has no damper */
    const int open = b->row[r].gap > RLS_CLOSED && b->row[r].stiffness > 0;
    const double k = b->row[r].stiffness, c = open ? 0 : b->row[r].damping, z = h * h * k * A, d = h * c * A,
                 ratio = z / (1 + d);

    /* compliant contacts have ODE's implicit rule, the others rules between midpoint and end of the step */
    if (rls_bounded_is_contact (b, j))
        return (rls_soft_row){.first = h * k + c, .second = h * k + c, .eps = 1};
    const double beta = ratio * ratio / (NO_RINGING + ratio * ratio), square = z * z + d * d;
    return (rls_soft_row){.first = 0.5 * (1 + beta) * h * k + c,
                          .second = beta * h * k + c,
                          .eps = fmax (RLS_NEGLIGIBLE, square / (NO_RINGING + square))};
}

double rls_rebound_softness (const rls_bounded *b, int r, double h)
{
    return 1 / (h * (h * b->row[r].stiffness + b->row[r].damping));
}

double rls_soft_mobility (rls_symplectic *w, const rls_island *s, const double *closed, int j, int r)
{
    const rls_bounded *b = &s->begin.bounded;
    const rls_rows *rows = &s->begin.rows;
    if (rows->rows == 0 || rls_bounded_is_contact (b, j)) return rls_bounded_mobility (b, j, r);
    if (closed) return closed[r];

    /* by the motion itself */
    memset (w->du, 0, sizeof (*w->du) * (size_t)s->model.bodies);
    rls_bounded_push_row (b, j, r, 1, w->du);
    rls_enforce (&s->begin.factor, rows, NULL, w->x, w->du);
    return rls_bounded_velocity (b, j, r, w->du);
}
