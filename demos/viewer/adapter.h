/*
 * The only bridge between simulation and graphics: a side's model and snapshot become solids, lines
 * and labels.
 */
#ifndef VIEWER_ADAPTER_H
#define VIEWER_ADAPTER_H

#include "draw.h"
#include "heatmap.h"
#include "sim.h"

/* What of a side is drawn. */
typedef struct
{
    int labels, axes, reactions, marks, trails, transparent, free_motion, body_frames;
    double exaggerate;     /* gaps are drawn this many times as long; 1 as they are */
    double reaction_scale; /* metres an N, 0 for a length that suits the scene's weight */
    double trail_seconds;
    float tint[3]; /* the side's own colour, for trails */
    float opacity; /* below 1 for a ghost */
    int plain;     /* a ghost: the side's colour instead of heat */
    int no_heat;   /* bodies in colours of their own */
    int contacts;  /* a contact_mode of the settings */
    heatmap_scale contact_scale;
    int islands;                     /* bodies in colours of their islands, those that sleep dark */
    int inertia, boxes;              /* centres of mass and boxes of the same inertia; bounding boxes */
    double pixel;                    /* m, at the middle of the scene */
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

/* Appends everything of one side.  past may be NULL; back says how many steps before its newest entry
 * the snapshot lies. */
void adapter_fill (draw_list *list, label_list *labels, const model *m, const snapshot *shot,
                   const ring *past, int back, const adapter_look *look);

/* The geometry that belongs to no body; once a view. */
void adapter_fill_statics (draw_list *list, const model *m);

/* Extends the box by the side's bodies; wild positions, and sides that have exploded, are left out. */
void adapter_extend_box (const model *m, const snapshot *shot, double low[3], double high[3]);

/* What a contact is coloured by: m, m/s or N; 0 while contacts are off. */
double contact_value (const contact_state *c, int mode);

/* World position of a joint's anchor on one of its sides. */
void adapter_anchor (const model *m, const snapshot *shot, int joint, int side, double out[3]);

/* Marks the bodies on the shortest chain that closes over a joint; 0 if the joint closes no loop.
 * mark has an element a body. */
int adapter_loop (const model *m, int joint, unsigned char *mark);

#endif
