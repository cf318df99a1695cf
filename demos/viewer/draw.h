/*
 * What a view shows, as flat arrays that the renderer uploads: solids (instances of a few meshes) and
 * lines.  The adapter fills it from the simulation; the renderer knows nothing else.
 */
#ifndef VIEWER_DRAW_H
#define VIEWER_DRAW_H

#include "mesh.h"

/* One solid; laid out as the vertex attributes of shaders/solid.vert. */
typedef struct
{
    float rotation[4]; /* quaternion x, y, z, w */
    float position[3], opacity;
    float half[3], radius;
    float color[3], heat_mix; /* share of the heat colour in the surface */
    float heat[2];            /* log10 of the violation at -z and +z */
    float glow, metal;
} draw_solid;

/* One line, widths in pixels; laid out as the attributes of shaders/line.vert. */
typedef struct
{
    float a[3], width;
    float b[3], dash; /* dash length in pixels, 0 for a solid line */
    float color_a[4], color_b[4];
} draw_line;

typedef struct
{
    draw_solid *solid[MESH_COUNT];
    int solids[MESH_COUNT], solid_room[MESH_COUNT];
    draw_line *line; /* hidden behind solids */
    int lines, line_room;
    draw_line *overlay; /* drawn over everything */
    int overlays, overlay_room;
} draw_list;

void draw_clear (draw_list *list);
void draw_free (draw_list *list);

/* Appends and returns a zeroed element to fill in; never NULL: without memory the element is a dummy
 * that is not drawn. */
draw_solid *draw_add_solid (draw_list *list, mesh_kind mesh);
draw_line *draw_add_line (draw_list *list, int overlay);

/* Sets a solid's pose from double precision, quaternion w, x, y, z. */
void draw_pose (draw_solid *solid, const double position[3], const double quaternion[4]);

/* Draws what is only a few pixels wide by a block, and leaves out what is smaller than half a pixel; pixel is
 * the size of one at a distance of 1 m from the eye. */
void draw_simplify (draw_list *list, const double eye[3], double pixel);

#endif
