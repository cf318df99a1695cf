/*
 * Bounding boxes of meshes: Wavefront OBJ, STL (text and binary) and COLLADA.  A box is all that is made of
 * a mesh, so only vertex positions are looked at.
 */
#include "build.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MAX_MESH ((size_t)256 << 20)

typedef struct
{
    double low[3], high[3];
    long count;
} bounds;

static void include_vertex (void *context, const double v[3])
{
    bounds *b = context;
    for (int i = 0; i < 3; i++)
    {
        if (!b->count || v[i] < b->low[i]) b->low[i] = v[i];
        if (!b->count || v[i] > b->high[i]) b->high[i] = v[i];
    }
    b->count++;
}

/* Lines or words that begin with keyword and three numbers: "v x y z" and "vertex x y z". */
static void read_vertices (char *text, const char *keyword, bounds *b)
{
    size_t length = strlen (keyword);
    for (char *line = text; line; line = strchr (line, '\n'))
    {
        line += strspn (line, " \t\r\n");
        if (strncmp (line, keyword, length) || !strchr (" \t", line[length])) continue;
        double v[3];
        char *at = line + length, *end = at;
        int i = 0;
        for (; i < 3; i++, at = end)
        {
            v[i] = strtod (at, &end);
            if (end == at) break;
        }
        if (i == 3) include_vertex (b, v);
    }
}

/* 80 bytes of header, the number of triangles, then 50 bytes each: normal, three vertices, attributes. */
static int read_binary_stl (const char *data, size_t length, bounds *b)
{
    uint32_t triangles;
    if (length < 84) return 0;
    memcpy (&triangles, data + 80, sizeof triangles);
    if (length != 84 + (size_t)triangles * 50) return 0;
    for (uint32_t t = 0; t < triangles; t++)
        for (int corner = 0; corner < 3; corner++)
        {
            float f[3];
            memcpy (f, data + 84 + (size_t)t * 50 + 12 + 12 * (size_t)corner, sizeof f);
            double v[3] = {(double)f[0], (double)f[1], (double)f[2]};
            include_vertex (b, v);
        }
    return 1;
}

int mesh_bounds (reader *r, const xmlNode *node, const char *path, double low[3], double high[3])
{
    const char *dot = strrchr (path, '.'), *ending = dot ? dot : "", *problem;
    bounds b = {{0}, {0}, 0};
    int is_obj = !strcasecmp (ending, ".obj"), is_stl = !strcasecmp (ending, ".stl");
    if (!strcasecmp (ending, ".dae"))
    {
        if (!collada_vertices (r, node, path, include_vertex, &b)) return 0;
    }
    else if (is_obj || is_stl)
    {
        size_t length;
        char *text = read_file (path, MAX_MESH, &length, &problem);
        if (!text) return fail_at (r, node, "the mesh '%s' %s", path, problem);
        if (is_obj)
            read_vertices (text, "v", &b);
        else if (!read_binary_stl (text, length, &b))
            read_vertices (text, "vertex", &b);
        free (text);
    }
    else
        return fail_at (r, node, "the mesh '%s' is none of .obj, .stl and .dae", path);

    for (int i = 0; i < 3; i++)
    {
        low[i] = b.low[i];
        high[i] = b.high[i];
        if (!b.count || !isfinite (low[i]) || !isfinite (high[i]))
            return fail_at (r, node, "the mesh '%s' has no vertices", path);
    }
    return 1;
}
