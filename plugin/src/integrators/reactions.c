/* Sums of the joints' impulses; contract in reactions.h. */
#include "reactions.h"
#include "island/redistribute.h"

/* Sets the sums of all joints and parts to 0. */
static void clear (rls_island *s)
{
    memset (s->reactions.joint_impulse, 0,
            sizeof (*s->reactions.joint_impulse) * (size_t)s->begin.rows.joints);
    if (s->begin.rows.parts.count > 0)
        memset (s->reactions.part_impulse, 0,
                sizeof (*s->reactions.part_impulse) * (size_t)s->begin.rows.parts.count);
}

void rls_reactions_begin (rls_island *s)
{
    s->reactions.counted = s->reactions.wanted && !s->reactions.of_end;
    s->reactions.closing = 0;
    if (s->reactions.counted) clear (s);
}

/* Adds impulses p along rows to the sums of their joints and parts. */
static void add_impulses (rls_island *s, const rls_factor *factor, const rls_rows *rows, double *p)
{
    /* of all impulses with the same effect those of least norm */
    const rls_self_stress stress = {factor, rows, s->scratch.six, s->scratch.rows};
    rls_redistribute (&stress, p);

    /* as impulses and angular impulses on the bodies */
    for (int j = 0; j < rows->joints; ++j)
    {
        rls_row room[RLS_MAX_ROWS];
        const rls_row *J = rls_joint_rows (rows, j, room);
        for (int r = rows->row0[j]; r < rows->row0[j + 1]; ++r)
            for (int k = 0; k < 12; ++k) s->reactions.joint_impulse[j][k] += p[r] * J[r - rows->row0[j]][k];
    }
    for (int i = 0; i < rows->parts.count; ++i)
        for (int k = 0; k < 12 && rows->parts.of[i].row >= 0; ++k)
            s->reactions.part_impulse[i][k] += p[rows->parts.of[i].row] * rows->parts.J[i][k];
}

void rls_reactions_add_impulses (rls_island *s, const rls_factor *factor, const rls_rows *rows, double *p)
{
    if (s->reactions.counted && rows->rows > 0) add_impulses (s, factor, rows, p);
}

void rls_find_impulses (rls_island *s, double h)
{
    if (!s->reactions.change) return;

    /* known by the change of velocities that they make: H M^-1 H' p = h H change */
    const double whole = h / s->reactions.part;
    rls_rows_velocity (&s->reactions.at->rows, s->reactions.change, s->reactions.p);
    for (int r = 0; r < s->begin.rows.rows; ++r) s->reactions.p[r] *= whole;
    rls_factor_solve (&s->reactions.at->factor, &s->reactions.at->rows, s->reactions.p);
    s->reactions.change = NULL;
}

/* p := the impulses along the rows that have changed velocities by noted_v. */
static void find_from_change (const rls_island *s, const rls_constraints *at, double *p)
{
    rls_rows_velocity (&at->rows, s->reactions.noted_v, p);
    rls_factor_solve (&at->factor, &at->rows, p);
}

void rls_reactions_of_one_pose (rls_island *s, double h)
{
    double *also = s->scratch.rows;
    rls_find_impulses (s, h);
    clear (s);
    if (s->reactions.closing > 0)
    {
        find_from_change (s, s->reactions.at, also);
        rls_flat_add (s->begin.rows.rows, 1, also, s->reactions.p);
    }
    add_impulses (s, &s->reactions.at->factor, &s->reactions.at->rows, s->reactions.p);
}

/* Adds the impulses that have changed velocities by noted_v. */
static void add_change (rls_island *s, const rls_constraints *at)
{
    find_from_change (s, at, s->reactions.p);
    rls_reactions_add_impulses (s, &at->factor, &at->rows, s->reactions.p);
}

void rls_reactions_add (rls_island *s, const rls_constraints *at, const double (*from)[6],
                        const double (*to)[6])
{
    if (!s->reactions.counted || at->rows.rows == 0) return;
    for (int b = 0; b < s->model.bodies; ++b)
        for (int k = 0; k < 6; ++k)
            s->reactions.noted_v[b][k] = s->model.movable[b] ? to[b][k] - from[b][k] : 0;
    add_change (s, at);
}

void rls_reactions_add_times (rls_island *s, const rls_constraints *at, double time, const double (*a)[6])
{
    if (!s->reactions.counted || at->rows.rows == 0) return;
    rls_flat_scale (6 * s->model.bodies, time, a[0], s->reactions.noted_v[0]);
    add_change (s, at);
}
