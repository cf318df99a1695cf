/*
 * Paper folded after Miura: N x N parallelograms, hinged where they meet.  Where four of them meet, four axes
 * go through one point, and each such loop has three rows too many; but a sheet of them has one degree of
 * freedom, and however it is folded its corners stay in the rows and columns of a lattice.
 */
#include "scene_data.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define EDGE 0.5    /* m, of all sides */
#define SECTOR 1.2  /* rad, the angle of a parallelogram */
#define FOLDED 0.75 /* rad out of flat */
#define THICKNESS 0.02
#define MASS 0.5  /* kg a panel */
#define STRIPS 12 /* boxes that show a panel */

static void corner (int i, int j, double p[3])
{
    const double s = sin (FOLDED), c = cos (FOLDED), t = tan (SECTOR), across = sqrt (1 + c * c * t * t);
    p[0] = i * EDGE * c * t / across;
    p[1] = j * EDGE * sqrt (1 - pow (s * sin (SECTOR), 2)) + (i % 2 ? EDGE / across : 0);
    p[2] = j % 2 ? EDGE * s * sin (SECTOR) : 0;
}

static void direction (const double from[3], const double to[3], double d[3])
{
    double length = 0;
    for (int k = 0; k < 3; k++) d[k] = to[k] - from[k], length += d[k] * d[k];
    for (int k = 0; k < 3; k++) d[k] /= sqrt (length);
}

static void cross (const double a[3], const double b[3], double c[3])
{
    for (int k = 0; k < 3; k++) c[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

/* The middle of panel i, j: x along its first edge, z across it. It never lies upside down, so w is not near
 * 0. */
static scene_pose place (int i, int j)
{
    double a[3], b[3], d[3], x[3], y[3], z[3];
    scene_pose at;
    corner (i, j, a), corner (i + 1, j, b), corner (i, j + 1, d);
    direction (a, b, x), direction (a, d, y);
    for (int k = 0; k < 3; k++) at.p[k] = (b[k] + d[k]) / 2;
    cross (x, y, z);
    direction ((const double[3]){0, 0, 0}, z, z);
    cross (z, x, y);
    const double w = sqrt (1 + x[0] + y[1] + z[2]) / 2;
    pose_set_quaternion (&at, w, (y[2] - z[1]) / (4 * w), (z[0] - x[2]) / (4 * w), (x[1] - y[0]) / (4 * w));
    return at;
}

/* 1 or -1: which way the second edge of a panel leans against its first. */
static double lean (int i) { return i % 2 ? -1 : 1; }

static int show (scene *s, int link, int i)
{
    const double width = EDGE * sin (SECTOR) / STRIPS, size[3] = {EDGE, width, THICKNESS};
    for (int k = 0; k < STRIPS; k++)
    {
        scene_pose at = scene_pose_identity;
        const double part = (k + 0.5) / STRIPS - 0.5;
        at.p[0] = lean (i) * part * EDGE * cos (SECTOR);
        at.p[1] = part * EDGE * sin (SECTOR);
        scene_visual *v = scene_add_visual (s, link, scene_shape_box, size, &at, scene_visual_from_file);
        if (!v) return 0;
    }
    return 1;
}

/* A thin parallelogram's second moments are those of its edges a and b: m / 12 (a a' + b b'). */
static int add_body (scene *s, int link, int i)
{
    const double a[3] = {EDGE, 0, 0}, b[3] = {lean (i) * EDGE * cos (SECTOR), EDGE * sin (SECTOR), 0},
                 c[3] = {0, 0, THICKNESS}, centre[3] = {0, 0, 0};
    double second[3][3], inertia[3][3];
    for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3; l++) second[k][l] = MASS / 12 * (a[k] * a[l] + b[k] * b[l] + c[k] * c[l]);
    for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3; l++)
            inertia[k][l] = (k == l ? second[0][0] + second[1][1] + second[2][2] : 0) - second[k][l];
    return scene_add_body (s, link, MASS, centre, inertia);
}

static int fold (scene *s, const char *kind, int i, int j, int parent, int child, const double from[3],
                 const double to[3])
{
    char name[64];
    double middle[3], axis[3];
    for (int k = 0; k < 3; k++) middle[k] = (from[k] + to[k]) / 2;
    direction (from, to, axis);
    snprintf (name, sizeof name, "%s%d_%d", kind, i, j);
    return generate_hinge (s, name, parent, child, middle, axis);
}

/* The corner of the lattice as a point of a panel. */
static int probe (scene *s, const char *name, int panels, int i, int j)
{
    const int pi = i < panels ? i : panels - 1, pj = j < panels ? j : panels - 1;
    const scene_pose at = place (pi, pj), back = pose_inverse (&at);
    double p[3];
    corner (i, j, p);
    pose_transform (&back, p, p);
    return generate_probe (s, name, pi * panels + pj, p[0], p[1], p[2]);
}

/* The first panel is fixed; the others hang on it. */
int generate_miura (scene *s, int panels)
{
    dWorldSetGravity (s->world, 0, 0, (dReal)-9.81);
    for (int i = 0; i < panels; i++)
        for (int j = 0; j < panels; j++)
        {
            char name[64];
            const scene_pose at = place (i, j);
            snprintf (name, sizeof name, "panel%d_%d", i, j);
            const int link = scene_add_link (s, name, 0, &at);
            if (link < 0 || (link > 0 && !add_body (s, link, i)) || !show (s, link, i)) return 0;
        }
    for (int i = 0; i < panels; i++)
        for (int j = 0; j < panels; j++)
        {
            const int panel = i * panels + j;
            double right[3], top[3], far[3];
            corner (i + 1, j, right), corner (i, j + 1, top), corner (i + 1, j + 1, far);
            if (i + 1 < panels && !fold (s, "along", i, j, panel, panel + panels, right, far)) return 0;
            if (j + 1 < panels && !fold (s, "across", i, j, panel, panel + 1, top, far)) return 0;
        }
    return probe (s, "far", panels, panels, panels) && probe (s, "side", panels, panels, 0) &&
           probe (s, "end", panels, 0, panels);
}
