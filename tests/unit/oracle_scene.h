/*
 * Small ODE worlds for the tests of the stepper, built and looked at through public calls only, with all
 * their bodies and joints at hand.
 */
#ifndef ORACLE_SCENE_H
#define ORACLE_SCENE_H

#include <ode_rls/ode_rls.h>

#define SCENE_MOST 256

typedef struct
{
    dWorldID world;
    dRLSStepperID stepper; /* NULL until scene_stepper */
    int bodies, joints;
    dBodyID body[SCENE_MOST];
    dJointID joint[SCENE_MOST];
} scene;

#define NO_BODY (-1) /* the world, where a body's number is asked for */

/* Group setup and teardown for cmocka: ODE for the whole program. */
int scene_start_ode (void **state);
int scene_stop_ode (void **state);

scene scene_open (dReal gravity_z);
void scene_close (scene *s);

/* The scene's stepper, made when first asked for. */
dRLSStepperID scene_stepper (scene *s);

/* A box; returns its number. */
int scene_box (scene *s, dReal x, dReal y, dReal z, dReal mass, dReal lx, dReal ly, dReal lz);

/* A slender rod of 1 kg from one point to another; returns its number. */
int scene_rod (scene *s, const double from[3], const double to[3]);

/* A joint of any type between two bodies (or NO_BODY), attached but not yet placed; returns it. */
dJointID scene_joint (scene *s, dJointID (*create) (dWorldID, dJointGroupID), int a, int b);
dJointID scene_hinge (scene *s, int a, int b, const double anchor[3], const double axis[3]);
dJointID scene_ball (scene *s, int a, int b, const double anchor[3]);

/* A free tree of twelve bodies in a whirl: they turn by up to a radian in a step of 0.05 s. */
scene scene_whirl (void);

/* Joints of at most so many (to 8) contacts between two geometries.  Returns their number; deepest (or NULL)
 * becomes the largest depth (m) if that is more. */
int scene_touch (dWorldID world, dJointGroupID contacts, dGeomID a, dGeomID b, int most,
                 const dSurfaceParameters *surface, double *deepest);

/* A step with the contacts that meet makes in the group, which are gone after it. */
void scene_step_on_contacts (scene *s, dSpaceID space, dJointGroupID contacts, dNearCallback *meet,
                             void *context, dReal h);

/* Steps, and fails the test with the stepper's message when a step is refused. */
void scene_step (scene *s, dReal h, int steps);

/* The report of an analysis of the world as it stands; fails the test when it is refused. */
dRLSReport scene_analyse (scene *s);

/* Largest violation of all joints, m and rad alike. */
double scene_violation (const scene *s);

/* Kinetic energy, and kinetic and potential energy, of all bodies (J). */
double scene_kinetic (const scene *s);
double scene_energy (const scene *s);

/* ---- comparison ---- */

/* Everything that a refused step must leave alone. */
typedef struct
{
    dReal x[3], q[4], R[12], v[3], w[3], force[3], torque[3];
    int enabled;
} scene_body_state;

void scene_look (const scene *s, scene_body_state *state);

/* 1 if every bit is the same. */
int scene_same (const scene *s, const scene_body_state *state);

/* Largest differences of two scenes with the same bodies: of velocities, and of positions and rotations. */
double scene_velocity_difference (const scene *a, const scene *b);
double scene_pose_difference (const scene *a, const scene *b);

#endif
