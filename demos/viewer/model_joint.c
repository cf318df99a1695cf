/*
 * Anchors and axes of the joint types, in the frames of the bodies.  Sliders and fixed joints have no anchor
 * in ODE; theirs is chosen in the middle between the bodies, so that they can be drawn.
 */
#include "model_parts.h"

#include "vec.h"

typedef void point_getter (dJointID, dVector3);

typedef struct
{
    int type;
    joint_look look;
    point_getter *anchor1, *anchor2, *axis, *second;
    int slides;
} joint_kind;

static void transmission_axis (dJointID j, dVector3 out) { dJointGetTransmissionAxis1 (j, out); }

static const joint_kind kinds[] = {
    {dJointTypeBall, JOINT_BALL, dJointGetBallAnchor, dJointGetBallAnchor2, NULL, NULL, 0},
    {dJointTypeHinge, JOINT_PIN, dJointGetHingeAnchor, dJointGetHingeAnchor2, dJointGetHingeAxis, NULL, 0},
    {dJointTypeSlider, JOINT_SLIDER, NULL, NULL, dJointGetSliderAxis, NULL, 1},
    {dJointTypeUniversal, JOINT_CROSS, dJointGetUniversalAnchor, dJointGetUniversalAnchor2,
     dJointGetUniversalAxis1, dJointGetUniversalAxis2, 0},
    {dJointTypeHinge2, JOINT_CROSS, dJointGetHinge2Anchor, dJointGetHinge2Anchor2, dJointGetHinge2Axis1,
     dJointGetHinge2Axis2, 0},
    {dJointTypeFixed, JOINT_WELD, NULL, NULL, NULL, NULL, 0},
    {dJointTypePR, JOINT_SLIDER, dJointGetPRAnchor, NULL, dJointGetPRAxis1, NULL, 1},
    {dJointTypePU, JOINT_SLIDER, dJointGetPUAnchor, NULL, dJointGetPUAxisP, NULL, 1},
    {dJointTypePiston, JOINT_SLIDER, dJointGetPistonAnchor, dJointGetPistonAnchor2, dJointGetPistonAxis, NULL,
     1},
    {dJointTypeDBall, JOINT_ROD, dJointGetDBallAnchor1, dJointGetDBallAnchor2, NULL, NULL, 1},
    {dJointTypeDHinge, JOINT_ROD, dJointGetDHingeAnchor1, dJointGetDHingeAnchor2, dJointGetDHingeAxis, NULL,
     1},
    {dJointTypeTransmission, JOINT_NONE, dJointGetTransmissionAnchor1, dJointGetTransmissionAnchor2,
     transmission_axis, NULL, 1},
};

/* Converts a point or a direction of the world to the frame of a body (NULL: leaves it in the world). */
static void to_body (dBodyID body, const dVector3 world, int direction, double out[3])
{
    vec_set (out, world[0], world[1], world[2]);
    if (!body) return;
    const dReal *q = dBodyGetQuaternion (body), *p = dBodyGetPosition (body);
    const double quaternion[4] = {q[0], q[1], q[2], q[3]};
    if (!direction)
        for (int i = 0; i < 3; i++) out[i] -= p[i];
    quat_rotate_back (out, quaternion, out);
}

/* The middle between two bodies, either of which may be the world (NULL). */
static void middle (dBodyID a, dBodyID b, dVector3 out)
{
    const dReal *pa = a ? dBodyGetPosition (a) : NULL, *pb = b ? dBodyGetPosition (b) : NULL;
    for (int i = 0; i < 3; i++) out[i] = pa && pb ? (pa[i] + pb[i]) / 2 : pa ? pa[i] : pb ? pb[i] : 0;
}

void model_read_joint (model *m, const scene *s, int i)
{
    model_joint *j = &m->joint[i];
    dJointID id = scene_joint_at (s, i)->joint;
    j->type = dJointGetType (id);
    dBodyID body[2] = {dJointGetBody (id, 0), dJointGetBody (id, 1)};
    const joint_kind *kind = NULL;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        if (kinds[k].type == j->type) kind = &kinds[k];

    dVector3 anchor[2], axis = {0, 0, 1, 0}, second = {1, 0, 0, 0};
    middle (body[0], body[1], anchor[0]);
    if (kind && kind->anchor1) kind->anchor1 (id, anchor[0]);
    for (int k = 0; k < 3; k++) anchor[1][k] = anchor[0][k];
    if (kind && kind->anchor2) kind->anchor2 (id, anchor[1]);
    if (kind && kind->axis) kind->axis (id, axis);
    if (kind && kind->second) kind->second (id, second);
    j->look = kind ? kind->look : JOINT_NONE;
    j->slides = kind && kind->slides;
    for (int side = 0; side < 2; side++)
    {
        j->body[side] = model_body_index (s, body[side]);
        to_body (body[side], anchor[side], 0, j->anchor[side]);
        to_body (body[side], axis, 1, j->axis[side]);
        to_body (body[side], second, 1, j->second[side]);
    }
}
