/*
 * Rows of joints that have a frame, at any pose, are those that ODE gives there: for every kind, whichever
 * way it is attached, closed or open.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include "island/joint_frame.h"
#include "oracle_scene.h"
#include "island/rotation.h"
#include "stepper/stepper.h"

#define H ((dReal)0.01)
#define POSES 40
#define OPEN 0.3   /* m or rad by which bodies are moved */
#define SAME 1e-13 /* of entries of the order of 1 */

static dJointID universal (scene *s, int a, int b, const double anchor[3])
{
    const dJointID joint = scene_joint (s, dJointCreateUniversal, a, b);
    dJointSetUniversalAnchor (joint, (dReal)anchor[0], (dReal)anchor[1], (dReal)anchor[2]);
    dVector3 first = {1, (dReal)0.2, (dReal)0.3}, second = {(dReal)0.1, (dReal)-0.7, (dReal)0.7};
    dNormalize3 (first); /* in the world ODE's errors grow with their lengths (test_axis_length.c) */
    dNormalize3 (second);
    dJointSetUniversalAxis2 (joint, second[0], second[1], second[2]);
    dJointSetUniversalAxis1 (joint, first[0], first[1], first[2]);
    return joint;
}

/* Joint 0 of a scene of two boxes. */
static scene build (int kind, int a, int b)
{
    scene s = scene_open (0);
    const double anchor[3] = {0.3, -0.2, 0.7}, axis[3] = {0.48, -0.6, 0.64};
    scene_box (&s, 0, 0, 0, 1, 1, 2, 3);
    scene_box (&s, 1, 1, 0, 2, 3, 2, 1);
    dQuaternion turn;
    dQFromAxisAndAngle (turn, 1, 2, 3, 1);
    dBodySetQuaternion (s.body[1], turn);
    if (kind == RLS_FRAME_BALL)
        scene_ball (&s, a, b, anchor);
    else if (kind == RLS_FRAME_HINGE)
        scene_hinge (&s, a, b, anchor, axis);
    else
        universal (&s, a, b, anchor);
    scene_step (&s, H, 1); /* the next would leave the workspace for a batch */
    return s;
}

static double draw (unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return 2 * ((*seed >> 8) / 16777216.0) - 1;
}

static void move (scene *s, const rls_island *island, rls_pose *pose, double by, unsigned *seed)
{
    const rls_workspace *workspace = s->stepper->workspaces[0];
    for (int b = 0; b < island->model.bodies; ++b)
    {
        double d[6];
        for (int k = 0; k < 6; ++k) d[k] = by * draw (seed);
        pose[b] = island->next.pose[b];
        rls_pose_displace (&pose[b], d);
        rls_quaternion_normalise (pose[b].q);
        rls_set_pose (workspace, b, &pose[b]);
    }
}

static void compare (scene *s, int kind)
{
    rls_workspace *workspace = s->stepper->workspaces[0];
    rls_island *island = &workspace->island;
    const dJointID joint = workspace->objects.joint[0];
    const dJointType type = dJointGetType (joint);
    const int m = rls_ode_base_rows (type);
    unsigned seed = 7;
    rls_pose pose[2];
    rls_ode_rows right;
    assert_int_equal (island->mechanism.frame[0].kind, kind);
    assert_int_equal (island->begin.rows.rows, m);
    for (int i = 0; i < POSES; ++i)
    {
        move (s, island, pose, i % 2 ? OPEN : 1e-6, &seed);
        assert_int_equal (island->provider.rows (island, pose), 1);
        assert_int_equal (rls_ode_row_count (joint), m);
        rls_ode_get_rows (joint, m, 1, 1, 0, &right);
        rls_row room[RLS_MAX_ROWS];
        const rls_row *J = rls_joint_rows (&island->end.rows, 0, room);
        assert_true (J == (const rls_row *)room);
        for (int r = 0; r < m; ++r)
        {
            const dReal own = rls_ode_own_erp (joint, type, r);
            const double open = right.rhs_cfm[r][0] / (own >= 0 ? own : 1);
            for (int k = 0; k < 12; ++k) assert_true (fabs (J[r][k] - right.J[r][k]) < SAME);
            assert_true (fabs (island->end.rows.residual[r] - open) < SAME);
        }
    }
}

static void rows_are_those_of_ode (void **state)
{
    (void)state;
    const int attached[3][2] = {{0, 1}, {1, NO_BODY}, {NO_BODY, 1}};
    for (int kind = RLS_FRAME_BALL; kind < RLS_FRAME_KINDS; ++kind)
        for (int i = 0; i < 3; ++i)
        {
            scene s = build (kind, attached[i][0], attached[i][1]);
            compare (&s, kind);
            scene_close (&s);
        }
}

/* H v along a motion with velocities held changes by -wanted, whatever the kind: what rates add up to. */
static void rates_are_derivatives (void **state)
{
    (void)state;
    const double time = 1e-5, w1[3] = {0.3, -0.5, 0.7}, w2[3] = {-0.2, 0.4, 0.6};
    for (int kind = RLS_FRAME_BALL; kind < RLS_FRAME_KINDS; ++kind)
    {
        scene s = build (kind, 0, 1);
        rls_island *island = &s.stepper->workspaces[0]->island;
        double rates[RLS_MAX_ROWS][12], sample[2][RLS_MAX_ROWS][12], along[2][12];
        const int m = island->begin.rows.rows;
        for (int side = 0; side < 2; ++side)
        {
            rls_pose pose[2];
            for (int b = 0; b < 2; ++b)
            {
                const double *w = b == island->mechanism.body1[0] ? w1 : w2;
                double d[6] = {0};
                for (int k = 0; k < 3; ++k) d[3 + k] = (side ? 1 : -1) * time * w[k];
                pose[b] = island->next.pose[b];
                rls_pose_displace (&pose[b], d);
            }
            assert_int_equal (island->provider.rows (island, pose), 1);
            rls_joint_rows (&island->end.rows, 0, sample[side]);
        }
        assert_int_equal (island->provider.rows (island, island->next.pose), 1);
        rls_row room[RLS_MAX_ROWS];
        const rls_row *J = rls_joint_rows (&island->end.rows, 0, room);
        rls_joint_frame_rates (island, 0, J, w1, w2, rates);
        /* only what changes the space that the rows span: its effect on a vector that they do not see */
        unsigned seed = 3;
        double v[12], x[RLS_MAX_ROWS];
        for (int k = 0; k < 12; ++k) v[k] = draw (&seed);
        for (int r = 0; r < m; ++r)
        {
            x[r] = 0;
            for (int k = 0; k < 12; ++k) x[r] += J[r][k] * v[k];
        }
        assert_int_equal (rls_rows_shortest (m, J, x, along[0]), 1);
        for (int k = 0; k < 12; ++k) along[1][k] = v[k] - along[0][k];
        for (int r = 0; r < m; ++r)
        {
            double rate = 0, change = 0;
            for (int k = 0; k < 12; ++k)
            {
                rate += rates[r][k] * along[1][k];
                change += (sample[1][r][k] - sample[0][r][k]) / (2 * time) * along[1][k];
            }
            assert_true (fabs (rate - change) < 1e-8);
        }
        scene_close (&s);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (rows_are_those_of_ode),
        cmocka_unit_test (rates_are_derivatives),
    };
    return cmocka_run_group_tests (tests, scene_start_ode, scene_stop_ode);
}
