/*
 * Rows over many bodies (dRLSStepperJoinRows) for the tests, put together body by body.
 */
#ifndef MANY_ROWS_H
#define MANY_ROWS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>
#include "oracle_scene.h"

/* What a body has to do with the rows of all; the function is told about bodies, joint by joint, and a body
 * counts with the first joint that has it as its second, or with the first joint as its first. */
typedef struct
{
    int bodies, count;
    const scene *s;
    void (*add) (const scene *s, int body, double sign, dReal J[3][6], dReal value[3], dReal rate[3],
                 double time);
    int kind;
    double lo[3], hi[3]; /* rows: bounds */
} gathering;

static inline int number_of (const scene *s, dBodyID body)
{
    int b = 0;
    while (b < s->bodies && s->body[b] != body) ++b;
    return b;
}

static inline int gather (void *context, dJointID joint, dReal time, dRLSProgramRow *row)
{
    const gathering *g = context;
    for (int side = joint == g->s->joint[0] ? 0 : 1; side < 2; ++side)
    {
        dReal J[3][6] = {{0}}, value[3] = {0}, rate[3] = {0};
        g->add (g->s, number_of (g->s, dJointGetBody (joint, side)), 1, J, value, rate, (double)time);
        for (int k = 0; k < g->count; ++k)
        {
            memcpy (side ? row[k].second : row[k].first, J[k], sizeof (J[k]));
            row[k].value += value[k], row[k].rate += rate[k], row[k].kind = g->kind;
            row[k].lo = (dReal)g->lo[k], row[k].hi = (dReal)g->hi[k];
        }
    }
    return 1;
}

/* Motors from body to body, the first with the rows and the others parts of it. */
static inline void join (scene *s, gathering *g)
{
    g->s = s;
    for (int b = 0; b + 1 < g->bodies; ++b) scene_joint (s, dJointCreateLMotor, b, b + 1);
    assert_int_equal (dRLSStepperSetJointRows (scene_stepper (s), s->joint[0], g->count, gather, g), 1);
    for (int j = 1; j + 1 < g->bodies; ++j)
        assert_int_equal (dRLSStepperJoinRows (s->stepper, s->joint[j], s->joint[0]), 1);
}

#endif
