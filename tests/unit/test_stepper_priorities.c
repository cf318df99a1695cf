/*
 * Priorities hold: of rows that depend on each other those of the smaller number are kept, however nearly
 * they depend on each other among themselves.  Rods A and B hold a point of a body from almost the same side;
 * rod C holds the same point in their plane and is 1 cm too long.  Two of the three can be closed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include "oracle_scene.h"

#define RODS 3
#define TOO_LONG 0.01 /* m */

typedef struct
{
    double angle;       /* rad: between A and B */
    int priority[RODS]; /* of A, B and C */
    int first;          /* which of them is made first */
    int wrong;          /* which of them is too long */
} trial;

static dJointID rod (scene *s, int body, double angle)
{
    const dJointID joint = scene_joint (s, dJointCreateDBall, body, NO_BODY);
    dJointSetDBallAnchor1 (joint, 0, 0, 0);
    dJointSetDBallAnchor2 (joint, (dReal)(2 * cos (angle)), (dReal)(2 * sin (angle)), 0);
    return joint;
}

/* The rods in any order of making; joint[k] is rod k. */
static scene hang (const trial *t)
{
    scene s = scene_open (0);
    const int body = scene_box (&s, 0, 0, 0, 2, (dReal)0.3, (dReal)0.2, (dReal)0.1);
    const double angle[RODS] = {0, t->angle, 2};
    dJointID made[RODS];
    for (int i = 0; i < RODS; ++i)
    {
        const int k = (t->first + i) % RODS;
        made[k] = rod (&s, body, angle[k]);
    }
    dJointSetDBallDistance (made[t->wrong], (dReal)(2 + TOO_LONG));
    dRLSStepperSetOrder (scene_stepper (&s), dRLSOrderPriority);
    for (int k = 0; k < RODS; ++k)
    {
        s.joint[k] = made[k];
        dRLSStepperSetJointPriority (s.stepper, made[k], t->priority[k]);
    }
    return s;
}

static double opening (dJointID joint)
{
    dRLSViolation v;
    assert_int_equal (dRLSMeasureJoint (joint, &v), 1);
    return (double)v.position_m;
}

/* The one that gives way is the only one named and the only one open, now and along the motion. */
static void check (const trial *t, int gives_way)
{
    for (int moving = 0; moving < 2; ++moving)
    {
        scene s = hang (t);
        if (moving) dBodySetAngularVel (s.body[0], 1, -2, 3); /* the rods keep to their plane */
        for (int step = 0; step < 20; ++step)
        {
            dRLSRow row[RODS];
            const dRLSReport report = scene_analyse (&s);
            if (report.rank != 2 || report.conflicting != 1)
                fail_msg ("%g rad, step %d: rank %d, %d conflicting", t->angle, step, report.rank,
                          report.conflicting);
            assert_int_equal (dRLSStepperGetRedundantRows (s.stepper, row, RODS), 1);
            if (row[0].joint != s.joint[gives_way])
                fail_msg ("%g rad, rod %d first, step %d: not rod %d", t->angle, t->first, step, gives_way);
            scene_step (&s, (dReal)0.01, 1);
            for (int k = 0; k < RODS; ++k)
                if (k != gives_way && !(opening (s.joint[k]) < 1e-12))
                    fail_msg ("%g rad, step %d: rod %d is open by %g", t->angle, step, k,
                              opening (s.joint[k]));
        }
        scene_close (&s);
    }
}

static const double angles[] = {1.0, 0.03, 0.01, 3e-3, 1e-3, 2e-4};
#define ANGLES ((int)(sizeof (angles) / sizeof (*angles)))

static void nearly_parallel_rods_are_kept (void **state)
{
    (void)state;
    for (int a = 0; a < ANGLES; ++a)
        for (int first = 0; first < RODS; ++first)
            for (int k = 0; k < RODS; ++k) /* which of them is the least important, and wrong */
            {
                trial t = {angles[a], {0, 0, 0}, first, k};
                t.priority[k] = 9;
                check (&t, k);
            }
}

/* Numbers of all sizes are in one order: 0, then 4, then what depends on both. */
static void classes_are_decided_one_by_one (void **state)
{
    (void)state;
    for (int a = 0; a < ANGLES; ++a)
        for (int first = 0; first < RODS; ++first)
        {
            check (&(trial){angles[a], {-3, 4, 100}, first, 2}, 2);
            check (&(trial){angles[a], {4, -3, 100}, first, 2}, 2);
        }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (nearly_parallel_rods_are_kept),
        cmocka_unit_test (classes_are_decided_one_by_one),
    };
    return cmocka_run_group_tests (tests, scene_start_ode, scene_stop_ode);
}
