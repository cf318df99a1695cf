/*
 * Boxes on contacts of every surface mode, with sane numbers: the certificate of each step says that contacts
 * do not pull and that friction keeps its cone, and bodies stay finite.
 */
#include "fuzz.h"

#include <math.h>
#include <ode_rls/ode_rls.h>
#include <string.h>

#define BODIES 4
#define CONTACTS 12
#define H ((dReal)0.01)
/* N beyond a bound, of 1 plus the largest force of a contact, which are 4e9 N where infinite friction wedges
 * a body; and of the step in halves, whose forces act along the rows of both ends, seen along those of the
 * beginning. */
#define OUTSIDE 1e-9
#define OUTSIDE_IN_HALVES 1e-6
#define FAST 1e6 /* m/s, rad/s: nothing here may get so fast */

typedef struct
{
    fuzz_bytes bytes;
    dWorldID world;
    dJointGroupID group;
    dRLSStepperID stepper;
    dRLSCertificateID certificate;
    dBodyID body[BODIES];
    dJointFeedback reaction[CONTACTS];
    int contacts, integrator;
    int forgets; /* before each step: then rows of contacts do not go on from the step before */
} play;

static dReal between (play *p, double low, double high) { return (dReal)fuzz_number (&p->bytes, low, high); }

static void choose_surface (play *p, dSurfaceParameters *s)
{
    memset (s, 0, sizeof *s);
    s->mode = (int)(fuzz_byte (&p->bytes) | fuzz_byte (&p->bytes) << 8) &
              (dContactMu2 | dContactFDir1 | dContactBounce | dContactSoftERP | dContactSoftCFM |
               dContactMotion1 | dContactMotion2 | dContactMotionN | dContactSlip1 | dContactSlip2 |
               dContactRolling | dContactApprox1_1 | dContactApprox1_2);
    s->mu = fuzz_index (&p->bytes, 4) ? between (p, 0, 2) : dInfinity;
    /* Infinite friction has rows without bounds, which push with the lever of the end of the step, too; the
     * certificate, which goes by the rows of the beginning, cannot tell that from rolling friction. */
    if (s->mu == dInfinity) s->mode &= ~dContactRolling;
    s->mu2 = between (p, 0, 2);
    s->rho = between (p, 0, 0.1), s->rho2 = between (p, 0, 0.1), s->rhoN = between (p, 0, 0.1);
    s->bounce = between (p, 0, 1), s->bounce_vel = between (p, 0, 1);
    s->soft_erp = between (p, 0, 1), s->soft_cfm = between (p, 0, 1e-2);
    s->motion1 = between (p, -1, 1), s->motion2 = between (p, -1, 1), s->motionN = between (p, -0.1, 0.1);
    s->slip1 = between (p, 0, 1e-2), s->slip2 = between (p, 0, 1e-2);
}

static void make_contact (play *p)
{
    dContact contact;
    const dBodyID a = p->body[fuzz_index (&p->bytes, BODIES)], b = p->body[fuzz_index (&p->bytes, BODIES)];
    memset (&contact, 0, sizeof contact);
    choose_surface (p, &contact.surface);
    const dReal *x = dBodyGetPosition (a);
    for (int k = 0; k < 3; ++k) contact.geom.pos[k] = x[k] + between (p, -0.5, 0.5);
    contact.geom.normal[0] = between (p, -0.3, 0.3), contact.geom.normal[2] = 1;
    dNormalize3 (contact.geom.normal);
    contact.fdir1[1] = 1; /* across the normal, which lies in the plane of x and z */
    contact.geom.depth = between (p, 0, 0.02);
    const dJointID joint = dJointCreateContact (p->world, p->group, &contact);
    dJointAttach (joint, a, a == b ? NULL : b);
    dJointSetFeedback (joint, &p->reaction[p->contacts++]);
}

/* N and N m. */
static double largest_reaction (const play *p)
{
    double most = 0;
    for (int i = 0; i < p->contacts; ++i)
        for (int k = 0; k < 3; ++k)
            most =
                fmax (most, fmax (fabs ((double)p->reaction[i].f1[k]), fabs ((double)p->reaction[i].t1[k])));
    return most;
}

static void step (play *p)
{
    dRLSStepCertificate c = {.struct_size = sizeof c};
    dJointGroupEmpty (p->group);
    p->contacts = 0;
    FUZZ_CHECK (!p->forgets || dRLSStepperForget (p->stepper));
    for (int i = fuzz_index (&p->bytes, CONTACTS); i > 0; --i) make_contact (p);
    FUZZ_CHECK (dRLSCertificateBegin (p->certificate, p->body, BODIES));
    const unsigned long told = dRLSStepperGetWarningCount (p->stepper, dRLSWarningBounded);
    const int done = dRLSStepperStep (p->stepper, H);
    const int exact = dRLSStepperGetWarningCount (p->stepper, dRLSWarningBounded) == told;
    FUZZ_CHECK (dRLSCertificateEnd (p->certificate, H, &c));
    FUZZ_CHECK (done);
    FUZZ_CHECK (isfinite (c.energy) && isfinite (c.driven_work));
    /* rows that go on from the step before are turned by as much as contacts here are from step to step */
    const int euler = p->integrator == dRLSIntegratorEuler, along_rows = euler || p->forgets;
    const double outside = (euler ? OUTSIDE : OUTSIDE_IN_HALVES) * (1 + largest_reaction (p));
    FUZZ_CHECK (!exact || !along_rows || c.outside <= outside);
    for (int b = 0; b < BODIES; ++b)
        for (int k = 0; k < 3; ++k)
        {
            FUZZ_CHECK (fabs ((double)dBodyGetLinearVel (p->body[b])[k]) < FAST);
            FUZZ_CHECK (fabs ((double)dBodyGetAngularVel (p->body[b])[k]) < FAST);
        }
}

static void run (const uint8_t *data, size_t size, int integrator, int forgets)
{
    play p = {.bytes = {data, size}, .integrator = integrator, .forgets = forgets};
    p.world = dWorldCreate ();
    dWorldSetGravity (p.world, 0, 0, (dReal)-9.81);
    p.group = dJointGroupCreate (0);
    p.stepper = dRLSStepperCreate (p.world, NULL);
    p.certificate = dRLSCertificateCreate ();
    FUZZ_CHECK (p.stepper && p.certificate && dRLSStepperSetIntegrator (p.stepper, integrator));
    for (int b = 0; b < BODIES; ++b)
    {
        dMass mass;
        p.body[b] = dBodyCreate (p.world);
        dMassSetBoxTotal (&mass, (dReal)pow (10, fuzz_number (&p.bytes, -1, 1)), 1, 1, 1);
        dBodySetMass (p.body[b], &mass);
        dBodySetPosition (p.body[b], between (&p, -1, 1), between (&p, -1, 1), b);
    }
    for (int i = 0; i < 50 && p.bytes.left > 0; ++i) step (&p);
    dRLSCertificateDestroy (p.certificate);
    dRLSStepperDestroy (p.stepper);
    dJointGroupDestroy (p.group);
    dWorldDestroy (p.world);
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
    static int begun;
    if (!begun) dInitODE2 (0);
    begun = 1;
    run (data, size, dRLSIntegratorAuto, 0);
    run (data, size, dRLSIntegratorAuto, 1);
    run (data, size, dRLSIntegratorEuler, 0);
    return 0;
}
