/*
 * Contacts, thrown balls, islands, and the boxes that show inertia and the space that bodies take up.
 */
#include "adapter_parts.h"

#include "settings.h"
#include "vec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double contact_value (const contact_state *c, int mode)
{
    switch (mode)
    {
    case CONTACTS_DEPTH:
        return c->depth;
    case CONTACTS_SLIP:
        return c->slip;
    case CONTACTS_FORCE:
        return vec_length (c->force);
    default:
        return 0;
    }
}

/* Draws each contact as a flat disc, and its force as a line if contacts are shown by force. */
void adapter_contacts (const adapter_job *a)
{
    static const float force_color[3] = ADAPTER_FORCE, grey[3] = ADAPTER_GREY;
    const double radius = 0.006 * a->model->size, longest = 0.25 * a->model->size,
                 scale = 0.15 * a->model->size / fmax (a->model->weight, 1e-9) *
                         sqrt (fmax (a->model->bodies, 1));
    for (int i = 0; i < a->shot->contacts; i++)
    {
        const contact_state *c = &a->shot->contact[i];
        unsigned char rgb[3];
        double q[4], tip[3];
        quat_from_z (q, c->normal);
        draw_solid *s = draw_add_solid (a->list, MESH_CYLINDER);
        draw_pose (s, c->position, q);
        s->half[0] = s->half[1] = (float)radius;
        s->half[2] = (float)(0.3 * radius);
        s->radius = (float)(0.1 * radius);
        s->opacity = 1;
        s->glow = 0.4f;
        heatmap_color (a->contact_table, &a->look->contact_scale, contact_value (c, a->look->contacts), rgb);
        for (int k = 0; k < 3; k++) s->color[k] = (float)rgb[k] / 255;
        if (a->shot->failed > SIM_REFUSED) memcpy (s->color, grey, sizeof grey);
        const double f = vec_length (c->force);
        if (a->look->contacts != CONTACTS_FORCE || f * scale < 1.5 * radius) continue;
        vec_mad (tip, c->position, fmin (f * scale, longest) / f, c->force);
        adapter_line (a->list, 1, c->position, tip, 2.0f, force_color, 0.95f);
    }
}

void adapter_balls (const adapter_job *a)
{
    static const float color[3] = {0.86f, 0.87f, 0.90f};
    static const double upright[4] = {1, 0, 0, 0};
    for (int i = 0; i < a->shot->balls; i++)
    {
        const double *ball = a->shot->ball[i];
        draw_solid *s = draw_add_solid (a->list, MESH_BOX);
        draw_pose (s, ball, upright);
        s->half[0] = s->half[1] = s->half[2] = s->radius = (float)ball[3];
        s->opacity = 1;
        memcpy (s->color, color, sizeof color);
    }
}

/* The body that represents an island, as far as the coupling is known so far (a union-find structure). */
static int root_of (int *island, int body)
{
    while (island[body] != body) body = island[body] = island[island[body]];
    return body;
}

/* Joins the islands of two bodies.  The world, and bodies that cannot move, couple nothing. */
static void couple (const model *m, int *island, const int body[2])
{
    for (int k = 0; k < 2; k++)
        if (body[k] == MODEL_WORLD || m->body[body[k]].fixed) return;
    const int a = root_of (island, body[0]), b = root_of (island, body[1]);
    island[a > b ? a : b] = a > b ? b : a;
}

int *adapter_islands (const model *m, const snapshot *shot)
{
    int *island = malloc (sizeof *island * (size_t)(m->bodies + 1));
    if (!island) return NULL;
    for (int b = 0; b < m->bodies; b++) island[b] = b;
    for (int j = 0; j < m->joints; j++)
        if (!shot->joint[j].cut) couple (m, island, m->joint[j].body);
    for (int i = 0; i < shot->contacts; i++) couple (m, island, shot->contact[i].body);
    for (int b = 0; b < m->bodies; b++) island[b] = root_of (island, b);
    return island;
}

/* The twelve edges of a box around the origin of a pose. */
static void add_edges (const adapter_job *a, const double position[3], const double q[4],
                       const double half[3], const float color[3], float alpha)
{
    for (int edge = 0; edge < 12; edge++)
    {
        const int axis = edge / 4, u = (axis + 1) % 3, v = (axis + 2) % 3;
        double ends[2][3];
        for (int k = 0; k < 2; k++)
        {
            double p[3];
            p[axis] = k ? half[axis] : -half[axis];
            p[u] = edge & 1 ? half[u] : -half[u];
            p[v] = edge & 2 ? half[v] : -half[v];
            pose_point (ends[k], position, q, p);
        }
        adapter_line (a->list, 1, ends[0], ends[1], 1.2f, color, alpha);
    }
}

/* For each body the box of uniform density that has the same mass and inertia, and a cross at its centre of
 * mass. */
void adapter_masses (const adapter_job *a)
{
    static const float color[3] = {0.93f, 0.94f, 0.96f};
    for (int b = 0; b < a->model->bodies; b++)
    {
        const model_body *mb = &a->model->body[b];
        const body_state *s = &a->shot->body[b];
        double q[4];
        quat_multiply (q, s->quaternion, mb->principal);
        add_edges (a, s->position, q, mb->inertia_half, color, 0.6f);
        for (int k = 0; k < 3; k++)
        {
            double p[3], ends[2][3], arm = 0.012 * a->model->size;
            for (int e = 0; e < 2; e++)
            {
                vec_set (p, 0, 0, 0);
                p[k] = e ? arm : -arm;
                pose_point (ends[e], s->position, q, p);
            }
            adapter_line (a->list, 1, ends[0], ends[1], 2.0f, color, 0.95f);
        }
    }
}

/* For each body the box along the axes of the world that encloses its shapes; faint if the body sleeps. */
void adapter_boxes (const adapter_job *a)
{
    static const float color[3] = {0.93f, 0.94f, 0.96f};
    static const double none[4] = {1, 0, 0, 0};
    for (int b = 0; b < a->model->bodies; b++)
    {
        const model_body *mb = &a->model->body[b];
        const body_state *s = &a->shot->body[b];
        double low[3] = {1e300, 1e300, 1e300}, high[3] = {-1e300, -1e300, -1e300}, half[3], centre[3];
        for (int i = 0; i < 8 * mb->shapes; i++)
        {
            const model_shape *shape = &a->model->shape[mb->first_shape + i / 8];
            double p[3];
            for (int k = 0; k < 3; k++) p[k] = i >> k & 1 ? shape->half[k] : -shape->half[k];
            pose_point (p, shape->position, shape->quaternion, p);
            pose_point (p, s->position, s->quaternion, p);
            for (int k = 0; k < 3; k++)
            {
                low[k] = fmin (low[k], p[k]);
                high[k] = fmax (high[k], p[k]);
            }
        }
        if (!mb->shapes) continue;
        for (int k = 0; k < 3; k++)
        {
            half[k] = 0.5 * (high[k] - low[k]);
            centre[k] = 0.5 * (high[k] + low[k]);
        }
        add_edges (a, centre, none, half, color, s->asleep ? 0.15f : 0.6f);
    }
}
