/* What the two files that rewrite URDF share: urdf.c finds the tree, urdf_parts.c writes its links and
 * joints. */
#ifndef SCENE_URDF_H
#define SCENE_URDF_H

#include "build.h"

typedef struct
{
    char *name;
    const xmlNode *node;
    int parent; /* joint that leads to it, -1 for a root */
    int has_mass;
    int used;      /* something with mass moves on it, or on what is fixed to it */
    int below;     /* nearest link with mass among it and what is fixed to it, or -1 */
    int carrier;   /* link whose body it belongs to, or -1 */
    int still;     /* it has no carrier and stands in the world */
    xmlNode *made; /* its <link> or <frame> */
} urdf_link;

typedef struct
{
    char *name;
    const xmlNode *node;
    int parent, child; /* links; parent -1: the world */
    int fixed, floating;
    int next; /* 1 + the parent's next joint, 0 at the end */
} urdf_joint;

typedef struct
{
    const xmlNode *robot;
    urdf_link *links;
    urdf_joint *joints;
    int link_count, joint_count, link_room, joint_room;
    int *order;            /* of links, from the roots outwards */
    xmlHashTablePtr names; /* of links, to index + 1 */
} urdf_tree;

/* What <gazebo> says about a link. */
#define URDF_OF_LINKS                                                                                        \
    " mu1 mu2 fdir1 slip1 slip2 kp kd maxVel minDepth gravity turnGravityOff selfCollide self_collide "      \
    "kinematic"

int urdf_find_link (const urdf_tree *t, const char *name);

/* An element that reports the line of another; NULL if memory runs out. */
xmlNode *urdf_put (reader *r, xmlNode *parent, const xmlNode *from, const char *name, const char *text);
int urdf_set (reader *r, xmlNode *node, const char *attribute, const char *value);

/* Warns of attributes that are misspelt or not known; names: "urdf=sdf" pairs, NULL at the end. */
void urdf_warn_others (reader *r, const xmlNode *from, const char *const names[][2]);

int urdf_put_pose (reader *r, xmlNode *parent, const xmlNode *from, const char *relative_to);

int urdf_put_links (reader *r, const urdf_tree *t, xmlNode *model);
int urdf_put_joints (reader *r, const urdf_tree *t, xmlNode *model);
int urdf_put_extensions (reader *r, const urdf_tree *t, xmlNode *model);

#endif
