/* A part of a list of islands without workspaces, for one thread: free bodies, small trees. */
#ifndef RLS_BATCH_H
#define RLS_BATCH_H

#include "workspace.h"

typedef struct
{
    rls_ode_task task;
    void *first; /* of so many neighbours in the list */
    int count;
    int status; /* a dRLSStatus */
    const rls_settings *settings;
    double h; /* s; 0: only look whether the bodies can be read */
} rls_batch;

#endif
