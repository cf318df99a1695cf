/*
 * Forces of a callback that depend on velocities: the end of a step is an equation then.  It is solved
 * whatever the damping is, with few calls; and where there is no answer, somebody is told.
 */
#include <ode/ode.h>
#include <ode_rls/ode_rls.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define STEPS 200

typedef struct
{
    dWorldID world;
    dRLSStepperID stepper;
    dBodyID rod;
    double drag; /* N s^2/m^2, or N of dry friction */
    long calls;
} rig;

/* A rod of 1 kg and 1 m that hangs from its middle's left. */
static rig open_rig (double drag)
{
    rig r = {.world = dWorldCreate (), .drag = drag};
    dMass m;
    dWorldSetGravity (r.world, 0, 0, (dReal)-9.81);
    r.rod = dBodyCreate (r.world);
    dMassSetBoxTotal (&m, 1, 1, (dReal)0.1, (dReal)0.1);
    dBodySetMass (r.rod, &m);
    dBodySetPosition (r.rod, (dReal)0.5, 0, 0);
    const dJointID hinge = dJointCreateHinge (r.world, NULL);
    dJointAttach (hinge, r.rod, NULL);
    dJointSetHingeAnchor (hinge, 0, 0, 0);
    dJointSetHingeAxis (hinge, 0, 1, 0);
    r.stepper = dRLSStepperCreate (r.world, NULL);
    return r;
}

static void close_rig (rig *r)
{
    dRLSStepperDestroy (r->stepper);
    dWorldDestroy (r->world);
}

/* A spring to the hinge's plane, and drag that grows with the square of the speed. */
static void drag (void *context, dWorldID world, dReal time)
{
    rig *r = context;
    const dReal *x = dBodyGetPosition (r->rod), *v = dBodyGetLinearVel (r->rod);
    const dReal c = (dReal)(r->drag * sqrt ((double)(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])));
    (void)world, (void)time;
    ++r->calls;
    dBodyAddForce (r->rod, -100 * x[0] - c * v[0], -c * v[1], -c * v[2]);
}

static void rub (void *context, dWorldID world, dReal time)
{
    rig *r = context;
    (void)world, (void)time;
    dBodyAddForce (r->rod, 0, 0, (dReal)(dBodyGetLinearVel (r->rod)[2] > 0 ? -r->drag : r->drag));
}

static double end_of (double strength, double h, long *calls)
{
    rig r = open_rig (strength);
    const long steps = lround (0.01 * STEPS / h);
    dRLSStepperSetForceCallback (r.stepper, drag, &r);
    for (long i = 0; i < steps; ++i) assert_int_equal (dRLSStepperStep (r.stepper, (dReal)h), 1);
    assert_true (dRLSStepperGetWarningCount (r.stepper, dRLSWarningFallback) == 0);
    assert_true (strength > 10 || dRLSStepperGetWarningCount (r.stepper, dRLSWarningForces) == 0);
    const double at = (double)dBodyGetPosition (r.rod)[0];
    if (calls) *calls = r.calls;
    close_rig (&r);
    return at;
}

static void any_drag_is_followed (void **state)
{
    (void)state;
    for (double strength = 0.01; strength < 2e4; strength *= 10)
    {
        long calls;
        const double exact = end_of (strength, 0.01 / 16, NULL),
                     off = fabs (end_of (strength, 0.01, &calls) - exact);
        print_message ("drag %g N s^2/m^2: off by %.1e m, %.2f calls a step\n", strength, off,
                       calls / (double)STEPS);
        assert_true (off < 0.01 && calls <= 20 * STEPS);
    }
}

/* Dry friction of 100 N that knows no rest has no answer where the rod would stop. */
static void what_has_no_answer_is_told (void **state)
{
    (void)state;
    rig r = open_rig (100);
    dRLSStepperSetForceCallback (r.stepper, rub, &r);
    for (int i = 0; i < 50; ++i) dRLSStepperStep (r.stepper, (dReal)0.01);
    assert_true (dRLSStepperGetWarningCount (r.stepper, dRLSWarningFallback) > 0);
    close_rig (&r);
}

static void rub_steeply (void *context, dWorldID world, dReal time)
{
    rig *r = context;
    (void)world, (void)time;
    dBodyAddForce (r->rod, 0, 0, (dReal)(-r->drag * tanh ((double)dBodyGetLinearVel (r->rod)[2] / 1e-3)));
}

/* Friction that turns round within 1 mm/s: its iterations come nearer in some steps, and not there. */
static void what_has_not_settled_is_told (void **state)
{
    (void)state;
    rig r = open_rig (2000);
    dRLSWarningNote note = {.struct_size = sizeof (note)};
    dRLSStepperSetForceCallback (r.stepper, rub_steeply, &r);
    for (int i = 0; i < 100; ++i) dRLSStepperStep (r.stepper, (dReal)0.01);
    assert_true (dRLSStepperGetWarningCount (r.stepper, dRLSWarningForces) > 0);
    assert_int_equal (dRLSStepperGetWarningNote (r.stepper, dRLSWarningForces, &note), 1);
    assert_true (note.amount > 0 && !note.joint && note.row == -1);
    close_rig (&r);
}

static void pull_back (void *context, dWorldID world, dReal time)
{
    const rig *r = context;
    (void)world, (void)time;
    dBodyAddForce (r->rod, (dReal)-r->drag * dBodyGetPosition (r->rod)[0], 0, 0);
}

/* A box of 1 kg that slides on the ground without friction, by a spring of the program with the frequency w:
 * returns how often energy was reported in 20 steps of h. */
static unsigned long energy_told (double w, double h)
{
    rig r = {.world = dWorldCreate (), .drag = w * w};
    const dSpaceID space = dSimpleSpaceCreate (NULL);
    const dGeomID ground = dCreatePlane (space, 0, 0, 1, 0), box = dCreateBox (space, 1, 1, (dReal)0.5);
    const dJointGroupID group = dJointGroupCreate (0);
    dContact contact[8] = {{.surface = {.mode = 0}}};
    dWorldSetGravity (r.world, 0, 0, (dReal)-9.81);
    r.rod = dBodyCreate (r.world);
    dBodySetPosition (r.rod, (dReal)0.1, 0, (dReal)0.25);
    dGeomSetBody (box, r.rod);
    r.stepper = dRLSStepperCreate (r.world, NULL);
    dRLSStepperSetForceCallback (r.stepper, pull_back, &r);
    for (int step = 0; step < 20; ++step)
    {
        const int count = dCollide (box, ground, 8, &contact[0].geom, sizeof (*contact));
        for (int i = 0; i < count; ++i)
            dJointAttach (dJointCreateContact (r.world, group, &contact[i]), r.rod, NULL);
        assert_int_equal (dRLSStepperStep (r.stepper, (dReal)h), 1);
        dJointGroupEmpty (group);
    }
    const unsigned long told = dRLSStepperGetWarningCount (r.stepper, dRLSWarningEnergy);
    dJointGroupDestroy (group);
    dSpaceDestroy (space);
    close_rig (&r);
    return told;
}

/* Beside contacts a step is not taken in pieces where a force is too stiff for it. */
static void a_spring_beside_contacts_is_told (void **state)
{
    (void)state;
    assert_int_equal (energy_told (80, 0.01), 0);
    assert_true (energy_told (300, 0.01) > 0); /* its energy grows many times in each step */
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (any_drag_is_followed), cmocka_unit_test (what_has_not_settled_is_told),
        cmocka_unit_test (what_has_no_answer_is_told), cmocka_unit_test (a_spring_beside_contacts_is_told)};
    dInitODE2 (0);
    const int failed = cmocka_run_group_tests (tests, NULL, NULL);
    dCloseODE ();
    return failed;
}
