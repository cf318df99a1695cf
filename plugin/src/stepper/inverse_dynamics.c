/*
 * Efforts of drives for given accelerations of axes; contract in ode_rls.h.
 *
 * For the while each axis has a drive that goes on from where it is with its present rate and the wanted
 * acceleration.  Its row's reaction is the effort.
 */
#include "equations.h"

typedef struct
{
    double time, position, rate, acceleration;
} motion;

static dReal go_on (void *context, dReal time, dReal *rate, dReal *acceleration)
{
    const motion *m = context;
    const double t = (double)time - m->time;
    *rate = (dReal)(m->rate + t * m->acceleration);
    *acceleration = (dReal)m->acceleration;
    return (dReal)(m->position + t * (m->rate + t * m->acceleration / 2));
}

/* Appends the axes to the drives, which have room for them.  Returns 0 for one that cannot be driven. */
static int append (dRLSStepperID stepper, dJointID const *axes, const dReal *accelerations, int count,
                   motion *motions)
{
    for (int i = 0; i < count; ++i)
    {
        const dJointID joint = axes[i];
        const dJointType type = joint ? dJointGetType (joint) : dJointTypeNone;
        if ((type != dJointTypeHinge && type != dJointTypeSlider) || !isfinite (accelerations[i])) return 0;
        const dBodyID body = dJointGetBody (joint, 0) ? dJointGetBody (joint, 0) : dJointGetBody (joint, 1);
        if (!body || dBodyGetWorld (body) != stepper->world) return 0;
        if (RLS_WISH_OF (stepper->wishes.drives, joint)) return 0;
        const int hinge = type == dJointTypeHinge;
        motions[i] = (motion){
            stepper->time, (double)(hinge ? dJointGetHingeAngle (joint) : dJointGetSliderPosition (joint)),
            (double)(hinge ? dJointGetHingeAngleRate (joint) : dJointGetSliderPositionRate (joint)),
            (double)accelerations[i]};
        stepper->wishes.drives.of[stepper->wishes.drives.count++] = (rls_drive){joint, go_on, &motions[i]};
    }
    return 1;
}

/* The row of a joint's drive, behind the joint's own; -1: the joint is disabled or its island asleep. */
static int drive_row (const rls_workspace *workspace, dJointID joint)
{
    const rls_island *s = &workspace->island;
    for (int i = 0; i < s->begin.rows.joints; ++i)
    {
        const int last = s->mechanism.row0[i + 1] - 1, j = s->mechanism.ode_joint[i];
        if (workspace->objects.joint[j] == joint &&
            s->mechanism.ode_row[last] == workspace->objects.joint_rows[j])
            return last;
    }
    return -1;
}

/* Returns a dRLSStatus. */
static int read_efforts (dRLSEquationsID e, dJointID const *axes, int count, dReal *efforts)
{
    const rls_island *s = rls_equations_island (e);
    const size_t rows = (size_t)s->begin.rows.rows;
    dReal *a = malloc (sizeof (dReal) * (6 * (size_t)s->model.bodies + 2 * rows));
    if (!a) return dRLSStatusNoMemory;
    dReal *p = a + 6 * s->model.bodies, *along = p + rows;
    int status = dRLSEquationsAccelerate (e, NULL, a, p) && dRLSEquationsAlongRows (e, a, along)
                     ? dRLSStatusOk
                     : dRLSStatusNotFinite;
    for (int i = 0; i < count && status == dRLSStatusOk; ++i)
    {
        const int r = drive_row (&e->workspace, axes[i]);
        const double wanted = r < 0 ? 0 : e->wanted[r] * (e->angular[r] ? 1 : s->model.length_scale);
        if (r < 0 || !(fabs ((double)along[r] - wanted) <= RLS_DEPENDS * (1 + fabs (wanted))))
            status = dRLSStatusBadArgument;
    }
    for (int i = 0; i < count && status == dRLSStatusOk; ++i)
        efforts[i] = p[drive_row (&e->workspace, axes[i])];
    free (a);
    return status;
}

static int find_efforts (dRLSStepperID stepper, dJointID const *axes, const dReal *accelerations, int count,
                         dReal *efforts)
{
    const int own = stepper->wishes.drives.count;
    motion *motions = malloc (sizeof (*motions) * (size_t)(count + 1));
    const dRLSEquationsID e = dRLSEquationsCreate ();
    int status = dRLSStatusOk;
    if (!motions || !e || !RLS_ROOM (stepper->wishes.drives, own + count))
        status = dRLSStatusNoMemory;
    else if (!append (stepper, axes, accelerations, count, motions))
        status = dRLSStatusBadArgument;
    else
        status = rls_equations_fill (stepper, e);
    stepper->wishes.drives.count = own;
    if (status == dRLSStatusOk) status = read_efforts (e, axes, count, efforts);
    dRLSEquationsDestroy (e);
    free (motions);
    return status;
}

int dRLSStepperInverseDynamics (dRLSStepperID stepper, dJointID const *axes, const dReal *accelerations,
                                int count, dReal *efforts)
{
    if (!rls_begin_call (stepper)) return 0;
    if (count < 0 || (count > 0 && (!axes || !accelerations || !efforts)))
        return rls_finish (stepper, dRLSStatusBadArgument);
    stepper->busy = 1;
    const int status = find_efforts (stepper, axes, accelerations, count, efforts);
    stepper->busy = 0;
    return rls_finish (stepper, status);
}
