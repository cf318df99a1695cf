/*
 * What a view shows: arrays of solids (instances of a few meshes) and of lines.  The adapter fills them from
 * the simulation, and the renderer, which knows nothing of the simulation, copies them to the GPU.
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
    draw_line *line; /* these are hidden behind solids */
    int lines, line_room;
    draw_line *overlay; /* these are drawn over everything */
    int overlays, overlay_room;
} draw_list;

void draw_clear (draw_list *list);
void draw_free (draw_list *list);

/* Appends an element and returns it, to be filled in.  A solid is opaque and not turned to begin with;
 * everything else is 0.  Never NULL: without memory it is an element that is not drawn. */
draw_solid *draw_add_solid (draw_list *list, mesh_kind mesh);
draw_line *draw_add_line (draw_list *list, int overlay);

/* Sets the pose of a solid; the quaternion is in ODE's order w, x, y, z. */
void draw_pose (draw_solid *solid, const double position[3], const double quaternion[4]);

/* Replaces boxes and cylinders that are at most five pixels wide by blocks with sharp edges, which cost less,
 * and removes those smaller than half a pixel.  pixel is the size of a pixel at a distance of 1 m from the
 * eye, in m. */
void draw_simplify (draw_list *list, const double eye[3], double pixel);

#endif
