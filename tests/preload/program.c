/*
 * A program that knows ODE alone.  The test runs it as it is and under the shim.
 *
 *     program loop STEPS [step|quick]   a closed loop of four bars: rows that imply each other
 *     program worlds STEPS              three worlds, stepped by three threads, made and destroyed again
 *     program nan STEPS                 a world that is not finite after half of the steps
 *     program wait STEPS                takes the steps, says so and sleeps: for being ended by a signal
 *     program idle                      makes a world and never steps it
 *
 * Prints "gap G" with the widest gap (m) that a joint of the loop ever had, and "end X" with the place (m)
 * where a bar's centre came to in its last step.  Returns 0 when it came to its end.
 */
#include <locale.h>
#include <math.h>
#include <ode/ode.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BARS 4
#define STEP_SIZE ((dReal)0.01)

typedef struct
{
    dWorldID world;
    dBodyID bars[BARS - 1];
    dJointID hinges[BARS];
} loop;

/* Three bars of 1 m and the ground: a parallelogram that hangs from two hinges and swings sideways. */
static void build_loop (loop *l)
{
    static const dReal centre[BARS - 1][2] = {{0, (dReal)-0.5}, {(dReal)0.5, -1}, {1, (dReal)-0.5}};
    static const dReal corner[BARS][2] = {{0, 0}, {0, -1}, {1, -1}, {1, 0}};
    l->world = dWorldCreate ();
    dWorldSetGravity (l->world, (dReal)4, 0, (dReal)-9.81);
    for (int i = 0; i < BARS - 1; ++i)
    {
        dMass mass;
        dMassSetBoxTotal (&mass, 1, i == 1 ? 1 : (dReal)0.1, (dReal)0.1, i == 1 ? (dReal)0.1 : 1);
        l->bars[i] = dBodyCreate (l->world);
        dBodySetMass (l->bars[i], &mass);
        dBodySetPosition (l->bars[i], centre[i][0], 0, centre[i][1]);
    }
    for (int i = 0; i < BARS; ++i)
    {
        l->hinges[i] = dJointCreateHinge (l->world, NULL);
        dJointAttach (l->hinges[i], i < BARS - 1 ? l->bars[i] : NULL, i > 0 ? l->bars[i - 1] : NULL);
        dJointSetHingeAnchor (l->hinges[i], corner[i][0], 0, corner[i][1]);
        dJointSetHingeAxis (l->hinges[i], 0, 1, 0);
    }
}

static double widest_gap (const loop *l)
{
    double widest = 0;
    for (int i = 0; i < BARS; ++i)
    {
        dVector3 a, b;
        dJointGetHingeAnchor (l->hinges[i], a);
        dJointGetHingeAnchor2 (l->hinges[i], b);
        widest = fmax (widest, (double)dCalcPointsDistance3 (a, b));
    }
    return widest;
}

/* What became of a loop: its widest gap (m) and where a bar's centre is at the end (m). */
typedef struct
{
    double gap, end;
} outcome;

static outcome run_loop (int steps, int quick)
{
    loop l;
    outcome all = {0, 0};
    build_loop (&l);
    /* worlds share ODE's default threading, and two of them that step at once break it: one for each */
    const dThreadingImplementationID threading = dThreadingAllocateSelfThreadedImplementation ();
    dWorldSetStepThreadingImplementation (l.world, dThreadingImplementationGetFunctions (threading),
                                          threading);
    for (int i = 0; i < steps; ++i)
    {
        if (quick)
            dWorldQuickStep (l.world, STEP_SIZE);
        else
            dWorldStep (l.world, STEP_SIZE);
        all.gap = fmax (all.gap, widest_gap (&l));
    }
    all.end = (double)dBodyGetPosition (l.bars[1])[0];
    dWorldDestroy (l.world);
    dThreadingFreeImplementation (threading);
    return all;
}

static void *run_thread (void *steps)
{
    dAllocateODEDataForThread (dAllocateMaskAll);
    for (int round = 0; round < 3; ++round) run_loop (*(int *)steps, round == 1);
    dCleanupODEAllDataForThread ();
    return NULL;
}

static void run_worlds (int steps)
{
    pthread_t threads[3];
    for (int i = 0; i < 3; ++i)
        if (pthread_create (&threads[i], NULL, run_thread, &steps) != 0) exit (2);
    for (int i = 0; i < 3; ++i) pthread_join (threads[i], NULL);
}

static void run_into_nan (int steps)
{
    const dWorldID world = dWorldCreate ();
    const dBodyID body = dBodyCreate (world);
    for (int i = 0; i < steps; ++i)
    {
        if (i == steps / 2) dBodySetLinearVel (body, (dReal)NAN, 0, 0);
        dWorldStep (world, STEP_SIZE);
    }
    dWorldDestroy (world);
}

int main (int count, char **arguments)
{
    const char *what = count > 1 ? arguments[1] : "";
    const int steps = count > 2 ? atoi (arguments[2]) : 0;
    setlocale (LC_ALL, "");
    dInitODE2 (0);
    dAllocateODEDataForThread (dAllocateMaskAll);
    if (!strcmp (what, "loop") || !strcmp (what, "wait"))
    {
        const outcome all = run_loop (steps, count > 3 && !strcmp (arguments[3], "quick"));
        printf ("gap %.3e\nend %.17g\n", all.gap, all.end);
    }
    else if (!strcmp (what, "worlds"))
        run_worlds (steps);
    else if (!strcmp (what, "nan"))
        run_into_nan (steps);
    else if (!strcmp (what, "idle"))
        dWorldDestroy (dWorldCreate ());
    else
        return 2;
    fflush (stdout);
    if (!strcmp (what, "wait")) sleep (60);
    dCloseODE ();
    return 0;
}
