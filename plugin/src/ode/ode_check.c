/* The check that the ODE library in the process is one that the names and types of ode_seam.c fit. */
#include "ode_seam.h"
#include <math.h>
#include <ode_rls/ode_rls.h>

static int near (dReal a, double b) { return fabs ((double)a - b) < 1e-5; }

typedef struct
{
    rls_ode_task task;
    int runs;
} canary_task;

static void canary_run (rls_ode_task *task) { ++((canary_task *)task)->runs; }

/* Two bodies, a ball 0.5 m apart, a hinge and a contact: the rows must be the known ones. */
static int canary_sings (dWorldID world)
{
    const dBodyID a = dBodyCreate (world), b = dBodyCreate (world);
    dBodySetPosition (b, 2, 0, 0);
    const dJointID ball = dJointCreateBall (world, NULL), hinge = dJointCreateHinge (world, NULL);
    dJointAttach (ball, a, b);
    dJointSetBallAnchor (ball, 1, 0, 0);
    dJointAttach (hinge, NULL, b); /* the world first: ODE turns it round */
    dJointSetHingeAnchor (hinge, 2, 1, 0);
    dJointSetHingeAxis (hinge, 0, 0, 1);
    dContact contact = {.surface = {.mode = dContactApprox1, .mu = 2}};
    contact.geom.normal[2] = 1;
    contact.geom.depth = (dReal)0.125;
    const dJointID touch = dJointCreateContact (world, NULL, &contact);
    dJointAttach (touch, a, NULL);
    dBodySetPosition (b, 2, 0.5, 0);

    rls_ode_islands islands;
    if (!rls_ode_find_islands (world, (dReal)0.01, &islands)) return 0;
    if (islands.count != 1 || islands.sizes[0] != 2 || islands.sizes[1] != 3) return 0;
    if (rls_ode_row_count (ball) != 3 || rls_ode_row_count (hinge) != 5 || rls_ode_row_count (touch) != 3)
        return 0;

    rls_ode_rows rows;
    rls_ode_get_rows (ball, 3, 1, 1, 0, &rows);
    const dReal erp = rls_ode_own_erp (ball, dJointTypeBall, 1);
    if (!near (rows.J[1][1], 1) || !near (rows.J[1][5], 1) || !near (rows.J[1][7], -1) ||
        !near (rows.J[1][11], 1) || !near (rows.rhs_cfm[1][0], 0.5 * (double)erp))
        return 0;
    rls_ode_get_rows (hinge, 5, 10, 1, 0, &rows);
    dBodyID bodies[2];
    rls_ode_joint_bodies (hinge, bodies);
    if (bodies[0] != b || bodies[1] || !near (fabs (rows.rhs_cfm[1][0]), 5) || !near (rows.J[3][5], 0) ||
        !near (rows.J[0][0], 1) || !near (rows.J[0][6], 0))
        return 0;
    rls_ode_get_rows (touch, 3, 1, 1, 0, &rows);
    if (!near (rows.J[0][2], 1) || rows.lo_hi[0][0] != 0 || rows.findex[0] != -1 || rows.findex[1] != 0 ||
        !near (rows.lo_hi[2][1], 2))
        return 0;

    canary_task tasks[2] = {{.task.run = canary_run}, {.task.run = canary_run}};
    rls_ode_task *list[2] = {&tasks[0].task, &tasks[1].task};
    unsigned sizes[4];
    if (!rls_ode_run_tasks (world, (dReal)0.01, list, sizes, 2)) return 0;
    return tasks[0].runs == 1 && tasks[1].runs == 1;
}

int rls_ode_check (void)
{
#ifdef dSINGLE
    const int precision_matches = dCheckConfiguration ("ODE_single_precision");
#else
    const int precision_matches = dCheckConfiguration ("ODE_double_precision");
#endif
    if (!precision_matches || !rls_ode_names_resolve ()) return dRLSStatusIncompatibleODE;
    const dWorldID world = dWorldCreate ();
    /* threads of its own: the default ones are shared by all worlds and not safe against each other */
    const dThreadingImplementationID threads = dThreadingAllocateSelfThreadedImplementation ();
    if (!world || !threads)
    {
        if (world) dWorldDestroy (world);
        if (threads) dThreadingFreeImplementation (threads);
        return dRLSStatusNoMemory;
    }
    dWorldSetStepThreadingImplementation (world, dThreadingImplementationGetFunctions (threads), threads);
    const int good = canary_sings (world);
    dWorldDestroy (world); /* its joints and bodies go with it */
    dThreadingFreeImplementation (threads);
    return good ? dRLSStatusOk : dRLSStatusIncompatibleODE;
}
