/*
 * One large island on the threads of ODE's pool: the same bits for any number of them, whatever the
 * integrator, with loops, doubtful rows, contacts and redundant rows, and beside other islands.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <ode_rls/ode_rls.h>
#include <stdlib.h>
#include <string.h>
#include "workers.h"

#define H ((dReal)0.01)
#define NET 27     /* its factor has over 200 000 entries, */
#define CLOTH 45   /* and so has that of a cloth */
#define CHAIN 2700 /* and of a chain */
#define MOST_BODIES 6000
#define MOST_THREADS 4

/* The world of a test, and how many threads step it; 0: none of its own. */
typedef struct
{
    dWorldID world;
    dJointGroupID contacts;
    dBodyID body[MOST_BODIES];
    int bodies;
    double ground; /* height of a plane that bodies touch, -HUGE_VAL if there is none */
    workers helpers;
    dRLSStepperID stepper;
} setting;

typedef void builder (setting *s);

static dBodyID add_body (setting *s, double x, double y, double z)
{
    dMass mass;
    assert_true (s->bodies < MOST_BODIES);
    const dBodyID body = s->body[s->bodies++] = dBodyCreate (s->world);
    dMassSetBoxTotal (&mass, 1, (dReal)0.3, (dReal)0.2, (dReal)0.1);
    dBodySetMass (body, &mass);
    dBodySetPosition (body, (dReal)x, (dReal)y, (dReal)z);
    return body;
}

static void add_ball (setting *s, dBodyID a, dBodyID b, double x, double y, double z)
{
    const dJointID ball = dJointCreateBall (s->world, NULL);
    dJointAttach (ball, a, b);
    dJointSetBallAnchor (ball, (dReal)x, (dReal)y, (dReal)z);
}

/* A net that hangs by one edge: stiff in its plane, where its joints are more than it takes. */
static void add_net (setting *s, int size, double from)
{
    const int first = s->bodies;
    for (int i = 0; i < size; ++i)
        for (int k = 0; k < size; ++k)
        {
            const dBodyID body = add_body (s, from + k, 0, -i);
            if (i == 0) add_ball (s, body, NULL, from + k, 0, 0.5);
            if (i > 0) add_ball (s, body, s->body[first + (i - 1) * size + k], from + k, 0, 0.5 - i);
            if (k > 0) add_ball (s, body, s->body[first + i * size + k - 1], from + k - 0.5, 0, -i);
        }
}

static void add_string (setting *s, dBodyID a, dBodyID b, double x, double y)
{
    const dReal *at = dBodyGetPosition (a);
    const dJointID string = dJointCreateDBall (s->world, NULL);
    dJointAttach (string, a, b);
    dJointSetDBallAnchor1 (string, at[0], at[1], at[2]);
    dJointSetDBallAnchor2 (string, (dReal)x, (dReal)y, 0);
}

/* A cloth of knots and strings that falls from the horizontal, held by one edge. */
static void add_cloth (setting *s, int size, double from)
{
    const int first = s->bodies;
    for (int i = 0; i < size; ++i)
        for (int k = 0; k < size; ++k)
        {
            const dBodyID body = add_body (s, from + k, i, 0);
            add_string (s, body, i > 0 ? s->body[first + (i - 1) * size + k] : NULL, from + k, i - 1);
            if (k > 0) add_string (s, body, s->body[first + i * size + k - 1], from + k - 1, i);
        }
}

static void build_net (setting *s) { add_net (s, NET, 0); }
static void build_cloth (setting *s) { add_cloth (s, CLOTH, 0); }

/* The floor is near. */
static void build_cloth_above_ground (setting *s)
{
    add_cloth (s, CLOTH, 0);
    s->ground = -0.002;
}

/* Among others, small and large. */
static void build_company (setting *s)
{
    add_net (s, 3, -20);
    add_cloth (s, CLOTH, 0);
    for (int i = 0; i < 20; ++i) add_net (s, 2, 200 + 10 * i);
}

/* Two large ones: a thread each. */
static void build_two_cloths (setting *s)
{
    add_cloth (s, CLOTH, 0);
    add_cloth (s, CLOTH, 100);
}

/* A chain of hinges that is cracked like a whip, and some of its links are hinged twice. */
static void build_whip (setting *s)
{
    for (int i = 0; i < CHAIN; ++i)
    {
        const double x = 0.4 * i, sag = 0.1 * sin (0.3 * i);
        const dBodyID link = add_body (s, x, 0, sag), before = i > 0 ? s->body[i - 1] : NULL;
        dBodySetLinearVel (link, 0, 0, (dReal)(i < 200 ? 0.2 * (200 - i) : 0));
        for (int twice = 0; twice < 1 + (i % 50 == 7); ++twice)
        {
            const dJointID hinge = dJointCreateHinge (s->world, NULL);
            dJointAttach (hinge, link, before);
            dJointSetHingeAnchor (hinge, (dReal)(x - 0.2), 0, (dReal)sag);
            dJointSetHingeAxis (hinge, 0, 1, 0);
        }
    }
}

static void begin (setting *s, builder *build, unsigned threads, int integrator)
{
    *s = (setting){.world = dWorldCreate (), .contacts = dJointGroupCreate (0), .ground = -HUGE_VAL};
    dWorldSetGravity (s->world, 0, 0, (dReal)-9.81);
    build (s);
    assert_int_equal (workers_hire (&s->helpers, s->world, threads), 1);
    s->stepper = dRLSStepperCreate (s->world, NULL);
    assert_non_null (s->stepper);
    assert_int_equal (dRLSStepperSetIntegrator (s->stepper, integrator), 1);
}

static void end (setting *s)
{
    dRLSStepperDestroy (s->stepper);
    dJointGroupDestroy (s->contacts);
    workers_dismiss (&s->helpers, s->world);
    dWorldDestroy (s->world);
}

static void touch_ground (setting *s)
{
    dJointGroupEmpty (s->contacts);
    for (int b = 0; b < s->bodies; ++b)
    {
        const dReal *x = dBodyGetPosition (s->body[b]);
        dContact contact = {.surface = {.mode = dContactApprox1, .mu = (dReal)0.5}};
        if (!(x[2] < s->ground)) continue;
        memcpy (contact.geom.pos, x, sizeof (contact.geom.pos));
        contact.geom.normal[2] = 1;
        contact.geom.depth = (dReal)(s->ground - x[2]);
        dJointAttach (dJointCreateContact (s->world, s->contacts, &contact), s->body[b], NULL);
    }
}

/* Where all bodies are and how they move. */
typedef struct
{
    dReal x[3], q[4], v[3], w[3];
} motion;

static motion *look (const setting *s)
{
    motion *all = calloc ((size_t)s->bodies, sizeof (*all));
    assert_non_null (all);
    for (int b = 0; b < s->bodies; ++b)
    {
        memcpy (all[b].x, dBodyGetPosition (s->body[b]), sizeof (all[b].x));
        memcpy (all[b].q, dBodyGetQuaternion (s->body[b]), sizeof (all[b].q));
        memcpy (all[b].v, dBodyGetLinearVel (s->body[b]), sizeof (all[b].v));
        memcpy (all[b].w, dBodyGetAngularVel (s->body[b]), sizeof (all[b].w));
    }
    return all;
}

static dRLSReport step (setting *s, int steps)
{
    dRLSReport report = {.struct_size = sizeof (report)};
    for (int i = 0; i < steps; ++i)
    {
        touch_ground (s);
        if (!dRLSStepperStep (s->stepper, H)) fail_msg ("step %d: %s", i, dRLSStepperGetMessage (s->stepper));
    }
    assert_int_equal (dRLSStepperGetReport (s->stepper, &report), 1);
    return report;
}

/* Returns the report, the same but for timings. */
static dRLSReport same_on_any_threads (builder *build, int integrator, int steps)
{
    motion *right = NULL;
    dRLSReport first = {0};
    for (unsigned threads = 0; threads <= MOST_THREADS; ++threads)
    {
        static setting s;
        begin (&s, build, threads, integrator);
        const dRLSReport report = step (&s, steps);
        motion *now = look (&s);
        if (threads == 0)
            right = now, first = report;
        else
        {
            if (memcmp (now, right, sizeof (*now) * (size_t)s.bodies) != 0)
                fail_msg ("integrator %d: other bits with %u threads", integrator, threads);
            assert_int_equal (report.rank, first.rank);
            assert_int_equal (report.redundant, first.redundant);
            assert_int_equal (report.factorisations, first.factorisations);
            assert_true (report.rank_gap == first.rank_gap);
            free (now);
        }
        end (&s);
    }
    free (right);
    return first;
}

static void net (void **state)
{
    (void)state;
    const dRLSReport report = same_on_any_threads (build_net, dRLSIntegratorSymplectic, 4);
    if (!(report.rank_gap < 1e-2)) fail_msg ("no doubtful rows: %g", (double)report.rank_gap);
}

static void cloth (void **state)
{
    (void)state;
    same_on_any_threads (build_cloth, dRLSIntegratorSymplectic, 4);
    same_on_any_threads (build_cloth, dRLSIntegratorRK4, 3);
    same_on_any_threads (build_cloth, dRLSIntegratorEuler, 3);
}

static void cloth_in_company (void **state)
{
    (void)state;
    same_on_any_threads (build_company, dRLSIntegratorSymplectic, 3);
    same_on_any_threads (build_two_cloths, dRLSIntegratorSymplectic, 3);
}

static void cloth_on_ground (void **state)
{
    (void)state;
    const dRLSReport report = same_on_any_threads (build_cloth_above_ground, dRLSIntegratorEuler, 5);
    assert_true (report.bounded_rows > 0);
}

static void whip (void **state)
{
    (void)state;
    const dRLSReport report = same_on_any_threads (build_whip, dRLSIntegratorSymplectic, 4);
    assert_true (report.redundant >= 5 * (CHAIN / 50));
}

/* A step that fails puts all back, and the next ones go on. */
static void failure_comes_back (void **state)
{
    (void)state;
    static setting s;
    begin (&s, build_cloth, 3, dRLSIntegratorSymplectic);
    step (&s, 3);
    motion *before = look (&s);
    dBodySetAngularVel (s.body[CLOTH * CLOTH / 2], (dReal)1e300, 0, 0);
    assert_int_equal (dRLSStepperStep (s.stepper, H), 0);
    dBodySetAngularVel (s.body[CLOTH * CLOTH / 2], before[CLOTH * CLOTH / 2].w[0],
                        before[CLOTH * CLOTH / 2].w[1], before[CLOTH * CLOTH / 2].w[2]);
    motion *after = look (&s);
    assert_memory_equal (before, after, sizeof (*before) * (size_t)s.bodies);
    step (&s, 2);
    free (before), free (after);
    end (&s);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (net),
        cmocka_unit_test (cloth),
        cmocka_unit_test (cloth_in_company),
        cmocka_unit_test (cloth_on_ground),
        cmocka_unit_test (whip),
        cmocka_unit_test (failure_comes_back),
    };
    dInitODE2 (0);
    dAllocateODEDataForThread (dAllocateMaskAll);
    const int failed = cmocka_run_group_tests (tests, NULL, NULL);
    dCloseODE ();
    return failed;
}
