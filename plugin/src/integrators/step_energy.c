/* The energy balance of a step with bounded rows; contract in step_energy.h. */
#include "step_energy.h"
#include "accelerate.h"
#include "bounded_halves.h"

/* ---- energy that has been given ---- */

void rls_note_rows_work (rls_symplectic *w, const rls_island *s, const rls_pose *pose, const double (*v)[6])
{
    if (s->begin.rows.rows > 0 && (s->begin.bounded.rows > 0 || rls_has_kinematic (s) || s->provider.forces))
        w->rows_work += rls_work_of_change (s, pose, w->kicked, v, w->v);
}

void rls_note_bounded_work (rls_symplectic *w, const rls_bounded *b, const double *p, const double *taken,
                            const double (*from)[6], const double (*to)[6])
{
    if (rls_bounded_has_contacts (b)) return;
    RLS_FOR_ROWS (b, j, r)
    {
        const double mean = 0.5 * (rls_bounded_velocity (b, j, r, from) + rls_bounded_velocity (b, j, r, to)),
                     first = taken ? taken[r] : 0, work = mean * (p[r] - first);
        w->bounded_work += work, w->bounded_moved += fabs (work);
        w->bounded_sudden += taken ? fmax (fabs (b->before[r]), fabs (mean)) * fabs (p[r] - 2 * first) : 0;
    }
}

void rls_note_kick (rls_symplectic *w, const rls_island *s, double h, const double (*v)[6])
{
    if (rls_bounded_has_contacts (&s->begin.bounded)) return;
    for (int b = 0; b < s->model.bodies; ++b)
        for (int k = 0; k < 3 && s->model.movable[b]; ++k)
            w->bounded_work += 0.25 * h * s->applied.force[b][k] * (v[b][k] - w->u[b][k]);
}

void rls_note_forced_work (rls_symplectic *w, const rls_island *s, double h)
{
    double doubt = 0;
    for (int b = 0; b < s->model.bodies && s->provider.forces; ++b)
    {
        const double *from = w->pushed[b], *to = s->applied.force[b], *W = s->end.rows.W[b];
        double sum[6], moved[6];
        for (int k = 0; k < 6; ++k) sum[k] = from[k] + to[k];
        for (int k = 0; k < 3; ++k) moved[k] = sum[k] / s->model.mass[b];
        rls_multiply (W, sum + 3, moved + 3);
        for (int k = 0; k < 6 && s->model.movable[b]; ++k)
        {
            w->forced_work += 0.5 * h * sum[k] * w->u[b][k];
            doubt += h * h / 8 * (to[k] - from[k]) * moved[k];
        }
    }
    w->forced_doubt += fabs (doubt);
}

/* Returns 1 if a body (-1: the world) is kinematic and visibly moves. */
static int is_kinematic (const rls_island *s, int b)
{
    return b >= 0 && !s->model.movable[b] && rls_dot6 (s->state.v[b], s->state.v[b]) > RLS_SEEN * RLS_SEEN;
}

int rls_has_kinematic (const rls_island *s)
{
    int any = 0;
    for (int b = 0; b < s->model.bodies; ++b) any |= is_kinematic (s, b);
    return any;
}

int rls_has_targets (const rls_island *s)
{
    return rls_flat_largest (s->begin.rows.rows, s->begin.rows.target) != 0;
}

int rls_is_driven (const rls_island *s)
{
    return s->elimination.precedence.count > 0 || rls_has_kinematic (s) || rls_has_targets (s);
}

/* Returns the work (J) that kinematic bodies do through row r of joint j.  Its impulses act along the rows of
 * the beginning and along those of the end, which differ if bodies turn. */
static double work_of_kinematic (const rls_island *s, int j, int r)
{
    const rls_bounded *b = &s->begin.bounded;
    double sum = 0;
    for (int side = 0; side < 2; ++side)
    {
        const int body = b->body[j][side];
        const int carries = is_kinematic (s, body);
        for (int k = 0; k < 6 && carries; ++k)
            sum -= rls_bounded_impulse (s, r, 6 * side + k) * s->state.v[body][k];
        for (int p = 0; p < b->parts.count; ++p)
        {
            const int other = b->parts.of[p].body[side];
            for (int k = 0; k < 6 && b->parts.of[p].row == r && is_kinematic (s, other); ++k)
                sum -= rls_bounded_part_impulse (s, p, 6 * side + k) * s->state.v[other][k];
        }
    }
    return sum;
}

/* Returns the most energy (J) that a spring, row r of joint j, can have given: what is stored in it; 0 for
 * the spring of a stop that is not reached. */
static double given_by_spring (const rls_island *s, int j, int r, double impulse, double kick, double h)
{
    const rls_bounded *b = &s->begin.bounded;
    const int is_stop = rls_bounded_is_one_sided (b, r) && !rls_bounded_is_contact (b, j),
              open = b->lo[r] == 0 ? b->row[r].open > 0 : b->row[r].open < 0;
    const double k = b->row[r].stiffness, stored = 0.5 * k * b->row[r].open * b->row[r].open;
    if (is_stop && (open || impulse == 0)) return 0;
    if (!(stored > 0) || !rls_bounded_is_contact (b, j)) return stored;

    /* What is stored in a compliant contact says nothing where it was found deep, so that nothing has loaded
     * it.  By ODE's rule it pushes bodies towards a velocity that follows from its depth, and not beyond.
     * What of the impulse holds forces that change velocities by kick (m/s) in a step of h (s) moves with
     * that velocity over all of the step. */
    const double side = rls_bounded_side (b, r),
                 wanted = k * fabs (b->row[r].open) / (h * k + b->row[r].damping),
                 before = fmin (side * rls_bounded_velocity (b, j, r, s->state.v), wanted),
                 holds = fmin (fabs (impulse), kick / rls_bounded_mobility (b, j, r));
    return fmin (stored, fmax (0, 0.5 * fabs (impulse) * (wanted + before)) +
                             0.5 * holds * (wanted - fmax (0, before)));
}

/* Returns the most (J) that motors, moving surfaces, kinematic bodies and springs can have given in a step of
 * h (s) with the impulses p of the bounded rows: a row pulls towards the velocity that is wanted of it and
 * not beyond, and a rebound only gives back. */
static double most_given (const rls_island *s, double h, const double *p)
{
    const rls_bounded *b = &s->begin.bounded;
    const int carries = rls_has_kinematic (s);
    const double kick = rls_bounded_kick (s, h);
    double sum = 0;
    RLS_FOR_ROWS (b, j, r)
    {
        /* the first impulse of a spring moves its bodies in the step, even if the second takes it back */
        const double impulse = fmax (fabs (p[r]), fabs (b->p[r]));
        sum += p[r] * b->row[r].rest + given_by_spring (s, j, r, impulse, kick, h);
        if (carries) sum += work_of_kinematic (s, j, r);
    }
    return sum;
}

/* ---- jammed islands ---- */

/* Returns the mobility of row r by the body that it moves less; for rows over more bodies that of all. */
static double least_mobility (const rls_bounded *b, int j, int r)
{
    double side[2] = {0, 0};
    if (rls_have_parts (&b->parts, r, r + 1)) return rls_bounded_mobility (b, j, r);
    for (int k = 0; k < 12; ++k) side[k / 6] += b->J[r][k] * b->Y[r][k];
    return side[0] > 0 && side[1] > 0 ? fmin (side[0], side[1]) : side[0] + side[1];
}

int rls_is_jammed (const rls_island *s, double h, const double *p)
{
    const rls_bounded *b = &s->begin.bounded;
    const double kick = fmax (RLS_SEEN, rls_bounded_kick (s, 0.5 * h));
    double stopped = 0, moving = 0;
    RLS_FOR_ROWS (b, j, r)
    {
        if (b->follow[r] >= 0) continue;
        const double approach = p[r] > 0 ? -b->before[r] : b->before[r];
        const int one_sided = rls_bounded_is_one_sided (b, r), soft = rls_bounded_is_soft (b, r);
        if (!one_sided) moving += fabs (p[r] * b->before[r]);       /* a motor's work */
        if (!one_sided || soft || !(approach > RLS_SEEN)) continue; /* at rest */
        const double D = least_mobility (b, j, r);
        if (!(D > 0)) continue;
        stopped += approach * fabs (p[r]);
        moving += (approach * approach + kick * kick) / D;
    }
    return stopped * RLS_LITTLE > moving &&
           stopped * RLS_LITTLE >
               moving + rls_kinetic_energy (s, s->model.inertia, s->state.pose, s->state.v);
}

/* ---- energy that has been gained ---- */

rls_gain rls_step_gain (const rls_symplectic *w, const rls_island *s, double h, const double (*v)[6])
{
    const double (*inertia)[9] = s->model.inertia;
    double work = (rls_is_driven (s) ? w->rows_work : fmin (w->rows_work, 0)) - w->taken -
                  fmin (w->push_work, 0),
           scale = 0;
    const int constant = !s->provider.forces;
    if (!constant)
        work += w->forced_work + w->forced_doubt + w->push_work; /* forced_work has no push_work in it */

    /* work of constant forces by the displacements; of torques the most that is possible */
    for (int b = 0; b < s->model.bodies; ++b)
    {
        const double *f = s->applied.force[b], *from = s->state.pose[b].x, *to = s->next.pose[b].x;
        if (!s->model.movable[b]) continue;
        for (int k = 0; k < 3; ++k)
        {
            const double turned = 0.5 * h * f[3 + k] * (s->state.v[b][3 + k] + v[b][3 + k]);
            work += constant ? f[k] * (to[k] - from[k]) + fabs (turned) : 0;
            scale += rls_energy_scale (f[k], to[k], s->model.mass[b], h);
        }
    }

    /* what the kinetic energy has gained beyond that */
    const double before = rls_kinetic_energy (s, inertia, s->state.pose, s->state.v);
    const double after = rls_kinetic_energy (s, inertia, s->next.pose, v);
    return (rls_gain){.gain = after - before - work - most_given (s, h, s->reactions.bounded_total),
                      .before = before,
                      .after = after,
                      .rounding = RLS_DEPENDENT * (before + scale)};
}

rls_gain rls_step_gain_at_end (rls_symplectic *w, const rls_island *s, double h)
{
    if (!w->gain_known) w->gain = rls_step_gain (w, s, h, w->v);
    w->gain_known = 1;
    return w->gain;
}

double rls_movable_mass (const rls_island *s)
{
    double mass = 0;
    for (int b = 0; b < s->model.bodies; ++b) mass += s->model.movable[b] ? s->model.mass[b] : 0;
    return mass;
}

/* Returns the gain (J) beyond what may be rounding, a small part of the motion's energy, or the energy of
 * velocities that are solver error. */
static double gained_beyond (rls_symplectic *w, const rls_island *s, double h)
{
    const rls_gain of = rls_step_gain_at_end (w, s, h);
    const double speed = RLS_AT_REST * fmax (s->account.bounded_rest, 0);
    return of.gain - RLS_ENERGY_JUMP * fmax (of.before, of.after) - 3 * rls_movable_mass (s) * speed * speed -
           RLS_SEEN / RLS_DEPENDENT * of.rounding;
}

int rls_step_gains_energy (rls_symplectic *w, const rls_island *s, double h)
{
    return gained_beyond (w, s, h) > 0;
}

/* Returns the energy (J) that forces give the bodies from rest in a step of h (s). */
static double energy_from_rest (const rls_island *s, double h)
{
    const double kick = rls_bounded_kick (s, h);
    return 0.5 * rls_movable_mass (s) * kick * kick;
}

int rls_step_gains_much (rls_symplectic *w, const rls_island *s, double h)
{
    return gained_beyond (w, s, h) > energy_from_rest (s, h);
}

/* ---- the last fallback ---- */

int rls_turns_without_gyroscopic_terms (const rls_island *s)
{
    int any = 0;
    for (int b = 0; b < s->model.bodies; ++b) any |= s->model.movable[b] && !s->model.gyroscopic[b];
    return any;
}

double rls_work_through_joints (const rls_island *s, int *any)
{
    const rls_rows *rows = &s->begin.rows;
    double work = 0;
    *any = 0;
    for (int i = 0; i < rows->joints; ++i)
        for (int side = 0; side < 2; ++side)
        {
            const int b = rows->body[i][side];
            rls_row room[RLS_MAX_ROWS];
            if (!is_kinematic (s, b)) continue;
            *any = 1;
            const rls_row *J = rls_joint_rows (rows, i, room);
            for (int r = rows->row0[i]; r < rows->row0[i + 1]; ++r)
                work -= s->reactions.p[r] * rls_dot6 (J[r - rows->row0[i]] + 6 * side, s->state.v[b]);
        }
    return work;
}

/* Returns the energy (J) that a step has gained, if that is more than one gains that follows the motion, and
 * else 0: that is off by a small part of the motion's energy and, where friction turns, by a part of what the
 * forces make of rest in a step.  0 also in islands that are driven, where taking the gain away would change
 * the velocities of drives. */
static double unexplained_gain (rls_symplectic *w, const rls_island *s, double h)
{
    const rls_gain of = rls_step_gain_at_end (w, s, h);
    const double follows = RLS_SMALL_ENERGY_JUMP * fmax (of.before, of.after) +
                           RLS_ENERGY_JUMP * energy_from_rest (s, h) + RLS_SEEN / RLS_DEPENDENT * of.rounding;
    const int known = !rls_is_driven (s) && !rls_turns_without_gyroscopic_terms (s);
    return of.gain > follows && known ? of.gain : 0;
}

/* Returns by how much (rad) the body that turns fastest turns in h (s). */
static double fastest_turn (const rls_island *s, double h)
{
    double fastest = 0;
    for (int b = 0; b < s->model.bodies; ++b)
        fastest = fmax (fastest, fmax (rls_length3 (s->state.v[b] + 3), rls_length3 (s->next.v[b] + 3)));
    return h * fastest;
}

int rls_step_misses_energy (rls_symplectic *w, const rls_island *s, double h)
{
    /* The impulses of the first half act along the rows of the beginning.  Where they are others than those
     * of the second, as of a motor that starts or of a stop that is struck, the joints' impulses with them do
     * work in proportion to how far the rows turn in the step. */
    const double sudden = fastest_turn (s, h) * w->bounded_sudden;
    return rls_step_gains_energy (w, s, h) || unexplained_gain (w, s, h) > 0 ||
           (w->push_work == 0 &&
            rls_energy_jumps (s, h, w->taken - w->bounded_work,
                              w->bounded_moved + sudden / RLS_SMALL_ENERGY_JUMP, RLS_SMALL_ENERGY_JUMP));
}

void rls_take_gain_of_step (rls_symplectic *w, rls_island *s, double h)
{
    const double gain = unexplained_gain (w, s, h);
    if (gain == 0) return;
    s->account.taken_back += gain;
    rls_take_back (s, s->next.pose, gain);
}

double rls_energy_of_kicks (const rls_island *s)
{
    return rls_kinetic_energy (s, s->model.own_inertia, s->state.pose, s->next.v);
}

void rls_take_gain (rls_island *s, double h, double before)
{
    int held;
    const int soft = rls_count_soft (&s->begin.rows, 0, s->begin.rows.rows); /* their energy is not known */
    if (soft > 0 || s->provider.forces || s->elimination.precedence.count > 0 || rls_has_targets (s) ||
        rls_turns_without_gyroscopic_terms (s))
        return;
    const double after = rls_energy_of_kicks (s), gained = after - before -
                                                           most_given (s, h, s->begin.bounded.p) -
                                                           rls_work_through_joints (s, &held);
    if (!(gained > RLS_ENERGY_JUMP * (before + after))) return;
    s->account.taken_back += gained;
    rls_take_back (s, s->state.pose, gained);
}
