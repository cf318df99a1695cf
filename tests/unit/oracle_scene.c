/* Small ODE worlds, and comparing them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "oracle_scene.h"
#include <math.h>
#include <string.h>

int scene_start_ode (void **state)
{
    (void)state;
    return dInitODE2 (0) ? 0 : -1;
}

int scene_stop_ode (void **state)
{
    (void)state;
    dCloseODE ();
    return 0;
}

scene scene_open (dReal gravity_z)
{
    scene s = {.world = dWorldCreate ()};
    dWorldSetGravity (s.world, 0, 0, gravity_z);
    return s;
}

void scene_close (scene *s)
{
    dRLSStepperDestroy (s->stepper);
    dWorldDestroy (s->world);
    *s = (scene){0};
}

dRLSStepperID scene_stepper (scene *s)
{
    if (!s->stepper)
    {
        int status;
        s->stepper = dRLSStepperCreate (s->world, &status);
        if (!s->stepper) fail_msg ("no stepper: %s", dRLSStatusText (status));
    }
    return s->stepper;
}

/* ---- building ---- */

int scene_box (scene *s, dReal x, dReal y, dReal z, dReal mass, dReal lx, dReal ly, dReal lz)
{
    assert_true (s->bodies < SCENE_MOST);
    const dBodyID body = s->body[s->bodies] = dBodyCreate (s->world);
    dMass m;
    dMassSetBoxTotal (&m, mass, lx, ly, lz);
    dBodySetMass (body, &m);
    dBodySetPosition (body, x, y, z);
    return s->bodies++;
}

int scene_rod (scene *s, const double from[3], const double to[3])
{
    double d[3], length = 0;
    for (int k = 0; k < 3; ++k) d[k] = to[k] - from[k], length += d[k] * d[k];
    length = sqrt (length);
    const int b = scene_box (s, (dReal)(from[0] + to[0]) / 2, (dReal)(from[1] + to[1]) / 2,
                             (dReal)(from[2] + to[2]) / 2, 1, (dReal)length, (dReal)0.05, (dReal)0.05);
    /* half a turn about the bisector of x and the rod's direction, any axis across x where they are opposite
     */
    dQuaternion q = {0, (dReal)(length + d[0]), (dReal)d[1], (dReal)d[2]};
    if (length + d[0] < 1e-9 * length) q[1] = 0, q[2] = 1, q[3] = 0;
    dBodySetQuaternion (s->body[b], q);
    return b;
}

static dBodyID body_of (const scene *s, int number) { return number == NO_BODY ? NULL : s->body[number]; }

dJointID scene_joint (scene *s, dJointID (*create) (dWorldID, dJointGroupID), int a, int b)
{
    assert_true (s->joints < SCENE_MOST);
    const dJointID joint = s->joint[s->joints++] = create (s->world, NULL);
    dJointAttach (joint, body_of (s, a), body_of (s, b));
    return joint;
}

dJointID scene_hinge (scene *s, int a, int b, const double anchor[3], const double axis[3])
{
    const dJointID joint = scene_joint (s, dJointCreateHinge, a, b);
    dJointSetHingeAnchor (joint, (dReal)anchor[0], (dReal)anchor[1], (dReal)anchor[2]);
    dJointSetHingeAxis (joint, (dReal)axis[0], (dReal)axis[1], (dReal)axis[2]);
    return joint;
}

dJointID scene_ball (scene *s, int a, int b, const double anchor[3])
{
    const dJointID joint = scene_joint (s, dJointCreateBall, a, b);
    dJointSetBallAnchor (joint, (dReal)anchor[0], (dReal)anchor[1], (dReal)anchor[2]);
    return joint;
}

scene scene_whirl (void)
{
    scene s = scene_open (0);
    double at[12][3];
    for (int i = 0; i < 12; ++i)
    {
        const int parent = (i - 1) / 2;
        for (int k = 0; k < 3; ++k)
            at[i][k] = (i > 0 ? at[parent][k] : 0) + (k == i % 3 ? 0.5 : 0) + (k == (i + 1) % 3 ? 0.2 : 0);
        const int box = scene_box (&s, (dReal)at[i][0], (dReal)at[i][1], (dReal)at[i][2], 1, (dReal)0.4,
                                   (dReal)0.2, (dReal)0.1);
        double joint[3];
        for (int k = 0; k < 3 && i > 0; ++k) joint[k] = 0.5 * (at[i][k] + at[parent][k]);
        if (i > 0) scene_ball (&s, box, parent, joint);
        dBodySetLinearVel (s.body[box], (dReal)sin (3.0 * i + 2), (dReal)cos (5.0 * i), (dReal)sin (7.0 * i));
        dBodySetAngularVel (s.body[box], (dReal)5.6 * (dReal)cos (2.0 * i + 2),
                            (dReal)5.6 * (dReal)sin (4.0 * i + 4), (dReal)5.6);
    }
    return s;
}

/* ---- running ---- */

int scene_touch (dWorldID world, dJointGroupID contacts, dGeomID a, dGeomID b, int most,
                 const dSurfaceParameters *surface, double *deepest)
{
    dContact contact[8];
    const int count = dCollide (a, b, most, &contact[0].geom, sizeof (contact[0]));
    for (int i = 0; i < count; ++i)
    {
        contact[i].surface = *surface;
        if (deepest) *deepest = fmax (*deepest, (double)contact[i].geom.depth);
        dJointAttach (dJointCreateContact (world, contacts, &contact[i]), dGeomGetBody (a), dGeomGetBody (b));
    }
    return count;
}

void scene_step (scene *s, dReal h, int steps)
{
    const dRLSStepperID stepper = scene_stepper (s);
    for (int i = 0; i < steps; ++i)
        if (!dRLSStepperStep (stepper, h)) fail_msg ("step %d: %s", i, dRLSStepperGetMessage (stepper));
}

dRLSReport scene_analyse (scene *s)
{
    const dRLSStepperID stepper = scene_stepper (s);
    dRLSReport report = {.struct_size = sizeof (report)};
    if (!dRLSStepperAnalyse (stepper)) fail_msg ("analysis: %s", dRLSStepperGetMessage (stepper));
    assert_int_equal (dRLSStepperGetReport (stepper, &report), 1);
    return report;
}

double scene_violation (const scene *s)
{
    double worst = 0;
    for (int j = 0; j < s->joints; ++j)
    {
        dRLSViolation v;
        if (dRLSMeasureJoint (s->joint[j], &v))
            worst = fmax (worst, fmax ((double)v.position_m, (double)v.angle_rad));
    }
    return worst;
}

static double energy (const scene *s, int and_potential)
{
    double sum = 0;
    for (int b = 0; b < s->bodies; ++b)
    {
        dReal kinetic, potential;
        assert_int_equal (dRLSMeasureBody (s->body[b], &kinetic, &potential), 1);
        sum += (double)kinetic + (and_potential ? (double)potential : 0);
    }
    return sum;
}

double scene_kinetic (const scene *s) { return energy (s, 0); }

double scene_energy (const scene *s) { return energy (s, 1); }

/* ---- comparison ---- */

void scene_look (const scene *s, scene_body_state *state)
{
    memset (state, 0, sizeof (*state) * (size_t)s->bodies);
    for (int b = 0; b < s->bodies; ++b, ++state)
    {
        const dBodyID body = s->body[b];
        memcpy (state->x, dBodyGetPosition (body), sizeof (state->x));
        memcpy (state->q, dBodyGetQuaternion (body), sizeof (state->q));
        memcpy (state->R, dBodyGetRotation (body), sizeof (state->R));
        memcpy (state->v, dBodyGetLinearVel (body), sizeof (state->v));
        memcpy (state->w, dBodyGetAngularVel (body), sizeof (state->w));
        memcpy (state->force, dBodyGetForce (body), sizeof (state->force));
        memcpy (state->torque, dBodyGetTorque (body), sizeof (state->torque));
        state->enabled = dBodyIsEnabled (body);
    }
}

int scene_same (const scene *s, const scene_body_state *state)
{
    scene_body_state now[SCENE_MOST];
    scene_look (s, now);
    return memcmp (now, state, sizeof (*state) * (size_t)s->bodies) == 0;
}

static double difference (const dReal *a, const dReal *b, int n, double worst)
{
    for (int k = 0; k < n; ++k)
    {
        const double d = fabs ((double)a[k] - (double)b[k]);
        if (!(d <= worst)) worst = isnan (d) ? HUGE_VAL : d;
    }
    return worst;
}

double scene_velocity_difference (const scene *a, const scene *b)
{
    double worst = 0;
    assert_int_equal (a->bodies, b->bodies);
    for (int i = 0; i < a->bodies; ++i)
    {
        worst = difference (dBodyGetLinearVel (a->body[i]), dBodyGetLinearVel (b->body[i]), 3, worst);
        worst = difference (dBodyGetAngularVel (a->body[i]), dBodyGetAngularVel (b->body[i]), 3, worst);
    }
    return worst;
}

double scene_pose_difference (const scene *a, const scene *b)
{
    double worst = 0;
    assert_int_equal (a->bodies, b->bodies);
    for (int i = 0; i < a->bodies; ++i)
    {
        worst = difference (dBodyGetPosition (a->body[i]), dBodyGetPosition (b->body[i]), 3, worst);
        worst = difference (dBodyGetRotation (a->body[i]), dBodyGetRotation (b->body[i]), 12, worst);
    }
    return worst;
}

void scene_step_on_contacts (scene *s, dSpaceID space, dJointGroupID contacts, dNearCallback *meet,
                             void *context, dReal h)
{
    dSpaceCollide (space, context, meet);
    scene_step (s, h, 1);
    dJointGroupEmpty (contacts);
}
