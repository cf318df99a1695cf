/*
 * ODE's rows with bounds -> island.bounded: limits, motors, contacts and their friction.
 *
 * Every joint has a key by which its impulses are found again in the next step, and a contact its point
 * besides.
 */
#include "gather.h"
#include "island/rotation.h"
#include "unit.h"
#include <math.h>
#include <string.h>

/* Contact point relative to body 1 (body axes), from the rows themselves: the part of c1 that the rows'
 * directions d and moments c1 x d determine. */
static void contact_arm (const rls_island *s, int body, const rls_ode_rows *rows, int m, double arm[3])
{
    double sum[3] = {0}, R[9];
    const int used = m < 3 ? m : 3;
    for (int r = 0; r < used; ++r)
    {
        double d[3], moment[3], part[3];
        rls_copy (d, rows->J[r], 3), rls_copy (moment, rows->J[r] + 3, 3);
        rls_cross (d, moment, part);
        for (int k = 0; k < 3; ++k) sum[k] += part[k] * (used == 3 ? 0.5 : 1.0);
    }
    rls_quaternion_matrix (s->pose[body].q, R);
    rls_multiply_transposed (R, sum, arm);
}

static uint64_t mix (uint64_t x)
{
    x = (x ^ (x >> 33)) * 0x9E3779B97F4A7C15ull;
    x = (x ^ (x >> 29)) * 0xC2B2AE3D27D4EB4Full;
    return x ^ (x >> 32);
}

/* The same whichever body comes first: collision detection may turn them round from step to step. */
static uint64_t contact_key (const rls_cell *cell, int j)
{
    uint64_t key = 0;
    for (int side = 0; side < 2; ++side)
    {
        const int b = cell->joint_body[j][side];
        key += mix ((uint64_t)(uintptr_t)(b < 0 ? NULL : cell->body[b]));
    }
    return key | 1;
}

static double impulse_bound (dReal bound, double h)
{
    if (bound <= -dInfinity) return -HUGE_VAL;
    return bound >= dInfinity ? HUGE_VAL : bound * h;
}

int rls_read_bounded (rls_cell *cell, int j, int m, const rls_ode_rows *from)
{
    rls_bounded *to = &cell->island.bounded;
    int place[RLS_ODE_MAX_ROWS], count = 0;
    const int first = to->rows;
    for (int r = 0; r < m; ++r) place[r] = rls_is_bilateral (from, r) ? -1 : first + count++;
    if (count == 0) return 0;
    for (int r = 0; r < m; ++r)
    {
        const int row = place[r];
        if (row < 0) continue;
        rls_copy (to->J[row], from->J[r], 12);
        to->softness[row] = from->rhs_cfm[r][1] / cell->h;
        to->target[row] = from->rhs_cfm[r][0];
        to->follow[row] = from->findex[r] >= 0 ? place[from->findex[r]] : -1;
        if (to->follow[row] >= 0) /* the bound is a coefficient of friction */
            to->hi[row] = from->lo_hi[r][1] >= dInfinity ? HUGE_VAL : from->lo_hi[r][1];
        else
            to->hi[row] = impulse_bound (from->lo_hi[r][1], cell->h);
        to->lo[row] = to->follow[row] >= 0 ? -to->hi[row] : impulse_bound (from->lo_hi[r][0], cell->h);
        to->p[row] = 0;
        to->ode_joint[row] = j;
        to->ode_row[row] = r;
    }
    const int at = to->joints++;
    to->body1[at] = cell->joint_body[j][0];
    to->body2[at] = cell->joint_body[j][1];
    to->row0[at] = first;
    to->rows += count;
    to->row0[at + 1] = to->rows;
    rls_unit_bounded (cell->island.unit, to, first, count);
    memset (to->arm[at], 0, sizeof (to->arm[at]));
    if (dJointGetType (cell->joint[j]) == dJointTypeContact)
    {
        to->key[at] = contact_key (cell, j);
        contact_arm (&cell->island, to->body1[at], from, m, to->arm[at]);
        for (int k = 0; k < 3; ++k) to->arm[at][k] /= cell->island.unit;
    }
    else
        to->key[at] = (uint64_t)(uintptr_t)cell->joint[j] & ~(uint64_t)1;
    return count;
}
