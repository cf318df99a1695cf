/* Text, shapes and surfaces of a scene that is written as SDFormat. */
#include "write_sdf.h"

#include <math.h>
#include <string.h>

/* ---- text ---------------------------------------------------------------------------------------------- */

/* A name without the separator of scopes, escaped for XML. */
void sdf_write_name (FILE *file, const char *name)
{
    for (; *name; name++)
    {
        if (name[0] == ':' && name[1] == ':')
        {
            fputc ('_', file);
            name++;
        }
        else if (strchr ("&<>\"'", *name))
            fprintf (file, "&#%d;", *name);
        else
            fputc (*name, file);
    }
}

void sdf_write_numbers (FILE *file, const char *element, const double *v, int count)
{
    fprintf (file, "<%s>", element);
    for (int i = 0; i < count; i++) fprintf (file, "%s%.17g", i ? " " : "", v[i]);
    fprintf (file, "</%s>", element);
}

void sdf_write_number (FILE *file, const char *element, double value)
{
    sdf_write_numbers (file, element, &value, 1);
}

void sdf_write_pose (FILE *file, const double p[3], const double q[4])
{
    fprintf (file, "<pose rotation_format=\"quat_xyzw\">%.17g %.17g %.17g %.17g %.17g %.17g %.17g</pose>",
             p[0], p[1], p[2], q[1], q[2], q[3], q[0]);
}

/* ---- shapes ------------------------------------------------------------------------------------------- */

static void write_shape (FILE *file, scene_shape shape, const double size[3])
{
    static const char *const names[] = {"box", "sphere", "cylinder", "capsule", "plane"};
    fprintf (file, "<geometry><%s>", names[shape]);
    if (shape == scene_shape_box) sdf_write_numbers (file, "size", size, 3);
    if (shape == scene_shape_plane) sdf_write_numbers (file, "size", size, 2);
    if (shape == scene_shape_sphere || shape == scene_shape_cylinder || shape == scene_shape_capsule)
        sdf_write_number (file, "radius", size[0]);
    if (shape == scene_shape_cylinder || shape == scene_shape_capsule)
        sdf_write_number (file, "length", size[1]);
    fprintf (file, "</%s></geometry>", names[shape]);
}

static void write_surface (FILE *file, const scene_collision *c)
{
    fputs ("<surface><friction><ode>", file);
    sdf_write_number (file, "mu", c->mu);
    sdf_write_number (file, "mu2", c->mu2);
    if (c->direction[0] != 0 || c->direction[1] != 0 || c->direction[2] != 0)
    {
        const scene_pose back = pose_inverse (&c->in_link);
        double direction[3];
        pose_rotate (&back, c->direction, direction);
        sdf_write_numbers (file, "fdir1", direction, 3);
    }
    sdf_write_number (file, "slip1", c->slip1);
    sdf_write_number (file, "slip2", c->slip2);
    fputs ("</ode></friction><contact><ode>", file);
    if (c->has_soft_cfm) sdf_write_number (file, "soft_cfm", c->soft_cfm);
    if (c->has_soft_erp) sdf_write_number (file, "soft_erp", c->soft_erp);
    if (c->has_spring) sdf_write_number (file, "kp", c->stiffness);
    if (c->has_spring) sdf_write_number (file, "kd", c->damping);
    if (isfinite (c->max_velocity)) sdf_write_number (file, "max_vel", c->max_velocity);
    if (c->min_depth > 0) sdf_write_number (file, "min_depth", c->min_depth);
    fputs ("</ode></contact>", file);
    if (isfinite (c->bounce_velocity))
    {
        fputs ("<bounce>", file);
        sdf_write_number (file, "restitution_coefficient", c->bounce);
        sdf_write_number (file, "threshold", c->bounce_velocity);
        fputs ("</bounce>", file);
    }
    fputs ("</surface>", file);
}

void sdf_write_collisions (const scene *s, int link, FILE *file)
{
    const scene_link *l = &s->links[link];
    for (int i = 0; i < s->collision_count; i++)
    {
        const scene_collision *c = s->collisions[i];
        double p[3];
        if (c->link != link) continue;
        for (int k = 0; k < 3; k++) p[k] = c->in_link.p[k] - (l->body ? l->centre[k] : 0);
        fprintf (file, "        <collision name=\"c%d\">", i);
        sdf_write_pose (file, p, c->in_link.q);
        write_shape (file, c->shape, c->size);
        write_surface (file, c);
        fputs ("</collision>\n", file);
    }
}

void sdf_write_visuals (const scene *s, const scene_link *l, FILE *file)
{
    for (int i = 0; l->body && i < s->visual_count; i++)
    {
        const scene_visual *v = &s->visuals[i];
        if (v->body != l->body || v->source != scene_visual_from_file) continue;
        fprintf (file, "        <visual name=\"v%d\">", i);
        sdf_write_pose (file, v->position, v->rotation);
        write_shape (file, v->shape, v->size);
        if (v->coloured)
            fprintf (file, "<material><diffuse>%g %g %g %g</diffuse></material>", (double)v->rgba[0],
                     (double)v->rgba[1], (double)v->rgba[2], (double)v->rgba[3]);
        fputs ("</visual>\n", file);
    }
}
