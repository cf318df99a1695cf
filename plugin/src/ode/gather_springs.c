/*
 * Springs with dampers along the axes of joints; see dRLSStepperSetJointSpring.
 *
 * An axis that ODE would give a stop or a motor has a row and a position (stops.c).  A spring is that row
 * with a stiffness and a damping, among the bounded rows, where the step has soft rows in both of its halves
 * (method.md, section 9).
 */
#include "gather.h"

/* The first spring that is not before this axis; the list is sorted by joint and axis. */
static int find (const rls_axis_spring *list, int count, dJointID joint, int axis)
{
    int low = 0, high = count;
    while (low < high)
    {
        const int middle = (low + high) / 2;
        const uintptr_t at = (uintptr_t)list[middle].joint;
        const int before = at != (uintptr_t)joint ? at < (uintptr_t)joint : list[middle].axis < axis;
        if (before)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int is_there (const rls_axis_spring *list, int count, int i, dJointID joint)
{
    return i < count && list[i].joint == joint;
}

/* ---- what the program says ---- */

static int acceptable (dReal x) { return x >= 0 && isfinite (x); }

int dRLSStepperSetJointSpring (dRLSStepperID stepper, dJointID joint, int axis, dReal stiffness,
                               dReal damping, dReal reference)
{
    if (!stepper || stepper->busy || !joint || !rls_has_axis (joint, axis, stiffness > 0) ||
        !acceptable (stiffness) || !acceptable (damping) || !isfinite (reference))
        return 0;
    rls_axis_spring *list = stepper->wishes.axis_springs.of;
    const int count = stepper->wishes.axis_springs.count, i = find (list, count, joint, axis);
    const int known = is_there (list, count, i, joint) && list[i].axis == axis,
              wanted = stiffness > 0 || damping > 0;
    const size_t behind = sizeof (*list) * (size_t)(count - i);

    if (known != wanted) ++stepper->settings.spring_changes;
    if (known && !wanted) memmove (list + i, list + i + 1, behind - sizeof (*list));
    if (wanted && !known)
    {
        if (!RLS_ROOM (stepper->wishes.axis_springs, count + 1)) return 0;
        list = stepper->wishes.axis_springs.of;
        memmove (list + i + 1, list + i, behind);
    }
    if (wanted) list[i] = (rls_axis_spring){joint, axis, stiffness, damping, reference};
    stepper->wishes.axis_springs.count += wanted - known;
    return 1;
}

/* ---- their rows ---- */

int rls_count_axis_springs (const rls_workspace *workspace, dJointID joint)
{
    const rls_axis_spring *list = workspace->wishes->axis_springs.of;
    const int count = workspace->wishes->axis_springs.count, first = find (list, count, joint, 0);
    int i = first;
    if (count == 0 || !dJointIsEnabled (joint)) return 0;
    while (is_there (list, count, i, joint)) ++i;
    return i - first;
}

/* How far the axis is from the spring's rest; a damper alone has none. */
static double stretch (const rls_axis_spring *spring, const rls_axis *axis)
{
    if (isnan (axis->position)) return 0;
    const double x = axis->position - spring->reference;
    return axis->angular ? remainder (x, 2 * RLS_PI) : x;
}

void rls_take_axis_springs (rls_workspace *workspace, int j)
{
    const dJointID joint = workspace->objects.joint[j];
    const int count = rls_count_axis_springs (workspace, joint);
    if (count == 0) return;
    const rls_axis_spring *first =
        workspace->wishes->axis_springs.of +
        find (workspace->wishes->axis_springs.of, workspace->wishes->axis_springs.count, joint, 0);
    rls_axis axis;
    for (int i = 0; i < count; ++i)
        if (rls_read_axis (joint, first[i].axis, &axis))
            rls_append_joint (workspace, rls_append_spring (workspace, j, RLS_SPRING_ROWS + first[i].axis,
                                                            axis.J, first[i].stiffness, first[i].damping,
                                                            stretch (&first[i], &axis), 0));
}

int rls_look_at_axis_spring (const rls_workspace *workspace, int i, rls_bounded *end)
{
    const int r = end->row0[i], number = end->ode_row[r] - RLS_SPRING_ROWS;
    const dJointID joint = workspace->objects.joint[end->ode_joint[r]];
    const rls_axis_spring *spring = &workspace->wishes->axis_springs.of[find (
        workspace->wishes->axis_springs.of, workspace->wishes->axis_springs.count, joint, number)];
    rls_axis axis;
    if (!rls_read_axis (joint, number, &axis)) return 0;
    memcpy (end->J[r], axis.J, sizeof (end->J[r]));
    const double now = stretch (spring, &axis) / (axis.angular ? 1 : workspace->island.model.length_scale);
    end->way[r] = axis.angular ? remainder (now - end->open[r], 2 * RLS_PI) : now - end->open[r];
    if (isnan (axis.position)) end->way[r] = NAN;
    rls_unit_row (workspace->island.model.length_scale, end->J[r]);
    return 1;
}
