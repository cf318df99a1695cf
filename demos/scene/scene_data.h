/*
 * What a scene is made of, for the files that build and use it.  Links are the file's; those that move have
 * a body, those of static models have none.  Everything is owned by the scene; the arrays grow while it
 * is read and do not change afterwards.
 */
#ifndef SCENE_SCENE_DATA_H
#define SCENE_SCENE_DATA_H

#include "expression.h"
#include "pose.h"
#include "scene.h"

typedef struct
{
    char name[128];
    int model;        /* index of its model */
    dBodyID body;     /* NULL: fixed in the world */
    int body_index;   /* into scene.bodies, -1 for a fixed link */
    scene_pose start; /* of the link's frame in the world, as read */
    double centre[3]; /* of mass, in the link's frame */
    int self_collide; /* also with links of the same model */
    int pushed;       /* force is not zero */
    int drawn;        /* it has a visual, or needs none */
    double force[6];  /* constant force and torque, world axes */
} scene_link;

/* A point fixed in a body (from its centre of mass, body axes), or in the world (body NULL). */
typedef struct
{
    dBodyID body;
    dVector3 local;
} scene_point;

/* A collision geom; the geom's data points to it. */
typedef struct
{
    dGeomID geom;
    int index, link;
    scene_shape shape;
    double size[3];
    scene_pose in_link;
    double mu, mu2, slip1, slip2;
    double direction[3]; /* fdir1, in the link's axes; zero if not given */
    double soft_cfm, soft_erp;
    int has_soft_cfm, has_soft_erp;
    double stiffness, damping; /* kp and kd, of SDFormat's size where they are not given */
    int has_spring;
    double bounce, bounce_velocity;
    double max_velocity, min_depth; /* of recovery (m/s, INFINITY if not given), and the depth that is left (m) */
} scene_collision;

/*
 * A movable axis of a joint.  Joints are attached such that positive motion is that of the child against
 * the parent, so coordinate, rate and effort have SDFormat's sign.
 */
typedef struct
{
    int joint; /* into scene.joints */
    int group; /* 0 or 1: ODE's first or second axis of the joint */
    double damping, stiffness, rest;
    double effort, effort_limit, velocity_limit; /* limits are INFINITY if not given */
    double friction;
    int has_soft_stop;
    double stop_stiffness, stop_dissipation;
    double zero;       /* rad: where ODE's angle is 0; not 0 where stops lie beyond half a turn */
    int in_rows;       /* 1: the stepper has its spring and damper as a row, see springs.c */
    double last_angle; /* coordinate at the last step, to count turns */
    expression *drive;    /* rls:position, or NULL */
    expression *velocity; /* of rls:motor, or NULL */
} scene_axis;

/* The coordinate of one axis follows that of another one: q = multiplier p + offset; see couplings.c. */
typedef struct
{
    scene *s;
    int joint; /* into scene.joints: a linear motor, which carries the row */
    int follower, leader; /* into scene.axes */
    double multiplier, offset;
} scene_coupling;

/* A thin disc that rolls on a level plane; see wheels.c.  Its axis is the body's or, like the centre, its link's. */
typedef struct
{
    int joint; /* into scene.joints: a linear motor, which carries the rows */
    scene_point centre;
    double axis[3], radius, height;
} scene_wheel;

typedef struct
{
    char name[64];
    scene_point ends[2];
    double stiffness, damping, length;
    dJointID joint; /* a linear motor, which carries its row where the step is too long for a force */
    int in_rows;    /* 1: it does */
} scene_spring;

typedef struct
{
    int probe;
    int count;
    double valid_to;
    double *time;     /* count, increasing */
    double *position; /* 3 x count; NAN where the file has no such coordinate */
} scene_track;

/* A contact of the present step that is watched. */
typedef struct
{
    dJointID joint;
    dContactGeom geom;
    dJointFeedback feedback;
} scene_watched;

struct scene
{
    char name[128];
    dWorldID world;
    dSpaceID space;
    dJointGroupID contacts;
    double time_step, duration;
    int contact_count;
    double penetration;
    int watching;
    scene_watched *watched; /* contact_count of them, while watching */
    int watched_count, watched_room;

    scene_link *links;
    scene_body *bodies;
    scene_joint *joints;
    scene_axis *axes;
    scene_collision **collisions; /* each allocated by itself: geoms point to them */
    scene_visual *visuals;
    scene_probe *probes;
    scene_spring *springs;
    scene_coupling *couplings;
    scene_wheel *wheels;
    scene_track *tracks;
    unsigned long long *joined;   /* pairs of links that share a joint, sorted: they do not collide */
    unsigned long long *touching; /* pairs of collisions that may be in contact in this step */
    int link_count, body_count, joint_count, axis_count, collision_count, visual_count;
    int probe_count, spring_count, coupling_count, wheel_count, track_count, joined_count, touching_count;
    int link_room, body_room, joint_room, axis_room, collision_room, visual_room;
    int probe_room, spring_room, coupling_room, wheel_room, track_room, joined_room, touching_room;
};

/* An empty scene with ODE's default settings; NULL if memory runs out. */
scene *scene_new (void);

/* Returns the array (moved or not) with room for one more element behind the first count ones, that one
 * zeroed; NULL, and the array as it was, if memory runs out. */
void *scene_grow (void *array, int count, int *room, size_t element);

/* ---- building blocks that the reader and the generators share ------------------------------------------ */

/* Appends a link that stands at a pose; the name is copied.  Returns its index, or -1: no memory. */
int scene_add_link (scene *s, const char *name, int model, const scene_pose *start);

/* Gives a new link a body at centre (link frame) with the inertia about it in link axes.  0: no memory. */
int scene_add_body (scene *s, int link, double mass, const double centre[3], const double inertia[3][3]);

/* Adds a collision geom or a visual to a link.  NULL: no memory. */
scene_collision *scene_add_collision (scene *s, int link, scene_shape shape, const double size[3],
                                      const scene_pose *in_link);
scene_visual *scene_add_visual (scene *s, int link, scene_shape shape, const double size[3],
                                const scene_pose *in_link, scene_visual_source source);

/* Gives every link without a visual the shapes of its collisions or a box of its inertia.  0: no memory. */
int scene_complete_visuals (scene *s);

/* Registers a joint between two links (-1: the world).  0: no memory. */
int scene_add_joint (scene *s, const char *name, dJointID joint, int link1, int link2);
scene_axis *scene_add_axis (scene *s, int joint, int group);

/* Attach a new joint with two axes and place it. */
void scene_set_universal (dJointID joint, dBodyID first, dBodyID second, const double anchor[3],
                          const dVector3 axis1, const dVector3 axis2);
void scene_set_hinge2 (dJointID joint, dBodyID first, dBodyID second, const double anchor[3],
                       const dVector3 axis1, const dVector3 axis2);

/* The point of a link (link frame), or of the world for link -1. */
scene_point scene_link_point (const scene *s, int link, const double point[3]);
void scene_point_position (const scene_point *point, double position[3]);
void scene_point_velocity (const scene_point *point, double velocity[3]);

/* Vector from the first end of a spring to the second, and its length. */
double scene_spring_span (const scene_spring *spring, double d[3]);

/* Sorts what has to be sorted once everything is there. */
void scene_finish (scene *s);

/* ---- axes ---------------------------------------------------------------------------------------------- */

int scene_axis_slides (const scene *s, const scene_axis *axis); /* 1: m and N, 0: rad and N m */
double scene_axis_position (const scene *s, const scene_axis *axis);
double scene_axis_rate (const scene *s, const scene_axis *axis);
void scene_axis_add_effort (const scene *s, const scene_axis *axis, double effort);
double scene_axis_get (const scene *s, const scene_axis *axis, int parameter);
void scene_axis_run (const scene *s, const scene_axis *axis, double time); /* its motor, as at that time */
void scene_axis_set (const scene *s, const scene_axis *axis, int parameter, double value);

/* Anchor and axes of a joint in the world, as ODE has them; what it does not have stays. */
void scene_joint_axes (dJointID joint, dVector3 axis[2], dVector3 anchor);

/* springs.c: the scene's springs and dampers that a stepper takes as rows, for the scene's time step. 0: refused. */
int scene_prepare_springs (scene *s, dRLSStepperID stepper);
void scene_add_forces (const scene *s, int all); /* all: those as well that are rows of the stepper */

/* couplings.c: hands them to a stepper; how far the i-th is off, m or (angular) rad. */
int scene_prepare_couplings (scene *s, dRLSStepperID stepper);
double scene_coupling_opening (const scene *s, int i, int *angular);

/* wheels.c: the same; how far the lowest point of the i-th is above the plane (m). */
int scene_prepare_wheels (scene *s, dRLSStepperID stepper);
double scene_wheel_gap (const scene *s, int i);

/* Collides all pairs that may touch, into the contact group. */
void scene_collide (scene *s);

/* ---- generated scenes ---------------------------------------------------------------------------------- */

scene *scene_generate (const char *path, char *error, size_t size);

/* generator_mechanisms.c, _origami.c, _piles.c and _ragdolls.c fill a scene; 0 if memory runs out. */
int generate_fourbar (scene *s, int loops);
int generate_chain (scene *s, int links);
int generate_chains (scene *s, int chains);
int generate_hub (scene *s, int arms);
int generate_miura (scene *s, int panels);
int generate_net (scene *s, int side);
int generate_cornered_net (scene *s, int side);
int generate_stack (scene *s, int boxes);
int generate_stacks (scene *s, int stacks);
int generate_wall (scene *s, int bricks);
int generate_pile (scene *s, int boxes);
int generate_free (scene *s, int boxes);
int generate_ragdolls (scene *s, int count);

/* A new link with a homogeneous body of that shape, and its visual; the index or -1. */
int generate_link (scene *s, const char *name, int model, scene_shape shape, const double size[3],
                   double mass, const scene_pose *at);

/* A collision of the link's own shape with the surface of all generated scenes. */
int generate_collision (scene *s, int link, scene_shape shape, const double size[3]);

/* The ground z = 0, for the same surface, under gravity along -z. */
int generate_ground (scene *s);

/* A hinge or ball at a point of the world; parent -1 is the world. */
int generate_hinge (scene *s, const char *name, int parent, int child, const double anchor[3],
                    const double axis[3]);
int generate_ball (scene *s, const char *name, int parent, int child, const double anchor[3]);
int generate_probe (scene *s, const char *name, int link, double x, double y, double z);

#endif
