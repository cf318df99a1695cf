// The only C++ here: libsdformat's objects, copied into plain structures.
#include "sdf_oracle.h"

#include <cstdio>
#include <cstring>
#include <sdf/sdf.hh>
#include <sstream>
#include <stdexcept>
#include <vector>

namespace
{
using Pose = std::decay_t<decltype (std::declval<sdf::Link> ().RawPose ())>;
using Vector = std::decay_t<decltype (std::declval<Pose> ().Pos ())>;

struct Reading
{
    std::vector<oracle_link> links;
    std::vector<oracle_joint> joints;
};

void check (const sdf::Errors &errors)
{
    if (!errors.empty ()) throw std::runtime_error (errors[0].Message ());
}

template <size_t N> void copy (char (&to)[N], const std::string &from)
{
    snprintf (to, N, "%s", from.c_str ());
}

void copy (double to[3], const Vector &from)
{
    for (int i = 0; i < 3; i++) to[i] = from[i];
}

template <class Matrix> void copy (double to[3][3], const Matrix &from)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) to[i][j] = from (i, j);
}

Pose resolve (const sdf::SemanticPose &semantic, const std::string &to = "")
{
    Pose pose;
    check (semantic.Resolve (pose, to));
    pose.Rot ().Normalize ();
    return pose;
}

void take_link (Reading &reading, const sdf::Link &link, const std::string &scope, const Pose &model,
                bool fixed)
{
    const Pose at = model * resolve (link.SemanticPose ());
    const auto inertial = link.Inertial ();
    auto rotation = at.Rot ();
    rotation.Normalize ();
    oracle_link l = {};
    copy (l.name, scope + link.Name ());
    l.fixed = fixed;
    copy (l.position, at.Pos ());
    // 3 x 3 matrices of the library's own type: the inertia's.
    auto R = inertial.Moi ();
    for (int j = 0; j < 3; j++)
    {
        const Vector column = rotation.RotateVector (Vector (j == 0, j == 1, j == 2));
        for (int i = 0; i < 3; i++) R (i, j) = column[i];
    }
    copy (l.rotation, R);
    l.mass = inertial.MassMatrix ().Mass ();
    copy (l.centre, at.Pos () + rotation.RotateVector (inertial.Pose ().Pos ()));
    copy (l.inertia, R * inertial.Moi () * R.Transposed ());
    reading.links.push_back (l);
}

template <class Scope>
void take_joint (Reading &reading, const sdf::Joint &joint, const std::string &scope, const Pose &model,
                 const Scope &)
{
    static const char *const types[] = {"invalid",   "ball",     "continuous", "fixed", "gearbox",
                                        "prismatic", "revolute", "revolute2",  "screw", "universal"};
    oracle_joint j = {};
    std::string parent, child;
    check (joint.ResolveParentLink (parent));
    check (joint.ResolveChildLink (child));
    const std::string here = std::is_same_v<Scope, sdf::World> ? "world" : "__model__";
    const Pose pose = resolve (joint.SemanticPose (), here), at = model * pose;
    copy (j.name, scope + joint.Name ());
    copy (j.type, types[static_cast<int> (joint.Type ())]);
    copy (j.parent, parent == "world" ? parent : scope + parent);
    copy (j.child, child == "world" ? child : scope + child);
    copy (j.anchor, at.Pos ());
    for (unsigned i = 0; i < 2 && joint.Axis (i); i++)
    {
        Vector axis;
        check (joint.Axis (i)->ResolveXyz (axis));
        axis = at.Rot ().RotateVector (axis);
        copy (j.axis[i], axis / axis.Length ());
        j.axes++;
    }
    reading.joints.push_back (j);
}

void take_model (Reading &reading, const sdf::Model &model, const std::string &outer, const Pose &around,
                 bool fixed)
{
    const Pose at = around * resolve (model.SemanticPose ());
    const std::string scope = outer + model.Name () + "::";
    fixed = fixed || model.Static ();
    for (uint64_t i = 0; i < model.LinkCount (); i++)
        take_link (reading, *model.LinkByIndex (i), scope, at, fixed);
    for (uint64_t i = 0; i < model.ModelCount (); i++)
        take_model (reading, *model.ModelByIndex (i), scope, at, fixed);
    for (uint64_t i = 0; i < model.JointCount (); i++)
        take_joint (reading, *model.JointByIndex (i), scope, at, model);
}

void take_world (Reading &reading, const sdf::World &world)
{
    for (uint64_t i = 0; i < world.ModelCount (); i++)
        take_model (reading, *world.ModelByIndex (i), "", Pose::Zero, false);
#if SDF_MAJOR_VERSION >= 13
    for (uint64_t i = 0; i < world.JointCount (); i++)
        take_joint (reading, *world.JointByIndex (i), "", Pose::Zero, world);
#endif
}

template <class T> T *duplicate (const std::vector<T> &list)
{
    T *copied = new T[list.size () + 1];
    if (!list.empty ()) memcpy (copied, list.data (), list.size () * sizeof (T));
    return copied;
}
} // namespace

oracle_scene *oracle_read (const char *path, const char *folders, char *error, size_t size)
{
    try
    {
        Reading reading;
        sdf::Root root;
        sdf::ParserConfig config = sdf::ParserConfig::GlobalConfig ();
        sdf::Console::Instance ()->SetQuiet (true);
        std::istringstream list (folders ? folders : "");
        for (std::string folder; std::getline (list, folder, ':');) config.AddURIPath ("model://", folder);
        check (root.Load (path, config));
        for (uint64_t i = 0; i < root.WorldCount () && i < 1; i++)
            take_world (reading, *root.WorldByIndex (i));
        if (root.WorldCount () == 0 && root.Model ())
            take_model (reading, *root.Model (), "", Pose::Zero, false);
        return new oracle_scene{duplicate (reading.links), duplicate (reading.joints),
                                static_cast<int> (reading.links.size ()),
                                static_cast<int> (reading.joints.size ())};
    }
    catch (const std::exception &problem)
    {
        snprintf (error, size, "%s", problem.what ());
    }
    return nullptr;
}

void oracle_free (oracle_scene *scene)
{
    if (!scene) return;
    delete[] scene->links;
    delete[] scene->joints;
    delete scene;
}
