/*
 * The name and the rows of each joint type of ODE.
 */
#include "row_meaning.h"

#include <ode/ode.h>

#define ROW_MAX 6

typedef struct
{
    const char *name;
    const char *rows[ROW_MAX];
} joint_rows;

#define MOVES_WORLD "translation along world x", "translation along world y", "translation along world z"
#define TURNS_WORLD "rotation about world x", "rotation about world y", "rotation about world z"

static const joint_rows joints[] = {
    [dJointTypeNone] = {"unknown", {0}},
    [dJointTypeBall] = {"ball", {MOVES_WORLD}},
    [dJointTypeHinge] = {"hinge", {MOVES_WORLD, "rotation across the axis", "rotation across the axis"}},
    [dJointTypeSlider] = {"slider",
                          {TURNS_WORLD, "translation across the axis", "translation across the axis"}},
    [dJointTypeContact] = {"contact", {0}},
    [dJointTypeUniversal] = {"universal", {MOVES_WORLD, "rotation about the normal to both axes"}},
    [dJointTypeHinge2] = {"hinge-2",
                          {"translation along axis 1 (suspension)", "translation across axis 1",
                           "translation across axis 1", "rotation about the normal to both axes"}},
    [dJointTypeFixed] = {"fixed", {MOVES_WORLD, TURNS_WORLD}},
    [dJointTypeNull] = {"null", {0}},
    [dJointTypeAMotor] = {"angular motor", {0}},
    [dJointTypeLMotor] = {"coupling",
                          {"one follows the other, or height", "rolling along world x",
                           "rolling along world y"}},
    [dJointTypePlane2D] = {"plane-2D",
                           {"translation along world z", "rotation about world x", "rotation about world y"}},
    [dJointTypePR] = {"prismatic-rotoide",
                      {"rotation about the prismatic axis", "rotation about the normal to both axes",
                       "translation along the rotoide axis", "translation along the normal to both axes"}},
    [dJointTypePU] = {"prismatic-universal",
                      {"rotation about the normal to both axes", "translation across the prismatic axis",
                       "translation across the prismatic axis"}},
    [dJointTypePiston] = {"piston",
                          {"rotation across the axis", "rotation across the axis",
                           "translation across the axis", "translation across the axis"}},
    [dJointTypeDBall] = {"double ball", {"distance between the anchors"}},
    [dJointTypeDHinge] = {"double hinge",
                          {"distance between the anchors", "rotation across the axes",
                           "rotation across the axes", "translation along the axes"}},
    [dJointTypeTransmission] = {"transmission", {"ratio of the wheels' turns"}},
};

static const joint_rows *of_type (int type)
{
    int known = type >= 0 && type < (int)(sizeof joints / sizeof joints[0]);
    return &joints[known ? type : dJointTypeNone];
}

const char *joint_type_name (int type) { return of_type (type)->name; }

/* How many bilateral rows a joint of the type has. */
static int row_count (int type)
{
    int count = 0;
    while (count < ROW_MAX && of_type (type)->rows[count]) count++;
    return count;
}

const char *row_meaning (int type, int row)
{
    return row >= 0 && row < row_count (type) ? of_type (type)->rows[row]
                                              : "drive, limit or motor along an axis";
}

int joint_row_count (const scene_joint *joint)
{
    return joint->rows > 0 ? joint->rows : row_count (dJointGetType (joint->joint));
}
