/* What a saved state is made of. */
#ifndef RLS_STATE_H
#define RLS_STATE_H

#include "stepper.h"

typedef struct
{
    dBodyID body;
    dReal x[3], turn[16], v[3], w[3], force[6]; /* force: and torque */
    int enabled;
} rls_saved_body;

/* Pose and velocities alone, bit for bit. */
void rls_save_motion (rls_saved_body *to, dBodyID body);
void rls_restore_motion (const rls_saved_body *from);

struct dxRLSState
{
    dWorldID world; /* NULL: empty */
    double time;
    rls_saved_body *bodies;
    int body_count, body_capacity;
    rls_small_trees trees;
    rls_workspace **workspaces;
    int used_workspaces, workspace_count, workspace_capacity; /* used: those that the stepper had */
};

#endif
