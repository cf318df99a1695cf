/*
 * Makes an OpenGL context by EGL.  See headless.h.
 */
#include "headless.h"

#include <dlfcn.h>
#include <epoxy/egl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct headless
{
    EGLDisplay display;
    EGLContext context;
};

#define DEVICES 8 /* how many of the devices that EGL names are tried */

/* Makes a context of a display current.  Returns 1, with h filled, or 0 if that is not possible. */
static int try_display (headless *h, EGLDisplay display, int debug)
{
    static const EGLint config_wanted[] = {EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_SURFACE_TYPE, 0,
                                           EGL_NONE};
    const EGLint context_wanted[] = {EGL_CONTEXT_MAJOR_VERSION,
                                     3,
                                     EGL_CONTEXT_MINOR_VERSION,
                                     3,
                                     EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                     EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                     debug ? EGL_CONTEXT_OPENGL_DEBUG : EGL_NONE,
                                     EGL_TRUE,
                                     EGL_NONE};
    if (display == EGL_NO_DISPLAY || !eglInitialize (display, NULL, NULL)) return 0;
    EGLConfig config;
    EGLint configs = 0;
    EGLContext context = EGL_NO_CONTEXT;
    if (eglBindAPI (EGL_OPENGL_API) && eglChooseConfig (display, config_wanted, &config, 1, &configs) &&
        configs > 0)
        context = eglCreateContext (display, config, EGL_NO_CONTEXT, context_wanted);
    if (context != EGL_NO_CONTEXT && eglMakeCurrent (display, EGL_NO_SURFACE, EGL_NO_SURFACE, context))
    {
        h->display = display;
        h->context = context;
        return 1;
    }
    if (context != EGL_NO_CONTEXT) eglDestroyContext (display, context);
    eglTerminate (display);
    return 0;
}

static int has_extension (const char *name)
{
    const char *all = eglQueryString (EGL_NO_DISPLAY, EGL_EXTENSIONS);
    return all && strstr (all, name);
}

/* Tries the devices in the order in which EGL names them.  With more than one driver this is the order of
   their files in glvnd/egl_vendor.d; of Mesa's devices the software renderer is the last. */
static int try_devices (headless *h, int debug)
{
    if (!has_extension ("EGL_EXT_platform_device") || !has_extension ("EGL_EXT_device_enumeration")) return 0;
    EGLDeviceEXT device[DEVICES];
    EGLint devices = 0;
    if (!eglQueryDevicesEXT (DEVICES, device, &devices)) return 0;
    for (EGLint i = 0; i < devices; i++)
        if (try_display (h, eglGetPlatformDisplayEXT (EGL_PLATFORM_DEVICE_EXT, device[i], NULL), debug))
            return 1;
    return 0;
}

static int try_surfaceless (headless *h, int debug)
{
    return has_extension ("EGL_MESA_platform_surfaceless") &&
           try_display (
               h, eglGetPlatformDisplayEXT (EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL), debug);
}

/* The first library that is missing; NULL if there are all.  They are loaded at their first use, and epoxy
   and Dear ImGui end the program if that fails. */
static const char *missing_library (void)
{
    static const char *const names[] = {"libEGL.so.1", "libGL.so.1"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!dlopen (names[i], RTLD_LAZY | RTLD_LOCAL))
            return names[i]; /* it stays loaded, since it is needed soon */
    return NULL;
}

headless *headless_create (int debug, char *error, size_t size)
{
    const char *missing = missing_library ();
    if (missing)
    {
        snprintf (error, size, "%s cannot be loaded (are libegl1 and libgl1 installed?)", missing);
        return NULL;
    }
    headless *h = calloc (1, sizeof *h);
    if (h && (try_devices (h, debug) || try_surfaceless (h, debug))) return h;
    free (h);
    snprintf (error, size, "no EGL device gives an OpenGL 3.3 core context (is libgl1-mesa-dri installed?)");
    return NULL;
}

void headless_free (headless *h)
{
    if (!h) return;
    eglMakeCurrent (h->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroyContext (h->display, h->context);
    /* The display is not terminated, because that would unload the driver. */
    free (h);
}
