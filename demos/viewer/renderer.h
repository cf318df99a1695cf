/*
 * Draws views: a background, a floor with a grid, solids with shadows, and lines.  The number of draw calls
 * does not depend on the number of bodies.
 */
#ifndef VIEWER_RENDERER_H
#define VIEWER_RENDERER_H

#include "draw.h"
#include "heatmap.h"

#include <cglm/cglm.h>
#include <stddef.h>

typedef struct
{
    int samples;     /* multisampling, 0 for none */
    int shadow_size; /* edge of the shadow map, 0 for no shadows */
    int detail;      /* roundness of edges, 1 ... 6 */
} render_quality;

typedef struct
{
    int rect[4]; /* x, y from the lower left corner, width, height, in pixels */
    mat4 view, projection;
    double eye[3], up[3], east[3];
    double centre[3], size; /* of the scene: extent of light, floor and shadow */
    double ground;          /* height of the floor along up */
    int floor, shadows, wireframe;
    double scale; /* pixels per unit of line width */
    heatmap_scale heat;
} render_view;

typedef struct renderer renderer;

/* Needs a current OpenGL 3.3 core context.  With shader_folder NULL the built-in shaders are used.  Returns
 * NULL with the messages in error. */
renderer *renderer_create (const render_quality *quality, const char *shader_folder, char *error,
                           size_t size);
void renderer_free (renderer *r);

/* Reads and compiles the shaders again.  Returns 1, or 0 with the messages in error; the old shaders stay in
 * use then. */
int renderer_reload (renderer *r, char *error, size_t size);

/* Changes the quality of the following frames.  Returns 0 without memory. */
int renderer_set_quality (renderer *r, const render_quality *quality);

/* A frame of width x height pixels into a framebuffer: begin, then each view, then end. */
void renderer_begin (renderer *r, int width, int height, unsigned framebuffer,
                     const unsigned char heat[HEATMAP_SIZE * 3]);
void renderer_view (renderer *r, const render_view *view, const draw_list *list);
void renderer_end (renderer *r);

/* How many draw calls the last frame had. */
int renderer_draw_calls (const renderer *r);

#endif
