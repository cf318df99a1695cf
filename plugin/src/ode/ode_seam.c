/*
 * Islands, tasks and rows of ODE.  The contract is in ode_seam.h.
 *
 * ODE's functions are called through two tables, which are filled before (ode_calls.h, ode_entries.h).  What
 * is known here about rows are facts of 0.16.2; ode_prepare.c tests with a small world whether they hold.
 */
#include "ode_seam.h"
#include "ode_entries.h"
#include "kernels/matrix3.h"

/* rad in a step: more than the rounding error of many turns in single precision */
#define FARTHER (1 / (dReal)65536)

#define ROW_KINDS(type, name, class_name, rows) [type] = rows,
static const char *const row_kinds[RLS_ODE_JOINT_TYPE_COUNT] = {RLS_ODE_JOINT_TYPES (ROW_KINDS)};

#define BASE_ROWS(type, name, class_name, rows) [type] = sizeof (rows) - 1,
static const signed char base_rows[RLS_ODE_JOINT_TYPE_COUNT] = {RLS_ODE_JOINT_TYPES (BASE_ROWS)};

static size_t no_memory_needed (dBodyID const *bodies, unsigned body_count, dJointID const *joints,
                                unsigned joint_count)
{
    (void)bodies, (void)body_count, (void)joints, (void)joint_count;
    return 64; /* the plugin has its own workspace, but ODE must allocate something */
}

int rls_ode_find_islands (dWorldID world, dReal h, rls_ode_islands *islands)
{
    const int found = rls_ode_private.find_islands (world, islands, h, no_memory_needed) & 0xff;
    islands->body_count = islands->joint_count = 0;
    for (size_t i = 0; found && i < islands->count; ++i)
    {
        islands->body_count += (int)islands->sizes[2 * i];
        islands->joint_count += (int)islands->sizes[2 * i + 1];
    }
    if (rls_ode_private.release_islands)
        rls_ode_private.release_islands (world); /* the lists remain where they are */
    return found;
}

/*
 * Runs a task.  ODE passes to a stepper function the island's array of bodies, which it does not read itself.
 * So each task is the only "body" of an island of its own.  ODE's pool already orders the memory accesses of
 * its threads; acquire and release show this to ThreadSanitizer, too, which does not see into ODE.
 */
static void run_task (rls_ode_island island)
{
    rls_ode_task *task =
        (rls_ode_task *)(void *)__atomic_load_n (rls_ode_private.island_bodies (island), __ATOMIC_ACQUIRE);
    task->run (task);
    __atomic_fetch_add (&task->done, 1,
                        __ATOMIC_RELEASE); /* an addition, so that all threads that ran it are ordered */
}

int rls_ode_run_tasks (dWorldID world, dReal h, rls_ode_task **tasks, unsigned *sizes, size_t count)
{
    if (count == 0) return 1;
    if (count == 1 || !rls_ode_private.process_islands) /* one task, or no threads */
    {
        for (size_t i = 0; i < count; ++i) tasks[i]->run (tasks[i]);
        return 1;
    }
    for (size_t i = 0; i < count; ++i)
    {
        sizes[2 * i] = 1;
        sizes[2 * i + 1] = 0;
        __atomic_store_n (&tasks[i], tasks[i], __ATOMIC_RELEASE);
    }
    const rls_ode_islands islands = {
        .count = count, .sizes = sizes, .bodies = (dBodyID const *)(const void *)tasks};
    const int done =
        rls_ode_private.process_islands (world, &islands, h, run_task, rls_ode_private.call_estimate) & 0xff;
    for (size_t i = 0; i < count; ++i) (void)__atomic_load_n (&tasks[i]->done, __ATOMIC_ACQUIRE);
    return done;
}

void rls_ode_joint_bodies (dJointID joint, dBodyID bodies[2])
{
    bodies[0] = dJointGetBody (joint, 0);
    bodies[1] = dJointGetBody (joint, 1);
    if (!bodies[0]) /* the world was named first */
    {
        bodies[0] = bodies[1];
        bodies[1] = NULL;
    }
}

int rls_ode_count_rows (dJointID joint, int *unbounded)
{
    rls_ode_row_info info = {0, 0, {0}};
    rls_ode_private.joint[dJointGetType (joint)].info1 (joint, &info);
    const int rows = info.m <= RLS_ODE_MAX_ROWS ? info.m : 0;
    *unbounded = info.unbounded < rows ? info.unbounded : rows;
    return rows;
}

int rls_ode_row_count (dJointID joint)
{
    int unbounded;
    return rls_ode_count_rows (joint, &unbounded);
}

/* Asks a joint for its rows in the versions that take one structure of pointers. */
static void ask_by_pointers (dJointID joint, dJointType type, int m, dReal fps, dReal erp, rls_ode_rows *rows)
{
    dReal rhs[RLS_ODE_MAX_ROWS], cfm[RLS_ODE_MAX_ROWS], lo[RLS_ODE_MAX_ROWS], hi[RLS_ODE_MAX_ROWS];
    dReal *const J = &rows->J[0][0];
    const rls_ode_row_pointers question = {
        J, J + 3, J + 6, J + 9, 12, rhs, cfm, lo, hi, rows->findex, {J, J, J, J, J, J}};
    for (int r = 0; r < m; ++r)
    {
        rhs[r] = rows->rhs_cfm[r][0], cfm[r] = rows->rhs_cfm[r][1];
        lo[r] = rows->lo_hi[r][0], hi[r] = rows->lo_hi[r][1];
    }
    rls_ode_private.joint[type].info2_pointers (joint, fps, erp, &question);
    for (int r = 0; r < m; ++r)
    {
        rows->rhs_cfm[r][0] = rhs[r], rows->rhs_cfm[r][1] = cfm[r];
        rows->lo_hi[r][0] = lo[r], rows->lo_hi[r][1] = hi[r];
    }
}

/*
 * Of a wheel's angle, gears take the whole turns that are nearest to what its angular velocity predicts, and
 * ODE ends the program if the wheel is exactly half a turn from there, as when a program turns a resting
 * wheel by half a turn.  So the angular velocities are slightly increased while ODE is asked; nothing else of
 * its answer depends on them.  (Kinematic wheels may belong to other islands as well, and are left as they
 * are.)
 */
static void lead_farther (dJointID gears, dReal fps, dReal saved[2][3])
{
    for (int side = 0; side < 2; ++side)
    {
        const dBodyID wheel = dJointGetBody (gears, side);
        dVector3 axis;
        (side == 0 ? dJointGetTransmissionAxis1 : dJointGetTransmissionAxis2) (gears, axis);
        const dReal *w = dBodyGetAngularVel (wheel), more = FARTHER * fps;
        memcpy (saved[side], w, sizeof (saved[side]));
        if (!dBodyIsKinematic (wheel))
            dBodySetAngularVel (wheel, w[0] + more * axis[0], w[1] + more * axis[1], w[2] + more * axis[2]);
    }
}

/* The lever from a body to the joint's anchor (m). */
static void lever_of (dJointID joint, dJointType type, dBodyID body, double lever[3])
{
    dVector3 anchor;
    const dReal *position = dBodyGetPosition (body);
    (*rls_ode_parameters_of (type)->anchor) (joint, anchor);
    for (int k = 0; k < 3; ++k) lever[k] = (double)(anchor[k] - position[k]);
}

/* PR and piston joints with the world as their first body: the lever across the sliding axis from the anchor
 * to the body is the wrong way round, the moment has the wrong sign and the error lacks twice the lever.  k:
 * the right-hand side of an error of 1 (1/s). */
static void turn_levers (dJointID joint, dJointType type, dReal k, rls_ode_rows *rows)
{
    double lever[3];
    if ((type != dJointTypePR && type != dJointTypePiston) || dJointGetBody (joint, 0)) return;
    lever_of (joint, type, dJointGetBody (joint, 1), lever);
    for (int r = 2; r < 4; ++r)
        for (int i = 0; i < 3; ++i)
        {
            rows->J[r][3 + i] *= -1;
            rows->rhs_cfm[r][0] += 2 * k * rows->J[r][i] * (dReal)lever[i];
        }
}

/* Gears on intersecting axes: ODE adds the ways that both have turned, which is right if each axis points
 * away from where the other gear has its contact; that of a gear whose partner's axis points the other way
 * counts with the other sign.  fps: as turn_levers' k, without the joint's ERP. */
static void turn_gears (dJointID gears, dReal fps, rls_ode_rows *rows)
{
    dVector3 axis[2], arm[2], contact[2];
    if (dJointGetTransmissionMode (gears) != dTransmissionIntersectingAxes ||
        dJointGetTransmissionBacklash (gears) > 0)
        return;
    dJointGetTransmissionAxis1 (gears, axis[0]), dJointGetTransmissionAxis2 (gears, axis[1]);
    dJointGetTransmissionAnchor1 (gears, arm[0]), dJointGetTransmissionAnchor2 (gears, arm[1]);
    dJointGetTransmissionContactPoint1 (gears, contact[0]);
    dJointGetTransmissionContactPoint2 (gears, contact[1]);
    dReal way[2] = {dJointGetTransmissionAngle1 (gears), dJointGetTransmissionAngle2 (gears)};
    for (int i = 0; i < 2; ++i)
    {
        for (int k = 0; k < 3; ++k) arm[i][k] -= contact[i][k];
        way[i] *= dCalcVectorLength3 (arm[i]) * (dCalcVectorDot3 (arm[i], axis[1 - i]) < 0 ? -1 : 1);
    }
    rows->rhs_cfm[0][0] = -fps * rls_ode_own_erp (gears, dJointTypeTransmission, 0) * (way[0] + way[1]);
}

void rls_ode_get_rows_counted (dJointID joint, int m, dReal fps, dReal erp, dReal cfm, rls_ode_rows *rows)
{
    const dJointType type = dJointGetType (joint);
    dReal rates[2][3];
    memset (rows->J, 0, sizeof (rows->J[0]) * (size_t)m);
    for (int r = 0; r < m; ++r)
    {
        rows->rhs_cfm[r][0] = 0;
        rows->rhs_cfm[r][1] = cfm;
        rows->lo_hi[r][0] = -dInfinity;
        rows->lo_hi[r][1] = dInfinity;
        rows->findex[r] = -1;
    }
    if (type == dJointTypeTransmission) lead_farther (joint, fps, rates);
    if (rls_ode_private.joint[type].info2)
        rls_ode_private.joint[type].info2 (joint, fps, erp, 12, rows->J[0], rows->J[0] + 6, 2,
                                           rows->rhs_cfm[0], rows->lo_hi[0], rows->findex);
    else
        ask_by_pointers (joint, type, m, fps, erp, rows);
    for (int side = 0; side < 2 && type == dJointTypeTransmission; ++side)
    {
        const dBodyID wheel = dJointGetBody (joint, side);
        if (!dBodyIsKinematic (wheel))
            dBodySetAngularVel (wheel, rates[side][0], rates[side][1], rates[side][2]);
    }
    if (type == dJointTypeTransmission) turn_gears (joint, fps, rows);
    turn_levers (joint, type, fps * erp, rows);
}

void rls_ode_get_rows_aside (dJointID joint, int m, dReal fps, dReal erp, dReal cfm, rls_ode_rows *rows,
                             double push[2][6])
{
    dBodyID bodies[2];
    dReal before[2][6], now[6];
    rls_ode_joint_bodies (joint, bodies);
    for (int side = 0; side < 2 && bodies[side]; ++side) rls_get_force (bodies[side], before[side]);
    rls_ode_get_rows (joint, m, fps, erp, cfm, rows);
    if (push) memset (push, 0, 2 * sizeof (*push));
    for (int side = 0; side < 2 && bodies[side]; ++side)
    {
        rls_get_force (bodies[side], now);
        for (int k = 0; k < 6 && push; ++k) push[side][k] = (double)now[k] - (double)before[side][k];
        rls_set_force (bodies[side], before[side]);
    }
}

/* ---- parameters ---- */

#define TYPE(Name, motors, axes, ways, erp, anchor, ...)                                                     \
    [dJointType##Name] = {                                                                                   \
        dJointType##Name, &dJointGet##Name##Param, &dJointSet##Name##Param, motors, axes, ways, erp, anchor, \
        {__VA_ARGS__}}

static const rls_ode_parameters parameters_of[RLS_ODE_JOINT_TYPE_COUNT] = {
    TYPE (Ball, 0, 0, 0, dParamERP, NULL, NULL),
    TYPE (Hinge, 1, 1, 0, 0, NULL, &dJointGetHingeAngle),
    TYPE (Slider, 1, 1, 1, 0, NULL, &dJointGetSliderPosition),
    TYPE (Universal, 2, 2, 0, 0, NULL, &dJointGetUniversalAngle1, &dJointGetUniversalAngle2),
    /* its second axis has a motor and no stops */
    TYPE (Hinge2, 2, 1, 0, dParamSuspensionERP, &dJointGetHinge2Anchor2, &dJointGetHinge2Angle1),
    TYPE (Fixed, 0, 0, 0, dParamERP, NULL, NULL),
    TYPE (AMotor, 3, 3, 0, 0, NULL, NULL),
    TYPE (LMotor, 3, 0, 0, 0, NULL, NULL),
    TYPE (PR, 2, 2, 1, 0, &dJointGetPRAnchor, &dJointGetPRPosition, &dJointGetPRAngle),
    TYPE (PU, 3, 3, 4, 0, &dJointGetPUAnchor, &dJointGetPUAngle1, &dJointGetPUAngle2, &dJointGetPUPosition),
    TYPE (Piston, 2, 2, 1, 0, &dJointGetPistonAnchor, &dJointGetPistonPosition, &dJointGetPistonAngle),
    TYPE (DBall, 0, 0, 0, dParamERP, NULL, NULL),
    TYPE (DHinge, 0, 0, 0, dParamERP, &dJointGetDHingeAnchor2, NULL),
    TYPE (Transmission, 0, 0, 0, dParamERP, NULL, NULL),
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

/* ---- what ODE's rows do not contain ---- */

int rls_ode_base_rows (dJointType type) { return base_rows[type]; }

const char *rls_ode_row_kinds (dJointType type) { return row_kinds[type]; }

int rls_ode_contact_is_plain (dJointID joint)
{
    const int moves = dContactBounce | dContactMotion1 | dContactMotion2 | dContactMotionN;
    const dContact *contact = rls_ode_contact_of (joint);
    return contact && !(contact->surface.mode & moves);
}

int rls_ode_axis_of_row (dJointID joint, dJointType type, int row)
{
    const rls_ode_parameters *parameters = rls_ode_parameters_of (type);
    int left = row - base_rows[type];
    for (int axis = 0; axis < parameters->motors && left >= 0; ++axis)
    {
        const int driven = rls_ode_get (parameters, joint, axis, dParamFMax) > 0;
        if ((driven || rls_ode_is_locked (joint, type, axis)) && left-- == 0) return axis;
    }
    return -1;
}

int rls_ode_is_locked (dJointID joint, dJointType type, int axis)
{
    const rls_ode_parameters *parameters = rls_ode_parameters_of (type);
    return axis >= 0 && axis < parameters->axes &&
           rls_ode_get (parameters, joint, axis, dParamLoStop) ==
               rls_ode_get (parameters, joint, axis, dParamHiStop);
}

dReal rls_ode_own_erp (dJointID joint, dJointType type, int row)
{
    const rls_ode_parameters *parameters = rls_ode_parameters_of (type);
    if (type == dJointTypeContact)
    {
        const dContact *contact = row == 0 ? rls_ode_contact_of (joint) : NULL;
        return contact && contact->surface.mode & dContactSoftERP ? contact->surface.soft_erp : -1;
    }
    if (!parameters->get) return -1;

    if (row >= base_rows[type])
    {
        const int axis = rls_ode_axis_of_row (joint, type, row);
        return parameters->motors > 0 ? rls_ode_get (parameters, joint, axis < 0 ? 0 : axis, dParamStopERP)
                                      : -1;
    }

    /* of the base rows, the angular ones of fixed joints and hinge-2 joints have the world's ERP */
    const int of_turns = (type == dJointTypeHinge2 && row > 0) || (type == dJointTypeFixed && row > 2);
    return parameters->erp && !of_turns ? (*parameters->get) (joint, parameters->erp) : -1;
}

void rls_ode_set_own_erp (dJointID joint, dJointType type, dReal erp)
{
    const rls_ode_parameters *parameters = rls_ode_parameters_of (type);
    (*parameters->set) (joint, parameters->erp, erp);
}

/* ---- levers that ODE has wrong ---- */

/* Moves a row to the joint's anchor. */
static void act_at_anchor (dJointID joint, dJointType type, double J[12])
{
    dBodyID bodies[2];
    rls_ode_joint_bodies (joint, bodies);
    for (int side = 0; side < 2 && bodies[side]; ++side, J += 6)
    {
        double lever[3];
        lever_of (joint, type, bodies[side], lever);
        rls_cross (lever, J, J + 3);
    }
}

void rls_ode_mend_row (dJointID joint, dJointType type, int row, double J[12], double *error)
{
    /* a PU joint's rows across the sliding axis, unless the world comes first, and those of the anchor of a
     * hinge-2 joint: the lever on the first body is that of the start, without what has been slid.  A double
     * hinge's row along its axes has that of the middle between the bodies on both. */
    if ((type == dJointTypePU && (row == 1 || row == 2) && dJointGetBody (joint, 0)) ||
        (type == dJointTypeHinge2 && row < 3) || (type == dJointTypeDHinge && row == 3))
        act_at_anchor (joint, type, J);
    *error /= rls_ode_axis_length (joint, type, row);
}

void rls_ode_mend_way (dJointID joint, int r, double J[12])
{
    const dJointType type = dJointGetType (joint);
    const int along = r >= base_rows[type] && (J[0] != 0 || J[1] != 0 || J[2] != 0);
    if (!along || (type != dJointTypePR && type != dJointTypePU)) return;
    if (type == dJointTypePU && !dJointGetBody (joint, 0))
    {
        dVector3 axis;
        dJointGetPUAxis3 (joint, axis);
        for (int k = 0; k < 3; ++k) J[k] = -(double)axis[k];
    }
    act_at_anchor (joint, type, J);
}

void rls_ode_finish_body (dBodyID body)
{
    rls_ode_private.step_body (body, 0); /* a step of zero length moves nothing and does all the rest */
}
