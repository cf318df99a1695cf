/* dRLSStepperAssemble: mechanisms that were put together inexactly close, with the bodies held where they
 * are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>
#include "oracle.h"
#include "oracle_linkages.h"

#define CLOSED 1e-12

/* Shifts and turns all bodies but one at random. */
static void scatter (scene *s, int but, double by, uint64_t seed)
{
    oracle_random random = {seed};
    for (int b = 0; b < s->bodies; ++b)
    {
        const dReal *x = dBodyGetPosition (s->body[b]), *q = dBodyGetQuaternion (s->body[b]);
        dQuaternion turned;
        dReal moved[3];
        for (int k = 0; k < 3; ++k) moved[k] = x[k] + (dReal)oracle_uniform (&random, -by, by);
        for (int k = 0; k < 4; ++k) turned[k] = q[k] + (dReal)oracle_uniform (&random, -by, by);
        if (b == but) continue;
        dBodySetPosition (s->body[b], moved[0], moved[1], moved[2]);
        dBodySetQuaternion (s->body[b], turned);
        dBodySetLinearVel (s->body[b], (dReal)oracle_uniform (&random, -1, 1), 0, 0);
        dBodyAddForce (s->body[b], 1, 2, 3);
    }
}

static void linkages_close (void **state)
{
    (void)state;
    for (int i = 0; i < linkage_count; ++i)
        for (double by = 1e-6; by < 3e-2; by *= 100)
        {
            scene s = linkage_open (&linkages[i]);
            dRLSAssembly a = {.struct_size = sizeof (a)};
            scene_stepper (&s);
            scatter (&s, -1, by, 7);
            const double open = scene_violation (&s);
            assert_int_equal (dRLSStepperAssemble (s.stepper, NULL, 0, &a), 1);
            const double left = scene_violation (&s);
            print_message ("%-22s open by %.1e: %.1e after %d passes, %.1e m\n", linkages[i].name, open, left,
                           a.passes, (double)a.moved_m);
            if (!(left < CLOSED)) fail_msg ("%s, by %g: left open by %g", linkages[i].name, by, left);
            assert_true (fmax ((double)a.left_m, (double)a.left_rad) == left &&
                         fmax ((double)a.open_m, (double)a.open_rad) == open);
            assert_true (a.bodies == s.bodies && (double)a.moved_m < 30 * by &&
                         (double)a.turned_rad < 30 * by);
            assert_true (dBodyGetForce (s.body[0])[2] == 3 && dRLSStepperGetTime (s.stepper) == 0);
            const dRLSReport report = scene_analyse (&s);
            if (report.rank != linkages[i].rank) fail_msg ("%s: rank %d", linkages[i].name, report.rank);
            assert_true ((double)report.violation_m_s < 1e-12 && (double)report.violation_rad_s < 1e-12);
            scene_close (&s);
        }
}

static void held_bodies_stay (void **state)
{
    (void)state;
    scene s = scene_open (0);
    scene_body_state before[SCENE_MOST], after[SCENE_MOST];
    dRLSAssembly a = {.struct_size = sizeof (a)};
    linkage_fourbars (&s, 3, 0.5);
    scene_stepper (&s);
    scatter (&s, 0, 1e-2, 3);
    scene_look (&s, before);
    assert_int_equal (dRLSStepperAssemble (s.stepper, &s.body[0], 1, &a), 1);
    scene_look (&s, after);
    assert_memory_equal (&before[0], &after[0], sizeof (before[0]));
    assert_true (scene_violation (&s) < CLOSED && a.moved_body != s.body[0] && !dBodyIsKinematic (s.body[0]));

    /* two that are held where no rod reaches: what is left is told, and nothing is torn */
    dBodySetPosition (s.body[0], 0, 0, 3);
    const dBodyID pair[2] = {s.body[0], s.body[2]};
    assert_int_equal (dRLSStepperAssemble (s.stepper, pair, 2, &a), 1);
    assert_true ((double)a.left_m > 0.1 && a.open_joint != NULL && a.conflicting > 0);
    scene_close (&s);
}

static void bad_calls_are_refused (void **state)
{
    (void)state;
    scene s = scene_open (0), other = scene_open (0);
    linkage_fourbars (&s, 1, 0.5), linkage_fourbars (&other, 1, 0.5);
    scene_stepper (&s);
    dRLSAssembly a = {.struct_size = sizeof (a)};
    assert_int_equal (dRLSStepperAssemble (NULL, NULL, 0, &a), 0);
    assert_int_equal (dRLSStepperAssemble (s.stepper, other.body, 1, &a), 0);
    assert_int_equal (dRLSStepperGetStatus (s.stepper), dRLSStatusBadArgument);
    assert_int_equal (dRLSStepperAssemble (s.stepper, NULL, 1, &a), 0);
    assert_int_equal (dRLSStepperAssemble (s.stepper, s.body, -1, &a), 0);
    scene_body_state before[SCENE_MOST];
    dBodySetLinearVel (s.body[1], (dReal)NAN, 0, 0);
    scene_look (&s, before);
    assert_int_equal (dRLSStepperAssemble (s.stepper, NULL, 0, &a), 0);
    assert_int_equal (dRLSStepperGetStatus (s.stepper), dRLSStatusNotFinite);
    assert_true (scene_same (&s, before));
    scene_close (&s), scene_close (&other);
}

int main (void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test (linkages_close), cmocka_unit_test (held_bodies_stay),
                                       cmocka_unit_test (bad_calls_are_refused)};
    return cmocka_run_group_tests (tests, scene_start_ode, scene_stop_ode);
}
