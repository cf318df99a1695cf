/*
 * The orbit camera.  See camera.h.
 */
#include "camera.h"

#include "vec.h"

static const double field_of_view = 0.56; /* rad, vertical: a long lens, little distortion */

const char *const camera_preset_names[] = {"perspective", "front", "back", "left", "right", "top", NULL};

/* Ends the easing: the camera is where it was to go. */
static void settle (camera *c)
{
    vec_copy (c->target, c->goal_target);
    c->distance = c->goal_distance;
    c->yaw = c->goal_yaw;
    c->pitch = c->goal_pitch;
}

void camera_init (camera *c, const double up[3])
{
    vec_copy (c->up, up);
    vec_normalize (c->up);
    /* East is the most level axis of the world; of equally level ones x comes first, then z. */
    static const double axes[3][3] = {{1, 0, 0}, {0, 0, 1}, {0, 1, 0}};
    int best = 0;
    for (int i = 1; i < 3; i++)
        if (fabs (vec_dot (axes[i], c->up)) < fabs (vec_dot (axes[best], c->up)) - 0.3) best = i;
    vec_mad (c->east, axes[best], -vec_dot (axes[best], c->up), c->up);
    vec_normalize (c->east);
    vec_cross (c->north, c->up, c->east);
    vec_set (c->goal_target, 0, 0, 0);
    c->goal_distance = 5;
    camera_look (c, CAMERA_PERSPECTIVE);
    settle (c);
    c->held = 0;
}

void camera_orbit (camera *c, double right, double down)
{
    c->goal_yaw -= right;
    c->goal_pitch = fmin (fmax (c->goal_pitch + down, -1.55), 1.55);
    c->yaw = c->goal_yaw;
    c->pitch = c->goal_pitch;
    c->held = 1;
}

/* Unit vectors of the view: back points from the target to the eye, right and upward along the picture. */
static void directions (const camera *c, double back[3], double right[3], double upward[3])
{
    double cp = cos (c->pitch), sp = sin (c->pitch), cy = cos (c->yaw), sy = sin (c->yaw);
    for (int i = 0; i < 3; i++)
    {
        back[i] = cp * (cy * c->east[i] + sy * c->north[i]) + sp * c->up[i];
        right[i] = -sy * c->east[i] + cy * c->north[i];
    }
    vec_cross (upward, back, right);
}

void camera_pan (camera *c, double right, double down, double view_height)
{
    double back[3], side[3], upward[3];
    directions (c, back, side, upward);
    double metre = camera_height (c->distance) / fmax (view_height, 1);
    vec_mad (c->goal_target, c->goal_target, -right * metre, side);
    vec_mad (c->goal_target, c->goal_target, down * metre, upward);
    vec_copy (c->target, c->goal_target);
    c->held = 1;
}

void camera_zoom (camera *c, double steps)
{
    c->goal_distance = fmin (fmax (c->goal_distance * pow (0.88, steps), 1e-4), 1e6);
    c->held = 1;
}

void camera_look (camera *c, int preset)
{
    static const double angles[CAMERA_PRESETS][2] = {{-1.12, 0.36}, {-M_PI_2, 0.02}, {M_PI_2, 0.02},
                                                     {M_PI, 0.02},  {0, 0.02},       {-M_PI_2, 1.55}};
    if (preset < 0 || preset >= CAMERA_PRESETS) return;
    c->goal_yaw = angles[preset][0];
    c->goal_pitch = angles[preset][1];
}

void camera_fit (camera *c, const double low[3], const double high[3], double aspect, double margin, int now)
{
    /* Finds the distance at which all eight corners of the box are inside the picture, once the camera has
       turned to where it is going. */
    camera at = *c;
    at.yaw = c->goal_yaw;
    at.pitch = c->goal_pitch;
    double back[3], right[3], upward[3], centre[3];
    directions (&at, back, right, upward);
    for (int i = 0; i < 3; i++) centre[i] = 0.5 * (low[i] + high[i]);
    const double half = tan (field_of_view / 2), wide = 0.90 * half * aspect, tall = half * (1 - 2 * margin);
    double distance = 1e-3;
    for (int corner = 0; corner < 8; corner++)
    {
        double d[3];
        for (int i = 0; i < 3; i++) d[i] = (corner >> i & 1 ? high[i] : low[i]) - centre[i];
        double near = vec_dot (d, back);
        distance = fmax (distance, near + fabs (vec_dot (d, right)) / wide);
        distance = fmax (distance, near + fabs (vec_dot (d, upward)) / tall);
    }
    vec_copy (c->goal_target, centre);
    c->goal_distance = distance;
    if (now) settle (c);
}

int camera_ease (camera *c, double seconds)
{
    double k = 1 - exp (-7 * fmin (seconds, 0.25)), moved = 0, step;
    for (int i = 0; i < 3; i++)
    {
        step = c->goal_target[i] - c->target[i];
        moved += fabs (step) / c->distance;
        c->target[i] += k * step;
    }
    step = c->goal_distance - c->distance;
    moved += fabs (step) / c->distance;
    c->distance += k * step;
    moved += fabs (c->goal_yaw - c->yaw) + fabs (c->goal_pitch - c->pitch);
    c->yaw += k * (c->goal_yaw - c->yaw);
    c->pitch += k * (c->goal_pitch - c->pitch);
    return moved > 1e-4;
}

void camera_eye (const camera *c, double eye[3])
{
    double back[3], right[3], upward[3];
    directions (c, back, right, upward);
    vec_mad (eye, c->target, c->distance, back);
}

void camera_matrices (const camera *c, double aspect, mat4 view, mat4 projection)
{
    double back[3], right[3], upward[3], eye[3];
    directions (c, back, right, upward);
    vec_mad (eye, c->target, c->distance, back);
    vec3 e = {(float)eye[0], (float)eye[1], (float)eye[2]};
    vec3 t = {(float)c->target[0], (float)c->target[1], (float)c->target[2]};
    vec3 u = {(float)upward[0], (float)upward[1], (float)upward[2]};
    glm_lookat (e, t, u, view);
    glm_perspective ((float)field_of_view, (float)aspect, (float)(0.02 * c->distance),
                     (float)(60 * c->distance), projection);
}

int camera_project (mat4 view_projection, const double point[3], const double rect[4], double pixel[2])
{
    vec4 p = {(float)point[0], (float)point[1], (float)point[2], 1}, q;
    glm_mat4_mulv (view_projection, p, q);
    if (q[3] < 1e-6f) return 0;
    pixel[0] = rect[0] + rect[2] * (0.5 + 0.5 * (double)(q[0] / q[3]));
    pixel[1] = rect[1] + rect[3] * (0.5 - 0.5 * (double)(q[1] / q[3]));
    return 1;
}

void camera_ray (const camera *c, const double rect[4], const double pixel[2], double direction[3])
{
    double back[3], right[3], upward[3];
    directions (c, back, right, upward);
    double tall = tan (field_of_view / 2), wide = tall * rect[2] / rect[3];
    double x = 2 * (pixel[0] - rect[0]) / rect[2] - 1, y = 1 - 2 * (pixel[1] - rect[1]) / rect[3];
    for (int i = 0; i < 3; i++) direction[i] = x * wide * right[i] + y * tall * upward[i] - back[i];
    vec_normalize (direction);
}

double camera_height (double distance) { return 2 * distance * tan (field_of_view / 2); }
