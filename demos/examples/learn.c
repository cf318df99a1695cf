/*
 * learn: a controller is searched for in a batch of worlds, on several threads.
 *
 *     learn [THREADS [GENERATIONS]]
 *
 * An arm of two bars hangs from a hinge; a motor at its elbow, and nowhere else, is to swing its end up. What
 * the motor does is a weighted sum of angles and rates; the weights are found by the cross-entropy method
 * (Rubinstein 1999): 64 worlds try weights drawn about the best of the last generation.  CSV on standard
 * output: generation, best and mean height of the end over the last second (m).  The numbers do not depend on
 * the number of threads.
 */
#include <math.h>
#include <ode/ode.h>
#include <ode_rls/ode_rls.h>
#include <stdio.h>
#include <stdlib.h>

#define WORLDS 64
#define ELITE 8 /* of a generation: they make the next one */
#define WEIGHTS 5
#define TORQUE 5.0 /* N m, at most */
#define STEP 0.01  /* s */
#define STEPS 400
#define COUNTED 100 /* of these, at the end */

typedef struct
{
    dWorldID world;
    dRLSStepperID stepper;
    dBodyID upper, lower;
    dJointID shoulder, elbow;
    double weight[WEIGHTS], height; /* m: mean of the end's height */
} trial;

static trial trials[WORLDS];

static dBodyID hang_bar (dWorldID world, double z)
{
    dMass mass;
    dBodyID bar = dBodyCreate (world);
    dMassSetBoxTotal (&mass, 1, 0.05, 0.05, 1);
    dBodySetMass (bar, &mass);
    dBodySetPosition (bar, 0, 0, z);
    return bar;
}

static dJointID hang_hinge (dWorldID world, dBodyID below, dBodyID above, double z)
{
    dJointID hinge = dJointCreateHinge (world, NULL);
    dJointAttach (hinge, below, above);
    dJointSetHingeAnchor (hinge, 0, 0, z);
    dJointSetHingeAxis (hinge, 0, 1, 0);
    return hinge;
}

static void begin (trial *t)
{
    t->world = dWorldCreate ();
    dWorldSetGravity (t->world, 0, 0, -9.81);
    t->upper = hang_bar (t->world, -0.5), t->lower = hang_bar (t->world, -1.5);
    t->shoulder = hang_hinge (t->world, t->upper, NULL, 0);
    t->elbow = hang_hinge (t->world, t->lower, t->upper, -1);
    t->stepper = dRLSStepperCreate (t->world, NULL);
    t->height = 0;
}

static void end (trial *t)
{
    dRLSStepperDestroy (t->stepper);
    dWorldDestroy (t->world);
}

/* Before each step: looks where the arm is, and sets the motor's torque. */
static void act (void *context, int index, int step)
{
    trial *t = (trial *)context + index;
    const double angle = dJointGetHingeAngle (t->shoulder), bend = dJointGetHingeAngle (t->elbow);
    const double seen[WEIGHTS] = {sin (angle), dJointGetHingeAngleRate (t->shoulder), sin (bend),
                                  dJointGetHingeAngleRate (t->elbow), 1};
    dVector3 tip;
    double torque = 0;
    for (int i = 0; i < WEIGHTS; i++) torque += t->weight[i] * seen[i];
    dJointAddHingeTorque (t->elbow, fmax (-TORQUE, fmin (TORQUE, torque)));
    dBodyGetRelPointPos (t->lower, 0, 0, -0.5, tip);
    if (step >= STEPS - COUNTED) t->height += tip[2] / COUNTED;
}

/* Roughly normal, from the sum of twelve uniform numbers; the same in every run. */
static double draw (unsigned long long *seed)
{
    double sum = -6;
    for (int i = 0; i < 12; i++)
    {
        *seed = *seed * 6364136223846793005ull + 1442695040888963407ull;
        sum += (double)(*seed >> 11) / 9007199254740992.0;
    }
    return sum;
}

static int by_height (const void *a, const void *b)
{
    const double x = ((const trial *)a)->height, y = ((const trial *)b)->height;
    return (x < y) - (x > y);
}

int main (int argc, char **argv)
{
    const int threads = argc > 1 ? atoi (argv[1]) : 2, generations = argc > 2 ? atoi (argv[2]) : 15;
    double mean[WEIGHTS] = {0}, spread[WEIGHTS] = {5, 2, 5, 2, 1};
    unsigned long long seed = 1;
    if (threads < 1 || threads > dRLSMostThreads || generations < 1 || argc > 3)
    {
        fprintf (stderr, "usage: learn [THREADS [GENERATIONS]]\n");
        return 2;
    }
    dInitODE2 (0);
    if (dRLSCheckODE () != dRLSStatusOk)
    {
        fprintf (stderr, "%s\n", dRLSDescribeODE ());
        return 1;
    }
    printf ("generation,best_m,mean_m\n");
    for (int generation = 0; generation < generations; generation++)
    {
        dRLSStepperID steppers[WORLDS];
        double all = 0;
        for (int i = 0; i < WORLDS; i++)
        {
            begin (&trials[i]);
            for (int k = 0; k < WEIGHTS; k++) trials[i].weight[k] = mean[k] + spread[k] * draw (&seed);
            steppers[i] = trials[i].stepper;
        }
        if (dRLSStepperStepMany (steppers, WORLDS, STEP, STEPS, threads, act, trials) != WORLDS) return 1;
        for (int i = 0; i < WORLDS; i++) end (&trials[i]), all += trials[i].height / WORLDS;
        qsort (trials, WORLDS, sizeof *trials, by_height);
        printf ("%d,%.6f,%.6f\n", generation, trials[0].height, all);
        for (int k = 0; k < WEIGHTS; k++) /* the elite's mean and spread */
        {
            double sum = 0, square = 0;
            for (int i = 0; i < ELITE; i++) sum += trials[i].weight[k] / ELITE;
            for (int i = 0; i < ELITE; i++)
                square += (trials[i].weight[k] - sum) * (trials[i].weight[k] - sum) / ELITE;
            mean[k] = sum, spread[k] = sqrt (square) + 0.1;
        }
    }
    dCloseODE ();
    return 0;
}
