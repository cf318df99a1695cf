#version 330 core
// Lines are drawn as rectangles of a width in pixels, with smooth edges without multisampling.
#include "frame.glsl"

layout (location = 0) in vec2 side;        // x: 0 start, 1 end; y: -1, +1
layout (location = 1) in vec4 start_width;
layout (location = 2) in vec4 end_dash;    // w: length of a dash in pixels, 0 for solid
layout (location = 3) in vec4 color_start;
layout (location = 4) in vec4 color_end;

out vec4 tint;
out float across;
out float travelled;
flat out float half_width;
flat out float dash;

void main ()
{
    vec4 a = view_projection * vec4 (start_width.xyz, 1.0), b = view_projection * vec4 (end_dash.xyz, 1.0);
    // The line is cut in front of the eye: a point behind the eye would be projected to the opposite side.
    float near = 1e-4;
    if (a.w < near && b.w < near)
    {
        gl_Position = vec4 (2.0, 2.0, 2.0, 1.0);
        return;
    }
    if (a.w < near) a = mix (a, b, (near - a.w) / (b.w - a.w));
    if (b.w < near) b = mix (b, a, (near - b.w) / (a.w - b.w));
    vec2 size = viewport.zw;
    vec2 pa = a.xy / a.w * size * 0.5, pb = b.xy / b.w * size * 0.5;
    vec2 d = pb - pa;
    float length = max (length (d), 1e-4);
    vec2 t = d / length, n = vec2 (-t.y, t.x);
    half_width = 0.5 * start_width.w * heat.w;
    float reach = half_width + 1.0;
    vec4 p = mix (a, b, side.x);
    vec2 offset = n * side.y * reach;
    gl_Position = p + vec4 (offset / (size * 0.5) * p.w, -2e-5 * p.w, 0.0);
    across = side.y * reach;
    travelled = side.x * length;
    dash = end_dash.w * heat.w;
    tint = mix (color_start, color_end, side.x);
}
