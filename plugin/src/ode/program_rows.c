/* Rows that the program gives (dRLSStepperSetJointRows), and rows of axes that it drives.  The contract is in
 * gather.h. */
#include "gather.h"

const rls_program_rows *rls_program_rows_of (const rls_workspace *workspace, dJointID joint)
{
    return RLS_WISH_OF (workspace->wishes->programs, joint);
}

int rls_count_parts (const rls_workspace *workspace)
{
    int parts = 0;
    for (int j = 0; j < workspace->objects.joints && workspace->wishes->programs.count > 0; ++j)
    {
        const rls_program_rows *program = rls_program_rows_of (workspace, workspace->objects.joint[j]);
        if (!program || !program->of || !dJointIsEnabled (program->of)) continue;
        int at = 0;
        while (at < workspace->objects.joints && workspace->objects.joint[at] != program->of) ++at;
        if (at == workspace->objects.joints) return -1;
        parts += rls_program_rows_of (workspace, program->of)->count;
    }
    return parts;
}

/* Lists in mechanism.part the parts of joint j of the island, whose rows begin with r0. */
static void list_parts (rls_workspace *workspace, int j, int r0)
{
    rls_island *s = &workspace->island;
    for (int k = 0; k < workspace->objects.joints && s->begin.rows.parts.count > 0; ++k)
    {
        const rls_program_rows *program = rls_program_rows_of (workspace, workspace->objects.joint[k]);
        const int *body = workspace->objects.joint_body[k];
        if (!program || program->of != workspace->objects.joint[j]) continue;
        for (int r = r0; r < r0 + workspace->objects.joint_rows[j]; ++r)
            s->mechanism.part[s->mechanism.parts_listed++] = (rls_part){r, {body[0], body[1]}, k};
    }
}

/* True if the bounds of a row are allowed: none, one-sided, or those of a row that holds a velocity. */
static int may_be_bounded (const dRLSProgramRow *row)
{
    if (row->lo == 0 && row->hi == 0) return 1;
    return row->lo <= 0 && row->hi >= 0 && (row->kind == dRLSRowNonholonomic || row->lo == 0 || row->hi == 0);
}

/* Calls the program's function for a joint, or one of its parts, at the present poses, and checks its rows;
 * unused ones are 0.  Returns 0 if a number is not finite or the function fails. */
static int ask (const rls_workspace *workspace, const rls_program_rows *program, dJointID joint,
                dRLSProgramRow given[RLS_MAX_ROWS])
{
    memset (given, 0, RLS_MAX_ROWS * sizeof (*given));
    if (!program->function (program->context, joint, (dReal)workspace->island.provider.time, given) ||
        rls_world_changed (workspace->stepper))
        return 0;
    for (int k = 0; k < program->count; ++k)
    {
        dRLSProgramRow *row = &given[k];
        if (!rls_all_finite (row->first, 6) || !rls_all_finite (row->second, 6) || !isfinite (row->value) ||
            !isfinite (row->rate) || row->kind < 0 || row->kind >= dRLSRowKindCount || !may_be_bounded (row))
            return 0;
        if (!dJointGetBody (joint, 0) || !dJointGetBody (joint, 1))
            memset (row->second, 0, sizeof (row->second)); /* the world does not move */
    }
    return 1;
}

static void copy_row (double J[12], const dRLSProgramRow *row)
{
    rls_copy (J, row->first, 6);
    rls_copy (J + 6, row->second, 6);
}

/* The same for a whole joint: values and rates are summed over its parts.  parts: receives J of those that
 * belong to the count rows from r0 on; which: their numbers among the program's rows. */
static int ask_whole (const rls_workspace *workspace, const rls_program_rows *program,
                      dRLSProgramRow given[RLS_MAX_ROWS], const rls_parts *parts, int r0, const int *which,
                      int count)
{
    dRLSProgramRow part[RLS_MAX_ROWS];
    if (!ask (workspace, program, program->joint, given)) return 0;
    for (int j = 0; j < workspace->objects.joints && workspace->island.begin.rows.parts.count > 0; ++j)
    {
        const rls_program_rows *other = rls_program_rows_of (workspace, workspace->objects.joint[j]);
        if (!other || other->of != program->joint) continue;
        if (!ask (workspace, program, other->joint, part)) return 0;
        for (int k = 0; k < program->count; ++k)
            given[k].value += part[k].value, given[k].rate += part[k].rate;
        for (int p = 0; p < parts->count; ++p)
        {
            const int r = parts->of[p].row - r0;
            if (parts->of[p].ode_joint == j && r >= 0 && r < count) copy_row (parts->J[p], &part[which[r]]);
        }
    }
    return 1;
}

int rls_read_program_rows (const rls_workspace *workspace, const rls_program_rows *program, rls_rows *rows,
                           int r0, const int *which, int count, dRLSProgramRow given[RLS_MAX_ROWS])
{
    if (!ask_whole (workspace, program, given, &rows->parts, r0, which, count)) return 0;
    const double of_error =
        rls_keeps_verbatim (workspace) ? workspace->settings->world_erp / workspace->h : 0;
    for (int r = 0; r < count; ++r)
    {
        const dRLSProgramRow *row = &given[which[r]];
        copy_row (rows->J[r0 + r], row);
        rows->residual[r0 + r] = row->kind == dRLSRowNonholonomic ? 0 : -(double)row->value;
        rows->sigma2[r0 + r] = 0;
        rows->target[r0 + r] = (double)row->rate + of_error * rows->residual[r0 + r];
    }
    return 1;
}

/* ---- rows with bounds ---- */

/*
 * A row with bounds is one-sided, as of a rope or a floor, or holds a velocity with a limited force, as of
 * dry friction or a motor.  In the step it is treated as the stops and motors of ODE's joints.
 */
static int is_bounded (const dRLSProgramRow *row) { return row->lo != 0 || row->hi != 0; }

static int is_one_sided (const dRLSProgramRow *row)
{
    return row->kind == dRLSRowHolonomic && is_bounded (row);
}

/* The distance of a one-sided row from touching (m or rad). */
static double gap_of (const dRLSProgramRow *row)
{
    return row->lo == 0 ? (double)row->value : -(double)row->value;
}

/* The velocity that row k wants in the middle of the step (m/s or rad/s); now if the program's function fails
 * then. */
static double mean_rate (rls_workspace *workspace, const rls_program_rows *program, int k, double now)
{
    dRLSProgramRow given[RLS_MAX_ROWS];
    double *const time = &workspace->island.provider.time, begin = *time;
    *time += 0.5 * workspace->h;
    const int had = ask_whole (workspace, program, given, &(rls_parts){0}, 0, NULL, 0);
    *time = begin;
    return had ? (double)given[k].rate : now;
}

/* Appends row k of joint j, which is row from of begin.rows, as a bounded joint of one row. */
static void append (rls_workspace *workspace, int j, int from, int k, const dRLSProgramRow *row, double rate)
{
    rls_island *s = &workspace->island;
    rls_bounded *to = &s->begin.bounded;
    const double h = workspace->h, erp = workspace->settings->world_erp;
    const int sided = is_one_sided (row);
    const int r = rls_append_row (workspace, j, RLS_PROGRAM_ROWS + k, s->begin.rows.J[from]);
    to->softness[r] = workspace->settings->world_cfm / h;
    to->row[r].rest = rate;
    if (sided) to->row[r].gap = gap_of (row), to->row[r].share = erp;
    to->row[r].push = to->row[r].gap < 0 ? (row->lo == 0 ? -erp : erp) * to->row[r].gap : 0;
    to->target[r] = to->row[r].rest + to->row[r].push / h;
    to->lo[r] = rls_impulse_bound (row->lo, h), to->hi[r] = rls_impulse_bound (row->hi, h);

    /* with its parts */
    for (int p = 0; p < s->begin.rows.parts.count; ++p)
    {
        if (s->mechanism.part[p].row != from) continue;
        memcpy (to->parts.J[to->parts.count], s->begin.rows.parts.J[p], sizeof (rls_row));
        to->parts.of[to->parts.count] = s->mechanism.part[p];
        to->parts.of[to->parts.count++].row = r;
    }
    rls_append_joint (workspace, r);
}

int rls_take_program_rows (rls_workspace *workspace, int j, int r0)
{
    rls_island *s = &workspace->island;
    const rls_program_rows *program = rls_program_rows_of (workspace, workspace->objects.joint[j]);
    const int count = workspace->objects.joint_rows[j];
    dRLSProgramRow given[RLS_MAX_ROWS];
    int kept = 0;
    list_parts (workspace, j, r0);
    for (int k = 0; k < count; ++k) s->mechanism.ode_row[r0 + k] = k;
    if (!rls_read_program_rows (workspace, program, &s->begin.rows, r0, s->mechanism.ode_row + r0, count,
                                given))
        return -1;

    /* bounded rows leave, the others close up; Euler's method uses only one-sided rows that touch at the
     * beginning */
    for (int k = 0; k < count; ++k)
    {
        const int bounded = is_bounded (&given[k]), apart = !rls_springs_in_halves (workspace) &&
                                                            is_one_sided (&given[k]) &&
                                                            gap_of (&given[k]) > 0;
        if (bounded && !apart)
            append (workspace, j, r0 + k, k, &given[k], mean_rate (workspace, program, k, given[k].rate));
        for (int p = 0; p < s->begin.rows.parts.count; ++p)
            if (s->mechanism.part[p].row == r0 + k) s->mechanism.part[p].row = bounded ? -1 : r0 + kept;
        if (bounded) continue;
        s->mechanism.velocity_level[r0 + k] =
            given[k].kind == dRLSRowNonholonomic ? RLS_VELOCITY_LEVEL_ALWAYS : RLS_VELOCITY_LEVEL_NEVER;
        rls_keep_row (s, r0 + kept++, r0 + k);
    }
    workspace->objects.springs[j] = kept < count; /* those that stay are then read one by one */
    return kept;
}

int rls_look_at_program_bound (const rls_workspace *workspace, int i, rls_bounded *end)
{
    const int r = end->row0[i], k = end->ode_row[r] - RLS_PROGRAM_ROWS;
    const rls_program_rows *program =
        rls_program_rows_of (workspace, workspace->objects.joint[end->ode_joint[r]]);
    dRLSProgramRow given[RLS_MAX_ROWS];
    if (!ask_whole (workspace, program, given, &end->parts, r, &k, 1)) return 0;
    copy_row (end->J[r], &given[k]);

    /* the way of a one-sided row, with the part that its rate explains; other rows hold velocities and have
     * none */
    const rls_bounded *begin = &workspace->island.begin.bounded;
    const double unit = rls_unit_row (workspace->island.model.length_scale, &end->parts, r, end->J[r]);
    const double now = gap_of (&given[k]) / unit;
    if (is_one_sided (&given[k]))
        end->way[r] = (given[k].lo == 0 ? now - end->row[r].gap : end->row[r].gap - now) +
                      workspace->h * begin->row[r].rest;
    begin->leave[r] = (double)given[k].rate / unit;
    return 1;
}

/*
 * ---- driven axes (dRLSStepperSetJointDrive) ----
 *
 * ODE measures a hinge's angle and a slider's position from its second body to its first, and changes the
 * sign for a joint whose first body is the world.  With the axis a in world axes and the bodies 1 and 2 in
 * the order of the row:
 *
 *     hinge    angle'    = a (w1 - w2)
 *     slider   position' = a (v1 - v2) - ((x1 - x2) x a) w2     for bodies whose own rows hold
 */

const rls_drive *rls_drive_of (const rls_workspace *workspace, dJointID joint)
{
    return RLS_WISH_OF (workspace->wishes->drives, joint);
}

void rls_axis_row (dJointID joint, int axis, double J[12])
{
    const rls_ode_parameters *t = rls_ode_parameters_of (dJointGetType (joint));
    const int way = t->ways >> axis & 1, at = way ? 0 : 3;
    const double sign = dJointGetBody (joint, 0) ? 1 : -1;
    dBodyID bodies[2];
    dVector3 given;
    double a[3];
    rls_ode_joint_bodies (joint, bodies);
    (*t->axis[axis]) (joint, given);
    memset (J, 0, 12 * sizeof (*J));
    for (int k = 0; k < 3; ++k)
    {
        J[at + k] = a[k] = sign * given[k];
        if (bodies[1]) J[6 + at + k] = -a[k];
    }
    if (!way || !bodies[1]) return;
    const dReal *x1 = dBodyGetPosition (bodies[0]), *x2 = dBodyGetPosition (bodies[1]);
    const double arm[3] = {x1[0] - x2[0], x1[1] - x2[1], x1[2] - x2[2]};
    rls_cross (a, arm, J + 9);
}

double rls_axis_rate (dJointID joint)
{
    dBodyID bodies[2];
    double J[12], rate = 0;
    rls_axis_row (joint, 0, J);
    rls_ode_joint_bodies (joint, bodies);
    for (int side = 0; side < 2 && bodies[side]; ++side)
        for (int k = 0; k < 3; ++k)
            rate += J[6 * side + k] * (double)dBodyGetLinearVel (bodies[side])[k] +
                    J[6 * side + 3 + k] * (double)dBodyGetAngularVel (bodies[side])[k];
    return rate;
}

int rls_drive_row (const rls_workspace *workspace, const rls_drive *drive, rls_rows *rows, int r)
{
    /* the position and rate that the program wants; a drive that is held stays where it is */
    dReal rate = 0, acceleration = 0;
    dReal wanted =
        drive->function (drive->context, (dReal)workspace->island.provider.time, &rate, &acceleration);
    if (rls_world_changed (workspace->stepper) || !isfinite (wanted) || !isfinite (rate)) return 0;
    const rls_held_drive *held_drive = rls_held_drive_of (workspace, drive->joint, -1);
    if (held_drive) wanted = (dReal)held_drive->held, rate = 0;

    /* how far it still has to go, and how fast */
    const dJointType type = dJointGetType (drive->joint);
    const double position = (*rls_ode_parameters_of (type)->position[0]) (drive->joint);
    rls_axis_row (drive->joint, 0, rows->J[r]);
    rows->residual[r] =
        type == dJointTypeHinge ? remainder (wanted - position, 2 * RLS_PI) : wanted - position;
    rows->sigma2[r] = 0;
    rows->target[r] = rate;
    if (rls_keeps_verbatim (workspace))
        rows->target[r] += workspace->settings->world_erp / workspace->h * rows->residual[r];
    return 1;
}
