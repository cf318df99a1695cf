/*
 * ragdoll_loop: a game's loop.  Collide, step, empty the contacts; what changes is the one call.
 *
 * Three ragdolls fall on each other.  Balls at neck, shoulders and hips, hinges with stops at elbows and
 * knees; the joints stay closed while the bodies pile up.
 */
#include <ode_rls/ode_rls.h>
#include <stdio.h>
#include <string.h>

enum
{
    DOLLS = 3,
    PARTS = 10,
    JOINTS = PARTS - 1,
    CONTACTS = 8
};

/* Capsules along z: radius, length of the cylinder, centre; the part that they hang on and where. */
typedef struct
{
    dReal mass, radius, length, x, z;
    int parent;
    dReal joint_x, joint_z;
    int is_hinge;
} part;

static const part parts[PARTS] = {
    {30, 0.15, 0.35, 0, 1.20, -1, 0, 0, 0},             /* trunk */
    {5, 0.10, 0.08, 0, 1.70, 0, 0, 1.55, 0},            /* head */
    {2, 0.05, 0.18, -0.26, 1.32, 0, -0.26, 1.46, 0},    /* left upper arm */
    {2, 0.05, 0.18, 0.26, 1.32, 0, 0.26, 1.46, 0},      /* right upper arm */
    {1.5, 0.045, 0.18, -0.26, 1.04, 2, -0.26, 1.18, 1}, /* left forearm */
    {1.5, 0.045, 0.18, 0.26, 1.04, 3, 0.26, 1.18, 1},   /* right forearm */
    {7, 0.07, 0.28, -0.10, 0.70, 0, -0.10, 0.91, 0},    /* left thigh */
    {7, 0.07, 0.28, 0.10, 0.70, 0, 0.10, 0.91, 0},      /* right thigh */
    {4, 0.055, 0.30, -0.10, 0.28, 6, -0.10, 0.49, 1},   /* left shank */
    {4, 0.055, 0.30, 0.10, 0.28, 7, 0.10, 0.49, 1},     /* right shank */
};

typedef struct
{
    dWorldID world;
    dSpaceID space;
    dJointGroupID contacts;
    dBodyID bodies[DOLLS][PARTS];
    dJointID joints[DOLLS * JOINTS];
} game;

static void collide (void *context, dGeomID a, dGeomID b)
{
    game *g = context;
    dBodyID first = dGeomGetBody (a), second = dGeomGetBody (b);
    dContactGeom found[CONTACTS];
    if (first && second && dAreConnected (first, second)) return; /* neighbours overlap at their joint */
    int count = dCollide (a, b, CONTACTS, found, sizeof found[0]);
    for (int i = 0; i < count; i++)
    {
        dContact contact;
        memset (&contact, 0, sizeof contact);
        contact.surface.mode = dContactApprox1;
        contact.surface.mu = 0.8;
        contact.geom = found[i];
        dJointAttach (dJointCreateContact (g->world, g->contacts, &contact), first, second);
    }
}

static void make_doll (game *g, int doll)
{
    const dReal x = 0.15 * doll, z = 1.0 + 2.2 * doll;
    dBodyID *bodies = g->bodies[doll];
    for (int i = 0; i < PARTS; i++)
    {
        const part *p = &parts[i];
        dMass mass;
        dMassSetCapsuleTotal (&mass, p->mass, 3, p->radius, p->length);
        bodies[i] = dBodyCreate (g->world);
        dBodySetMass (bodies[i], &mass);
        dBodySetPosition (bodies[i], x + p->x, 0, z + p->z);
        dGeomSetBody (dCreateCapsule (g->space, p->radius, p->length), bodies[i]);
        if (p->parent < 0) continue;

        dJointID *joint = &g->joints[doll * JOINTS + i - 1];
        *joint = p->is_hinge ? dJointCreateHinge (g->world, NULL) : dJointCreateBall (g->world, NULL);
        dJointAttach (*joint, bodies[p->parent], bodies[i]);
        if (p->is_hinge)
        {
            dJointSetHingeAnchor (*joint, x + p->joint_x, 0, z + p->joint_z);
            dJointSetHingeAxis (*joint, 1, 0, 0);
            dJointSetHingeParam (*joint, dParamLoStop, 0);
            dJointSetHingeParam (*joint, dParamHiStop, 2.2);
        }
        else
            dJointSetBallAnchor (*joint, x + p->joint_x, 0, z + p->joint_z);
    }
    dBodySetAngularVel (bodies[0], 0.5, 1 - doll, 0.2);
}

static dReal widest_gap (const game *g)
{
    dReal widest = 0;
    for (int i = 0; i < DOLLS * JOINTS; i++)
    {
        dRLSViolation violation;
        if (dRLSMeasureJoint (g->joints[i], &violation) && violation.position_m > widest)
            widest = violation.position_m;
    }
    return widest;
}

static void play (int exact)
{
    game g;
    g.world = dWorldCreate ();
    g.space = dSweepAndPruneSpaceCreate (NULL, dSAP_AXES_XZY);
    g.contacts = dJointGroupCreate (0);
    dWorldSetGravity (g.world, 0, 0, -9.81);
    dCreatePlane (g.space, 0, 0, 1, 0);
    for (int doll = 0; doll < DOLLS; doll++) make_doll (&g, doll);

    dRLSStepperID stepper = dRLSStepperCreate (g.world, NULL);
    dReal widest = 0, highest = 0;
    for (int frame = 0; frame < 300; frame++) /* 5 s at 60 frames a second */
    {
        dSpaceCollide (g.space, &g, collide);
        if (exact)
            dRLSStepperStep (stepper, 1.0 / 60);
        else
            dWorldQuickStep (g.world, 1.0 / 60);
        dJointGroupEmpty (g.contacts);
        const dReal gap = widest_gap (&g);
        if (gap > widest) widest = gap;
    }
    for (int doll = 0; doll < DOLLS; doll++)
        for (int i = 0; i < PARTS; i++)
        {
            const dReal z = dBodyGetPosition (g.bodies[doll][i])[2];
            if (z > highest) highest = z;
        }
    printf ("%-15s  joints open by up to %.1e m, heap %.2f m high\n",
            exact ? "dRLSStepperStep" : "dWorldQuickStep", widest, highest);

    dRLSStepperDestroy (stepper);
    dJointGroupDestroy (g.contacts);
    dSpaceDestroy (g.space);
    dWorldDestroy (g.world);
}

int main (void)
{
    dInitODE2 (0);
    if (dRLSCheckODE () != dRLSStatusOk)
    {
        fprintf (stderr, "%s\n", dRLSDescribeODE ());
        return 1;
    }
    play (0);
    play (1);
    dCloseODE ();
    return 0;
}
