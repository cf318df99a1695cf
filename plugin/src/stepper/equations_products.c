/* Products and solves with the equations of motion; contract in ode_rls.h. */
#include "equations.h"
#include "ode/gather.h"

/* ---- units ---- */

/* Of a length: what a number of this kind holds of it, linear and angular. */
static void units (const rls_island *s, rls_kind kind, double unit[2])
{
    unit[0] = s->model.length_scale;
    unit[1] = kind == RLS_OF_FORCE ? s->model.length_scale * s->model.length_scale : 1;
}

int rls_take_bodies (const struct dxRLSEquations *e, rls_kind kind, const dReal *x, double (*v)[6])
{
    const rls_island *s = rls_equations_island (e);
    double unit[2];
    if (!x || !rls_all_finite (x, 6 * s->model.bodies)) return 0;
    units (s, kind, unit);
    for (int b = 0; b < s->model.bodies; ++b)
        for (int k = 0; k < 6; ++k) v[b][k] = (double)x[6 * b + k] / unit[k / 3];
    return 1;
}

int rls_take_rows (const struct dxRLSEquations *e, rls_kind kind, const dReal *x, double *v)
{
    const rls_island *s = rls_equations_island (e);
    double unit[2];
    if (!x || !rls_all_finite (x, s->begin.rows.rows)) return 0;
    units (s, kind, unit);
    for (int r = 0; r < s->begin.rows.rows; ++r) v[r] = (double)x[r] / unit[e->angular[r]];
    return 1;
}

void rls_give_bodies (const struct dxRLSEquations *e, rls_kind kind, const double (*v)[6], dReal *x)
{
    const rls_island *s = rls_equations_island (e);
    double unit[2];
    units (s, kind, unit);
    for (int b = 0; b < s->model.bodies; ++b)
        for (int k = 0; k < 6; ++k) x[6 * b + k] = (dReal)(v[b][k] * unit[k / 3]);
}

void rls_give_rows (const struct dxRLSEquations *e, rls_kind kind, const double *v, dReal *x)
{
    const rls_island *s = rls_equations_island (e);
    double unit[2];
    units (s, kind, unit);
    for (int r = 0; r < s->begin.rows.rows; ++r) x[r] = (dReal)(v[r] * unit[e->angular[r]]);
}

/* ---- products ---- */

static double (*zeroed (const struct dxRLSEquations *e, int which))[6]
{
    memset (e->body[which], 0, sizeof (*e->body[which]) * (size_t)e->workspace.island.model.bodies);
    return e->body[which];
}

/* x := M x */
static void times_mass (const rls_island *s, double (*x)[6])
{
    for (int b = 0; b < s->model.bodies; ++b)
    {
        double R[9], I[9], torque[3];
        if (!s->model.movable[b]) memset (x[b], 0, sizeof (*x));
        if (!s->model.movable[b]) continue;
        rls_quaternion_matrix (s->state.pose[b].q, R);
        rls_rotate_tensor (R, s->model.own_inertia[b], I);
        rls_multiply (I, x[b] + 3, torque);
        for (int k = 0; k < 3; ++k) x[b][k] *= s->model.mass[b];
        memcpy (x[b] + 3, torque, sizeof (torque));
    }
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
    if (!rls_equations_ready (e) || !out || !rls_take_bodies (e, RLS_OF_MOTION, x, e->body[0])) return 0;
    rls_rows_velocity (&e->workspace.island.begin.rows, (const double (*)[6])e->body[0], e->row[0]);
    rls_give_rows (e, RLS_OF_MOTION, e->row[0], out);
    return 1;
}

int dRLSEquationsOnBodies (dRLSEquationsID e, const dReal *p, dReal *out)
{
    if (!rls_equations_ready (e) || !out || !rls_take_rows (e, RLS_OF_FORCE, p, e->row[0])) return 0;
    double (*f)[6] = zeroed (e, 0);
    rls_rows_force (&e->workspace.island.begin.rows, e->row[0], f);
    rls_give_bodies (e, RLS_OF_FORCE, (const double (*)[6])f, out);
    return 1;
}

int dRLSEquationsTimesMass (dRLSEquationsID e, const dReal *x, dReal *out)
{
    if (!rls_equations_ready (e) || !out || !rls_take_bodies (e, RLS_OF_MOTION, x, e->body[0])) return 0;
    times_mass (rls_equations_island (e), e->body[0]);
    rls_give_bodies (e, RLS_OF_FORCE, (const double (*)[6])e->body[0], out);
    return 1;
}

int dRLSEquationsDelassus (dRLSEquationsID e, const dReal *p, dReal *out)
{
    if (!rls_equations_ready (e) || !out || !rls_take_rows (e, RLS_OF_FORCE, p, e->row[0])) return 0;
    const rls_rows *rows = &e->workspace.island.begin.rows;
    double (*v)[6] = zeroed (e, 0);
    rls_rows_apply (rows, e->row[0], v);
    rls_rows_velocity (rows, (const double (*)[6])v, e->row[0]);
    rls_give_rows (e, RLS_OF_MOTION, e->row[0], out);
    return 1;
}

/* ---- solves ---- */

/* x (rows) := A^-1 x over the kept rows. */
static void solve (const rls_island *s, double *x)
{
    if (s->begin.rows.rows > 0) rls_factor_solve (&s->begin.factor, &s->begin.rows, x);
}

int dRLSEquationsSolveDelassus (dRLSEquationsID e, const dReal *x, dReal *p)
{
    if (!rls_equations_ready (e) || !p || !rls_take_rows (e, RLS_OF_MOTION, x, e->row[0])) return 0;
    const rls_island *s = rls_equations_island (e);
    solve (s, e->row[0]);
    rls_give_rows (e, RLS_OF_FORCE, e->row[0], p);
    return 1;
}

/* v := the nearest velocities (accelerations) with H v = wanted (NULL: 0) on the kept rows; row[0] := the
 * reactions. */
static void enforce (const struct dxRLSEquations *e, const double *wanted, double (*v)[6])
{
    const rls_island *s = rls_equations_island (e);
    double *x = e->row[0];
    rls_rows_velocity (&s->begin.rows, (const double (*)[6])v, x);
    for (int r = 0; r < s->begin.rows.rows; ++r) x[r] = (wanted ? wanted[r] : 0) - x[r];
    solve (s, x);
    rls_rows_apply (&s->begin.rows, x, v);
}

int dRLSEquationsMobility (dRLSEquationsID e, const dReal *f, dReal *out)
{
    if (!rls_equations_ready (e) || !out || !rls_take_bodies (e, RLS_OF_FORCE, f, e->body[0])) return 0;
    over_mass (rls_equations_island (e), e->body[0]);
    enforce (e, NULL, e->body[0]);
    rls_give_bodies (e, RLS_OF_MOTION, (const double (*)[6])e->body[0], out);
    return 1;
}

int dRLSEquationsAccelerate (dRLSEquationsID e, const dReal *force, dReal *a, dReal *p)
{
    if (!rls_equations_ready (e) || !a) return 0;
    const rls_island *s = rls_equations_island (e);
    double (*v)[6] = zeroed (e, 0);
    if (force && !rls_take_bodies (e, RLS_OF_FORCE, force, v)) return 0;
    over_mass (s, v);
    for (int b = 0; b < s->model.bodies; ++b)
        for (int k = 0; k < 6; ++k) v[b][k] += e->free[b][k];
    enforce (e, e->wanted, v);
    rls_give_bodies (e, RLS_OF_MOTION, (const double (*)[6])v, a);
    if (p) rls_give_rows (e, RLS_OF_FORCE, e->row[0], p);
    return 1;
}

int dRLSEquationsInverse (dRLSEquationsID e, const dReal *a, dReal *p, dReal *rest)
{
    if (!rls_equations_ready (e) || !p || !rls_take_bodies (e, RLS_OF_MOTION, a, e->body[0])) return 0;
    const rls_island *s = rls_equations_island (e);
    double (*f)[6] = e->body[0], (*given)[6] = zeroed (e, 1), *x = e->row[0];
    for (int b = 0; b < s->model.bodies; ++b)
        for (int k = 0; k < 6; ++k) f[b][k] = s->model.movable[b] ? f[b][k] - e->free[b][k] : 0;

    /* of H' p = M (a - free) only what moves the kept rows can be their doing */
    rls_rows_velocity (&s->begin.rows, (const double (*)[6])f, x);
    solve (s, x);
    rls_give_rows (e, RLS_OF_FORCE, x, p);
    if (!rest) return 1;
    times_mass (s, f);
    rls_rows_force (&s->begin.rows, x, given);
    for (int b = 0; b < s->model.bodies; ++b)
        for (int k = 0; k < 6; ++k) f[b][k] = s->model.movable[b] ? f[b][k] - given[b][k] : 0;
    rls_give_bodies (e, RLS_OF_FORCE, (const double (*)[6])f, rest);
    return 1;
}
