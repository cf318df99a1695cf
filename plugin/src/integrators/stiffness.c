/* Geometric stiffness of the joints' forces; see stiffness.h. */
#include "stiffness.h"
#include "accelerate.h"
#include "factor/factor_tree.h"
#include "island/rotation.h"
#include "symplectic_parts.h"
#include "tolerances.h"
#include <math.h>
#include <string.h>

#define MOST_ASKED 256 /* bodies whose mobility is asked for one by one, where joints close loops */
#define ASKED 2        /* of a body: whether it is light has still to be asked */
#define MOST_SWEEPS 12 /* of Jacobi's method; five do for 3 x 3 */

/* ---- more inertia ---- */

/* A := its positive part (3 x 3, symmetric), by Jacobi rotations. */
static void positive_part (double A[9])
{
    double V[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

    /* A = V diag V', one rotation after the other */
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

    /* put together again without what is negative */
    const double value[3] = {fmax (A[0], 0), fmax (A[4], 0), fmax (A[8], 0)};
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
        {
            A[3 * i + j] = 0;
            for (int k = 0; k < 3; ++k) A[3 * i + j] += V[3 * i + k] * value[k] * V[3 * j + k];
        }
}

static double norm (const double A[9])
{
    double sum = 0;
    for (int k = 0; k < 9; ++k) sum += A[k] * A[k];
    return sqrt (sum);
}

static int raise_body (rls_island *s, int b, double h)
{
    const double *K = s->stiffness[b], *W = s->inverse_inertia[b];
    double more[9];
    if (h * h * norm (K) * (W[0] + W[4] + W[8]) <= 1) return 0;
    for (int k = 0; k < 9; ++k) more[k] = h * h * K[k] - s->own_inertia[b][k];
    positive_part (more);
    if (more[0] + more[4] + more[8] == 0) return 0;
    for (int k = 0; k < 9; ++k) s->inertia[b][k] = s->own_inertia[b][k] + more[k];
    return rls_invert_spd (s->inertia[b], s->inverse_inertia[b]);
}

/* What is added comes at rest, for it must bring no energy: (I + more) w' = I w.  What is taken away leaves
 * with the body's angular velocity. */
static void attach_body (const rls_island *s, int b, double v[6])
{
    double added[9], R[9], w[3], L[3], turn[3];
    for (int k = 0; k < 9; ++k) added[k] = s->inertia[b][k] - s->last_inertia[b][k];
    positive_part (added);
    rls_quaternion_matrix (s->pose[b].q, R);
    rls_multiply_transposed (R, v + 3, w);
    rls_multiply (added, w, L);
    rls_multiply (s->inverse_inertia[b], L, turn);
    rls_multiply (R, turn, w);
    for (int k = 0; k < 3; ++k) v[3 + k] -= w[k];
}

void rls_stiffness_raise (rls_island *s, double h)
{
    s->raised_before = s->raised > 0;
    s->raised = 0;
    for (int b = 0; b < s->bodies; ++b)
    {
        if (!s->stiffness_known || !s->light[b] || !raise_body (s, b, h)) continue;
        ++s->raised;
    }
    if (s->raised > 0)
        s->now_exact = 0; /* the last factor knows other masses */
    else
        memcpy (s->last_inertia, s->inertia, sizeof (*s->inertia) * (size_t)s->bodies);
}

int rls_stiffness_attach (rls_island *s)
{
    double (*v)[6] = s->scratch6;
    const double before =
        rls_kinetic_energy (s, (const double (*)[9])s->last_inertia, s->pose, (const double (*)[6])s->v);
    memcpy (v, s->v, sizeof (*v) * (size_t)s->bodies);
    for (int b = 0; b < s->bodies; ++b)
        if (s->movable[b]) attach_body (s, b, v[b]);
    rls_enforce (&s->factor, &s->rows, s->rows.target, s->scratch_rows, v);
    const double after =
        rls_kinetic_energy (s, (const double (*)[9])s->inertia, s->pose, (const double (*)[6])v);
    const int cheap = after >= (1 - (s->raised_before ? RLS_ENERGY_JUMP : RLS_SMALL_ENERGY_JUMP)) * before;
    for (int b = 0; b < s->bodies; ++b)
        if (!s->movable[b])
            continue;
        else if (cheap)
            attach_body (s, b, s->v[b]);
        else
        {
            memcpy (s->inertia[b], s->own_inertia[b], sizeof (s->inertia[b]));
            rls_invert_spd (s->inertia[b], s->inverse_inertia[b]);
        }
    memcpy (s->last_inertia, s->inertia, sizeof (*s->inertia) * (size_t)s->bodies);
    if (!cheap) s->raised = 0;
    return cheap;
}

/* ---- stiffness ---- */

/* The lever r of a joint's force on a body, from rows J = (n, r x n): the sum of n x (r x n) is
 * (trace N - N) r with N that of n n'.  Along a single n it cannot be told, and is left out. */
static int find_lever (const double (*J)[12], int rows, int side, double r[3])
{
    double A[9] = {0}, sum[3] = {0};
    for (int i = 0; i < rows; ++i)
    {
        const double *n = J[i] + 6 * side, *turn = n + 3, size = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
        double moved[3];
        rls_cross (n, turn, moved);
        for (int k = 0; k < 3; ++k)
        {
            sum[k] += moved[k];
            A[4 * k] += size;
            for (int l = 0; l < 3; ++l) A[3 * k + l] -= n[k] * n[l];
        }
    }
    memcpy (r, sum, sizeof (sum));
    return rls_solve3 (A, r);
}

static void add_side (rls_island *s, const rls_rows *rows, const rls_pose *pose, int j, int side, double h)
{
    const int b = side ? rows->body2[j] : rows->body1[j], r0 = rows->row0[j], m = rows->row0[j + 1] - r0;
    double r[3], f[3] = {0}, force[3], lever[3], R[9];
    rls_row room[RLS_MAX_ROWS];
    const rls_row *J = rls_joint_rows (rows, j, room);
    if (b < 0 || !s->movable[b] || !find_lever (J, m, side, r)) return;
    for (int i = 0; i < m; ++i)
        for (int k = 0; k < 3; ++k) f[k] += J[i][6 * side + k] * s->p[r0 + i] / h;
    rls_quaternion_matrix (pose[b].q, R);
    rls_multiply_transposed (R, f, force);
    rls_multiply_transposed (R, r, lever);
    const double along = force[0] * lever[0] + force[1] * lever[1] + force[2] * lever[2];
    for (int k = 0; k < 3; ++k)
    {
        s->stiffness[b][4 * k] += along;
        for (int l = 0; l < 3; ++l)
            s->stiffness[b][3 * k + l] -= 0.5 * (force[k] * lever[l] + lever[k] * force[l]);
    }
}

void rls_find_impulses (rls_island *s, double h)
{
    if (!s->reaction) return; /* otherwise known by what it does to the bodies: H M^-1 H' p = H reaction h */
    const double whole = h / s->reaction_part;
    rls_rows_velocity (s->acting, s->reaction, s->p);
    for (int r = 0; r < s->rows.rows; ++r) s->p[r] *= whole;
    rls_factor_solve (s->acting_factor, s->acting, s->p);
    s->reaction = NULL;
}

/* 1 if the body's own inertia is not enough for its stiffness. */
static int is_stiff (const rls_island *s, int b, double h)
{
    const double *W = s->inverse_inertia[b];
    return s->movable[b] && h * h * norm (s->stiffness[b]) * (W[0] + W[4] + W[8]) > 1;
}

/* The trace of the angular velocities that angular impulses on a body make, with the others in tow. */
static double mobility (rls_island *s, int b)
{
    double sum = 0;
    for (int k = 0; k < 3; ++k)
    {
        memset (s->scratch6, 0, sizeof (*s->scratch6) * (size_t)s->bodies);
        for (int i = 0; i < 3; ++i) s->scratch6[b][3 + i] = s->acting->W[b][3 * i + k];
        rls_enforce (s->acting_factor, s->acting, NULL, s->scratch_rows, s->scratch6);
        sum += s->scratch6[b][3 + k];
    }
    return sum;
}

/* Marks the bodies whose stiffness matters: where neither their own inertia nor that of what they are jointed
 * to is enough.  A body once found light stays so while its own is not. */
static void find_light (rls_island *s, double h)
{
    const int tree = s->acting_factor->tree.rows > 0;
    double *of = s->scratch6[0]; /* there are six for each body */
    int doubtful = 0, asked = 0;
    for (int b = 0; b < s->bodies; ++b)
    {
        s->light[b] = is_stiff (s, b, h) ? s->light[b] ? 1 : ASKED : 0;
        doubtful |= s->light[b] == ASKED;
    }
    if (doubtful && tree) rls_factor_tree_mobility (s->acting_factor, s->acting, of);
    for (int b = 0; b < s->bodies && doubtful; ++b)
    {
        if (s->light[b] != ASKED) continue;
        const double turns = tree ? of[b] : asked++ < MOST_ASKED ? mobility (s, b) : HUGE_VAL;
        s->light[b] = h * h * norm (s->stiffness[b]) * turns > RLS_STIFF_SHARE;
    }
}

void rls_stiffness_find (rls_island *s, double h)
{
    if (!s->stiffness_known) memset (s->light, 0, (size_t)s->bodies);
    s->stiffness_known = s->stiff > 0 && s->rows.rows > 0;
    if (!s->stiffness_known) return;
    if (s->raised == 0) --s->stiff;
    memset (s->stiffness, 0, sizeof (*s->stiffness) * (size_t)s->bodies);
    rls_find_impulses (s, h);
    const rls_pose *pose = s->acting == &s->rows ? s->pose : s->new_pose;
    for (int j = 0; j < s->rows.joints; ++j)
        for (int side = 0; side < 2; ++side) add_side (s, s->acting, pose, j, side, h);
    find_light (s, h);
}
