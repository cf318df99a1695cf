/*
 * Reading XML safely: no network, no document type, no entities, bounded size and depth.  All helpers
 * report the first thing that is wrong as "FILE:LINE: <element> what", so that callers only pass on 0.
 */
#ifndef SCENE_XML_H
#define SCENE_XML_H

#include "pose.h"
#include "scene_data.h"

#include <libxml/tree.h>

#define RLS_NAMESPACE "urn:ode-rls"

struct frame_tree;

/* What one scene_read needs; freed at its end. */
typedef struct
{
    scene *s;
    char *error;
    size_t error_size;
    scene_warning_function *warn;
    void *warn_context;
    int strict;    /* what is doubtful is an error */
    char **warned; /* element names that have been warned of */
    int warned_count, warned_room;
    xmlDocPtr *documents; /* each with its path in _private */
    int document_count, document_room;
    size_t bytes; /* read so far from all files */
    struct frame_tree *frames;
} reader;

/* Both write the line to reader.error, if it is the first, and return 0.  node may be NULL. */
int fail_at (reader *r, const xmlNode *node, const char *format, ...) __attribute__ ((format (printf, 3, 4)));
int fail_in (reader *r, const char *path, int line, const char *format, ...)
    __attribute__ ((format (printf, 4, 5)));
int fail_memory (reader *r);

void warn_at (reader *r, const xmlNode *node, const char *format, ...)
    __attribute__ ((format (printf, 3, 4)));

/* The same once a scene. */
void warn_once (reader *r, const xmlNode *node, const char *what);

/* What is listed and merely missing, doubled or implausible: a warning, or an error where the reader is
 * strict; then returns 0. */
int doubt_at (reader *r, const xmlNode *node, const char *format, ...)
    __attribute__ ((format (printf, 3, 4)));

/* The file that an element is in, and the minor number of its SDFormat version. */
#define NEWEST_VERSION 12
const char *node_path (const xmlNode *node);
int node_version (const xmlNode *node);

/* Parses a file and returns its root element.  from: the element that asks for it, NULL for the scene itself.
 */
xmlNode *open_document (reader *r, const char *path, const xmlNode *from);
void close_documents (reader *r);

/* Takes over a document, to be closed with the others; messages name the path. */
int keep_document (reader *r, xmlDocPtr document, const char *path);

/* The path that a file named in an element has, seen from the file the element is in. */
int resolve_path (reader *r, const xmlNode *node, const char *name, char *path, size_t size);

/* Reads a whole regular file of at most limit bytes; NULL, and problem set, if that fails.  Free the result.
 */
char *read_file (const char *path, size_t limit, size_t *length, const char **problem);

/* Warns once a name of children that are not in the list ("pose link rls:probe"; rls: is our namespace). */
void warn_unknown (reader *r, const xmlNode *node, const char *known);

/* The same of an attribute. */
void warn_attribute (reader *r, const xmlNode *node, const char *attribute);

/* A link that stands in a model that moves: SDFormat has none, URDF does. */
void mark_static (xmlNode *link);
int is_marked_static (const xmlNode *link);

/* 1 if node is the SDF element (or with a name "rls:..." the extension element) of that name. */
int is_element (const xmlNode *node, const char *name);

/* The first, or the next, child element of that name; NULL if there is none. */
xmlNode *first_child (const xmlNode *node, const char *name);
xmlNode *next_sibling (const xmlNode *node, const char *name);

/* The child of that name, NULL if absent.  Of several the first counts, with a warning; 0 if that is an
 * error. */
int only_child (reader *r, const xmlNode *node, const char *name, xmlNode **child);

/* Trimmed text of an element or attribute; *text is NULL if absent.  Free with free.  0: no memory. */
int element_text (reader *r, const xmlNode *node, char **text);
int attribute_text (reader *r, const xmlNode *node, const char *name, char **text);

/* The same where it must be there and not empty. */
int required_attribute (reader *r, const xmlNode *node, const char *name, char **text);

/* Exactly count numbers, finite unless allow_infinite. */
int element_numbers (reader *r, const xmlNode *node, double *numbers, int count, int allow_infinite);
int element_numbers_between (reader *r, const xmlNode *node, double *numbers, int least, int most);
int attribute_numbers (reader *r, const xmlNode *node, const char *name, double *numbers, int count,
                       int *given);

/* An optional child (or attribute) with one number or truth value: *value stays as it is when it is absent.
 */
int child_number (reader *r, const xmlNode *node, const char *name, double *value);
int child_number_or_infinite (reader *r, const xmlNode *node, const char *name, double *value);
int child_not_negative (reader *r, const xmlNode *node, const char *name, double *value);
int attribute_flag (reader *r, const xmlNode *node, const char *name, int *value);
int child_flag (reader *r, const xmlNode *node, const char *name, int *value);

/* <pose>: relative_to is the caller's business. */
int read_pose (reader *r, const xmlNode *node, scene_pose *pose);

#endif
