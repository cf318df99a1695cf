/*
 * Small problems with contacts, limits and motors whose answers are known, under all steppers, in one table:
 * build/bin/contact_figures.  Fails if ode-rls misses a figure that is asked of it.
 *
 * Sliding box: stopping distance, relative to v^2 / (2 mu g) less half of what the first step takes, along
 * both directions of the friction pyramid.
 *
 * Slope: a box 1 % below the angle of friction creeps in 1 s; 1 % above, its acceleration, relative to
 * g (sin a - mu cos a).
 *
 * Mass ratio: 1000 kg on 1 kg on 1 kg; sinking beyond the compliance of the contacts, and sliding.
 *
 * Bricard, motor: a weak motor drives a hinge of the mechanism against gravity; joint gap, and the largest
 * torque over the allowed one.
 *
 * Bricard, limit: the mechanism falls on a stop in the middle of its range; joint gap, and how far the stop
 * is passed once it has come to rest.
 */
#include "contact_peers.h"
#include <ode_rls/ode_rls.h>
#include "scene.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define G 9.81

/* ---- boxes on a plane ---------------------------------------------------------------------------------- */

typedef struct
{
    dWorldID world;
    dSpaceID space;
    dJointGroupID contacts;
    dSurfaceParameters surface;
    dRLSStepperID stepper;
    stepper_kind kind;
    double deepest;
} pile;

static void meet (void *context, dGeomID a, dGeomID b)
{
    pile *p = context;
    dContact contact[8];
    const int count = dCollide (a, b, 8, &contact[0].geom, sizeof (contact[0]));
    for (int i = 0; i < count; ++i)
    {
        contact[i].surface = p->surface;
        p->deepest = fmax (p->deepest, (double)contact[i].geom.depth);
        dJointAttach (dJointCreateContact (p->world, p->contacts, &contact[i]), dGeomGetBody (a),
                      dGeomGetBody (b));
    }
}

static int step_world (dWorldID world, dRLSStepperID stepper, stepper_kind kind, double h)
{
    if (kind == with_rls) return dRLSStepperStep (stepper, (dReal)h);
    dWorldSetQuickStepNumIterations (world, kind == with_quick ? 20 : 100);
    return kind == with_ode ? dWorldStep (world, (dReal)h) : dWorldQuickStep (world, (dReal)h);
}

static pile open_pile (stepper_kind kind, double gx, double gz, double mu)
{
    pile p = {
        .world = dWorldCreate (), .space = dSimpleSpaceCreate (NULL), .contacts = dJointGroupCreate (0)};
    p.kind = kind;
    p.surface = (dSurfaceParameters){.mode = dContactApprox1 | dContactSoftCFM, .mu = (dReal)mu};
    p.surface.soft_cfm = (dReal)1e-5;
    dWorldSetGravity (p.world, (dReal)gx, 0, (dReal)gz);
    dCreatePlane (p.space, 0, 0, 1, 0);
    if (kind == with_rls) p.stepper = dRLSStepperCreate (p.world, NULL);
    return p;
}

static dBodyID add_box (pile *p, double mass, double z, double lx, double ly, double lz)
{
    dMass m;
    const dBodyID body = dBodyCreate (p->world);
    dMassSetBoxTotal (&m, (dReal)mass, (dReal)lx, (dReal)ly, (dReal)lz);
    dBodySetMass (body, &m);
    dBodySetPosition (body, 0, 0, (dReal)z);
    dGeomSetBody (dCreateBox (p->space, (dReal)lx, (dReal)ly, (dReal)lz), body);
    return body;
}

static void step_pile (pile *p, double h)
{
    p->deepest = 0;
    dSpaceCollide (p->space, p, meet);
    step_world (p->world, p->stepper, p->kind, h);
    dJointGroupEmpty (p->contacts);
}

static void close_pile (pile *p)
{
    dRLSStepperDestroy (p->stepper);
    dJointGroupDestroy (p->contacts);
    dSpaceDestroy (p->space);
    dWorldDestroy (p->world);
}

/* Relative error of the stopping distance. */
static double slide (stepper_kind kind, double vx, double vy)
{
    const double h = 1e-3, mu = 0.3, speed = hypot (vx, vy);
    pile p = open_pile (kind, 0, -G, mu);
    const dBodyID box = add_box (&p, 2, 0.1, 0.6, 0.5, 0.2);
    for (int i = 0; i < 300; ++i) step_pile (&p, h); /* comes to rest on the ground */
    dBodySetLinearVel (box, (dReal)vx, (dReal)vy, 0);
    const double x = (double)dBodyGetPosition (box)[0], y = (double)dBodyGetPosition (box)[1];
    for (int i = 0; i < 2000; ++i) step_pile (&p, h);
    const double way = hypot ((double)dBodyGetPosition (box)[0] - x, (double)dBodyGetPosition (box)[1] - y);
    const double right = speed * speed / (2 * mu * G) - speed * h / 2;
    close_pile (&p);
    return fabs (way - right) / right;
}

/* A box on a slope of slightly more or less than the angle of friction: where it is after so long. */
static double slope (stepper_kind kind, double part, double *acceleration)
{
    const double h = 0.01, mu = 0.5, angle = atan (part * mu);
    pile p = open_pile (kind, G * sin (angle), -G * cos (angle), mu);
    const dBodyID box = add_box (&p, 2, 0.1, 0.6, 0.5, 0.2);
    for (int i = 0; i < 100; ++i) step_pile (&p, h);
    const double x = (double)dBodyGetPosition (box)[0], v = (double)dBodyGetLinearVel (box)[0];
    for (int i = 0; i < 100; ++i) step_pile (&p, h);
    *acceleration = (double)dBodyGetLinearVel (box)[0] - v;
    const double way = (double)dBodyGetPosition (box)[0] - x;
    close_pile (&p);
    return way;
}

/* 1000 kg on 1 kg on 1 kg: depth beyond the compliance (m), and the way of the top sideways (m). */
static double ratio (stepper_kind kind, double *sideways)
{
    const double h = 0.01, load = 1002 * G / 4, erp = 0.2;
    pile p = open_pile (kind, 0, -G, 0.8);
    dBodyID box[3];
    for (int i = 0; i < 3; ++i) box[i] = add_box (&p, i < 2 ? 1 : 1000, 0.25 + 0.5 * i, 0.5, 0.5, 0.5);
    double worst = 0;
    for (int i = 0; i < 500; ++i)
    {
        step_pile (&p, h);
        if (i >= 250) worst = fmax (worst, p.deepest);
    }
    *sideways = hypot ((double)dBodyGetPosition (box[2])[0], (double)dBodyGetPosition (box[2])[1]);
    const double drop = 1.25 - (double)dBodyGetPosition (box[2])[2];
    close_pile (&p);
    const double compliance = 1e-5 * load * h / erp;
    return fmax (fmax (worst - compliance, drop - 3 * compliance), 0);
}

/* ---- the Bricard mechanism -------------------------------------------------------------------------------
 */

typedef struct
{
    double gap, torque, passed;
} bricard_result;

static scene *read_bricard (void)
{
    char folder[2048], path[4096], error[400];
    scene *s = NULL;
    for (int i = 0; !s && scene_folder (i, folder, sizeof (folder)); ++i)
    {
        snprintf (path, sizeof (path), "%s/bricard.sdf", folder);
        if (folder[0]) s = scene_read (path, NULL, NULL, error, sizeof (error));
    }
    return s;
}

static dJointID first_hinge (const scene *s)
{
    for (int i = 0; i < scene_joint_count (s); ++i)
        if (dJointGetType (scene_joint_at (s, i)->joint) == dJointTypeHinge)
            return scene_joint_at (s, i)->joint;
    return NULL;
}

#define TORQUE 4.0 /* N m, of the motor */
#define STOP 0.6   /* rad */

static int bricard (stepper_kind kind, int with_motor, bricard_result *out)
{
    const double h = 0.01;
    dJointFeedback feedback;
    scene *s = read_bricard ();
    *out = (bricard_result){0};
    if (!s) return 0;
    const dJointID hinge = first_hinge (s);
    dJointSetFeedback (hinge, &feedback);
    if (with_motor)
    {
        dJointSetHingeParam (hinge, dParamVel, (dReal)-1);
        dJointSetHingeParam (hinge, dParamFMax, (dReal)TORQUE);
    }
    else
    {
        dJointSetHingeParam (hinge, dParamLoStop, (dReal)-STOP);
        dJointSetHingeParam (hinge, dParamHiStop, (dReal)STOP);
    }
    scene_set_time_step (s, h);
    dRLSStepperID stepper = kind == with_rls ? dRLSStepperCreate (scene_world (s), NULL) : NULL;
    for (int i = 0; i < 1000; ++i)
    {
        scene_before_step (s, i * h, 0);
        dVector3 axis, arm, moment; /* between beginning and end of the step: rows act at both */
        dJointGetHingeAxis (hinge, axis);
        dJointGetHingeAnchor (hinge, arm);
        for (int k = 0; k < 3; ++k) arm[k] -= dBodyGetPosition (dJointGetBody (hinge, 0))[k];
        dVector3 axis_then, arm_then;
        memset (&feedback, 0, sizeof (feedback));
        step_world (scene_world (s), stepper, kind, h);
        scene_after_step (s);
        dJointGetHingeAxis (hinge, axis_then);
        dJointGetHingeAnchor (hinge, arm_then);
        for (int k = 0; k < 3 && kind == with_rls; ++k)
        {
            axis[k] = (axis[k] + axis_then[k]) / 2;
            arm[k] = (arm[k] + arm_then[k] - dBodyGetPosition (dJointGetBody (hinge, 0))[k]) / 2;
        }
        dRLSViolation violation;
        scene_violation (s, &violation);
        out->gap = fmax (out->gap, (double)violation.position_m);
        dCalcVectorCross3 (moment, arm,
                           feedback.f1); /* what the anchor's force turns is no torque of the motor */
        for (int k = 0; k < 3; ++k) moment[k] = feedback.t1[k] - moment[k];
        out->torque = fmax (out->torque, fabs ((double)dCalcVectorDot3 (axis, moment)));
        if (i >= 800) out->passed = fmax (out->passed, fabs ((double)dJointGetHingeAngle (hinge)) - STOP);
    }
    dRLSStepperDestroy (stepper);
    scene_free (s);
    return 1;
}

/* ---- the table -------------------------------------------------------------------------------------------
 */

static int missed;

/* One line: the four values, and whether ode-rls has what is asked. */
static void line (const char *what, const double value[steppers], double asked)
{
    const int good = fabs (value[with_rls]) <= asked;
    missed += !good;
    printf ("%-42s %11.2e %11.2e %11.2e %11.2e   %.0e %s\n", what, value[with_ode], value[with_quick],
            value[with_quick_long], value[with_rls], asked, good ? "met" : "MISSED");
}

static void no_message (int number, const char *format, va_list arguments)
{
    (void)number, (void)format, (void)arguments;
}

int main (void)
{
    double a[steppers], b[steppers], c[steppers], d[steppers], e[steppers], f[steppers], g[steppers],
        i[steppers];
    bricard_result motor[steppers], limit[steppers];
    dInitODE2 (0);
    dAllocateODEDataForThread (dAllocateMaskAll);
    dSetMessageHandler (no_message); /* dWorldStep's complaints about its own solver */
    printf ("%-42s", "");
    for (int k = 0; k < steppers; ++k)
    {
        const double mu = 0.5, angle = atan (1.01 * mu);
        double acceleration;
        a[k] = slide ((stepper_kind)k, 2, 0);
        b[k] = slide ((stepper_kind)k, 0, 2);
        c[k] = slope ((stepper_kind)k, 0.99, &acceleration);
        slope ((stepper_kind)k, 1.01, &acceleration);
        d[k] = acceleration / (G * (sin (angle) - mu * cos (angle))) - 1;
        e[k] = ratio ((stepper_kind)k, &f[k]);
        if (!bricard ((stepper_kind)k, 1, &motor[k]) || !bricard ((stepper_kind)k, 0, &limit[k]))
        {
            fprintf (stderr, "the scene bricard is not found\n");
            return 2;
        }
        printf (" %11s", names[k]);
    }
    printf ("   asked\n");
    line ("box sliding along x: distance, relative", a, 5e-3);
    line ("box sliding along y: distance, relative", b, 5e-3);
    line ("slope 1 % below friction: creep (m in 1 s)", c, 1e-5);
    line ("slope 1 % above: acceleration, relative", d, 1e-2);
    line ("1000 : 1 : 1 kg: sinking (m)", e, 1e-4);
    line ("1000 : 1 : 1 kg: sliding (m)", f, 1e-4);
    for (int k = 0; k < steppers; ++k)
    {
        g[k] = motor[k].gap;
        i[k] = fmax (motor[k].torque - TORQUE, 0);
    }
    line ("Bricard with a motor: joint gap (m)", g, 1e-9);
    line ("Bricard with a motor: torque too much (N m)", i, 1e-9);
    for (int k = 0; k < steppers; ++k)
    {
        g[k] = limit[k].gap;
        i[k] = fmax (limit[k].passed, 0);
    }
    line ("Bricard on a stop: joint gap (m)", g, 1e-9);
    line ("Bricard on a stop: beyond it, at rest (rad)", i, 1e-9);
    dCloseODE ();
    return missed > 0;
}
