/*
 * Vertices of COLLADA files: those of the geometries that the nodes of a visual scene show, each moved as its
 * node says; without a visual scene those of all geometries, as they are.  Which axis points up is not looked
 * at, as in Gazebo.
 */
#include "build.h"

#include <libxml/hash.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_DEPTH 64       /* of nodes in nodes: beyond that, a node holds itself */
#define MAX_SHOWN 10000000 /* nodes and vertices of a file */

typedef double affine[3][4];

typedef struct
{
    xmlHashTablePtr ids;  /* to elements */
    double unit;          /* m */
    long vertices, shown; /* shown: nodes and vertices */
    collada_vertex *take;
    void *context;
} collada;

static int is_named (const xmlNode *node, const char *name)
{
    return node->type == XML_ELEMENT_NODE && !strcmp ((const char *)node->name, name);
}

/* The element that an attribute "#id" names, or NULL. */
static const xmlNode *find_named (const collada *c, const xmlNode *node, const char *attribute)
{
    xmlChar *url = xmlGetNoNsProp (node, (const xmlChar *)attribute);
    const xmlNode *found = url && url[0] == '#' ? xmlHashLookup (c->ids, url + 1) : NULL;
    xmlFree (url);
    return found;
}

/* Enters the ids of all elements; the first of two counts. */
static void read_ids (collada *c, xmlNode *node)
{
    for (; node; node = node->next)
    {
        if (node->type != XML_ELEMENT_NODE) continue;
        xmlChar *id = xmlGetNoNsProp (node, (const xmlChar *)"id"),
                *meter = is_named (node, "unit") ? xmlGetNoNsProp (node, (const xmlChar *)"meter") : NULL;
        if (id) xmlHashAddEntry (c->ids, id, node);
        if (meter) c->unit = strtod ((const char *)meter, NULL);
        xmlFree (id);
        xmlFree (meter);
        read_ids (c, node->children);
    }
}

/* ---- geometries ---------------------------------------------------------------------------------------- */

static void take_vertex (collada *c, affine at, const double v[3])
{
    double moved[3];
    for (int i = 0; i < 3; i++)
        moved[i] = c->unit * (at[i][0] * v[0] + at[i][1] * v[1] + at[i][2] * v[2] + at[i][3]);
    c->take (c->context, moved);
    c->vertices++;
    c->shown++;
}

static void read_array (collada *c, affine at, const xmlNode *array)
{
    xmlChar *text = xmlNodeGetContent (array);
    double v[3];
    int k = 0;
    char *end;
    for (char *place = (char *)text; place && c->shown < MAX_SHOWN; place = end)
    {
        v[k] = strtod (place, &end);
        if (end == place) break;
        if (++k < 3) continue;
        take_vertex (c, at, v);
        k = 0;
    }
    xmlFree (text);
}

/* <vertices><input semantic="POSITION" source="#id"/> names the <source> whose <float_array> has the
 * positions. */
static void read_geometry (collada *c, affine at, const xmlNode *node)
{
    for (const xmlNode *n = node->children; n; n = n->next)
    {
        if (n->type != XML_ELEMENT_NODE) continue;
        xmlChar *semantic = is_named (n, "input") && is_named (node, "vertices")
                                ? xmlGetNoNsProp (n, (const xmlChar *)"semantic")
                                : NULL;
        const xmlNode *source =
            semantic && !strcmp ((const char *)semantic, "POSITION") ? find_named (c, n, "source") : NULL;
        for (const xmlNode *array = source ? source->children : NULL; array; array = array->next)
            if (is_named (array, "float_array")) read_array (c, at, array);
        xmlFree (semantic);
        read_geometry (c, at, n);
    }
}

/* ---- nodes --------------------------------------------------------------------------------------------- */

/* Turning by an angle (degrees) about an axis. */
static void set_turn (affine t, const double v[4])
{
    scene_pose pose = scene_pose_identity;
    double R[3][3];
    const double half = v[3] * M_PI / 360, length = sqrt (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    const double s = length > 0 ? sin (half) / length : 0;
    pose_set_quaternion (&pose, length > 0 ? cos (half) : 1, s * v[0], s * v[1], s * v[2]);
    pose_matrix (&pose, R);
    for (int i = 0; i < 3; i++) memcpy (t[i], R[i], sizeof R[i]);
}

/* at becomes at times the transform; other elements leave it alone. */
static void apply (affine at, const xmlNode *node)
{
    static const struct
    {
        const char *name;
        int count;
    } kinds[] = {{"matrix", 16}, {"translate", 3}, {"scale", 3}, {"rotate", 4}};
    affine t = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}, product;
    double v[16];
    int kind = 0, count = 0;
    while (kind < 4 && !is_named (node, kinds[kind].name)) kind++;
    if (kind == 4) return;
    xmlChar *text = xmlNodeGetContent (node);
    char *end, *place = (char *)text;
    for (; place && count < kinds[kind].count; count++, place = end)
    {
        v[count] = strtod (place, &end);
        if (end == place) break;
    }
    xmlFree (text);
    if (count < kinds[kind].count) return;
    if (kind == 0) memcpy (t, v, sizeof (affine));
    if (kind == 3) set_turn (t, v);
    for (int i = 0; i < 3; i++)
    {
        if (kind == 1) t[i][3] = v[i];
        if (kind == 2) t[i][i] = v[i];
    }
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 4; k++)
            product[i][k] =
                at[i][0] * t[0][k] + at[i][1] * t[1][k] + at[i][2] * t[2][k] + (k == 3 ? at[i][3] : 0);
    memcpy (at, product, sizeof (affine));
}

static void show (collada *c, affine around, const xmlNode *node, int depth)
{
    affine at;
    memcpy (at, around, sizeof at);
    for (const xmlNode *n = node->children; n && depth < MAX_DEPTH && c->shown < MAX_SHOWN; n = n->next)
    {
        if (n->type != XML_ELEMENT_NODE) continue;
        c->shown++;
        apply (at, n);
        const xmlNode *named = is_named (n, "instance_geometry") || is_named (n, "instance_node") ||
                                       is_named (n, "instance_controller")
                                   ? find_named (c, n, "url")
                                   : NULL;
        /* what a controller bends is taken as it is before */
        const xmlNode *skin = named && is_named (named, "controller") ? named->children : NULL;
        while (skin && !is_named (skin, "skin")) skin = skin->next;
        if (skin) named = find_named (c, skin, "source");
        if (named && is_named (named, "geometry")) read_geometry (c, at, named);
        if (named && is_named (named, "node")) show (c, at, named, depth + 1);
        if (is_named (n, "node")) show (c, at, n, depth + 1);
    }
}

/* All of a name, wherever they are, as nodes of a scene or as geometries. */
static void read_all (collada *c, const xmlNode *node, int nodes)
{
    affine at = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};
    for (const xmlNode *n = node->children; n; n = n->next)
    {
        if (nodes ? is_named (n, "visual_scene") : is_named (n, "geometry"))
        {
            if (nodes)
                show (c, at, n, 0);
            else
                read_geometry (c, at, n);
        }
        else if (n->type == XML_ELEMENT_NODE)
            read_all (c, n, nodes);
    }
}

int collada_vertices (reader *r, const xmlNode *node, const char *path, collada_vertex *take, void *context)
{
    xmlNode *root = open_document (r, path, node);
    if (!root) return 0;
    collada c = {.ids = xmlHashCreate (256), .unit = 1, .take = take, .context = context};
    if (!c.ids) return fail_memory (r);
    read_ids (&c, root);
    read_all (&c, root, 1);
    if (!c.vertices) read_all (&c, root, 0);
    xmlHashFree (c.ids, NULL);
    return c.shown < MAX_SHOWN ||
           fail_at (r, node, "the mesh '%s' shows more than %d vertices", path, MAX_SHOWN);
}
