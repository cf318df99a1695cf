/* The steps of reading a scene, each in its own file.  All return 0 after an error. */
#ifndef SCENE_BUILD_H
#define SCENE_BUILD_H

#include "frames.h"

/* read_tree.c: declares everything that has a name, following includes. */
int read_tree (reader *r, const xmlNode *root);

/* read_world.c: gravity, time step, solver settings. */
int read_world (reader *r, const xmlNode *world);

/* links.c, shapes.c: a link's body; its collisions and visuals. */
int build_link (reader *r, int index);
int build_shapes (reader *r, int index, int link);

/* mesh.c: bounding box of a mesh file. */
int mesh_bounds (reader *r, const xmlNode *node, const char *path, double low[3], double high[3]);

/* joints.c: a joint that is no gearbox.  gearbox.c: one that is; it needs the other joints. */
int build_joint (reader *r, int index);
int build_gearbox (reader *r, int index);

/* axes.c: limits and dynamics of <axis>, or with second = 1 <axis2>, which is ODE's axis of the joint of
 * number group (0 or 1); limited = 0 leaves the position free. */
int build_axis (reader *r, int index, int joint, int second, int group, int limited);

/* The links (-1: the world) that <parent> and <child> of a joint mean. */
int joint_links (reader *r, int index, int *parent, int *child);

/* The unit vector of <axis> or <axis2> in the world. */
int joint_axis (reader *r, int index, const char *element, double axis[3]);

/* extensions.c: the rls: elements of links, joints and of a world or model (index: its frame). */
int build_link_extensions (reader *r, const xmlNode *node, int link);
int build_joint_extensions (reader *r, const xmlNode *node, int joint);
int build_extensions (reader *r, int index, const xmlNode *node);

/* Elements whose place is also that of these extensions. */
#define LINK_EXTENSIONS "rls:velocity rls:force"
#define JOINT_EXTENSIONS "rls:effort rls:motor rls:position rls:priority"
#define MODEL_EXTENSIONS "rls:spring rls:distance rls:probe rls:reference rls:duration"

/* references.c: the reference trajectories of a world or model; all probes are there. */
int build_references (reader *r, int index, const xmlNode *node);

#endif
