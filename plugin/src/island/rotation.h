/* Rotations of rigid bodies: unit quaternions (w, x, y, z), 3 x 3 matrices by rows, and moving a pose. */
#ifndef RLS_ROTATION_H
#define RLS_ROTATION_H

typedef struct
{
    double x[3]; /* centre of mass (m), world axes */
    double q[4]; /* w, x, y, z: from body axes to world axes */
} rls_pose;

#define RLS_POSE_STRIDE ((int)(sizeof (rls_pose) / sizeof (double)))

/* How ODE turns a body; see dBodySetFiniteRotationMode and dBodySetFiniteRotationAxis. */
enum
{
    RLS_TURN_INFINITESIMAL = 0,
    RLS_TURN_FINITE,
    RLS_TURN_ABOUT_AXIS
};

void rls_quaternion_product (const double a[4], const double b[4], double out[4]);
void rls_quaternion_normalise (double q[4]);
void rls_quaternion_matrix (const double q[4], double R[9]);

/* out := a tensor A from body to world axes, R A R' with R of the quaternion. */
void rls_rotate_tensor (const double q[4], const double A[9], double out[9]);

/* Inverts a symmetric positive definite 3 x 3 matrix.  Returns 0 if A is not one, or its inverse overflows.
 */
int rls_invert_spd (const double A[9], double inverse[9]);

/* Moves a pose by a displacement d: linear (m), then the axis times 2 tan (angle / 2), in world axes. */
void rls_pose_displace (rls_pose *pose, const double d[6]);

/* to (bodies) := the poses moved with the velocities v for a small time (s). */
void rls_poses_move (int bodies, const rls_pose *pose, double time, const double (*v)[6], rls_pose *to);

/* The displacement d that takes pose b to pose a: rls_pose_displace (b, d) gives a. */
void rls_pose_difference (const rls_pose *a, const rls_pose *b, double d[6]);

/* out := the rotation vector that turns b to a, in world axes: the axis times the angle, of at most half a
 * turn. */
void rls_rotation_vector (const double a[4], const double b[4], double out[3]);

/*
 * Returns by how much (rad) a body has turned against a second one about an axis of joint: first, second,
 * axis: their orientations and the axis (world axes) before and after.  Exact where the axis is fixed in one
 * of the bodies and they turn about one line of it, however fast both turn together; otherwise of second
 * order.
 */
double rls_turned_about (const double *const first[2], const double *const second[2],
                         const double *const axis[2]);

/* Advances a pose with constant velocity v over h (s) as ODE's dxStepBody does; turn is RLS_TURN_*, axis that
 * of RLS_TURN_ABOUT_AXIS. */
void rls_pose_advance (rls_pose *pose, const double v[6], double h, int turn, const double axis[3]);

/* True if all poses are finite, with quaternions of about unit length; ODE ends the program over others. */
int rls_poses_usable (const rls_pose *pose, int bodies);

/* True if the poses are the same up to rounding, such as that of ODE's setters. */
int rls_poses_same (const rls_pose *a, const rls_pose *b, int bodies);

#endif
