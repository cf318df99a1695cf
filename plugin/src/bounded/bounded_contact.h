/*
 * Contacts of three rows (a normal and two directions of friction with it), eight at a time.
 *
 * They are most of what an island has, so their share of the interior-point iteration is laid out for
 * vector units: lane i of group g is contact 8 g + i, in the order of their runs.  A run is a stretch of
 * contacts of the same two bodies.  Their rows are wrenches, on body 1 and the opposite on body 2, so that
 * one side says all: velocities are those of body 1 relative to body 2, seen at the centre of mass of body
 * 1.
 */
#ifndef RLS_BOUNDED_CONTACT_H
#define RLS_BOUNDED_CONTACT_H

#include "body_space.h"
#include "kernels/eight.h"

enum
{
    RLS_LOW_1 = 0,
    RLS_HIGH_1,
    RLS_LOW_2,
    RLS_HIGH_2,
    RLS_PUSH, /* of the normal */
    RLS_CONTACT_BOUNDS
};

typedef struct
{
    /* of the rows normal, friction 1, friction 2 */
    rls_eight p[3], w[3], dp[3], dw[3];
    rls_eight side[3][6]; /* body 1's part of the rows once more, by lanes */
    rls_eight v[6];       /* change of the velocity of body 1 relative to body 2 */
    rls_eight u[3];       /* J dv */
    rls_eight q[3];       /* impulses that would be if the velocities stayed */
    rls_eight rhs[3];
    rls_eight softness[3], resistance[3], weight[3];
    rls_eight mu[2], coupling[2]; /* of friction 1 and 2 */
    /* of friction 1, friction 2, normal; a measure of 0 marks lanes without a contact */
    rls_eight scale[3], measure[3];
    /* of the bounds: slack, dual, their ratio, the dual aimed at */
    rls_eight s[RLS_CONTACT_BOUNDS], z[RLS_CONTACT_BOUNDS], ratio[RLS_CONTACT_BOUNDS],
        aim[RLS_CONTACT_BOUNDS];
} rls_contact8;

typedef struct
{
    int body1, body2, block; /* block: where the bodies meet in K, -1 if they do not */
    int first, last;         /* contacts first .. last - 1 */
    double lever[3];         /* from the centre of mass of body 2 to that of body 1 */
} rls_run;

typedef struct
{
    int contacts, groups, runs;
    int *row;                      /* contacts: the normal's row */
    double (*side)[3][RLS_PADDED]; /* contacts: body 1's part of the rows */
    rls_contact8 *group;
    rls_run *run;
} rls_contacts;

#endif
