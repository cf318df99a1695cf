/*
 * URDF, rewritten as SDFormat, so that one reader serves both.  Every link is placed relative to its parent;
 * a joint's frame is its child's.  What Gazebo reads in <gazebo> elements is taken over where it says
 * something of physics: friction and contact of a link, springs of a joint, and without a reference whatever
 * SDFormat allows in a model, such as a <joint> that closes a loop.
 *
 * Links without mass are no bodies.  One that is fixed to a link with mass, directly or through others,
 * becomes a frame of it and hands its shapes over; a root, and what is fixed to it, stands in the world with
 * its shapes; one at the end of the tree is left out with its joint; one in between makes the file unusable.
 * Source: wiki.ros.org/urdf/XML, and "SDFormat extensions to URDF" of Gazebo.
 */
#include "urdf.h"

#include <stdlib.h>
#include <string.h>

/* ---- elements ------------------------------------------------------------------------------------------ */

xmlNode *urdf_put (reader *r, xmlNode *parent, const xmlNode *from, const char *name, const char *text)
{
    xmlNode *node = xmlNewTextChild (parent, NULL, (const xmlChar *)name, (const xmlChar *)text);
    if (!node)
        fail_memory (r);
    else
        node->line = from->line;
    return node;
}

int urdf_set (reader *r, xmlNode *node, const char *attribute, const char *value)
{
    return xmlSetProp (node, (const xmlChar *)attribute, (const xmlChar *)value) || fail_memory (r);
}

/* <origin xyz="" rpy=""> as <pose>, relative to a frame unless that is NULL. */
int urdf_put_pose (reader *r, xmlNode *parent, const xmlNode *from, const char *relative_to)
{
    static const char *const known[][2] = {{"xyz", NULL}, {"rpy", NULL}, {NULL, NULL}};
    xmlNode *origin;
    double v[6] = {0};
    char text[200];
    if (!only_child (r, from, "origin", &origin)) return 0;
    if (origin) urdf_warn_others (r, origin, known);
    const int good = !origin || (attribute_numbers (r, origin, "xyz", v, 3, NULL) &&
                                 attribute_numbers (r, origin, "rpy", v + 3, 3, NULL));
    snprintf (text, sizeof text, "%.17g %.17g %.17g %.17g %.17g %.17g", v[0], v[1], v[2], v[3], v[4], v[5]);
    xmlNode *pose = good ? urdf_put (r, parent, origin ? origin : from, "pose", text) : NULL;
    return pose && (!relative_to || urdf_set (r, pose, "relative_to", relative_to));
}

/* ---- the tree ------------------------------------------------------------------------------------------ */

static void free_tree (urdf_tree *t)
{
    for (int i = 0; i < t->link_count; i++) free (t->links[i].name);
    for (int i = 0; i < t->joint_count; i++) free (t->joints[i].name);
    free (t->links);
    free (t->joints);
    free (t->order);
    if (t->names) xmlHashFree (t->names, NULL);
}

int urdf_find_link (const urdf_tree *t, const char *name)
{
    return (int)(size_t)xmlHashLookup (t->names, (const xmlChar *)name) - 1;
}

static int has_mass (reader *r, const xmlNode *link, int *yes)
{
    xmlNode *inertial, *mass = NULL;
    double value = 0;
    int given;
    if (!only_child (r, link, "inertial", &inertial) ||
        (inertial && !only_child (r, inertial, "mass", &mass)) ||
        (mass && !attribute_numbers (r, mass, "value", &value, 1, &given)))
        return 0;
    *yes = value != 0;
    return 1;
}

static int add_link (reader *r, urdf_tree *t, const xmlNode *node)
{
    urdf_link *links = scene_grow (t->links, t->link_count, &t->link_room, sizeof *links);
    if (!links) return fail_memory (r);
    t->links = links;
    urdf_link *l = &links[t->link_count];
    l->node = node;
    l->parent = l->carrier = l->below = -1;
    if (!required_attribute (r, node, "name", &l->name)) return 0;
    t->link_count++;
    if (!has_mass (r, node, &l->has_mass)) return 0;
    if (xmlHashAddEntry (t->names, (const xmlChar *)l->name, (void *)(size_t)t->link_count))
        return fail_at (r, node, "the name '%.100s' is used twice", l->name);
    return 1;
}

static int find_end (reader *r, const urdf_tree *t, const xmlNode *joint, const char *element, int *link)
{
    xmlNode *node;
    char *name;
    if (!only_child (r, joint, element, &node)) return 0;
    if (!node) return fail_at (r, joint, "needs a <%s>", element);
    if (!required_attribute (r, node, "link", &name)) return 0;
    *link = urdf_find_link (t, name);
    /* Gazebo's name for what does not move. */
    int good = *link >= 0 || !strcmp (name, "world") || fail_at (r, node, "there is no link '%.100s'", name);
    free (name);
    return good;
}

static int add_joint (reader *r, urdf_tree *t, const xmlNode *node)
{
    urdf_joint *joints = scene_grow (t->joints, t->joint_count, &t->joint_room, sizeof *joints);
    if (!joints) return fail_memory (r);
    t->joints = joints;
    urdf_joint *j = &joints[t->joint_count];
    char *type;
    j->node = node;
    if (!required_attribute (r, node, "name", &j->name)) return 0;
    t->joint_count++;
    if (!find_end (r, t, node, "parent", &j->parent) || !find_end (r, t, node, "child", &j->child) ||
        !required_attribute (r, node, "type", &type))
        return 0;
    j->fixed = !strcmp (type, "fixed");
    j->floating = !strcmp (type, "floating");
    free (type);
    if (j->child < 0) return fail_at (r, node, "has the world as its child");
    urdf_link *child = &t->links[j->child];
    if (child->parent >= 0)
        return fail_at (
            r, node,
            "is the second joint that leads to '%.100s': URDF is a tree; close a loop by a <joint> of "
            "SDFormat in <gazebo>",
            child->name);
    child->parent = t->joint_count - 1;
    return 1;
}

/* Links from the roots outwards; what is missing then hangs together in a ring. */
static int sort_links (reader *r, urdf_tree *t)
{
    t->order = calloc ((size_t)t->link_count + 1, sizeof *t->order);
    int *first = calloc ((size_t)t->link_count + 1, sizeof *first), count = 0;
    if (!t->order || !first)
    {
        free (first);
        return fail_memory (r);
    }
    /* The children of each link as a list through the joints. */
    for (int j = t->joint_count - 1; j >= 0; j--)
        if (t->joints[j].parent >= 0)
        {
            t->joints[j].next = first[t->joints[j].parent];
            first[t->joints[j].parent] = j + 1;
        }
    for (int i = 0; i < t->link_count; i++)
        if (t->links[i].parent < 0 || t->joints[t->links[i].parent].parent < 0) t->order[count++] = i;
    for (int done = 0; done < count; done++)
        for (int j = first[t->order[done]]; j; j = t->joints[j - 1].next)
            t->order[count++] = t->joints[j - 1].child;
    free (first);
    for (int i = 0; i < t->joint_count && count < t->link_count; i++)
        if (t->joints[i].parent == t->joints[i].child)
            return fail_at (r, t->joints[i].node, "joins a link to itself");
    return count == t->link_count ||
           fail_at (r, t->robot, "has links that hang together in a ring: URDF is a tree");
}

/* ---- links without mass -------------------------------------------------------------------------------- */

/* Marks a link that carries something else than what is fixed to it. */
static void mark_used (urdf_tree *t, int link)
{
    while (link >= 0 && !t->links[link].used)
    {
        t->links[link].used = 1;
        const int up = t->links[link].parent;
        link = up >= 0 && t->joints[up].fixed ? t->joints[up].parent : -1;
    }
}

static int find_carriers (reader *r, urdf_tree *t)
{
    /* From the leaves: the first link with mass that is fixed to it. */
    for (int i = t->link_count - 1; i >= 0; i--)
    {
        const int link = t->order[i], up = t->links[link].parent;
        urdf_link *l = &t->links[link];
        if (l->has_mass) l->below = link;
        if (up < 0 || t->joints[up].parent < 0) continue;
        urdf_link *parent = &t->links[t->joints[up].parent];
        if (t->joints[up].fixed && l->below >= 0) parent->below = l->below;
        if (!t->joints[up].fixed && (l->below >= 0 || l->used)) mark_used (t, t->joints[up].parent);
    }
    for (int i = 0; i < t->link_count; i++)
    {
        const int link = t->order[i], up = t->links[link].parent;
        urdf_link *l = &t->links[link];
        const int above = up >= 0 && t->joints[up].fixed && t->joints[up].parent >= 0
                              ? t->links[t->joints[up].parent].carrier
                              : -1;
        const int root = up < 0 || (t->joints[up].fixed && t->joints[up].parent < 0);
        const int is_world = !strcmp (l->name, "world"); /* it belongs to no body, whatever is fixed to it */
        l->carrier = is_world ? -1 : l->has_mass ? link : above >= 0 ? above : l->below;
        l->still = is_world;
        if (l->carrier >= 0 || is_world) continue;
        l->still = root || (t->joints[up].fixed && t->links[t->joints[up].parent].still);
        if (l->used && !l->still)
            return fail_at (r, l->node, "'%.100s' has no mass, though links with mass move on it", l->name);
        if (l->used && up < 0 &&
            !doubt_at (r, l->node, "'%.100s' has no mass and carries others; it stands still", l->name))
            return 0;
        if (!l->still &&
            !doubt_at (r, l->node, "'%.100s' has no mass; it and its joint are left out", l->name))
            return 0;
    }
    return 1;
}

/* ---- the whole ----------------------------------------------------------------------------------------- */

static int read_tree_of (reader *r, urdf_tree *t)
{
    t->names = xmlHashCreate (64);
    if (!t->names) return fail_memory (r);
    for (const xmlNode *c = first_child (t->robot, "link"); c; c = next_sibling (c, "link"))
        if (!add_link (r, t, c)) return 0;
    if (!t->link_count) return fail_at (r, t->robot, "has no <link>");
    for (const xmlNode *c = first_child (t->robot, "joint"); c; c = next_sibling (c, "joint"))
        if (!add_joint (r, t, c)) return 0;
    return sort_links (r, t) && find_carriers (r, t);
}

/* What a macro stands for is missing in a file that xacro has not expanded: that would be another robot. */
static int refuse_xacro (reader *r, const xmlNode *node)
{
    for (const xmlNode *c = node->children; c; c = c->next)
    {
        if (c->type != XML_ELEMENT_NODE) continue;
        const int foreign = c->ns && c->ns->prefix && !strcmp ((const char *)c->ns->prefix, "xacro");
        if (foreign || !strncmp ((const char *)c->name, "xacro:", 6))
            return fail_at (r, c, "is not URDF yet: expand the file first, by xacro FILE > ROBOT.urdf");
        if (!refuse_xacro (r, c)) return 0;
    }
    return 1;
}

/* <gazebo reference=""> is about a link or a joint. */
static int check_gazebo (reader *r, const urdf_tree *t)
{
    for (const xmlNode *g = first_child (t->robot, "gazebo"); g; g = next_sibling (g, "gazebo"))
    {
        char *name;
        int known = 0;
        if (!attribute_text (r, g, "reference", &name)) return 0;
        for (int i = 0; name && i < t->joint_count; i++) known |= !strcmp (t->joints[i].name, name);
        if (name && *name && !known && urdf_find_link (t, name) < 0)
            warn_at (r, g, "is about '%.100s', which is no link and no joint; it is ignored", name);
        else if (name && *name)
            warn_unknown (r, g, known ? "springStiffness springReference" URDF_OF_LINKS : URDF_OF_LINKS);
        free (name);
    }
    return 1;
}

static xmlNode *start_document (reader *r, const xmlNode *robot)
{
    xmlDocPtr document = xmlNewDoc ((const xmlChar *)"1.0");
    xmlNode *root = document ? xmlNewDocNode (document, NULL, (const xmlChar *)"sdf", NULL) : NULL;
    if (!root)
    {
        if (document) xmlFreeDoc (document);
        fail_memory (r);
        return NULL;
    }
    xmlDocSetRootElement (document, root);
    root->line = robot->line;
    /* Of a version in which joints and links may share names, as they may in URDF. */
    if (urdf_set (r, root, "version", "1.6") && keep_document (r, document, node_path (robot))) return root;
    return NULL;
}

const xmlNode *urdf_to_sdf (reader *r, const xmlNode *robot)
{
    urdf_tree t = {.robot = robot};
    xmlNode *root = start_document (r, robot), *model = NULL;
    char *name = NULL;
    if (!root || !refuse_xacro (r, robot)) return NULL;
    warn_unknown (r, robot, "link joint material gazebo transmission");
    int good = attribute_text (r, robot, "name", &name) && read_tree_of (r, &t) && check_gazebo (r, &t) &&
               (model = urdf_put (r, root, robot, "model", NULL)) != NULL &&
               urdf_set (r, model, "name", name && *name ? name : "robot") && urdf_put_links (r, &t, model) &&
               urdf_put_joints (r, &t, model) && urdf_put_extensions (r, &t, model);
    free (name);
    free_tree (&t);
    return good ? root : NULL;
}
