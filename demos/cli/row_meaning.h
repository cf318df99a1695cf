/*
 * What the rows of a joint mean to a person, in the order in which ODE numbers them.
 */
#ifndef CLI_ROW_MEANING_H
#define CLI_ROW_MEANING_H

#include "scene.h"

/* "hinge", "ball", ... for a dJointType. */
const char *joint_type_name (int type);

/* What a row (from 0) of a joint type prevents, such as "rotation across the axis".  Rows beyond those of the
 * type are drives, limits and motors. */
const char *row_meaning (int type, int row);

/* How many bilateral rows a joint of the scene, which may be a coupling or a wheel, has without drives. */
int joint_row_count (const scene_joint *joint);

#endif
