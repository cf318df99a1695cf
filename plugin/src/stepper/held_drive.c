/* Drives and motors that cannot be followed, and hold their joints instead; contract in integrate.h, section
 * 4 of method.md ("Drives out of reach"). */
#include "ode/gather.h"

const rls_held_drive *rls_held_drive_of (const rls_workspace *workspace, dJointID joint, int r)
{
    const rls_precedence *y = &workspace->island.elimination.precedence;
    for (int i = 0; i < y->held_drives.count; ++i)
        if (y->held_drives.of[i].joint == joint && (r < 0 || y->held_drives.of[i].row == r))
            return &y->held_drives.of[i];
    return NULL;
}

static dJointID joint_of (const rls_workspace *workspace, int row)
{
    const rls_island *s = &workspace->island;
    return workspace->objects.joint[s->mechanism.ode_joint[rls_joint_of_row (&s->begin.rows, row)]];
}

/* Returns 1 if the row belongs to a drive or motor that is in force and not held yet, and may be held.  It
 * may not if a joint's own row with a larger priority number was found redundant: then the program has asked
 * that this joint gives way to the drive. */
static int can_be_held (const rls_workspace *workspace, int row)
{
    const rls_island *s = &workspace->island;
    const int turn = s->elimination.precedence.turn[row];
    for (int r = 0; r < s->begin.rows.rows; ++r)
        if (s->begin.factor.decision[r] == RLS_REDUNDANT &&
            s->elimination.precedence.priority[r] > s->elimination.precedence.priority[row] &&
            s->elimination.precedence.turn[r] == 0)
            return 0;
    return turn > 0 && s->begin.factor.decision[row] != RLS_REDUNDANT &&
           !rls_held_drive_of (workspace, joint_of (workspace, row), s->mechanism.ode_row[row]);
}

/* Returns the row of the drive whose row depends most on the others, -1 if there is none: the one with the
 * least relative pivot if it were eliminated last, which is 1 / (h' M^-1 h (A^-1)_rr). */
static int weakest_drive (const rls_workspace *workspace)
{
    const rls_island *s = &workspace->island;
    int weakest = -1;
    double most = 0;
    for (int r = 0; r < s->begin.rows.rows; ++r)
    {
        if (!can_be_held (workspace, r)) continue;

        /* column r of the inverse of A */
        double *x = s->scratch.rows;
        memset (x, 0, sizeof (double) * (size_t)s->begin.rows.rows);
        x[r] = 1;
        rls_factor_solve (&s->begin.factor, &s->begin.rows, x);
        if (x[r] * s->begin.factor.diagonal[r] > most) most = x[r] * s->begin.factor.diagonal[r], weakest = r;
    }
    return weakest;
}

/* Finds how far the joints let bounded row r (of bounded joint j) move: returns its mobility with the joints
 * closed over that without them, 0 to 1.  scratch.rows becomes minus the impulses of the joints' rows that a
 * unit impulse along it causes, which tells on which of them it depends. */
static double left_of_stop (const rls_island *s, const rls_bounded *b, int j, int r)
{
    double *x = s->scratch.rows, (*v)[6] = s->scratch.six;
    memset (v, 0, sizeof (*v) * (size_t)s->model.bodies);
    rls_bounded_push_row (b, j, r, 1, v);
    const double whole = rls_bounded_velocity (b, j, r, v);
    rls_rows_missing (&s->begin.rows, NULL, v, x);
    rls_factor_push (&s->begin.factor, &s->begin.rows, x, v);
    return whole > 0 ? rls_bounded_velocity (b, j, r, v) / whole : 1;
}

/* Looks for a stop that the step has violated further although the joints, with drives, leave it nothing to
 * move.  Returns the row of the drive that it depends on, of several the one with the least precedence; -1 if
 * there is none. */
static int drive_into_stop (const rls_workspace *workspace)
{
    const rls_island *s = &workspace->island;
    const rls_bounded *b = &s->begin.bounded;
    int found = -1;
    for (int j = 0; j < b->joints && found < 0; ++j)
        for (int r = b->row0[j]; r < b->row0[j + 1]; ++r)
        {
            if (dJointGetType (workspace->objects.joint[b->ode_joint[r]]) == dJointTypeContact) break;

            /* a stop that is still approached, and that cannot move */
            const double speed = rls_bounded_velocity (b, j, r, s->next.v);
            const int deeper = (b->lo[r] >= 0 && b->hi[r] > 0 && speed < -RLS_SEEN) ||
                               (b->hi[r] <= 0 && b->lo[r] < 0 && speed > RLS_SEEN),
                      reached = b->row[r].gap <= workspace->h * fabs (speed);
            if (b->follow[r] >= 0 || !deeper || !reached || left_of_stop (s, b, j, r) > RLS_NEGLIGIBLE)
                continue;

            /* the drives that it depends on */
            for (int k = 0; k < s->begin.rows.rows; ++k)
                if (can_be_held (workspace, k) &&
                    fabs (s->scratch.rows[k]) * sqrt (s->begin.factor.diagonal[k]) > RLS_DEPENDS &&
                    (found < 0 || rls_comes_after (&s->elimination.precedence, k, found)))
                    found = k;
        }
    return found;
}

int rls_held_drive_find (const rls_workspace *workspace)
{
    if (workspace->island.elimination.precedence.count == 0 ||
        workspace->settings->correction != dRLSCorrectionProjection)
        return -1;
    return rls_stays_open (workspace) ? weakest_drive (workspace) : drive_into_stop (workspace);
}

/* Calls a drive's function for the position (rad or m) at a time.  Returns 0 if that is not finite, or the
 * function has changed the world. */
static int wanted_at (const rls_workspace *workspace, const rls_drive *drive, double time, double *position)
{
    dReal rate = 0, acceleration = 0;
    *position = (double)drive->function (drive->context, (dReal)time, &rate, &acceleration);
    return !rls_world_changed (workspace->stepper) && isfinite (*position);
}

/* Fills in where the axis of a drive is (held), and how far and to which side of that its function is at the
 * end of the step (lag, side), in rad or m. */
static rls_outcome measure_drive (const rls_workspace *workspace, int row, rls_held_drive *held)
{
    const rls_island *s = &workspace->island;
    const rls_drive *drive = rls_drive_of (workspace, held->joint);
    const double per = dJointGetType (held->joint) == dJointTypeHinge ? 1 : s->model.length_scale;
    double now, then;
    if (!wanted_at (workspace, drive, workspace->time, &now) ||
        !wanted_at (workspace, drive, workspace->time + workspace->h, &then))
        return RLS_FAILED;
    held->held = now - s->begin.rows.residual[row] * per;
    held->lag = then - held->held;
    held->side = then > held->held ? 1 : -1;
    return RLS_DONE;
}

rls_outcome rls_held_drive_begin (rls_workspace *workspace, int row)
{
    rls_island *s = &workspace->island;
    rls_precedence *y = &s->elimination.precedence;
    rls_held_drive held = {.joint = joint_of (workspace, row), .row = s->mechanism.ode_row[row]};
    if (!RLS_ROOM (y->held_drives, y->held_drives.count + 1)) return RLS_NO_MEMORY;
    const int motor = y->turn[row] > workspace->wishes->last_turn;
    if (!motor) RLS_TRY (measure_drive (workspace, row, &held));

    /* from now on the row asks for no motion */
    y->held_drives.of[y->held_drives.count++] = held;
    s->begin.rows.residual[row] = s->begin.rows.target[row] = 0;
    s->end.rows.residual[row] = s->end.rows.target[row] = 0;
    return RLS_DONE;
}

rls_outcome rls_held_drive_release (rls_workspace *workspace)
{
    rls_precedence *y = &workspace->island.elimination.precedence;
    int kept = 0;
    for (int i = 0; i < y->held_drives.count; ++i)
    {
        rls_held_drive held_drive = y->held_drives.of[i];

        /* motors have no function, and a drive may have been taken away: they are released */
        const rls_drive *drive = NULL;
        for (int j = 0; j < workspace->objects.joints && !drive; ++j)
            if (workspace->objects.joint[j] == held_drive.joint)
                drive = rls_drive_of (workspace, held_drive.joint);
        if (!drive) continue;

        /* the distance of the function from the held position; a drive is kept until its sign changes */
        double now;
        if (!wanted_at (workspace, drive, workspace->time + workspace->h, &now)) return RLS_FAILED;
        const double change = now - held_drive.held - held_drive.lag;
        held_drive.lag +=
            dJointGetType (held_drive.joint) == dJointTypeHinge ? remainder (change, 2 * RLS_PI) : change;
        if (held_drive.lag * held_drive.side > 0) y->held_drives.of[kept++] = held_drive;
    }
    y->held_drives.count = kept;
    return RLS_DONE;
}
