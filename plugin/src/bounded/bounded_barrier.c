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
 *
 * Contacts are treated eight at a time in bounded_contact.c, everything else here.
 */
#include "bounded_work.h"
#include "kernels/six.h"

enum
{
    LOW = 0,
    HIGH
};

static const double sign[2] = {1, -1};

/* ---- which bounds there are ---- */

/* True if row r has that bound. */
INLINE int has (const rls_interior *in, int r, int side)
{
    return in->kind[r] & (side == LOW ? RLS_ROW_LOW : RLS_ROW_HIGH);
}

INLINE int is_friction (const rls_interior *in, int r) { return in->kind[r] & RLS_ROW_FRICTION; }

/* RLS_ROW_* of row r. */
static int kind_of (const rls_bounded *b, int r, double diagonal)
{
    if (!(diagonal > 0)) return RLS_ROW_DEAD;
    if (b->follow[r] >= 0) return b->hi[r] > 0 ? RLS_ROW_LOW | RLS_ROW_HIGH | RLS_ROW_FRICTION : RLS_ROW_DEAD;
    if (!(b->lo[r] < b->hi[r])) return RLS_ROW_DEAD;
    return (b->lo[r] > -HUGE_VAL ? RLS_ROW_LOW : 0) | (b->hi[r] < HUGE_VAL ? RLS_ROW_HIGH : 0);
}

/* RLS_SHAPE_* of joint j. */
static int shape_of (const rls_island *island, const rls_interior *in, int j)
{
    const rls_bounded *b = &island->begin.bounded;
    const int r0 = b->row0[j], r1 = b->row0[j + 1];
    int contact = r1 - r0 == 3 && in->kind[r0] == RLS_ROW_LOW && b->lo[r0] == 0;
    for (int r = r0 + 1; r < r1; ++r) contact &= in->kind[r] & RLS_ROW_FRICTION && b->follow[r] == r0;
    return contact && rls_contact_is_wrench (island, j) ? RLS_SHAPE_CONTACT : RLS_SHAPE_ANY;
}

void rls_barrier_classify (const rls_island *island, struct rls_bounded_work *work)
{
    const rls_bounded *b = &island->begin.bounded;
    rls_interior *in = &work->interior;
    in->bounds = in->others = 0;
    for (int j = 0; j < b->joints; ++j)
    {
        const int r0 = b->row0[j], r1 = b->row0[j + 1];
        for (int r = r0; r < r1; ++r)
        {
            const double diagonal = work->diagonal[r];
            in->kind[r] = (unsigned char)kind_of (b, r, diagonal);
            in->scale[r] = in->kind[r] & RLS_ROW_DEAD ? 1 : diagonal;
            in->resistance[r] = fmax (b->softness[r], RLS_PROXIMAL * diagonal);
        }
        for (int r = r0; r < r1; ++r)
            in->bounds += !!(in->kind[r] & RLS_ROW_LOW) + !!(in->kind[r] & RLS_ROW_HIGH);
        in->shape[j] = (unsigned char)shape_of (island, in, j);
        if (in->shape[j] != RLS_SHAPE_CONTACT) in->other[in->others++] = j;
    }
    rls_contacts_list (island, in, &work->space);
}

/* ---- slacks ---- */

/* a p: the part of a bound's slack that depends on the impulses. */
INLINE double along (const rls_bounded *b, const rls_interior *in, int r, int side, const double *p)
{
    const double own = sign[side] * p[r];
    return is_friction (in, r) ? b->hi[r] * p[b->follow[r]] + own : own;
}

/* The slack of a bound at the present impulses (N s). */
INLINE double slack (const rls_bounded *b, const rls_interior *in, int r, int side)
{
    const double x = along (b, in, r, side, b->p);
    return is_friction (in, r) ? x : side == LOW ? x - b->lo[r] : x + b->hi[r];
}

void rls_centre (double x, double w, double D, double t, double *s, double *z)
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
    if (far) rls_centre (b->p[n], in->w[n], in->scale[n], t, &push, &ignored);
    for (int side = LOW; side <= HIGH; ++side)
    {
        if (!has (in, r, side)) continue;
        double x = slack (b, in, r, side);
        if (far) x += b->hi[r] * (push - b->p[n]);
        rls_centre (x, far ? 0 : sign[side] * in->w[r], in->scale[r], t, &in->bound[r][side].s,
                    &in->bound[r][side].z);
    }
}

void rls_barrier_centre (const rls_bounded *b, rls_interior *in, double t)
{
    in->t = t;
    rls_contacts_centre (in, t);
    for (int i = 0; i < in->others; ++i)
        for (int r = b->row0[in->other[i]]; r < b->row0[in->other[i] + 1]; ++r) centre_row (b, in, r, t);
}

/* ---- elimination ---- */

/* Eliminates the rows of joint j: forms the inverse of B as in->weight (its diagonal) and in->coupling
 * (friction with its normal), and adds the rows to K.  A unit impulse of the normal then acts along with the
 * friction that is at a bound. */
static void eliminate (const rls_bounded *b, rls_interior *in, rls_body_space *space, int j)
{
    for (int r = b->row0[j]; r < b->row0[j + 1]; ++r)
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

        /* the coupling: friction at a bound changes with the normal, whose direction of action gets its share
         */
        in->coupling[r] = 0;
        if (is_friction (in, r))
            in->coupling[r] = b->hi[r] * (in->bound[r][HIGH].ratio - in->bound[r][LOW].ratio) / pivot;
    }
    rls_newton_add (space, b, j, in->weight, in->coupling);
}

/* x = B^-1 x for the m rows from r0 on. */
INLINE void solve_local (const rls_bounded *b, const rls_interior *in, int r0, int m, double *x)
{
    for (int r = 0; r < m; ++r) x[r] *= in->weight[r0 + r];
    for (int f = 0; f < m; ++f)
        if (is_friction (in, r0 + f)) x[f] += in->coupling[r0 + f] * x[b->follow[r0 + f] - r0];
}

/* ---- a step ---- */

/* Finds the right-hand side of joint j for the step towards aim, and adds its force on the bodies. */
static void push (const rls_bounded *b, rls_interior *in, int j, const rls_aim *aim, double (*force)[6])
{
    const int r0 = b->row0[j], m = b->row0[j + 1] - r0;
    double x[RLS_MOST_LOCAL];
    for (int r = 0; r < m; ++r) x[r] = -in->w[r0 + r];

    /* the dual that each bound aims at; the second-order term is the product of the predictor's ds and dz */
    for (int r = r0; r < r0 + m; ++r)
        for (int side = LOW; side <= HIGH; ++side)
        {
            if (!has (in, r, side)) continue;
            rls_barrier *c = &in->bound[r][side];
            const double off = slack (b, in, r, side) - c->s;
            const double D = in->scale[r];
            if (aim->aim == RLS_AIM_STRAIGHT)
                c->aim = aim->t / D / c->s - c->ratio * off;
            else
            {
                const double change = along (b, in, r, side, in->dp);
                const double ds = change + off, dz = c->aim - c->ratio * change - c->z;
                c->aim = (aim->t / D - ds * dz) / c->s - c->ratio * off;
            }
            x[r - r0] += sign[side] * c->aim;
        }

    /* the impulses that would follow if the bodies' velocities stayed as they are */
    for (int r = 0; r < m; ++r) in->rhs[r0 + r] = x[r];
    solve_local (b, in, r0, m, x);

    /* their force on the bodies */
    double ignored[6];
    double *f1 = b->body1[j] >= 0 ? force[b->body1[j]] : ignored;
    double *f2 = b->body2[j] >= 0 ? force[b->body2[j]] : ignored;
    rls_six sum1 = rls_six_load (f1), sum2 = rls_six_load (f2);
    for (int r = 0; r < m; ++r)
    {
        const double q = b->p[r0 + r] + x[r];
        sum1 = rls_six_add (sum1, rls_six_load (b->J[r0 + r]), q);
        sum2 = rls_six_add (sum2, rls_six_load (b->J[r0 + r] + 6), q);
    }
    rls_six_store (f1, sum1);
    rls_six_store (f2, sum2);
}

/* Finds in->dp and in->dw of joint j from the bodies' dv, and adds its share to step. */
static void pull (const rls_bounded *b, rls_interior *in, int j, const double (*dv)[6], rls_step *step)
{
    const int r0 = b->row0[j], m = b->row0[j + 1] - r0;
    const rls_six zero = {{0, 0}, {0, 0}, {0, 0}};
    const rls_six v1 = b->body1[j] >= 0 ? rls_six_load (dv[b->body1[j]]) : zero;
    const rls_six v2 = b->body2[j] >= 0 ? rls_six_load (dv[b->body2[j]]) : zero;

    /* changes of the impulses and of the rows' velocities */
    double x[RLS_MOST_LOCAL], u[RLS_MOST_LOCAL];
    for (int r = 0; r < m; ++r)
    {
        u[r] =
            rls_six_dot (rls_six_load (b->J[r0 + r]), v1) + rls_six_dot (rls_six_load (b->J[r0 + r] + 6), v2);
        x[r] = in->rhs[r0 + r] - u[r];
    }
    solve_local (b, in, r0, m, x);
    for (int r = 0; r < m; ++r)
    {
        in->dp[r0 + r] = x[r];
        in->dw[r0 + r] = u[r] + b->softness[r0 + r] * x[r];
    }

    /* changes of slacks and duals: how far the step may go, and the barrier after it */
    double first = 0, second = 0; /* summed joint by joint, so that additions wait less for each other */
    for (int r = r0; r < r0 + m; ++r)
        for (int side = LOW; side <= HIGH; ++side)
        {
            if (!has (in, r, side)) continue;
            const rls_barrier *c = &in->bound[r][side];
            const double change = along (b, in, r, side, in->dp);
            const double ds = change + slack (b, in, r, side) - c->s;
            const double dz = c->aim - c->ratio * change - c->z;
            if (c->s + step->whole * ds < 0) step->whole = -c->s / ds;
            if (c->z + step->whole * dz < 0) step->whole = -c->z / dz;
            first += in->scale[r] * (c->s * dz + c->z * ds);
            second += in->scale[r] * ds * dz;
        }
    step->first += first;
    step->second += second;
}

/* Takes the fraction x of the step for joint j. */
static void take (rls_bounded *b, rls_interior *in, int j, double x)
{
    const int r0 = b->row0[j], m = b->row0[j + 1] - r0;
    for (int r = r0; r < r0 + m; ++r)
        for (int side = LOW; side <= HIGH; ++side)
        {
            if (!has (in, r, side)) continue;
            rls_barrier *c = &in->bound[r][side];
            const double change = along (b, in, r, side, in->dp);
            const double ds = change + slack (b, in, r, side) - c->s;
            c->z += x * (c->aim - c->ratio * change - c->z);
            c->s += x * ds;
        }
    for (int r = r0; r < r0 + m; ++r)
    {
        b->p[r] += x * in->dp[r];
        in->w[r] += x * in->dw[r];
    }
}

/* ---- the same for all joints ---- */

void rls_barrier_eliminate (const rls_bounded *b, rls_interior *in, rls_body_space *space)
{
    rls_contacts_eliminate (in, space);
    for (int i = 0; i < in->others; ++i) eliminate (b, in, space, in->other[i]);
}

void rls_barrier_push (const rls_bounded *b, rls_interior *in, const rls_aim *aim, double (*force)[6])
{
    rls_contacts_push (in, aim, force);
    for (int i = 0; i < in->others; ++i) push (b, in, in->other[i], aim, force);
}

rls_step rls_barrier_pull (const rls_bounded *b, rls_interior *in, const double (*dv)[6])
{
    rls_step step = {.whole = 1};
    rls_contacts_pull (in, dv, &step);
    for (int i = 0; i < in->others; ++i) pull (b, in, in->other[i], dv, &step);
    return step;
}

double rls_barrier_mean (const rls_interior *in, const rls_step *step, double x)
{
    return in->bounds > 0 ? in->t + x * (step->first + x * step->second) / in->bounds : 0;
}

void rls_barrier_take (rls_bounded *b, rls_interior *in, const rls_step *step, double x)
{
    in->t = rls_barrier_mean (in, step, x);
    rls_contacts_take (in, x);
    for (int i = 0; i < in->others; ++i) take (b, in, in->other[i], x);
}

/* ---- the answer ---- */

/* True if the impulse of row r belongs at that bound: its dual is larger than its slack. */
static int is_active (const rls_interior *in, int r, int side)
{
    return has (in, r, side) && in->bound[r][side].z > in->scale[r] * in->bound[r][side].s;
}

/* p = the impulses of joint j, those of active bounds exactly there.  The normal comes before its friction.
 */
static void round_joint (const rls_bounded *b, const rls_interior *in, int j, double *p)
{
    for (int r = b->row0[j]; r < b->row0[j + 1]; ++r)
    {
        const int friction = b->follow[r] >= 0;
        const double most = friction ? b->hi[r] * p[b->follow[r]] : b->hi[r],
                     least = friction ? -most : b->lo[r];
        p[r] = is_active (in, r, LOW) ? least : is_active (in, r, HIGH) ? most : b->p[r];
    }
}

void rls_barrier_round (const rls_bounded *b, const rls_interior *in, double *p)
{
    for (int i = 0; i < in->others; ++i) round_joint (b, in, in->other[i], p);
    rls_contacts_round (in, p);
    rls_bounded_clamp (b, p);
}
