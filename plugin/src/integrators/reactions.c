/* Mean reactions; contract in reactions.h. */
#include "reactions.h"
#include "island/redistribute.h"
#include "kernels/parts.h"
#include <string.h>

void rls_reactions_add_parts (rls_island *s, const rls_rows *rows, const double *p)
{
    for (int i = 0; i < rows->parts; ++i)
    {
        const int r0 = rows->row0[rows->part[i].joint], m = rows->row0[rows->part[i].joint + 1] - r0;
        for (int r = 0; r < m; ++r)
            for (int k = 0; k < 12; ++k)
                s->part_impulse[i][k] += p[r0 + r] * rows->part_J[i * RLS_MAX_ROWS + r][k];
    }
}

void rls_reactions_begin (rls_island *s)
{
    s->joint_impulses = s->wants_reactions && !s->wants_end;
    if (!s->joint_impulses) return;
    memset (s->joint_impulse, 0, sizeof (*s->joint_impulse) * (size_t)s->rows.joints);
    if (s->rows.parts > 0) memset (s->part_impulse, 0, sizeof (*s->part_impulse) * (size_t)s->rows.parts);
}

void rls_reactions_add_impulses (rls_island *s, const rls_factor *factor, const rls_rows *rows, double *p)
{
    if (!s->joint_impulses || rows->rows == 0) return;

    /* of multipliers that do the same, the least */
    const rls_self_stress stress = {factor, rows, s->bodies, s->scratch6, s->scratch_rows};
    rls_redistribute (&stress, p);

    for (int j = 0; j < rows->joints; ++j)
    {
        rls_row room[RLS_MAX_ROWS];
        const rls_row *J = rls_joint_rows (rows, j, room);
        for (int r = rows->row0[j]; r < rows->row0[j + 1]; ++r)
            for (int k = 0; k < 12; ++k) s->joint_impulse[j][k] += p[r] * J[r - rows->row0[j]][k];
    }
    rls_reactions_add_parts (s, rows, p);
}

void rls_reactions_add (rls_island *s, const rls_factor *factor, const rls_rows *rows, const double (*dv)[6])
{
    if (!s->joint_impulses || rows->rows == 0) return;

    /* the multipliers p with M^-1 H'p = dv */
    rls_rows_velocity (rows, dv, s->p);
    rls_factor_solve (factor, rows, s->p);
    rls_reactions_add_impulses (s, factor, rows, s->p);
}

void rls_reactions_add_times (rls_island *s, const rls_factor *factor, const rls_rows *rows, double time,
                              const double (*a)[6])
{
    if (!s->joint_impulses) return;
    for (int b = 0; b < s->bodies; ++b)
        for (int k = 0; k < 6; ++k) s->noted_v[b][k] = time * a[b][k];
    rls_reactions_add (s, factor, rows, (const double (*)[6])s->noted_v);
}

void rls_reactions_note (rls_island *s, const double (*v)[6])
{
    if (s->joint_impulses) memcpy (s->noted_v, v, sizeof (*v) * (size_t)s->bodies);
}

void rls_reactions_add_since (rls_island *s, const rls_factor *factor, const rls_rows *rows,
                              const double (*v)[6])
{
    if (!s->joint_impulses) return;
    for (int b = 0; b < s->bodies; ++b)
        for (int k = 0; k < 6; ++k) s->noted_v[b][k] = s->movable[b] ? v[b][k] - s->noted_v[b][k] : 0;
    rls_reactions_add (s, factor, rows, (const double (*)[6])s->noted_v);
}
