/* Joints that need not be asked; contract in standing.h. */
#include "standing.h"
#include "gather.h"
#include "drives.h"
#include <stdlib.h>
#include <string.h>

#define HALF_TURN 3.14159265358979323846 /* stops beyond it are none */
#define NOT_NOTED (-1)
#define FORGOTTEN (-2) /* the same, with room for its own memory */

int rls_standing_begin (rls_cell *cell)
{
    const rls_settings *set = cell->settings;
    const int count = cell->mechanism_joints;
    const int usable = cell->same_mechanism && cell->island.carried && cell->standing_cfm == set->world_cfm &&
                       cell->standing_correction == set->correction && cell->compliance_count == 0;
    cell->standing_cfm = set->world_cfm;
    cell->standing_correction = set->correction;
    if (!rls_array_reserve (&cell->standing, &cell->standing_capacity, count, sizeof (*cell->standing)))
        return 0;
    for (int j = 0; j < count && !usable; ++j) cell->standing[j] = (rls_standing){.joint = NOT_NOTED};
    if (!usable) cell->own_used = 0;
    return 1;
}

int rls_standing_rows (const rls_cell *cell, int j)
{
    if (j >= cell->mechanism_joints) return 0; /* a contact */
    rls_standing *known = &cell->standing[j];
    const dJointID joint = cell->joint[j];
    known->stands = 0;
    if (known->joint < 0 || dJointGetType (joint) != known->type) return 0;
    if (!known->free && rls_count_rows (cell, joint) != known->rows) return 0;
    if (!rls_ode_own_same (joint, known->type, cell->own + known->own) || rls_drive_of (cell, joint))
        return 0;
    known->stands = 1;
    return known->rows;
}

int rls_standing_as (const rls_cell *cell, int j, int i)
{
    return j < cell->mechanism_joints && cell->standing[j].stands && cell->standing[j].joint == i;
}

void rls_standing_forget (rls_cell *cell, int j)
{
    if (j < cell->mechanism_joints && cell->standing[j].joint >= 0) cell->standing[j].joint = FORGOTTEN;
}

/* 1 if the stops and motor of an axis can never add a row. */
static int is_free_axis (dJointID joint, dReal (*get) (dJointID joint, int parameter), int axis)
{
    const int group = axis * dParamGroup;
    return get (joint, dParamFMax + group) <= 0 && get (joint, dParamLoStop + group) < -HALF_TURN &&
           get (joint, dParamHiStop + group) > HALF_TURN;
}

/* 1 if nothing can give the joint more than its base rows. */
static int is_free (dJointID joint, dJointType type)
{
    switch (type)
    {
    case dJointTypeBall:
        return 1;
    case dJointTypeHinge:
        return is_free_axis (joint, dJointGetHingeParam, 0);
    case dJointTypeUniversal:
        return is_free_axis (joint, dJointGetUniversalParam, 0) &&
               is_free_axis (joint, dJointGetUniversalParam, 1);
    default:
        return 0;
    }
}

void rls_standing_note (rls_cell *cell, int j, int i)
{
    const dJointID joint = cell->joint[j];
    const dJointType type = dJointGetType (joint);
    const int size = (int)rls_ode_own_size (joint, type);
    if (size == 0 || j >= cell->mechanism_joints) return;
    rls_standing *known = &cell->standing[j];
    if (known->joint != NOT_NOTED && known->type != type) return; /* another one in the same place */
    if (known->joint == NOT_NOTED)
    {
        if (!rls_array_reserve (&cell->own, &cell->own_capacity, cell->own_used + size, 1)) return;
        known->own = cell->own_used;
        cell->own_used += size;
    }
    known->type = type;
    known->joint = i;
    known->rows = cell->joint_rows[j];
    known->free = is_free (joint, type);
    known->stops = known->free ? 0 : rls_most_stops (cell, joint);
    rls_ode_own_copy (joint, type, cell->own + known->own);
}

int rls_standing_copy (rls_cell *to, const rls_cell *from)
{
    const int joints = from->mechanism_joints, bytes = from->own_used;
    if (!from->standing) return 1;
    if (!rls_array_reserve (&to->standing, &to->standing_capacity, joints, sizeof (*to->standing)) ||
        !rls_array_reserve (&to->own, &to->own_capacity, bytes, 1))
        return 0;
    if (joints > 0) memcpy (to->standing, from->standing, sizeof (*to->standing) * (size_t)joints);
    if (bytes > 0) memcpy (to->own, from->own, (size_t)bytes);
    return 1;
}

void rls_standing_free (rls_cell *cell)
{
    free (cell->standing);
    free (cell->own);
}
