/*
 * Steps that go back to the impact of a contact (section 9 of method.md, "Contacts that are struck, in small
 * islands").
 *
 * Collision detection finds a contact when the bodies overlap already; their impact was up to a step before
 * the beginning of the step.  In small islands the step goes back to it: a sub-step of negative length,
 * Newton's law (impacts.h), a sub-step that ends where the step began, and the step itself.  All that depends
 * on velocities, such as the forces of the joints, is then computed with the velocities after the impact.
 *
 * On the way back motors, stops, friction in joints and contacts that bear act with the impulses that they
 * have in a trial step in which the contact does not push; these change little in a step.  No complementarity
 * problem is solved there, because friction that acts backwards would drive the bodies.
 *
 * Which contacts rebound is decided as for dated rebounds (rebounds.h).  In large islands, and beside
 * contacts that begin to push, the step does not go back: rebounds are dated, and other contacts push as soon
 * as they are found.
 */
#include "impacts.h"
#include "rebounds.h"
#include "recover.h"
#include "bounded/bounded.h"
#include "bounded/contact_rows.h"

/* Returns the velocity (m/s) at which a contact is struck that does not rebound; 0 of most: it approaches
 * faster than the forces of a step of h (s) make it, and was not touching a step before. */
static double strikes_at (const rls_island *s, int j, int r, double h)
{
    const rls_bounded *b = &s->begin.bounded;
    const double approach = -rls_bounded_side (b, r) * b->before[r],
                 least = fmax (RLS_SEEN, rls_bounded_kick (s, h));
    const int is_normal = rls_bounded_is_late (b, j) && !rls_bounded_is_friction (b, j, r) &&
                          !rls_bounded_is_soft (b, r),
              late = approach > least && b->row[r].depth <= RLS_MARGIN * h * approach;
    return is_normal && late && !rls_row_rebounds (b, r) ? approach : 0;
}

/* Returns 1 if a step of h (s) is to go back to an impact: contacts rebound (*rebound), or others are struck
 * at one time (together) and it is known of one of them how its row changes; any: 1 if there are such
 * contacts at all.  Bodies that strike with one point after the other within a step push each other away and
 * meet again in it too often. */
static int goes_back (const rls_island *s, double h, int *rebound, int *any)
{
    const rls_bounded *b = &s->begin.bounded;
    int known = 0, together = 1;
    double first = NAN;
    *rebound = 0;
    RLS_FOR_ROWS (b, j, r)
    {
        const double v = strikes_at (s, j, r, h);
        *rebound |= rls_bounded_is_contact (b, j) && rls_row_rebounds (b, r);
        if (!(v > 0)) continue;
        const double at = b->row[r].depth / v;
        if (isnan (first)) first = at;
        known |= b->points[j] != 0;
        together &= fabs (at - first) <= RLS_SHORTEST_PART * h;
    }
    *any = *rebound || !isnan (first);
    return *rebound || (known && together);
}

/* Makes the corners that come down within the step beside a contact wait for their impact, which is ahead. */
static void wait_for_corners (rls_symplectic *w, rls_bounded *b)
{
    RLS_FOR_ROWS (b, j, r)
    {
        const double approach = -rls_bounded_side (b, r) * b->before[r];
        const int is_normal =
            rls_bounded_is_corner (b, j) && !rls_bounded_is_friction (b, j, r) && !rls_bounded_is_soft (b, r);
        if (is_normal && b->row[r].gap > RLS_CLOSED && approach > RLS_SEEN)
            b->located[r] = RLS_WAITS, w->locates = 1;
    }
}

void rls_wait_for_late (rls_symplectic *w, rls_island *s, double h)
{
    rls_bounded *b = &s->begin.bounded;
    int rebound, any;
    if (!w->late) return;

    /* corners do not wait beside contacts that push at once, although they have been struck before */
    const int back = goes_back (s, h, &rebound, &any);
    if (back || !any) wait_for_corners (w, b);
    if (!back) return;

    /* all that are struck wait.  If none rebounds they come to lie as deep as contacts that bear, so that
     * collision detection finds them again */
    const double kept = rebound ? 0 : RLS_CONTACT_SLOP * rls_seen_late (s, h);
    RLS_FOR_ROWS (b, j, r)
    {
        const int rebounds = rls_bounded_is_contact (b, j) && rls_row_rebounds (b, r);
        if (!rebounds && !(strikes_at (s, j, r, h) > 0)) continue;
        b->located[r] = RLS_WAITS, w->locates = 1;
        if (rebounds)
            b->leave[r] = s->end.bounded.target[r] = 0;
        else
            b->row[r].gap = fmin (0, kept - b->row[r].depth);
    }
}

/* Returns 1 if a contact that does not wait begins to push in this step, or has friction of constant
 * strength, which would exceed its bound.  Contacts that have borne in the last step neither approach nor
 * separate at its end. */
static int any_begins (const rls_island *s, double h)
{
    const rls_bounded *b = &s->begin.bounded;
    const double slow = fmax (RLS_SEEN, RLS_LITTLE * rls_bounded_kick (s, h));
    RLS_FOR_ROWS (b, j, r)
    {
        const int friction = rls_bounded_is_friction (b, j, r), waits = b->located[b->row0[j]] != RLS_AT_ONCE;
        if (!rls_bounded_is_contact (b, j)) continue;
        if (friction && b->follow[r] < 0 && b->hi[r] > 0 && !waits) return 1;
        if (friction) continue;
        const int pushes = fabs (b->p[r]) * rls_bounded_mobility (b, j, r) > RLS_SEEN,
                  bore = fabs (b->before[r]) <= slow;
        if (pushes && !bore) return 1;
    }
    return 0;
}

int rls_stays_dated (rls_symplectic *w, rls_island *s, double h)
{
    rls_bounded *b = &s->begin.bounded;
    int waits = 0;
    RLS_FOR_ROWS (b, j, r) waits |= rls_bounded_is_late (b, j) && b->located[r] == RLS_WAITS;
    if (!w->late || !waits || !any_begins (s, h)) return 0;

    /* no contact waits any more */
    w->late = 0;
    RLS_FOR_ROWS (b, j, r)
    {
        if (!rls_bounded_is_contact (b, j) || b->located[r] != RLS_WAITS) continue;
        b->located[r] = RLS_AT_ONCE;
        if (b->row[r].bounce == 0 && rls_bounded_is_late (b, j)) b->row[r].gap = 0;
    }
    return 1;
}

double rls_time_of_late_impact (double gap, double v, double a, double h)
{
    const double square = v * v - 2 * a * gap;
    return square < 0 ? 0 : fmax (2 * gap / (sqrt (square) - v), -RLS_MARGIN * h);
}

int rls_is_let_pass (const rls_bounded *b, int j, int r, double opening)
{
    return rls_bounded_is_contact (b, j) && !rls_bounded_is_friction (b, j, r) &&
           b->located[r] == RLS_AT_ONCE && opening > RLS_SEEN && b->p[r] == 0;
}

rls_outcome rls_first_half_back (rls_symplectic *w, rls_island *s, double h)
{
    rls_bounded *b = &s->begin.bounded;
    for (int r = 0; r < b->rows; ++r) b->p[r] *= h / w->ahead;
    rls_bounded_push (b, 1, b->p, w->u);
    rls_bounded_push (b, 1, b->p, w->kicked);
    return RLS_DONE;
}

rls_outcome rls_second_half_back (rls_symplectic *w, rls_island *s, double (*v)[6])
{
    const rls_bounded *b = &s->begin.bounded;
    rls_bounded *end = &s->end.bounded;
    rls_bounded_share (end, b);

    /* the rows at the end of the sub-step, with their columns; how far contacts have opened follows from the
     * mean velocities */
    if (!s->provider.bounded (s, s->next.pose)) return RLS_FAILED;
    rls_contact_rows_follow (s, w->pose, s->next.pose, 1);
    rls_form_bounded_columns (&s->end.rows, &s->end.bounded);
    RLS_FOR_ROWS (b, j, r)
        if (rls_bounded_is_contact (b, j)) end->way[r] = NAN;

    /* the same impulses as in the first half */
    rls_bounded_push (end, 1, b->p, v);
    rls_bounded_push (end, 1, b->p, w->kicked);
    for (int r = 0; r < b->rows; ++r) s->reactions.bounded_total[r] = end->p[r] = 2 * b->p[r];
    s->reactions.bounded_in_halves = 1;
    return RLS_DONE;
}
