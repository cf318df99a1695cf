/* Rows of four-bar linkages, chains and nets: bars of 1 m, 1 kg and 0.1 m square section; gravity along -y.
 */
#include "scene_data.h"

#include <math.h>
#include <stdio.h>

#define CHAIN_LINKS 50 /* of each chain where there are many */

static const double bar_size[3] = {1, 0.1, 0.1};
static const double z_axis[3] = {0, 0, 1};

static int bar (scene *s, const char *kind, int number, double x, double y, double yaw)
{
    char name[64];
    scene_pose at = {{x, y, 0}, {1, 0, 0, 0}};
    pose_set_rpy (&at, 0, 0, yaw);
    snprintf (name, sizeof name, "%s%d", kind, number);
    return generate_link (s, name, 0, scene_shape_box, bar_size, 1, &at);
}

static int hinge (scene *s, const char *format, int number, int parent, int child, double x, double y)
{
    char name[64];
    const double anchor[3] = {x, y, 0};
    snprintf (name, sizeof name, format, number);
    return generate_hinge (s, name, parent, child, anchor, z_axis);
}

static void move (const scene *s, int link, double vx, double wz)
{
    dBodySetLinearVel (s->links[link].body, (dReal)vx, 0, 0);
    dBodySetAngularVel (s->links[link].body, 0, 0, (dReal)wz);
}

/*
 *   B0 --coupler0-- B1 --coupler1-- B2          1 m/s to the right at the top
 *    |               |               |
 *  crank0          crank1          crank2
 *    |               |               |
 *   A0              A1              A2           hinged to the world
 */
int generate_fourbar (scene *s, int loops)
{
    for (int i = 0; i <= loops; i++)
    {
        int crank = bar (s, "crank", i, i, 0.5, M_PI / 2);
        if (crank < 0) return 0;
        move (s, crank, 0.5, -1);
    }
    for (int i = 0; i < loops; i++)
    {
        int coupler = bar (s, "coupler", i, i + 0.5, 1, 0);
        if (coupler < 0) return 0;
        move (s, coupler, 1, 0);
    }
    for (int i = 0; i <= loops; i++)
        if (!hinge (s, "A%d", i, -1, i, i, 0)) return 0;
    for (int i = 0; i < loops; i++)
    {
        int coupler = loops + 1 + i;
        if (!hinge (s, "B%da", i, i, coupler, i, 1) || !hinge (s, "B%db", i, coupler, i + 1, i + 1, 1))
            return 0;
    }
    return generate_probe (s, "B0", 0, 0.5, 0, 0);
}

static int hang_chain (scene *s, int first, int links, double x)
{
    for (int i = 0; i < links; i++)
    {
        int link = bar (s, "link", first + i, x + i + 0.5, 0, 0);
        if (link < 0 || !hinge (s, "hinge%d", first + i, i > 0 ? link - 1 : -1, link, x + i, 0)) return 0;
    }
    return 1;
}

/* Islands of their own: they do not meet. */
int generate_chains (scene *s, int chains)
{
    for (int i = 0; i < chains; i++)
        if (!hang_chain (s, i * CHAIN_LINKS, CHAIN_LINKS, 3.0 * CHAIN_LINKS * i)) return 0;
    return generate_probe (s, "tip", CHAIN_LINKS - 1, 0.5, 0, 0);
}

int generate_chain (scene *s, int links)
{
    if (!hang_chain (s, 0, links, 0)) return 0;
    return generate_probe (s, "tip", links - 1, 0.5, 0, 0);
}

/* A wheel that turns about its hinge in the world, with arms hinged to its rim, a bar's length apart at
 * least. */
int generate_hub (scene *s, int arms)
{
    const double radius = fmax (1, arms / (2 * M_PI)), size[3] = {2 * radius, 2 * radius, 0.1};
    const scene_pose centre = {{0, 0, 0}, {1, 0, 0, 0}};
    const int hub = generate_link (s, "hub", 0, scene_shape_box, size, arms, &centre);
    if (hub < 0 || !hinge (s, "axle%d", 0, -1, hub, 0, 0)) return 0;
    for (int i = 0; i < arms; i++)
    {
        const double yaw = 2 * M_PI * i / arms, x = cos (yaw), y = sin (yaw);
        const int arm = bar (s, "arm", i, (radius + 0.5) * x, (radius + 0.5) * y, yaw);
        if (arm < 0 || !hinge (s, "hinge%d", i, hub, arm, radius * x, radius * y)) return 0;
    }
    return generate_probe (s, "rim", hub, radius, 0, 0);
}

/* ---- nets ---------------------------------------------------------------------------------------------- */

static int ball (scene *s, const char *kind, int row, int column, int parent, int child, double x, double y)
{
    char name[64];
    const double anchor[3] = {x, y, 0};
    snprintf (name, sizeof name, "%s%d_%d", kind, row, column);
    return generate_ball (s, name, parent, child, anchor);
}

static int make_net (scene *s, int side, int corners_only)
{
    for (int row = 0; row < side; row++)
        for (int column = 0; column < side; column++)
        {
            char name[64];
            scene_pose at = {{column, -row, 0}, {1, 0, 0, 0}};
            snprintf (name, sizeof name, "knot%d_%d", row, column);
            if (generate_link (s, name, 0, scene_shape_box, bar_size, 1, &at) < 0) return 0;
        }
    for (int row = 0; row < side; row++)
        for (int column = 0; column < side; column++)
        {
            int knot = row * side + column, held = !row && (!corners_only || !column || column == side - 1);
            if (column + 1 < side && !ball (s, "right", row, column, knot, knot + 1, column + 0.5, -row))
                return 0;
            if (row + 1 < side && !ball (s, "down", row, column, knot, knot + side, column, -row - 0.5))
                return 0;
            if (held && !ball (s, "held", row, column, -1, knot, column, 0.5)) return 0;
        }
    return generate_probe (s, "corner", side * side - 1, 0, 0, 0);
}

int generate_net (scene *s, int side) { return make_net (s, side, 0); }
int generate_cornered_net (scene *s, int side) { return make_net (s, side, 1); }
