/* Simultaneous and direct corrections; contract and equations in correct_simultaneous.h. */
#include "correct_simultaneous.h"
#include <float.h>

#define MOST_ITERATIONS 20 /* of conjugate gradients */

static void lay_out (rls_simultaneous *w, rls_arena_cursor *c)
{
    const size_t n = (size_t)w->bodies, rows = (size_t)w->rows;
    rls_rows_lay_out (&w->rate, c);
    RLS_TAKE (c, 2 * rows, w->residual, w->multiplier, w->r, w->z, w->d, w->Sd, w->column, w->response);
    RLS_TAKE (c, n, w->dq, w->dv, w->sum_q, w->sum_v);
}

int rls_simultaneous_prepare (rls_simultaneous *w, const rls_island *s)
{
    rls_rows_share (&w->rate, &s->begin.rows);
    return RLS_FIT (w, s->model.bodies, s->begin.rows.rows, lay_out) != 0;
}

/* ---- rows, G and derivatives of the energy at next.pose ---- */

/* Evaluates the rows at next.pose, in end.rows.  Returns 0 if a value is not finite. */
static int evaluate_rows (rls_island *s)
{
    return rls_island_look (s, s->next.pose) &&
           isfinite (rls_flat_largest (s->begin.rows.rows, s->end.rows.residual));
}

/* Computes G by central differences along the motion.  Returns 0 if rows cannot be evaluated. */
static int find_rate (rls_simultaneous *w, rls_island *s)
{
    const double speed = rls_larger (1, rls_fastest (s->model.bodies, s->next.v)),
                 time = RLS_CURVATURE_DISTANCE / speed;
    rls_rows *aside = &s->scratch.aside;
    rls_rows_share (aside, &s->begin.rows);
    w->rate.compact_rows = NULL;
    memset (w->rate.J, 0, sizeof (*w->rate.J) * (size_t)w->rows);
    for (int side = 1; side >= -1; side -= 2)
    {
        /* the rows after and before that time, in the bases of the beginning */
        rls_poses_move (s->model.bodies, s->next.pose, side * time, s->next.v, s->scratch.predicted);
        if (!rls_island_look_aside (s, s->scratch.predicted, 0, aside)) return 0;
        rls_rows_align_exactly (aside, &s->begin.rows);
        rls_rows_spell (aside);
        for (int r = 0; r < w->rows; ++r)
            for (int k = 0; k < 12; ++k) w->rate.J[r][k] += side * 0.5 / time * aside->J[r][k];
    }
    w->rate.W = s->end.rows.W;
    return 1;
}

/* Computes, for body b, the angular part of dE/dv (momentum) and of dE/dq (turn), where q changes at
 * velocities that are constant in world axes. */
static void derivatives_of (const rls_island *s, int b, double momentum[3], double turn[3])
{
    double R[9], body[3], L[3];
    rls_body_momentum (s->model.inertia[b], &s->next.pose[b], s->next.v[b], R, body, L);
    rls_multiply (R, L, momentum);
    rls_cross (momentum, s->next.v[b] + 3, turn);
}

/* dq, dv := the gradient of the energy in the metric of the change of state: M^-1 dE/dq and M^-1 dE/dv /
 * h^2. */
static void energy_gradient (rls_simultaneous *w, const rls_island *s, double h)
{
    for (int b = 0; b < s->model.bodies; ++b)
    {
        double momentum[3], turn[3];
        memset (w->dq[b], 0, sizeof (*w->dq));
        memset (w->dv[b], 0, sizeof (*w->dv));
        if (!s->model.movable[b]) continue;
        derivatives_of (s, b, momentum, turn);
        for (int k = 0; k < 3; ++k) w->dq[b][k] = -s->applied.gravity[b][k];
        rls_multiply (s->end.rows.W[b], turn, w->dq[b] + 3);
        for (int k = 0; k < 6; ++k) w->dv[b][k] = s->next.v[b][k] / (h * h);
    }
}

/* ---- the system of multipliers ---- */

/* dq, dv := the change of state that multipliers p make (2 x rows: of positions, of velocities). */
static void change_of_state (rls_simultaneous *w, const rls_island *s, const double *p, double h)
{
    memset (w->dq, 0, sizeof (*w->dq) * (size_t)s->model.bodies);
    memset (w->dv, 0, sizeof (*w->dv) * (size_t)s->model.bodies);
    rls_rows_apply (&s->end.rows, p, w->dq);
    rls_rows_apply (&w->rate, p + w->rows, w->dq);
    rls_rows_apply (&s->end.rows, p + w->rows, w->dv);
    for (int b = 0; b < s->model.bodies; ++b)
        for (int k = 0; k < 6; ++k) w->dv[b][k] /= h * h;
}

/* out (2 x rows) := the changes of positions and of velocities along the kept rows by dq and dv; 0 for
 * redundant rows. */
static void change_of_rows (rls_simultaneous *w, const rls_island *s, double *out)
{
    double *velocities = out + w->rows, *x = s->scratch.rows;
    rls_rows_velocity (&s->end.rows, w->dq, out);
    rls_rows_velocity (&w->rate, w->dq, velocities);
    rls_rows_velocity (&s->end.rows, w->dv, x);
    for (int r = 0; r < w->rows; ++r)
    {
        const int kept = s->end.factor.decision[r] != RLS_REDUNDANT;
        velocities[r] = kept ? velocities[r] + x[r] : 0;
        if (!kept) out[r] = 0;
    }
}

/* p := S^-1 b by conjugate gradients, where S maps multipliers to changes of the rows.  Preconditioned with
 * A^-1 for positions and h^2 A^-1 for velocities. */
static void solve (rls_simultaneous *w, const rls_island *s, const double *b, double *p, double h)
{
    const int n = 2 * w->rows;
    double first = 0, last = 0;
    memset (p, 0, sizeof (double) * (size_t)n);
    memcpy (w->r, b, sizeof (double) * (size_t)n);

    for (int iteration = 0; iteration < MOST_ITERATIONS; ++iteration)
    {
        /* the preconditioned residual, and the next direction */
        memcpy (w->z, w->r, sizeof (double) * (size_t)n);
        rls_factor_solve (&s->end.factor, &s->end.rows, w->z);
        rls_factor_solve (&s->end.factor, &s->end.rows, w->z + w->rows);
        for (int r = w->rows; r < n; ++r) w->z[r] *= h * h;
        const double size = rls_flat_dot (n, w->r, w->z);
        if (iteration == 0) first = size;
        if (!(size > RLS_CLOSED * RLS_CLOSED * first)) break;
        for (int i = 0; i < n; ++i) w->d[i] = w->z[i] + (iteration > 0 ? size / last * w->d[i] : 0);
        last = size;

        /* the step along it */
        change_of_state (w, s, w->d, h);
        change_of_rows (w, s, w->Sd);
        const double curvature = rls_flat_dot (n, w->d, w->Sd);
        if (!(curvature > 0)) break;
        for (int i = 0; i < n; ++i)
        {
            p[i] += size / curvature * w->d[i];
            w->r[i] -= size / curvature * w->Sd[i];
        }
    }
}

/* Returns (dE/dq) dq + (dE/dv) dv. */
static double change_of_energy (const rls_simultaneous *w, const rls_island *s)
{
    double sum = 0;
    for (int b = 0; b < s->model.bodies; ++b)
    {
        double momentum[3], turn[3];
        if (!s->model.movable[b]) continue;
        derivatives_of (s, b, momentum, turn);
        for (int k = 0; k < 3; ++k)
            sum +=
                s->model.mass[b] * (s->next.v[b][k] * w->dv[b][k] - s->applied.gravity[b][k] * w->dq[b][k]) +
                momentum[k] * w->dv[b][3 + k] + turn[k] * w->dq[b][3 + k];
    }
    return sum;
}

/* Adds to dq and dv, which close the rows, a change of state along the gradient of the energy, with
 * multipliers that keep the rows closed, such that the missing energy (J) is added as well. */
static void add_energy (rls_simultaneous *w, const rls_island *s, double missing, double h)
{
    const size_t n = 6 * (size_t)s->model.bodies;
    const double lacking = missing - change_of_energy (w, s);
    memcpy (w->sum_q, w->dq, n * sizeof (double));
    memcpy (w->sum_v, w->dv, n * sizeof (double));

    /* by elimination of the border: how much of the gradient is needed */
    energy_gradient (w, s, h);
    const double own = change_of_energy (w, s);
    change_of_rows (w, s, w->column);
    solve (w, s, w->column, w->response, h);
    const double pivot = own - rls_flat_dot (2 * w->rows, w->column, w->response);
    const double epsilon = pivot > RLS_SEEN * own ? lacking / pivot : 0;

    /* the gradient, less what would open the rows */
    energy_gradient (w, s, h);
    rls_flat_add (n, epsilon, w->dq[0], w->sum_q[0]);
    rls_flat_add (n, epsilon, w->dv[0], w->sum_v[0]);
    change_of_state (w, s, w->response, h);
    rls_flat_blend (n, 1, w->sum_q[0], -epsilon, w->dq[0], w->dq[0]);
    rls_flat_blend (n, 1, w->sum_v[0], -epsilon, w->dv[0], w->dv[0]);
}

/* ---- passes ---- */

/* Returns the residual (m or rad) at which passes end: two units in the last place of the positions, by which
 * the papers compare the methods. */
static double rounding_level (const rls_island *s)
{
    double size = 0.5;
    if (s->position_tolerance > 0) return s->position_tolerance;
    for (int b = 0; b < s->model.bodies; ++b)
        for (int k = 0; k < 3; ++k) size = rls_larger (size, fabs (s->next.pose[b].x[k]));
    return 2 * DBL_EPSILON * size;
}

/* Computes the residuals of the kept rows: of positions, then of velocities.  Returns the largest of them
 * relative to what rounding allows. */
static double residuals (rls_simultaneous *w, const rls_island *s)
{
    const double (*v)[6] = s->next.v, speed = rls_larger (1, rls_fastest (s->model.bodies, v));
    double *r = w->residual;
    rls_rows_velocity (&s->end.rows, v, r + w->rows);
    for (int i = 0; i < w->rows; ++i)
    {
        const int kept = s->end.factor.decision[i] != RLS_REDUNDANT;
        r[i] = kept ? s->end.rows.residual[i] : 0;
        r[w->rows + i] = kept ? s->end.rows.target[i] - r[w->rows + i] : 0;
    }
    return rls_larger (rls_flat_largest (w->rows, r) / rounding_level (s),
                       rls_flat_largest (w->rows, r + w->rows) / (8 * DBL_EPSILON * speed));
}

rls_outcome rls_simultaneous_correct (rls_simultaneous *w, rls_island *s, double h)
{
    double last = HUGE_VAL, worst = HUGE_VAL;
    for (int pass = 0; pass < w->passes; ++pass)
    {

        /* rows, with a new factor at the beginning and where convergence is slow */
        ++s->account.iterations;
        if (!evaluate_rows (s)) return RLS_FAILED;
        if (pass == 0 || worst > RLS_SLOW * last)
            RLS_TRY (rls_island_factor_end (s, s->begin.factor.decision));

        /* whether all holds to rounding, or gets no better */
        last = worst;
        worst = residuals (w, s);
        const double energy = rls_energy (s, s->next.pose, s->next.v);
        const double missing = w->energy ? w->target_energy - energy : 0;
        if (!isfinite (worst) || !isfinite (missing)) return RLS_FAILED;
        if (worst <= 1 && fabs (missing) <= 8 * DBL_EPSILON * (1 + fabs (energy))) break;
        if (pass > 1 && worst > RLS_STAGNATED * last) break;

        /* the least change of state; missing: E* - E */
        if (!find_rate (w, s)) return RLS_FAILED;
        solve (w, s, w->residual, w->multiplier, h);
        change_of_state (w, s, w->multiplier, h);
        if (w->energy) add_energy (w, s, missing, h);
        rls_island_displace (s, (const double (*)[6])w->dq);
        rls_flat_add (6 * s->model.bodies, 1, w->dv[0], s->next.v[0]);
    }
    s->valid.end_exact = 0;
    return RLS_DONE;
}

rls_outcome rls_direct_correct (rls_simultaneous *w, rls_island *s)
{
    /* level 0: positions; level 1: velocities */
    for (int level = 0; level < 2; ++level)
    {
        if (!evaluate_rows (s)) return RLS_FAILED;
        RLS_TRY (rls_island_factor_end (s, s->begin.factor.decision));
        residuals (w, s);
        double *x = level == 0 ? w->residual : w->residual + w->rows;
        memset (w->dq, 0, sizeof (*w->dq) * (size_t)s->model.bodies);
        rls_factor_push (&s->end.factor, &s->end.rows, x, level == 0 ? w->dq : s->next.v);
        if (level == 0) rls_island_displace (s, (const double (*)[6])w->dq);
    }
    s->valid.end_exact = 0;
    return RLS_DONE;
}
