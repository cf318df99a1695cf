/*
 * The frames of a scene: the world, models, links, joints and explicit frames, with SDFormat's scopes.
 * A model is the scope of what is declared directly in it; "a::b" reaches into a nested model; __model__ is
 * the model's own frame and world the world's.  Before version 1.7 links, joints and models had names of their own, and
 * one that two of them share means the link; before 1.8 names could themselves contain "::".
 */
#ifndef SCENE_FRAMES_H
#define SCENE_FRAMES_H

#include "xml.h"

#include <libxml/hash.h>

typedef enum
{
    frame_world,
    frame_model,
    frame_link,
    frame_joint,
    frame_plain,
    frame_merged /* a model that is merged into its scope: where it stands, but no scope of names */
} frame_kind;

typedef struct
{
    frame_kind kind;
    char *name;
    int scope;            /* frame of the model (or 0, the world) that declares it; may be merged */
    const xmlNode *node;  /* its element */
    const xmlNode *pose;  /* its <pose>, or that of the include; NULL if absent */
    char *placement;      /* model: the frame that the pose places; NULL: the model's own */
    int fixed;            /* model, link: it or a model around it is static */
    int self_collide;     /* model: its links collide with each other */
    int index;            /* model: running number; link, joint: index in the scene once it is built */
    int base;             /* frame that the pose is given in */
    int attached;         /* frame that it moves with: next step towards a link */
    scene_pose local, at; /* in base; in the world */
    int resolved;
} frame;

typedef struct frame_tree
{
    frame *list; /* list[0] is the world */
    int count, room;
    xmlHashTablePtr names; /* (name, scope, kind) to index + 1 */
    int models;
} frame_tree;

int frames_start (reader *r);
void frames_free (reader *r);

/* Declares a frame; name is taken over.  Returns its index, or -1. */
int frames_add (reader *r, frame_kind kind, char *name, int scope, const xmlNode *node);

/* The model (or 0, the world) whose names a scope sees and adds to: itself, unless it is merged into another. */
int frames_names (const frame_tree *t, int scope);

/* The frame that a name means in a scope; node is blamed if there is none.  Returns -1 then. */
int frames_find (reader *r, int scope, const char *name, const xmlNode *node);

/* The same for the name in an attribute of node; otherwise is returned if it is absent or empty. */
int frames_find_attribute (reader *r, int scope, const xmlNode *node, const char *attribute, int otherwise);

/* Once all are declared: finds every pose in the world. */
int frames_resolve (reader *r);

/* The link that a frame is fixed to: a frame index, 0 for the world, -1 for an error. */
int frames_link_of (reader *r, int index, const xmlNode *node);

/* The pose of an element inside a frame's element (its <pose> child, relative to the frame unless it says
 * otherwise), in that frame. */
int frames_pose_inside (reader *r, int index, const xmlNode *node, scene_pose *pose);

/* "model::link", as seen from the world; with tail, of something called so in the frame's scope. */
int frames_full_name (reader *r, int index, const char *tail, const xmlNode *node, char *name, size_t size);

#endif
