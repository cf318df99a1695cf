/* Random worlds; contract in oracle_random.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "oracle_random.h"
#include <math.h>

/* splitmix64 */
uint64_t random_bits (random_source *r)
{
    uint64_t x = r->state += 0x9E3779B97F4A7C15ull;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
    return x ^ (x >> 31);
}

int random_below (random_source *r, int n) { return (int)(random_bits (r) % (uint64_t)n); }

double random_between (random_source *r, double lo, double hi)
{
    return lo + (hi - lo) * (double)(random_bits (r) >> 11) * 0x1p-53;
}

static void random_vector (random_source *r, double size, dReal v[3])
{
    for (int k = 0; k < 3; ++k) v[k] = (dReal)random_between (r, -size, size);
}

static void random_direction (random_source *r, dReal v[3])
{
    do random_vector (r, 1, v);
    while (v[0] * v[0] + v[1] * v[1] + v[2] * v[2] < (dReal)0.1);
}

/* A second direction, square to the first. */
static void direction_across (random_source *r, const dReal a[3], dReal b[3])
{
    dReal c[3];
    do {
        random_direction (r, c);
        dCalcVectorCross3 (b, a, c);
    } while (b[0] * b[0] + b[1] * b[1] + b[2] * b[2] < (dReal)0.05);
}

/* ---- joints ---- */

typedef dJointID creator (dWorldID, dJointGroupID);
static creator *const creators[] = {
    dJointCreateBall,   dJointCreateHinge,  dJointCreateSlider, dJointCreateUniversal, dJointCreateFixed,
    dJointCreatePR,     dJointCreatePU,     dJointCreatePiston, dJointCreateDBall,     dJointCreateDHinge,
    dJointCreateHinge2, dJointCreateAMotor, dJointCreateLMotor,
};
#define TYPES ((int)(sizeof creators / sizeof *creators))
#define HARD_TYPES 10 /* of them, those without springs and motors */

void random_place (random_source *r, dJointID joint, const dReal at[3])
{
    dReal a[3], b[3];
    random_direction (r, a);
    direction_across (r, a, b);
    switch (dJointGetType (joint))
    {
    case dJointTypeBall:
        dJointSetBallAnchor (joint, at[0], at[1], at[2]);
        break;
    case dJointTypeHinge:
        dJointSetHingeAnchor (joint, at[0], at[1], at[2]);
        dJointSetHingeAxis (joint, a[0], a[1], a[2]);
        break;
    case dJointTypeSlider:
        dJointSetSliderAxis (joint, a[0], a[1], a[2]);
        break;
    case dJointTypeUniversal:
        dJointSetUniversalAnchor (joint, at[0], at[1], at[2]);
        dJointSetUniversalAxis1 (joint, a[0], a[1], a[2]);
        dJointSetUniversalAxis2 (joint, b[0], b[1], b[2]);
        break;
    case dJointTypeFixed:
        dJointSetFixed (joint);
        break;
    case dJointTypePR:
        dJointSetPRAnchor (joint, at[0], at[1], at[2]);
        dJointSetPRAxis1 (joint, a[0], a[1], a[2]);
        dJointSetPRAxis2 (joint, b[0], b[1], b[2]);
        break;
    case dJointTypePU:
    {
        dReal c[3];
        dCalcVectorCross3 (c, a, b);
        dJointSetPUAnchor (joint, at[0], at[1], at[2]);
        dJointSetPUAxis1 (joint, a[0], a[1], a[2]);
        dJointSetPUAxis2 (joint, b[0], b[1], b[2]);
        dJointSetPUAxis3 (joint, c[0], c[1], c[2]);
        break;
    }
    case dJointTypePiston:
        dJointSetPistonAnchor (joint, at[0], at[1], at[2]);
        dJointSetPistonAxis (joint, a[0], a[1], a[2]);
        break;
    case dJointTypeDBall:
        dJointSetDBallAnchor1 (joint, at[0], at[1], at[2]);
        dJointSetDBallAnchor2 (joint, at[0] + a[0], at[1] + a[1], at[2] + a[2]);
        break;
    case dJointTypeDHinge:
        dJointSetDHingeAxis (joint, a[0], a[1], a[2]);
        dJointSetDHingeAnchor1 (joint, at[0], at[1], at[2]);
        dJointSetDHingeAnchor2 (joint, at[0] + b[0], at[1] + b[1], at[2] + b[2]);
        break;
    case dJointTypeHinge2:
        dJointSetHinge2Anchor (joint, at[0], at[1], at[2]);
        dJointSetHinge2Axes (joint, a, b);
        break;
    case dJointTypeAMotor:
        dJointSetAMotorMode (joint, dAMotorUser);
        dJointSetAMotorNumAxes (joint, 1);
        dJointSetAMotorAxis (joint, 0, 1, a[0], a[1], a[2]);
        dJointSetAMotorParam (joint, dParamVel, 1);
        dJointSetAMotorParam (joint, dParamFMax, 2);
        break;
    case dJointTypeLMotor:
        dJointSetLMotorNumAxes (joint, 1);
        dJointSetLMotorAxis (joint, 0, 1, a[0], a[1], a[2]);
        dJointSetLMotorParam (joint, dParamVel, 1);
        dJointSetLMotorParam (joint, dParamFMax, 2);
        break;
    default:
        break;
    }
}

static void between (const scene *s, int a, int b, dReal at[3])
{
    for (int k = 0; k < 3; ++k)
    {
        const dReal x = dBodyGetPosition (s->body[a])[k];
        at[k] = b == NO_BODY ? x + (dReal)0.3 : (x + dBodyGetPosition (s->body[b])[k]) / 2;
    }
}

static void join (random_world *w, int a, int b)
{
    scene *s = &w->scene;
    dReal at[3];
    if (s->joints >= SCENE_MOST || a == b) return;
    creator *create = creators[random_below (&w->source, w->hard ? HARD_TYPES : TYPES)];
    if (create == dJointCreateHinge2 && b == NO_BODY) create = dJointCreateHinge;
    const dJointID joint = scene_joint (s, create, a, b);
    between (s, a, b, at);
    random_place (&w->source, joint, at);
}

static int add_body (random_world *w)
{
    random_source *r = &w->source;
    const int b = scene_box (&w->scene, (dReal)random_between (r, -2, 2), (dReal)random_between (r, -2, 2),
                             (dReal)random_between (r, -0.2, 3), (dReal)exp (random_between (r, -1, 1)),
                             (dReal)random_between (r, 0.2, 1), (dReal)random_between (r, 0.2, 1),
                             (dReal)random_between (r, 0.2, 1));
    dQuaternion q;
    for (int k = 0; k < 4; ++k) q[k] = (dReal)random_between (r, -1, 1);
    dBodySetQuaternion (w->scene.body[b], q);
    dReal v[3];
    random_vector (r, 1, v);
    dBodySetLinearVel (w->scene.body[b], v[0], v[1], v[2]);
    random_vector (r, 2, v);
    dBodySetAngularVel (w->scene.body[b], v[0], v[1], v[2]);
    return b;
}

/* ---- worlds ---- */

void random_world_add (random_world *w, int bodies)
{
    const int first = w->scene.bodies;
    for (int i = 0; i < bodies; ++i)
    {
        add_body (w);
        if (i > 0 && random_below (&w->source, 8) > 0)
            join (w, first + i, first + random_below (&w->source, i));
    }
    for (int i = 0; i < bodies; ++i)
    {
        const int kind = random_below (&w->source, 4);
        if (kind == 0) join (w, first + i, NO_BODY);
        if (kind == 1) join (w, first + i, first + random_below (&w->source, bodies));
    }
}

random_world random_world_open (uint64_t seed, int bodies, int hard)
{
    random_world w = {.scene = scene_open ((dReal)-9.81), .source = {seed}, .h = 0.01, .hard = hard};
    w.choices = (random_choices){.soft_joint = -1, .driven_joint = -1, .first_joint = -1};
    w.contacts = dJointGroupCreate (0);
    random_world_add (&w, bodies);
    return w;
}

void random_world_close (random_world *w)
{
    dJointGroupDestroy (w->contacts);
    scene_close (&w->scene);
}

static dReal follow (void *context, dReal time, dReal *rate, dReal *acceleration)
{
    (void)context;
    *rate = (dReal)(0.3 * cos (0.6 * (double)time));
    *acceleration = (dReal)(-0.18 * sin (0.6 * (double)time));
    return (dReal)(0.5 * sin (0.6 * (double)time));
}

void random_settle (const scene *s, dRLSStepperID stepper, const random_choices *c)
{
    assert_int_equal (dRLSStepperSetIntegrator (stepper, c->integrator), 1);
    assert_int_equal (dRLSStepperSetCorrection (stepper, c->correction), 1);
    assert_int_equal (dRLSStepperSetOrder (stepper, c->order), 1);
    for (int j = 0; j < s->joints; ++j)
    {
        const dReal stiffness = j == c->soft_joint ? (dReal)c->stiffness : 0;
        assert_int_equal (dRLSStepperSetJointCompliance (stepper, s->joint[j], stiffness, stiffness / 100),
                          1);
        assert_int_equal (dRLSStepperSetJointPriority (stepper, s->joint[j], j == c->first_joint ? -1 : 0),
                          1);
        const dJointType type = dJointGetType (s->joint[j]);
        if (type == dJointTypeHinge || type == dJointTypeSlider)
            assert_int_equal (
                dRLSStepperSetJointDrive (stepper, s->joint[j], j == c->driven_joint ? follow : NULL, NULL),
                1);
    }
}

void random_contacts (random_world *w)
{
    scene *s = &w->scene;
    dJointGroupEmpty (w->contacts);
    for (int b = 0; b < s->bodies && !w->hard; ++b)
    {
        const dReal *x = dBodyGetPosition (s->body[b]);
        if (x[2] > (dReal)0.1 || dBodyIsKinematic (s->body[b])) continue;
        for (int i = 0; i < 3; ++i)
        {
            dContact contact = {.surface = {.mode = dContactApprox1, .mu = (dReal)0.5}};
            contact.geom.pos[0] = x[0] + (dReal)(0.2 * cos (2.1 * i));
            contact.geom.pos[1] = x[1] + (dReal)(0.2 * sin (2.1 * i));
            contact.geom.normal[2] = 1;
            contact.geom.depth = (dReal)fmax (0, 0.1 - (double)x[2]) / 50;
            dJointAttach (dJointCreateContact (s->world, w->contacts, &contact), s->body[b], NULL);
        }
    }
}

/* ---- calls ---- */

static void set_axis_parameter (dJointID joint, int parameter, dReal value)
{
    switch (dJointGetType (joint))
    {
    case dJointTypeHinge:
        dJointSetHingeParam (joint, parameter, value);
        break;
    case dJointTypeSlider:
        dJointSetSliderParam (joint, parameter, value);
        break;
    case dJointTypeUniversal:
        dJointSetUniversalParam (joint, parameter, value);
        break;
    case dJointTypePR:
        dJointSetPRParam (joint, parameter, value);
        break;
    case dJointTypePiston:
        dJointSetPistonParam (joint, parameter, value);
        break;
    default:
        break;
    }
}

/* The scene's lists forget a joint or a body; choices that name joints follow. */
static void forget_choice (int *place, int gone, int last)
{
    if (*place == gone)
        *place = -1;
    else if (*place == last)
        *place = gone;
}

static void drop_joint (random_world *w, int j)
{
    scene *s = &w->scene;
    const int last = s->joints - 1;
    if (s->stepper) /* what it was told about the joint */
    {
        dRLSStepperSetJointCompliance (s->stepper, s->joint[j], 0, 0);
        dRLSStepperSetJointDrive (s->stepper, s->joint[j], NULL, NULL);
        dRLSStepperSetJointPriority (s->stepper, s->joint[j], 0);
    }
    dJointDestroy (s->joint[j]);
    s->joint[j] = s->joint[last];
    --s->joints;
    forget_choice (&w->choices.soft_joint, j, last);
    forget_choice (&w->choices.driven_joint, j, last);
    forget_choice (&w->choices.first_joint, j, last);
}

static void drop_body (random_world *w, int b)
{
    scene *s = &w->scene;
    for (int j = s->joints - 1; j >= 0; --j)
        if (dJointGetBody (s->joint[j], 0) == s->body[b] || dJointGetBody (s->joint[j], 1) == s->body[b])
            drop_joint (w, j);
    dBodyDestroy (s->body[b]);
    s->body[b] = s->body[--s->bodies];
}

const char *random_call (random_world *w, int kind)
{
    scene *s = &w->scene;
    random_source *r = &w->source;
    const int b = random_below (r, s->bodies), other = random_below (r, s->bodies);
    const int j = s->joints > 0 ? random_below (r, s->joints) : -1;
    const dBodyID body = s->body[b];
    const dJointID joint = j >= 0 ? s->joint[j] : NULL;
    const double x = random_between (r, -1, 1);
    dReal v[3], at[3];
    dMass mass;
    dQuaternion q;
    random_vector (r, 1, v);
    dBodyGetMass (body, &mass);
    if (!joint && ((kind >= 20 && kind < 34) || kind >= 38)) return "nothing";
    if (w->hard && kind >= 26 && kind < 34) return "nothing";
    switch (kind)
    {
    case 0:
        dBodySetLinearVel (body, v[0], v[1], v[2]);
        return "linear velocity";
    case 1:
        dBodySetAngularVel (body, 3 * v[0], 3 * v[1], 3 * v[2]);
        return "angular velocity";
    case 2:
        dBodyAddForce (body, 20 * v[0], 20 * v[1], 20 * v[2]);
        return "force";
    case 3:
        dBodyAddTorque (body, 5 * v[0], 5 * v[1], 5 * v[2]);
        return "torque";
    case 4:
        for (int k = 0; k < 3; ++k) at[k] = dBodyGetPosition (body)[k] + (dReal)1e-4 * v[k];
        dBodySetPosition (body, at[0], at[1], at[2]);
        return "position";
    case 5:
        for (int k = 0; k < 4; ++k)
            q[k] = dBodyGetQuaternion (body)[k] + (dReal)(k < 3 ? 1e-4 * (double)v[k] : 0);
        dBodySetQuaternion (body, q);
        return "rotation";
    case 6:
        dMassAdjust (&mass, (dReal)exp (x));
        dBodySetMass (body, &mass);
        return "mass";
    case 7:
        mass.I[0] *= (dReal)1.1, mass.I[5] *= (dReal)1.1, mass.I[10] *= (dReal)1.1;
        dBodySetMass (body, &mass);
        return "inertia";
    case 8:
        if (dBodyIsKinematic (body))
            dBodySetDynamic (body);
        else if (b == 0)
            dBodySetKinematic (body);
        return "kinematic";
    case 9:
        dWorldSetGravity (s->world, 3 * v[0], 3 * v[1], -10 + 3 * v[2]);
        return "gravity";
    case 10:
        dBodySetGravityMode (body, x > 0);
        return "gravity mode";
    case 11:
        dBodySetGyroscopicMode (body, x > 0);
        return "gyroscopic mode";
    case 12:
        dBodyDisable (body);
        return "body disabled";
    case 13:
        dBodyEnable (body);
        return "body enabled";
    case 14:
        dBodySetFiniteRotationMode (body, x > 0);
        return "finite rotation";
    case 15:
        dBodySetLinearDamping (body, x > 0 ? (dReal)0.01 : 0);
        return "damping";
    case 16:
        dBodySetMaxAngularSpeed (body, x > 0 ? (dReal)30 : dInfinity);
        return "speed of turning capped";
    case 17:
        dWorldSetERP (s->world, (dReal)(0.5 + 0.4 * x));
        return "ERP";
    case 18:
        if (s->bodies < 12) add_body (w);
        return "body created";
    case 19:
        if (s->bodies > 2) drop_body (w, b);
        return "body destroyed";
    case 20:
        drop_joint (w, j);
        return "joint destroyed";
    case 21:
        dJointDisable (joint);
        return "joint disabled";
    case 22:
        dJointEnable (joint);
        return "joint enabled";
    case 23:
        dJointAttach (joint, NULL, NULL);
        return "joint detached";
    case 24:
        if (b == other) return "nothing";
        dJointAttach (joint, body, s->body[other]);
        between (s, b, other, at);
        random_place (r, joint, at);
        return "joint attached elsewhere";
    case 25:
        if (!dJointGetBody (joint, 0) || !dJointGetBody (joint, 1)) return "nothing";
        for (int k = 0; k < 3; ++k) at[k] = dBodyGetPosition (dJointGetBody (joint, 0))[k] + v[k];
        random_place (r, joint, at);
        return "joint placed anew";
    case 26:
        set_axis_parameter (joint, dParamLoStop, (dReal)-0.2);
        set_axis_parameter (joint, dParamHiStop, (dReal)0.3);
        return "stops";
    case 27:
        set_axis_parameter (joint, dParamLoStop, -dInfinity);
        set_axis_parameter (joint, dParamHiStop, dInfinity);
        return "stops taken away";
    case 28:
        set_axis_parameter (joint, dParamVel, (dReal)x);
        set_axis_parameter (joint, dParamFMax, 5);
        return "motor";
    case 29:
        set_axis_parameter (joint, dParamVel, (dReal)x);
        set_axis_parameter (joint, dParamFMax, dInfinity);
        return "motor without bound";
    case 30:
        set_axis_parameter (joint, dParamFMax, 0);
        return "motor off";
    case 31:
        if (dJointGetType (joint) == dJointTypeBall) dJointSetBallParam (joint, dParamCFM, (dReal)1e-3);
        return "joint softened";
    case 32:
        w->choices.soft_joint = x > 0 ? j : -1;
        w->choices.stiffness = 1e4;
        return "compliance";
    case 33:
        w->choices.driven_joint = x > 0 ? j : -1;
        return "drive";
    case 34:
        w->choices.order = random_below (r, dRLSOrderCount);
        return "order";
    case 35:
        w->h = 0.005 * exp (x);
        return "length of the step";
    case 36:
        scene_analyse (s);
        return "analysis";
    case 37:
        if (join (w, b, other), s->joints > 0) return "joint created";
        return "nothing";
    case 38:
        w->choices.first_joint = x > 0 ? j : -1;
        return "priority";
    default:
        dJointSetFeedback (joint, NULL);
        return "feedback";
    }
}
