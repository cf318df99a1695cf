/*
 * dRLSEquationsShare: how redundant reactions share the load by elasticity (Wojtyra & Fraczek 2012;
 * method.md, section 5); contract in ode_rls.h.
 *
 * Each redundant row i has a self-stress b_i: a unit reaction along it, with reactions of the kept rows that
 * balance it, so that H' b_i = 0.  All reactions with the same effect are p0 + B y.  Among these the energy
 * of deformation p' C p / 2 + p' d is least where
 *
 *     B' C B y = -B' (C p0 + d)
 *
 * which is a dense system of as many equations as there are redundant rows.  Since C is positive definite on
 * the self-stresses no pivoting is needed.
 */
#include "equations.h"
#include "kernels/symmetric.h"

typedef struct
{
    dRLSEquationsID e;
    const dRLSElasticity *elasticity; /* C and d; NULL: C = 1, d = 0 */
    int rows, count;                  /* rows, and self-stresses */
    dReal *stress, *opening;          /* count x rows: B' and (C B)' */
    double *matrix, *y;               /* count x count: B' C B; count: right-hand side, then the solution */
    dReal *at_start;                  /* rows: C p0 + d */
    rls_arena block;
} sharing;

static void lay_out (sharing *w, rls_arena_cursor *c)
{
    const size_t count = (size_t)w->count, rows = (size_t)w->rows;
    RLS_TAKE (c, count * rows, w->stress, w->opening);
    RLS_TAKE (c, count * count, w->matrix);
    RLS_TAKE (c, count, w->y);
    RLS_TAKE (c, rows, w->at_start);
}

/* out := C p, the openings of the rows under reactions p. */
static void deform (const sharing *w, const dReal *p, dReal *out)
{
    const dRLSElasticity *given = w->elasticity;
    if (given && given->function)
    {
        given->function (given->context, p, out);
        return;
    }
    for (int r = 0; r < w->rows; ++r)
        out[r] = given && given->compliance ? given->compliance[r] * p[r] : p[r];
}

/* Returns the product of two arrays over the rows. */
static double work (const sharing *w, const dReal *stress, const dReal *opening)
{
    double sum = 0;
    for (int r = 0; r < w->rows; ++r) sum += (double)stress[r] * (double)opening[r];
    return sum;
}

/* Forms matrix and right-hand side.  Returns 0 if C is not symmetric. */
static int form_system (sharing *w)
{
    const rls_island *s = rls_equations_island (w->e);
    const size_t rows = (size_t)w->rows;
    double (*v)[6] = w->e->body[0], *x = w->e->row[0];
    int i = 0;
    for (int r = 0; r < w->rows; ++r)
    {
        if (s->begin.factor.decision[r] != RLS_REDUNDANT) continue;

        /* the self-stress of the redundant row, e_r - x with A x = A e_r over the kept rows, in SI units */
        memset (x, 0, sizeof (double) * rows);
        memset (v, 0, sizeof (*v) * (size_t)s->model.bodies);
        x[r] = 1;
        rls_rows_apply (&s->begin.rows, x, v);
        rls_rows_missing (&s->begin.rows, NULL, v, x);
        rls_factor_solve (&s->begin.factor, &s->begin.rows, x);
        x[r] = 1;
        rls_equations_give (w->e, RLS_ROWS_FORCE, w->stress + (size_t)i * rows);
        deform (w, w->stress + (size_t)i * rows, w->opening + (size_t)i * rows);
        ++i;
    }

    /* the mean of both triangles, which must agree to rounding */
    for (i = 0; i < w->count; ++i)
    {
        w->y[i] = -work (w, w->stress + (size_t)i * rows, w->at_start);
        for (int k = 0; k <= i; ++k)
        {
            const double one = work (w, w->stress + (size_t)i * rows, w->opening + (size_t)k * rows);
            const double other = work (w, w->stress + (size_t)k * rows, w->opening + (size_t)i * rows);
            const double scale =
                sqrt (fabs (work (w, w->stress + (size_t)k * rows, w->opening + (size_t)k * rows) *
                            work (w, w->stress + (size_t)i * rows, w->opening + (size_t)i * rows)));
            if (!(fabs (one - other) <= RLS_DEPENDS * scale)) return 0;
            w->matrix[i * w->count + k] = w->matrix[k * w->count + i] = (one + other) / 2;
        }
    }
    return 1;
}

/* Returns 1 if compliances and openings are finite, and no compliance is negative. */
static int is_usable (const dRLSElasticity *elasticity, int rows)
{
    if (!elasticity) return 1;
    if (elasticity->struct_size < sizeof (*elasticity)) return 0;
    for (int r = 0; r < rows; ++r)
    {
        if (elasticity->compliance && !rls_is_size (elasticity->compliance[r])) return 0;
        if (elasticity->openings && !isfinite (elasticity->openings[r])) return 0;
    }
    return 1;
}

int dRLSEquationsShare (dRLSEquationsID e, const dRLSElasticity *elasticity, dReal *p)
{
    if (!rls_equations_take (e, RLS_ROWS_FORCE, p, p)) return 0;
    const rls_island *s = rls_equations_island (e);
    sharing w = {.e = e,
                 .elasticity = elasticity,
                 .rows = s->begin.rows.rows,
                 .count = s->begin.rows.rows - s->begin.factor.rank};
    if (!is_usable (elasticity, w.rows)) return 0;
    if (w.count == 0) return 1;
    int done = RLS_LAY_OUT (&w, &w.block, lay_out);
    if (!done) return 0;

    /* the self-stresses that minimise the energy of deformation, if that determines them, are added */
    deform (&w, p, w.at_start);
    for (int r = 0; r < w.rows && elasticity && elasticity->openings; ++r)
        w.at_start[r] += elasticity->openings[r];
    done = form_system (&w) && rls_symmetric_factor (w.count, w.matrix) == 0;
    if (done) rls_symmetric_solve (w.count, w.matrix, w.y);
    for (int i = 0; i < w.count && done; ++i)
        for (int r = 0; r < w.rows; ++r)
            p[r] += (dReal)(w.y[i] * (double)w.stress[(size_t)i * (size_t)w.rows + (size_t)r]);
    rls_arena_free (&w.block);
    return done;
}
