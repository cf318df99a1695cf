/*
 * Heaps that fall: what a step gains of energy at most, and how deep contacts lie in each other, of 36 heaps of
 * 12 and 40 boxes, capsules, and both with balls, for 12 s: build/bin/heap_figures [every].
 * every: a line for each heap, too.
 */
#include "step_rig.h"
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define KINDS 3 /* boxes, capsules, both with balls */
#define SEEDS 6
#define HEAPS (KINDS * 2 * SEEDS)

typedef struct
{
    double gain, deep; /* the largest gain of a step, of the energy; mean deepest contact of the last quarter (m) */
} figures;

static uint64_t state;

static double uniform (double from, double to)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return from + (to - from) * (double)(state >> 33) / 2147483648.0;
}

static void make_round (rig *r, dBodyID body, int capsule, double length)
{
    dMass m;
    dGeomDestroy (dBodyGetFirstGeom (body));
    dGeomSetBody (capsule ? dCreateCapsule (r->space, (dReal)0.15, (dReal)length)
                          : dCreateSphere (r->space, (dReal)0.2),
                  body);
    if (capsule)
        dMassSetCapsuleTotal (&m, 1, 3, (dReal)0.15, (dReal)length);
    else
        dMassSetSphereTotal (&m, 1, (dReal)0.2);
    dBodySetMass (body, &m);
}

static void fill (rig *r, int kind, int bodies)
{
    dCreatePlane (r->space, 0, 0, 1, 0);
    for (int i = 0; i < bodies; ++i)
    {
        const int shape = kind < 2 ? kind : i % 3;
        const double size[3] = {uniform (0.3, 0.7), uniform (0.2, 0.5), uniform (0.2, 0.4)};
        const double x = uniform (0, 0.9), y = uniform (0, 0.9);
        const dBodyID body = add_box (r, 1, size, x, y, 0.5 + (bodies > 12 ? 0.35 : 0.4) * i, 1);
        if (shape > 0) make_round (r, body, shape == 1, size[0]);
        const double axis[3] = {uniform (-0.5, 0.5), uniform (-0.5, 0.5), uniform (0.001, 0.5)};
        dMatrix3 turn;
        dRFromAxisAndAngle (turn, (dReal)axis[0], (dReal)axis[1], (dReal)axis[2], (dReal)uniform (0, 3));
        dBodySetRotation (body, turn);
    }
}

static double energy (const rig *r)
{
    double sum = 0;
    for (int i = 0; i < r->bodies; ++i)
    {
        dReal kinetic, potential;
        dRLSMeasureBody (r->body[i], &kinetic, &potential);
        sum += (double)(kinetic + potential);
    }
    return sum;
}

static figures of_heap (int kind, int bodies, int seed, double h)
{
    const int steps = (int)lround (12 / h), last_quarter = 3 * steps / 4;
    figures f = {0};
    rig r = open_rig (1, 0, -G);
    state = (uint64_t)(1000 * kind + 100 * (bodies > 12) + seed + 1);
    fill (&r, kind, bodies);
    const double all = energy (&r);
    for (int i = 0; i < steps; ++i)
    {
        const double before = energy (&r);
        step (&r, h);
        f.gain = fmax (f.gain, (energy (&r) - before) / all);
        if (i >= last_quarter) f.deep += r.deepest / (steps - last_quarter);
    }
    close_rig (&r);
    return f;
}

static int by_size (const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void print_heaps (double h, int every)
{
    double deep[HEAPS], worst = 0, logarithms = 0, mean = 0;
    int n = 0, none = 0;
    for (int kind = 0; kind < KINDS; ++kind)
        for (int bodies = 12; bodies <= 40; bodies += 28)
            for (int seed = 0; seed < SEEDS; ++seed, ++n)
            {
                const figures f = of_heap (kind, bodies, seed, h);
                if (every) printf ("  kind %d, %d bodies: %.1e, %.2g mm\n", kind, bodies, f.gain, 1e3 * f.deep);
                logarithms += log (fmax (f.gain, 1e-16)) / HEAPS;
                worst = fmax (worst, f.gain);
                none += f.gain <= 1e-9;
                mean += 1e3 * f.deep / HEAPS;
                deep[n] = 1e3 * f.deep;
            }
    qsort (deep, HEAPS, sizeof (*deep), by_size);
    printf ("h = 1/%.0f: gain %.1e (geometric mean), %.1e (worst), at most 1e-9 in %d of %d; "
            "deepest contacts %.2g mm (median), %.2g mm (mean), %.2g mm (worst)\n",
            1 / h, exp (logarithms), worst, none, HEAPS, deep[HEAPS / 2], mean, deep[HEAPS - 1]);
}

int main (int argc, char **argv)
{
    (void)argv;
    dInitODE ();
    print_heaps (0.02, argc > 1);
    print_heaps (0.01, argc > 1);
    dCloseODE ();
    return 0;
}
