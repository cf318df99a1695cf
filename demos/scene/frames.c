/* Names, scopes and poses of frames.  All walks are loops with a bound: files choose how long chains are. */
#include "frames.h"

#include <stdlib.h>
#include <string.h>

/* ---- declaration --------------------------------------------------------------------------------------- */

int frames_start (reader *r)
{
    frame_tree *t = calloc (1, sizeof *t);
    if (!t) return fail_memory (r);
    r->frames = t;
    t->names = xmlHashCreate (64);
    t->list = scene_grow (NULL, 0, &t->room, sizeof *t->list);
    if (!t->names || !t->list) return fail_memory (r);
    t->list[t->count++] =
        (frame){.kind = frame_world, .local = scene_pose_identity, .at = scene_pose_identity, .resolved = 1};
    return 1;
}

void frames_free (reader *r)
{
    frame_tree *t = r->frames;
    if (!t) return;
    for (int i = 0; i < t->count; i++)
    {
        free (t->list[i].name);
        free (t->list[i].placement);
    }
    if (t->names) xmlHashFree (t->names, NULL);
    free (t->list);
    free (t);
    r->frames = NULL;
}

static void scope_key (int scope, char key[16]) { snprintf (key, 16, "%d", scope); }

static int is_good_name (reader *r, const char *name, const xmlNode *node)
{
    size_t length = strlen (name);
    if (length > 100) return fail_at (r, node, "the name '%.20s...' is longer than 100 characters", name);
    if (!strcmp (name, "world")) return fail_at (r, node, "the name 'world' is reserved");
    if (strstr (name, "::"))
        return fail_at (r, node, "the name '%s' contains '::', which separates scopes", name);
    if (length >= 4 && !strncmp (name, "__", 2) && !strcmp (name + length - 2, "__"))
        return fail_at (r, node, "the name '%s' is reserved (it begins and ends with two underscores)", name);
    return 1;
}

int frames_add (reader *r, frame_kind kind, char *name, int scope, const xmlNode *node)
{
    frame_tree *t = r->frames;
    char key[16];
    scope_key (scope, key);
    xmlNode *pose = NULL;
    int good = is_good_name (r, name, node) && only_child (r, node, "pose", &pose);
    if (good && xmlHashLookup2 (t->names, (const xmlChar *)name, (const xmlChar *)key))
        good = fail_at (r, node, "the name '%s' is used twice in the same place", name);
    frame *grown = good ? scene_grow (t->list, t->count, &t->room, sizeof *grown) : NULL;
    if (grown) t->list = grown;
    if (good && (!grown || xmlHashAddEntry2 (t->names, (const xmlChar *)name, (const xmlChar *)key,
                                             (void *)(size_t)(t->count + 1))))
        good = fail_memory (r);
    if (!good)
    {
        free (name);
        return -1;
    }
    t->list[t->count] = (frame){.kind = kind, .name = name, .scope = scope, .node = node};
    t->list[t->count].fixed = t->list[scope].fixed;
    t->list[t->count].pose = pose;
    return t->count++;
}

/* ---- names -----------------------------------------------------------------------------------------------
 */

int frames_find (reader *r, int scope, const char *name, const xmlNode *node)
{
    frame_tree *t = r->frames;
    int at = scope;
    for (const char *part = name;;)
    {
        const char *end = strstr (part, "::");
        char key[16], piece[128];
        int length = end ? (int)(end - part) : (int)strlen (part);
        snprintf (piece, sizeof piece, "%.*s", length, part);
        scope_key (at, key);
        size_t found = (size_t)xmlHashLookup2 (t->names, (const xmlChar *)piece, (const xmlChar *)key);
        if (found)
            at = (int)found - 1;
        else if (!strcmp (piece, "__model__") && at > 0)
            found = (size_t)at + 1;
        else if (!end && part == name && !strcmp (piece, "world"))
            return 0;
        if (!found || (end && t->list[at].kind != frame_model)) break;
        if (!end) return at;
        part = end + 2;
    }
    fail_at (r, node, "there is no link, joint, frame or model '%.128s' here", name);
    return -1;
}

int frames_find_attribute (reader *r, int scope, const xmlNode *node, const char *attribute, int otherwise)
{
    char *name;
    if (!attribute_text (r, node, attribute, &name)) return -1;
    int found = name && *name ? frames_find (r, scope, name, node) : otherwise;
    free (name);
    return found;
}

int frames_full_name (reader *r, int index, const char *tail, const xmlNode *node, char *name, size_t size)
{
    const frame *list = r->frames->list;
    size_t length = tail ? strlen (tail) + 2 : 0, end;
    for (int i = index; i > 0; i = list[i].scope) length += strlen (list[i].name) + 2;
    if (length > size + 1)
        return fail_at (r, node, "its name, with those of the models around it, is too long");

    /* From the end to the start; every part but the last is followed by "::". */
    end = length ? length - 2 : 0;
    name[end] = 0;
    if (tail) memcpy (name + (end -= strlen (tail)), tail, strlen (tail));
    for (int i = index; i > 0; i = list[i].scope)
    {
        size_t part = strlen (list[i].name);
        if (i != index || tail) memcpy (name + (end -= 2), "::", 2);
        memcpy (name + (end -= part), list[i].name, part);
    }
    return 1;
}

/* ---- what a pose is relative to ---------------------------------------------------------------------------
 */

static int find_child_frame (reader *r, const frame *joint)
{
    xmlNode *child;
    char *name;
    if (!only_child (r, joint->node, "child", &child)) return -1;
    if (!child)
    {
        fail_at (r, joint->node, "needs a <child>");
        return -1;
    }
    if (!element_text (r, child, &name)) return -1;
    int found = frames_find (r, joint->scope, name, child);
    free (name);
    return found;
}

/* The model's canonical link, or a nested model that has one; -1 without an error if there is none. */
static int find_canonical (reader *r, int model)
{
    const frame_tree *t = r->frames;
    int named = frames_find_attribute (r, model, t->list[model].node, "canonical_link", 0);
    if (named) return named;
    for (int pass = 0; pass < 2; pass++)
        for (int i = model + 1; i < t->count; i++)
            if (t->list[i].scope == model && t->list[i].kind == (pass ? frame_model : frame_link)) return i;
    return -1;
}

static int find_base (reader *r, int index)
{
    frame *f = &r->frames->list[index];
    int base = f->scope;
    if (f->kind == frame_joint) base = f->attached = find_child_frame (r, f);
    if (f->kind == frame_plain)
        base = f->attached = frames_find_attribute (r, f->scope, f->node, "attached_to", f->scope);
    if (f->kind == frame_model) f->attached = find_canonical (r, index);
    if (base >= 0 && f->pose) base = frames_find_attribute (r, f->scope, f->pose, "relative_to", base);
    f->base = base;
    return base >= 0 && !r->error[0];
}

/* ---- poses --------------------------------------------------------------------------------------------- */

static int fail_loop (reader *r, int index)
{
    const frame *f = &r->frames->list[index];
    return fail_at (r, f->node, "'%s' is placed relative to itself, through a loop of frames", f->name);
}

/* A model may be placed by one of its own frames: then local is moved back by where that frame is in it. */
static int apply_placement (reader *r, int model)
{
    frame_tree *t = r->frames;
    frame *m = &t->list[model];
    if (!m->placement) return 1;
    int i = frames_find (r, model, m->placement, m->node);
    if (i < 0) return 0;
    scene_pose inside = scene_pose_identity;
    for (int steps = 0; i != model; steps++)
    {
        if (!i || steps > t->count)
            return fail_at (r, m->node, "the placement frame '%s' is not placed within the model",
                            m->placement);
        inside = pose_compose (&t->list[i].local, &inside);
        i = t->list[i].base;
    }
    inside = pose_inverse (&inside);
    m->local = pose_compose (&m->local, &inside);
    return 1;
}

/* Walks up to a frame that is known, and back down. */
static int resolve (reader *r, int index, int *chain)
{
    frame_tree *t = r->frames;
    int length = 0;
    for (int i = index; !t->list[i].resolved; i = t->list[i].base)
    {
        if (length == t->count) return fail_loop (r, index);
        chain[length++] = i;
    }
    while (length-- > 0)
    {
        frame *f = &t->list[chain[length]];
        f->at = pose_compose (&t->list[f->base].at, &f->local);
        f->resolved = 1;
    }
    return 1;
}

int frames_resolve (reader *r)
{
    frame_tree *t = r->frames;
    for (int i = 1; i < t->count; i++)
    {
        frame *f = &t->list[i];
        f->local = scene_pose_identity;
        if (f->pose && !read_pose (r, f->pose, &f->local)) return 0;
        if (!find_base (r, i)) return 0;
    }
    /* Inner models are declared after the outer ones and must be placed before them. */
    for (int i = t->count - 1; i > 0; i--)
        if (!apply_placement (r, i)) return 0;

    int *chain = malloc ((size_t)t->count * sizeof *chain);
    if (!chain) return fail_memory (r);
    int good = 1;
    for (int i = 1; good && i < t->count; i++) good = resolve (r, i, chain);
    free (chain);
    return good;
}

int frames_link_of (reader *r, int index, const xmlNode *node)
{
    frame_tree *t = r->frames;
    int i = index;
    for (int steps = 0; i > 0 && t->list[i].kind != frame_link; steps++)
    {
        if (steps > t->count)
        {
            fail_at (r, node, "'%s' is attached to itself, through a loop of frames", t->list[index].name);
            return -1;
        }
        i = t->list[i].attached;
    }
    if (i < 0) fail_at (r, node, "'%s' has no link", t->list[index].name);
    return i;
}

int frames_pose_inside (reader *r, int index, const xmlNode *node, scene_pose *pose)
{
    const frame *f = &r->frames->list[index];
    xmlNode *child;
    *pose = scene_pose_identity;
    if (!only_child (r, node, "pose", &child)) return 0;
    if (!child) return 1;
    int base = frames_find_attribute (r, f->scope, child, "relative_to", index);
    if (base < 0 || !read_pose (r, child, pose)) return 0;
    if (base != index)
    {
        scene_pose back = pose_inverse (&f->at), there = pose_compose (&back, &r->frames->list[base].at);
        *pose = pose_compose (&there, pose);
    }
    return 1;
}
