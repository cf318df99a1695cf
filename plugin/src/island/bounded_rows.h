/*
 * Bounded rows as flat arrays: limits, motors, contacts, friction, springs.
 *
 * A row may be one over more than two bodies (kernels/parts.h).  It is a bounded joint by itself then.
 */
#ifndef RLS_BOUNDED_ROWS_H
#define RLS_BOUNDED_ROWS_H

#include "kernels/parts.h"

/* What is known of a bounded row as the step begins. */
typedef struct
{
    double rest;   /* the part of target that takes back no depth: the velocity that a motor or a moving
                      surface wants (m/s or rad/s); 0 if the row rebounds */
    double push;   /* how much of a penetration depth is to be taken back in this step (m or rad) */
    double share;  /* the share of the depth that push is: ODE's ERP */
    double depth;  /* normals of contacts: how deep it was found (m); of other rows what push tells.  push may
                      be less than its share: ODE takes back nothing of its surface layer */
    double most;   /* m: no more of a depth is taken back in a step, as ODE limits the correcting velocity */
    double gap;    /* distance to a stop, or of a contact that rebounds (m or rad); negative beyond it, 0
                      touching */
    double bounce; /* coefficient of restitution, 0: no rebound */
    double start;  /* coordinate of the axis that a motor drives (m or rad), NAN if it is not known, */
    int axis;      /* and which of its joint's axes that is */
    double stiffness, damping; /* of a soft row (N/m, N s/m; N m/rad, N m s/rad); both 0: hard */
    double open;               /* by how much a soft row is stretched, negative if compressed (m or rad) */

    /* normals of compliant contacts (m): of the depth what no load has pressed in, at the beginning of the
     * step and after it has been pushed out; how deep loads have pressed at the end; and of new ones, per
     * N s, how far an impulse presses */
    double late, left, pressed, yields;

    /* stops: where it is on its axis (m or rad), NAN of other rows.  Of hard ones late is where it was in the
     * last step, and pressed at what rate (m/s or rad/s) it was moved before that */
    double stop;
} rls_bounded_row;

/*
 * Bounded rows: limits, motors, contacts, friction.  Their impulses p (N s) solve the complementarity problem
 *
 *     w = J v + softness p - target,    lo <= p <= hi,    w = 0 between,  w >= 0 at lo,  w <= 0 at hi
 *
 * follow[r] >= 0: row r is friction, and its bounds are -hi and hi times the present impulse of row
 * follow[r], its normal, or 0 if that is negative.  hi may be infinite until the rows are solved.
 */
typedef struct
{
    int rows, joints;
    int (*body)[2];         /* joints: bodies 1 and 2 */
    int *row0;              /* joints + 1 */
    double (*J)[12];        /* rows, as in rls_rows */
    double (*Y)[12];        /* rows: M^-1 J' */
    double *softness;       /* rows: CFM / h */
    double *target;         /* rows: velocity (m/s or rad/s), ODE's right-hand side */
    double *lo, *hi;        /* rows: bounds of the impulse (N s); of friction the coefficient, in hi */
    int *follow;            /* rows: of friction the row of its normal, of others -1 */
    double *p;              /* rows: impulses (N s) */
    rls_bounded_row *row;   /* rows: what is known of them as the step begins */
    unsigned char *located; /* rows: RLS_AT_ONCE, ...: how their impacts are treated; see impacts.h */
    double *before;         /* rows: velocity at the beginning of the step (m/s or rad/s) */
    double *leave;          /* rows: velocity at the end that a motor, a moving surface or a rebound wants */
    double *way;      /* rows: change of their coordinate over the step (m or rad); NAN: not known to ODE */
    double *mobility; /* soft rows, and of many rows drives and stops that rebound: the velocity along the row
                         by a unit impulse, with the joints closed; 0: not known yet in this sub-step */
    uint64_t *key;    /* joints: the same in each step for one limit, motor or pair of bodies in contact */
    double (*arm)[3]; /* joints: contact point from the centre of body 1, in its axes (m); others: 0 */
    double *later; /* joints: of those that held at the end of the last step, the force (N or N m) of a stop
                      or normal in its second half, and 1 of others; else 0 */
    double *given; /* joints: of it what the first half uses in advance (N s), 0 of most */
    unsigned char *points;  /* joints: contacts that rebound, and those of small islands, have bit k where it
                               is known what of body k + 1 */
    double (*centre)[2][4]; /* touches: this point, or what is round about it, by its radius (body axes; of
                               the world what is round; m) */
    double (*axis)[4]; /* along which a cylinder's side is straight (world), and 0, or -1 if it is of body 1;
                          or the axis (body axes) and radius of the rim about the point; or 0 */
    int *ode_joint, *ode_row; /* rows: joint of the island, and which of its rows */
    rls_parts parts;          /* of rows over more than two bodies */
} rls_bounded;

/* True if two joints have the same bodies 1 and 2. */
static inline int rls_same_bodies (const rls_bounded *b, int i, int j)
{
    return b->body[i][0] == b->body[j][0] && b->body[i][1] == b->body[j][1];
}

/* True of a contact.  Only contacts have odd keys. */
static inline int rls_bounded_is_contact (const rls_bounded *b, int j) { return (int)(b->key[j] & 1); }

static inline int rls_bounded_has_contacts (const rls_bounded *b)
{
    int any = 0;
    for (int j = 0; j < b->joints; ++j) any |= rls_bounded_is_contact (b, j);
    return any;
}

/* Contacts that collision detection has not found (ode/expected_contacts.c, line_contacts.c) have rows whose
 * ode_row is this number or one of the next two, those of corners one of the three after these.  They come
 * behind the contact beside which they are. */
#define RLS_EXPECTED_ROWS 9
#define RLS_EXPECTED_CORNERS 12

/* True of such a contact. */
static inline int rls_bounded_is_expected (const rls_bounded *b, int j)
{
    return b->ode_row[b->row0[j]] >= RLS_EXPECTED_ROWS && rls_bounded_is_contact (b, j);
}

/* True of such corners, which come down within the step, as far as the ground. */
static inline int rls_bounded_is_corner (const rls_bounded *b, int j)
{
    return b->ode_row[b->row0[j]] >= RLS_EXPECTED_CORNERS && rls_bounded_is_contact (b, j);
}

/* True of contacts that collision detection has found, which have been struck before the step began. */
static inline int rls_bounded_is_late (const rls_bounded *b, int j)
{
    return rls_bounded_is_contact (b, j) && !rls_bounded_is_expected (b, j);
}

/* True of rows that push one way: stops and normals of contacts.  Friction whose bounds are still 0 counts as
 * well. */
static inline int rls_bounded_is_one_sided (const rls_bounded *b, int r)
{
    return b->lo[r] == 0 || b->hi[r] == 0;
}

/* True of a row that turns its first body and does not move it: rolling friction, among those that follow. */
static inline int rls_bounded_turns (const rls_bounded *b, int r)
{
    return b->J[r][0] == 0 && b->J[r][1] == 0 && b->J[r][2] == 0;
}

/* The sign of such a row: 1 if a positive velocity along it opens it, -1 if that closes it. */
static inline int rls_bounded_side (const rls_bounded *b, int r) { return b->lo[r] == 0 ? 1 : -1; }

/* True of row r of a joint that pushes both ways: a motor, or friction in the joint.  Stops have one bound
 * that is infinite. */
static inline int rls_bounded_is_drive (const rls_bounded *b, int j, int r)
{
    return !rls_bounded_is_contact (b, j) && !isinf (b->lo[r]) == !isinf (b->hi[r]);
}

/* The row with which row r of joint j acts: of a contact's friction its normal, which comes first; of others
 * itself. */
static inline int rls_bounded_normal (const rls_bounded *b, int j, int r)
{
    return rls_bounded_is_contact (b, j) ? b->row0[j] : r;
}

/* True of friction in a contact: its bounds follow the impulse of the normal, or are constant (ODE's mu
 * without dContactApprox1). */
static inline int rls_bounded_is_friction (const rls_bounded *b, int j, int r)
{
    return rls_bounded_normal (b, j, r) != r;
}

/* The penetration depth of such a row (m or rad); 0 if nothing of it is to be taken back. */
static inline double rls_bounded_depth (const rls_bounded *b, int r)
{
    return b->row[r].share > 0 ? fabs (b->row[r].push) / b->row[r].share : 0;
}

/* True of soft rows: springs and dampers. */
static inline int rls_bounded_is_soft (const rls_bounded *b, int r)
{
    return b->row[r].stiffness + b->row[r].damping > 0;
}

/* True of a contact whose normal, its first row, is a spring. */
static inline int rls_bounded_is_compliant_contact (const rls_bounded *b, int j)
{
    const int r = b->row0[j];
    return rls_bounded_is_contact (b, j) && b->follow[r] < 0 && b->row[r].stiffness > 0 &&
           rls_bounded_is_one_sided (b, r);
}

/* ---- velocities and impulses ---- */

/* The velocity along row r of bounded joint j, all its bodies taken together. */
static inline double rls_bounded_velocity (const rls_bounded *b, int j, int r, const double (*v)[6])
{
    double sum = 0;
    if (b->body[j][0] >= 0) sum += rls_dot6 (b->J[r], v[b->body[j][0]]);
    if (b->body[j][1] >= 0) sum += rls_dot6 (b->J[r] + 6, v[b->body[j][1]]);
    return b->parts.count > 0 ? sum + rls_parts_velocity (&b->parts, r, v) : sum;
}

/* v += the change of velocities by an impulse p along row r of bounded joint j. */
static inline void rls_bounded_push_row (const rls_bounded *b, int j, int r, double p, double (*v)[6])
{
    for (int k = 0; k < 6; ++k)
    {
        if (b->body[j][0] >= 0) v[b->body[j][0]][k] += p * b->Y[r][k];
        if (b->body[j][1] >= 0) v[b->body[j][1]][k] += p * b->Y[r][6 + k];
    }
    if (b->parts.count > 0) rls_parts_add (&b->parts, b->parts.Y, r, p, v);
}

/* The velocity along row r of bounded joint j that a unit impulse along it makes, as if no joint held the
 * bodies. */
double rls_bounded_mobility (const rls_bounded *b, int j, int r);

#endif
