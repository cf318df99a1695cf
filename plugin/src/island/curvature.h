/*
 * What the bilateral rows require of accelerations.
 *
 * The derivative of H v = y along the motion is H a = dy/dt - dH/dt v.  For joints whose rows follow from the
 * poses (joint_frame.h) the right-hand side is known in closed form; for the others it is found by central
 * differences of fourth order along the motion.  The rows of a joint may be any basis of what they hold; this
 * basis turns with the joint and may jump.  So what is differentiated is first expressed in the basis of the
 * reference rows, by the same least-squares combination at every pose.
 */
#ifndef RLS_CURVATURE_H
#define RLS_CURVATURE_H

#include "island.h"

/*
 * wanted (rows) := dy/dt - dH/dt v for the reference rows, which are those of pose at provider.time.  Returns
 * 1, or 0 if rows cannot be evaluated at a pose nearby.
 */
int rls_curvature_find (rls_island *island, const rls_rows *reference, const rls_pose *pose,
                        const double (*v)[6], double *wanted);

#endif
