/*
 * Splits the reaction of a joint into the forces of its rows, and checks whether these satisfy the conditions
 * of limits, motors and contacts; contract in certify.h.
 *
 * The forces f of the rows are the weighted least-squares solution of J' f = reaction, which is exact if the
 * reaction acted along these rows.  A stepper may use rows of another time within the step; these differ
 * mostly in their levers, so moments have a small weight.  With w_r = J_r v + cfm f_r - target, a bounded row
 * requires
 *
 *     f_r in [lo, hi],   w_r >= 0 where f_r = lo,   w_r <= 0 where f_r = hi,   w_r = 0 in between.
 *
 * The error of a row is the natural map of this complementarity condition: the velocity w_r, or the velocity
 * that the force up to its bound would still make, whichever is less.  The target may contain ODE's error
 * reduction or not, since some methods close positions separately: any value in between is accepted.
 */
#include "certify.h"

#define MOMENT 1024 /* m: an error of so many N m weighs as much as one of 1 N */

/* Reads the rows of a joint for a step rate fps (1/s), 0: without error reduction.  Returns their number;
 * push (NULL: not wanted): what a motor that is powered into its stop would add to the forces on its
 * bodies. */
static int read_rows (const rls_certified_joint *j, dReal fps, rls_ode_rows *rows, double push[2][6])
{
    const dWorldID world = dBodyGetWorld (j->bodies[0]);
    const int count = rls_ode_row_count (j->joint);
    rls_ode_get_rows_aside (j->joint, count, fps, dWorldGetERP (world), dWorldGetCFM (world), rows, push);
    return count;
}

/* Returns J M^-1 J' of one row. */
static double delassus (const dReal row[12], const dBodyID bodies[2])
{
    double sum = 0;
    for (int side = 0; side < 2 && bodies[side]; ++side, row += 6)
    {
        dMass mass;
        dVector3 spin, turned;
        if (dBodyIsKinematic (bodies[side])) continue;
        dBodyGetMass (bodies[side], &mass);
        dMatrix3 inverse;
        sum += dot3 (row, row) / (double)mass.mass;
        if (!dInvertPDMatrix (mass.I, inverse, 3)) continue;
        dBodyVectorFromWorld (bodies[side], row[3], row[4], row[5], spin);
        for (int k = 0; k < 3; ++k) turned[k] = (dReal)dot3 (inverse + 4 * k, spin);
        sum += dot3 (spin, turned);
    }
    return sum;
}

void rls_certify_read (rls_certified_joint *j)
{
    rls_ode_rows closing;
    j->rows = 0;
    memset (j->push, 0, sizeof (j->push));
    j->rates = dJointGetType (j->joint) != dJointTypeTransmission; /* gears divide by the step rate */
    if (!dJointIsEnabled (j->joint) || rls_is_degenerate (j->joint, 1)) return;
    j->rows = read_rows (j, j->rates ? 0 : 1, &j->still, j->push);
    if (j->rates) read_rows (j, 1, &closing, j->push);
    for (int r = 0; r < j->rows; ++r)
    {
        j->closing[r] = j->rates ? closing.rhs_cfm[r][0] - j->still.rhs_cfm[r][0] : 0;
        j->own[r] = delassus (j->still.J[r], j->bodies);
    }
}

/* ---- after the step ---- */

/* The weight of component k of a reaction. */
static double weight (int k) { return k % 6 < 3 ? 1 : 1.0 / MOMENT; }

/* Solves J' f = reaction for the forces f of m rows by weighted least squares, with an orthogonal basis of
 * the rows (modified Gram-Schmidt).  Rows that depend on those before them get 0. */
static void split_reaction (const rls_ode_rows *rows, int m, const double reaction[12], double f[])
{
    double basis[RLS_ODE_MAX_ROWS][12], mix[RLS_ODE_MAX_ROWS][RLS_ODE_MAX_ROWS] = {{0}}, left[12];
    for (int k = 0; k < 12; ++k) left[k] = weight (k) * reaction[k];

    /* the basis, and the component of the reaction along each of its vectors */
    for (int r = 0; r < m; ++r)
    {
        for (int k = 0; k < 12; ++k) basis[r][k] = weight (k) * (double)rows->J[r][k];
        const double whole = rls_flat_dot (12, basis[r], basis[r]);
        for (int i = 0; i < r; ++i)
        {
            mix[i][r] = rls_flat_dot (12, basis[i], basis[r]);
            rls_flat_add (12, -mix[i][r], basis[i], basis[r]);
        }
        const double size = rls_flat_dot (12, basis[r], basis[r]);
        mix[r][r] = size > RLS_DEPENDENT * whole ? sqrt (size) : 0;
        rls_flat_scale (12, mix[r][r] > 0 ? 1 / mix[r][r] : 0, basis[r], basis[r]);
        f[r] = rls_flat_dot (12, basis[r], left);
        rls_flat_add (12, -f[r], basis[r], left);
    }

    /* from forces along the basis to forces along the rows, by back substitution */
    for (int r = m - 1; r >= 0; --r)
    {
        for (int i = r + 1; i < m; ++i) f[r] -= mix[r][i] * f[i];
        f[r] = mix[r][r] > 0 ? f[r] / mix[r][r] : 0;
    }
}

/* Returns by how much (m/s, rad/s) row r misses its condition, with rows of one end of the step. */
static double miss_of (const rls_certified_joint *j, const rls_ode_rows *rows, int r, const double f[],
                       double lo, double hi, double h)
{
    const double error = (double)j->closing[r] / h, room = h * j->own[r];
    const double off = rls_row_velocity (rows->J[r], j->bodies) + (double)rows->rhs_cfm[r][1] * f[r] -
                       (double)j->still.rhs_cfm[r][0];
    const double w = off - fmax (fmin (0, error), fmin (off, fmax (0, error))); /* beyond 0 and error */
    if (w > 0) return fmin (w, fmax (0, room * (f[r] - lo)));
    return fmin (-w, fmax (0, room * (hi - f[r])));
}

/* Returns the work (J) of a force and torque on each body over the motion of the step. */
static double work_of (const rls_certified_joint *j, const rls_certified_body *bodies, const double force[12])
{
    double work = 0;
    for (int side = 0; side < 2; ++side)
        for (int k = 0; k < 6 && j->at[side] >= 0; ++k)
            work += force[6 * side + k] * bodies[j->at[side]].moved[k];
    return work;
}

void rls_certify_rows (rls_certified_joint *j, const rls_certified_body *bodies, double h,
                       rls_certified_rows *result)
{
    double reaction[12], of_row[12], f[RLS_ODE_MAX_ROWS];
    rls_ode_rows now;
    *result = (rls_certified_rows){0, 0, 0, 0};
    for (int k = 0; k < 12; ++k)
        reaction[k] = j->bodies[1] || k < 6 ? (double)*rls_feedback_number (&j->reaction, k) : 0;
    split_reaction (&j->still, j->rows, reaction, f);

    /* Contacts stay where they were found.  Other rows turn with their bodies, and are satisfied if they are
     * so at either end of the step. */
    const int turned = j->rates && dJointGetType (j->joint) != dJointTypeContact &&
                       !rls_is_degenerate (j->joint, h) && read_rows (j, 0, &now, NULL) == j->rows;
    for (int r = 0; r < j->rows && j->rates; ++r)
    {
        /* only rows that may do work: those that have bounds, are driven, or are springs */
        if (rls_is_bilateral (&j->still, r) && j->still.rhs_cfm[r][0] == 0 &&
            !(j->still.rhs_cfm[r][1] > dWorldGetCFM (dBodyGetWorld (j->bodies[0]))))
            continue;

        /* bounds; those of friction are coefficients times the normal force */
        const int normal = j->still.findex[r];
        const double scale = normal >= 0 ? fmax (0, f[normal]) : 1;
        const double lo = normal >= 0 ? -scale * (double)j->still.lo_hi[r][1] : (double)j->still.lo_hi[r][0];
        const double hi = scale * (double)j->still.lo_hi[r][1];
        double missed = miss_of (j, &j->still, r, f, lo, hi, h);
        if (turned) missed = fmin (missed, miss_of (j, &now, r, f, lo, hi, h));
        result->missed = fmax (result->missed, missed);
        result->outside = fmax (result->outside, fmax (f[r] - hi, lo - f[r]));
        for (int k = 0; k < 12; ++k) of_row[k] = f[r] * (double)j->still.J[r][k];
        result->active += work_of (j, bodies, of_row);
    }
    result->passive = work_of (j, bodies, reaction) - result->active;
}
