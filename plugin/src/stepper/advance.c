/*
 * Steps whose length follows the error; contract in ode_rls.h.
 *
 * A step of h is taken once whole and once in two halves, from the same saved state.  With a method of order
 * p the halves are off by 1 / (2^p - 1) of the difference (Richardson; Hairer, Norsett & Wanner, Solving
 * Ordinary Differential Equations I, section II.4).  They are what stays, or the state is put back and a
 * shorter step tried.
 */
#include "stepper.h"

/* Coefficients of the choice of lengths (Hairer, Norsett & Wanner, section II.4): the next step is the part
 * SAFETY of the one that would just do, and changes at most by GROWTH and SHRINKAGE.  Shortening is given up
 * after TRIALS that did not help, and at the part SHORTEST of the longest step so far: no call goes on
 * without end.  Beside singular configurations, where a difference of two short steps is rounding over a
 * vanishing pivot, and steps that creep up to it lose their branch, it is given up at SHORTEST_SINGULAR. */
#define SAFETY 0.9
#define GROWTH 4.0
#define SHRINKAGE 0.2
#define TRIALS 3
#define SHORTEST 2e-3
#define SHORTEST_SINGULAR 0.1

/* A joint whose reactions are asked for: those of the first half, and their sum over the steps. */
typedef struct
{
    dJointFeedback *feedback;
    dReal half[12], sum[12];
} advanced_joint;

typedef struct
{
    dRLSStepperID stepper;
    double begin, duration, tolerance;
    int bodies, joints;
    dBodyID *body;
    rls_saved_body *whole; /* bodies: where the whole step has brought them */
    advanced_joint *joint;
    dRLSStateID before; /* the beginning; what the program pushes the bodies with is in it */
    dRLSStateID start;  /* of the step that is tried */
    int singular;       /* 1: it came close to a singular configuration, */
    int in_pieces;      /* the whole step was taken in pieces */
    double longest;     /* s: of the steps of the call before */
    dRLSAdvance found;
    rls_arena block;
} advance;

static void lay_out (advance *a, rls_arena_cursor *c)
{
    RLS_TAKE (c, a->body, (size_t)a->bodies);
    RLS_TAKE (c, a->whole, (size_t)a->bodies);
    RLS_TAKE (c, a->joint, (size_t)a->joints);
}

/* ---- bodies and joints ---- */

/* Lists what takes part.  Returns a dRLSStatus. */
static int list (advance *a)
{
    rls_ode_islands islands;
    int done;
    if (!rls_ode_find_islands (a->stepper->world, 0, &islands)) return dRLSStatusODEFailed;
    a->bodies = islands.body_count;
    for (int j = 0; j < islands.joint_count; ++j) a->joints += dJointGetFeedback (islands.joints[j]) != NULL;
    RLS_LAY_OUT (a, &a->block, lay_out, done);
    if (!done) return dRLSStatusNoMemory;
    for (int b = 0; b < a->bodies; ++b) a->body[b] = islands.bodies[b];
    a->joints = 0;
    for (int j = 0; j < islands.joint_count; ++j)
        if (dJointGetFeedback (islands.joints[j]))
            a->joint[a->joints++] = (advanced_joint){.feedback = dJointGetFeedback (islands.joints[j])};
    return dRLSStatusOk;
}

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

/* The largest difference of the bodies from where the whole step has brought them, m and rad, m/s and rad/s
 * alike; size: of their numbers. */
static double difference (const advance *a, double *size)
{
    double worst = 0;
    *size = 1;
    for (int b = 0; b < a->bodies; ++b)
    {
        const rls_saved_body *whole = &a->whole[b];
        rls_saved_body now;
        double dot = 0;
        rls_save_motion (&now, a->body[b]);
        for (int k = 0; k < 4; ++k) dot += (double)now.turn[k] * (double)whole->turn[k];
        worst = fmax (worst, distance (now.x, whole->x, 3, 1, size));
        worst = fmax (worst, 2 * distance (now.turn, whole->turn, 4, dot < 0 ? -1 : 1, size));
        worst = fmax (worst, distance (now.v, whole->v, 3, 1, size));
        worst = fmax (worst, distance (now.w, whole->w, 3, 1, size));
    }
    return worst;
}

/* ---- steps ---- */

/* The order of the method, 1 with limits, motors or contacts, which have events. */
static int order_of (dRLSStepperID stepper)
{
    const rls_settings *set = &stepper->settings;
    if (stepper->report.bounded_rows > 0) return 1;
    if (set->correction == dRLSCorrectionAugmented || set->correction == dRLSCorrectionConserving) return 2;
    if (set->integrator == dRLSIntegratorEuler) return 1;
    return set->integrator == dRLSIntegratorRK4 ? 4 : rls_order_of (set->integrator);
}

/* Forces of the program act through the whole duration. */
static int step (advance *a, double h)
{
    for (int b = 0; b < a->bodies; ++b) rls_set_force (a->body[b], a->before->bodies[b].force);
    const int done = dRLSStepperStep (a->stepper, (dReal)h);
    a->singular |= a->stepper->report.singular_events > 0;
    return done;
}

/* Once whole and once in halves.  Returns 1 with the difference, or 0 with the stepper's status. */
static int try_step (advance *a, double h, double *off, double *size)
{
    a->singular = 0;
    if (!step (a, h)) return 0;
    a->in_pieces = 0;
    for (int i = 0; i < a->stepper->used_workspaces; ++i)
        a->in_pieces |= a->stepper->workspaces[i]->findings.reason == dRLSReasonPieces;
    for (int b = 0; b < a->bodies; ++b) rls_save_motion (&a->whole[b], a->body[b]);
    if (!dRLSStepperRestoreState (a->stepper, a->start) || !step (a, h / 2)) return 0;
    for (int j = 0; j < a->joints; ++j)
        for (int k = 0; k < 12; ++k) a->joint[j].half[k] = *rls_feedback_number (a->joint[j].feedback, k);
    if (!step (a, h / 2)) return 0;
    *off = difference (a, size);
    return 1;
}

/* What a step may add to the reactions' sum. */
static void take (advance *a, double h)
{
    for (int j = 0; j < a->joints; ++j)
        for (int k = 0; k < 12; ++k)
            a->joint[j].sum[k] +=
                (dReal)(h / 2) * (a->joint[j].half[k] + *rls_feedback_number (a->joint[j].feedback, k));
}

/* Goes back to where the step that was tried began.  Returns 0 with the stepper's status. */
static int reject (advance *a)
{
    ++a->found.rejected;
    return dRLSStepperRestoreState (a->stepper, a->start);
}

/* The length to try next, for an error as large as it may be. */
static double next_length (double h, double error, double allowed, int order)
{
    const double factor = error > 0 ? SAFETY * pow (allowed / error, 1.0 / order) : GROWTH;
    return h * fmin (GROWTH, fmax (SHRINKAGE, factor));
}

/* The length from which on shorter steps are not tried. */
static double shortest (const advance *a)
{
    return (a->singular ? SHORTEST_SINGULAR : SHORTEST) * fmax (a->longest, (double)a->found.longest);
}

/* From begin to begin + duration.  Returns a dRLSStatus. */
static int run (advance *a)
{
    double before = HUGE_VAL; /* error of the last trial from here; */
    int vain = 0, halved = 0; /* how many did not reduce it, and how many were taken in pieces */
    double done = 0, h = a->found.next > 0 ? (double)a->found.next : RLS_ANALYSIS_STEP;
    while (done < a->duration)
    {
        /* equal steps to the end, so that none is left over that is much shorter */
        const double left = a->duration - done, count = ceil (left / h - RLS_SEEN);
        const int last = !(count > 1);
        const double length = last ? left : count > 4 ? h : left / count;
        double off = 0, size = 1;
        if (!dRLSStepperSaveState (a->stepper, a->start, a->body, a->bodies)) return a->stepper->status;
        if (!try_step (a, length, &off, &size)) return a->stepper->status;

        /* a step in pieces and its halves may be taken in the same ones: their difference tells nothing */
        if (a->in_pieces && halved < TRIALS)
        {
            if (!reject (a)) return a->stepper->status;
            ++halved;
            h = 0.5 * length;
            continue;
        }
        const int order = order_of (a->stepper);
        const double error = off / (pow (2, order) - 1), allowed = a->tolerance * length / a->duration;
        const int rounding = off <= RLS_ROUNDING * size;

        h = next_length (length, error, allowed, order);
        if (error > allowed && !rounding)
        {
            vain += !(error < before);
            if (vain < TRIALS && length > shortest (a))
            {
                h = fmax (h, shortest (a));
                before = error;
                if (!reject (a)) return a->stepper->status;
                continue;
            }
            ++a->found.missed;
            h = GROWTH * length;
        }
        a->found.error += (dReal)error;
        if (rounding) h = fmax (h, length);
        before = HUGE_VAL, vain = halved = 0;
        a->found.next = (dReal)h;
        if (a->found.steps++ == 0 || (dReal)length < a->found.shortest) a->found.shortest = (dReal)length;
        a->found.longest = (dReal)fmax ((double)a->found.longest, length);
        done = last ? a->duration : done + length;
        take (a, length);
    }
    a->stepper->time = a->begin + a->duration;

    /* reactions as means over the duration */
    for (int j = 0; j < a->joints && a->stepper->settings.feedback != dRLSFeedbackEnd; ++j)
        for (int k = 0; k < 12; ++k)
            *rls_feedback_number (a->joint[j].feedback, k) = a->joint[j].sum[k] / (dReal)a->duration;
    return dRLSStatusOk;
}

/* All of it, or nothing. */
static int run_or_undo (advance *a)
{
    int status = list (a);
    a->before = dRLSStateCreate (), a->start = dRLSStateCreate ();
    if (status == dRLSStatusOk && (!a->before || !a->start)) status = dRLSStatusNoMemory;
    if (status == dRLSStatusOk && !dRLSStepperSaveState (a->stepper, a->before, a->body, a->bodies))
        status = a->stepper->status;
    if (status == dRLSStatusOk)
    {
        status = run (a);
        if (status != dRLSStatusOk && status != dRLSStatusWorldChanged) /* bodies may be gone */
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
    stepper->busy = 0; /* its steps are calls of their own */
    if (!(duration > 0) || !isfinite (duration)) return rls_finish (stepper, dRLSStatusBadStep);
    if (!(tolerance > 0) || !isfinite (tolerance) ||
        (report && (report->struct_size < sizeof (*report) || !(report->next >= 0) ||
                    !isfinite (report->next) || !(report->longest >= 0) || !isfinite (report->longest))))
        return rls_finish (stepper, dRLSStatusBadArgument);
    advance a = {.stepper = stepper,
                 .begin = stepper->time,
                 .duration = (double)duration,
                 .tolerance = (double)tolerance};
    a.found.next = report ? report->next : 0;
    a.longest = report ? report->longest : 0;
    const int status = run_or_undo (&a);
    if (status != dRLSStatusOk)
    {
        stepper->status = status;
        return 0; /* the step that failed has told the callback */
    }
    if (report) rls_give (report, &a.found, sizeof (a.found));
    return rls_finish (stepper, dRLSStatusOk);
}
