/* Links, joints and <gazebo> elements of a URDF tree, written as SDFormat. */
#include "urdf.h"

#include <stdlib.h>
#include <string.h>

void urdf_warn_others (reader *r, const xmlNode *from, const char *const names[][2])
{
    for (const xmlAttr *a = from->properties; a; a = a->next)
    {
        int i = 0;
        while (names[i][0] && strcmp (names[i][0], (const char *)a->name)) i++;
        /* what a joint mimics is read elsewhere */
        const int leader = is_element (from, "mimic") && !strcmp ((const char *)a->name, "joint");
        if (!names[i][0] && !a->ns && !leader) warn_attribute (r, from, (const char *)a->name);
    }
}

/* Attributes of a URDF element as child elements of an SDFormat one; names: "urdf=sdf", NULL at the end. */
static int put_attributes (reader *r, xmlNode *to, const xmlNode *from, const char *const names[][2])
{
    urdf_warn_others (r, from, names);
    for (int i = 0; names[i][0]; i++)
    {
        char *text;
        if (!attribute_text (r, from, names[i][0], &text)) return 0;
        int good = !text || urdf_put (r, to, from, names[i][1], text);
        free (text);
        if (!good) return 0;
    }
    return 1;
}

/* ---- <gazebo reference=""> ----------------------------------------------------------------------------- */

static int refers_to (reader *r, const xmlNode *gazebo, const char *name, int *yes)
{
    char *reference;
    if (!attribute_text (r, gazebo, "reference", &reference)) return 0;
    *yes = name ? reference && !strcmp (reference, name) : !reference || !*reference;
    free (reference);
    return 1;
}

/* <mu1>0.5</mu1>, or <mu1 value="0.5"/> as older files have it; <turnGravityOff> is the opposite of gravity.
 */
static int extension_text (reader *r, const xmlNode *element, char **text)
{
    if (!attribute_text (r, element, "value", text) || (!*text && !element_text (r, element, text))) return 0;
    if (!is_element (element, "turnGravityOff")) return 1;
    const int off = !strcmp (*text, "true") || !strcmp (*text, "1");
    free (*text);
    *text = strdup (off ? "false" : "true");
    return *text || fail_memory (r);
}

/* The elements that Gazebo's extensions of that name hold, as those of SDFormat; the last one counts. */
static int put_extensions (reader *r, const urdf_tree *t, const char *name, xmlNode *to,
                           const char *const names[][2])
{
    for (const xmlNode *g = first_child (t->robot, "gazebo"); g; g = next_sibling (g, "gazebo"))
    {
        int wanted;
        if (!refers_to (r, g, name, &wanted)) return 0;
        for (int i = 0; wanted && names[i][0]; i++)
        {
            const xmlNode *element = first_child (g, names[i][0]);
            xmlNode *before = first_child (to, names[i][1]);
            char *text = NULL;
            if (!element) continue;
            if (before)
            {
                xmlUnlinkNode (before);
                xmlFreeNode (before);
            }
            int good = extension_text (r, element, &text) && urdf_put (r, to, element, names[i][1], text);
            free (text);
            if (!good) return 0;
        }
    }
    return 1;
}

/* ---- links --------------------------------------------------------------------------------------------- */

static int put_inertial (reader *r, xmlNode *link, const xmlNode *from)
{
    static const char *const moments[][2] = {{"ixx", "ixx"}, {"iyy", "iyy"}, {"izz", "izz"}, {"ixy", "ixy"},
                                             {"ixz", "ixz"}, {"iyz", "iyz"}, {NULL, NULL}};
    static const char *const value[][2] = {{"value", "mass"}, {NULL, NULL}};
    xmlNode *mass, *inertia;
    xmlNode *inertial = urdf_put (r, link, from, "inertial", NULL);
    if (!inertial || !urdf_put_pose (r, inertial, from, NULL) || !only_child (r, from, "mass", &mass) ||
        !only_child (r, from, "inertia", &inertia))
        return 0;
    warn_unknown (r, from, "origin mass inertia");
    if (mass && !put_attributes (r, inertial, mass, value)) return 0;
    if (!inertia) return doubt_at (r, from, "has no <inertia>; moments of inertia of 1 kg m^2 are taken");
    xmlNode *to = urdf_put (r, inertial, inertia, "inertia", NULL);
    return to && put_attributes (r, to, inertia, moments);
}

static int put_geometry (reader *r, xmlNode *to, const xmlNode *from)
{
    static const char *const box[][2] = {{"size", "size"}, {NULL, NULL}};
    static const char *const round[][2] = {{"radius", "radius"}, {"length", "length"}, {NULL, NULL}};
    static const char *const mesh[][2] = {{"filename", "uri"}, {"scale", "scale"}, {NULL, NULL}};
    xmlNode *given, *geometry;
    if (!only_child (r, from, "geometry", &given)) return 0;
    if (!given) return 1;
    if (!(geometry = urdf_put (r, to, given, "geometry", NULL))) return 0;
    for (const xmlNode *c = given->children; c; c = c->next)
    {
        if (c->type != XML_ELEMENT_NODE) continue;
        const int is_box = is_element (c, "box"), is_mesh = is_element (c, "mesh");
        xmlNode *shape = urdf_put (r, geometry, c, (const char *)c->name, NULL);
        if (!shape || !put_attributes (r, shape, c, is_box ? box : is_mesh ? mesh : round)) return 0;
    }
    return 1;
}

/* <material name=""><color rgba=""/></material>, in the visual or of that name in the robot. */
static int put_colour (reader *r, const urdf_tree *t, xmlNode *to, const xmlNode *visual)
{
    xmlNode *material, *colour;
    static const char *const rgba[][2] = {{"rgba", "diffuse"}, {NULL, NULL}};
    char *name = NULL;
    if (!only_child (r, visual, "material", &material)) return 0;
    if (!material) return 1;
    if (!attribute_text (r, material, "name", &name)) return 0;
    const xmlNode *found = first_child (material, "color") ? material : NULL;
    for (const xmlNode *m = first_child (t->robot, "material"); m && name && !found;
         m = next_sibling (m, "material"))
    {
        xmlChar *other = xmlGetNoNsProp (m, (const xmlChar *)"name");
        if (other && !strcmp ((const char *)other, name)) found = m;
        xmlFree (other);
    }
    free (name);
    if (!found || !(colour = first_child (found, "color"))) return 1;
    xmlNode *made = urdf_put (r, to, material, "material", NULL);
    return made && put_attributes (r, made, colour, rgba);
}

/* What Gazebo says about the contact of a link. */
static int put_surface (reader *r, const urdf_tree *t, const urdf_link *l, xmlNode *collision)
{
    static const char *const friction[][2] = {{"mu1", "mu"},      {"mu2", "mu2"},     {"fdir1", "fdir1"},
                                              {"slip1", "slip1"}, {"slip2", "slip2"}, {NULL, NULL}};
    static const char *const contact[][2] = {
        {"kp", "kp"}, {"kd", "kd"}, {"maxVel", "max_vel"}, {"minDepth", "min_depth"}, {NULL, NULL}};
    xmlNode *surface = urdf_put (r, collision, l->node, "surface", NULL);
    xmlNode *parts[2];
    for (int i = 0; i < 2; i++)
    {
        xmlNode *part = surface ? urdf_put (r, surface, l->node, i ? "contact" : "friction", NULL) : NULL;
        parts[i] = part ? urdf_put (r, part, l->node, "ode", NULL) : NULL;
        if (!parts[i] || !put_extensions (r, t, l->name, parts[i], i ? contact : friction)) return 0;
    }
    if (parts[0]->children || parts[1]->children) return 1;
    xmlUnlinkNode (surface);
    xmlFreeNode (surface);
    return 1;
}

/* The shapes of a link in the link that carries it. */
static int put_shapes (reader *r, const urdf_tree *t, const urdf_link *l, xmlNode *link, int is_carrier)
{
    for (const xmlNode *c = l->node->children; c; c = c->next)
    {
        const int collides = is_element (c, "collision");
        if (!collides && !is_element (c, "visual")) continue;
        char *name;
        if (!attribute_text (r, c, "name", &name)) return 0;
        xmlNode *shape = urdf_put (r, link, c, collides ? "collision" : "visual", NULL);
        int good = shape && urdf_set (r, shape, "name", name && *name ? name : l->name) &&
                   urdf_put_pose (r, shape, c, is_carrier ? NULL : l->name) && put_geometry (r, shape, c) &&
                   (collides ? put_surface (r, t, l, shape) : put_colour (r, t, shape, c));
        free (name);
        if (!good) return 0;
    }
    return 1;
}

/* A link is placed relative to its parent, a root in the model. */
static int place (reader *r, const urdf_tree *t, const urdf_link *l, xmlNode *made)
{
    if (l->parent < 0)
    {
        /* A frame would otherwise stand where it is attached. */
        xmlNode *pose = is_element (made, "frame") ? urdf_put (r, made, l->node, "pose", NULL) : NULL;
        return is_element (made, "link") || (pose && urdf_set (r, pose, "relative_to", "__model__"));
    }
    /* The link "world" is where the model is put. */
    const urdf_joint *j = &t->joints[l->parent];
    const int on_world = j->parent < 0 || !strcmp (t->links[j->parent].name, "world");
    return urdf_put_pose (r, made, j->node, on_world ? "__model__" : t->links[j->parent].name);
}

int urdf_put_links (reader *r, const urdf_tree *t, xmlNode *model)
{
    static const char *const flags[][2] = {{"turnGravityOff", "gravity"},   {"gravity", "gravity"},
                                           {"selfCollide", "self_collide"}, {"self_collide", "self_collide"},
                                           {"kinematic", "kinematic"},      {NULL, NULL}};
    for (int i = 0; i < t->link_count; i++)
    {
        urdf_link *l = &t->links[i];
        if (!strcmp (l->name, "world")) continue;
        warn_unknown (r, l->node, "inertial collision visual");
        l->made = urdf_put (r, model, l->node, l->carrier == i || l->still ? "link" : "frame", NULL);
        if (!l->made || !urdf_set (r, l->made, "name", l->name) || !place (r, t, l, l->made)) return 0;
        if (l->still) mark_static (l->made);
        if (l->carrier >= 0 && l->carrier != i &&
            !urdf_set (r, l->made, "attached_to", t->links[l->carrier].name))
            return 0;
        if (l->carrier != i) continue;
        const xmlNode *inertial = first_child (l->node, "inertial");
        if (!put_inertial (r, l->made, inertial) || !put_extensions (r, t, l->name, l->made, flags)) return 0;
    }
    for (int i = 0; i < t->link_count; i++)
    {
        const urdf_link *l = &t->links[i];
        xmlNode *to = l->carrier >= 0 ? t->links[l->carrier].made : l->still ? l->made : NULL;
        if (to && !put_shapes (r, t, l, to, to == l->made)) return 0;
    }
    return 1;
}

/* ---- joints -------------------------------------------------------------------------------------------- */

static int put_part (reader *r, const urdf_joint *j, xmlNode *axis, const char *name,
                     const char *const names[][2], xmlNode **made)
{
    xmlNode *from;
    *made = NULL;
    if (!only_child (r, j->node, name, &from)) return 0;
    if (!from) return 1;
    *made = urdf_put (r, axis, from, name, NULL);
    return *made && put_attributes (r, *made, from, names);
}

/* URDF wants limits of revolute and prismatic joints, and takes 0 for the end that is left out. */
static int complete_limit (reader *r, const urdf_joint *j, xmlNode *limit)
{
    static const char *const ends[2] = {"lower", "upper"};
    xmlChar *type = xmlGetNoNsProp (j->node, (const xmlChar *)"type");
    const int free_to_turn = type && !strcmp ((const char *)type, "continuous");
    xmlFree (type);
    if (free_to_turn) return 1;
    if (!limit) return doubt_at (r, j->node, "'%.100s' has no <limit>; it moves without end", j->name);
    const int given[2] = {first_child (limit, ends[0]) != NULL, first_child (limit, ends[1]) != NULL};
    if (!given[0] && !given[1])
        return doubt_at (r, limit,
                         "of '%.100s' has neither lower nor upper, by which URDF means 0 for both; "
                         "the joint moves without end",
                         j->name);
    for (int i = 0; i < 2; i++)
        if (!given[i] && !urdf_put (r, limit, limit, ends[i], "0")) return 0;
    return 1;
}

static int put_axis (reader *r, const urdf_tree *t, const urdf_joint *j, xmlNode *joint)
{
    static const char *const limits[][2] = {
        {"effort", "effort"}, {"velocity", "velocity"}, {"lower", "lower"}, {"upper", "upper"}, {NULL, NULL}};
    static const char *const forces[][2] = {{"damping", "damping"}, {"friction", "friction"}, {NULL, NULL}};
    static const char *const springs[][2] = {
        {"springStiffness", "spring_stiffness"}, {"springReference", "spring_reference"}, {NULL, NULL}};
    static const char *const mimic[][2] = {{"multiplier", "multiplier"}, {"offset", "offset"}, {NULL, NULL}};
    static const char *const direction[][2] = {{"xyz", NULL}, {NULL, NULL}};
    xmlNode *given, *limit, *dynamics, *follows, *axis = urdf_put (r, joint, j->node, "axis", NULL);
    char *xyz = NULL, *leader = NULL;
    if (!axis || !only_child (r, j->node, "axis", &given) ||
        (given && !attribute_text (r, given, "xyz", &xyz)))
        return 0;
    if (given) urdf_warn_others (r, given, direction);
    int good = urdf_put (r, axis, given ? given : j->node, "xyz", xyz ? xyz : "1 0 0") != NULL;
    free (xyz);

    if (!good || !put_part (r, j, axis, "limit", limits, &limit) || !complete_limit (r, j, limit) ||
        !put_part (r, j, axis, "dynamics", forces, &dynamics) ||
        !put_part (r, j, axis, "mimic", mimic, &follows))
        return 0;
    if (!dynamics && !(dynamics = urdf_put (r, axis, j->node, "dynamics", NULL))) return 0;
    if (!put_extensions (r, t, j->name, dynamics, springs)) return 0;
    if (!follows) return 1;
    good = attribute_text (r, first_child (j->node, "mimic"), "joint", &leader) &&
           urdf_set (r, follows, "joint", leader ? leader : "");
    free (leader);
    return good;
}

static int put_joint (reader *r, const urdf_tree *t, const urdf_joint *j, xmlNode *model)
{
    /* spherical is Bullet's */
    static const char *const known[][2] = {{"revolute", "revolute"},
                                           {"continuous", "continuous"},
                                           {"prismatic", "prismatic"},
                                           {"fixed", "fixed"},
                                           {"spherical", "ball"}};
    char *type;
    if (!required_attribute (r, j->node, "type", &type)) return 0;
    size_t i = 0;
    while (i < sizeof known / sizeof *known && strcmp (known[i][0], type)) i++;
    free (type);
    if (i == sizeof known / sizeof *known)
        return fail_at (r, j->node,
                        "'%.100s' is none of revolute, continuous, prismatic, fixed, floating and spherical",
                        j->name);
    warn_unknown (r, j->node, "origin parent child axis limit dynamics mimic");
    const int is_ball = !strcmp (known[i][1], "ball");
    xmlNode *joint = urdf_put (r, model, j->node, "joint", NULL);
    return joint && urdf_set (r, joint, "name", j->name) && urdf_set (r, joint, "type", known[i][1]) &&
           urdf_put (r, joint, j->node, "parent", j->parent < 0 ? "world" : t->links[j->parent].name) &&
           urdf_put (r, joint, j->node, "child", t->links[j->child].name) &&
           (j->fixed || is_ball || put_axis (r, t, j, joint));
}

int urdf_put_joints (reader *r, const urdf_tree *t, xmlNode *model)
{
    for (int i = 0; i < t->joint_count; i++)
    {
        const urdf_joint *j = &t->joints[i];
        const int carrier = t->links[j->child].carrier;
        if (j->floating || carrier < 0) continue;
        if (j->fixed && j->parent >= 0 && t->links[j->parent].carrier == carrier) continue;
        if (!put_joint (r, t, j, model)) return 0;
    }
    return 1;
}

/* ---- <gazebo> without a reference ---------------------------------------------------------------------- */

int urdf_put_extensions (reader *r, const urdf_tree *t, xmlNode *model)
{
    for (const xmlNode *g = first_child (t->robot, "gazebo"); g; g = next_sibling (g, "gazebo"))
    {
        int of_model;
        if (!refers_to (r, g, NULL, &of_model)) return 0;
        for (const xmlNode *c = of_model ? g->children : NULL; c; c = c->next)
        {
            if (c->type != XML_ELEMENT_NODE || is_element (c, "plugin")) continue;
            xmlNode *copy = xmlDocCopyNode ((xmlNode *)c, model->doc, 1);
            if (!copy || !xmlAddChild (model, copy)) return fail_memory (r);
            xmlReconciliateNs (model->doc, copy);
        }
    }
    return 1;
}
