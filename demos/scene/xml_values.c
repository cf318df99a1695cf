/* Elements, attributes, numbers and poses of the scene reader. */
#include "xml.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- elements ------------------------------------------------------------------------------------------ */

int is_element (const xmlNode *node, const char *name)
{
    if (node->type != XML_ELEMENT_NODE) return 0;
    int extension = !strncmp (name, "rls:", 4);
    if (extension != (node->ns && node->ns->href && !strcmp ((const char *)node->ns->href, RLS_NAMESPACE)))
        return 0;
    if (!extension && node->ns && node->ns->prefix) return 0;
    return !strcmp ((const char *)node->name, extension ? name + 4 : name);
}

void mark_static (xmlNode *link) { link->_private = link; }
int is_marked_static (const xmlNode *link) { return link->_private != NULL; }

static xmlNode *find_from (xmlNode *node, const char *name)
{
    while (node && !is_element (node, name)) node = node->next;
    return node;
}

xmlNode *first_child (const xmlNode *node, const char *name) { return find_from (node->children, name); }
xmlNode *next_sibling (const xmlNode *node, const char *name) { return find_from (node->next, name); }

int only_child (reader *r, const xmlNode *node, const char *name, xmlNode **child)
{
    *child = first_child (node, name);
    xmlNode *second = *child ? next_sibling (*child, name) : NULL;
    return !second || doubt_at (r, second, "is given twice; the first one counts");
}

/* ---- text ---------------------------------------------------------------------------------------------- */

/* Takes over libxml2's string; returns a trimmed copy in *text. */
static int trimmed (reader *r, xmlChar *content, char **text)
{
    if (!content) return fail_memory (r);
    const char *start = (const char *)content;
    while (isspace ((unsigned char)*start)) start++;
    size_t length = strlen (start);
    while (length && isspace ((unsigned char)start[length - 1])) length--;
    *text = strndup (start, length);
    xmlFree (content);
    return *text ? 1 : fail_memory (r);
}

int element_text (reader *r, const xmlNode *node, char **text)
{
    *text = NULL;
    return trimmed (r, xmlNodeGetContent (node), text);
}

int attribute_text (reader *r, const xmlNode *node, const char *name, char **text)
{
    *text = NULL;
    if (!xmlHasNsProp (node, (const xmlChar *)name, NULL)) return 1;
    return trimmed (r, xmlGetNoNsProp (node, (const xmlChar *)name), text);
}

int required_attribute (reader *r, const xmlNode *node, const char *name, char **text)
{
    if (!attribute_text (r, node, name, text)) return 0;
    if (*text && **text) return 1;
    free (*text);
    *text = NULL;
    return fail_at (r, node, "needs the attribute %s", name);
}

/* ---- numbers ----------------------------------------------------------------------------------------------
 */

/* As many characters of a value as a message shows. */
static int shown (size_t length) { return length < 40 ? (int)length : 40; }

/* what names the value in messages: "" for the element itself, "attribute x: " otherwise. */
static int parse_numbers (reader *r, const xmlNode *node, const char *what, const char *text, double *numbers,
                          int least, int most, int allow_infinite)
{
    const char *at = text;
    for (int i = 0;; i++)
    {
        while (isspace ((unsigned char)*at)) at++;
        if (i == most || (!*at && i >= least)) break;
        if (!*at)
            return fail_at (r, node, "%sneeds %d number%s, has %d", what, least, least == 1 ? "" : "s", i);
        char *end;
        double number = strtod (at, &end);
        if (end == at || (*end && !isspace ((unsigned char)*end)))
            return fail_at (r, node, "%s'%.*s' is not a number", what, shown (strcspn (at, " \t\r\n")), at);
        if (isnan (number) || (!allow_infinite && isinf (number)))
            return fail_at (r, node, "%s'%.*s' is not a finite number", what, shown ((size_t)(end - at)), at);
        numbers[i] = number;
        at = end;
    }
    return !*at || fail_at (r, node, "%shas more than %d number%s", what, most, most == 1 ? "" : "s");
}

int element_numbers (reader *r, const xmlNode *node, double *numbers, int count, int allow_infinite)
{
    char *text;
    int good = element_text (r, node, &text) &&
               parse_numbers (r, node, "", text, numbers, count, count, allow_infinite);
    free (text);
    return good;
}

int element_numbers_between (reader *r, const xmlNode *node, double *numbers, int least, int most)
{
    char *text;
    int good = element_text (r, node, &text) && parse_numbers (r, node, "", text, numbers, least, most, 0);
    free (text);
    return good;
}

int attribute_numbers (reader *r, const xmlNode *node, const char *name, double *numbers, int count,
                       int *given)
{
    char *text, what[64];
    if (!attribute_text (r, node, name, &text)) return 0;
    snprintf (what, sizeof what, "attribute %s: ", name);
    if (given) *given = text != NULL;
    int good = !text || parse_numbers (r, node, what, text, numbers, count, count, 0);
    free (text);
    return good;
}

int child_number (reader *r, const xmlNode *node, const char *name, double *value)
{
    xmlNode *child;
    if (!only_child (r, node, name, &child)) return 0;
    return !child || element_numbers (r, child, value, 1, 0);
}

int child_number_or_infinite (reader *r, const xmlNode *node, const char *name, double *value)
{
    xmlNode *child;
    if (!only_child (r, node, name, &child)) return 0;
    return !child || element_numbers (r, child, value, 1, 1);
}

int child_not_negative (reader *r, const xmlNode *node, const char *name, double *value)
{
    xmlNode *child;
    if (!only_child (r, node, name, &child)) return 0;
    if (!child) return 1;
    if (!element_numbers (r, child, value, 1, 0)) return 0;
    return *value >= 0 || fail_at (r, child, "must not be negative, is %g", *value);
}

static int parse_flag (reader *r, const xmlNode *node, const char *what, const char *text, int *value)
{
    if (!strcmp (text, "true") || !strcmp (text, "1"))
        *value = 1;
    else if (!strcmp (text, "false") || !strcmp (text, "0"))
        *value = 0;
    else
        return fail_at (r, node, "%s'%.40s' is neither true nor false", what, text);
    return 1;
}

int child_flag (reader *r, const xmlNode *node, const char *name, int *value)
{
    xmlNode *child;
    char *text;
    if (!only_child (r, node, name, &child)) return 0;
    if (!child) return 1;
    int good = element_text (r, child, &text) && parse_flag (r, child, "", text, value);
    free (text);
    return good;
}

int attribute_flag (reader *r, const xmlNode *node, const char *name, int *value)
{
    char *text, what[64];
    if (!attribute_text (r, node, name, &text)) return 0;
    snprintf (what, sizeof what, "attribute %s: ", name);
    int good = !text || parse_flag (r, node, what, text, value);
    free (text);
    return good;
}

/* ---- poses --------------------------------------------------------------------------------------------- */

int read_pose (reader *r, const xmlNode *node, scene_pose *pose)
{
    char *text = NULL, *format = NULL;
    double v[7] = {0};
    int in_degrees = 0;
    int good = element_text (r, node, &text) && attribute_text (r, node, "rotation_format", &format) &&
               attribute_flag (r, node, "degrees", &in_degrees);
    int quaternion = format && !strcmp (format, "quat_xyzw");
    if (good && format && !quaternion && strcmp (format, "euler_rpy"))
        good = fail_at (r, node, "attribute rotation_format: '%.40s' is neither euler_rpy nor quat_xyzw",
                        format);
    if (good && quaternion && in_degrees) good = fail_at (r, node, "a quaternion has no degrees");

    *pose = scene_pose_identity;
    if (good && *text)
    {
        good = parse_numbers (r, node, "", text, v, quaternion ? 7 : 6, quaternion ? 7 : 6, 0);
        double unit = in_degrees ? M_PI / 180 : 1;
        for (int i = 0; i < 3; i++) pose->p[i] = v[i];
        if (!quaternion)
            pose_set_rpy (pose, unit * v[3], unit * v[4], unit * v[5]);
        else if (good && !pose_set_quaternion (pose, v[6], v[3], v[4], v[5]))
            good = fail_at (r, node, "the quaternion is zero");
    }
    free (text);
    free (format);
    return good;
}
