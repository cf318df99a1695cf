/*
 * The bounded solver on random problems: contacts, limits and motors on up to six bodies, masses up to 1e6
 * apart, cold and warm starts.  The oracle is the problem itself: impulses within their bounds, velocities
 * that belong to them, and a residual no larger than the one that is reported.
 */
#include "fuzz.h"

#include "oracle_bounded.h"
#include <math.h>
#include <string.h>

#define MOST_BODIES 6
#define MOST_JOINTS 16
#define TOLERANCE 1e-6 /* m/s */

static void draw_contact (fuzz_bytes *b, rls_island *s, int first, int second)
{
    const double tilt = fuzz_number (b, -1, 1), turn = fuzz_number (b, 0, 6.3), flat = sqrt (1 - tilt * tilt);
    const double normal[3] = {flat * cos (turn), flat * sin (turn), tilt};
    double point[3];
    for (int k = 0; k < 3; ++k) point[k] = s->state.pose[first].x[k] + fuzz_number (b, -1, 1);
    static const double mu[] = {0, 0.1, 0.5, 0.8, 1, 10};
    const int soft = fuzz_index (b, 3);
    oracle_bounded_contact (s, (int[2]){first, second}, point, normal, mu[fuzz_index (b, 6)],
                            soft ? pow (10, fuzz_number (b, -8, -1)) : 0, fuzz_number (b, -0.1, 2));
}

static void draw_axis (fuzz_bytes *b, rls_island *s, int first, int second, int number)
{
    double J[12] = {0}, size = 0;
    for (int k = 0; k < 12; ++k) J[k] = k < 6 || second >= 0 ? fuzz_number (b, -1, 1) : 0;
    for (int k = 0; k < 6; ++k) size += fabs (J[k]);
    if (!(size > 0.01)) J[0] = 1;
    const double strength = pow (10, fuzz_number (b, -3, 3));
    const int kind = fuzz_index (b, 3); /* a motor, a stop either way */
    oracle_bounded_joint (s, (int[2]){first, second}, (uint64_t)(2 * number + 1));
    oracle_bounded_row (s, J, fuzz_index (b, 4) ? 0 : 1e-4, fuzz_number (b, -2, 2),
                        kind == 0   ? -strength
                        : kind == 1 ? 0
                                    : -HUGE_VAL,
                        kind == 0   ? strength
                        : kind == 1 ? HUGE_VAL
                                    : 0,
                        -1);
}

static double speed_of (const rls_bounded *b, int joint, int row, const double (*v)[6])
{
    const int *body = b->body[joint];
    double speed = 0;
    for (int side = 0; side < 2; ++side)
        for (int k = 0; k < 6 && body[side] >= 0; ++k) speed += b->J[row][6 * side + k] * v[body[side]][k];
    return speed;
}

/* What the impulses do to the velocities, the largest impulse, and how far it is from the answer: the natural
 * map |p - clamp (p - w / D)|. */
typedef struct
{
    double v[MOST_BODIES][6], change, impulse, residual;
} outcome;

static void add_row (const rls_island *s, int j, int r, outcome *sum)
{
    const rls_bounded *b = &s->begin.bounded;
    const int *body = b->body[j];
    const double p = b->p[r], normal = b->follow[r] < 0 ? 1 : fmax (b->p[b->follow[r]], 0);
    const double hi = b->follow[r] < 0 ? b->hi[r] : b->hi[r] * normal, lo = b->follow[r] < 0 ? b->lo[r] : -hi;
    FUZZ_CHECK (isfinite (p));
    const double slack = 1e-12 * fabs (p); /* friction against its normal */
    FUZZ_CHECK (p >= lo - slack && p <= hi + slack);
    double mobility = 0;
    for (int side = 0; side < 2; ++side)
        for (int k = 0; k < 6 && body[side] >= 0; ++k)
        {
            const double change = b->Y[r][6 * side + k] * p;
            sum->v[body[side]][k] += change;
            sum->change = fmax (sum->change, fabs (change));
            mobility += b->J[r][6 * side + k] * b->Y[r][6 * side + k];
        }
    if (!(mobility > 0)) return; /* between bodies that cannot move */
    const double w = speed_of (b, j, r, (const double (*)[6])s->next.v) + b->softness[r] * p - b->target[r];
    const double D = mobility + b->softness[r];
    sum->impulse = fmax (sum->impulse, fabs (p));
    sum->residual = fmax (sum->residual, fabs (p - fmin (fmax (p - w / D, lo), hi)));
}

static void check (const rls_island *s, const double (*start)[6])
{
    const rls_bounded *b = &s->begin.bounded;
    outcome sum = {0};
    memcpy (sum.v, start, sizeof (double[6]) * (size_t)s->model.bodies);
    for (int j = 0; j < b->joints; ++j)
        for (int r = b->row0[j]; r < b->row0[j + 1]; ++r) add_row (s, j, r, &sum);
    for (int i = 0; i < s->model.bodies; ++i)
        for (int k = 0; k < 6; ++k)
            FUZZ_CHECK (fabs (sum.v[i][k] - s->next.v[i][k]) <= 1e-9 * (1 + fabs (start[i][k]) + sum.change));
    FUZZ_CHECK (isfinite (s->account.bounded_residual) && s->account.bounded_residual >= 0);
    FUZZ_CHECK (sum.residual <= (s->account.bounded_residual * 1.001 + 1e-8) * sum.impulse ||
                sum.impulse == 0);
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
    fuzz_bytes bytes = {data, size}, *b = &bytes;
    const int bodies = 1 + fuzz_index (b, MOST_BODIES), joints = 1 + fuzz_index (b, MOST_JOINTS);
    rls_island *s = oracle_bounded_create (bodies, MOST_JOINTS, 3 * MOST_JOINTS);
    for (int i = 0; i < bodies; ++i)
    {
        const double x[3] = {fuzz_number (b, -2, 2), fuzz_number (b, -2, 2), fuzz_number (b, -2, 2)};
        oracle_bounded_ball (s, i, pow (10, fuzz_number (b, -3, 3)), pow (10, fuzz_number (b, -1, 1)), x);
        for (int k = 0; k < 6; ++k) s->state.v[i][k] = fuzz_number (b, -3, 3);
        s->model.movable[i] = fuzz_index (b, 8) != 7;
    }
    for (int j = 0; j < joints; ++j)
    {
        const int first = fuzz_index (b, bodies), second = fuzz_index (b, bodies + 1) - 1;
        if (first == second) continue;
        if (fuzz_index (b, 3) < 2)
            draw_contact (b, s, first, second);
        else
            draw_axis (b, s, first, second, j);
    }
    double start[MOST_BODIES][6];
    for (int step = 0; step < 2 && s->begin.bounded.rows > 0; ++step) /* cold, then warm */
    {
        memcpy (start, s->state.v, sizeof (double[6]) * (size_t)bodies);
        for (int i = 0; i < bodies; ++i) start[i][2] -= s->model.movable[i] ? 0.01 * 9.81 : 0;
        oracle_bounded_solve (s, 0.01, 9.81, TOLERANCE, 50);
        check (s, (const double (*)[6])start);
    }
    oracle_bounded_free (s);
    return 0;
}
