#version 330 core
// The floor: bright in the middle and transparent towards its edge, with the shadow of the mechanism and a grid,
// whose lines fade where they would be nearer to each other than some pixels.
#include "frame.glsl"
#include "dither.glsl"
#include "shadow.glsl"

in vec3 world;
in vec2 plane; // place on the floor, metres
out vec4 color;

// How much of a pixel is covered by lines at a distance of cell metres; extent is the size of the pixel in metres.
float grid_line (vec2 p, vec2 extent, float cell, float width)
{
    vec2 w = extent / cell, distance = abs (fract (p / cell - 0.5) - 0.5) / w;
    vec2 cover = clamp (0.5 * width + 0.5 - distance, 0.0, 1.0) * clamp (1.0 - 3.0 * w, 0.0, 1.0);
    return max (cover.x, cover.y);
}

void main ()
{
    vec3 d = world - ground.xyz;
    float r2 = dot (d, d) / (ground.w * ground.w), fade = clamp (1.02 - r2, 0.0, 1.0);
    fade *= fade * fade;
    if (fade < 0.003) discard;
    vec2 extent = max (fwidth (plane), vec2 (1e-9));
    float px = heat.w;
    float lines = 0.30 * grid_line (plane, extent, east.w, px) + 0.55 * grid_line (plane, extent, east.w * 5.0, 1.2 * px);
    bool from_above = dot (eye.xyz - world, up.xyz) > 0.0;
    float shade = from_above ? shadow_light (world, up.xyz, 0.3, gl_FragCoord.xy, 4.0) : 1.0;
    float pool = 1.0 / (1.0 + 6.0 * r2 + 22.0 * r2 * r2); // nearly a Gaussian function, but faster
    vec3 floor_color = mix (vec3 (0.070, 0.082, 0.102), vec3 (0.150, 0.168, 0.198), pool) * mix (0.42, 1.0, shade);
    floor_color += vec3 (0.30, 0.34, 0.40) * lines * (0.25 + 0.55 * pool) * mix (0.5, 1.0, shade);
    color = vec4 (floor_color + dither (gl_FragCoord.xy), from_above ? fade : 0.35 * fade);
}
