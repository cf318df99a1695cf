/*
 * The mouse in the views: finds the joint or body under it, turns and moves the camera, pulls bodies, throws
 * balls.
 */
#include "app_parts.h"

#include "vec.h"

#include <string.h>

static void view_rect (const app *a, int side, double rect[4])
{
    const area *v = &a->layout.view[side];
    rect[0] = (double)v->x;
    rect[1] = (double)v->y;
    rect[2] = (double)v->w;
    rect[3] = (double)v->h;
}

static int view_under (const app *a, const float mouse[2])
{
    for (int i = 0; i < SIDES; i++)
    {
        const area *v = &a->layout.view[i];
        if (mouse[0] >= v->x && mouse[0] < v->x + v->w && mouse[1] >= v->y && mouse[1] < v->y + v->h)
            return i;
    }
    return -1;
}

/* The distance along a ray from the eye to the box around a shape, or a negative number if the ray misses
 * it. */
static double ray_box (const model_shape *s, const body_state *b, const double eye[3],
                       const double direction[3])
{
    double position[3], q[4], o[3], d[3];
    pose_point (position, b->position, b->quaternion, s->position);
    quat_multiply (q, b->quaternion, s->quaternion);
    vec_sub (o, eye, position);
    quat_rotate_back (o, q, o);
    quat_rotate_back (d, q, direction);
    double near = 0, far = 1e300;
    for (int i = 0; i < 3; i++)
    {
        double inverse = 1 / (d[i] != 0 ? d[i] : 1e-30);
        double t0 = (-s->half[i] - o[i]) * inverse, t1 = (s->half[i] - o[i]) * inverse;
        near = fmax (near, fmin (t0, t1));
        far = fmin (far, fmax (t0, t1));
    }
    return near <= far ? near : -1;
}

/* The nearest body that a ray from the eye meets, -1 if there is none, and its distance in m. */
static int pick_body (app *a, int side, const double direction[3], double *distance)
{
    const model *m = stage_model (a->stage);
    const snapshot *shot = stage_shown (a->stage, side);
    double eye[3];
    int best = -1;
    camera_eye (&a->eye, eye);
    *distance = 1e300;
    for (int b = 0; b < m->bodies; b++)
        for (int i = 0; i < m->body[b].shapes; i++)
        {
            double t = ray_box (&m->shape[m->body[b].first_shape + i], &shot->body[b], eye, direction);
            if (t > 0 && t < *distance)
            {
                *distance = t;
                best = b;
            }
        }
    return best;
}

/* The joint whose anchor is nearest to the mouse on the screen, within 13 pixels times the scale; otherwise
 * -1. */
static int pick_joint (app *a, int side, const double rect[4], const float mouse[2])
{
    const model *m = stage_model (a->stage);
    mat4 view, projection, both;
    camera_matrices (&a->eye, rect[2] / rect[3], view, projection);
    glm_mat4_mul (projection, view, both);
    double best = 13 * (double)ui_scale ();
    int found = -1;
    for (int j = 0; j < m->joints; j++)
    {
        double p[3], pixel[2];
        if (m->joint[j].look == JOINT_NONE) continue;
        adapter_anchor (m, stage_shown (a->stage, side), j, 0, p);
        if (!camera_project (both, p, rect, pixel)) continue;
        double d = hypot (pixel[0] - (double)mouse[0], pixel[1] - (double)mouse[1]);
        if (d < best)
        {
            best = d;
            found = j;
        }
    }
    return found;
}

static void hover (app *a, int side, const float mouse[2])
{
    double rect[4], direction[3], distance;
    const double pixel[2] = {(double)mouse[0], (double)mouse[1]};
    view_rect (a, side, rect);
    camera_ray (&a->eye, rect, pixel, direction);
    a->hovered_joint = pick_joint (a, side, rect, mouse);
    a->hovered_body = a->hovered_joint < 0 ? pick_body (a, side, direction, &distance) : -1;
}

/* The ball is as heavy as the mean body of the scene, and fast enough to be there in half a second. */
void app_throw (app *a)
{
    const model *m = stage_model (a->stage);
    const int side = a->hovered_view >= 0 ? a->hovered_view : a->layout.view[1].w > 0 ? 1 : 0;
    double rect[4], direction[3], mass = 0;
    float mouse[2];
    if (!m) return;
    if (!stage_collides (a->stage))
    {
        app_say (a, 0, "Nothing collides in this scene: a ball would fly through it");
        return;
    }
    ui_mouse (mouse);
    view_rect (a, side, rect);
    const double pixel[2] = {a->hovered_view >= 0 ? (double)mouse[0] : rect[0] + rect[2] / 2,
                             a->hovered_view >= 0 ? (double)mouse[1] : rect[1] + rect[3] / 2};
    camera_ray (&a->eye, rect, pixel, direction);
    for (int i = 0; i < m->bodies; i++) mass += m->body[i].mass;
    stage_edit edit = {.kind = EDIT_THROW,
                       .ball = {.radius = 0.04 * m->size, .mass = m->bodies ? mass / m->bodies : 1}};
    camera_eye (&a->eye, edit.ball.position);
    vec_mad (edit.ball.position, edit.ball.position, 0.3 * a->eye.distance, direction);
    for (int k = 0; k < 3; k++) edit.ball.velocity[k] = 1.4 * a->eye.distance * direction[k];
    if (stage_scroll (a->stage)) stage_scroll_to (a->stage, 0);
    stage_do (a->stage, &edit);
}

/* A button was pressed in a view: the left one pulls the body under the mouse, or turns the camera where
   there is none, and selects the joint under it.  Shift or the middle one moves the camera, the right one
   turns it. */
static void start_drag (app *a, int side, const float mouse[2])
{
    double rect[4], direction[3], eye[3], distance, hit[3];
    const double pixel[2] = {(double)mouse[0], (double)mouse[1]};
    a->drag = DRAG_NONE;
    a->drag_view = side;
    memcpy (a->drag_mouse, mouse, sizeof a->drag_mouse);
    if (ui_pressed (2) || (ui_pressed (0) && ui_shift ()))
        a->drag = DRAG_PAN;
    else if (ui_pressed (1))
        a->drag = DRAG_ORBIT;
    else if (ui_pressed (0))
    {
        view_rect (a, side, rect);
        camera_ray (&a->eye, rect, pixel, direction);
        int body = pick_body (a, side, direction, &distance);
        a->drag = DRAG_ORBIT;
        if (a->hovered_joint >= 0)
            a->selected_joint = a->selected_joint == a->hovered_joint ? -1 : a->hovered_joint;
        if (body < 0 || stage_model (a->stage)->body[body].fixed) return;
        const body_state *b = &stage_shown (a->stage, side)->body[body];
        camera_eye (&a->eye, eye);
        vec_mad (hit, eye, distance, direction);
        a->pull.body = body;
        a->pull_depth = distance;
        vec_copy (a->pull.target, hit);
        vec_sub (hit, hit, b->position);
        quat_rotate_back (a->pull.local, b->quaternion, hit);
        a->drag = DRAG_PULL;
    }
}

static void continue_drag (app *a, const float mouse[2])
{
    double dx = (double)(mouse[0] - a->drag_mouse[0]), dy = (double)(mouse[1] - a->drag_mouse[1]);
    double rect[4], direction[3], eye[3];
    view_rect (a, a->drag_view, rect);
    if (rect[3] < 1) return;
    switch (a->drag)
    {
    case DRAG_ORBIT:
        if (dx != 0 || dy != 0) camera_orbit (&a->eye, dx * 4.0 / rect[3], dy * 4.0 / rect[3]);
        break;
    case DRAG_PAN:
        if (dx != 0 || dy != 0) camera_pan (&a->eye, dx, dy, rect[3]);
        break;
    case DRAG_PULL:
    {
        const double pixel[2] = {(double)mouse[0], (double)mouse[1]};
        camera_ray (&a->eye, rect, pixel, direction);
        camera_eye (&a->eye, eye);
        vec_mad (a->pull.target, eye, a->pull_depth, direction);
        break;
    }
    case DRAG_NONE:
        break;
    }
    memcpy (a->drag_mouse, mouse, sizeof a->drag_mouse);
}

void app_interact (app *a)
{
    float mouse[2];
    ui_mouse (mouse);
    if (a->drag)
    {
        if (ui_held (0) || ui_held (1) || ui_held (2))
            continue_drag (a, mouse);
        else
        {
            a->drag = DRAG_NONE;
            a->pull.body = -1;
        }
        return;
    }
    a->hovered_view = ui_wants_mouse () || a->set.help ? -1 : view_under (a, mouse);
    a->hovered_joint = a->hovered_body = -1;
    a->has_loop = 0;
    if (a->hovered_view >= 0)
    {
        hover (a, a->hovered_view, mouse);
        if (ui_wheel () != 0) camera_zoom (&a->eye, (double)ui_wheel ());
        if (ui_pressed (0) || ui_pressed (1) || ui_pressed (2)) start_drag (a, a->hovered_view, mouse);
    }
    int shown = a->hovered_joint >= 0 ? a->hovered_joint : a->selected_joint;
    if (shown >= 0 && a->loop) a->has_loop = adapter_loop (stage_model (a->stage), shown, a->loop);
}
