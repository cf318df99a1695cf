/*
 * The layout of the screen, the camera, and what the 3D views show.
 */
#include "app_parts.h"

#include "theme.h"
#include "vec.h"

#include <math.h>
#include <string.h>

/* Divides the screen.  A window that is too narrow has no controls on the left, a narrower one no legend, and
   one that is too low no plots. */
void app_make_layout (app *a, int width, int height)
{
    float u = ui_scale (), w = (float)width, h = (float)height;
    const float top = roundf (52 * u), left = a->set.panel && w >= 760 * u ? roundf (248 * u) : 0,
                right = w >= 560 * u ? roundf (92 * u) : 0,
                bottom =
                    a->set.plots && h >= 400 * u ? roundf (fminf (fmaxf (172 * u, 0.2f * h), 0.4f * h)) : 0;
    app_layout *l = &a->layout;
    area none = {0, 0, 0, 0};
    l->top = (area){0, 0, w, top};
    l->left = (area){0, top, left, h - top};
    l->right = (area){w - right, top, right, h - top - bottom};
    l->bottom = (area){left, h - bottom, w - left, bottom};
    l->centre = (area){left, top, fmaxf (w - left - right, 1), fmaxf (h - top - bottom, 1)};
    l->view[0] = l->view[1] = none;
    if (a->set.layout == LAYOUT_SPLIT)
    {
        float half = floorf ((l->centre.w - 2 * u) / 2);
        l->view[0] = (area){l->centre.x, l->centre.y, half, l->centre.h};
        l->view[1] = (area){l->centre.x + l->centre.w - half, l->centre.y, half, l->centre.h};
    }
    else
        l->view[a->set.layout == LAYOUT_A ? 0 : 1] = l->centre;
}

static double height_of (const app *a, const double p[3]) { return vec_dot (p, a->eye.up); }

/* The height of the floor along the camera's up: that of the scene's ground.  In a scene without ground it
   lies a little below the box that the camera shows. */
static double wanted_floor (const app *a)
{
    const model *m = stage_model (a->stage);
    if (m->has_ground) return m->ground;
    double lowest = 1e300;
    for (int corner = 0; corner < 8; corner++)
    {
        double p[3];
        for (int i = 0; i < 3; i++) p[i] = corner >> i & 1 ? a->high[i] : a->low[i];
        lowest = fmin (lowest, height_of (a, p));
    }
    return lowest - 0.06 * m->size;
}

void app_frame_camera (app *a, double seconds, int now)
{
    const model *m = stage_model (a->stage);
    double low[3] = {1e300, 1e300, 1e300}, high[3] = {-1e300, -1e300, -1e300};
    for (int i = 0; i < SIDES; i++) adapter_extend_box (m, stage_shown (a->stage, i), low, high);

    /* A mechanism that hangs swings back, so its box only grows.  One on the ground may walk away, so its box
       also shrinks, slowly. */
    double forget = m->has_ground ? 1 - exp (-0.35 * seconds) : 0;
    for (int i = 0; i < 3 && low[i] <= high[i]; i++)
    {
        a->low[i] = fmin (low[i], a->low[i] + forget * (low[i] - a->low[i]));
        a->high[i] = fmax (high[i], a->high[i] + forget * (high[i] - a->high[i]));
    }
    const area *v = a->layout.view[0].w > 0 ? &a->layout.view[0] : &a->layout.view[1];
    double aspect = v->h > 0 ? (double)(v->w / v->h) : 1;

    /* The margin leaves room for the text at the top of the view. */
    const double margin = fmin (fmax (0.05, 70 * (double)ui_scale () / fmax ((double)v->h, 1)), 0.2);
    if (a->set.follow && !a->eye.held) camera_fit (&a->eye, a->low, a->high, aspect, margin, now);
    camera_ease (&a->eye, seconds);

    /* The floor moves smoothly to its new height. */
    double floor_goal = wanted_floor (a);
    if (isnan (a->floor_height)) a->floor_height = floor_goal;
    a->floor_height += (1 - exp (-7 * fmin (seconds, 0.25))) * (floor_goal - a->floor_height);
}

/* The size of a pixel at a distance from the eye, m. */
static double pixel_size (const app *a, int side, double distance)
{
    return camera_height (distance) / fmax ((double)a->layout.view[side].h, 1);
}

/* Fills the lists with what is drawn of a side.  A ghost is the side in its own colour, translucent, without
   marks. table has the heat colours. */
static void fill_side (app *a, int side, draw_list *list, label_list *labels, int ghost,
                       const unsigned char *table)
{
    const model *m = stage_model (a->stage);
    adapter_look look;
    memset (&look, 0, sizeof look);
    look.labels = a->set.labels;
    look.axes = a->set.axes;
    look.reactions = a->set.reactions;
    look.marks = a->set.marks;
    look.trails = a->set.trails;
    look.transparent = a->set.transparent;
    look.free_motion = a->set.free_motion;
    look.body_frames = a->set.frames;
    look.exaggerate = a->set.exaggerate;
    theme_rgb (app_side_color (a, side), look.tint);
    look.heat_table = table;
    look.heat = a->heat;
    look.no_heat = a->set.heat_mode == HEAT_OFF;
    look.contacts = a->set.contacts;
    look.contact_scale = a->contact;
    look.islands = a->set.islands;
    look.inertia = a->set.inertia;
    look.boxes = a->set.boxes;
    look.pixel = pixel_size (a, side, a->eye.distance);
    look.pulse = 0.5 + 0.5 * sin (2 * M_PI * 1.2 * a->clock);
    look.opacity = ghost ? 0.38f : 1.0f;
    look.plain = ghost;
    look.hovered_joint = a->hovered_joint;
    look.hovered_body = a->drag == DRAG_PULL ? a->pull.body : a->hovered_body;
    look.selected_joint = a->selected_joint;
    look.loop = a->has_loop ? a->loop : NULL;
    look.pull = a->drag == DRAG_PULL ? &a->pull : NULL;
    if (ghost) look.reactions = look.axes = look.marks = look.body_frames = 0;
    const snapshot *shot = stage_shown (a->stage, side);
    if (look.free_motion && !ghost)
    {
        if (!a->motion) a->motion = free_motion_create (stage_path (a->stage), m);
        int found = a->motion ? free_motion_update (a->motion, shot, shot->now.dof) : 0;
        if (found) look.motion = free_motion_get (a->motion, (a->set.free_motion - 1) % found);
    }
    adapter_fill (list, ghost ? NULL : labels, m, shot, stage_past (a->stage, side), stage_scroll (a->stage),
                  &look);
}

/* What the renderer needs to know of a side's view; height is that of the window in pixels. */
static void describe_view (const app *a, int side, int height, render_view *v)
{
    const model *m = stage_model (a->stage);
    const area *r = &a->layout.view[side];
    memset (v, 0, sizeof *v);
    v->rect[0] = (int)r->x;
    v->rect[1] = height - (int)(r->y + r->h);
    v->rect[2] = (int)r->w;
    v->rect[3] = (int)r->h;
    camera_matrices (&a->eye, (double)(r->w / r->h), v->view, v->projection);
    camera_eye (&a->eye, v->eye);
    vec_copy (v->up, a->eye.up);
    vec_copy (v->east, a->eye.east);
    for (int i = 0; i < 3; i++) v->centre[i] = 0.5 * (a->low[i] + a->high[i]);
    v->size = fmax (0.62 * vec_distance (a->low, a->high), 0.4 * m->size);
    v->ground = a->floor_height;
    v->floor = a->set.floor;
    v->shadows = a->set.shadows;
    v->wireframe = a->set.wireframe;
    v->scale = ui_scale ();
    v->heat = a->heat;
}

void app_fill_views (app *a)
{
    unsigned char table[HEATMAP_SIZE * 3];
    heatmap_fill (&a->heat, table);
    for (int side = 0; side < SIDES; side++)
    {
        draw_clear (&a->draw[side]);
        label_clear (&a->labels[side]);
        if (a->layout.view[side].w < 1) continue;
        adapter_fill_statics (&a->draw[side], stage_model (a->stage));
        fill_side (a, side, &a->draw[side], &a->labels[side], 0, table);
        if (a->set.layout == LAYOUT_GHOST) fill_side (a, 1 - side, &a->draw[side], NULL, 1, table);
        double eye[3];
        camera_eye (&a->eye, eye);
        draw_simplify (&a->draw[side], eye, pixel_size (a, side, 1));
    }
}

void app_draw_views (app *a, int width, int height, unsigned framebuffer)
{
    unsigned char table[HEATMAP_SIZE * 3];
    heatmap_fill (&a->heat, table);
    renderer_begin (a->gl, width, height, framebuffer, table);
    for (int side = 0; side < SIDES && stage_model (a->stage); side++)
    {
        if (a->layout.view[side].w < 1) continue;
        render_view view;
        describe_view (a, side, height, &view);
        renderer_view (a->gl, &view, &a->draw[side]);
    }
    renderer_end (a->gl);
}
