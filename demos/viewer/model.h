/*
 * What does not change while a scene runs: names, which bodies each joint connects, where anchors and axes
 * lie in their bodies, and the shapes to draw.  Both sides have the same model.
 *
 * A link with visuals or collision geometry is drawn as these; any other is drawn as bars between its joints.
 */
#ifndef VIEWER_MODEL_H
#define VIEWER_MODEL_H

#include "mesh.h"
#include "scene.h"

#define MODEL_WORLD (-1) /* body index of the world */

typedef struct
{
    mesh_kind mesh;
    double position[3], quaternion[4]; /* in the body's frame; of static shapes, in the world */
    double half[3], radius;
    int end_joint[2]; /* the joints by which its -z and +z ends are coloured; -1: the worst joint of the body
                       */
    float color[4];
    int coloured; /* 1 if the file gives a colour */
} model_shape;

typedef struct
{
    char name[128];
    double mass;
    double principal[4],
        inertia_half[3];     /* the homogeneous box of the same mass and inertia: its axes and half edges */
    double reach;            /* largest distance of its anchors and shapes from the centre of mass */
    double thickness;        /* of its bars */
    int first_shape, shapes; /* in model.shape */
    int first_end, ends;     /* its joints, in model.end */
    int fixed;               /* 1 if it is kinematic and does not move */
} model_body;

typedef enum
{
    JOINT_PIN,
    JOINT_BALL,
    JOINT_SLIDER,
    JOINT_CROSS,
    JOINT_ROD,
    JOINT_WELD,
    JOINT_NONE
} joint_look;

typedef struct
{
    char name[128];
    int type; /* a dJointType */
    joint_look look;
    int body[2];
    double anchor[2][3]; /* in each body's frame; the world's for MODEL_WORLD */
    double axis[2][3];   /* first axis, likewise */
    double second[2][3]; /* second axis of universal joints and the like */
    double arm;          /* half the length of its longer link, by which angles are converted to lengths, m */
    double size;         /* radius of its drawn pin */
    int slides;          /* 1 if the anchors may move apart along the axis */
} model_joint;

typedef struct
{
    int joint, side;
} model_end; /* side of the joint that holds the body */

typedef struct
{
    char name[64];
    int body;
    double local[3];
} model_probe;

typedef struct
{
    char name[128];
    model_body *body;
    model_joint *joint;
    model_probe *probe;
    model_shape *shape;
    model_end *end;
    int bodies, joints, probes, shapes, ends, springs;
    int first_static, statics; /* shapes that belong to no body */
    int has_ground;            /* 1 if the scene has a horizontal plane */
    double ground;             /* its height along up */
    double up[3], gravity[3];
    double weight;          /* of all bodies, N */
    double low[3], high[3]; /* box around everything at the start */
    double size;            /* diagonal of that box, never zero */
    double time_step, duration;
    double erp, cfm;
} model;

/* Reads the structure of a scene; returns NULL without memory. */
model *model_create (const scene *s);
void model_free (model *m);

/* The index of a body of the scene, MODEL_WORLD for NULL. */
int model_body_index (const scene *s, dBodyID body);

#endif
