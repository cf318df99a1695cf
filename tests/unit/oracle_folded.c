/* Flexible polyhedra, sheets, trellises and loops; see oracle_folded.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "oracle.h"
#include "oracle_folded.h"
#include "oracle_loops.h"
#include <math.h>
#include <string.h>

#define MOST 12
#define TRIALS 400

static const double across[3] = {0, 1, 0};

static void hold (scene *s, int body) { dJointSetFixed (scene_joint (s, dJointCreateFixed, body, NO_BODY)); }

/* ---- plates ---- */

/* A plate at the middle of its corners: only its mass matters, and where its hinges are. */
static int plate (scene *s, int corners, const double *const *corner)
{
    double middle[3] = {0};
    for (int i = 0; i < corners; ++i)
        for (int k = 0; k < 3; ++k) middle[k] += corner[i][k] / corners;
    return scene_box (s, (dReal)middle[0], (dReal)middle[1], (dReal)middle[2], 1, (dReal)0.5, (dReal)0.5,
                      (dReal)0.1);
}

/* Two plates share the edge from p to q. */
static void crease (scene *s, int a, int b, const double p[3], const double q[3])
{
    double middle[3], axis[3];
    for (int k = 0; k < 3; ++k) middle[k] = (p[k] + q[k]) / 2, axis[k] = q[k] - p[k];
    scene_hinge (s, a, b, middle, axis);
}

/* Bricard 1897: eight triangles over three pairs of opposite corners.  Bit i of a triangle's number says
 * which corner of pair i it has. */
static void octahedron (scene *s, const double (*corner)[2][3])
{
    int face[8];
    for (int f = 0; f < 8; ++f)
    {
        const double *at[3];
        for (int i = 0; i < 3; ++i) at[i] = corner[i][f >> i & 1];
        face[f] = plate (s, 3, at);
    }
    for (int f = 0; f < 8; ++f)
        for (int i = 0; i < 3; ++i)
        {
            const int a = (i + 1) % 3, b = (i + 2) % 3;
            if (f >> i & 1) continue;
            crease (s, face[f], face[f | 1 << i], corner[a][f >> a & 1], corner[b][f >> b & 1]);
        }
    hold (s, face[0]);
}

/* Opposite corners are images of each other under half a turn. */
static void octahedron_about_a_line (scene *s, int number)
{
    oracle_random random = {(uint64_t)number};
    double corner[3][2][3];
    for (int i = 0; i < 3; ++i)
    {
        for (int k = 0; k < 3; ++k) corner[i][0][k] = oracle_uniform (&random, -1, 1);
        for (int k = 0; k < 3; ++k) corner[i][1][k] = k < 2 ? -corner[i][0][k] : corner[i][0][k];
    }
    octahedron (s, (const double (*)[2][3])corner);
}

/* Two pairs are mirror images, the third lies in the mirror. */
static void octahedron_in_a_mirror (scene *s, int number)
{
    oracle_random random = {(uint64_t)number};
    double corner[3][2][3];
    for (int i = 0; i < 3; ++i)
    {
        for (int k = 0; k < 3; ++k) corner[i][0][k] = oracle_uniform (&random, -1, 1);
        for (int k = 0; k < 3; ++k) corner[i][1][k] = k < 1 ? -corner[i][0][k] : corner[i][0][k];
    }
    corner[2][0][0] = corner[2][1][0] = 0;
    for (int k = 1; k < 3; ++k) corner[2][1][k] = oracle_uniform (&random, -1, 1);
    octahedron (s, (const double (*)[2][3])corner);
}

/* Miura's fold of n x n parallelograms with sides of half a metre and an angle of a radian: every corner
 * inside has four creases, and all fold together. */
static void miura (scene *s, int n)
{
    const double side = 0.5, angle = 1, fold = 0.9, run = cos (fold) * tan (angle);
    const double high = side * sin (fold) * sin (angle), along = side * run / sqrt (1 + run * run),
                 aside = side / sqrt (1 + run * run),
                 deep = side * sqrt (1 - pow (sin (fold) * sin (angle), 2));
    double p[MOST][MOST][3];
    int sheet[MOST][MOST];
    for (int i = 0; i <= n; ++i)
        for (int j = 0; j <= n; ++j)
            p[i][j][0] = along * j, p[i][j][1] = deep * i + (j % 2 ? aside : 0),
            p[i][j][2] = i % 2 ? high : 0;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
        {
            const double *at[4] = {p[i][j], p[i + 1][j], p[i][j + 1], p[i + 1][j + 1]};
            sheet[i][j] = plate (s, 4, at);
        }
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
        {
            if (j + 1 < n) crease (s, sheet[i][j], sheet[i][j + 1], p[i][j + 1], p[i + 1][j + 1]);
            if (i + 1 < n) crease (s, sheet[i][j], sheet[i + 1][j], p[i + 1][j], p[i + 1][j + 1]);
        }
    hold (s, sheet[0][0]);
}

/* As many creases that meet in a point, as in the waterbomb. */
static void waterbomb (scene *s, int creases)
{
    static const double centre[3] = {0, 0, 0};
    double tip[MOST][3];
    int sheet[MOST];
    for (int i = 0; i < creases; ++i)
    {
        const double turn = 2 * M_PI * i / creases;
        tip[i][0] = cos (turn), tip[i][1] = sin (turn), tip[i][2] = i % 2 ? 0.5 : -0.3;
    }
    for (int i = 0; i < creases; ++i)
    {
        const double *at[3] = {centre, tip[i], tip[(i + 1) % creases]};
        sheet[i] = plate (s, 3, at);
    }
    for (int i = 0; i < creases; ++i)
        crease (s, sheet[(i + creases - 1) % creases], sheet[i], centre, tip[i]);
    hold (s, sheet[0]);
}

/* ---- bars ---- */

/* n bars each way, hinged wherever they cross; it folds into a line and opens on the other side. */
static void trellis (scene *s, int n)
{
    const double slope = 0.6, gap = 0.4;
    int bar[2][MOST];
    for (int way = 0; way < 2; ++way)
        for (int i = 0; i < n; ++i)
        {
            const double up = way ? -1 : 1, x = gap * cos (slope), z = gap * sin (slope);
            const double from[3] = {i * x, 0, -up * i * z};
            const double to[3] = {from[0] + (n - 1) * x, 0, from[2] + up * (n - 1) * z};
            bar[way][i] = scene_rod (s, from, to);
        }
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
        {
            const double p[3] = {gap * (i + j) * cos (slope), 0, gap * (j - i) * sin (slope)};
            scene_hinge (s, bar[0][i], bar[1][j], p, across);
        }
    hold (s, bar[0][0]);
}

/* Crossed bars in a row, hung at one end: a and b cross at the middle, and reach the last two crosswise. */
static void add_cross (scene *s, int *last, const double corner[4][3], const double middle[3],
                       const double *axis)
{
    const int a = scene_rod (s, corner[0], corner[3]), b = scene_rod (s, corner[1], corner[2]);
    scene_hinge (s, a, b, middle, axis ? axis : middle);
    scene_hinge (s, a, last[1], corner[0], axis ? axis : corner[0]);
    if (last[0] != NO_BODY) scene_hinge (s, b, last[0], corner[1], axis ? axis : corner[1]);
    last[0] = a, last[1] = b;
}

static void tongs (scene *s, int cells)
{
    const double wide = 0.5, high = 0.2;
    int last[2] = {NO_BODY, NO_BODY};
    for (int i = 0; i < cells; ++i)
    {
        const double top = -i * high, low = top - high;
        const double corner[4][3] = {{0, 0, top}, {wide, 0, top}, {0, 0, low}, {wide, 0, low}};
        const double middle[3] = {wide / 2, 0, (top + low) / 2};
        add_cross (s, last, corner, middle, across);
    }
}

/* The same on a sphere: all axes meet in its centre. */
static void spherical_tongs (scene *s, int cells)
{
    const double cell = 0.25, c = cos (0.3), z = sin (0.3);
    int last[2] = {NO_BODY, NO_BODY};
    for (int i = 0; i < cells; ++i)
    {
        const double from = i * cell, to = from + cell,
                     middle[3] = {cos (from + cell / 2), sin (from + cell / 2), 0};
        const double corner[4][3] = {{c * cos (from), c * sin (from), -z},
                                     {c * cos (from), c * sin (from), z},
                                     {c * cos (to), c * sin (to), -z},
                                     {c * cos (to), c * sin (to), z}};
        add_cross (s, last, corner, middle, NULL);
    }
}

/* ---- loops of six hinges, a platform ---- */

/* Bricard 1927, symmetric about a plane through two opposite hinges. */
static void plane_symmetric (scene *s, int number)
{
    oracle_random random = {(uint64_t)number};
    loop l = {.hinges = 6, .freedom = 1};
    for (int i = 0; i < 3; ++i) l.length[i] = l.length[5 - i] = oracle_uniform (&random, 0.4, 0.8);
    for (int i = 0; i < 3; ++i) l.twist[i] = oracle_uniform (&random, 0.5, 1.2), l.twist[5 - i] = -l.twist[i];
    for (int trial = 0; trial < TRIALS; ++trial)
    {
        for (int i = 0; i < 6; ++i) l.angle[i] = oracle_uniform (&random, -M_PI, M_PI);
        if (!(loop_close (&l) < 1e-15)) continue;
        loop_build (s, &l, 1, 0);
        return;
    }
    fail_msg ("no angles close the loop");
}

/* Waldron 1968: two of Bennett's loops about a common axis turn together, so that its two hinges may be left
 * out: the bodies beside it are one each. */
static void waldron (scene *s, int number)
{
    oracle_random random = {(uint64_t)number};
    loop_frame f[2][4];
    double axis[2][4][3];
    for (int k = 0; k < 2; ++k)
    {
        const double a = oracle_uniform (&random, 0.5, 0.8), b = oracle_uniform (&random, 0.9, 1.2);
        const double alpha = oracle_uniform (&random, 0.25, 0.4), beta = asin (sin (alpha) * b / a),
                     first = 1.2;
        const double second =
            2 * atan (sin ((beta + alpha) / 2) / sin ((beta - alpha) / 2) / tan (first / 2));
        const double turn[4] = {first, second, -first, -second}, c = cos (2 * k), t = sin (2 * k);
        f[k][0] = (loop_frame){{c, -t, 0, t, c, 0, 0, 0, 1}, {0, 0, 0.4 * k}};
        for (int i = 1; i < 4; ++i)
            f[k][i] = loop_next_frame (&f[k][i - 1], turn[i - 1], 0, i % 2 ? a : b, i % 2 ? alpha : beta);
        for (int i = 0; i < 4; ++i)
            for (int d = 0; d < 3; ++d) axis[k][i][d] = f[k][i].R[3 * d + 2];
    }
    const int shared = scene_rod (s, f[0][3].x, f[1][3].x);
    for (int k = 0; k < 2; ++k)
    {
        const int near = scene_rod (s, f[k][1].x, f[k][2].x), far = scene_rod (s, f[k][2].x, f[k][3].x);
        scene_hinge (s, near, NO_BODY, f[k][1].x, axis[k][1]);
        scene_hinge (s, far, near, f[k][2].x, axis[k][2]);
        scene_hinge (s, shared, far, f[k][3].x, axis[k][3]);
    }
}

/* Griffis & Duffy 1993: two triangles, the corners of each joined with the middles of the other's sides by
 * legs of fixed length. */
static void griffis_duffy (scene *s, int number)
{
    const double height = 0.8, turn = M_PI + 0.4;
    double base[6][3], top[6][3];
    (void)number;
    for (int i = 0; i < 6; i += 2)
        base[i][0] = cos (M_PI / 3 * i), base[i][1] = sin (M_PI / 3 * i), base[i][2] = 0;
    for (int i = 1; i < 6; i += 2)
        for (int k = 0; k < 3; ++k) base[i][k] = (base[i - 1][k] + base[(i + 1) % 6][k]) / 2;
    for (int i = 0; i < 6; ++i)
    {
        const double *p = base[(i + 3) % 6];
        top[i][0] = cos (turn) * p[0] - sin (turn) * p[1], top[i][1] = sin (turn) * p[0] + cos (turn) * p[1];
        top[i][2] = height;
    }
    const int platform = scene_box (s, 0, 0, (dReal)height, 5, 1, 1, (dReal)0.1);
    for (int i = 0; i < 6; ++i)
    {
        const double d[2] = {top[i][0] - base[i][0] + 1e-3, top[i][1] - base[i][1]};
        const int leg = scene_rod (s, base[i], top[i]);
        const dJointID foot = scene_joint (s, dJointCreateUniversal, leg, NO_BODY);
        dJointSetUniversalAnchor (foot, (dReal)base[i][0], (dReal)base[i][1], (dReal)base[i][2]);
        dJointSetUniversalAxis1 (foot, (dReal)-d[1], (dReal)d[0], 0);
        dJointSetUniversalAxis2 (foot, (dReal)(d[0] * height), (dReal)(d[1] * height),
                                 (dReal)(-d[0] * d[0] - d[1] * d[1]));
        scene_ball (s, leg, platform, top[i]);
    }
}

/* degrees of freedom: 6 x bodies - rank */
const spatial folded[] = {
    {"octahedron about a line", octahedron_about_a_line, 3, {0, 0, -3}, 47, 1, 0},
    {"octahedron about a line", octahedron_about_a_line, 8, {1, -2, 1}, 47, 1, 0},
    {"octahedron in a mirror", octahedron_in_a_mirror, 6, {1, 2, 1}, 47, 1, 0},
    {"Miura's fold", miura, 4, {0, 0, -9.81}, 95, 1, 0},
    {"six creases", waterbomb, 6, {0, 0, -3}, 33, 3, 0},
    {"trellis", trellis, 6, {0, 0, -9.81}, 71, 1, 1},
    {"tongs", tongs, 20, {0, 0, -1}, 238, 2, 0},
    {"spherical tongs", spherical_tongs, 12, {0, 0, -2}, 142, 2, 0},
    {"Bricard, plane-symmetric", plane_symmetric, 4, {0, -3, 0}, 29, 1, 0},
    {"Bricard, plane-symmetric", plane_symmetric, 5, {0, -3, 0}, 29, 1, 0},
    {"Waldron", waldron, 2, {0, -3, 0}, 29, 1, 0},
    {"Waldron", waldron, 4, {3, 0, 0}, 29, 1, 0},
    {"Griffis-Duffy", griffis_duffy, 0, {0, 0, -3}, 41, 1, 0},
};
const int folded_count = sizeof (folded) / sizeof (folded[0]);

scene folded_open (const spatial *which)
{
    scene s = scene_open (0);
    dWorldSetGravity (s.world, (dReal)which->gravity[0], (dReal)which->gravity[1], (dReal)which->gravity[2]);
    which->build (&s, which->number);
    return s;
}
