/* Shared by renderer.c (views, light, programs) and renderer_batch.c (vertex data, instances). */
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

/* Vertex data of the meshes, at the present detail; 0 without memory.  That of lines and floor. */
int renderer_make_meshes (renderer *r);
void renderer_make_quads (renderer *r);

/* Copies a view's solids to the GPU, opaque ones first in each mesh; first and opaque receive, for each
 * mesh, where its slice starts and how many of it are opaque.  Returns how many solids there are. */
int renderer_upload_solids (renderer *r, const draw_list *list, int first[MESH_COUNT],
                            int opaque[MESH_COUNT]);
void renderer_draw_solids (renderer *r, const draw_list *list, const int *first, const int *opaque,
                           int translucent);
void renderer_draw_lines (renderer *r, const draw_line *line, int count);

#endif
