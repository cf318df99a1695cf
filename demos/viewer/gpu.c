/*
 * Helpers for OpenGL.  See gpu.h.
 */
#include "gpu.h"

#include "shader_source.h"

#ifdef __EMSCRIPTEN__
#include <emscripten/html5.h>
#endif
#include <stdio.h>
#include <string.h>

static GLuint compile (GLenum kind, const char *folder, const char *name, const char *define, char *error,
                       size_t size)
{
    shader_source source;
    if (!shader_source_load (&source, folder, name, define, error, size)) return 0;
    GLuint shader = glCreateShader (kind);
    const GLchar *text = source.text;
    glShaderSource (shader, 1, &text, NULL);
    glCompileShader (shader);
    GLint ok = 0;
    glGetShaderiv (shader, GL_COMPILE_STATUS, &ok);
    if (!ok)
    {
        char log[2048] = "";
        glGetShaderInfoLog (shader, sizeof log, NULL, log);
        shader_source_explain (&source, log, error, size);
        glDeleteShader (shader);
        shader = 0;
    }
    shader_source_free (&source);
    return shader;
}

GLuint gpu_program (const char *folder, const char *vertex, const char *fragment, const char *define,
                    char *error, size_t size)
{
    GLuint v = compile (GL_VERTEX_SHADER, folder, vertex, NULL, error, size);
    if (!v) return 0;
    GLuint f = compile (GL_FRAGMENT_SHADER, folder, fragment, define, error, size);
    GLuint program = 0;
    if (f)
    {
        program = glCreateProgram ();
        glAttachShader (program, v);
        glAttachShader (program, f);
        glLinkProgram (program);
        GLint ok = 0;
        glGetProgramiv (program, GL_LINK_STATUS, &ok);
        if (!ok)
        {
            char log[1024] = "";
            glGetProgramInfoLog (program, sizeof log, NULL, log);
            snprintf (error, size, "%s + %s: %s", vertex, fragment, log);
            glDeleteProgram (program);
            program = 0;
        }
        glDeleteShader (f);
    }
    glDeleteShader (v);
    return program;
}

int gpu_target_resize (gpu_target *t, int width, int height, int samples)
{
    if (t->framebuffer && t->width == width && t->height == height && t->samples == samples) return 1;
    gpu_target_free (t);
    GLint limit = 0;
    glGetIntegerv (GL_MAX_SAMPLES, &limit);
    int used = samples > limit ? limit : samples;
    if (used < 2) used = 0;
    t->width = width;
    t->height = height;
    t->samples = samples;
    glGenFramebuffers (1, &t->framebuffer);
    glGenRenderbuffers (1, &t->color);
    glGenRenderbuffers (1, &t->depth);
    glBindFramebuffer (GL_FRAMEBUFFER, t->framebuffer);
    glBindRenderbuffer (GL_RENDERBUFFER, t->color);
    glRenderbufferStorageMultisample (GL_RENDERBUFFER, used, GL_RGBA8, width, height);
    glFramebufferRenderbuffer (GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, t->color);
    glBindRenderbuffer (GL_RENDERBUFFER, t->depth);
    glRenderbufferStorageMultisample (GL_RENDERBUFFER, used, GL_DEPTH_COMPONENT24, width, height);
    glFramebufferRenderbuffer (GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, t->depth);
    int ok = glCheckFramebufferStatus (GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
    if (!ok) gpu_target_free (t);
    return ok;
}

void gpu_target_free (gpu_target *t)
{
    glDeleteFramebuffers (1, &t->framebuffer);
    glDeleteRenderbuffers (1, &t->color);
    glDeleteRenderbuffers (1, &t->depth);
    memset (t, 0, sizeof *t);
}

void gpu_target_blit (const gpu_target *from, GLuint to)
{
    glBindFramebuffer (GL_READ_FRAMEBUFFER, from->framebuffer);
    glBindFramebuffer (GL_DRAW_FRAMEBUFFER, to);
    glBlitFramebuffer (0, 0, from->width, from->height, 0, 0, from->width, from->height, GL_COLOR_BUFFER_BIT,
                       GL_NEAREST);
    glBindFramebuffer (GL_FRAMEBUFFER, to);
}

#ifdef __EMSCRIPTEN__
void gpu_print_messages (void) {}
#else
static void GLAPIENTRY print_message (GLenum source, GLenum type, GLuint id, GLenum severity, GLsizei length,
                                      const GLchar *text, const void *context)
{
    static const char *const kinds[] = {"error", "deprecated", "undefined", "portability", "performance"};
    const unsigned kind = type - GL_DEBUG_TYPE_ERROR; /* the names of these types have successive values */
    (void)source, (void)id, (void)length, (void)context;
    if (severity == GL_DEBUG_SEVERITY_NOTIFICATION) return; /* where buffers lie, and the like */
    fprintf (stderr, "OpenGL %s: %.*s\n", kind < sizeof kinds / sizeof *kinds ? kinds[kind] : "remark",
             (int)strcspn (text, "\n"), text);
}

void gpu_print_messages (void)
{
    if (epoxy_gl_version () < 43 && !epoxy_has_gl_extension ("GL_KHR_debug")) return;
    glEnable (GL_DEBUG_OUTPUT);
    glEnable (GL_DEBUG_OUTPUT_SYNCHRONOUS); /* a breakpoint in print_message then shows the call */
    glDebugMessageCallback (print_message, NULL);
}
#endif

void gpu_wireframe (int on)
{
#ifdef __EMSCRIPTEN__
    (void)on;
#else
    glPolygonMode (GL_FRONT_AND_BACK, on ? GL_LINE : GL_FILL);
#endif
}

const char *gpu_renderer (void)
{
#ifdef __EMSCRIPTEN__
    /* Browsers hide the name behind an extension. */
    const EMSCRIPTEN_WEBGL_CONTEXT_HANDLE context = emscripten_webgl_get_current_context ();
    if (emscripten_webgl_enable_extension (context, "WEBGL_debug_renderer_info"))
        return (const char *)glGetString (0x9246); /* UNMASKED_RENDERER_WEBGL */
#endif
    const char *name = (const char *)glGetString (GL_RENDERER);
    return name ? name : "";
}

int gpu_is_software (void)
{
    static const char *const names[] = {"llvmpipe", "softpipe", "swrast", "SwiftShader"};
    const char *name = gpu_renderer ();
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strstr (name, names[i])) return 1;
    return 0;
}
