/*
 * Linkages of known mobility: what the analysis says of them, that it says the same along the motion, that
 * the joints stay closed, and that the elimination order does not matter.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>
#include "oracle_linkages.h"

#define H ((dReal)0.01)
#define STEPS 200

static void check_counts (const linkage *l, const dRLSReport *r, int step)
{
    if (r->rows != l->rows || r->rank != l->rank || r->dof != l->dof || r->redundant != l->rows - l->rank ||
        r->conflicting != 0)
        fail_msg (
            "%s, step %d: %d rows, rank %d, %d degrees of freedom, %d redundant, %d conflicting; right are "
            "%d, %d, %d, %d, 0",
            l->name, step, r->rows, r->rank, r->dof, r->redundant, r->conflicting, l->rows, l->rank, l->dof,
            l->rows - l->rank);
}

static void counts_at_the_start (void **state)
{
    (void)state;
    for (int i = 0; i < linkage_count; ++i)
    {
        scene s = linkage_open (&linkages[i]);
        const dRLSReport report = scene_analyse (&s);
        check_counts (&linkages[i], &report, 0);
        assert_int_equal (report.joints, s.joints);
        assert_int_equal (report.bodies, s.bodies);
        assert_true (report.violation_m < 1e-14 && report.violation_rad < 1e-14);
        /* all redundant rows by name: they belong to joints of the linkage, no row twice */
        dRLSRow row[256];
        const int count = dRLSStepperGetRedundantRows (s.stepper, row, 256);
        assert_int_equal (count, report.redundant);
        for (int a = 0; a < count; ++a)
        {
            int known = 0;
            for (int j = 0; j < s.joints; ++j) known |= s.joint[j] == row[a].joint;
            assert_true (known && row[a].row >= 0 && row[a].row < 6);
            assert_int_equal (row[a].status, dRLSRowRedundant);
            assert_true (fabs ((double)row[a].pivot) < 1e-12 && fabs ((double)row[a].residual) < 1e-13);
            for (int b = 0; b < a; ++b)
                assert_true (row[a].joint != row[b].joint || row[a].row != row[b].row);
        }
        scene_close (&s);
    }
}

static void counts_along_the_motion (void **state)
{
    (void)state;
    for (int i = 0; i < linkage_count; ++i)
    {
        const linkage *l = &linkages[i];
        scene s = linkage_open (l), start = linkage_open (l);
        double violation = 0, moved = 0;
        for (int step = 1; step <= STEPS; ++step)
        {
            dRLSReport report = {.struct_size = sizeof (report)};
            scene_step (&s, H, 1);
            assert_int_equal (dRLSStepperGetReport (s.stepper, &report), 1);
            check_counts (l, &report, step);
            violation = fmax (violation, scene_violation (&s));
            moved = fmax (moved, scene_pose_difference (&s, &start));
        }
        if (!(violation < 2e-13)) fail_msg ("%s: open by %g", l->name, violation);
        if (!(moved > 0.02)) fail_msg ("%s does not move", l->name);
        for (int w = 0; w < dRLSWarningCount; ++w)
            assert_int_equal (dRLSStepperGetWarningCount (s.stepper, w), 0);
        scene_close (&s), scene_close (&start);
    }
}

/* All orders give the same motion: only rounding tells them apart. */
static void order_does_not_matter (void **state)
{
    (void)state;
    for (int i = 0; i < linkage_count; ++i)
    {
        scene reference = linkage_open (&linkages[i]);
        scene_step (&reference, H, 50);
        for (int order = 1; order < dRLSOrderCount; ++order)
        {
            scene s = linkage_open (&linkages[i]);
            assert_int_equal (dRLSStepperSetOrder (scene_stepper (&s), order), 1);
            assert_int_equal (dRLSStepperSetOrderSeed (s.stepper, 17), 1);
            for (int j = 0; j < s.joints; ++j) dRLSStepperSetJointPriority (s.stepper, s.joint[j], -j);
            scene_step (&s, H, 50);
            const double off =
                fmax (scene_pose_difference (&s, &reference), scene_velocity_difference (&s, &reference));
            if (!(off < 1e-10)) fail_msg ("%s in order %d: off by %g", linkages[i].name, order, off);
            scene_close (&s);
        }
        scene_close (&reference);
    }
}

/* Of twins the one of the smaller priority number is kept, the other named redundant. */
static void priority_says_which_is_redundant (void **state)
{
    (void)state;
    for (int last = 0; last < 2; ++last)
    {
        scene s = linkage_open (&linkages[6]);
        dRLSRow row[10];
        dRLSStepperSetOrder (scene_stepper (&s), dRLSOrderPriority);
        dRLSStepperSetJointPriority (s.stepper, s.joint[last], 1);
        scene_analyse (&s);
        assert_int_equal (dRLSStepperGetRedundantRows (s.stepper, row, 10), 5);
        for (int r = 0; r < 5; ++r) assert_ptr_equal (row[r].joint, s.joint[last]);
        scene_close (&s);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (counts_at_the_start),
        cmocka_unit_test (counts_along_the_motion),
        cmocka_unit_test (order_does_not_matter),
        cmocka_unit_test (priority_says_which_is_redundant),
    };
    return cmocka_run_group_tests (tests, scene_start_ode, scene_stop_ode);
}
