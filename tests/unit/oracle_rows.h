/*
 * Made-up islands for the numerical stages: bodies with random masses, joints with rows of a known rank,
 * and what the oracle says of them.
 *
 * Most joints take their rows from a pool of six wrenches fixed in space.  Rows of one wrench then depend
 * on each other exactly where the joints that carry it close a loop, so that the rank is known from the
 * graph alone, whatever the masses, the numbers or the order.
 */
#ifndef ORACLE_ROWS_H
#define ORACLE_ROWS_H

#include "oracle.h"
#include "order/order.h"

#define ORACLE_POOL 6

typedef struct
{
    int bodies;
    unsigned char *movable;
    double (*centre)[3], *mass, (*W)[9]; /* W: inverse inertia, world axes */
    double (*v)[6];                      /* velocity before the rows act */
    double (*wanted)[6];                 /* a velocity that satisfies all rows: targets come from it */
    double pool[ORACLE_POOL][6];         /* force and moment about the origin */
    rls_rows rows;
    int (*body)[2], *row0, *attach0, *attach; /* what rows refers to */
    unsigned *carries;                        /* joints: set of pool wrenches, 0 for rows from elsewhere */
} oracle_system;

#ifndef ORACLE_MOST_JOINTS
#define ORACLE_MOST_JOINTS 256
#endif

/* Bodies with masses over so many decades, without joints. */
oracle_system oracle_system_create (int bodies, double mass_decades, oracle_random *random);
void oracle_system_free (oracle_system *system);

/* Makes a body kinematic; before it has joints. */
void oracle_fix_body (oracle_system *system, int body);

/* J v of one row of a joint. */
double oracle_row_speed (const oracle_system *system, int joint, const double J[12], const double (*v)[6]);

/* Row of a wrench (force, moment about the origin) between bodies a and b (-1: the world). */
void oracle_wrench_row (const oracle_system *system, int a, int b, const double wrench[6], double J[12]);

/* Appends a joint; its targets are those of the wanted velocity. */
void oracle_add_joint (oracle_system *system, int a, int b, int count, const double (*J)[12]);

/* Appends a joint that carries a set of pool wrenches, its rows mixed at random. */
void oracle_add_pool_joint (oracle_system *system, int a, int b, unsigned carries, oracle_random *random);

/* Multiplies a row, target and compliance included: the constraint stays the same. */
void oracle_scale_row (oracle_system *system, int row, double factor);

/* Makes a row soft. */
void oracle_soften (oracle_system *system, int row, double sigma2);

/* Rank by counting: for every wrench the edges of a spanning forest, the unmovable bodies being one node. */
int oracle_graph_rank (const oracle_system *system);

/* ---- structures: joints of pool wrenches along the edges of a graph ---- */

typedef enum
{
    ORACLE_CHAIN,
    ORACLE_TREE,
    ORACLE_LOOPS, /* a tree with as many edges again */
    ORACLE_NET,
    ORACLE_HUB,  /* one body carries all others, some twice */
    ORACLE_MESH, /* each body is joined to the three before it, by one or two wrenches */
    ORACLE_STRUCTURES
} oracle_structure;

typedef struct
{
    oracle_structure structure;
    int bodies;
    double mass_decades; /* masses range over so many powers of ten */
    int rigid;           /* every joint carries all six wrenches, otherwise a random set */
    int kinematic;       /* one body cannot be pushed */
} oracle_plan;

/* A system of pool joints after a plan. */
oracle_system oracle_system_draw (const oracle_plan *plan, oracle_random *random);

/* ---- what is right ---- */

typedef struct
{
    int rank;             /* of the hard rows that take part */
    double kept, dropped; /* the singular values on either side of the rank, relative to the largest */
    double (*v)[6];       /* velocity with the rows enforced */
} oracle_answer;

/* The M-nearest velocity that satisfies the rows, by pseudo-inverse.  Rows with skip[r] != 0 take no part;
 * skip may be NULL.  Singular values below tolerance times the largest are zero. */
oracle_answer oracle_solve (const oracle_system *system, const unsigned char *skip, double tolerance);
void oracle_answer_free (oracle_answer *answer);

/* H over movable bodies (rows x 6 bodies), rows with skip[r] != 0 zero. */
oracle_matrix oracle_row_matrix (const oracle_system *system, const unsigned char *skip);

/* The largest component of the difference of two velocities. */
double oracle_distance (int bodies, const double (*a)[6], const double (*b)[6]);

#endif
