/*
 * Any sequence of calls of the public interface, on worlds that the same bytes build, move, spoil and take
 * apart between them.  A call that says it is done leaves finite bodies, one that says it is not leaves every
 * body as it was.  What ODE itself forbids (it aborts) is left out.
 */
#include "fuzz.h"

#include <math.h>
#include <ode_rls/ode_rls.h>
#include <string.h>

#define BODIES 6
#define JOINTS 8

typedef struct
{
    fuzz_bytes bytes;
    dWorldID world;
    dRLSStepperID stepper;
    dRLSStateID saved;
    int savable; /* the bodies that were saved exist still */
    dBodyID body[BODIES];
    dJointID joint[JOINTS];
    dJointFeedback feedback[JOINTS];
} play;

/* Mostly sane, sometimes not at all. */
static dReal number (play *p)
{
    static const double odd[] = {0, -1, 1e-12, 1e12, 1e-300, 1e300, NAN, INFINITY, -INFINITY, 1e6, 1e-6};
    const unsigned kind = fuzz_byte (&p->bytes);
    if (kind >= 245) return (dReal)odd[kind - 245];
    return (dReal)fuzz_number (&p->bytes, -2, 2);
}

static dReal sane (play *p) { return (dReal)fuzz_number (&p->bytes, -2, 2); }
static dReal positive (play *p) { return (dReal)pow (10, fuzz_number (&p->bytes, -3, 3)); }

static dBodyID some_body (play *p) { return p->body[fuzz_index (&p->bytes, BODIES)]; }
static dJointID some_joint (play *p) { return p->joint[fuzz_index (&p->bytes, JOINTS)]; }

/* ---- the world ---- */

static void make_body (play *p)
{
    const int i = fuzz_index (&p->bytes, BODIES);
    if (p->body[i])
    {
        dBodyDestroy (p->body[i]);
        p->savable = 0;
    }
    p->body[i] = NULL;
    if (fuzz_index (&p->bytes, 4) == 3) return;
    p->body[i] = dBodyCreate (p->world);
    dMass mass;
    dMassSetBoxTotal (&mass, positive (p), positive (p), positive (p), positive (p));
    dBodySetMass (p->body[i], &mass);
    dBodySetPosition (p->body[i], sane (p), sane (p), sane (p));
}

static dReal drive (void *context, dReal time, dReal *rate, dReal *acceleration)
{
    const play *p = context;
    const dReal size = p->saved ? 1 : (dReal)0.1;
    *rate = size * (dReal)cos (time);
    *acceleration = -size * (dReal)sin (time);
    return size * (dReal)sin (time);
}

static void place_joint (play *p, dJointID j)
{
    const dReal x = sane (p), y = sane (p), z = sane (p), a = sane (p), b = sane (p), c = 1;
    switch (dJointGetType (j))
    {
    case dJointTypeBall:
        dJointSetBallAnchor (j, x, y, z);
        break;
    case dJointTypeHinge:
        dJointSetHingeAnchor (j, x, y, z);
        dJointSetHingeAxis (j, a, b, c);
        break;
    case dJointTypeSlider:
        dJointSetSliderAxis (j, a, b, c);
        break;
    case dJointTypeUniversal:
        dJointSetUniversalAnchor (j, x, y, z);
        dJointSetUniversalAxis1 (j, 1, 0, 0);
        dJointSetUniversalAxis2 (j, 0, 1, 0);
        break;
    case dJointTypeFixed:
        dJointSetFixed (j);
        break;
    case dJointTypeDBall:
        dJointSetDBallAnchor1 (j, x, y, z);
        dJointSetDBallAnchor2 (j, a, b, c);
        break;
    default:
        break;
    }
}

/* The bounds, speeds and softness of a joint's first axis, as odd as may be. */
static void tune_joint (play *p, dJointID j)
{
    static const int parameter[] = {dParamLoStop, dParamHiStop,      dParamVel,
                                    dParamFMax,   dParamFudgeFactor, dParamBounce,
                                    dParamCFM,    dParamStopERP,     dParamStopCFM};
    const int which = parameter[fuzz_index (&p->bytes, sizeof parameter / sizeof *parameter)];
    const dReal value = number (p);
    switch (dJointGetType (j))
    {
    case dJointTypeHinge:
        dJointSetHingeParam (j, which, value);
        break;
    case dJointTypeSlider:
        dJointSetSliderParam (j, which, value);
        break;
    case dJointTypeUniversal:
        dJointSetUniversalParam (j, which, value);
        break;
    default:
        break;
    }
}

static void make_joint (play *p)
{
    static dJointID (*const create[]) (dWorldID, dJointGroupID) = {
        dJointCreateBall,   dJointCreateHinge,       dJointCreateSlider, dJointCreateUniversal,
        dJointCreateHinge2, dJointCreatePR,          dJointCreatePU,     dJointCreatePiston,
        dJointCreateFixed,  dJointCreateAMotor,      dJointCreateLMotor, dJointCreateDBall,
        dJointCreateDHinge, dJointCreateTransmission};
    const int i = fuzz_index (&p->bytes, JOINTS), type = fuzz_index (&p->bytes, 20);
    if (p->joint[i])
    {
        dRLSStepperSetJointDrive (p->stepper, p->joint[i], NULL, NULL);
        dJointDestroy (p->joint[i]);
    }
    p->joint[i] = NULL;
    const dBodyID a = some_body (p), b = some_body (p);
    if (type < 14)
        p->joint[i] = create[type](p->world, NULL);
    else
    {
        dContact contact;
        memset (&contact, 0, sizeof contact);
        contact.surface.mode = (int)fuzz_byte (&p->bytes) & (dContactMu2 | dContactBounce | dContactSoftERP |
                                                             dContactSoftCFM | dContactApprox1);
        contact.surface.mode |= (int)(fuzz_byte (&p->bytes) & 3u) * dContactSlip1;
        contact.surface.mu = number (p), contact.surface.mu2 = number (p);
        contact.surface.bounce = number (p), contact.surface.bounce_vel = number (p);
        contact.surface.soft_erp = number (p), contact.surface.soft_cfm = number (p);
        contact.surface.slip1 = number (p), contact.surface.slip2 = number (p);
        for (int k = 0; k < 3; ++k) contact.geom.pos[k] = number (p);
        contact.geom.normal[fuzz_index (&p->bytes, 3)] = 1;
        contact.geom.depth = number (p);
        p->joint[i] = dJointCreateContact (p->world, NULL, &contact);
    }
    const dJointType kind = dJointGetType (p->joint[i]);
    const int needs_both = kind == dJointTypeHinge2 || kind == dJointTypeTransmission;
    if (a != b && (!needs_both || (a && b))) dJointAttach (p->joint[i], a, b);
    if (a && a != b) place_joint (p, p->joint[i]);
    if (fuzz_index (&p->bytes, 2)) dJointSetFeedback (p->joint[i], &p->feedback[i]);
}

static void spoil_body (play *p)
{
    const dBodyID b = some_body (p);
    if (!b) return;
    dMass mass;
    const dReal x = number (p), y = number (p), z = number (p);
    const dQuaternion q = {sane (p), sane (p), sane (p), 1};
    switch (fuzz_index (&p->bytes, 12))
    {
    case 0:
        dBodySetPosition (b, x, y, z);
        break;
    case 1:
        dBodySetQuaternion (b, q);
        break;
    case 2:
        dBodySetLinearVel (b, x, y, z);
        break;
    case 3:
        dBodySetAngularVel (b, x, y, z);
        break;
    case 4:
        dBodyAddForce (b, x, y, z);
        break;
    case 5:
        dBodyAddTorque (b, x, y, z);
        break;
    case 6:
        dBodySetKinematic (b);
        break;
    case 7:
        dBodySetDynamic (b);
        break;
    case 8:
        fuzz_index (&p->bytes, 2) ? dBodyEnable (b) : dBodyDisable (b);
        break;
    case 9:
        dBodySetAutoDisableFlag (b, fuzz_index (&p->bytes, 2));
        break;
    case 10:
        dBodySetFiniteRotationMode (b, fuzz_index (&p->bytes, 2));
        dBodySetGyroscopicMode (b, fuzz_index (&p->bytes, 2));
        dBodySetMaxAngularSpeed (b, positive (p));
        break;
    default: /* as ODE checks nothing here that is still in use */
        dBodyGetMass (b, &mass);
        mass.mass = positive (p) * (fuzz_index (&p->bytes, 2) ? (dReal)1e6 : 1);
        dBodySetMass (b, &mass);
    }
}

static void spoil_world (play *p)
{
    switch (fuzz_index (&p->bytes, 4))
    {
    case 0:
        dWorldSetGravity (p->world, number (p), number (p), number (p));
        break;
    case 1:
        dWorldSetERP (p->world, number (p));
        break;
    case 2:
        dWorldSetCFM (p->world, number (p));
        break;
    default:
        dWorldSetLinearDamping (p->world, (dReal)0.1);
    }
}

static void force (void *context, dWorldID world, dReal time)
{
    const play *p = context;
    (void)world;
    for (int b = 0; b < BODIES; ++b)
        if (p->body[b] && dBodyIsEnabled (p->body[b]) && isfinite (time))
            dBodyAddForce (p->body[b], 0, (dReal)0.1, 0);
}

/* ---- the interface ---- */

static void choose (play *p)
{
    const dRLSStepperID s = p->stepper;
    const int value = (int)fuzz_byte (&p->bytes) - 2;
    switch (fuzz_index (&p->bytes, 16))
    {
    case 0:
        dRLSStepperSetIntegrator (s, value % 10);
        break;
    case 1:
        dRLSStepperSetCorrection (s, value % 12);
        break;
    case 2:
        dRLSStepperSetCorrectionFlags (s, value % 20);
        break;
    case 3:
        dRLSStepperSetBaumgarte (s, number (p), number (p));
        break;
    case 4:
        dRLSStepperSetPenalty (s, number (p));
        break;
    case 5:
        dRLSStepperSetOrder (s, value % 6);
        break;
    case 6:
        dRLSStepperSetOrderSeed (s, (unsigned long)value);
        break;
    case 7:
        dRLSStepperSetJointPriority (s, some_joint (p), value);
        break;
    case 8:
        dRLSStepperSetJointCompliance (s, some_joint (p), number (p), number (p));
        break;
    case 9:
        dRLSStepperSetRankTolerance (s, number (p));
        break;
    case 10:
        dRLSStepperSetPositionTolerance (s, number (p));
        break;
    case 11:
        dRLSStepperSetBoundedIterations (s, value);
        break;
    case 12:
        dRLSStepperSetForceCallback (s, value % 2 ? force : NULL, p);
        break;
    case 13:
        dRLSStepperSetJointDrive (s, some_joint (p), value % 2 ? drive : NULL, p);
        break;
    case 14:
        dRLSStepperSetReport (s, value % 20);
        break;
    default:
        dRLSStepperSetTime (s, number (p));
    }
}

typedef struct
{
    dReal x[3], q[4], R[12], v[3], w[3], force[3], torque[3];
} look;

static void look_at (const play *p, look out[BODIES])
{
    memset (out, 0, sizeof (look) * BODIES);
    for (int b = 0; b < BODIES; ++b)
    {
        if (!p->body[b]) continue;
        memcpy (out[b].x, dBodyGetPosition (p->body[b]), sizeof out->x);
        memcpy (out[b].q, dBodyGetQuaternion (p->body[b]), sizeof out->q);
        memcpy (out[b].R, dBodyGetRotation (p->body[b]), sizeof out->R);
        memcpy (out[b].v, dBodyGetLinearVel (p->body[b]), sizeof out->v);
        memcpy (out[b].w, dBodyGetAngularVel (p->body[b]), sizeof out->w);
        memcpy (out[b].force, dBodyGetForce (p->body[b]), sizeof out->force);
        memcpy (out[b].torque, dBodyGetTorque (p->body[b]), sizeof out->torque);
    }
}

static void check_report (play *p)
{
    dRLSReport report = {.struct_size = sizeof report};
    dRLSRow rows[4];
    FUZZ_CHECK (dRLSStepperGetReport (p->stepper, &report));
    FUZZ_CHECK (report.rank >= 0 && report.rank + report.redundant + report.soft_rows == report.rows);
    FUZZ_CHECK (report.conflicting <= report.redundant);
    FUZZ_CHECK (dRLSStepperGetRedundantRows (p->stepper, rows, 4) == report.redundant);
    FUZZ_CHECK (!isnan (report.bounded_residual));
    dRLSStepperIsReactionUnique (p->stepper, some_joint (p));
}

/* ODE ends the program over gears that jump by exactly half a turn: far apart rounding makes them. */
static void remove_distant_gears (play *p)
{
    for (int i = 0; i < JOINTS; ++i)
    {
        if (!p->joint[i] || dJointGetType (p->joint[i]) != dJointTypeTransmission) continue;
        const dBodyID wheel[2] = {dJointGetBody (p->joint[i], 0), dJointGetBody (p->joint[i], 1)};
        if (!wheel[0] || !wheel[1]) continue;
        const dReal *a = dBodyGetPosition (wheel[0]), *b = dBodyGetPosition (wheel[1]);
        if (fabs (a[0] - b[0]) + fabs (a[1] - b[1]) + fabs (a[2] - b[2]) < 1e6) continue;
        dJointDestroy (p->joint[i]);
        p->joint[i] = NULL;
    }
}

static void step (play *p, int analyse)
{
    remove_distant_gears (p);
    look before[BODIES], after[BODIES];
    int awake[BODIES];
    for (int b = 0; b < BODIES; ++b) awake[b] = p->body[b] && dBodyIsEnabled (p->body[b]);
    look_at (p, before);
    const dReal h = fuzz_index (&p->bytes, 8) ? (dReal)0.01 : number (p);
    const int done = analyse ? dRLSStepperAnalyse (p->stepper) : dRLSStepperStep (p->stepper, h);
    look_at (p, after);
    FUZZ_CHECK (done == (dRLSStepperGetStatus (p->stepper) == dRLSStatusOk));
    FUZZ_CHECK (dRLSStepperGetMessage (p->stepper));
    for (int b = 0; b < BODIES && (!done || analyse); ++b)
        if (p->body[b] && dBodyIsEnabled (p->body[b]) == awake[b])
        {
            if (dBodyGetAutoDisableFlag (p->body[b])) /* ODE may have put it to sleep and woken it, at rest */
            {
                memcpy (before[b].v, after[b].v, sizeof before->v);
                memcpy (before[b].w, after[b].w, sizeof before->w);
            }
            FUZZ_CHECK (memcmp (&before[b], &after[b], sizeof *before) == 0);
        }
    for (int b = 0; b < BODIES && done && !analyse; ++b)
    {
        if (!p->body[b] || !dBodyIsEnabled (p->body[b])) continue;
        for (int k = 0; k < 3; ++k)
            FUZZ_CHECK (isfinite (after[b].x[k]) && isfinite (after[b].v[k]) && isfinite (after[b].w[k]));
        for (int k = 0; k < 4; ++k) FUZZ_CHECK (isfinite (after[b].q[k]));
    }
    if (done) check_report (p);
}

static void save (play *p)
{
    dBodyID bodies[BODIES];
    int count = 0;
    for (int b = 0; b < BODIES; ++b)
        if (p->body[b]) bodies[count++] = p->body[b];
    if (!p->saved) p->saved = dRLSStateCreate ();
    FUZZ_CHECK (dRLSStepperSaveState (p->stepper, p->saved, bodies, count));
    p->savable = 1;
}

static void restart (play *p)
{
    dRLSStepperDestroy (p->stepper);
    p->stepper = dRLSStepperCreate (p->world, NULL);
    FUZZ_CHECK (p->stepper);
}

static void measure (play *p)
{
    dRLSViolation violation;
    dReal kinetic, potential;
    dRLSMeasureJoint (some_joint (p), &violation);
    dRLSMeasureBody (some_body (p), &kinetic, &potential);
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
    static int started;
    if (!started) started = dInitODE2 (0);
    play p = {.bytes = {data, size}};
    p.world = dWorldCreate ();
    dWorldSetGravity (p.world, 0, 0, (dReal)-9.81);
    restart (&p);
    for (int calls = 0; p.bytes.left > 0 && calls < 200; ++calls)
    {
        const int j = fuzz_index (&p.bytes, JOINTS);
        switch (fuzz_index (&p.bytes, 16))
        {
        case 0:
        case 1:
        case 2:
            make_body (&p);
            break;
        case 3:
        case 4:
        case 5:
            make_joint (&p);
            break;
        case 6:
            if (p.joint[j]) tune_joint (&p, p.joint[j]);
            break;
        case 7:
            if (p.joint[j]) fuzz_index (&p.bytes, 2) ? dJointEnable (p.joint[j]) : dJointDisable (p.joint[j]);
            break;
        case 8:
            spoil_body (&p);
            break;
        case 9:
            spoil_world (&p);
            break;
        case 10:
            choose (&p);
            break;
        case 11:
            step (&p, 1);
            break;
        case 12:
            if (fuzz_index (&p.bytes, 4))
                save (&p);
            else
                restart (&p);
            break;
        case 13:
            if (p.savable) FUZZ_CHECK (dRLSStepperRestoreState (p.stepper, p.saved));
            measure (&p);
            break;
        default:
            step (&p, 0);
        }
    }
    dRLSStateDestroy (p.saved);
    dRLSStepperDestroy (p.stepper);
    dWorldDestroy (p.world);
    return 0;
}
