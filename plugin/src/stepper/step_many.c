/* dRLSStepperStepMany: many worlds on several threads; contract in ode_rls.h.  A thread that has finished a
 * world takes the next one, which balances worlds that take long and short. */
#include "stepper.h"
#include <pthread.h>

typedef struct
{
    dRLSStepperID const *steppers;
    int count, steps;
    dReal h;
    dRLSBeforeStepFunction *before;
    void *context;
    int next;     /* index of the next world to be taken by a thread */
    int finished; /* worlds that have taken all their steps */
} world_batch;

/* What each thread does: takes worlds until none is left, and all steps of each as long as they succeed.  Its
 * worlds use the same arrays one after the other (thread_memory.c). */
static void *work (void *context)
{
    world_batch *batch = context;
    rls_thread_memory memory = {0};
    for (int i; (i = __atomic_fetch_add (&batch->next, 1, __ATOMIC_RELAXED)) < batch->count;)
    {
        int done = 1;
        rls_thread_memory_swap (batch->steppers[i], &memory);
        for (int step = 0; step < batch->steps && done; ++step)
        {
            if (batch->before) batch->before (batch->context, i, step);
            done = dRLSStepperStep (batch->steppers[i], batch->h);
        }
        rls_thread_memory_swap (batch->steppers[i], &memory);
        if (done) (void)__atomic_fetch_add (&batch->finished, 1, __ATOMIC_RELAXED);
    }
    rls_thread_memory_free (&memory);
    return NULL;
}

static void set_alone (dRLSStepperID const *steppers, int count, int alone)
{
    for (int i = 0; i < count; ++i) steppers[i]->alone = alone;
}

/* Marks the steppers as alone, which also finds those that are listed twice.  Returns 1; or 0, with no mark
 * left, if a stepper is missing, busy or listed twice. */
static int mark_all (dRLSStepperID const *steppers, int count)
{
    int marked = 0;
    while (marked < count && steppers[marked] && !steppers[marked]->busy && !steppers[marked]->alone)
        steppers[marked++]->alone = 1;
    if (marked < count) set_alone (steppers, marked, 0);
    return marked == count;
}

int dRLSStepperStepMany (dRLSStepperID const *steppers, int count, dReal h, int steps, int threads,
                         dRLSBeforeStepFunction *before, void *context)
{
    pthread_t helper[dRLSMostThreads];
    world_batch batch = {steppers, count, steps, h, before, context, 0, 0};
    int helpers = 0;
    if (count < 0 || (count > 0 && !steppers) || steps < 0 || threads < 1 || threads > dRLSMostThreads ||
        !(h > 0) || !isfinite (h) || !mark_all (steppers, count))
        return -1;

    /* this thread is one of them; if the system grants fewer, those do the work */
    while (helpers < threads - 1 && helpers < count - 1 &&
           pthread_create (&helper[helpers], NULL, work, &batch) == 0)
        ++helpers;
    work (&batch);
    for (int i = 0; i < helpers; ++i) pthread_join (helper[i], NULL);
    set_alone (steppers, count, 0);
    return batch.finished;
}
