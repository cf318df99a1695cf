/* Light bodies: which they are, and their raised mass matrices.  The contract is in mass_scaling.h. */
#include "mass_scaling.h"

#define MOST_SWEEPS 20 /* over how many joints a reference is passed on at most */

static void lay_out (rls_mass_scaling *m, rls_arena_cursor *c)
{
    const size_t bodies = (size_t)m->bodies;
    RLS_TAKE (c, bodies, m->is, m->lever, m->reference);
}

/* h' M^-1 h of a row's six entries on a body of that mass and inertia. */
static double mobility (const double reference[2], const double J[6])
{
    return rls_square3 (J) / reference[0] + rls_square3 (J + 3) / reference[1];
}

/* Calls side for each row and each of its bodies, with the six entries h there. */
static void visit (rls_mass_scaling *m, const rls_rows *rows,
                   void side (rls_mass_scaling *m, const rls_rows *rows, int b, const double h[6]))
{
    for (int j = 0; j < rows->joints; ++j)
    {
        rls_row room[RLS_MAX_ROWS];
        const rls_row *J = rls_joint_rows (rows, j, room);
        for (int i = 0; i < 2 * (rows->row0[j + 1] - rows->row0[j]); ++i)
        {
            const int b = rows->body[j][i % 2];
            if (b >= 0) side (m, rows, b, J[i / 2] + 6 * (i % 2));
        }
    }
}

/* ---- which bodies are light ---- */

/* Updates the longest lever of body b by one of its rows. */
static void add_lever (rls_mass_scaling *m, const rls_rows *rows, int b, const double h[6])
{
    const double force = rls_square3 (h), torque = rls_square3 (h + 3);
    (void)rows;
    if (force > RLS_DEPENDENT * RLS_DEPENDENT * torque) m->lever[b] = fmax (m->lever[b], torque / force);
}

/* Raises the reference of body a to a part of that of body b.  The levers with which its joints can turn body
 * a limit its inertia, so that it is not held against what moves it.  Returns 1 if the reference has grown.
 */
static int pass_on (rls_mass_scaling *m, int a, int b)
{
    double *to = m->reference[a];
    const double *from = m->reference[b], mass = RLS_SMALL_PART * from[0];
    double inertia = RLS_SMALL_PART * from[1];
    const int more = mass > to[0];
    to[0] = fmax (to[0], mass);
    if (m->lever[a] > RLS_NEGLIGIBLE * from[1] / from[0]) inertia = fmin (inertia, to[0] * m->lever[a]);
    if (inertia <= to[1]) return more;
    to[1] = inertia;
    return 1;
}

/* The reference of each body: its own mass and inertia, or a part of a neighbour's, passed on from body to
 * body. */
static void find_references (rls_mass_scaling *m, const rls_rows *rows, const double (*inertia)[9])
{
    int changed = 1;
    for (int b = 0; b < m->bodies; ++b)
    {
        if (!rows->movable[b]) continue;
        m->reference[b][0] = rows->mass[b];
        m->reference[b][1] =
            fmax (0.5 * (inertia[b][0] + inertia[b][4] + inertia[b][8]), rows->mass[b] * m->lever[b]);
    }
    for (int sweep = 0; sweep < MOST_SWEEPS && changed; ++sweep)
    {
        changed = 0;
        for (int j = 0; j < rows->joints; ++j)
        {
            const int a = rows->body[j][0], b = rows->body[j][1];
            if (a < 0 || b < 0 || !rows->movable[a] || !rows->movable[b]) continue;
            changed |= pass_on (m, a, b);
            changed |= pass_on (m, b, a);
        }
    }
}

/* Marks body b as light if one of its rows moves it far more easily than its reference. */
static void mark_light (rls_mass_scaling *m, const rls_rows *rows, int b, const double h[6])
{
    double turn[3];
    if (!rows->movable[b]) return;
    rls_multiply (rows->W[b], h + 3, turn);
    const double now = rls_square3 (h) / rows->mass[b] + rls_dot3 (h + 3, turn);
    m->is[b] |= now > RLS_LIGHT * mobility (m->reference[b], h);
}

int rls_mass_scaling_find (rls_mass_scaling *m, const rls_rows *rows, const rls_order *order,
                           const double (*inertia)[9])
{
    const int bodies = m->bodies = rows->bodies;
    m->count = 0;
    if (!RLS_LAY_OUT (m, &m->block, lay_out)) return 0;
    memset (m->lever, 0, sizeof (double) * (size_t)bodies);
    visit (m, rows, add_lever);
    find_references (m, rows, inertia);
    memset (m->is, 0, (size_t)bodies);
    visit (m, rows, mark_light);
    for (int h = 0; h < order->dense_bodies; ++h) m->is[order->dense_body[h]] = 0;
    for (int b = 0; b < bodies; ++b) m->count += m->is[b];
    if (m->count == 0) return 1;
    const int done = RLS_GROW (&m->raised, m->P, bodies);
    if (!done) m->count = 0;
    return done;
}

/* ---- raised masses ---- */

/* Adds a row of body b to its mass matrix, as an imperfect constraint of this body alone: with z = P h, the
 * inverse P becomes P - z z' / (h' z + sigma^2). */
static void raise (rls_mass_scaling *m, const rls_rows *rows, int b, const double h[6])
{
    double z[6], *P = m->P[b];
    (void)rows;
    if (!m->is[b]) return;
    for (int i = 0; i < 6; ++i) z[i] = rls_dot6 (P + 6 * i, h);
    const double s = rls_dot6 (h, z) + mobility (m->reference[b], h);
    for (int i = 0; i < 6 && s > 0; ++i)
        for (int k = 0; k < 6; ++k) P[6 * i + k] -= z[i] * z[k] / s;
}

void rls_mass_scaling_apply (rls_mass_scaling *m, const rls_rows *rows)
{
    memset (m->P, 0, sizeof (*m->P) * (size_t)m->bodies);
    for (int b = 0; b < m->bodies; ++b)
        for (int i = 0; i < 3 && m->is[b]; ++i)
        {
            m->P[b][7 * i] = 1 / rows->mass[b];
            for (int k = 0; k < 3; ++k)
                m->P[b][6 * (3 + i) + 3 + k] = 0.5 * (rows->W[b][3 * i + k] + rows->W[b][3 * k + i]);
        }
    visit (m, rows, raise);
}
