/*
 * The bilateral constraint rows of an island as flat arrays, and products with them.
 *
 *     joint j:  rows row0[j] .. row0[j+1]-1,  bodies body[j][0], body[j][1] (-1: the world)
 *     row r:    J[r] = [ 6 of body 1 | 6 of body 2 ],  linear before angular, world axes
 *     body b:   mass[b], W[b]: M^-1 f = (f / mass, W torque), zero for the world and for kinematic bodies
 *
 * The rows of balls, hinges and universal joints are compact: they follow from fewer numbers, and are written
 * out in J only where that is needed; see compact.h.
 *
 * A row reads  J v + sigma2 p = target  with p the impulse (N s or N m s).  Its position residual (m or rad)
 * is the distance that is still to be moved along it:  J dq = residual  closes the joint.
 */
#ifndef RLS_ROWS_H
#define RLS_ROWS_H

#include "arena.h"
#include "matrix3.h"

#define RLS_MAX_ROWS 6 /* of one joint */

typedef double rls_row[12];

/* The numbers of a compact joint: arms to its point on both sides, and the directions about which it does not
 * turn; see compact.h. */
typedef struct
{
    double arm[2][3], across[2][3];
} rls_compact;

/* What rows have on further bodies; see parts.h. */
typedef struct
{
    int count;
    struct rls_part *of;
    rls_row *J, *Y; /* parts: entries, and M^-1 J' */
} rls_parts;

typedef struct
{
    int joints, rows;

    /* topology and masses, which evaluations at different poses share */
    const int (*body)[2]; /* joints: bodies 1 and 2 */
    const int *row0;      /* joints + 1 */
    const int *fixed;     /* joints: how many of the first rows keep to the world's axes; NULL: none */
    int bodies;
    const unsigned char *movable; /* bodies: 0 for those that cannot be pushed */
    const double *mass;           /* bodies: kg */
    double (*W)[9];               /* bodies: inverse inertia at the pose of the rows, world axes */
    const int *attach0, *attach;  /* sides by body: bodies + 1; 2 joints: 2 * joint + side, ascending */
    struct rls_mass_scaling *mass_scaling; /* light bodies in rank decisions; NULL: there are none */
    const unsigned char *raised;           /* bodies: 1 where mass has been added for that; NULL: nowhere */
    const double (*scaled_inverse)[36];    /* bodies: the inverse mass matrix then */
    struct rls_precedence *precedence;     /* rows that give way to others; NULL: there are none */

    /* the rows at one pose */
    rls_row *J;                  /* rows, except those of compact joints */
    rls_compact *compact;        /* joints */
    unsigned char *compact_rows; /* joints: rows of a compact joint, 0 for others; NULL: all are others */
    double *sigma2;              /* rows: compliance CFM / h (1/kg or 1/(kg m^2)), 0 for a hard row */
    double *target;              /* rows: velocity wanted along the row (m/s or rad/s) */
    double *residual;            /* rows: position residual (m or rad); 0 for soft rows */
    double *coordinate; /* rows of motors: where the axis is (m or rad); NAN: not known, or another row */
    rls_parts parts;    /* of rows over more than two bodies */
} rls_rows;

/* Returns the inner product of two vectors of six. */
static inline double rls_dot6 (const double *a, const double *b)
{
    return rls_dot3 (a, b) + rls_dot3 (a + 3, b + 3);
}

/* Lay out the arrays of the rows at one pose; the second also W. */
void rls_rows_lay_out (rls_rows *rows, rls_arena_cursor *cursor);
void rls_rows_lay_out_with_masses (rls_rows *rows, rls_arena_cursor *cursor);

/* Gives rows the topology and masses of others; the arrays of its own pose stay. */
void rls_rows_share (rls_rows *rows, const rls_rows *from);

/* Returns the number of rows of joint j if it is compact, else 0. */
static inline int rls_is_compact (const rls_rows *rows, int j)
{
    return rows->compact_rows ? rows->compact_rows[j] : 0;
}

/* Returns the first place from low on in an ascending list whose number is not less than value; high if none
 * before it is. */
static inline int rls_place_in (const int *list, int low, int high, int value)
{
    while (low < high)
    {
        const int middle = (low + high) / 2;
        if (list[middle] < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Returns how many of the rows from first to end - 1 are soft. */
static inline int rls_count_soft (const rls_rows *rows, int first, int end)
{
    int count = 0;
    for (int r = first; r < end; ++r) count += rows->sigma2[r] > 0;
    return count;
}

/* Returns the joint that a row belongs to. */
static inline int rls_joint_of_row (const rls_rows *rows, int row)
{
    return rls_place_in (rows->row0 + 1, 0, rows->joints - 1, row + 1);
}

/* Returns the rows of joint j, written out: in J, or, if it is compact, in room. */
const rls_row *rls_joint_rows (const rls_rows *rows, int j, rls_row room[RLS_MAX_ROWS]);

/* Sets the angular entries (from at on) of the three rows that hold a point: -sign [lever]x. */
static inline void rls_lever_rows (double (*J)[12], int at, const double lever[3], double sign)
{
    J[0][at + 1] = sign * lever[2], J[0][at + 2] = -sign * lever[1];
    J[1][at] = -sign * lever[2], J[1][at + 2] = sign * lever[0];
    J[2][at] = sign * lever[1], J[2][at + 1] = -sign * lever[0];
}

/* Returns the Euclidean length of row r, of joint j. */
double rls_row_length (const rls_rows *rows, int j, int r);

/* Returns the lever arm of a row that measures a length, at least 1 (unit of length); 1 for angles. */
double rls_row_arm (const double J[12]);

/* Write the rows of joint j, and of all joints, out in J, so that they are not compact any more. */
void rls_rows_spell_joint (rls_rows *rows, int j);
void rls_rows_spell (rls_rows *rows);

/* Returns 1 if n numbers are the same, to a tolerance relative to 1 plus their magnitude. */
int rls_same_numbers (const double *a, const double *b, int n, double tolerance);

/* Returns 1 if all entries of two sets of rows are the same in this sense. */
int rls_rows_same (const rls_rows *a, const rls_rows *b, double tolerance);

/* Copies J (or compact), sigma2, target and residual. */
void rls_rows_copy (const rls_rows *from, rls_rows *to);

/* out[r] = J[r] v: velocities along the rows.  v: bodies. */
void rls_rows_velocity (const rls_rows *rows, const double (*v)[6], double *out);

/* out = wanted - J v: what is missing of the velocities wanted along the rows; wanted NULL: 0. */
void rls_rows_missing (const rls_rows *rows, const double *wanted, const double (*v)[6], double *out);

/* v += M^-1 J' p: the change of velocities by impulses p. */
void rls_rows_apply (const rls_rows *rows, const double *p, double (*v)[6]);

/* out = H M^-1 H' p, without forming the matrix; out may be p.  v: bodies, scratch. */
void rls_rows_delassus (const rls_rows *rows, const double *p, double (*v)[6], double *out);

/* out[r] = J[r] M^-1 J[r]'. */
void rls_rows_diagonal (const rls_rows *rows, double *out);

/* f += J' p: the generalised impulse.  Masses and attach are not used. */
void rls_rows_force (const rls_rows *rows, const double *p, double (*f)[6]);

/* Fills attach0 (bodies + 1) and attach (2 joints), the sides by body. */
void rls_rows_attach (const rls_rows *rows, int bodies, int *attach0, int *attach);

/*
 * Express rows, residuals and targets in the bases of the reference (section 6 of method.md): the rows of
 * each joint are replaced by the combinations of them that are nearest to the reference rows.  ODE chooses
 * the two rows across an axis anew for each pose, and its choice turns with the axis and jumps.  Soft joints
 * and drives are left alone; rls_rows_align also leaves joints alone whose bases have turned only little.
 * That difference matters for rank decisions: if only a combination of two rows is redundant, either of them
 * may be left out, but not another combination.  If the rows that were kept have to represent all others, the
 * exact version is needed.
 */
void rls_rows_align (rls_rows *rows, const rls_rows *reference);
void rls_rows_align_exactly (rls_rows *rows, const rls_rows *reference);

/* z := J' (J J')^-1 x, the shortest vector with J z = x, for m <= RLS_MAX_ROWS rows of a joint.  Returns 0 if
 * the rows depend on each other. */
int rls_rows_shortest (int m, const double (*J)[12], const double *x, double z[12]);

/* 1 for a row that tells an angle, 0 for one that tells a length: without a linear part, or with one that is
 * rounding. */
static inline int rls_is_angular (const double J[12])
{
    return rls_square3 (J) <= RLS_DEPENDENT * RLS_DEPENDENT * rls_square3 (J + 3) &&
           rls_square3 (J + 6) <= RLS_DEPENDENT * RLS_DEPENDENT * rls_square3 (J + 9);
}

/* Returns 1 if rls_rows_align would change nothing. */
int rls_rows_aligned (const rls_rows *rows, const rls_rows *reference);

/* Goes through the rows of rls_rows or of rls_bounded; j is the joint of row r.  Every joint has a row. */
#define RLS_FOR_ROWS(of, j, r) for (int j = 0, r = 0; r < (of)->rows; ++r, j += r == (of)->row0[j + 1])

#endif
