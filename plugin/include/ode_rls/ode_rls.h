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
 * Joint rows are enforced by ordered recursive least squares (Orsino & Oliveira): rows that the
 * others already imply are found, named and skipped; they are never softened.  What the integration
 * leaves of position and velocity violations is projected out at the end of each step.
 *
 * Units are the world's own; the documentation speaks of metres, kilograms, seconds and radians.
 * All vectors are in world axes unless said otherwise.
 *
 * Threads: a handle may be used by one thread at a time; different handles (different worlds) are
 * independent.  The islands of a world are computed on the world's own threads, each by one of them, and the
 * result is the same bit for bit for any number of threads.  ODE's default threading is shared by all worlds
 * and not safe between them: worlds that are stepped at the same time need one each
 * (dWorldSetStepThreadingImplementation), with dWorldStep as well as here.
 * The library keeps no state outside its handles but where ODE's functions are, prints nothing and never
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
 * Looks, as dRLSStepperCreate does, whether the ODE in the process is one that this library can drive: all
 * its functions are found in one and the same library, its precision matches, and a small canary world
 * returns the expected constraint rows.  That is done once; one ODE in a process is driven, and worlds of
 * another one are refused by dRLSStepperCreate.  To be called after dInitODE2.  Returns a dRLSStatus: Ok,
 * IncompatibleODE or NoMemory.
 */
ODE_RLS_API int dRLSCheckODE (void);

/* What was found by that, as one sentence: the ODE that is driven, its family of versions, its precision and
 * its file; or why there is none, and what is supported.  The text is the library's. */
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
    dRLSStatusBusy,              /* called from a callback of the stepper, or one was left without returning */
    dRLSStatusCount
} dRLSStatus;

/* Warnings: the step was done, but not as exactly as usual.  Each is counted; see dRLSStepperGetWarningCount. */
typedef enum
{
    dRLSWarningConflict = 0, /* redundant rows contradict the others: their residual stays */
    dRLSWarningProjection,   /* joints were left or became open: positions ended above their tolerance */
    dRLSWarningBounded,      /* limits, motors or contacts: iterations ended above the tolerance */
    dRLSWarningFallback,     /* an island was stepped in pieces, or by a simpler method than the chosen one */
    dRLSWarningSingular,     /* a singular configuration needed special handling */
    dRLSWarningStiff,        /* a light body under tension was given more inertia for the step */
    dRLSWarningRate,   /* a joint's rows ask for velocities that the bodies cannot have: one is missed */
    dRLSWarningEnergy, /* energy appeared that no force has given: the step is long for the motion */
    dRLSWarningForces, /* a callback's forces of velocities had not settled when their iterations ended */
    dRLSWarningDepth,  /* depths of contacts or limits were taken back, and lifted what no impact has paid for
                        */
    dRLSWarningCount
} dRLSWarning;

/* One clear English sentence for a status or a warning; never NULL. */
ODE_RLS_API const char *dRLSStatusText (int status);
ODE_RLS_API const char *dRLSWarningText (int warning);

/* Receives errors (is_error = 1, code a dRLSStatus) and the first of each kind of warning
 * (is_error = 0, code a dRLSWarning), on the thread that steps.  The text lives until the callback returns. */
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
 * Advances the world by h seconds (h > 0 and finite), as dWorldStep does: islands, auto-disable,
 * gravity, gyroscopic and kinematic bodies, damping, finite rotation, moved-callbacks, joint feedback,
 * contacts; force accumulators are cleared.
 * Returns 1 when done, 0 on failure; then poses, velocities and force accumulators are as before and
 * dRLSStepperGetStatus says why.  (What ODE's island search does even then: bodies with auto-disable count
 * the step and may fall asleep over it, at rest; disabled bodies that are joined to enabled ones are enabled.)
 */
ODE_RLS_API int dRLSStepperStep (dRLSStepperID stepper, dReal h);

/* What a program does with a world before each of its steps: actions, forces, contacts.  index: of its stepper
 * in the list; step: 0 for the first. */
typedef void dRLSBeforeStepFunction (void *context, int index, int step);

#define dRLSMostThreads 256

/*
 * Advances many worlds by so many steps of h seconds each, as dRLSStepperStep would one after the other, on so
 * many threads (1 to dRLSMostThreads; the caller's is one of them): a batch of worlds for learning and for searches.
 * A world is computed by one thread from its first step to its last, islands included, and its numbers are
 * the same bit for bit for any number of threads.  The worlds' own threads are not used.
 *
 * before (NULL: nothing) and all callbacks of a stepper run on the thread that has its world, those of different
 * worlds at the same time.  One that collides geoms first calls dAllocateODEDataForThread.
 *
 * The steppers must be different ones of different worlds.  Where a step fails, that world takes no more and its
 * stepper's status says why.  Returns how many worlds have taken all steps; -1 if a stepper is missing, listed
 * twice or at work, h is not positive and finite, or threads, count or steps are out of range: then nothing has
 * been done.  Fewer threads than asked for do the work where the system grants no more.
 */
ODE_RLS_API int dRLSStepperStepMany (dRLSStepperID const *steppers, int count, dReal h, int steps,
                                     int threads, dRLSBeforeStepFunction *before, void *context);

/* What dRLSStepperAdvance did. */
typedef struct
{
    size_t struct_size;           /* set to sizeof (dRLSAdvance) before the call */
    dReal next;                   /* s: before the call the first step to try, 0 for 10 ms; after it the one to go on with */
    int steps, rejected;          /* taken, of two halves each; tried and taken back */
    int missed;                   /* taken although the error was larger than it may be: where shorter steps are no better, as beside
                                     singular configurations: there a looser tolerance leads farther */
    dReal error;                  /* sum of the estimated errors, in the unit of the tolerance */
    dReal shortest, longest;      /* s: steps taken; before the call longest may be that of the call before, or 0: no step much shorter is
                                     tried beside singular configurations */
} dRLSAdvance;

/*
 * Advances the world by the duration (s, > 0), exactly, in steps as long as the tolerance allows.  Each is taken whole and in
 * halves, whose difference tells the error by the order of the integrator; a step whose error is more than its part of the
 * duration of the tolerance is taken back and tried shorter, as long as that makes it better.  So what steps add to the error stays
 * below the tolerance; what becomes of it afterwards is the motion's affair.  tolerance > 0: m and rad of poses, m/s and rad/s of
 * velocities alike, of the worst body.
 *     Meant for the accurate integrators, with forces by callback: forces that were added before act through the whole duration,
 * contacts stay as they are, and with limits, motors or contacts the method is taken for one of first order.  Feedback is the mean over the
 * duration (with dRLSFeedbackEnd that of the last half), the report and certificates are those of the last half, and warnings and callbacks
 * tell of trials, too.  Symplectic steps keep their energy for good only while their length stays.
 *     report may be NULL.  Returns 1, or 0 with the stepper's status, BadStep and BadArgument among them; the world is then as before, but for
 * dRLSStatusWorldChanged, where it stays as the last step taken has left it.
 * (Braun & Goldfarb and Orsino & Oliveira use adaptive methods for their references.)
 */
ODE_RLS_API int dRLSStepperAdvance (dRLSStepperID stepper, dReal duration, dReal tolerance, dRLSAdvance *report);

/*
 * Analyses the world as it stands, moving nothing: rank, redundant and conflicting rows, unique
 * reactions, violations and energy.  Serves worlds that ODE itself steps as well.
 * ODE's island search is used, as in a step: disabled bodies take no part unless they are joined to enabled
 * ones, and bodies with auto-disable count an idle step.  Returns 1 when done, 0 on failure.
 */
ODE_RLS_API int dRLSStepperAnalyse (dRLSStepperID stepper);

/* What dRLSStepperAssemble found and did. */
typedef struct
{
    size_t struct_size;           /* set to sizeof (dRLSAssembly) before the call */
    int passes;                   /* in each, ranks are decided anew and all joints are closed */
    int bodies;                   /* that took part, those held included */
    dReal open_m, open_rad;       /* the joints before: the largest, as dRLSMeasureJoint has them */
    dReal left_m, left_rad;       /* and after */
    dReal moved_m, turned_rad;    /* the farthest that a body went */
    dBodyID moved_body;           /* which went farthest in m; NULL if none did */
    dJointID open_joint;          /* which is left most open (m and rad alike); NULL if none is */
    int conflicting;              /* rows that contradict others where bodies are now */
} dRLSAssembly;

/*
 * Closes the joints of a world that was put together inexactly, before time begins: bodies go as little as
 * may be in the metric of their masses (Gonzalez & Kovecses, eq. 2), those held (NULL for none, count 0) do
 * not go at all, and velocities are made to fit the joints likewise; at a singular pose such that a motion
 * has them, where one is near (rows that the others imply there alone are held to second order).  Nothing
 * else changes: no time passes, forces stay.  The stepper forgets what it carried.  assembly may be NULL.
 * Returns 1 when done, whether or not all joints could be closed (left_m, left_rad, conflicting), 0 on
 * failure (dRLSStepperGetStatus; BadArgument for NULL, count < 0 or a body of another world); then bodies are
 * as before.
 */
ODE_RLS_API int dRLSStepperAssemble (dRLSStepperID stepper, dBodyID const *held, int count, dRLSAssembly *assembly);

/* Status of the last dRLSStepperStep, dRLSStepperAnalyse, dRLSStepperSaveState or dRLSStepperRestoreState, and its
 * sentence; never NULL. */
ODE_RLS_API int dRLSStepperGetStatus (dRLSStepperID stepper);
ODE_RLS_API const char *dRLSStepperGetMessage (dRLSStepperID stepper);

/* How often a warning was raised since creation; 0 for an unknown one. */
ODE_RLS_API unsigned long dRLSStepperGetWarningCount (dRLSStepperID stepper, int warning);

/* Where and how much: the worst of the last step that raised a warning. */
typedef struct
{
    size_t struct_size;           /* set to sizeof (dRLSWarningNote) before the call */
    dJointID joint;               /* NULL where no joint is to blame; compare it, it may have been destroyed since */
    int row;                      /* index among the joint's rows, as ODE numbers them; -1: no row in particular */
    dReal amount; /* conflict, projection: m or rad; rate: m/s or rad/s; energy: J, over the steps since it
                     was last told; forces: J, of the velocities that were still off; depth: J, of height;
                     others: 0 */
    dReal time;                   /* s, of the stepper, at the end of that step */
} dRLSWarningNote;

/* Copies it.  Returns 1, or 0 for bad arguments or a warning that was never raised. */
ODE_RLS_API int dRLSStepperGetWarningNote (dRLSStepperID stepper, int warning, dRLSWarningNote *note);

/* Installs the message callback; NULL removes it. */
ODE_RLS_API void dRLSStepperSetMessageCallback (dRLSStepperID stepper, dRLSMessageFunction *callback, void *context);

/* ---- choices ---------------------------------------------------------------------------------- */
/* Setters return 1, or 0 for a NULL handle, a value out of range or a call from within a callback of the stepper, and
 * then change nothing. */

typedef enum
{
    dRLSIntegratorAuto = 0,      /* symplectic, bounded and soft rows included */
    dRLSIntegratorEuler,         /* ODE's semi-implicit step; first order */
    dRLSIntegratorSymplectic,    /* Lie-group variational (RATTLE) step; second order, no energy drift */
    dRLSIntegratorSymplectic4,   /* symmetric compositions of it: 4th order (Suzuki, 7 stages), */
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
 * Variants of the corrections; a sum of flags, of which a correction heeds those that concern it.
 *     Once         projection, simultaneous, energy: one pass, as their papers have it, instead of passes until
 *                  the rows hold to rounding
 *     EachStage    embedded: the correction terms are evaluated anew at every stage of rk4 instead of held over
 *                  the step
 *     Through      rk4: singular configurations are stepped through like any other, as the papers do; otherwise a
 *                  step close by one is taken by symplectic4 (never with none and erp, since it closes positions)
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

/* Penalty (N/m and N m/rad, not negative) of dRLSCorrectionAugmented and dRLSCorrectionConserving.  Multipliers are
 * added up until positions hold, so it decides on the number of iterations and not on the answer.  0 (default)
 * takes for each row a penalty in proportion to the mass that it moves and to the step. */
#define dRLSPenaltyDefault ((dReal) 0)
ODE_RLS_API int dRLSStepperSetPenalty (dRLSStepperID stepper, dReal penalty);
ODE_RLS_API dReal dRLSStepperGetPenalty (dRLSStepperID stepper);

typedef enum
{
    dRLSOrderMinDegree = 0,      /* fill-reducing; the fastest */
    dRLSOrderNatural,            /* as ODE's island search meets the joints */
    dRLSOrderPriority,           /* by dRLSStepperSetJointPriority, smaller numbers first */
    dRLSOrderRandom,             /* a permutation from the seed: for showing that the order does not matter */
    dRLSOrderCount
} dRLSOrder;

#define dRLSOrderDefault dRLSOrderMinDegree
ODE_RLS_API int dRLSStepperSetOrder (dRLSStepperID stepper, int order);
ODE_RLS_API int dRLSStepperGetOrder (dRLSStepperID stepper);
ODE_RLS_API int dRLSStepperSetOrderSeed (dRLSStepperID stepper, unsigned long seed);
ODE_RLS_API unsigned long dRLSStepperGetOrderSeed (dRLSStepperID stepper);

/* Priority of a joint under dRLSOrderPriority: of rows that depend on each other, those of the smaller
 * number are kept and the others called redundant, however nearly the kept ones depend on each other as long as that is
 * above the rank tolerance.  What rows are open by says nothing about those of smaller numbers.  At the same number, drives and motors of unlimited strength give
 * way to joints.  Default 0. */
ODE_RLS_API int dRLSStepperSetJointPriority (dRLSStepperID stepper, dJointID joint, int priority);

/*
 * Makes a joint imperfect: instead of holding exactly, its rows give way as springs of the stiffness k (N/m for
 * lengths, N m/rad for angles; not negative) with the damping d (N s/m, N m s/rad).  Both 0 makes it hard again.  The
 * symplectic step has them as springs with dampers: second order where it resolves them, and stable for any stiffness
 * (method.md, section 9).  Under dRLSIntegratorEuler and the corrections of the literature they are taken implicitly, at the
 * end of the step.
 *
 * In terms of the recursion each row has the variance sigma^2 = 1 / (h (h k + d)) (1/kg, 1/(kg m^2)): being off by a
 * velocity e costs e^2 / (2 sigma^2), energy, so that the standard deviation sigma is the velocity that half a joule
 * buys.  A row that is to have a given sigma and no memory of where it was is a damper: k = 0, d = 1 / (h sigma^2).
 * A given static deflection x under a force f is k = f / x.  In ODE's terms CFM = 1 / (h k + d), ERP = h k / (h k + d).
 */
ODE_RLS_API int dRLSStepperSetJointCompliance (dRLSStepperID stepper, dJointID joint, dReal stiffness, dReal damping);

/*
 * The same for one row, 0 .. 5 as ODE numbers them (dRLSRow, ode-rls inspect): a hinge has its anchor along world x, y
 * and z and then two rotations across its axis, which go together, since ODE chooses where across.  It counts before
 * what the joint was given, which both 0 keeps from the row; dRLSStepperSetJointCompliance takes it back.
 */
ODE_RLS_API int dRLSStepperSetRowCompliance (dRLSStepperID stepper, dJointID joint, int row, dReal stiffness,
                                             dReal damping);

/*
 * A spring (k, N/m or N m/rad) with a damper (c, N s/m or N m s/rad) along a free axis of a joint: on its first body acts
 * -k (x - reference) - c x', on the second one the opposite, x being the axis' position or angle as the joint's stops measure
 * it (dParamLoStop; for joints with the body first that is what dJointGetHingeAngle and its relatives return).  An angle's
 * distance from the reference is at most half a turn.  Stable for any k and c, second order where the step resolves them:
 * the spring is a row like those of the compliances above, and takes no degree of freedom.
 *
 * axis: the group of parameters, from 0: hinge and slider 0; universal 0, 1; hinge-2 0, and 1 for dampers alone (k = 0);
 * PR and piston 0, 1; PU 0 .. 2; angular motor 0 .. 2, of the axes that it has, which is how a ball gets springs.  k and c
 * not negative and finite; both 0 takes the spring away.  Returns 0 for another joint type, axis or number.
 */
ODE_RLS_API int dRLSStepperSetJointSpring (dRLSStepperID stepper, dJointID joint, int axis, dReal stiffness, dReal damping,
                                           dReal reference);

/*
 * Relative pivot s / (h' M^-1 h) below which a row counts as implied by the others; 0 < tolerance < 1.
 * It is the square of an angle or of a relative length: with 1e-9, axes within 3e-5 rad of each other
 * count as parallel.  It is raised by itself while positions are violated by more than that.
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
 * Forces that are evaluated inside the step, at every stage of an accurate integrator: the callback
 * adds to the world's bodies with dBodyAddForce and its relatives, from poses and velocities that it
 * reads from them; time is the stepper's, in seconds (dRLSStepperSetTime).  It must change nothing else, and runs on
 * the thread that steps.
 * Disabled bodies take no part in a step: what is added to them at every stage stays on them, so leave them out.
 * Forces that the user added before the step act on top, constant over the step as in ODE.
 * Where they are so stiff that a symplectic step does not resolve them (h omega > 1), it is taken in up to 16 pieces.
 */
typedef void dRLSForceFunction (void *context, dWorldID world, dReal time);
ODE_RLS_API void dRLSStepperSetForceCallback (dRLSStepperID stepper, dRLSForceFunction *callback, void *context);

/*
 * A rheonomic (driven) axis as a hard constraint: the angle of a hinge (rad) or the position of a
 * slider (m) follows the function exactly.  It returns the wanted position at the time given and writes
 * its first and second time derivatives.  NULL removes the drive.  Returns 0 for another joint type.
 * It runs on the thread that computes the joint's island: with a pool, drives of different islands at the same time.
 *
 * Where drives contradict each other or what they are to move, joints stay closed: of the drives the one that was
 * set first stays in force, and the others are reported as conflicting rows (dRLSOrderPriority may say otherwise).
 * A drive that asks for what is out of reach, or beyond another joint's stop, is reported likewise: it holds its joint
 * until the function comes back to where that stands.
 */
typedef dReal dRLSDriveFunction (void *context, dReal time, dReal *rate, dReal *acceleration);
ODE_RLS_API int dRLSStepperSetJointDrive (dRLSStepperID stepper, dJointID joint, dRLSDriveFunction *drive, void *context);

/*
 * Rows that the program gives, between two bodies or a body and the world: a linear motor (dJointCreateLMotor) carries
 * them in place of its own.  The function writes count rows (1 .. 6) for the poses that the bodies have when it is called,
 * among them trial poses within the step, and for the time (s):
 *
 *     first, second   force, then torque about the centre of mass, that a unit impulse along the row exerts on the
 *                     joint's first and second body, world axes; the row demands first . v1 + second . v2 = rate
 *     kind            holonomic (0, as all else is before the call) or nonholonomic
 *     value           by how much it is violated (m or rad); its time derivative is first . v1 + second . v2 - rate.
 *                     Not looked at in a nonholonomic row, which holds velocities alone
 *     rate            velocity wanted along it (m/s or rad/s); 0 unless it moves with time
 *     lo, hi          what it may exert (N or N m), lo <= 0 <= hi; both 0: no bounds.  A holonomic row has one side: with
 *                     lo = 0 it keeps value >= 0, with hi = 0 value <= 0, as a floor or a rope does; a nonholonomic row is dry
 *                     friction or a motor
 *
 * So rows are holonomic (value), rheonomic (value and rate) or nonholonomic (kind).  The symplectic step takes a
 * nonholonomic row for the mean of its directions at both ends.  A joint to the
 * world has its one body first.  The function returns 1, or 0 to refuse the step (NotFinite); it must change nothing,
 * and runs on the thread that computes the island.  Rows take part in rank decisions, reports (numbered 0 .. count - 1),
 * priorities, compliances, reactions, corrections and every integrator as those of other joints do;
 * dRLSMeasureJoint does not know them.  NULL takes the rows away.  Returns 0 for another joint type or count.
 * (Orsino & Oliveira, eq. 3; Braun & Goldfarb, section 2.)
 */
typedef enum { dRLSRowHolonomic = 0, dRLSRowNonholonomic, dRLSRowKindCount } dRLSRowKind;

typedef struct
{
    dReal first[6], second[6];
    dReal value, rate;
    int kind;                     /* a dRLSRowKind; of rows over many bodies that of the joint which has them, */
    dReal lo, hi;                 /* and these likewise */
} dRLSProgramRow;

typedef int dRLSRowsFunction (void *context, dJointID joint, dReal time, dRLSProgramRow *rows);
ODE_RLS_API int dRLSStepperSetJointRows (dRLSStepperID stepper, dJointID joint, int count, dRLSRowsFunction *function,
                                         void *context);

/*
 * Rows over more than two bodies: part, another linear motor, stands for two bodies more (or one and the world) of the
 * rows that the program gives to joint.  Their function is called for the joint and for each of its parts, with that as its
 * second argument; first and second are of the bodies of the joint that it is called for, and values and rates of all
 * calls add up.  So a centre of mass is driven along a path, each body adding its share, or a rope goes over any
 * number of hanging pulleys.  A body may be mentioned more than once.
 *     Joints, parts included, must tie the bodies to one another, as a chain of them does, since ODE finds islands by
 * joints.  Rows are reported under joint; the feedback of a part is what acts on its own bodies.  An island with such
 * rows is factored as a dense matrix, and its limits, motors and contacts are solved by pivoting in another: meant for some
 * hundred rows.  dRLSCorrectionConserving conserves energy only as far as the step resolves such rows.
 * NULL for joint takes the part away; so does taking away the rows.  Returns 0 for another joint type, a joint without rows
 * of its own, or a part that has some.  (Orsino & Oliveira, eq. 3.)
 */
ODE_RLS_API int dRLSStepperJoinRows (dRLSStepperID stepper, dJointID part, dJointID joint);

/*
 * What dJointSetFeedback receives: forces (N) and, about the bodies' centres of mass, torques (N m) of a joint on its two
 * bodies, world axes.
 *     Mean   over the step: the impulses of all its sub-steps, stages and projections, divided by h.  For each body
 *            m (v1 - v0) / h = external force + sum of feedback holds to rounding, and likewise its angular momentum,
 *            under Euler's and the symplectic steps; under the conserving one as far as its iterations go.  rk4 turns
 *            bodies by a rule that keeps the balance of torques to its order only, and where rows are redundant
 *            forces balance as exactly as its stages are closed.  The augmented Lagrangian step, corrections
 *            that change velocities other than along rows (simultaneous, energy) and steps that are counted as
 *            fallbacks or singular leave a rest.
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
 * Friction of contacts whose two coefficients are the same:
 *     Pyramid   ODE's: each of the two directions up to mu N, so mu depends on the direction of sliding by a factor of up
 *               to the root of two.
 *     Cone      Coulomb's: mu N against the direction of sliding, whichever that is.  Of second order while bodies slide;
 *               what sticks may be held by up to the root of two times mu N where the force turns within a step.
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

/* Where time goes, in the order in which a step goes through them. */
enum
{
    dRLSStageGather = 0,          /* islands, bodies and rows read from ODE */
    dRLSStageOrder,               /* the order of elimination, next to nothing while the topology stays */
    dRLSStageFactor,              /* rank decisions, the factor of the beginning */
    dRLSStageSolve,               /* the step itself, whole but for euler's next two */
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
    int redundant, conflicting;   /* hard rows left out; those of them that contradict the others */
    int factorisations, row_evaluations, iterations;   /* work of the step; iterations: on positions */
    int fallbacks;                /* islands stepped in pieces or by a simpler integrator */
    int singular_events;          /* special handling close by singular configurations */
    int bounded_iterations;       /* of limits, motors and contacts */
    dReal bounded_residual;       /* natural map, relative to the largest impulse */
    dReal rank_gap;               /* smallest relative pivot that was kept; 1 where joints form a tree */
    dReal violation_m, violation_rad, violation_m_s, violation_rad_s;   /* largest over the joints */
    dReal kinetic, potential;     /* J; potential of gravity, zero at the world's origin */
    double seconds[dRLSStageCount];   /* by stage, added up over the islands, whichever thread computed them */
} dRLSReport;

/* Copies the report of the last step or analysis.  Returns 1, or 0 for bad arguments. */
ODE_RLS_API int dRLSStepperGetReport (dRLSStepperID stepper, dRLSReport *report);

typedef enum { dRLSRowRedundant = 0, dRLSRowConflicting } dRLSRowStatus;

typedef struct
{
    dJointID joint;               /* compare it, do not use it if the joint may have been destroyed since */
    int row;                      /* index among the joint's rows, as ODE numbers them */
    int status;                   /* a dRLSRowStatus */
    dReal pivot;                  /* relative pivot that remained, dimensionless */
    dReal residual;               /* position violation of the row (m or rad) */
} dRLSRow;

/* Copies at most capacity redundant and conflicting rows, all found at once, in the order of the
 * joints in their islands.  rows may be NULL with capacity 0.  Returns how many there are. */
ODE_RLS_API int dRLSStepperGetRedundantRows (dRLSStepperID stepper, dRLSRow *rows, int capacity);

/* Why an island's step was taken as it was. */
typedef enum
{
    dRLSReasonChosen = 0,         /* by the integrator chosen; auto is symplectic */
    dRLSReasonBounded,            /* order 2: limits, motors, contacts and friction forbid compositions of higher order */
    dRLSReasonSoft,               /* Euler: the correction or its compliant rows have no accurate step */
    dRLSReasonPieces,             /* in pieces: the whole step did not converge, its energy jumped, or forces were too stiff for it */
    dRLSReasonSingular,           /* another order: so near a singular configuration that rows were lost */
    dRLSReasonGivesWay,           /* contacts and stops gave way in the first half: the whole step was not finite or gained
                                     energy */
    dRLSReasonFailed,             /* Euler, damped where that leaves joints open: no accurate step converged */
    dRLSReasonPause,              /* the same: many failed before, and none was tried */
    dRLSReasonCount
} dRLSReason;

/* One island of the last step. */
typedef struct
{
    dBodyID body;                 /* one of its bodies; compare it, it may have been destroyed since */
    int bodies, joints;
    int rows, bounded_rows;       /* bilateral ones; limits, motors, contacts, friction */
    int integrator;               /* the dRLSIntegrator that took the step; as set where a correction has its own step */
    int reason;                   /* a dRLSReason */
} dRLSIsland;

/* Copies at most capacity islands of the last step that have joints; free bodies, and small trees that are stepped side by
 * side, are stepped as chosen and not listed.  islands may be NULL with capacity 0.  Returns how many there are. */
ODE_RLS_API int dRLSStepperGetIslands (dRLSStepperID stepper, dRLSIsland *islands, int capacity);

/* 1 if the joint's reaction is determined by the motion alone; 0 if it depends on how redundant rows
 * share the load (then the minimum-norm share is given, forces in N and torques in N m weighted
 * alike); -1 if the last step or analysis did not see the joint or did not look at reactions. */
ODE_RLS_API int dRLSStepperIsReactionUnique (dRLSStepperID stepper, dJointID joint);

/* ---- the equations of motion ------------------------------------------------------------------- */

/*
 * The equations of motion of a world as it stands, for programs that solve them in their own way: control, estimation,
 * loads for stress analysis.  Nothing moves.
 *
 *     M a = f + H' p,     H v = y,     H a = c
 *
 *     bodies   v, a: six numbers a body, linear then angular, of the centre of mass, world axes (m/s, rad/s; m/s^2,
 *              rad/s^2).  f: force, torque (N, N m): gravity, what was added to the body, the force callback, gyroscopic
 *              torques.  M: masses and inertias.  Kinematic bodies do not accelerate.
 *     rows     H: the hard rows of joints, drives and the program, redundant ones included, one number each of
 *              y (m/s, rad/s), c = dy/dt - dH/dt v (m/s^2, rad/s^2) and p, the reactions along them (N, N m).  Limits,
 *              contacts, motors of finite strength and rows that give way are not among them.
 *
 * Arrays have 6 x bodies or rows numbers, in the order of dRLSEquationsGetBodies and dRLSEquationsGetRows.  The equations
 * are a copy, and stay what they are when the world moves on.  All functions on them return 1, or 0 for NULL, empty
 * equations and numbers that are not finite; then outputs are unchanged.  Inputs and outputs may not overlap.
 * (Udwadia & Kalaba; Orsino & Oliveira, sections 2 and 3.)
 */
typedef struct dxRLSEquations *dRLSEquationsID;

/* Empty equations, or NULL without memory; destroying NULL is ignored.  They may outlive stepper and world. */
ODE_RLS_API dRLSEquationsID dRLSEquationsCreate (void);
ODE_RLS_API void dRLSEquationsDestroy (dRLSEquationsID equations);

/* Fills the equations with those of all islands of the stepper's world.  The island search is used as by
 * dRLSStepperAnalyse; what the stepper carries and its report stay.  Returns 1, or 0 with the stepper's status; then they are
 * empty. */
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
    int row;                      /* as ODE numbers them; that of a drive is behind the joint's own */
    int kept;                     /* 0: the others imply it */
    int angular;                  /* 1: an angle, its reaction a torque; 0: a length and a force */
    int entry, entries;           /* where its numbers begin among the entries, and how many bodies they have */
    dReal target;                 /* y */
    dReal residual;               /* m or rad: what is still to be moved along the row, minus its violation */
    dReal acceleration;           /* c */
} dRLSEquationRow;

/* Part of a row that belongs to one body.  A body that a row mentions twice has two entries, which add up. */
typedef struct
{
    int body;                     /* its place among the bodies */
    dReal J[6];                   /* force and torque that a unit reaction exerts on it, world axes */
} dRLSEquationEntry;

/* Copy at most capacity of them, and return how many there are (-1 for bad arguments).  The array may be NULL with
 * capacity 0.  Rows of a joint follow each other. */
ODE_RLS_API int dRLSEquationsGetBodies (dRLSEquationsID equations, dBodyID *bodies, int capacity);
ODE_RLS_API int dRLSEquationsGetRows (dRLSEquationsID equations, dRLSEquationRow *rows, int capacity);
ODE_RLS_API int dRLSEquationsGetEntries (dRLSEquationsID equations, dRLSEquationEntry *entries, int capacity);

/* out (rows) := H x for velocities or accelerations x of the bodies. */
ODE_RLS_API int dRLSEquationsAlongRows (dRLSEquationsID equations, const dReal *x, dReal *out);

/* out (6 x bodies) := H' p, what reactions p exert on the bodies. */
ODE_RLS_API int dRLSEquationsOnBodies (dRLSEquationsID equations, const dReal *p, dReal *out);

/* out (6 x bodies) := M x; 0 for kinematic bodies. */
ODE_RLS_API int dRLSEquationsTimesMass (dRLSEquationsID equations, const dReal *x, dReal *out);

/* out (rows) := A p, with the Delassus matrix A = H M^-1 H' of all rows. */
ODE_RLS_API int dRLSEquationsDelassus (dRLSEquationsID equations, const dReal *p, dReal *out);

/* p (rows) := A^-1 x over the rows that are kept, 0 for the others, whose x is not looked at. */
ODE_RLS_API int dRLSEquationsSolveDelassus (dRLSEquationsID equations, const dReal *x, dReal *p);

/* out (6 x bodies) := P f, what forces (impulses) f on the bodies do to their accelerations (velocities) with the joints
 * in place.  P is what the recursion leaves of M^-1: P = M^-1 - M^-1 H' A^-1 H M^-1 (Orsino & Oliveira). */
ODE_RLS_API int dRLSEquationsMobility (dRLSEquationsID equations, const dReal *f, dReal *out);

/* a (6 x bodies) := accelerations at this instant, p (rows, may be NULL) := the reactions, 0 for redundant rows; with force
 * (6 x bodies, NULL for none) added to what acts already.  Velocities are taken for consistent with the rows. */
ODE_RLS_API int dRLSEquationsAccelerate (dRLSEquationsID equations, const dReal *force, dReal *a, dReal *p);

/* Inverse dynamics: p (rows) := the reactions, efforts of drives among them, with which the bodies accelerate by a,
 * 0 for redundant rows; rest (6 x bodies, may be NULL) := M a - f - H' p, what no row can exert and a force of the program
 * would have to. */
ODE_RLS_API int dRLSEquationsInverse (dRLSEquationsID equations, const dReal *a, dReal *p, dReal *rest);

/*
 * How redundant reactions share the load.  Of all p with the same H' p, the elastic one makes the energy of deformation
 * p' C p / 2 + p' d least (Wojtyra & Fraczek 2012; theorem of Menabrea and Castigliano).
 *     C   symmetric, what the rows open by under reactions p (m/N, rad/N, ...): the compliance of bodies and joints.  Given
 *         by its diagonal, as springs in the joints, or by a function that multiplies by it, for bodies that bend.  Of
 *         bodies that nothing holds any one of the possible deformations will do.
 *     d   by how much the rows would be violated without reactions (m or rad): by loads that bend the bodies,
 *         or since joints do not fit
 */
typedef void dRLSElasticityFunction (void *context, const dReal *p, dReal *openings);

typedef struct
{
    size_t struct_size;               /* set to sizeof (dRLSElasticity) before the call */
    dRLSElasticityFunction *function; /* openings (rows) := C p; NULL: */
    void *context;
    const dReal *compliance;          /* diagonal of C, not negative; NULL: 1, so that the norm of p is least */
    const dReal *openings;            /* d; NULL: 0 */
} dRLSElasticity;

/*
 * Shares reactions out: p (rows) is any with the wanted H' p on entry, such as dRLSEquationsAccelerate gives, and the elastic one
 * on return.  elasticity NULL: the least norm, N and N m alike.  Takes as many products with C as there are redundant
 * rows, and the square of their number in memory.  Returns 0 also without memory, or where C is not symmetric or leaves some
 * share undecided.
 */
ODE_RLS_API int dRLSEquationsShare (dRLSEquationsID equations, const dRLSElasticity *elasticity, dReal *p);

/* A step of the recursion: row h is taken after the rows of smaller places. */
typedef struct
{
    size_t struct_size;           /* set to sizeof (dRLSRecursion) before the call */
    int row;                      /* which of the rows */
    int kept;                     /* 0: z is 0 but for rounding, and the row is skipped */
    int rank;                     /* of P after it: the degrees of freedom that are left */
    dReal pivot;                  /* s = h' z (1/kg, 1/(kg m^2)) */
    dReal relative;               /* s / (h' M^-1 h) */
} dRLSRecursion;

/*
 * The recursion of least squares, row by row: z = P h, s = h' z, and if the row is kept P <- P - z z' / s, beginning with P = M^-1
 * (Orsino & Oliveira).  place: 0 .. rows - 1, in the order in which the factorisation has kept the rows, redundant ones last.
 * z (6 x bodies, may be NULL): the velocities that a unit impulse along the row makes.  Each call costs a factorisation.
 */
ODE_RLS_API int dRLSEquationsGetRecursion (dRLSEquationsID equations, int place, dRLSRecursion *step, dReal *z);

/*
 * Inverse dynamics of a mechanism: efforts (N or N m, count) that drives of hinges and sliders would have to exert so that
 * their axes accelerate as given (m/s^2 or rad/s^2, count) at this instant, positive in the direction in which
 * dJointGetHingeAngleRate and dJointGetSliderPositionRate count.  Other axes move as they will.  Gravity, forces
 * and the joints' other drives act as always; limits, contacts and motors of finite strength do not.
 * An axis whose acceleration the others imply gets 0.  Returns 1, or 0 with the stepper's status: BadArgument for other
 * joints, joints listed twice or driven already, numbers that are not finite, and accelerations that the joints do not
 * allow.
 */
ODE_RLS_API int dRLSStepperInverseDynamics (dRLSStepperID stepper, dJointID const *axes, const dReal *accelerations,
                                            int count, dReal *efforts);

/* ---- saved states ------------------------------------------------------------------------------ */

/*
 * A state holds the motion of bodies (pose, velocity, accumulated force and torque, enabled or disabled) and all that a
 * stepper carries from step to step: its time, rank decisions, factors, multipliers, warm starts.  A run that is
 * restored goes on bit for bit as it did after it was saved, if the program does the same.  Not in it:
 *     - settings of the world, its bodies and joints, and the choices of the stepper: restore into the same ones
 *       (whatever was carried for other ones is dropped, and the next step begins as that of a new stepper)
 *     - what ODE keeps to itself: idle steps counted for auto-disable begin anew for restored bodies that are awake;
 *       transmissions go on counting turns
 *     - what the program keeps: contact joints, and the order in which it makes them
 * A state is memory of this process; its motion can be written and read by another one, see dRLSStateWrite.
 */
typedef struct dxRLSState *dRLSStateID;

/* An empty state, or NULL without memory; destroying NULL is ignored.  A state may outlive its stepper and world,
 * but must not be restored then. */
ODE_RLS_API dRLSStateID dRLSStateCreate (void);
ODE_RLS_API void dRLSStateDestroy (dRLSStateID state);

/*
 * Saves the stepper and the named bodies of its world, over what the state held before.  ODE does not list the bodies of a
 * world, so the caller does; bodies that are not named are not restored.  Returns 1, or 0 with the
 * stepper's status BadArgument (NULL, a body of another world, count < 0; the state is unchanged) or NoMemory (the state is empty).
 */
ODE_RLS_API int dRLSStepperSaveState (dRLSStepperID stepper, dRLSStateID state, dBodyID const *bodies, int count);

/*
 * Puts the bodies and the stepper, or another one of the same world, back to a saved state.  Its bodies must
 * exist still.  The report is empty until the next step or analysis; warnings go on being counted.  Returns 1, or
 * 0 with the stepper's status BadArgument (NULL, an empty state, one of another world) or NoMemory; bodies
 * are then as before.
 */
ODE_RLS_API int dRLSStepperRestoreState (dRLSStepperID stepper, dRLSStateID state);

/* The stepper's time (s) when the state was saved; 0 for NULL or an empty state. */
ODE_RLS_API dReal dRLSStateGetTime (dRLSStateID state);

/*
 * Drops all that the stepper carries from step to step but its time, its choices and its warnings: the next step is that of a new
 * stepper.  Returns 1, or 0 for NULL or a call from within a callback.
 */
ODE_RLS_API int dRLSStepperForget (dRLSStepperID stepper);

/*
 * The motion that a state holds (bodies and the stepper's time) as bytes, for a file.  They belong to this build of the
 * library and to this kind of machine.  What a stepper carries is not among them: a run that was read begins as that of a new
 * stepper, and goes on bit for bit as the one that was written if that one was made to forget (dRLSStepperForget) when its
 * state was saved.
 * Writes them if capacity suffices, and returns how many there are; 0 for NULL or an empty state.  bytes may be NULL with capacity 0.
 */
ODE_RLS_API size_t dRLSStateWrite (dRLSStateID state, void *bytes, size_t capacity);

/*
 * Fills a state from such bytes; the world has been built as it was, and its bodies are named in the order in which they were
 * saved.  The bodies change when the state is restored (dRLSStepperRestoreState).  Returns 1, or 0 for NULL, another number of bodies,
 * bodies of different worlds, bytes that are damaged or of another build, or without memory; then the state is as before.
 */
ODE_RLS_API int dRLSStateRead (dRLSStateID state, dBodyID const *bodies, int count, const void *bytes, size_t size);

/* ---- measurements of any ODE world ------------------------------------------------------------- */

/* Violation of a joint, from the geometry of its bodies and not from a solver's right-hand side. */
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
 * What a step did, judged from outside.  All numbers come from ODE's bodies and joints, as they were before the step
 * and are after it, and from the reactions that the step left in the joints' feedback; none comes from a solver.  It
 * serves any stepper, ODE's own as well:
 *
 *     dRLSCertificateBegin (certificate, bodies, count);
 *     dRLSStepperStep (stepper, h);                           or dWorldStep (world, h)
 *     dRLSCertificateEnd (certificate, h, &step);
 *
 * Reactions are taken for means over the step: where a method gives others, balances and works are off by as much as they
 * differ.  Forces of a force callback and drives (dRLSStepperSetJointDrive) are not seen: their work is unexplained.
 */
typedef struct dxRLSCertificate *dRLSCertificateID;

typedef struct
{
    size_t struct_size;           /* set to sizeof (dRLSStepCertificate) before the call */
    int bodies, joints;           /* looked at: the bodies named, and the joints that are attached to them */

    /* hard joints after the step, as dRLSMeasureJoint has them: the largest */
    dReal gap_m, gap_rad, rate_m_s, rate_rad_s;

    /* Newton (N): |m (v1 - v0) / h - forces - reactions|; Euler (N m): |(L1 - L0) / h - torques - moments of the
     * reactions| with L the angular momentum about the centre of mass, I0 (w1 - w0) for bodies without gyroscopic terms;
     * the largest, and beside them the largest sum of reactions and of their moments on one body */
    dReal force_balance, torque_balance, largest_force, largest_torque;

    /* limits, motors and contacts: how far a force leaves its bounds (N, N m), and the velocity (m/s, rad/s) by which a row
     * is missed although its force has not reached the bound that would excuse it; friction as bounded by its normal force */
    dReal outside, missed;

    /* J, over the step: kinetic and potential energy gained; work of the program's forces and of kinematic
     * bodies; of motors, limits, contacts and springs; of hard joints, ideally 0; and what of the energy is neither
     * applied nor driven.  Works are reactions times motions, exact to second order of the step. */
    dReal energy, applied_work, driven_work, hard_work, unexplained;

    /* whose the largest are; NULL where there is none */
    dBodyID force_body, torque_body;
    dJointID gap_joint, rate_joint, bounds_joint;
    dJointID energy_joint;        /* the hard joint that did most work */
} dRLSStepCertificate;

/* An empty certificate, or NULL without memory or where dRLSCheckODE refuses; destroying NULL is ignored.  Not
 * between Begin and End. */
ODE_RLS_API dRLSCertificateID dRLSCertificateCreate (void);
ODE_RLS_API void dRLSCertificateDestroy (dRLSCertificateID certificate);

/*
 * Looks at the bodies, of one world, before a step, and at all joints and contacts that are attached to them, which get
 * feedback of the certificate's own until dRLSCertificateEnd.  Bodies that are not named count as the world.  Returns 1, or 0 for
 * NULL, a body named twice, count < 0 or without memory; then nothing has changed.
 */
ODE_RLS_API int dRLSCertificateBegin (dRLSCertificateID certificate, dBodyID const *bodies, int count);

/*
 * After the step of h: writes the certificate, and gives the joints back the feedback that the program asked for, with what
 * the step wrote.  No body or joint may have been destroyed in between.  Must be called after a refused step, too.  Returns 1,
 * or 0 without a beginning or for a bad h or step (the feedback is given back all the same).
 */
ODE_RLS_API int dRLSCertificateEnd (dRLSCertificateID certificate, dReal h, dRLSStepCertificate *step);

#ifdef __cplusplus
}
#endif

#endif
