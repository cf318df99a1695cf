// Bullet, rigid bodies with hinge and point constraints (maximal coordinates), double precision.
//
// Settings: the sequential-impulse solver with 50 sweeps and without split impulse or softening, as for
// robots; and the direct Dantzig solver with the CFM that redundant constraints need.  No sleeping, no
// damping; gyroscopic forces by Bullet's implicit method in body axes.
#include "engine.h"

#include <BulletDynamics/ConstraintSolver/btHingeConstraint.h>
#include <BulletDynamics/ConstraintSolver/btPoint2PointConstraint.h>
#include <BulletDynamics/MLCPSolvers/btDantzigSolver.h>
#include <BulletDynamics/MLCPSolvers/btMLCPSolver.h>
#include <btBulletDynamicsCommon.h>

#include <cmath>
#include <memory>
#include <vector>

namespace
{
struct World
{
    btSphereShape shape{
        0.01}; // bodies without one are left out of the simulation; these collide with nothing
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    std::unique_ptr<btMLCPSolverInterface> direct;
    std::unique_ptr<btConstraintSolver> solver;
    std::unique_ptr<btDiscreteDynamicsWorld> world;
    std::vector<std::unique_ptr<btRigidBody>> bodies;
    std::vector<std::unique_ptr<btTypedConstraint>> constraints;
    double h = 0;
};
std::unique_ptr<World> w;

btVector3 vector (const double *v) { return btVector3 (v[0], v[1], v[2]); }

// All scenes have principal axes along the body's, so that Bullet's diagonal inertia is ours.
bool diagonal (const engine_body &b)
{
    const double largest = b.inertia[0][0] + b.inertia[1][1] + b.inertia[2][2];
    return std::abs (b.inertia[0][1]) + std::abs (b.inertia[0][2]) + std::abs (b.inertia[1][2]) <
           1e-12 * largest;
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
    w->world = std::make_unique<btDiscreteDynamicsWorld> (&w->dispatcher, &w->broadphase, w->solver.get (),
                                                          &w->configuration);
    w->world->setGravity (vector (p->gravity));
    auto &info = w->world->getSolverInfo ();
    info.m_numIterations = 50;
    info.m_globalCfm = use_dantzig ? 1e-6 : 0;
    info.m_erp = 0.2;
    info.m_splitImpulse = 0;
    for (int i = 0; i < p->body_count; ++i)
    {
        const engine_body &b = p->bodies[i];
        if (!diagonal (b)) return 0;
        btRigidBody::btRigidBodyConstructionInfo of (
            b.mass, nullptr, &w->shape, btVector3 (b.inertia[0][0], b.inertia[1][1], b.inertia[2][2]));
        of.m_startWorldTransform = btTransform (btQuaternion (b.q[1], b.q[2], b.q[3], b.q[0]), vector (b.x));
        auto body = std::make_unique<btRigidBody> (of);
        body->setLinearVelocity (vector (b.v));
        body->setAngularVelocity (vector (b.w));
        body->setActivationState (DISABLE_DEACTIVATION);
        body->setFlags (BT_ENABLE_GYROSCOPIC_FORCE_IMPLICIT_BODY);
        w->world->addRigidBody (body.get (), 0, 0);
        w->bodies.push_back (std::move (body));
    }
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

void close ()
{
    for (auto &c : w->constraints) w->world->removeConstraint (c.get ());
    for (auto &b : w->bodies) w->world->removeRigidBody (b.get ());
    w.reset ();
}
} // namespace

extern "C" const engine_setting engine_settings[] = {
    {"Bullet, 50 sweeps", open_sweeps, step, state, close},
    {"Bullet, Dantzig, CFM 1e-6", open_dantzig, step, state, close},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};
