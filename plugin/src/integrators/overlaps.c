/* Contacts that move overlap a little; contract in bounded_halves.h. */
#include "bounded_halves.h"
#include "symplectic_parts.h"

/* Overlap (m) of contacts whose coordinate is curved: the first half is iterated for it, to RLS_SEEN. */
#define OVERLAP_OF_CURVED (2 * RLS_SEEN)

/* The same of contacts in large islands that are driven, which are solved less exactly. */
#define OVERLAP_OF_MANY (100 * RLS_SEEN)

/* Returns 1 if a body of contact j turns, or, all being 1, moves. */
static int moves (const rls_bounded *b, int j, int all, const double (*v)[6])
{
    double fastest = 0;
    for (int side = 0; side < 2; ++side)
        for (int k = all ? 0 : 3; k < 6 && b->body[j][side] >= 0; ++k)
            fastest = fmax (fastest, fabs (v[b->body[j][side]][k]));
    return fastest > RLS_SEEN;
}

/* Returns 1 if it is known of contact j that its coordinate is curved along the motion with velocities v.
 * That of a ball on a face that does not move is not; the line between two centres turns with them. */
static int is_curved (const rls_bounded *b, int j, const double (*v)[6])
{
    const double *ball = b->centre[j][0];
    const int on_face = b->points[j] == 1 &&
                        rls_dot3 (ball, ball) < RLS_SEEN * RLS_SEEN * ball[3] * ball[3] && b->body[j][1] < 0;
    return b->points[j] && !on_face && moves (b, j, b->points[j] == 3, v);
}

/* Returns by how much (m) contact j shall overlap whose bodies move with velocities v, or, before being
 * those of the beginning, begin to move.  rounding: of the bodies' coordinates. */
static double overlap_of (const rls_bounded *b, int j, int driven, double rounding, const double (*v)[6],
                          const double (*before)[6])
{
    if (driven)
        return before ? 0 : fmax (rounding, b->rows > RLS_SMALL_ISLAND ? OVERLAP_OF_MANY : RLS_CLOSED);
    if (!moves (b, j, 1, v) || (before && moves (b, j, 1, before))) return 0;
    return is_curved (b, j, v) ? fmax (rounding, OVERLAP_OF_CURVED) : rounding;
}

/* Returns 1 of the normals of contacts that neither rebound nor give way. */
static int is_rigid_contact (const rls_bounded *b, int j, int r)
{
    return rls_bounded_is_contact (b, j) && b->follow[r] < 0 && rls_bounded_is_one_sided (b, r) &&
           !(b->row[r].bounce > 0) && !rls_bounded_is_soft (b, r) && b->row[r].share > 0;
}

int rls_overlap_contacts (rls_island *s, double h, const double (*v)[6], const double (*before)[6])
{
    const rls_bounded *b = &s->begin.bounded;
    const double rounding = fmax (RLS_SAME, rls_closing_rounding (s->state.pose, s->model.bodies, 4));
    int driven = rls_has_kinematic (s); /* or by motors, or by springs */
    double deeper = 0;
    RLS_FOR_ROWS (b, j, r) driven |= rls_bounded_is_drive (b, j, r);

    /* all go deeper by what the one needs that overlaps least: contacts that share a load go on sharing it */
    RLS_FOR_ROWS (b, j, r)
        if (is_rigid_contact (b, j, r))
            deeper = fmax (deeper, overlap_of (b, j, driven, rounding, v, before) - rls_bounded_depth (b, r));
    RLS_FOR_ROWS (b, j, r)
        if (is_rigid_contact (b, j, r)) s->end.bounded.target[r] -= rls_bounded_side (b, r) * deeper / h;
    return deeper > 0;
}
