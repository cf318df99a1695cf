/*
 * Slacks and duals of the bounded rows, joint by joint; bounded_interior.c has the equations.
 *
 * The slack of a bound is s = a p + constant, with a one entry for its row and, for friction, one for the
 * normal.  Let off = a p + constant - s be by how much the slack of the present impulses differs from s.
 * Newton's step is then  ds = a dp + off,  s dz + z ds = t / D - second - s z, or
 *
 *     z + dz = aim - ratio a dp     with  ratio = z / s,  aim = (t / D - second - z off) / s
 *
 * With this the rows of a joint, w + dw = sum of sign (z + dz), become  B dp = rhs - J dv.  The small matrix
 * B has resistance and ratios on its diagonal, and in each row of friction an entry for the normal, on which
 * its bounds depend.
 */
#include "bounded_work.h"

enum
{
    LOW = 0,
    HIGH
};

static const double sign[2] = {1, -1};

/* ---- which bounds there are ---- */

/* True if row r has that bound. */
RLS_INLINE int has (const rls_interior *in, int r, int side)
{
    return in->kind[r] & (side == LOW ? RLS_ROW_LOW : RLS_ROW_HIGH);
}

RLS_INLINE int is_friction (const rls_interior *in, int r) { return in->kind[r] & RLS_ROW_FRICTION; }

/* lever := from the centre of mass of body 2 of joint j to that of body 1; 0 if body 2 is the world. */
static void find_lever (const rls_island *island, int j, double lever[3])
{
    const int *body = island->begin.bounded.body[j];
    const double *x1 = island->state.pose[body[0]].x,
                 *x2 = island->state.pose[body[1] < 0 ? body[0] : body[1]].x;
    for (int k = 0; k < 3; ++k) lever[k] = x1[k] - x2[k];
}

/* RLS_ROW_* of row r. */
static int kind_of (const rls_bounded *b, int r, double diagonal)
{
    if (!(diagonal > 0)) return RLS_ROW_DEAD;
    if (b->follow[r] >= 0) return b->hi[r] > 0 ? RLS_ROW_LOW | RLS_ROW_HIGH | RLS_ROW_FRICTION : RLS_ROW_DEAD;
    if (!(b->lo[r] < b->hi[r])) return RLS_ROW_DEAD;
    return (b->lo[r] > -HUGE_VAL ? RLS_ROW_LOW : 0) | (b->hi[r] < HUGE_VAL ? RLS_ROW_HIGH : 0);
}

/* Returns 1 if the rows of joint j are wrenches, which act on body 2 with the opposite sign: moves the part
 * of body 1 to the centre of body 2 and compares it to the part of body 2.  Rows against the world always
 * are. */
static int is_wrench (const rls_island *island, int j)
{
    const rls_bounded *b = &island->begin.bounded;
    double lever[3];
    if (b->body[j][0] < 0) return 0;
    find_lever (island, j, lever);
    for (int r = b->row0[j]; r < b->row0[j + 1] && b->body[j][1] >= 0; ++r)
    {
        const double *J = b->J[r];
        double moved[3], size = 0, off = 0;
        rls_cross (lever, J, moved);
        for (int k = 0; k < 3; ++k)
        {
            size += fabs (J[k]) + fabs (J[3 + k]) + fabs (moved[k]);
            off += fabs (J[6 + k] + J[k]) + fabs (J[9 + k] + J[3 + k] + moved[k]);
        }
        if (!(off <= RLS_SEEN * size)) return 0;
    }
    return 1;
}

/* Returns 1 if joint j has a normal and two rows of friction with it, all of them wrenches, as most have in
 * large islands. */
static int is_contact (const rls_island *island, const rls_interior *in, int j)
{
    const rls_bounded *b = &island->begin.bounded;
    const int r0 = b->row0[j], r1 = b->row0[j + 1];
    int contact = r1 - r0 == 3 && in->kind[r0] == RLS_ROW_LOW;
    for (int r = r0 + 1; r < r1; ++r) contact &= in->kind[r] & RLS_ROW_FRICTION && b->follow[r] == r0;
    return contact && is_wrench (island, j);
}

void rls_barrier_classify (const rls_island *island, struct rls_bounded_work *work)
{
    const rls_bounded *b = &island->begin.bounded;
    rls_interior *in = &work->interior;
    in->bounds = 0;
    for (int j = 0; j < b->joints; ++j)
    {
        for (int r = b->row0[j]; r < b->row0[j + 1]; ++r)
        {
            const double diagonal = work->diagonal[r];
            in->kind[r] = (unsigned char)kind_of (b, r, diagonal);
            in->scale[r] = in->kind[r] & RLS_ROW_DEAD ? 1 : diagonal;
            in->resistance[r] = fmax (b->softness[r], RLS_PROXIMAL * diagonal);
            in->bounds += !!(in->kind[r] & RLS_ROW_LOW) + !!(in->kind[r] & RLS_ROW_HIGH);
        }
        in->contact[j] = (unsigned char)is_contact (island, in, j);
    }
}

/* ---- slacks ---- */

/* a p: the part of a bound's slack that depends on the impulses. */
RLS_INLINE double along (const rls_bounded *b, const rls_interior *in, int r, int side, const double *p)
{
    const double own = sign[side] * p[r];
    return is_friction (in, r) ? b->hi[r] * p[b->follow[r]] + own : own;
}

/* The slack of a bound at the present impulses (N s). */
RLS_INLINE double slack (const rls_bounded *b, const rls_interior *in, int r, int side)
{
    const double x = along (b, in, r, side, b->p);
    return is_friction (in, r) ? x : side == LOW ? x - b->lo[r] : x + b->hi[r];
}

/* Slack s and dual z with s z = t / D whose difference s - z / D is x - w / D: the central path of t. */
static void centre (double x, double w, double D, double t, double *s, double *z)
{
    const double square = t / (D * D), q = x - w / D;

    /* s - z / D = q and s z / D = square: the larger root by an addition, the other one from the product, so
     * that no digits are lost */
    const double large = 0.5 * (sqrt (q * q + 4 * square) + fabs (q)), small = square / large;
    *s = q > 0 ? large : small;
    *z = D * (q > 0 ? small : large);
}

/*
 * Slacks and duals of row r on the central path of t.
 *
 * Friction of a large coefficient begins as if it stuck: without the velocity, and with the slack that it has
 * beside the normal impulse of the central path.  Before a contact has pushed for the first time there is no
 * room between the bounds of its friction.  If its velocity then sent friction to one of them, Newton's step
 * would make it slide there.
 */
static void centre_row (const rls_bounded *b, rls_interior *in, int r, double t)
{
    const int n = b->follow[r], far = is_friction (in, r) && b->hi[r] > RLS_FAR_FRICTION;
    double push = 0, ignored;
    if (far) centre (b->p[n], in->w[n], in->scale[n], t, &push, &ignored);
    for (int side = LOW; side <= HIGH; ++side)
    {
        if (!has (in, r, side)) continue;
        double x = slack (b, in, r, side);
        if (far) x += b->hi[r] * (push - b->p[n]);
        centre (x, far ? 0 : sign[side] * in->w[r], in->scale[r], t, &in->bound[r][side].s,
                &in->bound[r][side].z);
    }
}

void rls_barrier_centre (const rls_bounded *b, rls_interior *in, double t)
{
    in->t = t;
    for (int r = 0; r < b->rows; ++r) centre_row (b, in, r, t);
}

/* ---- elimination ---- */

/* Eliminates row r: forms the inverse of B as in->weight (its diagonal) and in->coupling (friction with its
 * normal).  A unit impulse of the normal then acts along with the friction that is at a bound. */
static void eliminate_row (const rls_bounded *b, rls_interior *in, int r)
{
    /* the diagonal of B: the row's resistance and the ratios of its bounds */
    double pivot = in->resistance[r];
    for (int side = LOW; side <= HIGH; ++side)
    {
        if (!has (in, r, side)) continue;
        in->bound[r][side].ratio = in->bound[r][side].z / in->bound[r][side].s;
        pivot += in->bound[r][side].ratio;
    }
    in->weight[r] = in->kind[r] & RLS_ROW_DEAD ? 0 : 1 / pivot;

    /* the coupling: friction at a bound changes with the normal, whose direction of action gets its share */
    in->coupling[r] = 0;
    if (is_friction (in, r))
        in->coupling[r] = b->hi[r] * (in->bound[r][HIGH].ratio - in->bound[r][LOW].ratio) / pivot;
}

/* S += sum of weight g w' over the rows of a contact, which begin with row r: w is the part of body 1, and g
 * that of the normal contains the friction at a bound.  The last two lanes are not used by anybody. */
RLS_INLINE void add_contact (rls_block6 S, const rls_bounded *b, const rls_interior *in, int r)
{
    /* the directions of the impulses, times the weights */
    rls_eight g[3], friction;
    for (int k = 0; k < 3; ++k) rls_eight_load (g + k, b->J[r + k]);
    friction = g[1];
    rls_eight_scale (&friction, in->coupling[r + 1]);
    rls_eight_add (&friction, g + 2, in->coupling[r + 2]);
    for (int k = 0; k < 3; ++k) rls_eight_scale (g + k, in->weight[r + k]);
    rls_eight_add (g, &friction, in->weight[r]);

    for (int c = 0; c < 6; ++c)
    {
        rls_eight column;
        rls_eight_load (&column, S + RLS_PADDED * c);
        for (int k = 0; k < 3; ++k) rls_eight_add (&column, g + k, b->J[r + k][c]);
        rls_eight_store (S + RLS_PADDED * c, &column);
    }
}

/* Adds the rows to K, those of contacts of the same two bodies that follow each other together. */
RLS_VECTOR_CLONES static void add_rows (const rls_island *island, const rls_interior *in,
                                        rls_body_space *space)
{
    const rls_bounded *b = &island->begin.bounded;
    rls_block6 S __attribute__ ((aligned (64))) = {0};
    for (int j = 0; j < b->joints; ++j)
    {
        if (!in->contact[j])
        {
            rls_newton_add (space, b, j, in->weight, in->coupling);
            continue;
        }
        add_contact (S, b, in, b->row0[j]);
        const int goes_on = j + 1 < b->joints && in->contact[j + 1] && rls_same_bodies (b, j, j + 1);
        if (goes_on) continue;
        double lever[3];
        find_lever (island, j, lever);
        rls_body_space_add_wrenches (space, b->body[j], space->bounded_block[j], lever, S);
        memset (S, 0, sizeof (S));
    }
}

void rls_barrier_eliminate (const rls_island *island, rls_interior *in, rls_body_space *space)
{
    const rls_bounded *b = &island->begin.bounded;
    for (int r = 0; r < b->rows; ++r) eliminate_row (b, in, r);
    add_rows (island, in, space);
}

/* x = B^-1 x; normals come before their friction. */
static void solve_local (const rls_bounded *b, const rls_interior *in, double *x)
{
    for (int r = 0; r < b->rows; ++r)
    {
        x[r] *= in->weight[r];
        if (is_friction (in, r)) x[r] += in->coupling[r] * x[b->follow[r]];
    }
}

/* ---- a step ---- */

void rls_barrier_push (struct rls_bounded_work *work, const rls_bounded *b, double t, double (*force)[6])
{
    rls_interior *in = &work->interior;

    /* the dual that each bound aims at; the second-order term is the product of the predictor's ds and dz */
    for (int r = 0; r < b->rows; ++r)
    {
        double sum = -in->w[r];
        for (int side = LOW; side <= HIGH; ++side)
        {
            if (!has (in, r, side)) continue;
            rls_barrier *c = &in->bound[r][side];
            const double second = t > 0 ? c->ds * c->dz : 0;
            c->off = slack (b, in, r, side) - c->s;
            c->aim = (t / in->scale[r] - second) / c->s - c->ratio * c->off;
            sum += sign[side] * c->aim;
        }
        in->rhs[r] = in->dp[r] = sum;
    }

    /* the force on the bodies of the impulses that would follow if their velocities stayed as they are */
    solve_local (b, in, in->dp);
    rls_flat_add ((size_t)b->rows, 1, b->p, in->dp);
    rls_rows_force (&work->rows, in->dp, force);
}

rls_step rls_barrier_pull (struct rls_bounded_work *work, const rls_bounded *b, const double (*dv)[6])
{
    rls_interior *in = &work->interior;
    rls_step step = {.whole = 1};

    /* changes of the impulses and of the rows' velocities */
    rls_rows_velocity (&work->rows, dv, in->dw);
    rls_flat_blend ((size_t)b->rows, 1, in->rhs, -1, in->dw, in->dp);
    solve_local (b, in, in->dp);
    for (int r = 0; r < b->rows; ++r) in->dw[r] += b->softness[r] * in->dp[r];

    /* changes of slacks and duals: how far the step may go, and the barrier after it */
    for (int r = 0; r < b->rows; ++r)
        for (int side = LOW; side <= HIGH; ++side)
        {
            if (!has (in, r, side)) continue;
            rls_barrier *c = &in->bound[r][side];
            const double change = along (b, in, r, side, in->dp);
            c->ds = change + c->off;
            c->dz = c->aim - c->ratio * change - c->z;
            if (c->s + step.whole * c->ds < 0) step.whole = -c->s / c->ds;
            if (c->z + step.whole * c->dz < 0) step.whole = -c->z / c->dz;
            step.first += in->scale[r] * (c->s * c->dz + c->z * c->ds);
            step.second += in->scale[r] * c->ds * c->dz;
        }
    return step;
}

double rls_barrier_mean (const rls_interior *in, const rls_step *step, double x)
{
    return in->bounds > 0 ? in->t + x * (step->first + x * step->second) / in->bounds : 0;
}

void rls_barrier_take (rls_bounded *b, rls_interior *in, const rls_step *step, double x)
{
    in->t = rls_barrier_mean (in, step, x);
    for (int r = 0; r < b->rows; ++r)
        for (int side = LOW; side <= HIGH; ++side)
        {
            if (!has (in, r, side)) continue;
            in->bound[r][side].s += x * in->bound[r][side].ds;
            in->bound[r][side].z += x * in->bound[r][side].dz;
        }
    rls_flat_add ((size_t)b->rows, x, in->dp, b->p);
    rls_flat_add ((size_t)b->rows, x, in->dw, in->w);
}

/* ---- the answer ---- */

/* True if the impulse of row r belongs at that bound: its dual is larger than its slack. */
static int is_active (const rls_interior *in, int r, int side)
{
    return has (in, r, side) && in->bound[r][side].z > in->scale[r] * in->bound[r][side].s;
}

void rls_barrier_round (const rls_bounded *b, const rls_interior *in, double *p)
{
    for (int r = 0; r < b->rows; ++r) /* the normal comes before its friction */
    {
        const int friction = b->follow[r] >= 0;
        const double most = friction ? b->hi[r] * p[b->follow[r]] : b->hi[r],
                     least = friction ? -most : b->lo[r];
        p[r] = is_active (in, r, LOW) ? least : is_active (in, r, HIGH) ? most : b->p[r];
    }
    rls_bounded_clamp (b, p);
}
