/*
 * Arrays that an island needs during its step only.  They belong to the thread that takes the step, and serve
 * one island after the other: those of hundreds of small islands would not fit into the caches.
 *
 * ODE does not say which thread runs a task, so a task takes what is free and puts it back at its end.  Which
 * arrays an island gets does not matter, because nothing that an earlier island left in them is used.
 */
#include "stepper.h"
#include "bounded/bounded.h"

/* Takes one of the spare ones.  Returns NULL if there is none. */
static void *take (rls_spare *spare)
{
    void *found = NULL;
    if (__atomic_load_n (&spare->count, __ATOMIC_RELAXED) == 0) return NULL;
    for (int i = 0; i < RLS_MOST_SPARE && !found; ++i)
        found = __atomic_exchange_n (&spare->of[i], NULL, __ATOMIC_ACQUIRE);
    if (found) __atomic_fetch_sub (&spare->count, 1, __ATOMIC_RELAXED);
    return found;
}

/* Adds one.  Returns NULL, or what was given if there is no place left. */
static void *put (rls_spare *spare, void *given)
{
    for (int i = 0; i < RLS_MOST_SPARE && given; ++i)
    {
        void *empty = NULL;
        if (!__atomic_compare_exchange_n (&spare->of[i], &empty, given, 0, __ATOMIC_RELEASE,
                                          __ATOMIC_RELAXED))
            continue;
        __atomic_fetch_add (&spare->count, 1, __ATOMIC_RELAXED);
        given = NULL;
    }
    return given;
}

/* Puts the arrays of the island's bounded rows back.  Only the numbers of rows stay known. */
static void put_rows_back (dRLSStepperID stepper, rls_workspace *workspace)
{
    rls_island *s = &workspace->island;
    rls_bounded_arrays_free (put (&stepper->thread_memory.arrays, s->bounded_arrays));
    s->bounded_arrays = NULL;
    s->begin.bounded = (rls_bounded){.joints = s->begin.bounded.joints, .rows = s->begin.bounded.rows};
    s->end.bounded = (rls_bounded){0};
    s->reactions.bounded_total = NULL;
    workspace->read.contacts = 0;
}

/* Returns 1 if the arrays are much larger than the island's rows.  Such arrays serve other islands better. */
static int is_roomy (const rls_island *s)
{
    return s->bounded_arrays && s->bounded_arrays->rows > RLS_ROOMY * s->begin.bounded.rows;
}

/* Before a step: an island that kept its rows in the last one gets arrays of its own size, others those of a
 * thread. */
void rls_thread_memory_take (dRLSStepperID stepper, rls_workspace *workspace)
{
    rls_island *s = &workspace->island;
    s->bounded_work = take (&stepper->thread_memory.work);
    if (is_roomy (s)) put_rows_back (stepper, workspace);
    if (!s->bounded_arrays && !s->valid.stood && !s->reactions.wanted)
        s->bounded_arrays = take (&stepper->thread_memory.arrays);
}

/* After a step: joint feedback is written from the rows once all islands have been stepped, and if the island
 * stands the next step uses them. */
void rls_thread_memory_put_back (dRLSStepperID stepper, rls_workspace *workspace)
{
    rls_island *s = &workspace->island;
    rls_bounded_free_work (put (&stepper->thread_memory.work, s->bounded_work));
    s->bounded_work = NULL;
    if (!s->reactions.wanted && (!s->valid.stood || is_roomy (s))) put_rows_back (stepper, workspace);
}

void rls_thread_memory_swap (dRLSStepperID stepper, rls_thread_memory *other)
{
    const rls_thread_memory own = stepper->thread_memory;
    stepper->thread_memory = *other, *other = own;
}

void rls_thread_memory_free (rls_thread_memory *memory)
{
    for (int i = 0; i < RLS_MOST_SPARE; ++i)
    {
        rls_bounded_free_work (memory->work.of[i]);
        rls_bounded_arrays_free (memory->arrays.of[i]);
    }
    *memory = (rls_thread_memory){0};
}
