/* Loops of hinges, closed, and linkages that are made of them; see oracle_loops.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "oracle.h"
#include "oracle_loops.h"
#include <math.h>
#include <string.h>

loop_frame loop_next_frame (const loop_frame *f, double turn, double offset, double length, double twist)
{
    const double c = cos (turn), t = sin (turn), ca = cos (twist), sa = sin (twist);
    const double step[9] = {c, -t * ca, t * sa, t, c * ca, -c * sa, 0, sa, ca};
    const double go[3] = {length * c, length * t, offset};
    loop_frame n;
    for (int i = 0; i < 3; ++i)
    {
        n.x[i] = f->x[i];
        for (int k = 0; k < 3; ++k)
        {
            n.x[i] += f->R[3 * i + k] * go[k];
            n.R[3 * i + k] = 0;
            for (int m = 0; m < 3; ++m) n.R[3 * i + k] += f->R[3 * i + m] * step[3 * m + k];
        }
    }
    return n;
}

static void frames_of (const loop *l, loop_frame *f)
{
    f[0] = (loop_frame){{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 0}};
    for (int i = 0; i < l->hinges; ++i)
        f[i + 1] = loop_next_frame (&f[i], l->angle[i], l->offset[i], l->length[i], l->twist[i]);
}

/* What closes the loop, as a small turn and shift about the origin, and the axes' lines that do it. */
double loop_close (loop *l)
{
    loop_frame f[LOOP_MOST + 1];
    double left = 0;
    for (int pass = 0; pass < 60; ++pass)
    {
        frames_of (l, f);
        const loop_frame *e = &f[l->hinges];
        const double *R = e->R;
        const double off[6] = {(R[7] - R[5]) / 2, (R[2] - R[6]) / 2, (R[3] - R[1]) / 2,
                               e->x[0],           e->x[1],           e->x[2]};
        left = fmax (fabs (R[0] - 1), fmax (fabs (R[4] - 1), fabs (R[8] - 1)));
        for (int k = 0; k < 6; ++k) left = fmax (left, fabs (off[k]));
        if (left < 3e-16) break;
        oracle_matrix A = oracle_zeros (6, l->hinges);
        double change[LOOP_MOST];
        for (int i = 0; i < l->hinges; ++i)
        {
            const double a[3] = {f[i].R[2], f[i].R[5], f[i].R[8]}, *p = f[i].x;
            for (int k = 0; k < 3; ++k)
            {
                const int u = (k + 1) % 3, v = (k + 2) % 3;
                oracle_row (&A, k)[i] = a[k];
                oracle_row (&A, 3 + k)[i] = a[u] * (e->x[v] - p[v]) - a[v] * (e->x[u] - p[u]);
            }
        }
        oracle_svd svd = oracle_decompose (&A);
        const int rank = oracle_rank (&svd, 1e-6), most = l->hinges - l->freedom;
        oracle_pseudo_solve (&svd, rank < most ? rank : most, off, change);
        for (int i = 0; i < l->hinges; ++i) l->angle[i] -= change[i];
        oracle_svd_free (&svd), oracle_free (&A);
    }
    return left;
}

#define THICK 0.25 /* m: links are no thin rods, so that turning about themselves takes something */

static void thicken (dBodyID body, double length)
{
    dMass mass;
    dMassSetBoxTotal (&mass, 1, (dReal)fmax (length, THICK), (dReal)THICK, (dReal)THICK);
    dBodySetMass (body, &mass);
}

void loop_build (scene *s, const loop *l, int on_ground, double twirl)
{
    loop_frame f[LOOP_MOST + 1];
    int link[LOOP_MOST];
    frames_of (l, f);
    for (int i = 0; i < l->hinges; ++i)
    {
        const double *from = f[i].x, *to = f[i + 1].x;
        link[i] = NO_BODY;
        if (i == 0 && on_ground) continue;
        const double middle[3] = {(from[0] + to[0]) / 2, (from[1] + to[1]) / 2, (from[2] + to[2]) / 2};
        link[i] = l->length[i] > 0
                      ? scene_rod (s, from, to)
                      : scene_box (s, (dReal)middle[0], (dReal)middle[1], (dReal)middle[2], 1, 1, 1, 1);
        thicken (s->body[link[i]], l->length[i]);
        dBodySetAngularVel (s->body[link[i]], (dReal)(twirl * f[i + 1].R[0]), (dReal)(twirl * f[i + 1].R[3]),
                            (dReal)(twirl * f[i + 1].R[6]));
    }
    for (int i = 0; i < l->hinges; ++i)
    {
        const double axis[3] = {f[i].R[2], f[i].R[5], f[i].R[8]};
        scene_hinge (s, link[(i + l->hinges - 1) % l->hinges], link[i], f[i].x, axis);
    }
}

static void build_loop (scene *s, loop *l, int on_ground, double twirl)
{
    const double left = loop_close (l);
    if (!(left < 1e-14)) fail_msg ("the loop stays open by %g", left);
    loop_build (s, l, on_ground, twirl);
}

/* ---- overconstrained loops, one link held ---- */

#define SQUARE (M_PI / 2)

/* Two of Bennett's loops put together, a shared link left out: length in proportion to the sine of the twist
 * throughout (Goldberg 1943). */
static void goldberg (scene *s)
{
    const double a = 1, b = 0.7, c = 0.8, alpha = 0.6, beta = asin (sin (alpha) * b / a),
                 gamma = asin (sin (alpha) * c / a);
    loop l = {.hinges = 5,
              .freedom = 1,
              .length = {a + c, b, a, c, b},
              .twist = {alpha + gamma, beta, alpha, gamma, beta},
              .angle = {2.95, 2.84, 1.3, -2.65, 1.84}};
    build_loop (s, &l, 1, 0);
}

/* Two mirrored Bennett loops with right angles (Myard 1931). */
static void myard (scene *s)
{
    const double twist = 0.8, b = 1, a = b * sin (twist);
    loop l = {.hinges = 5,
              .freedom = 1,
              .length = {a, b, 0, b, a},
              .twist = {twist, SQUARE, M_PI - 2 * twist, SQUARE, M_PI - twist},
              .angle = {-1.66, -1.52, -0.74, 2.4, 1.52}};
    build_loop (s, &l, 1, 0);
}

/* Six hinges, opposite ones alike, all twists right angles (Altmann 1954). */
static void altmann (scene *s)
{
    loop l = {.hinges = 6,
              .freedom = 1,
              .length = {1, 0, 0.6, 1, 0, 0.6},
              .twist = {SQUARE, SQUARE, -SQUARE, SQUARE, SQUARE, -SQUARE},
              .angle = {1.43, 1.98, -0.94, 1.43, 1.98, -0.94}};
    build_loop (s, &l, 1, 0);
}

/* ---- kaleidocycles ---- */

/* Even rings are symmetric about n/2 planes while (1 + cos a) (1 + cos b) = 4 cos^2 (2 pi / n), a and b the
 * turns at every other hinge.  Odd ones are one-sided bands. */
void kaleidocycle_build (scene *s, int n, double tilt, uint64_t seed)
{
    static const double seven[] = {-1.65, 1.29, -0.9, -2.52, 0.22, 0.88, -2.29},
                        nine[] = {-2.5, 1.89, 2, 0.42, -1.33, 1.04, 2.35, -0.73, 0.95};
    const double a = 0.6, b = n % 2 ? 0 : acos (4 * pow (cos (2 * M_PI / n), 2) / (1 + cos (a)) - 1);
    oracle_random random = {seed};
    loop l = {.hinges = n};
    for (int i = 0; i < n; ++i)
    {
        l.length[i] = 0.5, l.twist[i] = i % 2 && n % 2 == 0 ? -SQUARE : SQUARE;
        l.angle[i] = n == 7   ? seven[i]
                     : n == 9 ? nine[i]
                              : (i % 2 ? b : a) + tilt * oracle_uniform (&random, -1, 1);
    }
    build_loop (s, &l, 0, 4);
}

static void kaleidocycle_7 (scene *s) { kaleidocycle_build (s, 7, 0, 0); }
static void kaleidocycle_8 (scene *s) { kaleidocycle_build (s, 8, 0, 0); }
static void kaleidocycle_9 (scene *s) { kaleidocycle_build (s, 9, 0, 0); }

/* ---- Hoberman's rings ---- */

/* n pairs of bent bars, hinged in the middle and at both ends: the ends stay on n rays from the centre. */
static void hoberman (scene *s, int n)
{
    const double half = M_PI / n, radius = 1, arm = 0.75, across = radius * sin (half);
    const double along = radius * cos (half), reach = sqrt (arm * arm - across * across), up[3] = {0, 0, 1};
    for (int i = 0; i < 2 * n; ++i)
    {
        const double turn = 2 * half * (i / 2), x = radius * cos (turn), y = radius * sin (turn);
        const int bar = scene_box (s, (dReal)x, (dReal)y, 0, 1, (dReal)0.8, (dReal)0.2, (dReal)0.1);
        dBodySetLinearVel (s->body[bar], (dReal)(0.2 * x), (dReal)(0.2 * y), 0);
    }
    for (int k = 0; k < n; ++k)
    {
        const double turn = 2 * half * k, ray = turn + half, inner = along - reach, outer = along + reach;
        const double middle[3] = {radius * cos (turn), radius * sin (turn), 0};
        const double in[3] = {inner * cos (ray), inner * sin (ray), 0},
                     out[3] = {outer * cos (ray), outer * sin (ray), 0};
        const int next = 2 * ((k + 1) % n);
        scene_hinge (s, 2 * k, 2 * k + 1, middle, up);
        scene_hinge (s, 2 * k + 1, next, in,
                     up); /* bar 2 k goes from the inner to the outer end, 2 k + 1 the other way */
        scene_hinge (s, 2 * k, next + 1, out, up);
    }
}

static void hoberman_6 (scene *s) { hoberman (s, 6); }
static void hoberman_9 (scene *s) { hoberman (s, 9); }

/* ---- Wren's platforms ---- */

/* A platform on six legs of the same length, from circle to circle: it turns and sinks.  Each pose of that
 * motion is singular: to first order, what the legs say of a point of the circle has terms in 1, cos and sin
 * of its angle, three in all, so that two more motions begin but lead nowhere. */
static void wren (scene *s)
{
    const double turn = 0.5, height = 1;
    const int platform = scene_box (s, 0, 0, (dReal)height, 5, 1, 1, (dReal)0.1);
    for (int leg = 0; leg < 6; ++leg)
    {
        const double at = M_PI / 3 * leg;
        const double low[3] = {cos (at), sin (at), 0}, high[3] = {cos (at + turn), sin (at + turn), height};
        const int rod = scene_rod (s, low, high);
        const dJointID foot = scene_joint (s, dJointCreateUniversal, rod, NO_BODY);
        dJointSetUniversalAnchor (foot, (dReal)low[0], (dReal)low[1], (dReal)low[2]);
        dJointSetUniversalAxis1 (foot, (dReal)-low[1], (dReal)low[0], 0);
        dJointSetUniversalAxis2 (foot, (dReal)low[0], (dReal)low[1], 0);
        scene_ball (s, rod, platform, high);
    }
}

/* degrees of freedom: 6 x bodies - rank */
const held_out held_outs[] = {
    {"Goldberg", goldberg, -1, 23, 1},
    {"Myard", myard, -1, 23, 1},
    {"Altmann", altmann, -1, 29, 1},
    {"kaleidocycle of 7", kaleidocycle_7, 0, 35, 7},
    {"kaleidocycle of 8", kaleidocycle_8, 0, 39, 9},
    {"kaleidocycle of 9", kaleidocycle_9, 0, 45, 9},
    {"Hoberman ring of 6", hoberman_6, 0, 65, 7},
    {"Hoberman ring of 9", hoberman_9, 0, 101, 7},
    {"Wren platform", wren, -0.1, 39, 3},
};
const int held_out_count = sizeof (held_outs) / sizeof (held_outs[0]);

scene held_out_open (const held_out *which)
{
    scene s = scene_open ((dReal)which->gravity_z);
    which->build (&s);
    return s;
}
