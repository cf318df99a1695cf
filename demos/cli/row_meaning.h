/*
 * What the rows of a joint mean to a person, in the order in which ODE numbers them.
 */
#ifndef CLI_ROW_MEANING_H
#define CLI_ROW_MEANING_H

#include "scene.h"

/* "hinge", "ball", ... for a dJointType. */
const char *joint_type_name (int type);

/* "rotation across the axis" for a row (from 0) of a joint type; rows beyond the joint's own are drives,
 * limits and motors. */
const char *row_meaning (int type, int row);

/* Bilateral rows that a joint of the type has by itself. */
int row_count (int type);

/* The same of a joint of the scene, which may be a coupling or a wheel. */
int joint_row_count (const scene_joint *joint);

#endif
