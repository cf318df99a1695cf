/* Errors and warnings of the scene reader. */
#include "xml.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- errors and warnings ------------------------------------------------------------------------------- */

/* "prefix:" or nothing, as the element is written. */
static void element_name (const xmlNode *node, char *name, size_t size)
{
    const char *prefix = node->ns && node->ns->prefix ? (const char *)node->ns->prefix : "";
    snprintf (name, size, "%s%s%.100s", prefix, *prefix ? ":" : "", (const char *)node->name);
}

static void write_line (char *line, size_t size, const char *path, long number, const char *element,
                        const char *format, va_list list)
{
    char what[1024];
    vsnprintf (what, sizeof what, format, list);
    for (char *c = what; *c; c++)
        if (*c == '\n' || *c == '\r') *c = ' ';
    if (number > 0)
        snprintf (line, size, "%s:%ld: <%s> %s", path, number, element, what);
    else
        snprintf (line, size, "%s: %s", path, what);
}

static void refuse (reader *r, const xmlNode *node, const char *format, va_list list)
{
    char name[160];
    element_name (node, name, sizeof name);
    write_line (r->error, r->error_size, node_path (node), xmlGetLineNo (node), name, format, list);
}

int fail_at (reader *r, const xmlNode *node, const char *format, ...)
{
    if (r->error[0]) return 0;
    va_list list;
    va_start (list, format);
    refuse (r, node, format, list);
    va_end (list);
    return 0;
}

int fail_in (reader *r, const char *path, int line, const char *format, ...)
{
    if (r->error[0]) return 0;
    va_list list;
    va_start (list, format);
    write_line (r->error, r->error_size, path, line, "xml", format, list);
    va_end (list);
    return 0;
}

int fail_memory (reader *r)
{
    if (!r->error[0]) snprintf (r->error, r->error_size, "out of memory");
    return 0;
}

static void tell (reader *r, const xmlNode *node, const char *format, va_list list)
{
    char name[160], line[2048];
    if (!r->warn) return;
    element_name (node, name, sizeof name);
    write_line (line, sizeof line, node_path (node), xmlGetLineNo (node), name, format, list);
    r->warn (r->warn_context, line);
}

void warn_at (reader *r, const xmlNode *node, const char *format, ...)
{
    va_list list;
    va_start (list, format);
    tell (r, node, format, list);
    va_end (list);
}

int doubt_at (reader *r, const xmlNode *node, const char *format, ...)
{
    if (r->error[0]) return 0;
    va_list list;
    va_start (list, format);
    if (r->strict)
        refuse (r, node, format, list);
    else
        tell (r, node, format, list);
    va_end (list);
    return !r->strict;
}

/* 1 if the name is new.  Without memory to remember it the warning is given again, which does no harm. */
static int first_warning (reader *r, const char *name)
{
    for (int i = 0; i < r->warned_count; i++)
        if (!strcmp (r->warned[i], name)) return 0;
    char **grown = scene_grow (r->warned, r->warned_count, &r->warned_room, sizeof *r->warned);
    char *copy = strdup (name);
    if (grown) r->warned = grown;
    if (grown && copy)
        r->warned[r->warned_count++] = copy;
    else
        free (copy);
    return 1;
}

/* words is a list of words with a blank between them. */
static int has_word (const char *words, const char *word)
{
    const size_t length = strlen (word);
    for (const char *at = strstr (words, word); at; at = strstr (at + 1, word))
        if ((at == words || at[-1] == ' ') && (!at[length] || at[length] == ' ')) return 1;
    return 0;
}

void warn_once (reader *r, const xmlNode *node, const char *what)
{
    if (r->warn && first_warning (r, what)) warn_at (r, node, "%s", what);
}

/* known is a list of words; is_element would do for each, but this is asked for every element of a file. */
static int is_listed (const xmlNode *node, const char *known)
{
    const char *name = (const char *)node->name;
    size_t length = strlen (name);
    for (const char *at = strstr (known, name); at; at = strstr (at + 1, name))
    {
        int starts = at == known || at[-1] == ' ' || at[-1] == ':', ends = !at[length] || at[length] == ' ';
        if (!starts || !ends) continue;
        const char *word = at > known && at[-1] == ':' ? at - 4 : at;
        char listed[64];
        snprintf (listed, sizeof listed, "%.*s", (int)(at + length - word), word);
        if (is_element (node, listed)) return 1;
    }
    return 0;
}

/* The attributes that elements of SDFormat, and ours, have. */
static const struct
{
    const char *element, *attributes;
} of_sdf[] = {
    {"pose", "relative_to degrees rotation_format"},
    {"xyz", "expressed_in"},
    {"world", "name"},
    {"model", "name canonical_link placement_frame"},
    {"include", "merge"},
    {"frame", "name attached_to"},
    {"link", "name"},
    {"collision", "name"},
    {"visual", "name"},
    {"joint", "name type"},
    {"inertial", "auto"},
    {"mimic", "joint axis"},
    {"physics", "name default type"},
    {"rls:motor", "velocity max_effort"},
    {"rls:spring", "name link1 point1 link2 point2 stiffness damping length"},
    {"rls:distance", "name link1 point1 link2 point2 length"},
    {"rls:wheel", "name link centre axis radius height"},
    {"rls:probe", "name link"},
    {"rls:reference", "probe file columns valid_to"},
};

/* Those of another namespace are somebody else's, except where they turn what is read here. */
static void warn_attributes (reader *r, const xmlNode *node)
{
    const xmlNode *root = xmlDocGetRootElement (node->doc);
    const char *known = "";
    if (is_element (root, "robot")) return;
    for (size_t i = 0; i < sizeof of_sdf / sizeof *of_sdf; i++)
        if (is_element (node, of_sdf[i].element)) known = of_sdf[i].attributes;
    for (const xmlAttr *a = node->properties; a; a = a->next)
    {
        const char *name = (const char *)a->name;
        if (a->ns ? !strcmp (name, "expressed_in") : !has_word (known, name)) warn_attribute (r, node, name);
    }
}

void warn_unknown (reader *r, const xmlNode *node, const char *known)
{
    if (!r->warn) return;
    for (const xmlNode *c = node->children; c; c = c->next)
    {
        if (c->type != XML_ELEMENT_NODE) continue;
        if (is_listed (c, known))
        {
            warn_attributes (r, c);
            continue;
        }
        char name[160];
        element_name (c, name, sizeof name);
        if (!first_warning (r, name)) continue;
        if (!c->ns && !strncmp ((const char *)c->name, "rls:", 4))
            warn_at (r, c, "is ignored: the prefix rls is not declared (xmlns:rls=\"%s\")", RLS_NAMESPACE);
        else
            warn_at (r, c, "is not read; it is ignored");
    }
}

void warn_attribute (reader *r, const xmlNode *node, const char *attribute)
{
    char name[160], both[330];
    element_name (node, name, sizeof name);
    snprintf (both, sizeof both, "%s %.160s", name, attribute);
    if (first_warning (r, both))
        warn_at (r, node, "attribute '%.160s' is not read; it is ignored", attribute);
}
