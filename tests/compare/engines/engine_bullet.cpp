// Bullet, rigid bodies with hinge and point constraints (maximal coordinates), double precision.
//
// Settings: the sequential-impulse solver and the direct one by Dantzig's method.  Knobs: sweeps, and the
// world's ERP and CFM (redundant constraints need one for the direct solver).  No split impulse, no sleeping,
// no damping; gyroscopic forces by Bullet's implicit method in body axes.
#include "engine.h"

#include <BulletDynamics/ConstraintSolver/btHingeConstraint.h>
#include <BulletDynamics/ConstraintSolver/btPoint2PointConstraint.h>
#include <BulletDynamics/MLCPSolvers/btDantzigSolver.h>
#include <BulletDynamics/MLCPSolvers/btMLCPSolver.h>
#include <btBulletDynamicsCommon.h>

#include <cmath>
#include <ctime>
#include <memory>
#include <vector>

namespace
{
// Collision detection apart, so that its time can be told.
struct Dynamics : btDiscreteDynamicsWorld
{
    using btDiscreteDynamicsWorld::btDiscreteDynamicsWorld;
    double seconds = 0;
    void performDiscreteCollisionDetection () override
    {
        const clock_t start = clock ();
        btDiscreteDynamicsWorld::performDiscreteCollisionDetection ();
        seconds += double (clock () - start) / CLOCKS_PER_SEC;
    }
};

struct World
{
    btSphereShape shape{
        0.01}; // bodies without one are left out of the simulation; these collide with nothing
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    std::unique_ptr<btMLCPSolverInterface> direct;
    std::unique_ptr<btConstraintSolver> solver;
    std::unique_ptr<Dynamics> world;
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::unique_ptr<btRigidBody> ground;
    std::vector<std::unique_ptr<btRigidBody>> bodies;
    std::vector<std::unique_ptr<btTypedConstraint>> constraints;
    double h = 0;
};
std::unique_ptr<World> w;

engine_knob sweeping[] = {
    {"CFM", 0, 1e-10, 1e-2}, {"ERP", 0.2, 0.05, 1}, {"sweeps", 10, 10, 1000}, {nullptr, 0, 0, 0}};
engine_knob direct[] = {{"CFM", 0, 1e-10, 1e-2}, {"ERP", 0.2, 0.05, 1}, {nullptr, 0, 0, 0}};

btVector3 vector (const double *v) { return btVector3 (v[0], v[1], v[2]); }

// All scenes have principal axes along the body's, so that Bullet's diagonal inertia is ours.
bool diagonal (const engine_body &b)
{
    const double largest = b.inertia[0][0] + b.inertia[1][1] + b.inertia[2][2];
    return std::abs (b.inertia[0][1]) + std::abs (b.inertia[0][2]) + std::abs (b.inertia[1][2]) <
           1e-12 * largest;
}

// The shape of a body, if it has one that collides, about its centre of mass.  One shape a body is all that
// our scenes have.
btCollisionShape *shape_of (const engine_problem *p, int body)
{
    for (int i = 0; i < p->shape_count; ++i)
    {
        const engine_shape &s = p->shapes[i];
        if (s.body != body) continue;
        std::unique_ptr<btCollisionShape> shape;
        if (s.type == engine_box)
            shape = std::make_unique<btBoxShape> (btVector3 (s.size[0] / 2, s.size[1] / 2, s.size[2] / 2));
        else if (s.type == engine_sphere)
            shape = std::make_unique<btSphereShape> (s.size[0]);
        else if (s.type == engine_capsule)
            shape = std::make_unique<btCapsuleShapeZ> (s.size[0], s.size[1]);
        else
            shape = std::make_unique<btStaticPlaneShape> (btVector3 (0, 0, 1), s.x[2]);
        w->shapes.push_back (std::move (shape));
        return w->shapes.back ().get ();
    }
    return nullptr;
}

void add_ground (const engine_problem *p)
{
    btCollisionShape *shape = shape_of (p, -1);
    if (!shape) return;
    w->ground = std::make_unique<btRigidBody> (btRigidBody::btRigidBodyConstructionInfo (0, nullptr, shape));
    w->ground->setFriction (std::sqrt (p->friction)); // Bullet multiplies those of two bodies
    w->world->addRigidBody (w->ground.get ());
}

int open (const engine_problem *p, bool use_dantzig)
{
    w = std::make_unique<World> ();
    w->h = p->h;
    if (use_dantzig)
    {
        w->direct = std::make_unique<btDantzigSolver> ();
        w->solver = std::make_unique<btMLCPSolver> (w->direct.get ());
    }
    else
        w->solver = std::make_unique<btSequentialImpulseConstraintSolver> ();
    w->world =
        std::make_unique<Dynamics> (&w->dispatcher, &w->broadphase, w->solver.get (), &w->configuration);
    w->world->setGravity (vector (p->gravity));
    auto &info = w->world->getSolverInfo ();
    const engine_knob *knobs = use_dantzig ? direct : sweeping;
    info.m_globalCfm = knobs[0].value;
    info.m_erp = knobs[1].value;
    if (!use_dantzig) info.m_numIterations = int (knobs[2].value + 0.5);
    info.m_splitImpulse = 0;
    for (int i = 0; i < p->body_count; ++i)
    {
        const engine_body &b = p->bodies[i];
        if (!diagonal (b)) return 0;
        btCollisionShape *shape = shape_of (p, i);
        btRigidBody::btRigidBodyConstructionInfo of (
            b.mass, nullptr, shape ? shape : &w->shape,
            btVector3 (b.inertia[0][0], b.inertia[1][1], b.inertia[2][2]));
        of.m_startWorldTransform = btTransform (btQuaternion (b.q[1], b.q[2], b.q[3], b.q[0]), vector (b.x));
        auto body = std::make_unique<btRigidBody> (of);
        body->setLinearVelocity (vector (b.v));
        body->setAngularVelocity (vector (b.w));
        body->setActivationState (DISABLE_DEACTIVATION);
        body->setFlags (BT_ENABLE_GYROSCOPIC_FORCE_IMPLICIT_BODY);
        body->setFriction (std::sqrt (p->friction));
        if (shape)
            w->world->addRigidBody (body.get ());
        else
            w->world->addRigidBody (body.get (), 0, 0);
        w->bodies.push_back (std::move (body));
    }
    add_ground (p);
    for (int k = 0; k < p->joint_count; ++k)
    {
        const engine_joint &j = p->joints[k];
        btRigidBody &a = j.body1 >= 0 ? *w->bodies[(size_t)j.body1] : *w->bodies[(size_t)j.body2];
        btRigidBody *b = j.body1 >= 0 && j.body2 >= 0 ? w->bodies[(size_t)j.body2].get () : nullptr;
        const btTransform inverse = a.getWorldTransform ().inverse ();
        const btVector3 pivot = inverse * vector (j.anchor);
        std::unique_ptr<btTypedConstraint> c;
        if (j.type == engine_ball)
        {
            if (b)
                c = std::make_unique<btPoint2PointConstraint> (
                    a, *b, pivot, b->getWorldTransform ().inverse () * vector (j.anchor));
            else
                c = std::make_unique<btPoint2PointConstraint> (a, pivot);
        }
        else
        {
            const btVector3 axis = inverse.getBasis () * vector (j.axis);
            if (b)
                c = std::make_unique<btHingeConstraint> (
                    a, *b, pivot, b->getWorldTransform ().inverse () * vector (j.anchor), axis,
                    b->getWorldTransform ().inverse ().getBasis () * vector (j.axis));
            else
                c = std::make_unique<btHingeConstraint> (a, pivot, axis);
        }
        w->world->addConstraint (c.get (), true);
        w->constraints.push_back (std::move (c));
    }
    return 1;
}

int open_sweeps (const engine_problem *p) { return open (p, false); }
int open_dantzig (const engine_problem *p) { return open (p, true); }

int step ()
{
    w->world->stepSimulation (w->h, 0, w->h);
    return 1;
}

void state (int body, double x[3], double q[4], double v[3], double av[3])
{
    const btRigidBody &b = *w->bodies[(size_t)body];
    const btTransform &t = b.getWorldTransform ();
    const btQuaternion r = t.getRotation ();
    for (int k = 0; k < 3; ++k)
    {
        x[k] = t.getOrigin ()[k];
        v[k] = b.getLinearVelocity ()[k];
        av[k] = b.getAngularVelocity ()[k];
    }
    q[0] = r.w (), q[1] = r.x (), q[2] = r.y (), q[3] = r.z ();
}

double colliding () { return w->world->seconds; }

void close ()
{
    if (w->ground) w->world->removeRigidBody (w->ground.get ());
    for (auto &c : w->constraints) w->world->removeConstraint (c.get ());
    for (auto &b : w->bodies) w->world->removeRigidBody (b.get ());
    w.reset ();
}
} // namespace

extern "C" const engine_setting engine_settings[] = {
    {"Bullet, sweeps", sweeping, open_sweeps, step, state, close, 1, colliding},
    {"Bullet, Dantzig", direct, open_dantzig, step, state, close, 1, colliding},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, 0, nullptr}};
