// What all programs of a view share: the camera, the light, the heat scale.  The block has the layout of
// frame_block in demos/viewer/renderer.c; it consists only of vec4 and mat4, for which std140 has no padding.
layout (std140) uniform Frame
{
    mat4 view_projection;
    mat4 shadow_matrix; // world to shadow map, in 0..1
    vec4 eye;           // xyz camera position; w the size of the scene
    vec4 light;         // xyz direction towards the light; w unused
    vec4 up;            // xyz against gravity; w height of the ground along it
    vec4 east;          // xyz first axis of the ground; w cell of the grid
    vec4 viewport;      // xy lower left corner, zw size, in pixels
    vec4 heat;          // log10 of the violation at both ends of the colour table; z wire width, w scale of pixels
    vec4 ground;        // xyz centre of the lit floor; w its radius
};

uniform sampler2D heat_table;
uniform sampler2DShadow shadow_map;

vec3 heat_color (float log_violation)
{
    float t = clamp ((log_violation - heat.x) / (heat.y - heat.x), 0.0, 1.0);
    return texture (heat_table, vec2 ((t * 255.0 + 0.5) / 256.0, 0.5)).rgb;
}

// Converts linear light to the colour of the display.  Bright light is compressed, so that highlights keep their colour.
vec3 display_color (vec3 linear)
{
    linear = max (linear, vec3 (0.0));
    linear = linear * (1.0 + linear * 0.12) / (1.0 + linear * 0.30);
    return pow (linear, vec3 (1.0 / 2.2));
}

vec3 linear_color (vec3 display) { return pow (display, vec3 (2.2)); }
