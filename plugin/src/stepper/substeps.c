/* Euler's step in pieces; contract in integrate.h. */
#include "integrate.h"

#define MOST_PIECES 8

/* The beginning of the step, and sums over its pieces. */
typedef struct
{
    const rls_island *island;
    rls_pose *pose;      /* bodies */
    double (*v)[6];      /* bodies */
    double *p, *bounded; /* rows, bounded rows: impulses */
} begun;

static void lay_out (begun *at, rls_arena_cursor *c)
{
    const size_t n = (size_t)at->island->model.bodies;
    RLS_TAKE (c, at->pose, n);
    RLS_TAKE (c, at->v, n);
    RLS_TAKE (c, at->p, (size_t)at->island->begin.rows.rows);
    RLS_TAKE (c, at->bounded, (size_t)at->island->begin.bounded.rows);
}

int rls_stays_open (const rls_workspace *workspace)
{
    const rls_island *s = &workspace->island;
    double worst = 0;
    for (int r = 0; r < s->begin.rows.rows; ++r)
        if (s->begin.factor.decision[r] != RLS_REDUNDANT && s->end.rows.sigma2[r] == 0)
            worst = fmax (worst, fabs (s->end.rows.residual[r]));
    /* where Newton's method stagnates it may end with four times what was asked for */
    return worst > fmax (RLS_CLOSED, 4 * workspace->settings->position_tolerance / s->model.length_scale);
}

/* Softness is CFM over the step, and bounds are forces times it; exact, since pieces are a power of two. */
static void share_out (rls_bounded *b, double pieces)
{
    for (int r = 0; r < b->rows; ++r)
    {
        b->softness[r] *= pieces;
        if (b->follow[r] >= 0) continue; /* coefficients of friction */
        b->lo[r] /= pieces;
        b->hi[r] /= pieces;
    }
}

static void add (double *sum, const double *p, int n)
{
    for (int i = 0; i < n; ++i) sum[i] += p[i];
}

/* One piece from where the last one ended.  Returns as rls_euler_step. */
static int take_piece (rls_workspace *workspace, begun *sums, int first)
{
    rls_island *s = &workspace->island;
    if (!first)
    {
        memcpy (s->state.pose, s->next.pose, sizeof (*s->state.pose) * (size_t)s->model.bodies);
        memcpy (s->state.v, s->next.v, sizeof (*s->state.v) * (size_t)s->model.bodies);
    }
    if (!rls_workspace_done (workspace, rls_begin_again (workspace))) return 0;
    rls_gather_masses (workspace);
    if (!rls_euler_step (workspace)) return 0;
    add (sums->p, s->reactions.p, s->begin.rows.rows);
    add (sums->bounded, s->begin.bounded.p, s->begin.bounded.rows);
    return 1;
}

static int take_pieces (rls_workspace *workspace, begun *sums, int pieces)
{
    rls_island *s = &workspace->island;
    const double h = workspace->h, time = workspace->time;
    const int rows = s->begin.rows.rows, bounded = s->begin.bounded.rows;
    int done = 1, iterations = 0, inexact = 0;
    double residual = 0;

    /* sums over the pieces */
    for (int r = 0; r < rows; ++r) sums->p[r] = 0;
    for (int r = 0; r < bounded; ++r) sums->bounded[r] = 0;

    /* the pieces */
    workspace->h = h / pieces;
    share_out (&s->begin.bounded, pieces);
    for (int i = 0; i < pieces && done; ++i)
    {
        workspace->time = time + i * workspace->h;
        done = take_piece (workspace, sums, i == 0);
        iterations += s->account.bounded_iterations;
        inexact |= s->account.bounded_inexact;
        residual = fmax (residual, s->account.bounded_residual);
    }

    /* what was changed for them as it was, and the sums as the step's */
    share_out (&s->begin.bounded, 1.0 / pieces);
    workspace->h = h, workspace->time = time;
    memcpy (s->state.pose, sums->pose, sizeof (*s->state.pose) * (size_t)s->model.bodies);
    memcpy (s->state.v, sums->v, sizeof (*s->state.v) * (size_t)s->model.bodies);
    if (!done) return 0;
    if (rows > 0) memcpy (s->reactions.p, sums->p, sizeof (double) * (size_t)rows);
    if (bounded > 0) memcpy (s->begin.bounded.p, sums->bounded, sizeof (double) * (size_t)bounded);
    s->account.bounded_iterations = iterations, s->account.bounded_inexact = inexact,
    s->account.bounded_residual = residual;
    return 1;
}

int rls_euler_in_pieces (rls_workspace *workspace)
{
    rls_island *s = &workspace->island;
    int done;

    /* the beginning, to start from again */
    begun at = {.island = s};
    rls_arena block = {0};
    RLS_LAY_OUT (&at, &block, lay_out, done);
    if (done)
    {
        memcpy (at.pose, s->state.pose, sizeof (*s->state.pose) * (size_t)s->model.bodies);
        memcpy (at.v, s->state.v, sizeof (*s->state.v) * (size_t)s->model.bodies);
    }
    else
        workspace->status = dRLSStatusNoMemory;

    /* 2, 4 and 8 pieces */
    for (int pieces = 2; done && pieces <= MOST_PIECES && rls_stays_open (workspace); pieces *= 2)
        done = take_pieces (workspace, &at, pieces);
    rls_arena_free (&block);
    return done;
}
