/*
 * The only connection between simulation and graphics: turns the model and the snapshot of a side into
 * solids, lines and labels.
 */
#ifndef VIEWER_ADAPTER_H
#define VIEWER_ADAPTER_H

#include "draw.h"
#include "heatmap.h"
#include "sim.h"

/* What is drawn of a side, and how. */
typedef struct
{
    int labels, axes, reactions, marks, trails, transparent, free_motion, body_frames;
    double exaggerate; /* gaps are drawn this many times longer than they are */
    float tint[3];     /* the side's own colour, for trails */
    float opacity;     /* below 1 for a ghost */
    int plain;         /* 1 for a ghost: it has the side's colour instead of heat colours */
    int no_heat;       /* 1: bodies have their own colours instead of heat colours */
    int contacts;      /* a contact_mode of the settings */
    heatmap_scale contact_scale;
    int islands;                     /* bodies in colours of their islands, those that sleep dark */
    int inertia, boxes;              /* centres of mass and boxes of the same inertia; bounding boxes */
    double pixel;                    /* size of a pixel at the middle of the scene, m */
    double pulse;                    /* 0 ... 1, of the rings around joints with redundant rows */
    const unsigned char *heat_table; /* for lines, which the GPU does not colour by heat */
    heatmap_scale heat;
    int hovered_joint, hovered_body, selected_joint; /* -1 for none */
    const unsigned char *loop;                       /* bodies of the hovered joint's loop, or NULL */
    const sim_pull *pull;                            /* the spring that the user pulls with, or NULL */
    const double *motion; /* free motion: 6 a body (velocity, angular velocity), or NULL */
} adapter_look;

typedef struct
{
    double at[3];
    char text[96];
    float color[3];
    int strong;
} adapter_label;

typedef struct
{
    adapter_label *label;
    int count, room;
} label_list;

void label_clear (label_list *list);
void label_free (label_list *list);

/* Appends everything that is to be drawn of one side.  labels and past may be NULL; the snapshot is that of
 * the entry that lies back steps before the newest one of past. */
void adapter_fill (draw_list *list, label_list *labels, const model *m, const snapshot *shot,
                   const ring *past, int back, const adapter_look *look);

/* Appends the geometry that belongs to no body.  Called once for each view. */
void adapter_fill_statics (draw_list *list, const model *m);

/* Extends the box low ... high (m) by the bodies of a side.  Bodies far away from the others are left out,
 * and so is a side whose mechanism has come apart. */
void adapter_extend_box (const model *m, const snapshot *shot, double low[3], double high[3]);

/* The quantity by which a contact is coloured, by the mode: depth (m), slip (m/s) or force (N); 0 while
 * contacts are off. */
double contact_value (const contact_state *c, int mode);

/* World position of a joint's anchor on one of its sides. */
void adapter_anchor (const model *m, const snapshot *shot, int joint, int side, double out[3]);

/* Finds the shortest loop of bodies and joints that a joint belongs to.  mark, one element a body, becomes 1
 * for the bodies of the loop.  Returns 1, or 0 if the joint is in no loop. */
int adapter_loop (const model *m, int joint, unsigned char *mark);

#endif
