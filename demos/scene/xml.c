/* Documents, errors and warnings of the scene reader. */
#include "xml.h"

#include <libxml/parser.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MAX_FILE ((size_t)32 << 20)  /* bytes of one scene file */
#define MAX_TOTAL ((size_t)64 << 20) /* bytes of all files of a scene */
#define MAX_DOCUMENTS 1000

/* ---- errors and warnings ------------------------------------------------------------------------------- */

static const char *node_path (const xmlNode *node)
{
    const char *path = node->doc ? node->doc->_private : NULL;
    return path ? path : "scene";
}

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

int fail_at (reader *r, const xmlNode *node, const char *format, ...)
{
    if (r->error[0]) return 0;
    char name[160];
    element_name (node, name, sizeof name);
    va_list list;
    va_start (list, format);
    write_line (r->error, r->error_size, node_path (node), xmlGetLineNo (node), name, format, list);
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

void warn_at (reader *r, const xmlNode *node, const char *format, ...)
{
    if (!r->warn) return;
    char name[160], line[2048];
    element_name (node, name, sizeof name);
    va_list list;
    va_start (list, format);
    write_line (line, sizeof line, node_path (node), xmlGetLineNo (node), name, format, list);
    va_end (list);
    r->warn (r->warn_context, line);
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

void warn_unknown (reader *r, const xmlNode *node, const char *known)
{
    for (const xmlNode *c = node->children; c; c = c->next)
    {
        if (c->type != XML_ELEMENT_NODE || is_listed (c, known)) continue;
        char name[160];
        element_name (c, name, sizeof name);
        if (!first_warning (r, name)) continue;
        if (!c->ns && !strncmp ((const char *)c->name, "rls:", 4))
            warn_at (r, c, "is ignored: the prefix rls is not declared (xmlns:rls=\"%s\")", RLS_NAMESPACE);
        else
            warn_at (r, c, "is not read; it is ignored");
    }
}

/* ---- files --------------------------------------------------------------------------------------------- */

char *read_file (const char *path, size_t limit, size_t *length, const char **problem)
{
    struct stat status;
    *problem = "cannot be opened";
    if (stat (path, &status)) return NULL;
    *problem = "is not a regular file";
    if (!S_ISREG (status.st_mode)) return NULL;
    *problem = "is too large";
    if (status.st_size < 0 || (unsigned long long)status.st_size > limit) return NULL;
    *problem = "cannot be opened";
    FILE *file = fopen (path, "rb");
    if (!file) return NULL;
    char *text = malloc ((size_t)status.st_size + 1);
    *problem = text ? "cannot be read" : "needs more memory than there is";
    if (text)
    {
        *length = fread (text, 1, (size_t)status.st_size, file);
        text[*length] = 0;
        if (*length != (size_t)status.st_size)
        {
            free (text);
            text = NULL;
        }
    }
    fclose (file);
    return text;
}

int resolve_path (reader *r, const xmlNode *node, const char *name, char *path, size_t size)
{
    if (!strncmp (name, "file://", 7)) name += 7;
    if (strstr (name, "://"))
        return fail_at (r, node, "'%s' is not a local file; nothing is fetched from a network", name);
    const char *base = node_path (node), *slash = strrchr (base, '/');
    int folder = name[0] == '/' || !slash ? 0 : (int)(slash - base) + 1;
    int n = snprintf (path, size, "%.*s%s", folder, base, name);
    if (n < 0 || (size_t)n >= size) return fail_at (r, node, "the path '%.80s...' is too long", name);
    return 1;
}

static int remember_document (reader *r, xmlDocPtr document, const char *path)
{
    xmlDocPtr *grown = scene_grow (r->documents, r->document_count, &r->document_room, sizeof *grown);
    if (grown) r->documents = grown;
    document->_private = strdup (path);
    if (!grown || !document->_private)
    {
        free (document->_private);
        xmlFreeDoc (document);
        return fail_memory (r);
    }
    r->documents[r->document_count++] = document;
    return 1;
}

void close_documents (reader *r)
{
    for (int i = 0; i < r->document_count; i++)
    {
        free (r->documents[i]->_private);
        xmlFreeDoc (r->documents[i]);
    }
    free (r->documents);
    for (int i = 0; i < r->warned_count; i++) free (r->warned[i]);
    free (r->warned);
}

typedef struct
{
    int line; /* 0: nothing has gone wrong yet */
    char message[300];
} first_problem;

#if LIBXML_VERSION >= 21200
typedef const xmlError *xml_problem;
#else
typedef xmlErrorPtr xml_problem;
#endif

/* Keeps the first error: those that follow from it only confuse. */
static void keep_problem (void *context, xml_problem problem)
{
    first_problem *first = ((xmlParserCtxtPtr)context)->_private;
    if (first->line || problem->level < XML_ERR_ERROR) return;
    first->line = problem->line > 0 ? problem->line : 1;
    snprintf (first->message, sizeof first->message, "%s", problem->message ? problem->message : "");
    first->message[strcspn (first->message, "\r\n")] = 0;
}

/* libxml2 bounds the depth (256) and the size of text by itself as long as it is not told to parse huge
 * files. */
static xmlDocPtr parse (reader *r, const char *path, const char *text, size_t length)
{
    first_problem first = {0, ""};
    xmlParserCtxtPtr context = xmlNewParserCtxt ();
    if (!context)
    {
        fail_memory (r);
        return NULL;
    }
    context->_private = &first;
    context->sax->serror = keep_problem;
    xmlDocPtr document = xmlCtxtReadMemory (context, text, (int)length, NULL, NULL,
                                            XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING |
                                                XML_PARSE_BIG_LINES | XML_PARSE_NOCDATA);
    xmlFreeParserCtxt (context);
    /* An undeclared prefix is an error to libxml2, but one to be told with the element that has it. */
    if (!document)
        fail_in (r, path, first.line ? first.line : 1, "%s",
                 first.line ? first.message : "is not an XML document");
    return document;
}

xmlNode *open_document (reader *r, const char *path, const xmlNode *from)
{
    size_t length = 0;
    const char *problem;
    char *text = read_file (path, MAX_FILE, &length, &problem);
    if (!text)
    {
        if (from)
            fail_at (r, from, "'%s' %s", path, problem);
        else
            fail_in (r, path, 0, "%s", problem);
        return NULL;
    }
    r->bytes += length;
    xmlDocPtr document = NULL;
    if (r->bytes > MAX_TOTAL || r->document_count >= MAX_DOCUMENTS)
        fail_in (r, path, 1, "the scene has too many or too large files");
    else if (strstr (text, "<!DOCTYPE"))
        fail_in (r, path, 1, "a document type is not accepted");
    else
        document = parse (r, path, text, length);
    free (text);
    if (!document || !remember_document (r, document, path)) return NULL;

    /* Once more, for encodings that hide the text from the search above. */
    xmlNode *root = xmlDocGetRootElement (document);
    if (document->intSubset || document->extSubset)
        fail_in (r, path, 1, "a document type is not accepted");
    else if (!root)
        fail_in (r, path, 1, "the document is empty");
    else
        return root;
    return NULL;
}
