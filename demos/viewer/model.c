/*
 * Reads the structure of a scene.  See model.h.
 */
#include "model_parts.h"

#include "vec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* If the names of all joints begin with that of the same model, removes it. */
static void shorten_names (model *m)
{
    const char *end = m->joints ? strstr (m->joint[0].name, "::") : NULL;
    size_t n = end ? (size_t)(end - m->joint[0].name) + 2 : 0;
    for (int i = 1; i < m->joints && n; i++)
        if (strncmp (m->joint[i].name, m->joint[0].name, n) != 0) n = 0;
    for (int i = 0; i < m->joints && n; i++)
        memmove (m->joint[i].name, m->joint[i].name + n, strlen (m->joint[i].name + n) + 1);
}

int model_body_index (const scene *s, dBodyID body)
{
    if (!body) return MODEL_WORLD;
    for (int i = 0; i < scene_body_count (s); i++)
        if (scene_body_at (s, i)->body == body) return i;
    return MODEL_WORLD;
}

static void read_gravity (model *m, dWorldID world)
{
    dVector3 g;
    dWorldGetGravity (world, g);
    vec_set (m->gravity, g[0], g[1], g[2]);
    vec_set (m->up, 0, 0, 1);
    if (vec_length (m->gravity) > 1e-9)
    {
        for (int i = 0; i < 3; i++) m->up[i] = -m->gravity[i];
        vec_normalize (m->up);
    }
    m->erp = dWorldGetERP (world);
    m->cfm = dWorldGetCFM (world);
}

/* Lists the joints of each body: counts them in the first pass, writes them in the second. */
static int list_ends (model *m)
{
    m->end = calloc ((size_t)(2 * m->joints) + 1, sizeof *m->end);
    if (!m->end) return 0;
    for (int pass = 0; pass < 2; pass++)
    {
        for (int j = 0; j < m->joints; j++)
            for (int side = 0; side < 2; side++)
            {
                int b = m->joint[j].body[side];
                if (b == MODEL_WORLD || m->joint[j].look == JOINT_NONE) continue;
                model_end end = {j, side};
                if (pass) m->end[m->body[b].first_end + m->body[b].ends] = end;
                m->body[b].ends++;
            }
        for (int b = 0; b < m->bodies && !pass; b++)
        {
            m->body[b].first_end = m->ends;
            m->ends += m->body[b].ends;
            m->body[b].ends = 0;
        }
    }
    return 1;
}

/* The reach of each body, from its anchors. */
static void measure_links (model *m)
{
    for (int b = 0; b < m->bodies; b++)
        for (int e = 0; e < m->body[b].ends; e++)
        {
            const model_end *end = &m->end[m->body[b].first_end + e];
            m->body[b].reach = fmax (m->body[b].reach, vec_length (m->joint[end->joint].anchor[end->side]));
        }
}

/* The arm of each joint, and the size at which it is drawn. */
static void measure_joints (model *m)
{
    for (int j = 0; j < m->joints; j++)
    {
        model_joint *joint = &m->joint[j];
        double thin = 1e300;
        for (int side = 0; side < 2; side++)
            if (joint->body[side] != MODEL_WORLD)
            {
                const model_body *b = &m->body[joint->body[side]];
                joint->arm = fmax (joint->arm, b->reach);
                thin = fmin (thin, b->thickness);
            }
        if (thin > 1e299) thin = 0.05 * m->size;
        joint->size = fmin (0.46 * thin, 0.2 * (joint->arm > 0 ? joint->arm : m->size));
    }
}

static void extend (model *m, const double p[3], double margin)
{
    for (int i = 0; i < 3; i++)
    {
        m->low[i] = fmin (m->low[i], p[i] - margin);
        m->high[i] = fmax (m->high[i], p[i] + margin);
    }
}

/* Finds the box around all bodies and anchors, and the size of the scene. */
static void measure_box (model *m, const scene *s)
{
    vec_set (m->low, 1e300, 1e300, 1e300);
    vec_set (m->high, -1e300, -1e300, -1e300);
    for (int b = 0; b < m->bodies; b++)
    {
        const dReal *p = dBodyGetPosition (scene_body_at (s, b)->body);
        const double at[3] = {p[0], p[1], p[2]};
        extend (m, at, 0.3 * m->body[b].reach);
    }
    for (int j = 0; j < m->joints; j++)
        for (int side = 0; side < 2; side++)
            if (m->joint[j].body[side] == MODEL_WORLD && m->joint[j].look != JOINT_NONE)
                extend (m, m->joint[j].anchor[side], 0);
    const double origin[3] = {0, 0, 0};
    if (m->low[0] > m->high[0]) extend (m, origin, 0.5);
    m->size = fmax (vec_distance (m->low, m->high), 1e-6);
}

static int allocate (model *m, const scene *s)
{
    m->bodies = scene_body_count (s);
    m->joints = scene_joint_count (s);
    m->probes = scene_probe_count (s);
    m->springs = scene_spring_count (s);
    m->body = calloc ((size_t)m->bodies + 1, sizeof *m->body);
    m->joint = calloc ((size_t)m->joints + 1, sizeof *m->joint);
    m->probe = calloc ((size_t)m->probes + 1, sizeof *m->probe);
    return m->body && m->joint && m->probe;
}

model *model_create (const scene *s)
{
    model *m = calloc (1, sizeof *m);
    if (!m || !allocate (m, s))
    {
        model_free (m);
        return NULL;
    }
    snprintf (m->name, sizeof m->name, "%s", scene_name (s));
    m->time_step = scene_time_step (s);
    m->duration = scene_duration (s);
    read_gravity (m, scene_world (s));
    for (int i = 0; i < m->bodies; i++)
    {
        const scene_body *b = scene_body_at (s, i);
        snprintf (m->body[i].name, sizeof m->body[i].name, "%s", b->name);
        dMass mass;
        dBodyGetMass (b->body, &mass);
        m->body[i].mass = mass.mass;
        model_inertia_box (&m->body[i], &mass);
        m->weight += mass.mass * vec_length (m->gravity);
        m->body[i].fixed = dBodyIsKinematic (b->body);
    }
    for (int i = 0; i < m->joints; i++)
    {
        snprintf (m->joint[i].name, sizeof m->joint[i].name, "%s", scene_joint_at (s, i)->name);
        model_read_joint (m, s, i);
    }
    shorten_names (m);
    for (int i = 0; i < m->probes; i++)
    {
        const scene_probe *p = scene_probe_at (s, i);
        snprintf (m->probe[i].name, sizeof m->probe[i].name, "%s", p->name);
        m->probe[i].body = model_body_index (s, p->body);
        vec_set (m->probe[i].local, p->local[0], p->local[1], p->local[2]);
    }
    int ok = list_ends (m);
    if (ok)
    {
        measure_links (m);
        measure_box (m, s);
        ok = model_make_shapes (m, s);
    }
    if (!ok)
    {
        model_free (m);
        return NULL;
    }
    measure_joints (m);
    measure_box (m, s);
    return m;
}

void model_free (model *m)
{
    if (!m) return;
    free (m->body);
    free (m->joint);
    free (m->probe);
    free (m->shape);
    free (m->end);
    free (m);
}
