/*
 * Measures of a bounded problem: inverse effective masses, velocities along the rows, and the residual that
 * judges an iterate.
 *
 * The residual is the natural map of the complementarity problem, |D p - clamp (D p - w)| with the bounds
 * times D, where w = J v + softness p - target: zero where a row holds, and a velocity otherwise (m/s).
 */
#include "bounded_work.h"
#include "kernels/six.h"

/* The velocities of a joint's two bodies; that of the world is zero. */
typedef struct
{
    rls_six v1, v2;
} two_bodies;

static inline two_bodies load_bodies (const rls_bounded *b, int j, const double (*v)[6])
{
    const rls_six zero = {{0, 0}, {0, 0}, {0, 0}};
    const int *body = b->body[j];
    return (two_bodies){body[0] >= 0 ? rls_six_load (v[body[0]]) : zero,
                        body[1] >= 0 ? rls_six_load (v[body[1]]) : zero};
}

static inline double velocity (const double *J, const two_bodies *x)
{
    return rls_six_dot (rls_six_load (J), x->v1) + rls_six_dot (rls_six_load (J + 6), x->v2);
}

/* The velocity along row r that a unit impulse along it gives to its two bodies (1/kg). */
RLS_INLINE double mobility (const rls_bounded *b, int r)
{
    const two_bodies Y = {rls_six_load (b->Y[r]), rls_six_load (b->Y[r] + 6)};
    return velocity (b->J[r], &Y);
}

void rls_bounded_form_diagonal (const rls_bounded *b, double *diagonal)
{
    if (b->parts.count > 0)
        RLS_FOR_ROWS (b, j, r) diagonal[r] = rls_bounded_mobility (b, j, r);
    for (int r = 0; r < b->rows; ++r)
    {
        if (b->parts.count == 0) diagonal[r] = mobility (b, r);
        if (diagonal[r] > 0) diagonal[r] += b->softness[r];
    }
}

void rls_bounded_velocities (const struct rls_bounded_work *work, const rls_bounded *b, const double (*v)[6],
                             double *out)
{
    rls_rows_velocity (&work->rows, v, out);
    rls_parts_look (&b->parts, v, out);
}

void rls_bounded_clamp (const rls_bounded *b, double *p)
{
    for (int r = 0; r < b->rows; ++r)
    {
        double lo, hi;
        rls_row_bounds (b, p, r, &lo, &hi);
        p[r] = rls_clamp (p[r], lo, hi);
    }
}

/* The part of a soft row's error off (m/s) by which its bodies would move; its softness takes the rest. */
RLS_INLINE double moved (const rls_bounded *b, double D, int r, double off)
{
    if (b->parts.count > 0) return off / D * (D - b->softness[r]);
    return b->softness[r] > 0 ? off / D * mobility (b, r) : off;
}

/* Adds row r with the velocity v to the residual and to the sum of squares.  Returns its own residual. */
RLS_INLINE double measure_row (const rls_bounded *b, const double *diagonal, const double *p, int r, double v,
                               rls_bounded_residual *worst, double *squares)
{
    const double D = diagonal[r];
    double lo, hi;
    if (!(D > 0)) return 0;
    rls_row_bounds (b, p, r, &lo, &hi);
    const double w = v + b->softness[r] * p[r] - b->target[r];
    const double off = fabs (D * p[r] - rls_clamp (D * p[r] - w, D * lo, D * hi));
    const double motion = moved (b, D, r, off);
    /* what is not a number counts as worst */
    worst->velocity = rls_larger (worst->velocity, motion);
    if (!(off <= worst->impulse * D)) worst->impulse = off / D;
    worst->largest = rls_larger (worst->largest, fabs (p[r]));
    *squares += motion * motion;
    return motion;
}

/* Returns 1 for a row without an impulse that its bounds allow none: it is right whatever its velocity is. */
RLS_INLINE int has_no_impulse (const rls_bounded *b, const double *p, int r)
{
    const int n = b->follow[r];
    return p[r] == 0 && (n >= 0 ? b->hi[r] * p[n] == 0 : b->lo[r] == 0 && b->hi[r] == 0);
}

RLS_VECTOR_CLONES rls_bounded_residual rls_bounded_measure (const rls_bounded *b, const double *diagonal,
                                                            const double *p, const double (*v)[6])
{
    rls_bounded_residual worst = {0};
    const int many = b->rows > RLS_SMALL_ISLAND;
    double squares = 0;
    for (int j = 0; j < b->joints; ++j)
    {
        const two_bodies x = load_bodies (b, j, v);
        const double others = b->parts.count > 0 ? rls_parts_velocity (&b->parts, b->row0[j], v) : 0;
        for (int r = b->row0[j]; r < b->row0[j + 1]; ++r)
        {
            if (has_no_impulse (b, p, r)) continue;
            const double off =
                measure_row (b, diagonal, p, r, velocity (b->J[r], &x) + others, &worst, &squares);
            if (many && rls_bounded_is_drive (b, j, r)) worst.drives = rls_larger (worst.drives, off);
        }
    }
    worst.mean = b->rows > 0 ? sqrt (squares / b->rows) : 0;
    return worst;
}

rls_bounded_residual rls_bounded_measure_rows (const rls_bounded *b, const double *diagonal, const double *p,
                                               const double *velocity_of)
{
    rls_bounded_residual worst = {0};
    double squares = 0;
    for (int r = 0; r < b->rows; ++r) measure_row (b, diagonal, p, r, velocity_of[r], &worst, &squares);
    worst.mean = b->rows > 0 ? sqrt (squares / b->rows) : 0;
    return worst;
}

void rls_bounded_closed_push (const rls_island *island, int j, int r, double *x, double (*v)[6])
{
    memset (v, 0, sizeof (*v) * (size_t)island->model.bodies);
    rls_bounded_push_row (&island->begin.bounded, j, r, 1, v);
    rls_enforce (&island->begin.factor, &island->begin.rows, NULL, x, v);
}

/* The largest component of the acceleration that the force on a body gives to it (m/s^2). */
static double acceleration (const rls_island *island, int b)
{
    double largest = 0;
    for (int k = 0; k < 3 && island->model.movable[b]; ++k)
        largest = rls_larger (largest, fabs (island->applied.force[b][k]) / island->model.mass[b]);
    return largest;
}

double rls_bounded_kick (const rls_island *island, double h)
{
    double largest = 0;
    for (int b = 0; b < island->model.bodies; ++b) largest = rls_larger (largest, acceleration (island, b));
    return h * largest;
}

double rls_bounded_least_kick (const rls_island *island, double h)
{
    double least = HUGE_VAL;
    for (int b = 0; b < island->model.bodies; ++b)
        if (acceleration (island, b) > 0) least = fmin (least, acceleration (island, b));
    return h * least;
}

double rls_bounded_fastest_row (const rls_island *island)
{
    const struct rls_bounded_work *w = island->bounded_work;
    double fastest = 0;
    rls_bounded_velocities (w, &island->begin.bounded, island->state.v, w->trial_p);
    for (int r = 0; r < w->rows.rows; ++r) fastest = fmax (fastest, fabs (w->trial_p[r]));
    return fastest;
}

/* The sum of |J[k] v[k]| over the two bodies of a row or part (m/s): what its rounding errors go with. */
static double size_of_terms (const double *J, const int body[2], const double (*v)[6])
{
    double sum = 0;
    for (int k = 0; k < 6 && body[0] >= 0; ++k) sum += fabs (J[k] * v[body[0]][k]);
    for (int k = 0; k < 6 && body[1] >= 0; ++k) sum += fabs (J[6 + k] * v[body[1]][k]);
    return sum;
}

double rls_bounded_rounding (const rls_island *island, double kick)
{
    const rls_bounded *b = &island->begin.bounded;
    const double (*v)[6] = island->bounded_work->start;
    double largest = 0;
    RLS_FOR_ROWS (b, j, r) largest = rls_larger (largest, size_of_terms (b->J[r], b->body[j], v));
    for (int p = 0; p < b->parts.count; ++p)
        largest = fmax (largest, size_of_terms (b->parts.J[p], b->parts.of[p].body, v));
    return fmax (RLS_ROUNDING * largest, RLS_SAME * kick);
}
