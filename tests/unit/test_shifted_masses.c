/*
 * Links whose centre of mass is not that of their shape: one body of two boxes, put together by ODE's masses,
 * moves as two bodies in a fixed joint do.  Chains at random of one to three links, by ball joints and
 * hinges.
 */
#include <ode/ode.h>
#include <ode_rls/ode_rls.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include "oracle.h"

#define WORLDS 20
#define MOST_LINKS 3
#define STEP 0.005 /* s */
#define STEPS 200

/* Two boxes at random around a height; returns their common mass about its own centre. */
static dMass put_together (oracle_random *random, double height, dMass box[2], double centre[2][3],
                           double common[3])
{
    dMass all;
    dMassSetZero (&all);
    for (int i = 0; i < 2; ++i)
    {
        double side[3];
        for (int k = 0; k < 3; ++k)
        {
            side[k] = oracle_uniform (random, 0.1, 0.4);
            centre[i][k] = oracle_uniform (random, -0.2, 0.2) + (k == 2 ? height : 0);
        }
        dMassSetBox (&box[i], (dReal)oracle_uniform (random, 50, 300), (dReal)side[0], (dReal)side[1],
                     (dReal)side[2]);
        dMass moved = box[i];
        dMassTranslate (&moved, (dReal)centre[i][0], (dReal)centre[i][1], (dReal)centre[i][2]);
        dMassAdd (&all, &moved);
    }
    for (int k = 0; k < 3; ++k) common[k] = (double)all.c[k];
    dMassTranslate (&all, -all.c[0], -all.c[1], -all.c[2]);
    memset (all.c, 0, sizeof (all.c));
    return all;
}

static dBodyID add_body (dWorldID world, const dMass *mass, const double at[3])
{
    const dBodyID body = dBodyCreate (world);
    dBodySetMass (body, mass);
    dBodySetPosition (body, (dReal)at[0], (dReal)at[1], (dReal)at[2]);
    return body;
}

/* A link below the one before: returns the body of its second box, whose centre is at arm on it. */
static dBodyID add_link (dWorldID world, oracle_random *random, int number, int whole, dBodyID before,
                         double arm[3])
{
    const double height = -0.6 * number;
    double centre[2][3], common[3], axis[3];
    dMass box[2];
    const dMass all = put_together (random, height, box, centre, common);
    const dBodyID first = add_body (world, whole ? &all : &box[0], whole ? common : centre[0]),
                  second = whole ? first : add_body (world, &box[1], centre[1]);
    for (int k = 0; k < 3; ++k) arm[k] = whole ? centre[1][k] - common[k] : 0;
    for (int k = 0; k < 3; ++k) axis[k] = oracle_uniform (random, -1, 1);
    if (!whole)
    {
        const dJointID fixed = dJointCreateFixed (world, NULL);
        dJointAttach (fixed, first, second);
        dJointSetFixed (fixed);
    }
    const dJointID joint = number % 2 ? dJointCreateHinge (world, NULL) : dJointCreateBall (world, NULL);
    dJointAttach (joint, first, before);
    if (number % 2)
    {
        dJointSetHingeAnchor (joint, (dReal)(0.3 * number), (dReal)0.1, (dReal)(height + 0.3));
        dJointSetHingeAxis (joint, (dReal)axis[0], (dReal)axis[1], (dReal)axis[2]);
    }
    else
        dJointSetBallAnchor (joint, (dReal)(0.3 * number), (dReal)0.1, (dReal)(height + 0.3));
    return second;
}

/* Where the links' second boxes are after a second. */
static void swing (uint64_t seed, int whole, double end[MOST_LINKS][3])
{
    oracle_random random = {seed};
    const dWorldID world = dWorldCreate ();
    dBodyID body[MOST_LINKS], before = NULL;
    double arm[MOST_LINKS][3];
    const int links = 1 + (int)(seed % MOST_LINKS);
    dWorldSetGravity (world, 0, 0, (dReal)-9.81);
    for (int i = 0; i < links; ++i) before = body[i] = add_link (world, &random, i, whole, before, arm[i]);
    const dRLSStepperID stepper = dRLSStepperCreate (world, NULL);
    dRLSStepperSetIntegrator (stepper, dRLSIntegratorSymplectic4);
    for (int i = 0; i < STEPS; ++i) assert_true (dRLSStepperStep (stepper, (dReal)STEP));
    for (int i = 0; i < links; ++i)
    {
        dVector3 at;
        dBodyGetRelPointPos (body[i], (dReal)arm[i][0], (dReal)arm[i][1], (dReal)arm[i][2], at);
        for (int k = 0; k < 3; ++k) end[i][k] = (double)at[k];
    }
    dRLSStepperDestroy (stepper);
    dWorldDestroy (world);
}

static void move_as_fixed_pairs (void **state)
{
    double worst = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= WORLDS; ++seed)
    {
        double one[MOST_LINKS][3] = {{0}}, two[MOST_LINKS][3] = {{0}};
        swing (seed, 1, one);
        swing (seed, 0, two);
        for (int i = 0; i < 3 * MOST_LINKS; ++i)
            worst = fmax (worst, fabs (one[i / 3][i % 3] - two[i / 3][i % 3]));
    }
    print_message ("%d chains, one body or two fixed ones a link: apart by %.1e m\n", WORLDS, worst);
    assert_true (worst < 1e-6);
}

int main (void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test (move_as_fixed_pairs)};
    dInitODE2 (0);
    const int failed = cmocka_run_group_tests (tests, NULL, NULL);
    dCloseODE ();
    return failed;
}
