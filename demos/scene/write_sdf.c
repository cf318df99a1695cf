/*
 * A scene written as SDFormat again, as it was understood: every model flat, links at their centres of mass,
 * numbers in SI with all digits, joints in the world.  What SDFormat and our elements cannot say is named in
 * comments.
 */
#include "write_sdf.h"

#include <math.h>
#include <string.h>

/* ---- links --------------------------------------------------------------------------------------------- */

static void write_body (const scene_link *l, FILE *file)
{
    static const char *const names[6] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
    static const int entries[6] = {0, 5, 10, 1, 2, 6};
    const dReal *v = dBodyGetLinearVel (l->body), *w = dBodyGetAngularVel (l->body);
    const double motion[6] = {(double)v[0], (double)v[1], (double)v[2],
                              (double)w[0], (double)w[1], (double)w[2]};
    dMass m;
    dBodyGetMass (l->body, &m);
    fputs ("        <inertial>", file);
    sdf_write_number (file, "mass", (double)m.mass);
    fputs ("<inertia>", file);
    for (int i = 0; i < 6; i++) sdf_write_number (file, names[i], (double)m.I[entries[i]]);
    fputs ("</inertia></inertial>\n", file);
    if (!dBodyGetGravityMode (l->body)) fputs ("        <gravity>false</gravity>\n", file);
    if (dBodyIsKinematic (l->body)) fputs ("        <kinematic>true</kinematic>\n", file);
    if (l->self_collide) fputs ("        <self_collide>true</self_collide>\n", file);
    fputs ("        ", file);
    sdf_write_numbers (file, "rls:velocity", motion, 6);
    fputc ('\n', file);
    if (!l->pushed) return;
    fputs ("        ", file);
    sdf_write_numbers (file, "rls:force", l->force, 6);
    fputc ('\n', file);
}

static void write_link (const scene *s, int link, FILE *file)
{
    const scene_link *l = &s->links[link];
    double p[3], q[4];
    for (int k = 0; k < 3; k++) p[k] = l->body ? (double)dBodyGetPosition (l->body)[k] : l->start.p[k];
    for (int k = 0; k < 4; k++) q[k] = l->body ? (double)dBodyGetQuaternion (l->body)[k] : l->start.q[k];
    fputs ("      <link name=\"", file);
    sdf_write_name (file, l->name);
    fputs ("\">\n        ", file);
    sdf_write_pose (file, p, q);
    fputc ('\n', file);
    if (l->body) write_body (l, file);
    sdf_write_collisions (s, link, file);
    sdf_write_visuals (s, l, file);
    fputs ("      </link>\n", file);
}

/* The links of a model that move, or those that do not, as a model of their own. */
static void write_model (const scene *s, int model, int fixed, FILE *file)
{
    int any = 0;
    for (int i = 0; i < s->link_count; i++)
    {
        if (s->links[i].model != model || (s->links[i].body == NULL) != fixed) continue;
        if (!any++)
            fprintf (file, "    <model name=\"model%d%s\n", model,
                     fixed ? "_static\"><static>true</static>" : "\">");
        write_link (s, i, file);
    }
    if (any) fputs ("    </model>\n", file);
}

/* ---- joints -------------------------------------------------------------------------------------------- */

static void write_body_name (const scene *s, dBodyID body, FILE *file)
{
    for (int i = 0; body && i < s->body_count; i++)
        if (s->bodies[i].body == body)
        {
            fprintf (file, "model%d::", s->bodies[i].model);
            sdf_write_name (file, s->bodies[i].name);
            return;
        }
    fputs ("world", file);
}

static void write_axis_of (const scene *s, const scene_axis *a, FILE *file)
{
    const double low = scene_axis_get (s, a, dParamLoStop) + a->zero,
                 high = scene_axis_get (s, a, dParamHiStop) + a->zero;
    fputs ("<limit>", file);
    if (isfinite (low)) sdf_write_number (file, "lower", low);
    if (isfinite (high)) sdf_write_number (file, "upper", high);
    if (isfinite (a->effort_limit)) sdf_write_number (file, "effort", a->effort_limit);
    if (isfinite (a->velocity_limit)) sdf_write_number (file, "velocity", a->velocity_limit);
    if (a->has_soft_stop) sdf_write_number (file, "stiffness", a->stop_stiffness);
    if (a->has_soft_stop) sdf_write_number (file, "dissipation", a->stop_dissipation);
    fputs ("</limit><dynamics>", file);
    sdf_write_number (file, "damping", a->damping);
    sdf_write_number (file, "friction", a->friction);
    sdf_write_number (file, "spring_stiffness", a->stiffness);
    sdf_write_number (file, "spring_reference", a->rest);
    fputs ("</dynamics>", file);
}

/* What the axis follows, if it does; a screw's thread is written with the screw. */
static void write_mimic (const scene *s, const scene_axis *a, FILE *file)
{
    for (int i = 0; i < s->coupling_count; i++)
    {
        const scene_coupling *c = &s->couplings[i];
        const scene_axis *leader = &s->axes[c->leader];
        if (&s->axes[c->follower] != a || leader->joint == a->joint) continue;
        fputs ("<mimic joint=\"", file);
        sdf_write_name (file, s->joints[leader->joint].name);
        fputs ("\">", file);
        sdf_write_number (file, "multiplier", c->multiplier);
        sdf_write_number (file, "offset", c->offset);
        fputs ("</mimic>", file);
    }
}

static void write_thread (const scene *s, int joint, FILE *file)
{
    for (int i = 0; i < s->coupling_count; i++)
        if (s->axes[s->couplings[i].follower].joint == joint &&
            s->axes[s->couplings[i].leader].joint == joint)
            sdf_write_number (file, "screw_thread_pitch", 2 * M_PI * s->couplings[i].multiplier);
}

static const scene_axis *find_axis (const scene *s, int joint, int group)
{
    for (int i = 0; i < s->axis_count; i++)
        if (s->axes[i].joint == joint && s->axes[i].group == group) return &s->axes[i];
    return NULL;
}

/* group: of the axis in ODE's joint. */
static void write_axis (const scene *s, int joint, int group, const char *element, const dVector3 v,
                        double sign, FILE *file)
{
    const double xyz[3] = {sign * (double)v[0], sign * (double)v[1], sign * (double)v[2]};
    const scene_axis *a = find_axis (s, joint, group);
    fprintf (file, "\n      <%s>", element);
    fprintf (file, "<xyz expressed_in=\"world\">%.17g %.17g %.17g</xyz>", xyz[0], xyz[1], xyz[2]);
    if (a) write_axis_of (s, a, file);
    if (a) write_mimic (s, a, file);
    fprintf (file, "</%s>", element);
}

static void write_drive (const scene *s, int joint, FILE *file)
{
    const scene_axis *a = find_axis (s, joint, 0);
    if (!a) return;
    if (a->drive) fputs ("<!-- driven by a function of time, which is not written -->", file);
    if (a->effort != 0) sdf_write_number (file, "rls:effort", a->effort);
    const double most = scene_axis_get (s, a, dParamFMax);
    double first = 0, second;
    if (a->velocity) expression_evaluate (a->velocity, 0.3, &first, &second);
    if (first != 0)
        fputs ("<!-- a velocity that changes with time is written as it is at the start -->", file);
    if (!a->drive && !(a->friction > 0) && most > 0)
        fprintf (file, "<rls:motor velocity=\"%.17g\" max_effort=\"%.17g\"/>",
                 scene_axis_get (s, a, dParamVel), most);
}

static const char *type_name (int type)
{
    switch (type)
    {
    case dJointTypeHinge:
        return "revolute";
    case dJointTypeSlider:
        return "prismatic";
    case dJointTypeBall:
        return "ball";
    case dJointTypeFixed:
        return "fixed";
    case dJointTypeUniversal:
        return "universal";
    case dJointTypeHinge2:
        return "revolute2";
    case dJointTypePiston:
        return "screw";
    default:
        return NULL;
    }
}

static void write_rod (const scene *s, const scene_joint *j, FILE *file)
{
    dBodyID bodies[2] = {dJointGetBody (j->joint, 0), dJointGetBody (j->joint, 1)};
    fputs ("    <rls:distance name=\"", file);
    sdf_write_name (file, j->name);
    fputc ('"', file);
    for (int i = 0; i < 2; i++)
    {
        dVector3 at, local;
        (i ? dJointGetDBallAnchor2 : dJointGetDBallAnchor1) (j->joint, at);
        if (bodies[i])
            dBodyGetPosRelPoint (bodies[i], at[0], at[1], at[2], local);
        else
            memcpy (local, at, sizeof local);
        fprintf (file, " link%d=\"", i + 1);
        write_body_name (s, bodies[i], file);
        fprintf (file, "\" point%d=\"%.17g %.17g %.17g\"", i + 1, (double)local[0], (double)local[1],
                 (double)local[2]);
    }
    fprintf (file, " length=\"%.17g\"/>\n", (double)dJointGetDBallDistance (j->joint));
}

static void write_joint (const scene *s, int index, FILE *file)
{
    const scene_joint *j = &s->joints[index];
    const int type = dJointGetType (j->joint);
    if (type == dJointTypeDBall)
    {
        write_rod (s, j, file);
        return;
    }
    if (type == dJointTypeLMotor) return; /* a coupling: written with the axis that follows; or a wheel */
    if (!type_name (type))
    {
        fputs ("    <!-- the joint ", file);
        sdf_write_name (file, j->name);
        fputs (" is a gearbox, which is not written -->\n", file);
        return;
    }

    dVector3 axis[2] = {{0}, {0}}, anchor = {0};
    scene_joint_axes (j->joint, axis, anchor);
    /* A hinge-2 joint has the parent's body first and its axes turned round; all others the child's. */
    const int turned = type == dJointTypeHinge2, crossed = type == dJointTypeUniversal;
    fputs ("    <joint name=\"", file);
    sdf_write_name (file, j->name);
    fprintf (file, "\" type=\"%s\">\n      <parent>", type_name (type));
    write_body_name (s, dJointGetBody (j->joint, turned ? 0 : 1), file);
    fputs ("</parent><child>", file);
    write_body_name (s, dJointGetBody (j->joint, turned ? 1 : 0), file);
    fprintf (file, "</child><pose relative_to=\"world\">%.17g %.17g %.17g 0 0 0</pose>", (double)anchor[0],
             (double)anchor[1], (double)anchor[2]);
    if (type == dJointTypePiston) write_thread (s, index, file);
    if (type == dJointTypePiston)
        write_axis (s, index, 1, "axis", axis[0], 1, file);
    else if (type != dJointTypeBall && type != dJointTypeFixed)
        write_axis (s, index, crossed, "axis", axis[crossed], turned ? -1 : 1, file);
    if (turned || crossed) write_axis (s, index, !crossed, "axis2", axis[!crossed], turned ? -1 : 1, file);
    write_drive (s, index, file);
    if (j->priority) fprintf (file, "<rls:priority>%d</rls:priority>", j->priority);
    fputs ("\n    </joint>\n", file);
}

static void write_wheels (const scene *s, FILE *file)
{
    for (int i = 0; i < s->wheel_count; i++)
    {
        const scene_wheel *w = &s->wheels[i];
        const dReal *p = w->centre.local;
        fputs ("    <rls:wheel name=\"", file);
        sdf_write_name (file, s->joints[w->joint].name);
        fputs ("\" link=\"", file);
        write_body_name (s, w->centre.body, file);
        fprintf (file,
                 "\" centre=\"%.17g %.17g %.17g\" axis=\"%.17g %.17g %.17g\" radius=\"%.17g\" "
                 "height=\"%.17g\"/>\n",
                 (double)p[0], (double)p[1], (double)p[2], w->axis[0], w->axis[1], w->axis[2], w->radius,
                 w->height);
    }
}

/* ---- the whole ----------------------------------------------------------------------------------------- */

static void write_springs_and_probes (const scene *s, FILE *file)
{
    for (int i = 0; i < s->spring_count; i++)
    {
        const scene_spring *spring = &s->springs[i];
        fputs ("    <rls:spring name=\"", file);
        sdf_write_name (file, spring->name);
        fputc ('"', file);
        for (int k = 0; k < 2; k++)
        {
            const dReal *p = spring->ends[k].local;
            fprintf (file, " link%d=\"", k + 1);
            write_body_name (s, spring->ends[k].body, file);
            fprintf (file, "\" point%d=\"%.17g %.17g %.17g\"", k + 1, (double)p[0], (double)p[1],
                     (double)p[2]);
        }
        fprintf (file, " stiffness=\"%.17g\" damping=\"%.17g\" length=\"%.17g\"/>\n", spring->stiffness,
                 spring->damping, spring->length);
    }
    for (int i = 0; i < s->probe_count; i++)
    {
        const dReal *p = s->probes[i].local;
        fputs ("    <rls:probe name=\"", file);
        sdf_write_name (file, s->probes[i].name);
        fputs ("\" link=\"", file);
        write_body_name (s, s->probes[i].body, file);
        fprintf (file, "\">%.17g %.17g %.17g</rls:probe>\n", (double)p[0], (double)p[1], (double)p[2]);
    }
}

int scene_write_sdf (const scene *s, FILE *file)
{
    dVector3 g;
    int models = 0;
    dWorldGetGravity (s->world, g);
    const double gravity[3] = {(double)g[0], (double)g[1], (double)g[2]};
    fputs ("<?xml version=\"1.0\"?>\n<sdf version=\"1.10\" xmlns:rls=\"urn:ode-rls\">\n  <world name=\"",
           file);
    sdf_write_name (file, s->name);
    fputs ("\">\n    ", file);
    sdf_write_numbers (file, "gravity", gravity, 3);
    fputs ("\n    <physics name=\"step\" type=\"ode\">", file);
    sdf_write_number (file, "max_step_size", s->time_step);
    fputs ("<ode><solver>", file);
    sdf_write_number (file, "iters", dWorldGetQuickStepNumIterations (s->world));
    sdf_write_number (file, "sor", (double)dWorldGetQuickStepW (s->world));
    fputs ("</solver><constraints>", file);
    sdf_write_number (file, "cfm", (double)dWorldGetCFM (s->world));
    sdf_write_number (file, "erp", (double)dWorldGetERP (s->world));
    if (dWorldGetContactMaxCorrectingVel (s->world) < dInfinity)
        sdf_write_number (file, "contact_max_correcting_vel",
                          (double)dWorldGetContactMaxCorrectingVel (s->world));
    sdf_write_number (file, "contact_surface_layer", (double)dWorldGetContactSurfaceLayer (s->world));
    fputs ("</constraints></ode></physics>\n    ", file);
    sdf_write_number (file, "rls:duration", s->duration);
    fputc ('\n', file);
    for (int i = 0; i < s->link_count; i++)
        if (s->links[i].model >= models) models = s->links[i].model + 1;
    for (int i = 0; i < models; i++)
        for (int fixed = 0; fixed < 2; fixed++) write_model (s, i, fixed, file);
    for (int i = 0; i < s->joint_count; i++) write_joint (s, i, file);
    write_wheels (s, file);
    write_springs_and_probes (s, file);
    fputs ("  </world>\n</sdf>\n", file);
    return !ferror (file);
}
