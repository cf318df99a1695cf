/*
 * Constraint rows of an island, flat, and the products that every solver needs.
 *
 *     joint j:  rows row0[j] .. row0[j+1]-1,  bodies body1[j], body2[j] (-1: the world)
 *     row r:    J[r] = [ 6 of body 1 | 6 of body 2 ],  linear before angular, world axes
 *     body b:   mass[b], W[b]: M^-1 f = (f / mass, W torque), zero for the world and for kinematic bodies
 *
 * The rows of the commonest joints follow from fewer numbers, and are spelt out in J only where need be; see
 * compact.h.
 *
 * A row reads  J v + sigma2 p = target  with p the impulse (N s or N m s).  Its position residual is what
 * is still to be moved along the row (m or rad):  J dq = residual  closes the joint.
 */
#ifndef RLS_ROWS_H
#define RLS_ROWS_H

#include "arena.h"

#define RLS_MAX_ROWS 6 /* of one joint */

typedef double rls_row[12];

/* A joint that holds two points together and, with more than three rows, directions; see compact.h. */
typedef struct
{
    double arm[2][3], across[2][3];
} rls_compact;

typedef struct rls_part rls_part;

typedef struct
{
    int joints, rows;
    /* the topology is shared between evaluations at different poses */
    const int *body1, *body2; /* joints */
    const int *row0;          /* joints + 1 */
    const int *fixed;         /* joints: how many of its first rows keep to the world's axes; NULL: none */
    int bodies;
    const unsigned char *movable; /* bodies: 0 for those that cannot be pushed */
    const double *mass;           /* bodies */
    double (*W)[9];               /* bodies: inverse inertia where the rows are, world axes */
    const int *attach0, *attach;  /* the sides by body: bodies + 1, 2 x joints: 2 * joint + side, ascending */
    struct rls_mass_scaling
        *mass_scaling;                  /* bodies that decisions take for heavier; NULL if there are none */
    const unsigned char *raised;        /* bodies: 1 where that is for these rows, too; NULL: nowhere */
    const double (*scaled_inverse)[36]; /* bodies: their inverse mass matrix then */
    struct rls_precedence *precedence;  /* rows that give way to others; NULL if there are none */
    rls_row *J;                         /* rows, of joints that are no compact joints */
    rls_compact *compact;               /* joints */
    unsigned char
        *compact_rows;    /* joints: of compact joints their number of rows, else 0; NULL: there are none */
    double *sigma2;       /* rows: compliance CFM / h, 0 for a hard row */
    double *target;       /* rows: velocity wanted along the row (m/s or rad/s) */
    double *residual;     /* rows: position residual (m or rad); 0 for soft rows */
    int parts;            /* of rows over more than two bodies; see parts.h */
    const rls_part *part; /* parts */
    rls_row *part_J;      /* RLS_MAX_ROWS a part */
} rls_rows;

/* Inner product of two generalised vectors of one body. */
static inline double rls_dot6 (const double *a, const double *b)
{
    return (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) + (a[3] * b[3] + a[4] * b[4] + a[5] * b[5]);
}

/* Room for the rows themselves, and for W besides. */
void rls_rows_lay_out (rls_rows *rows, rls_arena_cursor *cursor);
void rls_rows_lay_out_with_masses (rls_rows *rows, rls_arena_cursor *cursor);

/* Makes rows, without room of their own, ones of the same joints and masses. */
void rls_rows_share (rls_rows *rows, const rls_rows *from);

/* How many rows joint j has if it is a compact joint, else 0. */
static inline int rls_is_compact (const rls_rows *rows, int j)
{
    return rows->compact_rows ? rows->compact_rows[j] : 0;
}

/* The joint that has the row. */
int rls_joint_of_row (const rls_rows *rows, int row);

/* The rows of joint j, spelt out: where they are, or in the room for them. */
const rls_row *rls_joint_rows (const rls_rows *rows, int j, rls_row room[RLS_MAX_ROWS]);

/* Entries from at on of the three rows that hold a point: -[lever]x times sign. */
static inline void rls_lever_rows (double (*J)[12], int at, const double lever[3], double sign)
{
    J[0][at + 1] = sign * lever[2], J[0][at + 2] = -sign * lever[1];
    J[1][at] = -sign * lever[2], J[1][at + 2] = sign * lever[0];
    J[2][at] = sign * lever[1], J[2][at + 1] = -sign * lever[0];
}

/* The length of row r, of joint j. */
double rls_row_length (const rls_rows *rows, int j, int r);

/* The lever arm of a row that measures a length, at least the unit of length; 1 of one that measures an
 * angle. */
double rls_row_arm (const double J[12]);

/* Spells out joint j for good, and all joints. */
void rls_rows_spell_joint (rls_rows *rows, int j);
void rls_rows_spell (rls_rows *rows);

/* 1 if n numbers are the same to a tolerance relative to 1 plus their size. */
int rls_same_numbers (const double *a, const double *b, int n, double tolerance);

/* 1 if all entries of the rows are the same to a tolerance relative to 1 plus their size. */
int rls_rows_same (const rls_rows *a, const rls_rows *b, double tolerance);

/* Copies the rows themselves: J, sigma2, target and residual. */
void rls_rows_copy (const rls_rows *from, rls_rows *to);

/* out[r] = J[r] v.  v has 6 entries a body. */
void rls_rows_velocity (const rls_rows *rows, const double (*v)[6], double *out);

/* v += M^-1 J' p: the velocity change that impulses p make. */
void rls_rows_apply (const rls_rows *rows, const double *p, double (*v)[6]);

/* out = H M^-1 H' p, without forming the matrix; out may be p.  v: bodies, scratch. */
void rls_rows_delassus (const rls_rows *rows, const double *p, double (*v)[6], double *out);

/* out[r] = J[r] M^-1 J[r]'. */
void rls_rows_diagonal (const rls_rows *rows, double *out);

/* f += J' p: the generalised impulse itself.  Needs no masses and no sides by body. */
void rls_rows_force (const rls_rows *rows, const double *p, double (*f)[6]);

/* Lists the sides by body: attach0 (bodies + 1), attach (2 x joints). */
void rls_rows_attach (const rls_rows *rows, int bodies, int *attach0, int *attach);

/*
 * Expresses rows, residuals and targets in the bases of the reference, joint by joint: the rows become the
 * combination of themselves that is nearest to the reference rows.  ODE picks the two rows across an
 * axis anew for every pose, and its choice turns with the axis and jumps.  Soft joints are left alone, and
 * drives; so are, by rls_rows_align, joints whose bases have turned little. That little spoils decisions: of
 * two rows of which only a combination is redundant, either may be left out, but not any combination.  Where
 * kept rows are to stand for all, align exactly.
 */
void rls_rows_align (rls_rows *rows, const rls_rows *reference);
void rls_rows_align_exactly (rls_rows *rows, const rls_rows *reference);

/* z := J' (J J')^-1 x, the shortest vector with J z = x, for m <= RLS_MAX_ROWS rows of a joint.  Returns 0 if
 * they depend on each other. */
int rls_rows_shortest (int m, const double (*J)[12], const double *x, double z[12]);

/* 1 if rls_rows_align would change nothing. */
int rls_rows_aligned (const rls_rows *rows, const rls_rows *reference);

#endif
