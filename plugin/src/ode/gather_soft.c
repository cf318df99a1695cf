/*
 * Soft rows without bounds: base rows, locked stops and motors without bounds that have a CFM of their own,
 * suspensions of hinge-2 joints, and rows that the program has given a stiffness.  In the accurate step they
 * are among the bounded rows, as springs and dampers; the hard rows of the same joint stay among the
 * bilateral ones.
 *
 * ODE chooses the rows across an axis anew for each pose.  If only some of a joint's rows are soft, they must
 * stay the same ones.  So these rows are expressed, at each pose, in the basis that they have at the
 * beginning; and so are the hard ones beside them, unless they are all that the joint's type has and follow
 * from a frame (joint_frame.h).
 */
#include "gather.h"

int rls_springs_in_halves (const rls_workspace *workspace)
{
    const rls_settings *set = workspace->settings;
    return !workspace->analyse && set->correction == dRLSCorrectionProjection &&
           set->integrator != dRLSIntegratorEuler && set->integrator != dRLSIntegratorRK4;
}

int rls_may_give_way (const rls_workspace *workspace, dJointID joint)
{
    const rls_ode_parameters *parameters = rls_ode_parameters_of (dJointGetType (joint));
    if (!rls_springs_in_halves (workspace)) return 0;
    if (RLS_WISH_OF (workspace->wishes->compliances, joint)) return 1;
    if (parameters->type == dJointTypeHinge2) return 1;
    return parameters->erp && rls_own_cfm (workspace, (*parameters->get) (joint, dParamCFM)) > 0;
}

int rls_append_spring (rls_workspace *workspace, int j, int ode_row, const double J[12], double k, double c,
                       double open, double rate)
{
    rls_bounded *to = &workspace->island.begin.bounded;
    const int r = rls_append_row (workspace, j, ode_row, J);
    to->softness[r] = 1 / (workspace->h * (workspace->h * k + c));
    to->row[r].rest = rate;
    to->row[r].open = open;
    to->target[r] = to->row[r].rest - k * to->row[r].open / (workspace->h * k + c);
    to->row[r].stiffness = k, to->row[r].damping = c;
    return r;
}

/* ---- what the program says ---- */

/* The compliance that the program has given a row; NULL if none. */
static const rls_row_compliance *compliance_of (const rls_workspace *workspace, dJointID joint, int row)
{
    const rls_compliance *wish = RLS_WISH_OF (workspace->wishes->compliances, joint);
    const rls_row_compliance *found = wish ? &wish->row[wish->row[row].given ? row : RLS_MAX_ROWS] : NULL;
    return found && found->stiffness + found->damping > 0 ? found : NULL;
}

void rls_soften (const rls_workspace *workspace, dJointID joint, rls_rows *rows, int r0, int count)
{
    for (int r = r0; r < r0 + count && workspace->wishes->compliances.count > 0; ++r)
    {
        if (rows->sigma2[r] > 0) continue; /* a compliance that the joint has in ODE stays */
        const rls_row_compliance *found =
            compliance_of (workspace, joint, workspace->island.mechanism.ode_row[r]);
        if (!found) continue;
        const double resistance = workspace->h * found->stiffness + found->damping; /* N s/m */
        rows->sigma2[r] = 1 / (workspace->h * resistance);
        rows->target[r] += found->stiffness * rows->residual[r] / resistance;
        rows->residual[r] = 0;
    }
}

/* ---- at the beginning of the step ---- */

/* Finds stiffness k and damping c of a row, from ODE or the program.  Returns 0 for a hard row. */
static int find_stiffness (const rls_workspace *workspace, dJointID joint, const rls_rows *rows, int row,
                           int r, double *k, double *c)
{
    const dJointType type = dJointGetType (joint);
    const double cfm = rows->sigma2[row] * workspace->h;
    if (!(cfm > 0))
    {
        const rls_row_compliance *given = compliance_of (workspace, joint, r);
        if (given) *k = given->stiffness, *c = given->damping;
        return given != NULL;
    }
    const dReal own = rls_ode_own_erp (joint, type, r);
    const double erp = own >= 0 ? own : workspace->settings->world_erp;
    const int motor = r >= rls_ode_base_rows (type) &&
                      !rls_ode_is_locked (joint, type, rls_ode_axis_of_row (joint, type, r));
    rls_spring_of (workspace, motor ? 0 : erp, cfm, k, c);
    return 1;
}

void rls_keep_row (rls_island *s, int to, int from)
{
    rls_rows *rows = &s->begin.rows;
    memmove (rows->J[to], rows->J[from], sizeof (rows->J[from]));
    rows->sigma2[to] = rows->sigma2[from], rows->target[to] = rows->target[from];
    rows->residual[to] = rows->residual[from], rows->coordinate[to] = rows->coordinate[from];
    s->mechanism.ode_row[to] = s->mechanism.ode_row[from];
    s->mechanism.velocity_level[to] = s->mechanism.velocity_level[from];
}

int rls_take_springs (rls_workspace *workspace, int j, int r0, int count)
{
    rls_island *s = &workspace->island;
    rls_bounded *b = &s->begin.bounded;
    rls_rows *rows = &s->begin.rows;
    const int first = b->rows, last = b->joints > 0 ? b->row0[b->joints - 1] : -1;
    const int own = last >= 0 && b->ode_joint[last] == j &&
                    b->ode_row[last] < RLS_STOP_ROWS; /* the joint has bounded rows already */
    int kept = 0;
    double k, c;

    /* soft rows go to the bounded ones, the others close up */
    for (int r = r0; r < r0 + count; ++r)
    {
        const int number = s->mechanism.ode_row[r];
        if (find_stiffness (workspace, workspace->objects.joint[j], rows, r, number, &k, &c))
            rls_append_spring (workspace, j, number, rows->J[r], k, c, -rows->residual[r], rows->target[r]);
        else
            rls_keep_row (s, r0 + kept++, r);
    }

    /* they join the bounded rows of their joint, or become a bounded joint */
    workspace->objects.springs[j] |= b->rows > first;
    if (b->rows == first) return kept;
    if (own)
    {
        rls_length_scale_bounded (s->model.length_scale, b, first, b->rows - first);
        b->row0[b->joints] = b->rows;
    }
    else
        rls_append_joint (workspace, first);
    workspace->objects.spring_rows += b->rows - first;
    return kept;
}

/* ---- at other poses ---- */

/* The direction of a row: linear, or the axis of an angle. */
static const double *direction (const double J[12]) { return rls_is_angular (J) ? J + 3 : J; }

/*
 * T := the rotation that takes the present directions, linear and angular ones separately, to those of the
 * beginning.  Only a rotation leaves the stiffness and the stretch of a spring as they are.  Levers turn with
 * the bodies and do not count. Returns 0 if the directions have turned little, or are no bases of the same
 * space.
 */
static int find_turn (const double *const now[], const double *const beginning[], int count,
                      double T[RLS_MAX_ROWS][RLS_MAX_ROWS])
{
    int turned = 0;
    for (int a = 0; a < count; ++a)
    {
        const double *to = direction (beginning[a]);
        for (int b = 0; b < count; ++b)
            T[a][b] = rls_is_angular (now[b]) == rls_is_angular (beginning[a])
                          ? rls_flat_dot (3, to, direction (now[b]))
                          : 0;
        turned |= !(T[a][a] > RLS_TURNED_LITTLE * rls_flat_dot (3, to, to));
    }
    for (int a = 0; a < count && turned; ++a)
    {
        const size_t n = (size_t)count;
        for (int c = 0; c < a; ++c) rls_flat_add (n, -rls_flat_dot (n, T[a], T[c]), T[c], T[a]);
        const double length = sqrt (rls_flat_dot (n, T[a], T[a]));
        if (!(length > RLS_SMALL_PART)) return 0;
        rls_flat_scale (n, 1 / length, T[a], T[a]);
    }
    return turned;
}

/*
 * Base rows are expressed in the basis of the beginning; rows of axes are unique.  Only the wanted rows are
 * combined with each other: soft rows have a residual and hard ones none, and a combination of both would
 * have neither.  They are combined only if ODE's choice has jumped, because levers turn anyhow.
 */
int rls_read_in_bases (const rls_workspace *workspace, int j, const int *wanted, int count,
                       const rls_row *beginning, rls_row *J, double *residual, double *target)
{
    const rls_program_rows *program = rls_program_rows_of (workspace, workspace->objects.joint[j]);
    const int base = rls_ode_base_rows (dJointGetType (workspace->objects.joint[j]));
    rls_row now_J[RLS_MAX_ROWS];
    double now_target[RLS_MAX_ROWS], now_residual[RLS_MAX_ROWS], sigma2[RLS_MAX_ROWS];
    int number[RLS_MAX_ROWS] = {0, 1, 2, 3, 4, 5}, row0[2] = {0, RLS_MAX_ROWS};
    rls_rows now = {.joints = 1,
                    .row0 = row0,
                    .J = now_J,
                    .target = now_target,
                    .residual = now_residual,
                    .sigma2 = sigma2};

    /* all rows without bounds, in the unit of length */
    const int rows = rls_read_here (workspace, j, &now, 0, number, program ? program->count : RLS_MAX_ROWS);
    if (rows <= 0) return 0;
    rls_length_scale_rows (workspace->island.model.length_scale, &now, 0, rows);

    /* the base rows, now and at the beginning; those of motors may come before them */
    const double *from[RLS_MAX_ROWS], *to[RLS_MAX_ROWS];
    double T[RLS_MAX_ROWS][RLS_MAX_ROWS], left[RLS_MAX_ROWS];
    int place[RLS_MAX_ROWS], based = 0;
    for (int r = 0; r < count; ++r)
    {
        int at = -1; /* its place among the rows, if it is there */
        for (int i = 0; i < rows; ++i)
            if (number[i] == wanted[r]) at = i;
        if (at < 0 && !program && wanted[r] < base) return 0;
        if (at < 0) continue;
        memcpy (J[r], now_J[at], sizeof (J[r]));
        residual[r] = now_residual[at];
        if (target && program) target[r] = now_target[at]; /* targets of ODE's rows do not change */
        if (program || wanted[r] >= base) continue;
        left[based] = now_residual[at], place[based] = r;
        from[based] = now_J[at], to[based++] = beginning[r];
    }

    /* turned to the directions of the beginning */
    const int turned = find_turn (from, to, based, T);
    for (int a = 0; a < based && turned; ++a)
    {
        memset (J[place[a]], 0, sizeof (J[place[a]]));
        residual[place[a]] = 0;
        for (int b = 0; b < based; ++b)
        {
            rls_flat_add (12, T[a][b], from[b], J[place[a]]);
            residual[place[a]] += T[a][b] * left[b];
        }
    }
    return 1;
}
