/*
 * Where contacts go with their bodies, as far as it is known what of these touches (ode/contact_points.c): a
 * point, or what is round about one, of one body, and a face of the other or what is round there as well.
 */
#ifndef RLS_CONTACT_MOTION_H
#define RLS_CONTACT_MOTION_H

#include "island/island.h"

typedef struct
{
    double h;              /* s: the time that the motion took */
    const double (*du)[6]; /* its mean velocities, angular ones as what is round rolls with them */
    double *way;           /* how far the bodies have moved along each row of the contact (m) */
} rls_contact_motion;

/* J := the rows of contact j, which are those of bounded where the bodies are at from, where they are at to.
 * motion: also how far that was; or NULL. */
void rls_contact_move (const rls_bounded *bounded, int j, const rls_pose *from, const rls_pose *to,
                       double (*J)[12], const rls_contact_motion *motion);

#endif
