/*
 * What a stepper is told of a scene, and what acts on the bodies around a step: constant forces and, for
 * ODE's own steppers, motors in place of driven axes.  Springs and dampers are in springs.c.
 */
#include "scene_data.h"

#include <math.h>

/* ---- settings that depend on the step ------------------------------------------------------------------ */

/* A stop with a stiffness k and a dissipation d is ODE's with ERP = hk / (hk + d) and CFM = 1 / (hk + d). */
static void set_soft_stop (const scene *s, const scene_axis *a)
{
    double hk = s->time_step * a->stop_stiffness, sum = hk + a->stop_dissipation;
    scene_axis_set (s, a, dParamStopERP, hk / sum);
    scene_axis_set (s, a, dParamStopCFM, 1 / sum);
}

void scene_set_time_step (scene *s, double step)
{
    if (!(step > 0) || !isfinite (step)) return;
    s->time_step = step;
    for (int i = 0; i < s->axis_count; i++)
        if (s->axes[i].has_soft_stop) set_soft_stop (s, &s->axes[i]);
}

static void set_joint_softness (dJointID joint, int parameter, dReal value)
{
    switch (dJointGetType (joint))
    {
    case dJointTypeDBall:
        dJointSetDBallParam (joint, parameter, value);
        break;
    case dJointTypeTransmission:
        dJointSetTransmissionParam (joint, parameter, value);
        break;
    case dJointTypeHinge2:
        dJointSetHinge2Param (joint, parameter == dParamERP ? dParamSuspensionERP : dParamSuspensionCFM,
                              value);
        break;
    default:
        break;
    }
}

void scene_set_softness (scene *s, double erp, double cfm)
{
    const double values[2] = {erp, cfm};
    const int of_joint[2] = {dParamERP, dParamCFM}, of_stop[2] = {dParamStopERP, dParamStopCFM};
    for (int k = 0; k < 2; k++)
    {
        if (!isfinite (values[k])) continue;
        if (k)
            dWorldSetCFM (s->world, (dReal)cfm);
        else
            dWorldSetERP (s->world, (dReal)erp);
        for (int i = 0; i < s->joint_count; i++)
            set_joint_softness (s->joints[i].joint, of_joint[k], (dReal)values[k]);
        for (int i = 0; i < s->axis_count; i++)
        {
            if (!s->axes[i].has_soft_stop) scene_axis_set (s, &s->axes[i], of_stop[k], values[k]);
            if (k) scene_axis_set (s, &s->axes[i], dParamCFM, cfm);
        }
    }
}

/* ---- driven axes --------------------------------------------------------------------------------------- */

static dReal drive (void *context, dReal time, dReal *rate, dReal *acceleration)
{
    const scene_axis *a = context;
    double first, second, position = expression_evaluate (a->drive, (double)time, &first, &second);
    *rate = (dReal)first;
    *acceleration = (dReal)second;
    return (dReal)(position - a->zero);
}

int scene_prepare_stepper (scene *s, dRLSStepperID stepper)
{
    for (int i = 0; i < s->joint_count; i++)
        if (s->joints[i].priority &&
            !dRLSStepperSetJointPriority (stepper, s->joints[i].joint, s->joints[i].priority))
            return 0;
    for (int i = 0; i < s->axis_count; i++)
    {
        scene_axis *a = &s->axes[i];
        if (a->drive && !dRLSStepperSetJointDrive (stepper, s->joints[a->joint].joint, drive, a)) return 0;
    }
    return scene_prepare_couplings (s, stepper) && scene_prepare_wheels (s, stepper) &&
           scene_prepare_springs (s, stepper);
}

/* ODE's users drive an axis by a motor that is as strong as need be and runs to where it shall be next. */
static void drive_by_motor (const scene *s, const scene_axis *a, double time)
{
    double first, second, wanted = expression_evaluate (a->drive, time + s->time_step, &first, &second);
    scene_axis_set (s, a, dParamVel, (wanted - scene_axis_position (s, a)) / s->time_step);
    scene_axis_set (s, a, dParamFMax, INFINITY);
}

/* ---- forces -------------------------------------------------------------------------------------------- */

void scene_forces (void *scene_context, dWorldID world, dReal time)
{
    (void)world;
    (void)time; /* all of them depend on poses and velocities alone */
    scene_add_forces (scene_context, 0);
}

int scene_has_forces (const scene *s)
{
    for (int i = 0; i < s->axis_count; i++)
    {
        const scene_axis *a = &s->axes[i];
        if (a->effort != 0 || a->damping != 0 || a->stiffness != 0) return 1;
    }
    return s->spring_count > 0;
}

static void add_constant_force (const scene_link *l)
{
    const double *f = l->force;
    if (!l->pushed) return;
    dBodyAddForce (l->body, (dReal)f[0], (dReal)f[1], (dReal)f[2]);
    dBodyAddTorque (l->body, (dReal)f[3], (dReal)f[4], (dReal)f[5]);
}

/* ---- the frame around a step --------------------------------------------------------------------------- */

void scene_before_step (scene *s, double time, int within_step)
{
    scene_collide (s);
    for (int i = 0; i < s->axis_count; i++)
    {
        scene_axis *a = &s->axes[i];
        a->last_angle = scene_axis_position (s, a);
        if (a->velocity)
            scene_axis_run (s, a, time + 0.5 * s->time_step); /* a motor has one velocity a step */
        if (!a->drive) continue;
        if (within_step)
            scene_axis_set (s, a, dParamFMax, 0);
        else
            drive_by_motor (s, a, time);
    }
    for (int i = 0; i < s->link_count; i++) add_constant_force (&s->links[i]);
    if (!within_step) scene_add_forces (s, 1);
}

void scene_after_step (scene *s) { dJointGroupEmpty (s->contacts); }
