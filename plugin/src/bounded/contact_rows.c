/* Rows of contacts at the end of a step; contract in contact_rows.h. */
#include "contact_rows.h"
#include "bounded_work.h"
#include "island/rotation.h"
#include "tolerances.h"
#include <math.h>
#include <string.h>

#define LONGEST 2 /* times the last step: farther is a guess */

static void lay_out (rls_contact_history *past, rls_arena_cursor *c)
{
    const size_t joints = (size_t)past->joints, rows = (size_t)past->rows;
    RLS_TAKE (c, past->key, joints);
    RLS_TAKE (c, past->row0, joints + 1);
    RLS_TAKE (c, past->arm, joints);
    RLS_TAKE (c, past->lever, joints);
    RLS_TAKE (c, past->J, rows);
}

/* lever := the contact point from the centres of its bodies; where the second one is the world, which has
 * none, from that of the first. */
static void place_levers (const rls_island *s, int j, double lever[2][3])
{
    const rls_bounded *b = &s->begin.bounded;
    const rls_pose *one = &s->state.pose[b->body1[j]],
                   *two = b->body2[j] < 0 ? one : &s->state.pose[b->body2[j]];
    double R[9];
    rls_quaternion_matrix (one->q, R);
    rls_multiply (R, b->arm[j], lever[0]);
    for (int k = 0; k < 3; ++k) lever[1][k] = one->x[k] + lever[0][k] - two->x[k];
}

static int keep (rls_contact_history *past, const rls_island *s, double begin)
{
    const rls_bounded *b = &s->begin.bounded;
    int done;
    past->joints = b->joints, past->rows = b->rows;
    RLS_LAY_OUT (past, &past->block, lay_out, done);
    if (!done)
    {
        past->joints = past->rows = 0;
        return 0;
    }
    past->time = begin, past->length_scale = s->model.length_scale;
    memcpy (past->key, b->key, sizeof (*b->key) * (size_t)b->joints);
    memcpy (past->row0, b->row0, sizeof (*b->row0) * (size_t)(b->joints + 1));
    memcpy (past->arm, b->arm, sizeof (*b->arm) * (size_t)b->joints);
    memcpy (past->J, b->J, sizeof (*b->J) * (size_t)b->rows);
    for (int j = 0; j < b->joints; ++j)
        if (rls_bounded_is_contact (b, j)) place_levers (s, j, past->lever[j]);
    return 1;
}

static double square_of_distance (const double a[3], const double b[3])
{
    const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return rls_dot3 (d, d);
}

static int same_direction (const double *row, const double *before)
{
    const int part =
        row[0] * row[0] + row[1] * row[1] + row[2] * row[2] > 0 ? 0 : 3; /* rolling friction turns */
    double both = 0, one = 0, other = 0;
    for (int k = part; k < part + 3; ++k)
        both += row[k] * before[k], one += row[k] * row[k], other += before[k] * before[k];
    return both > RLS_TURNED_LITTLE * sqrt (one * other);
}

/* The square of how far contact j is from the one that i was, of how far it may be.  A corner stays on its
 * body, and the point on which a body rolls stays where it is from the body's centre; a coin rocks from one
 * edge to another. */
static double apart (const rls_contact_history *past, const double arm[3], const double (*lever)[3], int i)
{
    const double zero[3] = {0};
    double least = square_of_distance (past->arm[i], arm) / square_of_distance (arm, zero);
    for (int side = 0; side < 2; ++side)
        least = fmin (least, square_of_distance (past->lever[i][side], lever[side]) /
                                 square_of_distance (lever[side], zero));
    return least / (RLS_SAME_POINT * RLS_SAME_POINT);
}

/* Which contact of the last step contact j was, or -1: the nearest one of the same bodies. */
static int find (const rls_contact_history *past, const rls_island *s, int j)
{
    const rls_bounded *b = &s->begin.bounded;
    double nearest = 1, lever[2][3];
    int found = -1;
    place_levers (s, j, lever);
    for (int i = 0; i < past->joints; ++i)
    {
        if (past->key[i] != b->key[j]) continue;
        const double away = apart (past, b->arm[j], (const double (*)[3])lever, i);
        if (away <= nearest) nearest = away, found = i;
    }
    if (found < 0 || past->row0[found + 1] - past->row0[found] != b->row0[j + 1] - b->row0[j]) return -1;
    for (int k = 0; k < b->row0[j + 1] - b->row0[j]; ++k)
        if (!same_direction (b->J[b->row0[j] + k], past->J[past->row0[found] + k])) return -1;
    return found;
}

/* 1 where all contacts have rows at the end that their pasts tell. */
static int extrapolate_all (const rls_contact_history *past, rls_island *s, double ratio)
{
    const rls_bounded *b = &s->begin.bounded;
    rls_bounded *end = &s->end.bounded;
    for (int j = 0; j < b->joints; ++j)
    {
        if (!rls_bounded_is_contact (b, j)) continue;
        const int was = find (past, s, j);
        if (was < 0) return 0;
        for (int r = b->row0[j], old = past->row0[was]; r < b->row0[j + 1]; ++r, ++old)
            for (int k = 0; k < 12; ++k) end->J[r][k] = b->J[r][k] + ratio * (b->J[r][k] - past->J[old][k]);
    }
    return 1;
}

int rls_contact_rows_at_end (rls_island *s, double h, int extrapolate)
{
    struct rls_bounded_work *w = rls_bounded_work_of (s);
    if (!w) return 0;
    const rls_bounded *b = &s->begin.bounded;
    rls_contact_history *past = &w->past;
    if (b->rows > RLS_SMALL_ISLAND) past->joints = 0;
    const double begin = s->provider.time - h, ratio = h / (begin - past->time);
    const int known =
        past->joints > 0 && past->length_scale == s->model.length_scale && ratio > 0 && ratio < LONGEST;
    if (!extrapolate || !known || !extrapolate_all (past, s, ratio))
        for (int j = 0; j < b->joints; ++j)
            for (int r = b->row0[j]; r < b->row0[j + 1] && rls_bounded_is_contact (b, j); ++r)
                memcpy (s->end.bounded.J[r], b->J[r], sizeof (b->J[r]));
    return b->rows > RLS_SMALL_ISLAND || keep (past, s, begin);
}

/* ---- contacts that rebound, which have no past ---- */

/* Where a contact is at a pose. */
typedef struct
{
    double R[2][9];    /* body axes to world */
    double centre[3];  /* of what is round, or the point itself; world */
    double between[3]; /* where both bodies have one: from that of body 2 to that of body 1 */
    double normal[3];
    double away;        /* m: from the centre to where the bodies touch, along the normal */
    const double *x[2]; /* bodies */
} place;

static place place_of (const rls_bounded *b, int j, const rls_pose *pose)
{
    static const double origin[3];
    const int body[2] = {b->body1[j], b->body2[j]}, first = b->points[j] & 1 ? 0 : 1;
    double point[2][3] = {{0}};
    place at = {.x = {origin, origin}};
    for (int side = 0; side < 2; ++side)
    {
        if (body[side] < 0) continue;
        at.x[side] = pose[body[side]].x;
        rls_quaternion_matrix (pose[body[side]].q, at.R[side]);
        rls_multiply (at.R[side], b->centre[j][side], point[side]);
        for (int k = 0; k < 3; ++k) point[side][k] += at.x[side][k];
    }
    memcpy (at.centre, point[first], sizeof (at.centre));
    at.away = (first ? 1 : -1) * b->centre[j][first][3];
    for (int k = 0; k < 3; ++k) at.between[k] = point[0][k] - point[1][k];
    return at;
}

/* out := a direction of the contact, turned with the body that has a face there or, by the least turn, with
 * the line between two centres. */
static void turn_direction (const rls_bounded *b, int j, const place *from, const place *to, const double *d,
                            double out[3])
{
    const int side = b->points[j] == 1 ? 1 : 0, carrier = side ? b->body2[j] : b->body1[j];
    double own[3], turn[3], change[3];
    memcpy (out, d, sizeof (own));
    if (b->points[j] != 3)
    {
        if (carrier < 0) return;
        rls_multiply_transposed (from->R[side], d, own);
        rls_multiply (to->R[side], own, out);
        return;
    }
    const double size = sqrt (rls_dot3 (from->between, from->between) * rls_dot3 (to->between, to->between));
    if (!(size > 0)) return;
    rls_cross (from->between, to->between, turn);
    rls_cross (turn, d, change);
    for (int k = 0; k < 3; ++k) out[k] = d[k] + change[k] / size;
    const double length = sqrt (rls_dot3 (out, out));
    for (int k = 0; k < 3; ++k) out[k] /= length;
}

/* The part of a row along d that turns the body on a side. */
static void lever (const place *at, int side, const double *d, double out[3])
{
    double arm[3];
    for (int k = 0; k < 3; ++k) arm[k] = at->centre[k] + at->away * at->normal[k] - at->x[side][k];
    rls_cross (arm, d, out);
}

/* How far from the centre ODE lets a row of friction act: where the bodies overlap, somewhere between their
 * surfaces. */
static double measured_away (const place *at, const double *J)
{
    double across[3], lever0[3];
    place on_centre = *at;
    on_centre.away = 0;
    lever (&on_centre, 0, J, lever0);
    for (int k = 0; k < 3; ++k) lever0[k] = J[3 + k] - lever0[k];
    rls_cross (at->normal, J, across);
    return rls_dot3 (lever0, across);
}

/* J := row d of contact j, by what has changed from one place to the other. */
static void follow_row (const rls_bounded *b, int j, const place *was, const place *is, const double *d,
                        double *J)
{
    double now[3], lever0[3], lever1[3];
    memcpy (J, d, 12 * sizeof (double));
    if (!(rls_dot3 (d, d) > 0)) return; /* rolling friction */
    turn_direction (b, j, was, is, d, now);
    for (int side = 0; side < 2; ++side)
    {
        const double sign = side ? -1 : 1;
        if ((side ? b->body2[j] : b->body1[j]) < 0) continue;
        lever (was, side, d, lever0), lever (is, side, now, lever1);
        for (int k = 0; k < 3; ++k) J[6 * side + k] += sign * (now[k] - d[k]);
        for (int k = 0; k < 3; ++k) J[6 * side + 3 + k] += sign * (lever1[k] - lever0[k]);
    }
}

void rls_contact_rows_follow (rls_island *s, const rls_pose *from, const rls_pose *to)
{
    const rls_bounded *b = &s->begin.bounded;
    for (int j = 0; j < b->joints; ++j)
    {
        const int first = b->row0[j], last = b->row0[j + 1];
        if (!rls_bounded_is_contact (b, j) || !b->located[first] || b->points[j] == 0) continue;
        place was = place_of (b, j, from), is = place_of (b, j, to);
        memcpy (was.normal, b->J[first], sizeof (was.normal));
        turn_direction (b, j, &was, &is, was.normal, is.normal);
        if (last > first + 1 && rls_dot3 (b->J[first + 1], b->J[first + 1]) > 0)
            was.away = measured_away (&was, b->J[first + 1]);
        for (int r = first; r < last; ++r) follow_row (b, j, &was, &is, b->J[r], s->end.bounded.J[r]);
    }
}

void rls_contact_history_repeat (rls_island *s)
{
    if (s->bounded_work) s->bounded_work->past.time = s->provider.time;
}
