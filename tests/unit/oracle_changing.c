/* Worlds that change between steps; contract in oracle_changing.h. */
#include "oracle_changing.h"
#include <math.h>

enum /* what kinds are made of */
{
    MASSES = 1,
    LENGTHS = 2,
    UNEVEN = 4,
    JOINTS = 8,
    STOPS = 16,
    MOTORS = 32,
    MOVED = 64,
    GRAVITY = 128,
    CONTACTS = 256,
    PLATFORM = 512,
    SPRINGS = 1024,
    FORCES = 2048,
    ASLEEP = 4096,
    METHODS = 8192,
    RESTORED = 16384,
    SOFT = 32768,
    TREES = 65536,
    DRIVEN = 131072
};

const char *const changing_names[CHANGING_KINDS] = {
    "masses",   "lengths",  "uneven",   "joints",  "stops",  "motors", "moved",
    "gravity",  "contacts", "platform", "springs", "forces", "asleep", "methods",
    "restored", "soft",     "trees",    "driven",  "deep",   "lifted", "all"};
static const int kinds[CHANGING_KINDS] = {MASSES,
                                          LENGTHS,
                                          UNEVEN | STOPS,
                                          JOINTS,
                                          STOPS,
                                          MOTORS,
                                          MOVED,
                                          GRAVITY,
                                          CONTACTS,
                                          PLATFORM,
                                          SPRINGS,
                                          FORCES,
                                          ASLEEP,
                                          METHODS | STOPS | LENGTHS | MOVED,
                                          RESTORED | STOPS | LENGTHS | MOVED | JOINTS,
                                          SOFT,
                                          TREES | MASSES | GRAVITY,
                                          DRIVEN,
                                          CONTACTS | MOVED | LENGTHS,
                                          PLATFORM | STOPS | MASSES | LENGTHS | CONTACTS,
                                          MASSES | LENGTHS | JOINTS | STOPS | MOTORS | MOVED | GRAVITY |
                                              CONTACTS | FORCES | ASLEEP};

static double any (changing_world *w, double low, double high)
{
    return oracle_uniform (&w->random, low, high);
}
static int one_in (changing_world *w, int n) { return oracle_index (&w->random, n) == 0; }

static void any_vector (changing_world *w, double size, double out[3])
{
    for (int k = 0; k < 3; ++k) out[k] = any (w, -size, size);
}

int changing_is_bounded (const changing_world *w) { return w->space || w->does & STOPS; }
int changing_is_springy (const changing_world *w) { return w->field > 0 || w->does & (SPRINGS | SOFT); }
int changing_is_driven (const changing_world *w) { return (w->does & DRIVEN) != 0; }

/* ---- joints come and go ---- */

static void set_stops (changing_world *w, dJointID joint, void (*set) (dJointID, int, dReal), double size)
{
    if (!(w->does & STOPS) || one_in (w, 3)) return;
    const double low = any (w, 0.05, 1), high = any (w, 0.01, low), bounce = any (w, -1, 1);
    (*set) (joint, dParamLoStop, (dReal)(-low * size));
    (*set) (joint, dParamHiStop, (dReal)(high * size));
    (*set) (joint, dParamBounce, (dReal)fmax (0, bounce));
}

/* A joint of any kind between two bodies (b NULL: and the world). */
static void add_tie (changing_world *w, dBodyID a, dBodyID b, const double at[3])
{
    static dJointID (*const create[]) (dWorldID, dJointGroupID) = {
        dJointCreateBall, dJointCreateHinge, dJointCreateUniversal, dJointCreateSlider, dJointCreateFixed};
    if (w->ties == CHANGING_TIES) return;
    double axis[3] = {any (w, -1, 1), 0, 0.5}, across[3] = {0, 0, 0};
    axis[1] = any (w, -1, 1), across[0] = -axis[1], across[1] = axis[0];
    changing_unit (axis), changing_unit (across);

    /* what it is */
    int kind = one_in (w, 2) ? 0 : oracle_index (&w->random, 5);
    if (w->does & SOFT) kind = 0;
    if (w->does & (SPRINGS | DRIVEN) || w->does == MOTORS) kind = 1;
    changing_tie *t = &w->tie[w->ties++];
    *t = (changing_tie){.id = (*create[kind]) (w->scene.world, NULL), .body = {a, b}};
    dJointAttach (t->id, a, b);

    /* where it is */
    const dReal x = (dReal)at[0], y = (dReal)at[1], z = (dReal)at[2], l = (dReal)axis[0], m = (dReal)axis[1],
                n = (dReal)axis[2];
    if (kind == 0) dJointSetBallAnchor (t->id, x, y, z);
    if (kind == 1) dJointSetHingeAnchor (t->id, x, y, z), dJointSetHingeAxis (t->id, l, m, n);
    if (kind == 1) set_stops (w, t->id, dJointSetHingeParam, 1);
    if (kind == 2) dJointSetUniversalAnchor (t->id, x, y, z), dJointSetUniversalAxis1 (t->id, l, m, n);
    if (kind == 2) dJointSetUniversalAxis2 (t->id, (dReal)across[0], (dReal)across[1], (dReal)across[2]);
    if (kind == 3) dJointSetSliderAxis (t->id, l, m, n);
    if (kind == 3) set_stops (w, t->id, dJointSetSliderParam, w->size);
    if (kind == 4) dJointSetFixed (t->id);
    changing_hold (t, at, axis, kind == 2 ? across : axis);
}

/* Attaches it again; from then on ODE's joint holds what its first body has there, but for fixed joints. */
static void attach_again (changing_tie *t)
{
    double at[3], axis[3];
    changing_held (t, at, axis);
    dJointAttach (t->id, t->body[0], t->body[1]);
    if (dJointGetType (t->id) != dJointTypeFixed) changing_hold (t, at, axis, axis);
}

static void between (dBodyID a, dBodyID b, double at[3])
{
    for (int k = 0; k < 3; ++k) at[k] = 0.5 * (double)(dBodyGetPosition (a)[k] + dBodyGetPosition (b)[k]);
}

/* A joint goes, is detached or attached again, or comes between neighbours. */
static void change_joints (changing_world *w)
{
    const int i = w->ties > 0 ? oracle_index (&w->random, w->ties) : -1,
              b = 1 + oracle_index (&w->random, w->scene.bodies - 1), what = oracle_index (&w->random, 3);
    const dBodyID body = w->scene.body[b], other = w->scene.body[b - 1];
    double at[3];
    between (body, other, at);
    if (what == 0 && i >= 0)
    {
        dJointDestroy (w->tie[i].id);
        w->tie[i] = w->tie[--w->ties];
    }
    else if (what == 1 && i >= 0 && dJointGetType (w->tie[i].id) != dJointTypeUniversal)
    {
        if (dJointGetNumBodies (w->tie[i].id) > 0)
            dJointAttach (w->tie[i].id, NULL, NULL);
        else
            attach_again (&w->tie[i]);
    }
    else if (what == 2 && !dAreConnected (body, other))
        add_tie (w, body, other, at), w->looped = 1;
}

/* ---- worlds ---- */

static void set_mass (changing_world *w, dBodyID body, double wide)
{
    dMass m;
    double side[3];
    for (int k = 0; k < 3; ++k) side[k] = w->size * any (w, 0.1, 0.5);
    dMassSetBoxTotal (&m, (dReal)pow (10, any (w, -wide, wide)), (dReal)side[0], (dReal)side[1],
                      (dReal)side[2]);
    dBodySetMass (body, &m);
}

static void give_speed (changing_world *w, dBodyID body, double fast)
{
    double v[3], turn[3];
    any_vector (w, fast * w->size, v), any_vector (w, fast, turn);
    dBodySetLinearVel (body, (dReal)v[0], (dReal)v[1], (dReal)v[2]);
    dBodySetAngularVel (body, (dReal)turn[0], (dReal)turn[1], (dReal)turn[2]);
}

/* A body beside another one (NULL: where it likes), mostly joined to it. */
static void add_body (changing_world *w, dBodyID beside)
{
    double x[3], at[3];
    any_vector (w, 0.4 * w->size, x);
    for (int k = 0; k < 3; ++k)
        x[k] += beside ? (double)dBodyGetPosition (beside)[k] : k == 2 ? 2 * w->size : 0;
    if (beside) x[0] += 0.3 * w->size;
    const dReal unit = (dReal)w->size;
    const int b = scene_box (&w->scene, (dReal)x[0], (dReal)x[1], (dReal)x[2], 1, unit, unit, unit);
    const dBodyID body = w->scene.body[b];
    set_mass (w, body, w->does & UNEVEN ? 2 : 0.5);
    give_speed (w, body, any (w, 0, w->lively ? 12 : 4));
    const int round = one_in (w, 2), joined = !(w->does & CONTACTS) || one_in (w, 2), held = one_in (w, 2);
    const dReal wide = (dReal)any (w, 0.1, 0.2) * unit, high = (dReal)0.2 * unit;
    if (w->space)
        dGeomSetBody (round ? dCreateSphere (w->space, wide) : dCreateBox (w->space, 2 * wide, high, high),
                      body);
    for (int k = 0; k < 3; ++k) at[k] = x[k] + 0.2 * w->size;
    if (beside) between (body, beside, at);
    if (beside ? joined : held && !(w->does & PLATFORM)) add_tie (w, body, beside, at);
}

changing_world changing_open (int kind, uint64_t seed, int lively)
{
    changing_world w = {
        .random = {64 * seed + (uint64_t)kind}, .does = kinds[kind], .lively = lively, .size = 1};
    static const int methods[] = {dRLSIntegratorEuler, dRLSIntegratorSymplectic, dRLSIntegratorSymplectic4,
                                  dRLSIntegratorSymplectic6, dRLSIntegratorRK4};
    any (&w, 0, 1);
    w.h = 1 / pow (10, any (&w, log10 (30), 3));
    if (one_in (&w, 10)) w.size = one_in (&w, 2) ? 1000 : 1.0 / 1000; /* in millimetres, in kilometres */
    w.scene = scene_open ((dReal)(-9.81 * w.size));
    w.contacts = dJointGroupCreate (0);
    w.platform = (w.does & PLATFORM) != 0;
    if (w.does & CONTACTS) w.space = dSimpleSpaceCreate (NULL);
    if (w.space && !w.platform) dCreatePlane (w.space, 0, 0, 1, 0);

    /* a tree or chain, or several, and some loops */
    const int bodies = w.does & TREES ? CHANGING_BODIES
                                      : 2 + oracle_index (&w.random, lively ? CHANGING_BODIES - 2 : 8),
              chain = one_in (&w, 2);
    for (int b = 0; b < bodies; ++b)
    {
        const int parent = chain || b == 0 ? b - 1 : oracle_index (&w.random, b);
        add_body (&w, b == 0 || (w.does & TREES && b % 4 == 0) ? NULL : w.scene.body[parent]);
        if (b == 0 && w.platform) dBodySetKinematic (w.scene.body[0]);
    }
    for (int i = 0; i < 2 && one_in (&w, 3); ++i)
    {
        const dBodyID a = w.scene.body[oracle_index (&w.random, bodies)],
                      b = w.scene.body[oracle_index (&w.random, bodies)];
        double at[3];
        between (a, b, at);
        if (a != b && !dAreConnected (a, b)) add_tie (&w, a, b, at), w.looped = 1;
    }

    /* choices */
    dWorldSetAutoDisableFlag (w.scene.world, (w.does & ASLEEP) != 0);
    dWorldSetAutoDisableLinearThreshold (w.scene.world, (dReal)(0.5 * w.size));
    dWorldSetAutoDisableAngularThreshold (w.scene.world, 1);
    dWorldSetAutoDisableTime (w.scene.world, (dReal)0.1);
    scene_stepper (&w.scene);
    if (w.does & METHODS) dRLSStepperSetIntegrator (w.scene.stepper, methods[oracle_index (&w.random, 5)]);
    return w;
}

void changing_close (changing_world *w)
{
    dRLSStateDestroy (w->state);
    dJointGroupDestroy (w->contacts);
    scene_close (&w->scene);
    if (w->space) dSpaceDestroy (w->space);
}

/* ---- what the program does ---- */

static void meet (void *context, dGeomID a, dGeomID b)
{
    changing_world *w = context;
    const dBodyID x = dGeomGetBody (a), y = dGeomGetBody (b);
    if (x && y && dAreConnectedExcluding (x, y, dJointTypeContact)) return;
    const dSurfaceParameters surface = {.mode = dContactApprox1 | dContactBounce,
                                        .mu = (dReal)0.6,
                                        .bounce = (dReal)(w->looped ? 0 : 0.5),
                                        .bounce_vel = (dReal)(0.1 * w->size)};
    scene_touch (w->scene.world, w->contacts, a, b, 6, &surface, &w->deepest);
}

static void pull (void *context, dWorldID unused, dReal time)
{
    const changing_world *w = context;
    const dReal k = (dReal)-w->field;
    (void)unused, (void)time;
    for (int b = 0; b < w->scene.bodies; ++b)
    {
        const dReal *x = dBodyGetPosition (w->scene.body[b]);
        if (changing_moves (w->scene.body[b])) dBodyAddForce (w->scene.body[b], k * x[0], k * x[1], k * x[2]);
    }
}

static dReal drive (void *context, dReal time, dReal *rate, dReal *acceleration)
{
    (void)context;
    *rate = (dReal)cos (3 * (double)time), *acceleration = (dReal)(-3 * sin (3 * (double)time));
    return (dReal)(sin (3 * (double)time) / 3);
}

/* Motors, springs and drives of hinges; balls that give way. */
static void change_axes (changing_world *w)
{
    const dRLSStepperID stepper = w->scene.stepper;
    for (changing_tie *t = w->tie; t < w->tie + w->ties; ++t)
    {
        const int hinge = dJointGetType (t->id) == dJointTypeHinge, off = one_in (w, 3);
        const double power = any (w, 0, 5), wanted = any (w, -5, 5), stiffness = pow (10, any (w, 0, 5)),
                     damping = any (w, 0, 1);
        if (dJointGetNumBodies (t->id) == 0 || one_in (w, 2)) continue;
        if (w->does & MOTORS && hinge)
        {
            t->power = off ? 0 : power * w->size * w->size, t->wanted = wanted;
            dJointSetHingeParam (t->id, dParamFMax, (dReal)t->power);
            dJointSetHingeParam (t->id, dParamVel, (dReal)t->wanted);
        }
        if (w->does & SPRINGS && hinge)
        {
            t->spring = off ? 0 : stiffness * w->size * w->size;
            dRLSStepperSetJointSpring (stepper, t->id, 0, (dReal)t->spring,
                                       (dReal)(damping * w->size * w->size), 0);
        }
        if (w->does & SOFT)
        {
            t->soft = off ? 0 : 10 * stiffness;
            dRLSStepperSetJointCompliance (stepper, t->id, (dReal)t->soft, (dReal)(t->soft * damping / 100));
        }
        if (w->does & DRIVEN && hinge) dRLSStepperSetJointDrive (stepper, t->id, off ? NULL : drive, NULL);
    }
}

/* Bodies go back to where they were, with the stepper; joints are what they are now. */
static void save_or_restore (changing_world *w)
{
    if (!w->state) w->state = dRLSStateCreate ();
    if (one_in (w, 2) && w->saved == w->scene.bodies)
        dRLSStepperRestoreState (w->scene.stepper, w->state);
    else
        dRLSStepperSaveState (w->scene.stepper, w->state, w->scene.body, w->saved = w->scene.bodies);
}

static void change (changing_world *w)
{
    const dBodyID body = w->scene.body[oracle_index (&w->random, w->scene.bodies)];
    double way[3], g[3];
    any_vector (w, w->size * pow (10, any (w, -6, -0.5)), way);
    any_vector (w, 10 * w->size, g);
    if (w->does & MASSES && !dBodyIsKinematic (body)) set_mass (w, body, w->looped ? 1 : 2);
    if (w->does & JOINTS) change_joints (w);
    if (w->does & (MOTORS | SPRINGS | SOFT | DRIVEN)) change_axes (w);
    if (w->does & MOVED)
    {
        const dReal *x = dBodyGetPosition (body);
        dBodySetPosition (body, x[0] + (dReal)way[0], x[1] + (dReal)way[1], x[2] + (dReal)way[2]);
    }
    if (w->does & GRAVITY) dWorldSetGravity (w->scene.world, (dReal)g[0], (dReal)g[1], (dReal)g[2]);
    if (w->does & FORCES)
    {
        w->field = one_in (w, 2) ? 0 : any (w, 0, 50);
        dRLSStepperSetForceCallback (w->scene.stepper, w->field > 0 ? pull : NULL, w);
    }
    if (w->does & RESTORED && one_in (w, 2)) save_or_restore (w);
    if (w->platform) give_speed (w, w->scene.body[0], 3);
    if (w->does & ASLEEP) dBodyEnable (body);
}

int changing_interfere (changing_world *w, int step)
{
    const int other = one_in (w, 8) || step == 0;
    if (w->does & LENGTHS && one_in (w, 3))
        w->h = fmax (1.0 / 1000, fmin (1.0 / 30, w->h * pow (20, any (w, -1, 1))));
    if (other) change (w);
    w->deepest = 0;
    dJointGroupEmpty (w->contacts);
    if (w->space) dSpaceCollide (w->space, w, meet);
    return other;
}
