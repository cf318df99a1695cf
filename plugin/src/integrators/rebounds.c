/* Dated rebounds, and the impulses of an impact; contract in rebounds.h. */
#include "rebounds.h"
#include "accelerate.h"
#include "bounded_halves.h"
#include "step_energy.h"

#define PASSES 16 /* at most, until rebounds gain no energy */

int rls_rebounds (const rls_bounded *b)
{
    for (int r = 0; r < b->rows; ++r)
        if (b->row[r].bounce > 0) return 1;
    return 0;
}

int rls_row_rebounds (const rls_bounded *b, int r)
{
    return b->row[r].bounce > 0 && rls_bounded_side (b, r) * b->leave[r] > 0;
}

void rls_date_rebound (rls_bounded *b, rls_bounded *end, int r, double h, double before, double after,
                       double borne)
{
    const double side = rls_bounded_side (b, r), gap = b->row[r].gap, v = side * before,
                 a = (side * after - v) * 2 / h;
    const double square = v * v - 2 * a * gap, room = fmax (gap, 0);
    const int hard = !rls_bounded_is_soft (b, r), ahead = gap + h * side * after >= 0;
    if (hard) end->target[r] -= side * room / h;
    if (!(b->row[r].bounce > 0) || v >= 0 || ahead || (square < 0 && gap > 0)) return;

    /* the parabola through gap and velocities; a contact deeper than one step or the parabola explains
     * rebounds now, from where it is */
    const int deep = square < 0 || -gap > RLS_MARGIN * h * -v;
    const double at = deep ? 0 : 2 * gap / (sqrt (square) - v), hit = -b->row[r].bounce * (v + a * at),
                 left = h - at;
    const double speed = hit + a * left, where = left * (hit + 0.5 * a * left);

    /* a contact that does not separate, alone or with one body supported, does not rebound */
    const double least = (side * borne - v) * 2 / h, slowed = hit + least * left;
    if (!(fmin (speed, slowed) > 0 && fmin (where, left * (hit + 0.5 * least * left)) > 0)) return;
    b->leave[r] = side * speed;
    end->target[r] = side * (where - (deep ? 0 : gap)) / h;
}

/* ---- the impact itself ---- */

/* Returns the energy (J) that an impact has added, without what moving surfaces may give; before: the kinetic
 * energy before it. */
static double energy_added (const rls_symplectic *w, const rls_island *s, const double (*v)[6],
                            double *before)
{
    const double (*inertia)[9] = s->model.inertia;
    const rls_bounded *b = &s->begin.bounded;
    double given = 0;
    for (int r = 0; r < b->rows; ++r) given += s->end.bounded.p[r] * b->row[r].rest;
    *before = rls_kinetic_energy (s, inertia, w->pose, w->kicked);
    return rls_kinetic_energy (s, inertia, w->pose, v) - *before - given;
}

/* Changes the problem of the impact to rebounds with a part of their speed. */
static void slow_down (const rls_symplectic *w, rls_island *s, double part)
{
    const rls_bounded *b = &s->begin.bounded;
    RLS_FOR_ROWS (b, j, r)
    {
        const double v = rls_bounded_velocity (b, j, r, w->kicked);
        const int approaches = b->lo[r] == 0 ? v < 0 : v > 0;
        if (b->row[r].bounce > 0 && approaches) s->end.bounded.target[r] = -part * b->row[r].bounce * v;
    }
}

/* Solves the problem of the impact for the velocities v after it.  again: 1 if its matrix is known; that of
 * the step is of other rows.  Returns 0 without memory. */
static int solve (const rls_symplectic *w, rls_island *s, int again, double (*v)[6])
{
    memcpy (v, w->kicked, sizeof (*v) * (size_t)s->model.bodies);
    const rls_bounded problem = rls_bounded_at_beginning (s);
    const rls_bounded_settings asked = {.tolerance = RLS_SOLVED, .again = again, .accuracy = RLS_ACCURATE};
    return rls_bounded_solve_apart (s, &problem, &asked, s->begin.rows.target, v);
}

int rls_solve_impact (const rls_symplectic *w, rls_island *s, double (*v)[6])
{
    double part = 1, before, low = 0, high = 1;
    if (!solve (w, s, 0, v)) return 0;
    double gain = energy_added (w, s, v, &before), low_gain = -before, high_gain = gain;
    if (!(gain > RLS_DEPENDENT * before) || rls_is_driven (s)) return 1;

    /* the part of the speed at which nothing is gained, by the Illinois method: the secant method between a
     * part with and one without gain, where an end that stays for a second time counts half */
    for (int i = 0; i < PASSES && !(gain <= 0 && gain > -RLS_SEEN * before); ++i)
    {
        part = low + (high - low) * low_gain / (low_gain - high_gain);
        slow_down (w, s, part);
        if (!solve (w, s, 1, v)) return 0;
        const double last = gain;
        gain = energy_added (w, s, v, &before);
        if (gain > 0)
            high = part, high_gain = gain, low_gain *= last > 0 ? 0.5 : 1;
        else
            low = part, low_gain = gain, high_gain *= last <= 0 ? 0.5 : 1;
    }
    if (gain <= 0) return 1;
    slow_down (w, s, low);
    return solve (w, s, 1, v);
}
