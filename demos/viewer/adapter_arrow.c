/*
 * Arrows of reactions and of free motions, trails of probes, and springs: those of the scene, and the one by
 * which the user pulls a body.
 */
#include "adapter_parts.h"

#include "vec.h"

#include <string.h>

void adapter_line (draw_list *list, int overlay, const double a[3], const double b[3], float width,
                   const float color[3], float alpha)
{
    draw_line *l = draw_add_line (list, overlay);
    for (int i = 0; i < 3; i++)
    {
        l->a[i] = (float)a[i];
        l->b[i] = (float)b[i];
        l->color_a[i] = l->color_b[i] = color[i];
    }
    l->color_a[3] = l->color_b[3] = alpha;
    l->width = width;
}

void adapter_arrow (draw_list *list, const double from[3], const double to[3], double radius,
                    const float color[3], float opacity, int heads)
{
    double axis[3], q[4], p[3];
    vec_sub (axis, to, from);
    double length = vec_normalize (axis);
    if (length < 0.5 * radius) return;
    quat_from_z (q, axis);
    double head = fmin (5 * radius, 0.6 * length), shaft = length - head;
    for (int i = 0; i <= heads; i++)
    {
        int is_head = i > 0;
        double half = is_head ? head / 2 : shaft / 2;
        double at = is_head ? length - head / 2 - (i - 1) * 0.55 * head : half;
        vec_mad (p, from, at, axis);
        draw_solid *s = draw_add_solid (list, is_head ? MESH_CONE : MESH_CYLINDER);
        draw_pose (s, p, q);
        s->half[0] = s->half[1] = (float)(is_head ? 2.3 * radius : radius);
        s->half[2] = (float)half;
        memcpy (s->color, color, sizeof s->color);
        s->opacity = opacity;
        s->glow = 0.25f;
    }
}

void adapter_reactions (const adapter_job *a)
{
    static const float force_color[3] = ADAPTER_FORCE,
                       torque_color[3] = ADAPTER_FORCE;                   /* two heads: a torque */
    double scale = 0.30 * a->model->size / fmax (a->model->weight, 1e-9); /* m of arrow for an N */
    double longest = 0.6 * a->model->size;
    for (int i = 0; i < a->model->joints; i++)
    {
        const joint_state *s = &a->shot->joint[i];
        const model_joint *j = &a->model->joint[i];
        double from[3], to[3];
        if (!a->look->reactions && a->look->hovered_joint != i) continue;
        adapter_anchor (a->model, a->shot, i, 0, from);
        float opacity =
            s->unique == 0 ? 0.55f : 1.0f; /* pale where redundant rows leave the reaction undetermined */
        double f = vec_length (s->force), t = vec_length (s->torque);
        if (f * scale > 0.01 * a->model->size)
        {
            vec_mad (to, from, fmin (f * scale, longest) / f, s->force);
            adapter_arrow (a->list, from, to, 0.28 * j->size, force_color, opacity, 1);
        }
        double per_arm = scale / fmax (j->arm, 1e-9);
        if (t * per_arm > 0.01 * a->model->size)
        {
            vec_mad (to, from, fmin (t * per_arm, longest) / t, s->torque);
            adapter_arrow (a->list, from, to, 0.22 * j->size, torque_color, opacity, 2);
        }
        if (a->labels && a->look->hovered_joint == i && f > 0)
            adapter_label_at (a->labels, to, force_color, 0, "%.3g N   %.3g N m", f, t);
    }
}

#define TRAIL_SECONDS 3

/* The paths of the first six probes during the last seconds before the time shown.  They fade with age. */
void adapter_trails (const adapter_job *a, const ring *past, int back)
{
    const model *m = a->model;
    int last = past->count - 1 - back;
    if (last < 1) return;
    double now = ring_sample (past, last)->time, from = now - TRAIL_SECONDS;
    int first = ring_find (past, from), segments = 160;
    int stride = (last - first) / segments + 1;
    for (int p = 0; p < m->probes && p < 6; p++)
    {
        int b = m->probe[p].body;
        if (b == MODEL_WORLD) continue;
        double newer[3];
        pose_point (newer, a->shot->body[b].position, a->shot->body[b].quaternion, m->probe[p].local);
        double newer_time = now;
        /* The trail has a point at each entry whose number is a multiple of the stride.  Points counted from
           the newest entry would move along the trail from step to step. */
        for (int i = last - 1 - (last - 1) % stride; i >= first && i >= 0; i -= stride)
        {
            const double *state = ring_state (past, i) + STATE_DOUBLES * b;
            double older[3], older_time = ring_sample (past, i)->time;
            pose_point (older, state, state + 3, m->probe[p].local);
            draw_line *l = draw_add_line (a->list, 0);
            for (int k = 0; k < 3; k++)
            {
                l->a[k] = (float)older[k];
                l->b[k] = (float)newer[k];
                l->color_a[k] = l->color_b[k] = a->look->tint[k];
            }
            l->color_a[3] = (float)fmax (0, (older_time - from) / TRAIL_SECONDS) * 0.85f * a->look->opacity;
            l->color_b[3] = (float)fmax (0, (newer_time - from) / TRAIL_SECONDS) * 0.85f * a->look->opacity;
            l->width = 2.4f;
            vec_copy (newer, older);
            newer_time = older_time;
        }
    }
}

/* Adds a helix of eight turns, which is how springs are drawn. */
static void add_coil (draw_list *list, const double from[3], const double to[3], double radius, float width,
                      const float color[3])
{
    double axis[3], u[3], v[3], last[3];
    vec_sub (axis, to, from);
    double length = vec_normalize (axis);
    vec_perpendicular (u, axis);
    vec_cross (v, axis, u);
    vec_copy (last, from);
    for (int i = 1; i <= 96; i++)
    {
        double t = i / 96.0, taper = fmin (1, fmin (t, 1 - t) * 8), angle = 16 * M_PI * t, p[3];
        vec_mad (p, from, t * length, axis);
        vec_mad (p, p, taper * radius * cos (angle), u);
        vec_mad (p, p, taper * radius * sin (angle), v);
        adapter_line (list, 0, last, p, width, color, 0.95f);
        vec_copy (last, p);
    }
}

static void add_ball (draw_list *list, const double at[3], double radius, const float color[3], float glow)
{
    const double q[4] = {1, 0, 0, 0};
    draw_solid *s = draw_add_solid (list, MESH_BOX);
    draw_pose (s, at, q);
    s->half[0] = s->half[1] = s->half[2] = s->radius = (float)radius;
    memcpy (s->color, color, sizeof s->color);
    s->glow = glow;
}

void adapter_pull (const adapter_job *a)
{
    static const float color[3] = {0.93f, 0.94f, 0.96f};
    const sim_pull *pull = a->look->pull;
    const body_state *b = &a->shot->body[pull->body];
    double from[3], radius = 0.012 * a->model->size;
    pose_point (from, b->position, b->quaternion, pull->local);
    add_coil (a->list, from, pull->target, radius, 1.8f, color);
    add_ball (a->list, from, radius, color, 0.6f);
    add_ball (a->list, pull->target, radius, color, 0.6f);
}

void adapter_springs (const adapter_job *a)
{
    static const float color[3] = {0.66f, 0.70f, 0.78f};
    for (int i = 0; i < a->shot->springs; i++)
    {
        const double (*ends)[3] = (const double (*)[3])a->shot->spring[i];
        double radius = fmin (0.015 * a->model->size, 0.15 * vec_distance (ends[0], ends[1]));
        add_coil (a->list, ends[0], ends[1], radius, 1.6f, color);
    }
}

void adapter_motion (const adapter_job *a)
{
    static const float color[3] = {0.93f, 0.94f, 0.96f};
    for (int b = 0; b < a->model->bodies; b++)
    {
        const double *twist = a->look->motion + 6 * b;
        double to[3];
        vec_mad (to, a->shot->body[b].position, 1, twist);
        adapter_arrow (a->list, a->shot->body[b].position, to,
                       0.10 * fmax (a->model->body[b].thickness, 0.02 * a->model->size), color, 0.95f, 1);
    }
}
