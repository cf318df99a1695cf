/*
 * Turns the links of one side into solids and labels, and finds the box that the camera should show.  See
 * adapter.h.  Joints are in adapter_joint.c, arrows and trails in adapter_arrow.c, contacts and balls in
 * adapter_contact.c.
 */
#include "adapter_parts.h"

#include "heatmap.h"
#include "vec.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void label_clear (label_list *list) { list->count = 0; }

void label_free (label_list *list)
{
    free (list->label);
    memset (list, 0, sizeof *list);
}

void adapter_label_at (label_list *labels, const double at[3], const float color[3], int strong,
                       const char *format, ...)
{
    if (labels->count == labels->room)
    {
        int room = labels->room ? 2 * labels->room : 32;
        adapter_label *larger = realloc (labels->label, sizeof *larger * (size_t)room);
        if (!larger) return;
        labels->label = larger;
        labels->room = room;
    }
    adapter_label *l = &labels->label[labels->count++];
    vec_copy (l->at, at);
    memcpy (l->color, color, sizeof l->color);
    l->strong = strong;
    va_list arguments;
    va_start (arguments, format);
    vsnprintf (l->text, sizeof l->text, format, arguments);
    va_end (arguments);
}

void adapter_anchor (const model *m, const snapshot *shot, int joint, int side, double out[3])
{
    const model_joint *j = &m->joint[joint];
    if (j->body[side] == MODEL_WORLD)
        vec_copy (out, j->anchor[side]);
    else
    {
        const body_state *b = &shot->body[j->body[side]];
        pose_point (out, b->position, b->quaternion, j->anchor[side]);
    }
}

/* Adds a line along a link that is so thin that it might not cover any pixel.  The line has the heat colours
   of the two ends of the link. */
static void add_thin_line (const adapter_job *a, const draw_solid *s)
{
    double ends[2][3];
    const double q[4] = {s->rotation[3], s->rotation[0], s->rotation[1], s->rotation[2]};
    const double position[3] = {s->position[0], s->position[1], s->position[2]};
    for (int i = 0; i < 2; i++)
    {
        const double end[3] = {0, 0, i ? s->half[2] : -s->half[2]};
        pose_point (ends[i], position, q, end);
    }
    adapter_line (a->list, 0, ends[0], ends[1], 2.0f, s->color, s->opacity);
    if (!a->look->heat_table || s->heat_mix <= 0) return;
    draw_line *l = &a->list->line[a->list->lines - 1];
    for (int i = 0; i < 2; i++)
    {
        unsigned char rgb[3];
        heatmap_color (a->look->heat_table, &a->look->heat, pow (10, s->heat[i]), rgb);
        for (int k = 0; k < 3; k++) (i ? l->color_b : l->color_a)[k] = (float)rgb[k] / 255;
    }
}

/* Gives a body the colour of its island.  The hue advances by the golden angle from one island to the next,
   so that islands with neighbouring numbers look different.  Bodies that sleep are darker. */
static void colour_by_island (const adapter_job *a, int body, draw_solid *s)
{
    const double turn = 2.399963 * a->island[body], light = a->shot->body[body].asleep ? 0.22 : 0.62;
    for (int k = 0; k < 3; k++) s->color[k] = (float)(light * (1 + 0.45 * cos (turn + 2 * M_PI * k / 3)));
    s->heat_mix = 0;
}

/* Adds one shape of a body.  Its colour is, in the order of priority: grey if the side has stopped, the
   colour of its island, the colour of its worst contact, the heat colours of the joints at its ends, its own
   colour. */
static void add_shape (const adapter_job *a, const model_shape *shape, const body_state *b, int body)
{
    /* where it is */
    const adapter_look *look = a->look;
    draw_solid *s = draw_add_solid (a->list, shape->mesh);
    double position[3], quaternion[4];
    pose_point (position, b->position, b->quaternion, shape->position);
    quat_multiply (quaternion, b->quaternion, shape->quaternion);
    draw_pose (s, position, quaternion);
    for (int i = 0; i < 3; i++) s->half[i] = (float)shape->half[i];
    s->radius = (float)shape->radius;
    s->opacity = look->opacity * (look->transparent ? 0.32f : 1.0f);

    /* An end without a joint has the colour of the worst joint of the body. */
    const model_body *mb = &a->model->body[body];
    double worst = 0;
    for (int e = 0; e < mb->ends; e++)
        worst = fmax (worst, a->shot->joint[a->model->end[mb->first_end + e].joint].opening);
    for (int i = 0; i < 2; i++)
    {
        int j = shape->end_joint[i];
        s->heat[i] = (float)heatmap_log (j >= 0 ? a->shot->joint[j].opening : worst);
    }

    /* Bodies without joints have no violation to show: they have a neutral colour, or that of their
     * contacts. */
    static const float loose[3] = {0.62f, 0.66f, 0.72f};
    memcpy (s->color, look->plain ? look->tint : shape->coloured ? shape->color : loose, sizeof s->color);
    s->heat_mix = look->plain || look->no_heat || !mb->ends ? 0.0f : 1.0f;
    if (!look->plain && !mb->ends && a->touched && a->touched[body] > 0)
    {
        unsigned char rgb[3];
        heatmap_color (a->contact_table, &look->contact_scale, a->touched[body], rgb);
        for (int i = 0; i < 3; i++) s->color[i] = 0.25f * s->color[i] + 0.75f * (float)rgb[i] / 255;
    }
    if (a->island && !look->plain) colour_by_island (a, body, s);
    if (a->shot->failed > SIM_REFUSED && !look->plain)
    {
        static const float grey[3] = ADAPTER_GREY;
        memcpy (s->color, grey, sizeof grey);
        s->heat_mix = 0;
    }

    if (look->hovered_body == body)
        s->glow = 0.22f;
    else if (look->loop && look->loop[body])
        s->glow = 0.12f;
    if (400 * shape->half[0] < a->model->size && shape->half[2] > 2 * shape->half[0]) add_thin_line (a, s);
}

static void add_links (const adapter_job *a)
{
    for (int b = 0; b < a->model->bodies; b++)
    {
        const model_body *mb = &a->model->body[b];
        for (int i = 0; i < mb->shapes; i++)
            add_shape (a, &a->model->shape[mb->first_shape + i], &a->shot->body[b], b);
        if (a->look->labels && a->labels)
        {
            static const float color[3] = {0.80f, 0.83f, 0.88f};
            adapter_label_at (a->labels, a->shot->body[b].position, color, 0, "%s", mb->name);
        }
        if (a->look->body_frames)
        {
            static const float axis_color[3][3] = {
                {0.95f, 0.35f, 0.35f}, {0.4f, 0.85f, 0.4f}, {0.4f, 0.6f, 1.0f}};
            for (int k = 0; k < 3; k++)
            {
                double axis[3] = {k == 0, k == 1, k == 2}, tip[3];
                quat_rotate (axis, a->shot->body[b].quaternion, axis);
                vec_mad (tip, a->shot->body[b].position, 0.4 * mb->reach, axis);
                adapter_line (a->list, 1, a->shot->body[b].position, tip, 1.6f, axis_color[k], 0.9f);
            }
        }
    }
}

void adapter_fill (draw_list *list, label_list *labels, const model *m, const snapshot *shot,
                   const ring *past, int back, const adapter_look *look)
{
    double *touched =
        shot->contacts && look->contacts ? calloc ((size_t)m->bodies + 1, sizeof *touched) : NULL;
    adapter_job a = {
        .list = list, .labels = labels, .model = m, .shot = shot, .look = look, .touched = touched};
    int *island = look->islands ? adapter_islands (m, shot) : NULL;
    a.island = island;
    heatmap_fill (&look->contact_scale, a.contact_table);
    for (int i = 0; touched && i < shot->contacts; i++)
        for (int k = 0; k < 2; k++)
        {
            const int body = shot->contact[i].body[k];
            if (body != MODEL_WORLD)
                touched[body] = fmax (touched[body], contact_value (&shot->contact[i], look->contacts));
        }
    if (look->trails && past) adapter_trails (&a, past, back);
    add_links (&a);
    adapter_joints (&a);
    adapter_springs (&a);
    if (look->reactions || look->hovered_joint >= 0) adapter_reactions (&a);
    if (look->free_motion && look->motion) adapter_motion (&a);
    if (look->pull && look->pull->body >= 0) adapter_pull (&a);
    if (look->contacts && !look->plain) adapter_contacts (&a);
    if (look->inertia && !look->plain) adapter_masses (&a);
    if (look->boxes && !look->plain) adapter_boxes (&a);
    if (!look->plain) adapter_balls (&a);
    free (touched);
    free (island);
}

void adapter_fill_statics (draw_list *list, const model *m)
{
    static const float stone[3] = {0.34f, 0.37f, 0.42f};
    for (int i = 0; i < m->statics; i++)
    {
        const model_shape *shape = &m->shape[m->first_static + i];
        draw_solid *s = draw_add_solid (list, shape->mesh);
        draw_pose (s, shape->position, shape->quaternion);
        for (int k = 0; k < 3; k++) s->half[k] = (float)shape->half[k];
        s->radius = (float)shape->radius;
        memcpy (s->color, shape->coloured ? shape->color : stone, sizeof stone);
    }
}

static int compare_doubles (const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* The middle of the bodies: the median of their positions along each axis, which a few bodies that fly away
   do not move. */
static void middle_of (const model *m, const snapshot *shot, double out[3])
{
    double *values = malloc (sizeof *values * (size_t)(m->bodies + 1));
    for (int axis = 0; axis < 3; axis++)
    {
        out[axis] = 0.5 * (m->low[axis] + m->high[axis]);
        if (!values || !m->bodies) continue;
        for (int b = 0; b < m->bodies; b++) values[b] = shot->body[b].position[axis];
        qsort (values, (size_t)m->bodies, sizeof *values, compare_doubles);
        if (isfinite (values[m->bodies / 2])) out[axis] = values[m->bodies / 2];
    }
    free (values);
}

void adapter_extend_box (const model *m, const snapshot *shot, double low[3], double high[3])
{
    double middle[3];
    if (shot->failed || !(shot->now.violation < 0.5 * m->size))
        return; /* the mechanism has come apart, and the camera need not follow its parts */
    middle_of (m, shot, middle);
    for (int b = 0; b < m->bodies; b++)
    {
        const double *p = shot->body[b].position;
        double away = 0;
        for (int i = 0; i < 3; i++) away = fmax (away, fabs (p[i] - middle[i]));
        if (!(away < 0.75 * m->size)) continue;
        for (int k = 0; k < 2 * m->body[b].shapes; k++)
        {
            const model_shape *s = &m->shape[m->body[b].first_shape + k / 2];
            double thick = fmax (s->half[0], s->half[1]),
                   end[3] = {0, 0, fmax (s->half[2] - thick, 0) * (k % 2 ? 1 : -1)};
            pose_point (end, s->position, s->quaternion, end);
            pose_point (end, p, shot->body[b].quaternion, end);
            for (int i = 0; i < 3; i++)
            {
                low[i] = fmin (low[i], end[i] - thick);
                high[i] = fmax (high[i], end[i] + thick);
            }
        }
    }
}

int adapter_loop (const model *m, int joint, unsigned char *mark)
{
    /* A breadth-first search from the joint's second body to its first over the other joints.  The world
     * counts as a body (number 0 here), so that a chain between two fixed points is a loop. */
    int n = m->bodies + 1, head = 0, tail = 0, found = 0;
    int *parent = malloc (sizeof *parent * (size_t)n), *queue = malloc (sizeof *queue * (size_t)n);
    memset (mark, 0, (size_t)m->bodies);
    if (parent && queue)
    {
        for (int i = 0; i < n; i++) parent[i] = -2;
        int from = m->joint[joint].body[1] + 1, to = m->joint[joint].body[0] + 1;
        parent[from] = -1;
        queue[tail++] = from;
        while (head < tail && parent[to] == -2)
        {
            int at = queue[head++];
            int first = at ? m->body[at - 1].first_end : 0, count = at ? m->body[at - 1].ends : m->joints;
            for (int e = 0; e < count; e++)
            {
                int j = at ? m->end[first + e].joint : e;
                const int *ends = m->joint[j].body;
                if (j == joint || m->joint[j].look == JOINT_NONE || (ends[0] + 1 != at && ends[1] + 1 != at))
                    continue;
                int next = (ends[0] + 1 == at ? ends[1] : ends[0]) + 1;
                if (parent[next] != -2) continue;
                parent[next] = at;
                queue[tail++] = next;
            }
        }
        found = parent[to] != -2;
        for (int at = to; found && at >= 0; at = parent[at])
            if (at > 0) mark[at - 1] = 1;
    }
    free (parent);
    free (queue);
    return found;
}
