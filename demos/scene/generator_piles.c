/*
 * Boxes and bricks on the ground, or above it.  As usual with ODE, contacts may be LAYER deep before anything
 * pushes them apart; the boxes start at that depth, that is at rest but for the compliance of the contacts.
 */
#include "scene_data.h"

#include <math.h>
#include <stdio.h>

#define LAYER 0.001
#define STACK_BOXES 10 /* of each stack where there are many */

static int box (scene *s, const char *kind, int number, const double size[3], double x, double z)
{
    char name[64];
    scene_pose at = {{x, 0, z}, {1, 0, 0, 0}};
    snprintf (name, sizeof name, "%s%d", kind, number);
    int link = generate_link (s, name, number, scene_shape_box, size, 1, &at);
    return link >= 0 && generate_collision (s, link, scene_shape_box, size) ? link : -1;
}

/* Height of the centre of layer k of a pile of things that high. */
static double level (int k, double height) { return (k + 0.5) * height - (k + 1) * LAYER; }

/* Stacks side by side, each an island. */
static int pile_up (scene *s, int stacks, int boxes)
{
    const double size[3] = {0.5, 0.5, 0.5};
    int top = -1;
    dWorldSetContactSurfaceLayer (s->world, LAYER);
    if (!generate_ground (s)) return 0;
    for (int i = 0; i < stacks * boxes; i++)
        if ((top = box (s, "box", i, size, i / boxes, level (i % boxes, size[2]))) < 0) return 0;
    return generate_probe (s, "top", top, 0, 0, size[2] / 2);
}

int generate_stack (scene *s, int boxes) { return pile_up (s, 1, boxes); }
int generate_stacks (scene *s, int stacks) { return pile_up (s, stacks, STACK_BOXES); }

/* Courses as long as they are many, shifted by a quarter of a brick: half would leave the last one tipping.
 */
int generate_wall (scene *s, int bricks)
{
    const double size[3] = {0.4, 0.2, 0.2};
    int length = (int)ceil (sqrt (bricks)), top = -1;
    dWorldSetContactSurfaceLayer (s->world, LAYER);
    if (!generate_ground (s)) return 0;
    for (int i = 0; i < bricks; i++)
    {
        int course = i / length;
        double x = size[0] * (i % length - (length - 1) / 2.0 + (course % 2 ? 0.125 : -0.125));
        if ((top = box (s, "brick", i, size, x, level (course, size[2]))) < 0) return 0;
    }
    return generate_probe (s, "top", top, 0, 0, size[2] / 2);
}

/* Between -1 and 1, the same in every run. */
static double spread (int i, int k)
{
    const double x = sin (12.9898 * i + 78.233 * k) * 43758.5453;
    return 2 * (x - floor (x)) - 1;
}

/* Boxes in layers that are shifted at random: they fall on a heap. */
int generate_pile (scene *s, int boxes)
{
    const double size[3] = {0.2, 0.3, 0.1};
    const int side = (int)ceil (cbrt (boxes / 2.0));
    int top = -1;
    dWorldSetContactSurfaceLayer (s->world, LAYER);
    if (!generate_ground (s)) return 0;
    for (int i = 0; i < boxes; i++)
    {
        const int layer = i / (side * side);
        char name[64];
        scene_pose at = {{0.35 * (i % side) + 0.1 * spread (i, 0),
                          0.35 * (i / side % side) + 0.1 * spread (i, 1), 0.06 + 0.15 * layer},
                         {1, 0, 0, 0}};
        snprintf (name, sizeof name, "box%d", i);
        if ((top = generate_link (s, name, i, scene_shape_box, size, 1, &at)) < 0 ||
            !generate_collision (s, top, scene_shape_box, size))
            return 0;
    }
    return generate_probe (s, "last", top, 0, 0, 0);
}

/* Boxes that fly and turn, with nothing between them. */
int generate_free (scene *s, int boxes)
{
    const double size[3] = {0.2, 0.3, 0.1};
    int link = -1;
    dWorldSetGravity (s->world, 0, 0, (dReal)-9.81);
    for (int i = 0; i < boxes; i++)
    {
        char name[64];
        const scene_pose at = {{i % 50, i / 50, 0}, {1, 0, 0, 0}};
        snprintf (name, sizeof name, "box%d", i);
        if ((link = generate_link (s, name, i, scene_shape_box, size, 1, &at)) < 0) return 0;
        dBodySetLinearVel (s->links[link].body, (dReal)spread (i, 0), (dReal)spread (i, 1),
                           (dReal)spread (i, 2));
        dBodySetAngularVel (s->links[link].body, (dReal)spread (i, 3), (dReal)spread (i, 4),
                            (dReal)spread (i, 5));
    }
    return generate_probe (s, "last", link, 0, 0, 0);
}
