/* The handle behind dRLSStepperID. */
#ifndef RLS_STEPPER_H
#define RLS_STEPPER_H

#include "free_bodies.h"
#include "small_trees.h"
#include "ode/ode_count.h"

/* A body's force accumulators as the user left them before the step, and what was attached to it then. */
typedef struct
{
    dBodyID body;
    dReal force[3], torque[3];
    dJointID joint; /* the last one attached */
    int joints;
} rls_loaded_body;

struct dxRLSStepper
{
    dWorldID world;
    rls_settings settings;
    rls_wishes wishes;
    double time; /* s: where the next step begins */

    dRLSMessageFunction *message;
    void *message_context;
    dRLSForceFunction *force;
    void *force_context;

    rls_free_bodies free;
    rls_small_trees trees;
    int trees_stepped; /* 1: in the last call; else they are kept for the next step, but not those of a report
                        */
    rls_workspace **workspaces; /* one an island that is neither a free body nor such a tree; kept for their
                                   memory and decisions */
    int workspace_count, workspace_capacity, used_workspaces;
    struct rls_claim *claims; /* see match.h */
    rls_given *given;         /* islands that get a workspace */
    int claim_capacity, given_capacity;
    rls_batch *batches;       /* of free bodies, then of small trees */
    rls_ode_task **tasks;
    int batch_capacity, task_capacity;
    unsigned *sizes;
    int size_capacity;
    rls_loaded_body *loaded; /* with a force callback: all islands' bodies, in their order */
    int loaded_count, loaded_capacity;

    int alone;           /* 1: one thread steps the world, as others are stepped by others; see step_many.c */
    dBodyID const *held; /* bodies that stay while joints are closed; see assemble.c */
    int held_count;

    int busy;          /* a call is under way: callbacks must not begin another one or change choices */
    int count_place;   /* see ode_count.h */
    rls_ode_count had; /* objects of the world before the callbacks of this step */
    int world_changed; /* see world_changed.h */

    int status;
    unsigned long warnings[dRLSWarningCount];
    dRLSWarningNote notes[dRLSWarningCount];
    dRLSReport report;
};

/* Gravity and the global ERP and CFM, as they are now. */
void rls_read_world (dRLSStepperID stepper);

/* 1 if a call that sets the status may begin: there is a stepper, and it is not busy. */
int rls_begin_call (dRLSStepperID stepper);

/* Sets the status and, for a failure, tells the callback.  Returns 1 for dRLSStatusOk, otherwise 0. */
int rls_finish (dRLSStepperID stepper, int status);

/* The report of the last step is no longer that of the world. */
void rls_forget_report (dRLSStepperID stepper);

/* Counts a warning and tells the callback the first time. */
void rls_warn (dRLSStepperID stepper, int warning, unsigned long times);

#endif
