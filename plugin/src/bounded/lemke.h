/*
 * Complementary pivoting: the bounded rows solved exactly, row by row, in dense form.
 */
#ifndef RLS_LEMKE_H
#define RLS_LEMKE_H

#include "dense_inverse.h"
#include "island/island.h"

/* On which side of its bounds a row is. */
enum
{
    RLS_SIDE_NONE = 0, /* it moves nothing, has no room between its bounds, or its normal does not push */
    RLS_SIDE_LOW,
    RLS_SIDE_FREE,
    RLS_SIDE_HIGH
};

typedef struct
{
    int rows, length;          /* of a column: rows, in whole eights */
    double *A;                 /* rows columns: what a unit impulse of one row does to the others */
    double *corner;            /* rows: its diagonal without what is added to that */
    const double *diagonal;    /* rows: inverse effective mass, 0 for rows that move nothing */
    double *p, *w;             /* rows: impulses, and the velocities that go with them */
    double *origin, *origin_w; /* rows: impulses whose velocities are known, and these */
    double *last;              /* rows: impulses to go back to */
    double *shift;             /* rows: what is on top of w where the path begins */
    double *dp, *dw;       /* rows: their change along the path while the shift goes from all to nothing */
    unsigned char *side;   /* rows: RLS_SIDE_* */
    double *share;         /* rows: what friction that slides is of its normal */
    int follows;           /* 1: the inverse is that of these sides and of this A */
    int *free_row, *place; /* rows: those that are free; where a row is among them */
    rls_inverse inverse;   /* of the free rows' A, friction that slides counted to its normal */
    double *column, *row;  /* scratch: free rows */
    int *pushing;          /* scratch: rows whose impulse changes, */
    double *factor;        /* and by how much */
    rls_arena halves;      /* half solves of the rows */
    size_t *zeros;         /* rows: numbers in front of a half that are 0 */
    rls_arena block;
} rls_lemke;

/* Room for so many rows, whose A is a new one.  1 done, 0 no memory. */
int rls_lemke_lay_out (rls_lemke *path, int rows);

/* Puts the rows on the sides where p has them and finds a shift of about so much (m/s) with which that would
 * be the answer.  p must be within the bounds. */
void rls_lemke_begin (rls_lemke *path, const rls_bounded *b, double room);

/* Takes p and w to where nothing is left of the shift, with at most so many pivots, as long as no more than
 * so many times the shift is on the way.  1 done, 0 the path does not lead there. */
int rls_lemke_follow (rls_lemke *path, const rls_bounded *b, int most, double farthest);

#endif
