/* Status and warnings of a stepper, their texts, and the message callback; contract in ode_rls.h and
 * stepper.h. */
#include "stepper.h"

static const char *const status_text[dRLSStatusCount] = {
    [dRLSStatusOk] = "Done.",
    [dRLSStatusBadArgument] = "An argument is NULL, unknown or out of range.",
    [dRLSStatusBadStep] = "The step size must be positive and finite.",
    [dRLSStatusNoMemory] = "Out of memory; the world is as it was.",
    [dRLSStatusIncompatibleODE] = "This world's ODE is not one that ode_rls drives in this process; "
                                  "dRLSDescribeODE says what was found.",
    [dRLSStatusNotFinite] =
        "A pose, velocity, force or constraint is not finite, or the step would make it so; "
        "the world is as it was.",
    [dRLSStatusBadMass] = "A body's mass or inertia is not positive; the world is as it was.",
    [dRLSStatusUnsupported] = "This correction has no meaning with this integrator.",
    [dRLSStatusODEFailed] = "ODE could not prepare its islands or threads; the world is as it was.",
    [dRLSStatusWorldChanged] =
        "A callback added, removed or attached bodies or joints, which must wait until the step is "
        "done; the others are as they were.",
    [dRLSStatusBusy] =
        "A step of this stepper is under way: its callbacks must not call it, and must return.",
};

static const char *const warning_text[dRLSWarningCount] = {
    [dRLSWarningConflict] = "Redundant constraint rows contradict the others; their residual stays.",
    [dRLSWarningProjection] = "Joints were left or became open: positions ended above their tolerance.",
    [dRLSWarningBounded] = "Limits, motors or contacts: the iterations ended above the tolerance.",
    [dRLSWarningFallback] = "An island was stepped in pieces, or by a simpler method than the chosen one.",
    [dRLSWarningStiff] =
        "A light body under tension was given more inertia: the step is long for its motion.",
    [dRLSWarningRate] = "A joint's rows ask for velocities that its bodies cannot have: one is missed.",
    [dRLSWarningEnergy] = "Energy appeared that no force has given: the step is long for the motion, or "
                          "joints were altered between steps.",
    [dRLSWarningForces] = "Forces that depend on velocities had not settled when their iterations ended.",
    [dRLSWarningDepth] =
        "Contacts or limits were pushed out of their depth, which gave bodies energy without work.",
    [dRLSWarningSingular] = "A singular configuration needed special handling.",
};

const char *dRLSStatusText (int status)
{
    return status >= 0 && status < dRLSStatusCount ? status_text[status] : "Unknown status.";
}

const char *dRLSWarningText (int warning)
{
    return warning >= 0 && warning < dRLSWarningCount ? warning_text[warning] : "Unknown warning.";
}

int dRLSStepperGetStatus (dRLSStepperID stepper) { return stepper ? stepper->status : dRLSStatusBadArgument; }

const char *dRLSStepperGetMessage (dRLSStepperID stepper)
{
    return dRLSStatusText (dRLSStepperGetStatus (stepper));
}

unsigned long dRLSStepperGetWarningCount (dRLSStepperID stepper, int warning)
{
    return stepper && warning >= 0 && warning < dRLSWarningCount ? stepper->warnings[warning] : 0;
}

int dRLSStepperGetWarningNote (dRLSStepperID stepper, int warning, dRLSWarningNote *note)
{
    if (!note || note->struct_size < sizeof (*note) || dRLSStepperGetWarningCount (stepper, warning) == 0)
        return 0;
    rls_give (note, &stepper->notes[warning], sizeof (*note));
    return 1;
}

void dRLSStepperSetMessageCallback (dRLSStepperID stepper, dRLSMessageFunction *callback, void *context)
{
    if (!stepper) return;
    stepper->message = callback;
    stepper->message_context = context;
}

int rls_begin_call (dRLSStepperID stepper)
{
    if (!stepper) return 0;
    const int may = !stepper->busy;
    if (!may) stepper->status = dRLSStatusBusy; /* without a message: its callback may be who calls */
    stepper->busy = 1;
    return may;
}

int rls_finish (dRLSStepperID stepper, int status)
{
    stepper->status = status;
    if (status != dRLSStatusOk && stepper->message)
        stepper->message (stepper->message_context, 1, status, dRLSStatusText (status));
    stepper->busy = 0;
    return status == dRLSStatusOk;
}

void rls_warn (dRLSStepperID stepper, int warning, unsigned long times)
{
    const int first = stepper->warnings[warning] == 0;
    stepper->warnings[warning] += times;
    if (first && stepper->message)
        stepper->message (stepper->message_context, 0, warning, dRLSWarningText (warning));
}
