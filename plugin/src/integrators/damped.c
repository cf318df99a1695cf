/* The damped step; contract and equations in project.h. */
#include "project.h"
#include "bounded/bounded.h"
#include "reactions.h"
#include "step_energy.h"

#define MOST_CLOSINGS 6      /* displacements that close the rows */
#define USUAL_CLOSINGS 3     /* after so many displacements a residual of RLS_LEFT_OPEN_BY_A_STEP is enough */
#define SOLVER_ITERATIONS 50 /* of the bounded problem at most */
#define FAR 5    /* D is at least (FAR e)^2: a residual e moves nothing by more than e / (2 FAR e) = 0.1 */
#define SWEEPS 2 /* solves with one factor: the second squares what damping has left of well-behaved rows */

/* Factors rows with the damping D into end.factor; open: the largest residual (m or rad).  Returns as
 * rls_factor_rows. */
static rls_outcome factor_rows (rls_island *s, rls_rows *rows, double open)
{
    double *softness = s->scratch.rows + 4 * rows->rows;
    const double far = FAR * fmin (open, 1); /* limited, or joints many units apart would never be closed */
    const double damping = fmax (fmax (s->elimination.rank_tolerance, RLS_DEPENDENT), far * far);
    rows->mass_scaling = NULL, rows->precedence = NULL;
    rls_rows_diagonal (rows, softness);
    for (int r = 0; r < rows->rows; ++r) softness[r] *= damping;
    rows->sigma2 = softness;
    return rls_island_factor (s, &s->end.factor, rows, 0, NULL);
}

/* scratch.six := the least motion that changes the rows by x, with damping; scratch.rows + rows: the
 * multipliers that make it.  The second sweep removes what damping has left along rows that are far from
 * dependence. */
static void find_motion (rls_island *s, const rls_rows *rows, const double *x)
{
    double *p = s->scratch.rows + rows->rows, *left = s->scratch.rows + 3 * rows->rows;
    memset (s->scratch.six, 0, sizeof (*s->scratch.six) * (size_t)s->model.bodies);
    memset (p, 0, sizeof (double) * (size_t)rows->rows);
    for (int i = 0; i < SWEEPS; ++i)
    {
        rls_rows_missing (rows, x, s->scratch.six, left);
        rls_factor_push (&s->end.factor, rows, left, s->scratch.six);
        rls_flat_add (rows->rows, 1, left, p);
    }
}

/* next.v += scale times that motion; the multipliers count as impulses. */
static void add_motion (rls_island *s, const rls_rows *rows, double scale)
{
    double *p = s->scratch.rows + rows->rows;
    rls_flat_add (6 * s->model.bodies, scale, s->scratch.six[0], s->next.v[0]);
    rls_flat_scale (rows->rows, scale, p, p);
    rls_flat_add (rows->rows, 1, p, s->reactions.p);
    rls_reactions_add_impulses (s, &s->end.factor, rows, p);
}

/* Changes next.v such that it satisfies the rows. */
static void enforce (rls_island *s, const rls_rows *rows)
{
    double *x = s->scratch.rows;
    rls_rows_missing (rows, rows->target, s->next.v, x);
    find_motion (s, rows, x);
    add_motion (s, rows, 1);
}

/* Evaluates the rows at a pose, with W, in end.rows and rows.  Returns RLS_DONE or RLS_FAILED. */
static rls_outcome evaluate_rows (rls_island *s, const rls_pose *pose, rls_rows *rows)
{
    if (!s->provider.rows (s, pose)) return RLS_FAILED;
    rls_island_inverse_inertia (s, pose, &s->end.rows);
    *rows = s->end.rows;
    return RLS_DONE;
}

/* Changes next.v such that it satisfies rows and bounded rows at the beginning of the step.  The bounded
 * solver uses the begin members of the island, so factor and softness of the damped rows are put there
 * meanwhile.  Returns RLS_DONE or RLS_NO_MEMORY. */
static rls_outcome enforce_bounded (rls_island *s, const rls_rows *rows, double h)
{
    const rls_factor factor = s->begin.factor;
    double *const sigma2 = s->begin.rows.sigma2;
    const rls_bounded_settings settings = {.iterations = SOLVER_ITERATIONS,
                                           .tolerance = RLS_ROUGHLY_SOLVED,
                                           .scale = 1,
                                           .kick = rls_bounded_kick (s, h)};
    s->begin.factor = s->end.factor, s->begin.rows.sigma2 = rows->sigma2;
    const int done = rls_bounded_solve (s, &settings, s->next.v);
    s->end.factor = s->begin.factor, s->begin.factor = factor, s->begin.rows.sigma2 = sigma2;
    if (!done) return RLS_NO_MEMORY;
    rls_reactions_add_impulses (s, &s->end.factor, rows, s->reactions.p);
    return RLS_DONE;
}

rls_outcome rls_damped_step (rls_island *s, double time, double h)
{
    const size_t count = (size_t)s->begin.rows.rows;
    rls_rows rows = s->begin.rows;

    /* no impulses yet; reactions act along the rows at the end */
    s->provider.time = time;
    rls_reactions_begin (s);
    s->reactions.bounded_in_halves = 0, s->bounded_wrench = NULL;
    s->reactions.at = &s->end, s->reactions.change = NULL;
    memset (s->reactions.p, 0, sizeof (double) * count);
    rls_motion_copy (s->model.bodies, &s->state, &s->next);

    /* rows and factor of the beginning, unless a damped step before has left them */
    const int bounded = s->begin.bounded.rows > 0;
    if (!s->valid.begin_damped || bounded)
    {
        if (!bounded) RLS_TRY (evaluate_rows (s, s->state.pose, &rows));
        if (!rls_island_push (s, s->state.pose, s->state.v)) return RLS_FAILED;
        RLS_TRY (factor_rows (s, &rows, 0));
    }

    /* velocities, and the pose that they lead to */
    rls_island_kick (s, h, s->next.v);
    const double kicked = rls_energy_of_kicks (s);
    if (bounded) RLS_TRY (enforce_bounded (s, &rows, h));
    if (bounded)
        rls_take_gain (s, h, kicked);
    else
        enforce (s, &rows);
    for (int b = 0; b < s->model.bodies; ++b)
        rls_pose_advance (&s->next.pose[b], s->next.v[b], h, s->model.turn[b], s->model.axis[b]);
    s->provider.time = time + h;

    /* displacements that close the rows */
    for (int i = 0;; ++i)
    {
        RLS_TRY (evaluate_rows (s, s->next.pose, &rows));
        s->account.projection_residual = rls_flat_largest (count, rows.residual);
        if (!isfinite (s->account.projection_residual)) return RLS_FAILED;
        const double enough = i < USUAL_CLOSINGS ? RLS_CLOSED : RLS_LEFT_OPEN_BY_A_STEP;
        const int last =
            i == MOST_CLOSINGS || s->account.projection_residual <= fmax (s->position_tolerance, enough);
        RLS_TRY (factor_rows (s, &rows, last ? 0 : s->account.projection_residual));
        if (last) break;
        find_motion (s, &rows, rows.residual);
        rls_island_displace (s, (const double (*)[6])s->scratch.six);

        add_motion (s, &rows, 1 / h); /* the displacement divided by h belongs to the velocities */
    }

    /* velocities at the end */
    enforce (s, &rows);
    s->valid.end_damped = s->valid.end_exact = s->valid.end_natural = 1;
    return RLS_DONE;
}
