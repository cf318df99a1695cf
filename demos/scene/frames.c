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

int frames_names (const frame_tree *t, int scope)
{
    while (t->list[scope].kind == frame_merged) scope = t->list[scope].scope;
    return scope;
}

/* The frame of that name and kind, -1 if there is none. */
static int look_up (const frame_tree *t, int scope, const char *name, frame_kind kind)
{
    char key[16], kind_key[2] = {(char)('0' + kind), 0};
    snprintf (key, sizeof key, "%d", frames_names (t, scope));
    size_t found = (size_t)xmlHashLookup3 (t->names, (const xmlChar *)name, (const xmlChar *)key,
                                           (const xmlChar *)kind_key);
    return (int)found - 1;
}

/* The same of any kind; links come first. */
static int look_up_any (const frame_tree *t, int scope, const char *name)
{
    static const frame_kind kinds[] = {frame_link, frame_model, frame_plain, frame_joint, frame_merged};
    int found = -1;
    for (size_t i = 0; found < 0 && i < sizeof kinds / sizeof *kinds; i++)
        found = look_up (t, scope, name, kinds[i]);
    return found;
}

static int enter_name (frame_tree *t, int scope, const char *name, frame_kind kind, int index)
{
    char key[16], kind_key[2] = {(char)('0' + kind), 0};
    snprintf (key, sizeof key, "%d", frames_names (t, scope));
    return !xmlHashAddEntry3 (t->names, (const xmlChar *)name, (const xmlChar *)key,
                              (const xmlChar *)kind_key, (void *)(size_t)(index + 1));
}

static int is_good_name (reader *r, const char *name, const xmlNode *node)
{
    size_t length = strlen (name);
    int version = node_version (node), old_joint = version < 7 && is_element (node, "joint");
    if (length > 100) return fail_at (r, node, "the name '%.20s...' is longer than 100 characters", name);
    if (!strcmp (name, "world") && !old_joint) return fail_at (r, node, "the name 'world' is reserved");
    if (version >= 8 && strstr (name, "::"))
        return fail_at (r, node, "the name '%s' contains '::', which separates scopes", name);
    if (version >= 8 && length >= 4 && !strncmp (name, "__", 2) && !strcmp (name + length - 2, "__"))
        return fail_at (r, node, "the name '%s' is reserved (it begins and ends with two underscores)", name);
    return 1;
}

int frames_add (reader *r, frame_kind kind, char *name, int scope, const xmlNode *node)
{
    frame_tree *t = r->frames;
    xmlNode *pose = NULL;
    int good = is_good_name (r, name, node) && only_child (r, node, "pose", &pose);
    const int of_its_own = node_version (node) < (scope ? 7 : 8);
    if (good && (of_its_own ? look_up (t, scope, name, kind) : look_up_any (t, scope, name)) >= 0)
        good = fail_at (r, node, "the name '%s' is used twice in the same place", name);
    frame *grown = good ? scene_grow (t->list, t->count, &t->room, sizeof *grown) : NULL;
    if (grown) t->list = grown;
    if (good && (!grown || !enter_name (t, scope, name, kind, t->count))) good = fail_memory (r);
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

/* ---- names ----------------------------------------------------------------------------------------------
 */

/* The end of the longest beginning of "a::b::c", no longer than length, that names a frame there. */
static size_t find_beginning (const frame_tree *t, int scope, const char *name, int *found)
{
    char piece[512];
    for (size_t length = strlen (name); length; length--)
    {
        if (name[length] && strncmp (name + length, "::", 2)) continue;
        if (length >= sizeof piece) continue;
        memcpy (piece, name, length);
        piece[length] = 0;
        *found = look_up_any (t, scope, piece);
        if (*found < 0 && !strcmp (piece, "__model__") && scope > 0) *found = scope;
        if (*found >= 0) return length;
    }
    return 0;
}

int frames_find (reader *r, int scope, const char *name, const xmlNode *node)
{
    const frame_tree *t = r->frames;
    int at = scope, found = -1;
    if (!strcmp (name, "world")) return 0;
    for (const char *part = name; *part;)
    {
        size_t length = find_beginning (t, at, part, &found);
        if (!length || (part[length] && t->list[found].kind != frame_model)) break;
        if (!part[length]) return found;
        at = found;
        part += length + 2;
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
    const int first = frames_names (r->frames, index);
    size_t length = tail ? strlen (tail) + 2 : 0, end;
    for (int i = first; i > 0; i = frames_names (r->frames, list[i].scope))
        length += strlen (list[i].name) + 2;
    if (length > size + 1)
        return fail_at (r, node, "its name, with those of the models around it, is too long");

    /* From the end to the start; every part but the last is followed by "::". */
    end = length ? length - 2 : 0;
    name[end] = 0;
    if (tail) memcpy (name + (end -= strlen (tail)), tail, strlen (tail));
    for (int i = first; i > 0; i = frames_names (r->frames, list[i].scope))
    {
        size_t part = strlen (list[i].name);
        if (i != first || tail) memcpy (name + (end -= 2), "::", 2);
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

/* 1 if a frame is declared directly in a model, or in one that is merged into it. */
static int is_inside (const frame_tree *t, int index, int model)
{
    int scope = t->list[index].scope;
    while (scope != model && t->list[scope].kind == frame_merged) scope = t->list[scope].scope;
    return scope == model;
}

/* The model's canonical link, or a nested model that has one; -1 without an error if there is none. */
static int find_canonical (reader *r, int model)
{
    const frame_tree *t = r->frames;
    int named = frames_find_attribute (r, model, t->list[model].node, "canonical_link", 0);
    if (named) return named;
    for (int pass = 0; pass < 2; pass++)
        for (int i = model + 1; i < t->count; i++)
            if (t->list[i].kind == (pass ? frame_model : frame_link) && is_inside (t, i, model)) return i;
    return -1;
}

static int find_base (reader *r, int index)
{
    frame *f = &r->frames->list[index];
    int base = f->scope;
    if (f->kind == frame_joint) base = f->attached = find_child_frame (r, f);
    if (f->kind == frame_plain)
        base = f->attached = frames_find_attribute (r, f->scope, f->node, "attached_to", f->scope);
    if (f->kind == frame_model || f->kind == frame_merged) f->attached = find_canonical (r, index);
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
