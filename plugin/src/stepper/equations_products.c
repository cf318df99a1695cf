/* Products and solves with the equations of motion, and the recursion of method.md, section 2, row by row;
 * contract in ode_rls.h.  Public functions return 1, or 0 if an argument is missing or a number is not
 * finite. */
#include "equations.h"
#include "ode/gather.h"

/* ---- units ---- */

/* Returns the factor from the workspace's units to SI units for a number of this kind. */
static double unit_of (const struct dxRLSEquations *e, rls_kind kind, int angular)
{
    const double unit = e->workspace.island.model.length_scale;
    if (!angular) return unit;
    return kind == RLS_OF_FORCE ? unit * unit : 1;
}

/* As rls_take_rows, of bodies into body[0]. */
static double (*take_bodies (const struct dxRLSEquations *e, rls_kind kind, const dReal *x,
                             const dReal *out))[6]
{
    if (!rls_equations_ready (e) || !x || !out) return NULL;
    const int numbers = 6 * e->workspace.island.model.bodies;
    if (!rls_all_finite (x, numbers)) return NULL;
    for (int i = 0; i < numbers; ++i) e->body[0][i / 6][i % 6] = (double)x[i] / unit_of (e, kind, i % 6 > 2);
    return e->body[0];
}

double *rls_take_rows (const struct dxRLSEquations *e, rls_kind kind, const dReal *x, const dReal *out)
{
    if (!rls_equations_ready (e) || !x || !out) return NULL;
    const int rows = e->workspace.island.begin.rows.rows;
    if (!rls_all_finite (x, rows)) return NULL;
    for (int r = 0; r < rows; ++r) e->row[0][r] = (double)x[r] / unit_of (e, kind, e->angular[r]);
    return e->row[0];
}

static int give_bodies (const struct dxRLSEquations *e, rls_kind kind, double (*v)[6], dReal *out)
{
    for (int i = 0; i < 6 * e->workspace.island.model.bodies; ++i)
        out[i] = (dReal)(v[i / 6][i % 6] * unit_of (e, kind, i % 6 > 2));
    return 1;
}

int rls_give_rows (const struct dxRLSEquations *e, rls_kind kind, const double *v, dReal *out)
{
    for (int r = 0; r < e->workspace.island.begin.rows.rows; ++r)
        out[r] = (dReal)(v[r] * unit_of (e, kind, e->angular[r]));
    return 1;
}

/* ---- products ---- */

/* Returns scratch array body[which], set to 0. */
static double (*zeroed (const struct dxRLSEquations *e, int which))[6]
{
    memset (e->body[which], 0, sizeof (*e->body[which]) * (size_t)e->workspace.island.model.bodies);
    return e->body[which];
}

/* x := M x */
static void times_mass (const struct dxRLSEquations *e, double (*x)[6])
{
    const rls_island *s = rls_equations_island (e);
    rls_mass_times (s, s->model.own_inertia, s->state.pose, x, x);
}

/* x := M^-1 x */
static void over_mass (const rls_island *s, double (*x)[6])
{
    for (int b = 0; b < s->model.bodies; ++b)
    {
        double turn[3];
        rls_multiply (s->begin.rows.W[b], x[b] + 3, turn);
        for (int k = 0; k < 3; ++k) x[b][k] = s->model.movable[b] ? x[b][k] / s->model.mass[b] : 0;
        for (int k = 0; k < 3; ++k) x[b][3 + k] = s->model.movable[b] ? turn[k] : 0;
    }
}

int dRLSEquationsAlongRows (dRLSEquationsID e, const dReal *x, dReal *out)
{
    double (*v)[6] = take_bodies (e, RLS_OF_MOTION, x, out);
    if (!v) return 0;
    rls_rows_velocity (&e->workspace.island.begin.rows, v, e->row[0]);
    return rls_give_rows (e, RLS_OF_MOTION, e->row[0], out);
}

int dRLSEquationsOnBodies (dRLSEquationsID e, const dReal *p, dReal *out)
{
    const double *x = rls_take_rows (e, RLS_OF_FORCE, p, out);
    if (!x) return 0;
    double (*f)[6] = zeroed (e, 0);
    rls_rows_force (&e->workspace.island.begin.rows, x, f);
    return give_bodies (e, RLS_OF_FORCE, f, out);
}

int dRLSEquationsTimesMass (dRLSEquationsID e, const dReal *x, dReal *out)
{
    double (*v)[6] = take_bodies (e, RLS_OF_MOTION, x, out);
    if (!v) return 0;
    times_mass (e, v);
    return give_bodies (e, RLS_OF_FORCE, v, out);
}

int dRLSEquationsDelassus (dRLSEquationsID e, const dReal *p, dReal *out)
{
    double *x = rls_take_rows (e, RLS_OF_FORCE, p, out);
    if (!x) return 0;
    const rls_rows *rows = &e->workspace.island.begin.rows;
    rls_rows_delassus (rows, x, e->body[0], x);
    return rls_give_rows (e, RLS_OF_MOTION, x, out);
}

/* ---- solves ---- */

/* x (rows) := A^-1 x over the kept rows. */
static void solve (const rls_island *s, double *x)
{
    if (s->begin.rows.rows > 0) rls_factor_solve (&s->begin.factor, &s->begin.rows, x);
}

int dRLSEquationsSolveDelassus (dRLSEquationsID e, const dReal *x, dReal *p)
{
    double *v = rls_take_rows (e, RLS_OF_MOTION, x, p);
    if (!v) return 0;
    solve (rls_equations_island (e), v);
    return rls_give_rows (e, RLS_OF_FORCE, v, p);
}

/* v := the nearest velocities (or accelerations), in the metric of the masses, with H v = wanted (NULL: 0) on
 * the kept rows.  row[0] becomes the reactions that this takes. */
static void enforce (const struct dxRLSEquations *e, const double *wanted, double (*v)[6])
{
    const rls_island *s = rls_equations_island (e);
    double *x = e->row[0];
    rls_rows_missing (&s->begin.rows, wanted, v, x);
    if (s->begin.rows.rows > 0) rls_factor_push (&s->begin.factor, &s->begin.rows, x, v);
}

int dRLSEquationsMobility (dRLSEquationsID e, const dReal *f, dReal *out)
{
    double (*v)[6] = take_bodies (e, RLS_OF_FORCE, f, out);
    if (!v) return 0;
    over_mass (rls_equations_island (e), v);
    enforce (e, NULL, v);
    return give_bodies (e, RLS_OF_MOTION, v, out);
}

int dRLSEquationsAccelerate (dRLSEquationsID e, const dReal *force, dReal *a, dReal *p)
{
    if (!rls_equations_ready (e) || !a) return 0;
    const rls_island *s = rls_equations_island (e);
    double (*v)[6] = force ? take_bodies (e, RLS_OF_FORCE, force, a) : zeroed (e, 0);
    if (!v) return 0;
    over_mass (s, v);
    rls_flat_add (6 * s->model.bodies, 1, e->free[0], v[0]);
    enforce (e, e->wanted, v);
    if (p) rls_give_rows (e, RLS_OF_FORCE, e->row[0], p);
    return give_bodies (e, RLS_OF_MOTION, v, a);
}

int dRLSEquationsInverse (dRLSEquationsID e, const dReal *a, dReal *p, dReal *rest)
{
    double (*f)[6] = take_bodies (e, RLS_OF_MOTION, a, p);
    if (!f) return 0;
    const rls_island *s = rls_equations_island (e);
    double (*given)[6] = zeroed (e, 1), *x = e->row[0];
    for (int b = 0; b < s->model.bodies; ++b)
        for (int k = 0; k < 6; ++k) f[b][k] = s->model.movable[b] ? f[b][k] - e->free[b][k] : 0;

    /* p from the motion along the kept rows, A p = H (a - free); what M (a - free) has besides H' p is the
     * rest */
    rls_rows_velocity (&s->begin.rows, f, x);
    solve (s, x);
    rls_give_rows (e, RLS_OF_FORCE, x, p);
    if (!rest) return 1;
    times_mass (e, f);
    rls_rows_force (&s->begin.rows, x, given);
    for (int b = 0; b < s->model.bodies; ++b)
        for (int k = 0; k < 6; ++k) f[b][k] = s->model.movable[b] ? f[b][k] - given[b][k] : 0;
    return give_bodies (e, RLS_OF_FORCE, f, rest);
}

/* ---- the recursion ---- */

/*
 * After some rows the matrix P of the recursion is M^-1 - M^-1 H' A^-1 H M^-1, with H and A of these rows
 * alone (method.md, section 3).  So z = P h is found with a factor of the rows before h.
 */

/* Lists the rows in the order of the factorisation: those of the sparse part by joints, then the border's,
 * then the redundant ones. */
static void list_places (struct dxRLSEquations *e)
{
    const rls_island *s = rls_equations_island (e);
    const rls_factor *f = &s->begin.factor;
    int at = 0;
    for (int left_out = 0; left_out < 2; ++left_out)
    {
        for (int i = 0; i < s->elimination.order.nodes; ++i)
        {
            const int j = s->elimination.order.perm[i];
            for (int r = j < s->begin.rows.joints ? s->mechanism.row0[j] : 0;
                 j < s->begin.rows.joints && r < s->mechanism.row0[j + 1]; ++r)
                if (f->decision[r] == (left_out ? RLS_REDUNDANT : RLS_KEPT)) e->place[at++] = r;
        }
        for (int i = 0; i < f->borders && !left_out; ++i) e->place[at++] = f->border_row[i];
    }
}

/* Computes z = P h for the row at a place of the recursion, P after all rows before it.  Returns 1, or 0
 * without memory. */
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

    rls_enforce (&e->leading, &s->begin.rows, NULL, x, z);
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

    /* the pivot: the velocity along the row that a unit impulse along it causes */
    rls_rows_velocity (&s->begin.rows, e->body[0], e->row[0]);
    const double pivot = e->row[0][row],
                 per = e->angular[row] ? s->model.length_scale * s->model.length_scale : 1;
    rls_rows_diagonal (&s->begin.rows, e->row[1]);
    found.pivot = (dReal)(pivot / per), found.relative = (dReal)(pivot / e->row[1][row]);
    rls_give (step, &found, sizeof (found));
    if (!z) return 1;

    /* z of a unit impulse in SI units, N s or N m s */
    rls_flat_scale (6 * s->model.bodies, 1 / (e->angular[row] ? per : s->model.length_scale), e->body[0][0],
                    e->body[0][0]);
    return give_bodies (e, RLS_OF_MOTION, e->body[0], z);
}
