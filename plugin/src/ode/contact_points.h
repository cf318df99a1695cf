/*
 * Where the bodies of a contact touch: what the files share that add to what collision detection has found.
 *
 *     contact_points.c      what of two bodies touches
 *     same_contacts.c       contacts that are one contact
 *     expected_contacts.c   other points that the step may reach
 *     line_contacts.c       ends of lines of contact that collision detection has missed
 */
#ifndef RLS_CONTACT_POINTS_H
#define RLS_CONTACT_POINTS_H

#include "gather.h"

/* ---- contact_points.c ---- */

/* What of a body touches: the line of the contact's normal, the outermost point of the body's geometries that
 * has been found on it, and others that may touch in the step (axes of the body, units of the world). */
typedef struct
{
    double R[9];                    /* from the axes of the body to those of the world */
    double out[3], moment[3];       /* of the line, out of the body */
    double most;                    /* how far out the point with its radius is */
    double point[3], radius;        /* the point, and the radius of what is round about it */
    double middle[3], axis[3], rim; /* of a cylinder the rim's centre and axis, and its radius; or 0 */
    dGeomID geometry;               /* whose point it is; NULL: none has been found */
    double other[3][3];
    int others;
} rls_touch;

/* Finds the line.  J: the normal's entries on the body. */
static inline void rls_contact_line (const rls_workspace *workspace, const double J[6], rls_touch *t)
{
    rls_multiply_transposed (t->R, J, t->out);
    rls_multiply_transposed (t->R, J + 3, t->moment);
    for (int k = 0; k < 3; ++k)
        t->out[k] = -t->out[k], t->moment[k] = -workspace->island.model.length_scale * t->moment[k];
}

/* Returns how far a point of the body (its axes), with a radius, is off the line, over its size. */
static inline double rls_off_line (const rls_touch *t, const double point[3], double radius)
{
    double moment[3], size = radius, off = 0;
    rls_cross (point, t->out, moment);
    for (int k = 0; k < 3; ++k)
    {
        size = rls_larger (fabs (point[k]), size);
        off = rls_larger (fabs (moment[k] - t->moment[k]), off);
    }
    return size > 0 ? off / size : 0;
}

/* Finds of a cylinder the point of its rims that is farthest out, if the contact is on the line through it:
 * sets point, middle, axis and rim.  Returns the sine of their angle, or 0 if it is not.  side: the same of
 * the circle around its side where the contact is. */
double rls_find_rim (rls_touch *t, dGeomID cylinder, int side);

/* out := R x and out := R' x, for one of ODE's matrices. */
static inline void rls_turn (const dReal R[12], const double x[3], double out[3])
{
    for (int i = 0; i < 3; ++i)
        out[i] = (double)R[4 * i] * x[0] + (double)R[4 * i + 1] * x[1] + (double)R[4 * i + 2] * x[2];
}

static inline void rls_turn_back (const dReal R[12], const double x[3], double out[3])
{
    for (int i = 0; i < 3; ++i)
        out[i] = (double)R[i] * x[0] + (double)R[4 + i] * x[1] + (double)R[8 + i] * x[2];
}

/* Returns the other geometry of a contact (or NULL) that names this one, NULL if it does not. */
static inline dGeomID rls_other_geometry (const dContact *contact, dGeomID geometry)
{
    if (!contact) return NULL;
    return contact->geom.g1 == geometry   ? contact->geom.g2
           : contact->geom.g2 == geometry ? contact->geom.g1
                                          : NULL;
}

/* The box whose corners these are, by its lengths, and their radius.  Returns 0 for other geometries. */
int rls_corners_of (dGeomID geometry, dVector3 side, dReal *radius);

/* Finds what touches of the bodies of contact at, joint j: points and centre of begin.bounded, and touch,
 * whose R are set; nothing in large islands if it does not rebound. */
void rls_find_contact_points (rls_workspace *workspace, int j, int at, rls_touch touch[2]);

/* 1 if what is known to touch of the body on that side is round. */
static inline int rls_is_round (const rls_bounded *b, int at, int side)
{
    return (b->points[at] >> side & 1) && b->centre[at][side][3] > 0;
}

/* ---- same_contacts.c ---- */

/* Contact at and those before it of the same bodies that are one contact with it get the same rows and depth:
 * what a ball or a cylinder's rim touches. */
void rls_act_as_one (rls_workspace *workspace, int at);

/* ---- expected_contacts.c ---- */

/* Shapes of bodies that may touch at several points. */
enum
{
    RLS_CYLINDERS = 1,
    RLS_CORNERS = 2, /* boxes and capsules */
    RLS_CAPSULES = 4
};

/* Finds the shapes of the bodies, if the island has contacts. */
void rls_find_shapes (rls_workspace *workspace);

/* Returns the shapes of the bodies of joint j. */
int rls_shapes_of (const rls_workspace *workspace, int j);

/* The largest number of points that rls_expect_contacts appends for a contact.  For corners it does so in
 * small islands only, while at most RLS_SMALL_ISLAND rows are to be expected in all (read.rows_of_bounded).
 */
#define RLS_MOST_EXPECTED 3

/* Appends to begin.bounded contacts that collision detection has not found yet and that the step may reach,
 * beside contact at, joint j, with what touches there: each a bounded joint with rows of ODE's joint j. */
void rls_expect_contacts (rls_workspace *workspace, int j, int at, rls_touch touch[2]);

/* Another point at which the bodies of a contact touch, or may touch in the step (units of the world). */
typedef struct
{
    double away[3]; /* from the contact's point, axes of the world */
    double gap;     /* by how much farther from the ground than the contact */
    double room;    /* by how much it may approach the ground */
    int number;     /* among the other points of the contact */
    int missed;     /* 1: it is there already, and is the same contact as one that is found there */
} rls_other_point;

/* Returns twice the way that gravity takes a body in the step from rest, g h^2 (units of the world). */
static inline double rls_fall_of (const rls_workspace *workspace)
{
    return workspace->h * workspace->h * rls_length3 (workspace->settings->gravity);
}

/* Returns 1 if a point that may approach by room (units of the world) touches, as far as collision detection
 * can tell. */
static inline int rls_is_there (const rls_workspace *workspace, double room)
{
    return room <= RLS_LITTLE * rls_fall_of (workspace);
}

/* Appends a contact like contact at, joint j, at another point.  R: from the axes of its first body to those
 * of the world.  Returns its index. */
int rls_append_other_point (rls_workspace *workspace, int j, int at, const double R[9],
                            const rls_other_point *p);

/* ---- line_contacts.c ---- */

/* Returns 1 if contact joint j, whose bodies have these shapes, touches on a line of which collision
 * detection may miss an end. */
int rls_may_miss_ends (const rls_workspace *workspace, int j, int shapes);

/* Appends contacts at ends of that line that are in the ground and have not been found, beside contact at. */
void rls_append_missed_ends (rls_workspace *workspace, int j, int at, const double R[9]);

#endif
