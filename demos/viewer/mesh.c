/*
 * The meshes: rounded box, rounded cylinder, cone and block.  Flat faces are shaded flat, because the
 * vertices around the flat part of a face have its normal; only the normals of the rounded edges vary.
 */
#include "mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int reserve (mesh_set *set, int vertices, int indices)
{
    mesh_vertex *v = realloc (set->vertex, sizeof *v * (size_t)(set->vertices + vertices));
    if (v) set->vertex = v;
    unsigned short *i = realloc (set->index, sizeof *i * (size_t)(set->indices + indices));
    if (i) set->index = i;
    return v && i;
}

static int add_vertex (mesh_set *set, float cx, float cy, float cz, float nx, float ny, float nz)
{
    mesh_vertex v = {{cx, cy, cz}, {nx, ny, nz}};
    set->vertex[set->vertices] = v;
    return set->vertices++;
}

static void add_triangle (mesh_set *set, int a, int b, int c)
{
    unsigned short *i = set->index + set->indices;
    i[0] = (unsigned short)a;
    i[1] = (unsigned short)b;
    i[2] = (unsigned short)c;
    set->indices += 3;
}

static void add_quad (mesh_set *set, int a, int b, int c, int d)
{
    add_triangle (set, a, b, c);
    add_triangle (set, a, c, d);
}

/* A grid over each face of a cube.  The middle line of the grid is doubled: on its two sides lie vertices of
 * different corners of the box, so that the flat part of the face is between them. */
static int build_box (mesh_set *set, int detail)
{
    int n = detail + 1, side = 2 * n;
    if (!reserve (set, 6 * side * side, 6 * (side - 1) * (side - 1) * 6)) return 0;
    for (int face = 0; face < 6; face++)
    {
        int axis = face / 2, first = set->vertices;
        float sign = face % 2 ? -1.f : 1.f;
        for (int j = 0; j < side; j++)
            for (int i = 0; i < side; i++)
            {
                /* Angles are evenly spaced, so that the edges are round. */
                float u = i < n ? -1 + (float)i / (float)detail : (float)(i - n) / (float)detail;
                float v = j < n ? -1 + (float)j / (float)detail : (float)(j - n) / (float)detail;
                float d[3];
                d[axis] = sign;
                d[(axis + 1) % 3] = tanf (u * (float)M_PI_4) * sign;
                d[(axis + 2) % 3] = tanf (v * (float)M_PI_4);
                float length = sqrtf (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
                float c[3];
                c[axis] = sign;
                c[(axis + 1) % 3] = (i < n ? -1.f : 1.f) * sign;
                c[(axis + 2) % 3] = j < n ? -1.f : 1.f;
                add_vertex (set, c[0], c[1], c[2], d[0] / length, d[1] / length, d[2] / length);
            }
        for (int j = 0; j + 1 < side; j++)
            for (int i = 0; i + 1 < side; i++)
            {
                int a = first + j * side + i;
                add_quad (set, a, a + 1, a + side + 1, a + side);
            }
    }
    return 1;
}

/* A surface of revolution about z; the outline goes from the middle of the top to the middle of the
 * bottom. */
static int build_turned (mesh_set *set, const float (*outline)[4], int points, int segments)
{
    if (!reserve (set, points * (segments + 1), (points - 1) * segments * 6)) return 0;
    int first = set->vertices;
    for (int p = 0; p < points; p++)
        for (int s = 0; s <= segments; s++)
        {
            float a = 2 * (float)M_PI * (float)s / (float)segments, c = cosf (a), sn = sinf (a);
            add_vertex (set, outline[p][0] * c, outline[p][0] * sn, outline[p][1], outline[p][2] * c,
                        outline[p][2] * sn, outline[p][3]);
        }
    for (int p = 0; p + 1 < points; p++)
        for (int s = 0; s < segments; s++)
        {
            int a = first + p * (segments + 1) + s;
            add_quad (set, a, a + segments + 1, a + segments + 2, a + 1);
        }
    return 1;
}

static int build_cylinder (mesh_set *set, int detail)
{
    float outline[32][4]; /* corner radius and height, normal radius and height */
    int n = 0;
    const float top[4] = {0, 1, 0, 1};
    memcpy (outline[n++], top, sizeof top);
    for (int half = 1; half >= -1; half -= 2)
        for (int i = 0; i <= detail; i++)
        {
            float t = (float)i / (float)detail, a = half > 0 ? (1 - t) * (float)M_PI_2 : -t * (float)M_PI_2;
            const float point[4] = {1, (float)half, cosf (a), sinf (a)};
            memcpy (outline[n++], point, sizeof point);
        }
    const float bottom[4] = {0, -1, 0, -1};
    memcpy (outline[n++], bottom, sizeof bottom);
    return build_turned (set, (const float (*)[4])outline, n, 10 * detail);
}

static int build_cone (mesh_set *set, int detail)
{
    static const float outline[][4] = {
        {0, 1, 0.95f, 0.3f}, {1, -1, 0.95f, 0.3f}, {1, -1, 0, -1}, {0, -1, 0, -1}};
    return build_turned (set, outline, 4, 10 * detail);
}

static int build_block (mesh_set *set, int detail)
{
    (void)detail;
    if (!reserve (set, 24, 36)) return 0;
    for (int face = 0; face < 6; face++)
    {
        const int axis = face / 2, first = set->vertices;
        const float sign = face % 2 ? -1.f : 1.f;
        for (int i = 0; i < 4; i++)
        {
            float c[3], n[3] = {0, 0, 0};
            c[axis] = n[axis] = sign;
            c[(axis + 1) % 3] = (i & 1 ? 1.f : -1.f) * sign;
            c[(axis + 2) % 3] = i & 2 ? 1.f : -1.f;
            add_vertex (set, c[0], c[1], c[2], n[0], n[1], n[2]);
        }
        add_quad (set, first, first + 1, first + 3, first + 2);
    }
    return 1;
}

int mesh_build (mesh_set *set, int detail)
{
    static int (*const build[MESH_COUNT]) (mesh_set *, int) = {build_box, build_cylinder, build_cone,
                                                               build_block};
    memset (set, 0, sizeof *set);
    if (detail < 1) detail = 1;
    if (detail > 6) detail = 6;
    for (int kind = 0; kind < MESH_COUNT; kind++)
    {
        mesh_range *range = &set->range[kind];
        range->first_index = set->indices;
        if (!build[kind](set, detail))
        {
            mesh_free (set);
            return 0;
        }
        range->indices = set->indices - range->first_index;
    }
    return 1;
}

void mesh_free (mesh_set *set)
{
    free (set->vertex);
    free (set->index);
    memset (set, 0, sizeof *set);
}
