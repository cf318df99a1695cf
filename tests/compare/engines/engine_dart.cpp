// DART: a skeleton of revolute and ball joints in generalised coordinates, loops closed by constraints.
//
// A hinge that is cut keeps its joint: a body of a gram hangs on it that is welded to the other side.
// Settings: the boxed solver with Dantzig's method (DART's default) and with projected Gauss-Seidel.  Knobs:
// the CFM and ERP of the closing constraints, the largest velocity that takes errors back (m/s), and the
// sweeps.
#include "engine.h"

#include <dart/dart.hpp>

#include <map>

using namespace dart;

namespace
{
simulation::WorldPtr world;
std::map<int, dynamics::BodyNodePtr> bodies;

using closing = constraint::DynamicJointConstraint;
engine_knob direct[] = {{"CFM", closing::getConstraintForceMixing (), 1e-10, 1e-2},
                        {"ERP", closing::getErrorReductionParameter (), 0.01, 1},
                        {nullptr, 0, 0, 0}};
engine_knob sweeping[] = {
    direct[0],
    direct[1],
    direct[2],
    {"sweeps", double (constraint::PgsBoxedLcpSolver ().getOption ().mMaxIteration), 10, 1000},
    {nullptr, 0, 0, 0}};

Eigen::Vector3d vector (const double *v) { return Eigen::Vector3d (v[0], v[1], v[2]); }

Eigen::Isometry3d pose (const engine_problem *p, int body)
{
    Eigen::Isometry3d t = Eigen::Isometry3d::Identity ();
    if (body < 0) return t;
    const engine_body &b = p->bodies[body];
    t.linear () = Eigen::Quaterniond (b.q[0], b.q[1], b.q[2], b.q[3]).normalized ().toRotationMatrix ();
    t.translation () = vector (b.x);
    return t;
}

// A frame at the anchor with the world's axes, seen from a body.
Eigen::Isometry3d joint_frame (const engine_joint &j, const Eigen::Isometry3d &body)
{
    Eigen::Isometry3d frame = Eigen::Isometry3d::Identity ();
    frame.translation () = vector (j.anchor);
    return body.inverse () * frame;
}

dynamics::Inertia inertia (double mass, const double (*I)[3])
{
    return dynamics::Inertia (mass, 0, 0, 0, I[0][0], I[1][1], I[2][2], I[0][1], I[0][2], I[1][2]);
}

// A body on a joint; pose is its own at the start.
dynamics::BodyNodePtr add_body (const dynamics::SkeletonPtr &skeleton, dynamics::BodyNode *parent,
                                const Eigen::Isometry3d &parent_pose, const Eigen::Isometry3d &own_pose,
                                const engine_joint &j, const dynamics::Inertia &of, const std::string &name)
{
    const dynamics::BodyNode::Properties properties (dynamics::BodyNode::AspectProperties (name, of));
    if (j.type == engine_ball)
    {
        dynamics::BallJoint::Properties joint;
        joint.mName = name;
        joint.mT_ParentBodyToJoint = joint_frame (j, parent_pose);
        joint.mT_ChildBodyToJoint = joint_frame (j, own_pose);
        return skeleton->createJointAndBodyNodePair<dynamics::BallJoint> (parent, joint, properties).second;
    }
    dynamics::RevoluteJoint::Properties joint;
    joint.mName = name;
    joint.mAxis = vector (j.axis);
    joint.mT_ParentBodyToJoint = joint_frame (j, parent_pose);
    joint.mT_ChildBodyToJoint = joint_frame (j, own_pose);
    return skeleton->createJointAndBodyNodePair<dynamics::RevoluteJoint> (parent, joint, properties).second;
}

void close_loop (const engine_problem *p, const dynamics::SkeletonPtr &skeleton, int k)
{
    const engine_joint &j = p->joints[k];
    const int first = j.body1 >= 0 ? j.body1 : j.body2, second = j.body1 >= 0 ? j.body2 : -1;
    auto *solver = world->getConstraintSolver ();
    if (j.type == engine_ball)
    {
        auto closing =
            second < 0 ? std::make_shared<constraint::BallJointConstraint> (bodies[first], vector (j.anchor))
                       : std::make_shared<constraint::BallJointConstraint> (bodies[first], bodies[second],
                                                                            vector (j.anchor));
        solver->addConstraint (closing);
        return;
    }
    const double small[3][3] = {{1e-7, 0, 0}, {0, 1e-7, 0}, {0, 0, 1e-7}};
    Eigen::Isometry3d at = Eigen::Isometry3d::Identity ();
    at.translation () = vector (j.anchor);
    auto end = add_body (skeleton, bodies[first], pose (p, first), at, j, inertia (1e-3, small),
                         "closing" + std::to_string (k));
    const double turning = 0; // its velocity follows from the first step
    end->getParentJoint ()->setVelocity (0, turning);
    solver->addConstraint (second < 0
                               ? std::make_shared<constraint::WeldJointConstraint> (end)
                               : std::make_shared<constraint::WeldJointConstraint> (end, bodies[second]));
}

int open (const engine_problem *p, bool sweeps)
{
    if (!p->is_tree) return 0;
    const engine_knob *knobs = sweeps ? sweeping : direct;
    closing::setConstraintForceMixing (knobs[0].value);
    closing::setErrorReductionParameter (knobs[1].value);
    auto gauss_seidel = std::make_shared<constraint::PgsBoxedLcpSolver> ();
    auto option = gauss_seidel->getOption ();
    option.mMaxIteration = int (sweeping[2].value + 0.5);
    gauss_seidel->setOption (option);
    world = simulation::World::create ();
    world->setGravity (vector (p->gravity));
    world->setTimeStep (p->h);
    auto solver = sweeps ? std::make_unique<constraint::BoxedLcpConstraintSolver> (gauss_seidel)
                         : std::make_unique<constraint::BoxedLcpConstraintSolver> (
                               std::make_shared<constraint::DantzigBoxedLcpSolver> ());
    world->setConstraintSolver (std::move (solver));
    auto skeleton = dynamics::Skeleton::create ("mechanism");
    bodies.clear ();
    for (int i = 0; i < p->body_count; ++i)
    {
        const int at = p->order[i];
        const engine_body &b = p->bodies[at];
        bodies[at] = add_body (skeleton, b.parent < 0 ? nullptr : bodies[b.parent].get (), pose (p, b.parent),
                               pose (p, at), p->joints[b.joint], inertia (b.mass, b.inertia),
                               "b" + std::to_string (at));
    }
    world->addSkeleton (skeleton);
    for (int i = 0; i < p->body_count; ++i)
    {
        const engine_body &b = p->bodies[p->order[i]];
        const engine_joint &j = p->joints[b.joint];
        const Eigen::Vector3d turning =
            vector (b.w) - (b.parent < 0 ? Eigen::Vector3d::Zero () : vector (p->bodies[b.parent].w));
        auto *joint = bodies[p->order[i]]->getParentJoint ();
        if (j.type == engine_hinge)
            joint->setVelocity (0, turning.dot (vector (j.axis)));
        else
            joint->setVelocities (turning); // the joint's frame has the world's axes at the start
    }
    for (int k = 0; k < p->joint_count; ++k)
        if (p->joints[k].cut) close_loop (p, skeleton, k);
    return 1;
}

int open_dantzig (const engine_problem *p) { return open (p, false); }
int open_sweeps (const engine_problem *p) { return open (p, true); }

int step ()
{
    world->step ();
    return 1;
}

void state (int body, double x[3], double q[4], double v[3], double w[3])
{
    const auto &b = bodies[body];
    const Eigen::Isometry3d &t = b->getWorldTransform ();
    const Eigen::Quaterniond r (t.linear ());
    const Eigen::Vector3d linear = b->getCOMLinearVelocity (), angular = b->getAngularVelocity ();
    for (int k = 0; k < 3; ++k)
    {
        x[k] = t.translation ()[k];
        v[k] = linear[k];
        w[k] = angular[k];
    }
    q[0] = r.w (), q[1] = r.x (), q[2] = r.y (), q[3] = r.z ();
}

void close ()
{
    bodies.clear ();
    world.reset ();
}
} // namespace

extern "C" const engine_setting engine_settings[] = {
    {"DART, Dantzig", direct, open_dantzig, step, state, close, 0, nullptr},
    {"DART, Gauss-Seidel", sweeping, open_sweeps, step, state, close, 0, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, 0, nullptr}};
