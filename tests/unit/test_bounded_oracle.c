/*
 * The bounded solver on random problems: against ODE's own direct solver where that is right, and where it is
 * not (redundant, degenerate, unequal by many orders of magnitude) against the conditions themselves, which
 * the test evaluates on its own.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <ode/ode.h>
#include <stdlib.h>
#include <string.h>
#include "oracle_bounded.h"

#define ITERATIONS 60
#define TOLERANCE 1e-6

/* ---- random problems ---- */

static double log_uniform (oracle_random *random, double decades)
{
    return pow (10, oracle_uniform (random, -decades / 2, decades / 2));
}

static rls_island *random_bodies (int bodies, int most_rows, double decades, oracle_random *random)
{
    rls_island *s = oracle_bounded_create (bodies, most_rows, most_rows);
    for (int b = 0; b < bodies; ++b)
    {
        double x[3];
        for (int k = 0; k < 3; ++k) x[k] = oracle_uniform (random, -1, 1);
        oracle_bounded_ball (s, b, log_uniform (random, decades), oracle_uniform (random, 0.2, 1), x);
        for (int k = 0; k < 6; ++k) s->state.v[b][k] = oracle_uniform (random, -2, 2);
    }
    return s;
}

static void random_pair (int bodies, oracle_random *random, int body[2])
{
    body[0] = oracle_index (random, bodies);
    body[1] = oracle_index (random, bodies + 1) - 1;
    if (body[1] == body[0]) body[1] = -1;
}

/* A limit, a motor or a normal in a direction of its own. */
static void add_random_row (rls_island *s, uint64_t key, oracle_random *random)
{
    double J[12] = {0};
    int body[2];
    random_pair (s->model.bodies, random, body);
    for (int k = 0; k < (body[1] < 0 ? 6 : 12); ++k) J[k] = oracle_uniform (random, -1, 1);
    const int kind = oracle_index (random, 3);
    const double low = kind == 2 ? -oracle_uniform (random, 0, 0.5) : 0,
                 high = kind == 0 ? HUGE_VAL : oracle_uniform (random, 0.01, 1);
    oracle_bounded_joint (s, body, key);
    oracle_bounded_row (s, J, oracle_index (random, 2) ? oracle_uniform (random, 0, 0.1) : 0,
                        oracle_uniform (random, -0.5, 0.5), low, high, -1);
}

/* What coefficients of friction a problem has. */
enum
{
    FRICTION_USUAL = 0,
    FRICTION_HIGH,    /* some as games have them that want no sliding at all */
    FRICTION_INFINITE /* some */
};

static double random_friction (int kind, oracle_random *random)
{
    static const double usual[] = {0, 0.3, 0.5, 0.8, 1, HUGE_VAL}, high[] = {0.8, 3, 10, 50, 340, 5000};
    return kind == FRICTION_HIGH ? high[oracle_index (random, 6)]
                                 : usual[oracle_index (random, kind == FRICTION_INFINITE ? 6 : 5)];
}

/* A contact as collision detection makes it, alone or several times over. */
static void add_random_contact (rls_island *s, int copies, int friction, oracle_random *random)
{
    int body[2];
    double point[3], normal[3], length = 0;
    random_pair (s->model.bodies, random, body);
    for (int k = 0; k < 3; ++k)
    {
        point[k] = oracle_uniform (random, -1, 1);
        normal[k] = oracle_uniform (random, -1, 1);
        length += normal[k] * normal[k];
    }
    for (int k = 0; k < 3; ++k) normal[k] /= sqrt (length);
    const double mu = random_friction (friction, random);
    const double targets[] = {0, 0, 0.1, -0.2};
    const double softness = oracle_index (random, 3) ? 0 : 1e-3, target = targets[oracle_index (random, 4)];
    for (int i = 0; i < copies; ++i) oracle_bounded_contact (s, body, point, normal, mu, softness, target);
}

/* ---- what is right ---- */

/* J v of a row. */
static double row_speed (const rls_island *s, int joint, int row, const double (*v)[6])
{
    const rls_bounded *b = &s->begin.bounded;
    double sum = 0;
    for (int k = 0; k < 6; ++k)
    {
        if (b->body[joint][0] >= 0) sum += b->J[row][k] * v[b->body[joint][0]][k];
        if (b->body[joint][1] >= 0) sum += b->J[row][6 + k] * v[b->body[joint][1]][k];
    }
    return sum;
}

/* v := start + M^-1 J' p, M being that of balls. */
static void apply (const rls_island *s, int joint, int row, double p, double (*v)[6])
{
    const rls_bounded *b = &s->begin.bounded;
    for (int side = 0; side < 2; ++side)
    {
        const int body = b->body[joint][side];
        if (body < 0) continue;
        for (int k = 0; k < 3; ++k)
        {
            v[body][k] += p * b->J[row][6 * side + k] / s->model.mass[body];
            v[body][3 + k] += p * b->J[row][6 * side + 3 + k] / s->model.inertia[body][0];
        }
    }
}

/* The largest amount (m/s) by which the answer fails a row, relative to the speeds before; feasibility
 * exactly. */
static double residual (const rls_island *s)
{
    const rls_bounded *b = &s->begin.bounded;
    double (*v)[6] = oracle_allocate ((size_t)s->model.bodies, sizeof (*v)), worst = 0, cold = 0;
    memcpy (v, s->state.v, sizeof (*v) * (size_t)s->model.bodies);
    for (int j = 0; j < b->joints; ++j)
        for (int r = b->row0[j]; r < b->row0[j + 1]; ++r)
        {
            cold = fmax (cold, fabs (row_speed (s, j, r, (const double (*)[6])s->state.v) - b->target[r]));
            apply (s, j, r, b->p[r], v);
        }
    for (int i = 0; i < s->model.bodies; ++i)
        for (int k = 0; k < 6; ++k)
            assert_true (fabs (v[i][k] - s->next.v[i][k]) < 1e-7 * (1 + fabs (v[i][k])));
    for (int j = 0; j < b->joints; ++j)
        for (int r = b->row0[j]; r < b->row0[j + 1]; ++r)
        {
            const double normal = b->follow[r] >= 0 ? b->p[b->follow[r]] : 1;
            const double high = b->follow[r] >= 0 ? (normal > 0 ? b->hi[r] * normal : 0) : b->hi[r],
                         low = b->follow[r] >= 0 ? -high : b->lo[r];
            assert_true (isfinite (b->p[r]) && b->p[r] >= low && b->p[r] <= high);
            const double w =
                row_speed (s, j, r, (const double (*)[6])s->next.v) + b->softness[r] * b->p[r] - b->target[r];
            /* what could be gained: a row that can still push must not be slow, and the other way round; how
             * far it is from its bound counts as the speed that the impulse to it would give */
            double D = b->softness[r];
            for (int k = 0; k < 12; ++k) D += b->J[r][k] * b->Y[r][k];
            const double off = w < 0 ? fmin (-w, D * (high - b->p[r])) : fmin (w, D * (b->p[r] - low));
            worst = fmax (worst, D > 0 ? off : 0);
        }
    free (v);
    return cold > 0 ? worst / cold : worst;
}

/* ---- ODE's direct solver, by its linker name ---- */

#ifdef dSINGLE
#define REAL_LETTER "f"
#else
#define REAL_LETTER "d"
#endif

typedef struct
{
    void *next, *begin, *end; /* as much of it as its inline reset touches */
} arena;
extern arena *allocate_arena (size_t size, const void *manager, const void *reserve) __asm__(
    "_Z39dxAllocateTemporaryWorldProcessMemArenamPK27dxWorldProcessM"
    "emoryManagerPK31dxWorldProcessMemoryReserveInfo");
extern void free_arena (arena *a) __asm__("_Z35dxFreeTemporaryWorldProcessMemArenaP22dxWorldProcessMemArena");
extern size_t arena_size (unsigned n, _Bool outer_w) __asm__("_Z27dxEstimateSolveLCPMemoryReqjb");
extern void
solve_lcp (arena *a, unsigned n, dReal *A, dReal *b_and_x, dReal *w, unsigned unbounded, dReal *low_and_high,
           int *findex) __asm__("_Z10dxSolveLCPP22dxWorldProcessMemArenajP" REAL_LETTER "S1_S1_jS1_Pi");

/* p of the island's rows by A p = b + w. */
static void solve_directly (const rls_island *s, double *p)
{
    const rls_bounded *b = &s->begin.bounded;
    const int n = b->rows, stride = n > 1 ? ((n - 1) | 3) + 1 : n;
    dReal *A = oracle_allocate ((size_t)(n * stride), sizeof (dReal));
    dReal *bx = oracle_allocate ((size_t)(2 * n), sizeof (dReal)),
          *bounds = oracle_allocate ((size_t)(2 * n), sizeof (dReal));
    int *findex = oracle_allocate ((size_t)n, sizeof (int));
    double (*v)[6] = oracle_allocate ((size_t)s->model.bodies, sizeof (*v));
    for (int j = 0; j < b->joints; ++j)
        for (int r = b->row0[j]; r < b->row0[j + 1]; ++r)
        {
            memset (v, 0, sizeof (*v) * (size_t)s->model.bodies);
            apply (s, j, r, 1, v);
            for (int i = 0; i < b->joints; ++i)
                for (int q = b->row0[i]; q < b->row0[i + 1]; ++q)
                    A[q * stride + r] = (dReal)row_speed (s, i, q, (const double (*)[6])v);
            A[r * stride + r] += (dReal)b->softness[r];
            bx[2 * r] = (dReal)(b->target[r] - row_speed (s, j, r, (const double (*)[6])s->state.v));
            bounds[2 * r] = (dReal)b->lo[r];
            bounds[2 * r + 1] = b->hi[r] < HUGE_VAL ? (dReal)b->hi[r] : dInfinity;
            findex[r] = -1;
        }
    arena *memory = allocate_arena (arena_size ((unsigned)n, 0) + 4096, NULL, NULL);
    assert_non_null (memory);
    memory->next = memory->begin;
    solve_lcp (memory, (unsigned)n, A, bx, NULL, 0, bounds, findex);
    free_arena (memory);
    for (int r = 0; r < n; ++r) p[r] = (double)bx[2 * r + 1];
    free (A), free (bx), free (bounds), free (findex), free (v);
}

/* Fewer rows than degrees of freedom, and none of them alike: one answer. */
static void test_agrees_with_direct_solver (void **state)
{
    (void)state;
    oracle_random random = {7};
    for (int trial = 0; trial < 400; ++trial)
    {
        const int bodies = 1 + oracle_index (&random, 8), rows = 1 + oracle_index (&random, 4 * bodies);
        rls_island *s = random_bodies (bodies, rows, 1, &random);
        double p[64];
        for (int r = 0; r < rows; ++r) add_random_row (s, (uint64_t)(2 * r + 2), &random);
        oracle_bounded_solve (s, 0, 0, TOLERANCE, ITERATIONS);
        assert_false (s->account.bounded_inexact);
        solve_directly (s, p);
        double worst = 0, largest = 1e-3;
        for (int r = 0; r < rows; ++r)
        {
            worst = fmax (worst, fabs (p[r] - s->begin.bounded.p[r]));
            largest = fmax (largest, fabs (p[r]));
        }
        if (!(worst < 1e-7 * largest))
            fail_msg ("trial %d: impulses differ by %g of %g", trial, worst, largest);
        oracle_bounded_free (s);
    }
}

/* ---- hard problems ---- */

typedef struct
{
    const char *name;
    int bodies, contacts, copies;
    int friction;     /* FRICTION_* */
    double decades;   /* of masses */
    int most_inexact; /* of a hundred: those that may end above the tolerance, and say so */
    double most_off;  /* residual that nine of ten stay below */
} hard_plan;

static const hard_plan plans[] = {
    {"few contacts", 3, 4, 1, 0, 0, 1, 1e-7},
    {"many contacts", 6, 20, 1, 0, 0, 4, 1e-6},
    {"redundant", 4, 6, 5, 0, 0, 2, 1e-4},
    {"high friction", 5, 6, 1, FRICTION_HIGH, 0, 2, 1e-6},
    {"high friction, redundant", 4, 5, 4, FRICTION_HIGH, 0, 4, 1e-6},
    {"infinite friction", 5, 6, 1, FRICTION_INFINITE, 0, 2, 1e-6},
    {"masses over 3 decades", 5, 8, 1, 0, 3, 1, 1e-6},
    {"masses over 6 decades", 5, 8, 1, 0, 6, 2, 1e-6},
    {"masses over 12 decades", 5, 8, 1, 0, 12, 2, 1e-6},
    {"redundant, masses over 6 decades", 4, 5, 4, 0, 6, 2, 1e-5},
};

static int ascending (const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

#define TRIALS 200
#define HONEST 0.05 /* largest residual, relative to the speeds before, of an answer that counts as good */

/* Always finite and within the bounds, with an honest word on what was reached, and nearly always good. */
static void test_hard_problems (void **state)
{
    (void)state;
    oracle_random random = {11};
    for (size_t i = 0; i < sizeof (plans) / sizeof (plans[0]); ++i)
    {
        const hard_plan *plan = &plans[i];
        double off[TRIALS];
        int inexact = 0, iterations = 0;
        for (int trial = 0; trial < TRIALS; ++trial)
        {
            rls_island *s =
                random_bodies (plan->bodies, 3 * plan->contacts * plan->copies, plan->decades, &random);
            for (int c = 0; c < plan->contacts; ++c)
                add_random_contact (s, plan->copies, plan->friction, &random);
            oracle_bounded_solve (s, 0, 0, TOLERANCE, ITERATIONS);
            off[trial] = residual (s);
            if (!s->account.bounded_inexact && !(off[trial] <= HONEST))
                fail_msg ("%s, trial %d: a residual of %g counts as good", plan->name, trial, off[trial]);
            inexact += s->account.bounded_inexact;
            iterations += s->account.bounded_iterations;
            assert_true (s->account.bounded_iterations <= ITERATIONS + 5);
            oracle_bounded_free (s);
        }
        qsort (off, TRIALS, sizeof (double), ascending);
        print_message (
            "%-34s residual: median %.0e, 90 %% %.0e, worst %.0e; %.1f factorisations, %d of %d inexact\n",
            plan->name, off[TRIALS / 2], off[TRIALS * 90 / 100], off[TRIALS - 1], (double)iterations / TRIALS,
            inexact, TRIALS);
        if (inexact * 100 > plan->most_inexact * TRIALS) fail_msg ("%s: %d inexact", plan->name, inexact);
        if (!(off[TRIALS * 90 / 100] <= plan->most_off)) fail_msg ("%s: not accurate", plan->name);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_agrees_with_direct_solver),
        cmocka_unit_test (test_hard_problems),
    };
    return cmocka_run_group_tests (tests, NULL, NULL);
}
