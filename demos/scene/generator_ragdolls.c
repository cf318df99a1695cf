/*
 * Ragdolls of eleven parts and ten joints.  One stands upright at the origin with its arms spread, facing
 * +x; the tables give it so, and each of a heap is turned and lifted as a whole.
 */
#include "scene_data.h"

#include <math.h>
#include <stdio.h>

typedef enum
{
    pelvis,
    torso,
    head,
    left_upper_arm,
    left_forearm,
    left_thigh,
    left_shin,
    right_upper_arm,
    right_forearm,
    right_thigh,
    right_shin,
    part_count
} part;

static const struct
{
    const char *name;
    double radius, length; /* of a capsule; a length of 0 is a sphere */
    double mass;
    double position[3];
    int along; /* the axis of the capsule: 1 is y, 2 is z */
} parts[part_count] = {
    [pelvis] = {"pelvis", 0.11, 0.14, 10, {0, 0, 1.0}, 1},
    [torso] = {"torso", 0.14, 0.26, 25, {0, 0, 1.33}, 2},
    [head] = {"head", 0.11, 0, 5, {0, 0, 1.76}, 2},
    [left_upper_arm] = {"left_upper_arm", 0.05, 0.2, 2.5, {0, 0.34, 1.5}, 1},
    [left_forearm] = {"left_forearm", 0.045, 0.2, 1.8, {0, 0.64, 1.5}, 1},
    [left_thigh] = {"left_thigh", 0.075, 0.28, 8, {0, 0.1, 0.74}, 2},
    [left_shin] = {"left_shin", 0.055, 0.3, 4, {0, 0.1, 0.3}, 2},
    [right_upper_arm] = {"right_upper_arm", 0.05, 0.2, 2.5, {0, -0.34, 1.5}, 1},
    [right_forearm] = {"right_forearm", 0.045, 0.2, 1.8, {0, -0.64, 1.5}, 1},
    [right_thigh] = {"right_thigh", 0.075, 0.28, 8, {0, -0.1, 0.74}, 2},
    [right_shin] = {"right_shin", 0.055, 0.3, 4, {0, -0.1, 0.3}, 2},
};

/* A second axis of zero makes a hinge, otherwise a cross; limits in radians for each axis. */
static const struct
{
    const char *name;
    part parent, child;
    double anchor[3];
    double axis[2][3];
    double limits[2][2];
} joints[] = {
    {"spine", pelvis, torso, {0, 0, 1.1}, {{1, 0, 0}, {0, 1, 0}}, {{-0.4, 0.4}, {-0.4, 0.9}}},
    {"neck", torso, head, {0, 0, 1.62}, {{1, 0, 0}, {0, 1, 0}}, {{-0.6, 0.6}, {-0.6, 0.6}}},
    {"left_shoulder",
     torso,
     left_upper_arm,
     {0, 0.2, 1.5},
     {{1, 0, 0}, {0, 0, 1}},
     {{-1.4, 1.4}, {-1.4, 0.7}}},
    {"left_elbow", left_upper_arm, left_forearm, {0, 0.49, 1.5}, {{0, 0, 1}, {0, 0, 0}}, {{-2.2, 0}, {0, 0}}},
    {"left_hip", pelvis, left_thigh, {0, 0.1, 0.95}, {{0, 1, 0}, {1, 0, 0}}, {{-1.6, 0.5}, {-0.3, 0.8}}},
    {"left_knee", left_thigh, left_shin, {0, 0.1, 0.52}, {{0, 1, 0}, {0, 0, 0}}, {{0, 2.2}, {0, 0}}},
    {"right_shoulder",
     torso,
     right_upper_arm,
     {0, -0.2, 1.5},
     {{1, 0, 0}, {0, 0, 1}},
     {{-1.4, 1.4}, {-0.7, 1.4}}},
    {"right_elbow",
     right_upper_arm,
     right_forearm,
     {0, -0.49, 1.5},
     {{0, 0, 1}, {0, 0, 0}},
     {{0, 2.2}, {0, 0}}},
    {"right_hip", pelvis, right_thigh, {0, -0.1, 0.95}, {{0, 1, 0}, {1, 0, 0}}, {{-1.6, 0.5}, {-0.8, 0.3}}},
    {"right_knee", right_thigh, right_shin, {0, -0.1, 0.52}, {{0, 1, 0}, {0, 0, 0}}, {{0, 2.2}, {0, 0}}},
};

static int make_part (scene *s, int number, part k, const scene_pose *doll)
{
    char name[64];
    double size[3] = {parts[k].radius, parts[k].length, 0};
    scene_shape shape = parts[k].length > 0 ? scene_shape_capsule : scene_shape_sphere;
    scene_pose at = scene_pose_identity;
    if (parts[k].along == 1) pose_set_rpy (&at, -M_PI / 2, 0, 0); /* the capsule's z to the doll's y */
    for (int i = 0; i < 3; i++) at.p[i] = parts[k].position[i];
    at = pose_compose (doll, &at);
    snprintf (name, sizeof name, "%s%d", parts[k].name, number);
    int link = generate_link (s, name, number, shape, size, parts[k].mass, &at);
    if (link < 0) return 0;
    s->links[link].self_collide = 1;
    return generate_collision (s, link, shape, size);
}

static int limit (scene *s, int joint, int group, const double limits[2])
{
    scene_axis *axis = scene_add_axis (s, joint, group);
    if (!axis) return 0;
    scene_axis_set (s, axis, dParamLoStop, limits[0]);
    scene_axis_set (s, axis, dParamHiStop, limits[1]);
    return 1;
}

/* As in scenes that are read: the child comes first, and with it the second axis. */
static int make_cross (scene *s, const char *name, int parent, int child, const double anchor[3],
                       double axis[2][3], const double limits[2][2])
{
    dJointID joint = dJointCreateUniversal (s->world, NULL);
    int number = s->joint_count;
    if (!scene_add_joint (s, name, joint, parent, child)) return 0;
    const dVector3 axis1 = {(dReal)axis[1][0], (dReal)axis[1][1], (dReal)axis[1][2]};
    const dVector3 axis2 = {(dReal)axis[0][0], (dReal)axis[0][1], (dReal)axis[0][2]};
    scene_set_universal (joint, s->links[child].body, s->links[parent].body, anchor, axis1, axis2);
    return limit (s, number, 1, limits[0]) && limit (s, number, 0, limits[1]);
}

static int make_joint (scene *s, int number, int k, int first_link, const scene_pose *doll)
{
    char name[64];
    double anchor[3], axis[2][3];
    int parent = first_link + (int)joints[k].parent, child = first_link + (int)joints[k].child;
    snprintf (name, sizeof name, "%s%d", joints[k].name, number);
    pose_transform (doll, joints[k].anchor, anchor);
    for (int a = 0; a < 2; a++) pose_rotate (doll, joints[k].axis[a], axis[a]);
    const double *second = joints[k].axis[1];
    if (second[0] != 0 || second[1] != 0 || second[2] != 0)
        return make_cross (s, name, parent, child, anchor, axis, joints[k].limits);
    return generate_hinge (s, name, parent, child, anchor, axis[0]) &&
           limit (s, s->joint_count - 1, 0, joints[k].limits[0]);
}

/* They lie on their backs above each other, each turned by the golden angle against the one below. */
int generate_ragdolls (scene *s, int count)
{
    dWorldSetContactSurfaceLayer (s->world, (dReal)0.001);
    if (!generate_ground (s)) return 0;
    for (int number = 0; number < count; number++)
    {
        scene_pose doll = scene_pose_identity, middle = {{0, 0, -1}, {1, 0, 0, 0}};
        pose_set_rpy (&doll, 0, -M_PI / 2, 2.399963 * number);
        doll.p[2] = 0.6 + 0.5 * number;
        doll = pose_compose (&doll, &middle);
        int first_link = s->link_count;
        for (int k = 0; k < part_count; k++)
            if (!make_part (s, number, (part)k, &doll)) return 0;
        for (int k = 0; k < (int)(sizeof joints / sizeof *joints); k++)
            if (!make_joint (s, number, k, first_link, &doll)) return 0;
    }
    return generate_probe (s, "pelvis", 1 + (int)pelvis, 0, 0, 0);
}
