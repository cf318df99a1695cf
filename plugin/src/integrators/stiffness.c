/* Geometric stiffness, and inertia that is added against it; contract and equations in stiffness.h. */
#include "stiffness.h"
#include "factor/factor_tree.h"
#include "kernels/symmetric.h"
#include "symplectic_parts.h"

#define MOST_ASKED 256 /* how many bodies' mobilities are computed one by one, if joints close loops */
#define ASKED 2        /* mark of a body of which it has to be found out whether it is light */
#define MOST_SWEEPS 12 /* of Jacobi's method; five are enough for 3 x 3 */
#define MOST_OFF 0.5   /* relative error up to which the inertia of the last step is kept */

/* ---- more inertia ---- */

/* A := its positive part (A is symmetric): negative eigenvalues become 0.  By Jacobi's method. */
static void positive_part (double A[9])
{
    double V[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

    /* A = V diag V', by rotations that each make one entry 0 */
    for (int sweep = 0; sweep < MOST_SWEEPS; ++sweep)
        for (int i = 0; i < 2; ++i)
            for (int j = i + 1; j < 3; ++j)
            {
                if (A[3 * i + j] == 0) continue;
                const double theta = (A[4 * j] - A[4 * i]) / (2 * A[3 * i + j]);
                const double t = copysign (1, theta) / (fabs (theta) + sqrt (1 + theta * theta));
                const double c = 1 / sqrt (1 + t * t), sine = t * c;
                for (int k = 0; k < 3; ++k)
                {
                    const double a = A[3 * k + i], b = A[3 * k + j], u = V[3 * k + i], v = V[3 * k + j];
                    A[3 * k + i] = c * a - sine * b, A[3 * k + j] = sine * a + c * b;
                    V[3 * k + i] = c * u - sine * v, V[3 * k + j] = sine * u + c * v;
                }
                for (int k = 0; k < 3; ++k)
                {
                    const double a = A[3 * i + k], b = A[3 * j + k];
                    A[3 * i + k] = c * a - sine * b, A[3 * j + k] = sine * a + c * b;
                }
                A[3 * i + j] = A[3 * j + i] = 0;
            }

    /* V diag V' without the negative eigenvalues */
    const double value[3] = {fmax (A[0], 0), fmax (A[4], 0), fmax (A[8], 0)};
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
        {
            A[3 * i + j] = 0;
            for (int k = 0; k < 3; ++k) A[3 * i + j] += V[3 * i + k] * value[k] * V[3 * j + k];
        }
}

static double norm (const double A[9]) { return sqrt (rls_flat_dot (9, A, A)); }

/* I := the inertia that a body needs in a step of h.  Returns 1 if that is more than its own. */
static int find_inertia (const rls_island *s, int b, double h, double I[9])
{
    const double *K = s->geometric.stiffness[b], *own = s->model.own_inertia[b];
    double W[9], more[9];
    memcpy (I, own, sizeof (more));
    if (!s->geometric.light[b] || !rls_invert_spd (own, W)) return 0;
    if (h * h * norm (K) * (W[0] + W[4] + W[8]) <= 1) return 0;
    for (int k = 0; k < 9; ++k) more[k] = h * h * K[k] - own[k];
    positive_part (more);
    if (more[0] + more[4] + more[8] == 0) return 0;
    for (int k = 0; k < 9; ++k) I[k] += more[k];
    return 1;
}

static int set_inertia (rls_island *s, int b, const double I[9])
{
    memcpy (s->model.inertia[b], I, sizeof (*s->model.inertia));
    return rls_invert_spd (s->model.inertia[b], s->model.inverse_inertia[b]);
}

static double turning_energy (const double inertia[9], const double w[3])
{
    double L[3];
    rls_multiply (inertia, w, L);
    return 0.5 * rls_dot3 (w, L);
}

/* Returns the largest difference between the inertia that a body needs and that of the last step, relative to
 * the latter. */
static double find_change (const rls_island *s, double h)
{
    double largest = 0;
    for (int b = 0; b < s->model.bodies; ++b)
    {
        double I[9], W[9], off[9];
        const double *last = s->geometric.last_inertia[b];
        if (!s->model.movable[b]) continue;
        if (!find_inertia (s, b, h, I) && memcmp (I, last, sizeof (I)) == 0) continue;
        if (!rls_invert_spd (last, W)) return HUGE_VAL;
        for (int k = 0; k < 9; ++k) I[k] -= last[k];
        for (int k = 0; k < 9; k += 3)
            rls_multiply (W, I + k, off + k); /* I is symmetric: rows are columns */
        largest = fmax (largest, norm (off));
    }
    return largest;
}

/* Changes the angular velocity of a body whose inertia has been changed.  Inertia that is added was at rest:
 * (I + more) w' = I w, which adds no energy.  Inertia that is removed was turning with the body.  If there is
 * both, because the force has turned in the body, w' is reduced such that no energy is gained. */
static void attach_body (const rls_island *s, int b, double v[6])
{
    const double *inertia = s->model.inertia[b], *last = s->geometric.last_inertia[b];
    double added[9], R[9], w[3], L[3], turn[3];
    for (int k = 0; k < 9; ++k) added[k] = inertia[k] - last[k];
    positive_part (added);
    rls_quaternion_matrix (s->state.pose[b].q, R);
    rls_multiply_transposed (R, v + 3, w);
    const double before = turning_energy (last, w);
    rls_multiply (added, w, L);
    rls_multiply (s->model.inverse_inertia[b], L, turn);
    for (int k = 0; k < 3; ++k) w[k] -= turn[k];
    const double after = turning_energy (inertia, w), scale = after > before ? sqrt (before / after) : 1;
    for (int k = 0; k < 3; ++k) w[k] *= scale;
    rls_multiply (R, w, v + 3);
}

void rls_stiffness_raise (rls_island *s, double h)
{
    const int before = s->geometric.raised_before = s->geometric.raised > 0;

    /* If all bodies need about the inertia of the last step they keep it, so that the factor of its end can
     * be used. */
    const int known = before && s->valid.stiffness && s->valid.last_inertia;
    s->geometric.kept = known && find_change (s, h) <= MOST_OFF;
    for (int b = 0; b < s->model.bodies && s->geometric.kept && !s->valid.end_exact; ++b)
        if (s->model.movable[b]) set_inertia (s, b, s->geometric.last_inertia[b]);
    if (s->geometric.kept) return;

    /* else the inertia that they need, or their own */
    s->geometric.raised = 0;
    for (int b = 0; b < s->model.bodies; ++b)
    {
        double I[9];
        if (!s->model.movable[b] || !(before || s->valid.stiffness)) continue;
        const int more = s->valid.stiffness && find_inertia (s, b, h, I);
        s->geometric.raised += more && set_inertia (s, b, I);
        if (!more && before) set_inertia (s, b, s->model.own_inertia[b]);
    }

    /* with other inertias the factor of the last step cannot be used */
    if (before || s->geometric.raised > 0) s->valid.end_exact = 0;
    s->valid.last_inertia = 1;
    if (s->geometric.raised == 0)
        memcpy (s->geometric.last_inertia, s->model.inertia,
                sizeof (*s->model.inertia) * (size_t)s->model.bodies);
}

int rls_stiffness_attach (rls_island *s)
{
    if (s->geometric.kept) return 1;

    /* the kinetic energy with the added inertia at rest, after the rows have been satisfied again */
    double (*v)[6] = s->scratch.six;
    const double before = rls_kinetic_energy (s, s->geometric.last_inertia, s->state.pose, s->state.v);
    memcpy (v, s->state.v, sizeof (*v) * (size_t)s->model.bodies);
    for (int b = 0; b < s->model.bodies; ++b)
        if (s->model.movable[b]) attach_body (s, b, v[b]);
    rls_enforce (&s->begin.factor, &s->begin.rows, s->begin.rows.target, s->scratch.rows, v);
    const double after = rls_kinetic_energy (s, s->model.inertia, s->state.pose, v);

    /* if little is lost the velocities are changed; else all bodies get their own inertia again */
    const int cheap =
        after >= (1 - (s->geometric.raised_before ? RLS_ENERGY_JUMP : RLS_SMALL_ENERGY_JUMP)) * before;
    for (int b = 0; b < s->model.bodies; ++b)
        if (s->model.movable[b] && cheap)
            attach_body (s, b, s->state.v[b]);
        else if (s->model.movable[b])
            set_inertia (s, b, s->model.own_inertia[b]);
    memcpy (s->geometric.last_inertia, s->model.inertia,
            sizeof (*s->model.inertia) * (size_t)s->model.bodies);
    if (!cheap) s->geometric.raised = 0;
    return cheap;
}

/* ---- stiffness ---- */

/* Finds the lever r of a joint's force on a body from its rows J = (n, r x n): the sum of n x (r x n) over
 * the rows is (trace N - N) r, with N the sum of n n'.  A component of r along a single n cannot be found,
 * and is left out. */
static int find_lever (const double (*J)[12], int rows, int side, double r[3])
{
    double A[9] = {0}, sum[3] = {0};
    for (int i = 0; i < rows; ++i)
    {
        const double *n = J[i] + 6 * side, size = rls_dot3 (n, n);
        double moved[3];
        rls_cross (n, n + 3, moved);
        for (int k = 0; k < 3; ++k)
        {
            sum[k] += moved[k];
            A[4 * k] += size;
            for (int l = 0; l < 3; ++l) A[3 * k + l] -= n[k] * n[l];
        }
    }
    memcpy (r, sum, sizeof (sum));
    const int found = rls_symmetric_factor (3, A) == 0;
    rls_symmetric_solve (3, A, r);
    return found;
}

/* Adds the stiffness K of joint j's reaction on one of its bodies; rows: those that it acts along, at these
 * poses. */
static void add_side (rls_island *s, const rls_rows *rows, const rls_pose *pose, int j, int side, double h)
{
    const int b = rows->body[j][side], r0 = rows->row0[j], m = rows->row0[j + 1] - r0;
    double r[3], f[3] = {0}, force[3], lever[3], R[9];
    rls_row room[RLS_MAX_ROWS];
    if (b < 0 || !s->model.movable[b]) return;

    /* the force and its lever, which compact joints have */
    const double *p = s->reactions.p + r0, sign = side ? -1 : 1;
    const int compact = rls_is_compact (rows, j);
    const rls_row *J = compact ? NULL : rls_joint_rows (rows, j, room);
    if (compact)
        memcpy (r, rows->compact[j].arm[side], sizeof (r));
    else if (!find_lever (J, m, side, r))
        return;
    for (int k = 0; k < 3 && compact; ++k) f[k] = sign * p[k] / h;
    for (int i = 0; i < m && !compact; ++i)
        for (int k = 0; k < 3; ++k) f[k] += J[i][6 * side + k] * p[i] / h;

    /* in body axes */
    rls_quaternion_matrix (pose[b].q, R);
    rls_multiply_transposed (R, f, force);
    rls_multiply_transposed (R, r, lever);

    /* K of stiffness.h */
    const double along = rls_dot3 (force, lever);
    for (int k = 0; k < 3; ++k)
    {
        s->geometric.stiffness[b][4 * k] += along;
        for (int l = 0; l < 3; ++l)
            s->geometric.stiffness[b][3 * k + l] -= 0.5 * (force[k] * lever[l] + lever[k] * force[l]);
    }
}

/* Returns the trace of the body's angular mobility (1/(kg m^2)): the angular velocities that unit angular
 * impulses cause, with the bodies that move with it. */
static double mobility (rls_island *s, int b)
{
    double sum = 0;
    for (int k = 0; k < 3; ++k)
    {
        memset (s->scratch.six, 0, sizeof (*s->scratch.six) * (size_t)s->model.bodies);
        for (int i = 0; i < 3; ++i) s->scratch.six[b][3 + i] = s->reactions.at->rows.W[b][3 * i + k];
        rls_enforce (&s->reactions.at->factor, &s->reactions.at->rows, NULL, s->scratch.rows, s->scratch.six);
        sum += s->scratch.six[b][3 + k];
    }
    return sum;
}

/* Marks the bodies that are too light for their stiffness, by their own inertia and also with what moves with
 * them.  A body that was marked in the last step stays so as long as its own inertia is too small. */
static void find_light (rls_island *s, double h)
{
    const int tree = s->reactions.at->factor.tree.rows > 0;
    double *of = s->scratch.six[0]; /* bodies: mobilities; there is room for six numbers each */
    int doubtful = 0, asked = 0;

    /* by their own inertia */
    for (int b = 0; b < s->model.bodies; ++b)
    {
        const double *W = s->model.inverse_inertia[b];
        const int stiff =
            s->model.movable[b] && h * h * norm (s->geometric.stiffness[b]) * (W[0] + W[4] + W[8]) > 1;
        s->geometric.light[b] = stiff ? s->geometric.light[b] ? 1 : ASKED : 0;
        doubtful |= s->geometric.light[b] == ASKED;
    }

    /* with the others: in trees all at once, else one by one */
    if (doubtful && tree) rls_factor_tree_mobility (&s->reactions.at->factor, &s->reactions.at->rows, of);
    for (int b = 0; b < s->model.bodies && doubtful; ++b)
    {
        if (s->geometric.light[b] != ASKED) continue;
        const double turns = tree ? of[b] : asked++ < MOST_ASKED ? mobility (s, b) : HUGE_VAL;
        s->geometric.light[b] = h * h * norm (s->geometric.stiffness[b]) * turns > RLS_STIFF_SHARE;
    }
}

void rls_stiffness_find (rls_island *s, double h)
{
    /* only for some steps after a failed one, or as long as there are raised bodies */
    if (!s->valid.stiffness) memset (s->geometric.light, 0, (size_t)s->model.bodies);
    s->valid.stiffness = s->geometric.wanted > 0 && s->begin.rows.rows > 0;
    if (!s->valid.stiffness) return;
    if (s->geometric.raised == 0) --s->geometric.wanted;

    /* the stiffness of all joints' reactions, then which bodies are light */
    memset (s->geometric.stiffness, 0, sizeof (*s->geometric.stiffness) * (size_t)s->model.bodies);
    rls_find_impulses (s, h);
    const rls_pose *pose = s->reactions.at == &s->begin ? s->state.pose : s->next.pose;
    for (int j = 0; j < s->begin.rows.joints; ++j)
        for (int side = 0; side < 2; ++side) add_side (s, &s->reactions.at->rows, pose, j, side, h);
    find_light (s, h);
}
