/*
 * The recursion of least squares row by row; contract in ode_rls.h.
 *
 * P after some rows is M^-1 - M^-1 H' A^-1 H M^-1 with these rows alone (method.md, section 3), so z = P h
 * takes a factor of the rows before h.
 */
#include "equations.h"

/* The rows as the factorisation keeps them: those of the sparse part in the order of their joints, then the
 * border's, and those that were left out. */
static void list_places (struct dxRLSEquations *e)
{
    const rls_island *s = rls_equations_island (e);
    const rls_factor *f = &s->begin.factor;
    int at = 0;
    for (int left_out = 0; left_out < 2; ++left_out)
    {
        for (int k = 0; k < s->elimination.order.n; ++k)
        {
            const int j = s->elimination.order.perm[k];
            for (int r = j < s->begin.rows.joints ? s->mechanism.row0[j] : 0;
                 j < s->begin.rows.joints && r < s->mechanism.row0[j + 1]; ++r)
                if (f->decision[r] == (left_out ? RLS_REDUNDANT : RLS_KEPT)) e->place[at++] = r;
        }
        for (int i = 0; i < f->borders && !left_out; ++i) e->place[at++] = f->border_row[i];
    }
}

/* z := P h, P after the rows of the places before; the factor that this takes is made.  Returns 0 without
 * memory. */
static int find_direction (struct dxRLSEquations *e, int place, double (*z)[6])
{
    const rls_island *s = rls_equations_island (e);
    const int rows = s->begin.rows.rows;
    double *x = e->row[0];
    memset (x, 0, sizeof (double) * (size_t)rows);
    memset (z, 0, sizeof (*z) * (size_t)s->model.bodies);
    x[e->place[place]] = 1;
    rls_rows_apply (&s->begin.rows, x, z);
    memset (e->decided, RLS_REDUNDANT, (size_t)rows);
    for (int i = 0; i < place; ++i) e->decided[e->place[i]] = s->begin.factor.decision[e->place[i]];
    if (rls_factor_rows (&e->leading, &s->elimination.order, &s->begin.rows, s->elimination.rank_tolerance,
                         e->decided, NULL) != 1)
        return 0;

    /* twice, for what rounding has left of a z that nearly vanishes */
    for (int pass = 0; pass < 2 && place > 0; ++pass)
    {
        rls_rows_velocity (&s->begin.rows, (const double (*)[6])z, x);
        for (int r = 0; r < rows; ++r) x[r] = -x[r];
        rls_factor_solve (&e->leading, &s->begin.rows, x);
        rls_rows_apply (&s->begin.rows, x, z);
    }
    return 1;
}

int dRLSEquationsGetRecursion (dRLSEquationsID e, int place, dRLSRecursion *step, dReal *z)
{
    if (!rls_equations_ready (e) || !step || step->struct_size == 0) return 0;
    const rls_island *s = rls_equations_island (e);
    if (place < 0 || place >= s->begin.rows.rows) return 0;
    list_places (e);
    if (!find_direction (e, place, e->body[0])) return 0;
    const int row = e->place[place];
    dRLSRecursion found = {.row = row, .kept = s->begin.factor.decision[row] != RLS_REDUNDANT};
    found.rank = 6 * e->workspace.objects.dynamic_bodies;
    for (int i = 0; i <= place; ++i) found.rank -= s->begin.factor.decision[e->place[i]] != RLS_REDUNDANT;

    /* velocity along a row (of a length or an angle) that a unit of its own impulse makes */
    rls_rows_velocity (&s->begin.rows, (const double (*)[6])e->body[0], e->row[0]);
    const double pivot = e->row[0][row],
                 per = e->angular[row] ? s->model.length_scale * s->model.length_scale : 1;
    rls_rows_diagonal (&s->begin.rows, e->row[1]);
    found.pivot = (dReal)(pivot / per), found.relative = (dReal)(pivot / e->row[1][row]);
    rls_give (step, &found, sizeof (found));
    if (!z) return 1;
    for (int b = 0; b < s->model.bodies;
         ++b) /* from a unit of the impulse in the workspace's unit to one in N s or N m s */
        for (int k = 0; k < 6; ++k) e->body[0][b][k] /= e->angular[row] ? per : s->model.length_scale;
    rls_give_bodies (e, RLS_OF_MOTION, (const double (*)[6])e->body[0], z);
    return 1;
}
