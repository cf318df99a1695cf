/* scene_read: from a path to a finished scene, in the order in which things depend on each other. */
#include "build.h"

#include <libxml/parser.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* "folder/door.sdf" is called door. */
static void set_name (scene *s, const char *path)
{
    const char *slash = strrchr (path, '/'), *start = slash ? slash + 1 : path, *dot = strrchr (start, '.');
    int length = dot && dot > start ? (int)(dot - start) : (int)strlen (start);
    snprintf (s->name, sizeof s->name, "%.*s", length, start);
}

static const xmlNode *find_world (reader *r, const xmlNode *root)
{
    warn_unknown (r, root, "world model");
    const xmlNode *world = first_child (root, "world");
    if (!world && !first_child (root, "model")) fail_at (r, root, "has neither a <world> nor a <model>");
    const xmlNode *second = world ? next_sibling (world, "world") : NULL;
    if (second) warn_at (r, second, "only the first world is read");
    return world ? world : root;
}

static int build_links (reader *r)
{
    for (int i = 1; i < r->frames->count; i++)
        if (r->frames->list[i].kind == frame_link && !build_link (r, i)) return 0;
    return 1;
}

static int is_gearbox (const xmlNode *node)
{
    xmlChar *type = xmlGetNoNsProp (node, (const xmlChar *)"type");
    int yes = type && !strcmp ((const char *)type, "gearbox");
    xmlFree (type);
    return yes;
}

/* Gear wheels turn on other joints of the scene, so these come first. */
static int build_joints (reader *r)
{
    for (int gears = 0; gears < 2; gears++)
        for (int i = 1; i < r->frames->count; i++)
        {
            const frame *f = &r->frames->list[i];
            if (f->kind != frame_joint || is_gearbox (f->node) != gears) continue;
            if (!(gears ? build_gearbox (r, i) : build_joint (r, i))) return 0;
        }
    return 1;
}

/* For the world, and for every model in it. */
static int build_everywhere (reader *r, const xmlNode *world,
                             int (*build) (reader *r, int index, const xmlNode *node))
{
    if (is_element (world, "world") && !build (r, 0, world)) return 0;
    for (int i = 1; i < r->frames->count; i++)
        if (r->frames->list[i].kind == frame_model && !build (r, i, r->frames->list[i].node)) return 0;
    return 1;
}

/* Every list begins its elements with their name. */
static void shorten (void *list, int count, size_t element, const char *model)
{
    size_t length = strlen (model);
    for (int i = 0; i < count; i++)
    {
        char *name = (char *)list + (size_t)i * element;
        if (strncmp (name, model, length) || strncmp (name + length, "::", 2)) continue;
        memmove (name, name + length + 2, strlen (name + length + 2) + 1);
    }
}

/*
 * Names carry the models around them, as SDFormat scopes them.  Where only one model of the world moves,
 * its name says nothing and is left out.
 */
static void shorten_names (reader *r)
{
    const char *only = NULL;
    for (int i = 1; i < r->frames->count; i++)
    {
        const frame *f = &r->frames->list[i];
        if (f->kind != frame_model || f->scope || f->fixed) continue;
        if (only) return;
        only = f->name;
    }
    if (!only) return;
    scene *s = r->s;
    shorten (s->links, s->link_count, sizeof *s->links, only);
    shorten (s->bodies, s->body_count, sizeof *s->bodies, only);
    shorten (s->joints, s->joint_count, sizeof *s->joints, only);
    shorten (s->probes, s->probe_count, sizeof *s->probes, only);
    shorten (s->springs, s->spring_count, sizeof *s->springs, only);
}

static int read_all (reader *r, const char *path)
{
    const xmlNode *root = open_scene_file (r, path, NULL);
    const xmlNode *world = root ? find_world (r, root) : NULL;
    if (!world || r->error[0]) return 0;
    int good = frames_start (r) && read_world (r, world) && read_tree (r, world) && frames_resolve (r) &&
               build_links (r) && build_joints (r) && build_mimics (r) &&
               build_everywhere (r, world, build_extensions) && build_everywhere (r, world, build_references);
    if (!good) return 0;
    if (!scene_complete_visuals (r->s)) return fail_memory (r);
    shorten_names (r);
    scene_finish (r->s);
    return 1;
}

static scene *read_scene (const char *path, int strict, scene_warning_function *warn, void *context,
                          char *error, size_t size)
{
    struct stat status;
    char none[1];
    if (!error || !size)
    {
        error = none;
        size = sizeof none;
    }
    error[0] = 0;
    if (!path)
    {
        snprintf (error, size, "no scene is named");
        return NULL;
    }
    if (stat (path, &status) && scene_is_generated (path)) return scene_generate (path, error, size);

    /* A line of its own, so that the first error is known even if the caller's buffer is tiny. */
    char line[2048] = "";
    xmlInitParser ();
    reader r = {.s = scene_new (),
                .error = line,
                .error_size = sizeof line,
                .warn = warn,
                .warn_context = context,
                .strict = strict};
    /* Numbers are written with a point whatever the user's language is. */
    locale_t numbers = newlocale (LC_NUMERIC_MASK, "C", (locale_t)0);
    int good = 0;
    if (r.s && numbers)
    {
        locale_t before = uselocale (numbers);
        set_name (r.s, path);
        good = read_all (&r, path);
        uselocale (before);
    }
    else
        fail_memory (&r);
    if (numbers) freelocale (numbers);
    frames_free (&r);
    close_documents (&r);
    if (good) return r.s;
    snprintf (error, size, "%s", line);
    scene_free (r.s);
    return NULL;
}

scene *scene_read (const char *path, scene_warning_function *warn, void *context, char *error, size_t size)
{
    return read_scene (path, 0, warn, context, error, size);
}

scene *scene_read_strictly (const char *path, scene_warning_function *warn, void *context, char *error,
                            size_t size)
{
    return read_scene (path, 1, warn, context, error, size);
}
