/*
 * The renderer.  All solids are drawn from one vertex array: a draw call chooses a mesh and a part of the
 * buffer of instances.  Lines have another one.  What the shader programs of a view share is in a uniform
 * block.
 */
#include "renderer_parts.h"

#include <stdlib.h>
#include <string.h>

/* The uniform block of shaders/frame.glsl. */
typedef struct
{
    mat4 view_projection, shadow_matrix;
    vec4 eye, light, up, east, viewport, heat, ground;
} frame_block;

/* The shader programs.  Those with shadows are programs of their own, because on software renderers a branch
   costs time even if it is not taken. */
static const struct
{
    const char *vertex, *fragment, *define;
} program_files[PROGRAM_COUNT] = {
    {"solid.vert", "solid.frag", NULL},          {"solid.vert", "solid.frag", "SHADOWS"},
    {"ground.vert", "ground.frag", NULL},        {"ground.vert", "ground.frag", "SHADOWS"},
    {"solid.vert", "depth.frag", NULL},          {"line.vert", "line.frag", NULL},
    {"background.vert", "background.frag", NULL}};

static void drop_programs (GLuint *program)
{
    for (int i = 0; i < PROGRAM_COUNT; i++)
    {
        glDeleteProgram (program[i]);
        program[i] = 0;
    }
}

int renderer_reload (renderer *r, char *error, size_t size)
{
    GLuint fresh[PROGRAM_COUNT] = {0};
    for (int i = 0; i < PROGRAM_COUNT; i++)
    {
        fresh[i] = gpu_program (r->folder, program_files[i].vertex, program_files[i].fragment,
                                program_files[i].define, error, size);
        if (!fresh[i])
        {
            drop_programs (fresh);
            return 0;
        }
        GLuint block = glGetUniformBlockIndex (fresh[i], "Frame");
        if (block != GL_INVALID_INDEX) glUniformBlockBinding (fresh[i], block, 0);
        glUseProgram (fresh[i]);
        glUniform1i (glGetUniformLocation (fresh[i], "heat_table"), 0);
        glUniform1i (glGetUniformLocation (fresh[i], "shadow_map"), 1);
    }
    drop_programs (r->program);
    memcpy (r->program, fresh, sizeof fresh);
    return 1;
}

static void make_shadow_map (renderer *r)
{
    int size = r->quality.shadow_size > 0 ? r->quality.shadow_size : 1;
    glActiveTexture (GL_TEXTURE1);
    glBindTexture (GL_TEXTURE_2D, r->shadow_map);
    glTexImage2D (GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT24, size, size, 0, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT,
                  NULL);
    glTexParameteri (GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri (GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri (GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri (GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glTexParameteri (GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    glBindFramebuffer (GL_FRAMEBUFFER, r->shadow_framebuffer);
    glFramebufferTexture2D (GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, r->shadow_map, 0);
    const GLenum none = GL_NONE;
    glDrawBuffers (1, &none);
    glReadBuffer (GL_NONE);
}

renderer *renderer_create (const render_quality *quality, const char *shader_folder, char *error, size_t size)
{
    renderer *r = calloc (1, sizeof *r);
    if (!r) return NULL;
    r->quality = *quality;
    r->folder = shader_folder;
    GLuint *const buffers[] = {&r->frame_buffer, &r->mesh_vertices, &r->mesh_indices,  &r->solid_buffer,
                               &r->line_corners, &r->line_buffer,   &r->ground_corners};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++) glGenBuffers (1, buffers[i]);
    GLuint *const arrays[] = {&r->solid_array, &r->line_array, &r->ground_array, &r->empty_array};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) glGenVertexArrays (1, arrays[i]);
    glGenTextures (1, &r->heat_table);
    glGenTextures (1, &r->shadow_map);
    glGenFramebuffers (1, &r->shadow_framebuffer);
    renderer_make_quads (r);
    make_shadow_map (r);
    if (!renderer_make_meshes (r) || !renderer_reload (r, error, size))
    {
        renderer_free (r);
        return NULL;
    }
    return r;
}

void renderer_free (renderer *r)
{
    if (!r) return;
    drop_programs (r->program);
    const GLuint buffers[] = {r->frame_buffer, r->mesh_vertices, r->mesh_indices,  r->solid_buffer,
                              r->line_corners, r->line_buffer,   r->ground_corners};
    glDeleteBuffers (sizeof buffers / sizeof *buffers, buffers);
    const GLuint arrays[] = {r->solid_array, r->line_array, r->ground_array, r->empty_array};
    glDeleteVertexArrays (sizeof arrays / sizeof *arrays, arrays);
    glDeleteTextures (1, &r->heat_table);
    glDeleteTextures (1, &r->shadow_map);
    glDeleteFramebuffers (1, &r->shadow_framebuffer);
    gpu_target_free (&r->smooth);
    free (r->sorted);
    free (r);
}

int renderer_set_quality (renderer *r, const render_quality *quality)
{
    int detail = quality->detail != r->quality.detail,
        shadow = quality->shadow_size != r->quality.shadow_size;
    r->quality = *quality;
    if (shadow) make_shadow_map (r);
    return !detail || renderer_make_meshes (r);
}

void renderer_begin (renderer *r, int width, int height, unsigned framebuffer,
                     const unsigned char heat[HEATMAP_SIZE * 3])
{
    r->width = width;
    r->height = height;
    r->calls = 0;
    r->target = framebuffer;
    if (r->quality.samples > 1 && !gpu_target_resize (&r->smooth, width, height, r->quality.samples))
        r->quality.samples = 0;
    glActiveTexture (GL_TEXTURE0);
    glBindTexture (GL_TEXTURE_2D, r->heat_table);
    glPixelStorei (GL_UNPACK_ALIGNMENT, 1);
    glTexImage2D (GL_TEXTURE_2D, 0, GL_RGB8, HEATMAP_SIZE, 1, 0, GL_RGB, GL_UNSIGNED_BYTE, heat);
    glTexParameteri (GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri (GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri (GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri (GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glBindFramebuffer (GL_FRAMEBUFFER, r->quality.samples > 1 ? r->smooth.framebuffer : r->target);
    glViewport (0, 0, width, height);
    glDisable (GL_SCISSOR_TEST);
    glClearColor (0.043f, 0.051f, 0.067f, 1);
    glDepthMask (GL_TRUE);
    glClear (GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
}

static void to_vec4 (vec4 out, const double a[3], double w)
{
    for (int i = 0; i < 3; i++) out[i] = (float)a[i];
    out[3] = (float)w;
}

/* The direction of the light, which is fixed in the world, and the matrices by which the shadow map is drawn
 * and read. */
static void light_matrices (const render_view *v, vec3 light, mat4 world_to_clip, mat4 world_to_map)
{
    vec3 up = {(float)v->up[0], (float)v->up[1], (float)v->up[2]};
    vec3 east = {(float)v->east[0], (float)v->east[1], (float)v->east[2]}, north;
    glm_vec3_cross (up, east, north);
    for (int i = 0; i < 3; i++) light[i] = 1.0f * up[i] - 0.42f * north[i] + 0.36f * east[i];
    glm_vec3_normalize (light);
    float size = (float)v->size;
    vec3 centre = {(float)v->centre[0], (float)v->centre[1], (float)v->centre[2]}, eye;
    for (int i = 0; i < 3; i++) eye[i] = centre[i] + 3 * size * light[i];
    mat4 look, ortho;
    glm_lookat (eye, centre, north, look);
    glm_ortho (-1.6f * size, 1.6f * size, -1.6f * size, 1.6f * size, 0.5f * size, 6.5f * size, ortho);
    glm_mat4_mul (ortho, look, world_to_clip);
    mat4 half = {{0.5f, 0, 0, 0}, {0, 0.5f, 0, 0}, {0, 0, 0.5f, 0}, {0.5f, 0.5f, 0.5f, 1}};
    glm_mat4_mul (half, world_to_clip, world_to_map);
}

/* The distance of the lines of the floor's grid: 1, 2 or 5 times a power of ten, smaller than the scene. */
static double nice_cell (double size)
{
    double power = pow (10, floor (log10 (size)));
    double mantissa = size / power;
    return power * (mantissa < 2 ? 0.1 : mantissa < 5 ? 0.2 : 0.5);
}

static void set_frame (renderer *r, const frame_block *frame)
{
    glBindBuffer (GL_UNIFORM_BUFFER, r->frame_buffer);
    glBufferData (GL_UNIFORM_BUFFER, sizeof *frame, frame, GL_STREAM_DRAW);
    glBindBufferBase (GL_UNIFORM_BUFFER, 0, r->frame_buffer);
}

static void draw_shadow_map (renderer *r, const draw_list *list, const int *first, const int *opaque)
{
    glBindFramebuffer (GL_FRAMEBUFFER, r->shadow_framebuffer);
    glDisable (GL_SCISSOR_TEST);
    glViewport (0, 0, r->quality.shadow_size, r->quality.shadow_size);
    glClear (GL_DEPTH_BUFFER_BIT);
    glEnable (GL_DEPTH_TEST);
    glUseProgram (r->program[PROGRAM_DEPTH]);
    renderer_draw_solids (r, list, first, opaque, 0);
    glBindFramebuffer (GL_FRAMEBUFFER, r->quality.samples > 1 ? r->smooth.framebuffer : r->target);
}

/* Draws the translucent solids: first their depth, so that only the nearest surface of each is blended.  They
   are moved back a little (2e-5 of the range of depths, and as much as a pixel's slope).  Otherwise the ghost
   of a body that both sides have at the same place would fight with that body for each pixel. */
static void draw_translucent (renderer *r, const draw_list *list, const int *first, const int *opaque,
                              GLuint program)
{
    glEnable (GL_POLYGON_OFFSET_FILL);
    glPolygonOffset (1, 400);
    glColorMask (GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
    glUseProgram (r->program[PROGRAM_DEPTH]);
    renderer_draw_solids (r, list, first, opaque, 1);
    glColorMask (GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glDepthFunc (GL_LEQUAL);
    glEnable (GL_BLEND);
    glUseProgram (program);
    renderer_draw_solids (r, list, first, opaque, 1);
    glDepthFunc (GL_LESS);
    glDisable (GL_POLYGON_OFFSET_FILL);
}

/* Fills in the uniform block of a view, except for the matrix of the shadows. */
static void describe_frame (const render_view *v, const vec3 light, frame_block *frame)
{
    glm_mat4_mul ((vec4 *)v->projection, (vec4 *)v->view, frame->view_projection);
    to_vec4 (frame->eye, v->eye, v->size);
    for (int i = 0; i < 3; i++) frame->light[i] = light[i];
    to_vec4 (frame->up, v->up, v->ground);
    to_vec4 (frame->east, v->east, nice_cell (v->size));
    for (int i = 0; i < 4; i++) frame->viewport[i] = (float)v->rect[i];
    frame->heat[0] = (float)v->heat.log_low;
    frame->heat[1] = (float)v->heat.log_high;
    frame->heat[3] = (float)v->scale;
    double height = v->ground, centre[3];
    for (int i = 0; i < 3; i++) height -= v->centre[i] * v->up[i];
    for (int i = 0; i < 3; i++) centre[i] = v->centre[i] + height * v->up[i];
    to_vec4 (frame->ground, centre, 4.5 * v->size);
}

/* Draws background and floor, behind everything else. */
static void draw_surroundings (renderer *r, int floor, int shadows)
{
    glDisable (GL_DEPTH_TEST);
    glDisable (GL_CULL_FACE);
    glDisable (GL_BLEND);
    glUseProgram (r->program[PROGRAM_BACKGROUND]);
    glBindVertexArray (r->empty_array);
    glDrawArrays (GL_TRIANGLES, 0, 6 * 8 * 8); /* the grid of background.vert */
    r->calls++;
    glEnable (GL_BLEND);
    glBlendFunc (GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    if (floor)
    {
        glUseProgram (r->program[shadows ? PROGRAM_GROUND_SHADOWED : PROGRAM_GROUND]);
        glBindVertexArray (r->ground_array);
        glDrawArrays (GL_TRIANGLE_STRIP, 0, 4);
        r->calls++;
    }
    glEnable (GL_DEPTH_TEST);
    glDisable (GL_BLEND);
}

void renderer_view (renderer *r, const render_view *v, const draw_list *list)
{
    if (v->rect[2] < 1 || v->rect[3] < 1) return;
    int first[MESH_COUNT] = {0}, opaque[MESH_COUNT] = {0};
    int any = renderer_upload_solids (r, list, first, opaque) > 0;
    int shadows = any && v->shadows && r->quality.shadow_size > 0;
    frame_block frame;
    vec3 light;
    mat4 light_clip;
    memset (&frame, 0, sizeof frame);
    light_matrices (v, light, light_clip, frame.shadow_matrix);
    if (shadows)
    {
        glm_mat4_copy (light_clip, frame.view_projection);
        set_frame (r, &frame);
        draw_shadow_map (r, list, first, opaque);
    }
    describe_frame (v, light, &frame);
    set_frame (r, &frame);

    glEnable (GL_SCISSOR_TEST);
    glScissor (v->rect[0], v->rect[1], v->rect[2], v->rect[3]);
    glViewport (v->rect[0], v->rect[1], v->rect[2], v->rect[3]);
    draw_surroundings (r, v->floor, shadows);
    if (!v->wireframe) glEnable (GL_CULL_FACE);
    gpu_wireframe (v->wireframe);
    GLuint program = r->program[shadows ? PROGRAM_SOLID_SHADOWED : PROGRAM_SOLID];
    glUseProgram (program);
    renderer_draw_solids (r, list, first, opaque, 0);
    draw_translucent (r, list, first, opaque, program);
    gpu_wireframe (0);
    glDisable (GL_CULL_FACE);
    glEnable (GL_BLEND);
    glDepthMask (GL_FALSE);
    renderer_draw_lines (r, list->line, list->lines);
    glDisable (GL_DEPTH_TEST);
    renderer_draw_lines (r, list->overlay, list->overlays);
    glDepthMask (GL_TRUE);
    glDisable (GL_SCISSOR_TEST);
    glDisable (GL_BLEND);
}

void renderer_end (renderer *r)
{
    if (r->quality.samples > 1) gpu_target_blit (&r->smooth, r->target);
    glBindFramebuffer (GL_FRAMEBUFFER, r->target);
    glBindVertexArray (0);
}

int renderer_draw_calls (const renderer *r) { return r->calls; }
