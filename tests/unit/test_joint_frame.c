/*
 * Rows of joints that have a frame, at any pose, are those that ODE gives there: for every kind, whichever
 * way it is attached, closed or open.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>
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

static dJointID slider (scene *s, int a, int b, const double axis[3])
{
    const dJointID joint = scene_joint (s, dJointCreateSlider, a, b);
    dJointSetSliderAxis (joint, (dReal)axis[0], (dReal)axis[1], (dReal)axis[2]);
    return joint;
}

/* Of hinges and sliders: oblique, along the world's axes, and on either side of where ODE chooses p and q in
 * another plane. */
static const double axes[][3] = {{0.48, -0.6, 0.64},
                                 {1, 0, 0},
                                 {0, -1, 0},
                                 {0, 0, 1},
                                 {0.6, 0, 0.8},
                                 {0, 0.8, 0.6},
                                 {-0.7, 0.1414213562373095, -0.7}};
#define AXES ((int)(sizeof (axes) / sizeof (axes[0])))

/* Joint 0 of a scene of two boxes. */
static scene build (int kind, int a, int b, const double axis[3])
{
    scene s = scene_open (0);
    const double anchor[3] = {0.3, -0.2, 0.7};
    scene_box (&s, 0, 0, 0, 1, 1, 2, 3);
    scene_box (&s, 1, 1, 0, 2, 3, 2, 1);
    dQuaternion turn;
    dQFromAxisAndAngle (turn, 1, 2, 3, 1);
    dBodySetQuaternion (s.body[1], turn);
    if (kind == RLS_FRAME_BALL)
        scene_ball (&s, a, b, anchor);
    else if (kind == RLS_FRAME_HINGE)
        scene_hinge (&s, a, b, anchor, axis);
    else if (kind == RLS_FRAME_SLIDER)
        slider (&s, a, b, axis);
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
    const rls_workspace *workspace = s->stepper->workspaces.of[0];
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
    rls_workspace *workspace = s->stepper->workspaces.of[0];
    rls_island *island = &workspace->island;
    const dJointID joint = workspace->objects.joint[0];
    const dJointType type = dJointGetType (joint);
    const int m = rls_ode_base_rows (type);
    unsigned seed = 7;
    rls_pose pose[2];
    rls_ode_rows right;
    assert_int_equal (island->mechanism.frame[0].kind, kind);
    assert_int_equal (island->begin.rows.rows, m);
    const int all = rls_ode_row_count (joint);
    for (int i = 0; i < POSES; ++i)
    {
        move (s, island, pose, i % 2 ? OPEN : 1e-6, &seed);
        assert_int_equal (island->provider.rows (island, pose), 1);
        assert_int_equal (rls_ode_row_count (joint), all);
        rls_ode_get_rows (joint, all, 1, 1, 0, &right);
        rls_row room[RLS_MAX_ROWS];
        const rls_row *J = rls_joint_rows (&island->end.rows, 0, room);
        assert_int_equal (J == (const rls_row *)room, kind != RLS_FRAME_SLIDER); /* compact, or written out */
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
        for (int i = 0; i < 3 * AXES; ++i)
        {
            scene s = build (kind, attached[i % 3][0], attached[i % 3][1], axes[i / 3]);
            compare (&s, kind);
            scene_close (&s);
        }
}

/* A spring along or about the axis is another row, and leaves those of the joint as they are. */
static void so_are_those_beside_springs (void **state)
{
    (void)state;
    const dReal locked[] = {dParamLoStop, 0, dParamHiStop, 0, dParamStopCFM, (dReal)0.01};
    for (int i = 0; i < 2 * AXES; ++i)
    {
        const int kind = i % 2 ? RLS_FRAME_SLIDER : RLS_FRAME_HINGE;
        scene s = build (kind, 0, 1, axes[i / 2]);
        for (int k = 0; k < 6; k += 2)
            (i % 2 ? dJointSetSliderParam : dJointSetHingeParam) (s.joint[0], (int)locked[k], locked[k + 1]);
        scene_step (&s, H, 1);
        assert_int_equal (s.stepper->workspaces.of[0]->island.begin.bounded.rows, 1);
        compare (&s, kind);
        scene_close (&s);
    }
}

/* What ODE keeps of a slider is found to the last bit: its second body is not turned, so that the offset is a
 * difference of places. */
static void sliders_are_known_exactly (void **state)
{
    (void)state;
    for (int i = 0; i < 2 * AXES; ++i)
    {
        scene s = scene_open (0);
        scene_box (&s, 0.1, -0.7, 0.3, 1, 1, 2, 3);
        scene_box (&s, 1.3, 0.2, 2.1, 2, 3, 2, 1);
        dQuaternion turn, between, none = {1, 0, 0, 0};
        dQFromAxisAndAngle (turn, 1, 2, 3, (dReal)(i - AXES + 0.5));
        dBodySetQuaternion (s.body[0], turn);
        slider (&s, 0, i % 2 ? NO_BODY : 1, axes[i / 2]);
        dQMultiply1 (between, dBodyGetQuaternion (s.body[0]), none);
        double offset[3];
        for (int k = 0; k < 3; ++k)
            offset[k] = dBodyGetPosition (s.body[0])[k] - (i % 2 ? 0 : dBodyGetPosition (s.body[1])[k]);
        scene_step (&s, H, 1);
        const rls_joint_frame *frame = &s.stepper->workspaces.of[0]->island.mechanism.frame[0];
        const double sign = between[0] < 0 ? -1 : 1;
        assert_int_equal (frame->kind, RLS_FRAME_SLIDER);
        assert_true (frame->turn[0] == sign * between[0]);
        for (int k = 0; k < 3; ++k)
        {
            assert_true (frame->anchor[1][k] == offset[k]);
            assert_true (frame->turn[1 + k] == -sign * between[1 + k]);
        }
        scene_close (&s);
    }
}

/* H v along a motion with velocities held changes by -wanted, whatever the kind: what rates add up to. */
static void rates_are_derivatives (void **state)
{
    (void)state;
    const double time = 1e-5, moves[12] = {0.4, 0.2, -0.6, 0.3, -0.5, 0.7, -0.1, 0.8, 0.5, -0.2, 0.4, 0.6};
    for (int kind = RLS_FRAME_BALL; kind < RLS_FRAME_KINDS; ++kind)
    {
        scene s = build (kind, 0, 1, axes[0]);
        rls_island *island = &s.stepper->workspaces.of[0]->island;
        double rates[RLS_MAX_ROWS][12], sample[2][RLS_MAX_ROWS][12], along[2][12];
        const int m = island->begin.rows.rows;
        for (int side = 0; side < 2; ++side)
        {
            rls_pose pose[2];
            for (int b = 0; b < 2; ++b)
            {
                const double *u = b == island->mechanism.body[0][0] ? moves : moves + 6;
                double d[6];
                for (int k = 0; k < 6; ++k) d[k] = (side ? 1 : -1) * time * u[k];
                pose[b] = island->next.pose[b];
                rls_pose_displace (&pose[b], d);
            }
            assert_int_equal (island->provider.rows (island, pose), 1);
            const rls_row *there = rls_joint_rows (&island->end.rows, 0, sample[side]);
            if (there != (const rls_row *)sample[side])
                memcpy (sample[side], there, sizeof (rls_row) * (size_t)m);
        }
        assert_int_equal (island->provider.rows (island, island->next.pose), 1);
        rls_row room[RLS_MAX_ROWS];
        const rls_row *J = rls_joint_rows (&island->end.rows, 0, room);
        rls_joint_frame_rates (island, 0, J, moves, rates);
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
        cmocka_unit_test (so_are_those_beside_springs),
        cmocka_unit_test (sliders_are_known_exactly),
        cmocka_unit_test (rates_are_derivatives),
    };
    return cmocka_run_group_tests (tests, scene_start_ode, scene_stop_ode);
}
