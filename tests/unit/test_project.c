/*
 * Projection of positions and velocities on islands of ball joints that are written down here: to rounding,
 * by the least displacement, whatever is redundant, and never out of bounds.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <float.h>
#include <math.h>
#include <ode_rls/ode_rls.h>
#include <stdlib.h>
#include <string.h>
#include "oracle_rows.h"
#include "integrators/project.h"
#include "island/rotation.h"
#include "release.h"

#define MOST 24

typedef struct
{
    rls_island island;         /* first: evaluate gets its address */
    double anchor[MOST][2][3]; /* of each ball joint in the axes of its bodies; world's for no body */
    int calls, failing_from;   /* evaluations fail from this call on, if it is > 0 */
    double poison;             /* added to the first residual */
} rig;

static void point_of (const rig *r, const rls_pose *pose, int joint, int side, double point[3], double arm[3])
{
    const rls_island *s = &r->island;
    const int b = s->mechanism.body[joint][side];
    double R[9];
    memcpy (point, r->anchor[joint][side], sizeof (double[3]));
    memset (arm, 0, sizeof (double[3]));
    if (b < 0) return;
    rls_quaternion_matrix (pose[b].q, R);
    rls_multiply (R, r->anchor[joint][side], arm);
    for (int k = 0; k < 3; ++k) point[k] = pose[b].x[k] + arm[k];
}

static int evaluate (rls_island *s, const rls_pose *pose)
{
    rig *r = (rig *)(void *)s;
    ++r->calls;
    if (r->failing_from && r->calls >= r->failing_from) return 0;
    for (int j = 0; j < s->begin.rows.joints; ++j)
    {
        double point[2][3], arm[2][3];
        for (int side = 0; side < 2; ++side) point_of (r, pose, j, side, point[side], arm[side]);
        for (int k = 0; k < 3; ++k)
        {
            const int row = s->mechanism.row0[j] + k;
            double *J = s->end.rows.J[row];
            memset (J, 0, sizeof (double[12]));
            for (int side = 0; side < 2; ++side)
            {
                const double sign = side ? -1 : 1, *a = arm[side];
                if (s->mechanism.body[j][side] < 0) continue;
                J[6 * side + k] = sign;
                J[6 * side + 3 + (k + 1) % 3] = sign * a[(k + 2) % 3];
                J[6 * side + 3 + (k + 2) % 3] = -sign * a[(k + 1) % 3];
            }
            s->end.rows.sigma2[row] = s->end.rows.target[row] = 0;
            s->end.rows.residual[row] = point[1][k] - point[0][k];
        }
    }
    s->end.rows.residual[0] += r->poison;
    return 1;
}

/* Bodies along a helix, joint j between bodies ends[j]; anchors meet half way. */
static rig *build (int bodies, int joints, const int (*ends)[2], int fixed_body, oracle_random *random)
{
    rig *r = oracle_allocate (1, sizeof (*r));
    rls_island *s = &r->island;
    assert_int_equal (rls_island_lay_out (s, bodies, joints, 3 * joints, 0, 0, 0), 1);
    s->provider.rows = evaluate;
    for (int b = 0; b < bodies; ++b)
    {
        const double place[3] = {cos (b), sin (b), 0.3 * b};
        s->model.movable[b] = b != fixed_body;
        s->model.mass[b] = oracle_uniform (random, 0.5, 2);
        for (int i = 0; i < 9; ++i)
        {
            s->model.inertia[b][i] = i % 4 == 0 ? s->model.mass[b] * (0.1 + 0.05 * i) : 0;
            s->model.inverse_inertia[b][i] = i % 4 == 0 ? 1 / s->model.inertia[b][i] : 0;
        }
        memcpy (s->state.pose[b].x, place, sizeof (place));
        for (int k = 0; k < 4; ++k) s->state.pose[b].q[k] = oracle_uniform (random, -1, 1);
        rls_quaternion_normalise (s->state.pose[b].q);
        for (int k = 0; k < 6; ++k)
            s->state.v[b][k] = s->model.movable[b] ? oracle_uniform (random, -1, 1) : 0;
    }
    s->mechanism.row0[0] = 0;
    for (int j = 0; j < joints; ++j)
    {
        double middle[3] = {0};
        memcpy (s->mechanism.body[j], ends[j], sizeof (ends[j]));
        s->mechanism.row0[j + 1] = 3 * (j + 1);
        for (int k = 0; k < 3; ++k)
            middle[k] = ends[j][1] < 0
                            ? s->state.pose[ends[j][0]].x[k] - 0.5
                            : (s->state.pose[ends[j][0]].x[k] + s->state.pose[ends[j][1]].x[k]) / 2;
        for (int side = 0; side < 2; ++side)
        {
            const int b = ends[j][side];
            double R[9], from[3];
            if (b >= 0) rls_quaternion_matrix (s->state.pose[b].q, R);
            for (int k = 0; k < 3; ++k) from[k] = b < 0 ? 0 : middle[k] - s->state.pose[b].x[k];
            if (b < 0)
                memcpy (r->anchor[j][side], middle, sizeof (middle));
            else
                rls_multiply_transposed (R, from, r->anchor[j][side]);
        }
    }
    return r;
}

/* Rows and factor at pose, as a step begins with them, and next.pose = pose. */
static void begin (rig *r)
{
    rls_island *s = &r->island;
    s->elimination.rank_tolerance = 1e-9;
    const size_t n = (size_t)s->begin.rows.rows;
    memcpy (s->next.pose, s->state.pose, sizeof (rls_pose) * (size_t)s->model.bodies);
    assert_int_equal (evaluate (s, s->state.pose), 1);
    memcpy (s->begin.rows.J, s->end.rows.J, sizeof (double[12]) * n);
    memcpy (s->begin.rows.residual, s->end.rows.residual, sizeof (double) * n);
    memset (s->begin.rows.sigma2, 0, sizeof (double) * n);
    memset (s->begin.rows.target, 0, sizeof (double) * n);
    rls_island_inverse_inertia (s, s->state.pose, &s->begin.rows);
    rls_rows_attach (&s->begin.rows, s->model.bodies, s->mechanism.attach0, s->mechanism.attach);
    assert_int_equal (rls_order_analyse (&s->elimination.order, &s->begin.rows, dRLSOrderMinDegree, NULL), 1);
    assert_int_equal (rls_factor_rows (&s->begin.factor, &s->elimination.order, &s->begin.rows,
                                       s->elimination.rank_tolerance, NULL, NULL),
                      1);
    r->calls = 0;
}

static void drop (rig *r)
{
    release_island (&r->island);
    free (r);
}

static void disturb (rig *r, double size, oracle_random *random)
{
    rls_island *s = &r->island;
    for (int b = 0; b < s->model.bodies; ++b)
    {
        double d[6];
        for (int k = 0; k < 6; ++k) d[k] = oracle_uniform (random, -size, size);
        if (s->model.movable[b]) rls_pose_displace (&s->next.pose[b], d);
    }
}

static double gap (rig *r)
{
    double worst = 0;
    evaluate (&r->island, r->island.next.pose);
    for (int i = 0; i < r->island.begin.rows.rows; ++i)
        worst = fmax (worst, fabs (r->island.end.rows.residual[i]));
    return worst;
}

/* What the oracle knows of the island: rows at next.pose. */
static oracle_system view (rls_island *s, double (*v)[6])
{
    return (oracle_system){.bodies = s->model.bodies,
                           .movable = s->model.movable,
                           .mass = s->model.mass,
                           .W = s->end.rows.W,
                           .v = v,
                           .rows = s->end.rows,
                           .body = s->mechanism.body,
                           .row0 = s->mechanism.row0};
}

static const int tree[][2] = {{0, -1}, {1, 0}, {2, 1}, {3, 1}, {4, 3}, {5, 3}};
static const int loops[][2] = {{0, -1}, {1, 0}, {2, 1}, {3, 2}, {3, 0}, {4, 3}, {4, -1}, {5, 4}, {5, 1}};
static const int doubled[][2] = {{0, -1}, {1, 0}, {2, 1}, {2, 1}, {3, 2}, {3, 2}, {4, 3}, {4, 3}, {5, 4}};

static const struct
{
    const char *name;
    int joints;
    const int (*ends)[2];
} graphs[] = {{"tree", 6, tree}, {"loops", 9, loops}, {"doubled joints", 9, doubled}};

static void closes_to_rounding (void **state)
{
    (void)state;
    oracle_random random = {51};
    const double sizes[] = {1e-9, 1e-4, 1e-2, 0.1, 0.3};
    for (int g = 0; g < 3; ++g)
        for (int i = 0; i < 5; ++i)
            for (int fixed = -1; fixed < 2; ++fixed)
            {
                rig *r = build (6, graphs[g].joints, graphs[g].ends, fixed, &random);
                rls_pose before[6];
                begin (r);
                memcpy (before, r->island.state.pose, sizeof (before));
                disturb (r, sizes[i], &random);
                assert_int_equal (rls_project_positions (&r->island, 0, 0, INT_MAX), 1);
                const double open = gap (r);
                if (!(open < 1e-14))
                    fail_msg ("%s, size %g: still open by %g", graphs[g].name, sizes[i], open);
                assert_true (r->island.account.projection_residual < 1e-14);
                assert_int_equal (r->island.account.singular_events, 0);
                assert_memory_equal (before, r->island.state.pose, sizeof (before));
                if (fixed >= 0)
                    assert_memory_equal (&before[fixed], &r->island.next.pose[fixed], sizeof (rls_pose));
                drop (r);
            }
}

/* To first order the displacement is the M-least one that closes the joints. */
static void displaces_least (void **state)
{
    (void)state;
    oracle_random random = {52};
    const double size = 1e-5;
    for (int g = 0; g < 3; ++g)
    {
        rig *r = build (6, graphs[g].joints, graphs[g].ends, -1, &random);
        rls_island *s = &r->island;
        double zero[6][6] = {{0}}, moved[6][6];
        rls_pose start[6];
        begin (r);
        disturb (r, size, &random);
        memcpy (start, s->next.pose, sizeof (start));
        evaluate (s, start);
        rls_island_inverse_inertia (s, start, &s->end.rows);
        memcpy (s->end.rows.target, s->end.rows.residual, sizeof (double) * (size_t)s->begin.rows.rows);
        oracle_system seen = view (s, zero);
        oracle_answer right = oracle_solve (&seen, NULL, 1e-7);
        assert_int_equal (rls_project_positions (s, 0, 0, INT_MAX), 1);
        for (int b = 0; b < 6; ++b) rls_pose_difference (&s->next.pose[b], &start[b], moved[b]);
        const double off = oracle_distance (6, (const double (*)[6])moved, (const double (*)[6])right.v);
        if (!(off < 100 * size * size)) fail_msg ("%s: displacement off by %g", graphs[g].name, off);
        oracle_answer_free (&right);
        drop (r);
    }
}

static void stops_at_the_tolerance (void **state)
{
    (void)state;
    oracle_random random = {53};
    rig *r = build (6, 6, tree, -1, &random);
    begin (r);
    disturb (r, 1e-4, &random);
    const double before = gap (r);
    rls_pose start[6];
    memcpy (start, r->island.next.pose, sizeof (start));
    assert_int_equal (rls_project_positions (&r->island, 1e-3, 0, INT_MAX), 1);
    assert_memory_equal (start, r->island.next.pose, sizeof (start));
    assert_true (r->island.account.projection_residual == before);
    drop (r);
}

static void velocities_are_the_nearest (void **state)
{
    (void)state;
    oracle_random random = {54};
    for (int g = 0; g < 3; ++g)
    {
        rig *r = build (6, graphs[g].joints, graphs[g].ends, 1, &random);
        rls_island *s = &r->island;
        double v[6][6];
        begin (r);
        disturb (r, 0.05, &random);
        assert_int_equal (rls_project_positions (s, 0, 0, INT_MAX), 1);
        memcpy (v, s->state.v, sizeof (v));
        assert_int_equal (rls_project_velocities (s, v), 1);
        oracle_system seen = view (s, s->state.v);
        oracle_answer right = oracle_solve (&seen, NULL, 1e-7);
        assert_true (oracle_distance (6, (const double (*)[6])v, (const double (*)[6])right.v) < 1e-13);
        double speed[MOST * 3];
        rls_rows_velocity (&s->end.rows, (const double (*)[6])v, speed);
        for (int i = 0; i < s->begin.rows.rows; ++i) assert_true (fabs (speed[i]) < 1e-14);
        oracle_answer_free (&right);
        drop (r);
    }
}

/* Two ball joints whose anchors are 1 mm further apart on one body than on the other: one row contradicts
 * the others.  The kept ones close and nothing runs away. */
static void contradictions_stay_bounded (void **state)
{
    (void)state;
    oracle_random random = {55};
    const int twice[][2] = {{0, -1}, {1, 0}, {1, 0}};
    rig *r = build (2, 3, twice, -1, &random);
    /* the second pair of anchors apart from the first, on the other body 1 mm further */
    r->anchor[2][0][0] += 0.3;
    double point[3], arm[3], R[9], from[3], out[3], length = 0;
    point_of (r, r->island.state.pose, 2, 0, point, arm);
    rls_quaternion_matrix (r->island.state.pose[0].q, R);
    for (int k = 0; k < 3; ++k) from[k] = point[k] - r->island.state.pose[0].x[k];
    rls_multiply_transposed (R, from, r->anchor[2][1]);
    for (int k = 0; k < 3; ++k)
    {
        out[k] = r->anchor[2][1][k] - r->anchor[1][1][k];
        length += out[k] * out[k];
    }
    for (int k = 0; k < 3; ++k) r->anchor[2][1][k] += 1e-3 * out[k] / sqrt (length);

    rls_island *s = &r->island;
    begin (r);
    /* decided with a tolerance that the violation calls for */
    assert_int_equal (
        rls_factor_rows (&s->begin.factor, &s->elimination.order, &s->begin.rows, 1e-4, NULL, NULL), 1);
    assert_int_equal (s->begin.factor.rank, 8);
    disturb (r, 1e-3, &random);
    assert_int_equal (rls_project_positions (s, 0, 0, INT_MAX), 1);
    assert_true (s->account.projection_residual < 1e-14);
    const double open = gap (r);
    assert_true (open > 1e-4 && open < 2e-3);
    drop (r);
}

static void unusable_rows_are_reported (void **state)
{
    (void)state;
    oracle_random random = {56};
    rig *r = build (6, 9, loops, -1, &random);
    begin (r);
    r->failing_from = 1;
    assert_int_equal (rls_project_positions (&r->island, 0, 0, INT_MAX), -1);
    r->failing_from = 0;
    r->poison = NAN;
    assert_int_equal (rls_project_positions (&r->island, 0, 0, INT_MAX), -1);
    drop (r);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (closes_to_rounding),          cmocka_unit_test (displaces_least),
        cmocka_unit_test (stops_at_the_tolerance),      cmocka_unit_test (velocities_are_the_nearest),
        cmocka_unit_test (contradictions_stay_bounded), cmocka_unit_test (unusable_rows_are_reported),
    };
    return cmocka_run_group_tests (tests, NULL, NULL);
}
