/*
 * Thin helpers over OpenGL 3.3 core: programs with readable errors, off-screen targets.
 */
#ifndef VIEWER_GPU_H
#define VIEWER_GPU_H

#include <stddef.h>
#ifdef __EMSCRIPTEN__
#include <GLES3/gl3.h> /* WebGL 2 */
#else
#include <epoxy/gl.h>
#endif

/* Compiles and links a program from two shader files (see shader_source.h), with a macro set in the
 * fragment shader.  Returns 0 with every message, "file:line: ...", in error. */
GLuint gpu_program (const char *folder, const char *vertex, const char *fragment, const char *define,
                    char *error, size_t size);

/* An off-screen colour and depth target; with samples > 1 it must be resolved by gpu_target_blit. */
typedef struct
{
    GLuint framebuffer, color, depth;
    int width, height, samples;
} gpu_target;

/* Makes or resizes the target.  Returns 1, or 0 if the driver refuses; the target is then empty. */
int gpu_target_resize (gpu_target *target, int width, int height, int samples);
void gpu_target_free (gpu_target *target);
void gpu_target_blit (const gpu_target *from, GLuint to);

/* From now on prints the messages of the driver (errors, undefined behaviour, slow paths) on standard error,
 * the first line of each, if the driver has KHR_debug.  A context made for debugging has more of them. */
void gpu_print_messages (void);

/* Triangles as their edges; a browser has none of it. */
void gpu_wireframe (int on);

/* The driver's name for what draws: the graphics card or the software renderer. */
const char *gpu_renderer (void);

/* 1 if the renderer is a software one (llvmpipe, softpipe, swrast, SwiftShader). */
int gpu_is_software (void);

#endif
