/*
 * ode_rls: rank-revealing joint stepping for the Open Dynamics Engine.
 *
 * A dRLSStepperID replaces the call of dWorldStep for one ODE world:
 *
 *     dRLSStepperID stepper = dRLSStepperCreate (world, NULL);
 *     ...
 *     dRLSStepperStep (stepper, 0.01);            instead of dWorldStep (world, 0.01)
 *     ...
 *     dRLSStepperDestroy (stepper);               before dWorldDestroy
 *
 * Constraint rows of joints are enforced by ordered recursive least squares (Orsino & Oliveira): rows that
 * the others already imply are found, named and skipped; they are never softened.  Position and velocity
 * violations that the integration leaves are projected out at the end of each step.
 *
 * Units are the world's own; the documentation speaks of metres, kilograms, seconds and radians.
 * All vectors are in world axes unless said otherwise.
 *
 * Threads: a handle may be used by one thread at a time; different handles (different worlds) are
 * independent.  The islands of a world are computed on the world's own threads, each by one of them, and the
 * result is the same bit for bit for any number of threads.  ODE's default threading implementation is shared
 * by all worlds and is not safe between them: worlds that are stepped at the same time need one each
 * (dWorldSetStepThreadingImplementation), under dWorldStep as well as here.
 * Callbacks must return: a C++ exception that leaves one, or a longjmp, makes its stepper unusable for good.
 * Outside its handles the library keeps only the addresses of ODE's functions.  It prints nothing and never
 * exits.
 */
#ifndef ODE_RLS_ODE_RLS_H
#define ODE_RLS_ODE_RLS_H

#include <stddef.h>
#include <ode/ode.h>

#if defined(_WIN32)
#define ODE_RLS_API
#else
#define ODE_RLS_API __attribute__ ((visibility ("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- version and compatibility ---------------------------------------------------------------- */

#define ODE_RLS_VERSION "1.0.0"

/* The version of the library in use, "major.minor.patch" (the macro above is that of the header). */
ODE_RLS_API const char *dRLSVersion (void);

/* The precision the library was built for: 64 (dDOUBLE) or 32 (dSINGLE) bits a dReal. */
ODE_RLS_API int dRLSPrecision (void);

/*
 * Checks, as dRLSStepperCreate does, whether the ODE in the process is one that this library can drive: all
 * its functions are found in one and the same library, its precision matches, and a small test world returns
 * the expected constraint rows.  The check is made once.  One ODE in a process is driven; worlds of another
 * one are refused by dRLSStepperCreate.  To be called after dInitODE2.  Returns a dRLSStatus: Ok,
 * IncompatibleODE or NoMemory.
 */
ODE_RLS_API int dRLSCheckODE (void);

/* The result of that check as one sentence: the ODE that is driven, its family of versions, its precision and
 * its file; or why there is none, and what is supported.  The text belongs to the library. */
ODE_RLS_API const char *dRLSDescribeODE (void);

/* ---- status and messages ---------------------------------------------------------------------- */

typedef enum
{
    dRLSStatusOk = 0,            /* the call did what it says */
    dRLSStatusBadArgument,       /* a NULL handle, an unknown enumerator, a value out of range */
    dRLSStatusBadStep,           /* step size not positive and finite */
    dRLSStatusNoMemory,          /* an allocation failed */
    dRLSStatusIncompatibleODE,   /* an ODE that is not supported, of another precision, or a second one */
    dRLSStatusNotFinite,         /* a NaN or infinity in the world, or one that the step would make */
    dRLSStatusBadMass,           /* a mass or inertia that is not positive */
    dRLSStatusUnsupported,       /* a combination that has no meaning, for example of method and integrator */
    dRLSStatusODEFailed,         /* ODE could not prepare its islands or threads */
    dRLSStatusWorldChanged,      /* a callback added, removed or attached bodies or joints during a step */
    dRLSStatusBusy,              /* called from a callback of the stepper, or one did not return (longjmp, C++ exception) */
    dRLSStatusCount
} dRLSStatus;

/* Warnings: the step was done, but not as exactly as usual.  Each is counted; see dRLSStepperGetWarningCount. */
typedef enum
{
    dRLSWarningConflict = 0, /* redundant rows contradict the others: they stay open by their residual */
    dRLSWarningProjection,   /* joints are open at the end of the step by more than the position tolerance */
    dRLSWarningBounded,      /* limits, motors or contacts: iterations ended with a residual above the tolerance */
    dRLSWarningFallback,     /* an island was stepped in pieces, or by a simpler method than the chosen one */
    dRLSWarningSingular,     /* a singular configuration needed special handling */
    dRLSWarningStiff,        /* a light body under tension was given more inertia for the step */
    dRLSWarningRate,   /* a joint requires a velocity that its bodies cannot have, and it is missed */
    dRLSWarningEnergy, /* the energy grew although no force did that work: the step is too long for the motion, or the program
                          altered joints between steps (the distance of a double ball, an anchor) */
    dRLSWarningForces, /* iterations on a callback's velocity-dependent forces ended without convergence */
    dRLSWarningDepth,  /* taking back depths of contacts or limits gave bodies more energy than impacts lost */
    dRLSWarningCount
} dRLSWarning;

/* One clear English sentence for a status or a warning; never NULL. */
ODE_RLS_API const char *dRLSStatusText (int status);
ODE_RLS_API const char *dRLSWarningText (int warning);

/* Receives every error (is_error = 1, code a dRLSStatus) and the first warning of each kind (is_error = 0,
 * code a dRLSWarning), on the thread that steps.  The text is valid until the callback returns. */
typedef void dRLSMessageFunction (void *context, int is_error, int code, const char *text);

/* ---- life cycle ------------------------------------------------------------------------------- */

typedef struct dxRLSStepper *dRLSStepperID;

/*
 * Creates a stepper for a world.  The world is not changed and keeps working with ODE's own steppers.
 * Returns NULL on failure; status (may be NULL) receives a dRLSStatus: BadArgument, NoMemory or
 * IncompatibleODE.  Destroy the stepper before its world.
 */
ODE_RLS_API dRLSStepperID dRLSStepperCreate (dWorldID world, int *status);

/* Destroys a stepper; NULL is ignored, and so is a call from within one of its callbacks.  The world is left alone. */
ODE_RLS_API void dRLSStepperDestroy (dRLSStepperID stepper);

/* The world the stepper was made for; NULL for a NULL stepper. */
ODE_RLS_API dWorldID dRLSStepperGetWorld (dRLSStepperID stepper);

/* ---- stepping --------------------------------------------------------------------------------- */

/*
 * Advances the world by h seconds (h > 0 and finite), as dWorldStep does: islands, auto-disable, gravity,
 * gyroscopic and kinematic bodies, damping, finite rotation, moved-callbacks, joint feedback, contacts; force
 * accumulators are cleared.
 *
 * Returns 1 when done, 0 on failure.  After a failure poses, velocities and force accumulators are as before,
 * and dRLSStepperGetStatus says why.  ODE's island search has an effect even then: bodies with auto-disable
 * count the step and may fall asleep, at rest; disabled bodies that are joined to enabled ones are enabled.
 */
ODE_RLS_API int dRLSStepperStep (dRLSStepperID stepper, dReal h);

/* Called before each step of a world, for actions, forces and contacts.  index: place of its stepper in the
 * list; step: 0 for the first step. */
typedef void dRLSBeforeStepFunction (void *context, int index, int step);

#define dRLSMostThreads 256

/*
 * Advances many worlds by the given number of steps of h seconds each, as dRLSStepperStep would one after the
 * other, on the given number of threads (1 to dRLSMostThreads; the caller's thread is one of them).  This is
 * meant for learning and searches with a batch of worlds.  One thread computes a world from its first step to
 * its last, islands included, and the result is the same bit for bit for any number of threads.  The worlds'
 * own threads are not used.
 *
 * before (NULL: nothing) and all callbacks of a stepper run on the thread that computes its world; those of
 * different worlds run at the same time.  A callback that collides geoms first calls
 * dAllocateODEDataForThread.
 *
 * The steppers must be different, and of different worlds.  Where a step fails, that world takes no further
 * steps, and its stepper's status says why.  Returns how many worlds have taken all steps; or -1, with
 * nothing done, if a stepper is missing, listed twice or at work, h is not positive and finite, or threads,
 * count or steps are out of range.  If the system grants fewer threads than asked for, those do the work.
 */
ODE_RLS_API int dRLSStepperStepMany (dRLSStepperID const *steppers, int count, dReal h, int steps,
                                     int threads, dRLSBeforeStepFunction *before, void *context);

/* What dRLSStepperAdvance did. */
typedef struct
{
    size_t struct_size;           /* set to sizeof (dRLSAdvance) before the call */
    dReal next;                   /* s: on entry the first step to try, 0 for 10 ms; on return the one to go on with */
    int steps, rejected;          /* steps taken, of two halves each; steps tried and rejected */
    int missed;                   /* steps taken although their error exceeds the tolerance, because shorter steps are no better, as
                                     beside singular configurations; a looser tolerance leads farther there */
    dReal error;                  /* sum of the estimated errors, in the unit of the tolerance */
    dReal shortest, longest;      /* s: of the steps taken.  On entry longest may be that of the call before, or 0: beside singular
                                     configurations no step much shorter is tried */
} dRLSAdvance;

/*
 * Advances the world by exactly the duration (s, > 0), in steps as long as the tolerance allows.  Each step
 * is taken whole and in halves; the difference gives the error, by the order of the integrator.  Each step
 * may add an error in proportion to its length.  A step that adds more is repeated with a shorter length, as
 * long as that reduces the error.  So the sum of the errors that steps add stays below the tolerance; the
 * motion may amplify them afterwards.  tolerance > 0: of poses (m and rad) and velocities (m/s and rad/s)
 * alike, of the worst body.
 *
 * Meant for the accurate integrators, with forces by callback.  Forces that were added before act through the
 * whole duration, contacts stay as they are, and with limits, motors or contacts the method counts as one of
 * first order.  Feedback is the mean over the duration (with dRLSFeedbackEnd that of the last half step).
 * The report and certificates are those of the last half step.  Warnings and callbacks include rejected steps.
 * Symplectic steps keep their energy without drift only while their length stays the same.
 *
 * report may be NULL.  Returns 1, or 0 with the stepper's status, BadStep and BadArgument among them.  After
 * a failure the world is as before; with dRLSStatusWorldChanged it is as the last step taken has left it.
 * (Braun & Goldfarb and Orsino & Oliveira use adaptive methods for their references.)
 */
ODE_RLS_API int dRLSStepperAdvance (dRLSStepperID stepper, dReal duration, dReal tolerance, dRLSAdvance *report);

/*
 * Analyses the world in its present state, without moving anything: rank, redundant and conflicting rows,
 * unique reactions, violations and energy.  Also works for worlds that ODE itself steps.  ODE's island search
 * is used, as in a step: disabled bodies take no part unless they are joined to enabled ones, and bodies with
 * auto-disable count an idle step.  Returns 1 when done, 0 on failure.
 */
ODE_RLS_API int dRLSStepperAnalyse (dRLSStepperID stepper);

/* What dRLSStepperAssemble found and did. */
typedef struct
{
    size_t struct_size;           /* set to sizeof (dRLSAssembly) before the call */
    int passes;                   /* in each pass ranks are decided again and all joints are closed */
    int bodies;                   /* that took part, those held included */
    dReal open_m, open_rad;       /* largest opening of a joint before, as by dRLSMeasureJoint */
    dReal left_m, left_rad;       /* the same after */
    dReal moved_m, turned_rad;    /* largest displacement and rotation of a body */
    dBodyID moved_body;           /* the body with the largest displacement; NULL if none moved */
    dJointID open_joint;          /* the joint that is left most open (m and rad alike); NULL if none is */
    int conflicting;              /* rows that contradict others at the final poses */
} dRLSAssembly;

/*
 * Closes the joints of a world that was assembled inexactly, before time begins.  Bodies move by the least
 * displacement in the metric of their masses (Gonzalez & Kovecses, eq. 2); those held (NULL for none, count
 * 0) do not move.  Velocities are made to satisfy the joints in the same way.  At a singular pose they are
 * made such that they belong to a motion, if there is one near (rows that the others imply only there are
 * satisfied to second order).  Nothing else changes: no time passes, forces stay.  The stepper forgets what
 * it carried.  assembly may be NULL.
 *
 * Returns 1 when done, whether or not all joints could be closed (see left_m, left_rad, conflicting); 0 on
 * failure (dRLSStepperGetStatus; BadArgument for NULL, count < 0 or a body of another world), with the bodies
 * as before.
 */
ODE_RLS_API int dRLSStepperAssemble (dRLSStepperID stepper, dBodyID const *held, int count, dRLSAssembly *assembly);

/* Status of the last dRLSStepperStep, dRLSStepperAnalyse, dRLSStepperSaveState or dRLSStepperRestoreState, and its
 * sentence; never NULL. */
ODE_RLS_API int dRLSStepperGetStatus (dRLSStepperID stepper);
ODE_RLS_API const char *dRLSStepperGetMessage (dRLSStepperID stepper);

/* How often a warning was raised since creation; 0 for an unknown one. */
ODE_RLS_API unsigned long dRLSStepperGetWarningCount (dRLSStepperID stepper, int warning);

/* Where and how much: the worst case in the last step that raised the warning. */
typedef struct
{
    size_t struct_size;           /* set to sizeof (dRLSWarningNote) before the call */
    dJointID joint;               /* NULL where no joint is to blame; compare it, it may have been destroyed since */
    int row;                      /* index among the joint's rows, as ODE numbers them; -1: no row in particular */
    dReal amount; /* conflict, projection: m or rad; rate: m/s or rad/s; energy: J, over the steps since it
                     was last reported; forces: J, of the velocities that had not converged; depth: J, of
                     potential energy; others: 0 */
    dReal time;                   /* s, of the stepper, at the end of that step */
} dRLSWarningNote;

/* Copies the note of a warning.  Returns 1, or 0 for bad arguments or a warning that was never raised. */
ODE_RLS_API int dRLSStepperGetWarningNote (dRLSStepperID stepper, int warning, dRLSWarningNote *note);

/* Installs the message callback; NULL removes it. */
ODE_RLS_API void dRLSStepperSetMessageCallback (dRLSStepperID stepper, dRLSMessageFunction *callback, void *context);

/* ---- choices ---------------------------------------------------------------------------------- */
/* Setters return 1.  They return 0 and change nothing for a NULL handle, a value out of range or a call from within
 * a callback of the stepper.  What is set for a joint is kept by its address.  Remove it before the joint is destroyed
 * (drives and rows by NULL, stiffnesses and dampings by 0): ODE's next joint often gets the same address, and would
 * have it too. */

typedef enum
{
    dRLSIntegratorAuto = 0,      /* symplectic, also with bounded and compliant rows */
    dRLSIntegratorEuler,         /* ODE's semi-implicit step; first order */
    dRLSIntegratorSymplectic,    /* Lie-group variational (RATTLE) step; second order, no energy drift */
    dRLSIntegratorSymplectic4,   /* symmetric compositions of that step: 4th order (Suzuki, 7 stages), */
    dRLSIntegratorSymplectic6,   /* 6th order (Sofroniou & Spaletta, 11 stages), */
    dRLSIntegratorSymplectic8,   /* 8th order (Kahan & Li, 17 stages) */
    dRLSIntegratorRK4,           /* classical Runge-Kutta on accelerations; corrections within or after the step */
    dRLSIntegratorCount
} dRLSIntegrator;

#define dRLSIntegratorDefault dRLSIntegratorAuto
ODE_RLS_API int dRLSStepperSetIntegrator (dRLSStepperID stepper, int integrator);
ODE_RLS_API int dRLSStepperGetIntegrator (dRLSStepperID stepper);

typedef enum
{
    dRLSCorrectionProjection = 0, /* hard rows; positions and velocities projected to rounding */
    dRLSCorrectionNone,           /* hard rows at velocity level only; positions drift */
    dRLSCorrectionERP,            /* hard rows, ODE's Baumgarte term ERP / h, no projection */
    dRLSCorrectionEmbedded,       /* Braun & Goldfarb, eqs. 20, 21 */
    dRLSCorrectionSimultaneous,   /* Zhang et al., section 4 */
    dRLSCorrectionEnergy,         /* Zhang et al., section 5 */
    dRLSCorrectionAugmented,      /* Dopico et al., section 3 */
    dRLSCorrectionConserving,     /* Dopico et al., section 4 */
    dRLSCorrectionCompliant,      /* Gonzalez & Kovecses, eq. 1: every row with its ERP and CFM, as ODE has it */
    dRLSCorrectionCount
} dRLSCorrection;

#define dRLSCorrectionDefault dRLSCorrectionProjection
ODE_RLS_API int dRLSStepperSetCorrection (dRLSStepperID stepper, int correction);
ODE_RLS_API int dRLSStepperGetCorrection (dRLSStepperID stepper);

/*
 * Variants of the corrections: a sum of flags.  Each correction uses only those that concern it.
 *     Once         projection, simultaneous, energy: one pass, as in their papers, instead of passes until
 *                  the rows hold to rounding
 *     EachStage    embedded: the correction terms are evaluated at every stage of rk4 instead of held over
 *                  the step
 *     Through      rk4: singular configurations are treated like any other, as in the papers; otherwise a
 *                  step near one is taken by symplectic4 (never with none and erp, since it closes positions)
 *     Unprojected  augmented, conserving: without the projections at the end of the step
 */
#define dRLSCorrectOnce        1
#define dRLSCorrectEachStage   2
#define dRLSCorrectUnprojected 4
#define dRLSCorrectThrough     8
#define dRLSCorrectionFlagsDefault 0
ODE_RLS_API int dRLSStepperSetCorrectionFlags (dRLSStepperID stepper, int flags);
ODE_RLS_API int dRLSStepperGetCorrectionFlags (dRLSStepperID stepper);

/*
 * Baumgarte's coefficients for dRLSCorrectionERP (1/s, not negative): violations obey
 * d2Phi/dt2 + 2 alpha dPhi/dt + beta^2 Phi = 0.  With 0, 0 (default) the world's ERP decides: Euler's method
 * takes ODE's own term ERP Phi / h, and rk4 alpha = beta = ERP / h.  The getter returns 1, or 0 for NULL.
 */
ODE_RLS_API int dRLSStepperSetBaumgarte (dRLSStepperID stepper, dReal alpha, dReal beta);
ODE_RLS_API int dRLSStepperGetBaumgarte (dRLSStepperID stepper, dReal *alpha, dReal *beta);

/* Penalty (N/m and N m/rad, not negative) of dRLSCorrectionAugmented and dRLSCorrectionConserving.
 * Multipliers are updated until positions hold, so the penalty determines the number of iterations and not
 * the answer.  With 0 (default) each row has a penalty in proportion to the mass that it moves and to the
 * step. */
#define dRLSPenaltyDefault ((dReal) 0)
ODE_RLS_API int dRLSStepperSetPenalty (dRLSStepperID stepper, dReal penalty);
ODE_RLS_API dReal dRLSStepperGetPenalty (dRLSStepperID stepper);

typedef enum
{
    dRLSOrderMinDegree = 0,      /* fill-reducing; the fastest */
    dRLSOrderNatural,            /* as ODE's island search meets the joints */
    dRLSOrderPriority,           /* by dRLSStepperSetJointPriority, smaller numbers first */
    dRLSOrderRandom,             /* a random permutation from the seed, to show that the order does not matter */
    dRLSOrderCount
} dRLSOrder;

#define dRLSOrderDefault dRLSOrderMinDegree
ODE_RLS_API int dRLSStepperSetOrder (dRLSStepperID stepper, int order);
ODE_RLS_API int dRLSStepperGetOrder (dRLSStepperID stepper);
ODE_RLS_API int dRLSStepperSetOrderSeed (dRLSStepperID stepper, unsigned long seed);
ODE_RLS_API unsigned long dRLSStepperGetOrderSeed (dRLSStepperID stepper);

/* Priority of a joint under dRLSOrderPriority.  Of rows that depend on each other, those with the smaller
 * number are kept and the others are redundant; this holds for rows that are nearly dependent too, down to
 * the rank tolerance.  The opening of rows does not influence the decision on rows of smaller numbers.  At
 * the same number, drives and motors of unlimited strength yield to joints.  Default 0. */
ODE_RLS_API int dRLSStepperSetJointPriority (dRLSStepperID stepper, dJointID joint, int priority);

/*
 * Makes a joint compliant: its rows act as springs of stiffness k (N/m for lengths, N m/rad for angles; not
 * negative) with damping d (N s/m, N m s/rad).  Both 0 makes it hard again.  In the symplectic step the
 * springs are second order where the step resolves them, and stable for any stiffness (method.md, section 9).
 * Under dRLSIntegratorEuler and the corrections of the literature they are implicit, evaluated at the end of
 * the step.
 *
 * In terms of the recursion each row has the variance sigma^2 = 1 / (h (h k + d)) (1/kg, 1/(kg m^2)): a
 * velocity error e costs the energy e^2 / (2 sigma^2), so an error of one standard deviation sigma costs half
 * a joule.  For a row with a given sigma and without memory of its position, use a damper: k = 0, d = 1 / (h
 * sigma^2).  For a given static deflection x under a force f, use k = f / x.  In ODE's terms CFM = 1 / (h k +
 * d), ERP = h k / (h k + d).
 */
ODE_RLS_API int dRLSStepperSetJointCompliance (dRLSStepperID stepper, dJointID joint, dReal stiffness, dReal damping);

/*
 * The same for one row, 0 .. 5 as ODE numbers them (dRLSRow, ode-rls inspect).  A hinge has its anchor along
 * world x, y and z and then two rotations across its axis; these two go together, since ODE chooses their
 * directions.  The row's own compliance replaces that of the joint; with both 0 the row stays hard whatever
 * the joint was given.  dRLSStepperSetJointCompliance removes the settings of single rows.
 */
ODE_RLS_API int dRLSStepperSetRowCompliance (dRLSStepperID stepper, dJointID joint, int row, dReal stiffness,
                                             dReal damping);

/*
 * A spring (k, N/m or N m/rad) with a damper (c, N s/m or N m s/rad) along a free axis of a joint.  On the
 * joint's first body acts -k (x - reference) - c x', on the second one the opposite.  x is the axis' position
 * or angle as the joint's stops measure it (dParamLoStop); for joints with the body first that is what
 * dJointGetHingeAngle and its relatives return.  An angle's distance from the reference is at most half a
 * turn.  Stable for any k and c, second order where the step resolves them.  The spring is a row like those
 * of the compliances above, and removes no degree of freedom.
 *
 * axis: the group of parameters, from 0.  Hinge and slider 0; universal 0, 1; hinge-2 0, and 1 for dampers
 * alone (k = 0); PR and piston 0, 1; PU 0 .. 2; angular motor 0 .. 2, of the axes that it has, which serves
 * for springs of a ball joint; about axes of the program its angles are those that dJointSetAMotorAngle has set
 * before the step.  k and c not negative and finite; both 0 removes the spring.  Returns 0 for another joint
 * type, axis or number.
 */
ODE_RLS_API int dRLSStepperSetJointSpring (dRLSStepperID stepper, dJointID joint, int axis, dReal stiffness, dReal damping,
                                           dReal reference);

/*
 * Relative pivot s / (h' M^-1 h) below which a row counts as implied by the others; 0 < tolerance < 1.  It is
 * the square of an angle or of a relative length: with 1e-9, axes within 3e-5 rad of each other count as
 * parallel.  It is raised automatically while positions are violated by more than that.
 */
#define dRLSRankToleranceDefault ((dReal) 1e-9)
ODE_RLS_API int dRLSStepperSetRankTolerance (dRLSStepperID stepper, dReal tolerance);
ODE_RLS_API dReal dRLSStepperGetRankTolerance (dRLSStepperID stepper);

/* Position residual (m or rad) at which the projection stops; 0 (default) means rounding level. */
#define dRLSPositionToleranceDefault ((dReal) 0)
ODE_RLS_API int dRLSStepperSetPositionTolerance (dRLSStepperID stepper, dReal tolerance);
ODE_RLS_API dReal dRLSStepperGetPositionTolerance (dRLSStepperID stepper);

/* Most iterations of the bounded rows (limits, motors, contacts) in a step; >= 1. */
#define dRLSBoundedIterationsDefault 50
ODE_RLS_API int dRLSStepperSetBoundedIterations (dRLSStepperID stepper, int iterations);
ODE_RLS_API int dRLSStepperGetBoundedIterations (dRLSStepperID stepper);

/*
 * Forces that are evaluated inside the step, at every stage of an accurate integrator.  The callback adds to
 * the world's bodies with dBodyAddForce and its relatives, from poses and velocities that it reads from them;
 * time is the stepper's, in seconds (dRLSStepperSetTime).  It must change nothing else, and runs on the
 * thread that steps.
 *
 * Forces that the user added before the step act in addition, constant over the step as in ODE.  Disabled
 * bodies take no part in a step, and forces that a callback adds to them at every stage stay on them, so
 * leave them out.  Where the forces are too stiff for a symplectic step (h omega > 1), it is taken in up to
 * 16 pieces.
 */
typedef void dRLSForceFunction (void *context, dWorldID world, dReal time);
ODE_RLS_API void dRLSStepperSetForceCallback (dRLSStepperID stepper, dRLSForceFunction *callback, void *context);

/*
 * A rheonomic (driven) axis as a hard constraint: the angle of a hinge (rad) or the position of a slider (m)
 * follows the function exactly.  It returns the wanted position at the given time and writes its first and
 * second time derivatives.  NULL removes the drive.  Returns 0 for another joint type.  The function runs on
 * the thread that computes the joint's island; drives of different islands may run at the same time.
 *
 * Where drives contradict each other or the mechanism, joints stay closed.  Of several drives the one that
 * was set first stays in force, and the others are reported as conflicting rows (dRLSOrderPriority may change
 * this).  A drive that asks for an unreachable position, or one beyond another joint's stop, is reported
 * likewise: it holds its joint until the function returns to that joint's position.
 */
typedef dReal dRLSDriveFunction (void *context, dReal time, dReal *rate, dReal *acceleration);
ODE_RLS_API int dRLSStepperSetJointDrive (dRLSStepperID stepper, dJointID joint, dRLSDriveFunction *drive, void *context);

/*
 * Rows that the program defines, between two bodies or a body and the world.  A linear motor
 * (dJointCreateLMotor) carries them in place of its own rows.  The function writes count rows (1 .. 6) for
 * the poses that the bodies have when it is called, trial poses within the step among them, and for the time
 * (s):
 *
 *     first, second   force, then torque about the centre of mass, that a unit impulse along the row exerts on the
 *                     joint's first and second body, world axes; the row demands first . v1 + second . v2 = rate
 *     kind            holonomic (0, as all else is before the call) or nonholonomic
 *     value           position violation (m or rad); its time derivative is first . v1 + second . v2 - rate.
 *                     Not used in a nonholonomic row, which constrains velocities only
 *     rate            velocity wanted along the row (m/s or rad/s); 0 unless it depends on time
 *     lo, hi          bounds of its reaction (N or N m), lo <= 0 <= hi; both 0: no bounds.  A holonomic row is
 *                     one-sided: lo = 0 keeps value >= 0, hi = 0 keeps value <= 0, as a floor or a rope does; a
 *                     nonholonomic row is dry friction or a motor
 *
 * So rows are holonomic (value), rheonomic (value and rate) or nonholonomic (kind).  For a nonholonomic row
 * the symplectic step uses the mean of its directions at both ends.  A joint to the world has its one body
 * first.  The function returns 1, or 0 to refuse the step (NotFinite); it must change nothing, and runs on
 * the thread that computes the island.  The rows take part in rank decisions, reports (numbered 0 .. count -
 * 1), priorities, compliances, reactions, corrections and every integrator like those of other joints;
 * dRLSMeasureJoint does not measure them.  NULL removes the rows.  Returns 0 for another joint type or count.
 * (Orsino & Oliveira, eq. 3; Braun & Goldfarb, section 2.)
 */
typedef enum { dRLSRowHolonomic = 0, dRLSRowNonholonomic, dRLSRowKindCount } dRLSRowKind;

typedef struct
{
    dReal first[6], second[6];
    dReal value, rate;
    int kind;                     /* a dRLSRowKind; for rows over many bodies the one written for the joint itself counts */
    dReal lo, hi;                 /* likewise */
} dRLSProgramRow;

typedef int dRLSRowsFunction (void *context, dJointID joint, dReal time, dRLSProgramRow *rows);
ODE_RLS_API int dRLSStepperSetJointRows (dRLSStepperID stepper, dJointID joint, int count, dRLSRowsFunction *function,
                                         void *context);

/*
 * Rows over more than two bodies.  part, another linear motor, adds its two bodies (or one and the world) to
 * the rows that the program defines for joint.  Their function is called for the joint and for each of its
 * parts, with the joint or part as its second argument; first and second belong to the bodies of that
 * argument, and values and rates of all calls add up.  So a centre of mass is driven along a path, each body
 * adding its share, or a rope passes over any number of hanging pulleys.  A body may be mentioned more than
 * once.
 *
 * Joints, parts included, must connect the bodies with one another, as a chain does, since ODE finds islands
 * by joints.  Rows are reported under joint; the feedback of a part is what acts on its own bodies.  An
 * island with such rows is factored as a dense matrix, and its limits, motors and contacts are solved by
 * pivoting in another: suitable for some hundred rows. dRLSCorrectionConserving conserves energy only as far
 * as the step resolves such rows.
 *
 * NULL for joint removes the part; so does removing the rows.  Returns 0 for another joint type, a joint
 * without rows of its own, or a part that has some.  (Orsino & Oliveira, eq. 3.)
 */
ODE_RLS_API int dRLSStepperJoinRows (dRLSStepperID stepper, dJointID part, dJointID joint);

/*
 * What dJointSetFeedback receives: forces (N) and, about the bodies' centres of mass, torques (N m) of a
 * joint on its two bodies, world axes.
 *     Mean   over the step: the impulses of all its sub-steps, stages and projections, divided by h.  For each body
 *            m (v1 - v0) / h = external force + sum of feedback holds to rounding, and likewise its angular momentum,
 *            under the symplectic steps, and under Euler's without limits, motors, contacts and springs (with them
 *            to first order, and it lacks, as in ODE, the force of a motor that drives into its stop); under the conserving one as far as its iterations go.  rk4
 *            keeps the balance of torques only to its order, because of how it turns bodies, and where rows are
 *            redundant forces balance as exactly as its stages are closed.  The balance is not exact with the
 *            augmented Lagrangian step, with corrections that change velocities other than along rows
 *            (simultaneous, energy), in steps that are counted as fallbacks or singular, and in those from whose
 *            velocities energy is taken that they would have gained (method.md, section 9).
 *     End    of the step: what acted in its last half, where a step has halves.  First-order accurate at the end.
 */
typedef enum
{
    dRLSFeedbackMean = 0,
    dRLSFeedbackEnd,
    dRLSFeedbackCount
} dRLSFeedback;

#define dRLSFeedbackDefault dRLSFeedbackMean
ODE_RLS_API int dRLSStepperSetFeedback (dRLSStepperID stepper, int feedback);
ODE_RLS_API int dRLSStepperGetFeedback (dRLSStepperID stepper);

/*
 * Friction of contacts whose two coefficients are equal:
 *     Pyramid   ODE's: up to mu N along each of the two directions, so the total depends on the direction of sliding
 *               by a factor of up to the square root of two.
 *     Cone      Coulomb's: mu N against the direction of sliding, whatever that is.  Second order while bodies slide;
 *               a body that sticks may be held by up to the square root of two times mu N where the force turns
 *               within a step.
 */
typedef enum
{
    dRLSFrictionPyramid = 0,
    dRLSFrictionCone,
    dRLSFrictionCount
} dRLSFriction;

#define dRLSFrictionDefault dRLSFrictionPyramid
ODE_RLS_API int dRLSStepperSetFriction (dRLSStepperID stepper, int friction);
ODE_RLS_API int dRLSStepperGetFriction (dRLSStepperID stepper);

/* The time (s) at which the next step begins, for force callbacks and drives: 0 at first, advanced by every
 * step.  A program that steps the world by other means in between, or sets its own clock back, sets it. */
ODE_RLS_API int dRLSStepperSetTime (dRLSStepperID stepper, dReal time);
ODE_RLS_API dReal dRLSStepperGetTime (dRLSStepperID stepper);

/* ---- the report of the last step or analysis --------------------------------------------------- */

/* What dRLSStepperStep computes beyond what stepping needs; a sum of flags. */
#define dRLSReportNothing     0
#define dRLSReportViolations  1   /* violation_* */
#define dRLSReportEnergy      2   /* kinetic, potential */
#define dRLSReportTimes       4   /* seconds */
#define dRLSReportReactions   8   /* unique reactions; see dRLSStepperIsReactionUnique */
#define dRLSReportDefault     dRLSReportNothing
ODE_RLS_API int dRLSStepperSetReport (dRLSStepperID stepper, int flags);
ODE_RLS_API int dRLSStepperGetReportFlags (dRLSStepperID stepper);

/* Stages of a step, in the order in which it goes through them. */
enum
{
    dRLSStageGather = 0,          /* islands, bodies and rows read from ODE */
    dRLSStageOrder,               /* the order of elimination, next to nothing while the topology stays */
    dRLSStageFactor,              /* rank decisions, the factor of the beginning */
    dRLSStageSolve,               /* the step itself; under euler without the next two stages */
    dRLSStageBounded,             /* euler: limits, motors, contacts */
    dRLSStageCorrect,             /* euler: positions closed */
    dRLSStageReport,              /* what dRLSStepperSetReport asks for */
    dRLSStageWriteBack,           /* poses, velocities and feedback written to ODE */
    dRLSStageCount
};

typedef struct
{
    size_t struct_size;           /* set to sizeof (dRLSReport) before the call */
    int islands, bodies, joints;  /* bodies: enabled ones, kinematic included */
    int rows;                     /* bilateral rows, hard and soft */
    int soft_rows;                /* those of them with a compliance (sigma^2 > 0) */
    int bounded_rows;             /* limits, motors, contacts, friction */
    int rank;                     /* of the hard bilateral rows */
    int dof;                      /* 6 x dynamic bodies - rank */
    int redundant, conflicting;   /* hard rows that were left out; those of them that contradict the others */
    int factorisations, row_evaluations, iterations;   /* work of the step; iterations that close positions */
    int fallbacks;                /* islands stepped in pieces or by a simpler integrator */
    int singular_events;          /* special handling near singular configurations */
    int bounded_iterations;       /* iterations on limits, motors and contacts */
    dReal bounded_residual;       /* of their complementarity problem (natural map), relative to the largest impulse */
    dReal rank_gap;               /* smallest relative pivot that was kept; 1 where joints form a tree */
    dReal violation_m, violation_rad, violation_m_s, violation_rad_s;   /* largest over the joints */
    dReal kinetic, potential;     /* J; potential of gravity, zero at the world's origin */
    double seconds[dRLSStageCount];   /* by stage, summed over the islands and their threads */
} dRLSReport;

/* Copies the report of the last step or analysis.  Returns 1, or 0 for bad arguments. */
ODE_RLS_API int dRLSStepperGetReport (dRLSStepperID stepper, dRLSReport *report);

typedef enum { dRLSRowRedundant = 0, dRLSRowConflicting } dRLSRowStatus;

typedef struct
{
    dJointID joint;               /* compare it, do not use it if the joint may have been destroyed since */
    int row;                      /* index among the joint's rows, as ODE numbers them */
    int status;                   /* a dRLSRowStatus */
    dReal pivot;                  /* its relative pivot, dimensionless */
    dReal residual;               /* position violation of the row (m or rad) */
} dRLSRow;

/* Copies at most capacity redundant and conflicting rows, all found in one step or analysis, in the order of
 * the joints in their islands.  rows may be NULL with capacity 0.  Returns how many there are. */
ODE_RLS_API int dRLSStepperGetRedundantRows (dRLSStepperID stepper, dRLSRow *rows, int capacity);

/* Why an island's step was taken by that integrator, or in that way. */
typedef enum
{
    dRLSReasonChosen = 0,         /* by the chosen integrator; auto means symplectic */
    dRLSReasonBounded,            /* order 2: no compositions of higher order with limits, motors, contacts, friction */
    dRLSReasonSoft,               /* Euler: the correction or its compliant rows have no accurate step */
    dRLSReasonPieces,             /* in pieces: the step did not converge, its energy jumped, or forces were too stiff */
    dRLSReasonSingular,           /* another order: rows were lost so near a singular configuration */
    dRLSReasonGivesWay,           /* with compliant contacts and stops: the whole step was not finite or gained
                                     energy */
    dRLSReasonFailed,             /* Euler, or damped where that leaves joints open: no accurate step converged */
    dRLSReasonPause,              /* the same: after many failures no accurate step was tried */
    dRLSReasonCount
} dRLSReason;

/* One island of the last step. */
typedef struct
{
    dBodyID body;                 /* one of its bodies; compare it, it may have been destroyed since */
    int bodies, joints;
    int rows, bounded_rows;       /* bilateral ones; limits, motors, contacts, friction */
    int integrator;               /* the dRLSIntegrator that took the step; the one set if a correction has its own step */
    int reason;                   /* a dRLSReason */
} dRLSIsland;

/* Copies at most capacity islands of the last step that have joints.  Free bodies, and small trees that are
 * stepped in batches, are stepped as chosen and not listed.  islands may be NULL with capacity 0.  Returns
 * how many there are. */
ODE_RLS_API int dRLSStepperGetIslands (dRLSStepperID stepper, dRLSIsland *islands, int capacity);

/* 1 if the joint's reaction is determined by the motion alone; 0 if it depends on how redundant rows share
 * the load (then the share of least norm is given, with forces in N and torques in N m weighted alike); -1 if
 * the last step or analysis did not include the joint or did not compute unique reactions
 * (dRLSReportReactions). */
ODE_RLS_API int dRLSStepperIsReactionUnique (dRLSStepperID stepper, dJointID joint);

/* ---- the equations of motion ------------------------------------------------------------------- */

/*
 * The equations of motion of a world in its present state, for programs that solve them in their own way:
 * control, estimation, loads for stress analysis.  Nothing moves.
 *
 *     M a = f + H' p,     H v = y,     H a = c
 *
 *     bodies   v, a: six numbers a body, linear then angular, of the centre of mass, world axes (m/s, rad/s; m/s^2,
 *              rad/s^2).  f: force, torque (N, N m): gravity, what was added to the body, the force callback,
 *              gyroscopic torques.  M: masses and inertias.  Kinematic bodies do not accelerate.
 *     rows     H: the hard rows of joints, drives and the program, redundant ones included, one number each of
 *              y (m/s, rad/s), c = dy/dt - dH/dt v (m/s^2, rad/s^2) and p, the reactions along them (N, N m).
 *              Limits, contacts, motors of finite strength and compliant rows are not among them.
 *
 * Arrays have 6 x bodies or rows numbers, in the order of dRLSEquationsGetBodies and dRLSEquationsGetRows.
 * The equations are a copy, and do not change when the world moves on.  All functions on them return 1, or 0
 * for NULL, empty equations and numbers that are not finite, with the outputs unchanged.  Inputs and outputs
 * may not overlap.  (Udwadia & Kalaba; Orsino & Oliveira, sections 2 and 3.)
 */
typedef struct dxRLSEquations *dRLSEquationsID;

/* Creates empty equations; returns NULL without memory.  Destroying NULL is ignored.  Equations may outlive
 * stepper and world. */
ODE_RLS_API dRLSEquationsID dRLSEquationsCreate (void);
ODE_RLS_API void dRLSEquationsDestroy (dRLSEquationsID equations);

/* Fills the equations with those of all islands of the stepper's world.  The island search is used as by
 * dRLSStepperAnalyse; what the stepper carries and its report stay.  Returns 1; or 0 with the stepper's
 * status, and the equations are then empty. */
ODE_RLS_API int dRLSStepperGetEquations (dRLSStepperID stepper, dRLSEquationsID equations);

typedef struct
{
    size_t struct_size;           /* set to sizeof (dRLSEquationsSize) before the call */
    int bodies, rows, entries;
    int rank;                     /* of H */
} dRLSEquationsSize;

ODE_RLS_API int dRLSEquationsGetSize (dRLSEquationsID equations, dRLSEquationsSize *size);

typedef struct
{
    dJointID joint;               /* compare it, do not use it if the joint may have been destroyed since */
    int row;                      /* as ODE numbers them; that of a drive follows the joint's own */
    int kept;                     /* 0: the others imply it */
    int angular;                  /* 1: an angle, its reaction a torque; 0: a length and a force */
    int entry, entries;           /* index of its first entry, and how many entries it has */
    dReal target;                 /* y */
    dReal residual;               /* m or rad: minus the violation of the row */
    dReal acceleration;           /* c */
} dRLSEquationRow;

/* The part of a row that belongs to one body.  If a row mentions a body twice, there are two entries, which
 * add up. */
typedef struct
{
    int body;                     /* its place among the bodies */
    dReal J[6];                   /* force and torque that a unit reaction exerts on it, world axes */
} dRLSEquationEntry;

/* Each copies at most capacity items and returns how many there are (-1 for bad arguments).  The array may be
 * NULL with capacity 0.  Rows of a joint are consecutive. */
ODE_RLS_API int dRLSEquationsGetBodies (dRLSEquationsID equations, dBodyID *bodies, int capacity);
ODE_RLS_API int dRLSEquationsGetRows (dRLSEquationsID equations, dRLSEquationRow *rows, int capacity);
ODE_RLS_API int dRLSEquationsGetEntries (dRLSEquationsID equations, dRLSEquationEntry *entries, int capacity);

/* out (rows) := H x for velocities or accelerations x of the bodies. */
ODE_RLS_API int dRLSEquationsAlongRows (dRLSEquationsID equations, const dReal *x, dReal *out);

/* out (6 x bodies) := H' p, the forces that reactions p exert on the bodies. */
ODE_RLS_API int dRLSEquationsOnBodies (dRLSEquationsID equations, const dReal *p, dReal *out);

/* out (6 x bodies) := M x; 0 for kinematic bodies. */
ODE_RLS_API int dRLSEquationsTimesMass (dRLSEquationsID equations, const dReal *x, dReal *out);

/* out (rows) := A p, with the Delassus matrix A = H M^-1 H' of all rows. */
ODE_RLS_API int dRLSEquationsDelassus (dRLSEquationsID equations, const dReal *p, dReal *out);

/* p (rows) := A^-1 x over the rows that are kept, 0 for the others, whose x is not used. */
ODE_RLS_API int dRLSEquationsSolveDelassus (dRLSEquationsID equations, const dReal *x, dReal *p);

/* out (6 x bodies) := P f, the accelerations (velocities) that forces (impulses) f on the bodies cause with
 * the joints in place.  P is what the recursion leaves of M^-1: P = M^-1 - M^-1 H' A^-1 H M^-1 (Orsino &
 * Oliveira). */
ODE_RLS_API int dRLSEquationsMobility (dRLSEquationsID equations, const dReal *f, dReal *out);

/* a (6 x bodies) := accelerations at this instant, p (rows, may be NULL) := the reactions, 0 for redundant
 * rows.  force (6 x bodies, NULL for none) is added to the forces that act already.  Velocities are assumed
 * to satisfy the rows. */
ODE_RLS_API int dRLSEquationsAccelerate (dRLSEquationsID equations, const dReal *force, dReal *a, dReal *p);

/* Inverse dynamics: p (rows) := the reactions, efforts of drives among them, with which the bodies accelerate
 * by a; 0 for redundant rows.  rest (6 x bodies, may be NULL) := M a - f - H' p, the forces that no row can
 * exert and that the program would have to add. */
ODE_RLS_API int dRLSEquationsInverse (dRLSEquationsID equations, const dReal *a, dReal *p, dReal *rest);

/*
 * How redundant reactions share the load.  Of all p with the same H' p, the elastic one has the least energy
 * of deformation p' C p / 2 + p' d (Wojtyra & Fraczek 2012; theorem of Menabrea and Castigliano).
 *     C   symmetric: by how much the rows open under reactions p (m/N, rad/N, ...), the compliance of bodies and
 *         joints.  Given by its diagonal, for springs in the joints, or by a function that multiplies by it, for
 *         elastic bodies.  For a body without supports any one of the possible deformations will do.
 *     d   by how much the rows would be violated without reactions (m or rad): by loads that deform the bodies,
 *         or because joints do not fit
 */
typedef void dRLSElasticityFunction (void *context, const dReal *p, dReal *openings);

typedef struct
{
    size_t struct_size;               /* set to sizeof (dRLSElasticity) before the call */
    dRLSElasticityFunction *function; /* openings (rows) := C p; NULL: compliance is used */
    void *context;
    const dReal *compliance;          /* diagonal of C, not negative; NULL: 1, so that the norm of p is least */
    const dReal *openings;            /* d; NULL: 0 */
} dRLSElasticity;

/*
 * Distributes reactions: on entry p (rows) is any with the wanted H' p, such as dRLSEquationsAccelerate
 * gives; on return it is the elastic one.  elasticity NULL: the least norm, N and N m alike.  Takes as many
 * products with C as there are redundant rows, and memory for the square of their number.  Also returns 0
 * without memory, or where C is not symmetric or leaves a share undetermined.
 */
ODE_RLS_API int dRLSEquationsShare (dRLSEquationsID equations, const dRLSElasticity *elasticity, dReal *p);

/* A step of the recursion: row h is taken after the rows of smaller places. */
typedef struct
{
    size_t struct_size;           /* set to sizeof (dRLSRecursion) before the call */
    int row;                      /* which of the rows */
    int kept;                     /* 0: z is 0 up to rounding, and the row is skipped */
    int rank;                     /* of P after it: the degrees of freedom that are left */
    dReal pivot;                  /* s = h' z (1/kg, 1/(kg m^2)) */
    dReal relative;               /* s / (h' M^-1 h) */
} dRLSRecursion;

/*
 * Least-squares recursion, row by row: z = P h, s = h' z, and if the row is kept P <- P - z z' / s, beginning
 * with P = M^-1 (Orsino & Oliveira).  place: 0 .. rows - 1, in the order in which the factorisation has kept
 * the rows, redundant ones last. z (6 x bodies, may be NULL): the velocities that a unit impulse along the
 * row causes.  Each call costs a factorisation.
 */
ODE_RLS_API int dRLSEquationsGetRecursion (dRLSEquationsID equations, int place, dRLSRecursion *step, dReal *z);

/*
 * Inverse dynamics of a mechanism: efforts (N or N m, count) that drives of hinges and sliders would have to
 * exert so that their axes accelerate as given (m/s^2 or rad/s^2, count) at this instant, positive in the
 * direction in which dJointGetHingeAngleRate and dJointGetSliderPositionRate count.  Other axes move freely.
 * Gravity, forces and the joints' other drives act as always; limits, contacts and motors of finite strength
 * do not.  An axis whose acceleration the others imply gets 0.
 *
 * Returns 1, or 0 with the stepper's status: BadArgument for other joints, joints listed twice or driven
 * already, numbers that are not finite, and accelerations that the joints do not allow.
 */
ODE_RLS_API int dRLSStepperInverseDynamics (dRLSStepperID stepper, dJointID const *axes, const dReal *accelerations,
                                            int count, dReal *efforts);

/* ---- saved states ------------------------------------------------------------------------------ */

/*
 * A state holds the motion of bodies (pose, velocity, accumulated force and torque, enabled or disabled) and
 * everything that a stepper carries from step to step: its time, rank decisions, factors, multipliers, warm
 * starts.  A restored run continues bit for bit as it did after it was saved, if the program does the same.
 * A state does not hold:
 *     - settings of the world, its bodies and joints, and the choices of the stepper.  Restore with the same ones;
 *       with others, what was carried is dropped, and the next step begins as that of a new stepper
 *     - what ODE keeps to itself: idle steps counted for auto-disable start again at zero for restored bodies that
 *       are awake; transmissions go on counting turns
 *     - what the program keeps: contact joints, and the order in which it makes them
 *
 * A state is memory of this process; its motion can be written as bytes and read by another process, see
 * dRLSStateWrite.
 */
typedef struct dxRLSState *dRLSStateID;

/* Creates an empty state; returns NULL without memory.  Destroying NULL is ignored.  A state may outlive its
 * stepper and world, but must not be restored then. */
ODE_RLS_API dRLSStateID dRLSStateCreate (void);
ODE_RLS_API void dRLSStateDestroy (dRLSStateID state);

/*
 * Saves the stepper and the named bodies of its world; replaces what the state held before.  ODE does not
 * list the bodies of a world, so the caller does; bodies that are not named are not restored.  Returns 1, or
 * 0 with the stepper's status BadArgument (NULL, a body of another world, count < 0; the state is unchanged)
 * or NoMemory (the state is empty).
 */
ODE_RLS_API int dRLSStepperSaveState (dRLSStepperID stepper, dRLSStateID state, dBodyID const *bodies, int count);

/*
 * Puts the bodies, and this stepper or another one of the same world, back to a saved state.  Its bodies must
 * still exist.  The report is empty until the next step or analysis; counts of warnings go on.  Returns 1, or
 * 0 with the stepper's status BadArgument (NULL, an empty state, one of another world) or NoMemory; bodies
 * are then as before.
 */
ODE_RLS_API int dRLSStepperRestoreState (dRLSStepperID stepper, dRLSStateID state);

/* The stepper's time (s) when the state was saved; 0 for NULL or an empty state. */
ODE_RLS_API dReal dRLSStateGetTime (dRLSStateID state);

/*
 * Drops everything that the stepper carries from step to step, except its time, its choices and its warnings:
 * the next step is that of a new stepper.  Returns 1, or 0 for NULL or a call from within a callback.
 */
ODE_RLS_API int dRLSStepperForget (dRLSStepperID stepper);

/*
 * Writes the motion that a state holds (bodies and the stepper's time) as bytes, for a file.  The bytes are
 * valid only for this build of the library and this kind of machine.  What a stepper carries is not among
 * them: a run that is read begins as that of a new stepper.  It continues bit for bit like the run that was
 * written if that stepper was made to forget (dRLSStepperForget) when its state was saved.
 *
 * Writes them if capacity suffices, and returns how many there are; 0 for NULL or an empty state.  bytes may
 * be NULL with capacity 0.
 */
ODE_RLS_API size_t dRLSStateWrite (dRLSStateID state, void *bytes, size_t capacity);

/*
 * Fills a state from such bytes.  The world must have been built as it was, and its bodies be given in the
 * order in which they were saved.  The bodies change when the state is restored (dRLSStepperRestoreState).
 * Returns 1; or 0, with the state as before, for NULL, another number of bodies, bodies of different worlds,
 * bytes that are damaged or of another build, or without memory.
 */
ODE_RLS_API int dRLSStateRead (dRLSStateID state, dBodyID const *bodies, int count, const void *bytes, size_t size);

/* ---- measurements of any ODE world ------------------------------------------------------------- */

/* Violation of a joint, computed from the geometry of its bodies and not from a solver's right-hand side. */
typedef struct
{
    dReal position_m, angle_rad;        /* distance and angle by which the joint is open */
    dReal velocity_m_s, velocity_rad_s; /* their rates */
} dRLSViolation;

/* Measures one joint; contacts, motors and joints without bodies measure zero.  Returns 1, or 0 for
 * NULL arguments, a joint whose bodies are not finite or an ODE that dRLSCheckODE refuses. */
ODE_RLS_API int dRLSMeasureJoint (dJointID joint, dRLSViolation *violation);

/* Kinetic energy (J) of a body and its potential energy in its world's gravity (zero at the origin;
 * zero for bodies without gravity).  Kinematic bodies have none.  Returns 1, or 0 for NULL arguments or an
 * ODE that dRLSCheckODE refuses. */
ODE_RLS_API int dRLSMeasureBody (dBodyID body, dReal *kinetic, dReal *potential);

/* ---- the certificate of a step ----------------------------------------------------------------- */

/*
 * A certificate checks a step from outside.  All its numbers come from ODE's bodies and joints, before and
 * after the step, and from the reactions that the step left in the joints' feedback; none comes from a
 * solver.  It works for any stepper, ODE's own as well:
 *
 *     dRLSCertificateBegin (certificate, bodies, count);
 *     dRLSStepperStep (stepper, h);                           or dWorldStep (world, h)
 *     dRLSCertificateEnd (certificate, h, &step);
 *
 * Reactions are assumed to be means over the step.  Where a method gives others, balances and works are off
 * by the difference.  Forces of a force callback and drives (dRLSStepperSetJointDrive) are not known to it:
 * their work counts as unexplained.
 */
typedef struct dxRLSCertificate *dRLSCertificateID;

typedef struct
{
    size_t struct_size;           /* set to sizeof (dRLSStepCertificate) before the call */
    int bodies, joints;           /* that were examined: the named bodies, and the joints attached to them */

    /* hard joints after the step: the largest values of dRLSMeasureJoint */
    dReal gap_m, gap_rad, rate_m_s, rate_rad_s;

    /* Newton (N): |m (v1 - v0) / h - forces - reactions|.  Euler (N m): |(L1 - L0) / h - torques - moments of
     * the reactions|, L the angular momentum about the centre of mass, I0 (w1 - w0) for bodies without
     * gyroscopic terms.  The largest of each; then, for comparison, the largest sum of reactions and of their
     * moments on one body */
    dReal force_balance, torque_balance, largest_force, largest_torque;

    /* limits, motors and contacts.  outside: by how much a force exceeds its bounds (N, N m).  missed: by what
     * velocity (m/s, rad/s) a row is violated although its force has not reached the bound that would permit
     * this.  Friction is bounded by the normal force of its contact.  In a step that goes back to an impact,
     * a contact that this lifts off takes back what it has given since then, at most its load: by that much it
     * is outside */
    dReal outside, missed;

    /* J, over the step: kinetic and potential energy gained; work of the program's forces and of kinematic
     * bodies; work of motors, limits, contacts and springs; work of hard joints, ideally 0; and the part of
     * the energy gained that is neither applied nor driven work.  Works are reactions times motions, exact to
     * second order of the step */
    dReal energy, applied_work, driven_work, hard_work, unexplained;

    /* where the largest values are; NULL where there is none */
    dBodyID force_body, torque_body;
    dJointID gap_joint, rate_joint, bounds_joint;
    dJointID energy_joint;        /* the hard joint that did the most work */
} dRLSStepCertificate;

/* Creates an empty certificate; returns NULL without memory or where dRLSCheckODE refuses.  Destroying NULL
 * is ignored.  Do not destroy it between Begin and End. */
ODE_RLS_API dRLSCertificateID dRLSCertificateCreate (void);
ODE_RLS_API void dRLSCertificateDestroy (dRLSCertificateID certificate);

/*
 * To be called before a step.  Records the given bodies, of one world, and all joints and contacts attached
 * to them; these joints get feedback of the certificate's own until dRLSCertificateEnd.  Bodies that are not
 * named count as the world.  Returns 1, or 0 for NULL, a body named twice, count < 0 or without memory; then
 * nothing has changed.
 */
ODE_RLS_API int dRLSCertificateBegin (dRLSCertificateID certificate, dBodyID const *bodies, int count);

/*
 * To be called after the step of h, also if it was refused.  Writes the certificate, and gives the joints
 * back the feedback that the program asked for, with what the step wrote.  No body or joint may have been
 * destroyed in between.  Returns 1, or 0 if there was no Begin or for a bad h or step (the feedback is given
 * back all the same).
 */
ODE_RLS_API int dRLSCertificateEnd (dRLSCertificateID certificate, dReal h, dRLSStepCertificate *step);

#ifdef __cplusplus
}
#endif

#endif
