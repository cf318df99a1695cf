/* The equations of motion: reading them from a world, listing them, inverse dynamics; contract in ode_rls.h
 * and equations.h. */
#include "equations.h"
#include "ode/gather.h"

dRLSEquationsID dRLSEquationsCreate (void) { return calloc (1, sizeof (struct dxRLSEquations)); }

void dRLSEquationsDestroy (dRLSEquationsID e)
{
    if (!e) return;
    rls_workspace_clear (&e->workspace);
    rls_factor_free (&e->leading);
    rls_arena_free (&e->block);
    free (e);
}

/* ---- filling ---- */

static void lay_out (struct dxRLSEquations *e, rls_arena_cursor *c)
{
    const size_t bodies = (size_t)e->workspace.island.model.bodies,
                 rows = (size_t)e->workspace.island.begin.rows.rows;
    RLS_TAKE (c, bodies, e->free, e->body[0], e->body[1]);
    RLS_TAKE (c, rows, e->wanted, e->row[0], e->row[1], e->angular, e->decided);
    RLS_TAKE (c, rows + 1, e->entry0, e->place);
}

/* Fills in entry0 and angular: a row has one entry for each body that it depends on. */
static void describe_rows (struct dxRLSEquations *e)
{
    const rls_rows *rows = &e->workspace.island.begin.rows;
    int entries = 0;
    RLS_FOR_ROWS (rows, j, r)
    {
        e->entry0[r] = entries;
        e->angular[r] = (unsigned char)rls_row_is_angular (rows, j, r);
        entries += (rows->body[j][0] >= 0) + (rows->body[j][1] >= 0);
        for (int p = 0; p < rows->parts.count; ++p)
            if (rows->parts.of[p].row == r)
                entries += (rows->parts.of[p].body[0] >= 0) + (rows->parts.of[p].body[1] >= 0);
    }
    e->entry0[rows->rows] = entries;
}

/* Fills the equations with those of the world in its present state.  Returns a dRLSStatus. */
static int fill_from_world (dRLSStepperID stepper, dRLSEquationsID e)
{
    e->filled = 0;
    rls_history_end (&e->workspace, RLS_ISLAND_CHANGED);
    rls_read_world (stepper);
    e->settings = stepper->settings;
    e->settings.correction = dRLSCorrectionProjection;
    e->workspace.saved.forces = e->workspace.saved.moved = 0;

    /* the world as one island, with rows and factor */
    int status = rls_workspaces_read_world (stepper, &e->workspace, &e->settings), done = 1;
    if (status == dRLSStatusOk) done = RLS_LAY_OUT (e, &e->block, lay_out);
    if (!done) status = dRLSStatusNoMemory;
    if (status == dRLSStatusOk) describe_rows (e);

    /* the accelerations that the rows require, c = dy/dt - dH/dt v, for which ODE's bodies are moved to trial
     * poses, and those of the bodies without rows */
    rls_island *s = &e->workspace.island;
    if (status == dRLSStatusOk && s->model.bodies > 0)
    {
        if (!rls_curvature_find (s, &s->begin.rows, s->state.pose, s->state.v, e->wanted))
            status = dRLSStatusNotFinite;
        rls_free_accelerations (s, &s->begin.rows, s->state.pose, s->state.v, e->free);
    }

    /* set ODE's bodies back to where they were */
    if (stepper->world_changed)
    {
        status = dRLSStatusWorldChanged;
        rls_forget_destroyed_bodies (stepper, &e->workspace);
    }
    rls_put_back (&e->workspace);
    rls_forces_undo (stepper);
    e->filled = status == dRLSStatusOk;
    return status;
}

int dRLSStepperGetEquations (dRLSStepperID stepper, dRLSEquationsID equations)
{
    if (!rls_begin_call (stepper)) return 0;
    return rls_finish (stepper, equations ? fill_from_world (stepper, equations) : dRLSStatusBadArgument);
}

/* ---- lists ---- */

int dRLSEquationsGetSize (dRLSEquationsID e, dRLSEquationsSize *size)
{
    if (!rls_equations_ready (e) || !size || size->struct_size == 0) return 0;
    const rls_island *s = rls_equations_island (e);
    const dRLSEquationsSize found = {size->struct_size, s->model.bodies, s->begin.rows.rows,
                                     e->entry0[s->begin.rows.rows], s->begin.factor.rank};
    rls_give (size, &found, sizeof (found));
    return 1;
}

/* Returns 1 if the equations are filled, and the array has room for as many items as the capacity says. */
static int may_list (dRLSEquationsID e, const void *array, int capacity)
{
    return rls_equations_ready (e) && capacity >= 0 && (array || capacity == 0);
}

int dRLSEquationsGetBodies (dRLSEquationsID e, dBodyID *bodies, int capacity)
{
    if (!may_list (e, bodies, capacity)) return -1;
    const int count = e->workspace.island.model.bodies;
    for (int b = 0; b < count && b < capacity; ++b) bodies[b] = e->workspace.objects.body[b];
    return count;
}

int dRLSEquationsGetRows (dRLSEquationsID e, dRLSEquationRow *rows, int capacity)
{
    if (!may_list (e, rows, capacity)) return -1;
    const rls_island *s = rls_equations_island (e);
    for (int j = 0; j < s->begin.rows.joints; ++j)
        for (int r = s->mechanism.row0[j]; r < s->mechanism.row0[j + 1] && r < capacity; ++r)
        {
            const double unit = e->angular[r] ? 1 : s->model.length_scale;
            rows[r] = (dRLSEquationRow){.joint = e->workspace.objects.joint[s->mechanism.ode_joint[j]],
                                        .row = s->mechanism.ode_row[r],
                                        .kept = s->begin.factor.decision[r] != RLS_REDUNDANT,
                                        .angular = e->angular[r],
                                        .entry = e->entry0[r],
                                        .entries = e->entry0[r + 1] - e->entry0[r],
                                        .target = (dReal)(unit * s->begin.rows.target[r]),
                                        .residual = (dReal)(unit * s->begin.rows.residual[r]),
                                        .acceleration = (dReal)(unit * e->wanted[r])};
        }
    return s->begin.rows.rows;
}

/* Adds the entries of a row for two bodies (-1: the world, which has none), if there is room for them.  at
 * counts all. */
static void list_entries (dRLSEquationEntry *entries, int capacity, int *at, const int body[2], double lever,
                          const double J[12])
{
    for (int side = 0; side < 2; ++side)
    {
        if (body[side] < 0 || (*at)++ >= capacity) continue;
        dRLSEquationEntry *to = &entries[*at - 1];
        to->body = body[side];
        for (int k = 0; k < 6; ++k) to->J[k] = (dReal)((k < 3 ? 1 : lever) * J[6 * side + k]);
    }
}

int dRLSEquationsGetEntries (dRLSEquationsID e, dRLSEquationEntry *entries, int capacity)
{
    if (!may_list (e, entries, capacity)) return -1;
    const rls_island *s = rls_equations_island (e);
    const rls_rows *rows = &s->begin.rows;
    int at = 0;
    for (int j = 0; j < rows->joints; ++j)
    {
        rls_row room[RLS_MAX_ROWS];
        const rls_row *J = rls_joint_rows (rows, j, room);
        for (int r = s->mechanism.row0[j]; r < s->mechanism.row0[j + 1]; ++r)
        {

            /* angular entries of a row in m have the unit m; then the joint's own bodies, and those of its
             * parts */
            const double lever = e->angular[r] ? 1 : s->model.length_scale,
                         *own = J[r - s->mechanism.row0[j]];
            list_entries (entries, capacity, &at, s->mechanism.body[j], lever, own);
            for (int p = 0; p < rows->parts.count; ++p)
                if (rows->parts.of[p].row == r)
                    list_entries (entries, capacity, &at, rows->parts.of[p].body, lever, rows->parts.J[p]);
        }
    }
    return at;
}

/* ---- inverse dynamics ---- */

/* For the duration of a call each axis has a drive, whose function starts at the present position and rate
 * and has the wanted acceleration.  The reaction of the drive's row is the effort. */
typedef struct
{
    double time, position, rate, acceleration;
} motion;

/* The function of such a drive (dRLSDriveFunction). */
static dReal accelerated_motion (void *context, dReal time, dReal *rate, dReal *acceleration)
{
    const motion *m = context;
    const double t = (double)time - m->time;
    *rate = (dReal)(m->rate + t * m->acceleration);
    *acceleration = (dReal)m->acceleration;
    return (dReal)(m->position + t * (m->rate + t * m->acceleration / 2));
}

/* Gives each axis such a drive.  Returns a dRLSStatus; dRLSStatusBadArgument if a joint cannot be driven, is
 * driven already, or belongs to another world. */
static int drive_axes (dRLSStepperID stepper, dJointID const *axes, const dReal *accelerations, int count,
                       motion *motions)
{
    for (int i = 0; i < count; ++i)
    {
        const dJointID joint = axes[i];
        const dJointType type = joint ? dJointGetType (joint) : dJointTypeNone;

        /* whether it can be driven */
        if ((type != dJointTypeHinge && type != dJointTypeSlider) || !isfinite (accelerations[i]))
            return dRLSStatusBadArgument;
        const dBodyID body = dJointGetBody (joint, 0) ? dJointGetBody (joint, 0) : dJointGetBody (joint, 1);
        if (!body || dBodyGetWorld (body) != stepper->world || RLS_WISH_OF (stepper->wishes.drives, joint))
            return dRLSStatusBadArgument;

        /* from where it is */
        motions[i] = (motion){stepper->time, (double)(*rls_ode_parameters_of (type)->position[0]) (joint),
                              rls_axis_rate (joint), (double)accelerations[i]};
        rls_drive *drive = RLS_WISH_FOR (stepper->wishes.drives, joint);
        if (!drive) return dRLSStatusNoMemory;
        *drive = (rls_drive){joint, stepper->wishes.last_turn + 1 + i, accelerated_motion, &motions[i]};
    }
    stepper->wishes.last_turn += count;
    return dRLSStatusOk;
}

/* Returns the row of a joint's drive, which comes after the joint's own; -1 if the joint is disabled or its
 * island asleep. */
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

/* Computes the accelerations of the world with these drives, and reads the efforts (N, N m).  Returns a
 * dRLSStatus; dRLSStatusBadArgument if an axis cannot have its acceleration. */
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

    /* whether each axis has the wanted acceleration: the mechanism may not allow it */
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

int dRLSStepperInverseDynamics (dRLSStepperID stepper, dJointID const *axes, const dReal *accelerations,
                                int count, dReal *efforts)
{
    if (!rls_begin_call (stepper)) return 0;
    if (count < 0 || (count > 0 && (!axes || !accelerations || !efforts)))
        return rls_finish (stepper, dRLSStatusBadArgument);

    /* the axes are driven, and after that the drives are removed again */
    const int own = stepper->wishes.last_turn;
    motion *motions = malloc (sizeof (*motions) * (size_t)(count + 1));
    const dRLSEquationsID e = dRLSEquationsCreate ();
    int status =
        !motions || !e ? dRLSStatusNoMemory : drive_axes (stepper, axes, accelerations, count, motions);
    if (status == dRLSStatusOk) status = fill_from_world (stepper, e);
    for (int i = stepper->wishes.drives.count - 1; i >= 0; --i)
        if (stepper->wishes.drives.of[i].turn > own)
            RLS_DROP (stepper->wishes.drives, stepper->wishes.drives.of + i);
    stepper->wishes.last_turn = own;
    if (status == dRLSStatusOk) status = read_efforts (e, axes, count, efforts);
    dRLSEquationsDestroy (e);
    free (motions);
    return rls_finish (stepper, status);
}
