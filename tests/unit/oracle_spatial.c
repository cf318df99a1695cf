/* Spatial linkages and robots; see oracle_spatial.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "oracle.h"
#include "oracle_loops.h"
#include "oracle_spatial.h"
#include <math.h>
#include <string.h>

#define SQUARE (M_PI / 2)
#define TRIALS 400

static const double up[3] = {0, 0, 1}, across[3] = {0, 1, 0};

/* ---- loops of hinges ---- */

/* The loop from the first random angles, repeated with a period, that close it with the same symmetry. */
static void build_loop (scene *s, loop l, int period, uint64_t seed)
{
    oracle_random random = {seed};
    for (int trial = 0; trial < TRIALS; ++trial)
    {
        int repeats = 1;
        for (int i = 0; i < l.hinges; ++i)
            l.angle[i] = i < period ? oracle_uniform (&random, -M_PI, M_PI) : l.angle[i - period];
        if (!(loop_close (&l) < 1e-15)) continue;
        for (int i = period; i < l.hinges; ++i)
            repeats &= fabs (remainder (l.angle[i] - l.angle[i - period], 2 * M_PI)) < 1e-9;
        if (!repeats) continue;
        loop_build (s, &l, 1, 0);
        return;
    }
    fail_msg ("no angles close the loop");
}

/* Schatz 1929: the mixer Turbula. */
static void schatz (scene *s, int number)
{
    const loop l = {.hinges = 6,
                    .freedom = 1,
                    .length = {0, 0.5, 0.5, 0.5, 0, 0.5 * sqrt (3)},
                    .twist = {SQUARE, SQUARE, SQUARE, SQUARE, SQUARE, 0},
                    .offset = {0.3, 0, 0, 0, 0, -0.3}};
    build_loop (s, l, 6, (uint64_t)number);
}

/* Bricard 1927, symmetric about a line: opposite links alike. */
static void line_symmetric (scene *s, int number)
{
    oracle_random random = {(uint64_t)number};
    loop l = {.hinges = 6, .freedom = 1};
    for (int i = 0; i < 3; ++i)
    {
        l.length[i] = l.length[i + 3] = oracle_uniform (&random, 0.5, 1);
        l.twist[i] = l.twist[i + 3] = oracle_uniform (&random, 0.5, 2.5);
        l.offset[i] = l.offset[i + 3] = oracle_uniform (&random, -0.3, 0.3);
    }
    build_loop (s, l, 3, (uint64_t)number);
}

/* Bricard 1927, trihedral: right angles throughout, and the squares of every other link make the same sum. */
static void trihedral (scene *s, int number)
{
    const double a = 0.8, b = 0.75, c = 0.7, d = 0.5, e = 0.6;
    const loop l = {.hinges = 6,
                    .freedom = 1,
                    .length = {a, b, c, d, e, sqrt (a * a + c * c + e * e - b * b - d * d)},
                    .twist = {SQUARE, -SQUARE, SQUARE, -SQUARE, SQUARE, -SQUARE}};
    build_loop (s, l, 6, (uint64_t)number);
}

/* Bennett 1903, opposite links alike. */
static void bennett (scene *s, int number)
{
    const double a = 0.6, b = 0.9, alpha = 0.6 + 0.05 * number, beta = asin (sin (alpha) * b / a);
    const loop l = {.hinges = 4, .freedom = 1, .length = {a, b, a, b}, .twist = {alpha, beta, alpha, beta}};
    build_loop (s, l, 4, 9);
}

/* Even kaleidocycles near their symmetric pose, which is singular for eight. */
static void kaleidocycle (scene *s, int number)
{
    const double a = 0.6, b = acos (4 * pow (cos (2 * M_PI / number), 2) / (1 + cos (a)) - 1);
    oracle_random random = {(uint64_t)number};
    loop l = {.hinges = number};
    for (int i = 0; i < number; ++i)
    {
        l.length[i] = 0.5, l.twist[i] = i % 2 ? -SQUARE : SQUARE;
        l.angle[i] = (i % 2 ? b : a) + (number > 6 ? 0.3 * oracle_uniform (&random, -1, 1) : 0);
    }
    assert_true (loop_close (&l) < 1e-14);
    loop_build (s, &l, 1, 0);
}

/* ---- rings, towers, platforms ---- */

/* Hoberman's ring, upright: bar 0 turns about its middle, or is held. */
static void ring (scene *s, int bars, int held)
{
    const int pairs = bars / 2;
    const double half = M_PI / pairs, along = cos (half), reach = sqrt (0.5625 - sin (half) * sin (half));
    for (int i = 0; i < bars; ++i)
    {
        const double turn = 2 * half * (i / 2);
        scene_box (s, (dReal)cos (turn), (dReal)sin (turn), 0, 1, (dReal)0.8, (dReal)0.2, (dReal)0.1);
    }
    for (int k = 0; k < pairs; ++k)
    {
        const double turn = 2 * half * k, ray = turn + half, inner = along - reach, outer = along + reach;
        const double middle[3] = {cos (turn), sin (turn), 0};
        const double in[3] = {inner * cos (ray), inner * sin (ray), 0},
                     out[3] = {outer * cos (ray), outer * sin (ray), 0};
        const int next = 2 * ((k + 1) % pairs);
        scene_hinge (s, 2 * k, 2 * k + 1, middle, up);
        scene_hinge (s, 2 * k + 1, next, in, up);
        scene_hinge (s, 2 * k, next + 1, out, up);
    }
    const double middle[3] = {1, 0, 0};
    if (held)
        dJointSetFixed (scene_joint (s, dJointCreateFixed, 0, NO_BODY));
    else
        scene_hinge (s, 0, NO_BODY, middle, up);
}

static void ring_hung (scene *s, int bars) { ring (s, bars, 0); }
static void ring_held (scene *s, int bars) { ring (s, bars, 1); }

/* Sarrus' guide with as many sides, two storeys. */
static void sarrus_tower (scene *s, int sides)
{
    for (int storey = 0, below = NO_BODY; storey < 2; ++storey)
    {
        const int platform = scene_box (s, 0, 0, (dReal)(1 + storey), 1, 1, 1, (dReal)0.1);
        for (int i = 0; i < sides; ++i)
        {
            const double turn = 2 * M_PI / sides * i + 0.1, axis[3] = {-sin (turn), cos (turn), 0};
            double point[3][3];
            for (int k = 0; k < 3; ++k)
            {
                const double radius = k == 1 ? 1.2 : 0.8;
                point[k][0] = radius * cos (turn), point[k][1] = radius * sin (turn);
                point[k][2] = storey + 0.5 * k;
            }
            const int lower = scene_rod (s, point[0], point[1]), upper = scene_rod (s, point[1], point[2]);
            scene_hinge (s, lower, below, point[0], axis);
            scene_hinge (s, lower, upper, point[1], axis);
            scene_hinge (s, upper, platform, point[2], axis);
        }
        below = platform;
    }
}

static void universal (scene *s, int a, int b, const double anchor[3], const double first[3],
                       const double second[3])
{
    const dJointID joint = scene_joint (s, dJointCreateUniversal, a, b);
    dJointSetUniversalAnchor (joint, (dReal)anchor[0], (dReal)anchor[1], (dReal)anchor[2]);
    dJointSetUniversalAxis1 (joint, (dReal)first[0], (dReal)first[1], (dReal)first[2]);
    dJointSetUniversalAxis2 (joint, (dReal)second[0], (dReal)second[1], (dReal)second[2]);
}

/* Wren's platform on as many legs; each of its poses is singular (oracle_loops.c).  Falls flat and beyond. */
static void wren (scene *s, int legs)
{
    const int platform = scene_box (s, 0, 0, 1, 5, 1, 1, (dReal)0.1);
    for (int leg = 0; leg < legs; ++leg)
    {
        const double at = 2 * M_PI / legs * leg, low[3] = {cos (at), sin (at), 0},
                     high[3] = {cos (at + 0.5), sin (at + 0.5), 1}, round[3] = {-low[1], low[0], 0};
        const int rod = scene_rod (s, low, high);
        universal (s, rod, NO_BODY, low, round, low);
        scene_ball (s, rod, platform, high);
    }
}

/* ---- robots ---- */

/* Clavel's Delta: three arms, each with two rods to a platform that stays level.  Universal joints at both
 * ends of the rods say six things twice. */
static void delta (scene *s, int number)
{
    const double arm = 0.5, rod = 1, base = 0.6, small = 0.3, half = 0.12, P[3] = {0.05, 0.1, -0.9};
    (void)number;
    const int platform =
        scene_box (s, (dReal)P[0], (dReal)P[1], (dReal)P[2], 2, (dReal)0.4, (dReal)0.4, (dReal)0.05);
    for (int i = 0; i < 3; ++i)
    {
        /* the arm's angle q below the level, from x cos q + z sin q = k in its plane */
        const double turn = 2 * M_PI / 3 * i, out[3] = {cos (turn), sin (turn), 0},
                     axis[3] = {-sin (turn), cos (turn), 0};
        const double x = base - small - P[0] * out[0] - P[1] * out[1], y = P[0] * axis[0] + P[1] * axis[1];
        const double k = (rod * rod - arm * arm - x * x - y * y - P[2] * P[2]) / (2 * arm);
        const double q = atan2 (P[2], x) + acos (k / hypot (x, P[2]));
        double top[3], knee[3];
        for (int d = 0; d < 3; ++d)
            top[d] = base * out[d], knee[d] = top[d] + arm * (cos (q) * out[d] - sin (q) * up[d]);
        const int upper = scene_rod (s, top, knee);
        scene_hinge (s, upper, NO_BODY, top, axis);

        /* its two rods */
        for (int side = -1; side <= 1; side += 2)
        {
            double from[3], to[3], along[3];
            for (int d = 0; d < 3; ++d)
                from[d] = knee[d] + side * half * axis[d],
                to[d] = P[d] + small * out[d] + side * half * axis[d], along[d] = to[d] - from[d];
            const double third[3] = {axis[1] * along[2] - axis[2] * along[1],
                                     axis[2] * along[0] - axis[0] * along[2],
                                     axis[0] * along[1] - axis[1] * along[0]};
            const int lower = scene_rod (s, from, to);
            universal (s, upper, lower, from, axis, third);
            universal (s, platform, lower, to, axis, third);
        }
    }
}

/* ---- bars ---- */

/* Bars between points, hinged (axis) or in balls where they meet; the first bar is hung at its first point.
 */
static void net (scene *s, int bars, const int (*ends)[2], const double (*point)[3], const double *axis)
{
    int first[16];
    memset (first, -1, sizeof (first));
    for (int i = 0; i < bars; ++i)
    {
        const int bar = scene_rod (s, point[ends[i][0]], point[ends[i][1]]);
        for (int side = 0; side < 2; ++side)
        {
            const int p = ends[i][side], other = first[p] < 0 ? NO_BODY : first[p];
            if (first[p] < 0) first[p] = bar;
            if (other == NO_BODY && (i > 0 || side > 0)) continue;
            if (axis)
                scene_hinge (s, bar, other, point[p], axis);
            else
                scene_ball (s, bar, other, point[p]);
        }
    }
}

/* Two bipyramids that share their tips: Maxwell's count is right, and yet one bar is redundant. */
static void double_banana (scene *s, int number)
{
    static const double point[8][3] = {{0, 0, 1},        {0, 0, -1}, {1, 0, 0.1},      {0.6, 0.6, 0},
                                       {0.5, 0.2, -0.2}, {-1, 0, 0}, {-0.6, 0.5, 0.1}, {-0.5, -0.3, -0.1}};
    int ends[18][2], bars = 0;
    (void)number;
    for (int i = 0; i < 6; ++i)
        for (int tip = 0; tip < 2; ++tip) ends[bars][0] = tip, ends[bars++][1] = 2 + i;
    for (int i = 0; i < 6; ++i) ends[bars][0] = 2 + i, ends[bars++][1] = 2 + 3 * (i / 3) + (i + 1) % 3;
    net (s, bars, (const int (*)[2])ends, point, NULL);
}

/* Dixon 1899: points on two lines at right angles, each of one joined with each of the other. */
static void dixon (scene *s, int points)
{
    double point[16][3] = {{0}};
    int ends[16][2], bars = 0;
    for (int i = 0; i < points; ++i)
    {
        point[i][0] = 0.4 + 0.35 * i * (i % 2 ? -1 : 1.2);
        point[points + i][2] = (i % 2 ? -1 : 1) * (0.6 + 0.3 * i);
        for (int k = 0; k < points; ++k) ends[bars][0] = i, ends[bars++][1] = points + k;
    }
    net (s, bars, (const int (*)[2])ends, (const double (*)[3])point, across);
}

const spatial spatials[] = {
    {"Schatz", schatz, 12, {0, -9.81, 0}, 29, 1, 0},
    {"Bennett", bennett, 2, {0, 0, -9.81}, 17, 1, 0},
    {"Bricard, line-symmetric", line_symmetric, 51, {0, 0, -9.81}, 29, 1, 0},
    {"Bricard, trihedral", trihedral, 73, {0, -9.81, 0}, 29, 1, 0},
    {"kaleidocycle of 6", kaleidocycle, 6, {0, 0, -9.81}, 29, 1, 0},
    {"kaleidocycle of 10", kaleidocycle, 10, {0, 0, -9.81}, 50, 4, 0},
    {"kaleidocycle of 12", kaleidocycle, 12, {0, -9.81, 0}, 60, 6, 0},
    {"Hoberman ring of 6, hung", ring_hung, 12, {-9.81, 0, 0}, 70, 2, 0},
    {"Hoberman ring of 6, held", ring_held, 12, {-9.81, 0, 0}, 71, 1, 1},
    {"Hoberman ring of 9, held", ring_held, 18, {-9.81, 0, 0}, 107, 1, 1},
    {"Sarrus tower of 3 sides", sarrus_tower, 3, {0, 0, -9.81}, 82, 2, 0},
    {"Wren platform of 6 legs", wren, 6, {0, 0, -9.81}, 39, 3, 0},
    {"Wren platform of 8 legs", wren, 8, {0, 0, -9.81}, 51, 3, 0},
    {"Delta robot", delta, 0, {0, 0, -9.81}, 57, 3, 0},
    {"double banana", double_banana, 0, {0, 0, -9.81}, 86, 22, 0},
    {"Dixon's nine bars", dixon, 3, {0, 0, -9.81}, 52, 2, 0},
};
const int spatial_count = sizeof (spatials) / sizeof (spatials[0]);

scene spatial_open (const spatial *which)
{
    scene s = scene_open (0);
    dWorldSetGravity (s.world, (dReal)which->gravity[0], (dReal)which->gravity[1], (dReal)which->gravity[2]);
    which->build (&s, which->number);
    return s;
}
