/*
 * Scenes: an SDFormat or URDF file read into an ODE world, with its probes, references and springs.
 * No graphics here; the command line, the viewer, the tests and the benchmarks share it.
 *
 * Where no file of that name exists, a path may name a generated scene, NAME:N:
 *     fourbar:N   a row of N four-bar loops        net:N       N x N bodies, the top row held
 *     chain:N     N hinged links                   netc:N      the same, held at two corners
 *     ragdolls:N  N ragdolls that fall on a heap   miura:N     N x N panels of folded paper
 *     stack:N     N boxes on each other            wall:N      a wall of N bricks
 *     pile:N      N boxes that fall on a heap      free:N      N boxes that fly
 */
#ifndef SCENE_SCENE_H
#define SCENE_SCENE_H

#include <ode/ode.h>
#include <ode_rls/ode_rls.h>
#include <stdio.h>

typedef struct scene scene;

typedef struct
{
    char name[128];
    dBodyID body;
    int model;
} scene_body;
typedef struct
{
    char name[128];
    dJointID joint;
    int priority;
    int rows; /* of a coupling (1) or a wheel (3), which are not ODE's; 0: those of its type */
} scene_joint;
typedef struct
{
    char name[64];
    dBodyID body;   /* NULL: a point of the world */
    dVector3 local; /* relative to the centre of mass, body axes */
} scene_probe;

/*
 * Reads a scene.  On failure returns NULL and writes one line, "FILE:LINE: <element> what is wrong",
 * to error (at most size bytes, always terminated).  Warnings go to the callback (may be NULL).
 */
typedef void scene_warning_function (void *context, const char *line);
scene *scene_read (const char *path, scene_warning_function *warn, void *context, char *error, size_t size);

/* 1: path is the name of a generated scene, NAME:N with a known name, whatever N is. */
int scene_is_generated (const char *path);

/* The same, where what is missing (a mesh, an included model), doubled or implausible is an error and no
 * warning. */
scene *scene_read_strictly (const char *path, scene_warning_function *warn, void *context, char *error,
                            size_t size);

/*
 * The folders in which scenes are found by name: i = 0, the user's (ODE_RLS_SCENES); 1, the one beside the
 * program; 2, that of the installation.  Writes an empty path where there is none; returns 0 for any other i.
 */
int scene_folder (int i, char *path, size_t size);

/* Calls take with the name (without .sdf) of every scene in a folder, in alphabetical order.  Returns how
 * many there are. */
int scene_folder_each (const char *folder, void (*take) (void *context, const char *name), void *context);

/* 0 once a body is not at a finite place, or farther from the origin than can be meant (m): the simulation
 * has failed.  Nothing collides then. */
#define SCENE_FAR 1e8
int scene_is_near (const scene *s);

/* Writes a scene that was read, and not yet stepped, as SDFormat: flat, in SI, as it was understood.  Drives
 * by functions of time and gearboxes are named in comments only.  Returns 0 if writing failed. */
int scene_write_sdf (const scene *s, FILE *file);

/* Frees the world, its bodies, joints and geoms.  Destroy steppers first. */
void scene_free (scene *s);

dWorldID scene_world (const scene *s);
const char *scene_name (const scene *s); /* file name without folder and ending */
double scene_time_step (const scene *s); /* world/physics/max_step_size, 0.001 if absent */
double scene_duration (const scene *s);  /* rls:duration, 10 if absent */

int scene_body_count (const scene *s);
const scene_body *scene_body_at (const scene *s, int i);
int scene_joint_count (const scene *s);
const scene_joint *scene_joint_at (const scene *s, int i);
const char *scene_joint_name (const scene *s, dJointID joint); /* "?" if unknown */
int scene_probe_count (const scene *s);
const scene_probe *scene_probe_at (const scene *s, int i);
void scene_probe_position (const scene *s, int i, double position[3]);

/*
 * One frame of the simulation around a step: scene_before_step collides (dSpaceCollide into a contact
 * group), adds the scene's forces, efforts, damping and (where the stepper does not evaluate them
 * itself, within_step = 0) springs; scene_after_step empties the contact group.
 */
void scene_before_step (scene *s, double time, int within_step);
void scene_after_step (scene *s);

/* Forces evaluated inside the stages of accurate integrators: give it to dRLSStepperSetForceCallback
 * with the scene as context; it adds what scene_before_step leaves out with within_step = 1. */
void scene_forces (void *scene_context, dWorldID world, dReal time);

/* 1 if scene_forces ever adds anything: a stepper without the callback may keep its islands apart. */
int scene_has_forces (const scene *s);

/* Axes that follow others (screws, mimics, some gearboxes), and wheels that roll: rows that only ode-rls has.
 * ODE's own steppers leave them free. */
int scene_coupling_count (const scene *s);
int scene_wheel_count (const scene *s);

/* Hands the scene's driven axes (rls:position), priorities, couplings, and the springs and dampers that are
 * too stiff for a force at the scene's time step to a stepper; again after scene_set_time_step.  Returns 1,
 * or 0 if the stepper refused one. */
int scene_prepare_stepper (scene *s, dRLSStepperID stepper);

/* Kinetic and potential energy (J), springs included. */
void scene_energy (const scene *s, double *kinetic, double *potential);

/* Largest violation over the scene's joints, measured from geometry. */
void scene_violation (const scene *s, dRLSViolation *worst);

/* The reference of a probe at a time by local polynomial interpolation (at least cubic, where there are
 * four samples): 1 if there is one at this time.  A coordinate that the reference does not have is given
 * as the probe's own.  Where scene_reference_is_sample says 1, the value is the file's own, without
 * interpolation: accurate comparisons should use those times only. */
int scene_reference (const scene *s, int probe, double time, double position[3]);
int scene_reference_is_sample (const scene *s, int probe, double time);

/* ---- settings ------------------------------------------------------------------------------------------ */

/* Tells the scene the step it will be run with (scene_time_step until then): soft stops and, for ODE's own
 * steppers, driven axes depend on it. */
void scene_set_time_step (scene *s, double step);

/* Sets the world's ERP and CFM and those that its joints took over from it; NAN leaves one as it is.
 * What the file itself gives to a joint stays. */
void scene_set_softness (scene *s, double erp, double cfm);

/* ---- more measurements --------------------------------------------------------------------------------- */

/* How far the driven axes (rls:position) are from their functions at a time: the largest error of a
 * position (m or rad) and of a rate. */
void scene_drive_error (const scene *s, double time, double *position, double *rate);

/* Contact points that the last scene_before_step found, and the deepest of them (m). */
int scene_contact_count (const scene *s);
double scene_penetration (const scene *s);

/* The contacts of the present step, between scene_before_step and scene_after_step, once they are watched:
 * what the viewer draws.  Watching makes the steppers write down each contact's force. */
typedef struct
{
    dBodyID body[2];    /* NULL: the world */
    double position[3]; /* world */
    double normal[3];   /* out of the second body */
    double depth;       /* m */
    double force[3];    /* on the first body, which is never the world, N */
} scene_contact;

void scene_watch_contacts (scene *s);
int scene_watched_count (const scene *s); /* 0 without watching */
void scene_contact_at (const scene *s, int i, scene_contact *out);

/* ---- for the viewer ------------------------------------------------------------------------------------ */

typedef enum
{
    scene_shape_box,      /* size: the three edges */
    scene_shape_sphere,   /* size[0]: radius */
    scene_shape_cylinder, /* size[0]: radius, size[1]: length along z */
    scene_shape_capsule,  /* size[0]: radius, size[1]: length of the cylindric part along z */
    scene_shape_plane     /* through the origin, normal z; size[0], size[1]: edges to draw */
} scene_shape;

typedef enum
{
    scene_visual_from_file,      /* a <visual> */
    scene_visual_from_collision, /* the link has collisions only */
    scene_visual_from_inertia    /* the link has neither: the box of its mass and inertia */
} scene_visual_source;

typedef struct
{
    dBodyID body;   /* NULL: fixed in the world */
    int body_index; /* index of the body, -1 for the world */
    scene_shape shape;
    scene_visual_source source;
    double size[3];
    double position[3]; /* in the body's axes from its centre of mass, or in the world */
    double rotation[4]; /* quaternion w, x, y, z, likewise */
    float rgba[4];      /* material/diffuse */
    int coloured;       /* 1 if the file gives a colour, 0 if rgba is the default grey */
} scene_visual;

int scene_visual_count (const scene *s);
const scene_visual *scene_visual_at (const scene *s, int i);

/* A ball for the user to throw, at the origin and at rest: the index of its body, behind those of the file,
 * or -1 without memory.  It stays for as long as the scene. */
int scene_add_ball (scene *s, double radius, double mass);

/* Springs: their number, and the ends of one in the world at this moment. */
int scene_spring_count (const scene *s);
void scene_spring_ends (const scene *s, int i, double end1[3], double end2[3]);

/* The space with all collision geoms, and the link that one belongs to: a body's name or that of a fixed
 * link. */
dSpaceID scene_space (const scene *s);
const char *scene_geom_name (const scene *s, dGeomID geom);

#endif
