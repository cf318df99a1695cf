/*
 * What the files of the adapter share: the job (what is drawn, and from what) and the parts of it.
 */
#ifndef VIEWER_ADAPTER_PARTS_H
#define VIEWER_ADAPTER_PARTS_H

#include "adapter.h"

typedef struct
{
    draw_list *list;
    label_list *labels;
    const model *model;
    const snapshot *shot;
    const adapter_look *look;
    const double
        *touched;      /* for each body its worst contact (contact_value), 0 for none; NULL: no contacts */
    const int *island; /* for each body its island; NULL unless islands are coloured */
    unsigned char contact_table[HEATMAP_SIZE * 3];
} adapter_job;

#define ADAPTER_FORCE                                                                                        \
    {                                                                                                        \
        0.81f, 0.87f, 0.38f                                                                                  \
    }
#define ADAPTER_GREY                                                                                         \
    {                                                                                                        \
        0.50f, 0.52f, 0.55f                                                                                  \
    } /* of sides that have stopped */

void adapter_joints (const adapter_job *a);
void adapter_reactions (const adapter_job *a);
void adapter_trails (const adapter_job *a, const ring *past, int back);
void adapter_contacts (const adapter_job *a);
void adapter_balls (const adapter_job *a);

/* For every body the number of one body of its island, the same for all of the island.  An island is a set of
 * bodies that joints or contacts couple.  To be freed by the caller; NULL without memory. */
int *adapter_islands (const model *m, const snapshot *shot);
void adapter_masses (const adapter_job *a);
void adapter_boxes (const adapter_job *a);
void adapter_pull (const adapter_job *a);
void adapter_springs (const adapter_job *a);
void adapter_motion (const adapter_job *a);

/* Adds an arrow of solids with that many heads: one for a force, two for a torque. */
void adapter_arrow (draw_list *list, const double from[3], const double to[3], double radius,
                    const float color[3], float opacity, int heads);

/* Adds a line, width in pixels.  With overlay it is drawn over everything. */
void adapter_line (draw_list *list, int overlay, const double a[3], const double b[3], float width,
                   const float color[3], float alpha);
void adapter_label_at (label_list *labels, const double at[3], const float color[3], int strong,
                       const char *format, ...) __attribute__ ((format (printf, 5, 6)));

#endif
