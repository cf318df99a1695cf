/* Declares models, links, joints and frames, nested and included, before anything is built. */
#include "build.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MAX_INCLUDES 16 /* nesting of files: beyond that, a file includes itself */
#define MAX_PATH 4096

static int read_content (reader *r, const xmlNode *node, int scope, int depth);

static int declare (reader *r, frame_kind kind, const xmlNode *node, int scope)
{
    char *name;
    if (!required_attribute (r, node, "name", &name)) return -1;
    return frames_add (r, kind, name, scope, node);
}

/* name: NULL for the model's own; taken over. */
static int read_model (reader *r, const xmlNode *node, char *name, int scope, int *index)
{
    if (!name && !required_attribute (r, node, "name", &name)) return 0;
    *index = frames_add (r, frame_model, name, scope, node);
    if (*index < 0) return 0;
    frame *m = &r->frames->list[*index];
    m->index = r->frames->models++;
    int fixed = 0;
    if (!attribute_text (r, node, "placement_frame", &m->placement) ||
        !child_flag (r, node, "static", &fixed) || !child_flag (r, node, "self_collide", &m->self_collide))
        return 0;
    if (m->placement && !*m->placement)
    {
        free (m->placement);
        m->placement = NULL;
    }
    m->fixed |= fixed;
    warn_unknown (r, node, "pose static self_collide link joint frame model include " MODEL_EXTENSIONS);
    return 1;
}

/* ---- includes ------------------------------------------------------------------------------------------ */

static int is_file (const char *path)
{
    struct stat status;
    return !stat (path, &status) && S_ISREG (status.st_mode);
}

/* The file itself, or model.sdf in the folder of that name. */
static int is_model_file (char *path, size_t size)
{
    if (is_file (path)) return 1;
    size_t length = strlen (path);
    if (snprintf (path + length, size - length, "/model.sdf") >= (int)(size - length)) return 0;
    if (is_file (path)) return 1;
    path[length] = 0;
    return 0;
}

/* model://name/... is looked for beside the including file and beside its folder. */
static int find_model_file (reader *r, const xmlNode *uri, const char *name, char *path, size_t size)
{
    char relative[MAX_PATH];
    if (strncmp (name, "model://", 8))
    {
        if (!resolve_path (r, uri, name, path, size)) return 0;
        is_model_file (path, size); /* if not, opening it tells why */
        return 1;
    }
    for (int up = 0; up < 2; up++)
    {
        snprintf (relative, sizeof relative, "%s%s", up ? "../" : "", name + 8);
        if (!resolve_path (r, uri, relative, path, size)) return 0;
        if (is_model_file (path, size)) return 1;
    }
    return fail_at (r, uri, "'%s' is neither beside this file nor beside its folder", name);
}

static const xmlNode *open_model (reader *r, const xmlNode *include)
{
    xmlNode *uri;
    char *name = NULL, path[MAX_PATH];
    if (!only_child (r, include, "uri", &uri)) return NULL;
    if (!uri)
    {
        fail_at (r, include, "needs a <uri>");
        return NULL;
    }
    if (!element_text (r, uri, &name)) return NULL;
    const xmlNode *root = NULL, *model = NULL;
    if (find_model_file (r, uri, name, path, sizeof path)) root = open_document (r, path, uri);
    if (root)
    {
        if (is_element (root, "sdf")) model = first_child (root, "model");
        if (!model) fail_at (r, root, "has no <model> to include");
    }
    free (name);
    return model;
}

static int read_include (reader *r, const xmlNode *node, int scope, int depth)
{
    warn_unknown (r, node, "uri name pose static placement_frame");
    if (depth >= MAX_INCLUDES)
        return fail_at (r, node, "files include each other more than %d deep", MAX_INCLUDES);
    char *merge = NULL;
    xmlNode *element, *pose;
    if (!attribute_text (r, node, "merge", &merge)) return 0;
    int merges = merge && strcmp (merge, "false") && strcmp (merge, "0");
    free (merge);
    if (merges) return fail_at (r, node, "merge is not supported; include the model as it is");

    char *name = NULL;
    if (!only_child (r, node, "name", &element) || (element && !element_text (r, element, &name))) return 0;
    const xmlNode *model = open_model (r, node);
    int index;
    if (!model)
    {
        free (name);
        return 0;
    }
    if (!read_model (r, model, name, scope, &index)) return 0;
    frame *m = &r->frames->list[index];
    if (!only_child (r, node, "pose", &pose) || !child_flag (r, node, "static", &m->fixed)) return 0;
    if (pose) m->pose = pose;
    m->fixed |= r->frames->list[scope].fixed;
    if (!only_child (r, node, "placement_frame", &element)) return 0;
    if (element)
    {
        free (m->placement);
        if (!element_text (r, element, &m->placement)) return 0;
    }
    return read_content (r, model, index, depth + 1);
}

/* ---- models and worlds ------------------------------------------------------------------------------------
 */

static int read_content (reader *r, const xmlNode *node, int scope, int depth)
{
    for (const xmlNode *c = node->children; c; c = c->next)
    {
        int good = 1, index;
        if (is_element (c, "link"))
            good = declare (r, frame_link, c, scope) >= 0;
        else if (is_element (c, "joint"))
            good = declare (r, frame_joint, c, scope) >= 0;
        else if (is_element (c, "frame"))
            good = declare (r, frame_plain, c, scope) >= 0;
        else if (is_element (c, "include"))
            good = read_include (r, c, scope, depth);
        else if (is_element (c, "model"))
            good = read_model (r, c, NULL, scope, &index) && read_content (r, c, index, depth);
        if (!good) return 0;
    }
    return 1;
}

int read_tree (reader *r, const xmlNode *world)
{
    for (const xmlNode *c = first_child (world, "link"); c; c = next_sibling (c, "link"))
        return fail_at (r, c, "a link must be in a model");
    return read_content (r, world, 0, 0);
}
