/*
 * What renderer.c (views, light, programs) and renderer_batch.c (vertex data, instances) share.
 */
#ifndef VIEWER_RENDERER_PARTS_H
#define VIEWER_RENDERER_PARTS_H

#include "renderer.h"

#include "gpu.h"

typedef enum
{
    PROGRAM_SOLID,
    PROGRAM_SOLID_SHADOWED,
    PROGRAM_GROUND,
    PROGRAM_GROUND_SHADOWED,
    PROGRAM_DEPTH,
    PROGRAM_LINE,
    PROGRAM_BACKGROUND,
    PROGRAM_COUNT
} program_kind;

struct renderer
{
    render_quality quality;
    const char *folder;
    GLuint program[PROGRAM_COUNT];
    GLuint frame_buffer, heat_table;
    GLuint shadow_map, shadow_framebuffer;
    GLuint solid_array, mesh_vertices, mesh_indices, solid_buffer;
    GLuint line_array, line_corners, line_buffer;
    GLuint ground_array, ground_corners, empty_array;
    mesh_range mesh[MESH_COUNT];
    gpu_target smooth; /* multisampled target, unused without multisampling */
    GLuint target;
    int width, height, calls;
    draw_solid *sorted; /* a view's solids, opaque ones first in each mesh */
    int sorted_room;
};

/* Makes the vertex data of the meshes, at the present detail.  Returns 0 without memory. */
int renderer_make_meshes (renderer *r);

/* Makes the vertex data of lines and of the floor. */
void renderer_make_quads (renderer *r);

/* Copies the solids of a view to the GPU, for each mesh the opaque ones first.  first and opaque receive for
 * each mesh the number of its first instance and how many of its instances are opaque.  Returns how many
 * solids there are. */
int renderer_upload_solids (renderer *r, const draw_list *list, int first[MESH_COUNT],
                            int opaque[MESH_COUNT]);

/* Draws the opaque or the translucent solids. */
void renderer_draw_solids (renderer *r, const draw_list *list, const int *first, const int *opaque,
                           int translucent);
void renderer_draw_lines (renderer *r, const draw_line *line, int count);

#endif
