#version 330 core
// Links and joints, lit by a warm light with shadows, a cooler sky, and a brighter edge.  The ambient part is large,
// so that heat colours look as in the legend.
#include "frame.glsl"
#include "dither.glsl"
#include "shadow.glsl"

in vec3 world;
in vec3 world_normal;
in float along;
flat in vec4 tint;
flat in vec4 material;
flat in float opacity;

out vec4 color;

void main ()
{
    vec3 n = normalize (world_normal), v = normalize (eye.xyz - world), l = light.xyz;
    vec3 heat_tint = heat_color (mix (material.x, material.y, smoothstep (0.1, 0.9, along)));
    vec3 albedo = linear_color (mix (tint.rgb, heat_tint, tint.a));
    float metal = material.w;

    float facing = max (dot (n, l), 0.0);
    float key = facing * shadow_light (world, n, 1.0 - 0.7 * facing, gl_FragCoord.xy, 2.2);
    float sky = 0.5 + 0.5 * dot (n, up.xyz);
    vec3 ambient = mix (vec3 (0.36, 0.365, 0.385), vec3 (0.60, 0.625, 0.67), sky);
    vec3 h = normalize (l + v);
    float shine = mix (48.0, 90.0, metal);
    float spec = pow (max (dot (n, h), 0.0), shine) * mix (0.16, 0.95, metal) * step (0.0001, key);
    float fresnel = pow (1.0 - max (dot (n, v), 0.0), 4.0);

    vec3 lit = albedo * (ambient * mix (1.0, 0.75, metal) + vec3 (1.05, 1.00, 0.93) * key * 0.85);
    lit += vec3 (1.0, 0.97, 0.92) * spec * key;
    lit += mix (vec3 (0.10, 0.13, 0.18), vec3 (0.35, 0.38, 0.42), metal) * fresnel * sky;
    lit += albedo * material.z;
    color = vec4 (display_color (lit) + dither (gl_FragCoord.xy), opacity);
}
