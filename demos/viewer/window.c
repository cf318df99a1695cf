/*
 * Opens the window and runs its loop.  See window.h.
 */
#include "window.h"

#include "actions.h"
#include "app.h"
#include "gpu.h"
#include "startup.h"
#include "state_dump.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static void on_key (GLFWwindow *window, int key, int scancode, int event, int modifiers)
{
    app *a = glfwGetWindowUserPointer (window);
    (void)scancode;
    if (a) action_glfw_key (a, key, event, modifiers);
}

static void on_drop (GLFWwindow *window, int count, const char **paths)
{
    app *a = glfwGetWindowUserPointer (window);
    if (!a) return;
    for (int i = 0; i < count; i++)
        if (app_open (a, paths[i])) app_say (a, 0, "Opened %s", paths[i]);
}

static char window_trouble[256]; /* the last error message of GLFW */

static void on_glfw_error (int code, const char *text)
{
    (void)code;
    snprintf (window_trouble, sizeof window_trouble, "%s", text);
}

static GLFWwindow *open_window (const view_options *o)
{
    glfwWindowHint (GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint (GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint (GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint (GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
    glfwWindowHint (GLFW_OPENGL_DEBUG_CONTEXT, o->gl_messages);
    glfwWindowHint (GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
    glfwWindowHint (GLFW_DEPTH_BITS, 24);
    glfwWindowHintString (GLFW_X11_CLASS_NAME, "ode-rls");
    GLFWwindow *window = glfwCreateWindow (o->width, o->height, "ode-rls view", NULL, NULL);
    if (window) glfwSetWindowSizeLimits (window, VIEW_WIDTH, VIEW_HEIGHT, GLFW_DONT_CARE, GLFW_DONT_CARE);
    return window;
}

static void switch_full_screen (GLFWwindow *window, int full)
{
    static int place[4]; /* position and size of the window before, to which it returns */
    if (full)
    {
        GLFWmonitor *monitor = glfwGetPrimaryMonitor ();
        const GLFWvidmode *mode = monitor ? glfwGetVideoMode (monitor) : NULL;
        if (!mode) return;
        glfwGetWindowPos (window, &place[0], &place[1]);
        glfwGetWindowSize (window, &place[2], &place[3]);
        glfwSetWindowMonitor (window, monitor, 0, 0, mode->width, mode->height, mode->refreshRate);
    }
    else
        glfwSetWindowMonitor (window, NULL, place[0], place[1], place[2], place[3], GLFW_DONT_CARE);
}

/* Waits for the next frame.  While nothing moves there are about ten frames in a second, and otherwise at
 * most 125. */
static void wait_for_events (const app *a, double last)
{
    if (a->set.paused && app_is_still (a))
        glfwWaitEventsTimeout (0.1);
    else
    {
        double spare = last + 1.0 / 125 - glfwGetTime ();
        if (spare > 0)
            glfwWaitEventsTimeout (spare);
        else
            glfwPollEvents ();
    }
}

/* Makes frames until the window is closed.  Returns the exit status. */
static int loop (GLFWwindow *window, app *a, int (*stopped) (void))
{
    double last = glfwGetTime ();
    int full = 0;
    char error[512];
    while (!glfwWindowShouldClose (window) && !a->quit && !(stopped && stopped ()))
    {
        wait_for_events (a, last);
        int width, height;
        glfwGetFramebufferSize (window, &width, &height);
        if (width < 1 || height < 1)
        {
            glfwWaitEventsTimeout (0.1);
            continue;
        }
        double now = glfwGetTime ();
        app_frame (a, width, height, 0, now - last, 1);
        last = now;
        if (a->open_failed && !stage_model (a->stage))
        {
            fprintf (stderr, "ode-rls: %s\n", a->notice); /* the first scene cannot be read */
            return 2;
        }
        a->open_failed = 0;
        glfwSwapBuffers (window);
        if (a->options.state_path && a->frame % 3 == 0 &&
            !state_dump (a, a->options.state_path, error, sizeof error))
        {
            app_say (a, 1, "%s", error);
            a->options.state_path = NULL;
        }
        if (a->full_screen != full) switch_full_screen (window, full = a->full_screen);
    }
    return 0;
}

int window_run (const view_options *o)
{
    glfwSetErrorCallback (on_glfw_error);
    if (!glfwInit ())
    {
        fprintf (stderr, "ode-rls: no display (%s); ode-rls view --headless --png FILE draws without one\n",
                 window_trouble);
        return 1;
    }
    int status = 1;
    GLFWwindow *window = open_window (o);
    if (window)
    {
        app a;
        view_options with_scale = *o;
        float sx = 1, sy = 1;
        glfwGetWindowContentScale (window, &sx, &sy);
        if (o->set.scale == 1 && sx > 1) with_scale.set.scale = fmin (round (4 * (double)sx) / 4, 4);
        glfwMakeContextCurrent (window);
        if (o->gl_messages) gpu_print_messages ();
        glfwSwapInterval (1);
        /* These are set first, because the handlers of Dear ImGui call those that were set before. */
        glfwSetKeyCallback (window, on_key);
        glfwSetDropCallback (window, on_drop);
        const app_options options = {o->scenes_folder, o->shader_folder, o->state, 0, 0};
        if (ui_create (window, (float)with_scale.set.scale))
        {
            status = startup (&a, &with_scale, &options);
            glfwSetWindowUserPointer (window, &a);
            if (!status)
            {
                if (o->mp4) app_toggle_film (&a, o->mp4, o->width, o->height);
                if (o->csv) app_toggle_csv (&a, o->csv);
                status = loop (window, &a, o->stopped);
            }
            glfwSetWindowUserPointer (window, NULL);
            app_free (&a);
        }
        ui_destroy ();
        glfwDestroyWindow (window);
    }
    else
        fprintf (stderr, "ode-rls: no OpenGL 3.3 (%s); ode-rls view --headless may still work\n",
                 window_trouble);
    glfwTerminate ();
    return status;
}
