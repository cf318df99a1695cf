/*
 * Complementarity problems for the solver of bounded rows: that of the second half of a step, and others
 * (impacts, depths) that are solved apart; contract in bounded_halves.h.  The solver (bounded/bounded.h)
 * works with what is at the beginning of the step, so rows, targets and factor of a problem are put there
 * meanwhile.
 */
#include "bounded_halves.h"
#include "rebounds.h"

#define SOLVER_ITERATIONS 50
#define APART_ITERATIONS 20

void rls_bounded_exchange (rls_island *s)
{
    const rls_bounded bounded = s->begin.bounded;
    s->begin.bounded = s->end.bounded, s->end.bounded = bounded;
    rls_symplectic_advance (s);
}

rls_bounded_settings rls_bounded_of_half (const rls_island *s, double kicked, double scale,
                                          const double *start, int again)
{
    return (rls_bounded_settings){.iterations = SOLVER_ITERATIONS,
                                  .tolerance = RLS_SOLVED,
                                  .scale = scale,
                                  .start = start,
                                  .again = again,
                                  .accuracy = rls_rebounds (&s->begin.bounded) ? RLS_ACCURATE : RLS_FAIR,
                                  .closed = 1,
                                  .moved = rls_is_moved (s),
                                  .kick = rls_bounded_kick (s, kicked)};
}

int rls_bounded_solve_second (rls_island *s, double h, int again, double (*v)[6])
{
    memcpy (s->reactions.bounded_total, s->end.bounded.p, sizeof (double) * (size_t)s->begin.bounded.rows);
    rls_bounded_exchange (s);
    const rls_bounded_settings settings = rls_bounded_of_half (s, h, 1, s->reactions.bounded_total, again);
    const int done = rls_bounded_solve (s, &settings, v);
    rls_bounded_exchange (s);
    return done;
}

rls_bounded rls_bounded_at_beginning (const rls_island *s)
{
    const rls_bounded *b = &s->begin.bounded;
    rls_bounded problem = s->end.bounded;
    problem.J = b->J, problem.Y = b->Y, problem.parts = b->parts;
    return problem;
}

void rls_bounded_stay_near (const rls_bounded *b, rls_bounded *end, double *target, double sign)
{
    RLS_FOR_ROWS (b, j, r)
    {
        if (!rls_bounded_is_contact (b, j) || rls_bounded_is_soft (b, r)) continue;
        const double softness = sign * RLS_SETTLING * rls_bounded_mobility (b, j, r);
        end->softness[r] += softness;
        target[r] += softness * end->p[r];
    }
}

int rls_bounded_solve_apart (rls_island *s, const rls_bounded *problem, const rls_bounded_settings *asked,
                             double *bilateral, double (*v)[6])
{
    const rls_bounded bounded = s->begin.bounded;
    double *const target = s->begin.rows.target;

    const rls_account account = s->account;
    rls_bounded_settings settings = *asked;
    settings.iterations = APART_ITERATIONS, settings.scale = 1, settings.apart = settings.closed = 1;
    s->begin.bounded = *problem;
    s->begin.rows.target = bilateral;
    const int solved = rls_bounded_solve (s, &settings, v);
    s->begin.bounded = bounded;
    s->begin.rows.target = target;

    /* of the account only the iterations of this problem count */
    const int iterations = s->account.bounded_iterations;
    s->account = account;
    s->account.bounded_iterations += iterations;
    return solved;
}
