/*
 * ODE's rows with bounds: limits, motors, contacts and their friction, into begin.bounded, and again at trial
 * poses.
 *
 * Every joint has a key by which the next step finds its impulses again; contacts have their point besides.
 */
#include "contact_points.h"
#include <float.h>

#define TERMS 12 /* in the sum that is a velocity along a row; each is rounded */
#define ODE_ROUNDING (sizeof (dReal) < sizeof (double) ? (double)FLT_EPSILON : DBL_EPSILON)

int rls_append_row (rls_workspace *workspace, int j, int ode_row, const double J[12])
{
    rls_bounded *to = &workspace->island.begin.bounded;
    const int r = to->rows++;
    if (J) memcpy (to->J[r], J, sizeof (to->J[r]));
    to->row[r] = (rls_bounded_row){.most = HUGE_VAL, .start = NAN, .stop = NAN};
    to->softness[r] = to->target[r] = to->p[r] = to->mobility[r] = 0;
    to->way[r] = NAN;
    to->lo[r] = -HUGE_VAL, to->hi[r] = HUGE_VAL;
    to->follow[r] = -1;
    to->ode_joint[r] = j, to->ode_row[r] = ode_row;
    return r;
}

int rls_append_joint (rls_workspace *workspace, int first)
{
    rls_bounded *to = &workspace->island.begin.bounded;
    const int at = to->joints++, j = to->ode_joint[first], number = to->ode_row[first] - RLS_STOP_ROWS + 1;
    memcpy (to->body[at], workspace->objects.joint_body[j], sizeof (to->body[at]));
    to->row0[at] = first, to->row0[at + 1] = to->rows;
    to->key[at] =
        ((uint64_t)(uintptr_t)workspace->objects.joint[j] & ~(uint64_t)1) +
        (number > 0 ? 2 * (uint64_t)number : 0); /* addresses of joints are farther apart than that */
    memset (to->arm[at], 0, sizeof (to->arm[at]));
    memset (to->axis[at], 0, sizeof (to->axis[at]));
    to->points[at] = 0;
    rls_length_scale_bounded (workspace->island.model.length_scale, to, first, to->rows - first);
    return at;
}

double rls_impulse_bound (dReal bound, double h)
{
    if (bound <= -dInfinity) return -HUGE_VAL;
    return bound >= dInfinity ? HUGE_VAL : bound * h;
}

void rls_spring_of (const rls_workspace *workspace, double erp, double cfm, double *k, double *c)
{
    *k = erp / (workspace->h * cfm);
    *c = (1 - erp) / cfm;
}

/* Returns how much of a contact's depth (m) is to be taken back in this step, as ODE does it: not in its
 * surface layer. */
static double push_of_contact (const rls_workspace *workspace, const rls_bounded_row *known)
{
    const double layer = (double)dWorldGetContactSurfaceLayer (workspace->stepper->world);
    return known->share * fmax (0, known->depth - layer);
}

/*
 * Recognises a rebound in row r of the rows of joint j, which is row of to: one that pushes one way and
 * wants a velocity opposite to the present one.  Finds the coefficient of restitution and the gap, which ODE
 * then gives of stops only at a huge step rate.
 */
static void read_rebound (const rls_workspace *workspace, int j, const rls_ode_rows *from, int r,
                          rls_bounded *to, int row)
{
    const rls_island *s = &workspace->island;
    rls_bounded_row *known = &to->row[row];
    const dReal rate = (dReal)(RLS_HUGE / workspace->h);
    double speed = 0, size = 0;

    /* the velocity along the row, and the size of its terms */
    for (int side = 0; side < 2; ++side)
        if (workspace->objects.joint_body[j][side] >= 0)
        {
            double v[6];
            memcpy (v, s->state.v[workspace->objects.joint_body[j][side]], sizeof (v));
            for (int k = 0; k < 3; ++k) v[k] *= s->model.length_scale;
            speed += rls_dot6 (to->J[row] + 6 * side, v);
            for (int k = 0; k < 6; ++k) size += fabs (to->J[row][6 * side + k] * v[k]);
        }

    /* ODE sums the same terms in another order, or rounds them to single precision: a coefficient of 1 may
     * come out larger than 1.  What is larger beyond rounding is a moving surface. */
    const double most = fabs (speed) + TERMS * ODE_ROUNDING * size;
    if (!(speed * known->rest < 0) || fabs (known->rest) > most) return;
    const double bounce = fmin (-known->rest / speed, 1);
    known->rest = 0;
    const double slow = RLS_LITTLE * RLS_LITTLE * workspace->h * rls_length3 (workspace->settings->gravity);
    if (fabs (speed) <= fmax (s->model.length_scale * RLS_SEEN, slow))
        return; /* it bears: its velocity is what the last step has left of it, and may have any sign */
    known->bounce = bounce;

    /* the gap */
    rls_ode_rows rows;
    if (from->type == dJointTypeContact && rls_ode_contact_of (from->joint))
    {
        known->gap = -known->depth;
        known->push = rls_bounded_side (to, row) * push_of_contact (workspace, known);
        return;
    }
    rls_ode_get_rows (from->joint, from->count, rate, (dReal)workspace->settings->world_erp,
                      (dReal)workspace->settings->world_cfm, &rows);
    if (!(known->share > 0)) return;
    known->gap = -fabs ((double)rows.rhs_cfm[r][0]) / ((double)rate * known->share);
    known->push = -rls_bounded_side (to, row) * known->share * known->gap;
}

/* Appends row r of the rows of joint j; follow: of friction the row of its normal, of others -1.  Returns its
 * index. */
static int append (rls_workspace *workspace, int j, const rls_ode_rows *from, int r, int follow)
{
    rls_bounded *to = &workspace->island.begin.bounded;
    const int row = rls_append_row (workspace, j, r, NULL);
    rls_bounded_row *known = &to->row[row];

    /* ODE's right-hand side is the sum of the velocity that is wanted and the depth that is taken back */
    rls_copy_row (workspace, from, r, to->J[row]);
    to->softness[row] = from->rhs_cfm[r][1] / workspace->h;
    to->target[row] = from->rhs_cfm[r][0];
    known->rest = from->rest[r];
    known->push = workspace->h * (from->rhs_cfm[r][0] - from->rest[r]);
    to->follow[row] = follow;
    if (follow >= 0) /* friction: the bound is a coefficient */
        to->hi[row] = from->lo_hi[r][1] >= dInfinity ? HUGE_VAL : from->lo_hi[r][1];
    else
        to->hi[row] = rls_impulse_bound (from->lo_hi[r][1], workspace->h);
    to->lo[row] = follow >= 0 ? -to->hi[row] : rls_impulse_bound (from->lo_hi[r][0], workspace->h);

    /* the share of the depth that is taken back: the joint's own ERP, or the world's */
    const int one_sided = follow < 0 && rls_bounded_is_one_sided (to, row);
    const double own = one_sided ? (double)rls_ode_own_erp (from->joint, from->type, r) : -1;
    known->share = own >= 0 ? own : workspace->settings->world_erp;
    const dContact *contact =
        one_sided && from->type == dJointTypeContact ? rls_ode_contact_of (from->joint) : NULL;
    known->depth = contact ? (double)contact->geom.depth : rls_bounded_depth (to, row);

    /* where ODE limits the push, its right-hand side does not tell the depth */
    if (contact)
        known->most = workspace->h * (double)dWorldGetContactMaxCorrectingVel (workspace->stepper->world);
    if (contact && fabs (known->push) >= (1 - RLS_LITTLE) * known->most)
        known->push = rls_bounded_side (to, row) * push_of_contact (workspace, known);
    if (known->rest != 0 && one_sided && rls_springs_in_halves (workspace))
        read_rebound (workspace, j, from, r, to, row);

    /* a row whose CFM is larger than ODE's usual one, which is regularisation, is a spring with a damper */
    if (!(from->rhs_cfm[r][1] > RLS_STOCK_CFM)) return row;
    rls_spring_of (workspace, one_sided ? known->share : 0, from->rhs_cfm[r][1], &known->stiffness,
                   &known->damping);
    if (one_sided && known->share > 0) known->open = -known->push / known->share;
    return row;
}

/* Finds what the next step finds contact j again by, bounded joint at, and what touches there. */
static void read_contact (rls_workspace *workspace, int j, int at, const rls_ode_rows *from)
{
    rls_bounded *to = &workspace->island.begin.bounded;
    rls_touch touch[2];
    double sum[3] = {0};

    /* the key, which is odd, and the same whichever body comes first: collision detection may exchange them
     * from step to step */
    to->key[at] = 0;
    for (int side = 0; side < 2; ++side)
    {
        const int body = to->body[at][side];
        to->key[at] += rls_mixed ((uint64_t)(uintptr_t)(body < 0 ? NULL : workspace->objects.body[body]));
        if (body >= 0) rls_quaternion_matrix (workspace->island.state.pose[body].q, touch[side].R);
        touch[side].geometry = NULL, touch[side].others = 0, touch[side].rim = 0;
    }
    to->key[at] |= 1;

    /* the contact point c1 from the centre of body 1, in its axes: the part of it that follows from the rows'
     * directions d and moments c1 x d */
    const int used = from->count < 3 ? from->count : 3;
    for (int r = 0; r < used; ++r)
    {
        double d[3], moment[3], part[3];
        rls_copy (d, from->J[r], 3), rls_copy (moment, from->J[r] + 3, 3);
        rls_cross (d, moment, part);
        for (int k = 0; k < 3; ++k) sum[k] += part[k] * (used == 3 ? 0.5 : 1.0);
    }
    rls_multiply_transposed (touch[0].R, sum, to->arm[at]);
    for (int k = 0; k < 3; ++k) to->arm[at][k] /= workspace->island.model.length_scale;
    rls_find_contact_points (workspace, j, at, touch);
    rls_expect_contacts (workspace, j, at, touch);
}

int rls_read_bounded (rls_workspace *workspace, int j, const rls_ode_rows *from)
{
    rls_bounded *to = &workspace->island.begin.bounded;
    const dJointType type = from->type;
    const int first = to->rows;
    int place[RLS_ODE_MAX_ROWS]; /* of each row; friction comes behind its normal */
    for (int r = 0; r < from->count; ++r)
    {
        const int follow = from->findex[r] >= 0 ? place[from->findex[r]] : -1;
        if (!rls_is_bilateral (from, r)) place[r] = append (workspace, j, from, r, follow);
    }
    const int count = to->rows - first;
    if (count == 0) return 0;

    for (int row = first; row < to->rows && rls_springs_in_halves (workspace) && type != dJointTypeContact;
         ++row)
        to->row[row].start = rls_find_coordinate (workspace, from->joint, to->J[row], &to->row[row].axis);
    const int at = rls_append_joint (workspace, first);
    if (type == dJointTypeContact) read_contact (workspace, j, at, from);
    return count;
}

/* Evaluates the soft rows of joint j in the basis of the beginning, and by how much they have become longer.
 */
static int look_at_springs (const rls_workspace *workspace, int j, int first, int count, rls_bounded *end)
{
    const rls_bounded *b = &workspace->island.begin.bounded;
    double residual[RLS_ODE_MAX_ROWS];
    int unbounded = 0;
    for (int k = 0; k < count; ++k) /* that of rows with bounds is not known */
        residual[k] = NAN, unbounded |= b->lo[first + k] == -HUGE_VAL && b->hi[first + k] == HUGE_VAL;
    if (!unbounded) return 1;
    if (!rls_read_in_bases (workspace, j, end->ode_row + first, count, b->J + first, end->J + first, residual,
                            NULL))
        return 0;
    for (int k = 0; k < count; ++k)
        if (end->row[first + k].stiffness > 0 && !isnan (residual[k]))
            end->way[first + k] = -residual[k] - end->row[first + k].open;
    return 1;
}

/* Evaluates bounded joint i at the present poses, and the way of rows with a coordinate.  Contacts keep the
 * rows of the beginning, because ODE does not give them at other poses.  Returns 0 if that is not possible.
 */
static int look_at (const rls_workspace *workspace, int i, rls_bounded *end)
{
    const int first = end->row0[i], count = end->row0[i + 1] - first, j = end->ode_joint[first];
    const dJointID joint = workspace->objects.joint[j];
    rls_ode_rows rows;
    if (end->ode_row[first] >= RLS_PROGRAM_ROWS) return rls_look_at_program_bound (workspace, i, end);
    if (end->ode_row[first] >= RLS_STOP_ROWS) return rls_look_at_axis_row (workspace, i, end);
    if (dJointGetType (joint) == dJointTypeContact) return 1;
    const int program = rls_program_rows_of (workspace, joint) != NULL;
    if (!program && rls_is_degenerate (joint, workspace->h)) return 0;
    for (int r = first, m = 0; r < first + count && !program; ++r)
    {
        double way = end->row[r].start;
        if (!isnan (way)) way = rls_axis_coordinate (workspace, joint, end->row[r].axis, end->J[r]) - way;
        if (!isnan (way)) end->way[r] = way;

        /* the row of an axis comes with its coordinate, but of sliders; others are asked for */
        if (isnan (way) || dJointGetType (joint) == dJointTypeSlider)
        {
            if (m == 0) m = rls_ask (workspace, joint, workspace->objects.joint_rows[j], 0, &rows);
            if (m < 0) return 0;
            rls_copy_row (workspace, &rows, end->ode_row[r], end->J[r]);
        }
        rls_unit_row (workspace->island.model.length_scale, &end->parts, r, end->J[r]);
    }
    return !workspace->objects.springs[j] || look_at_springs (workspace, j, first, count, end);
}

/* Moves the bodies of joint j to a trial pose. */
static void try_joint (const rls_workspace *workspace, int j, const rls_pose *pose)
{
    const int *body = workspace->objects.joint_body[j];
    for (int side = 0; side < 2; ++side)
        if (body[side] >= 0) rls_try_pose (workspace, body[side], &pose[body[side]]);
}

int rls_evaluate_bounded (rls_island *s, const rls_pose *pose)
{
    rls_workspace *workspace = rls_workspace_of (s);
    rls_bounded *end = &s->end.bounded;
    rls_bounded_share (end, &s->begin.bounded);
    for (int i = 0; i < end->joints; ++i)
    {
        const int j = end->ode_joint[end->row0[i]];
        if (dJointGetType (workspace->objects.joint[j]) == dJointTypeContact) continue;
        rls_begin_moving (workspace);
        try_joint (workspace, j, pose);
    }
    for (int p = 0; p < end->parts.count; ++p) try_joint (workspace, end->parts.of[p].ode_joint, pose);
    for (int i = 0; i < end->joints; ++i)
        if (!look_at (workspace, i, end)) return 0;
    return 1;
}
