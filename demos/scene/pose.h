/*
 * Rigid poses as SDFormat writes them: a position and a unit quaternion (w, x, y, z).
 */
#ifndef SCENE_POSE_H
#define SCENE_POSE_H

typedef struct
{
    double p[3]; /* position of the frame's origin */
    double q[4]; /* rotation from the frame's axes to those it is expressed in */
} scene_pose;

extern const scene_pose scene_pose_identity;

/* Roll, pitch, yaw (rad) about the fixed x, y, z axes, in this order. */
void pose_set_rpy (scene_pose *a, double roll, double pitch, double yaw);

/* Scales the quaternion to unit length; returns 0 if it is zero. */
int pose_set_quaternion (scene_pose *a, double w, double x, double y, double z);

/* b, given in a, expressed in the frame that a is given in. */
scene_pose pose_compose (const scene_pose *a, const scene_pose *b);
scene_pose pose_inverse (const scene_pose *a);

/* A vector and a point of a expressed in the frame that a is given in; result may be the argument. */
void pose_rotate (const scene_pose *a, const double v[3], double result[3]);
void pose_transform (const scene_pose *a, const double point[3], double result[3]);

/* Rotation matrix, row by row. */
void pose_matrix (const scene_pose *a, double R[3][3]);

#endif
