/* Rigs and tables of figures; contract in step_rig.h. */
#include "step_rig.h"
#include <math.h>
#include <stdio.h>

int failures, quick, known_to_miss;
static int known; /* failures that are known to be */

/* ---- the rig ---- */

void meet (void *context, dGeomID a, dGeomID b)
{
    rig *r = context;
    dContact contact[8];
    const dBodyID first = dGeomGetBody (a), second = dGeomGetBody (b);
    if (first && second && dAreConnected (first, second)) return;
    const int count = dCollide (a, b, 8, &contact[0].geom, sizeof (contact[0]));
    for (int i = 0; i < count; ++i)
    {
        dSurfaceParameters *s = &contact[i].surface;
        *s = (dSurfaceParameters){.mode = dContactApprox1, .mu = (dReal)r->mu};
        if (r->bounce > 0)
            s->mode |= dContactBounce, s->bounce = (dReal)r->bounce, s->bounce_vel = (dReal)0.01;
        r->deepest = fmax (r->deepest, (double)contact[i].geom.depth);
        dJointAttach (dJointCreateContact (r->world, r->contacts, &contact[i]), first, second);
    }
    r->touching += count;
}

rig open_rig (int with_rls, double gx, double gz)
{
    rig r = {.world = dWorldCreate (),
             .space = dSimpleSpaceCreate (NULL),
             .contacts = dJointGroupCreate (0),
             .mu = 0.8};
    dWorldSetGravity (r.world, (dReal)gx, 0, (dReal)gz);
    if (with_rls) r.stepper = dRLSStepperCreate (r.world, NULL);
    return r;
}

void close_rig (rig *r)
{
    dRLSStepperDestroy (r->stepper);
    dJointGroupDestroy (r->contacts);
    dSpaceDestroy (r->space);
    dWorldDestroy (r->world);
}

void step (rig *r, double h)
{
    r->touching = 0, r->deepest = 0;
    dSpaceCollide (r->space, r, meet);
    if (r->stepper ? !dRLSStepperStep (r->stepper, (dReal)h) : !dWorldStep (r->world, (dReal)h))
        fprintf (stderr, "a step failed\n");
    dJointGroupEmpty (r->contacts);
}

void run (rig *r, double h, double seconds)
{
    const long steps = lround (seconds / h);
    for (long i = 0; i < steps; ++i) step (r, h);
}

dBodyID add_box (rig *r, double mass, const double size[3], double x, double y, double z, int solid)
{
    dMass m;
    const dBodyID body = dBodyCreate (r->world);
    dMassSetBoxTotal (&m, (dReal)mass, (dReal)size[0], (dReal)size[1], (dReal)size[2]);
    dBodySetMass (body, &m);
    dBodySetPosition (body, (dReal)x, (dReal)y, (dReal)z);
    if (solid) dGeomSetBody (dCreateBox (r->space, (dReal)size[0], (dReal)size[1], (dReal)size[2]), body);
    return r->body[r->bodies++] = body;
}

dJointID add_hinge (rig *r, dBodyID a, dBodyID b, double x, double y, double z, const double axis[3])
{
    const dJointID hinge = dJointCreateHinge (r->world, NULL);
    dJointAttach (hinge, a, b);
    dJointSetHingeAnchor (hinge, (dReal)x, (dReal)y, (dReal)z);
    dJointSetHingeAxis (hinge, (dReal)axis[0], (dReal)axis[1], (dReal)axis[2]);
    return hinge;
}

void add_fourbar (rig *r, dJointID joint[4])
{
    const double crank[3] = {0.5, 0.05, 0.05}, bar[3] = {1, 0.05, 0.05};
    const double ground = 1, up = 0.5, diagonal = hypot (ground, up), along = diagonal / 2,
                 aside = sqrt (1 - along * along);
    const double x = 0.5 * ground + aside * up / diagonal, z = 0.5 * up + aside * ground / diagonal;
    const double ends[3][4] = {{0, 0, 0, up}, {0, up, x, z}, {ground, 0, x, z}}; /* x, z */
    dBodyID body[3];
    for (int i = 0; i < 3; ++i)
    {
        const double *e = ends[i];
        dMatrix3 turn;
        body[i] = add_box (r, 1, i ? bar : crank, 0.5 * (e[0] + e[2]), 0, 0.5 * (e[1] + e[3]), 0);
        dRFromAxisAndAngle (turn, 0, 1, 0, (dReal)-atan2 (e[3] - e[1], e[2] - e[0]));
        dBodySetRotation (body[i], turn);
    }
    joint[0] = add_hinge (r, body[0], NULL, 0, 0, 0, along_y);
    joint[1] = add_hinge (r, body[0], body[1], 0, 0, up, along_y);
    joint[2] = add_hinge (r, body[1], body[2], x, 0, z, along_y);
    joint[3] = add_hinge (r, body[2], NULL, ground, 0, 0, along_y);
}

void set_motor (dJointID hinge, double speed, double strength)
{
    dJointSetHingeParam (hinge, dParamVel, (dReal)speed);
    dJointSetHingeParam (hinge, dParamFMax, (dReal)strength);
}

const double along_y[3] = {0, 1, 0}, along_z[3] = {0, 0, 1}, cube[3] = {1, 1, 1}, bar_size[3] = {2, 0.1, 0.1},
             link_size[3] = {1, 0.1, 0.1};

double speed_of (dBodyID body)
{
    const dReal *v = dBodyGetLinearVel (body), *w = dBodyGetAngularVel (body);
    return sqrt ((double)(v[0] * v[0] + v[1] * v[1] + v[2] * v[2] + w[0] * w[0] + w[1] * w[1] + w[2] * w[2]));
}

/* ---- the table ---- */

static void say_nothing (int number, const char *format, va_list arguments)
{
    (void)number, (void)format, (void)arguments;
}

void begin_table (void)
{
    dInitODE2 (0);
    dSetMessageHandler (say_nothing);
    printf ("%-70s %10s %10s\n", "", "dWorldStep", "ode-rls");
}

int end_table (void)
{
    dCloseODE ();
    printf ("%d missed, %d of them known to be\n", failures + known, known);
    return failures > 0;
}

void line (const char *what, double ode, double rls, double asked, int at_least)
{
    const int met = at_least ? rls >= asked : rls <= asked;
    printf ("%-70s %10.2e %10.2e   %s %8.1e %s\n", what, ode, rls, at_least ? ">=" : "<=", asked,
            met ? "met" : "MISSED");
    failures += !met && !known_to_miss;
    known += !met && known_to_miss;
}

void compare (const char *what, figure *of, double parameter, double asked)
{
    line (what, of (0, parameter), of (1, parameter), asked, 0);
}
