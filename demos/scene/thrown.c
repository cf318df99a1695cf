/*
 * Balls that a user throws into a scene: links of their own, which collide with everything.
 */
#include "scene_data.h"

#include <stdio.h>

int scene_add_ball (scene *s, double radius, double mass)
{
    const double size[3] = {radius, 0, 0}, centre[3] = {0, 0, 0}, turning = 0.4 * mass * radius * radius;
    const double inertia[3][3] = {{turning, 0, 0}, {0, turning, 0}, {0, 0, turning}};
    char name[32];
    snprintf (name, sizeof name, "ball%d", s->body_count);
    const int link = scene_add_link (s, name, -1, &scene_pose_identity);
    if (link < 0 || !scene_add_body (s, link, mass, centre, inertia)) return -1;
    s->links[link].self_collide = 1; /* balls belong to no model: they hit each other, too */
    if (!scene_add_collision (s, link, scene_shape_sphere, size, &scene_pose_identity)) return -1;
    return s->body_count - 1;
}
