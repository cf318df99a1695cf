/*
 * What is known of ODE's types of joint: their rows and parameters, and the part of a joint's memory that its
 * type adds, as far as it is read.  The contract is in ode_seam.h.
 */
#include "ode_entries.h"
#include "tolerances.h"
#include <math.h>

#define ROWS(type, name, class_name, rows) [type] = {rows, sizeof (rows) - 1},
static const struct
{
    const char *kinds;
    int count;
} base_rows[RLS_ODE_JOINT_TYPE_COUNT] = {RLS_ODE_JOINT_TYPES (ROWS)};

int rls_ode_base_rows (dJointType type) { return base_rows[type].count; }

const char *rls_ode_row_kinds (dJointType type) { return base_rows[type].kinds; }

/* ---- parameters ---- */

#define TYPE(Name, ...)                                                                                      \
    [dJointType##Name] = {dJointType##Name, &dJointGet##Name##Param, &dJointSet##Name##Param, __VA_ARGS__}

static const rls_ode_parameters parameters_of[RLS_ODE_JOINT_TYPE_COUNT] = {
    TYPE (Ball, .erp = dParamERP, .anchor = {&dJointGetBallAnchor, &dJointGetBallAnchor2}),
    TYPE (Hinge, .motors = 1, .axes = 1, .anchor = {&dJointGetHingeAnchor, &dJointGetHingeAnchor2},
          .axis = {&dJointGetHingeAxis}, .position = {&dJointGetHingeAngle}),
    TYPE (Slider, .motors = 1, .axes = 1, .ways = 1, .axis = {&dJointGetSliderAxis},
          .position = {&dJointGetSliderPosition}),
    TYPE (Universal, .motors = 2, .axes = 2,
          .anchor = {&dJointGetUniversalAnchor, &dJointGetUniversalAnchor2},
          .axis = {&dJointGetUniversalAxis1, &dJointGetUniversalAxis2},
          .position = {&dJointGetUniversalAngle1, &dJointGetUniversalAngle2}),
    /* its second axis has a motor and no stops */
    TYPE (Hinge2, .motors = 2, .axes = 1, .erp = dParamSuspensionERP,
          .anchor = {NULL, &dJointGetHinge2Anchor2}, .axis = {&dJointGetHinge2Axis1, &dJointGetHinge2Axis2},
          .position = {&dJointGetHinge2Angle1}),
    TYPE (Fixed, .erp = dParamERP),
    TYPE (AMotor, .motors = 3, .axes = 3),
    TYPE (LMotor, .motors = 3),
    TYPE (PR, .motors = 2, .axes = 2, .ways = 1, .anchor = {NULL, &dJointGetPRAnchor},
          .position = {&dJointGetPRPosition, &dJointGetPRAngle}),
    TYPE (PU, .motors = 3, .axes = 3, .ways = 4, .anchor = {NULL, &dJointGetPUAnchor},
          .axis = {&dJointGetPUAxis1, &dJointGetPUAxis2, &dJointGetPUAxis3},
          .position = {&dJointGetPUAngle1, &dJointGetPUAngle2, &dJointGetPUPosition}),
    TYPE (Piston, .motors = 2, .axes = 2, .ways = 1, .anchor = {NULL, &dJointGetPistonAnchor},
          .position = {&dJointGetPistonPosition, &dJointGetPistonAngle}),
    TYPE (DBall, .erp = dParamERP),
    TYPE (DHinge, .erp = dParamERP, .anchor = {NULL, &dJointGetDHingeAnchor2}),
    TYPE (Transmission, .erp = dParamERP, .axis = {&dJointGetTransmissionAxis1, &dJointGetTransmissionAxis2}),
};

const rls_ode_parameters *rls_ode_parameters_of (dJointType type) { return &parameters_of[type]; }

static const int changed[RLS_CHANGED] = {dParamLoStop, dParamHiStop, dParamFMax, dParamStopERP, dParamBounce};

void rls_ode_save (const rls_ode_parameters *t, dJointID joint, rls_ode_saved *saved)
{
    for (int axis = 0; axis < t->motors; ++axis)
        for (int i = 0; i < RLS_CHANGED; ++i)
            saved->value[axis][i] = rls_ode_get (t, joint, axis, changed[i]);
}

void rls_ode_restore (const rls_ode_parameters *t, dJointID joint, const rls_ode_saved *saved)
{
    for (int axis = 0; axis < t->motors; ++axis)
        for (int i = 0; i < RLS_CHANGED; ++i) rls_ode_set (t, joint, axis, changed[i], saved->value[axis][i]);
}

int rls_ode_is_locked (dJointID joint, dJointType type, int axis)
{
    const rls_ode_parameters *t = &parameters_of[type];
    return axis >= 0 && axis < t->axes &&
           rls_ode_get (t, joint, axis, dParamLoStop) == rls_ode_get (t, joint, axis, dParamHiStop);
}

int rls_ode_axis_of_row (dJointID joint, dJointType type, int row)
{
    const rls_ode_parameters *t = &parameters_of[type];
    int left = row - rls_ode_base_rows (type);
    for (int axis = 0; axis < t->motors && left >= 0; ++axis)
    {
        const int driven = rls_ode_get (t, joint, axis, dParamFMax) > 0;
        if ((driven || rls_ode_is_locked (joint, type, axis)) && left-- == 0) return axis;
    }
    return -1;
}

dReal rls_ode_own_erp (dJointID joint, dJointType type, int row)
{
    const rls_ode_parameters *t = &parameters_of[type];
    if (type == dJointTypeContact)
    {
        const dContact *contact = row == 0 ? rls_ode_contact_of (joint) : NULL;
        return contact && contact->surface.mode & dContactSoftERP ? contact->surface.soft_erp : -1;
    }
    if (row >= rls_ode_base_rows (type))
    {
        const int axis = rls_ode_axis_of_row (joint, type, row);
        return t->motors > 0 ? rls_ode_get (t, joint, axis < 0 ? 0 : axis, dParamStopERP) : -1;
    }

    /* of the base rows, the angular ones of fixed joints and hinge-2 joints have the world's ERP */
    const int of_turns = (type == dJointTypeHinge2 && row > 0) || (type == dJointTypeFixed && row > 2);
    return t->erp && !of_turns ? (*t->get) (joint, t->erp) : -1;
}

/* ---- memory ---- */

#define MOST_GEAR_MEMORY 1024 /* bytes, of ODE's gears behind what all joints have; 448 in 0.16 */

/* ODE's limit-motor.  The last two members are results of getInfo1 for getInfo2 and no properties of the
 * joint. */
typedef struct
{
    dReal parameters[9];
    int limit;
    dReal limit_error;
} limit_motor;

/* What the types add: vectors of four numbers, numbers, limit-motors; whether that is compared with a copy.
 * Of those that keep an axis of their second body, where it is among the vectors, and which rows compare it.
 */
static const struct
{
    unsigned char vectors, numbers, motors, compared, axis, row, rows;
} own_parts[RLS_ODE_JOINT_TYPE_COUNT] = {
    [dJointTypeBall] = {2, 2, 0, 1, 0, 0, 0},
    [dJointTypeHinge] = {5, 0, 1, 1, 3, 3, 2},
    [dJointTypeUniversal] = {6, 0, 2, 1, 3, 3, 1},
    [dJointTypePR] = {6, 0, 2, 0, 2, 0, 2},
    [dJointTypePiston] = {5, 0, 2, 0, 1, 0, 2},
    [dJointTypePU] = {7, 0, 3, 0, 3, 0, 1}, /* a universal joint and more */
};

static size_t plain_size (dJointType type)
{
    return (4u * own_parts[type].vectors + own_parts[type].numbers) * sizeof (dReal);
}

/* It begins behind what all joints have, which is the size of a null joint. */
static char *own_memory (dJointID joint)
{
    return (char *)(void *)joint + rls_ode_private.joint[dJointTypeNull].size (joint);
}

/* Its size in bytes, 0 if that is not known. */
static size_t own_size (dJointID joint, dJointType type)
{
    size_t (*whole) (dJointID) = rls_ode_private.joint[type].size;
    size_t (*common) (dJointID) = rls_ode_private.joint[dJointTypeNull].size;
    return rls_ode_private.own_memory_known && whole && common ? whole (joint) - common (joint) : 0;
}

/* True if the size is that of the known parts of the type. */
static int has_own_parts (dJointID joint, dJointType type)
{
    return own_size (joint, type) == plain_size (type) + own_parts[type].motors * sizeof (limit_motor);
}

size_t rls_ode_own_size (dJointID joint, dJointType type)
{
    return own_parts[type].compared && has_own_parts (joint, type) ? own_size (joint, type) : 0;
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

/* As a side effect of the question gears count their turns, from what their speeds let expect of a step, and
 * a motor that drives against its stop adds a force to its bodies (ODE's fudge factor). */
void rls_ode_get_rows_aside (dJointID joint, int m, dReal fps, dReal erp, dReal cfm, rls_ode_rows *rows,
                             double push[2][6])
{
    const dJointType type = dJointGetType (joint);
    const size_t found = type == dJointTypeTransmission ? own_size (joint, type) : 0,
                 size = found <= MOST_GEAR_MEMORY ? found : 0;
    char memory[MOST_GEAR_MEMORY];
    dBodyID bodies[2] = {NULL, NULL};
    dReal before[2][6], now[6];
    if (size > 0) memcpy (memory, own_memory (joint), size);
    if (parameters_of[type].motors > 0 && m > rls_ode_base_rows (type)) rls_ode_joint_bodies (joint, bodies);
    for (int side = 0; side < 2 && bodies[side]; ++side) rls_get_force (bodies[side], before[side]);
    rls_ode_get_rows_counted (joint, m, fps, erp, cfm, rows);

    /* everything as it was */
    if (size > 0) memcpy (own_memory (joint), memory, size);
    if (push) memset (push, 0, 2 * sizeof (*push));
    for (int side = 0; side < 2 && bodies[side]; ++side)
    {
        rls_get_force (bodies[side], now);
        for (int k = 0; k < 6 && push; ++k) push[side][k] = (double)now[k] - (double)before[side][k];
        rls_set_force (bodies[side], before[side]);
    }
}

/* ODE has no function for a joint's contact, but it is the last part of the joint's memory. */
size_t rls_ode_find_contact (dJointID joint)
{
    const size_t own = own_size (joint, dJointTypeContact);
    if (own != sizeof (dContact) && own != sizeof (dContact) + sizeof (dReal)) return 0;
    return (size_t)(own_memory (joint) - (char *)(void *)joint) + own - sizeof (dContact);
}

const dContact *rls_ode_contact_of (dJointID joint)
{
    const size_t place = rls_ode_private.contact_place;
    return place > 0 ? (const dContact *)(const void *)((const char *)(const void *)joint + place) : NULL;
}

int rls_ode_contact_is_plain (dJointID joint)
{
    const int moves = dContactBounce | dContactMotion1 | dContactMotion2 | dContactMotionN;
    const dContact *contact = rls_ode_contact_of (joint);
    return contact && !(contact->surface.mode & moves);
}

double rls_ode_length_of_axis (const double axis[3])
{
    const double length = sqrt (axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    return fabs (length - 1) > RLS_DEPENDENT && isfinite (length) && length > 0 ? length : 1;
}

double rls_ode_axis_length (dJointID joint, dJointType type, int row)
{
    const int of_axis = row - own_parts[type].row;
    if (of_axis < 0 || of_axis >= own_parts[type].rows) return 1;
    if (dJointGetBody (joint, 0) && dJointGetBody (joint, 1)) return 1;
    if (!has_own_parts (joint, type)) return 1;
    dVector3 axis;
    memcpy (axis, own_memory (joint) + 4u * own_parts[type].axis * sizeof (dReal), sizeof (axis));
    return rls_ode_length_of_axis ((double[3]){axis[0], axis[1], axis[2]});
}
