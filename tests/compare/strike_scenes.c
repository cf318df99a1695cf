/* Problems of order_figures.c in which something strikes something. */
#include "order_rig.h"
#include <math.h>

static double restitution;

void set_restitution (double e) { restitution = e; }

void add_ball (problem *p, double x, double z)
{
    dMass m;
    p->body = dBodyCreate (p->r.world);
    dMassSetSphereTotal (&m, 1, (dReal)0.1);
    dBodySetMass (p->body, &m);
    dBodySetPosition (p->body, (dReal)x, 0, (dReal)z);
    dGeomSetBody (dCreateSphere (p->r.space, (dReal)0.1), p->body);
}

static void open_world (problem *p, double mu)
{
    p->r = open_rig (1, 0, -G);
    p->r.mu = mu, p->r.bounce = restitution;
}

/* A ball that hangs at a distance and an angle (rad) from a point, of another body or of the world. */
static dJointID hang_ball (problem *p, dBodyID from, double x, double z, double length, double angle)
{
    add_ball (p, x - length * sin (angle), z - length * cos (angle));
    return add_hinge (&p->r, p->body, from, x, 0, z, along_y);
}

void strikes_wall (problem *p, double h)
{
    (void)h;
    open_world (p, 0);
    dCreatePlane (p->r.space, -1, 0, 0, (dReal)-0.4);
    p->joint[0] = hang_ball (p, NULL, 0, 0, 1, 0.8);
}

void two_balls_strike (problem *p, double h)
{
    const double length = 0.6, angle = 0.8;
    (void)h;
    open_world (p, 0);
    dCreatePlane (p->r.space, -1, 0, 0, (dReal)-0.35);
    p->joint[0] = hang_ball (p, NULL, 0, 0, length, angle);
    p->joint[1] = hang_ball (p, p->body, -length * sin (angle), -length * cos (angle), length, 0.4);
}

/* Two links in line, 1.5 m above the ground, the lower one on its way down. */
static dBodyID drop_links (problem *p)
{
    open_world (p, 0.4);
    dCreatePlane (p->r.space, 0, 0, 1, (dReal)-1.5);
    const dBodyID a = add_box (&p->r, 1, link_size, 0.5, 0, 0, 0),
                  b = add_box (&p->r, 1, link_size, 1.5, 0, 0, 0);
    p->joint[0] = add_hinge (&p->r, a, NULL, 0, 0, 0, along_y);
    p->joint[1] = add_hinge (&p->r, a, b, 1, 0, 0, along_y);
    dBodySetLinearVel (b, 0, 0, (dReal)-1.5), dBodySetAngularVel (b, 0, 3, 0);
    return b;
}

void end_strikes (problem *p, double h)
{
    (void)h;
    const dBodyID link = drop_links (p);
    const dGeomID capsule = dCreateCapsule (p->r.space, (dReal)0.05, 1);
    dMatrix3 turn;
    dGeomSetBody (capsule, link);
    dRFromAxisAndAngle (turn, 0, 1, 0, (dReal)(M_PI / 2));
    dGeomSetOffsetRotation (capsule, turn);
}

void corner_strikes (problem *p, double h)
{
    (void)h;
    const dBodyID link = drop_links (p);
    dGeomSetBody (dCreateBox (p->r.space, 1, (dReal)0.1, (dReal)0.1), link);
}

void coupler_strikes (problem *p, double h)
{
    dJointID joint[4];
    (void)h;
    open_world (p, 0.4);
    add_fourbar (&p->r, joint);
    p->joint[0] = joint[0], p->joint[1] = joint[3];
    set_motor (joint[0], 4, 3);
    set_motor (joint[1], 0, 0.2);
    dGeomSetBody (dCreateBox (p->r.space, 1, (dReal)0.1, (dReal)0.1), p->r.body[1]);
    dCreatePlane (p->r.space, -1, 0, 0, (dReal)-1);
}

void carried_ball_strikes (problem *p, double h)
{
    const double size[3] = {0.6, 0.4, 0.2};
    open_world (p, 0.2);
    dCreatePlane (p->r.space, 0, 0, 1, 0);
    dGeomSetPosition (dCreateBox (p->r.space, (dReal)0.1, 1, (dReal)0.4), (dReal)0.55, 0, (dReal)0.6);
    const dBodyID box = add_box (&p->r, 2, size, 0, 0, 0.1 - 0.05 * G * h * h, 1);
    p->joint[0] = hang_ball (p, box, 0, 1, 0.5, 0.9);
    dBodySetLinearVel (box, 2, 0, 0), dBodySetLinearVel (p->body, 2, 0, 0);
}

/* The ground, and a wall that stands on it. */
static void open_hall (problem *p)
{
    open_world (p, 0.2);
    dCreatePlane (p->r.space, 0, 0, 1, 0);
    dCreatePlane (p->r.space, -1, 0, 0, (dReal)-0.6);
}

void rolling_ball_strikes (problem *p, double h)
{
    open_hall (p);
    add_ball (p, 0, 0.1 - 0.05 * G * h * h);
    dBodySetLinearVel (p->body, 2, 1, 0);
    dBodySetAngularVel (p->body, -10, 20, 7);
}

void sliding_box_strikes (problem *p, double h)
{
    const double size[3] = {0.3, 0.2, 0.2};
    open_hall (p);
    p->body = add_box (&p->r, 1, size, 0, 0, 0.1 - 0.05 * G * h * h, 1);
    dBodySetLinearVel (p->body, 3, 0, 0);
}

void box_strikes (problem *p, double h)
{
    const double size[3] = {0.6, 0.4, 0.3};
    dMatrix3 turn;
    (void)h;
    open_world (p, 0.4);
    dCreatePlane (p->r.space, 0, 0, 1, 0);
    p->body = add_box (&p->r, 1, size, 0, 0, 0.8, 1);
    dRFromAxisAndAngle (turn, 1, (dReal)0.5, (dReal)0.3, (dReal)0.5);
    dBodySetRotation (p->body, turn);
    dBodySetAngularVel (p->body, 1, 2, (dReal)0.5);
}

void boxes_strike (problem *p, double h)
{
    const double size[3] = {0.4, 0.3, 0.2}, large[3] = {1, 1, 0.5};
    dMatrix3 turn;
    (void)h;
    open_world (p, 0);
    const dBodyID below = add_box (&p->r, 3, large, 0, 0, 0, 1);
    p->body = add_box (&p->r, 1, size, 0.2, 0.1, 0.7, 1);
    dRFromAxisAndAngle (turn, 1, (dReal)0.6, (dReal)0.3, (dReal)0.7);
    dBodySetRotation (p->body, turn);
    dBodySetLinearVel (p->body, 0, 0, -1);
    dBodySetAngularVel (p->body, 1, 2, 0), dBodySetAngularVel (below, (dReal)0.5, 1, 0);
}

void balls_strike (problem *p, double h)
{
    (void)h;
    open_world (p, 0.3);
    add_ball (p, 0.5, 0.05);
    dBodySetLinearVel (p->body, -2, 0, 0);
    add_ball (p, 0, 0);
    dBodySetAngularVel (p->body, 1, 5, 0);
}
