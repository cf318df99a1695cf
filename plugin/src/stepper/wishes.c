/* The calls that set wishes for single joints, and the lists that hold them; contract in ode_rls.h and
 * wishes.h. */
#include "ode/gather.h"

/* ---- lists, sorted by joint ---- */

/* Compares a joint with that of a record, by their addresses. */
static int by_joint (const void *joint, const void *record)
{
    dJointID wanted, at;
    memcpy (&wanted, joint, sizeof (wanted)), memcpy (&at, record, sizeof (at));
    return ((uintptr_t)wanted > (uintptr_t)at) - ((uintptr_t)wanted < (uintptr_t)at);
}

void *rls_wish_of (const void *list, int count, size_t size, dJointID joint)
{
    return bsearch (&joint, list, (size_t)count, size, by_joint);
}

void *rls_wish_for (void *list_pointer, int *count, rls_arena *block, size_t size, dJointID joint)
{
    char *list;
    memcpy (&list, list_pointer, sizeof (list));
    void *known = *count > 0 ? rls_wish_of (list, *count, size, joint) : NULL;
    if (known || !rls_arena_grow (block, list_pointer, *count + 1, size)) return known;

    /* a new record, behind those of joints with lower addresses */
    memcpy (&list, list_pointer, sizeof (list));
    char *record = list + (size_t)(*count)++ * size;
    for (; record > list && by_joint (&joint, record - size) < 0; record -= size)
        memcpy (record, record - size, size);
    memset (record, 0, size);
    return memcpy (record, &joint, sizeof (joint));
}

/* ---- the calls ---- */

/* Each of these returns 1, or 0 if an argument is wrong or there is no memory. */

static int may_wish (dRLSStepperID stepper, dJointID joint) { return stepper && !stepper->busy && joint; }

int dRLSStepperSetJointPriority (dRLSStepperID stepper, dJointID joint, int priority)
{
    if (!may_wish (stepper, joint)) return 0;
    rls_priority *wish = RLS_WISH_FOR (stepper->wishes.priorities, joint);
    if (wish) wish->priority = priority;
    return wish != NULL;
}

int dRLSStepperSetJointDrive (dRLSStepperID stepper, dJointID joint, dRLSDriveFunction *drive, void *context)
{
    if (!may_wish (stepper, joint)) return 0;
    const dJointType type = dJointGetType (joint);
    if (type != dJointTypeHinge && type != dJointTypeSlider) return 0;
    rls_drive *wish = RLS_WISH_OF (stepper->wishes.drives, joint);
    if (!drive && wish) RLS_DROP (stepper->wishes.drives, wish);
    if (!drive) return 1;
    const int turn = wish ? wish->turn : ++stepper->wishes.last_turn;
    wish = RLS_WISH_FOR (stepper->wishes.drives, joint);
    if (wish) *wish = (rls_drive){joint, turn, drive, context};
    return wish != NULL;
}

/* ---- stiffness and damping ---- */

int dRLSStepperSetJointSpring (dRLSStepperID stepper, dJointID joint, int axis, dReal stiffness,
                               dReal damping, dReal reference)
{
    if (!may_wish (stepper, joint) || !rls_has_axis (joint, axis, stiffness > 0) ||
        !rls_is_size (stiffness) || !rls_is_size (damping) || !isfinite (reference))
        return 0;

    /* the spring of the axis */
    const int wanted = stiffness + damping > 0;
    rls_joint_springs *wish =
        wanted ? RLS_WISH_FOR (stepper->wishes.springs, joint) : RLS_WISH_OF (stepper->wishes.springs, joint);
    if (!wish) return !wanted;
    const int known = wish->axis[axis].stiffness + wish->axis[axis].damping > 0;
    stepper->settings.spring_changes += known != wanted;
    wish->axis[axis] = (rls_axis_spring){stiffness, damping, reference};

    /* a joint without any spring needs no record */
    double left = 0;
    for (int i = 0; i < RLS_MOST_AXES; ++i) left += wish->axis[i].stiffness + wish->axis[i].damping;
    if (left == 0) RLS_DROP (stepper->wishes.springs, wish);
    return 1;
}

int dRLSStepperSetJointCompliance (dRLSStepperID stepper, dJointID joint, dReal stiffness, dReal damping)
{
    if (!may_wish (stepper, joint) || !rls_is_size (stiffness) || !rls_is_size (damping)) return 0;
    rls_compliance *wish = RLS_WISH_OF (stepper->wishes.compliances, joint);
    if (wish) RLS_DROP (stepper->wishes.compliances, wish);
    if (stiffness + damping == 0) return 1;
    wish = RLS_WISH_FOR (stepper->wishes.compliances, joint);
    if (wish) wish->row[RLS_MAX_ROWS] = (rls_row_compliance){1, stiffness, damping};
    return wish != NULL;
}

int dRLSStepperSetRowCompliance (dRLSStepperID stepper, dJointID joint, int row, dReal stiffness,
                                 dReal damping)
{
    if (!may_wish (stepper, joint) || row < 0 || row >= RLS_MAX_ROWS || !rls_is_size (stiffness) ||
        !rls_is_size (damping))
        return 0;
    rls_compliance *wish = RLS_WISH_FOR (stepper->wishes.compliances, joint);
    if (wish) wish->row[row] = (rls_row_compliance){1, stiffness, damping};
    return wish != NULL;
}

/* ---- rows ---- */

/* Records the rows of a joint, in place of those that it had. */
static int keep (dRLSStepperID stepper, const rls_program_rows *program)
{
    rls_program_rows *wish = RLS_WISH_FOR (stepper->wishes.programs, program->joint);
    if (wish) *wish = *program;
    return wish != NULL;
}

/* Removes the rows of a joint with all their parts, or the part that the joint is of another's rows. */
static void drop (dRLSStepperID stepper, dJointID joint)
{
    for (int i = stepper->wishes.programs.count - 1; i >= 0; --i)
    {
        rls_program_rows *wish = &stepper->wishes.programs.of[i];
        if (wish->joint == joint || wish->of == joint) RLS_DROP (stepper->wishes.programs, wish);
    }
}

int dRLSStepperSetJointRows (dRLSStepperID stepper, dJointID joint, int count, dRLSRowsFunction *function,
                             void *context)
{
    if (!may_wish (stepper, joint) || dJointGetType (joint) != dJointTypeLMotor) return 0;
    if (function && (count < 1 || count > RLS_MAX_ROWS)) return 0;
    if (!function) drop (stepper, joint);
    return !function || keep (stepper, &(rls_program_rows){joint, NULL, count, function, context});
}

int dRLSStepperJoinRows (dRLSStepperID stepper, dJointID part, dJointID joint)
{
    if (!may_wish (stepper, part) || dJointGetType (part) != dJointTypeLMotor) return 0;
    if (!joint) drop (stepper, part);
    if (!joint) return 1;
    const rls_program_rows *owner = RLS_WISH_OF (stepper->wishes.programs, joint),
                           *own = RLS_WISH_OF (stepper->wishes.programs, part);
    if (!owner || owner->of) return 0;
    if (own && !own->of) return 0; /* a joint with rows of its own cannot be a part of others */
    return keep (stepper, &(rls_program_rows){part, joint, 0, NULL, NULL});
}
