/*
 * Takes energy that a step has gained from the potential energy (section 9 of method.md, "What a heap
 * gains").
 *
 * Reducing depths lifts bodies, and contact rows that are constant within a step change the energy a little
 * while bodies tip or roll.  This energy cannot be taken from velocities, since no reaction does such work.
 * Instead the island as a whole is moved along the sum of its forces until their work equals the gain.  Its
 * joints and inner contacts do not change by this; contacts with bodies that do not move become deeper, until
 * a step that loses energy lifts them.
 */
#include "step_energy.h"
#include "recover.h"

void rls_sink_by_gain (rls_symplectic *w, rls_island *s, double h)
{
    if (w->stays || rls_is_held (s, 0)) return;
    double F[3] = {0, 0, 0};
    const rls_gain of = rls_step_gain_at_end (w, s, h);
    const double gain = of.gain - fmin (w->push_work, 0);
    for (int b = 0; b < s->model.bodies; ++b)
        for (int k = 0; k < 3 && s->model.movable[b]; ++k) F[k] += s->applied.force[b][k];

    /* Along the sum of the forces.  Where the island moves with so much energy it may go as far as depths
     * have been taken back, and once more, because what lies on other bodies is lifted with them; but a
     * quarter less where they are far deeper than collision detection sees late: what rolls for ever would
     * otherwise stay as deep as it is. */
    const double force = sqrt (rls_dot3 (F, F));
    if (!(gain > RLS_SEEN / RLS_DEPENDENT * of.rounding) || !(force > 0)) return;
    const double late = rls_seen_late (s, h), beyond = fmax (0, w->deepest - late),
                 kept = 0.25 * (beyond < late ? beyond / late : 1),
                 lifts = kept > 0 ? 1 - kept : 2,
                 most = fmax (of.after > RLS_SEEN * gain ? lifts * w->farthest : 0, late - w->deepest),
                 way = fmin (gain / force, fmax (0, most));
    for (int b = 0; b < s->model.bodies; ++b)
        for (int k = 0; k < 3 && s->model.movable[b]; ++k) s->next.pose[b].x[k] += way * F[k] / force;
    memcpy (w->pose, s->next.pose, sizeof (*w->pose) * (size_t)s->model.bodies);
    w->push_work += way * force;
    w->gain_known = 0;
}
