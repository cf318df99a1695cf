/*
 * Parity: the same small world under dWorldStep and under ode-rls, step by step.
 *
 * Joints are given ODE's own meaning (correction "compliant", Euler's method), so that everything that is
 * left is what the bounded rows do; what ode-rls does better by default has tests of its own.
 */
#ifndef PARITY_RIG_H
#define PARITY_RIG_H

#include "../unit/measure_rig.h"
#include <stdio.h>

#define RIG __attribute__ ((unused)) static

#define PARITY_BODIES 3
#define PARITY_JOINTS 4
#define PARITY_H ((dReal)0.01)

typedef struct parity_world
{
    dWorldID world;
    dRLSStepperID stepper; /* NULL: dWorldStep's */
    int bodies, joints;
    dBodyID body[PARITY_BODIES];
    dJointID joint[PARITY_JOINTS];
    dJointFeedback feedback[PARITY_JOINTS];
    dJointGroupID contacts;
    const void *what; /* the case */
} parity_world;

typedef struct
{
    void (*build) (parity_world *);
    void (*before) (parity_world *, int step); /* forces and contacts; may be NULL */
    int steps;
    double tolerance; /* of velocities, positions, and forces relative to 1 N */
} parity_test;

RIG dJointID parity_watch (parity_world *w, dJointID joint)
{
    dJointSetFeedback (joint, &w->feedback[w->joints]);
    w->joint[w->joints++] = joint;
    return joint;
}

/* A contact joint for the coming step, watched. */
RIG void parity_contact (parity_world *w, const dContact *contact, dBodyID a, dBodyID b)
{
    dJointAttach (parity_watch (w, dJointCreateContact (w->world, w->contacts, contact)), a, b);
}

/* The joints know where their feedback goes: the structure must stay where it is. */
RIG void parity_open (parity_world *w, const parity_test *test, const void *what, int with_rls)
{
    *w = (parity_world){.what = what};
    test->build (w);
    w->contacts = dJointGroupCreate (0);
    if (!with_rls) return;
    w->stepper = dRLSStepperCreate (w->world, NULL);
    assert_non_null (w->stepper);
    assert_int_equal (dRLSStepperSetIntegrator (w->stepper, dRLSIntegratorEuler), 1);
    assert_int_equal (dRLSStepperSetCorrection (w->stepper, dRLSCorrectionCompliant), 1);
}

RIG void parity_close (parity_world *w)
{
    dRLSStepperDestroy (w->stepper);
    dJointGroupDestroy (w->contacts);
    dWorldDestroy (w->world);
}

/* Contacts are watched for their step alone: the joints of the world come first. */
RIG void parity_step (parity_world *w, const parity_test *test, int step)
{
    const int lasting = w->joints;
    if (test->before) test->before (w, step);
    memset (w->feedback, 0, sizeof (w->feedback));
    if (w->stepper)
    {
        if (!dRLSStepperStep (w->stepper, PARITY_H)) fail_msg ("%s", dRLSStepperGetMessage (w->stepper));
    }
    else
        assert_int_equal (dWorldStep (w->world, PARITY_H), 1);
    dJointGroupEmpty (w->contacts);
    w->joints = lasting;
}

RIG double parity_apart (const dReal *a, const dReal *b)
{
    double worst = 0;
    for (int k = 0; k < 3; ++k)
    {
        const double d = fabs ((double)a[k] - (double)b[k]);
        if (!(d <= worst)) worst = d;
    }
    return worst;
}

RIG double parity_difference (const parity_world *a, const parity_world *b)
{
    double worst = 0;
    for (int i = 0; i < a->bodies; ++i)
    {
        const dBodyID p = a->body[i], q = b->body[i];
        worst = fmax (worst, parity_apart (dBodyGetLinearVel (p), dBodyGetLinearVel (q)));
        worst = fmax (worst, parity_apart (dBodyGetAngularVel (p), dBodyGetAngularVel (q)));
        worst = fmax (worst, parity_apart (dBodyGetPosition (p), dBodyGetPosition (q)));
        if (dBodyIsEnabled (p) != dBodyIsEnabled (q)) return HUGE_VAL;
    }
    return worst;
}

/* Forces and torques of all watched joints, by the largest of them. */
RIG double parity_force_difference (const parity_world *a, const parity_world *b)
{
    double worst = 0, largest = 1;
    for (int j = 0; j < PARITY_JOINTS; ++j)
    {
        const dJointFeedback *p = &a->feedback[j], *q = &b->feedback[j];
        const dReal *of[2][4] = {{p->f1, p->t1, p->f2, p->t2}, {q->f1, q->t1, q->f2, q->t2}};
        for (int part = 0; part < 4; ++part)
        {
            worst = fmax (worst, parity_apart (of[0][part], of[1][part]));
            for (int k = 0; k < 3; ++k) largest = fmax (largest, fabs ((double)of[0][part][k]));
        }
    }
    return worst / largest;
}

/* Runs a case under both and compares after every step. */
RIG void parity_check (const char *name, const parity_test *test, const void *what)
{
    parity_world ode, rls;
    parity_open (&ode, test, what, 0);
    parity_open (&rls, test, what, 1);
    for (int step = 0; step < test->steps; ++step)
    {
        parity_step (&ode, test, step);
        parity_step (&rls, test, step);
        const double motion = parity_difference (&ode, &rls), force = parity_force_difference (&ode, &rls);
        if (!(motion <= test->tolerance && force <= 100 * test->tolerance))
            fail_msg ("%s, step %d: motion differs by %g, forces by %g", name, step, motion, force);
    }
    assert_int_equal (dRLSStepperGetWarningCount (rls.stepper, dRLSWarningBounded), 0);
    parity_close (&ode);
    parity_close (&rls);
}

/* How far two cases move apart under ode-rls: a case that changes nothing would show nothing. */
RIG double parity_effect (const parity_test *test, const void *what, const void *plain)
{
    parity_world a, b;
    double worst = 0;
    parity_open (&a, test, what, 1);
    parity_open (&b, test, plain, 1);
    for (int step = 0; step < test->steps; ++step)
    {
        parity_step (&a, test, step);
        parity_step (&b, test, step);
        worst = fmax (worst, parity_difference (&a, &b));
    }
    parity_close (&a);
    parity_close (&b);
    return worst;
}

RIG int parity_start (void **state)
{
    (void)state;
    dInitODE2 (0);
    dAllocateODEDataForThread (dAllocateMaskAll);
    return 0;
}

RIG int parity_stop (void **state)
{
    (void)state;
    dCloseODE ();
    return 0;
}

RIG void parity_mass (dBodyID body, dReal mass, dReal lx, dReal ly, dReal lz)
{
    dMass m;
    dMassSetBoxTotal (&m, mass, lx, ly, lz);
    dBodySetMass (body, &m);
}

#endif
