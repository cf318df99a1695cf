/*
 * The viewer in a browser: one canvas, one thread, a frame whenever the browser asks for one.
 *
 * The address may name a scene and settings: page.html?scene=net:10&a.solver=quick.  For tests,
 * Module.state() is the state as JSON, Module.firstFrame the milliseconds from opening the page to its first
 * frame, and Module._page_cost () the seconds that a frame takes without its graphics.
 */
#include "actions.h"
#include "state_dump.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <emscripten.h>
#include <emscripten/html5.h>
#include <stdio.h>
#include <string.h>

static struct
{
    app app;
    GLFWwindow *window;
    double last;
    int width, height;
} page;

/* The canvas has as many pixels as its place on the screen. */
static void fit_canvas (void)
{
    double width, height;
    const double ratio = emscripten_get_device_pixel_ratio ();
    emscripten_get_element_css_size ("#canvas", &width, &height);
    const int w = (int)(width * ratio), h = (int)(height * ratio);
    if ((w == page.width && h == page.height) || w < 1 || h < 1) return;
    page.width = w;
    page.height = h;
    page.app.set.scale = ratio;
    glfwSetWindowSize (page.window, w, h);
}

static void frame (void)
{
    const double now = glfwGetTime ();
    fit_canvas ();
    glfwPollEvents ();
    app_frame (&page.app, page.width, page.height, 0, now - page.last, 1);
    page.last = now;
    if (page.app.frame == 1)
        EM_ASM (Module.firstFrame = performance.now (); document.body.className = "ready");
}

/* Frames that nobody sees: steps, sentences and panels, but no graphics. */
EMSCRIPTEN_KEEPALIVE double page_cost (void)
{
    const int frames = 120;
    const double start = glfwGetTime ();
    for (int i = 0; i < frames; i++) app_frame (&page.app, page.width, page.height, 0, 1.0 / 60, 0);
    return (glfwGetTime () - start) / frames;
}

EMSCRIPTEN_KEEPALIVE int page_state (void)
{
    char error[256];
    return state_dump (&page.app, "/state.json", error, sizeof error);
}

static void on_key (GLFWwindow *window, int key, int scancode, int event, int modifiers)
{
    (void)window;
    (void)scancode;
    action_glfw_key (&page.app, key, event, modifiers);
}

static void on_drop (GLFWwindow *window, int count, const char **paths)
{
    (void)window;
    for (int i = 0; i < count; i++)
        if (app_open (&page.app, paths[i])) app_say (&page.app, 0, "Opened %s", paths[i]);
}

/* What cannot go on is said where the canvas would be. */
static int give_up (const char *why)
{
    EM_ASM ({ document.getElementById ("trouble").textContent = UTF8ToString ($0); }, why);
    return 1;
}

static int open_canvas (void)
{
    if (!glfwInit ()) return 0;
    glfwWindowHint (GLFW_SAMPLES, 0); /* smooth edges are the renderer's own */
    page.window = glfwCreateWindow (640, 480, "ode-rls", NULL, NULL);
    if (!page.window) return 0;
    glfwMakeContextCurrent (page.window);
    glfwSetKeyCallback (page.window, on_key);
    glfwSetDropCallback (page.window, on_drop);
    return ui_create (page.window, (float)emscripten_get_device_pixel_ratio ());
}

int main (int argc, char **argv)
{
    const app_options options = {.scenes_folder = "/scenes"};
    const char *scene = "bricard";
    char error[2048];
    settings set;
    settings_default (&set);
    for (int i = 1; i < argc; i++)
    {
        char *value = strchr (argv[i], '=');
        if (!value) continue;
        *value++ = 0;
        if (strcmp (argv[i], "scene") == 0)
            scene = value;
        else if (!settings_set (&set, argv[i], value, error, sizeof error))
            return give_up (error);
    }
    if (!open_canvas ()) return give_up ("This browser has no WebGL 2.");
    set.scale = emscripten_get_device_pixel_ratio ();
    if (!app_init (&page.app, &set, &options, error, sizeof error)) return give_up (error);
    const int found = scene_list_find (&page.app.scenes, scene);
    if (!app_open (&page.app, found >= 0 ? page.app.scenes.entry[found].path : scene))
        return give_up (page.app.notice);
    page.last = glfwGetTime ();
    emscripten_set_main_loop (frame, 0, 1);
    return 0;
}
