/*
 * Contacts of three rows (a normal and two rows of friction with it), eight at a time.
 *
 * They are most of what a large island has, so the interior-point method lays them out for vector units: lane
 * i of group g is contact 8 g + i, in the order of their runs.  A run is a sequence of contacts of the same
 * two bodies.  Their rows are wrenches, which act on body 2 with the opposite sign, so that the part of body
 * 1 is enough: velocities are those of body 1 relative to body 2, at the centre of mass of body 1.
 */
#ifndef RLS_BOUNDED_CONTACT_H
#define RLS_BOUNDED_CONTACT_H

#include "body_space.h"

/* The bounds of a contact: low and high of both rows of friction, and that of the normal. */
enum
{
    RLS_LOW_1 = 0,
    RLS_HIGH_1,
    RLS_LOW_2,
    RLS_HIGH_2,
    RLS_PUSH,
    RLS_CONTACT_BOUNDS
};

typedef struct
{
    /* [3]: of the rows normal, friction 1, friction 2, as in rls_interior */
    rls_eight p[3], w[3], dp[3], dw[3];
    rls_eight side[3][6]; /* the part of body 1 of the rows, by lanes */
    rls_eight v[6];       /* change of the velocity of body 1 relative to body 2 */
    rls_eight u[3];       /* J dv */
    rls_eight q[3];       /* impulses that would follow if velocities stayed as they are */
    rls_eight rhs[3];
    rls_eight softness[3], resistance[3], weight[3];
    rls_eight mu[2], coupling[2]; /* of friction 1 and 2 */
    /* D of friction 1, friction 2, normal; measure is the same, and 0 in lanes without a contact */
    rls_eight scale[3], measure[3];
    /* of the bounds, as in rls_barrier */
    rls_eight s[RLS_CONTACT_BOUNDS], z[RLS_CONTACT_BOUNDS], ratio[RLS_CONTACT_BOUNDS],
        aim[RLS_CONTACT_BOUNDS];
} rls_contact8;

typedef struct
{
    int body1, body2, block; /* block: that of both bodies in K, or -1 */
    int first, last;         /* contacts first .. last - 1 */
    double lever[3];         /* from the centre of mass of body 2 to that of body 1 */
} rls_run;

typedef struct
{
    int contacts, groups, runs;
    int *row;                      /* contacts: the normal's row */
    double (*side)[3][RLS_PADDED]; /* contacts: the part of body 1 of the rows */
    rls_contact8 *group;
    rls_run *run;
} rls_contacts;

#endif
