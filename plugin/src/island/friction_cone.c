/*
 * Friction bounded by a cone instead of a pyramid: |T| <= mu N, the same in all directions.
 *
 * The two rows of friction of a contact are turned so that the first one points in the direction of sliding.
 * If the bodies slide faster than friction can stop in the step, all friction acts along this row, as
 * Coulomb's law has it, and the second row gets no bound to push within.  Rows at the end of the step, which
 * are extrapolated, turn with the direction.  If the bodies may stick, the first row points to where forces
 * pull them and both rows act; their sum may exceed mu N by as much as the force turns away from that
 * direction.
 */
#include "island.h"
#include "kernels/mobility.h"

/* The velocity of the bodies of joint j along J (m/s) after forces have acted for a time (s), without
 * contacts. */
static double velocity_after (const rls_island *s, int j, const double J[12], double time)
{
    const rls_bounded *b = &s->begin.bounded;
    double sum = 0;
    for (int side = 0; side < 2; ++side)
    {
        const int i = b->body[j][side];
        if (i < 0) continue;
        sum += rls_dot6 (J + 6 * side, s->state.v[i]);
        if (s->model.movable[i])
            sum += time / s->model.mass[i] * rls_dot3 (J + 6 * side, s->applied.force[i]);
    }
    return sum;
}

/* The larger of the velocity changes of the joint's bodies by forces in the step (m/s). */
static double kick (const rls_island *s, int j, double h)
{
    const int *body = s->begin.bounded.body[j];
    double most = 0;
    for (int side = 0; side < 2; ++side)
        if (rls_is_pushed (&s->begin.rows, body[side]))
        {
            const double *f = s->applied.force[body[side]];
            most = fmax (most, h * rls_length3 (f) / s->model.mass[body[side]]);
        }
    return most;
}

/* x, y := c x + sn y, c y - sn x: both turned by an angle with this cosine and sine. */
static void turn (double *x, double *y, double c, double sn)
{
    const double was = *x;
    *x = c * was + sn * *y;
    *y = c * *y - sn * was;
}

/* Turns rows r and r + 1, the friction of joint j. */
static void turn_contact (rls_island *s, int j, int r, double h)
{
    rls_bounded *b = &s->begin.bounded;
    double x[2];

    /* the sliding velocity */
    for (int k = 0; k < 2; ++k) x[k] = velocity_after (s, j, b->J[r + k], 0) - b->row[r + k].rest;

    /* where friction can stop it within the step, the direction in which forces pull the bodies counts */
    const double stops = b->hi[r] < HUGE_VAL ? b->hi[r] * kick (s, j, h) : HUGE_VAL;
    const int slides = hypot (x[0], x[1]) > 2 * stops;
    for (int k = 0; k < 2 && !slides; ++k)
        x[k] = velocity_after (s, j, b->J[r + k], 0.5 * h) - b->row[r + k].rest;
    const double speed = hypot (x[0], x[1]);
    if (!(speed > 0)) return;

    /* turn the rows: one along the sliding velocity, the other across it, which has no friction while the
     * contact slides */
    const double c = x[0] / speed, sn = x[1] / speed;
    for (int k = 0; k < 12; ++k) turn (&b->J[r][k], &b->J[r + 1][k], c, sn);
    turn (&b->row[r].rest, &b->row[r + 1].rest, c, sn);
    turn (&b->target[r], &b->target[r + 1], c, sn);
    turn (&b->row[r].push, &b->row[r + 1].push, c, sn);
    if (slides) b->hi[r + 1] = b->lo[r + 1] = 0;
}

void rls_friction_cone (rls_island *s, double h)
{
    const rls_bounded *b = &s->begin.bounded;
    for (int j = 0; j < b->joints; ++j)
    {
        const int r = b->row0[j];
        if (!rls_bounded_is_contact (b, j) || b->row0[j + 1] - r < 3) continue;
        if (b->follow[r + 1] != r || b->follow[r + 2] != r) continue;
        if (b->hi[r + 1] == b->hi[r + 2] && b->softness[r + 1] == b->softness[r + 2])
            turn_contact (s, j, r + 1, h);
    }
}
