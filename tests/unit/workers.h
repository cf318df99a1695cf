/* ODE's own threads for a world, for tests. */
#ifndef WORKERS_H
#define WORKERS_H

#include <ode/ode.h>

typedef struct
{
    dThreadingImplementationID threading; /* NULL: the world goes without */
    dThreadingThreadPoolID pool;
} workers;

/* So many threads step the world; none for 0.  Returns 0 where ODE cannot start them. */
static inline int workers_hire (workers *w, dWorldID world, unsigned threads)
{
    *w = (workers){NULL, NULL};
    if (!threads) return 1;
    w->threading = dThreadingAllocateMultiThreadedImplementation ();
    if (w->threading) w->pool = dThreadingAllocateThreadPool (threads, 0, dAllocateFlagBasicData, NULL);
    if (!w->pool) return 0;
    dThreadingThreadPoolServeMultiThreadedImplementation (w->pool, w->threading);
    dWorldSetStepThreadingImplementation (world, dThreadingImplementationGetFunctions (w->threading),
                                          w->threading);
    dWorldSetStepIslandsProcessingMaxThreadCount (world, threads);
    return 1;
}

static inline void workers_dismiss (workers *w, dWorldID world)
{
    dWorldSetStepThreadingImplementation (world, NULL, NULL);
    if (w->threading) dThreadingImplementationShutdownProcessing (w->threading);
    if (w->pool) dThreadingFreeThreadPool (w->pool);
    if (w->threading) dThreadingFreeImplementation (w->threading);
}

#endif
