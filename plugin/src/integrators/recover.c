/* Depths taken back by a push of the positions; contract in recover.h. */
#include "recover.h"
#include "bounded/bounded.h"
#include "bounded_halves.h"
#include "island/rotation.h"
#include "project.h"
#include "symplectic_parts.h"
#include <math.h>
#include <string.h>

#define SLOP 0.1        /* of g h^2, of contacts: collision detection sees them late; */
#define STOP_SLOP 5e-10 /* rad or m, of stops: they are seen as long as they are passed */
#define GIVES_WAY 1e-3  /* softness of a pushed row, of what an impulse of 1 moves it by */
#define ITERATIONS 20
#define TOLERANCE 1e-2 /* of the largest push, */
#define MANY 64        /* rows, of which it is: the next step pushes again */
#define TOLERANCE_OF_MANY 0.1

static int pushes (const rls_bounded *b, int r)
{
    return b->follow[r] < 0 && (b->lo[r] == 0 || b->hi[r] == 0) && b->stiffness[r] + b->damping[r] == 0;
}

static double slop (const rls_island *s, double h)
{
    double g = 0;
    for (int b = 0; b < s->bodies; ++b) g = fmax (g, sqrt (rls_dot3 (s->gravity[b], s->gravity[b])));
    return SLOP * g * h * h;
}

/* What each row is to be moved by, into target; returns the largest of them. */
static double find_pushes (const rls_island *s, const rls_bounded *b, rls_bounded *end, double h)
{
    const double least = slop (s, h);
    double largest = 0;
    for (int j = 0; j < b->joints; ++j)
        for (int r = b->row0[j]; r < b->row0[j + 1]; ++r)
        {
            const double allowed = b->share[r] * (rls_bounded_is_contact (b, j) ? least : STOP_SLOP);
            const double push = pushes (b, r) ? fmax (0, fabs (b->push[r]) - allowed) : 0;
            end->target[r] = b->push[r] < 0 ? -push : push;
            largest = fmax (largest, push);
        }
    return largest;
}

static void form_problem (const rls_bounded *b, rls_bounded *end)
{
    for (int j = 0; j < b->joints; ++j)
        for (int r = b->row0[j]; r < b->row0[j + 1]; ++r)
        {
            double diagonal = 0;
            for (int k = 0; k < 12; ++k) diagonal += end->J[r][k] * end->Y[r][k];
            const int pushed = pushes (b, r);
            end->softness[r] = GIVES_WAY * diagonal;
            end->lo[r] = pushed ? b->lo[r] : 0;
            end->hi[r] = pushed ? b->hi[r] : 0;
            end->p[r] = 0;
        }
}

/* to := I from, with the inertia or its inverse (body axes) where the bodies are at the end. */
static void turn_by_inertia (const rls_island *s, const double (*tensor)[9], const double (*from)[6],
                             double (*to)[6])
{
    for (int b = 0; b < s->bodies; ++b)
    {
        double R[9], world[9], turned[3];
        if (!s->movable[b] || !s->gyroscopic[b]) continue;
        rls_quaternion_matrix (s->new_pose[b].q, R);
        rls_rotate_tensor (R, tensor[b], world);
        rls_multiply (world, from[b] + 3, turned);
        memcpy (to[b] + 3, turned, sizeof (turned));
    }
}

int rls_recover_depths (rls_symplectic *w, rls_island *s, double h)
{
    rls_bounded *end = &s->bounded_end;
    const double largest = find_pushes (s, &s->bounded, end, h);
    if (largest == 0) return 1;
    form_problem (&s->bounded, end);
    memset (w->x, 0, sizeof (double) * (size_t)w->rows);
    memset (w->du, 0, sizeof (*w->du) * (size_t)s->bodies);
    const rls_bounded_settings settings = {.iterations = ITERATIONS,
                                           .tolerance =
                                               (end->rows > MANY ? TOLERANCE_OF_MANY : TOLERANCE) * largest,
                                           .start = end->p,
                                           .apart = 1};
    double *const target = s->rows_now.target;
    s->rows_now.target = w->x;
    const double residual =
        s->bounded_residual; /* the report tells of the velocities' problem, not of this one */
    const int inexact = s->bounded_inexact, iterations = s->bounded_iterations;
    rls_bounded_exchange (s);
    const int solved = rls_bounded_solve (s, &settings, w->du);
    rls_bounded_exchange (s);
    s->bounded_residual = residual, s->bounded_inexact = inexact;
    s->bounded_iterations += iterations;
    s->rows_now.target = target;
    if (!solved) return 0;
    turn_by_inertia (s, (const double (*)[9])s->inertia, (const double (*)[6])s->new_v, w->best);
    for (int b = 0; b < s->bodies; ++b)
        if (s->movable[b]) rls_pose_displace (&s->new_pose[b], w->du[b]);
    const rls_projection projection = {w->tolerance, w->rank_tolerance};
    int done = s->rows.rows > 0 ? rls_project_positions (s, &projection) : 1;

    /* no push turns or moves anything, so angular momenta stay, and what the joints do to that is their
     * reaction */
    turn_by_inertia (s, (const double (*)[9])s->inverse_inertia, (const double (*)[6])w->best, s->new_v);
    if (s->rows.rows > 0 && done == 1)
    {
        memcpy (w->du, s->new_v, sizeof (*w->du) * (size_t)s->bodies);
        done = rls_project_velocities (s, &projection, s->new_v);
        if (done == 1)
            rls_symplectic_reactions (w, s, (const double (*)[6])w->du, (const double (*)[6])s->new_v);
    }
    memcpy (w->pose, s->new_pose, sizeof (*w->pose) * (size_t)s->bodies);
    w->consistent = 0;
    return done;
}
