/* Products and solves with the equations of motion, and the recursion of method.md, section 2, row by row;
 * contract in ode_rls.h.  Public functions return 1, or 0 if an argument is missing or a number is not
 * finite. */
#include "equations.h"
#include "ode/gather.h"

/* ---- units ---- */

static int of_bodies (rls_kind kind) { return kind == RLS_BODIES_MOTION || kind == RLS_BODIES_FORCE; }

static int numbers_of (const struct dxRLSEquations *e, rls_kind kind)
{
    const rls_island *s = rls_equations_island (e);
    return of_bodies (kind) ? 6 * s->model.bodies : s->begin.rows.rows;
}

/* Returns the factor from the workspace's units to SI units for number i of an array. */
static double unit_of (const struct dxRLSEquations *e, rls_kind kind, int i)
{
    const double unit = e->workspace.island.model.length_scale;
    const int angular = of_bodies (kind) ? i % 6 > 2 : e->angular[i];
    if (!angular) return unit;
    return kind == RLS_BODIES_FORCE || kind == RLS_ROWS_FORCE ? unit * unit : 1;
}

int rls_equations_take (const struct dxRLSEquations *e, rls_kind kind, const dReal *x, const dReal *out)
{
    if (!rls_equations_ready (e) || !x || !out || !rls_all_finite (x, numbers_of (e, kind))) return 0;
    double *to = of_bodies (kind) ? e->body[0][0] : e->row[0];
    for (int i = 0; i < numbers_of (e, kind); ++i) to[i] = (double)x[i] / unit_of (e, kind, i);
    return 1;
}

int rls_equations_give (const struct dxRLSEquations *e, rls_kind kind, dReal *out)
{
    const double *v = of_bodies (kind) ? e->body[0][0] : e->row[0];
    for (int i = 0; i < numbers_of (e, kind); ++i) out[i] = (dReal)(v[i] * unit_of (e, kind, i));
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
static void times_mass (const rls_island *s, double (*x)[6])
{
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

/* ---- solves ---- */

/* x (rows) := A^-1 x over the kept rows. */
static void solve (const rls_island *s, double *x)
{
    if (s->begin.rows.rows > 0) rls_factor_solve (&s->begin.factor, &s->begin.rows, x);
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

/* Defines a public function: its name, what it takes, what it gives, and the work on the scratch arrays of
 * bodies and rows in between. */
#define PRODUCT(Name, taken, given, work)                                                                    \
    int dRLSEquations##Name (dRLSEquationsID e, const dReal *x, dReal *out)                                  \
    {                                                                                                        \
        if (!rls_equations_take (e, taken, x, out)) return 0;                                                \
        const rls_island *s = rls_equations_island (e);                                                      \
        work;                                                                                                \
        return rls_equations_give (e, given, out);                                                           \
    }

PRODUCT (AlongRows, RLS_BODIES_MOTION, RLS_ROWS_MOTION,
         rls_rows_velocity (&s->begin.rows, e->body[0], e->row[0]))
PRODUCT (OnBodies, RLS_ROWS_FORCE, RLS_BODIES_FORCE,
         rls_rows_force (&s->begin.rows, e->row[0], zeroed (e, 0)))
PRODUCT (TimesMass, RLS_BODIES_MOTION, RLS_BODIES_FORCE, times_mass (s, e->body[0]))
PRODUCT (Delassus, RLS_ROWS_FORCE, RLS_ROWS_MOTION,
         rls_rows_delassus (&s->begin.rows, e->row[0], e->body[0], e->row[0]))
PRODUCT (SolveDelassus, RLS_ROWS_MOTION, RLS_ROWS_FORCE, solve (s, e->row[0]))
PRODUCT (Mobility, RLS_BODIES_FORCE, RLS_BODIES_MOTION, over_mass (s, e->body[0]);
         enforce (e, NULL, e->body[0]))

int dRLSEquationsAccelerate (dRLSEquationsID e, const dReal *force, dReal *a, dReal *p)
{
    if (!rls_equations_ready (e) || !a) return 0;
    const rls_island *s = rls_equations_island (e);
    double (*v)[6] = zeroed (e, 0);
    if (force && !rls_equations_take (e, RLS_BODIES_FORCE, force, a)) return 0;
    over_mass (s, v);
    rls_flat_add (6 * s->model.bodies, 1, e->free[0], v[0]);
    enforce (e, e->wanted, v);
    if (p) rls_equations_give (e, RLS_ROWS_FORCE, p);
    return rls_equations_give (e, RLS_BODIES_MOTION, a);
}

int dRLSEquationsInverse (dRLSEquationsID e, const dReal *a, dReal *p, dReal *rest)
{
    if (!rls_equations_take (e, RLS_BODIES_MOTION, a, p)) return 0;
    const rls_island *s = rls_equations_island (e);
    double (*f)[6] = e->body[0], (*given)[6] = zeroed (e, 1), *x = e->row[0];
    for (int b = 0; b < s->model.bodies; ++b)
        for (int k = 0; k < 6; ++k) f[b][k] = s->model.movable[b] ? f[b][k] - e->free[b][k] : 0;

    /* p from the motion along the kept rows, A p = H (a - free); what M (a - free) has besides H' p is the
     * rest */
    rls_rows_velocity (&s->begin.rows, f, x);
    solve (s, x);
    rls_equations_give (e, RLS_ROWS_FORCE, p);
    if (!rest) return 1;
    times_mass (s, f);
    rls_rows_force (&s->begin.rows, x, given);
    for (int b = 0; b < s->model.bodies; ++b)
        for (int k = 0; k < 6; ++k) f[b][k] = s->model.movable[b] ? f[b][k] - given[b][k] : 0;
    return rls_equations_give (e, RLS_BODIES_FORCE, rest);
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
    return rls_equations_give (e, RLS_BODIES_MOTION, z);
}
