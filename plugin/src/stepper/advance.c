/*
 * dRLSStepperAdvance: steps whose length follows the estimated error; contract in ode_rls.h.
 *
 * Each step is taken twice from the same saved state, once whole and once in two halves.  With a method of
 * order p, the error of the halves is 1 / (2^p - 1) of the difference between both results (Richardson's
 * extrapolation; Hairer, Norsett & Wanner, Solving Ordinary Differential Equations I, section II.4).  If this
 * error is small enough the result of the halves is kept; otherwise the state is restored and a shorter step
 * is tried.
 */
#include "stepper.h"

/*
 * Coefficients of the choice of lengths.  The first three are usual ones (Hairer, Norsett & Wanner, section
 * II.4).  The others make sure that every call ends.  Near a singular configuration the difference of two
 * short steps is rounding error divided by a vanishing pivot, and steps that approach the configuration ever
 * more slowly lose their branch; so the shortest step there is a longer one.
 */
#define SAFETY 0.9    /* the next step over the one whose error would just be allowed */
#define GROWTH 4.0    /* the most by which a step may be longer than the one before, */
#define SHRINKAGE 0.2 /* and the least */
#define TRIALS 3      /* a step is accepted after so many shorter ones that did not reduce the error */
#define SHORTEST 2e-3 /* the shortest step that is tried, over the longest one so far, */
#define SHORTEST_SINGULAR 0.1 /* and near singular configurations */

/* A joint with feedback.  The twelve numbers are f1, t1, f2, t2 of dJointFeedback (N, N m). */
typedef struct
{
    dJointFeedback *feedback;
    dReal half[12]; /* those of the first half of the step at hand */
    dReal sum[12];  /* integral over the steps accepted so far (N s, N m s) */
} advanced_joint;

/* A call of dRLSStepperAdvance. */
typedef struct
{
    dRLSStepperID stepper;
    double begin, duration; /* s */
    double tolerance;       /* m, rad, m/s and rad/s alike */
    int bodies, joints;     /* of the islands; joints with feedback */
    dBodyID *body;
    rls_saved_body *whole; /* bodies: where the whole step ended */
    advanced_joint *joint;
    dRLSStateID before; /* the beginning of the call, with the forces of the program on the bodies */
    dRLSStateID start;  /* the beginning of the step that is tried */
    int singular;       /* 1: the step that is tried came close to a singular configuration */
    int in_pieces;      /* 1: its whole step had to be taken in pieces (dRLSReasonPieces) */
    double longest;     /* s: the longest step of the previous call, as the program gave it */
    dRLSAdvance found;
    rls_arena block; /* memory of the arrays above */
} advance;

static void lay_out (advance *a, rls_arena_cursor *c)
{
    RLS_TAKE (c, (size_t)a->bodies, a->body, a->whole);
    RLS_TAKE (c, (size_t)a->joints, a->joint);
}

/* ---- bodies and joints ---- */

/* Lists the bodies of all islands, and the joints with feedback.  Returns a dRLSStatus. */
static int list_objects (advance *a)
{
    rls_ode_islands islands;
    if (!rls_ode_find_islands (a->stepper->world, 0, &islands)) return dRLSStatusODEFailed;

    /* count first, since the memory is laid out in one piece */
    a->bodies = islands.body_count;
    for (int j = 0; j < islands.joint_count; ++j) a->joints += dJointGetFeedback (islands.joints[j]) != NULL;
    if (!RLS_LAY_OUT (a, &a->block, lay_out)) return dRLSStatusNoMemory;
    for (int b = 0; b < a->bodies; ++b) a->body[b] = islands.bodies[b];
    a->joints = 0;
    for (int j = 0; j < islands.joint_count; ++j)
        if (dJointGetFeedback (islands.joints[j]))
            a->joint[a->joints++] = (advanced_joint){.feedback = dJointGetFeedback (islands.joints[j])};
    return dRLSStatusOk;
}

/* Returns the Euclidean distance |a - sign b| of n numbers.  Raises size to the largest |a[k]|. */
static double distance (const dReal *a, const dReal *b, int n, double sign, double *size)
{
    double sum = 0;
    for (int k = 0; k < n; ++k)
    {
        const double off = (double)a[k] - sign * (double)b[k];
        sum += off * off;
        *size = fmax (*size, fabs ((double)a[k]));
    }
    return sqrt (sum);
}

/* Returns the largest difference, over all bodies, between the present motion and that after the whole step:
 * of positions (m), rotations (rad), velocities (m/s and rad/s).  size becomes the magnitude of the largest
 * number compared, at least 1, against which rounding is judged. */
static double largest_difference (const advance *a, double *size)
{
    double worst = 0;
    *size = 1;
    for (int b = 0; b < a->bodies; ++b)
    {
        const rls_saved_body *whole = &a->whole[b];
        rls_saved_body now;
        double dot = 0;
        rls_save_motion (&now, a->body[b]);

        /* q and -q are the same rotation; a rotation by a small angle changes the quaternion by half of it */
        for (int k = 0; k < 4; ++k) dot += (double)now.turn[k] * (double)whole->turn[k];
        worst = fmax (worst, distance (now.x, whole->x, 3, 1, size));
        worst = fmax (worst, 2 * distance (now.turn, whole->turn, 4, dot < 0 ? -1 : 1, size));
        worst = fmax (worst, distance (now.v, whole->v, 3, 1, size));
        worst = fmax (worst, distance (now.w, whole->w, 3, 1, size));
    }
    return worst;
}

/* ---- steps ---- */

/* Returns the order by which the error is estimated: that of the integrator, but 1 where there are limits,
 * motors or contacts, because events such as impacts may reduce it. */
static int order_of (dRLSStepperID stepper)
{
    const rls_settings *set = &stepper->settings;
    if (stepper->report.bounded_rows > 0) return 1;
    if (set->correction == dRLSCorrectionAugmented || set->correction == dRLSCorrectionConserving) return 2;
    if (set->integrator == dRLSIntegratorEuler) return 1;
    return set->integrator == dRLSIntegratorRK4 ? 4 : rls_order_of (set->integrator);
}

/* Takes a step of h (s).  ODE's accumulators are cleared by each step; the forces that the program added
 * before the call are added again, so that they act through the whole duration.  Returns as
 * dRLSStepperStep. */
static int take_step (advance *a, double h)
{
    for (int b = 0; b < a->bodies; ++b) rls_set_force (a->body[b], a->before->bodies.of[b].force);
    const int done = dRLSStepperStep (a->stepper, (dReal)h);
    a->singular |= a->stepper->report.singular_events > 0;
    return done;
}

/* Takes a step of h (s) whole and again in two halves, and leaves the bodies where the halves have brought
 * them.  Returns 1 with the difference of both results (off and size as in largest_difference), or 0 if a
 * step failed, with the stepper's status set. */
static int try_step (advance *a, double h, double *off, double *size)
{
    /* the whole step */
    a->singular = 0;
    if (!take_step (a, h)) return 0;
    a->in_pieces = 0;
    for (int i = 0; i < a->stepper->used_workspaces; ++i)
        a->in_pieces |= a->stepper->workspaces.of[i]->findings.reason == dRLSReasonPieces;
    for (int b = 0; b < a->bodies; ++b) rls_save_motion (&a->whole[b], a->body[b]);

    /* the two halves */
    if (!dRLSStepperRestoreState (a->stepper, a->start) || !take_step (a, h / 2)) return 0;
    for (int j = 0; j < a->joints; ++j)
        for (int k = 0; k < 12; ++k) a->joint[j].half[k] = *rls_feedback_number (a->joint[j].feedback, k);
    if (!take_step (a, h / 2)) return 0;
    *off = largest_difference (a, size);
    return 1;
}

/* Restores the state from which the step was tried, and counts that.  Returns 1, or 0 with the stepper's
 * status set. */
static int reject (advance *a)
{
    ++a->found.rejected;
    return dRLSStepperRestoreState (a->stepper, a->start);
}

/* Returns the length (s) of the shortest step that may be tried. */
static double shortest (const advance *a)
{
    return (a->singular ? SHORTEST_SINGULAR : SHORTEST) * fmax (a->longest, (double)a->found.longest);
}

/* Advances the world from begin to begin + duration.  Returns a dRLSStatus. */
static int run (advance *a)
{
    double before = HUGE_VAL; /* error of the previous trial from the same state */
    int no_better = 0; /* trials from this state that did not have a smaller error than the one before */
    int halved = 0;    /* trials from this state whose whole step was taken in pieces */
    double done = 0, h = a->found.next > 0 ? (double)a->found.next : RLS_ANALYSIS_STEP;
    while (done < a->duration)
    {
        /* near the end the rest is divided evenly, so that the last step is not much shorter than the
         * others */
        const double left = a->duration - done, count = ceil (left / h - RLS_SEEN);
        const int last = !(count > 1);
        const double length = last ? left : count > 4 ? h : left / count;
        double off = 0, size = 1;
        if (!dRLSStepperSaveState (a->stepper, a->start, a->body, a->bodies)) return a->stepper->status;
        if (!try_step (a, length, &off, &size)) return a->stepper->status;

        /* If the whole step was taken in pieces, its halves may consist of the same pieces.  The difference
         * is then 0 and says nothing about the error; a step half as long is tried. */
        if (a->in_pieces && halved < TRIALS)
        {
            if (!reject (a)) return a->stepper->status;
            ++halved;
            h = 0.5 * length;
            continue;
        }

        /* the length to try next: the one whose error is expected to be just below the allowed one, as the
         * error of a step grows with its length to the power of the order */
        const int order = order_of (a->stepper);
        const double error = off / (pow (2, order) - 1), allowed = a->tolerance * length / a->duration,
                     factor = error > 0 ? SAFETY * pow (allowed / error, 1.0 / order) : GROWTH;
        const int rounding = off <= RLS_ROUNDING * size;
        h = length * fmin (GROWTH, fmax (SHRINKAGE, factor));

        /* too large an error: a shorter step is tried as long as that helps, then this one is accepted */
        if (error > allowed && !rounding)
        {
            no_better += !(error < before);
            if (no_better < TRIALS && length > shortest (a))
            {
                h = fmax (h, shortest (a));
                before = error;
                if (!reject (a)) return a->stepper->status;
                continue;
            }
            ++a->found.missed;
            h = GROWTH * length;
        }

        /* the step is accepted; an error that is only rounding is no reason for a shorter one */
        a->found.error += (dReal)error;
        if (rounding) h = fmax (h, length);
        before = HUGE_VAL, no_better = halved = 0;
        a->found.next = (dReal)h;
        if (a->found.steps++ == 0 || (dReal)length < a->found.shortest) a->found.shortest = (dReal)length;
        a->found.longest = (dReal)fmax ((double)a->found.longest, length);
        done = last ? a->duration : done + length;

        /* the reactions of both halves are added to their integrals */
        for (int j = 0; j < a->joints; ++j)
            for (int k = 0; k < 12; ++k)
                a->joint[j].sum[k] += (dReal)(length / 2) *
                                      (a->joint[j].half[k] + *rls_feedback_number (a->joint[j].feedback, k));
    }
    a->stepper->time = a->begin + a->duration; /* without the rounding of its summation */

    /* feedback is the mean over the duration */
    for (int j = 0; j < a->joints && a->stepper->settings.feedback != dRLSFeedbackEnd; ++j)
        for (int k = 0; k < 12; ++k)
            *rls_feedback_number (a->joint[j].feedback, k) = a->joint[j].sum[k] / (dReal)a->duration;
    return dRLSStatusOk;
}

/* Does all of the work of a call; if that fails, the world is as before.  (If a callback has changed the
 * world it stays as the last step left it, since the bodies may be gone.)  Returns a dRLSStatus. */
static int run_or_undo (advance *a)
{
    int status = list_objects (a);
    a->before = dRLSStateCreate (), a->start = dRLSStateCreate ();
    if (status == dRLSStatusOk && (!a->before || !a->start)) status = dRLSStatusNoMemory;
    if (status == dRLSStatusOk && !dRLSStepperSaveState (a->stepper, a->before, a->body, a->bodies))
        status = a->stepper->status;
    if (status == dRLSStatusOk)
    {
        status = run (a);
        if (status != dRLSStatusOk && status != dRLSStatusWorldChanged)
            dRLSStepperRestoreState (a->stepper, a->before);
    }
    dRLSStateDestroy (a->before);
    dRLSStateDestroy (a->start);
    rls_arena_free (&a->block);
    return status;
}

int dRLSStepperAdvance (dRLSStepperID stepper, dReal duration, dReal tolerance, dRLSAdvance *report)
{
    if (!rls_begin_call (stepper)) return 0;
    stepper->busy = 0; /* each of the steps below is a call by itself */

    /* arguments */
    if (!(duration > 0) || !isfinite (duration)) return rls_finish (stepper, dRLSStatusBadStep);
    if (!(tolerance > 0) || !isfinite (tolerance) ||
        (report && (report->struct_size < sizeof (*report) || !rls_is_size (report->next) ||
                    !rls_is_size (report->longest))))
        return rls_finish (stepper, dRLSStatusBadArgument);
    advance a = {.stepper = stepper,
                 .begin = stepper->time,
                 .duration = (double)duration,
                 .tolerance = (double)tolerance};

    /* the work; the message callback has been told of a failure by the step that failed */
    a.found.next = report ? report->next : 0;
    a.longest = report ? report->longest : 0;
    const int status = run_or_undo (&a);
    if (status != dRLSStatusOk)
    {
        stepper->status = status;
        return 0;
    }
    if (report) rls_give (report, &a.found, sizeof (a.found));
    return rls_finish (stepper, dRLSStatusOk);
}
