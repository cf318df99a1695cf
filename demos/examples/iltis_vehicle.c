/* The Iltis: its geometry, its springs, dampers and tyres, and roads; the model in iltis_vehicle.h. */
#include "iltis_vehicle.h"
#include <math.h>

#define GRAVITY 9.81
#define CHASSIS_HEIGHT 0.57
#define FRONT_AXLE 0.97
#define REAR_AXLE (-1.047)

/* ---- geometry: y and z of a right-hand corner (m) in the design position ---- */

#define ARM_HINGE 0.259, 0.302
#define ARM_CENTRE 0.4155, 0.2655
#define LOWER_BALL 0.572, 0.229
#define LEAF_HINGE 0.1585, 0.6
#define LEAF_CENTRE 0.32325, 0.5655
#define UPPER_BALL 0.488, 0.531
#define HUB_CENTRE 0.615, 0.356
#define TIE_ON_CHASSIS 0.07, 0.6
#define TIE_ON_HUB 0.448, 0.531
#define DAMPER_ON_CHASSIS 0.297, 0.632
#define TIE_AXLE 0.14     /* m from the axle's plane to the tie rod, towards the middle of the vehicle */
#define DAMPER_AXLE 0.075 /* m from it to the damper, outwards */

/* Where a corner is: x of its axle, 1 or -1 for front or rear, and for right or left. */
typedef struct
{
    dReal x, ahead, side;
} place;

static dBodyID body_at (dWorldID world, const place *at, dReal y, dReal z, dReal turn, dReal speed)
{
    const dBodyID body = dBodyCreate (world);
    dMatrix3 rotation;
    dRFromAxisAndAngle (rotation, 1, 0, 0, at->side * turn);
    dBodySetRotation (body, rotation);
    dBodySetPosition (body, at->x, at->side * y, z);
    dBodySetLinearVel (body, speed, 0, 0);
    return body;
}

static void give_mass (dBodyID body, dReal mass, dReal Ixx, dReal Iyy, dReal Izz)
{
    dMass m;
    dMassSetParameters (&m, mass, 0, 0, 0, Ixx, Iyy, Izz, 0, 0, 0);
    dBodySetMass (body, &m);
}

static void add_hinge (dWorldID world, dBodyID a, dBodyID b, const place *at, dReal y, dReal z)
{
    const dJointID joint = dJointCreateHinge (world, NULL);
    dJointAttach (joint, a, b);
    dJointSetHingeAnchor (joint, at->x, at->side * y, z);
    dJointSetHingeAxis (joint, 1, 0, 0);
}

static void add_ball (dWorldID world, dBodyID a, dBodyID b, const place *at, dReal y, dReal z)
{
    const dJointID joint = dJointCreateBall (world, NULL);
    dJointAttach (joint, a, b);
    dJointSetBallAnchor (joint, at->x, at->side * y, z);
}

static void set_anchor (void (*set) (dJointID, dReal, dReal, dReal), dJointID joint, const place *at, dReal y,
                        dReal z)
{
    set (joint, at->x - TIE_AXLE * at->ahead, at->side * y, z);
}

static void relative_point (dBodyID body, const place *at, dReal beyond, dReal y, dReal z, dVector3 point)
{
    dBodyGetPosRelPoint (body, at->x + beyond, at->side * y, z, point);
}

static void add_corner (iltis_vehicle *v, iltis_corner *c, const place *at, dReal speed, dReal leaf_mass)
{
    const dReal arm_slope = atan2 (0.073, 0.313), leaf_slope = atan2 (0.069, 0.3295);
    c->arm = body_at (v->world, at, ARM_CENTRE, -arm_slope, speed);
    c->hub = body_at (v->world, at, HUB_CENTRE, 0, speed);
    c->leaf = body_at (v->world, at, LEAF_CENTRE, -leaf_slope, speed);
    give_mass (c->arm, 6, 0.052099, 0.023235, 0.068864);
    give_mass (c->hub, 57.35, 1.2402, 1.908, 1.2402);
    give_mass (c->leaf, leaf_mass, 9.444270833333333e-3 * leaf_mass, 9.444270833333333e-5 * leaf_mass,
               9.444270833333333e-3 * leaf_mass);

    add_hinge (v->world, v->chassis, c->arm, at, ARM_HINGE);
    add_ball (v->world, c->arm, c->hub, at, LOWER_BALL);
    add_hinge (v->world, v->chassis, c->leaf, at, LEAF_HINGE);
    add_ball (v->world, c->leaf, c->hub, at, UPPER_BALL);
    const dJointID tie = dJointCreateDBall (v->world, NULL);
    dJointAttach (tie, v->chassis, c->hub);
    set_anchor (dJointSetDBallAnchor1, tie, at, TIE_ON_CHASSIS);
    set_anchor (dJointSetDBallAnchor2, tie, at, TIE_ON_HUB);

    c->radius = at->ahead > 0 ? 0.364325 : 0.363812;
    relative_point (c->leaf, at, 0, UPPER_BALL, c->leaf_end);
    relative_point (v->chassis, at, DAMPER_AXLE * at->ahead, DAMPER_ON_CHASSIS, c->damper_chassis);
    c->damper_arm[0] = DAMPER_AXLE * at->ahead;
    c->damper_arm[1] = 0.08785623111387375 * at->side;
    c->damper_arm[2] = -0.0046671;
}

void iltis_create (iltis_vehicle *v, dReal x, dReal speed, dReal leaf_mass, dReal (*road) (dReal x))
{
    v->world = dWorldCreate ();
    v->road = road;
    dWorldSetGravity (v->world, 0, 0, -GRAVITY);
    const place middle = {x, 0, 0};
    v->chassis = body_at (v->world, &middle, 0, CHASSIS_HEIGHT, 0, speed);
    give_mass (v->chassis, 1260, 130, 1620, 1670);
    for (int i = 0; i < ILTIS_CORNERS; i++)
    {
        const place at = {x + (i < 2 ? FRONT_AXLE : REAR_AXLE), i < 2 ? 1 : -1, i % 2 ? 1 : -1};
        add_corner (v, &v->corner[i], &at, speed, leaf_mass);
    }
}

void iltis_destroy (iltis_vehicle *v) { dWorldDestroy (v->world); }

/* ---- springs, dampers and tyres: tension (N) is positive ---- */

/* The coil spring with its bump stops, by its length (m). */
static dReal coil_force (dReal length)
{
    return -4.0092e6 + length * (2.8397e7 + length * (-6.7061e7 + length * 5.2796e7));
}
static dReal coil_energy (dReal length)
{
    return length * (-4.0092e6 + length * (2.8397e7 / 2 + length * (-6.7061e7 / 3 + length * 5.2796e7 / 4)));
}

/* The damper, by the rate (m/s) at which it grows. */
static dReal damper_force (dReal rate)
{
    if (rate < -0.2) return -416.42 + 1844.3 * rate;
    if (rate > 0.21) return 1919.1638 + 1634.727 * rate;
    return rate * (9945.627 + rate * (33955.72 + rate * (-59832.25 + rate * -395651.0)));
}

/* The leaf, by how far (m) its end is below the stop that it rests against at LEAF_STOP. */
#define LEAF_STIFFNESS 35906.0
#define LEAF_FREE 0.152
#define LEAF_STOP 0.006
#define LEAF_STOP_STIFFNESS 1e7
#define LEAF_STOP_HEIGHT (0.137 - 0.1) /* m above the chassis' centre of mass */

static dReal leaf_force (dReal gap)
{
    if (gap > LEAF_STOP) return LEAF_STIFFNESS * (gap - LEAF_FREE);
    return LEAF_STIFFNESS * (LEAF_STOP - LEAF_FREE) + LEAF_STOP_STIFFNESS * (gap - LEAF_STOP);
}
static dReal leaf_energy (dReal gap)
{
    const dReal above = gap > LEAF_STOP ? gap : LEAF_STOP, below = gap - above;
    const dReal at_stop = LEAF_STIFFNESS * (LEAF_STOP - LEAF_FREE);
    return LEAF_STIFFNESS / 2 * (above - LEAF_FREE) * (above - LEAF_FREE) +
           below * (at_stop + LEAF_STOP_STIFFNESS / 2 * below);
}

#define TYRE_STIFFNESS 460000.0

static dReal tyre_compression (const iltis_vehicle *v, const iltis_corner *c)
{
    const dReal *x = dBodyGetPosition (c->hub), deep = c->radius + v->road (x[0]) - x[2];
    return deep > 0 ? deep : 0;
}

/* Length of a corner's damper; direction from chassis to arm, and how fast it grows. */
static dReal damper_length (const iltis_vehicle *v, const iltis_corner *c, dVector3 direction, dVector3 top,
                            dVector3 bottom, dReal *rate)
{
    dVector3 v1, v2;
    dBodyGetRelPointPos (v->chassis, c->damper_chassis[0], c->damper_chassis[1], c->damper_chassis[2], top);
    dBodyGetRelPointPos (c->arm, c->damper_arm[0], c->damper_arm[1], c->damper_arm[2], bottom);
    dBodyGetRelPointVel (v->chassis, c->damper_chassis[0], c->damper_chassis[1], c->damper_chassis[2], v1);
    dBodyGetRelPointVel (c->arm, c->damper_arm[0], c->damper_arm[1], c->damper_arm[2], v2);
    dReal length = 0;
    for (int k = 0; k < 3; k++) length += (bottom[k] - top[k]) * (bottom[k] - top[k]);
    length = sqrt (length);
    *rate = 0;
    for (int k = 0; k < 3; k++)
    {
        direction[k] = (bottom[k] - top[k]) / length;
        *rate += direction[k] * (v2[k] - v1[k]);
    }
    return length;
}

/* How far a leaf's end is below its stop along the chassis' z; end: where it is. */
static dReal leaf_gap (const iltis_vehicle *v, const iltis_corner *c, dVector3 end)
{
    dVector3 local;
    dBodyGetRelPointPos (c->leaf, c->leaf_end[0], c->leaf_end[1], c->leaf_end[2], end);
    dBodyGetPosRelPoint (v->chassis, end[0], end[1], end[2], local);
    return LEAF_STOP_HEIGHT - local[2];
}

static void pull (dBodyID body, const dReal *direction, dReal force, const dReal *at)
{
    dBodyAddForceAtPos (body, force * direction[0], force * direction[1], force * direction[2], at[0], at[1],
                        at[2]);
}

void iltis_forces (void *vehicle, dWorldID world, dReal time)
{
    (void)world, (void)time;
    const iltis_vehicle *v = vehicle;
    dVector3 up;
    dBodyVectorToWorld (v->chassis, 0, 0, 1, up);
    for (int i = 0; i < ILTIS_CORNERS; i++)
    {
        const iltis_corner *c = &v->corner[i];
        dVector3 along, top, bottom, end;
        dReal rate;
        const dReal length = damper_length (v, c, along, top, bottom, &rate);
        const dReal damper = coil_force (length) + damper_force (rate);
        pull (v->chassis, along, damper, top);
        pull (c->arm, along, -damper, bottom);
        const dReal leaf = leaf_force (leaf_gap (v, c, end));
        pull (c->leaf, up, leaf, end);
        pull (v->chassis, up, -leaf, end);
        dBodyAddForce (c->hub, 0, 0, TYRE_STIFFNESS * tyre_compression (v, c));
    }
}

/* ---- measures ---- */

static dReal kinetic_of (dBodyID body)
{
    dMass m;
    dVector3 w;
    const dReal *u = dBodyGetLinearVel (body), *turn = dBodyGetAngularVel (body);
    dBodyGetMass (body, &m);
    dBodyVectorFromWorld (body, turn[0], turn[1], turn[2], w);
    return (m.mass * (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]) + m.I[0] * w[0] * w[0] + m.I[5] * w[1] * w[1] +
            m.I[10] * w[2] * w[2]) /
           2;
}

static dReal weight_of (dBodyID body)
{
    dMass m;
    dBodyGetMass (body, &m);
    return m.mass * GRAVITY * dBodyGetPosition (body)[2];
}

dReal iltis_kinetic (const iltis_vehicle *v)
{
    dReal sum = kinetic_of (v->chassis);
    for (int i = 0; i < ILTIS_CORNERS; i++)
        sum += kinetic_of (v->corner[i].arm) + kinetic_of (v->corner[i].hub) + kinetic_of (v->corner[i].leaf);
    return sum;
}

dReal iltis_potential (const iltis_vehicle *v)
{
    dReal sum = weight_of (v->chassis);
    for (int i = 0; i < ILTIS_CORNERS; i++)
    {
        const iltis_corner *c = &v->corner[i];
        dVector3 along, top, bottom, end;
        dReal rate;
        const dReal tyre = tyre_compression (v, c);
        sum += weight_of (c->arm) + weight_of (c->hub) + weight_of (c->leaf) +
               coil_energy (damper_length (v, c, along, top, bottom, &rate)) +
               leaf_energy (leaf_gap (v, c, end)) + TYRE_STIFFNESS / 2 * tyre * tyre;
    }
    return sum;
}

dReal iltis_pitch (const iltis_vehicle *v)
{
    const dReal *R = dBodyGetRotation (v->chassis);
    return atan2 (-R[8], R[0]);
}

/* ---- roads ---- */

dReal iltis_level_road (dReal x)
{
    (void)x;
    return 0;
}

/* 0 to 1 with continuous curvature */
static dReal rise (dReal s)
{
    if (s <= 0) return 0;
    if (s >= 1) return 1;
    return s * s * s * (10 + s * (-15 + 6 * s));
}

#define RAMP 1.0 /* m */
#define LOW_RAMP 0.4
#define STEPS 5       /* back down to the level */
#define STEP_EDGE 0.2 /* m along the road over which a step falls */

static dReal up_and_down (dReal x, dReal ramp)
{
    dReal height = ramp * rise ((x - 5) / 10);
    for (int step = 0; step < STEPS; step++) height -= ramp / STEPS * rise ((x - 20 - 2 * step) / STEP_EDGE);
    return height;
}

dReal iltis_ramp_and_stairs (dReal x) { return up_and_down (x, RAMP); }

dReal iltis_low_stairs (dReal x) { return up_and_down (x, LOW_RAMP); }
