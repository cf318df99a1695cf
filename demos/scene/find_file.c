/*
 * Files that scenes name.  A plain path is seen from the file that names it.  "model://box/mesh.stl" and
 * "package://box/mesh.stl" name a folder that lies beside that file or beside its folder, or in one of the
 * folders that Gazebo's environment variables list.
 */
#include "build.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MAX_PATH 4096

static const char *const variables[] = {"GZ_SIM_RESOURCE_PATH", "IGN_GAZEBO_RESOURCE_PATH",
                                        "GAZEBO_MODEL_PATH", "SDF_PATH"};

static int is_file (const char *path)
{
    struct stat status;
    return !stat (path, &status) && S_ISREG (status.st_mode);
}

/* ---- folders of models --------------------------------------------------------------------------------- */

static int has_attribute (const xmlNode *node, const char *name, int *minor)
{
    xmlChar *text = xmlGetNoNsProp (node, (const xmlChar *)name);
    int major, good = text && sscanf ((const char *)text, "%d.%d", &major, minor) == 2 && major == 1;
    xmlFree (text);
    return good;
}

/* The file that model.config names for the newest version that can be read; NULL if it names none. */
static char *name_in_config (const xmlNode *config)
{
    char *name = NULL;
    int newest = -1, minor;
    for (const xmlNode *c = first_child (config, "sdf"); c; c = next_sibling (c, "sdf"))
    {
        if (!has_attribute (c, "version", &minor)) minor = 0;
        if (minor <= newest || minor > NEWEST_VERSION) continue;
        xmlChar *text = xmlNodeGetContent (c);
        char word[256];
        if (text && sscanf ((const char *)text, "%255s", word) == 1)
        {
            free (name);
            name = strdup (word);
            newest = minor;
        }
        xmlFree (text);
    }
    return name;
}

/* path is a folder: appends the file of its model.  A broken model.config is as good as none. */
static int enter_folder (reader *r, const xmlNode *uri, char *path, size_t size)
{
    size_t length = strlen (path), left = size - length;
    char *named = NULL;
    snprintf (path + length, left, "/model.config");
    if (is_file (path))
    {
        const int earlier = r->error[0] != 0;
        const xmlNode *config = open_document (r, path, uri);
        if (config) named = name_in_config (config);
        if (!earlier) r->error[0] = 0;
    }
    int n = snprintf (path + length, left, "/%s", named ? named : "model.sdf");
    int found = n > 0 && (size_t)n < left && is_file (path);
    if (!found) path[length] = 0;
    free (named);
    return found;
}

/* ---- where to look ---------------------------------------------------------------------------------------
 */

typedef struct
{
    reader *r;
    const xmlNode *uri;
    int is_model; /* a folder means the model in it */
    char *path;
    size_t size;
} quest;

static int try_path (const quest *q, const char *folder, int length, const char *name)
{
    int n = snprintf (q->path, q->size, "%.*s%s%s", length, folder, length ? "/" : "", name);
    if (n < 0 || (size_t)n >= q->size) return 0;
    return is_file (q->path) || (q->is_model && enter_folder (q->r, q->uri, q->path, q->size));
}

static int try_variables (const quest *q, const char *name)
{
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        for (const char *list = getenv (variables[i]); list && *list;)
        {
            size_t length = strcspn (list, ":");
            if (length && length < MAX_PATH && try_path (q, list, (int)length, name)) return 1;
            list += length + (list[length] == ':');
        }
    return 0;
}

/* Beside the file that names it; for models and their parts also beside its folder; and in that folder
 * itself, where the name begins with a folder. */
static int try_beside (const quest *q, const char *name, int is_package)
{
    const char *base = node_path (q->uri), *slash = strrchr (base, '/'), *rest = strchr (name, '/');
    const char *folder = slash ? base : ".";
    int length = slash ? (int)(slash - base) : 1;
    char above[MAX_PATH];
    if (!slash && try_path (q, "", 0, name)) return 1;
    if (slash && try_path (q, folder, length, name)) return 1;
    if (!is_package) return 0;
    snprintf (above, sizeof above, "%.*s/..", length, folder);
    return try_path (q, above, (int)strlen (above), name) ||
           (rest && !q->is_model && try_path (q, folder, length, rest + 1));
}

int find_resource (reader *r, const xmlNode *uri, const char *name, int is_model, char *path, size_t size)
{
    const quest q = {.r = r, .uri = uri, .is_model = is_model, .path = path, .size = size};
    const char *scheme = strstr (name, "://");
    path[0] = 0;
    if (!strncmp (name, "file://", 7))
        name += 7;
    else if (!strncmp (name, "model://", 8) || !strncmp (name, "package://", 10))
    {
        name = scheme + 3;
        return *name && (try_beside (&q, name, 1) || try_variables (&q, name));
    }
    else if (scheme)
        return 0;
    if (*name == '/') return try_path (&q, "", 0, name);
    return *name && (try_beside (&q, name, is_model) || try_variables (&q, name));
}

int doubt_missing (reader *r, const xmlNode *uri, const char *name, const char *what)
{
    if (!strncmp (name, "http://", 7) || !strncmp (name, "https://", 8))
        return doubt_at (r, uri, "'%.200s' is not on this machine, and nothing is fetched from a network; %s",
                         name, what);
    return doubt_at (r, uri, "'%.200s' is neither beside this file nor along %s, %s, %s or %s; %s", name,
                     variables[0], variables[1], variables[2], variables[3], what);
}
