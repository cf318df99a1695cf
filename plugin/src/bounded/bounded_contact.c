/*
 * The interior-point method for contacts, eight at a time.  The equations are those of bounded_barrier.c, and
 * each function here is the share of contacts in the function of that name there.
 */
#include "bounded_work.h"

#define LANES 8
#define SIGN(bound) ((bound) % 2 == 0 ? 1.0 : -1.0)

typedef long long mask8 __attribute__ ((vector_size (64)));

/* All bits set in lanes of negative numbers.  A macro, because vectors wider than the machine's registers
 * cannot be passed by value; by bits, because compilers split a comparison of wide vectors into single ones.
 */
#define SIGN_BITS(a) ((mask8)(a) >> 63)

/* ---- listing them ---- */

/* Lists the joints of shape RLS_SHAPE_CONTACT, and their runs.  The arrays have room for all joints. */
void rls_contacts_list (const rls_island *island, rls_interior *in, const rls_body_space *space)
{
    const rls_bounded *b = &island->begin.bounded;
    rls_contacts *c = &in->contact;
    c->contacts = c->runs = 0;
    for (int j = 0; j < b->joints; ++j)
    {
        if (in->shape[j] != RLS_SHAPE_CONTACT) continue;
        rls_run *run = c->runs > 0 ? &c->run[c->runs - 1] : NULL;
        if (!run || run->body1 != b->body1[j] || run->body2 != b->body2[j])
        {
            run = &c->run[c->runs++];
            *run =
                (rls_run){b->body1[j], b->body2[j], space->bounded_block[j], c->contacts, c->contacts, {0}};
            for (int k = 0; k < 3 && run->body2 >= 0; ++k)
                run->lever[k] = island->state.pose[run->body1].x[k] - island->state.pose[run->body2].x[k];
        }
        c->row[c->contacts++] = b->row0[j];
        ++run->last;
    }
    c->groups = (c->contacts + LANES - 1) / LANES;
}

/* Moves the part of body 1 to the centre of body 2 and compares it, with the opposite sign, to the part of
 * body
 * 2.  Rows against the world always are wrenches. */
int rls_contact_is_wrench (const rls_island *island, int j)
{
    const rls_bounded *b = &island->begin.bounded;
    const int body1 = b->body1[j], body2 = b->body2[j];
    if (body1 < 0) return 0;
    if (body2 < 0) return 1;
    const double *x1 = island->state.pose[body1].x, *x2 = island->state.pose[body2].x;
    const double d[3] = {x1[0] - x2[0], x1[1] - x2[1], x1[2] - x2[2]};
    for (int r = b->row0[j]; r < b->row0[j + 1]; ++r)
    {
        const double *J = b->J[r];
        const double moved[3] = {d[1] * J[2] - d[2] * J[1], d[2] * J[0] - d[0] * J[2],
                                 d[0] * J[1] - d[1] * J[0]};
        double size = 0, off = 0;
        for (int k = 0; k < 3; ++k)
        {
            size += fabs (J[k]) + fabs (J[3 + k]) + fabs (moved[k]);
            off += fabs (J[6 + k] + J[k]) + fabs (J[9 + k] + J[3 + k] + moved[k]);
        }
        if (!(off <= RLS_SEEN * size)) return 0;
    }
    return 1;
}

/* Copies the contact whose normal is that row into lane i. */
static void set_lane (rls_contact8 *g, int i, const rls_bounded *b, const rls_interior *in, int row)
{
    for (int k = 0; k < 3; ++k)
    {
        g->p[k][i] = b->p[row + k];
        g->w[k][i] = in->w[row + k];
        g->softness[k][i] = b->softness[row + k];
        g->resistance[k][i] = in->resistance[row + k];
    }
    for (int f = 0; f < 2; ++f) g->mu[f][i] = b->hi[row + 1 + f];
    for (int f = 0; f < 3; ++f) g->scale[f][i] = g->measure[f][i] = in->scale[row + (f + 1) % 3];
}

/* Fills a lane without a contact with numbers that give no infinities and count for nothing. */
static void set_empty_lane (rls_contact8 *g, int i)
{
    for (int k = 0; k < 3; ++k) g->p[k][i] = g->w[k][i] = g->softness[k][i] = 0, g->resistance[k][i] = 1;
    for (int f = 0; f < 2; ++f) g->mu[f][i] = 1;
    for (int f = 0; f < 3; ++f) g->scale[f][i] = 1, g->measure[f][i] = 0;
}

void rls_contacts_start (const rls_bounded *b, rls_interior *in)
{
    rls_contacts *c = &in->contact;
    memset (c->group, 0, sizeof (*c->group) * (size_t)c->groups);
    for (int i = 0; i < c->groups * LANES; ++i)
    {
        rls_contact8 *g = &c->group[i / LANES];
        const int lane = i % LANES;
        if (i < c->contacts)
            set_lane (g, lane, b, in, c->row[i]);
        else
            set_empty_lane (g, lane);
        for (int k = 0; k < 3 && i < c->contacts; ++k)
        {
            const double *J = b->J[c->row[i] + k];
            memcpy (c->side[i][k], J, sizeof (double[6]));
            c->side[i][k][6] = c->side[i][k][7] = 0;
            for (int n = 0; n < 6; ++n) g->side[k][n][lane] = J[n];
        }
    }
}

void rls_contacts_centre (rls_interior *in, double t)
{
    for (int i = 0; i < in->contact.groups * LANES; ++i)
    {
        rls_contact8 *g = &in->contact.group[i / LANES];
        const int lane = i % LANES;
        double push, ignored;
        rls_centre (g->p[0][lane], g->w[0][lane], g->scale[2][lane], t, &push, &ignored);
        for (int bound = 0; bound < RLS_CONTACT_BOUNDS; ++bound)
        {
            const int f = bound / 2, row = (f + 1) % 3;
            const int far = bound != RLS_PUSH && g->mu[f][lane] > RLS_FAR_FRICTION;
            double slack = SIGN (bound) * g->p[row][lane], s, z;
            if (bound != RLS_PUSH) slack += g->mu[f][lane] * (far ? push : g->p[0][lane]);
            rls_centre (slack, far ? 0 : SIGN (bound) * g->w[row][lane], g->scale[f][lane], t, &s, &z);
            g->s[bound][lane] = s;
            g->z[bound][lane] = z;
        }
    }
}

/* ---- elimination ---- */

/* The inverse of B of eight contacts: weights and couplings. */
INLINE void eliminate_group (rls_contact8 *g)
{
    for (int f = 0; f < 2; ++f)
    {
        const rls_eight low = g->ratio[2 * f] = g->z[2 * f] / g->s[2 * f];
        const rls_eight high = g->ratio[2 * f + 1] = g->z[2 * f + 1] / g->s[2 * f + 1];
        g->weight[1 + f] = 1 / (g->resistance[1 + f] + (low + high));
        g->coupling[f] = g->mu[f] * (low - high) * g->weight[1 + f];
    }
    g->ratio[RLS_PUSH] = g->z[RLS_PUSH] / g->s[RLS_PUSH];
    g->weight[0] = 1 / (g->resistance[0] + g->ratio[RLS_PUSH]);
}

/* S += sum of weight g w' over the rows of contact i; g of the normal contains the friction at a bound. */
INLINE void add_contact (rls_eight *S, const double (*side)[RLS_PADDED], const rls_contact8 *g, int i)
{
    rls_eight u[3] = {RLS_CONST_EIGHT (side[0]), RLS_CONST_EIGHT (side[1]), RLS_CONST_EIGHT (side[2])};
    double v[3][RLS_PADDED] __attribute__ ((aligned (64)));
    for (int k = 0; k < 3; ++k) RLS_EIGHT (v[k]) = u[k] * g->weight[k][i];
    u[0] -= u[1] * g->coupling[0][i] + u[2] * g->coupling[1][i];
    for (int c = 0; c < 6; ++c) S[c] += u[0] * v[0][c] + u[1] * v[1][c] + u[2] * v[2][c];
}

RLS_WIDE void rls_contacts_eliminate (rls_interior *in, rls_body_space *space)
{
    rls_contacts *c = &in->contact;
    for (int g = 0; g < c->groups; ++g) eliminate_group (&c->group[g]);
    for (int r = 0; r < c->runs; ++r)
    {
        const rls_run *run = &c->run[r];
        rls_eight S[6] = {{0}};
        for (int i = run->first; i < run->last; ++i)
            add_contact (S, (const double (*)[RLS_PADDED])c->side[i], &c->group[i / LANES], i % LANES);
        rls_body_space_add_wrenches (space, run->body1, run->body2, run->block, run->lever, S);
    }
}

/* ---- a step ---- */

/* a x: the part of a bound's slack that depends on the impulses x. */
#define ALONG(g, bound, x)                                                                                   \
    ((bound) == RLS_PUSH ? (x)[0]                                                                            \
                         : (g)->mu[(bound) / 2 % 2] * (x)[0] + SIGN (bound) * (x)[1 + (bound) / 2 % 2])

/* x = B^-1 x */
#define SOLVE_LOCAL(g, x)                                                                                    \
    do {                                                                                                     \
        for (int k_ = 0; k_ < 3; ++k_) (x)[k_] *= (g)->weight[k_];                                           \
        for (int f_ = 0; f_ < 2; ++f_) (x)[1 + f_] -= (g)->coupling[f_] * (x)[0];                            \
    } while (0)

/* The duals that the bounds of eight contacts aim at, and the impulses q that would follow. */
INLINE void aim_group (rls_contact8 *g, int aim, double t)
{
    for (int bound = 0; bound < RLS_CONTACT_BOUNDS; ++bound)
    {
        const rls_eight off = ALONG (g, bound, g->p) - g->s[bound];
        const rls_eight change = ALONG (g, bound, g->dp), s = g->s[bound], z = g->z[bound];
        const rls_eight ds = change + off, dz = g->aim[bound] - g->ratio[bound] * change - z;
        const rls_eight D = g->scale[bound / 2];
        if (aim == RLS_AIM_SECOND)
            g->aim[bound] = (t / D - ds * dz) / s - g->ratio[bound] * off;
        else
            g->aim[bound] = t / D / s - g->ratio[bound] * off;
    }
    rls_eight x[3] = {g->aim[RLS_PUSH] - g->w[0], g->aim[0] - g->aim[1] - g->w[1],
                      g->aim[2] - g->aim[3] - g->w[2]};
    for (int k = 0; k < 3; ++k) g->rhs[k] = x[k];
    SOLVE_LOCAL (g, x);
    for (int k = 0; k < 3; ++k) g->q[k] = g->p[k] + x[k];
}

/* Adds the force of the impulses q to the bodies. */
INLINE void push_runs (const rls_contacts *c, double (*force)[6])
{
    for (int r = 0; r < c->runs; ++r)
    {
        const rls_run *run = &c->run[r];
        rls_eight sum = {0};
        for (int i = run->first; i < run->last; ++i)
            for (int k = 0; k < 3; ++k)
                sum += RLS_CONST_EIGHT (c->side[i][k]) * c->group[i / LANES].q[k][i % LANES];
        double f[RLS_PADDED] __attribute__ ((aligned (64)));
        RLS_EIGHT (f) = sum;
        double *f1 = force[run->body1];
        for (int k = 0; k < 6; ++k) f1[k] += f[k];
        if (run->body2 < 0) continue;
        double *f2 = force[run->body2];
        const double *d = run->lever;
        for (int k = 0; k < 6; ++k) f2[k] -= f[k];
        f2[3] -= d[1] * f[2] - d[2] * f[1];
        f2[4] -= d[2] * f[0] - d[0] * f[2];
        f2[5] -= d[0] * f[1] - d[1] * f[0];
    }
}

/* aim is a constant in each call, so that it is compiled separately for predictor and corrector. */
INLINE void push_all (rls_contacts *c, int aim, double t, double (*force)[6])
{
    for (int g = 0; g < c->groups; ++g) aim_group (&c->group[g], aim, t);
    push_runs (c, force);
}

RLS_WIDE void rls_contacts_push (rls_interior *in, const rls_aim *aim, double (*force)[6])
{
    if (aim->aim == RLS_AIM_STRAIGHT)
        push_all (&in->contact, RLS_AIM_STRAIGHT, aim->t, force);
    else
        push_all (&in->contact, RLS_AIM_SECOND, aim->t, force);
}

/* The changes u of the velocities along all contact rows, from the bodies' dv. */
INLINE void pull_runs (rls_contacts *c, const double (*dv)[6])
{
    for (int r = 0; r < c->runs; ++r)
    {
        const rls_run *run = &c->run[r];
        double relative[6];
        memcpy (relative, dv[run->body1], sizeof (relative));
        if (run->body2 >= 0)
        {
            const double *v = dv[run->body2], *d = run->lever;
            for (int k = 0; k < 6; ++k) relative[k] -= v[k];
            relative[0] -= v[4] * d[2] - v[5] * d[1];
            relative[1] -= v[5] * d[0] - v[3] * d[2];
            relative[2] -= v[3] * d[1] - v[4] * d[0];
        }
        for (int i = run->first; i < run->last; ++i)
            for (int k = 0; k < 6; ++k) c->group[i / LANES].v[k][i % LANES] = relative[k];
    }
    for (rls_contact8 *g = c->group; g < c->group + c->groups; ++g)
        for (int k = 0; k < 3; ++k)
        {
            rls_eight u = g->side[k][0] * g->v[0];
            for (int n = 1; n < 6; ++n) u += g->side[k][n] * g->v[n];
            g->u[k] = u;
        }
}

/* rls_step, with a sum for each lane. */
typedef struct
{
    rls_eight first, second;
    double whole;
} lanes;

/* The fraction of the step, at most whole, that keeps slacks and duals of one group positive. */
static double cut (const rls_contact8 *g, double whole, const double (*ds)[LANES], const double (*dz)[LANES])
{
    for (int bound = 0; bound < RLS_CONTACT_BOUNDS; ++bound)
        for (int i = 0; i < LANES; ++i)
        {
            if (g->measure[bound / 2][i] == 0) continue;
            const double s = g->s[bound][i], z = g->z[bound][i];
            if (s + whole * ds[bound][i] < 0) whole = -s / ds[bound][i];
            if (z + whole * dz[bound][i] < 0) whole = -z / dz[bound][i];
        }
    return whole;
}

/* dp and dw of eight contacts, and their share in the step. */
INLINE void pull_group (rls_contact8 *g, lanes *sum)
{
    rls_eight x[3] = {g->rhs[0] - g->u[0], g->rhs[1] - g->u[1], g->rhs[2] - g->u[2]};
    double ds[RLS_CONTACT_BOUNDS][LANES] __attribute__ ((aligned (64)));
    double dz[RLS_CONTACT_BOUNDS][LANES] __attribute__ ((aligned (64)));
    mask8 blocked = {0};

    /* changes of the impulses and of the rows' velocities */
    SOLVE_LOCAL (g, x);
    for (int k = 0; k < 3; ++k)
    {
        g->dp[k] = x[k];
        g->dw[k] = g->u[k] + g->softness[k] * x[k];
    }

    /* changes of slacks and duals, and the barrier after the step */
    for (int bound = 0; bound < RLS_CONTACT_BOUNDS; ++bound)
    {
        const int f = bound / 2;
        const rls_eight s = g->s[bound], z = g->z[bound];
        const rls_eight change = ALONG (g, bound, x);
        const rls_eight a = change + ALONG (g, bound, g->p) - s;
        const rls_eight b = g->aim[bound] - g->ratio[bound] * change - z;
        blocked |= SIGN_BITS (s + sum->whole * a) | SIGN_BITS (z + sum->whole * b);
        sum->first += g->measure[f] * (s * b + z * a);
        sum->second += g->measure[f] * a * b;
        RLS_EIGHT (ds[bound]) = a;
        RLS_EIGHT (dz[bound]) = b;
    }

    /* a shorter step only if one of them would become negative, which is rare */
    long long any = 0;
    for (int i = 0; i < LANES; ++i) any |= blocked[i];
    if (any) sum->whole = cut (g, sum->whole, (const double (*)[LANES])ds, (const double (*)[LANES])dz);
}

RLS_WIDE void rls_contacts_pull (rls_interior *in, const double (*dv)[6], rls_step *step)
{
    rls_contacts *c = &in->contact;
    lanes sum = {{0}, {0}, step->whole};
    pull_runs (c, dv);
    for (int g = 0; g < c->groups; ++g) pull_group (&c->group[g], &sum);
    step->whole = sum.whole;
    for (int i = 0; i < LANES; ++i)
    {
        step->first += sum.first[i];
        step->second += sum.second[i];
    }
}

RLS_WIDE void rls_contacts_take (rls_interior *in, double x)
{
    rls_contacts *c = &in->contact;
    for (rls_contact8 *g = c->group; g < c->group + c->groups; ++g)
    {
        for (int bound = 0; bound < RLS_CONTACT_BOUNDS; ++bound)
        {
            const rls_eight change = ALONG (g, bound, g->dp);
            const rls_eight ds = change + ALONG (g, bound, g->p) - g->s[bound];
            g->z[bound] += x * (g->aim[bound] - g->ratio[bound] * change - g->z[bound]);
            g->s[bound] += x * ds;
        }
        for (int k = 0; k < 3; ++k)
        {
            g->p[k] += x * g->dp[k];
            g->w[k] += x * g->dw[k];
        }
    }
}

/* ---- the answer ---- */

void rls_contacts_round (const rls_interior *in, double *p)
{
    const rls_contacts *c = &in->contact;
    for (int i = 0; i < c->contacts; ++i)
    {
        const rls_contact8 *g = &c->group[i / LANES];
        const int lane = i % LANES;
        double *x = p + c->row[i];
        int active[RLS_CONTACT_BOUNDS];
        for (int bound = 0; bound < RLS_CONTACT_BOUNDS; ++bound)
            active[bound] = g->z[bound][lane] > g->scale[bound / 2][lane] * g->s[bound][lane];
        x[0] = active[RLS_PUSH] || g->p[0][lane] < 0 ? 0 : g->p[0][lane];
        for (int f = 0; f < 2; ++f)
        {
            const double most = g->mu[f][lane] * x[0];
            x[1 + f] = active[2 * f] ? -most : active[2 * f + 1] ? most : g->p[1 + f][lane];
            x[1 + f] = rls_clamp (x[1 + f], -most, most);
        }
    }
}
