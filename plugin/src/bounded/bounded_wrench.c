/*
 * The total wrench of a group of contacts, and its transfer to contacts at other points.
 *
 * Two bodies that rest on each other exchange the same force and torque from step to step, though collision
 * detection may find them to touch at other points each time.  The impulses that the new contacts have got
 * are completed by the smallest ones that restore the wrench.  Contacts cannot pull: rows that would are held
 * at their bound, and the others share the rest.
 */
#include "bounded_work.h"
#include "kernels/symmetric.h"

#define PASSES 3 /* most times that rows are held and the others solved again */

/* The wrench of a unit impulse along row r of joint j on body 1 of the group's first joint, about its centre
 * of mass; that body may be body 2 of joint j. */
static const double *row_wrench (const rls_warm_start *w, const rls_row *J, int first, int j, int r)
{
    return J[r] + (w->body1[j] != w->body1[first] ? 6 : 0);
}

/* The wrench of all impulses of a group of the last step on that body (N s, N m s). */
static void group_wrench (const rls_warm_start *w, int group, double wrench[6])
{
    const int first = w->first[group];
    memset (wrench, 0, sizeof (double[6]));
    for (int j = first; j >= 0; j = w->next[j])
        for (int r = w->row0[j]; r < w->row0[j + 1]; ++r)
        {
            const double *G = row_wrench (w, w->J, first, j, r);
            for (int k = 0; k < 6; ++k) wrench[k] += w->p[r] * G[k];
        }
}

/* Makes the wrench of an old group, given about centre, one on body 1 of the present group's first joint.  If
 * a contact's wrench points against its normal, that body was body 2 in the last step, which had the opposite
 * wrench. */
static void turn_to_group (const rls_island *island, int first, const double centre[3], double wrench[6])
{
    const rls_bounded *b = &island->begin.bounded;
    const int body = b->body[first][0], normal = b->row0[first];
    double lever[3], moment[3];
    if (b->lo[normal] < 0 || body < 0 || rls_dot3 (wrench, b->J[normal]) >= 0) return;
    for (int k = 0; k < 3; ++k) lever[k] = centre[k] - island->state.pose[body].x[k];
    rls_cross (lever, wrench, moment);
    for (int k = 0; k < 3; ++k) wrench[3 + k] += moment[k];
    for (int k = 0; k < 6; ++k) wrench[k] = -wrench[k];
}

void rls_spread_wrench (rls_island *island, rls_warm_start *w, int group, const rls_warm_start *old,
                        int old_group)
{
    rls_bounded *b = &island->begin.bounded;
    const int first = w->first[group];
    double wrench[6], length2 = 0, G[6];

    /* the wrench to be restored; torques count as forces at the length of the arms */
    group_wrench (old, old_group, wrench);
    turn_to_group (island, first, old->centre[old_group], wrench);
    for (int j = first; j >= 0; j = w->next[j])
    {
        for (int k = 0; k < 3; ++k) length2 = fmax (length2, w->arm[j][0][k] * w->arm[j][0][k]);
        memset (w->held + b->row0[j], 0, (size_t)(b->row0[j + 1] - b->row0[j]));
    }
    const double per = length2 > 0 ? 1 / sqrt (length2) : 1, scale[6] = {1, 1, 1, per, per, per};

    /* changes of impulses of least norm, of the rows that are not held */
    for (int pass = 0, changed = 1; pass < PASSES && changed; ++pass)
    {
        double A[36] = {0}, d[6], trace = 0;
        memcpy (d, wrench, sizeof (d));
        for (int j = first; j >= 0; j = w->next[j])
            for (int r = b->row0[j]; r < b->row0[j + 1]; ++r)
            {
                memcpy (G, row_wrench (w, b->J, first, j, r), sizeof (G));
                for (int k = 0; k < 6; ++k) d[k] -= b->p[r] * G[k], G[k] *= scale[k];
                for (int a = 0; a < 6 && !w->held[r]; ++a)
                    for (int k = 0; k <= a; ++k) A[6 * a + k] += G[a] * G[k];
            }
        for (int k = 0; k < 6; ++k) d[k] *= scale[k], trace += A[7 * k];
        if (!(trace > 0)) return;
        for (int k = 0; k < 6; ++k) A[7 * k] += RLS_WRENCH_REGULARISATION * trace;

        /* p += G' (G G')^-1 times what is missing of the wrench; rows beyond a bound are held there */
        rls_symmetric_factor (6, A);
        rls_symmetric_solve (6, A, d);
        changed = 0;
        for (int j = first; j >= 0; j = w->next[j])
            for (int r = b->row0[j]; r < b->row0[j + 1]; ++r)
            {
                if (w->held[r]) continue;
                memcpy (G, row_wrench (w, b->J, first, j, r), sizeof (G));
                for (int k = 0; k < 6; ++k) b->p[r] += G[k] * scale[k] * d[k];
                if (b->follow[r] >= 0 || (b->p[r] >= b->lo[r] && b->p[r] <= b->hi[r])) continue;
                b->p[r] = rls_clamp (b->p[r], b->lo[r], b->hi[r]);
                w->held[r] = 1;
                changed = 1;
            }
    }
}
