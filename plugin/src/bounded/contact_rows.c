/* Rows of contacts at the end of a step; contract in contact_rows.h. */
#include "contact_rows.h"
#include "bounded_work.h"
#include "contact_motion.h"

#define LONGEST 2 /* times the last step: farther is a guess */

static void lay_out (rls_contact_history *past, rls_arena_cursor *c)
{
    const size_t joints = (size_t)past->joints, rows = (size_t)past->rows;
    RLS_TAKE (c, joints, past->key, past->arm, past->lever, past->turn);
    RLS_TAKE (c, joints + 1, past->row0);
    RLS_TAKE (c, rows, past->J, past->told);
}

static int keep (rls_contact_history *past, const rls_island *s, double begin, const double (*turn)[3])
{
    const rls_bounded *b = &s->begin.bounded;
    const int same = past->block.memory && past->joints == b->joints && past->rows == b->rows;
    double arm[2][3];
    past->joints = b->joints, past->rows = b->rows;
    const int done = same || RLS_LAY_OUT (past, &past->block, lay_out);
    if (!done)
    {
        past->joints = past->rows = 0;
        return 0;
    }
    past->time = begin, past->length_scale = s->model.length_scale;
    memcpy (past->key, b->key, sizeof (*b->key) * (size_t)b->joints);
    memcpy (past->row0, b->row0, sizeof (*b->row0) * (size_t)(b->joints + 1));
    memcpy (past->arm, b->arm, sizeof (*b->arm) * (size_t)b->joints);
    memcpy (past->turn, turn, sizeof (*turn) * (size_t)b->joints);
    memcpy (past->J, b->J, sizeof (*b->J) * (size_t)b->rows);
    memcpy (past->told, b->J, sizeof (*b->J) * (size_t)b->rows);
    for (int j = 0; j < b->joints; ++j)
        if (rls_bounded_is_contact (b, j)) rls_contact_place (s, j, arm, past->lever[j]);
    return 1;
}

static int same_direction (const double *row, const double *before)
{
    const int part = rls_dot3 (row, row) > 0 ? 0 : 3; /* rolling friction turns */
    const double *now = row + part, *then = before + part;
    return rls_dot3 (now, then) > RLS_TURNED_LITTLE * sqrt (rls_dot3 (now, now) * rls_dot3 (then, then));
}

/* The square of how far contact j is from the one that i was, of how far it may be.  A corner stays on its
 * body, and the point on which a body rolls stays where it is from the body's centre; a coin rocks from one
 * edge to another.  size2: the square of what these are compared with, the arm and both levers. */
static double apart (const rls_contact_history *past, const double arm[3], const double size2[3],
                     const double (*lever)[3], int i)
{
    double least = rls_apart2 (past->arm[i], arm) / size2[0];
    for (int side = 0; side < 2; ++side)
        least = fmin (least, rls_apart2 (past->lever[i][side], lever[side]) / size2[1 + side]);
    return least / (RLS_SAME_POINT * RLS_SAME_POINT);
}

/* Which contact of the last step contact j was, or -1: the nearest one of the same bodies. */
static int find (const rls_contact_history *past, const rls_island *s, int j)
{
    const rls_bounded *b = &s->begin.bounded;
    const int *body = b->body[j], fixed0 = !s->model.movable[body[0]],
              fixed1 = body[1] >= 0 && !s->model.movable[body[1]];
    double nearest = 1, arm[2][3], lever[2][3], size2[3];
    int found = -1;
    rls_contact_place (s, j, arm, lever);

    /* below the middle of a plank the arm is short, and the plank's mean distance from its centre counts; how
     * far away the centre of a kinematic body is says nothing */
    const double *I = s->model.inertia[body[0]],
                 plank2 = fixed0 ? 0 : 0.5 * (I[0] + I[4] + I[8]) / s->model.mass[body[0]];
    for (int side = 0; side < 2; ++side) size2[1 + side] = rls_dot3 (lever[side], lever[side]);
    if (fixed0) size2[1] = size2[2];
    if (fixed1) size2[2] = size2[1];
    size2[0] = fmax (size2[1], plank2);
    for (int i = 0; i < past->joints; ++i)
    {
        if (past->key[i] != b->key[j]) continue;
        const double away = apart (past, b->arm[j], size2, lever, i);
        if (away <= nearest) nearest = away, found = i;
    }
    if (found < 0 || past->row0[found + 1] - past->row0[found] != b->row0[j + 1] - b->row0[j]) return -1;
    return same_direction (b->J[b->row0[j]], past->J[past->row0[found]]) ? found : -1;
}

/* Returns the square of the difference of two rows, relative to the square of the second one. */
static double square_of_change (const double *row, const double *before)
{
    double change[12];
    for (int k = 0; k < 12; ++k) change[k] = row[k] - before[k];
    return rls_dot12 (change, change) / rls_dot12 (before, before);
}

/* True if row J of this step is what followed, a step before, from what touches: to rounding, or at least
 * twice as close to it as to row old of then.  On a face that is none, like the side of a cylinder, it is
 * neither. */
static int is_as_told (const rls_contact_history *past, const double *J, int old)
{
    const double off = 4 * square_of_change (J, past->told[old]);
    return off <= RLS_SEEN * RLS_SEEN || off <= square_of_change (J, past->J[old]);
}

/* Returns which contact of the last step has become contact j as it followed from what touches, or -1. */
static int find_told (const rls_contact_history *past, const rls_bounded *b, int j)
{
    const int first = b->row0[j], count = b->row0[j + 1] - first;
    double least = RLS_SAME_POINT * RLS_SAME_POINT;
    int found = -1;
    for (int n = 0; n < past->joints && b->points[j] && least > RLS_SEEN * RLS_SEEN; ++n)
    {
        const int i = (j + n) % past->joints; /* most are found in the same place again */
        if (past->key[i] != b->key[j] || past->row0[i + 1] - past->row0[i] != count) continue;
        const double change = square_of_change (b->J[first], past->told[past->row0[i]]);
        if (change <= least) least = change, found = i;
    }
    return found >= 0 && is_as_told (past, b->J[first], past->row0[found]) ? found : -1;
}

/* Rows of contact j at the end: those of the beginning, and ways along them. */
static void stay (const rls_bounded *b, rls_bounded *end, int j, double way)
{
    for (int r = b->row0[j]; r < b->row0[j + 1]; ++r)
        memcpy (end->J[r], b->J[r], sizeof (b->J[r])), end->way[r] = way;
}

/* turn := by how much the normal of contact j has turned since it was contact i of the last step.  Returns 1
 * if it goes on turning as it did in that step.  If it does not, the contact is another one, on the next
 * facet of the same ground, or the bodies have begun to turn.  Nor does it if its row has become what it was
 * to be by what touches, which is not known now: the lowest point of a coin that is nearly flat goes from one
 * side to the other, and would go as far once more. */
static int turns_on (const rls_contact_history *past, const rls_bounded *b, int j, int i, double turn[3])
{
    const double *J = b->J[b->row0[j]], *told = past->told[past->row0[i]], *before = past->J[past->row0[i]];
    for (int k = 0; k < 3; ++k) turn[k] = J[k] - before[k];
    if (4 * square_of_change (J, told) < square_of_change (J, before)) return 0;
    const double size = rls_dot3 (turn, turn);
    return size <= RLS_SEEN * RLS_SEEN || rls_dot3 (turn, past->turn[i]) > RLS_LITTLE * size;
}

/* Extrapolates the rows of contact j, which was contact i of the last step, except those that follow from
 * what touches (told). */
static void extrapolate_rows (const rls_contact_history *past, const rls_bounded *b, rls_bounded *end, int j,
                              int i, int told, double ratio)
{
    for (int r = b->row0[j], old = past->row0[i]; r < b->row0[j + 1]; ++r, ++old)
    {
        /* friction of a cone turns as the bodies slide, and ODE's has other directions on slopes of more than
         * half a right angle */
        if (!same_direction (b->J[r], past->J[old])) continue;
        if (told && (r == b->row0[j] || is_as_told (past, b->J[r], old))) continue;
        for (int k = 0; k < 12; ++k) end->J[r][k] += ratio * (b->J[r][k] - past->J[old][k]);
        end->way[r] = NAN;
    }
}

/*
 * Sets the rows at the end of all contacts that what touches or their pasts tell.  Returns 1 if these are all
 * contacts.  What touches tells the row of a contact that is new, too; not where the step before has refuted
 * it.  ratio: of this step to the last one; 0: no rows are extrapolated.  turn: joints.
 */
static int tell_all (const rls_contact_history *past, rls_island *s, double ratio, double (*turn)[3])
{
    const rls_bounded *b = &s->begin.bounded;
    int all = 1;
    for (int j = 0; j < b->joints; ++j)
    {
        if (!rls_bounded_is_contact (b, j) || rls_bounded_is_expected (b, j)) continue;
        const int told = find_told (past, b, j), was = told < 0 ? find (past, s, j) : told,
                  on = told < 0 && was >= 0 && turns_on (past, b, j, was, turn[j]) && ratio > 0,
                  is_new = was < 0 && b->points[j];
        stay (b, &s->end.bounded, j, told < 0 && !is_new ? NAN : 0);
        if (told >= 0 || on)
            extrapolate_rows (past, b, &s->end.bounded, j, was, told >= 0, ratio);
        else if (!is_new)
            all = 0;
    }
    return all;
}

/* In a step that is taken again: what was told of contacts is where the first trial ended, and is set back to
 * where the step begins.  Not on rims of cylinders, whose point would go round from impact to impact, nor of
 * compliant contacts, whose motion becomes no better by it. */
static void begin_again (const rls_contact_history *past, const rls_bounded *b)
{
    const size_t row = sizeof (*b->J);
    if (past->joints != b->joints || past->rows != b->rows || b->rows == 0 ||
        memcmp (past->J, b->J, row * (size_t)b->rows) != 0)
        return;
    for (int j = 0; j < b->joints; ++j)
    {
        const int first = b->row0[j], rim = b->axis[j][3] > 0;
        if (!rim && !rls_bounded_is_soft (b, first))
            memcpy (past->told + first, b->J + first, row * (size_t)(b->row0[j + 1] - first));
    }
}

int rls_contact_rows_at_end (rls_island *s, double h, int extrapolate)
{
    struct rls_bounded_kept *kept = rls_bounded_kept_of (s);
    if (!kept) return 0;
    const rls_bounded *b = &s->begin.bounded;
    rls_contact_history *past = &kept->past;
    if (b->rows > RLS_SMALL_ISLAND || past->length_scale != s->model.length_scale) past->joints = 0;
    const double begin = s->provider.time - h, ratio = h / (begin - past->time);
    double turn[RLS_SMALL_ISLAND][3];
    begin_again (past, b);
    if (b->rows <= RLS_SMALL_ISLAND) memset (turn, 0, sizeof (*turn) * (size_t)b->joints);
    const int all_stay = !extrapolate || b->rows > RLS_SMALL_ISLAND ||
                         !tell_all (past, s, ratio > 0 && ratio < LONGEST ? ratio : 0, turn);
    for (int j = 0; j < b->joints; ++j)
    {
        const int expected = rls_bounded_is_expected (b, j); /* points of their bodies */
        if (expected || (all_stay && rls_bounded_is_contact (b, j)))
            stay (b, &s->end.bounded, j, expected && b->rows <= RLS_SMALL_ISLAND ? 0 : NAN);
    }
    return b->rows > RLS_SMALL_ISLAND || !rls_bounded_has_contacts (b) ||
           keep (past, s, begin, (const double (*)[3])turn);
}

void rls_contact_rows_follow (rls_island *s, const rls_pose *from, const rls_pose *to, int all)
{
    const rls_bounded *b = &s->begin.bounded;
    rls_contact_history *past = &s->bounded_kept->past;
    for (int j = 0; j < b->joints; ++j)
    {
        const int first = b->row0[j], count = b->row0[j + 1] - first;
        double (*J)[12] = s->end.bounded.J + first;
        const int moves = b->located[first] || (all && s->begin.rows.rows == 0 && b->p[first] != 0 &&
                                                !isnan (s->end.bounded.way[first]));
        if (!rls_bounded_is_contact (b, j) || !moves || !b->points[j]) continue;
        rls_contact_move (b, j, from, to, J, NULL);
        if (past->joints > 0) memcpy (past->told + first, J, sizeof (*J) * (size_t)count);
    }
}

/* Returns 1 if a body of contact j turns visibly in a step of h (s) with velocities du. */
static int turns (const rls_bounded *b, int j, double h, const double (*du)[6])
{
    const int *body = b->body[j];
    double fastest = 0;
    for (int side = 0; side < 2; ++side)
        for (int k = 3; k < 6 && body[side] >= 0; ++k) fastest = fmax (fastest, fabs (du[body[side]][k]));
    return h * fastest > RLS_SEEN;
}

void rls_contact_rows_move (rls_island *s, double h, const rls_pose *from, const double (*du)[6])
{
    const rls_bounded *b = &s->begin.bounded;
    rls_bounded *end = &s->end.bounded;
    rls_contact_history *past = &s->bounded_kept->past;
    for (int j = 0; j < b->joints && past->joints > 0; ++j)
    {
        if (!rls_bounded_is_contact (b, j) || !b->points[j]) continue;
        const int first = b->row0[j], count = b->row0[j + 1] - first,
                  turned = b->points[j] == 3 || turns (b, j, h, du); /* the line between centres turns */
        double (*J)[12] = past->told + first, way[RLS_MAX_ROWS];
        if (turned)
            rls_contact_move (b, j, from, s->next.pose, J,
                              &(rls_contact_motion){.h = h, .du = du, .way = way});
        else
            memcpy (J, b->J + first, sizeof (*J) * (size_t)count);

        /* into the rows that are not extrapolated instead */
        for (int i = 0, r = first; i < count; ++i, ++r)
        {
            if (isnan (end->way[r])) continue;
            memcpy (end->J[r], J[i], sizeof (*J));
            end->way[r] = turned ? way[i] : h * rls_bounded_velocity (b, j, r, du);
        }
    }
}

void rls_contact_history_repeat (rls_island *s)
{
    if (s->bounded_kept) s->bounded_kept->past.time = s->provider.time;
}
