/*
 * The private functions of ODE that the library uses, by linker name (Itanium C++ ABI), for both precisions.
 *
 * A name holds the types of the arguments, so that a function that is found by it is called as it wants to
 * be. Facts about ODE: util.h, util.cpp, joints/joint.h of 0.12 to 0.16.6, of the development branch (April
 * 2026) and of the copy in Webots (R2023b).
 */
#ifndef RLS_ODE_NAMES_H
#define RLS_ODE_NAMES_H

#include <ode/ode.h> /* says which precision it has */

#ifdef dSINGLE
#define RLS_REAL_CODE "f"
#define RLS_OTHER_REAL_CODE "d"
#define RLS_PRECISION "single"
#define RLS_OTHER_PRECISION "double"
#else
#define RLS_REAL_CODE "d"
#define RLS_OTHER_REAL_CODE "f"
#define RLS_PRECISION "double"
#define RLS_OTHER_PRECISION "single"
#endif

/* How size_t is spelt in linker names. */
#if defined(_WIN64)
#define RLS_SIZE_CODE "y"
#elif __SIZEOF_SIZE_T__ == 4
#define RLS_SIZE_CODE "j"
#else
#define RLS_SIZE_CODE "m"
#endif

/* Functions of worlds and bodies: name for C, linker name. */
#define RLS_ODE_STEP_BODY "_Z10dxStepBodyP6dxBody" RLS_REAL_CODE
#define RLS_ODE_OTHER_STEP_BODY "_Z10dxStepBodyP6dxBody" RLS_OTHER_REAL_CODE /* of the other precision */
#define RLS_ODE_FIND_ISLANDS                                                                                 \
    "_Z31dxReallocateWorldProcessContextP7dxWorldR25dxWorldProcessIslandsInfo" RLS_REAL_CODE                 \
    "PF" RLS_SIZE_CODE "PKP6dxBodyjPKP7dxJointjE"
#define RLS_ODE_RELEASE_ISLANDS "_Z28dxCleanupWorldProcessContextP7dxWorld"
#define RLS_ODE_PROCESS_ISLANDS                                                                              \
    "_Z16dxProcessIslandsP7dxWorldRK25dxWorldProcessIslandsInfo" RLS_REAL_CODE                               \
    "PFvPK30dxStepperProcessingCallContextEPFjjj"

/* What a patched ODE (third_party/ode-steppers.patch) has in its place; its other names begin with public_.
 */
#define RLS_ODE_PUBLIC_STEP_BODY "dBodyStep"

#define RLS_ODE_WORLD_NAMES(X)                                                                               \
    X (step_body, RLS_ODE_STEP_BODY)                                                                         \
    X (find_islands, RLS_ODE_FIND_ISLANDS)                                                                   \
    X (release_islands, RLS_ODE_RELEASE_ISLANDS)                                                             \
    X (process_islands_2, RLS_ODE_PROCESS_ISLANDS "E")                                                       \
    X (process_islands_3, RLS_ODE_PROCESS_ISLANDS "jE")                                                      \
    X (public_find_islands, "dWorldFindIslands")                                                             \
    X (public_process_islands, "dWorldProcessIslands")                                                       \
    X (public_island_bodies, "dIslandGetBodies")                                                             \
    X (public_step_body, RLS_ODE_PUBLIC_STEP_BODY)                                                           \
    X (public_row_count, "dJointGetRowCount")                                                                \
    X (public_rows, "dJointGetRows")

/* What a joint answers: linker names behind that of its class. */
#define RLS_ODE_INFO1(class_name) "_ZN" class_name "8getInfo1EPN7dxJoint5Info1E"
#define RLS_ODE_INFO2_PAIRS(class_name)                                                                      \
    "_ZN" class_name "8getInfo2E" RLS_REAL_CODE RLS_REAL_CODE "iP" RLS_REAL_CODE "S0_iS0_S0_Pi"
#define RLS_ODE_INFO2_POINTERS(class_name)                                                                   \
    "_ZN" class_name "8getInfo2E" RLS_REAL_CODE RLS_REAL_CODE "PKN7dxJoint10Info2DescrE"
#define RLS_ODE_SIZE(class_name) "_ZNK" class_name "4sizeEv"

/* Every joint type: enumerator, name for C, class name with its length, and its rows before those of limits
 * and motors, one letter each for what the error of a row is: g a gap (m; of gears, the arc that they are
 * apart), s the sine of an angle, h twice the sine of half an angle. */
#define RLS_ODE_JOINT_TYPES(X)                                                                               \
    X (dJointTypeBall, ball, "11dxJointBall", "ggg")                                                         \
    X (dJointTypeHinge, hinge, "12dxJointHinge", "gggss")                                                    \
    X (dJointTypeSlider, slider, "13dxJointSlider", "hhhgg")                                                 \
    X (dJointTypeContact, contact, "14dxJointContact", "")                                                   \
    X (dJointTypeUniversal, universal, "16dxJointUniversal", "gggs")                                         \
    X (dJointTypeHinge2, hinge2, "13dxJointHinge2", "gggs")                                                  \
    X (dJointTypeFixed, fixed, "12dxJointFixed", "ggghhh")                                                   \
    X (dJointTypeNull, null, "11dxJointNull", "")                                                            \
    X (dJointTypeAMotor, amotor, "13dxJointAMotor", "")                                                      \
    X (dJointTypeLMotor, lmotor, "13dxJointLMotor", "")                                                      \
    X (dJointTypePlane2D, plane2d, "14dxJointPlane2D", "gss")                                                \
    X (dJointTypePR, pr, "9dxJointPR", "ssgg")                                                               \
    X (dJointTypePU, pu, "9dxJointPU", "sgg")                                                                \
    X (dJointTypePiston, piston, "13dxJointPiston", "ssgg")                                                  \
    X (dJointTypeDBall, dball, "12dxJointDBall", "g")                                                        \
    X (dJointTypeDHinge, dhinge, "13dxJointDHinge", "gssg")                                                  \
    X (dJointTypeTransmission, transmission, "19dxJointTransmission", "g")

#endif
