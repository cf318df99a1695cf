/* The same mechanism for the oracle and for ODE; contract in oracle_motion.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "oracle_motion.h"
#include <math.h>
#include <string.h>

static const motion_body *body_of (const motion *m, int b)
{
    return b == NO_BODY ? &motion_world : &m->body[b];
}

static void into_frame (const motion_body *b, const double x[3], int is_point, double out[3])
{
    double d[3];
    for (int k = 0; k < 3; ++k) d[k] = x[k] - (is_point ? b->x[k] : 0);
    motion_multiply_transposed (b->R, d, out);
}

static dJointID create (const motion_joint *j, scene *s)
{
    static dJointID (*const creators[]) (dWorldID, dJointGroupID) = {
        dJointCreateBall,   dJointCreateHinge,   dJointCreateSlider,      dJointCreateUniversal,
        dJointCreateFixed,  dJointCreatePiston,  dJointCreateDBall,       dJointCreatePR,
        dJointCreatePU,     dJointCreateDHinge,  dJointCreateHinge2,      dJointCreateAMotor,
        dJointCreateLMotor, dJointCreatePlane2D, dJointCreateTransmission};
    return scene_joint (s, creators[j->type], j->a, j->b);
}

/* Where a joint is, in the world. */
typedef struct
{
    double at[3], axis[3], other[3], slide[3]; /* other, slide: square to axis and each other */
} placing;

/* Tells ODE. */
static void place (dJointID joint, const motion_joint *j, const placing *p, const double far[3])
{
    const dReal x = (dReal)p->at[0], y = (dReal)p->at[1], z = (dReal)p->at[2], a = (dReal)p->axis[0],
                b = (dReal)p->axis[1], c = (dReal)p->axis[2];
    dReal axis[3], other[3];
    for (int k = 0; k < 3; ++k) axis[k] = (dReal)p->axis[k], other[k] = (dReal)p->other[k];
    switch (j->type)
    {
    case MOTION_BALL:
        dJointSetBallAnchor (joint, x, y, z);
        break;
    case MOTION_HINGE:
        dJointSetHingeAnchor (joint, x, y, z);
        dJointSetHingeAxis (joint, a, b, c);
        break;
    case MOTION_SLIDER:
        dJointSetSliderAxis (joint, a, b, c);
        break;
    case MOTION_UNIVERSAL:
        dJointSetUniversalAnchor (joint, x, y, z);
        dJointSetUniversalAxis1 (joint, a, b, c);
        dJointSetUniversalAxis2 (joint, other[0], other[1], other[2]);
        break;
    case MOTION_FIXED:
        dJointSetFixed (joint);
        break;
    case MOTION_PISTON:
        dJointSetPistonAnchor (joint, x, y, z);
        dJointSetPistonAxis (joint, a, b, c);
        break;
    case MOTION_ROD:
        dJointSetDBallAnchor1 (joint, x, y, z);
        dJointSetDBallAnchor2 (joint, (dReal)far[0], (dReal)far[1], (dReal)far[2]);
        break;
    case MOTION_PR:
        dJointSetPRAnchor (joint, x, y, z);
        dJointSetPRAxis1 (joint, (dReal)p->slide[0], (dReal)p->slide[1], (dReal)p->slide[2]);
        dJointSetPRAxis2 (joint, a, b, c);
        break;
    case MOTION_PU:
        dJointSetPUAnchor (joint, x, y, z);
        dJointSetPUAxis1 (joint, a, b, c);
        dJointSetPUAxis2 (joint, other[0], other[1], other[2]);
        dJointSetPUAxis3 (joint, (dReal)p->slide[0], (dReal)p->slide[1], (dReal)p->slide[2]);
        break;
    case MOTION_DOUBLE_HINGE:
        dJointSetDHingeAxis (joint, a, b, c);
        dJointSetDHingeAnchor1 (joint, x, y, z);
        dJointSetDHingeAnchor2 (joint, (dReal)far[0], (dReal)far[1], (dReal)far[2]);
        break;
    case MOTION_HINGE2:
        dJointSetHinge2Anchor (joint, x, y, z);
        dJointSetHinge2Axes (joint, axis, other);
        break;
    case MOTION_ANGULAR_MOTOR:
        dJointSetAMotorMode (joint, dAMotorUser);
        dJointSetAMotorNumAxes (joint, 1);
        dJointSetAMotorAxis (joint, 0, 1, a, b, c);
        dJointSetAMotorParam (joint, dParamVel, (dReal)j->wanted);
        dJointSetAMotorParam (joint, dParamFMax, dInfinity);
        break;
    case MOTION_LINEAR_MOTOR:
        dJointSetLMotorNumAxes (joint, 1);
        dJointSetLMotorAxis (joint, 0, 0, a, b, c);
        dJointSetLMotorParam (joint, dParamVel, (dReal)j->wanted);
        dJointSetLMotorParam (joint, dParamFMax, dInfinity);
        break;
    case MOTION_GEARS:
        dJointSetTransmissionMode (joint, dTransmissionParallelAxes);
        dJointSetTransmissionRatio (joint, (dReal)j->wanted);
        dJointSetTransmissionAnchor1 (joint, x, y, z);
        dJointSetTransmissionAnchor2 (joint, (dReal)far[0], (dReal)far[1], (dReal)far[2]);
        dJointSetTransmissionAxis (joint, a, b, c);
        break;
    default:
        break;
    }
}

static void add_joint (motion *m, scene *s, motion_type type, int a, int b, const placing *p, double wanted)
{
    assert_true (m->joints < MOTION_JOINTS);
    motion_joint *j = &m->joint[m->joints++];
    *j = (motion_joint){.type = type, .a = a, .b = b, .wanted = wanted};
    const motion_body *sides[2] = {body_of (m, a), body_of (m, b)};
    const int long_one = type == MOTION_ROD || type == MOTION_DOUBLE_HINGE || type == MOTION_GEARS;
    double far[3];

    /* anchors and axes in the frames of both bodies */
    for (int k = 0; k < 3; ++k) far[k] = long_one ? p->at[k] + p->other[k] : p->other[k];
    j->length = sqrt (motion_dot (p->other, p->other));
    for (int side = 0; side < 2; ++side)
    {
        into_frame (sides[side], p->at, 1, j->point[side]);
        into_frame (sides[side], p->axis, 0, j->axis[side]);
        into_frame (sides[side], far, long_one, j->other[side]);
        into_frame (sides[side], p->slide, 0, j->slide[side]);
    }
    for (int i = 0; i < 3; ++i) /* turn = Rb' Ra */
        for (int k = 0; k < 3; ++k)
            for (int r = 0; r < 3; ++r) j->turn[3 * i + k] += sides[1]->R[3 * r + i] * sides[0]->R[3 * r + k];
    if (type == MOTION_HINGE2) j->wanted = motion_dot (p->axis, p->other) / j->length;
    if (type == MOTION_LINEAR_MOTOR) memcpy (j->turn, p->axis, sizeof (p->axis)); /* the world's */
    place (create (j, s), j, p, far);
}

static void add_body (motion *m, scene *s, oracle_random *random, int planar)
{
    const int b = m->bodies++;
    motion_body *body = &m->body[b];
    double x[3], size[3], turn[3];
    for (int k = 0; k < 3; ++k)
    {
        x[k] = planar && k == 1 ? 0 : oracle_uniform (random, -1, 1);
        size[k] = oracle_uniform (random, 0.3, 1);
        turn[k] = planar ? 0 : oracle_uniform (random, -2, 2);
    }
    m->mass[b] = oracle_uniform (random, 0.5, 2);
    *body = motion_world;
    memcpy (body->x, x, sizeof (x));
    motion_turn (body->R, turn);
    for (int k = 0; k < 3; ++k)
        m->inertia[b][k] =
            m->mass[b] / 12 * (size[(k + 1) % 3] * size[(k + 1) % 3] + size[(k + 2) % 3] * size[(k + 2) % 3]);
    scene_box (s, (dReal)x[0], (dReal)x[1], (dReal)x[2], (dReal)m->mass[b], (dReal)size[0], (dReal)size[1],
               (dReal)size[2]);
    dMatrix3 R = {0};
    for (int k = 0; k < 9; ++k) R[4 * (k / 3) + k % 3] = (dReal)body->R[k];
    dBodySetRotation (s->body[b], R);
}

static double random_velocity (oracle_random *random) { return oracle_uniform (random, -1, 1); }

/* Two bodies, or one and the world, by any joint of the kind of mechanism. */
static void join (motion *m, scene *s, oracle_random *random, int a, int b, motion_kind kind)
{
    const int planar = kind == MOTION_PLANAR;
    const motion_body *sides[2] = {body_of (m, a), body_of (m, b)};
    placing p;
    double size = 0;
    for (int k = 0; k < 3; ++k)
    {
        p.at[k] = (sides[0]->x[k] + sides[1]->x[k]) / 2 +
                  (planar && k == 1 ? 0 : oracle_uniform (random, -0.3, 0.3));
        p.axis[k] = planar && k == 1 ? 0 : oracle_uniform (random, -1, 1);
        size += p.axis[k] * p.axis[k];
    }
    for (int k = 0; k < 3; ++k) p.axis[k] /= sqrt (size);
    motion_across (p.axis, p.other, p.slide);
    static const motion_type of_points[] = {MOTION_BALL, MOTION_UNIVERSAL, MOTION_ROD, MOTION_PU};
    motion_type type = (motion_type)oracle_index (random, MOTION_TYPES);
    if (type == MOTION_HINGE2 && b == NO_BODY) type = MOTION_HINGE; /* ODE's needs two bodies */
    if (kind == MOTION_OF_POINTS) type = of_points[oracle_index (random, 4)];
    if (planar)
    {
        type = oracle_uniform (random, 0, 1) < 0.25 && b != NO_BODY ? MOTION_SLIDER : MOTION_HINGE;
        if (type == MOTION_HINGE) p.axis[0] = p.axis[2] = 0, p.axis[1] = 1;
    }
    add_joint (m, s, type, a, b, &p, type == MOTION_ANGULAR_MOTOR ? random_velocity (random) : 0);
}

static void open_both (motion *m, scene *s, const double gravity[3])
{
    *m = (motion){0};
    *s = scene_open (0);
    memcpy (m->gravity, gravity, sizeof (m->gravity));
    dWorldSetGravity (s->world, (dReal)gravity[0], (dReal)gravity[1], (dReal)gravity[2]);
}

/* Random velocities that all rows allow, in both. */
static void set_moving (motion *m, scene *s, oracle_random *random, int planar)
{
    for (int b = 0; b < m->bodies; ++b)
        for (int k = 0; k < 6; ++k)
            m->body[b].v[k] = planar && k != 0 && k != 2 && k != 4 ? 0 : random_velocity (random);
    motion_fit (m);
    for (int b = 0; b < m->bodies; ++b)
    {
        const double *v = m->body[b].v;
        dBodySetLinearVel (s->body[b], (dReal)v[0], (dReal)v[1], (dReal)v[2]);
        dBodySetAngularVel (s->body[b], (dReal)v[3], (dReal)v[4], (dReal)v[5]);
    }
}

motion motion_make (oracle_random *random, int bodies, int loops, motion_kind kind, int fixed, scene *s)
{
    motion m;
    const double pull[3] = {fixed ? 0.7 : 0, fixed && kind != MOTION_PLANAR ? 0.4 : 0, fixed ? -9 : 0};
    open_both (&m, s, pull);
    for (int b = 0; b < bodies; ++b)
    {
        add_body (&m, s, random, kind == MOTION_PLANAR);
        const int to = b == 0 ? NO_BODY : (int)oracle_uniform (random, 0, b - 1e-9);
        if (b > 0 || fixed) join (&m, s, random, b, to, kind);
    }
    for (int i = 0; i < loops; ++i) join (&m, s, random, bodies - 1 - i % bodies, fixed ? NO_BODY : 0, kind);
    set_moving (&m, s, random, kind == MOTION_PLANAR);
    return m;
}

motion motion_make_driven (oracle_random *random, motion_drive drive, scene *s)
{
    motion m;
    const double pull[3] = {1, -9, 0};
    open_both (&m, s, pull);
    for (int b = 0; b < 3; ++b) add_body (&m, s, random, 0);
    if (drive == MOTION_BY_PLANE) /* one body in the plane, two that hang on it */
    {
        const dReal *x = dBodyGetPosition (s->body[0]);
        dBodySetPosition (s->body[0], x[0], x[1], 0);
        m.body[0].x[2] = 0;
        add_joint (&m, s, MOTION_PLANE, 0, NO_BODY, &(placing){.axis = {0, 0, 1}}, 0);
    }
    if (drive == MOTION_BY_GEARS) /* two wheels out of balance, and a body that hangs on one of them */
        for (int b = 0; b < 2; ++b)
            add_joint (&m, s, MOTION_HINGE, b, NO_BODY, &(placing){.at = {1.5 * b, 0, 0}, .axis = {0, 0, 1}},
                       0);
    if (drive == MOTION_BY_GEARS)
        add_joint (&m, s, MOTION_GEARS, 0, 1, &(placing){.axis = {0, 0, 1}, .other = {1.5, 0, 0}}, 0.5);
    if (drive == MOTION_BY_LINEAR_MOTOR)
        join (&m, s, random, 0, NO_BODY, MOTION_OF_POINTS),
            add_joint (&m, s, MOTION_LINEAR_MOTOR, 1, NO_BODY, &(placing){.axis = {0.6, 0, 0.8}}, 0.5);
    if (drive != MOTION_BY_GEARS) join (&m, s, random, 1, 0, MOTION_OF_POINTS);
    join (&m, s, random, 2, 1, MOTION_OF_POINTS);
    set_moving (&m, s, random, 0);
    return m;
}
