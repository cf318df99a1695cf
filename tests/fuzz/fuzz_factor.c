/*
 * The ordered factorisation on systems of every shape, in every order, against the dense oracle: rank by
 * counting in the graph, velocities by singular values.
 */
#include "fuzz.h"

#include "factor/factor.h"
#include "oracle_rows.h"
#include "release.h"
#include <float.h>
#include <math.h>
#include <ode_rls/ode_rls.h>
#include <string.h>

#define MOST_BODIES 4
#define MOST_JOINTS 6
#define TOLERANCE 1e-9
#define SURELY_FINE 1e-10

static oracle_system draw (fuzz_bytes *b)
{
    oracle_random random = {fuzz_byte (b) << 8 | fuzz_byte (b)};
    const int bodies = 1 + fuzz_index (b, MOST_BODIES), joints = 1 + fuzz_index (b, MOST_JOINTS);
    oracle_system s = oracle_system_create (bodies, fuzz_number (b, 0, 2), &random);
    for (int i = 0; i < bodies; ++i)
        if (fuzz_index (b, 8) == 7) oracle_fix_body (&s, i);
    for (int j = 0; j < joints; ++j)
    {
        const int first = fuzz_index (b, bodies), second = fuzz_index (b, bodies + 1) - 1;
        const unsigned carries = fuzz_byte (b) & 63u;
        if (first == second || carries == 0) continue;
        oracle_add_pool_joint (&s, first, second, carries, &random);
    }
    /* scaling a row changes nothing */
    for (int r = 0; r < s.rows.rows; ++r)
        if (fuzz_index (b, 4) == 3) oracle_scale_row (&s, r, pow (10, fuzz_number (b, -6, 6)));
    return s;
}

/* What rounding may do to velocities of order 1: it is amplified by the condition of the kept rows. */
static double rounding (const oracle_system *s, const rls_factor *factor)
{
    unsigned char skip[6 * MOST_JOINTS];
    for (int r = 0; r < s->rows.rows; ++r) skip[r] = factor->decision[r] == RLS_REDUNDANT;
    oracle_answer kept = oracle_solve (s, skip, 1e-9);
    const double error = 100 * DBL_EPSILON / (kept.kept * kept.kept);
    oracle_answer_free (&kept);
    return error;
}

/* Enforces the rows in one of the orders and compares the velocities with the right ones; returns the rank.
 */
static int solve (const oracle_system *s, int kind, const double (*right)[6])
{
    rls_order order = {0};
    rls_factor factor = {0};
    double v[MOST_BODIES][6], key[MOST_JOINTS], p[6 * MOST_JOINTS];
    for (int j = 0; j < s->rows.joints; ++j) key[j] = (double)(j * 5 % 7);
    const int keyed = kind == dRLSOrderPriority || kind == dRLSOrderRandom;
    FUZZ_CHECK (rls_order_analyse (&order, &s->rows, kind, keyed ? key : NULL) == 1);
    FUZZ_CHECK (rls_factor_rows (&factor, &order, &s->rows, TOLERANCE, NULL, NULL) == 1);
    memcpy (v, s->v, sizeof (double[6]) * (size_t)s->bodies);
    rls_rows_velocity (&s->rows, (const double (*)[6])v, p);
    for (int r = 0; r < s->rows.rows; ++r) p[r] = s->rows.target[r] - p[r];
    rls_factor_solve (&factor, &s->rows, p);
    for (int r = 0; r < s->rows.rows; ++r) FUZZ_CHECK (factor.decision[r] != RLS_REDUNDANT || p[r] == 0);
    rls_rows_apply (&s->rows, p, v);
    const int rank = factor.rank;
    const double off = oracle_distance (s->bodies, (const double (*)[6])v, right);
    FUZZ_CHECK (off <= SURELY_FINE || off <= rounding (s, &factor));
    release_order (&order);
    rls_factor_free (&factor);
    return rank;
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
    fuzz_bytes bytes = {data, size};
    oracle_system s = draw (&bytes);
    if (s.rows.rows > 0)
    {
        const int rank = oracle_graph_rank (&s);
        oracle_answer right = oracle_solve (&s, NULL, 1e-7);
        /* elsewhere the oracle itself is in doubt, or pivots are too near to the tolerance to be told from it
         */
        const int clear = right.rank == rank && right.kept > 1e-3 && right.dropped < 1e-12;
        for (int kind = 0; kind < dRLSOrderCount && clear; ++kind)
            FUZZ_CHECK (solve (&s, kind, (const double (*)[6])right.v) == rank);
        oracle_answer_free (&right);
    }
    oracle_system_free (&s);
    return 0;
}
