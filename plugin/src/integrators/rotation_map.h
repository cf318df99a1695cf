/*
 * The two maps by which a discrete angular velocity w (body axes) turns a body over a step, computed for four
 * bodies at a time.  With t = (h/2) w, s = t't and x = sqrt (s) the rotation is the quaternion
 *
 *     Cayley's map        q = (1, t) / sqrt (1 + s)
 *     exponential         q = (cos x, (sin x / x) t): a rotation by h |w| about w
 *
 * Cayley's map is how ODE turns bodies by default, the exponential is its finite rotation mode; which map is
 * taken here does not depend on that.  With either map, the discrete Lagrangian (h/2) w' I w has the momenta
 * (cayley.h)
 *
 *     e I w + (h/2) w x I w + (h^2/4) g (w' I w) w         e = g = 1  or  e = x cot x, g = (1 - x cot x) / s
 *
 * and R1' dR1 = (a - b [t]x + c t t') h dw.  (Bou-Rabee & Marsden 2009, section 4; for dexp and its inverse
 * Hairer, Lubich & Wanner 2006, IV.7.)
 *
 * All coefficients follow from two power series in s, which have no singularity and no cancellation at 0:
 *
 *     m = (sin x / x - cos x) / s,    r = (1 - sin x / x) / s
 *
 * Where h |w| is more than 1 rad they are computed from sine and cosine, lane by lane, so that no body's
 * result depends on another's.
 */
#ifndef RLS_ROTATION_MAP_H
#define RLS_ROTATION_MAP_H

#include "island/island.h"
#include "kernels/lanes.h"

/*
 * Chooses the bodies that turn by the exponential (model.by_exponential): those that turn about their own
 * centre, such as wheels and free bodies, in either of ODE's modes.
 *
 * If a joint holds a body at a distance r from its centre, the centre moves along a chord, which takes m r^2
 * / 12 (h w)^2 from the body's energy; Cayley's map adds I / 6 (h w)^2.  Both errors partly cancel, so that
 * Cayley's map is better where m r^2 > I, unless the body spins about the line to that joint, as a top does.
 * h: s, of the step.
 */
void rls_rotation_maps_choose (rls_island *island, double h);

/* The series of four bodies: m and r, sine = sin x / x = 1 - s r, and cosine = cos x = sin x / x - s m. */
typedef struct
{
    rls_four sine, cosine, m, r;
} rls_sines;

/* Computes the series for s >= 0. */
RLS_INLINE void rls_lanes_sines (rls_four s, rls_sines *out)
{
    /* terms of m: (2n + 2) / (2n + 3)!, those of r: 1 / (2n + 3)!, with alternating signs */
    static const double factorial[] = {6., 120., 5040., 362880., 39916800., 6227020800., 1307674368000.};
    rls_four m = {0}, r = {0};
    for (int n = 6; n >= 0; --n)
    {
        m = (2 * n + 2) / factorial[n] - s * m;
        r = 1 / factorial[n] - s * r;
    }

    /* lanes with too large an angle for the series */
    for (int k = 0; k < RLS_LANES; ++k)
        if (!(s[k] <= 0.25))
        {
            const double x = sqrt (s[k]), sine = sin (x) / x;
            m[k] = (sine - cos (x)) / s[k];
            r[k] = (1 - sine) / s[k];
        }
    out->m = m, out->r = r;
    out->sine = 1 - s * r;
    out->cosine = out->sine - s * m;
}

#endif
