/*
 * What a program has asked of a stepper: the settings, and wishes for single joints (drives, rows,
 * priorities, compliances, springs).  One record of each for all islands; ode_rls.h says what they mean.
 * wishes.c and parameters.c have the calls that set them.
 */
#ifndef RLS_WISHES_H
#define RLS_WISHES_H

#include "ode/ode_seam.h"
#include "kernels/places.h"
#include "kernels/rows.h"
#include <ode_rls/ode_rls.h>

/* The settings of a stepper. */
typedef struct
{
    int integrator, correction, order; /* dRLSIntegrator, dRLSCorrection, dRLSOrder */
    unsigned long order_seed;
    unsigned long spring_changes; /* how often an axis was given a spring or lost it; see joint_cache.c */
    double rank_tolerance;        /* relative pivot */
    double position_tolerance;    /* m or rad; 0: rounding */
    int correction_flags;         /* dRLSCorrect... */
    double baumgarte[2];          /* 1/s: alpha and beta; 0, 0: from the world's ERP */
    double penalty;               /* N/m */
    int bounded_iterations;
    int feedback;                /* dRLSFeedback */
    int friction;                /* dRLSFriction */
    int report;                  /* dRLSReport flags */
    double world_erp, world_cfm; /* those of the world, as of the beginning of the step, */
    double gravity[3];           /* and its gravity (m/s^2) */
} rls_settings;

/* A hard constraint that makes an axis follow a function of time; see dRLSStepperSetJointDrive. */
typedef struct
{
    dJointID joint;
    int turn; /* 1, 2, ... as they were set; of several that contradict each other the largest gives way */
    dRLSDriveFunction *function;
    void *context;
} rls_drive;

/* See dRLSStepperSetJointPriority. */
typedef struct
{
    dJointID joint;
    int priority;
} rls_priority;

/* Rows that the program evaluates; see dRLSStepperSetJointRows and dRLSStepperJoinRows. */
typedef struct
{
    dJointID joint;
    dJointID
        of; /* NULL: the rows are those of this joint; else it brings two more bodies into those of another */
    int count;
    dRLSRowsFunction *function;
    void *context;
} rls_program_rows;

/* Stiffness (N/m, N m/rad) and damping (N s/m, N m s/rad) of a row; see rls_soften in gather.h. */
typedef struct
{
    int given; /* 1: the program has given them */
    double stiffness, damping;
} rls_row_compliance;

/* The rows of a joint as ODE numbers them; the last entry is for all rows that were given none of their own.
 */
typedef struct
{
    dJointID joint;
    rls_row_compliance row[RLS_MAX_ROWS + 1];
} rls_compliance;

/* A spring with a damper along an axis of a joint; see dRLSStepperSetJointSpring. */
typedef struct
{
    double stiffness, damping; /* in the units above; both 0: the axis has no spring */
    double reference;          /* m or rad: the position at rest */
} rls_axis_spring;

typedef struct
{
    dJointID joint;
    rls_axis_spring axis[RLS_MOST_AXES];
} rls_joint_springs;

/* All wishes for joints.  Each list is sorted by the joints' addresses. */
typedef struct
{
    RLS_LIST (rls_drive) drives;
    RLS_LIST (rls_program_rows) programs;
    RLS_LIST (rls_priority) priorities;
    RLS_LIST (rls_compliance) compliances;
    RLS_LIST (rls_joint_springs) springs;
    int last_turn; /* the turn of the drive that was set last */
} rls_wishes;

/*
 * Access to these lists, whose records begin with the joint.
 *
 *     RLS_WISH_OF    the record of a joint, NULL if it has none
 *     RLS_WISH_FOR   the same; a joint that has none gets a new record of zeros (NULL without memory)
 *     RLS_DROP       removes a record from its list
 */
#define RLS_WISH_OF(list, joint)                                                                             \
    ((list).count > 0 ? rls_wish_of ((list).of, (list).count, sizeof (*(list).of), (joint)) : NULL)
#define RLS_WISH_FOR(list, joint)                                                                            \
    rls_wish_for (&(list).of, &(list).count, &(list).block, sizeof (*(list).of), (joint))
#define RLS_DROP(list, record)                                                                               \
    memmove ((record), (record) + 1, (size_t)((char *)((list).of + (list).count--) - (char *)((record) + 1)))
void *rls_wish_of (const void *list, int count, size_t size, dJointID joint);
void *rls_wish_for (void *list_pointer, int *count, rls_arena *block, size_t size, dJointID joint);

#endif
