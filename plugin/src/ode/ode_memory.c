/* The part of a joint's memory in ODE that its type adds, as far as it is read.  The contract is in
 * ode_seam.h. */
#include "ode_entries.h"
#include "tolerances.h"
#include <math.h>

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

void rls_ode_get_rows (dJointID joint, int m, dReal fps, dReal erp, dReal cfm, rls_ode_rows *rows)
{
    char memory[MOST_GEAR_MEMORY];
    const int gears = dJointGetType (joint) == dJointTypeTransmission;
    const size_t found = gears ? own_size (joint, dJointTypeTransmission) : 0,
                 size = found <= MOST_GEAR_MEMORY ? found : 0;
    if (size > 0) memcpy (memory, own_memory (joint), size);
    rls_ode_get_rows_counted (joint, m, fps, erp, cfm, rows);
    if (size > 0) memcpy (own_memory (joint), memory, size);
}

/* ODE has no function for a joint's contact, but it is the last part of the joint's memory. */
const dContact *rls_ode_contact_of (dJointID joint)
{
    const size_t own = own_size (joint, dJointTypeContact);
    if (own != sizeof (dContact) && own != sizeof (dContact) + sizeof (dReal)) return NULL;
    return (const dContact *)(const void *)(own_memory (joint) + own - sizeof (dContact));
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
