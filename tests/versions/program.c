/*
 * A program that is built against any version and precision of ODE, with its own step or with ode_rls:
 *
 *     program               takes dWorldStep, as it is or under the shim
 *     program               with WITH_ODE_RLS: takes dRLSStepperStep
 *     program STATUS        with WITH_ODE_RLS: ends with 0 if the check returns that dRLSStatus
 *
 * Prints what came out, in metres:
 *
 *     gap     the widest that a joint of a closed loop of four bars, with redundant rows, was open in 1 s
 *     rest    how far a box that stands on four contacts has moved in 1 s
 *     stop    how far (rad) a door turns past its stop
 */
#include <math.h>
#include <ode/ode.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef WITH_ODE_RLS
#include <ode_rls/ode_rls.h>
#endif

#define STEP_SIZE ((dReal)0.01)
#define STEPS 100

static const dReal GRAVITY = (dReal)-9.81;

/* ---- one step, whoever takes it ---- */

typedef struct
{
    dWorldID world;
#ifdef WITH_ODE_RLS
    dRLSStepperID stepper;
#endif
} stage;

static stage open_stage (void)
{
    stage s;
    memset (&s, 0, sizeof (s));
    s.world = dWorldCreate ();
    dWorldSetGravity (s.world, (dReal)4, 0, GRAVITY);
#ifdef WITH_ODE_RLS
    int status;
    s.stepper = dRLSStepperCreate (s.world, &status);
    if (!s.stepper)
        printf ("refused: %s\n",
                status == dRLSStatusIncompatibleODE ? dRLSDescribeODE () : dRLSStatusText (status));
#endif
    return s;
}

static void take_step (const stage *s)
{
#ifdef WITH_ODE_RLS
    if (s->stepper && dRLSStepperStep (s->stepper, STEP_SIZE)) return;
#endif
    dWorldStep (s->world, STEP_SIZE);
}

static void close_stage (const stage *s)
{
#ifdef WITH_ODE_RLS
    dRLSStepperDestroy (s->stepper);
#endif
    dWorldDestroy (s->world);
}

static dBodyID make_body (const stage *s, dReal x, dReal z, dReal width, dReal height)
{
    dMass mass;
    const dBodyID body = dBodyCreate (s->world);
    dMassSetBoxTotal (&mass, 1, width, (dReal)0.1, height);
    dBodySetMass (body, &mass);
    dBodySetPosition (body, x, 0, z);
    return body;
}

static double distance (const dReal *a, const dReal *b)
{
    double sum = 0;
    for (int k = 0; k < 3; ++k) sum += ((double)a[k] - (double)b[k]) * ((double)a[k] - (double)b[k]);
    return sqrt (sum);
}

/* ---- what is looked at ---- */

#define BARS 4

/* Three bars of 1 m and the ground: a parallelogram that hangs from two hinges and swings sideways. */
static double loop_gap (void)
{
    static const dReal corner[BARS][2] = {{0, 0}, {0, -1}, {1, -1}, {1, 0}};
    const stage s = open_stage ();
    dBodyID bars[BARS - 1];
    dJointID hinges[BARS];
    double widest = 0;
    bars[0] = make_body (&s, 0, (dReal)-0.5, (dReal)0.1, 1);
    bars[1] = make_body (&s, (dReal)0.5, -1, 1, (dReal)0.1);
    bars[2] = make_body (&s, 1, (dReal)-0.5, (dReal)0.1, 1);
    for (int i = 0; i < BARS; ++i)
    {
        hinges[i] = dJointCreateHinge (s.world, NULL);
        dJointAttach (hinges[i], i < BARS - 1 ? bars[i] : NULL, i > 0 ? bars[i - 1] : NULL);
        dJointSetHingeAnchor (hinges[i], corner[i][0], 0, corner[i][1]);
        dJointSetHingeAxis (hinges[i], 0, 1, 0);
    }
    for (int step = 0; step < STEPS; ++step)
    {
        take_step (&s);
        for (int i = 0; i < BARS; ++i)
        {
            dVector3 a, b;
            dJointGetHingeAnchor (hinges[i], a);
            dJointGetHingeAnchor2 (hinges[i], b);
            widest = fmax (widest, distance (a, b));
        }
    }
    close_stage (&s);
    return widest;
}

/* A box of 1 m on the ground, held by friction against a gravity that pulls sideways, too. */
static double rest_distance (void)
{
    const stage s = open_stage ();
    const dReal start[3] = {0, 0, (dReal)0.5};
    const dBodyID box = make_body (&s, 0, (dReal)0.5, 1, 1);
    const dJointGroupID contacts = dJointGroupCreate (0);
    for (int step = 0; step < STEPS; ++step)
    {
        for (int corner = 0; corner < 4; ++corner)
        {
            dContact contact;
            memset (&contact, 0, sizeof (contact));
            contact.surface.mode = dContactApprox1;
            contact.surface.mu = 1;
            dBodyGetRelPointPos (box, corner & 1 ? (dReal)0.5 : (dReal)-0.5,
                                 corner & 2 ? (dReal)0.05 : (dReal)-0.05, (dReal)-0.5, contact.geom.pos);
            contact.geom.normal[2] = 1;
            contact.geom.depth = -contact.geom.pos[2];
            if (contact.geom.depth < 0) contact.geom.depth = 0;
            dJointAttach (dJointCreateContact (s.world, contacts, &contact), box, NULL);
        }
        take_step (&s);
        dJointGroupEmpty (contacts);
    }
    const double moved = distance (dBodyGetPosition (box), start);
    dJointGroupDestroy (contacts);
    close_stage (&s);
    return moved;
}

/* A door that falls against a stop half a radian away. */
static double stop_excess (void)
{
    const stage s = open_stage ();
    double most = 0;
    const dBodyID door = make_body (&s, (dReal)0.5, 0, 1, (dReal)0.1);
    const dJointID hinge = dJointCreateHinge (s.world, NULL);
    dJointAttach (hinge, door, NULL);
    dJointSetHingeAnchor (hinge, 0, 0, 0);
    dJointSetHingeAxis (hinge, 0, 1, 0);
    dJointSetHingeParam (hinge, dParamLoStop, (dReal)-0.5);
    dJointSetHingeParam (hinge, dParamHiStop, (dReal)0.5);
    for (int step = 0; step < STEPS; ++step)
    {
        take_step (&s);
        most = fmax (most, fabs ((double)dJointGetHingeAngle (hinge)) - 0.5);
    }
    close_stage (&s);
    return most;
}

int main (int count, char **arguments)
{
    int wrong = 0;
    (void)count, (void)arguments;
    dInitODE2 (0);
    dAllocateODEDataForThread (dAllocateMaskAll);
#ifdef WITH_ODE_RLS
    const int status = dRLSCheckODE ();
    printf ("%s\n", dRLSDescribeODE ());
    if (count > 1) wrong = status != atoi (arguments[1]);
#endif
    printf ("gap %.3e\n", loop_gap ());
    printf ("rest %.3e\n", rest_distance ());
    printf ("stop %.3e\n", stop_excess ());
    dCloseODE ();
    return wrong;
}
