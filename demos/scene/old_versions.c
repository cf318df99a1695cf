/*
 * Files of older versions of SDFormat, rewritten after parsing as they would be written today, so that
 * nothing else needs to know what changed when: before 1.2   values were attributes, <pose> was <origin
 * pose="">, the root <gazebo> (which 1.2 kept) before 1.4   the time step stood in <physics><ode><solver><dt>
 *     before 1.5   axes of joints were given in the frame of the model
 *     before 1.6   <gravity> stood in <physics>
 *     before 1.7   <use_parent_model_frame> chose the model's frame; relative_to of poses was called frame
 * Which names are legal changed, too; frames.c asks node_version for that.  Source: the descriptions and
 * conversion rules in the folders sdf/1.0 to sdf/1.12 of libsdformat.
 */
#include "build.h"

#include <stdlib.h>
#include <string.h>

/* 1 if node is that element and lies directly in one called parent. */
static int is_in (const xmlNode *node, const char *parent, const char *name)
{
    return is_element (node, name) && is_element (node->parent, parent);
}

/* Appends an element that reports the line of its parent. */
static int add_child (reader *r, xmlNode *parent, const char *name, const xmlChar *text)
{
    xmlNode *child = xmlNewTextChild (parent, NULL, (const xmlChar *)name, text);
    if (!child) return fail_memory (r);
    child->line = parent->line;
    return 1;
}

/* ---- before 1.2 ---------------------------------------------------------------------------------------- */

/* Attributes that never became elements. */
static int stays_attribute (const xmlNode *node, const char *name)
{
    if (!strcmp (name, "filename")) return !is_element (node, "mesh");
    return !strcmp (name, "name") || !strcmp (name, "type") || !strcmp (name, "version");
}

static int move_attribute (reader *r, xmlNode *node, xmlAttr *attribute)
{
    const char *name = (const char *)attribute->name;
    xmlChar *text = xmlNodeListGetString (node->doc, attribute->children, 1);
    int good = text || !attribute->children || fail_memory (r);
    /* <origin pose="">, <parent link=""> and <gravity xyz=""> became elements with that text. */
    int own = (is_element (node, "origin") && !strcmp (name, "pose")) || !strcmp (name, "link") ||
              (is_element (node, "gravity") && !strcmp (name, "xyz"));
    if (good && own)
        xmlNodeAddContent (node, text);
    else if (good)
        good = add_child (r, node, strcmp (name, "filename") ? name : "uri", text);
    xmlFree (text);
    xmlRemoveProp (attribute);
    return good;
}

static int attributes_to_elements (reader *r, xmlNode *node)
{
    for (xmlAttr *a = node->properties, *next; a; a = next)
    {
        next = a->next;
        if (!stays_attribute (node, (const char *)a->name) && !move_attribute (r, node, a)) return 0;
    }
    if (is_element (node, "origin")) xmlNodeSetName (node, (const xmlChar *)"pose");
    return 1;
}

/* ---- before 1.7 ---------------------------------------------------------------------------------------- */

/* Moves an element to another parent, unless that has one of the name already. */
static void move_element (xmlNode *element, xmlNode *parent, const char *name)
{
    if (!element || first_child (parent, name)) return;
    xmlUnlinkNode (element);
    xmlNodeSetName (element, (const xmlChar *)name);
    xmlAddChild (parent, element);
}

static int express_in_model (reader *r, xmlNode *axis, int version)
{
    xmlNode *flag, *xyz;
    int in_model = version < 5;
    if (!only_child (r, axis, "use_parent_model_frame", &flag) ||
        (!in_model && !child_flag (r, axis, "use_parent_model_frame", &in_model)))
        return 0;
    if (flag)
    {
        xmlUnlinkNode (flag);
        xmlFreeNode (flag);
    }
    if (!in_model) return 1;
    if (!first_child (axis, "xyz") && !add_child (r, axis, "xyz", (const xmlChar *)"0 0 1")) return 0;
    int of_world = axis->parent->parent && is_element (axis->parent->parent, "world");
    xyz = first_child (axis, "xyz");
    return xmlSetProp (xyz, (const xmlChar *)"expressed_in",
                       (const xmlChar *)(of_world ? "world" : "__model__")) ||
           fail_memory (r);
}

static int rename_frame (reader *r, xmlNode *pose)
{
    char *name;
    if (!attribute_text (r, pose, "frame", &name)) return 0;
    int good = !name || !*name || xmlHasNsProp (pose, (const xmlChar *)"relative_to", NULL) ||
               xmlSetProp (pose, (const xmlChar *)"relative_to", (const xmlChar *)name) || fail_memory (r);
    free (name);
    xmlUnsetProp (pose, (const xmlChar *)"frame");
    return good;
}

static void upgrade_physics (xmlNode *physics, int version)
{
    xmlNode *ode = first_child (physics, "ode"), *solver = ode ? first_child (ode, "solver") : NULL;
    if (version < 4 && solver) move_element (first_child (solver, "dt"), physics, "max_step_size");
    if (version < 6) move_element (first_child (physics, "gravity"), physics->parent, "gravity");
}

static int upgrade_element (reader *r, xmlNode *node, int version)
{
    if (version < 2 && !attributes_to_elements (r, node)) return 0;
    if (is_in (node, "world", "physics"))
        upgrade_physics (node, version);
    else if (is_element (node, "pose"))
        return rename_frame (r, node);
    else if (is_in (node, "joint", "axis") || is_in (node, "joint", "axis2"))
        return express_in_model (r, node, version);
    return 1;
}

/* libxml2 bounds the depth.  What a plugin says is its own. */
static int upgrade_children (reader *r, xmlNode *parent, int version)
{
    for (xmlNode *c = parent->children, *next; c; c = next)
    {
        next = c->next;
        if (c->type != XML_ELEMENT_NODE || is_element (c, "plugin")) continue;
        if (!upgrade_children (r, c, version) || !upgrade_element (r, c, version)) return 0;
    }
    return 1;
}

int upgrade_document (reader *r, xmlNode *root)
{
    if (is_element (root, "gazebo")) xmlNodeSetName (root, (const xmlChar *)"sdf");
    if (!is_element (root, "sdf") || node_version (root) >= 7) return 1;
    return upgrade_children (r, root, node_version (root));
}
