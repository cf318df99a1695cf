/*
 * An orbit camera around a target point, with "up" taken from the scene's gravity.
 */
#ifndef VIEWER_CAMERA_H
#define VIEWER_CAMERA_H

#include <cglm/cglm.h>

typedef struct
{
    double up[3], east[3], north[3]; /* right-handed: east x north = up */
    double target[3];
    double distance, yaw, pitch;                                /* pitch above the horizon, rad */
    double goal_target[3], goal_distance, goal_yaw, goal_pitch; /* where it is going, smoothly */
    int held; /* the user has moved it: it no longer follows the scene, until the user asks for that (F) */
} camera;

typedef enum
{
    CAMERA_PERSPECTIVE,
    CAMERA_FRONT,
    CAMERA_BACK,
    CAMERA_LEFT,
    CAMERA_RIGHT,
    CAMERA_TOP,
    CAMERA_PRESETS
} camera_preset;

extern const char *const camera_preset_names[];

/* Sets the axes from the direction against gravity and looks at the origin. */
void camera_init (camera *c, const double up[3]);

void camera_orbit (camera *c, double right, double down);                   /* rad */
void camera_pan (camera *c, double right, double down, double view_height); /* pixels */
void camera_zoom (camera *c, double steps); /* wheel notches, positive is closer */
void camera_look (camera *c, int preset);   /* a camera_preset */

/* Has the camera go to where it sees the whole box low ... high in a view of this aspect (width over height),
 * at once if now is set.  The margin, a part of the height below 1/2, stays free at the top and at the
 * bottom. */
void camera_fit (camera *c, const double low[3], const double high[3], double aspect, double margin, int now);

/* Moves the camera towards where it is going, for so many seconds of real time.  Returns 1 while it moves. */
int camera_ease (camera *c, double seconds);

void camera_eye (const camera *c, double eye[3]);
void camera_matrices (const camera *c, double aspect, mat4 view, mat4 projection);

/* Projects a point to pixels of the view rect (x, y, width, height; y downwards).  Returns 0 if it is behind
 * the eye. */
int camera_project (mat4 view_projection, const double point[3], const double rect[4], double pixel[2]);

/* The direction of the ray from the eye through a pixel, of unit length. */
void camera_ray (const camera *c, const double rect[4], const double pixel[2], double direction[3]);

/* The height of the part of the world that a view shows at a distance from the eye, m. */
double camera_height (double distance);

#endif
