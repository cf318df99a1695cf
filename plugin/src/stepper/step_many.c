/* Batches of worlds; contract in ode_rls.h.  Threads take the next world that nobody has, so that long and
 * short ones share themselves out. */
#include "stepper.h"
#include <pthread.h>

typedef struct
{
    dRLSStepperID const *steppers;
    int count, steps;
    dReal h;
    dRLSBeforeStepFunction *before;
    void *context;
    int next, finished; /* world that is to be taken; worlds that have taken all steps */
} crowd;

static int take_steps (const crowd *c, int index)
{
    dRLSStepperID stepper = c->steppers[index];
    int done = 1;
    for (int step = 0; step < c->steps && done; ++step)
    {
        if (c->before) c->before (c->context, index, step);
        done = dRLSStepperStep (stepper, c->h);
    }
    return done;
}

static void *work (void *context)
{
    crowd *c = context;
    for (int i; (i = __atomic_fetch_add (&c->next, 1, __ATOMIC_RELAXED)) < c->count;)
        if (take_steps (c, i)) (void)__atomic_fetch_add (&c->finished, 1, __ATOMIC_RELAXED);
    return NULL;
}

static void work_alone (dRLSStepperID const *steppers, int count, int alone)
{
    for (int i = 0; i < count; ++i) steppers[i]->alone = alone;
}

/* Marks the steppers as worlds of a batch.  Returns 0, with no mark left, if one is missing, busy or listed
 * twice. */
static int gather_crowd (dRLSStepperID const *steppers, int count)
{
    int marked = 0;
    while (marked < count && steppers[marked] && !steppers[marked]->busy && !steppers[marked]->alone)
        steppers[marked++]->alone = 1;
    if (marked < count) work_alone (steppers, marked, 0);
    return marked == count;
}

int dRLSStepperStepMany (dRLSStepperID const *steppers, int count, dReal h, int steps, int threads,
                         dRLSBeforeStepFunction *before, void *context)
{
    pthread_t helper[dRLSMostThreads];
    crowd c = {steppers, count, steps, h, before, context, 0, 0};
    int helpers = 0;
    if (count < 0 || (count > 0 && !steppers) || steps < 0 || threads < 1 || threads > dRLSMostThreads ||
        !(h > 0) || !isfinite (h) || !gather_crowd (steppers, count))
        return -1;
    while (helpers < threads - 1 && helpers < count - 1 &&
           pthread_create (&helper[helpers], NULL, work, &c) == 0)
        ++helpers;
    work (&c);
    for (int i = 0; i < helpers; ++i) pthread_join (helper[i], NULL);
    work_alone (steppers, count, 0);
    return c.finished;
}
