/*
 * Certificates: what a step did, by ODE's bodies and joints alone; contracts in ode_rls.h and certify.h.
 *
 * Before the step bodies and joints are read, and every joint gets a feedback structure; after the step they
 * are read again.  For every body the equations of Newton and Euler require
 *
 *     m (v1 - v0) / h = f + sum of reactions,      (L1 - L0) / h = t + sum of their moments
 *
 * with L the angular momentum about the centre of mass.  For bodies without gyroscopic terms ODE has
 * I0 (w1 - w0) in place of L1 - L0.
 */
#include "certify.h"

struct dxRLSCertificate
{
    int begun;
    double energy; /* J: before the step */
    RLS_LIST (rls_certified_body) bodies;
    rls_places places; /* of the bodies in that list */
    RLS_LIST (rls_certified_joint) joints;
};

dRLSCertificateID dRLSCertificateCreate (void)
{
    return rls_ode_prepare (NULL) == dRLSStatusOk ? calloc (1, sizeof (struct dxRLSCertificate)) : NULL;
}

void dRLSCertificateDestroy (dRLSCertificateID c)
{
    if (!c) return;
    rls_arena_free (&c->bodies.block);
    rls_arena_free (&c->places.block);
    rls_arena_free (&c->joints.block);
    free (c);
}

/* ---- bodies ---- */

/* Computes linear momentum, and angular momentum with the inertia at the orientation q. */
static void momentum_of (dBodyID body, const double q[4], const double v[6], double momentum[6])
{
    double I[9], own[9];
    const double mass = rls_read_mass (body, own);
    rls_rotate_tensor (q, own, I);
    rls_multiply (I, v + 3, momentum + 3);
    for (int k = 0; k < 3; ++k) momentum[k] = mass * v[k];
}

/* Changes v back to what it was before ODE damped it, which is the last thing that ODE does in a step.  (A
 * cap of the angular speed cannot be undone.) */
static void undo_damping (double v[3], dReal scale, dReal threshold)
{
    const double before = 1 - (double)scale, speed = rls_length3 (v);
    if (!(scale > 0) || !(before > 0) || !(speed / before > (double)threshold)) return;
    for (int k = 0; k < 3; ++k) v[k] /= before;
}

/* Reads a body after a step of h (s): sets moved, and balance (N, N m): the rate at which the momentum has
 * changed less the forces that are known. */
static void end_body (rls_certified_body *b, double h, double balance[6])
{
    double v[6], momentum[6], left[6];
    const double *from = b->pose.q;
    rls_pose now;
    rls_read_motion (b->body, 1, &now, v, left);
    undo_damping (v, dBodyGetLinearDamping (b->body), dBodyGetLinearDampingThreshold (b->body));
    undo_damping (v + 3, dBodyGetAngularDamping (b->body), dBodyGetAngularDampingThreshold (b->body));

    /* displacement */
    for (int k = 0; k < 3; ++k) b->moved[k] = now.x[k] - b->pose.x[k];
    rls_rotation_vector (now.q, from, b->moved + 3);

    /* balance of momentum, with gravity, which ODE adds to the accumulators within the step */
    dMass mass;
    dVector3 gravity;
    dBodyGetMass (b->body, &mass);
    dWorldGetGravity (dBodyGetWorld (b->body), gravity);
    momentum_of (b->body, dBodyGetGyroscopicMode (b->body) ? now.q : from, v, momentum);
    for (int k = 0; k < 6; ++k)
        balance[k] = (momentum[k] - b->momentum[k]) / h - b->applied[k] - b->reaction[k];
    for (int k = 0; k < 3 && dBodyGetGravityMode (b->body); ++k)
        balance[k] -= (double)mass.mass * (double)gravity[k];
}

/* Returns the energy (J) of all bodies. */
static double energy_of (const dRLSCertificateID c)
{
    double sum = 0;
    for (int i = 0; i < c->bodies.count; ++i)
    {
        dReal kinetic, potential;
        if (dRLSMeasureBody (c->bodies.of[i].body, &kinetic, &potential))
            sum += (double)kinetic + (double)potential;
    }
    return sum;
}

/* ---- joints ---- */

/* Of a joint's listed bodies the first lists the joint, so that none comes twice. */
static int list_joints (dRLSCertificateID c)
{
    c->joints.count = 0;
    for (int b = 0; b < c->bodies.count; ++b)
        for (int i = 0; i < dBodyGetNumJoints (c->bodies.of[b].body); ++i)
        {
            const dJointID joint = dBodyGetJoint (c->bodies.of[b].body, i);
            if (!RLS_ROOM (c->joints, c->joints.count + 1)) return 0;
            rls_certified_joint *j = &c->joints.of[c->joints.count];
            j->joint = joint;
            rls_ode_joint_bodies (joint, j->bodies);
            for (int side = 0; side < 2; ++side) j->at[side] = rls_places_find (&c->places, j->bodies[side]);
            c->joints.count += (j->at[0] >= 0 ? j->at[0] : j->at[1]) == b;
        }
    return 1;
}

/* Before the step: reads a joint, adds what its motors push to its bodies, and gives it a feedback
 * structure. */
static void begin_joint (dRLSCertificateID c, rls_certified_joint *j)
{
    rls_certify_read (j);
    for (int side = 0; side < 2; ++side)
        for (int k = 0; k < 6 && j->at[side] >= 0; ++k)
            c->bodies.of[j->at[side]].applied[k] += j->push[side][k];
    j->kept = dJointGetFeedback (j->joint);
    j->reaction = (dJointFeedback){.f1 = {(dReal)NAN}}; /* shows below whether a step has written it */
    dJointSetFeedback (j->joint, &j->reaction);
}

/* After the step: gives the joint the program's feedback structure again, with what the step wrote, and adds
 * the reaction to those of its bodies. */
static void end_joint (dRLSCertificateID c, rls_certified_joint *j)
{
    const int written = !isnan ((double)j->reaction.f1[0]);
    dJointSetFeedback (j->joint, j->kept);
    if (!written)
        j->reaction = (dJointFeedback){.f1 = {0}};
    else if (j->kept)
        *j->kept = j->reaction;
    for (int side = 0; side < 2; ++side)
        for (int k = 0; k < 6 && j->at[side] >= 0; ++k)
            c->bodies.of[j->at[side]].reaction[k] += *rls_feedback_number (&j->reaction, 6 * side + k);
}

/* A motor that is powered into its stop: ODE's steppers add its force to the accumulators of the bodies; a
 * step with rows for motor and stop has it in the reaction.  Which of both it was follows from the balance of
 * momentum; in the second case the force is taken from the reactions, and 1 is returned. */
static int find_push (dRLSCertificateID c, rls_certified_joint *j, double h)
{
    double apart = 0, together = 0, pushes = 0;
    for (int side = 0; side < 2; ++side)
    {
        double balance[6];
        if (j->at[side] < 0) continue;
        end_body (&c->bodies.of[j->at[side]], h, balance);
        apart += rls_flat_dot (6, balance, balance);
        for (int k = 0; k < 6; ++k) balance[k] += j->push[side][k];
        together += rls_flat_dot (6, balance, balance);
        pushes += rls_flat_dot (6, j->push[side], j->push[side]);
    }
    const int reacts = pushes > 0 && together < apart;
    for (int side = 0; side < 2 && reacts; ++side)
        for (int k = 0; k < 6 && j->at[side] >= 0; ++k)
        {
            c->bodies.of[j->at[side]].reaction[k] -= j->push[side][k];
            *rls_feedback_number (&j->reaction, 6 * side + k) -= (dReal)j->push[side][k];
            j->push[side][k] = 0;
        }
    return reacts;
}

/* ---- the calls ---- */

int dRLSCertificateBegin (dRLSCertificateID c, dBodyID const *bodies, int count)
{
    if (!c || c->begun || count < 0 || (!bodies && count > 0) || rls_ode_prepare (NULL) != dRLSStatusOk)
        return 0;
    c->bodies.count = c->joints.count = 0;
    if (!RLS_ROOM (c->bodies, count) || !rls_places_begin (&c->places, count)) return 0;
    for (; c->bodies.count < count; ++c->bodies.count)
    {
        const dBodyID body = bodies[c->bodies.count];
        if (!body || rls_places_find (&c->places, body) >= 0) return 0; /* listed twice */
        c->bodies.of[c->bodies.count] = (rls_certified_body){.body = body};
        rls_places_add (&c->places, body, c->bodies.count);
    }
    if (!list_joints (c)) return 0;
    for (int i = 0; i < count; ++i)
    {
        rls_certified_body *b = &c->bodies.of[i];
        rls_read_motion (b->body, 1, &b->pose, b->v, b->applied);
        momentum_of (b->body, b->pose.q, b->v, b->momentum);
    }
    for (int i = 0; i < c->joints.count; ++i) begin_joint (c, &c->joints.of[i]);
    c->energy = energy_of (c);
    return c->begun = 1;
}

/* Raises size to x if x is larger.  Returns 1 if it was. */
static int is_worse (dReal *size, double x)
{
    if (!(x > (double)*size) && !isnan (x)) return 0;
    *size = (dReal)x;
    return 1;
}

/* The same for two sizes, x of metres and y of radians.  Returns 1 if the largest of all has been raised. */
static int is_either_worse (dReal *metres, double x, dReal *radians, double y)
{
    dReal largest = (dReal)fmax ((double)*metres, (double)*radians);
    is_worse (metres, x);
    is_worse (radians, y);
    return is_worse (&largest, isnan (x) ? x : fmax (x, y));
}

/* Fills in the results that concern bodies: balances, the largest reactions, and the work of applied
 * forces.  Kinematic bodies have no balance; what they are given by reactions counts as work, with its sign
 * changed. */
static void check_bodies (dRLSCertificateID c, double h, dRLSStepCertificate *to)
{
    for (int i = 0; i < c->bodies.count; ++i)
    {
        rls_certified_body *b = &c->bodies.of[i];
        double balance[6];
        end_body (b, h, balance);
        if (!dBodyIsEnabled (b->body)) continue;
        double work = 0;
        const double *acting = dBodyIsKinematic (b->body) ? b->reaction : b->applied;
        for (int k = 0; k < 6; ++k) work += acting[k] * b->moved[k];
        to->applied_work += (dReal)(dBodyIsKinematic (b->body) ? -work : work);
        if (dBodyIsKinematic (b->body)) continue;

        if (is_worse (&to->force_balance, rls_length3 (balance))) to->force_body = b->body;
        if (is_worse (&to->torque_balance, rls_length3 (balance + 3))) to->torque_body = b->body;
        to->largest_force = (dReal)fmax (to->largest_force, rls_length3 (b->reaction));
        to->largest_torque = (dReal)fmax (to->largest_torque, rls_length3 (b->reaction + 3));
    }
}

/* Fills in the results that concern joints: violations, bounds, and the work of their rows. */
static void check_joints (dRLSCertificateID c, double h, dRLSStepCertificate *to)
{
    double largest = 0;
    for (int i = 0; i < c->joints.count; ++i)
    {
        rls_certified_joint *j = &c->joints.of[i];
        dRLSViolation v;
        rls_certified_rows rows;
        if (!dJointIsEnabled (j->joint) || !dBodyIsEnabled (j->bodies[0])) continue;

        /* violations at the end of the step */
        if (dRLSMeasureJoint (j->joint, &v))
        {
            if (is_either_worse (&to->gap_m, v.position_m, &to->gap_rad, v.angle_rad))
                to->gap_joint = j->joint;
            if (is_either_worse (&to->rate_m_s, v.velocity_m_s, &to->rate_rad_s, v.velocity_rad_s))
                to->rate_joint = j->joint;
        }

        /* bounds and work */
        rls_certify_rows (j, c->bodies.of, h, &rows);
        if (is_either_worse (&to->outside, rows.outside, &to->missed, rows.missed))
            to->bounds_joint = j->joint;
        to->driven_work += (dReal)rows.active;
        to->hard_work += (dReal)rows.passive;
        if (fabs (rows.passive) > largest) largest = fabs (rows.passive), to->energy_joint = j->joint;
    }
}

int dRLSCertificateEnd (dRLSCertificateID c, dReal h, dRLSStepCertificate *step)
{
    if (!c || !c->begun) return 0;
    for (int i = 0; i < c->joints.count; ++i) end_joint (c, &c->joints.of[i]);
    const int valid = h > 0 && isfinite (h) && step && step->struct_size >= sizeof (*step);
    if (valid)
    {
        const size_t size = step->struct_size;
        *step =
            (dRLSStepCertificate){.struct_size = size, .bodies = c->bodies.count, .joints = c->joints.count};
        for (int found = 1; found > 0;) /* one that is found shows others, of the same bodies */
        {
            found = 0;
            for (int i = 0; i < c->joints.count; ++i) found += find_push (c, &c->joints.of[i], (double)h);
        }
        check_bodies (c, (double)h, step);
        check_joints (c, (double)h, step);
        step->energy = (dReal)(energy_of (c) - c->energy);
        step->unexplained = step->energy - step->applied_work - step->driven_work;
    }
    c->begun = 0;
    return valid;
}
