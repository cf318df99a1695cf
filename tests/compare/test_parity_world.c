/*
 * Parameters of the world and flags of bodies against dWorldStep, in a world with contacts, a stop and a
 * motor: a ball that rolls on the ground into another, and a pendulum with a weak motor between stops.
 * (test_stepper_semantics.c does the same for bilateral joints alone.)
 */
#include "parity_rig.h"

#define STEPS 150
#define RADIUS 0.3

typedef struct
{
    const char *name;
    void (*dress) (parity_world *);
    int without_effect; /* dWorldStep does not heed it either */
} world_case;

enum
{
    ROLLING,
    RESTING,
    PENDULUM
};

static void nothing (parity_world *w) { (void)w; }

/* ---- of the world ---- */

static void gravity (parity_world *w) { dWorldSetGravity (w->world, 1, 0, -5); }
static void erp (parity_world *w) { dWorldSetERP (w->world, (dReal)0.7); }
static void cfm (parity_world *w) { dWorldSetCFM (w->world, (dReal)1e-3); }
static void correcting_speed (parity_world *w) { dWorldSetContactMaxCorrectingVel (w->world, (dReal)0.01); }
static void surface_layer (parity_world *w) { dWorldSetContactSurfaceLayer (w->world, (dReal)0.004); }
static void sweeps (parity_world *w) { dWorldSetQuickStepNumIterations (w->world, 1); }
static void relaxation (parity_world *w) { dWorldSetQuickStepW (w->world, (dReal)0.5); }
static void threads (parity_world *w) { dWorldSetStepIslandsProcessingMaxThreadCount (w->world, 1); }

static void memory (parity_world *w)
{
    dWorldStepReserveInfo info = {
        .struct_size = sizeof (info), .reserve_factor = 2, .reserve_minimum = 100000};
    dWorldSetStepMemoryReservationPolicy (w->world, &info);
}

static void damping (parity_world *w)
{
    dWorldSetDamping (w->world, (dReal)0.02, (dReal)0.03);
    for (int i = 0; i < w->bodies; ++i) dBodySetDampingDefaults (w->body[i]);
}

static void damping_thresholds (parity_world *w)
{
    damping (w);
    dWorldSetLinearDampingThreshold (w->world, (dReal)0.5);
    dWorldSetAngularDampingThreshold (w->world, (dReal)1.5);
    for (int i = 0; i < w->bodies; ++i) dBodySetDampingDefaults (w->body[i]);
}

static void turning_speed (parity_world *w)
{
    dWorldSetMaxAngularSpeed (w->world, (dReal)0.7);
    for (int i = 0; i < w->bodies; ++i)
        dBodySetMaxAngularSpeed (w->body[i], dWorldGetMaxAngularSpeed (w->world));
}

static void auto_disable (parity_world *w)
{
    dWorldSetAutoDisableFlag (w->world, 1);
    dWorldSetAutoDisableLinearThreshold (w->world, (dReal)0.4);
    dWorldSetAutoDisableAngularThreshold (w->world, (dReal)1.2);
    dWorldSetAutoDisableSteps (w->world, 5);
    dWorldSetAutoDisableTime (w->world, (dReal)0.08);
    dWorldSetAutoDisableAverageSamplesCount (w->world, 4);
    for (int i = 0; i < w->bodies; ++i)
    {
        dBodySetAutoDisableAverageSamplesCount (w->body[i],
                                                4); /* the next call forgets to make room for them */
        dBodySetAutoDisableDefaults (w->body[i]);
    }
}

/* ---- of bodies ---- */

static void no_gravity (parity_world *w) { dBodySetGravityMode (w->body[PENDULUM], 0); }
static void no_gyroscopic_terms (parity_world *w) { dBodySetGyroscopicMode (w->body[ROLLING], 0); }
static void body_damping (parity_world *w) { dBodySetDamping (w->body[ROLLING], (dReal)0.05, (dReal)0.02); }
static void asleep (parity_world *w) { dBodyDisable (w->body[RESTING]); } /* until it is hit */

static void body_turning_speed (parity_world *w) { dBodySetMaxAngularSpeed (w->body[ROLLING], 2); }

static void kinematic (parity_world *w)
{
    dBodySetKinematic (w->body[RESTING]);
    dBodySetLinearVel (w->body[RESTING], (dReal)-0.2, 0, 0);
    dBodySetAngularVel (w->body[RESTING], 0, 3, 0);
}

static void finite_rotation (parity_world *w)
{
    dBodySetFiniteRotationMode (w->body[ROLLING], 1);
    dBodySetFiniteRotationAxis (w->body[ROLLING], 0, 1, 0);
    dBodySetAngularVel (w->body[ROLLING], 5, 20, 3);
}

static void count_moves (dBodyID body) { ++*(int *)dBodyGetData (body); }

static int moves[2];

static void moved_callback (parity_world *w)
{
    static int turn;
    turn = !turn;
    moves[turn] = 0;
    dBodySetData (w->body[ROLLING], &moves[turn]);
    dBodySetMovedCallback (w->body[ROLLING], count_moves);
}

static const world_case cases[] = {
    {"nothing", nothing, 1},
    {"gravity", gravity, 0},
    {"ERP", erp, 0},
    {"CFM", cfm, 0},
    {"correcting speed", correcting_speed, 0},
    {"surface layer", surface_layer, 0},
    {"sweeps of dWorldQuickStep", sweeps, 1},
    {"relaxation of dWorldQuickStep", relaxation, 1},
    {"threads", threads, 1},
    {"reserved memory", memory, 1},
    {"damping", damping, 0},
    {"damping thresholds", damping_thresholds, 0},
    {"turning speed", turning_speed, 0},
    {"auto-disable", auto_disable, 0},
    {"body without gravity", no_gravity, 0},
    {"body without gyroscopic terms", no_gyroscopic_terms, 0},
    {"damped body", body_damping, 0},
    {"sleeping body", asleep, 0},
    {"body of a largest turning speed", body_turning_speed, 0},
    {"kinematic body", kinematic, 0},
    {"finite rotation", finite_rotation, 0},
    {"moved-callback", moved_callback, 1},
};

#define CASES (sizeof (cases) / sizeof (cases[0]))

static void add (parity_world *w, dReal x, dReal z)
{
    const dBodyID body = dBodyCreate (w->world);
    parity_mass (body, 2, (dReal)0.3, (dReal)0.5, (dReal)0.7);
    dBodySetPosition (body, x, 0, z);
    w->body[w->bodies++] = body;
}

static void build (parity_world *w)
{
    const world_case *c = w->what;
    w->world = dWorldCreate ();
    dWorldSetGravity (w->world, 0, 0, (dReal)-9.81);
    add (w, -1, (dReal)RADIUS);
    add (w, 0, (dReal)RADIUS);
    add (w, 5, (dReal)2.5);
    dBodySetLinearVel (w->body[ROLLING], (dReal)1.6, 0, 0);
    dBodySetAngularVel (w->body[ROLLING], 1, 4, 2);
    dBodySetAngularVel (w->body[PENDULUM], 0, 2, 0);
    dBodySetLinearVel (w->body[PENDULUM], -1, 0, 0);
    const dJointID hinge = parity_watch (w, dJointCreateHinge (w->world, NULL));
    dJointAttach (hinge, w->body[PENDULUM], NULL);
    dJointSetHingeAnchor (hinge, 5, 0, 3);
    dJointSetHingeAxis (hinge, 0, 1, 0);
    dJointSetHingeParam (hinge, dParamLoStop, (dReal)-0.3);
    dJointSetHingeParam (hinge, dParamHiStop, (dReal)0.2);
    dJointSetHingeParam (hinge, dParamBounce, (dReal)0.3);
    dJointSetHingeParam (hinge, dParamVel, (dReal)0.4);
    dJointSetHingeParam (hinge, dParamFMax, 1);
    c->dress (w);
}

/* One contact a ball: more would be redundant.  Constant friction, that does not ask for normal forces. */
static void touch (parity_world *w, dBodyID a, dBodyID b, const dReal normal[3], const dReal pos[3],
                   dReal depth)
{
    dContact contact = {.surface = {.mode = dContactSoftCFM, .mu = 3, .soft_cfm = (dReal)1e-4}};
    if (dWorldGetCFM (w->world) > (dReal)1e-4) contact.surface.mode = 0;
    for (int k = 0; k < 3; ++k) contact.geom.pos[k] = pos[k], contact.geom.normal[k] = normal[k];
    contact.geom.depth = depth;
    if (depth >= 0) parity_contact (w, &contact, a, b);
}

static void collide (parity_world *w, int step)
{
    static const dReal up[3] = {0, 0, 1};
    for (int i = ROLLING; i <= RESTING; ++i)
    {
        const dReal *x = dBodyGetPosition (w->body[i]), depth = (dReal)RADIUS - x[2];
        const dReal pos[3] = {x[0], x[1], 0};
        if (!dBodyIsKinematic (w->body[i])) touch (w, w->body[i], NULL, up, pos, depth);
    }
    const dReal *x = dBodyGetPosition (w->body[ROLLING]), *y = dBodyGetPosition (w->body[RESTING]);
    dReal normal[3], pos[3], distance = 0;
    for (int k = 0; k < 3; ++k) normal[k] = x[k] - y[k], distance += normal[k] * normal[k];
    distance = dSqrt (distance);
    for (int k = 0; k < 3; ++k) normal[k] /= distance, pos[k] = (x[k] + y[k]) / 2;
    touch (w, w->body[ROLLING], w->body[RESTING], normal, pos, (dReal)(2 * RADIUS) - distance);
    if (step == 20) dBodySetForce (w->body[PENDULUM], 3, 0, 0);
    if (step == 30) dBodyAddRelTorque (w->body[ROLLING], 1, 2, 1);
}

static const parity_test test = {build, collide, STEPS, 1e-6};

static void test_world_and_bodies (void **state)
{
    (void)state;
    for (size_t i = 0; i < CASES; ++i)
    {
        parity_check (cases[i].name, &test, &cases[i]);
        const double effect = parity_effect (&test, &cases[i], &cases[0]);
        if (cases[i].without_effect ? effect > 0 : !(effect > 1e-4))
            fail_msg ("%s: an effect of %g", cases[i].name, effect);
    }
}

static void test_callbacks_are_as_many (void **state)
{
    (void)state;
    const world_case c = {"moved-callback", moved_callback, 1};
    parity_check (c.name, &test, &c);
    assert_int_equal (moves[0], STEPS);
    assert_int_equal (moves[1], STEPS);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_world_and_bodies),
        cmocka_unit_test (test_callbacks_are_as_many),
    };
    return cmocka_run_group_tests (tests, parity_start, parity_stop);
}
