/*
 * The door to ODE: the check of the library, the rows of every type of joint, islands, and work on ODE's own
 * threads.
 */
#include "measure_rig.h"
#include "ode/ode_prepare.h"
#include "ode/gather.h"
#include "oracle.h"
#include "oracle_scene.h"
#include "workers.h"
#include <float.h>
#include <stdlib.h>

typedef struct
{
    const char *name;
    dJointID (*create) (dWorldID, dJointGroupID);
    void (*set) (rig *);
    int rows;
    unsigned places; /* 1 << place */
    unsigned exact;  /* places where ODE's rows are the derivatives of their residuals */
    int upright;
} kind;

#define EVERYWHERE 15u
#define TWO_BODIES 3u
#define ONE_BODY 12u
#define NOT_AFTER_WORLD 7u
#define NOWHERE 0u

static void set_nothing (rig *r) { (void)r; }

static const kind kinds[] = {
    {"ball", dJointCreateBall, set_ball, 3, EVERYWHERE, EVERYWHERE, 0},
    {"hinge", dJointCreateHinge, set_hinge, 5, EVERYWHERE, EVERYWHERE, 0},
    {"slider", dJointCreateSlider, set_slider, 5, EVERYWHERE, EVERYWHERE, 0},
    {"universal", dJointCreateUniversal, set_universal, 4, EVERYWHERE, EVERYWHERE, 0},
    {"hinge2", dJointCreateHinge2, set_hinge2, 4, TWO_BODIES, TWO_BODIES, 0},
    {"fixed", dJointCreateFixed, set_fixed, 6, EVERYWHERE, EVERYWHERE, 0},
    {"null", dJointCreateNull, set_nothing, 0, EVERYWHERE, NOWHERE, 0},
    {"amotor", dJointCreateAMotor, set_nothing, 0, EVERYWHERE, NOWHERE, 0},
    {"lmotor", dJointCreateLMotor, set_nothing, 0, EVERYWHERE, NOWHERE, 0},
    {"plane2d", dJointCreatePlane2D, set_plane2d, 3, ONE_BODY, NOWHERE, 1},
    {"PR", dJointCreatePR, set_pr, 4, EVERYWHERE, NOT_AFTER_WORLD, 0},
    {"PU", dJointCreatePU, set_pu, 3, EVERYWHERE, 1u << AFTER_WORLD, 0},
    {"piston", dJointCreatePiston, set_piston, 4, EVERYWHERE, NOT_AFTER_WORLD, 0},
    {"dball", dJointCreateDBall, set_dball, 1, EVERYWHERE, EVERYWHERE, 0},
    {"dhinge", dJointCreateDHinge, set_dhinge, 4, EVERYWHERE, EVERYWHERE, 0},
    {"spur gears", dJointCreateTransmission, set_spur_gears, 1, TWO_BODIES, NOWHERE, 0},
};

static void for_each_kind (void (*check) (const kind *, rig *, place))
{
    for (size_t i = 0; i < sizeof (kinds) / sizeof (kinds[0]); ++i)
        for (int where = 0; where < PLACES; ++where)
        {
            rig r;
            if (!(kinds[i].places & 1u << where)) continue;
            build_rig (&r, kinds[i].create, (place)where, kinds[i].upright);
            kinds[i].set (&r);
            check (&kinds[i], &r, (place)where);
            drop_rig (&r);
        }
}

static void the_library_is_the_one (void **state)
{
    (void)state;
    for (int i = 0; i < 3; ++i) assert_int_equal (rls_ode_prepare (NULL), dRLSStatusOk);
}

static void check_counts (const kind *k, rig *r, place where)
{
    dBodyID bodies[2];
    rls_ode_rows rows;
    const dJointType type = dJointGetType (r->joint);
    assert_int_equal (rls_ode_row_count (r->joint), k->rows);
    assert_int_equal (rls_ode_base_rows (type), k->rows);
    rls_ode_joint_bodies (r->joint, bodies);
    assert_ptr_equal (bodies[0], where == SECOND ? r->resting : r->moving);
    assert_ptr_equal (bodies[1], where == SECOND ? r->moving : where == FIRST ? r->resting : NULL);
    if (k->rows == 0) return; /* ODE must not be asked */
    rls_ode_get_rows (r->joint, k->rows, 1, 1, (dReal)0.25, &rows);
    for (int row = 0; row < k->rows; ++row)
    {
        double size[2] = {0};
        for (int c = 0; c < 12; ++c) size[c / 6] += fabs ((double)rows.J[row][c]);
        assert_true (size[0] > 0.1);
        assert_true (bodies[1] || size[1] == 0);
        assert_true (rows.lo_hi[row][0] == -dInfinity && rows.lo_hi[row][1] == dInfinity);
        assert_int_equal (rows.findex[row], -1);
    }
}

static void row_counts_and_columns (void **state)
{
    (void)state;
    for_each_kind (check_counts);
}

/* ---- stops ---- */

#define ROUNDING (sizeof (dReal) < sizeof (double) ? (double)FLT_EPSILON : DBL_EPSILON)

/* What axes and angles say of stops is what ODE answers when it is asked for their rows. */
static void check_stops (const kind *k, rig *r, place where)
{
    const dJointType type = dJointGetType (r->joint);
    const rls_ode_parameters *t = rls_ode_parameters_of (type);
    const rig_motion turned = {AT_ANCHOR, {0.6, 0, 0.8}, 0.25, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    const double reaches[] = {0.1, 0.6, 1000};
    if (type != dJointTypeHinge && type != dJointTypeUniversal) return;
    displace (r, &turned);
    for (int axis = 0; axis < t->axes; ++axis)
    {
        rls_ode_set (t, r->joint, axis, dParamLoStop, (dReal)-0.3);
        rls_ode_set (t, r->joint, axis, dParamHiStop, (dReal)0.4);
    }
    for (int number = 0; number < 2 * t->axes; ++number)
        for (int i = 0; i < 3; ++i)
        {
            double angles[2], told[12], answered[12], gap = 0, answered_gap = 0;
            const int known = rls_look_at_angles (r->joint, angles),
                      found = rls_read_stop (r->joint, number, known ? angles : NULL, reaches[i], told, &gap);
            assert_int_equal (known, where < (k->rows == 5 ? AFTER_WORLD : BEFORE_WORLD));
            assert_int_equal (found,
                              rls_read_stop (r->joint, number, NULL, reaches[i], answered, &answered_gap));
            for (int c = 0; c < 12 && found; ++c) assert_true (fabs (told[c] - answered[c]) <= 4 * ROUNDING);
            if (found) assert_true (fabs (gap - answered_gap) <= 4 * ROUNDING * (1 + reaches[i]));
        }
}

static void stops_follow_from_axes (void **state)
{
    (void)state;
    for_each_kind (check_stops);
}

/* ---- rows are the derivatives of their residuals ---- */

/* Position residuals: with fps = 1 the right-hand sides over the ERP in them. */
static void residuals (const kind *k, rig *r, double *out)
{
    rls_ode_rows rows;
    rls_ode_get_rows (r->joint, k->rows, 1, 1, 0, &rows);
    for (int row = 0; row < k->rows; ++row)
    {
        const dReal own = rls_ode_own_erp (r->joint, dJointGetType (r->joint), row);
        out[row] = (double)rows.rhs_cfm[row][0] / (own >= 0 ? (double)own : 1);
    }
}

/* Moves a body along (0..2) or turns it about (3..5) a world axis. */
static void nudge (dBodyID body, int way, double by)
{
    const dReal *at = dBodyGetPosition (body);
    dVector3 x = {at[0], at[1], at[2]}, axis = {0};
    dQuaternion turn, turned;
    if (way < 3)
        x[way] += (dReal)by;
    else
        axis[way - 3] = 1;
    dBodySetPosition (body, x[0], x[1], x[2]);
    if (way < 3) return;
    dQFromAxisAndAngle (turn, axis[0], axis[1], axis[2], (dReal)by);
    dQMultiply0 (turned, turn, dBodyGetQuaternion (body));
    dBodySetQuaternion (body, turned);
}

/*
 * Moving a body by dq changes the residuals by -J dq, by central differences.  Some types have rows that are
 * right only together with the joint's other rows, so it is the spaces that the rows span that must agree:
 * both together have the rank of one.
 */
static void check_derivative (const kind *k, rig *r, place where)
{
    const double e = 1e-5;
    rls_ode_rows rows;
    dBodyID bodies[2];
    oracle_matrix both = oracle_zeros (2 * k->rows, 12);
    rls_ode_joint_bodies (r->joint, bodies);
    rls_ode_get_rows (r->joint, k->rows, 1, 1, 0, &rows);
    for (int c = 0; c < 12; ++c)
    {
        double ahead[6] = {0}, behind[6] = {0};
        if (bodies[c / 6])
        {
            nudge (bodies[c / 6], c % 6, e);
            residuals (k, r, ahead);
            nudge (bodies[c / 6], c % 6, -2 * e);
            residuals (k, r, behind);
            nudge (bodies[c / 6], c % 6, e);
        }
        for (int row = 0; row < k->rows; ++row)
        {
            oracle_row (&both, row)[c] = (double)rows.J[row][c];
            oracle_row (&both, k->rows + row)[c] = (behind[row] - ahead[row]) / (2 * e);
        }
    }
    oracle_svd svd = oracle_decompose (&both);
    if (!(svd.s[k->rows - 1] > 0.05 && svd.s[k->rows] < 1e-9))
        fail_msg ("%s, place %d: singular values %g, %g", k->name, where, svd.s[k->rows - 1], svd.s[k->rows]);
    oracle_svd_free (&svd);
    oracle_free (&both);
}

/* At the start and after a while of free motion.  ODE's own rows are wrong in the places left out. */
static void rows_are_derivatives (void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof (kinds) / sizeof (kinds[0]); ++i)
        for (int where = 0; where < PLACES; ++where)
        {
            rig r;
            if (!(kinds[i].exact & 1u << where)) continue;
            build_rig (&r, kinds[i].create, (place)where, kinds[i].upright);
            kinds[i].set (&r);
            check_derivative (&kinds[i], &r, (place)where);
            dBodySetAngularVel (r.moving, (dReal)0.3, (dReal)0.5, (dReal)-0.7);
            dBodySetAngularVel (r.resting, (dReal)-0.3, (dReal)0.5, (dReal)0.4);
            dBodySetLinearVel (r.moving, (dReal)0.5, (dReal)0.5, (dReal)0.7);
            const dRLSStepperID stepper = dRLSStepperCreate (r.world, NULL);
            for (int step = 0; step < 60; ++step)
                assert_int_equal (dRLSStepperStep (stepper, (dReal)0.01), 1);
            dRLSStepperDestroy (stepper);
            check_derivative (&kinds[i], &r, (place)where);
            drop_rig (&r);
        }
}

/* The ERP that a joint keeps for itself is found and no other. */
static void own_erp (void **state)
{
    (void)state;
    scene s = scene_open (0);
    dWorldSetERP (s.world, (dReal)0.35);
    scene_box (&s, 0, 0, 0, 1, 1, 1, 1);
    const dJointID ball = scene_ball (&s, 0, NO_BODY, (const double[3]){0, 0, 0});
    const dJointID hinge =
        scene_hinge (&s, 0, NO_BODY, (const double[3]){0, 0, 0}, (const double[3]){0, 0, 1});
    assert_true (rls_ode_own_erp (ball, dJointTypeBall, 1) == (dReal)0.35);
    dJointSetBallParam (ball, dParamERP, (dReal)0.6);
    assert_true (rls_ode_own_erp (ball, dJointTypeBall, 1) == (dReal)0.6);
    assert_true (rls_ode_own_erp (hinge, dJointTypeHinge, 4) == -1);
    dJointSetHingeParam (hinge, dParamStopERP, (dReal)0.45);
    assert_true (rls_ode_own_erp (hinge, dJointTypeHinge, 5) == (dReal)0.45);
    scene_close (&s);
}

static void limits_add_rows (void **state)
{
    (void)state;
    scene s = scene_open (0);
    scene_box (&s, 0, 0, 0, 1, 1, 1, 1);
    const dJointID hinge =
        scene_hinge (&s, 0, NO_BODY, (const double[3]){0, 0, 0}, (const double[3]){0, 0, 1});
    rls_ode_rows rows;
    dJointSetHingeParam (hinge, dParamLoStop, (dReal)0.1);
    dJointSetHingeParam (hinge, dParamHiStop, 1);
    assert_int_equal (rls_ode_row_count (hinge), 6);
    rls_ode_get_rows (hinge, 6, 1, 1, 0, &rows);
    assert_true (rows.lo_hi[5][0] == 0 || rows.lo_hi[5][1] == 0);
    dJointSetHingeParam (hinge, dParamLoStop, -1);
    assert_int_equal (rls_ode_row_count (hinge), 5);
    scene_close (&s);
}

/* What a joint is given shows in its own memory; what ODE notes there when it is asked does not. */
static void own_memory_of_joints (void **state)
{
    (void)state;
    unsigned char copy[512];
    scene s = scene_open (0);
    scene_box (&s, 0, 0, 0, 1, 1, 1, 1);
    const dJointID ball = scene_ball (&s, 0, NO_BODY, (const double[3]){0, 0, 0}),
                   hinge =
                       scene_hinge (&s, 0, NO_BODY, (const double[3]){0, 0, 0}, (const double[3]){0, 0, 1}),
                   universal = scene_joint (&s, dJointCreateUniversal, 0, NO_BODY);
    const struct
    {
        dJointID joint;
        int parameter;
        void (*set) (dJointID joint, int parameter, dReal value);
    } changes[] = {
        {ball, dParamERP, dJointSetBallParam},
        {ball, dParamCFM, dJointSetBallParam},
        {hinge, dParamLoStop, dJointSetHingeParam},
        {hinge, dParamHiStop, dJointSetHingeParam},
        {hinge, dParamFMax, dJointSetHingeParam},
        {hinge, dParamVel, dJointSetHingeParam},
        {hinge, dParamBounce, dJointSetHingeParam},
        {universal, dParamLoStop1, dJointSetUniversalParam},
        {universal, dParamLoStop2, dJointSetUniversalParam},
        {universal, dParamHiStop2, dJointSetUniversalParam},
        {universal, dParamFMax2, dJointSetUniversalParam},
    };
    for (size_t i = 0; i < sizeof (changes) / sizeof (*changes); ++i)
    {
        const dJointID joint = changes[i].joint;
        const dJointType type = dJointGetType (joint);
        const size_t size = rls_ode_own_size (joint, type);
        assert_true (size > 0 && size <= sizeof (copy));
        rls_ode_own_copy (joint, type, copy);
        assert_true (rls_ode_own_same (joint, type, copy));
        changes[i].set (joint, changes[i].parameter, (dReal)0.125);
        assert_false (rls_ode_own_same (joint, type, copy));
        rls_ode_own_copy (joint, type, copy);
        rls_ode_row_count (joint); /* some are at their stops */
        assert_true (rls_ode_own_same (joint, type, copy));
    }
    rls_ode_own_copy (hinge, dJointTypeHinge, copy);
    dJointSetHingeAnchor (hinge, 0, 0, (dReal)1e-12);
    assert_false (rls_ode_own_same (hinge, dJointTypeHinge, copy));
    rls_ode_own_copy (hinge, dJointTypeHinge, copy);
    dJointSetHingeAxis (hinge, 0, (dReal)1e-9, 1);
    assert_false (rls_ode_own_same (hinge, dJointTypeHinge, copy));
    assert_int_equal (rls_ode_own_size (scene_joint (&s, dJointCreateSlider, 0, NO_BODY), dJointTypeSlider),
                      0);
    scene_close (&s);
}

static void islands_of_a_world (void **state)
{
    (void)state;
    scene s = scene_open (0);
    rls_ode_islands found;
    assert_int_equal (rls_ode_find_islands (s.world, (dReal)0.01, &found), 1);
    assert_int_equal (found.count, 0);
    for (int b = 0; b < 7; ++b) scene_box (&s, b, 0, 0, 1, 1, 1, 1);
    const double anchor[3] = {0, 0, 0};
    scene_ball (&s, 0, 1, anchor);
    scene_ball (&s, 1, 2, anchor);
    scene_ball (&s, 2, NO_BODY, anchor);
    scene_ball (&s, 3, NO_BODY, anchor);
    scene_ball (&s, 4, NO_BODY, anchor);
    dBodyDisable (s.body[5]);
    assert_int_equal (rls_ode_find_islands (s.world, (dReal)0.01, &found), 1);
    assert_int_equal (found.count, 4);
    unsigned bodies = 0, joints = 0, largest = 0;
    for (size_t i = 0; i < found.count; ++i)
    {
        bodies += found.sizes[2 * i], joints += found.sizes[2 * i + 1];
        if (found.sizes[2 * i] > largest) largest = found.sizes[2 * i];
    }
    assert_int_equal (bodies, 6);
    assert_int_equal (joints, 5);
    assert_int_equal (largest, 3);
    for (unsigned b = 0; b < bodies; ++b) assert_ptr_not_equal (found.bodies[b], s.body[5]);
    scene_close (&s);
}

/* ---- work on ODE's threads ---- */

typedef struct
{
    rls_ode_task task;
    int runs;
    double sum;
} piece_of_work;

static void work (rls_ode_task *task)
{
    piece_of_work *p = (piece_of_work *)(void *)task;
    ++p->runs;
    for (int i = 1; i < 20000; ++i) p->sum += 1.0 / i;
}

#define TASKS 50

static void tasks_run_once (void **state)
{
    (void)state;
    for (unsigned threads = 0; threads <= 4; ++threads)
    {
        scene s = scene_open (0);
        rls_ode_islands found;
        piece_of_work pieces[TASKS];
        rls_ode_task *list[TASKS];
        unsigned sizes[2 * TASKS];
        workers w;
        for (int b = 0; b < TASKS; ++b) scene_box (&s, b, 0, 0, 1, 1, 1, 1);
        assert_int_equal (workers_hire (&w, s.world, threads), 1);
        memset (pieces, 0, sizeof (pieces));
        for (int i = 0; i < TASKS; ++i)
        {
            pieces[i].task.run = work;
            list[i] = &pieces[i].task;
        }
        for (int round = 1; round <= 3; ++round)
        {
            assert_int_equal (rls_ode_find_islands (s.world, (dReal)0.01, &found), 1);
            assert_int_equal (rls_ode_run_tasks (s.world, (dReal)0.01, list, sizes, TASKS), 1);
            for (int i = 0; i < TASKS; ++i) assert_int_equal (pieces[i].runs, round);
        }
        workers_dismiss (&w, s.world);
        scene_close (&s);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (the_library_is_the_one),
        cmocka_unit_test (row_counts_and_columns),
        cmocka_unit_test (stops_follow_from_axes),
        cmocka_unit_test (rows_are_derivatives),
        cmocka_unit_test (own_erp),
        cmocka_unit_test (limits_add_rows),
        cmocka_unit_test (own_memory_of_joints),
        cmocka_unit_test (islands_of_a_world),
        cmocka_unit_test (tasks_run_once),
    };
    return cmocka_run_group_tests (tests, scene_start_ode, scene_stop_ode);
}
