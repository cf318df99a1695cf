/*
 * Helpers for OpenGL 3.3 core: shader programs with readable error messages, framebuffers, messages of the
 * driver.
 */
#ifndef VIEWER_GPU_H
#define VIEWER_GPU_H

#include <stddef.h>
#ifdef __EMSCRIPTEN__
#include <GLES3/gl3.h> /* WebGL 2 */
#else
#include <epoxy/gl.h>
#endif

/* Compiles and links a program from two shader files (see shader_source.h), with a macro that is set in the
 * fragment shader.  Returns 0 with the messages, "file:line: ...", in error. */
GLuint gpu_program (const char *folder, const char *vertex, const char *fragment, const char *define,
                    char *error, size_t size);

/* A framebuffer with colours and depths.  If samples > 1, its picture is obtained by gpu_target_blit. */
typedef struct
{
    GLuint framebuffer, color, depth;
    int width, height, samples;
} gpu_target;

/* Creates the framebuffer, or changes its size.  Returns 1, or 0 if the driver refuses; there is none
 * then. */
int gpu_target_resize (gpu_target *target, int width, int height, int samples);
void gpu_target_free (gpu_target *target);

/* Copies the picture to another framebuffer of the same size, and binds that one. */
void gpu_target_blit (const gpu_target *from, GLuint to);

/* From now on prints the messages of the driver (errors, undefined behaviour, slow paths) on standard error,
 * the first line of each, if the driver has KHR_debug.  A context made for debugging has more of them. */
void gpu_print_messages (void);

/* Switches between drawing triangles and only their edges; does nothing in a browser. */
void gpu_wireframe (int on);

/* The driver's name for what draws: the graphics card or the software renderer. */
const char *gpu_renderer (void);

/* 1 if the renderer is a software one (llvmpipe, softpipe, swrast, SwiftShader). */
int gpu_is_software (void);

#endif
