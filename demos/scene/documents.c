/* Files of a scene: read whole, parsed without network, document types or entities, and kept to the end. */
#include "xml.h"

#include <ctype.h>
#include <libxml/parser.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MAX_FILE ((size_t)32 << 20)  /* bytes of one scene file */
#define MAX_TOTAL ((size_t)64 << 20) /* bytes of all files of a scene */
#define MAX_DOCUMENTS 1000

/* What is remembered of a document, in its _private. */
typedef struct
{
    char *path;
    int version; /* minor number of SDFormat 1.minor */
} source;

static const source *source_of (const xmlNode *node)
{
    return node->doc ? (const source *)node->doc->_private : NULL;
}

const char *node_path (const xmlNode *node)
{
    const source *from = source_of (node);
    return from ? from->path : "scene";
}

int node_version (const xmlNode *node)
{
    const source *from = source_of (node);
    return from ? from->version : NEWEST_VERSION;
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

static void close_document (xmlDocPtr document)
{
    source *from = document->_private;
    if (from) free (from->path);
    free (from);
    xmlFreeDoc (document);
}

/* Versions are major.minor pairs: 1.10 comes after 1.9.  What is no such pair is read as the newest. */
static int version_of (xmlDocPtr document)
{
    const xmlNode *root = xmlDocGetRootElement (document);
    xmlChar *text = root ? xmlGetNoNsProp (root, (const xmlChar *)"version") : NULL;
    int major, minor = NEWEST_VERSION;
    if (!text || sscanf ((const char *)text, "%d.%d", &major, &minor) != 2 || major != 1)
        minor = NEWEST_VERSION;
    xmlFree (text);
    return minor;
}

int keep_document (reader *r, xmlDocPtr document, const char *path)
{
    xmlDocPtr *grown = scene_grow (r->documents, r->document_count, &r->document_room, sizeof *grown);
    source *from = calloc (1, sizeof *from);
    if (grown) r->documents = grown;
    document->_private = from;
    if (from)
    {
        from->path = strdup (path);
        from->version = version_of (document);
    }
    if (!grown || !from || !from->path)
    {
        close_document (document);
        return fail_memory (r);
    }
    r->documents[r->document_count++] = document;
    return 1;
}

void close_documents (reader *r)
{
    for (int i = 0; i < r->document_count; i++) close_document (r->documents[i]);
    free (r->documents);
    for (int i = 0; i < r->warned_count; i++) free (r->warned[i]);
    free (r->warned);
}

/* ---- parsing ---------------------------------------------------------------------------------------------
 */

static void blank (char *from, const char *to)
{
    for (; from < to; from++)
        if (!isspace ((unsigned char)*from)) *from = ' ';
}

/*
 * Model files are written by hand and read by parsers that are less strict than XML: comments with "--" in
 * them, and blanks or comments before the XML declaration.  Both are blanked out; lines keep their numbers.
 */
static void tolerate (char *text)
{
    char *end;
    for (char *at = text; (at = strchr (at, '<')); at = end)
    {
        int comment = !strncmp (at, "<!--", 4), literal = !strncmp (at, "<![CDATA[", 9);
        int declaration = at > text && !strncmp (at, "<?xml ", 6);
        end = comment       ? strstr (at + 4, "-->")
              : literal     ? strstr (at, "]]>")
              : declaration ? strstr (at, "?>")
                            : at + 1;
        if (!end) return;
        if (comment) blank (at + 4, end);
        if (declaration) blank (at, end + 2);
    }
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
    else
    {
        tolerate (text);
        if (strstr (text, "<!DOCTYPE"))
            fail_in (r, path, 1, "a document type is not accepted");
        else
            document = parse (r, path, text, length);
    }
    free (text);
    if (!document || !keep_document (r, document, path)) return NULL;

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
