/*
 * ODE's private entry points, declared by linker name for both precisions (Itanium C++ ABI).
 *
 * The names are weak references: a library without them is reported, not crashed into.  Facts about
 * ODE are those of 0.16.2 (files util.cpp, util.h, joints/joint.h of its sources).
 */
#include "ode_seam.h"
#include <string.h>

#ifdef dSINGLE
#define REAL_CODE "f"
#else
#define REAL_CODE "d"
#endif

#define LINKER_NAME(name) __asm__(name) __attribute__ ((weak))

/* What a stepper function receives; the island's bodies come behind the fields that the plugin skips. */
typedef struct
{
    dWorldID world;
    dReal step_size;
    void *arena;
    void *final_releasee;
    dBodyID const *bodies;
    dJointID const *joints;
    unsigned body_count, joint_count, allowed_threads;
} call_context;

typedef struct
{
    unsigned char m, unbounded;
    char padding[14];
} row_info;

typedef size_t memory_estimate (dBodyID const *bodies, unsigned body_count, dJointID const *joints,
                                unsigned joint_count);
typedef void island_stepper (const call_context *context);
typedef unsigned call_estimate (unsigned active_threads, unsigned allowed_threads);

int ode_reallocate_context (dWorldID, rls_ode_islands *, dReal, memory_estimate *)
    LINKER_NAME ("_Z31dxReallocateWorldProcessContextP7dxWorldR25dxWorldProcessIslandsInfo" REAL_CODE
                 "PFmPKP6dxBodyjPKP7dxJointjE");
int ode_process_islands (dWorldID, const rls_ode_islands *, dReal, island_stepper *, call_estimate *)
    LINKER_NAME ("_Z16dxProcessIslandsP7dxWorldRK25dxWorldProcessIslandsInfo" REAL_CODE
                 "PFvPK30dxStepperProcessingCallContextEPFjjjE");
void ode_step_body (dBodyID, dReal) LINKER_NAME ("_Z10dxStepBodyP6dxBody" REAL_CODE);

/* Every joint type: enumerator, name for C, class name with its length, rows before limits and motors. */
#define JOINT_TYPES(X)                                                                                       \
    X (dJointTypeBall, ball, "11dxJointBall", 3)                                                             \
    X (dJointTypeHinge, hinge, "12dxJointHinge", 5)                                                          \
    X (dJointTypeSlider, slider, "13dxJointSlider", 5)                                                       \
    X (dJointTypeContact, contact, "14dxJointContact", 0)                                                    \
    X (dJointTypeUniversal, universal, "16dxJointUniversal", 4)                                              \
    X (dJointTypeHinge2, hinge2, "13dxJointHinge2", 4)                                                       \
    X (dJointTypeFixed, fixed, "12dxJointFixed", 6)                                                          \
    X (dJointTypeNull, null, "11dxJointNull", 0)                                                             \
    X (dJointTypeAMotor, amotor, "13dxJointAMotor", 0)                                                       \
    X (dJointTypeLMotor, lmotor, "13dxJointLMotor", 0)                                                       \
    X (dJointTypePlane2D, plane2d, "14dxJointPlane2D", 3)                                                    \
    X (dJointTypePR, pr, "9dxJointPR", 4)                                                                    \
    X (dJointTypePU, pu, "9dxJointPU", 3)                                                                    \
    X (dJointTypePiston, piston, "13dxJointPiston", 4)                                                       \
    X (dJointTypeDBall, dball, "12dxJointDBall", 1)                                                          \
    X (dJointTypeDHinge, dhinge, "13dxJointDHinge", 4)                                                       \
    X (dJointTypeTransmission, transmission, "19dxJointTransmission", 1)

typedef void get_info1 (dJointID joint, row_info *info);
typedef void get_info2 (dJointID joint, dReal fps, dReal erp, int row_skip, dReal *J1, dReal *J2,
                        int pair_skip, dReal *rhs_cfm, dReal *lo_hi, int *findex);
typedef size_t object_size (dJointID joint);

#define DECLARE_JOINT(type, name, class_name, rows)                                                          \
    void ode_##name##_info1 (dJointID, row_info *)                                                           \
        LINKER_NAME ("_ZN" class_name "8getInfo1EPN7dxJoint5Info1E");                                        \
    void ode_##name##_info2 (dJointID, dReal, dReal, int, dReal *, dReal *, int, dReal *, dReal *, int *)    \
        LINKER_NAME ("_ZN" class_name "8getInfo2E" REAL_CODE REAL_CODE "iP" REAL_CODE "S0_iS0_S0_Pi");       \
    size_t ode_##name##_size (dJointID) LINKER_NAME ("_ZNK" class_name "4sizeEv");
JOINT_TYPES (DECLARE_JOINT)

#define JOINT_ENTRY(type, name, class_name, rows)                                                            \
    [type] = {ode_##name##_info1, ode_##name##_info2, ode_##name##_size, rows},
static const struct
{
    get_info1 *info1;
    get_info2 *info2;
    object_size *size; /* optional */
    int base_rows;
} joint_types[dJointTypeTransmission + 1] = {JOINT_TYPES (JOINT_ENTRY)};

int rls_ode_names_resolve (void)
{
    if (!ode_reallocate_context || !ode_process_islands || !ode_step_body) return 0;
    for (int type = dJointTypeBall; type <= dJointTypeTransmission; ++type)
        if (!joint_types[type].info1 || !joint_types[type].info2) return 0;
    return 1;
}

static size_t no_memory_needed (dBodyID const *bodies, unsigned body_count, dJointID const *joints,
                                unsigned joint_count)
{
    (void)bodies, (void)body_count, (void)joints, (void)joint_count;
    return 64; /* the plugin has its own workspace; ODE wants something to allocate */
}

static unsigned one_call (unsigned active_threads, unsigned allowed_threads)
{
    (void)active_threads, (void)allowed_threads;
    return 1;
}

int rls_ode_find_islands (dWorldID world, dReal h, rls_ode_islands *islands)
{
    return ode_reallocate_context (world, islands, h, no_memory_needed) & 0xff; /* a C++ bool */
}

/*
 * ODE hands a stepper function nothing of ours, but it passes the island's body array on unread: a task
 * travels as the only "body" of an island of its own.  ODE's pool orders what its threads do; said once more
 * with acquire and release, it is also seen by ThreadSanitizer, which does not look into ODE.
 */
static void run_task (const call_context *context)
{
    rls_ode_task *task = (rls_ode_task *)(void *)__atomic_load_n (&context->bodies[0], __ATOMIC_ACQUIRE);
    task->run (task);
    __atomic_fetch_add (&task->done, 1, __ATOMIC_RELEASE); /* a store would hide those of other threads */
}

int rls_ode_run_tasks (dWorldID world, dReal h, rls_ode_task **tasks, unsigned *sizes, size_t count)
{
    if (count == 0) return 1;
    if (count == 1) /* nothing to share out */
    {
        tasks[0]->run (tasks[0]);
        return 1;
    }
    for (size_t i = 0; i < count; ++i)
    {
        sizes[2 * i] = 1;
        sizes[2 * i + 1] = 0;
        __atomic_store_n (&tasks[i], tasks[i], __ATOMIC_RELEASE);
    }
    const rls_ode_islands islands = {count, sizes, (dBodyID const *)(const void *)tasks, NULL};
    const int done = ode_process_islands (world, &islands, h, run_task, one_call) & 0xff;
    for (size_t i = 0; i < count; ++i) (void)__atomic_load_n (&tasks[i]->done, __ATOMIC_ACQUIRE);
    return done;
}

void rls_ode_joint_bodies (dJointID joint, dBodyID bodies[2])
{
    bodies[0] = dJointGetBody (joint, 0);
    bodies[1] = dJointGetBody (joint, 1);
    if (!bodies[0]) /* attached to the world the other way round */
    {
        bodies[0] = bodies[1];
        bodies[1] = NULL;
    }
}

int rls_ode_row_count (dJointID joint)
{
    row_info info = {0, 0, {0}};
    get_info1 *ask = joint_types[dJointGetType (joint)].info1;
    if (ask) ask (joint, &info); /* measuring needs no stepper and so has not been checked */
    return info.m <= RLS_ODE_MAX_ROWS ? info.m : 0;
}

void rls_ode_get_rows (dJointID joint, int m, dReal fps, dReal erp, dReal cfm, rls_ode_rows *rows)
{
    memset (rows->J, 0, sizeof (rows->J[0]) * (size_t)m);
    for (int r = 0; r < m; ++r)
    {
        rows->rhs_cfm[r][0] = 0;
        rows->rhs_cfm[r][1] = cfm;
        rows->lo_hi[r][0] = -dInfinity;
        rows->lo_hi[r][1] = dInfinity;
        rows->findex[r] = -1;
    }
    joint_types[dJointGetType (joint)].info2 (joint, fps, erp, 12, &rows->J[0][0], &rows->J[0][6], 2,
                                              &rows->rhs_cfm[0][0], &rows->lo_hi[0][0], rows->findex);
}

void rls_ode_get_base_rows (dJointID joint, dJointType type, int m, dReal fps, dReal erp, dReal cfm, dReal *J,
                            dReal (*rhs_cfm)[2])
{
    dReal lo_hi[RLS_ODE_MAX_ROWS][2];
    int findex[RLS_ODE_MAX_ROWS];
    memset (J, 0, sizeof (dReal) * 12 * (size_t)m);
    for (int r = 0; r < m; ++r) rhs_cfm[r][0] = 0, rhs_cfm[r][1] = cfm;
    joint_types[type].info2 (joint, fps, erp, 12, J, J + 6, 2, &rhs_cfm[0][0], &lo_hi[0][0], findex);
}

/* ---- a joint's own memory ---- */

/* A limit-motor, as ODE keeps it.  What getInfo1 leaves in it for getInfo2 is no property of the joint. */
typedef struct
{
    dReal parameters[9];
    int limit;
    dReal limit_error;
} limit_motor;

/* What the types add: vectors of four numbers, numbers, limit-motors. */
static const struct
{
    unsigned char vectors, numbers, motors;
} own_parts[dJointTypeTransmission + 1] = {
    [dJointTypeBall] = {2, 2, 0},
    [dJointTypeHinge] = {5, 0, 1},
    [dJointTypeUniversal] = {6, 0, 2},
};

static size_t plain_size (dJointType type)
{
    return (4u * own_parts[type].vectors + own_parts[type].numbers) * sizeof (dReal);
}

/* Behind what all joints have; a null joint has no more. */
static const char *own_memory (dJointID joint)
{
    return (const char *)joint + joint_types[dJointTypeNull].size (joint);
}

size_t rls_ode_own_size (dJointID joint, dJointType type)
{
    object_size *whole = joint_types[type].size, *common = joint_types[dJointTypeNull].size;
    const size_t size = plain_size (type) + own_parts[type].motors * sizeof (limit_motor);
    return whole && common && whole (joint) == common (joint) + size ? size : 0;
}

void rls_ode_own_copy (dJointID joint, dJointType type, void *copy)
{
    memcpy (copy, own_memory (joint), rls_ode_own_size (joint, type));
}

int rls_ode_own_same (dJointID joint, dJointType type, const void *copy)
{
    const char *now = own_memory (joint), *then = copy;
    size_t at = plain_size (type);
    if (memcmp (now, then, at) != 0) return 0;
    for (int i = 0; i < own_parts[type].motors; ++i, at += sizeof (limit_motor))
        if (memcmp (now + at, then + at, offsetof (limit_motor, limit)) != 0) return 0;
    return 1;
}

/* ---- what ODE's rows do not say ---- */

int rls_ode_base_rows (dJointType type) { return joint_types[type].base_rows; }

/* Which of a joint's limit-motors a row past the base rows belongs to is its order among those that are
 * active; the stops of all axes of one joint rarely differ, so the first active one is asked for. */
static dReal stop_erp (dJointID joint)
{
    switch (dJointGetType (joint))
    {
    case dJointTypeHinge:
        return dJointGetHingeParam (joint, dParamStopERP);
    case dJointTypeSlider:
        return dJointGetSliderParam (joint, dParamStopERP);
    case dJointTypeUniversal:
        return dJointGetUniversalParam (joint, dParamStopERP);
    case dJointTypeHinge2:
        return dJointGetHinge2Param (joint, dParamStopERP);
    case dJointTypePR:
        return dJointGetPRParam (joint, dParamStopERP);
    case dJointTypePU:
        return dJointGetPUParam (joint, dParamStopERP);
    case dJointTypePiston:
        return dJointGetPistonParam (joint, dParamStopERP);
    case dJointTypeAMotor:
        return dJointGetAMotorParam (joint, dParamStopERP);
    case dJointTypeLMotor:
        return dJointGetLMotorParam (joint, dParamStopERP);
    default:
        return -1;
    }
}

dReal rls_ode_own_erp (dJointID joint, dJointType type, int row)
{
    if (row >= joint_types[type].base_rows) return stop_erp (joint);
    switch (type)
    {
    case dJointTypeBall:
        return dJointGetBallParam (joint, dParamERP);
    case dJointTypeDBall:
        return dJointGetDBallParam (joint, dParamERP);
    case dJointTypeDHinge:
        return dJointGetDHingeParam (joint, dParamERP);
    case dJointTypeTransmission:
        return dJointGetTransmissionParam (joint, dParamERP);
    case dJointTypeFixed:
        return row < 3 ? dJointGetFixedParam (joint, dParamERP) : -1;
    case dJointTypeHinge2:
        return row == 0 ? dJointGetHinge2Param (joint, dParamSuspensionERP) : -1;
    default:
        return -1;
    }
}

int rls_ode_lever_is_inverted (dJointID joint, dJointType type, int row)
{
    return (type == dJointTypePR || type == dJointTypePiston) && (row == 2 || row == 3) &&
           !dJointGetBody (joint, 0);
}

int rls_ode_lever_is_old (dJointID joint, dJointType type, int row)
{
    return type == dJointTypePU && (row == 1 || row == 2) && dJointGetBody (joint, 0);
}

void rls_ode_finish_body (dBodyID body)
{
    ode_step_body (body, 0); /* a step of zero length moves nothing and does all the rest */
}
