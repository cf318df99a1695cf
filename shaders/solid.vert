#version 330 core
// Instances of rounded solids.  A vertex is a corner of a smaller box plus the normal times the rounding radius, so that
// one mesh serves for rounded boxes, capsules and spheres.
#include "frame.glsl"

layout (location = 0) in vec3 corner;
layout (location = 1) in vec3 normal;
layout (location = 2) in vec4 rotation;         // quaternion x, y, z, w
layout (location = 3) in vec4 position_opacity;
layout (location = 4) in vec4 half_radius;      // half extents and rounding radius
layout (location = 5) in vec4 color_mix;        // own colour; w share of the heat colour
layout (location = 6) in vec4 heat_glow_metal;  // log10 violation at -z and +z, glow, metal

out vec3 world;
out vec3 world_normal;
out float along;
flat out vec4 tint;
flat out vec4 material;
flat out float opacity;

vec3 rotate (vec3 v) { return v + 2.0 * cross (rotation.xyz, cross (rotation.xyz, v) + rotation.w * v); }

void main ()
{
    vec3 core = half_radius.xyz - half_radius.w;
    vec3 local = corner * core + normal * half_radius.w;
    world = rotate (local) + position_opacity.xyz;
    world_normal = rotate (normal);
    along = clamp (0.5 + 0.5 * local.z / max (half_radius.z, 1e-6), 0.0, 1.0);
    tint = color_mix;
    material = heat_glow_metal;
    opacity = position_opacity.w;
    gl_Position = view_projection * vec4 (world, 1.0);
}
