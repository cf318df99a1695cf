/* Bounded problems written down row by row. */
#include "oracle_bounded.h"
#include "island/rotation.h"
#include "release.h"
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include <math.h>
#include <ode_rls/ode_rls.h>
#include <stdlib.h>
#include <string.h>

rls_island *oracle_bounded_create (int bodies, int most_joints, int most_rows)
{
    static const double origin[3] = {0, 0, 0};
    rls_island *s = oracle_allocate (1, sizeof (*s));
    assert_int_equal (rls_island_lay_out (s, bodies, 0, 0, 0, most_joints, most_rows), 1);
    s->begin.bounded.joints = s->begin.bounded.rows = s->mechanism.row0[0] = s->begin.bounded.row0[0] = 0;
    for (int b = 0; b < bodies; ++b) oracle_bounded_ball (s, b, 1, sqrt (2.5), origin);
    rls_rows_attach (&s->begin.rows, bodies, s->mechanism.attach0, s->mechanism.attach);
    assert_int_equal (rls_order_analyse (&s->elimination.order, &s->begin.rows, dRLSOrderMinDegree, NULL), 1);
    assert_int_equal (
        rls_factor_rows (&s->begin.factor, &s->elimination.order, &s->begin.rows, 1e-9, NULL, NULL), 1);
    return s;
}

void oracle_bounded_free (rls_island *s)
{
    rls_bounded_free (s->bounded_kept);
    rls_bounded_free_work (s->bounded_work);
    release_island (s);
    free (s);
}

void oracle_bounded_ball (rls_island *s, int b, double mass, double radius, const double x[3])
{
    s->model.movable[b] = 1;
    s->model.turn[b] = RLS_TURN_INFINITESIMAL;
    s->model.gyroscopic[b] = 0;
    s->model.max_turn[b] = HUGE_VAL;
    s->model.mass[b] = mass;
    memset (s->model.inertia[b], 0, sizeof (*s->model.inertia));
    memset (s->model.inverse_inertia[b], 0, sizeof (*s->model.inverse_inertia));
    for (int k = 0; k < 3; ++k)
    {
        s->model.inertia[b][4 * k] = 0.4 * mass * radius * radius;
        s->model.inverse_inertia[b][4 * k] = 1 / s->model.inertia[b][4 * k];
    }
    s->state.pose[b] = (rls_pose){.q = {1, 0, 0, 0}};
    memcpy (s->state.pose[b].x, x, sizeof (double[3]));
    memset (s->state.v[b], 0, sizeof (*s->state.v));
    memset (s->applied.force[b], 0, sizeof (*s->applied.force));
}

int oracle_bounded_joint (rls_island *s, const int body[2], uint64_t key)
{
    rls_bounded *b = &s->begin.bounded;
    const int j = b->joints++;
    memcpy (b->body[j], body, sizeof (*b->body));
    b->key[j] = key;
    b->row0[j + 1] = b->rows;
    memset (b->arm[j], 0, sizeof (*b->arm));
    return j;
}

int oracle_bounded_row (rls_island *s, const double J[12], double softness, double target, double lo,
                        double hi, int follow)
{
    rls_bounded *b = &s->begin.bounded;
    const int r = b->rows++;
    memcpy (b->J[r], J, sizeof (*b->J));
    b->softness[r] = softness;
    b->mobility[r] = 0;
    b->target[r] = target;
    b->lo[r] = lo;
    b->hi[r] = hi;
    b->follow[r] = follow;
    b->row0[b->joints] = b->rows;
    return r;
}

int oracle_bounded_contact (rls_island *s, const int body[2], const double point[3], const double normal[3],
                            double mu, double softness, double target)
{
    double axis[3][3], arm[2][3] = {{0}};
    memcpy (axis[0], normal, sizeof (axis[0]));
    const int least = fabs (normal[0]) < 0.6 ? 0 : 1;
    const double other[3] = {least == 0, least == 1, 0};
    rls_cross (normal, other, axis[1]);
    const double length = sqrt (axis[1][0] * axis[1][0] + axis[1][1] * axis[1][1] + axis[1][2] * axis[1][2]);
    for (int k = 0; k < 3; ++k) axis[1][k] /= length;
    rls_cross (normal, axis[1], axis[2]);

    const int joint = oracle_bounded_joint (s, body, (uint64_t)(body[0] + 1) << 32 | (uint64_t)(body[1] + 1)),
              first = s->begin.bounded.rows;
    for (int side = 0; side < 2; ++side)
        for (int k = 0; k < 3 && body[side] >= 0; ++k)
            arm[side][k] = point[k] - s->state.pose[body[side]].x[k];
    memcpy (s->begin.bounded.arm[joint], arm[0], sizeof (arm[0]));
    for (int a = 0; a < 3; ++a)
    {
        double J[12] = {0}, moment[3];
        for (int side = 0; side < 2; ++side)
        {
            if (body[side] < 0) continue;
            rls_cross (arm[side], axis[a], moment);
            for (int k = 0; k < 3; ++k)
            {
                J[6 * side + k] = side ? -axis[a][k] : axis[a][k];
                J[6 * side + 3 + k] = side ? -moment[k] : moment[k];
            }
        }
        if (a == 0)
            oracle_bounded_row (s, J, softness, target, 0, HUGE_VAL, -1);
        else
            oracle_bounded_row (s, J, softness, 0, -mu, mu, first);
    }
    return joint;
}

void oracle_bounded_solve (rls_island *s, double h, double g, double tolerance, int iterations)
{
    const rls_bounded_settings settings = {
        .iterations = iterations, .tolerance = tolerance, .scale = 1, .kick = h * g};
    rls_island_inverse_inertia (s, s->state.pose, &s->begin.rows);
    rls_form_bounded_columns (&s->begin.rows, &s->begin.bounded);
    rls_rows_attach (&s->begin.rows, s->model.bodies, s->mechanism.attach0, s->mechanism.attach);
    memcpy (s->next.v, s->state.v, sizeof (*s->state.v) * (size_t)s->model.bodies);
    for (int i = 0; i < s->model.bodies; ++i) s->next.v[i][2] -= s->model.movable[i] ? h * g : 0;
    assert_int_equal (rls_bounded_solve (s, &settings, s->next.v), 1);
}
