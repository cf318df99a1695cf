/* The steps of reading a scene, each in its own file.  All return 0 after an error. */
#ifndef SCENE_BUILD_H
#define SCENE_BUILD_H

#include "frames.h"

/* old_versions.c, urdf.c: make a document into SDFormat of today. */
int upgrade_document (reader *r, xmlNode *root);
const xmlNode *urdf_to_sdf (reader *r, const xmlNode *robot);

/* include.c: opens a file of either format; from: the element that asks for it, or NULL. */
const xmlNode *open_scene_file (reader *r, const char *path, const xmlNode *from);

/* Reads the model of an <include> into a scope. */
int read_include (reader *r, const xmlNode *node, int scope, int depth);

/* find_file.c: the path of a file, or of the model in a folder, that a <uri> names; 0, without an error, if
 * there is none.  doubt_missing then tells so, and what follows from it. */
int find_resource (reader *r, const xmlNode *uri, const char *name, int is_model, char *path, size_t size);
int doubt_missing (reader *r, const xmlNode *uri, const char *name, const char *what);

/* read_tree.c: declares everything that has a name, following includes. */
int read_tree (reader *r, const xmlNode *root);

/* Declares a model (its index, or -1; name is taken over, NULL for its own), and what is in one; depth of
 * includes. */
int read_model (reader *r, frame_kind kind, const xmlNode *node, char *name, int scope);
int read_content (reader *r, const xmlNode *node, int scope, int depth);

/* read_world.c: gravity, time step, solver settings. */
int read_world (reader *r, const xmlNode *world);

/* links.c, shapes.c: a link's body; its collisions and visuals. */
int build_link (reader *r, int index);
int build_shapes (reader *r, int index, int link);

/* A shape as a collision or visual gives it. */
typedef struct
{
    scene_shape shape;
    double size[3];
    scene_pose at;       /* in the link's frame */
    int is_mesh;         /* the shape is a box around it */
    int known;           /* 0: none that is read, or a mesh that is not there; a warning has said so */
    const char *without; /* and what follows from that */
} shape_in_link;
int read_shape (reader *r, int index, const xmlNode *node, const char *without, shape_in_link *shape);

/* inertia.c: what <inertial> says. */
typedef struct
{
    double mass;
    scene_pose pose;     /* of the inertial frame in the link */
    double moment[3][3]; /* about the centre of mass, in the inertial frame's axes */
} link_inertia;

/* The inertia of a link's collision shapes, with their densities, or with the mass that in holds. */
int inertial_of_shapes (reader *r, int index, const xmlNode *node, int has_mass, link_inertia *in);

/* collada.c: calls the function with every vertex (m) of a COLLADA file. */
typedef void collada_vertex (void *context, const double v[3]);
int collada_vertices (reader *r, const xmlNode *node, const char *path, collada_vertex *take, void *context);

/* mesh.c: bounding box of a mesh file. */
int mesh_bounds (reader *r, const xmlNode *node, const char *path, double low[3], double high[3]);

/* joints.c: a joint that is no gearbox.  gearbox.c: one that is; it needs the other joints. */
int build_joint (reader *r, int index);
int build_gearbox (reader *r, int index);

/* axes.c: limits and dynamics of <axis>, or with second = 1 <axis2>, which is ODE's axis of the joint of
 * number group (0 or 1); limited = 0 leaves the position free. */
int build_axis (reader *r, int index, int joint, int second, int group, int limited);

/* couplings.c: lets the axis (of the scene) follow another one, q = multiplier p + offset, under a name; and
 * for every <mimic>, once all joints are there. */
int build_coupling (reader *r, const xmlNode *node, const char *name, int follower, int leader,
                    double multiplier, double offset);
int build_mimics (reader *r);

/* The links (-1: the world) that <parent> and <child> of a joint mean. */
int joint_links (reader *r, int index, int *parent, int *child);

/* The unit vector of <axis> or <axis2> in the world. */
int joint_axis (reader *r, int index, const char *element, double axis[3]);

/* extensions.c: the rls: elements of links, joints and of a world or model (index: its frame). */
int build_link_extensions (reader *r, const xmlNode *node, int link);
int build_joint_extensions (reader *r, const xmlNode *node, int joint);
int build_extensions (reader *r, int index, const xmlNode *node);

/* The name of such an element of a world or model; a point (moved to the link's axes) in the frame that an
 * attribute names, or in the world, as a point of a body. */
int read_name (reader *r, int index, const xmlNode *node, char *name, size_t size);
int attach_point (reader *r, int index, const xmlNode *node, const char *attribute, double point[3],
                  scene_point *result);

/* wheels.c */
int read_wheel (reader *r, int index, const xmlNode *node);

/* Elements whose place is also that of these extensions. */
#define LINK_EXTENSIONS "rls:velocity rls:force"
#define JOINT_EXTENSIONS "rls:effort rls:motor rls:position rls:priority"
#define MODEL_EXTENSIONS "rls:spring rls:distance rls:wheel rls:probe rls:reference rls:duration"

/* references.c: the reference trajectories of a world or model; all probes are there. */
int build_references (reader *r, int index, const xmlNode *node);

#endif
