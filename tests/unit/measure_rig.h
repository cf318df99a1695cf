/*
 * A joint between two bodies in general position, and known motions of one of them, for the tests of
 * the measurements.  The moving body may be the joint's first or second; the world may take the place of
 * the resting one.
 */
#ifndef MEASURE_RIG_H
#define MEASURE_RIG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <ode_rls/ode_rls.h>
#include <string.h>

#ifdef dSINGLE
#define TOLERANCE 2e-5
#else
#define TOLERANCE 1e-13
#endif

#define ROD 0.8 /* distance of the two anchors of a dhinge, of a rod and of gears */

static inline void assert_near (double value, double expected)
{
    if (!(fabs (value - expected) <= TOLERANCE)) fail_msg ("%.17g where %.17g is right", value, expected);
}

typedef enum
{
    SECOND,       /* resting body first, moving one second */
    FIRST,        /* the other way round */
    BEFORE_WORLD, /* the moving body and the world */
    AFTER_WORLD,  /* the world and the moving body */
    PLACES
} place;

typedef struct
{
    dWorldID world;
    dBodyID resting, moving;
    dJointID joint;
    dVector3 anchor, axis[3]; /* a right-handed frame in general position */
    place moving_place;
} rig;

/* point = anchor + a axis[0] + b axis[1] + c axis[2] */
static inline void point_at (const rig *r, double a, double b, double c, dVector3 point)
{
    for (int k = 0; k < 3; ++k)
        point[k] = (dReal)(r->anchor[k] + a * r->axis[0][k] + b * r->axis[1][k] + c * r->axis[2][k]);
}

static inline void direction_of (const rig *r, const double coordinates[3], dVector3 direction)
{
    dVector3 end;
    point_at (r, coordinates[0], coordinates[1], coordinates[2], end);
    for (int k = 0; k < 3; ++k) direction[k] = end[k] - r->anchor[k];
}

static inline dBodyID add_body (dWorldID world, dReal x, dReal y, dReal z, dReal turn)
{
    const dBodyID body = dBodyCreate (world);
    dMatrix3 rotation;
    dRFromAxisAndAngle (rotation, (dReal)0.3, (dReal)-0.5, (dReal)0.7, turn);
    dBodySetPosition (body, x, y, z);
    dBodySetRotation (body, rotation);
    return body;
}

static inline void build_rig (rig *r, dJointID (*create) (dWorldID, dJointGroupID), place moving_place,
                              int upright)
{
    r->world = dWorldCreate ();
    r->resting = add_body (r->world, (dReal)-0.4, (dReal)0.2, (dReal)1.1, (dReal)0.8);
    r->moving =
        add_body (r->world, (dReal)0.9, (dReal)-0.3, upright ? 0 : (dReal)0.6, upright ? 0 : (dReal)-1.7);
    dMatrix3 frame;
    dRFromAxisAndAngle (frame, 1, -2, (dReal)0.5, upright ? 0 : (dReal)1.1);
    r->anchor[0] = (dReal)0.25, r->anchor[1] = (dReal)0.4, r->anchor[2] = (dReal)-0.2;
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) r->axis[i][k] = frame[4 * k + i];
    r->moving_place = moving_place;
    r->joint = create (r->world, NULL);
    const dBodyID resting = moving_place <= FIRST ? r->resting : NULL;
    if (moving_place == SECOND || moving_place == AFTER_WORLD)
        dJointAttach (r->joint, resting, r->moving);
    else
        dJointAttach (r->joint, r->moving, resting);
}

static inline void drop_rig (rig *r) { dWorldDestroy (r->world); }

static inline dRLSViolation measure (const rig *r)
{
    dRLSViolation violation;
    assert_int_equal (dRLSMeasureJoint (r->joint, &violation), 1);
    return violation;
}

/* ---- the joint types ---- */

#define XYZ(v) (v)[0], (v)[1], (v)[2]

static inline void set_ball (rig *r) { dJointSetBallAnchor (r->joint, XYZ (r->anchor)); }

static inline void set_hinge (rig *r)
{
    dJointSetHingeAnchor (r->joint, XYZ (r->anchor));
    dJointSetHingeAxis (r->joint, XYZ (r->axis[0]));
}

static inline void set_slider (rig *r) { dJointSetSliderAxis (r->joint, XYZ (r->axis[0])); }

static inline void set_fixed (rig *r) { dJointSetFixed (r->joint); }

static inline void set_universal (rig *r)
{
    dJointSetUniversalAnchor (r->joint, XYZ (r->anchor));
    dJointSetUniversalAxis1 (r->joint, XYZ (r->axis[1]));
    dJointSetUniversalAxis2 (r->joint, XYZ (r->axis[2]));
}

static inline void set_hinge2 (rig *r)
{
    const double slanted[3] = {0, cos (1.2), sin (1.2)};
    dVector3 second;
    direction_of (r, slanted, second);
    dJointSetHinge2Anchor (r->joint, XYZ (r->anchor));
    dJointSetHinge2Axes (r->joint, r->axis[1], second);
}

static inline void set_pr (rig *r)
{
    dJointSetPRAnchor (r->joint, XYZ (r->anchor));
    dJointSetPRAxis1 (r->joint, XYZ (r->axis[0]));
    dJointSetPRAxis2 (r->joint, XYZ (r->axis[1]));
}

static inline void set_pu (rig *r)
{
    dJointSetPUAnchor (r->joint, XYZ (r->anchor));
    dJointSetPUAxis1 (r->joint, XYZ (r->axis[1]));
    dJointSetPUAxis2 (r->joint, XYZ (r->axis[2]));
    dJointSetPUAxisP (r->joint, XYZ (r->axis[0]));
}

static inline void set_piston (rig *r)
{
    dJointSetPistonAnchor (r->joint, XYZ (r->anchor));
    dJointSetPistonAxis (r->joint, XYZ (r->axis[0]));
}

static inline void set_plane2d (rig *r) { (void)r; }

static inline void set_dball (rig *r)
{
    dVector3 end;
    point_at (r, 0, ROD, 0, end);
    dJointSetDBallAnchor1 (r->joint, XYZ (r->anchor));
    dJointSetDBallAnchor2 (r->joint, XYZ (end));
}

static inline void set_dhinge (rig *r)
{
    dVector3 end;
    point_at (r, 0, ROD, 0, end);
    dJointSetDHingeAxis (r->joint, XYZ (r->axis[0]));
    dJointSetDHingeAnchor1 (r->joint, XYZ (r->anchor));
    dJointSetDHingeAnchor2 (r->joint, XYZ (end));
}

static inline void set_gears (rig *r, int mode)
{
    dVector3 end;
    point_at (r, 0, ROD, 0, end);
    dJointSetTransmissionMode (r->joint, mode);
    dJointSetTransmissionAxis (r->joint, XYZ (r->axis[0]));
    dJointSetTransmissionAnchor1 (r->joint, XYZ (r->anchor));
    dJointSetTransmissionAnchor2 (r->joint, XYZ (end));
    if (mode == dTransmissionChainDrive)
    {
        dJointSetTransmissionRadius1 (r->joint, (dReal)0.3);
        dJointSetTransmissionRadius2 (r->joint, (dReal)0.3);
    }
    measure (r); /* gears mesh where they are first looked at */
}

static inline void set_spur_gears (rig *r) { set_gears (r, dTransmissionParallelAxes); }

static inline void set_chain (rig *r) { set_gears (r, dTransmissionChainDrive); }

/* ---- known motions ---- */

/* The point that the rotation leaves alone: the anchor, the centre of the joint's first or second body
 * (of the only one when there is one), or the end of the rod that belongs to the moving body. */
typedef enum
{
    AT_ANCHOR,
    AT_FIRST,
    AT_SECOND,
    AT_OWN_END
} pivot;

typedef struct
{
    pivot pivot;
    double turn_axis[3], turn, shift[3]; /* a rotation by turn about turn_axis, then a shift; rig axes */
    double velocity[3], spin[3];         /* of the moving body at the pivot; rig axes */
} rig_motion;

static inline void find_pivot (const rig *r, pivot where, dVector3 point)
{
    const int moving_is_first = r->moving_place == FIRST || r->moving_place == BEFORE_WORLD;
    const int alone = r->moving_place >= BEFORE_WORLD;
    switch (where)
    {
    case AT_ANCHOR:
        memcpy (point, r->anchor, sizeof (dVector3));
        return;
    case AT_OWN_END:
        point_at (r, 0, moving_is_first ? 0 : ROD, 0, point);
        return;
    default:
        break;
    }
    const int moving = alone || (where == AT_FIRST) == moving_is_first;
    memcpy (point, dBodyGetPosition (moving ? r->moving : r->resting), sizeof (dVector3));
}

/* Rotates the moving body about the pivot, then shifts it. */
static inline void displace (rig *r, const rig_motion *m)
{
    dVector3 axis, shift, centre, arm, turned;
    dMatrix3 turn, rotation;
    find_pivot (r, m->pivot, centre);
    direction_of (r, m->turn_axis, axis);
    direction_of (r, m->shift, shift);
    dRFromAxisAndAngle (turn, XYZ (axis), (dReal)m->turn);
    const dReal *position = dBodyGetPosition (r->moving);
    for (int k = 0; k < 3; ++k) arm[k] = position[k] - centre[k];
    dMultiply0_331 (turned, turn, arm);
    dMultiply0_333 (rotation, turn, dBodyGetRotation (r->moving));
    dBodySetPosition (r->moving, centre[0] + turned[0] + shift[0], centre[1] + turned[1] + shift[1],
                      centre[2] + turned[2] + shift[2]);
    dBodySetRotation (r->moving, rotation);
}

/* Adds the velocity of a rigid motion: velocity at the pivot and spin. */
static inline void add_motion (dBodyID body, const dVector3 pivot_point, const dVector3 velocity,
                               const dVector3 spin)
{
    const dReal *position = dBodyGetPosition (body), *v = dBodyGetLinearVel (body),
                *w = dBodyGetAngularVel (body);
    dVector3 arm, turning;
    for (int k = 0; k < 3; ++k) arm[k] = position[k] - pivot_point[k];
    dCalcVectorCross3 (turning, spin, arm);
    dBodySetLinearVel (body, v[0] + velocity[0] + turning[0], v[1] + velocity[1] + turning[1],
                       v[2] + velocity[2] + turning[2]);
    dBodySetAngularVel (body, w[0] + spin[0], w[1] + spin[1], w[2] + spin[2]);
}

static inline void set_moving (rig *r, const rig_motion *m)
{
    dVector3 centre, velocity, spin;
    find_pivot (r, m->pivot, centre);
    direction_of (r, m->velocity, velocity);
    direction_of (r, m->spin, spin);
    add_motion (r->moving, centre, velocity, spin);
}

#endif
