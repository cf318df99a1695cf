/*
 * demo_joints with the motion that its joints have in the limit of small steps: included before the demo, it takes
 * each dWorldStep in a hundred pieces under the same forces.
 */
#include <ode/ode.h>

#define PIECES 100

static inline int fine_step (dWorldID world, dReal h, dBodyID const *body, int bodies)
{
    dVector3 force[2], torque[2];
    for (int b = 0; b < bodies; ++b)
        for (int k = 0; k < 3 && body[b]; ++k)
            force[b][k] = dBodyGetForce (body[b])[k], torque[b][k] = dBodyGetTorque (body[b])[k];
    int done = 1;
    for (int i = 0; i < PIECES; ++i)
    {
        for (int b = 0; b < bodies && i > 0; ++b)
        {
            if (!body[b]) continue;
            dBodyAddForce (body[b], force[b][0], force[b][1], force[b][2]);
            dBodyAddTorque (body[b], torque[b][0], torque[b][1], torque[b][2]);
        }
        done &= dWorldStep (world, h / PIECES);
    }
    return done;
}

#define dWorldStep(world, h) fine_step (world, h, body, 2)
