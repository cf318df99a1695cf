/* <include>: the model of another file, as a model of its own or merged into the one around it. */
#include "build.h"

#include <stdlib.h>
#include <string.h>

#define MAX_INCLUDES 16 /* nesting of files: beyond that, a file includes itself */
#define MAX_PATH 4096

/* Versions that are still to come may mean something else. */
static void check_version (reader *r, const xmlNode *root)
{
    int major = 1, minor = 0;
    xmlChar *text = xmlGetNoNsProp (root, (const xmlChar *)"version");
    if (text &&
        (sscanf ((const char *)text, "%d.%d", &major, &minor) != 2 || major != 1 || minor > NEWEST_VERSION))
        warn_at (r, root, "version '%.40s' is not known; it is read as 1.%d", (const char *)text,
                 NEWEST_VERSION);
    xmlFree (text);
}

const xmlNode *open_scene_file (reader *r, const char *path, const xmlNode *from)
{
    xmlNode *root = open_document (r, path, from);
    if (!root) return NULL;
    if (is_element (root, "robot")) return urdf_to_sdf (r, root);
    if (!upgrade_document (r, root)) return NULL;
    if (is_element (root, "sdf"))
    {
        check_version (r, root);
        return root;
    }
    fail_at (r, root, "is neither SDFormat nor URDF: the root element must be <sdf> or <robot>");
    return NULL;
}

/* *model stays NULL where the file is missing or holds lights and actors only. */
static int open_model (reader *r, const xmlNode *include, const xmlNode **model)
{
    xmlNode *uri;
    char *name = NULL, path[MAX_PATH];
    *model = NULL;
    if (!only_child (r, include, "uri", &uri)) return 0;
    if (!uri) return fail_at (r, include, "needs a <uri>");
    if (!element_text (r, uri, &name)) return 0;
    int found = find_resource (r, uri, name, 1, path, sizeof path);
    int good = found || doubt_missing (r, uri, name, "the model is left out");
    free (name);
    if (!good || !found) return good;

    const xmlNode *root = open_scene_file (r, path, uri);
    if (!root) return 0;
    *model = first_child (root, "model");
    if (*model) return 1;
    if (!first_child (root, "actor") && !first_child (root, "light"))
        return fail_at (r, root, "has no <model> to include");
    warn_at (r, include, "names a file without a <model>; it is left out");
    return 1;
}

static int is_merged (reader *r, const xmlNode *include, int *merged)
{
    char *merge;
    if (!attribute_text (r, include, "merge", &merge)) return 0;
    *merged = merge && strcmp (merge, "false") && strcmp (merge, "0");
    free (merge);
    return 1;
}

/* The name that a model is known by: that of the include, or its own, in the way of libsdformat if it is
 * merged. */
static int name_model (reader *r, const xmlNode *include, const xmlNode *model, int merged, char **name)
{
    xmlNode *element;
    *name = NULL;
    if (!only_child (r, include, "name", &element) || (element && !element_text (r, element, name)) ||
        (!*name && !required_attribute (r, model, "name", name)))
        return 0;
    if (!merged) return 1;
    char *own = *name;
    size_t size = strlen (own) + 32;
    *name = malloc (size);
    if (*name) snprintf (*name, size, "_merged__%s__model__", own);
    free (own);
    return *name || fail_memory (r);
}

int read_include (reader *r, const xmlNode *node, int scope, int depth)
{
    const xmlNode *model;
    xmlNode *element, *pose;
    char *name;
    int merged;
    warn_unknown (r, node, "uri name pose static placement_frame");
    if (depth >= MAX_INCLUDES)
        return fail_at (r, node, "files include each other more than %d deep", MAX_INCLUDES);
    if (!is_merged (r, node, &merged) || !open_model (r, node, &model)) return 0;
    if (!model) return 1;
    if (!name_model (r, node, model, merged, &name)) return 0;
    int index = read_model (r, merged ? frame_merged : frame_model, model, name, scope);
    if (index < 0) return 0;

    /* What the include says about the model comes before what the model says. */
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
