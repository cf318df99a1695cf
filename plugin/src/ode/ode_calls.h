/*
 * The table through which the library calls every public function of ODE.
 *
 * A process may contain several ODEs, and the dynamic linker resolves each name separately: some calls could
 * go to one of them and some to another.  So no name of ODE is left to the linker.  The table is filled once,
 * before any call, from one loaded library (ode_find.c), or at link time if ODE is a static library
 * (ode_linked.c).  The names of ODE's functions then stand for its entries
 * (plugin/cmake/ode_call_names.cmake), so that code that calls ODE looks as usual.
 *
 * A function that is missing in the lists below would be called directly: the shared library then does not
 * link.
 */
#ifndef RLS_ODE_CALLS_H
#define RLS_ODE_CALLS_H

#include <ode/ode.h>

/* 0.13 does not declare it. */
dThreadingImplementationID dThreadingAllocateSelfThreadedImplementation (void);

/* Functions that every supported ODE has. */
#define RLS_ODE_REQUIRED(X)                                                                                  \
    X (dBodyCreate) X (dBodyDisable) X (dBodyEnable) X (dBodyGetAngularDamping)                              \
    X (dBodyGetAngularDampingThreshold) X (dBodyGetAngularVel) X (dBodyGetAutoDisableFlag)                   \
    X (dBodyGetAutoDisableLinearThreshold) X (dBodyGetFiniteRotationAxis) X (dBodyGetFiniteRotationMode)     \
    X (dBodyGetFirstGeom) X (dBodyGetForce) X (dBodyGetGravityMode) X (dBodyGetGyroscopicMode)               \
    X (dBodyGetJoint) X (dBodyGetLinearDamping) X (dBodyGetLinearDampingThreshold) X (dBodyGetLinearVel)     \
    X (dBodyGetMass) X (dBodyGetMaxAngularSpeed) X (dBodyGetNextGeom) X (dBodyGetNumJoints)                  \
    X (dBodyGetPosition) X (dBodyGetQuaternion) X (dBodyGetRotation) X (dBodyGetTorque) X (dBodyGetWorld)    \
    X (dBodyIsEnabled) X (dBodyIsKinematic) X (dBodySetAngularVel) X (dBodySetForce) X (dBodySetLinearVel)   \
    X (dBodySetPosition) X (dBodySetQuaternion) X (dBodySetTorque) X (dBodyVectorFromWorld)                  \
    X (dCheckConfiguration) X (dGeomBoxGetLengths) X (dGeomCapsuleGetParams) X (dGeomCylinderGetParams)      \
    X (dGeomGetBody) X (dGeomGetClass) X (dGeomGetOffsetPosition) X (dGeomGetOffsetRotation)                 \
    X (dGeomGetPosition) X (dGeomGetRotation) X (dGeomSphereGetRadius) X (dInvertPDMatrix) X (dJointAttach)  \
    X (dJointCreateBall) X (dJointCreateContact) X (dJointCreateHinge) X (dJointGetAMotorAngle)              \
    X (dJointGetAMotorMode) X (dJointGetAMotorParam) X (dJointGetBallAnchor) X (dJointGetBallAnchor2)        \
    X (dJointGetBallParam) X (dJointGetBody) X (dJointGetFeedback) X (dJointGetFixedParam)                   \
    X (dJointGetHinge2Anchor2) X (dJointGetHinge2Angle1) X (dJointGetHinge2Axis1) X (dJointGetHinge2Axis2)   \
    X (dJointGetHinge2Param) X (dJointGetHingeAnchor) X (dJointGetHingeAnchor2) X (dJointGetHingeAngle)      \
    X (dJointGetHingeAxis) X (dJointGetHingeParam) X (dJointGetLMotorParam) X (dJointGetPRAnchor)            \
    X (dJointGetPRAngle) X (dJointGetPRParam) X (dJointGetPRPosition) X (dJointGetPUAnchor)                  \
    X (dJointGetPUAngle1) X (dJointGetPUAngle2) X (dJointGetPUAxis1) X (dJointGetPUAxis2)                    \
    X (dJointGetPUAxis3) X (dJointGetPUParam) X (dJointGetPUPosition) X (dJointGetPistonAnchor)              \
    X (dJointGetPistonAngle) X (dJointGetPistonParam) X (dJointGetPistonPosition) X (dJointGetSliderAxis)    \
    X (dJointGetSliderParam) X (dJointGetSliderPosition) X (dJointGetType) X (dJointGetUniversalAnchor)      \
    X (dJointGetUniversalAnchor2) X (dJointGetUniversalAngle1) X (dJointGetUniversalAngle2)                  \
    X (dJointGetUniversalAngles) X (dJointGetUniversalAxis1) X (dJointGetUniversalAxis2)                     \
    X (dJointGetUniversalParam) X (dJointIsEnabled) X (dJointSetAMotorParam) X (dJointSetBallAnchor)         \
    X (dJointSetBallParam) X (dJointSetFeedback) X (dJointSetFixedParam) X (dJointSetHinge2Param)            \
    X (dJointSetHingeAnchor) X (dJointSetHingeAxis) X (dJointSetHingeParam) X (dJointSetLMotorParam)         \
    X (dJointSetPRParam) X (dJointSetPUParam) X (dJointSetPistonParam) X (dJointSetSliderParam)              \
    X (dJointSetUniversalParam) X (dNormalize4) X (dRfromQ) X (dWorldCreate) X (dWorldDestroy)               \
    X (dWorldGetCFM) X (dWorldGetContactMaxCorrectingVel) X (dWorldGetContactSurfaceLayer) X (dWorldGetERP)  \
    X (dWorldGetGravity)

/* Functions that came with 0.13 or later: for newer types of joint, and for threads. */
#define RLS_ODE_OPTIONAL(X)                                                                                  \
    X (dJointGetDBallParam) X (dJointGetDHingeAnchor2) X (dJointGetDHingeParam)                              \
    X (dJointGetTransmissionAnchor1) X (dJointGetTransmissionAnchor2) X (dJointGetTransmissionAngle1)        \
    X (dJointGetTransmissionAngle2) X (dJointGetTransmissionAxis1) X (dJointGetTransmissionAxis2)            \
    X (dJointGetTransmissionBacklash) X (dJointGetTransmissionContactPoint1)                                 \
    X (dJointGetTransmissionContactPoint2) X (dJointGetTransmissionMode) X (dJointGetTransmissionParam)      \
    X (dJointGetTransmissionRadius1) X (dJointGetTransmissionRadius2) X (dJointSetDBallParam)                \
    X (dJointSetDHingeParam) X (dJointSetTransmissionParam) X (dThreadingAllocateSelfThreadedImplementation) \
    X (dThreadingFreeImplementation) X (dThreadingImplementationGetFunctions)                                \
    X (dWorldSetStepThreadingImplementation)

#define RLS_ODE_ENTRY(name) __typeof__ (name) *name;
typedef struct
{
    RLS_ODE_REQUIRED (RLS_ODE_ENTRY) RLS_ODE_OPTIONAL (RLS_ODE_ENTRY)
} rls_ode_calls;
#undef RLS_ODE_ENTRY

/* The functions of the ODE that is used.  They are NULL until rls_ode_prepare has returned dRLSStatusOk, except
 * with static libraries. */
extern rls_ode_calls rls_ode;

#ifndef RLS_ODE_PLAIN_NAMES /* defined by what fills the table, and by tests */
#include <ode_call_names.h> /* made of the lists when it is built: #define dBodyCreate rls_ode.dBodyCreate ... */
#endif

#endif
