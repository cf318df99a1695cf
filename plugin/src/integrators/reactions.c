/* Mean reactions; contract in reactions.h. */
#include "reactions.h"
#include "corrections/redistribute.h"
#include <string.h>

void rls_reactions_begin (rls_island *s)
{
    s->joint_impulses = s->wants_reactions;
    if (s->wants_reactions) memset (s->joint_impulse, 0, sizeof (*s->joint_impulse) * (size_t)s->rows.joints);
}

void rls_reactions_add (rls_island *s, const rls_factor *factor, const rls_rows *rows, const double (*dv)[6])
{
    if (!s->wants_reactions || rows->rows == 0) return;

    /* the multipliers p with M^-1 H'p = dv, and of those that do the same, the least */
    rls_rows_velocity (rows, dv, s->p);
    rls_factor_solve (factor, rows, s->p);
    const rls_self_stress stress = {factor, rows, s->bodies, s->scratch6, s->scratch_rows};
    rls_redistribute (&stress, s->p);

    for (int j = 0; j < rows->joints; ++j)
    {
        rls_row room[RLS_MAX_ROWS];
        const rls_row *J = rls_joint_rows (rows, j, room);
        for (int r = rows->row0[j]; r < rows->row0[j + 1]; ++r)
            for (int k = 0; k < 12; ++k) s->joint_impulse[j][k] += s->p[r] * J[r - rows->row0[j]][k];
    }
}
