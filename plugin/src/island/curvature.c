/* dy/dt - dH/dt v: in closed form, or by central differences.  The contract is in island.h. */
#include "joint_frame.h"

/* x (m values, one for each row of J) := the values of the rows K for the shortest vector that has these
 * values along J.  x is left as it is where J is singular. */
static void change_basis (int m, const double (*J)[12], const double (*K)[12], double *x)
{
    double z[12];
    if (!rls_rows_shortest (m, J, x, z)) return;
    for (int a = 0; a < m; ++a) x[a] = rls_dot12 (K[a], z);
}

/* value := H v - y at the pose that is moved by v for a time (s), of joints without a frame in the bases of
 * the reference rows.  Returns 0 if the rows cannot be evaluated there. */
static int sample (rls_island *s, const rls_rows *reference, const rls_pose *pose, const double (*v)[6],
                   double time, double *value)
{
    rls_poses_move (s->model.bodies, pose, time, v, s->scratch.predicted);
    if (!rls_island_look_aside (s, s->scratch.predicted, time, &s->scratch.aside)) return 0;
    rls_rows_velocity (&s->scratch.aside, v, value);
    for (int r = 0; r < s->begin.rows.rows; ++r) value[r] -= s->scratch.aside.target[r];
    for (int j = 0; j < s->scratch.aside.joints; ++j)
    {
        const int r0 = s->mechanism.row0[j], m = s->mechanism.row0[j + 1] - r0;
        rls_row room[RLS_MAX_ROWS];
        if (s->mechanism.frame[j].kind == RLS_FRAME_FOREIGN && !rls_is_wide (&s->scratch.aside, j))
            change_basis (m, s->scratch.aside.J + r0, rls_joint_rows (reference, j, room), value + r0);
    }
    return 1;
}

/* wanted := dy/dt - dH/dt v by central differences of fourth order along the motion.  Returns 0 if the rows
 * cannot be evaluated. */
static int by_samples (rls_island *s, const rls_rows *reference, const rls_pose *pose, const double (*v)[6],
                       double *wanted)
{
    static const double at[4] = {1, -1, 2, -2};
    const double speed = rls_larger (
        1, rls_fastest (s->model.bodies, v)); /* 1/s: drives are taken to change within about a second */
    const double step = RLS_CURVATURE_DISTANCE / speed;
    double *value[4];
    for (int k = 0; k < 4; ++k)
    {
        value[k] = s->scratch.rows + k * s->begin.rows.rows;
        if (!sample (s, reference, pose, v, at[k] * step, value[k])) return 0;
    }
    for (int r = 0; r < s->begin.rows.rows; ++r)
        wanted[r] = -(8 * (value[0][r] - value[1][r]) - (value[2][r] - value[3][r])) / (12 * step);
    return 1;
}

int rls_curvature_find (rls_island *s, const rls_rows *reference, const rls_pose *pose, const double (*v)[6],
                        double *wanted)
{
    rls_rows_share (&s->scratch.aside, &s->begin.rows);
    if (s->mechanism.kind_count[RLS_FRAME_FOREIGN] > 0 && !by_samples (s, reference, pose, v, wanted))
        return 0;
    rls_island_turn (s, pose);
    if (!rls_joint_frames_rows (s, pose, &s->scratch.aside)) return 0;
    for (int j = 0; j < reference->joints; ++j)
    {
        const int *body = s->mechanism.body[j], r0 = s->mechanism.row0[j], m = s->mechanism.row0[j + 1] - r0;
        double pair[12] = {0}, rates[RLS_MAX_ROWS][12], x[RLS_MAX_ROWS], along[12], *found = wanted + r0;
        rls_row rooms[2][RLS_MAX_ROWS];
        if (s->mechanism.frame[j].kind == RLS_FRAME_FOREIGN) continue;
        memcpy (pair, v[body[0]], sizeof (*v));
        if (body[1] >= 0) memcpy (pair + 6, v[body[1]], sizeof (*v));

        /*
         * In closed form, for rows J that turn with their bodies: with P the projection on what they span,
         *
         *     d/dt (K P v) = K J+ dJ/dt (v - J+ J v)        K the reference rows
         *
         * whatever bases either rows have.
         */
        const rls_row *J = rls_joint_rows (&s->scratch.aside, j, rooms[0]);
        for (int a = 0; a < m; ++a) x[a] = rls_dot12 (J[a], pair);
        if (!rls_rows_shortest (m, J, x, along)) memset (along, 0, sizeof (along));
        for (int k = 0; k < 12; ++k) along[k] = pair[k] - along[k];
        rls_joint_frame_rates (s, j, J, pair, rates);
        for (int a = 0; a < m; ++a) found[a] = -rls_dot12 (rates[a], along);
        change_basis (m, J, rls_joint_rows (reference, j, rooms[1]), found);
    }
    return 1;
}
