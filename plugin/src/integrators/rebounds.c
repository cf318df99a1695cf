/* Rebounds dated within the step; contract in rebounds.h. */
#include "rebounds.h"
#include "bounded/bounded.h"
#include "bounded_halves.h"
#include "step_energy.h"
#include "tolerances.h"
#include <math.h>
#include <string.h>

#define PASSES 8

int rls_rebounds (const rls_bounded *b)
{
    for (int r = 0; r < b->rows; ++r)
        if (b->bounce[r] > 0) return 1;
    return 0;
}

void rls_date_rebound (rls_bounded *b, rls_bounded *end, int r, double h, double before, double after,
                       double borne)
{
    const double side = b->lo[r] == 0 ? 1 : -1, gap = b->gap[r], v = side * before,
                 a = (side * after - v) * 2 / h;
    const double square = v * v - 2 * a * gap, room = fmax (gap, 0);
    end->target[r] -= side * room / h;
    if (!(b->bounce[r] > 0) || v >= 0 || gap + h * side * after >= 0 || square < 0) return;

    /* deeper than a step explains: it leaves now, from where it is */
    const int deep = -gap > RLS_MARGIN * h * -v;
    const double at = deep ? 0 : 2 * gap / (sqrt (square) - v), hit = -b->bounce[r] * (v + a * at),
                 left = h - at;
    const double speed = hit + a * left, where = left * (hit + 0.5 * a * left);

    /* what does not leave does not rebound */
    const double least = (side * borne - v) * 2 / h, slowed = hit + least * left;
    if (!(fmin (speed, slowed) > 0 && fmin (where, left * (hit + 0.5 * least * left)) > 0)) return;
    b->leave[r] = side * speed;
    end->target[r] = side * (where - (deep ? 0 : gap)) / h;
}

void rls_allow_approach (rls_bounded *b, rls_bounded *end)
{
    int rebounds = 0;
    for (int r = 0; r < b->rows; ++r) rebounds |= b->bounce[r] > 0 && b->leave[r] != 0;
    for (int r = 0; r < b->rows && rebounds; ++r)
    {
        const int low = b->lo[r] == 0 && b->hi[r] > 0, high = b->hi[r] == 0 && b->lo[r] < 0;
        const int soft = b->stiffness[r] + b->damping[r] > 0;
        if (b->follow[r] >= 0 || b->bounce[r] > 0 || b->rest[r] != 0 || soft) continue;
        if ((low && b->before[r] > 0) || (high && b->before[r] < 0))
            b->leave[r] = -b->before[r], end->target[r] -= b->before[r];
    }
}

/* By how much the energy (J) changes with the rebounds' speeds, all changed by the same small part: an
 * impulse of 1 + e times what it stops gives e times as much back. */
static double change_with_speed (const rls_bounded *b, const rls_bounded *end)
{
    double sum = 0;
    for (int r = 0; r < b->rows; ++r)
        if (b->bounce[r] > 0 && b->leave[r] != 0)
            sum += end->p[r] * end->target[r] * b->bounce[r] / (1 + b->bounce[r]);
    return sum;
}

/* Friction whose reversal was dated was fixed beside normals that change now: it follows them again. */
static void let_friction_follow (const rls_bounded *b, rls_bounded *end)
{
    for (int r = 0; r < b->rows; ++r)
    {
        if (b->follow[r] < 0 || end->follow[r] >= 0) continue;
        end->follow[r] = b->follow[r];
        end->lo[r] = b->lo[r], end->hi[r] = b->hi[r];
    }
}

int rls_take_gain_from_rebounds (const rls_symplectic *w, rls_island *s, double h, const double (*before)[6],
                                 double (*v)[6])
{
    const rls_bounded *b = &s->begin.bounded;
    rls_bounded *end = &s->end.bounded;
    double change = change_with_speed (b, end), part = 1, last = 0, lessened = 0;
    if (!(change > 0) || s->bounded_wrench || rls_is_driven (s)) return 1;
    for (int i = 0; i < PASSES; ++i)
    {
        double allowed;
        const double gain = rls_step_gain (w, s, h, (const double (*)[6])v, &allowed);
        if (!(gain > allowed) || part == 0) return 1;

        /* by Newton's method, then by the secant */
        if (i > 0 && last > gain) change = (last - gain) / lessened;
        lessened = fmin (gain / change, part);
        const double scale = 1 - lessened / part;
        for (int r = 0; r < b->rows; ++r)
            if (b->bounce[r] > 0 && b->leave[r] != 0) end->target[r] *= scale;
        part -= lessened, last = gain;
        let_friction_follow (b, end);
        memcpy (v, before, sizeof (*v) * (size_t)s->model.bodies);
        if (!rls_bounded_solve_second (s, h, 1, v)) return 0;
    }
    return 1;
}
