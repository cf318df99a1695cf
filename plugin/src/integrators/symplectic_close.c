/*
 * Closes the joints at the end of a symplectic sub-step, by Newton's method on the multipliers; contract in
 * symplectic_parts.h.
 *
 * With the factor of the beginning it converges linearly, at a rate of about the angle turned in the step.
 * Sweeps on the linearised motion, which need no evaluation of rows, make one iteration worth several.  Near
 * a singular configuration that factor is wrong in sign and size; then corrections are computed with a factor
 * of the iterate ("fresh") and projected onto the rows of the beginning, along which alone multipliers act.
 * Rows that are nearly singular at the iterate, compared with the size of the correction, are left open until
 * the iterate is closer.
 */
#include "symplectic_parts.h"

#define MOST_RETREATS 3 /* returns to the best iterate, at most */
#define MOST_REOPENED 4 /* how often rows that were left open are tried again once the others are closed */

int rls_symplectic_drift (rls_symplectic *w, rls_island *s, double h, int first)
{
    w->bounded_rows = RLS_BOUNDED_STALE;
    return rls_spins_drift (w->spins, s, w->pose, w->u, h, first, NULL, s->next.pose);
}

/* Returns how far (m or rad) a motor of unlimited strength has moved its axis, whose row was J[0] and is
 * J[1], by the rates of its bodies by_rates; NAN of other rows, and where it is not known. */
static double way_of_motor (const rls_symplectic *w, const rls_island *s, int j, int r,
                            const double *const J[2], double by_rates)
{
    if (s->mechanism.velocity_level[r] == RLS_VELOCITY_LEVEL_ALWAYS) return NAN;
    const double way = s->end.rows.coordinate[r] - s->begin.rows.coordinate[r];
    if (!rls_is_angular (J[0])) return way;
    return rls_symplectic_way (
        isnan (way) ? rls_symplectic_turned (w, s, s->mechanism.body[j], J[0], J[1]) : way, by_rates);
}

/*
 * Computes the residual (m or rad) of velocity-level rows: by how much the motion misses what they require.
 * Discrete velocity and mean of the rows are the same seen from either end, so the step stays symmetric.  At
 * the first evaluation of a sub-step, finds out which rows are velocity-level.
 */
static void find_velocity_residuals (rls_symplectic *w, const rls_island *s, double h, int first)
{
    for (int b = 0; b < s->model.bodies; ++b)
    {
        memcpy (w->d[b], w->u[b], sizeof (*w->d));
        if (s->model.movable[b]) rls_spins_velocity (w->spins, b, w->d[b] + 3);
    }

    /* h times target - (H0 + H1) / 2 times the velocity */
    RLS_FOR_ROWS (&s->begin.rows, j, r)
    {
        unsigned char *level = &s->mechanism.velocity_level[r];
        if (*level == RLS_VELOCITY_LEVEL_NEVER) continue;
        const int still = s->begin.rows.residual[r] == 0 && w->trial.residual[r] == 0;
        if (first && *level != RLS_VELOCITY_LEVEL_ALWAYS)
            *level = still ? RLS_VELOCITY_LEVEL : RLS_VELOCITY_LEVEL_MAYBE;
        if (*level < RLS_VELOCITY_LEVEL) continue;
        const rls_rows *const ends[2] = {&s->begin.rows, &w->trial};
        const int *body = s->mechanism.body[j], i = r - s->mechanism.row0[j];
        rls_row room[2][RLS_MAX_ROWS];
        const double *const J[2] = {rls_joint_rows (ends[0], j, room[0])[i],
                                    rls_joint_rows (ends[1], j, room[1])[i]};
        double moved = 0, wanted = 0.5 * h * (s->begin.rows.target[r] + w->trial.target[r]);
        for (int end = 0; end < 2; ++end)
        {
            for (int side = 0; side < 2; ++side)
                if (body[side] >= 0) moved += 0.5 * h * rls_dot6 (J[end] + 6 * side, w->d[body[side]]);
            moved += 0.5 * h * rls_parts_velocity (&ends[end]->parts, r, w->d);
        }

        /* motors: how far their axis has come, if that is known */
        const double known = way_of_motor (w, s, j, r, J, moved);
        w->trial.residual[r] = wanted - (isnan (known) ? moved : known);
    }
}

int rls_symplectic_look (rls_symplectic *w, rls_island *s, double h, int first)
{
    if (!s->provider.rows (s, s->next.pose)) return 0;
    w->trial = s->end.rows;
    if (s->mechanism.velocity_level_rows > 0 || !rls_rows_aligned (&s->end.rows, &s->begin.rows))
    {
        w->trial = s->scratch.aside;
        rls_rows_copy (&s->end.rows, &w->trial);
        rls_rows_align (&w->trial, &s->begin.rows);
    }
    if (s->mechanism.velocity_level_rows > 0) find_velocity_residuals (w, s, h, first);
    return 1;
}

double rls_symplectic_open (const rls_symplectic *w, const unsigned char *decision)
{
    return rls_flat_largest_kept (w->rows, w->trial.residual, decision);
}

/* ---- the factor of the iterate ---- */

/*
 * Leaves out, in decided, the nearly singular rows whose correction is not small against the distance from
 * the singular configuration.  Returns how many.  With S = L D L' the dense factor of the border, e = D^1/2
 * L' x is the correction along each border row's own direction n (M-norm), after all rows before it are
 * satisfied, and D^1/2 is what is left of the row h in that direction.  A displacement of e n turns h by
 * about |h| |n|^2 e; the length of n in metres and radians is estimated from the whole correction.  noise (m
 * or rad): corrections below it are rounding.
 */
static int truncate_rows (rls_symplectic *w, const rls_island *s, double noise)
{
    const rls_factor *f = &w->trial_factor;
    const int k = f->borders;
    int cut = 0;
    double part = 0; /* squared M-norm of the correction, then of its part before the row */

    /* the whole correction, and its length */
    memcpy (w->x, w->trial.residual, sizeof (double) * (size_t)w->rows);
    rls_factor_solve (f, &w->factored, w->x);
    for (int r = 0; r < w->rows; ++r)
        if (f->decision[r] != RLS_REDUNDANT) part += w->x[r] * w->trial.residual[r];
    memset (w->d, 0, sizeof (*w->d) * (size_t)s->model.bodies);
    rls_rows_apply (&w->factored, w->x, w->d);
    const double largest = rls_fastest (s->model.bodies, w->d);    /* m or rad */
    const double length = part > 0 ? largest * largest / part : 0; /* |n|^2 */

    /* the part of each border row, beginning with the last pivot */
    for (int a = k - 1; a >= 0; --a)
    {
        const int row = f->border_row[a];
        const double size = rls_row_length (&w->trial, rls_joint_of_row (&w->trial, row), row);
        const double left = sqrt (f->border_ld[a * k + a]);
        double e = w->x[row];
        for (int b = a + 1; b < k; ++b) e += f->border_ld[a * k + b] * w->x[f->border_row[b]];
        e *= left;
        const double turn = RLS_HYSTERESIS * size * length * sqrt (fmax (part, e * e));
        const int closed = fabs (e) * left <= noise && f->relative[row] < 0.5 * RLS_SAFE_PIVOT;
        part -= e * e;
        if (f->relative[row] >= RLS_SAME && turn <= left && !closed) continue;
        w->decided[row] = RLS_REDUNDANT;
        ++cut;
    }
    return cut;
}

/*
 * Changes W of light bodies to the mobility that they have in a step of finite length.  A body with almost no
 * inertia about an axis of its own has h^2/4 times its energy of rotation about it in a step (cayley.h),
 * which may be larger by orders of magnitude; with a factor that ignores this Newton's method does not
 * converge.
 */
static void lighten (rls_symplectic *w, rls_island *s, double h)
{
    double (*W)[9] = w->factored.W;
    rls_spins_tangents (w->spins, s, h);
    for (int k = 0; k < 3; ++k)
    {
        for (int b = 0; b < s->model.bodies; ++b)
            for (int i = 0; i < 3; ++i) w->d[b][i] = 0, w->d[b][3 + i] = W[b][3 * i + k];
        rls_spins_turn_back (w->spins, s, w->d);
        rls_spins_linear_motion (w->spins, s, w->d, w->du);
        for (int b = 0; b < s->model.bodies; ++b)
            for (int i = 0; i < 3 && s->elimination.mass_scaling.is[b]; ++i)
                W[b][3 * i + k] = w->du[b][3 + i];
    }
    for (int b = 0; b < s->model.bodies; ++b)
        for (int i = 0; i < 3 && s->elimination.mass_scaling.is[b]; ++i)
            for (int k = 0; k < i; ++k)
                W[b][3 * i + k] = W[b][3 * k + i] = 0.5 * (W[b][3 * i + k] + W[b][3 * k + i]);
}

/* Factors the rows at the iterate: those that the beginning keeps or, if it is singular, all.  cut: how many
 * had to be left open; noise: as in truncate_rows.  Returns as rls_factor_rows. */
static rls_outcome factor_iterate (rls_symplectic *w, rls_island *s, double h, double noise, int *cut)
{
    const int light = s->elimination.mass_scaling.count > 0;
    rls_rows_copy (&w->trial, &w->factored);
    rls_island_inverse_inertia (s, s->next.pose, &w->factored);
    if (light) lighten (w, s, h);

    /* rows that were nearly dependent at the beginning go into the border, where they are pivoted last */
    for (int r = 0; r < w->rows; ++r)
    {
        const int kept = s->begin.factor.decision[r] != RLS_REDUNDANT;
        const int clear = s->begin.factor.relative[r] >= RLS_DOUBTFUL_PIVOT;
        w->decided[r] = (unsigned char)(kept ? clear ? RLS_KEPT : RLS_BORDER : RLS_REDUNDANT);
    }

    /* rows that have become too singular are left open */
    const int singular = w->singular.count > 0;
    RLS_TRY (
        rls_island_factor (s, &w->trial_factor, &w->factored, RLS_DEPENDENT, singular ? NULL : w->decided));
    w->least = singular ? 0 : w->trial_factor.gap;
    if (singular) memcpy (w->decided, w->trial_factor.decision, (size_t)w->rows);
    *cut = truncate_rows (w, s, noise);
    if (*cut > 0) RLS_TRY (rls_island_factor (s, &w->trial_factor, &w->factored, RLS_DEPENDENT, w->decided));
    if (light) rls_island_inverse_inertia (s, s->next.pose, &w->factored);
    return RLS_DONE;
}

/* ---- corrections ---- */

void rls_symplectic_correct (rls_symplectic *w, rls_island *s, const double (*from)[6],
                             const unsigned char *decision, double tolerance, double h, int fresh)
{
    const size_t size = sizeof (*w->d) * (size_t)s->model.bodies;
    double (*du)[6] = w->du, (*d)[6] = w->d;
    rls_spins_tangents (w->spins, s, h);
    memset (du, 0, size);
    double last = HUGE_VAL, enough = RLS_ENOUGH * tolerance;
    for (int sweep = 0; sweep < RLS_MOST_SWEEPS; ++sweep)
    {
        /* x := residual / h - H1 T du, what the correction leaves of the residual to first order; the largest
         * of these as a displacement (m or rad) */
        if (sweep == 0) memset (w->x, 0, sizeof (double) * (size_t)w->rows);
        if (sweep > 0)
        {
            rls_spins_linear_motion (w->spins, s, du, d);
            rls_rows_velocity (&w->trial, d, w->x);
        }
        rls_flat_blend (w->rows, 1 / h, w->trial.residual, -1, w->x, w->x);
        const double left = fabs (h) * rls_flat_largest_kept (w->rows, w->x, decision);

        /* the linearised motion is wrong by about the square of the residual: no need to go further */
        if (sweep == 0 && !fresh) enough = fmax (RLS_ENOUGH * tolerance, RLS_CURVED * left * left);

        /* with the factor of the beginning, along whose rows multipliers act */
        if (left <= enough || left > last) break;
        last = left;
        if (!fresh)
        {
            rls_factor_enforce (&s->begin.factor, &s->begin.rows, w->x, du);
            continue;
        }

        /* with a factor of the iterate, and of the result the part that multipliers at the beginning can
         * make */
        memset (d, 0, size);
        rls_factor_enforce (&w->trial_factor, &w->factored, w->x, d);
        rls_spins_turn_back (w->spins, s, d);
        rls_add (s->model.bodies, 1, d, du);
        rls_symplectic_project (w, &s->begin, NULL, d);
        rls_add (s->model.bodies, -1, d, du);
    }
    rls_flat_blend (6 * s->model.bodies, 1, from[0], 1, du[0], w->u[0]);
}

/* Returns RLS_DONE if the rows are closed, those that were left out included, else RLS_FAILED. */
static rls_outcome verdict (const rls_symplectic *w, const rls_island *s, double tolerance)
{
    const double open = rls_symplectic_open (w, s->begin.factor.decision);
    return open <= fmax (RLS_CLOSED, 100 * tolerance) ? RLS_DONE : RLS_FAILED;
}

/* Newton's method.  gap: the least relative pivot near the end, 0 if rows had to be left open there,
 * unchanged if no factor was made there.  Returns as rls_symplectic_substep. */
static rls_outcome close_positions (rls_symplectic *w, rls_island *s, double h, double *gap)
{
    const size_t size = sizeof (*w->u) * (size_t)s->model.bodies;
    const double tolerance = fmax (w->tolerance, rls_closing_rounding (w->pose, w->bodies, 4));
    const double loose = fmax (RLS_SAME, 4 * tolerance);
    const unsigned char *decision = s->begin.factor.decision;
    double best = HUGE_VAL, last = HUGE_VAL;
    int fresh = w->singular.count > 0 || s->elimination.mass_scaling.count > 0 ||
                s->begin.factor.gap < 0.5 * RLS_SAFE_PIVOT,
        factored = 0, cut = 0, reopened = 0;
    int retreats = 0, at_best = 0;
    for (int iteration = 0; iteration < RLS_MOST_ITERATIONS; ++iteration)
    {
        ++s->account.iterations;

        /* the residual at this iterate */
        const int usable = w->looked || (rls_symplectic_drift (w, s, h, iteration == 0 || at_best) &&
                                         rls_symplectic_look (w, s, h, iteration == 0));
        w->looked = 0;
        double residual = usable ? rls_symplectic_open (w, decision) : HUGE_VAL;
        if (!isfinite (residual)) residual = HUGE_VAL;

        /* if it diverges: back to the best iterate, with a new factor there */
        const int improved = residual <= best;
        if (improved)
            best = residual;
        else if (residual > RLS_DIVERGED * best && residual > 10 * loose)
        {
            if (++retreats > MOST_RETREATS) break;
            memcpy (w->u, w->best, size);
            at_best = fresh = 1;
            factored = 0;
            decision = s->begin.factor.decision;
            last = HUGE_VAL;
            continue;
        }

        /* closed, or no better near rounding; then rows that were left open are tried again */
        if (!usable) return RLS_FAILED; /* already at the first iterate */
        at_best = 0;
        const int closed = residual <= tolerance;
        const int settled = closed || (iteration >= 2 && residual > RLS_STAGNATED * last &&
                                       residual < (fresh ? loose : 4 * tolerance));
        if (settled && cut > 0 && rls_symplectic_open (w, s->begin.factor.decision) <= tolerance)
            return RLS_DONE;
        if (settled && (cut == 0 || ++reopened > MOST_REOPENED)) return verdict (w, s, tolerance);

        /* a new factor if convergence is slow */
        if (iteration > 0 && residual > RLS_SLOW_CLOSING * last && residual > 4 * tolerance) fresh = 1;
        last = residual;
        if (fresh && (!factored || settled || iteration % 4 == 0))
        {
            if (s->mechanism.mesh) return RLS_FAILED; /* the damped step costs less */
            const double noise = reopened == 0 && residual < RLS_SEEN ? 0.25 * tolerance : 0;
            const int before = cut;
            RLS_TRY (factor_iterate (w, s, h, noise, &cut));
            factored = 1;
            *gap = cut > 0 ? 0 : w->trial_factor.gap;
            decision = w->trial_factor.decision;
            if (settled && cut >= before) return verdict (w, s, tolerance);
            if (settled) best = HUGE_VAL;
        }

        /* the best iterate is kept by exchanging the arrays, since u is overwritten */
        if (improved)
        {
            double (*u)[6] = w->u;
            w->u = w->best, w->best = u;
        }
        rls_symplectic_correct (w, s, (improved ? w->best : w->u), decision, tolerance, h, fresh);
    }
    memcpy (w->u, w->best, size);
    return rls_symplectic_drift (w, s, h, 1) && rls_symplectic_look (w, s, h, 0) ? verdict (w, s, tolerance)
                                                                                 : RLS_FAILED;
}

/* Returns 1 if the redundant rows of joints are as closed at the end as they were at the beginning.  The
 * other rows are closed on a wrong branch as well, which a long step may reach. */
static int stayed_on_branch (const rls_symplectic *w, const rls_island *s)
{
    const double opened = s->mechanism.mesh ? RLS_SEEN : RLS_OPENED;
    if (!rls_decided_on (s->begin.factor.decision, w->rows, RLS_REDUNDANT)) return 1;
    for (int r = 0; r < w->rows; ++r)
        if (s->begin.factor.decision[r] == RLS_REDUNDANT &&
            s->mechanism.velocity_level[r] < RLS_VELOCITY_LEVEL &&
            !rls_is_drive (s->begin.rows.precedence, r) && fabs (w->trial.residual[r]) > opened &&
            fabs (s->begin.rows.residual[r]) < 0.5 * opened)
            return 0;
    return 1;
}

/* Returns 1 if no joint is open that seems closed in the bases of the beginning.  Rows that have turned by a
 * right angle since then have no component in these bases. */
static int nothing_is_hidden (const rls_symplectic *w, const rls_island *s)
{
    if (w->trial.J == s->end.rows.J) return 1;
    for (int j = 0; j < w->joints; ++j)
    {
        double open = 0, seen = 0;
        for (int r = s->mechanism.row0[j]; r < s->mechanism.row0[j + 1]; ++r)
        {
            if (s->mechanism.velocity_level[r] >= RLS_VELOCITY_LEVEL ||
                rls_is_drive (s->begin.rows.precedence, r))
                continue;
            open = fmax (open, fabs (s->end.rows.residual[r]));
            seen = fmax (seen, fabs (w->trial.residual[r]));
        }
        if (open > RLS_OPENED && seen < RLS_SMALL_PART * open) return 0;
    }
    return 1;
}

rls_outcome rls_symplectic_close (rls_symplectic *w, rls_island *s, double h)
{
    double gap = 1;
    rls_outcome done = close_positions (w, s, h, &gap);
    if (done == RLS_DONE && gap < RLS_UNSURE_PIVOT && !s->mechanism.mesh)
        done = rls_symplectic_to_branch (w, s, h, gap);
    return done == RLS_DONE && !(stayed_on_branch (w, s) && nothing_is_hidden (w, s)) ? RLS_FAILED : done;
}
