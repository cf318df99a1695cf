/*
 * Joints: pins, balls, sliders and so on, and their gaps.  A joint that has come apart is drawn twice, once
 * on each body, with a line along the gap.
 */
#include "adapter_parts.h"

#include "format.h"
#include "heatmap.h"
#include "vec.h"

#include <string.h>

static const float steel[3] = {0.80f, 0.82f, 0.86f}, iron[3] = {0.23f, 0.25f, 0.29f};
static const float extra[3] = {1.00f, 0.52f, 0.86f}, alarm[3] = {1.00f, 0.30f, 0.33f};

/* Adds a solid of a joint, along an axis. */
static draw_solid *part (const adapter_job *a, mesh_kind mesh, const double at[3], const double axis[3],
                         double radius, double half, double rounding, const float color[3])
{
    double q[4];
    quat_from_z (q, axis);
    draw_solid *s = draw_add_solid (a->list, mesh);
    draw_pose (s, at, q);
    s->half[0] = s->half[1] = (float)radius;
    s->half[2] = (float)half;
    s->radius = (float)rounding;
    s->opacity = a->look->opacity;
    memcpy (s->color, color, sizeof s->color);
    return s;
}

/* Gives a solid the heat colour of a joint, mixed with its own by the share. */
static void heat (const adapter_job *a, draw_solid *s, int joint, float share)
{
    s->heat[0] = s->heat[1] = (float)heatmap_log (a->shot->joint[joint].opening);
    s->heat_mix = a->look->plain || a->look->no_heat || a->shot->failed > SIM_REFUSED ? 0.0f : share;
    if (a->look->plain) memcpy (s->color, a->look->tint, sizeof s->color);
}

/* Draws a joint at one of its anchors: s[0] is steel, s[1] has the heat colour. */
static void add_body (const adapter_job *a, int joint, const double at[3], const double axis[3],
                      const double second[3], float glow)
{
    const model_joint *j = &a->model->joint[joint];
    double r = j->size;
    draw_solid *s[2] = {NULL, NULL};
    switch (j->look)
    {
    case JOINT_PIN:
    case JOINT_ROD:
        s[0] = part (a, MESH_CYLINDER, at, axis, 0.80 * r, 2.0 * r, 0.16 * r, steel);
        s[1] = part (a, MESH_CYLINDER, at, axis, 1.62 * r, 1.40 * r, 0.30 * r, steel);
        break;
    case JOINT_BALL:
        s[1] = part (a, MESH_BOX, at, axis, 1.3 * r, 1.3 * r, 1.3 * r, steel);
        break;
    case JOINT_SLIDER:
        s[0] = part (a, MESH_BOX, at, axis, 0.5 * r, 3.2 * r, 0.2 * r, steel);
        s[1] = part (a, MESH_BOX, at, axis, 1.3 * r, 1.7 * r, 0.3 * r, steel);
        break;
    case JOINT_CROSS:
        s[0] = part (a, MESH_CYLINDER, at, axis, 0.5 * r, 1.8 * r, 0.14 * r, steel);
        s[1] = part (a, MESH_CYLINDER, at, second, 0.5 * r, 1.8 * r, 0.14 * r, steel);
        break;
    case JOINT_WELD:
        s[1] = part (a, MESH_BOX, at, axis, 0.9 * r, 0.9 * r, 0.2 * r, steel);
        break;
    case JOINT_NONE:
        return;
    }
    if (s[0]) s[0]->metal = 0.8f;
    heat (a, s[1], joint, 0.92f);
    for (int i = 0; i < 2; i++)
        if (s[i]) s[i]->glow = glow;
}

/* Draws a dark bracket where a joint is attached to the world. */
static void add_bracket (const adapter_job *a, int joint, const double at[3], const double axis[3])
{
    const model_joint *j = &a->model->joint[joint];
    double r = j->size;
    if (j->look == JOINT_PIN)
        for (int side = -1; side <= 1; side += 2)
        {
            double p[3];
            vec_mad (p, at, side * 2.15 * r, axis);
            part (a, MESH_CYLINDER, p, axis, 1.9 * r, 0.55 * r, 0.25 * r, iron)->metal = 0.3f;
        }
    else
        part (a, MESH_BOX, at, axis, 1.15 * r, 1.15 * r, 0.35 * r, iron);
}

/* A ring around the axis of a joint, of more segments the larger it is on the screen. */
static void add_ring (const adapter_job *a, const double at[3], const double axis[3], double radius,
                      const float color[3])
{
    double u[3], v[3];
    vec_perpendicular (u, axis);
    vec_cross (v, axis, u);
    double last[3];
    vec_mad (last, at, radius, u);
    const int parts = radius < 6 * a->look->pixel ? 8 : radius < 14 * a->look->pixel ? 16 : 32;
    for (int i = 1; i <= parts; i++)
    {
        double angle = 2 * M_PI * i / parts, p[3];
        vec_mad (p, at, radius * cos (angle), u);
        vec_mad (p, p, radius * sin (angle), v);
        adapter_line (a->list, 1, last, p, 2.0f, color, 0.9f);
        vec_copy (last, p);
    }
}

/* The gap between the anchors, without the part along an axis in which the joint may slide. */
static void gap_vector (const model_joint *j, const double p[2][3], const double axis[3], double gap[3])
{
    vec_sub (gap, p[1], p[0]);
    if (j->look == JOINT_ROD || j->look == JOINT_NONE)
        vec_set (gap, 0, 0, 0);
    else if (j->slides || j->look == JOINT_WELD)
        vec_mad (gap, gap, -vec_dot (gap, axis), axis);
}

/* Draws a gap as a line, longer by the factor that the user asked for, if it can be seen at all. */
static void add_gap (const adapter_job *a, int joint, const double from[3], const double gap[3])
{
    double length = vec_length (gap), drawn = length * a->look->exaggerate, longest = 0.35 * a->model->size;
    if (drawn < 0.12 * a->model->joint[joint].size || length < 1e-14) return;
    double to[3];
    vec_mad (to, from, fmin (drawn, longest) / length, gap);
    static const float white[3] = {1, 1, 1};
    adapter_line (a->list, 1, from, to, 4.5f, alarm, 0.95f);
    adapter_line (a->list, 1, from, to, 1.5f, white, 0.95f);
    if (a->labels && a->look->exaggerate > 1)
    {
        char text[32];
        format_length (length, text, sizeof text);
        adapter_label_at (a->labels, to, alarm, 0, "%s", text);
    }
}

/* Draws the axis of a joint as each of its bodies has it, where the two have come apart. */
static void add_crossed_axes (const adapter_job *a, const model_joint *j, const double p[2][3],
                              const double axis[2][3])
{
    static const float white[3] = {1, 1, 1};
    for (int side = 0; side < 2; side++)
    {
        double ends[2][3];
        for (int k = 0; k < 2; k++) vec_mad (ends[k], p[side], (k ? 6.5 : -6.5) * j->size, axis[side]);
        adapter_line (a->list, 1, ends[0], ends[1], 2.0f, side ? white : alarm, 0.9f * a->look->opacity);
    }
}

static void add_joint (const adapter_job *a, int joint)
{
    const model_joint *j = &a->model->joint[joint];
    const joint_state *state = &a->shot->joint[joint];
    double p[2][3], axis[2][3], second[2][3], gap[3];
    for (int side = 0; side < 2; side++)
    {
        adapter_anchor (a->model, a->shot, joint, side, p[side]);
        vec_copy (axis[side], j->axis[side]);
        vec_copy (second[side], j->second[side]);
        if (j->body[side] != MODEL_WORLD)
        {
            quat_rotate (axis[side], a->shot->body[j->body[side]].quaternion, axis[side]);
            quat_rotate (second[side], a->shot->body[j->body[side]].quaternion, second[side]);
        }
    }
    if (state->cut)
    {
        adapter_line (a->list, 1, p[0], p[1], 1.5f, alarm, 0.6f);
        if (a->labels) adapter_label_at (a->labels, p[0], alarm, 0, "%s, cut", j->name);
        return;
    }
    gap_vector (j, p, axis[0], gap);
    int on_world = j->body[0] == MODEL_WORLD ? 0 : j->body[1] == MODEL_WORLD ? 1 : -1;
    int hovered = a->look->hovered_joint == joint || a->look->selected_joint == joint;
    float glow = hovered ? 0.5f : 0;
    add_body (a, joint, p[0], axis[0], second[0], glow);
    /* A joint whose anchors or axes have parted is drawn on both bodies. */
    int turned = j->look == JOINT_PIN && vec_dot (axis[0], axis[1]) < 0.995;
    if (vec_length (gap) > 0.3 * j->size || turned) add_body (a, joint, p[1], axis[1], second[1], glow);
    if (turned) add_crossed_axes (a, j, p, axis);
    if (j->look == JOINT_ROD) adapter_line (a->list, 0, p[0], p[1], 4, steel, 1);
    if (on_world >= 0 && j->look != JOINT_NONE) add_bracket (a, joint, p[on_world], axis[on_world]);
    add_gap (a, joint, p[0], gap);
    if (a->look->axes && j->look != JOINT_BALL && j->look != JOINT_WELD && j->look != JOINT_NONE)
    {
        static const float axis_color[3] = {0.55f, 0.80f, 1.0f};
        double ends[2][3];
        for (int k = 0; k < 2; k++)
            vec_mad (ends[k], p[0], (k ? 1 : -1) * fmax (5 * j->size, 0.35 * j->arm), axis[0]);
        adapter_line (a->list, 1, ends[0], ends[1], 1.4f, axis_color, 0.85f);
    }
    if (a->look->marks && state->redundant)
    {
        /* The ring changes its size all the time.  Rows that contradict the others have a second one. */
        add_ring (a, p[0], axis[0], (2.4 + 0.7 * a->look->pulse) * j->size, extra);
        if (state->conflicting) add_ring (a, p[0], axis[0], (3.2 + 0.7 * a->look->pulse) * j->size, extra);
    }
    if (a->labels && (hovered || a->look->labels))
    {
        char text[32];
        format_length (state->opening, text, sizeof text);
        if (hovered)
            adapter_label_at (a->labels, p[0], steel, 1, "%s   %s", j->name, text);
        else
            adapter_label_at (a->labels, p[0], steel, 0, "%s", j->name);
    }
}

void adapter_joints (const adapter_job *a)
{
    for (int i = 0; i < a->model->joints; i++) add_joint (a, i);
}
