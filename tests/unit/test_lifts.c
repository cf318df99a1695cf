/*
 * Depths that are taken back lift bodies: what an impact loses pays for that.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <ode_rls/ode_rls.h>

#define G 9.81

typedef struct
{
    dWorldID world;
    dJointGroupID contacts;
    int touching;
    double deepest;
} ground;

static void meet (void *context, dGeomID a, dGeomID b)
{
    ground *g = context;
    dContact contact[8];
    const int count = dCollide (a, b, 8, &contact[0].geom, sizeof (contact[0]));
    for (int i = 0; i < count; ++i)
    {
        contact[i].surface = (dSurfaceParameters){.mode = dContactApprox1, .mu = (dReal)0.8};
        g->deepest = fmax (g->deepest, (double)contact[i].geom.depth);
        dJointAttach (dJointCreateContact (g->world, g->contacts, &contact[i]), dGeomGetBody (a),
                      dGeomGetBody (b));
    }
    g->touching += count;
}

static double energy (dBodyID body)
{
    dReal kinetic, potential;
    dRLSMeasureBody (body, &kinetic, &potential);
    return (double)(kinetic + potential);
}

/* A box that falls flat for a second is seen as deep as it comes within a step: at rest in the next one, it
 * never gains. */
static void drop (double h)
{
    ground g = {.world = dWorldCreate (), .contacts = dJointGroupCreate (0)};
    const dSpaceID space = dSimpleSpaceCreate (NULL);
    const dRLSStepperID stepper = dRLSStepperCreate (g.world, NULL);
    const dBodyID box = dBodyCreate (g.world);
    dMass m;
    dWorldSetGravity (g.world, 0, 0, (dReal)-G);
    dMassSetBoxTotal (&m, 1, 1, 1, (dReal)0.5);
    dBodySetMass (box, &m);
    dBodySetPosition (box, 0, 0, (dReal)1.2345);
    dCreatePlane (space, 0, 0, 1, 0);
    dGeomSetBody (dCreateBox (space, 1, 1, (dReal)0.5), box);

    double last = energy (box);
    int touched = 0;
    for (int i = 0; i * h < 1; ++i)
    {
        g.touching = 0, g.deepest = 0;
        dSpaceCollide (space, &g, meet);
        assert_true (dRLSStepperStep (stepper, (dReal)h));
        dJointGroupEmpty (g.contacts);
        const double now = energy (box);
        if (!(now <= last * (1 + 1e-12))) fail_msg ("h %g, %g s: %g J more", h, i * h, now - last);
        last = now;
        if (touched > 0) assert_true (g.touching > 0 && g.deepest <= 0.11 * G * h * h);
        touched += g.touching;
    }
    assert_true (touched > 0);
    dRLSStepperDestroy (stepper);
    dJointGroupDestroy (g.contacts);
    dSpaceDestroy (space);
    dWorldDestroy (g.world);
}

static void what_falls_flat_rests_at_once (void **state)
{
    (void)state;
    for (double h = 0.02; h > 0.002; h /= 2) drop (h);
}

int main (void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test (what_falls_flat_rests_at_once)};
    dInitODE ();
    const int failed = cmocka_run_group_tests (tests, NULL, NULL);
    dCloseODE ();
    return failed;
}
