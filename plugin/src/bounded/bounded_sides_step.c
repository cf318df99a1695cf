/*
 * Rows by their sides: the matrix and one step.
 *
 * With the centre x, its velocities v and w, a change dv of the velocities and R = max (softness, term D),
 *
 *     free rows        p = x - (w + J_look dv) / R
 *     rows at bounds   p = lo or hi;  of friction -mu or mu times the p of its normal
 *     all              M dv = J' (p - x) + H' dlambda,   bilateral rows as free ones
 *
 * which leaves  (M + sum over free rows G' J_look / R) dv = force,  G being J with the friction that slides
 * added to its normal's row.
 */
#include "bounded_work.h"
#include "island/rotation.h"
#include "tolerances.h"
#include <math.h>
#include <string.h>

static double resistance (const rls_sides *s, int r)
{
    return fmax (s->act.softness[r], s->term * s->diagonal[r]);
}

/* K += the bilateral rows. */
static void add_bilateral (rls_body_space *space, const rls_sides *s)
{
    const rls_rows *rows = s->problem.rows;
    for (int j = 0; j < rows->joints; ++j)
    {
        rls_row act_room[RLS_MAX_ROWS], look_room[RLS_MAX_ROWS];
        const double *J[RLS_MAX_ROWS], *G[RLS_MAX_ROWS];
        const int r0 = rows->row0[j], m = rows->row0[j + 1] - r0, same = s->h_look == rows;
        const rls_row *act = rls_joint_rows (rows, j, act_room);
        const rls_row *see = same ? act : rls_joint_rows (s->h_look, j, look_room);
        for (int r = 0; r < m; ++r) J[r] = see[r], G[r] = act[r];
        rls_body_space_add (space, rows->body1[j], rows->body2[j], space->bilateral_block[j], m, J,
                            same ? J : G, s->h_weight + r0);
    }
}

/* D of the bilateral rows into h_weight: row by row, as they look and as they act. */
static void form_bilateral_diagonal (rls_sides *s)
{
    const rls_rows *rows = s->problem.rows;
    for (int j = 0; j < rows->joints; ++j)
    {
        rls_row room[RLS_MAX_ROWS];
        const rls_row *J = rls_joint_rows (rows, j, room);
        for (int r = rows->row0[j]; r < rows->row0[j + 1]; ++r)
        {
            double sum = rows->sigma2[r];
            for (int side = 0; side < 2; ++side)
            {
                const int b = side ? rows->body2[j] : rows->body1[j];
                if (b < 0 || !rows->movable[b]) continue;
                const double *x = J[r - rows->row0[j]] + 6 * side;
                double turned[3];
                rls_multiply (rows->W[b], x + 3, turned);
                sum += (x[0] * x[0] + x[1] * x[1] + x[2] * x[2]) / rows->mass[b] + x[3] * turned[0] +
                       x[4] * turned[1] + x[5] * turned[2];
            }
            s->h_weight[r] = sum;
        }
    }
}

void rls_sides_weigh_bilateral (struct rls_bounded_work *work)
{
    rls_sides *s = &work->sides;
    const rls_sides_problem *problem = &s->problem;
    rls_bounded_form_diagonal (&s->act, s->diagonal);
    if (problem->bounded_look)
    {
        rls_bounded_form_diagonal (&s->look, s->z);
        for (int r = 0; r < s->rows; ++r) s->diagonal[r] = fmax (s->z[r], RLS_SMALL_PART * s->diagonal[r]);
    }
    form_bilateral_diagonal (s);
    for (int r = 0; r < s->bilateral_rows; ++r)
        s->h_weight[r] = problem->decision[r] == RLS_REDUNDANT || !(s->h_weight[r] > 0)
                             ? 0
                             : 1 / fmax (problem->rows->sigma2[r], RLS_PROXIMAL * s->h_weight[r]);
}

/* K = M and the bilateral rows, once for the problem. */
static void form_base (const rls_island *island, struct rls_bounded_work *work)
{
    rls_sides *s = &work->sides;
    rls_body_space_reset (&work->space, island, s->problem.pose);
    if (!s->problem.rows_look) add_bilateral (&work->space, s);
    rls_body_space_keep (&work->space);
    s->based = 1;
}

/* Weights and couplings of the sides.  Returns 1 if K is not symmetric. */
static int weigh (rls_sides *s)
{
    const rls_bounded *b = &s->act;
    int lopsided = s->problem.rows_look || s->problem.bounded_look;
    for (int r = 0; r < s->rows; ++r)
    {
        const int n = b->follow[r], at_bound = s->side[r] == RLS_SIDE_LOW || s->side[r] == RLS_SIDE_HIGH;
        s->weight[r] = s->side[r] == RLS_SIDE_FREE ? 1 / resistance (s, r) : 0;
        const int slides = at_bound && n >= 0 && s->weight[n] > 0;
        s->coupling[r] = !slides ? 0 : s->side[r] == RLS_SIDE_HIGH ? b->hi[r] : -b->hi[r];
        lopsided |= slides;
    }
    return lopsided;
}

/* A joint's rows; an impulse of the normal takes along the friction that slides. */
static void add_joint (rls_body_space *space, const rls_sides *s, int j)
{
    const rls_bounded *b = &s->act;
    const int r0 = b->row0[j], m = b->row0[j + 1] - r0;
    const double *J[RLS_MOST_LOCAL], *G[RLS_MOST_LOCAL];
    double changed[RLS_MOST_LOCAL][12];
    int uneven = s->look.J != b->J, moved[RLS_MOST_LOCAL] = {0};
    for (int r = 0; r < m; ++r) J[r] = s->look.J[r0 + r], G[r] = b->J[r0 + r];
    for (int f = 0; f < m; ++f)
    {
        if (s->coupling[r0 + f] == 0) continue;
        const int n = b->follow[r0 + f] - r0;
        if (!moved[n]) memcpy (changed[n], G[n], sizeof (changed[n]));
        for (int k = 0; k < 12; ++k) changed[n][k] += s->coupling[r0 + f] * b->J[r0 + f][k];
        G[n] = changed[n];
        moved[n] = uneven = 1;
    }
    rls_body_space_add (space, b->body1[j], b->body2[j], space->bounded_block[j], m, J, uneven ? G : J,
                        s->weight + r0);
}

void rls_sides_factor (const rls_island *island, struct rls_bounded_work *work)
{
    rls_sides *s = &work->sides;
    rls_body_space *space = &work->space;
    if (!s->based) form_base (island, work);
    rls_body_space_restore (space, weigh (s));
    if (s->problem.rows_look) add_bilateral (space, s);
    for (int j = 0; j < s->act.joints; ++j) add_joint (space, s, j);
    rls_body_space_factor (space);
    ++work->factorisations;
    s->factor = space->versions;
    s->fresh = 1;
    s->factored_term = s->term;
    memcpy (s->factored, s->side, (size_t)s->rows);
}

/* The impulse of a row at its bound, if that is one of its own. */
static double bound (const rls_sides *s, int r)
{
    if (s->side[r] == RLS_SIDE_NONE || s->act.follow[r] >= 0)
        return s->act.follow[r] < 0 && !(s->diagonal[r] > 0) ? s->centre[r] : 0;
    return s->side[r] == RLS_SIDE_HIGH ? s->act.hi[r] : s->act.lo[r];
}

void rls_sides_step (struct rls_bounded_work *work)
{
    rls_sides *s = &work->sides;
    double *u = s->p;
    weigh (s);
    memset (s->dv, 0, sizeof (*s->dv) * (size_t)s->bodies);

    /* q: the impulses if velocities stayed as they are at the centre */
    for (int r = 0; r < s->rows; ++r)
        s->q[r] = s->side[r] == RLS_SIDE_FREE ? s->centre[r] - s->weight[r] * s->w[r] : bound (s, r);
    for (int r = 0; r < s->rows; ++r)
        if (s->coupling[r] != 0) s->q[r] = s->coupling[r] * s->q[s->act.follow[r]];
    for (int r = 0; r < s->rows; ++r) s->z[r] = s->q[r] - s->centre[r];
    for (int r = 0; r < s->bilateral_rows; ++r) s->h_next[r] = -s->h_weight[r] * s->h_w[r];
    rls_rows_force (&s->act_rows, s->z, s->dv);
    rls_rows_force (s->problem.rows, s->h_next, s->dv);
    rls_body_space_solve (&work->space, s->dv);

    rls_rows_velocity (&s->look_rows, (const double (*)[6])s->dv, u);
    for (int r = 0; r < s->rows; ++r)
    {
        /* where the row would go if it were free */
        s->z[r] = s->diagonal[r] > 0 ? s->centre[r] - (s->w[r] + u[r]) / resistance (s, r) : s->centre[r];
        s->p[r] = s->side[r] == RLS_SIDE_FREE ? s->z[r] : s->q[r];
    }
    for (int r = 0; r < s->rows; ++r)
        if (s->coupling[r] != 0) s->p[r] = s->coupling[r] * s->p[s->act.follow[r]];
    rls_rows_velocity (s->h_look, (const double (*)[6])s->dv, s->h_p);
    for (int r = 0; r < s->bilateral_rows; ++r)
        s->h_p[r] = s->h_centre[r] + s->h_next[r] - s->h_weight[r] * s->h_p[r];
}
