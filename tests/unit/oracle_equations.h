/*
 * The equations of motion that the library hands out as dense matrices, made of nothing but their entries and
 * the bodies.
 */
#ifndef ORACLE_EQUATIONS_H
#define ORACLE_EQUATIONS_H

#include "oracle.h"
#include "oracle_linkages.h"

#define LARGE 75  /* rows, whose singular values take their time */
#define MOTION 40 /* steps before the look */

typedef struct
{
    dRLSEquationsID equations;
    dRLSEquationsSize size;
    int n; /* 6 x bodies */
    dBodyID *body;
    dRLSEquationRow *row;
    oracle_matrix H, L; /* L L' = M^-1 */
    oracle_svd svd;     /* of H L */
} dense;

dense dense_look (scene *s);
void dense_forget (dense *d);

/* Numbers to be freed: zeros, random ones between -1 and 1, and copies. */
dReal *dense_numbers (int count);
dReal *dense_draw (int count, oracle_random *random);
double *dense_doubles (const dReal *x, int count);

/* Fails unless a is b to nine digits of the largest of its numbers, or of 1. */
void dense_near (const char *what, const dReal *a, const double *b, int count);

/* x := L L' x = M^-1 x */
void dense_over_mass (const dense *d, double *x);

/* x := H' p */
void dense_on_bodies (const dense *d, const double *p, double *x);

/* Checks every linkage of the oracle that is not large, some steps on. */
void dense_for_all (void (*check) (dense *d, oracle_random *random, scene *s));

#endif
