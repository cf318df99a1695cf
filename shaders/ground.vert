#version 330 core
// The floor is one square.
#include "frame.glsl"

layout (location = 0) in vec2 square;
out vec3 world;
out vec2 plane;

void main ()
{
    vec3 north = cross (up.xyz, east.xyz);
    world = ground.xyz + ground.w * (square.x * east.xyz + square.y * north);
    plane = vec2 (dot (world, east.xyz), dot (world, north));
    gl_Position = view_projection * vec4 (world, 1.0);
}
