/*
 * Every function of ODE that the library calls, called through one table.
 *
 * A process may hold several ODEs, and the dynamic linker resolves each name for itself: half of the calls could
 * go to one of them and half to the other.  So no name of ODE is left to it.  The table is filled once, before
 * any call, from one loaded object (ode_find.c), or at link time where ODE is a static library (ode_linked.c);
 * the names below then stand for its entries, so that code that calls ODE reads as ever.
 *
 * A function that is missing in the lists is called past the table: the shared library then does not link.
 */
#ifndef RLS_ODE_CALLS_H
#define RLS_ODE_CALLS_H

#include <ode/ode.h>

/* 0.13 does not declare it. */
dThreadingImplementationID dThreadingAllocateSelfThreadedImplementation (void);

/* Those that every supported ODE has. */
#define RLS_ODE_REQUIRED(X)                                                                                  \
    X (dBodyCreate) X (dBodyDisable) X (dBodyEnable) X (dBodyGetAngularDamping)                              \
    X (dBodyGetAngularDampingThreshold) X (dBodyGetAngularVel) X (dBodyGetFiniteRotationAxis)                \
    X (dBodyGetFiniteRotationMode) X (dBodyGetForce) X (dBodyGetGravityMode) X (dBodyGetGyroscopicMode)      \
    X (dBodyGetJoint) X (dBodyGetLinearDamping) X (dBodyGetLinearDampingThreshold) X (dBodyGetLinearVel)     \
    X (dBodyGetMass) X (dBodyGetMaxAngularSpeed) X (dBodyGetNumJoints) X (dBodyGetPosition)                  \
    X (dBodyGetQuaternion) X (dBodyGetRotation) X (dBodyGetTorque) X (dBodyGetWorld) X (dBodyIsEnabled)      \
    X (dBodyIsKinematic) X (dBodySetAngularVel) X (dBodySetForce) X (dBodySetLinearVel)                      \
    X (dBodySetPosition) X (dBodySetQuaternion) X (dBodySetTorque) X (dBodyVectorFromWorld)                  \
    X (dCheckConfiguration) X (dInvertPDMatrix) X (dJointAttach) X (dJointCreateBall)                        \
    X (dJointCreateContact) X (dJointCreateHinge) X (dJointGetAMotorAngle) X (dJointGetAMotorMode)           \
    X (dJointGetAMotorParam)                                                                                 \
    X (dJointGetBallAnchor) X (dJointGetBallAnchor2) X (dJointGetBallParam) X (dJointGetBody)                \
    X (dJointGetFeedback) X (dJointGetFixedParam) X (dJointGetHinge2Anchor) X (dJointGetHinge2Anchor2)       \
    X (dJointGetHinge2Angle1) X (dJointGetHinge2Axis1) X (dJointGetHinge2Axis2) X (dJointGetHinge2Param)     \
    X (dJointGetHingeAnchor) X (dJointGetHingeAnchor2) X (dJointGetHingeAngle)                               \
    X (dJointGetHingeAngleRate) X (dJointGetHingeAxis) X (dJointGetSliderPositionRate)                       \
    X (dJointGetHingeParam) X (dJointGetLMotorParam) X (dJointGetPRAnchor) X (dJointGetPRAngle)              \
    X (dJointGetPRParam) X (dJointGetPRPosition) X (dJointGetPUAnchor) X (dJointGetPUAngle1)                 \
    X (dJointGetPUAngle2) X (dJointGetPUAxis1) X (dJointGetPUAxis2) X (dJointGetPUParam)                     \
    X (dJointGetPUPosition) X (dJointGetPistonAnchor) X (dJointGetPistonAnchor2) X (dJointGetPistonAngle)    \
    X (dJointGetPistonAxis) X (dJointGetPistonParam) X (dJointGetPistonPosition) X (dJointGetSliderAxis)     \
    X (dJointGetSliderParam) X (dJointGetSliderPosition) X (dJointGetType) X (dJointGetUniversalAnchor)      \
    X (dJointGetUniversalAnchor2) X (dJointGetUniversalAngle1) X (dJointGetUniversalAngle2)                  \
    X (dJointGetUniversalAxis1) X (dJointGetUniversalAxis2) X (dJointGetUniversalParam)                      \
    X (dJointIsEnabled) X (dJointSetAMotorParam) X (dJointSetBallAnchor) X (dJointSetFeedback)               \
    X (dJointSetFixedParam) X (dJointSetHinge2Param) X (dJointSetHingeAnchor) X (dJointSetHingeAxis)         \
    X (dJointSetHingeParam) X (dJointSetPRParam) X (dJointSetPUParam) X (dJointSetPistonParam)               \
    X (dJointSetSliderParam) X (dJointSetUniversalParam) X (dNormalize4) X (dRfromQ) X (dWorldCreate)        \
    X (dWorldDestroy) X (dWorldGetCFM) X (dWorldGetContactMaxCorrectingVel) X (dWorldGetERP)                 \
    X (dWorldGetGravity)

/* Those that came with 0.13 or later: of joint types that an older library does not know, and of threads. */
#define RLS_ODE_OPTIONAL(X)                                                                                  \
    X (dJointGetDBallAnchor1) X (dJointGetDBallAnchor2) X (dJointGetDBallDistance)                           \
    X (dJointGetDBallParam) X (dJointGetDHingeAnchor1) X (dJointGetDHingeAnchor2)                            \
    X (dJointGetDHingeAxis) X (dJointGetDHingeDistance) X (dJointGetDHingeParam)                             \
    X (dJointGetTransmissionAnchor1) X (dJointGetTransmissionAnchor2) X (dJointGetTransmissionAxis1)         \
    X (dJointGetTransmissionAxis2) X (dJointGetTransmissionMode) X (dJointGetTransmissionParam)              \
    X (dJointGetTransmissionRadius1) X (dJointGetTransmissionRadius2) X (dJointSetDHingeParam)               \
    X (dJointSetTransmissionParam) X (dThreadingAllocateSelfThreadedImplementation)                          \
    X (dThreadingFreeImplementation) X (dThreadingImplementationGetFunctions)                                \
    X (dWorldGetStepIslandsProcessingMaxThreadCount) X (dWorldSetStepThreadingImplementation)

#define RLS_ODE_ENTRY(name) __typeof__ (name) *name;
typedef struct
{
    RLS_ODE_REQUIRED (RLS_ODE_ENTRY) RLS_ODE_OPTIONAL (RLS_ODE_ENTRY)
} rls_ode_calls;
#undef RLS_ODE_ENTRY

/* The functions of the ODE that is driven: NULL, but for static libraries, until rls_ode_prepare has returned
 * dRLSStatusOk. */
extern rls_ode_calls rls_ode;

#ifndef RLS_ODE_PLAIN_NAMES /* defined by what fills the table, and by tests */
#define dBodyCreate rls_ode.dBodyCreate
#define dBodyDisable rls_ode.dBodyDisable
#define dBodyEnable rls_ode.dBodyEnable
#define dBodyGetAngularDamping rls_ode.dBodyGetAngularDamping
#define dBodyGetAngularDampingThreshold rls_ode.dBodyGetAngularDampingThreshold
#define dBodyGetAngularVel rls_ode.dBodyGetAngularVel
#define dBodyGetFiniteRotationAxis rls_ode.dBodyGetFiniteRotationAxis
#define dBodyGetFiniteRotationMode rls_ode.dBodyGetFiniteRotationMode
#define dBodyGetForce rls_ode.dBodyGetForce
#define dBodyGetGravityMode rls_ode.dBodyGetGravityMode
#define dBodyGetGyroscopicMode rls_ode.dBodyGetGyroscopicMode
#define dBodyGetJoint rls_ode.dBodyGetJoint
#define dBodyGetLinearDamping rls_ode.dBodyGetLinearDamping
#define dBodyGetLinearDampingThreshold rls_ode.dBodyGetLinearDampingThreshold
#define dBodyGetLinearVel rls_ode.dBodyGetLinearVel
#define dBodyGetMass rls_ode.dBodyGetMass
#define dBodyGetMaxAngularSpeed rls_ode.dBodyGetMaxAngularSpeed
#define dBodyGetNumJoints rls_ode.dBodyGetNumJoints
#define dBodyGetPosition rls_ode.dBodyGetPosition
#define dBodyGetQuaternion rls_ode.dBodyGetQuaternion
#define dBodyGetRotation rls_ode.dBodyGetRotation
#define dBodyGetTorque rls_ode.dBodyGetTorque
#define dBodyGetWorld rls_ode.dBodyGetWorld
#define dBodyIsEnabled rls_ode.dBodyIsEnabled
#define dBodyIsKinematic rls_ode.dBodyIsKinematic
#define dBodySetAngularVel rls_ode.dBodySetAngularVel
#define dBodySetForce rls_ode.dBodySetForce
#define dBodySetLinearVel rls_ode.dBodySetLinearVel
#define dBodySetPosition rls_ode.dBodySetPosition
#define dBodySetQuaternion rls_ode.dBodySetQuaternion
#define dBodySetTorque rls_ode.dBodySetTorque
#define dBodyVectorFromWorld rls_ode.dBodyVectorFromWorld
#define dCheckConfiguration rls_ode.dCheckConfiguration
#define dInvertPDMatrix rls_ode.dInvertPDMatrix
#define dJointAttach rls_ode.dJointAttach
#define dJointCreateBall rls_ode.dJointCreateBall
#define dJointCreateContact rls_ode.dJointCreateContact
#define dJointCreateHinge rls_ode.dJointCreateHinge
#define dJointGetAMotorAngle rls_ode.dJointGetAMotorAngle
#define dJointGetAMotorMode rls_ode.dJointGetAMotorMode
#define dJointGetAMotorParam rls_ode.dJointGetAMotorParam
#define dJointGetBallAnchor rls_ode.dJointGetBallAnchor
#define dJointGetBallAnchor2 rls_ode.dJointGetBallAnchor2
#define dJointGetBallParam rls_ode.dJointGetBallParam
#define dJointGetBody rls_ode.dJointGetBody
#define dJointGetDBallAnchor1 rls_ode.dJointGetDBallAnchor1
#define dJointGetDBallAnchor2 rls_ode.dJointGetDBallAnchor2
#define dJointGetDBallDistance rls_ode.dJointGetDBallDistance
#define dJointGetDBallParam rls_ode.dJointGetDBallParam
#define dJointGetDHingeAnchor1 rls_ode.dJointGetDHingeAnchor1
#define dJointGetDHingeAnchor2 rls_ode.dJointGetDHingeAnchor2
#define dJointGetDHingeAxis rls_ode.dJointGetDHingeAxis
#define dJointGetDHingeDistance rls_ode.dJointGetDHingeDistance
#define dJointGetDHingeParam rls_ode.dJointGetDHingeParam
#define dJointGetFeedback rls_ode.dJointGetFeedback
#define dJointGetFixedParam rls_ode.dJointGetFixedParam
#define dJointGetHinge2Anchor rls_ode.dJointGetHinge2Anchor
#define dJointGetHinge2Anchor2 rls_ode.dJointGetHinge2Anchor2
#define dJointGetHinge2Angle1 rls_ode.dJointGetHinge2Angle1
#define dJointGetHinge2Axis1 rls_ode.dJointGetHinge2Axis1
#define dJointGetHinge2Axis2 rls_ode.dJointGetHinge2Axis2
#define dJointGetHinge2Param rls_ode.dJointGetHinge2Param
#define dJointGetHingeAnchor rls_ode.dJointGetHingeAnchor
#define dJointGetHingeAnchor2 rls_ode.dJointGetHingeAnchor2
#define dJointGetHingeAngle rls_ode.dJointGetHingeAngle
#define dJointGetHingeAngleRate rls_ode.dJointGetHingeAngleRate
#define dJointGetHingeAxis rls_ode.dJointGetHingeAxis
#define dJointGetHingeParam rls_ode.dJointGetHingeParam
#define dJointGetLMotorParam rls_ode.dJointGetLMotorParam
#define dJointGetPRAnchor rls_ode.dJointGetPRAnchor
#define dJointGetPRAngle rls_ode.dJointGetPRAngle
#define dJointGetPRParam rls_ode.dJointGetPRParam
#define dJointGetPRPosition rls_ode.dJointGetPRPosition
#define dJointGetPUAnchor rls_ode.dJointGetPUAnchor
#define dJointGetPUAngle1 rls_ode.dJointGetPUAngle1
#define dJointGetPUAngle2 rls_ode.dJointGetPUAngle2
#define dJointGetPUAxis1 rls_ode.dJointGetPUAxis1
#define dJointGetPUAxis2 rls_ode.dJointGetPUAxis2
#define dJointGetPUParam rls_ode.dJointGetPUParam
#define dJointGetPUPosition rls_ode.dJointGetPUPosition
#define dJointGetPistonAnchor rls_ode.dJointGetPistonAnchor
#define dJointGetPistonAnchor2 rls_ode.dJointGetPistonAnchor2
#define dJointGetPistonAngle rls_ode.dJointGetPistonAngle
#define dJointGetPistonAxis rls_ode.dJointGetPistonAxis
#define dJointGetPistonParam rls_ode.dJointGetPistonParam
#define dJointGetPistonPosition rls_ode.dJointGetPistonPosition
#define dJointGetSliderAxis rls_ode.dJointGetSliderAxis
#define dJointGetSliderParam rls_ode.dJointGetSliderParam
#define dJointGetSliderPosition rls_ode.dJointGetSliderPosition
#define dJointGetSliderPositionRate rls_ode.dJointGetSliderPositionRate
#define dJointGetTransmissionAnchor1 rls_ode.dJointGetTransmissionAnchor1
#define dJointGetTransmissionAnchor2 rls_ode.dJointGetTransmissionAnchor2
#define dJointGetTransmissionAxis1 rls_ode.dJointGetTransmissionAxis1
#define dJointGetTransmissionAxis2 rls_ode.dJointGetTransmissionAxis2
#define dJointGetTransmissionMode rls_ode.dJointGetTransmissionMode
#define dJointGetTransmissionParam rls_ode.dJointGetTransmissionParam
#define dJointGetTransmissionRadius1 rls_ode.dJointGetTransmissionRadius1
#define dJointGetTransmissionRadius2 rls_ode.dJointGetTransmissionRadius2
#define dJointGetType rls_ode.dJointGetType
#define dJointGetUniversalAnchor rls_ode.dJointGetUniversalAnchor
#define dJointGetUniversalAnchor2 rls_ode.dJointGetUniversalAnchor2
#define dJointGetUniversalAngle1 rls_ode.dJointGetUniversalAngle1
#define dJointGetUniversalAngle2 rls_ode.dJointGetUniversalAngle2
#define dJointGetUniversalAxis1 rls_ode.dJointGetUniversalAxis1
#define dJointGetUniversalAxis2 rls_ode.dJointGetUniversalAxis2
#define dJointGetUniversalParam rls_ode.dJointGetUniversalParam
#define dJointIsEnabled rls_ode.dJointIsEnabled
#define dJointSetAMotorParam rls_ode.dJointSetAMotorParam
#define dJointSetBallAnchor rls_ode.dJointSetBallAnchor
#define dJointSetDHingeParam rls_ode.dJointSetDHingeParam
#define dJointSetFeedback rls_ode.dJointSetFeedback
#define dJointSetFixedParam rls_ode.dJointSetFixedParam
#define dJointSetHinge2Param rls_ode.dJointSetHinge2Param
#define dJointSetHingeAnchor rls_ode.dJointSetHingeAnchor
#define dJointSetHingeAxis rls_ode.dJointSetHingeAxis
#define dJointSetHingeParam rls_ode.dJointSetHingeParam
#define dJointSetPRParam rls_ode.dJointSetPRParam
#define dJointSetPUParam rls_ode.dJointSetPUParam
#define dJointSetPistonParam rls_ode.dJointSetPistonParam
#define dJointSetSliderParam rls_ode.dJointSetSliderParam
#define dJointSetTransmissionParam rls_ode.dJointSetTransmissionParam
#define dJointSetUniversalParam rls_ode.dJointSetUniversalParam
#define dNormalize4 rls_ode.dNormalize4
#define dRfromQ rls_ode.dRfromQ
#define dThreadingAllocateSelfThreadedImplementation rls_ode.dThreadingAllocateSelfThreadedImplementation
#define dThreadingFreeImplementation rls_ode.dThreadingFreeImplementation
#define dThreadingImplementationGetFunctions rls_ode.dThreadingImplementationGetFunctions
#define dWorldCreate rls_ode.dWorldCreate
#define dWorldDestroy rls_ode.dWorldDestroy
#define dWorldGetCFM rls_ode.dWorldGetCFM
#define dWorldGetContactMaxCorrectingVel rls_ode.dWorldGetContactMaxCorrectingVel
#define dWorldGetERP rls_ode.dWorldGetERP
#define dWorldGetGravity rls_ode.dWorldGetGravity
#define dWorldGetStepIslandsProcessingMaxThreadCount rls_ode.dWorldGetStepIslandsProcessingMaxThreadCount
#define dWorldSetStepThreadingImplementation rls_ode.dWorldSetStepThreadingImplementation
#endif

#endif
