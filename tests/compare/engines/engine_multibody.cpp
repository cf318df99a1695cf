// Bullet's btMultiBody: a tree of hinges and balls in reduced coordinates (Featherstone), double precision.
//
// Settings: gyroscopic terms on; no damping, no sleeping, no colliders, no limit of velocities.  What closes
// loops there are soft point constraints without hinges, so scenes with loops are left to others.
#include "engine.h"

#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>
#include <btBulletDynamicsCommon.h>

#include <memory>
#include <vector>

namespace
{
struct World
{
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btMultiBodyConstraintSolver solver;
    btMultiBodyDynamicsWorld world{&dispatcher, &broadphase, &solver, &configuration};
    std::unique_ptr<btMultiBody> tree;
    std::vector<int> link; // of a body
    double h = 0;
};
std::unique_ptr<World> w;
engine_knob knobs[] = {{nullptr, 0, 0, 0}}; // a tree has no constraints

btVector3 vector (const double *v) { return btVector3 (v[0], v[1], v[2]); }
btTransform pose (const engine_body &b)
{
    return btTransform (btQuaternion (b.q[1], b.q[2], b.q[3], b.q[0]), vector (b.x));
}

int open (const engine_problem *p)
{
    if (!p->is_tree) return 0;
    for (int k = 0; k < p->joint_count; ++k)
        if (p->joints[k].cut) return 0;
    w = std::make_unique<World> ();
    w->h = p->h;
    w->link.resize ((size_t)p->body_count);
    w->world.setGravity (vector (p->gravity));
    w->tree = std::make_unique<btMultiBody> (p->body_count, 0, btVector3 (0, 0, 0), true, false);
    btMultiBody &tree = *w->tree;
    tree.setBaseWorldTransform (btTransform::getIdentity ());
    for (int i = 0; i < p->body_count; ++i)
    {
        const engine_body &b = p->bodies[p->order[i]];
        const engine_joint &j = p->joints[b.joint];
        const btTransform parent = b.parent < 0 ? btTransform::getIdentity () : pose (p->bodies[b.parent]);
        const btTransform here = pose (b);
        const btVector3 inertia (b.inertia[0][0], b.inertia[1][1], b.inertia[2][2]);
        const btQuaternion turn = here.getRotation ().inverse () * parent.getRotation ();
        const btVector3 before = parent.inverse () * vector (j.anchor),
                        after = -(here.inverse () * vector (j.anchor));
        const int from = b.parent < 0 ? -1 : w->link[(size_t)b.parent];
        w->link[(size_t)p->order[i]] = i;
        if (j.type == engine_hinge)
            tree.setupRevolute (i, b.mass, inertia, from, turn,
                                here.getBasis ().transpose () * vector (j.axis), before, after, true);
        else
            tree.setupSpherical (i, b.mass, inertia, from, turn, before, after, true);
    }
    tree.finalizeMultiDof ();
    for (int i = 0; i < p->body_count; ++i)
    {
        const engine_body &b = p->bodies[p->order[i]];
        const engine_joint &j = p->joints[b.joint];
        const btVector3 turning =
            vector (b.w) - (b.parent < 0 ? btVector3 (0, 0, 0) : vector (p->bodies[b.parent].w));
        if (j.type == engine_hinge)
            tree.setJointVel (i, turning.dot (vector (j.axis)));
        else
        {
            const btVector3 local = pose (b).getBasis ().transpose () * turning;
            tree.setJointVelMultiDof (i, static_cast<const btScalar *> (local));
        }
    }
    tree.setCanSleep (false);
    tree.setLinearDamping (0);
    tree.setAngularDamping (0);
    tree.setUseGyroTerm (true);
    tree.setMaxCoordinateVelocity (1e30);
    w->world.addMultiBody (&tree);
    return 1;
}

int step ()
{
    w->world.stepSimulation (w->h, 0, w->h);
    return 1;
}

void state (int body, double x[3], double q[4], double v[3], double av[3])
{
    static std::vector<btVector3> turning, moving;
    btMultiBody &tree = *w->tree;
    const int i = w->link[(size_t)body];
    if (body == 0)
    {
        btAlignedObjectArray<btQuaternion> rotations;
        btAlignedObjectArray<btVector3> origins;
        tree.forwardKinematics (rotations, origins);
        turning.resize ((size_t)tree.getNumLinks () + 1);
        moving.resize (turning.size ());
        tree.compTreeLinkVelocities (turning.data (), moving.data ());
    }
    const btTransform &t = tree.getLink (i).m_cachedWorldTransform;
    const btQuaternion r = t.getRotation ();
    const btVector3 velocity = t.getBasis () * moving[(size_t)i + 1],
                    spin = t.getBasis () * turning[(size_t)i + 1];
    for (int k = 0; k < 3; ++k) x[k] = t.getOrigin ()[k], v[k] = velocity[k], av[k] = spin[k];
    q[0] = r.w (), q[1] = r.x (), q[2] = r.y (), q[3] = r.z ();
}

void close ()
{
    w->world.removeMultiBody (w->tree.get ());
    w.reset ();
}
} // namespace

extern "C" const engine_setting engine_settings[] = {
    {"Bullet, btMultiBody", knobs, open, step, state, close, 0, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, 0, nullptr}};
