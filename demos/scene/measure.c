/* Energy, violations of joints and errors of driven axes. */
#include "scene_data.h"

#include <math.h>

double scene_spring_span (const scene_spring *spring, double d[3])
{
    double a[3], b[3];
    scene_point_position (&spring->ends[0], a);
    scene_point_position (&spring->ends[1], b);
    for (int i = 0; i < 3; i++) d[i] = b[i] - a[i];
    return sqrt (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

void scene_energy (const scene *s, double *kinetic, double *potential)
{
    *kinetic = *potential = 0;
    for (int i = 0; i < s->body_count; i++)
    {
        dReal k = 0, p = 0;
        dRLSMeasureBody (s->bodies[i].body, &k, &p);
        *kinetic += (double)k;
        *potential += (double)p;
    }
    for (int i = 0; i < s->spring_count; i++)
    {
        double d[3], stretch = scene_spring_span (&s->springs[i], d) - s->springs[i].length;
        *potential += s->springs[i].stiffness * stretch * stretch / 2;
    }
    for (int i = 0; i < s->axis_count; i++)
    {
        const scene_axis *a = &s->axes[i];
        if (!(a->stiffness > 0)) continue;
        double stretch = scene_axis_position (s, a) - a->rest;
        *potential += a->stiffness * stretch * stretch / 2;
    }
}

void scene_violation (const scene *s, dRLSViolation *worst)
{
    *worst = (dRLSViolation){0, 0, 0, 0};
    for (int i = 0; i < s->joint_count; i++)
    {
        dRLSViolation v;
        if (!dRLSMeasureJoint (s->joints[i].joint, &v)) continue;
        if (v.position_m > worst->position_m) worst->position_m = v.position_m;
        if (v.angle_rad > worst->angle_rad) worst->angle_rad = v.angle_rad;
        if (v.velocity_m_s > worst->velocity_m_s) worst->velocity_m_s = v.velocity_m_s;
        if (v.velocity_rad_s > worst->velocity_rad_s) worst->velocity_rad_s = v.velocity_rad_s;
    }
    for (int i = 0; i < s->wheel_count; i++)
        worst->position_m = (dReal)fmax ((double)worst->position_m, fabs (scene_wheel_gap (s, i)));
    for (int i = 0; i < s->coupling_count; i++)
    {
        int angular;
        const dReal open = (dReal)fabs (scene_coupling_opening (s, i, &angular));
        if (angular && open > worst->angle_rad) worst->angle_rad = open;
        if (!angular && open > worst->position_m) worst->position_m = open;
    }
}

void scene_drive_error (const scene *s, double time, double *position, double *rate)
{
    *position = *rate = 0;
    for (int i = 0; i < s->axis_count; i++)
    {
        const scene_axis *a = &s->axes[i];
        if (!a->drive) continue;
        double first, second, wanted = expression_evaluate (a->drive, time, &first, &second);
        *position = fmax (*position, fabs (scene_axis_position (s, a) - wanted));
        *rate = fmax (*rate, fabs (scene_axis_rate (s, a) - first));
    }
}
