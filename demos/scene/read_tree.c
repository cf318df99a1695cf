/* Declares models, links, joints and frames, nested and included, before anything is built. */
#include "build.h"

#include <stdlib.h>
#include <string.h>

static int declare (reader *r, frame_kind kind, const xmlNode *node, int scope)
{
    char *name;
    if (!required_attribute (r, node, "name", &name)) return -1;
    const int index = frames_add (r, kind, name, scope, node);
    if (index >= 0 && is_marked_static (node)) r->frames->list[index].fixed = 1;
    return index;
}

int read_model (reader *r, frame_kind kind, const xmlNode *node, char *name, int scope)
{
    if (!name && !required_attribute (r, node, "name", &name)) return -1;
    int index = frames_add (r, kind, name, scope, node);
    if (index < 0) return -1;
    frame *m = &r->frames->list[index];
    m->index = kind == frame_merged ? r->frames->list[scope].index : r->frames->models++;
    int fixed = 0;
    if (!attribute_text (r, node, "placement_frame", &m->placement) ||
        !child_flag (r, node, "static", &fixed) || !child_flag (r, node, "self_collide", &m->self_collide))
        return -1;
    if (m->placement && !*m->placement)
    {
        free (m->placement);
        m->placement = NULL;
    }
    m->fixed |= fixed;
    warn_unknown (r, node, "pose static self_collide link joint frame model include " MODEL_EXTENSIONS);
    return index;
}

int read_content (reader *r, const xmlNode *node, int scope, int depth)
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
        {
            index = read_model (r, frame_model, c, NULL, scope);
            good = index >= 0 && read_content (r, c, index, depth);
        }
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
