/*
 * A program that knows ODE alone, to be run under the shim: bodies and joints are made, attached, detached,
 * disabled and destroyed between steps.  What no joint holds flies: its velocity changes by the gravity of
 * the step and its spin, of a body with equal moments of inertia, not at all.
 */
#include "fuzz.h"

#include <math.h>
#include <ode/ode.h>
#include <string.h>

#define BODIES 5
#define JOINTS 6
#define H ((dReal)0.01)
#define G ((dReal)-9.81)
#define SAME 1e-9 /* m/s, rad/s; of 1 plus the velocity */

typedef struct
{
    fuzz_bytes bytes;
    dWorldID world;
    dBodyID body[BODIES];
    dJointID joint[JOINTS];
} play;

static dReal number (play *p, double size) { return (dReal)fuzz_number (&p->bytes, -size, size); }

static void make_body (play *p, int i)
{
    dMass mass;
    dMassSetSphereTotal (&mass, (dReal)fuzz_number (&p->bytes, 0.1, 10), (dReal)0.3);
    p->body[i] = dBodyCreate (p->world);
    dBodySetMass (p->body[i], &mass);
    dBodySetPosition (p->body[i], number (p, 1), number (p, 1), number (p, 1));
    dBodySetLinearVel (p->body[i], number (p, 1), number (p, 1), number (p, 1));
    dBodySetAngularVel (p->body[i], number (p, 1), number (p, 1), number (p, 1));
}

static void place (play *p, dJointID j)
{
    const dReal x = number (p, 1), y = number (p, 1), z = number (p, 1);
    switch (dJointGetType (j))
    {
    case dJointTypeBall:
        dJointSetBallAnchor (j, x, y, z);
        break;
    case dJointTypeHinge:
        dJointSetHingeAnchor (j, x, y, z);
        dJointSetHingeAxis (j, 1, y, z);
        break;
    case dJointTypeSlider:
        dJointSetSliderAxis (j, 1, y, z);
        break;
    case dJointTypeUniversal:
        dJointSetUniversalAnchor (j, x, y, z);
        break;
    case dJointTypeFixed:
        dJointSetFixed (j);
        break;
    default:
        break;
    }
}

static void attach (play *p, int i)
{
    const int a = fuzz_index (&p->bytes, BODIES), b = fuzz_index (&p->bytes, BODIES + 1);
    const dBodyID first = p->body[a], second = b < BODIES ? p->body[b] : NULL;
    if (!p->joint[i] || !first || first == second) return;
    dJointAttach (p->joint[i], first, second);
    place (p, p->joint[i]);
}

static void change (play *p)
{
    static dJointID (*const create[]) (dWorldID, dJointGroupID) = {
        dJointCreateBall, dJointCreateHinge, dJointCreateSlider, dJointCreateUniversal, dJointCreateFixed};
    const int b = fuzz_index (&p->bytes, BODIES), j = fuzz_index (&p->bytes, JOINTS);
    switch (fuzz_index (&p->bytes, 8))
    {
    case 0:
        if (!p->body[b]) make_body (p, b);
        break;
    case 1:
        if (p->body[b]) dBodyDestroy (p->body[b]);
        p->body[b] = NULL;
        break;
    case 2:
        if (!p->joint[j]) p->joint[j] = create[fuzz_index (&p->bytes, 5)](p->world, NULL);
        attach (p, j);
        break;
    case 3:
        if (p->joint[j]) dJointDestroy (p->joint[j]);
        p->joint[j] = NULL;
        break;
    case 4:
        if (p->joint[j]) dJointAttach (p->joint[j], NULL, NULL);
        break;
    case 5:
        if (p->joint[j]) dJointDisable (p->joint[j]);
        break;
    case 6:
        if (p->joint[j]) dJointEnable (p->joint[j]);
        break;
    default:
        attach (p, j);
    }
}

static int is_free (dBodyID body)
{
    for (int i = 0; i < dBodyGetNumJoints (body); ++i)
        if (dJointIsEnabled (dBodyGetJoint (body, i))) return 0;
    return 1;
}

static void step (play *p)
{
    dReal v[BODIES][3], w[BODIES][3];
    for (int b = 0; b < BODIES; ++b)
    {
        if (!p->body[b]) continue;
        memcpy (v[b], dBodyGetLinearVel (p->body[b]), sizeof *v);
        memcpy (w[b], dBodyGetAngularVel (p->body[b]), sizeof *w);
    }
    dWorldStep (p->world, H);
    for (int b = 0; b < BODIES; ++b)
    {
        if (!p->body[b]) continue;
        const dReal *now = dBodyGetLinearVel (p->body[b]), *turns = dBodyGetAngularVel (p->body[b]);
        for (int k = 0; k < 3; ++k)
        {
            FUZZ_CHECK (isfinite (now[k]) && isfinite (turns[k]));
            if (!is_free (p->body[b])) continue;
            const double expected = (double)v[b][k] + (k == 2 ? (double)(G * H) : 0);
            FUZZ_CHECK (fabs ((double)now[k] - expected) <= SAME * (1 + fabs (expected)));
            FUZZ_CHECK (fabs ((double)(turns[k] - w[b][k])) <= SAME * (1 + fabs ((double)w[b][k])));
        }
    }
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
    static int begun;
    if (!begun) dInitODE2 (0);
    begun = 1;
    play p = {.bytes = {data, size}};
    p.world = dWorldCreate ();
    dWorldSetGravity (p.world, 0, 0, G);
    for (int b = 0; b < BODIES; ++b) make_body (&p, b);
    for (int i = 0; i < 200 && p.bytes.left > 0; ++i)
    {
        if (fuzz_index (&p.bytes, 3) == 0)
            step (&p);
        else
            change (&p);
    }
    step (&p);
    dWorldDestroy (p.world);
    return 0;
}
