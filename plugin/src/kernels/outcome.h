/* What becomes of an attempt: of a step, or of a part of one that may fail for reasons in the numbers. */
#ifndef RLS_OUTCOME_H
#define RLS_OUTCOME_H

typedef enum
{
    RLS_FAILED = -1,    /* a value is not finite, or the equations have no answer here: recovery begins */
    RLS_NO_MEMORY = 0,  /* the world stays as it was */
    RLS_DONE = 1,       /* what was asked for is there */
    RLS_ANOTHER_WAY = 2 /* nothing is wrong, but this method has no answer here and another may */
} rls_outcome;

#endif
