#version 330 core
// A grid of 8 x 8 cells over the view.  The colour is computed at their corners only, which is accurate enough and
// much faster on software renderers than to compute it in every pixel.
out vec3 shade;

void main ()
{
    int cell = gl_VertexID / 6, corner = gl_VertexID % 6;
    vec2 offset = vec2 (corner == 1 || corner == 2 || corner == 4, corner == 2 || corner == 4 || corner == 5);
    vec2 place = (vec2 (cell % 8, cell / 8) + offset) / 8.0;
    shade = mix (vec3 (0.052, 0.061, 0.078), vec3 (0.098, 0.114, 0.142), smoothstep (0.0, 0.62, place.y));
    shade = mix (shade, vec3 (0.070, 0.081, 0.102), smoothstep (0.62, 1.0, place.y));
    vec2 q = place - vec2 (0.5, 0.55);
    shade *= 1.08 - 0.55 * dot (q, q);
    gl_Position = vec4 (2.0 * place - 1.0, 0.9999, 1.0);
}
