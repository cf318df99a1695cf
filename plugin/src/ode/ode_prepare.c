/* Finding the ODE of the process, once, and testing that it behaves as expected.  The contract is in
 * ode_prepare.h. */
#include "ode_prepare.h"
#include "ode_entries.h"
#include "tolerances.h"
#include <float.h>
#include <math.h>
#include <ode_rls/ode_rls.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>

#define SUPPORTED "ode_rls drives ODE 0.13 to 0.16.6, its development branch of 2026 and the copy in Webots"

rls_ode_entries rls_ode_private;

/* State of the process.  It is changed under the lock, and never again once it is ready. */
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static atomic_int ready;
static rls_ode_source source;
static char description[700] = "No ODE has been looked for.";

__attribute__ ((format (printf, 1, 2))) static void describe (const char *format, ...)
{
    va_list arguments;
    va_start (arguments, format);
    vsnprintf (description, sizeof (description), format, arguments);
    va_end (arguments);
}

/* ---- does it give the rows that ode_seam.c expects ---- */

static int near (dReal a, double b) { return fabs ((double)a - b) < 100 * (double)FLT_EPSILON; }

typedef struct
{
    rls_ode_task task;
    int runs;
} canary_task;

static void canary_run (rls_ode_task *task) { ++((canary_task *)task)->runs; }

/* True if the world's threads run each of two tasks once. */
static int tasks_run (dWorldID world)
{
    canary_task tasks[2] = {{.task.run = canary_run}, {.task.run = canary_run}};
    rls_ode_task *list[2] = {&tasks[0].task, &tasks[1].task};
    unsigned sizes[4];
    return rls_ode_run_tasks (world, (dReal)RLS_ANALYSIS_STEP, list, sizes, 2) && tasks[0].runs == 1 &&
           tasks[1].runs == 1;
}

/*
 * A contact whose normal is (1, 1, 1) / sqrt 3, with a friction coefficient of 2.
 *
 * Versions differ in the numbers that a surface has, and so in where the normal is: all numbers behind the
 * coefficient are alike, and the normal is the same wherever it is read.
 */
static dJointID make_contact (dWorldID world)
{
    union
    {
        dContact contact;
        dReal numbers[sizeof (dContact) / sizeof (dReal) + 32];
    } c;
    for (size_t i = 0; i < sizeof (c.numbers) / sizeof (dReal); ++i) c.numbers[i] = (dReal)sqrt (1.0 / 3);
    c.contact.surface.mode = dContactApprox1;
    c.contact.surface.mu = 2;
    c.contact.geom.g1 = c.contact.geom.g2 = NULL;
    return dJointCreateContact (world, NULL, &c.contact);
}

/* True if a contact has the known rows. */
static int contact_rows_are_known (dJointID touch)
{
    rls_ode_rows rows;
    if (rls_ode_row_count (touch) != 3) return 0;
    rls_ode_get_rows (touch, 3, 1, 1, 0, &rows);
    for (int k = 0; k < 3; ++k)
        if (!near (rows.J[0][k], sqrt (1.0 / 3))) return 0;
    return rows.lo_hi[0][0] == 0 && rows.lo_hi[0][1] == dInfinity && rows.findex[0] == -1 &&
           rows.findex[1] == 0 && rows.findex[2] == 0 && near (rows.lo_hi[2][0], -2) &&
           near (rows.lo_hi[2][1], 2);
}

/* True if a ball joint whose second body was moved up by 0.5 has the known rows. */
static int ball_rows_are_known (dJointID ball)
{
    rls_ode_rows rows;
    if (rls_ode_row_count (ball) != 3) return 0;
    rls_ode_get_rows (ball, 3, 1, 1, (dReal)0.25, &rows);
    const dReal erp = rls_ode_own_erp (ball, dJointTypeBall, 1);
    return near (rows.J[1][1], 1) && near (rows.J[1][5], 1) && near (rows.J[1][7], -1) &&
           near (rows.J[1][11], 1) && near (rows.rhs_cfm[1][0], 0.5 * (double)erp) &&
           rows.lo_hi[1][0] == -dInfinity && rows.lo_hi[1][1] == dInfinity && rows.findex[1] == -1;
}

/* The same of a hinge to the world, which was named first, so that ODE exchanges the sides. */
static int hinge_rows_are_known (dJointID hinge, dBodyID body)
{
    rls_ode_rows rows;
    dBodyID bodies[2];
    if (rls_ode_row_count (hinge) != 5) return 0;
    rls_ode_get_rows (hinge, 5, 10, 1, (dReal)0.25, &rows);
    rls_ode_joint_bodies (hinge, bodies);
    return bodies[0] == body && !bodies[1] && near (fabs (rows.rhs_cfm[1][0]), 5) &&
           near (rows.rhs_cfm[3][1], 0.25) && near (rows.J[3][5], 0) && near (rows.J[0][0], 1) &&
           near (rows.J[0][6], 0);
}

/* Two bodies, a ball, a hinge and a contact: the island and the rows must be the known ones. */
static int rows_are_known (dWorldID world)
{
    const dBodyID a = dBodyCreate (world), b = dBodyCreate (world);
    dBodySetPosition (b, 2, 0, 0);
    const dJointID ball = dJointCreateBall (world, NULL), hinge = dJointCreateHinge (world, NULL);
    dJointAttach (ball, a, b);
    dJointSetBallAnchor (ball, 1, 0, 0);
    dJointAttach (hinge, NULL, b);
    dJointSetHingeAnchor (hinge, 2, 1, 0);
    dJointSetHingeAxis (hinge, 0, 0, 1);
    const dJointID touch = make_contact (world);
    dJointAttach (touch, a, NULL);
    dBodySetPosition (b, 2, 0.5, 0);

    rls_ode_islands islands;
    if (!rls_ode_find_islands (world, (dReal)RLS_ANALYSIS_STEP, &islands)) return 0;
    if (islands.count != 1 || islands.sizes[0] != 2 || islands.sizes[1] != 3) return 0;
    return ball_rows_are_known (ball) && hinge_rows_are_known (hinge, b) && contact_rows_are_known (touch);
}

/* True if everything that a hinge is given changes the part of its memory that is compared: parameters,
 * anchor and axis. */
static int changes_are_seen (dWorldID world)
{
    static const int parameters[] = {dParamLoStop, dParamHiStop,      dParamVel,
                                     dParamFMax,   dParamFudgeFactor, dParamBounce,
                                     dParamCFM,    dParamStopERP,     dParamStopCFM};
    const int count = sizeof (parameters) / sizeof (parameters[0]);
    char before[1024];
    const dJointID hinge = dJointCreateHinge (world, NULL);
    dJointAttach (hinge, dBodyCreate (world), NULL);
    int seen = rls_ode_own_size (hinge, dJointTypeHinge) - 1 < sizeof (before);
    for (int i = 0; i < count + 2 && seen; ++i)
    {
        rls_ode_own_copy (hinge, dJointTypeHinge, before);
        if (i < count)
            dJointSetHingeParam (hinge, parameters[i], (dReal)1 / 16);
        else
            (i == count ? dJointSetHingeAnchor : dJointSetHingeAxis) (hinge, 0, 1, 0);
        seen = !rls_ode_own_same (hinge, dJointTypeHinge, before);
    }
    return seen;
}

/* ---- how many bodies and joints a world has ---- */

#define SEARCHED 32 /* ints from the beginning of a world: less than its parameters take */
#define BODIES 13   /* two numbers that are not found side by side otherwise */
#define JOINTS 7

/* The two numbers at a place in a world's memory. */
static rls_ode_count numbers_at (dWorldID world, int place)
{
    rls_ode_count found = {0, 0};
    if (place >= 0) memcpy (&found, (const char *)world + sizeof (int) * (size_t)place, sizeof (found));
    return found;
}

rls_ode_count rls_ode_count_objects (dWorldID world)
{
    return numbers_at (world, rls_ode_private.count_place);
}

/* Adds bodies and joints to a world and finds the place (in ints) where both numbers are.  Returns -1 if
 * there is none or more than one. */
static int find_count (dWorldID world)
{
    int place = -1, places = 0;
    for (int i = 0; i < BODIES; ++i) dBodyCreate (world);
    for (int i = 0; i < JOINTS; ++i) dJointCreateBall (world, NULL);
    for (int i = 0; i < SEARCHED; ++i)
    {
        const rls_ode_count found = numbers_at (world, i);
        if (found.bodies == BODIES && found.joints == JOINTS) place = i, ++places;
    }
    return places == 1 ? place : -1;
}

/* ---- all ---- */

/* Tests rows and threads in a world of its own.  Returns 1 if they are as expected. */
static int world_is_known (dWorldID world)
{
    const dThreadingImplementationID threads = dThreadingAllocateSelfThreadedImplementation /* 0.14 */
                                                   ? dThreadingAllocateSelfThreadedImplementation ()
                                                   : NULL;
    if (threads)
        dWorldSetStepThreadingImplementation (world, dThreadingImplementationGetFunctions (threads), threads);
    const int good = rows_are_known (world) && (!threads || tasks_run (world));
    rls_ode_private.own_memory_known = 1;
    rls_ode_private.own_memory_known = good && changes_are_seen (world);
    rls_ode_private.contact_place = rls_ode_find_contact (make_contact (world));
    memcpy (&rls_ode_private.world_mark, world, sizeof (rls_ode_private.world_mark));
    dWorldDestroy (world); /* with its joints and bodies */
    if (threads) dThreadingFreeImplementation (threads);
    return good;
}

/* Tests precision, counts and rows with test worlds.  Returns a dRLSStatus. */
static int check_rows (void)
{
    if (!dCheckConfiguration ("ODE_" RLS_PRECISION "_precision")) return dRLSStatusIncompatibleODE;
    const dWorldID world = dWorldCreate (), counted = world ? dWorldCreate () : NULL;
    rls_ode_private.count_place = counted ? find_count (counted) : -1;
    if (counted) dWorldDestroy (counted);
    if (!world) return dRLSStatusNoMemory;
    return world_is_known (world) ? dRLSStatusOk : dRLSStatusIncompatibleODE;
}

/* Finds the ODE, fills both tables and tests it.  Returns a dRLSStatus, and describes what it has found. */
static int prepare (const void *inside)
{
    char reason[500];
    int status = dRLSStatusIncompatibleODE;
    const int located = rls_ode_locate (inside, &source, reason, sizeof (reason));
    const char *versions =
                   located ? rls_ode_resolve (&source, &rls_ode_private, reason, sizeof (reason)) : NULL,
               *missing = versions ? rls_ode_fetch_public (&source) : NULL;
    if (missing)
        snprintf (reason, sizeof (reason), "%s lacks the function %s", source.path, missing);
    else if (versions)
    {
        status = check_rows ();
        snprintf (reason, sizeof (reason),
                  "%s looks like ODE %s, but does not give the known rows of a test world", source.path,
                  versions);
    }
    if (status == dRLSStatusOk)
        describe ("ODE %s, %s precision: %s.", versions, RLS_PRECISION, source.path);
    else if (status == dRLSStatusNoMemory)
        describe ("There is no memory for a test world of ODE.");
    else
        describe ("%.400s; %s.", reason, SUPPORTED);
    if (located && status != dRLSStatusOk) rls_ode_release (&source);
    return status;
}

int rls_ode_prepare (const void *inside)
{
    int status = dRLSStatusOk;
    if (!atomic_load_explicit (&ready, memory_order_acquire))
    {
        pthread_mutex_lock (&guard);
        if (!atomic_load_explicit (&ready, memory_order_relaxed)) status = prepare (inside);
        if (status == dRLSStatusOk) atomic_store_explicit (&ready, 1, memory_order_release);
        pthread_mutex_unlock (&guard);
    }
    if (status == dRLSStatusOk && inside && !rls_ode_lies_in (&source, inside))
        return dRLSStatusIncompatibleODE; /* a second ODE */
    return status;
}

int rls_ode_owns (dWorldID world)
{
    const void *mark;
    memcpy (&mark, world, sizeof (mark));
    return !rls_ode_private.world_mark || mark == rls_ode_private.world_mark;
}

const char *rls_ode_description (void) { return description; }
