/*
 * Small worlds that are stepped by dWorldStep or by ode-rls, and tables of what comes of both.
 */
#ifndef STEP_RIG_H
#define STEP_RIG_H

#include <ode_rls/ode_rls.h>

#define G 9.81 /* m/s^2 */
#define MOST_BODIES 64

typedef struct
{
    dWorldID world;
    dSpaceID space;
    dJointGroupID contacts;
    dRLSStepperID stepper; /* NULL: dWorldStep */
    dBodyID body[MOST_BODIES];
    int bodies, touching;
    double mu, bounce, deepest;
} rig;

/* A world with gravity along x and z (m/s^2). */
rig open_rig (int with_rls, double gx, double gz);
void close_rig (rig *r);

/* Makes the contacts of two geometries: a callback of dSpaceCollide, with the rig. */
void meet (void *rig, dGeomID a, dGeomID b);

/* Collides what is solid and steps; so many seconds. */
void step (rig *r, double h);
void run (rig *r, double h, double seconds);

/* A box of mass (kg) and size (m) with its centre at a point; solid: it collides. */
dBodyID add_box (rig *r, double mass, const double size[3], double x, double y, double z, int solid);
dJointID add_hinge (rig *r, dBodyID a, dBodyID b, double x, double y, double z, const double axis[3]);
/* A crank of 0.5 m upwards from the origin, a coupler and a rocker of 1 m, 1 m between the axes in the world,
 * y through all of them; joints from the crank's on. */
void add_fourbar (rig *r, dJointID joint[4]);

void set_motor (dJointID hinge, double speed, double strength);

/* The length of the linear and the angular velocity together. */
double speed_of (dBodyID body);

extern const double along_y[3], along_z[3], cube[3], bar_size[3], link_size[3];

/* ---- the table ---- */

extern int failures;      /* figures missed that are not known to be missed */
extern int quick;         /* 1: shorter runs */
extern int known_to_miss; /* 1: the next lines may miss what is asked */

/* Starts ODE, without what dWorldStep says of its own solver, and a table. */
void begin_table (void);
/* Ends both.  Returns 1 if a figure was missed that was not known to be. */
int end_table (void);

void line (const char *what, double ode, double rls, double asked, int at_least);

/* A figure of one rig under both steppers. */
typedef double figure (int with_rls, double parameter);
void compare (const char *what, figure *of, double parameter, double asked);

#endif
