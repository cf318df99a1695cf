// Simbody: a tree of pins and balls in relative coordinates, loops closed by constraints.
//
// A hinge that is cut is closed by a ball constraint and two constant right angles.  Settings:
// Runge-Kutta-Merson with error control (its default) and with fixed steps.  Knobs: accuracy, and the
// tolerance that constraints are projected to after each step, which is a tenth of the accuracy by default.
#include "engine.h"

#include <Simbody.h>

#include <memory>
#include <vector>

using namespace SimTK;

namespace
{
struct Machine
{
    MultibodySystem system;
    SimbodyMatterSubsystem matter{system};
    GeneralForceSubsystem forces{system};
    std::vector<MobilizedBody> bodies;
    State initial;
    std::unique_ptr<Integrator> integrator;
    std::unique_ptr<TimeStepper> stepper;
    double h = 0, time = 0;
};
std::unique_ptr<Machine> m;
engine_knob controlled_knobs[] = {
    {"accuracy", 1e-3, 1e-10, 1e-3}, {"constraint tolerance", 1e-4, 1e-12, 1e-4}, {nullptr, 0, 0, 0}};
engine_knob fixed_knobs[] = {{"constraint tolerance", 1e-4, 1e-12, 1e-4}, {nullptr, 0, 0, 0}};

Vec3 vector (const double *v) { return Vec3 (v[0], v[1], v[2]); }
Transform pose (const engine_body &b)
{
    return Transform (Rotation (Quaternion (b.q[0], b.q[1], b.q[2], b.q[3])), vector (b.x));
}

// A frame at the joint with z along its axis, in the axes of a body.
Transform joint_frame (const engine_joint &j, const Transform &body)
{
    Rotation r;
    if (j.type == engine_hinge) r.setRotationFromOneAxis (UnitVec3 (vector (j.axis)), ZAxis);
    return ~body * Transform (r, vector (j.anchor));
}

MobilizedBody &mobilised (int body) { return body < 0 ? m->matter.updGround () : m->bodies[(size_t)body]; }

void close_loop (const engine_problem *p, const engine_joint &j)
{
    const Transform b1 = j.body1 < 0 ? Transform () : pose (p->bodies[j.body1]);
    const Transform b2 = j.body2 < 0 ? Transform () : pose (p->bodies[j.body2]);
    const Transform f1 = joint_frame (j, b1), f2 = joint_frame (j, b2);
    Constraint::Ball (mobilised (j.body1), f1.p (), mobilised (j.body2), f2.p ());
    if (j.type == engine_ball) return;
    for (int k = 0; k < 2; ++k)
        Constraint::ConstantAngle (mobilised (j.body1), k == 0 ? f1.x () : f1.y (), mobilised (j.body2),
                                   f2.z (), Pi / 2);
}

int open (const engine_problem *p, bool controlled)
{
    if (!p->is_tree) return 0;
    m = std::make_unique<Machine> ();
    m->h = p->h;
    Force::UniformGravity (m->forces, m->matter, vector (p->gravity));
    m->bodies.resize ((size_t)p->body_count);
    for (int i = 0; i < p->body_count; ++i)
    {
        const engine_body &b = p->bodies[p->order[i]];
        const engine_joint &j = p->joints[b.joint];
        const auto &I = b.inertia;
        const Body::Rigid body (MassProperties (
            b.mass, Vec3 (0), Inertia (I[0][0], I[1][1], I[2][2], I[0][1], I[0][2], I[1][2])));
        const Transform parent = b.parent < 0 ? Transform () : pose (p->bodies[b.parent]);
        const Transform before = joint_frame (j, parent), after = joint_frame (j, pose (b));
        if (j.type == engine_hinge)
            m->bodies[(size_t)p->order[i]] = MobilizedBody::Pin (mobilised (b.parent), before, body, after);
        else
            m->bodies[(size_t)p->order[i]] = MobilizedBody::Ball (mobilised (b.parent), before, body, after);
    }
    for (int k = 0; k < p->joint_count; ++k)
        if (p->joints[k].cut) close_loop (p, p->joints[k]);
    m->initial = m->system.realizeTopology ();
    m->system.realizeModel (m->initial);
    for (int i = 0; i < p->body_count; ++i)
    {
        const engine_body &b = p->bodies[p->order[i]];
        const engine_joint &j = p->joints[b.joint];
        MobilizedBody &body = m->bodies[(size_t)p->order[i]];
        const Vec3 turning =
            vector (b.w) - (b.parent < 0 ? Vec3 (0) : vector (p->bodies[b.parent].w)); // relative, world axes
        if (j.type == engine_hinge)
            body.setOneU (m->initial, 0, dot (turning, vector (j.axis)));
        else // in the axes of the joint's frame on the parent, which are the world's at the start
            for (int k = 0; k < 3; ++k) body.setOneU (m->initial, k, turning[k]);
    }
    m->integrator = std::make_unique<RungeKuttaMersonIntegrator> (m->system);
    if (controlled)
        m->integrator->setAccuracy (controlled_knobs[0].value);
    else
        m->integrator->setFixedStepSize (p->h);
    m->integrator->setConstraintTolerance (controlled ? controlled_knobs[1].value : fixed_knobs[0].value);
    m->stepper = std::make_unique<TimeStepper> (m->system, *m->integrator);
    m->stepper->initialize (m->initial);
    return 1;
}

int open_fixed (const engine_problem *p) { return open (p, false); }
int open_controlled (const engine_problem *p) { return open (p, true); }

int step ()
{
    m->time += m->h;
    try
    {
        m->stepper->stepTo (m->time);
    }
    catch (const std::exception &)
    {
        return 0; // its projection diverged, beside a singular configuration
    }
    return 1;
}

void state (int body, double x[3], double q[4], double v[3], double av[3])
{
    const State &s = m->integrator->getState ();
    m->system.realize (s, Stage::Velocity);
    const MobilizedBody &b = m->bodies[(size_t)body];
    const Transform &t = b.getBodyTransform (s);
    const SpatialVec &velocity = b.getBodyVelocity (s);
    const Quaternion r = t.R ().convertRotationToQuaternion ();
    for (int k = 0; k < 3; ++k)
    {
        x[k] = t.p ()[k];
        v[k] = velocity[1][k];
        av[k] = velocity[0][k];
    }
    for (int k = 0; k < 4; ++k) q[k] = r[k];
}

void close () { m.reset (); }
} // namespace

extern "C" const engine_setting engine_settings[] = {
    {"Simbody, fixed step", fixed_knobs, open_fixed, step, state, close, 0, nullptr},
    {"Simbody, error control", controlled_knobs, open_controlled, step, state, close, 0, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, 0, nullptr}};
