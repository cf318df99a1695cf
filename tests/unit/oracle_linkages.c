/* Building linkages of known degrees of freedom. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "oracle.h"
#include "oracle_linkages.h"
#include "oracle_loops.h"
#include <math.h>
#include <string.h>

static const double along_y[3] = {0, 1, 0}, along_z[3] = {0, 0, 1};

void linkage_loop (scene *s, int rods, const double (*point)[3], const double (*axis)[3])
{
    const int first = s->bodies;
    for (int i = 0; i < rods; ++i) scene_rod (s, point[i], point[i + 1]);
    for (int i = 0; i <= rods; ++i)
        scene_hinge (s, i < rods ? first + i : NO_BODY, i > 0 ? first + i - 1 : NO_BODY, point[i], axis[i]);
}

/* ---- spatial loops ---- */

void linkage_bricard (scene *s, double tilt)
{
    const double point[6][3] = {{0, 0, 0}, {1, 0, 0}, {1, -1, 0}, {1, -1, 1}, {0, -1, 1}, {0, 0, 1}};
    double axis[6][3] = {{0, 1, 0}, {0, 0, 1}, {-1, 0, 0}, {0, -1, 0}, {0, 0, 1}, {-1, 0, 0}};
    oracle_random random = {61};
    for (int i = 0; i < 6; ++i)
        for (int k = 0; k < 3; ++k) axis[i][k] += tilt * oracle_uniform (&random, -1, 1) / 2;
    linkage_loop (s, 5, point, (const double (*)[3])axis);
}

static void bricard (scene *s) { linkage_bricard (s, 0); }

/* Bennett's loop: four hinges, opposite bars alike, sin (twist) / length the same for all. */
static void bennett (scene *s)
{
    const double a = 0.6, alpha = 0.5, b = 1, beta = asin (sin (alpha) * b / a), first = 1.2;
    const double second = 2 * atan (sin ((beta + alpha) / 2) / sin ((beta - alpha) / 2) / tan (first / 2));
    const double turn[4] = {first, second, -first, -second};
    loop_frame f = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 0}};
    double point[5][3], axis[4][3];
    for (int i = 0; i < 4; ++i)
    {
        for (int k = 0; k < 3; ++k) point[i][k] = f.x[k], axis[i][k] = f.R[3 * k + 2];
        f = loop_next_frame (&f, turn[i], 0, i % 2 ? b : a, i % 2 ? beta : alpha);
    }
    for (int k = 0; k < 9; ++k) assert_true (fabs (f.R[k] - (k % 4 == 0)) < 1e-14); /* it does close */
    for (int k = 0; k < 3; ++k) assert_true (fabs (f.x[k]) < 1e-14);
    linkage_loop (s, 3, (const double (*)[3])point, (const double (*)[3])axis);
}

/* Four hinges whose axes meet in one point. */
static void spherical_fourbar (scene *s)
{
    const double ray[4][3] = {{1, 0, 0}, {0.8, 0.3, -0.5}, {0.3, 0.9, -0.3}, {0.2, 0.9, 0.4}};
    double point[4][3], axis[4][3];
    for (int i = 0; i < 4; ++i)
    {
        const double size = sqrt (ray[i][0] * ray[i][0] + ray[i][1] * ray[i][1] + ray[i][2] * ray[i][2]);
        for (int k = 0; k < 3; ++k) point[i][k] = axis[i][k] = ray[i][k] / size;
    }
    linkage_loop (s, 3, (const double (*)[3])point, (const double (*)[3])axis);
}

/* Sarrus: two folding pairs of plates at right angles guide a platform along a straight line. */
static void sarrus (scene *s)
{
    const int platform = scene_box (s, 0, 0, 1, 1, 2, 2, (dReal)0.1);
    for (int side = 0; side < 2; ++side)
    {
        double point[3][3] = {{0}}, axis[3] = {0};
        axis[1 - side] = 1;
        for (int i = 0; i < 3; ++i) point[i][side] = i == 1 ? 1.5 : 1, point[i][2] = 0.5 * i;
        const int lower = scene_rod (s, point[0], point[1]), upper = scene_rod (s, point[1], point[2]);
        scene_hinge (s, lower, NO_BODY, point[0], axis);
        scene_hinge (s, lower, upper, point[1], axis);
        scene_hinge (s, upper, platform, point[2], axis);
    }
}

/* ---- planar ones, in the plane of x and z ---- */

void linkage_fourbars (scene *s, int loops, double angle)
{
    const double dx = sin (angle), dz = -cos (angle);
    for (int i = 0; i <= loops; ++i)
    {
        const double foot[3] = {i, 0, 0}, tip[3] = {i + dx, 0, dz};
        const int crank = scene_rod (s, foot, tip);
        scene_hinge (s, crank, NO_BODY, foot, along_y);
        if (i == 0) continue;
        const double before[3] = {i - 1 + dx, 0, dz};
        const int coupler = scene_rod (s, before, tip), last = i == 1 ? crank - 1 : crank - 2;
        scene_hinge (s, last, coupler, before, along_y);
        scene_hinge (s, coupler, crank, tip, along_y);
    }
}

static void fourbar (scene *s) { linkage_fourbars (s, 1, 0.5); }
static void fourbars_5 (scene *s) { linkage_fourbars (s, 5, 0.5); }
static void fourbars_40 (scene *s) { linkage_fourbars (s, 40, 0.5); }

static void slider_crank (scene *s)
{
    const double foot[3] = {0, 0, 0}, knee[3] = {0.3, 0, -0.4}, end[3] = {1.2, 0, 0};
    const int crank = scene_rod (s, foot, knee), rod = scene_rod (s, knee, end);
    const int block = scene_box (s, (dReal)end[0], 0, 0, 1, (dReal)0.2, (dReal)0.2, (dReal)0.2);
    scene_hinge (s, crank, NO_BODY, foot, along_y);
    scene_hinge (s, crank, rod, knee, along_y);
    scene_hinge (s, rod, block, end, along_y);
    dJointSetSliderAxis (scene_joint (s, dJointCreateSlider, block, NO_BODY), 1, 0, 0);
}

/* Crossed bars in stages; one foot turns on the ground, the other slides. */
static void scissor_lift (scene *s)
{
    const int stages = 3;
    const double width = 0.8, height = 0.6;
    int last[2] = {0, 0};
    for (int i = 0; i < stages; ++i)
    {
        const double left[3] = {0, 0, i * height}, right[3] = {width, 0, i * height};
        const double top_left[3] = {0, 0, (i + 1) * height}, top_right[3] = {width, 0, (i + 1) * height};
        const double centre[3] = {width / 2, 0, (i + 0.5) * height};
        const int from_left = scene_rod (s, left, top_right), from_right = scene_rod (s, right, top_left);
        scene_hinge (s, from_left, from_right, centre, along_y);
        if (i > 0)
        {
            scene_hinge (s, last[1], from_left, left, along_y);
            scene_hinge (s, last[0], from_right, right, along_y);
        }
        else
        {
            const int carriage = scene_box (s, (dReal)width, 0, 0, 1, (dReal)0.2, (dReal)0.2, (dReal)0.1);
            scene_hinge (s, from_left, NO_BODY, left, along_y);
            scene_hinge (s, from_right, carriage, right, along_y);
            dJointSetSliderAxis (scene_joint (s, dJointCreateSlider, carriage, NO_BODY), 1, 0, 0);
        }
        last[0] = from_left, last[1] = from_right;
    }
}

/* A table that swings on four parallel legs. */
static void four_legged_swing (scene *s)
{
    const double dx = sin (0.5), dz = -cos (0.5);
    const int table = scene_box (s, (dReal)(0.5 + dx), (dReal)0.5, (dReal)dz, 4, 1, 1, (dReal)0.1);
    for (int i = 0; i < 4; ++i)
    {
        const double x = i % 2, y = i / 2, top[3] = {x, y, 0}, end[3] = {x + dx, y, dz};
        const int leg = scene_rod (s, top, end);
        scene_hinge (s, leg, NO_BODY, top, along_y);
        scene_hinge (s, leg, table, end, along_y);
    }
}

/* ---- others ---- */

static void door (scene *s)
{
    const double low[3] = {0, 0, 0.2}, high[3] = {0, 0, 1.8};
    const int leaf = scene_box (s, (dReal)0.5, 0, 1, 20, 1, (dReal)0.05, 2);
    scene_hinge (s, leaf, NO_BODY, low, along_z);
    scene_hinge (s, NO_BODY, leaf, high, along_z);
    dBodySetAngularVel (s->body[leaf], 0, 0, 1);
    dBodySetLinearVel (s->body[leaf], 0, (dReal)0.5, 0);
}

/* Six legs that turn about universal joints below, lengthen, and end in balls. */
static void stewart_platform (scene *s)
{
    const int platform = scene_box (s, 0, 0, 1, 5, 1, 1, (dReal)0.1);
    for (int leg = 0; leg < 6; ++leg)
    {
        const double low_angle = 1.0471975511965976 * (leg + (leg % 2 ? -0.3 : 0.3));
        const double high_angle = 1.0471975511965976 * (leg + (leg % 2 ? 0.3 : -0.3));
        const double low[3] = {1.2 * cos (low_angle), 1.2 * sin (low_angle), 0};
        const double high[3] = {0.6 * cos (high_angle), 0.6 * sin (high_angle), 1};
        double middle[3], d[3], side[3];
        for (int k = 0; k < 3; ++k) middle[k] = (low[k] + high[k]) / 2, d[k] = high[k] - low[k];
        side[0] = -d[1], side[1] = d[0], side[2] = 0; /* across the leg */
        const double third[3] = {d[1] * side[2] - d[2] * side[1], d[2] * side[0] - d[0] * side[2],
                                 d[0] * side[1] - d[1] * side[0]};
        const int lower = scene_rod (s, low, middle), upper = scene_rod (s, middle, high);
        const dJointID universal = scene_joint (s, dJointCreateUniversal, lower, NO_BODY);
        dJointSetUniversalAnchor (universal, (dReal)low[0], (dReal)low[1], (dReal)low[2]);
        dJointSetUniversalAxis1 (universal, (dReal)side[0], (dReal)side[1], (dReal)side[2]);
        dJointSetUniversalAxis2 (universal, (dReal)third[0], (dReal)third[1], (dReal)third[2]);
        dJointSetSliderAxis (scene_joint (s, dJointCreateSlider, upper, lower), (dReal)d[0], (dReal)d[1],
                             (dReal)d[2]);
        scene_ball (s, upper, platform, high);
    }
}

/* The six edges of a tetrahedron; at each corner every two of the three that meet share a ball joint. */
static void tetrahedral_net (scene *s)
{
    const double corner[4][3] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
    int edge[4][4], count[4] = {0}, at[4][3];
    for (int i = 0; i < 4; ++i)
        for (int k = i + 1; k < 4; ++k)
        {
            edge[i][k] = scene_rod (s, corner[i], corner[k]);
            at[i][count[i]++] = at[k][count[k]++] = edge[i][k];
        }
    for (int i = 0; i < 4; ++i)
        for (int k = 0; k < 3; ++k) scene_ball (s, at[i][k], at[i][(k + 1) % 3], corner[i]);
    const double spin[3] = {0.5, 1, -0.7};
    for (int b = 0; b < s->bodies; ++b)
    {
        const dReal *x = dBodyGetPosition (s->body[b]);
        dBodySetAngularVel (s->body[b], (dReal)spin[0], (dReal)spin[1], (dReal)spin[2]);
        dBodySetLinearVel (s->body[b], (dReal)(spin[1] * x[2] - spin[2] * x[1]),
                           (dReal)(spin[2] * x[0] - spin[0] * x[2]),
                           (dReal)(spin[0] * x[1] - spin[1] * x[0]));
    }
}

/* degrees of freedom: 6 x bodies - rank */
const linkage linkages[] = {
    {"four-bar", fourbar, -9.81, 20, 17, 1},
    {"row of 5 four-bars", fourbars_5, -9.81, 80, 65, 1},
    {"row of 40 four-bars", fourbars_40, -9.81, 605, 485, 1},
    {"slider-crank", slider_crank, -9.81, 20, 17, 1},
    {"scissor lift", scissor_lift, (dReal)-0.2, 50, 41, 1},
    {"four-legged swing", four_legged_swing, -9.81, 40, 29, 1},
    {"door", door, -9.81, 10, 5, 1},
    {"Bricard", bricard, -9.81, 30, 29, 1},
    {"Bennett", bennett, (dReal)-1, 20, 17, 1},
    {"spherical four-bar", spherical_fourbar, (dReal)-0.3, 20, 17, 1},
    {"Sarrus", sarrus, (dReal)-0.2, 30, 29, 1},
    {"Stewart platform", stewart_platform, (dReal)-0.05, 72, 72, 6},
    {"tetrahedral net", tetrahedral_net, 0, 36, 24, 12},
};

const int linkage_count = sizeof (linkages) / sizeof (linkages[0]);

scene linkage_open (const linkage *which)
{
    scene s = scene_open (which->gravity_z);
    which->build (&s);
    return s;
}
